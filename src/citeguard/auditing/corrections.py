"""A claim with the source's facts instead of its own, where that is clean: `proposed`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.splitting import main_clause
from citeguard.auditing.claims.words import AUXILIARIES, BE, HAVE, is_finite, is_past, read_words
from citeguard.auditing.differing_facts import differences, is_date, kind_of
from citeguard.auditing.report import Replacement
from citeguard.facts import Contrast, ContrastKind
from citeguard.facts.tables import root
from citeguard.language.tokens import to_word_borders

_MOST_REPLACED = 3
_REPLACEABLE: frozenset[ContrastKind] = frozenset(
    ("number", "name", "opposite", "negation", "roles")
)
# Numbers after which a noun is singular.
_ONE = frozenset(("1", "one", "a", "an", "single"))
_NEAR = 3  # words after a number among which its noun is
_WORD = re.compile(r"\w+")
_LIGHT = frozenset(map(root, "become get make take go come know do have be see say".split())) | {
    root(each) for each in AUXILIARIES | BE | HAVE
}
_NEGATORS = ("not ", "never ")
# After these "not" can be inserted or removed, and the verb keeps its form.
_BEFORE_NOT = frozenset(
    "is are was were be been being am will would can could should may might must shall".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A corrected claim that is still to be judged.

    Attributes:
        claim: The claim's words, corrected.
        sentence: Those of its sentence in the text.
        replacements: The replacements in the text, in order.
    """

    claim: str
    sentence: str
    replacements: tuple[Replacement, ...]


def proposed(text: str, claim: Claim, words: str, found: Sequence[Contrast]) -> Proposal | None:
    """Return a claim corrected by the words that contradict it; `None` if that is not clean.

    It is clean if at most three facts differ; if for each of them the source has a fact of the same
    kind, and the claim's own words have it once; if the replacement fits the grammar around it, as
    far as can be seen; and if the corrected claim differs from the source in no fact.

    Args:
        text: The audited text.
        claim: The contradicted claim.
        words: The words of the source that contradict it.
        found: The contrasts between the two.
    """
    clean = all(_is_clean(each, claim, words) for each in found) and _are_of_two_places(found)
    if not clean or not 0 < len(found) <= _MOST_REPLACED:
        return None
    replacements = [each for one in found if (each := _replacement(text, claim, one)) is not None]
    corrected = _replaced(claim.text, [(each.start, each.end, _put(each)) for each in found])
    start, end = claim.sentence
    edits = [(each.start - start, each.end - start, each.text) for each in replacements]
    sentence = _replaced(text[start:end], edits)
    if len(replacements) < len(found) or corrected is None or sentence is None:
        return None
    if differences(corrected, words) or not _has_verbs_of(corrected, words):
        return None
    in_order = tuple(sorted(replacements, key=lambda each: each.start))
    return Proposal(claim=corrected, sentence=sentence, replacements=in_order)


def _has_verbs_of(corrected: str, words: str) -> bool:
    """Return whether the source uses the verbs of the corrected claim.

    Otherwise its fact may be about something else: when a firm was bought is not when it was
    founded.
    """
    roots = {root(word.key) for word in read_words(words)}
    read = read_words(corrected)
    clause, _ = main_clause(read, 0, len(read))
    # Outside the main clause, "winds" in "8 mph winds from the west" may be a noun.
    main = range(clause.verb, clause.main + 1) if clause else range(0)
    verbs = (
        root(word.key)
        for at, word in enumerate(read)
        if at in main or (is_finite(read, at) and is_past(word.key))
    )
    return all(each in roots or each in _LIGHT for each in verbs)


def _are_of_two_places(found: Sequence[Contrast]) -> bool:
    """Return whether no word of the source is inserted twice."""
    return len({each.passage_start for each in found}) == len(found)


def _is_clean(contrast: Contrast, claim: Claim, words: str) -> bool:
    if not contrast.stated or not contrast.found:
        return False
    # Of words that exclude each other only dates: "singer" and "guitarist" may both be meant.
    if contrast.kind not in _REPLACEABLE and kind_of(contrast) != "date":
        return False
    if contrast.kind == "negation":
        return _only_not_differs(contrast, claim)
    if contrast.kind == "roles":  # of names: articles and adjectives would keep their places
        return all(side[0].isupper() for side in (contrast.stated, contrast.found))
    if contrast.kind == "number":
        of_one_kind = is_date(contrast.stated) == is_date(contrast.found)
        return of_one_kind and _keeps_its_noun(contrast, claim, words)
    return True


def _keeps_its_noun(contrast: Contrast, claim: Claim, words: str) -> bool:
    """Return whether the noun after a number keeps its form, unlike "month" and "months"."""
    if (contrast.stated.lower() in _ONE) == (contrast.found.lower() in _ONE):
        return True
    after = _WORD.findall(claim.text[contrast.end :].lower())[:_NEAR]
    other = _WORD.findall(words[contrast.passage_end :].lower())[:_NEAR]
    of_hours = after[:1] == other[:1] and after[:1] in (["am"], ["pm"])
    return of_hours or (bool(after) and after == other)


def _only_not_differs(contrast: Contrast, claim: Claim) -> bool:
    """Return whether only a "not" differs, after a verb that can take it."""
    stated, found = contrast.stated.lower(), contrast.found.lower()
    if not any(stated == f"{no}{found}" or found == f"{no}{stated}" for no in _NEGATORS):
        return False
    before = claim.text[: contrast.start].split()
    return bool(before) and before[-1].lower() in _BEFORE_NOT


def _put(contrast: Contrast) -> str:
    """Return the source's words as inserted, with a capital where the claim had one."""
    if contrast.kind == "name" or not contrast.stated[:1].isupper():
        return contrast.found
    return contrast.found[:1].upper() + contrast.found[1:]


def _replacement(text: str, claim: Claim, contrast: Contrast) -> Replacement | None:
    """Return the replacement of the stated words; `None` unless they are in one place."""
    own = text[claim.start : claim.end]
    start = own.find(contrast.stated)
    if start < 0 or own.find(contrast.stated, start + 1) >= 0:
        return None
    low, high = claim.start + start, claim.start + start + len(contrast.stated)
    if to_word_borders(text, low, high) != (low, high):
        return None
    return Replacement(start=low, end=high, text=_put(contrast))


def _replaced(text: str, edits: Sequence[tuple[int, int, str]]) -> str | None:
    """Return a text with some intervals replaced; `None` if two of them overlap."""
    parts, done = list[str](), 0
    for start, end, put in sorted(edits):
        if start < done:
            return None
        parts += [text[done:start], put]
        done = end
    return "".join([*parts, text[done:]])

"""A claim with the source's facts in the place of its own: `proposed`, where that is clean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.word_list import BE, DO, HAVE
from citeguard.auditing.claims.words import read_words
from citeguard.auditing.facts import differences, is_date, kind_of
from citeguard.auditing.results import Replacement
from citeguard.facts import Contrast, ContrastKind
from citeguard.facts.tables import root
from citeguard.facts.reading import LIGHT, read
from citeguard.language.tokens import to_word_borders

_MOST_REPLACED = 3
_REPLACEABLE: frozenset[ContrastKind] = frozenset(("number", "name", "opposite", "negation"))
# Numbers after which a noun has another form than after others.
_ONE = frozenset(("1", "one", "a", "an", "single"))
_NEAR = 3  # words after a number among which its noun is
_WORD = re.compile(r"\w+")
_VERBS = frozenset(("VB", "VBD", "VBN", "VBP", "VBZ"))
_NEGATORS = ("not ", "never ")
# After these "not" can be put in or left out, and the verb keeps its form.
_BEFORE_NOT = frozenset(
    "is are was were be been being am will would can could should may might must shall".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A corrected claim that is still to be judged.

    Attributes:
        claim: The claim's words, corrected.
        sentence: Those of its sentence in the text.
        replacements: What is replaced in the text, in order.
    """

    claim: str
    sentence: str
    replacements: tuple[Replacement, ...]


def proposed(text: str, claim: Claim, words: str, found: Sequence[Contrast]) -> Proposal | None:
    """Return a claim corrected by the words that contradict it; `None` if that is not clean.

    It is clean if at most three facts differ, each of which the words have something of the same
    kind for, that stands once in the claim's own words; if what is put in fits the grammar around
    it, as far as that can be told; and if the corrected claim differs from the words in no fact.

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
    """Tell whether the source says with the same verbs what it is said to say.

    Else its fact may be that of something else: when a firm was bought is not when it was founded.
    """
    said = {word.stem for word in read(words).words}
    verbs = (word.text.lower() for word in read_words(corrected) if word.tag in _VERBS)
    roots = (root(verb) for verb in verbs if verb not in BE | HAVE | DO)
    return all(each in said or each in LIGHT for each in roots)


def _are_of_two_places(found: Sequence[Contrast]) -> bool:
    """Tell whether no word of the source is to be put in twice."""
    return len({each.passage_start for each in found}) == len(found)


def _is_clean(contrast: Contrast, claim: Claim, words: str) -> bool:
    if not contrast.stated or not contrast.found:
        return False
    # Of words that exclude each other only dates: "singer" and "guitarist" may both be meant.
    if contrast.kind not in _REPLACEABLE and kind_of(contrast) != "date":
        return False
    if contrast.kind == "negation":
        return _only_not_differs(contrast, claim)
    if contrast.kind == "number":
        of_one_kind = is_date(contrast.stated) == is_date(contrast.found)
        return of_one_kind and _keeps_its_noun(contrast, claim, words)
    return True


def _keeps_its_noun(contrast: Contrast, claim: Claim, words: str) -> bool:
    """Tell whether the noun after a number need not change: from "month" to "months", say."""
    if (contrast.stated.lower() in _ONE) == (contrast.found.lower() in _ONE):
        return True
    after = _WORD.findall(claim.text[contrast.end :].lower())[:_NEAR]
    other = _WORD.findall(words[contrast.passage_end :].lower())[:_NEAR]
    of_hours = after[:1] == other[:1] and after[:1] in (["am"], ["pm"])
    return of_hours or (bool(after) and after == other)


def _only_not_differs(contrast: Contrast, claim: Claim) -> bool:
    """Tell whether the sides are the same but for a "not", after a verb that can go with it."""
    stated, found = contrast.stated.lower(), contrast.found.lower()
    if not any(stated == f"{no}{found}" or found == f"{no}{stated}" for no in _NEGATORS):
        return False
    before = claim.text[: contrast.start].split()
    return bool(before) and before[-1].lower() in _BEFORE_NOT


def _put(contrast: Contrast) -> str:
    """Return the source's words as they are put in: with a capital where the claim's had one."""
    if contrast.kind == "name" or not contrast.stated[:1].isupper():
        return contrast.found
    return contrast.found[:1].upper() + contrast.found[1:]


def _replacement(text: str, claim: Claim, contrast: Contrast) -> Replacement | None:
    """Return where in the text the stated words are replaced; `None` if that is not one place."""
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

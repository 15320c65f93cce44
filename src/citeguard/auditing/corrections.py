"""A claim with the source's facts instead of its own, where that is clean: `proposed`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.words import (
    Word,
    can_be_verb,
    is_finite,
    is_participle,
    is_past,
    is_present,
    main_clause,
    read_words,
)
from citeguard.auditing.differences import differences, is_date, kind_of
from citeguard.auditing.report import Replacement
from citeguard.facts import Contrast, ContrastKind
from citeguard.facts.tables import root, short_names
from citeguard.language.grammar import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    MODALS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
)
from citeguard.language.quantities import MONTH_NAMES, NUMBER_WORDS, WEEKDAYS
from citeguard.language.spelling import is_english_word
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
_BEFORE_NOT = frozenset(filter(str.isalpha, (BE | MODALS) - {"cannot", "ca", "wo", "am"}))
_IS_RANGE = re.compile(r"\b(?:and|to)\b|\d\s*[-–—]\s*\d")
_BOUND = re.compile(
    r"(?i)\b(?:between|from|at (?:least|most)|up to|(?:more|less|fewer) than|over|under|about"
    r"|around|nearly|almost|approximately|roughly|exactly|only|just)\s+\Z"
)
_OPENS_RANGE = re.compile(r"(?i)\b(?:between|from)\s+\Z")
_IN_RANGE = re.compile(r"(?i)\b(?:between|from)\s+\S+(?:\s+\w+)?\s+(?:and|to)\s+\Z")
_UNIT = re.compile(r"[^\W\d_]+\Z")
_ARTICLE = re.compile(r"(?i)\b(an?)\s+\Z")
# How what is spoken with a vowel begins, as far as spelling shows it.
_VOWEL = re.compile(r"(?i)(?!uni|use|usu|eu|one\b|once)[aeiou]|hour|hon[eo]|heir|8|1[18](?!\d)")
_VERB_GROUP = AUXILIARIES | BE | HAVE
# Words with a capital that are beside names, and no part of them.
_NO_NAMES = frozenset((*MONTH_NAMES, *WEEKDAYS, "and", "or", "but", "when", "as", "if")) | (
    DETERMINERS | PREPOSITIONS | AUXILIARIES | SUBJECT_PRONOUNS
)
_COMPARED = frozenset("better worse more less".split())


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
    if not _are_clean(found, claim, words):
        return None
    changes = _exchanged(claim.text, words, found) or _changes(claim.text, words, found)
    if not changes or _repeats(claim.text, changes):
        return None
    replacements = [each for one in changes if (each := _replacement(text, claim, one)) is not None]
    corrected = _replaced(claim.text, changes)
    start, end = claim.sentence
    sentence = _replaced(
        text[start:end],
        [_Change(each.start - start, each.end - start, each.text) for each in replacements],
    )
    if len(replacements) < len(changes) or corrected is None or sentence is None:
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
    clause = main_clause(read)
    # Outside the main clause, "winds" in "8 mph winds from the west" may be a noun.
    main = range(clause.verb, clause.main + 1) if clause else range(0)
    verbs = (
        root(word.key)
        for at, word in enumerate(read)
        if at in main or (is_finite(read, at) and is_past(word.key))
    )
    return all(each in roots or each in _LIGHT for each in verbs)


def _are_clean(found: Sequence[Contrast], claim: Claim, words: str) -> bool:
    """Return whether each contrast can be corrected, and no word of the source is used twice."""
    places = {each.passage_start for each in found}
    few = 0 < len(found) <= _MOST_REPLACED and len(places) == len(found)
    return few and all(_is_clean(each, claim, words) for each in found)


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


class _Change(NamedTuple):
    """A whole phrase of a text, and what is put in its place."""

    start: int
    end: int
    put: str


class _Phrase(NamedTuple):
    """A phrase of a text."""

    text: str
    start: int
    end: int

    @property
    def before(self) -> str:
        return self.text[: self.start]

    def __str__(self) -> str:
        return self.text[self.start : self.end]


def _changes(claim: str, words: str, found: Sequence[Contrast]) -> list[_Change]:
    """Return one change for each contrast; nothing if one of them has none."""
    changes = [_change(each, claim, words) for each in found]
    return [each for each in changes if each is not None] if all(changes) else []


def _change(contrast: Contrast, claim: str, words: str) -> _Change | None:
    """Return the change of the whole phrase that differs; `None` if the two are of two kinds."""
    stated = _Phrase(claim, contrast.start, contrast.end)
    found = _Phrase(words, contrast.passage_start, contrast.passage_end)
    if contrast.kind == "negation":
        phrases = (stated, found)
    elif contrast.kind == "name":
        phrases = _names(stated, found)
    elif contrast.kind == "number":
        phrases = _amounts(stated, found)
    else:
        phrases = _words(stated, found)
    return phrases and _fitted(*phrases, is_name=contrast.kind == "name")


def _fitted(stated: _Phrase, found: _Phrase, *, is_name: bool) -> _Change:
    """Return a change with the article and the capital that the place asks for."""
    start, put = stated.start, str(found)
    article = _ARTICLE.search(stated.before)
    if article is not None and not is_name:
        same = _ARTICLE.search(found.before)
        wanted = same[1].lower() if same else "an" if _VOWEL.match(put) else "a"
        if wanted != article[1].lower():
            start, put = article.start(), f"{wanted} {put}"
    if stated.text[start].isupper() and not is_name:
        put = put[:1].upper() + put[1:]
    return _Change(start, stated.end, put)


def _names(stated: _Phrase, found: _Phrase) -> tuple[_Phrase, _Phrase] | None:
    """Return two names with all of their words; `None` where it is unsure which these are.

    An English word that opens a sentence belongs to a name if the other name has it, too: not
    "Yesterday Jones", but "President Jones" for "President Smith".
    """
    (one, unsure), (other, unsure_too) = _whole_name(stated), _whole_name(found)
    if not {unsure, unsure_too} <= {"", *_WORD.findall(str(one))} & {
        "",
        *_WORD.findall(str(other)),
    }:
        return None
    return one, other


def _whole_name(name: _Phrase) -> tuple[_Phrase, str]:
    """Return a name with the capitalised words beside it, and one of them that may be no name."""
    words = read_words(name.text)
    inner = [at for at, word in enumerate(words) if name.start < word.end and word.start < name.end]
    low, high = inner[0], inner[-1] + 1
    while high < len(words) and _is_in_name(words[high]):
        high += 1
    while low and _is_in_name(words[low - 1]):
        low -= 1
    opens = low < inner[0] and (low == 0 or words[low - 1].text in ".!?:")
    unsure = opens and is_english_word(words[low].key) and words[low].key not in short_names()
    start, end = min(words[low].start, name.start), max(words[high - 1].end, name.end)
    return name._replace(start=start, end=end), words[low].text if unsure else ""


def _is_in_name(word: Word) -> bool:
    return word.capital and word.key not in _NO_NAMES


def _amounts(stated: _Phrase, found: _Phrase) -> tuple[_Phrase, _Phrase] | None:
    """Return two amounts with "between", "at least" and the like, where these differ."""
    if _place_in_range(stated) != _place_in_range(found) or _unit(stated) != _unit(found):
        return None
    one, other = _bounded(stated), _bounded(found)
    is_same = one.text[one.start : stated.start] == other.text[other.start : found.start]
    return (stated, found) if is_same else (one, other)


def _bounded(number: _Phrase) -> _Phrase:
    bound = None if _place_in_range(number) else _BOUND.search(number.before)
    return number._replace(start=bound.start()) if bound else number


def _place_in_range(number: _Phrase) -> int:
    """Return 1 or 2 for the first or the last number of a range, 0 for others and whole ranges."""
    if _IS_RANGE.search(str(number)):
        return 0
    if _OPENS_RANGE.search(number.before):
        return 1
    return 2 if _IN_RANGE.search(number.before) else 0


def _unit(number: _Phrase) -> bool:
    """Return whether a number has its noun with it."""
    last = _UNIT.search(str(number))
    return last is not None and last[0].lower() not in NUMBER_WORDS and not is_date(str(number))


def _words(stated: _Phrase, found: _Phrase) -> tuple[_Phrase, _Phrase] | None:
    """Return two words of one form, or else two verbs of one subject with their auxiliaries."""
    one, other = _verb_group(stated), _verb_group(found)
    helped = [each.start < word.start for each, word in ((one, stated), (other, found))]
    if helped[0] == helped[1] and _auxiliary(one) == _auxiliary(other):
        # After one auxiliary both fit, also "open" and "closed".
        fit = all(helped) or _forms(stated) & _forms(found)
        return (stated, found) if fit else None
    verbs = all(
        has_auxiliary or is_past(str(word).lower()) or is_present(str(word).lower())
        for has_auxiliary, word in zip(helped, (stated, found), strict=True)
    )
    same = _WORD.findall(one.before.lower())[-1:] == _WORD.findall(other.before.lower())[-1:]
    return (one, other) if verbs and same else None


def _verb_group(word: _Phrase) -> _Phrase:
    """Return a word with the auxiliaries before it."""
    start = word.start
    for before in reversed([each for each in read_words(word.text) if each.end <= word.start]):
        if before.key not in _VERB_GROUP:
            break
        start = before.start
    return word._replace(start=start)


def _auxiliary(group: _Phrase) -> int:
    """Return what the last auxiliary of a verb asks for: a number for each form."""
    before = [word.key for word in read_words(str(group))][:-1]
    kinds = (BE, HAVE, DO | MODALS)
    return next((at for at, kind in enumerate(kinds, 1) if before and before[-1] in kind), 0)


def _forms(word: _Phrase) -> set[str]:
    """Return what a word of English can be by its form."""
    key = str(word).lower()
    if key in PREPOSITIONS:
        return {"plain"}
    after = word.text[word.end :].split()[:1]
    if after == ["than"]:
        return {"comparative" if key.endswith("er") or key in _COMPARED else "other"}
    if key.endswith("est") and any(map(is_english_word, (key[:-3], key[:-2]))):  # not "west"
        return {"superlative"}
    forms = {"past"} if is_past(key) else set[str]()
    forms |= {"participle"} if is_participle(key) else set()
    if forms and not can_be_verb(key):
        return forms
    ending = next((each for each in ("ing", "ly") if key.endswith(each)), "plain")
    return forms | {"s" if key.endswith("s") and not key.endswith(("ss", "us", "is")) else ending}


def _exchanged(claim: str, words: str, found: Sequence[Contrast]) -> list[_Change]:
    """Return the two changes that exchange the sides of a "than"; nothing if it is not that."""
    if not any(each.stated == each.found for each in found):
        return []
    read = read_words(claim)
    clause = main_clause(read)
    than = next((at for at, word in enumerate(read) if word.key == "than"), len(read) - 1)
    if clause is None or clause.subject[0] != 0 or not clause.main < than < len(read) - 1:
        return []
    last = read[-1].end if read[-1].kind != "sign" else read[-2].end
    first = _Phrase(claim, 0, read[clause.subject[1] - 1].end)
    second = _Phrase(claim, read[than + 1].start, last)
    if not all(re.search(rf"(?i)\b{re.escape(str(each))}\b", words) for each in (first, second)):
        return []
    named = (read[0].capital and not is_english_word(read[0].key)) or read[0].key in short_names()
    opening = str(first) if named else str(first)[:1].lower() + str(first)[1:]
    closing = str(second)[:1].upper() + str(second)[1:]
    return [_Change(first.start, first.end, closing), _Change(second.start, second.end, opening)]


def _repeats(claim: str, changes: Sequence[_Change]) -> bool:
    """Return whether what is put in is in the claim already: "Tom is taller than Tom"."""
    kept = _replaced(claim, [each._replace(put=" ") for each in changes])
    return kept is not None and any(
        re.search(rf"(?i)(?<!\w){re.escape(each.put)}(?!\w)", kept) for each in changes if each.put
    )


def _replacement(text: str, claim: Claim, change: _Change) -> Replacement | None:
    """Return the replacement of the stated words; `None` unless they are in one place."""
    own, stated = text[claim.start : claim.end], claim.text[change.start : change.end]
    start = own.find(stated)
    if start < 0 or own.find(stated, start + 1) >= 0:
        return None
    low, high = claim.start + start, claim.start + start + len(stated)
    if to_word_borders(text, low, high) != (low, high):
        return None
    return Replacement(start=low, end=high, text=change.put)


def _replaced(text: str, changes: Sequence[_Change]) -> str | None:
    """Return a text with some intervals replaced; `None` if two of them overlap."""
    parts, done = list[str](), 0
    for change in sorted(changes):
        if change.start < done:
            return None
        parts += [text[done : change.start], change.put]
        done = change.end
    return "".join([*parts, text[done:]])

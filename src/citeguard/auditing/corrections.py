"""A claim with the source's facts instead of its own, where that is clean: `proposed`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.words import (
    SentenceWord,
    is_finite,
    is_participle,
    is_past,
    read_words,
)
from citeguard.auditing.discrepancies import differences, is_date, kind_of
from citeguard.auditing.report import Replacement
from citeguard.facts import Contrast, ContrastKind
from citeguard.facts.tables import root
from citeguard.language.citations import NUMBERED_WORDS
from citeguard.language.grammar import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    HAVE,
    MODALS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
)
from citeguard.language.quantities import MONTH_NAMES, NUMBER_WORDS, WEEKDAYS
from citeguard.language.tokens import to_word_borders

_MOST_REPLACED = 3
_REPLACEABLE: frozenset[ContrastKind] = frozenset(
    ("number", "name", "opposite", "negation", "roles")
)
# Numbers after which a noun is singular.
_ONE = frozenset(("1", "one", "a", "an", "single"))
_ORDINALS = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth last next other".split()
)
_NEAR = 3  # words after a number among which its noun is
_WORD = re.compile(r"\w+")
_LIGHT = frozenset(map(root, "become get make take go come know do have be see say".split())) | {
    root(each) for each in AUXILIARIES | BE | HAVE
}
_NEGATORS = ("not ", "never ")
# After these "not" can be inserted or removed, and the verb keeps its form.
_BEFORE_NOT = frozenset(filter(str.isalpha, (BE | MODALS) - {"cannot", "ca", "wo", "am"}))
_BOUND = re.compile(
    r"(?i)\b(?:between|from|at (?:least|most)|up to|(?:more|less|fewer) than|over|under|about"
    r"|around|nearly|almost|approximately|roughly|exactly|only|just)\s+\Z"
)
_UNIT = re.compile(r"[^\W\d_]+\Z")
_ARTICLE = re.compile(r"(?i)\b(an?)\s+\Z")
# How what is spoken with a vowel begins, as far as spelling shows it.
_VOWEL = re.compile(r"(?i)(?!uni|use|usu|eu|one\b|once)[aeiou]|hour|hon[eo]|heir|8|1[18](?!\d)")
# Words with a capital that are beside names, and no part of them.
_NO_NAMES = frozenset((*MONTH_NAMES, *WEEKDAYS, "and", "or", "but", "when", "as", "if")) | (
    DETERMINERS | PREPOSITIONS | AUXILIARIES | SUBJECT_PRONOUNS
)


# Nouns whose number is a value; that of others says which one is meant, as "release 12" does.
_WITH_VALUES = frozenset(
    "age year level grade rank number day week month hour minute size quarter type score".split()
)
_WHICH = NUMBERED_WORDS - _WITH_VALUES
# What may be before the number that the subject begins with.
_BEFORE_COUNT = (
    DETERMINERS
    | PREPOSITIONS
    | frozenset(
        "only just exactly about almost nearly roughly approximately more less fewer most least"
        " than up total number sum of and".split()
    )
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
    kind, and the claim's own words have it once; if the subject and the event stay the same; if the
    replacement fits the grammar around it, as far as can be seen; and if the corrected claim
    differs from the source in no fact.

    Args:
        text: The audited text.
        claim: The contradicted claim.
        words: The words of the source that contradict it.
        found: The contrasts between the two.
    """
    if not _are_clean(found, claim, words) or not _is_of_the_same(found, claim.text):
        return None
    changes = [each for one in found if (each := _change(one, claim.text, words)) is not None]
    if len(changes) < len(found):
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
    """Return whether the source uses its verbs: to be bought is not to be founded."""
    roots = {root(word.key) for word in read_words(words)}
    read = read_words(corrected)
    verbs = (
        root(word.key)
        for at, word in enumerate(read)
        if is_past(word.key) and (is_finite(read, at) or read[at - 1].key in BE | HAVE)
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


def _is_of_the_same(found: Sequence[Contrast], claim: str) -> bool:
    """Return whether a claim stays about the same subject and event with other facts in it.

    It does not with another subject, unless only the number of things is another, or the two sides
    change their roles; with the number of another thing, as of "release 12"; or with another name
    or another definite number beside another fact: "won the 100 m in 10 s".
    """
    if any(each.kind == "roles" for each in found):
        return True
    read = read_words(claim)
    verb = next((at for at in range(len(read)) if is_finite(read, at)), 0)
    comma = max((at for at in range(verb) if read[at].text == ","), default=-1)
    subject = read[comma + 1 : verb]
    for each in found:
        before = [word for word in read if word.end <= each.start]
        last = before[-1] if before else None
        if last is not None and _says_which(last, first=len(before) == 1):
            return False
        if len(found) > 1 and (each.kind == "name" or (last is not None and last.key == "the")):
            return False
        if subject and subject[0].start <= each.start < subject[-1].end:
            own = [word for word in subject if word.end <= each.start]
            if each.kind != "number" or not _is_count(each, own):
                return False
    return True


def _says_which(noun: SentenceWord, *, first: bool) -> bool:
    """Return whether a number after a word says which of several things is meant."""
    if noun.key in _WHICH:
        return True
    # A word at the start of a sentence may have a capital without being a name.
    return noun.capital and not first and noun.key not in _NO_NAMES


def _is_count(number: Contrast, before: Sequence[SentenceWord]) -> bool:
    """Return whether a number says how many things the subject is: "about 12 members"."""
    cardinal = not is_date(number.stated) and number.stated.lower() not in _ORDINALS
    return cardinal and all(word.key in _BEFORE_COUNT or word.kind == "number" for word in before)


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


def _change(contrast: Contrast, claim: str, words: str) -> _Change | None:
    """Return the change of the whole phrase that differs; `None` if the two are of two kinds."""
    stated = _Phrase(claim, contrast.start, contrast.end)
    found = _Phrase(words, contrast.passage_start, contrast.passage_end)
    if contrast.kind == "name":
        return _fitted(_whole_name(stated), _whole_name(found), is_name=True)
    if contrast.kind == "number":
        fits = _has_unit(stated) == _has_unit(found)
        stated, found = _bounded(stated), _bounded(found)
    else:
        fits = contrast.kind != "opposite" or _form(stated) == _form(found)
    return _fitted(stated, found, is_name=False) if fits else None


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


def _whole_name(name: _Phrase) -> _Phrase:
    """Return a name with the capitalised words beside it."""
    words = read_words(name.text)
    inner = [at for at, word in enumerate(words) if name.start < word.end and word.start < name.end]
    low, high = inner[0], inner[-1] + 1
    while high < len(words) and _is_in_name(words[high]):
        high += 1
    while low and _is_in_name(words[low - 1]):
        low -= 1
    start, end = min(words[low].start, name.start), max(words[high - 1].end, name.end)
    return name._replace(start=start, end=end)


def _is_in_name(word: SentenceWord) -> bool:
    return word.capital and word.key not in _NO_NAMES


def _bounded(number: _Phrase) -> _Phrase:
    """Return a number with "between", "at least" and the like before it."""
    bound = _BOUND.search(number.before)
    return number._replace(start=bound.start()) if bound else number


def _has_unit(number: _Phrase) -> bool:
    """Return whether a number has its noun with it."""
    last = _UNIT.search(str(number))
    return last is not None and last[0].lower() not in NUMBER_WORDS and not is_date(str(number))


def _form(word: _Phrase) -> str:
    """Return what a word of English is by its form: a past, an "ing", an adverb, a plural."""
    key, before = str(word).lower(), word.before.lower().split()[-1:]
    if before and before[0] in BE:
        return "predicate"  # also "open" and "closed"
    if is_past(key) or is_participle(key):
        return "past" if is_past(key) else "participle"
    return next((each for each in ("ing", "ly", "s", "est") if key.endswith(each)), "plain")


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

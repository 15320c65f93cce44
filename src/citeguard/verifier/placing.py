"""Whether one place of the evidence says what a claim says, or says otherwise of the same subject.

For passages that were searched for. Nobody cited them for the statement, so that its words may be
spread over sentences about several things, and a value that differs may be of something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import dropwhile, takewhile
from typing import NamedTuple

from citeguard.facts import Contrast, contrasts
from citeguard.facts.names import names
from citeguard.facts.reading import Reading
from citeguard.facts.reading import read as read_words
from citeguard.language.grammar import (
    DEMONSTRATIVES,
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    is_finite,
)
from citeguard.verifier.content import Word, read
from citeguard.verifier.differences import is_conflict
from citeguard.verifier.evidence import EvidenceIndex, index_of
from citeguard.verifier.features import Measured, Rarity

MOST_ELSEWHERE = 0.25
"""The greatest share of a claim's words, by rarity, that only other places of the evidence have."""

LEAST_SAID = 0.5
"""The least share, by rarity, that a place must have of what a claim says of its names."""

_REFERRING = (SUBJECT_PRONOUNS | POSSESSIVES | DEMONSTRATIVES) - {"i", "you", "we", "my", "your"}
_CLAUSES = ";"


class Place(NamedTuple):
    """A sentence, a part of one between semicolons, or two of which the second refers to the first.

    Attributes:
        text: Its words.
        subject: The words in which its subject is looked for: of two sentences the first.
        sentence: The index of its last sentence.
    """

    text: str
    subject: str
    sentence: int


def places(measured: Measured, evidence: EvidenceIndex) -> Iterator[Place]:
    """Yield the places that could say what a claim says, those with most of its words first."""
    for number in measured.candidates:
        sentence = evidence.sentences[number]
        text = evidence.texts[sentence.text][sentence.start : sentence.end]
        for part in text.split(_CLAUSES):
            yield Place(part, part, number)
        before = evidence.sentences[number - 1] if number else None
        if before is None or before.text != sentence.text or _CLAUSES in text:
            continue
        earlier = evidence.texts[before.text][before.start : before.end]
        gap = evidence.texts[before.text][before.end : sentence.start]
        if "\n\n" not in gap and before.keys and _refers(text, before.keys):
            yield Place(f"{earlier} {text}", earlier, number)


def _refers(text: str, keys: tuple[str, ...]) -> bool:
    """Return whether a sentence begins with a pronoun, or "the" and a noun of the one before."""
    words = read_words(text).words[:2]
    if not words:
        return False
    if words[0].key in _REFERRING:
        return True
    return words[0].key == "the" and len(words) > 1 and words[1].stem in keys


def says_it(measured: Measured, evidence: EvidenceIndex, rarity: Rarity) -> Place | None:
    """Return the first place that has a claim's words, as far as the evidence has them at all.

    Its names, numbers and verbs must all be there, and most of what it says of its names; of other
    words, those of little weight may be elsewhere. `None` if the words are gathered from several
    places, or only its names are found.
    """
    words = [word for word in read(measured.claim, framing=False).words if not word.glue]
    predicate = said_of_subject(measured.claim)
    said = [word for word in words if word.key in predicate]
    for place in places(measured, evidence):
        lacking = _lacking(words, place)
        elsewhere = [word for word in lacking if word.text not in measured.missing]
        if any(word.kind != "word" or is_finite(word.text.casefold()) for word in elsewhere):
            continue
        unsaid = [word for word in lacking if word.key in predicate]
        if _weight(elsewhere, rarity) <= MOST_ELSEWHERE * _weight(words, rarity) and _weight(
            unsaid, rarity
        ) <= (1 - LEAST_SAID) * _weight(said, rarity):
            return place
    return None


def _weight(words: Iterable[Word], rarity: Rarity) -> float:
    return sum(rarity(word.key) for word in words)


def _lacking(words: list[Word], place: Place) -> list[Word]:
    there = index_of((place.text,))
    return [
        word
        for word in words
        if not there.likeness(
            there.rounded(word.key, rough=word.rough) if word.kind == "number" else word.key
        )
    ]


def says_otherwise(measured: Measured, evidence: EvidenceIndex) -> Place | None:
    """Return the first place that says otherwise of what a claim is about; `None` if none does.

    The place conflicts with the claim, has its subject as its own, and shares another word with it,
    so that the value that differs is one of the same thing. It does not have the claim's own value,
    too, unless that is of something else.
    """
    subject = _subject(measured.claim)
    for place in places(measured, evidence):
        conflicts = filter(is_conflict, contrasts(measured.claim, place.text))
        own = (each for each in conflicts if not _has_value(each, place))
        misplaced = (
            each.contrast for each in measured.misplaced if each.sentence == place.sentence
        )
        if any(_is_of(subject, measured.claim, found, place) for found in (*own, *misplaced)):
            return place
    return None


def _has_value(found: Contrast, place: Place) -> bool:
    there = index_of((place.text,))
    values = [word for word in read(found.stated).words if word.kind == "number"]
    return (
        found.kind == "number" and bool(values) and all(there.likeness(each.key) for each in values)
    )


def _is_of(subject: frozenset[str], claim: str, found: Contrast, place: Place) -> bool:
    there = index_of((place.text,))
    value = {word.key for word in read(found.stated).words}
    if found.kind == "number" and subject & value:
        return False  # the number is part of a name: "SM U-30"
    said = [word for word in read(claim).words if word.key not in value and not word.glue]
    about = subject - value or {word.key for word in said}
    belonging = index_of((_belonging(place.subject),))
    if not all(map(there.likeness, about)) or all(map(belonging.likeness, about)):
        return False
    rest = [word.key for word in said if word.key not in about]
    return not rest or any(map(there.likeness, rest))


def _subject(claim: str) -> frozenset[str]:
    """Return the keys of the words that say what a claim is about: its names before the verb.

    Without names, the words before the verb.
    """
    reading = read_words(claim)
    verb = _verb(reading)
    before = [run for run in names(reading).runs if verb is None or run.last < verb]
    if before:
        first = before[:1] if verb is None else before
        texts = [reading.slice(run.first, run.last).text for run in first]
    elif verb:
        texts = [reading.slice(0, verb - 1).text]
    else:
        texts = []
    return frozenset(word.key for text in texts for word in read(text).words)


def subject_names(sentence: str) -> list[str]:
    """Return the names before a sentence's verb that no preposition puts there.

    Examples:
        >>> subject_names("In Paris, Pierre was killed by a cart.")
        ['Pierre']
        >>> subject_names("It cost 3 million.")
        []
    """
    reading = read_words(sentence)
    verb = _verb(reading)
    return [
        reading.slice(run.first, run.last).text
        for run in names(reading).runs
        if (verb is None or run.last < verb)
        and not (run.first and reading.words[run.first - 1].key in PREPOSITIONS)
    ]


def said_of_subject(sentence: str) -> frozenset[str]:
    """Return the keys of the words from a sentence's verb on, without names.

    Examples:
        >>> sorted(said_of_subject("The Sel Bridge was opened by Ines Halvorsen in 1937."))
        ['1937', 'open']
    """
    reading = read_words(sentence)
    verb = _verb(reading) or 0
    said = read(reading.slice(verb, len(reading.words) - 1).text) if reading.words else None
    return frozenset(
        word.key for word in (said.words if said else ()) if word.kind != "name" and not word.glue
    )


def _belonging(text: str) -> str:
    """Return the words that only say what the subject of a sentence belongs to; else nothing.

    "the bridge" of "Tickets for the bridge cost six crowns".
    """
    reading = read_words(text)
    words = reading.words
    verb = _verb(reading) or len(words)  # of the present tense only auxiliaries are recognised
    start = 0
    if words and words[0].key in PREPOSITIONS:  # "After four years, the bridge opened"
        start = next((i for i in range(1, verb) if words[i].gap), verb)
    own = takewhile(lambda i: not words[i].gap or i == start, range(start, verb))
    places = list(dropwhile(lambda i: words[i].key not in PREPOSITIONS, own))
    return reading.slice(places[0], places[-1]).text if places else ""


def _verb(reading: Reading) -> int | None:
    """Return the place of the first finite verb, if one is recognised."""
    for i, word in enumerate(reading.words):
        if i and is_finite(word.key) and reading.words[i - 1].key not in DETERMINERS:
            return i
    return None

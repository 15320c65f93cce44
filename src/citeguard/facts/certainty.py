"""Contrasts of kind `modality`: the statement says that something is so, the passage does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.denials import CLAUSE_WORDS, FORMS_OF_BE, denials
from citeguard.facts.reading.frames import frames
from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import LIGHT, Reading, Word, kept

_LEAST_LIKENESS = 0.6
_LEAST_COVERAGE = 0.5
_REACH = 4  # words from a frame to what it bears on
_LONGEST_SCOPE = 10  # words
_LEAST_SHARED = 0.6  # share of the first words in a frame that the statement has
_DONE = frozenset("decided managed began started continued agreed came had used chose".split())
_FIRST = 4  # content words
_CALLS = frozenset(map(root, "call label brand dub deem hail declare pronounce".split()))
_DETERMINERS = frozenset("the this that these those a an its his her their it him them".split())
_FEWEST_NAMED = 2  # content words: what is called, and what it is called
_CALLED_REACH = 8  # words from "called" to what somebody or something is called


class Opening(NamedTuple):
    """A frame that leaves open what stands in it.

    Attributes:
        first: place of its first word.
        head: place of the first content word in it.
        scope: the places of all of them.
    """

    first: int
    head: int
    scope: tuple[int, ...]


def certainty_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where the passage leaves open what the statement says."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    yield from _called(pair)
    if leaves_open(pair.statement):
        return
    for opening in openings(pair.passage):
        for i in pair.statement.places.get(pair.passage.words[opening.head].stem, ())[:1]:
            if _is_claimed(pair, i, opening):
                yield contrast(
                    "modality",
                    pair.statement.slice(i, i),
                    pair.passage.slice(opening.first, opening.head),
                )


def leaves_open(reading: Reading) -> bool:
    """Tell whether a text leaves anything open, or says it in somebody's words."""
    return any(
        frame.kind in ("open", "reported") and not _is_name(reading.words[frame.first])
        for frame in frames(reading)
    )


def _is_claimed(pair: Pair, i: int, opening: Opening) -> bool:
    """Tell whether a statement says that what a passage leaves open is so."""
    if _is_aim(pair.statement, i):
        return False
    if pair.likeness(i, opening.head) < _LEAST_LIKENESS or _is_settled(pair, opening):
        return False
    first = [pair.passage.words[j].stem for j in opening.scope[:_FIRST]]
    shared = sum(stem in pair.shared for stem in first)
    return shared >= _LEAST_SHARED * len(first)


def _is_aim(reading: Reading, i: int) -> bool:
    """Tell whether a verb is only aimed at: "a plan to build it", not "decided to build it"."""
    before = [word.key for word in reading.words[max(0, i - 2) : i]]
    return before[-1:] == ["to"] and before[0] not in _DONE


def _is_settled(pair: Pair, opening: Opening) -> bool:
    """Tell whether the statement denies a word of a frame, or the passage says it elsewhere."""
    denied, found = denials(pair.statement).parity, denials(pair.passage).parity
    said = {pair.passage.words[j].stem for j in opening.scope if not found.get(j, False)}
    if found.get(opening.head, False) or any(
        is_denied and pair.statement.words[i].stem in said for i, is_denied in denied.items()
    ):
        return True
    open_places = {j for other in openings(pair.passage) for j in other.scope}
    return not open_places.issuperset(pair.passage.places[pair.passage.words[opening.head].stem])


@kept
def openings(reading: Reading) -> tuple[Opening, ...]:
    """Return the frames of a text that leave open what stands in them."""
    found = (
        (frame.first, tuple(_scope(reading.words, frame.end)))
        for frame in frames(reading)
        if frame.kind == "open" and not _is_name(reading.words[frame.first])
    )
    return tuple(Opening(first, scope[0], scope) for first, scope in found if scope)


def _is_name(word: Word) -> bool:
    """Tell whether a word is the month of May or the like, and not a verb."""
    return word.key in ("may", "might") and word.text[0].isupper() and not word.gap


def _scope(words: tuple[Word, ...], first: int) -> Iterator[int]:
    """Yield the content words from one on, unless the first of them is far."""
    nothing = True
    for i in range(first, min(first + _LONGEST_SCOPE, len(words))):
        word = words[i]
        if word.gap or word.key in CLAUSE_WORDS or (nothing and i > first + _REACH):
            return
        if word.content and _is_deed(word):
            nothing = False
            yield i


def _is_deed(word: Word) -> bool:
    """Tell whether a word may say what is done: no name, no adverb."""
    return word.stem not in LIGHT and word.text[0].islower() and not word.key.endswith("ly")


def _called(pair: Pair) -> Iterator[Contrast]:
    """Yield where a statement says that something is what somebody called it in the passage."""
    if any(word.stem in _CALLS for word in pair.statement.words):
        return
    for first in _calls(pair.passage):
        named = [k for k in _after_call(pair.passage.words, first) if pair.passage.words[k].content]
        if len(named) < _FEWEST_NAMED:
            continue
        thing, name = (pair.passage.words[k].stem for k in (named[0], named[-1]))
        places = pair.statement.places.get(name, ()) if thing in pair.statement.places else ()
        for i in places[:1]:
            if _is_said_to_be(pair.statement.words, i):
                found = pair.passage.slice(first, named[-1])
                yield contrast("modality", pair.statement.slice(i, i), found)


def _calls(reading: Reading) -> Iterator[int]:
    """Yield the places of verbs such as "called", in the active voice, before what is called so."""
    words = reading.words
    for i, word in enumerate(words[:-1]):
        if word.stem in _CALLS and i and not words[i + 1].gap:
            before = [each.key for each in words[max(0, i - 2) : i]]
            after = words[i + 1]
            if FORMS_OF_BE.isdisjoint(before) and (
                after.key in _DETERMINERS or after.text[0].isupper()
            ):
                yield i


def _after_call(words: tuple[Word, ...], first: int) -> Iterator[int]:
    for k in range(first + 1, min(first + 1 + _CALLED_REACH, len(words))):
        if words[k].gap or words[k].key in CLAUSE_WORDS:
            return
        yield k


def _is_said_to_be(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a word is the complement of "to be" at the end of its clause."""
    before = [word.key for word in words[max(0, i - _REACH) : i]]
    is_end = i + 1 == len(words) or bool(words[i + 1].gap)
    return is_end and not FORMS_OF_BE.isdisjoint(before)

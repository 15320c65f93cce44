"""Contrasts of kind `quantity` between "or" and "and"."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.denials import denials
from citeguard.facts.reading.words import Reading

_LEAST_COVERAGE = 0.7
_REACH = 3  # words from "or" to what it joins
_EITHER_REACH = 8  # words from "either" to what stands after "or"
_FREE = frozenset("can may could any if whether".split())  # where "or" is "and"


def alternative_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says both, or one, of what the passage leaves the choice of."""
    if pair.coverage < _LEAST_COVERAGE or any(w.key in _FREE for w in pair.passage.words):
        return
    for first, second in _joined(pair.passage, "or"):
        for one, other in _joined(pair.statement, "and"):
            if _stems(pair.statement, one, other) == _stems(pair.passage, first, second):
                yield contrast(
                    "quantity", pair.statement.slice(one, other), pair.passage.slice(first, second)
                )
        yield from _chosen(pair, first, second)


def _stems(reading: Reading, one: int, other: int) -> set[str]:
    return {reading.words[one].stem, reading.words[other].stem}


def _joined(reading: Reading, key: str) -> Iterator[tuple[int, int]]:
    """Yield the places of two content words that a word joins, where nothing is denied."""
    denied = denials(reading).parity
    for i, word in enumerate(reading.words):
        if word.key == key:
            before = _nearest(reading, range(i - 1, max(-1, i - 1 - _REACH), -1))
            after = _nearest(reading, range(i + 1, min(i + 1 + _REACH, len(reading.words))))
            if before is not None and after is not None and not {before, after} & denied.keys():
                yield before, after


def _nearest(reading: Reading, places: range) -> int | None:
    return next((k for k in places if reading.words[k].content), None)


def _chosen(pair: Pair, first: int, second: int) -> Iterator[Contrast]:
    """Yield where the statement says one of "either ... or" and leaves out the other."""
    words = pair.passage.words
    if not any(word.key == "either" for word in words[max(0, second - _EITHER_REACH) : second]):
        return
    if any(word.key == "or" for word in pair.statement.words):
        return
    said = [k for k in (first, second) if words[k].stem in pair.shared]
    if len(said) == 1:
        (i, *_) = pair.statement.places[words[said[0]].stem]
        yield contrast("quantity", pair.statement.slice(i, i), pair.passage.slice(first, second))

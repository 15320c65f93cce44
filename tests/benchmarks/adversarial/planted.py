"""Puts written sentences between those of real texts, and quotes them in other readings."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .cases import Draft, whole
from .corpus import Text, TextMaker
from .planted_tables import Entry


def planted(text: Text, index: int, sentence: str) -> Draft:
    """Put a sentence before one of a text's sentences."""
    at = text.sentences[index][0]
    body = f"{text.body[:at]}{sentence} {text.body[at:]}"
    return whole(body, at, at + len(sentence))


def changed(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str, str]]:
    """List every sentence with another reading: source, quote, and a note; both ways round."""
    for forward in (True, False):
        for frame, true, readings, _ in entries:
            for reading in readings:
                pair = (true, reading) if forward else (reading, true)
                yield frame.format(pair[0]), frame.format(pair[1]), f"{pair[0]!r} -> {pair[1]!r}"


def same(entries: tuple[Entry, ...]) -> Iterator[tuple[str, str, str]]:
    """List every sentence with another spelling of the same, and as it stands; both ways round."""
    for frame, true, _, spellings in entries:
        for spelling in (*spellings, true):
            yield frame.format(true), frame.format(spelling), f"{true!r} = {spelling!r}"
            yield frame.format(spelling), frame.format(true), f"{spelling!r} = {true!r}"


def planted_maker(listed: list[tuple[str, str, str]]) -> TextMaker:
    """Make a maker that takes the listed sentences one after the other, in a shuffled order."""
    order = Random(str(len(listed))).sample(listed, len(listed))
    state = iter(order)

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        entry = next(state, None)
        if entry is None:
            return None
        source, quote, note = entry
        return planted(text, index, source).reworded(quote, note)

    return make

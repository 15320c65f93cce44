"""Frames: words in whose scope a text does not say that something is so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple, cast

from citeguard.facts.reading.tables import irregular_forms, lines, root
from citeguard.facts.reading.words import STOP, Reading, Word, kept

FrameKind = Literal["denies", "denied", "open", "reported"]
"""What a frame says of its scope: `data/frames.txt` explains each."""

_REACH = 6  # words between the parts of a frame: "prevented the crew from"
_FORMS = frozenset(("-ing", "-ed"))


class Frame(NamedTuple):
    """A frame of a text.

    Attributes:
        kind: what it says of its scope.
        first: place of its first word.
        end: place after its last one.
    """

    kind: FrameKind
    first: int
    end: int


class _Pattern(NamedTuple):
    """The words of a frame, and whether others may stand between the first one and the rest."""

    kind: FrameKind
    first: str
    rest: tuple[str, ...]
    apart: bool

    @property
    def stands(self) -> bool:
        """Whether the first word is compared as it stands."""
        return self.first.endswith(("ly", "ed"))


@cache
def _patterns() -> dict[str, tuple[_Pattern, ...]]:
    """Return the patterns of the table by the stem of their first word."""
    found: dict[str, list[_Pattern]] = {}
    for line in lines("frames"):
        kind, _, entries = line.partition(": ")
        for entry in entries.split(", "):
            first, *rest = entry.split()
            kept = tuple(word for word in rest if word != "..")
            pattern = _Pattern(cast(FrameKind, kind), first, kept, ".." in rest)
            found.setdefault(root(first), []).append(pattern)
    return {stem: tuple(row) for stem, row in found.items()}


@kept
def frames(reading: Reading) -> tuple[Frame, ...]:
    """Return the frames of a text in order; one word may begin several."""
    return tuple(_frames(reading.words))


def _frames(words: Sequence[Word]) -> Iterator[Frame]:
    patterns = _patterns()
    for i, word in enumerate(words):
        for pattern in patterns.get(word.stem, ()):
            if pattern.stands and word.key != pattern.first:
                continue
            if (end := _end(words, i, pattern)) is not None:
                yield Frame(pattern.kind, i, end)


def _end(words: Sequence[Word], i: int, pattern: _Pattern) -> int | None:
    """Return the place after a frame; a form of a verb at its end is not a part of it."""
    for start in range(i + 1, i + 2 + (_REACH if pattern.apart else 0)):
        if _matches(words, start, pattern.rest):
            return start + sum(word not in _FORMS for word in pattern.rest)
        if start < len(words) and words[start].gap == STOP:
            return None
    return None


def _matches(words: Sequence[Word], start: int, rest: tuple[str, ...]) -> bool:
    following = words[start : start + len(rest)]
    return len(following) == len(rest) and all(
        word.gap < STOP and _is_form(word.key, form)
        for word, form in zip(following, rest, strict=True)
    )


def _is_form(key: str, form: str) -> bool:
    if form == "-ed":
        return key.endswith("ed") or key in irregular_forms()
    return key.endswith("ing") if form == "-ing" else key == form

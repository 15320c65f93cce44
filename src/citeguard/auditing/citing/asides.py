"""What stands in a text and is no prose: code, task boxes, definitions, lists of references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

from citeguard.text.sentences import Interval

_LONGEST_CODE = 1_000  # characters of code between backticks

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_TASK_BOX = re.compile(r"^[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+\[[ xX]\]", re.MULTILINE)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,100}\]:", re.MULTILINE)
_REFERENCE_LIST = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?[*_]{0,3}(?:references|sources|bibliography|citations|works cited"
    r"|footnotes)[*_:]{0,5}[ \t]*\n"
    r"(?:[ \t]*(?:[-*+•][ \t]+)?[\[^¹²³⁴⁵⁶⁷⁸⁹][^\n]*(?:\n|\Z)|[ \t]*\n)+",
    re.IGNORECASE | re.MULTILINE,
)


class Intervals:
    """Intervals of a text, of which any may overlap.

    Examples:
        >>> Intervals([(2, 4)]).has(3), Intervals([(2, 4)]).has(4)
        (True, False)
    """

    def __init__(self, intervals: Iterable[Interval]) -> None:
        ordered = sorted(intervals)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    def has(self, place: int) -> bool:
        """Tell whether one of them has a place in it."""
        before = bisect_right(self._starts, place)
        return before > 0 and place < self._ends[before - 1]


def not_prose(text: str) -> Iterator[Interval]:
    """Yield what is no prose, as half-open intervals in no order; they may overlap.

    That is code in backticks and fences, task boxes, the names in front of definitions of links and
    footnotes, and the lines of a list of references under such a heading. Takes time proportional
    to the text.

    Examples:
        >>> list(not_prose("See `a[0]`."))
        [(4, 10)]
    """
    fences = list(_fenced(text))
    yield from fences
    yield from _inline_code(text, Intervals(fences))
    for pattern in (_TASK_BOX, _DEFINITION, _REFERENCE_LIST):
        yield from (match.span() for match in pattern.finditer(text))


def _fenced(text: str) -> Iterator[Interval]:
    """Yield the blocks of code; one that does not end takes the rest of the text."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]):
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _inline_code(text: str, fenced: Intervals) -> Iterator[Interval]:
    """Yield what stands between as many backticks and as many again."""
    following: dict[int, re.Match[str]] = {}
    closing: list[tuple[re.Match[str], re.Match[str] | None]] = []
    for ticks in reversed([each for each in _TICKS.finditer(text) if not fenced.has(each.start())]):
        closing.append((ticks, following.get(len(ticks[0]))))
        following[len(ticks[0])] = ticks
    done = 0
    for opening, end in reversed(closing):
        near = end is not None and end.end() - opening.start() <= _LONGEST_CODE
        if end is None or not near or opening.start() < done:
            continue
        if "\n\n" not in text[opening.start() : end.end()]:
            yield opening.start(), end.end()
            done = end.end()

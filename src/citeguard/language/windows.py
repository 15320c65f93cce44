"""Windows of a text: overlapping runs of sentences, with their offsets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from citeguard.language.sentences import Interval, sentence_intervals

LONGEST = 1_000
"""Characters of the longest window: about the 256 word pieces that small encoders read."""

# Where a long text is cut, best first: after a line, a word, a punctuation mark.
_CUTS = (re.compile(r"\n\s*"), re.compile(r"\s+"), re.compile(r"[^\w\s](?=\w)"))
_NOT_BLANK = re.compile(r"\S")


def sentence_windows(text: str, *, size: int = 3, overlap: int = 1) -> list[Interval]:
    """Return the half-open intervals of overlapping runs of sentences, in order.

    A window has at most 1,000 characters, and fewer than `size` sentences if these would be longer.
    A longer sentence (a table, a text without stops) is cut after a line, else after a word. Every
    character that is not white space is in a window, no window begins or ends with white space, and
    none lies inside another.

    Args:
        text: Any text; one of white space alone has no windows.
        size: The most sentences of a window, from 1 on.
        overlap: How many sentences the next window repeats, from 0 to `size - 1`.

    Raises:
        ValueError: a size or an overlap is out of range.

    Examples:
        >>> text = "It rained. It was late. Nobody came. So be it."
        >>> [text[start:end] for start, end in sentence_windows(text, size=2, overlap=1)]
        ['It rained. It was late.', 'It was late. Nobody came.', 'Nobody came. So be it.']
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(
            f"size must be at least 1 and overlap 0 to size - 1, got size={size}, overlap={overlap}"
        )
    pieces = sentence_pieces(text)
    windows: list[Interval] = []
    first = after = 0
    while after < len(pieces):
        start, last = pieces[first][0], after
        after = _fitting(pieces, first, size)
        if after > last:  # else the window before has all of it
            windows.append((start, pieces[after - 1][1]))
            first = max(first + 1, after - overlap)
        else:
            first += 1
    return windows


def sentence_pieces(text: str) -> list[Interval]:
    """Return the half-open intervals of a text's sentences, cut where one is too long, in order.

    None is longer than 1,000 characters, and every character that is not white space is in one.

    Examples:
        >>> text = "It rained. It was late."
        >>> [text[start:end] for start, end in sentence_pieces(text)]
        ['It rained.', 'It was late.']
    """
    starts = (start for start, _ in sentence_intervals(text))
    return [
        piece
        for start, end in pairwise([0, *starts, len(text)])
        for piece in bounded(text, *stripped(text, start, end))
    ]


def stripped(text: str, start: int, end: int) -> Interval:
    """Return an interval without the white space at its ends; empty if there is nothing else."""
    part = text[start:end].lstrip()
    return end - len(part), end - len(part) + len(part.rstrip())


def bounded(text: str, start: int, end: int, *, longest: int = LONGEST) -> Iterator[Interval]:
    """Yield the parts of an interval, none longer than `longest` characters (from 1 on).

    The interval must not begin or end with white space. An empty one has no parts.
    """
    while end - start > longest:
        cut = _cut(text, start, start + longest)
        yield stripped(text, start, cut)
        after = _NOT_BLANK.search(text, cut, end)
        start = after.start() if after else end
    if start < end:
        yield start, end


def _cut(text: str, start: int, end: int) -> int:
    """Return where to cut a text: in the second half of an interval, or at its end."""
    middle = start + (end - start + 1) // 2
    for pattern in _CUTS:
        places = [match.end() for match in pattern.finditer(text, middle, end)]
        if places:
            return places[-1]
    while end > middle and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return end


def _fitting(pieces: list[Interval], first: int, size: int) -> int:
    """Return the index after the last piece of the window that begins with the first."""
    stop = min(first + size, len(pieces))
    while stop > first + 1 and pieces[stop - 1][1] - pieces[first][0] > LONGEST:
        stop -= 1
    return stop

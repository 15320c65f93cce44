"""Windows of a text: overlapping runs of sentences or tokens, with their offsets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise

from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.tokens import tokenize

LONGEST = 1_000
"""Characters of the longest window: about the 256 word pieces that small encoders read."""

# Where to cut what is too long, best first: after a line, after a word, after a mark.
_CUTS = (re.compile(r"\n\s*"), re.compile(r"\s+"), re.compile(r"[^\w\s](?=\w)"))
_NOT_BLANK = re.compile(r"\S")
_AFTER_BLANK = re.compile(r"\s(\S*)\Z")


def sentence_windows(text: str, *, size: int = 3, overlap: int = 1) -> list[Interval]:
    """Return the half-open intervals of overlapping runs of sentences, in order.

    A window is never longer than 1,000 characters. It has fewer sentences where they would be, and
    a sentence that is longer itself (a table, a text without stops) is cut: after a line if it has
    lines, else after a word. Every character that is not blank is in a window, none begins or ends
    with a blank, and none stands inside another one.

    Args:
        text: Any text; a blank one has no windows.
        size: The most sentences of a window, from 1 on.
        overlap: How many sentences the next window repeats, from 0 to `size - 1`.

    Raises:
        ValueError: a size or an overlap out of its range.

    Examples:
        >>> text = "It rained. It was late. Nobody came. So be it."
        >>> [text[start:end] for start, end in sentence_windows(text, size=2, overlap=1)]
        ['It rained. It was late.', 'It was late. Nobody came.', 'Nobody came. So be it.']
    """
    return _runs(sentence_pieces(text), size, overlap)


def token_windows(text: str, *, size: int = 128, overlap: int = 32) -> list[Interval]:
    """Return the half-open intervals of overlapping runs of tokens, in order.

    A token is a word, a number, a sign, or a character of a script without spaces; the punctuation
    around it goes with it and does not count. What is said of `sentence_windows` holds here too.

    Args:
        text: Any text; a blank one has no windows.
        size: The most tokens of a window, from 1 on.
        overlap: How many tokens the next window repeats, from 0 to `size - 1`.

    Raises:
        ValueError: a size or an overlap out of its range.

    Examples:
        >>> text = "It rained, and it was late."
        >>> [text[start:end] for start, end in token_windows(text, size=3, overlap=1)]
        ['It rained, and', 'and it was', 'was late.']
    """
    return _runs(_pieces(text, _token_starts(text)), size, overlap)


def sentence_pieces(text: str) -> list[Interval]:
    """Return the half-open intervals of a text's sentences, cut where one is too long, in order.

    None is longer than 1,000 characters, and every character that is not blank is in one.

    Examples:
        >>> text = "It rained. It was late."
        >>> [text[start:end] for start, end in sentence_pieces(text)]
        ['It rained.', 'It was late.']
    """
    return _pieces(text, [start for start, _ in sentence_intervals(text)])


def _token_starts(text: str) -> list[int]:
    tokens = tokenize(text)
    return [
        token.start - _attached(text[before.end : token.start])
        for before, token in pairwise(tokens)
    ]


def _attached(gap: str) -> int:
    """Count the characters between two tokens that go with the later: an opening bracket, say."""
    found = _AFTER_BLANK.search(gap)
    return len(found[1]) if found else 0


def _pieces(text: str, starts: Iterable[int]) -> list[Interval]:
    """Cut a text at places in ascending order, and again what is too long then."""
    return [
        piece
        for start, end in pairwise([0, *starts, len(text)])
        for piece in bounded(text, *stripped(text, start, end))
    ]


def stripped(text: str, start: int, end: int) -> Interval:
    """Return an interval of a text without the blanks at its ends; an empty one if all is blank."""
    part = text[start:end].lstrip()
    return end - len(part), end - len(part) + len(part.rstrip())


def bounded(text: str, start: int, end: int, *, longest: int = LONGEST) -> Iterator[Interval]:
    """Yield the parts of an interval, none of them too long; none of an empty one.

    Args:
        text: The text.
        start: Where the interval starts; at no blank.
        end: Where it ends, exclusive; after no blank.
        longest: Characters of the longest part, from 1 on.
    """
    while end - start > longest:
        cut = _cut(text, start, start + longest)
        yield stripped(text, start, cut)
        after = _NOT_BLANK.search(text, cut, end)
        start = after.start() if after else end
    if start < end:
        yield start, end


def _cut(text: str, start: int, end: int) -> int:
    """Return where to cut a text that goes on: in the second half of an interval, or at its end."""
    middle = start + (end - start + 1) // 2
    for pattern in _CUTS:
        places = [found.end() for found in pattern.finditer(text, middle, end)]
        if places:
            return places[-1]
    while end > middle and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return end


def _runs(pieces: list[Interval], size: int, overlap: int) -> list[Interval]:
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(f"windows of {size} that share {overlap}: no such windows")
    windows: list[Interval] = []
    first = after = 0
    while after < len(pieces):
        start, last = pieces[first][0], after
        after = _fitting(pieces, first, size)
        if after > last:  # else all of it stands in the window before
            windows.append((start, pieces[after - 1][1]))
            first = max(first + 1, after - overlap)
        else:
            first += 1
    return windows


def _fitting(pieces: list[Interval], first: int, size: int) -> int:
    """Return the index after the last piece of the window that begins with the first."""
    stop = min(first + size, len(pieces))
    while stop > first + 1 and pieces[stop - 1][1] - pieces[first][0] > LONGEST:
        stop -= 1
    return stop

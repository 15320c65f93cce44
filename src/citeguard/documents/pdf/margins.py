"""Line numbers: what counts the lines of a manuscript in its margin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from citeguard.documents.pdf.pieces import Piece

_STEPS = (1, 2, 5, 10)  # every such line has a number
_LONGEST = 5  # digits
_FEWEST_OF_PAGE = 4  # numbers below each other
_FEWEST = 12  # numbers of a file
_MOSTLY = 0.8  # of the numbers of a column that count on
_ALIGNED = 2.0  # points
_APART = 0.5  # of the size: the least from a number to the text
_ACROSS = 0.05  # of the pieces of a page, such as its head, may reach into the margin
_LONG = 15.0  # times the size: a line of text is longer than a table's cell
_LONG_LINES = 0.5  # times the numbers: as many such lines are beside them

_NUMBER_BEFORE = re.compile(r"(\d{1,5}) ")


def without_line_numbers(pages: Sequence[Sequence[Piece]]) -> list[list[Piece]]:
    """Return the pieces of each page without the numbers of its lines.

    These stand below each other in the margin, with no text above, below or beyond them, and count
    up from line to line; a file has a dozen or more.
    """
    parted = [[_part(piece) for piece in page] for page in pages]
    found = [set(_line_numbers(list(chain.from_iterable(page)))) for page in parted]
    if sum(map(len, found)) < _FEWEST:
        return [list(page) for page in pages]
    return [
        list(_without(numbers, page, parts))
        for page, parts, numbers in zip(pages, parted, found, strict=True)
    ]


def _part(piece: Piece) -> tuple[Piece, ...]:
    """Return a number and what follows it close by, a heading in large type, as two pieces."""
    numbered = _NUMBER_BEFORE.match(piece.text)
    if numbered is None:
        return (piece,)
    end, start = numbered.end(1), numbered.end()
    return (
        replace(
            piece,
            text=piece.text[:end],
            lefts=piece.lefts[:end],
            rights=piece.rights[:end],
            right=float(piece.rights[end - 1]),
        ),
        replace(
            piece,
            text=piece.text[start:],
            lefts=piece.lefts[start:],
            rights=piece.rights[start:],
            left=float(piece.lefts[start]),
        ),
    )


def _without(
    numbers: Collection[Piece], page: Sequence[Piece], parts: Sequence[Sequence[Piece]]
) -> Iterator[Piece]:
    """Yield the pieces of a page, whole but for the numbers among their parts."""
    for piece, parts_of_piece in zip(page, parts, strict=True):
        if parts_of_piece[0] in numbers:
            yield from parts_of_piece[1:]
        else:
            yield piece


def _line_numbers(page: Sequence[Piece]) -> Iterator[Piece]:
    numbers = [piece for piece in page if piece.text.isdecimal() and len(piece.text) <= _LONGEST]
    for column in _aligned(numbers):
        if len(column) >= _FEWEST_OF_PAGE and _counts_up(column) and _is_in_margin(column, page):
            yield from column


def _aligned(numbers: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield the numbers that end, or start, at one place, from above."""
    for edge in (_right, _left):
        column: list[Piece] = []
        for piece in sorted(numbers, key=edge):
            if column and edge(piece) - edge(column[-1]) > _ALIGNED:
                yield sorted(column, key=lambda piece: piece.baseline)
                column = []
            column.append(piece)
        if column:
            yield sorted(column, key=lambda piece: piece.baseline)


def _left(piece: Piece) -> float:
    return piece.left


def _right(piece: Piece) -> float:
    return piece.right


def _counts_up(column: Sequence[Piece]) -> bool:
    steps = [int(after.text) - int(before.text) for before, after in pairwise(column)]
    return any(steps.count(step) >= _MOSTLY * len(steps) for step in _STEPS)


def _is_in_margin(column: Sequence[Piece], page: Sequence[Piece]) -> bool:
    """Tell whether all text of a page stands on one side of a column of numbers, in long lines."""
    apart = _APART * column[0].size
    left = min(piece.left for piece in column) - apart
    right = max(piece.right for piece in column) + apart
    numbers = set(column)
    others = [piece for piece in page if piece not in numbers]
    across = sum(piece.left < right and piece.right > left for piece in others)
    if across > _ACROSS * len(others):
        return False
    top, bottom = column[0].top, column[-1].bottom
    beside = [piece for piece in others if top < piece.baseline <= bottom]
    if any(piece.right < left for piece in beside) and any(piece.left > right for piece in beside):
        return False
    lines = sum(piece.width > _LONG * piece.size for piece in beside)
    return lines > _LONG_LINES * len(column)

"""Tables and records of a text, cell by cell: `Cell`, `Table`; and `Piece`, where text is from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

APART = "\n\t\n"
"""What separates cells that are read as sentences: each is a fact by itself."""

Interval = tuple[int, int]


class Cell(NamedTuple):
    """A value of a table or a record, with all that says what it is.

    Attributes:
        start: Where the value starts in the text, in code points.
        end: Where it ends, exclusive.
        shown: The interval of its row, or of its key and value.
        sentences: What it says, in one or more ways; empty for text that is kept as it is.
        names: Of each axis on which it has a place, such as rows and columns, the axis and the
            name there. What is said of one name on an axis is not said of another.
    """

    start: int
    end: int
    shown: Interval
    sentences: tuple[str, ...]
    names: tuple[tuple[str, str], ...] = ()


class Table(NamedTuple):
    """A table or a record: an interval of a text that is read cell by cell."""

    start: int
    end: int
    cells: tuple[Cell, ...]


class Piece(NamedTuple):
    """A piece of a text that was read out of a source, and where in the source it comes from.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        low: Where what it was read from starts in the source.
        high: Where that ends, exclusive.
        verbatim: Whether it is the source's own text.
    """

    start: int
    end: int
    low: int
    high: int
    verbatim: bool


def source_of(pieces: Sequence[Piece], start: int, end: int) -> Interval:
    """Return the interval of a source that a part of a text was read from."""
    places = [
        (
            (piece.low + max(0, start - piece.start), piece.high - max(0, piece.end - end))
            if piece.verbatim
            else (piece.low, piece.high)
        )
        for piece in pieces
        if piece.start < end and start < piece.end
    ] or [(piece.low, piece.high) for piece in pieces]
    return min(low for low, _ in places), max(high for _, high in places)

"""What stands at the upper and lower edges of pages, row by row: `Row`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from citeguard.documents.pdf.pieces import Piece

_ROWS = 5  # at an edge, which are looked at
_MOVED = 3.0  # points that a head may move from page to page
_ONE_ROW = 0.5  # of the size: what stands closer is one row
_TIGHT = 0.7  # of the usual distance of two rows of a file: the least on a page
_LONGEST_NUMBER = 40  # characters of a row that only says which page it is
_MOST_NUMBERS = 6  # in a row that are compared with those of other pages

_ROMAN = re.compile(
    r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE | re.ASCII
)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_NUMBER = re.compile(r"\d{1,6}")
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|página|pagina|pag|pg|p|s)\b)?\W*(?:\d{1,5}|[ivxlc]{1,8})"
    r"(?:\W*(?:of|von|de|sur|di|/|\||[-–.])\W*\d{1,5})?\W*",
    re.IGNORECASE | re.ASCII,
)


@dataclass(eq=False)
class Row:
    """What stands side by side at an edge of a page, over its full width.

    Attributes:
        page: The number of the page.
        upper: Whether it stands at the upper edge.
        level: How far it is from the edge, as a number of steps.
        pieces: From the left.
        apart: How far the next row inwards is, in usual distances of two rows.
    """

    page: int
    upper: bool
    level: int
    pieces: list[Piece]
    apart: float

    @cached_property
    def text(self) -> str:
        """Its text, with a space between two pieces."""
        return " ".join(piece.text for piece in self.pieces)

    @cached_property
    def words(self) -> str:
        """Its text without its numbers, for comparison."""
        words = re.findall(r"\w+", self.text.casefold())
        return " ".join("#" if _value(word) is not None else word for word in words)

    @cached_property
    def offsets(self) -> list[int]:
        """How far its numbers are from the page's."""
        numbers = list(_NUMBER.finditer(self.text))[:_MOST_NUMBERS]
        return [int(number[0]) - self.page for number in numbers] + self.outer_offsets

    @cached_property
    def outer_offsets(self) -> list[int]:
        """How far the numbers that it begins and ends with are from the page's."""
        words = re.findall(r"\w+", self.text)
        values = map(_value, (words[0], words[-1])) if words else ()
        return [value - self.page for value in values if value is not None]

    @property
    def is_page_number(self) -> bool:
        """Whether it only says which page it is."""
        text = self.text
        return len(text) <= _LONGEST_NUMBER and _PAGE_NUMBER.fullmatch(text) is not None

    @property
    def levels(self) -> tuple[int, int, int]:
        """Its level, and those beside it."""
        return self.level - 1, self.level, self.level + 1

    @property
    def size(self) -> float:
        """The size of its largest font."""
        return max(piece.size for piece in self.pieces)

    @property
    def look(self) -> tuple[str, float]:
        """The font of most of it, and its size."""
        longest = max(self.pieces, key=lambda piece: len(piece.text))
        return longest.font.name, round(longest.size, 1)


def rows_of(pieces: Sequence[Piece], size: float) -> list[list[Piece]]:
    """Return the pieces of a page row by row, from above, whatever column they stand in."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.baseline):
        if rows and piece.baseline - rows[-1][0].baseline < _ONE_ROW * min(piece.size, size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return rows


def distances_of(rows: Sequence[Sequence[Piece]]) -> list[float]:
    """Return how far each row is from the one above."""
    return [after[0].baseline - before[0].baseline for before, after in pairwise(rows)]


def usual_distance(distances: Iterable[float]) -> float:
    """Return the distance in the middle; 0 without any."""
    return median([*distances] or [0])


def at_edge(
    page: int, rows: Sequence[Sequence[Piece]], height: float, usual: float, *, upper: bool
) -> list[Row]:
    """Return the rows at an edge of a page, from the edge inwards.

    Args:
        page: Its number.
        rows: All rows of the page, from above.
        height: Of the page.
        usual: How far the rows of the file usually are from each other.
        upper: Whether the upper edge is meant.
    """
    distances = distances_of(rows)
    usual = min(usual, max(usual_distance(distances), _TIGHT * usual)) if distances else usual
    inwards = slice(_ROWS) if upper else slice(None, -_ROWS - 1, -1)
    # The last row is as far from what follows, which is nothing, as from what stands before it.
    beyond = [*distances, *(distances[-1:] or [height])]
    if not upper:
        beyond = [*(distances[:1] or [height]), *distances]
    found = zip(rows[inwards], beyond[inwards], strict=True)
    return [
        Row(
            page,
            upper,
            round((row[0].baseline if upper else height - row[0].baseline) / _MOVED),
            sorted(row, key=lambda piece: piece.left),
            distance / usual,
        )
        for row, distance in found
    ]


def _value(word: str) -> int | None:
    """Return what a number says, Arabic or Roman; `None` for another word."""
    if word.isdecimal():
        return int(word) if len(word) < 7 else None
    if not word or not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_VALUES[digit] for digit in word.lower()]
    return sum(-value if value < after else value for value, after in pairwise([*values, 0]))

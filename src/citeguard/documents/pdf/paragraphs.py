"""Paragraphs: the lines of a column that belong together."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from citeguard.documents.pdf.captions import is_caption
from citeguard.documents.pdf.furniture import Body
from citeguard.documents.pdf.lines import Line
from citeguard.documents.pdf.titles import comparable

Kind = Literal["text", "heading", "caption", "row", "note"]

_RESIZED = 0.08  # of the larger size: lines that differ by more are not of one paragraph
_USUAL_DISTANCE = 1.2  # of the size, where the file has too few lines to tell
_CLOSEST = 0.6  # of the size: the least usual distance
_FARTHEST = 2.2  # of the size: lines further from each other tell nothing of the usual distance
_STEP = 0.5  # points, to which distances are rounded
_APART = 1.6  # usual distances, between two paragraphs
_RATHER_APART = 1.2  # the same, if the first looks finished
_INDENT = 0.8  # of the size
_FAR_INDENT = 4.0  # of the size: what starts further to the right is centred, or no paragraph
_SHORT = 0.12  # of the width of the column, by which the last line of a paragraph is shorter
_JUSTIFIED = 0.3  # of the size, by which justified lines may end before the edge
_MOSTLY = 0.7  # of the lines of a justified paragraph do
_EDGE = 0.1  # of the lines of a column, that may stick out
_UNEVEN = 1.4  # times the narrowest space: a wider one parts cells
_COMMON_GAP = 0.6  # of the size, that two rows of a table have in common

_FINISHED = re.compile(r"[.!?:…。！？][)\]\"'”’»›¹²³⁰⁴-⁹*†‡§,\s]*$")
_ITEM = re.compile(
    r"[•●▪■◦○‣∙·⁃➢✓◆–—-]\s|(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\[\d{1,3}\])\s", re.IGNORECASE
)
_BULLET = re.compile(r"[•●▪■◦○‣∙⁃➢✓◆]")
_DASHES = "–—-·"  # which begin items of lists, and lines


@dataclass(eq=False)
class Paragraph:
    """Lines that are read as one.

    Attributes:
        lines: In order; on one page or more.
        kind: What it is.
        column: How far its column reaches, from the left to the right.
    """

    lines: list[Line]
    kind: Kind
    column: tuple[float, float]
    level: int = 0

    @property
    def size(self) -> float:
        """The size of the font of its first line."""
        return self.lines[0].size

    @property
    def is_finished(self) -> bool:
        """Whether it ends as a sentence ends."""
        return _FINISHED.search(self.lines[-1].text) is not None

    @property
    def is_full(self) -> bool:
        """Whether its last line reaches the edge of the column."""
        left, right = self.column
        return self.lines[-1].right > right - _SHORT * (right - left)

    @property
    def ends_justified(self) -> bool:
        """Whether its lines in its last column are justified, the very last one too."""
        left, right = (edge - _JUSTIFIED * self.size for edge in self.column)
        page = self.lines[-1].page
        column = [line for line in self.lines if line.page == page and line.left > left]
        *others, last = [line.right > right for line in column] or [False]
        return last and len(others) > 1 and sum(others) > _MOSTLY * len(others)

    @property
    def is_item(self) -> bool:
        """Whether it begins as the items of a list do."""
        return _ITEM.match(self.lines[0].text) is not None

    @property
    def is_indented(self) -> bool:
        """Whether its first line starts further to the right than the column."""
        return self.lines[0].left > self.column[0] + _INDENT * self.size

    @cached_property
    def text(self) -> str:
        """Its text, as the lines have it."""
        return " ".join(line.text for line in self.lines)


def same_size(one: float, other: float) -> bool:
    """Tell whether two sizes of fonts are one to the eye."""
    return abs(one - other) <= _RESIZED * max(one, other)


def usual_distances(columns: Iterable[Sequence[Line]]) -> dict[float, float]:
    """Return how far the lines of a file are from each other, by the size of their font."""
    distances: dict[float, Counter[float]] = defaultdict(Counter)
    for before, after in (pair for lines in columns for pair in pairwise(lines)):
        distance = after.baseline - before.baseline
        if same_size(before.size, after.size) and 0 < distance < _FARTHEST * after.size:
            distances[round(after.size)][round(distance / _STEP) * _STEP] += 1
    return {size: _usual(counted) for size, counted in distances.items()}


def _usual(distances: Counter[float]) -> float:
    """Return the most frequent distance; the least of those that are about as frequent."""
    most = max(distances.values())
    return min(distance for distance, count in distances.items() if 2 * count > most)


class Cutter:
    """Cuts columns into paragraphs.

    Args:
        body: How the text of the file looks.
        distances: How far lines are from each other, by the size of their font.
        titles: For each page, the headings that the file's bookmarks name.
    """

    def __init__(
        self, body: Body, distances: dict[float, float], titles: Mapping[int, Collection[str]]
    ) -> None:
        self._body, self._distances, self._titles = body, distances, titles

    def cut(self, lines: Sequence[Line]) -> list[Paragraph]:
        """Return the paragraphs of a column."""
        if not lines:
            return []
        column = _edges(lines)
        rows = _rows(lines, column)
        paragraphs: list[list[Line]] = []
        for line in lines:
            before = paragraphs[-1][-1] if paragraphs else None
            if (
                before is None
                or line in rows
                or before in rows
                or self._starts(paragraphs[-1], line, column)
            ):
                paragraphs.append([line])
            else:
                paragraphs[-1].append(line)
        return [Paragraph(found, _kind(found, rows), column) for found in paragraphs]

    def _starts(self, paragraph: Sequence[Line], line: Line, column: tuple[float, float]) -> bool:
        """Tell whether a line starts another paragraph."""
        before = paragraph[-1]
        if not same_size(before.size, line.size) or self._is_titled(before, line):
            return True
        distance = (line.baseline - before.baseline) / self._distance(line.size)
        if distance <= 0 or distance > _APART:
            return True
        if _BULLET.match(line.text) or (is_caption(line.text) and distance > _RATHER_APART):
            return True
        if line.bold != before.bold and not self._body.bold:
            return self._changes_weight(paragraph, line, column)
        if self._is_large(line):
            return distance > _APART
        return self._starts_by_words(before, line, column, distance)

    def _starts_by_words(
        self, before: Line, line: Line, column: tuple[float, float], distance: float
    ) -> bool:
        left, right = column
        finished = _FINISHED.search(before.text) is not None
        short = before.right < right - _SHORT * (right - left)
        indented = (
            _INDENT * line.size < line.left - left < _FAR_INDENT * line.size
            and line.left > before.left + _INDENT * line.size
        )
        goes_on = line.text[:1].islower()
        if distance > _RATHER_APART and (finished or short) and not (goes_on and not finished):
            return True
        if _ITEM.match(line.text) and (short or finished or _is_next_item(before, line)):
            return True
        if goes_on:
            return False
        return (indented and (finished or short)) or (short and finished)

    def _changes_weight(
        self, paragraph: Sequence[Line], line: Line, column: tuple[float, float]
    ) -> bool:
        """Tell whether a change from bold to plain, or back, parts a heading from text."""
        before = paragraph[-1]
        left, right = column
        full = before.right > right - _SHORT * (right - left)
        goes_on = line.text[:1].islower() and not _FINISHED.search(before.text)
        return not (full and goes_on)

    def _is_large(self, line: Line) -> bool:
        return line.size > self._body.size * (1 + _RESIZED)

    def _is_titled(self, before: Line, line: Line) -> bool:
        return bool(self._titles) and (
            comparable(line.text) in self._titles.get(line.page, ())
            or comparable(before.text) in self._titles.get(before.page, ())
        )

    def _distance(self, size: float) -> float:
        return max(self._distances.get(round(size), _USUAL_DISTANCE * size), _CLOSEST * size)


def _is_next_item(before: Line, line: Line) -> bool:
    """Tell whether two lines are numbered items of a list, each of one line."""
    return line.text[0] not in _DASHES and _ITEM.match(before.text) is not None


def _edges(lines: Sequence[Line]) -> tuple[float, float]:
    lefts = sorted(line.left for line in lines)
    rights = sorted(line.right for line in lines)
    out = int(len(lines) * _EDGE)
    return lefts[out], rights[len(rights) - 1 - out]


def _kind(lines: Sequence[Line], rows: Collection[Line]) -> Kind:
    if lines[0] in rows:
        return "row"
    return "caption" if is_caption(lines[0].text) else "text"


def _rows(lines: Sequence[Line], column: tuple[float, float]) -> set[Line]:
    """Return the lines whose wide gaps are those of the line above or below."""
    rows: set[Line] = set()
    for before, after in pairwise(lines):
        if _share_gap(before, after) and not all(
            _is_justified(line, column) for line in (before, after)
        ):
            rows.update((before, after))
    return rows


def _is_justified(line: Line, column: tuple[float, float]) -> bool:
    """Tell whether the gaps of a line are all as wide, to fill its column."""
    left, right = column
    spaces = line.spaces
    full = line.left < left + line.size and line.right > right - line.size
    return full and max(spaces) < _UNEVEN * min(spaces)


def _share_gap(one: Line, other: Line) -> bool:
    least = _COMMON_GAP * one.size
    return any(
        min(end, stop) - max(start, begin) > least
        for start, end in _gaps_of_cells(one)
        for begin, stop in _gaps_of_cells(other)
    )


def _gaps_of_cells(line: Line) -> list[tuple[float, float]]:
    """Return the wide gaps of a line, but for that after the mark of an item."""
    marked = _ITEM.fullmatch(line.pieces[0].text + " ") is not None
    return line.gaps[1:] if marked else line.gaps

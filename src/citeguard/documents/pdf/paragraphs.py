"""Paragraphs: the lines of a column that belong together, across columns, pages and footnotes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from citeguard.documents.pdf.lines import HYPHENS, Line, Piece, runs
from citeguard.documents.pdf.tables import BULLETS, ITEM, is_caption, share_gap
from citeguard.language.sentences import sentence_intervals

Kind = Literal["text", "heading", "caption", "row", "note"]

_RESIZED = 0.08  # of the larger size: lines that differ by more are not of one paragraph
_USUAL_DISTANCE = 1.2  # of the size, in a file with too few lines to measure it
_CLOSEST = 0.6  # of the size: the least usual distance
_FARTHEST = 2.2  # of the size: lines further apart are no evidence of the usual distance
_STEP = 0.5  # points, to which distances are rounded
_APART = 1.6  # usual distances between two paragraphs
_RATHER_APART = 1.2  # the same, if the first seems finished
_INDENT = 0.8  # of the size
_FAR_INDENT = 4.0  # of the size: a line that starts further to the right is centred
_SHORT = 0.12  # of the width of the column: the last line of a paragraph is shorter by more
_EDGE = 0.1  # of the lines of a column may stick out
_UNEVEN = 1.4  # times the narrowest space: a wider one separates cells

# As "It ended.", "It ended.”¹" and "It ended.*".
_FINISHED = re.compile(r"[.!?:…。！？][)\]\"'”’»›¹²³⁰⁴-⁹*†‡§,\s]*$")
_ASIDE = 0.34  # of the width of a text: a note in its margin is narrower
_SMALL_NOTE = 0.94  # of the size of the text
# As "¹ See", "* See", "[1] See", "1. See" and "a) See".
_NOTE = re.compile(
    r"(?:[¹²³⁰⁴-⁹]+|[*∗†‡§¶‖#]+)\s*(?=\S)"
    r"|[\[(]?\d{1,3}[\])]?[.:]?\s*(?=[^\W\d_]|[\"“‘'(\[])"
    r"|[a-z](?:\)|\s)\s*(?=[A-Z\"“‘])"
)


@dataclass(frozen=True, slots=True)
class Body:
    """The look of most of a file's text: the size of its font, the font's name, and its weight."""

    size: float
    font: str
    bold: bool


def body_of(pages: Iterable[Iterable[Piece]]) -> Body:
    """Return the look of most of the text of a file."""
    looks: Counter[tuple[float, str, bool]] = Counter()
    sizes: Counter[float] = Counter()
    for piece in (piece for page in pages for piece in page):
        size = round(piece.size * 4) / 4
        sizes[size] += len(piece.text)
        looks[size, piece.font.name, piece.font.bold] += len(piece.text)
    usual = max(sizes, key=sizes.__getitem__)
    return Body(*max((look for look in looks if look[0] == usual), key=looks.__getitem__))


@dataclass(eq=False)
class Paragraph:
    """Lines that are read as one.

    Attributes:
        lines: Its lines in order, on one page or more.
        kind: What it is.
        column: The left and right edges of its column.
        level: The level of a heading, from 1; 0 until it is known.
    """

    lines: list[Line]
    kind: Kind
    column: tuple[float, float]
    level: int = 0

    @property
    def size(self) -> float:
        """The font's size of its first line."""
        return self.lines[0].size

    @property
    def is_finished(self) -> bool:
        """Whether it ends as a sentence does."""
        return _FINISHED.search(self.lines[-1].text) is not None

    @property
    def is_full(self) -> bool:
        """Whether its last line reaches the edge of the column."""
        return not _ends_short(self.lines[-1], self.column)

    @property
    def is_indented(self) -> bool:
        """Whether its first line starts further to the right than the column."""
        return self.lines[0].left > self.column[0] + _INDENT * self.size

    @cached_property
    def text(self) -> str:
        """Its text, with the line breaks as spaces and hyphens kept."""
        return " ".join(line.text for line in self.lines)


def _same_size(one: float, other: float) -> bool:
    return abs(one - other) <= _RESIZED * max(one, other)


def _ends_short(line: Line, column: tuple[float, float]) -> bool:
    left, right = column
    return line.right <= right - _SHORT * (right - left)


def usual_distances(columns: Iterable[Sequence[Line]]) -> dict[float, float]:
    """Return the usual distance between the lines of a file, by the size of their font."""
    distances: dict[float, Counter[float]] = defaultdict(Counter)
    for before, after in (pair for lines in columns for pair in pairwise(lines)):
        distance = after.baseline - before.baseline
        if _same_size(before.size, after.size) and 0 < distance < _FARTHEST * after.size:
            distances[round(after.size)][round(distance / _STEP) * _STEP] += 1
    return {
        # Of those that are about as frequent as the most frequent, the least.
        size: min(value for value, count in counts.items() if 2 * count > max(counts.values()))
        for size, counts in distances.items()
    }


class Cutter:
    """Cuts columns into paragraphs.

    Args:
        body: The look of the file's text.
        distances: The usual distance between lines, by the size of their font.
    """

    def __init__(self, body: Body, distances: dict[float, float]) -> None:
        self._body, self._distances = body, distances

    def cut(self, lines: Sequence[Line]) -> list[Paragraph]:
        """Return the paragraphs of a column."""
        if not lines:
            return []
        out = int(len(lines) * _EDGE)
        lefts, rights = sorted(line.left for line in lines), sorted(line.right for line in lines)
        column = lefts[out], rights[-1 - out]
        rows = _rows(lines, column)
        paragraphs = runs(
            lines,
            lambda above, line: (
                line not in rows
                and above[-1] not in rows
                and not self._starts(above[-1], line, column)
            ),
        )
        kinds: list[Kind] = [
            "row" if each[0] in rows else "caption" if is_caption(each[0].text) else "text"
            for each in paragraphs
        ]
        return [Paragraph(*each, column) for each in zip(paragraphs, kinds, strict=True)]

    def _starts(self, before: Line, line: Line, column: tuple[float, float]) -> bool:
        """Return whether a line starts another paragraph than the line before it."""
        if not _same_size(before.size, line.size):
            return True
        usual = self._distances.get(round(line.size), _USUAL_DISTANCE * line.size)
        distance = (line.baseline - before.baseline) / max(usual, _CLOSEST * line.size)
        if distance <= 0 or distance > _APART:
            return True
        if line.text[0] in BULLETS:
            return True
        short, finished = _ends_short(before, column), _FINISHED.search(before.text) is not None
        goes_on = line.text[:1].islower()
        if line.bold != before.bold and not self._body.bold:  # a heading before or after text
            return short or finished or not goes_on
        if line.size > self._body.size * (1 + _RESIZED):
            return False
        if distance > _RATHER_APART and (finished or (short and not goes_on)):
            return True
        # Items may follow each other without any sign of an end: "(a) oak", "(b) salt".
        if ITEM.match(line.text) and (short or finished or ITEM.match(before.text)):
            return True
        indent = line.left - column[0]
        indented = (
            _INDENT * line.size < indent < _FAR_INDENT * line.size
            and line.left > before.left + _INDENT * line.size
        )
        return not goes_on and (short + finished + indented) > 1


def _rows(lines: Sequence[Line], column: tuple[float, float]) -> set[Line]:
    """Return the rows of tables: lines whose wide gaps are those of the line above or below."""
    rows = {line for line in lines if line.row is not None}
    for before, after in pairwise(lines):
        # Wide spaces of two justified lines may be below each other by chance.
        if share_gap(before, after) and not (
            _is_justified(before, column) and _is_justified(after, column)
        ):
            rows.update((before, after))
    return rows


def _is_justified(line: Line, column: tuple[float, float]) -> bool:
    """Return whether the gaps of a line are equally wide, to fill its column."""
    left, right = column
    spaces = line.spaces
    full = line.left < left + line.size and line.right > right - line.size
    return full and max(spaces) < _UNEVEN * min(spaces)


class Flow:
    """Collects the paragraphs of one column after another, and joins those that go on.

    A footnote, a caption or a table that interrupts a paragraph at the end of a page or a column is
    put after it.
    """

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._open: dict[Kind, Paragraph] = {}

    @property
    def has_open_note(self) -> bool:
        """Whether the last note may go on."""
        note = self._open.get("note")
        return note is not None and not note.is_finished

    def add(self, column: Sequence[Paragraph]) -> None:
        """Add the paragraphs of the next column."""
        rest = list(column)
        for kind in ("text", "note"):
            self._go_on(rest, kind)
        self.paragraphs += rest
        for paragraph in rest:
            opened = self._open.get(paragraph.kind)
            if paragraph.kind in ("text", "note") and not (opened and _is_aside(paragraph, opened)):
                self._open[paragraph.kind] = paragraph

    def _go_on(self, column: list[Paragraph], kind: Kind) -> None:
        """Join the open paragraph with the first one of a column that may continue it."""
        opened = self._open.get(kind)
        if opened is None:
            return
        following = next(
            (
                each
                for each in column
                if each.kind == kind
                and _same_size(each.size, opened.size)
                and not (_is_aside(each, opened) or _is_aside(opened, each))
            ),
            None,
        )
        if following is None:
            return
        above = column[: column.index(following)]
        if _continues(opened, following, headed=any(x.kind == "heading" for x in above)):
            opened.lines += following.lines
            opened.column = following.column
            column.remove(following)
        else:
            del self._open[kind]


def _is_aside(one: Paragraph, other: Paragraph) -> bool:
    """Return whether a paragraph is in a narrow column beside that of another one, as a note."""
    (left, right), (start, end) = one.column, other.column
    return right - left < _ASIDE * (end - start) and (right < start or left > end)


def _continues(opened: Paragraph, following: Paragraph, *, headed: bool) -> bool:
    last, first = opened.lines[-1].text, following.lines[0].text
    if last.endswith(tuple(HYPHENS)):
        return True
    if first[:1].islower():
        return not opened.is_finished
    if headed or not opened.is_full or following.is_indented:
        return False
    # The full stop may be that of an abbreviation: "against St. | Raymond". Without this, one of
    # the 504 quotes of the benchmark is interrupted by a footnote.
    return not opened.is_finished or all(
        end != len(last) for _, end in sentence_intervals(f"{last} {first}")
    )


def split_notes(
    lines: Sequence[Line], size: float, *, open_note: bool
) -> tuple[Sequence[Line], list[list[Line]]]:
    """Return the lines of a column without its footnotes, and the lines of each footnote.

    Args:
        lines: The lines of the column, from above.
        size: The font's size of the file's text.
        open_note: Whether the last note before these lines may go on in them, without a mark.
    """
    first = len(lines)
    # Footnotes are the last lines of a column, in smaller type.
    while first and lines[first - 1].size < _SMALL_NOTE * size and lines[first - 1].row is None:
        first -= 1
    # Small print above the first mark is text, unless the last page's note goes on.
    while first < len(lines) and not (_NOTE.match(lines[first].text) or open_note):
        first += 1
    notes = runs(lines[first:], lambda _, line: not _NOTE.match(line.text))
    return lines[:first], notes

"""The places of a document's text in its file: pages, headings, tables, lines; and its fields."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeVar

P = TypeVar("P")

_PATH_SEPARATOR = " › "
_MOST_HEADINGS = 3  # of the path that names a place; of more, the first and the last two
_LONGEST_HEADING = 60  # characters of each

FileKind = Literal[
    "text",
    "markdown",
    "html",
    "pdf",
    "word",
    "slides",
    "table",
    "sheets",
    "book",
    "mail",
    "transcript",
]
"""The kind of file that a document was read from."""

SUFFIXES: dict[str, FileKind | Literal["json", "table"]] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".htm": "html",
    ".html": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "word",
    ".pptx": "slides",
    ".xlsx": "sheets",
    ".epub": "book",
    ".eml": "mail",
    ".vtt": "transcript",
    ".srt": "transcript",
    ".csv": "table",
    ".tsv": "table",
    ".json": "json",
}
"""The suffixes of the files that are read as sources, in lower case, and what they name."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a PDF file.

    Attributes:
        number: The number of the page in the file, from 1.
        label: The label in the file, such as "iv"; else the number as text.
        width: In points (1/72 inch), as the page is displayed.
        height: In points, as the page is displayed.
        text: All text of the page as the file has it, in the file's order, with page headers, page
            numbers and hyphens at line ends.
    """

    number: int
    label: str
    width: float
    height: float
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points (1/72 inch) from the upper left corner as displayed.

    Attributes:
        page: The number of the page, from 1.
        left: The left edge.
        top: The upper edge.
        right: The right edge.
        bottom: The lower edge.
    """

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Characters of a document's text on one line of a page, in one column; edges are in points."""

    start: int
    page: int  # from 1
    top: float
    bottom: float
    lefts: array[float] = field(repr=False)  # of each character
    rights: array[float] = field(repr=False)

    @property
    def end(self) -> int:
        """Their end in the document's text, exclusive."""
        return self.start + len(self.lefts)

    def box(self, start: int, end: int) -> Box:
        """Return the box around the characters of an interval of the text that are on this line."""
        first, last = max(start - self.start, 0), min(end - self.start, len(self.lefts))
        left, right = min(self.lefts[first:last]), max(self.rights[first:last])
        return Box(self.page, left, self.top, right, self.bottom)


DoubtReason = Literal["unseen", "unmapped", "overdrawn", "recognised"]
"""Why a part of a text may not be what the file shows.

`unseen`: kept on request, though the file does not show it; hidden or struck out by the markup of a
plain text; or styles, layers or blank glyphs may hide it, or something adds words to it.
`unmapped`: the file does not say which characters the glyphs are. `overdrawn`: a glyph, a line or a
cover is drawn over it. `recognised`: invisible text over a picture, as text recognition leaves it.
"""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A part of a text that may not be what a reader of the file sees.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        reason: Why.
    """

    start: int
    end: int
    reason: DoubtReason


class RecognisedWord(NamedTuple):
    """A word, or a line of words, that text recognition (OCR) found in a picture.

    Attributes:
        text: What it says.
        left: Its left edge, in pixels from the left.
        top: Its upper edge, in pixels from above.
        right: Its right edge.
        bottom: Its lower edge.
        confidence: How sure the engine is, from 0 to 1; higher is surer.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float = 0


Ocr = Callable[[Any], str | Iterable[RecognisedWord]]
"""Recognises the text of a page, given its picture (`PIL.Image.Image`): words in reading order, or
only the text.
"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in a document's text.

    Attributes:
        text: Its words.
        level: From 1, the highest, to 6.
        start: Its start in the document's text, in code points.
        end: Its end, exclusive.
    """

    text: str
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, whose text is an interval of the document's.

    Attributes:
        start: Its start in the document's text, in code points.
        end: Its end, exclusive; an empty cell ends where it starts.
        row: The number of its first row in the table, from 1.
        column: The number of its first column, from 1.
        rows: How many rows it spans.
        columns: How many columns it spans.
        row_headers: The names of its row, the most general first: those of the part of the table,
            and that of the row itself. Empty for a header of a row, and without headers.
        column_headers: The names of its column, the highest first.
        is_header: Whether it is itself the name of a row, a column or a part of the table.
        unit: The unit or scale of its figure, as its column, row or table gives it: "%", "million".
        name: Its name in the file, such as "C14"; empty without one.
    """

    start: int
    end: int
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    row_headers: tuple[str, ...] = ()
    column_headers: tuple[str, ...] = ()
    is_header: bool = False
    unit: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows are lines of the text, with cells separated by " | ".

    Attributes:
        start: Its start in the document's text, in code points; the caption is outside.
        end: Its end, exclusive.
        name: "Table 12" as its caption has it, "Sheet *P&L*", or "table 3" for the third of a file.
        caption: Its caption or title; empty without one.
        unit: The unit or scale of its figures that caption or head give, such as "million".
        cells: Its cells in the order of the text; none overlaps another.
    """

    start: int
    end: int
    name: str
    caption: str = ""
    unit: str = ""
    cells: tuple[Cell, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Part:
    """Where a part of a file starts in its text: a paragraph, a box of a slide, a turn of a talk.

    Attributes:
        start: Its start in the document's text, in code points; it ends where the next one starts.
        name: What names it in the file: "paragraph 12", "box *Content 2*", "Anna, 00:01:03".
        speaker: Who says it, if the file names anybody.
        time: When, as the file writes it: "00:01:03" of a recording, "2024-05-17 09:03" of a chat.
    """

    start: int
    name: str
    speaker: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """What a file says of itself, apart from its title.

    Attributes:
        authors: Who wrote it, in the file's order.
        date: When it was published, or else written: "2024-03-01", "2024-03" or "2024".
        abstract: Its abstract, summary or description.
    """

    authors: tuple[str, ...] = ()
    date: str | None = None
    abstract: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text under it.

    Attributes:
        heading: The words of the heading.
        level: From 1, the highest, to 6.
        start: The start of the heading in the document's text, in code points.
        end: The end of the section, subsections included, exclusive.
        page: The number of the page that it starts on, from 1; `None` in a file without pages.
        sections: Its subsections, in order.
    """

    heading: str
    level: int
    start: int
    end: int
    page: int | None
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a span in the file that its source was read from.

    Attributes:
        source_id: The id of the source.
        headings: The headings above it, the highest first.
        line: The number of the file's line that it starts on, from 1; `None` for files other than
            text and Markdown, whose lines mean nothing to a reader.
        page: The number of the page that it starts on, from 1; `None` in a file without pages.
        page_label: The label of that page in the file.
        boxes: The area that it covers, line by line, on this page and later ones; empty without
            pages.
        url: A link that opens the place, if the source has a URL: with `#page=` for PDF, else with
            a text fragment.
        table: The name of the table that it is in, see `Table`; `None` outside of tables.
        row: The name of its row, or else the number, from 1; `None` if it is in several.
        column: The name of its column, or else the number, from 1; `None` if it is in several.
        cells: The names that the file has for its cells: "C14", or "B14:C14".
        part: The name of the part of the file that it starts in, see `Part`.
        speaker: Who says it, in a transcript or a chat.
        time: When.
    """

    source_id: str
    headings: tuple[str, ...] = ()
    line: int | None = None
    page: int | None = None
    page_label: str | None = None
    boxes: tuple[Box, ...] = field(default=(), repr=False)
    url: str | None = None
    table: str | None = None
    row: str | int | None = None
    column: str | int | None = None
    cells: str | None = None
    part: str | None = None
    speaker: str | None = None
    time: str | None = None

    def __str__(self) -> str:
        """Return the place in words: `p. 4 › Results › Ablations`, or `line 112`.

        A cell is `p. 47, Table 12, row *Dividends paid*, column *2018*`, or `Sheet *P&L*, C14`.
        """
        return name_of_place(
            page=self.page,
            page_label=self.page_label,
            headings=self.headings,
            line=self.line,
            detail=self.detail,
        )

    @property
    def detail(self) -> str:
        """The place below its page and headings in words: table, row and column, or the part."""
        if self.cells is not None:
            return ", ".join(filter(None, (self.table, self.cells)))
        named = (("row", self.row), ("column", self.column))
        cell = [
            f"{kind} {name}" if isinstance(name, int) else f"{kind} *{_shortened(name)}*"
            for kind, name in named
            if name is not None
        ]
        return ", ".join([self.table, *cell]) if self.table is not None else self.part or ""


def name_of_place(
    *,
    page: int | None = None,
    page_label: str | None = None,
    headings: Sequence[str] = (),
    line: int | None = None,
    detail: str = "",
) -> str:
    """Return a place in words; empty if nothing is known.

    Of more than three headings the first and the last two are named, each in at most 60 characters.
    `detail` is that of a `Location`.
    """
    path: list[str] = []
    if page is not None:
        labelled = page_label is not None and page_label != str(page)
        path.append(f"p. {page_label} ({page} of the file)" if labelled else f"p. {page}")
    many = len(headings) > _MOST_HEADINGS
    path += map(_shortened, [headings[0], "…", *headings[-2:]] if many else headings)
    # No comma after the page: "p. 4, 3 RESULTS" reads as two pages.
    parts = [_PATH_SEPARATOR.join(path), detail, "" if line is None else f"line {line}"]
    return ", ".join(filter(None, parts))


def pages_named(numbers: Iterable[int]) -> str:
    """Return the numbers of pages in words: "page 3", or "pages 1-3, 7"."""
    # Within a run, a number minus its place in the list stays the same.
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ]
    named = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"page {named}" if named.isdecimal() else f"pages {named}"


def parts_in(parts: Sequence[Part], start: int, end: int) -> Sequence[Part]:
    """Return the parts, of all in order, that have characters of an interval of the text."""
    first = bisect_right(parts, start, key=attrgetter("start")) - 1
    last = bisect_left(parts, end, key=attrgetter("start"))
    # An empty interval is in the last part that starts at or before it.
    return parts[max(first, 0) : max(last, first + 1)]


def _before(places: Sequence[P], position: int) -> P | None:
    """Return the last of these places that starts at or before a position."""
    index = bisect_right(places, position, key=attrgetter("start")) - 1
    return places[index] if index >= 0 else None


def _shortened(heading: str) -> str:
    words = " ".join(heading.split())
    cut = len(words) > _LONGEST_HEADING
    return f"{words[: _LONGEST_HEADING - 1].rstrip()}…" if cut else words


@dataclass(frozen=True, eq=False)
class Layout:
    """The known places of a document's text in its file.

    Attributes:
        kind: The kind of file.
        length: The length of the text, in code points.
        headings: The headings, in the order of the text.
        line_starts: Pairs of an offset in the text and the number of the file's line there, from 1,
            in order, if the text is not the file's own.
        pages: The pages of a PDF file, in order.
        printed: The lines of these pages, in the order of the text; none overlaps another.
        file: The PDF file itself, from which pages can be drawn.
        doubts: The parts that may not be what the file shows, in the order of the text.
        left_out: How many characters, white space aside, the text leaves out that the file has: by
            "struck out", "hidden", "artifact" (what a PDF file declares not to be its content),
            and "replacement text" (what it gives in place of the glyphs shown).
        tables: The tables, in the order of the text; none overlaps another.
        parts: Where the parts of the file start, in order.
        fields: Authors, date and abstract, as far as the file gives them.
        warnings: What the text leaves out although readers of the file see it.
    """

    kind: FileKind
    length: int
    _: KW_ONLY
    headings: Sequence[Heading] = ()
    line_starts: Sequence[tuple[int, int]] = ()
    pages: Sequence[Page] = ()
    printed: Sequence[PrintedLine] = ()
    file: bytes | None = None
    doubts: Sequence[Doubt] = ()
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    tables: Sequence[Table] = ()
    parts: Sequence[Part] = ()
    fields: Fields = Fields()
    warnings: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Keep tuples, whatever is given."""
        for name, value in vars(self).items():
            if name not in ("kind", "length", "file", "left_out", "fields"):
                object.__setattr__(self, name, tuple(value))

    def __repr__(self) -> str:
        """Describe the document without its text."""
        return f"Layout({self.kind!r}, {len(self.pages)} pages, {len(self.headings)} headings)"

    def page_at(self, position: int) -> Page | None:
        """Return the page of a position, or of the next printed text; `None` without pages."""
        if not self.printed:
            return None
        index = bisect_right(self.printed, position, key=lambda line: line.start) - 1
        if index < 0 or self.printed[index].end <= position:
            # Behind the last line, it is the page of that.
            index = min(index + 1, len(self.printed) - 1)
        return self.pages[self.printed[index].page - 1]

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the area that an interval of the text covers on the pages, line by line.

        An empty interval covers nothing.
        """
        if start >= end:
            return ()
        first = bisect_right(self.printed, start, key=lambda line: line.end)
        last = bisect_left(self.printed, end, key=lambda line: line.start)
        # A line without characters has no edges.
        lines = (line for line in self.printed[first:last] if line.start < line.end)
        return tuple(line.box(start, end) for line in lines)

    def doubts_in(self, start: int, end: int) -> tuple[Doubt, ...]:
        """Return the doubts about any character of an interval of the text."""
        first = bisect_right(self.doubts, start, key=lambda doubt: doubt.end)
        last = bisect_left(self.doubts, end, key=lambda doubt: doubt.start)
        return tuple(self.doubts[first:last])

    def line_at(self, position: int) -> int | None:
        """Return the number of the file's line at a position, or `None` if it is unknown."""
        if not self.line_starts:
            return None
        index = bisect_right(self.line_starts, position, key=lambda pair: pair[0]) - 1
        return self.line_starts[max(index, 0)][1]

    def table_at(self, position: int) -> Table | None:
        """Return the table with a position of the text, or `None`."""
        table = _before(self.tables, position)
        return table if table is not None and position < table.end else None

    def cell_at(self, position: int) -> Cell | None:
        """Return the cell with a position of the text; `None` outside of cells, and between them.

        Examples:
            >>> cells = (Cell(0, 4, 1, 1), Cell(7, 9, 1, 2, name="B1"))
            >>> Layout("table", 9, tables=[Table(0, 9, "table 1", cells=cells)]).cell_at(7).name
            'B1'
        """
        table = self.table_at(position)
        cell = None if table is None else _before(table.cells, position)
        return cell if cell is not None and position < cell.end else None

    def cells_in(self, start: int, end: int) -> tuple[Cell, ...]:
        """Return the cells of one table that have characters of an interval of the text."""
        # An interval may begin before the table that it ends in.
        table = self.table_at(start) or self.table_at(max(start, end - 1))
        cells = () if table is None else table.cells
        first = bisect_right(cells, start, key=lambda cell: cell.end)
        last = bisect_left(cells, end, key=lambda cell: cell.start)
        return tuple(cell for cell in cells[first:last] if cell.start < cell.end)

    def place_in_table(
        self, start: int, end: int
    ) -> tuple[str | None, str | int | None, str | int | None, str | None]:
        """Return `table`, `row`, `column` and `cells` of the `Location` of an interval."""
        table, cells = self.table_at(start), self.cells_in(start, end)
        if table is None:
            return None, None, None, None
        row = column = names = None
        if len({cell.row for cell in cells}) == 1:
            row = cells[0].row_headers[-1] if cells[0].row_headers else cells[0].row
        if len({cell.column for cell in cells}) == 1:
            column = _PATH_SEPARATOR.join(cells[0].column_headers) or cells[0].column
        if any(cell.name for cell in cells):
            names = ":".join(dict.fromkeys((cells[0].name, cells[-1].name)))
        return table.name, row, column, names

    def headings_at(self, position: int) -> tuple[str, ...]:
        """Return the headings above or at a position, the highest first."""
        path: list[str] = []
        index = bisect_right(self.headings, position, key=lambda heading: heading.start) - 1
        while index >= 0:
            path.append(self.headings[index].text)
            index = self._parents[index]
        return tuple(reversed(path))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The tree of headings: the highest sections in order, each with its subsections."""
        return tuple(self._sections(self.headings, self.length))

    def outline_json(self) -> str:
        """Return the tree of headings as JSON: a list of sections with the attributes of `Section`.

        Examples:
            >>> json.loads(Layout("html", 9, headings=[Heading("Pay", 1, 0, 3)]).outline_json())
            [{'heading': 'Pay', 'level': 1, 'start': 0, 'end': 9, 'page': None, 'sections': []}]
        """
        return json.dumps([asdict(section) for section in self.sections], ensure_ascii=False)

    @cached_property
    def _parents(self) -> tuple[int, ...]:
        """For each heading, the index of the heading above it in the tree, or -1."""
        parents: list[int] = []
        for index, heading in enumerate(self.headings):
            # From parent to parent, which takes time proportional to the number of headings.
            above = index - 1
            while above >= 0 and self.headings[above].level >= heading.level:
                above = parents[above]
            parents.append(above)
        return tuple(parents)

    def _sections(self, headings: Sequence[Heading], end: int) -> Iterator[Section]:
        """Yield the sections of a run of headings whose first is a highest one."""
        first = 0
        while first < len(headings):
            after = first + 1
            while after < len(headings) and headings[after].level > headings[first].level:
                after += 1
            stop = headings[after].start if after < len(headings) else end
            heading, page = headings[first], self.page_at(headings[first].start)
            yield Section(
                heading=heading.text,
                level=heading.level,
                start=heading.start,
                end=stop,
                page=None if page is None else page.number,
                sections=tuple(self._sections(headings[first + 1 : after], stop)),
            )
            first = after

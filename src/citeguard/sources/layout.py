"""The places of a document's text in its file: pages and boxes, headings, lines."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Literal

_PATH_SEPARATOR = " › "
_MOST_HEADINGS = 3  # of the path that names a place; of more, the first and the last two
_LONGEST_HEADING = 60  # characters of each

FileKind = Literal["text", "markdown", "html", "pdf", "word", "slides"]
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
    """Characters of a document's text on one line of a page, in one column.

    Attributes:
        start: Their start in the document's text, in code points.
        page: The number of the page, from 1.
        top: The upper edge of the line, in points from the top of the page.
        bottom: The lower edge.
        lefts: The left edge of each character, in points from the left of the page.
        rights: The right edge of each character.
    """

    start: int
    page: int
    top: float
    bottom: float
    lefts: array[float] = field(repr=False)
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

`unseen`: kept on request, though the file does not show it. `unmapped`: the file does not say which
characters the glyphs are. `overdrawn`: a glyph or a line is drawn over it. `recognised`: invisible
text over a picture, as text recognition leaves it.
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
    """

    source_id: str
    headings: tuple[str, ...] = ()
    line: int | None = None
    page: int | None = None
    page_label: str | None = None
    boxes: tuple[Box, ...] = field(default=(), repr=False)
    url: str | None = None

    def __str__(self) -> str:
        """Return the place in words: `p. 4, Results › Ablations`, or `line 112`."""
        return name_of_place(
            page=self.page, page_label=self.page_label, headings=self.headings, line=self.line
        )


def name_of_place(
    *,
    page: int | None = None,
    page_label: str | None = None,
    headings: Sequence[str] = (),
    line: int | None = None,
) -> str:
    """Return a place in words; empty if nothing is known.

    Of more than three headings the first and the last two are named, each in at most 60 characters.
    """
    parts: list[str] = []
    if page is not None:
        labelled = page_label is not None and page_label != str(page)
        parts.append(f"p. {page_label} ({page} of the file)" if labelled else f"p. {page}")
    many = len(headings) > _MOST_HEADINGS
    named = [headings[0], "…", *headings[-2:]] if many else headings
    if headings:
        parts.append(_PATH_SEPARATOR.join(map(_shortened, named)))
    if line is not None:
        parts.append(f"line {line}")
    return ", ".join(parts)


def _shortened(heading: str) -> str:
    words = " ".join(heading.split())
    cut = len(words) > _LONGEST_HEADING
    return f"{words[: _LONGEST_HEADING - 1].rstrip()}…" if cut else words


class Layout:
    """The known places of a document's text in its file.

    Args:
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
    """

    def __init__(
        self,
        kind: FileKind,
        length: int,
        *,
        headings: Iterable[Heading] = (),
        line_starts: Iterable[tuple[int, int]] = (),
        pages: Iterable[Page] = (),
        printed: Iterable[PrintedLine] = (),
        file: bytes | None = None,
        doubts: Iterable[Doubt] = (),
        left_out: Mapping[str, int] | None = None,
    ) -> None:
        self.kind: FileKind = kind
        self.headings = tuple(headings)
        self.pages = tuple(pages)
        self.printed = tuple(printed)
        self.file = file
        self.doubts = tuple(doubts)
        self.left_out = dict(left_out or {})
        self._length = length
        self.line_starts = tuple(line_starts)

    def __repr__(self) -> str:
        """Describe the document without its text."""
        return f"Layout({self.kind!r}, {len(self.pages)} pages, {len(self.headings)} headings)"

    def page_at(self, position: int) -> Page | None:
        """Return the page of a position, or of the next printed text; `None` without pages."""
        if not self.printed:
            return None
        index = bisect_right(self.printed, position, key=lambda line: line.start) - 1
        if index < 0 or self.printed[index].end <= position:
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
        lines = (line for line in self.printed[first:last] if line.start < line.end)
        return tuple(line.box(start, end) for line in lines)

    def doubts_in(self, start: int, end: int) -> tuple[Doubt, ...]:
        """Return the doubts about any character of an interval of the text."""
        first = bisect_right(self.doubts, start, key=lambda doubt: doubt.end)
        last = bisect_left(self.doubts, end, key=lambda doubt: doubt.start)
        return self.doubts[first:last]

    def line_at(self, position: int) -> int | None:
        """Return the number of the file's line at a position, or `None` if it is unknown."""
        if not self.line_starts:
            return None
        index = bisect_right(self.line_starts, position, key=lambda pair: pair[0]) - 1
        return self.line_starts[max(index, 0)][1]

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
        return tuple(self._sections(self.headings, self._length))

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

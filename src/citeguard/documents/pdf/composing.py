"""The text of a document and its layout, from its paragraphs."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from citeguard.documents.pdf.hyphens import Joiner
from citeguard.documents.pdf.lines import Line, PrintedText
from citeguard.documents.pdf.paragraphs import Paragraph
from citeguard.sources.layout import Heading, Page, PrintedLine


class Composer:
    """Writes paragraphs one after another, and notes where each line of them stands.

    Args:
        pages: The pages of the file.
        joiner: How lines are joined.
    """

    def __init__(self, pages: Sequence[Page], joiner: Joiner) -> None:
        self._pages, self._joiner = pages, joiner
        self._parts: list[str] = []
        self._length = 0
        self.printed: list[PrintedLine] = []
        self.headings: list[Heading] = []

    @property
    def text(self) -> str:
        """What was written."""
        return "".join(self._parts)

    def write(self, paragraphs: Iterable[Paragraph]) -> None:
        """Write paragraphs, parted by blank lines; the rows of a table by line breaks."""
        before: Paragraph | None = None
        for paragraph in paragraphs:
            if before is not None:
                rows = before.kind == paragraph.kind == "row"
                self._write("\n" if rows else "\n\n")
            start, first = self._length, len(self._parts)
            self._write_lines(paragraph.lines)
            if paragraph.kind == "heading":
                words = "".join(self._parts[first:])
                self.headings.append(Heading(words, paragraph.level, start, self._length))
            before = paragraph

    def _write_lines(self, lines: Sequence[Line]) -> None:
        for line, after in zip_longest(lines, lines[1:]):
            if after is None:
                self._write_line(line, len(line.text))
            else:
                cut, glue = self._joiner.join(line.text, after.text)
                self._write_line(line, len(line.text) - cut)
                self._write(glue)

    def _write_line(self, line: Line, length: int) -> None:
        printed = line.printed
        page = self._pages[line.page - 1]
        top, bottom, lefts, rights = _as_shown(line, printed, page)
        if length:
            self.printed.append(
                PrintedLine(self._length, line.page, top, bottom, lefts[:length], rights[:length])
            )
        self._write(printed.text[:length])

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _as_shown(
    line: Line, printed: PrintedText, page: Page
) -> tuple[float, float, array[float], array[float]]:
    """Return where a line and its characters stand on the page as it is shown."""
    count = len(printed.text)
    if line.turns == 0:
        return line.top, line.bottom, printed.lefts, printed.rights
    if line.turns == 2:
        lefts = array("f", [page.width - right for right in printed.rights])
        rights = array("f", [page.width - left for left in printed.lefts])
        return page.height - line.bottom, page.height - line.top, lefts, rights
    if line.turns == 1:
        left, right = line.top, line.bottom
        top, bottom = page.height - line.right, page.height - line.left
    else:
        left, right = page.width - line.bottom, page.width - line.top
        top, bottom = line.left, line.right
    return top, bottom, array("f", [left]) * count, array("f", [right]) * count

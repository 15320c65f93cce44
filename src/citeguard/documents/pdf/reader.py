"""PDF files as documents: `read_pdf`, and how its text and layout are put together."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.document import Decision, Document, Writer
from citeguard.documents.files import reached
from citeguard.documents.pdf.characters import CharacterReader, Characters, Font, clean
from citeguard.documents.pdf.columns import in_reading_order
from citeguard.documents.pdf.formulas import with_formulas
from citeguard.documents.pdf.furniture import without_heads_and_feet, without_line_numbers
from citeguard.documents.pdf.headings import mark_headings, settle_headings
from citeguard.documents.pdf.lines import (
    Joiner,
    Line,
    Piece,
    Row,
    cut_into_pieces,
    gather_lines,
    with_initials,
)
from citeguard.documents.pdf.paragraphs import (
    Body,
    Cutter,
    Flow,
    Paragraph,
    body_of,
    split_notes,
    usual_distances,
)
from citeguard.documents.pdf.pdfium import (
    PDFIUM_LOCK,
    Bookmarks,
    Floats,
    PdfFile,
    drawn,
    frame_of,
    open_pdf,
    raw,
    text_of,
)
from citeguard.documents.pdf.recognition import FONTS, MOST_PIXELS, NOWHERE, SCALE, recognised
from citeguard.documents.pdf.tables import join_over_pages, with_aligned_rows, with_ruled_tables
from citeguard.documents.pdf.unseen import DOUBTS
from citeguard.documents.tables import Written
from citeguard.errors import CiteguardError, InvalidSourcesError, foreign_code
from citeguard.sources.layout import Doubt, Ocr, Page, PrintedLine, pages_named

_MOST_ALIKE, _SMALL_PAGE = 100, 1_000  # pages with one text in a file; bytes of each page
_FEWEST_ASIDE = 200  # characters in another direction: fewer are a stamp or a label


@dataclass(slots=True)
class _Sheet:
    """The pieces of a page in one direction."""

    page: int
    turns: int
    height: float
    pieces: list[Piece]
    rules: Floats


def read_pdf(
    content: bytes, name: str, decision: Decision | None = None, *, max_pages: int | None = None
) -> Document:
    """Return the text of a PDF file in reading order, with the place of each line on its page.

    Running heads and feet, page numbers, line numbers and text that runs up the margin are left
    out; the layout has the text of each page as it is in the file. Columns are read one after
    another, words broken at the end of a line are made whole, and a footnote follows the paragraph
    that it interrupts. Raised digits are superscripts. What a reader of the page does not see is as
    decided; glyphs without a map or without ink, drawn over or beside an artifact are in doubt.

    Args:
        content: The content of the file.
        name: The name of the file in messages.
        decision: What becomes of unseen text, and of pages without a text layer; the layout names
            those that are left out (`warnings`).
        max_pages: The maximum number of pages, inclusive.

    Raises:
        InvalidSourcesError: the file is encrypted or damaged, or has no text; the message starts
            with `name`.
        PageLimitError: it has more pages than `max_pages`.
        CiteguardError: text recognition raises, or returns what is no text and no words.
    """
    decision = decision or Decision()
    pages: list[Page] = []
    sheets: list[_Sheet] = []
    unread: list[int] = []
    texts: set[str] = set()
    with open_pdf(content, name, max_pages) as file:
        reader = CharacterReader(decision)
        for number in range(1, file.page_count + 1):
            reached(name, number, file.page_count)
            with PDFIUM_LOCK:  # page by page, so that other threads get their turn
                page, on_page, picture = _read_page(file, number, reader, decision)
            if picture is not None:
                on_page = _recognised(name, page, picture, decision.ocr)
            pages.append(page)
            texts.add(page.text)
            _refuse_repeats(name, number, len(texts), len(content))
            sheets += on_page or ()
            if on_page is None:
                unread.append(number)
        with PDFIUM_LOCK:
            title, fields, bookmarks = file.title, file.fields, file.bookmarks()
            if file.replaced:
                decision.left_out["replacement text"] += file.replaced
    if not sheets:
        raise InvalidSourcesError(f"{name}: has no text{_what_instead(pages, unread, decision)}")
    # Codes for private use alone are no words.
    if not any(map(str.isalnum, "".join(p.text for sheet in sheets for p in sheet.pieces))):
        raise InvalidSourcesError(
            f"{name}: does not say which characters its glyphs are; run text recognition (OCR) "
            "first"
        )
    body = body_of(sheet.pieces for sheet in sheets)
    _drop_furniture(sheets, body)
    # Ruled tables come before columns, so that gaps between cells are no gutters.
    columns = [
        with_aligned_rows(gather_lines(block, sheet.page, sheet.turns), sheet.rules)
        for sheet in sheets
        for block in in_reading_order(
            with_ruled_tables(sheet.pieces, sheet.rules, sheet.page, sheet.turns)
        )
    ]
    paragraphs = _paragraphs(columns, body, bookmarks)
    printed_title = settle_headings(paragraphs, bookmarks)
    reasons = {
        "no text layer; pass ocr= to have the text recognised": unread,
        "fields or notes whose text may not be read": file.written_over,
    }
    warnings = [
        f"{pages_named(found)} {'have' if len(found) > 1 else 'has'} {reason}"
        for reason, found in reasons.items()
        if found
    ]
    writer = Writer(decision)
    join_over_pages([paragraph.lines[0] for paragraph in paragraphs])
    composer = _Composer(writer, pages, Joiner(line.text for lines in columns for line in lines))
    for paragraph in paragraphs:
        composer.write(paragraph)
    return writer.document(
        "pdf",
        title=title or printed_title,
        fields=fields,
        doubts=composer.doubts,
        pages=pages,
        printed=composer.printed,
        file=content,
        warnings=warnings,
    )


def _refuse_repeats(name: str, pages: int, texts: int, size: int) -> None:
    """Raise an `InvalidSourcesError` if a file of some bytes has few texts for its pages so far."""
    # A small file may name one page many thousand times.
    if pages > _MOST_ALIKE * max(texts, 10) and size < _SMALL_PAGE * pages:
        raise InvalidSourcesError(f"{name}: its pages repeat each other without an end")


_Picture = tuple[NDArray[np.uint8], float]


def _read_page(
    file: PdfFile, number: int, reader: CharacterReader, decision: Decision
) -> tuple[Page, list[_Sheet] | None, _Picture | None]:
    """Return a page and what it says; for one without a text layer `None`, and its picture."""
    with file.page(number) as opened:
        handle, frame = opened.handle, frame_of(opened.handle)
        width, height = frame.size(frame.turns)
        page = Page(number, file.label(number), width, height, text_of(opened.text))
        read = reader.read(opened, frame, layered=file.is_layered)
        directions = [found for found in map(clean, read) if len(found)]
        # A page without any object is blank, not a scan.
        if not directions and not page.text.strip() and raw.FPDFPage_CountObjects(handle) > 0:
            return page, None, drawn(handle, frame, SCALE, MOST_PIXELS) if decision.ocr else None
    main = max(directions, key=len).turns if directions else 0
    sheets = [
        _sheet(number, found, reader.fonts)
        for found in sorted(directions, key=lambda found: found.turns)
        # Others run up the margin, as the stamp of a preprint server.
        if found.turns in (0, main) or len(found) >= _FEWEST_ASIDE
    ]
    return page, sheets, None


def _sheet(number: int, found: Characters, fonts: list[Font]) -> _Sheet:
    pieces = with_formulas(with_initials(cut_into_pieces(found, fonts)), found.rules)
    return _Sheet(number, found.turns, found.height, pieces, found.rules)


def _recognised(name: str, page: Page, picture: _Picture, ocr: Ocr | None) -> list[_Sheet] | None:
    """Return what text recognition finds on a page; `None` if nothing."""
    from PIL import Image

    def failure(error: Exception) -> CiteguardError:
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        return CiteguardError(f"{name}: ocr failed on page {page.number}: {said}")

    pixels, scale = picture
    with foreign_code(failure):
        # Pictures of PDFium begin with blue, those of Pillow with red.
        found = ocr(Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))) if ocr else ""
        characters = recognised(found, page.width, page.height, scale)
    return None if characters is None else [_sheet(page.number, characters, FONTS)]


def _what_instead(pages: Sequence[Page], unread: Sequence[int], decision: Decision) -> str:
    if any(page.text.strip() for page in pages):
        return " that runs along its pages, only some that is hidden or slanting"
    if not unread:
        return ": its pages are blank"
    named = pages_named(unread)
    if decision.ocr is not None:
        return f", and text recognition (OCR) finds none on {named}"
    return f" layer, only pictures on {named}; run text recognition (OCR) first, or pass ocr="


def _drop_furniture(sheets: Sequence[_Sheet], body: Body) -> None:
    for turns in range(4):
        same = [sheet for sheet in sheets if sheet.turns == turns]
        clear = without_heads_and_feet(
            without_line_numbers([sheet.pieces for sheet in same]),
            [sheet.height for sheet in same],
            body,
        )
        for sheet, pieces in zip(same, clear, strict=True):
            sheet.pieces = pieces


def _paragraphs(columns: Sequence[list[Line]], body: Body, bookmarks: Bookmarks) -> list[Paragraph]:
    cutter = Cutter(body, usual_distances(columns))
    flow = Flow()
    for lines in columns:
        rest, notes = split_notes(lines, body.size, open_note=flow.has_open_note)
        paragraphs = cutter.cut(rest)
        mark_headings(paragraphs, body, bookmarks)
        for note in notes:
            paragraphs.append(Paragraph(note, "note", (note[0].left, note[0].right)))
        flow.add(paragraphs)
    return flow.paragraphs


class _Composer:
    """Writes paragraphs one after another, and records the place of each line.

    Attributes:
        printed: The lines written so far.
        doubts: The parts of them that may not be what the file shows.
    """

    def __init__(self, writer: Writer, pages: Sequence[Page], joiner: Joiner) -> None:
        self._writer, self._pages, self._joiner = writer, pages, joiner
        self._after_row = False  # without ruled lines or aligned cells: it is a line of text
        self.printed: list[PrintedLine] = []
        self.doubts: list[Doubt] = []

    def write(self, paragraph: Paragraph) -> None:
        """Write a paragraph, or the cells of a row with bars between them."""
        if (row := paragraph.lines[0].row) is not None:
            self._write_row(row)
        else:
            level = paragraph.level if paragraph.kind == "heading" else None
            is_row = paragraph.kind == "row"
            text = self._text_of(paragraph.lines)
            start = self._writer.write(text, level=level, close=is_row and self._after_row)
            self._place(paragraph.lines, start)
        self._after_row = paragraph.kind == "row"

    def _write_row(self, row: Row) -> None:
        heads: Literal["", "column"] = "column" if row.is_head else ""
        cells: list[Written] = []
        column = 1
        for cell in row.cells:
            empty = {*range(column, cell.column)} - row.covered
            cells += (Written("", row.number, each) for each in sorted(empty))
            place = row.number, cell.column, cell.rows, cell.columns
            cells.append(Written(self._text_of(cell.lines), *place, heads))
            column = cell.column + cell.columns
        self._writer.write_row(row.table, cells)
        starts = {cell.column: cell.start for cell in cells}
        for cell in row.cells:
            self._place(cell.lines, starts[cell.column])

    def _joined(self, lines: Sequence[Line]) -> Iterator[tuple[Line, int, str]]:
        """Yield lines with how many of their characters are written, and what joins the next."""
        for line, after in zip_longest(lines, lines[1:]):
            cut, glue = (0, "") if after is None else self._joiner.join(line.text, after.text)
            yield line, len(line.text) - cut, glue

    def _text_of(self, lines: Sequence[Line]) -> str:
        return "".join(line.text[:length] + glue for line, length, glue in self._joined(lines))

    def _place(self, lines: Sequence[Line], start: int) -> None:
        """Record the places of lines that are written from here on, and the doubts about them."""
        for line, length, glue in self._joined(lines):
            if length:
                top, bottom, lefts, rights = _as_shown(line, self._pages[line.page - 1])
                edges = lefts[:length], rights[:length]
                self.printed.append(PrintedLine(start, line.page, top, bottom, *edges))
            place = start
            for code, group in groupby(line.doubts[:length] if any(line.doubts) else ()):
                end = place + len(list(group))
                if (reason := DOUBTS[code]) is not None:
                    self.doubts.append(Doubt(place, end, reason))
                place = end
            start += length + len(glue)


def _as_shown(line: Line, page: Page) -> tuple[float, float, array[float], array[float]]:
    """Return the upper and lower edges of a line, and the edges of its characters, as shown."""
    # Recognised text without places is somewhere on the page.
    if line.main.font is NOWHERE:
        count = len(line.text)
        return 0, page.height, array("f", [0]) * count, array("f", [page.width]) * count
    if line.turns == 0:
        return line.top, line.bottom, line.lefts, line.rights
    if line.turns == 2:
        lefts = array("f", [page.width - right for right in line.rights])
        rights = array("f", [page.width - left for left in line.lefts])
        return page.height - line.bottom, page.height - line.top, lefts, rights
    if line.turns == 1:
        left, right = line.top, line.bottom
        top, bottom = page.height - line.right, page.height - line.left
    else:
        left, right = page.width - line.bottom, page.width - line.top
        top, bottom = line.left, line.right
    # The characters of a line that runs up the page are above each other.
    count = len(line.text)
    return top, bottom, array("f", [left]) * count, array("f", [right]) * count

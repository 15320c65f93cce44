"""PDF files as documents: `read_pdf`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citeguard.documents.document import Document
from citeguard.documents.pdf.characters import CharacterReader
from citeguard.documents.pdf.cleaning import clean
from citeguard.documents.pdf.columns import in_reading_order
from citeguard.documents.pdf.composing import Composer
from citeguard.documents.pdf.flow import Flow
from citeguard.documents.pdf.furniture import Body, usual_look, without_furniture
from citeguard.documents.pdf.headings import mark_headings
from citeguard.documents.pdf.hyphens import Joiner
from citeguard.documents.pdf.lines import Line, gather_lines
from citeguard.documents.pdf.margins import without_line_numbers
from citeguard.documents.pdf.notes import bracket_marks, split_notes
from citeguard.documents.pdf.opening import PdfFile, frame_of, open_pdf, text_of
from citeguard.documents.pdf.outline import settle_headings
from citeguard.documents.pdf.paragraphs import Cutter, Paragraph, usual_distances
from citeguard.documents.pdf.pdfium import PDFIUM_LOCK
from citeguard.documents.pdf.pieces import Piece, cut_into_pieces
from citeguard.documents.pdf.titles import Titles, comparable
from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import Layout, Page

_FEWEST_ASIDE = 200  # characters that run in another direction: fewer are a stamp or a label


@dataclass(slots=True)
class _Sheet:
    """What stands on a page in one direction."""

    page: int
    turns: int
    height: float
    pieces: list[Piece]


def read_pdf(content: bytes, name: str, *, max_pages: int | None = None) -> Document:
    """Return a PDF file's text in reading order, and where each line of it stands on its pages.

    Running heads and feet, page numbers and text that runs up the margin are left out; the text
    of the pages as the file has it is in the layout. Columns are read one after another, words
    broken at the end of a line are made whole, and footnotes stand after the paragraph that they
    interrupt. Raised digits are superscripts.

    Args:
        content: What the file holds.
        name: What messages call it.
        max_pages: The most pages that are read.

    Raises:
        InvalidSourcesError: the file is encrypted, damaged, or has no text; the message starts with
            `name`.
        PageLimitError: it has more pages than `max_pages`.
    """
    pages: list[Page] = []
    sheets: list[_Sheet] = []
    with open_pdf(content, name, max_pages) as file:
        reader = CharacterReader()
        for number in range(1, file.page_count + 1):
            with PDFIUM_LOCK:  # page by page, so that others get their turn
                page, on_page = _read_page(file, number, reader)
            pages.append(page)
            sheets += on_page
        with PDFIUM_LOCK:
            title = file.title
            titles = _titles(file)
            if not sheets:
                raise InvalidSourcesError(f"{name}: has no text{_what_instead(file, pages)}")
    _check_characters(sheets, name)
    composer, printed_title = _compose(pages, sheets, titles)
    layout = Layout(
        "pdf",
        len(composer.text),
        headings=composer.headings,
        pages=pages,
        printed=composer.printed,
        file=content,
    )
    return Document(text=composer.text, layout=layout, title=title or printed_title)


def _read_page(file: PdfFile, number: int, reader: CharacterReader) -> tuple[Page, list[_Sheet]]:
    with file.page(number) as (handle, text):
        frame = frame_of(handle)
        width, height = frame.size(frame.turns)
        page = Page(number, file.label(number), width, height, text_of(text))
        directions = [found for found in map(clean, reader.read(text, frame)) if len(found)]
    upright = max(directions, key=len).turns if directions else 0
    return page, [
        _Sheet(number, found.turns, found.height, cut_into_pieces(found, reader.fonts))
        for found in sorted(directions, key=lambda found: found.turns)
        if found.turns in (0, upright) or len(found) >= _FEWEST_ASIDE
    ]


def _titles(file: PdfFile) -> Titles:
    titles: Titles = {}
    for title, page, level in file.bookmarks():
        if words := comparable(title):
            titles.setdefault(page, {}).setdefault(words, level)
    return titles


def _what_instead(file: PdfFile, pages: Sequence[Page]) -> str:
    """Return what a file has that has no text to be read."""
    if any(page.text.strip() for page in pages):
        return " that runs along its pages, only some that is hidden or set askew"
    if all(file.is_blank(page.number) for page in pages):
        return ": its pages are blank"
    return ", only pictures of its pages; recognise its text first (OCR)"


def _check_characters(sheets: Sequence[_Sheet], name: str) -> None:
    if not any(map(str.isalnum, "".join(p.text for sheet in sheets for p in sheet.pieces))):
        raise InvalidSourcesError(
            f"{name}: does not say which characters its glyphs are; recognise its text first (OCR)"
        )


def _compose(
    pages: Sequence[Page], sheets: Sequence[_Sheet], titles: Titles
) -> tuple[Composer, str | None]:
    body = usual_look(sheet.pieces for sheet in sheets)
    _drop_furniture(sheets, body, titles)
    columns = list(_columns(sheets))
    cutter = Cutter(body, usual_distances(lines for lines, _ in columns), titles)
    flow = Flow(body.size)
    for lines, height in columns:
        rest, notes = split_notes(lines, body.size, height, open_note=flow.has_open_note)
        paragraphs = cutter.cut(rest)
        mark_headings(paragraphs, body, titles)
        for note in notes:
            paragraphs.append(Paragraph(note, "note", (note[0].left, note[0].right)))
        flow.add(paragraphs)
    bracket_marks(flow.paragraphs)
    title = settle_headings(flow.paragraphs, titles)
    joiner = Joiner(line.text for lines, _ in columns for line in lines)
    composer = Composer(pages, joiner)
    composer.write(flow.paragraphs)
    return composer, title


def _drop_furniture(sheets: Sequence[_Sheet], body: Body, titles: Titles) -> None:
    for turns in range(4):
        same = [sheet for sheet in sheets if sheet.turns == turns]
        clear = without_furniture(
            without_line_numbers([sheet.pieces for sheet in same]),
            [sheet.height for sheet in same],
            body,
            [titles.get(sheet.page, {}) for sheet in same],
        )
        for sheet, pieces in zip(same, clear, strict=True):
            sheet.pieces = pieces


def _columns(sheets: Iterable[_Sheet]) -> Iterator[tuple[list[Line], float]]:
    for sheet in sheets:
        for block in in_reading_order(sheet.pieces):
            yield gather_lines(block, sheet.page, sheet.turns), sheet.height

"""PDF files: opened, asked for their pages, and closed; each refusal names the file."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from citeguard.documents.document import PageLimitError
from citeguard.documents.pdf.frame import Frame
from citeguard.documents.pdf.pdfium import PDFIUM_LOCK
from citeguard.errors import InvalidSourcesError

_pdfium: Any = import_module("pypdfium2.raw")  # it has no types

_OBJECT, _END = b" obj", b"%%EOF"
_MOST_BOOKMARKS = 20_000
_DEEPEST_BOOKMARK = 6
_NO_TITLE = re.compile(
    r"untitled.*|microsoft (?:word|powerpoint).*"
    r"|.*\.(?:docx?|tex|dvi|pdf|indd|qxd|rtf|odt|pptx?|html?)"
    r"|(?:file|https?)://.*|\W*|document\W?\d*|about:blank|powerpoint presentation|slide \d+"
    r"|\(anonymous\)|anonymous|unspecified",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_TITLE = 300  # characters
_SPACES = re.compile(r"[\x00-\x20]+")


class PdfFile:
    """A PDF file that is open. PDFium's lock must be held around each call.

    Args:
        handle: What PDFium calls it.
        name: What messages call it.
    """

    def __init__(self, handle: Any, name: str) -> None:
        self._handle, self._name = handle, name
        self.page_count: int = _pdfium.FPDF_GetPageCount(handle)

    @property
    def title(self) -> str | None:
        """What its author calls it; `None` if nothing, or what a program made up."""
        raw = _text(_pdfium.FPDF_GetMetaText, self._handle, b"Title")
        title = _SPACES.sub(" ", raw).strip()
        return None if len(title) > _LONGEST_TITLE or _NO_TITLE.fullmatch(title) else title

    def label(self, number: int) -> str:
        """Return what the file calls a page; its number as text where it calls it nothing."""
        return _text(_pdfium.FPDF_GetPageLabel, self._handle, number - 1).strip() or str(number)

    @contextmanager
    def page(self, number: int) -> Generator[tuple[Any, Any]]:
        """Open a page, and its text.

        Raises:
            InvalidSourcesError: it cannot be read.
        """
        page = _pdfium.FPDF_LoadPage(self._handle, number - 1)
        if not page:
            raise InvalidSourcesError(f"{self._name}: page {number} is damaged")
        try:
            text = _pdfium.FPDFText_LoadPage(page)
            if not text:
                raise InvalidSourcesError(f"{self._name}: page {number} is damaged")
            try:
                yield page, text
            finally:
                _pdfium.FPDFText_ClosePage(text)
        finally:
            _pdfium.FPDF_ClosePage(page)

    def is_blank(self, number: int) -> bool:
        """Tell whether nothing stands on a page."""
        with self.page(number) as (page, _):
            return _pdfium.FPDFPage_CountObjects(page) <= 0

    def bookmarks(self) -> Iterator[tuple[str, int, int]]:
        """Yield the titles of the bookmarks, the numbers of their pages, and their levels."""
        first = _pdfium.FPDFBookmark_GetFirstChild(self._handle, None)
        waiting = [(first, 1)]
        for _ in range(_MOST_BOOKMARKS):  # a damaged file's may go round in circles
            if not waiting:
                return
            bookmark, level = waiting.pop()
            if not bookmark:
                continue
            title = _text(_pdfium.FPDFBookmark_GetTitle, bookmark)
            target = _pdfium.FPDFBookmark_GetDest(self._handle, bookmark)
            page = _pdfium.FPDFDest_GetDestPageIndex(self._handle, target) if target else -1
            if title and page >= 0:
                yield title, page + 1, level
            waiting.append((_pdfium.FPDFBookmark_GetNextSibling(self._handle, bookmark), level))
            if level < _DEEPEST_BOOKMARK:
                child = _pdfium.FPDFBookmark_GetFirstChild(self._handle, bookmark)
                waiting.append((child, level + 1))


def frame_of(page: Any) -> Frame:
    """Return the part of a page that is shown."""
    box = _pdfium.FS_RECTF()
    _pdfium.FPDF_GetPageBoundingBox(page, ctypes.byref(box))
    return Frame(box.left, box.bottom, box.right, box.top, _pdfium.FPDFPage_GetRotation(page))


def text_of(text_page: Any) -> str:
    """Return the text of a page as the file has it, with a line feed after each line."""
    count = _pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (2 * count + 1))()
    written = _pdfium.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(written - 1, 0)].decode("utf-16-le", "replace")
    lines = text.replace("\r\n", "\n").translate({0: None, 2: "-\n", 0xFFFE: "-\n"})
    return lines.replace("-\n\n", "-\n")


@contextmanager
def open_pdf(content: bytes, name: str, max_pages: int | None) -> Generator[PdfFile]:
    """Open a PDF file, and close it.

    Raises:
        InvalidSourcesError: it is encrypted, damaged, or has no pages.
        PageLimitError: it has more pages than `max_pages`.
    """
    _check_complete(content, name)
    with PDFIUM_LOCK:
        handle = _pdfium.FPDF_LoadMemDocument64(content, len(content), None)
        if not handle:
            raise InvalidSourcesError(f"{name}: {_reason(_pdfium.FPDF_GetLastError())}")
        file = PdfFile(handle, name)
    try:
        if not file.page_count:
            raise InvalidSourcesError(f"{name}: has no pages")
        if max_pages is not None and file.page_count > max_pages:
            raise PageLimitError(
                f"{name}: has {file.page_count:,} pages, and at most {max_pages:,} are read"
            )
        yield file
    finally:
        with PDFIUM_LOCK:
            _pdfium.FPDF_CloseDocument(handle)


def _check_complete(content: bytes, name: str) -> None:
    """Refuse a file that was cut off: PDFium would read what is left of it without a word."""
    if b"%PDF-" not in content[:1024]:
        raise InvalidSourcesError(f"{name}: is no PDF file")
    if content.rfind(_END) < content.rfind(_OBJECT):
        raise InvalidSourcesError(f"{name}: is damaged: it is cut off")


def _reason(error: int) -> str:
    if error == _pdfium.FPDF_ERR_PASSWORD:
        return "is encrypted, and needs a password; save a copy without one"
    if error == _pdfium.FPDF_ERR_SECURITY:
        return "is encrypted in a way that cannot be read"
    return "is damaged, and cannot be read as a PDF file"


def _text(function: Any, *arguments: Any) -> str:
    """Return a text that PDFium writes into a buffer, in UTF-16 with a zero at the end."""
    length = function(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    function(*arguments, buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")

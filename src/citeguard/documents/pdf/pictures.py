"""Pages of a PDF file as pictures: `page_picture`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from citeguard.documents.pdf.pdfium import PDFIUM_LOCK
from citeguard.errors import CiteguardError
from citeguard.sources.layout import Box

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 900
"""Pixels of a page's width: on A4 some 110 to the inch, enough to read a footnote."""

_LONGEST = 2.0  # seconds of work for a page; one of print takes 0.01, and some maps take minutes
_TALLEST = 3  # heights of a picture in its widths: a page may be 1 point wide, and 14,400 high
_HIGHLIGHTER = (255, 230, 90)  # yellow: black print on it stays black
_COLOURS = 64  # of a palette: print stays sharp in 16 shades, and a diagram keeps its colours
_WHITE = (255, 255, 255, 255)


def page_picture(
    file: bytes, page: int, *, marks: Iterable[Box] = (), width: int = WIDTH
) -> bytes | None:
    """Return a page of a PDF file as a picture: PNG with a palette, some 75 kB for a page of print.

    It shows the page as a reader sees it: turned and cropped as the file says, on white. A page
    more than three times as high as wide gets a narrower picture, so that no picture takes more
    than ten megabytes while it is drawn. PDFium draws one page at a time, whoever asks.

    Args:
        file: What the PDF file holds.
        page: The number of the page, from 1.
        marks: What is marked on it, as with a highlighter; boxes on other pages are left out.
        width: The picture's width in pixels.

    Returns:
        The picture; `None` if the page is so full that two seconds of work do not draw it.

    Raises:
        CiteguardError: there is no such page, or PDFium cannot read it.
    """
    with PDFIUM_LOCK:
        drawn = _drawn(file, page, width)
    if drawn is None:
        return None
    picture, scale = drawn
    for box in marks:
        if box.page == page:
            _mark(picture, box, scale)
    return _as_png(picture)


def _drawn(file: bytes, number: int, width: int) -> tuple[Image, float] | None:
    """Return a page as a picture, and how many pixels of it are a point."""
    pdfium: Any = import_module("pypdfium2")  # it has no types, and only PDF files need it
    try:
        # Each is closed here, as whatever is left to the garbage collector is closed unlocked.
        with closing(pdfium.PdfDocument(file)) as document:
            if not 1 <= number <= len(document):
                raise CiteguardError(f"there is no page {number} among {len(document)}")
            with closing(document[number - 1]) as page:
                scale = min(width / page.get_width(), _TALLEST * width / page.get_height())
                size = [max(1, round(scale * side)) for side in page.get_size()]
                bitmap = pdfium.PdfBitmap.new_native(*size, pdfium.raw.FPDFBitmap_BGR)
                with closing(bitmap):
                    bitmap.fill_rect(_WHITE, 0, 0, *size)
                    if not _draw(page, bitmap):
                        return None
                    return bitmap.to_pil().convert("RGB"), scale
    except pdfium.PdfiumError as error:
        raise CiteguardError(f"page {number} cannot be drawn: {error}") from error


def _draw(page: Any, bitmap: Any) -> bool:
    """Draw a page on a bitmap, and tell whether all of it was drawn in time."""
    raw: Any = import_module("pypdfium2.raw")
    last = time.thread_time() + _LONGEST

    def is_late(_: Any) -> bool:
        return time.thread_time() > last

    pause = raw.IFSDK_PAUSE(version=1)
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(is_late)
    whole = (0, 0, bitmap.width, bitmap.height)
    try:
        state = raw.FPDF_RenderPageBitmap_Start(bitmap, page, *whole, 0, raw.FPDF_ANNOT, pause)
    finally:
        raw.FPDF_RenderPage_Close(page)
    return state == raw.FPDF_RENDER_DONE


def _mark(picture: Image, box: Box, scale: float) -> None:
    from PIL import Image, ImageChops

    left, top, right, bottom = (
        round(scale * edge) for edge in (box.left, box.top, box.right, box.bottom)
    )
    marked = picture.crop((left, top, right, bottom))
    colour = Image.new("RGB", marked.size, _HIGHLIGHTER)
    picture.paste(ImageChops.multiply(marked, colour), (left, top))


def _as_png(picture: Image) -> bytes:
    from PIL.Image import Dither, Quantize

    # An octree is exact for the few colours of most pages, and takes a third of a median cut.
    limited = picture.quantize(_COLOURS, method=Quantize.FASTOCTREE, dither=Dither.NONE)
    written = BytesIO()
    limited.save(written, "PNG")
    return written.getvalue()

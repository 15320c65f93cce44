"""Pages of a PDF file as pictures: `page_picture`."""

from __future__ import annotations

from contextlib import closing
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from citeguard.documents.pdf.pdfium import PDFIUM_LOCK
from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 900
"""Pixels of a page's width: on A4 some 110 to the inch, enough to read a footnote."""

_TALLEST = 3  # heights of a picture in its widths: a page may be 1 point wide, and 14,400 high
_COLOURS = 64  # of a palette: print stays sharp in 16 shades, and a diagram keeps its colours


def page_picture(file: bytes, page: int, *, width: int = WIDTH) -> bytes:
    """Return a page of a PDF file as a picture: PNG with a palette, some 75 kB for a page of print.

    It shows the page as a reader sees it: turned and cropped as the file says, on white. A page
    more than three times as high as wide gets a narrower picture, so that no page takes more than
    some ten megabytes while it is drawn. PDFium draws one page at a time, whoever asks.

    Args:
        file: What the PDF file holds.
        page: The number of the page, from 1.
        width: The picture's width in pixels.

    Raises:
        CiteguardError: there is no such page, or PDFium cannot draw it.
    """
    with PDFIUM_LOCK:
        drawn = _drawn(file, page, width)
    return _as_png(drawn)


def _drawn(file: bytes, number: int, width: int) -> Image:
    pdfium: Any = import_module("pypdfium2")  # it has no types, and only PDF files need it

    try:
        # Each is closed here, as whatever is left to the garbage collector is closed unlocked.
        with closing(pdfium.PdfDocument(file)) as document:
            if not 1 <= number <= len(document):
                raise CiteguardError(f"there is no page {number} among {len(document)}")
            with closing(document[number - 1]) as page:
                scale = min(width / page.get_width(), _TALLEST * width / page.get_height())
                with closing(page.render(scale=scale, rev_byteorder=True)) as bitmap:
                    return bitmap.to_pil().convert("RGB")
    except pdfium.PdfiumError as error:
        raise CiteguardError(f"page {number} cannot be drawn: {error}") from error


def _as_png(picture: Image) -> bytes:
    from PIL.Image import Dither, Quantize

    # An octree is exact for the few colours of most pages, and takes a third of a median cut.
    limited = picture.quantize(_COLOURS, method=Quantize.FASTOCTREE, dither=Dither.NONE)
    written = BytesIO()
    limited.save(written, "PNG")
    return written.getvalue()

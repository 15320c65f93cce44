"""Pages of a PDF file as pictures: `page_picture`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

from citeguard.errors import CiteguardError, optional_packages
from citeguard.sources.layout import Box

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 900
"""Pixels of a page's width: on A4 some 110 to the inch, enough to read a footnote."""

_LONGEST = 2.0  # seconds of work for a page: text takes 0.01, and some maps take minutes
_TALLEST = 3  # the height of a picture in its widths: a page may be 1 point wide and 14,400 high
_HIGHLIGHTER = (255, 230, 90)  # yellow: black text on it stays black
_COLOURS = 64  # of a palette: a diagram keeps its colours
_QUALITY = 40  # of WebP with colours: text in a diagram can be read
# Text is sharp in so many shades, which take 40 % less room: 61 kB, not 107, for a page of a paper,
# and 50 kB as WebP.
_SHADES = 4
_FAINTEST = 32  # the difference between two channels from which a pixel has a colour
_MOST_GREY = 0.3  # of the pixels: six pages of a paper have .08 to .17; a photograph has more
_WHITE = (255, 255, 255, 255)


def page_picture(
    file: bytes,
    page: int,
    *,
    marks: Iterable[Box] = (),
    width: int = WIDTH,
    form: Literal["PNG", "WEBP"] = "PNG",
) -> bytes | None:
    """Return a page of a PDF file as a picture with few colours, 60 kB for a page of a paper.

    It shows the page as a reader sees it: turned and cropped as the file says, on white. The
    picture of a page more than three times as high as wide is narrower, so that no picture takes
    more than ten megabytes while it is drawn. PDFium draws one page at a time in a process.

    Args:
        file: The content of the PDF file.
        page: The number of the page, from 1.
        marks: Boxes to highlight; those on other pages are ignored.
        width: The picture's width in pixels.
        form: PNG can be shown everywhere; WebP is smaller.

    Returns:
        The picture; `None` if two seconds of work do not draw the page.

    Raises:
        CiteguardError: the page does not exist, PDFium cannot read it, or `pypdfium2` or `pillow`
            is not installed.
    """
    with optional_packages("pictures of pages"):
        import_module("PIL.Image")
        from citeguard.documents.pdf.pdfium import PDFIUM_LOCK

    with PDFIUM_LOCK:
        drawn = _drawn(file, page, width)
    if drawn is None:
        return None
    picture, scale = drawn
    for box in marks:
        if box.page == page:
            _highlight(picture, box, scale)
    return _written(picture, form)


def _drawn(file: bytes, number: int, width: int) -> tuple[Image, float] | None:
    """Return a page as a picture, and its pixels per point."""
    pdfium: Any = import_module("pypdfium2")  # it has no types
    try:
        # Everything is closed here: the garbage collector would close it without the lock.
        with closing(pdfium.PdfDocument(file)) as document:
            if not 1 <= number <= len(document):
                raise CiteguardError(f"there is no page {number}; the file has {len(document)}")
            with closing(document[number - 1]) as page:
                scale = min(width / page.get_width(), _TALLEST * width / page.get_height())
                size = [max(1, round(scale * side)) for side in page.get_size()]
                bitmap = pdfium.PdfBitmap.new_native(*size, pdfium.raw.FPDFBitmap_BGR)
                with closing(bitmap):
                    bitmap.fill_rect(_WHITE, 0, 0, *size)
                    if not _draw_in_time(pdfium.raw, page, bitmap):
                        return None
                    return bitmap.to_pil().convert("RGB"), scale
    except pdfium.PdfiumError as error:
        raise CiteguardError(f"page {number} cannot be drawn: {error}") from error


def _draw_in_time(raw: Any, page: Any, bitmap: Any) -> bool:
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


def _highlight(picture: Image, box: Box, scale: float) -> None:
    from PIL import Image, ImageChops

    left, top, right, bottom = (
        round(scale * edge) for edge in (box.left, box.top, box.right, box.bottom)
    )
    marked = picture.crop((left, top, right, bottom))
    colour = Image.new("RGB", marked.size, _HIGHLIGHTER)
    picture.paste(ImageChops.multiply(marked, colour), (left, top))


def _written(picture: Image, form: str) -> bytes:
    from PIL import ImageChops
    from PIL.Image import Dither, Quantize

    red, green, blue = picture.split()
    spread = ImageChops.lighter(
        ImageChops.difference(red, green), ImageChops.difference(green, blue)
    )
    written = BytesIO()
    grey = green.histogram()
    is_text = sum(grey[16:240]) < _MOST_GREY * sum(grey)
    if is_text and not any(spread.histogram()[_FAINTEST:]):
        step = 255 / (_SHADES - 1)
        shades = green.point([round(shade / step) for shade in range(256)])
        shades.putpalette([round(step * shade) for shade in range(_SHADES) for _ in "RGB"])
        # By method 4 no picture is smaller, and each takes thrice as long.
        shades.save(written, form, bits=2, lossless=True, method=2)
    elif form == "WEBP":
        picture.save(written, form, quality=_QUALITY)
    else:
        # An octree is exact for the few colours of most pages, and takes a third of a median cut.
        limited = picture.quantize(_COLOURS, method=Quantize.FASTOCTREE, dither=Dither.NONE)
        limited.save(written, form)
    return written.getvalue()

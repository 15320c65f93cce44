"""PDFium: the lock around it, the functions called for every character, and open files."""

from __future__ import annotations

import ctypes
import json
import math
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from importlib import import_module
from itertools import count, repeat
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.document import PageLimitError
from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import Fields

raw: Any = import_module("pypdfium2.raw")  # it has no types

PDFIUM_LOCK = Lock()
"""Held around every use of `pypdfium2`: PDFium is not safe to share between threads."""

Floats = NDArray[np.float64]

Bookmarks = dict[int, dict[str, int]]
"""The headings that a file's bookmarks name: for each page their `title_key`s and levels."""

_OBJECT, _END = b" obj", b"%%EOF"
# In the dictionary of a form: what it calls may be another form, or itself.
_CALLS = re.compile(rb"/Resources\s*\d|/XObject\s*[<\d]|#")
# The process ends with the one that it tries for, which may be killed.
_LOAD_PAGES = """
import json, os, sys, threading, time
def end_with(parent):
    while os.name == "nt" or os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)
threading.Thread(target=end_with, args=[int(sys.argv[2])], daemon=True).start()
sys.path[:] = json.loads(sys.argv[1])
from pypdfium2 import raw
file = sys.stdin.buffer.read()
pdf = raw.FPDF_LoadMemDocument64(file, len(file), None)
for number in 2 * [*range(raw.FPDF_GetPageCount(pdf))]:
    page = raw.FPDF_LoadPage(pdf, number)
    raw.FPDFPage_Flatten(page, 0)
    raw.FPDF_ClosePage(page)
"""
_SECONDS, _SECONDS_OF_A_MEGABYTE = 5.0, 1.0  # to load the pages, which takes a fiftieth of them
# A key of pictures and forms, whose dictionaries no file compresses or encrypts; # starts a code.
_LAYER = re.compile(rb"/(?:O|#4[fF])(?:C|#43)(?![\w#])")
_MOST_BOOKMARKS = 20_000
_MOST_LAYERS = 300  # of annotations over a whole page, which take a second to draw
_DEEPEST_BOOKMARK = 6
# As "Untitled", "Microsoft Word - draft", "paper.tex" and "slide 1", which programs fill in.
_NO_TITLE = re.compile(
    r"untitled.*|microsoft (?:word|powerpoint).*"
    r"|.*\.(?:docx?|tex|dvi|pdf|indd|qxd|rtf|odt|pptx?|html?)"
    r"|(?:file|https?)://.*|\W*|document\W?\d*|about:blank|powerpoint presentation|slide \d+"
    r"|\(anonymous\)|anonymous|unspecified",
    re.IGNORECASE | re.DOTALL,
)
# Accounts and programs, which editors fill in where nobody gives a name.
_NO_AUTHOR = re.compile(
    r"admin(?:istrator)?|root|user|owner|author|unknown|default|(?:microsoft|ms) .*|adobe .*"
    r"|pscript.*|(?:pdf|xe|lua)?(?:la)?tex.*|openoffice.*|libreoffice.*|[^@\s]+@[^@\s]+",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:D:)?(\d{4})(?:(\d\d)(\d\d)?)?")  # ISO 32000-1, 7.9.4
_FIRST_YEAR = 1993  # of PDF; an earlier date is that of a clock that was never set
_LONGEST_TITLE = 300  # characters
_SPACES = re.compile(r"[\x00-\x20]+")


def _bind(name: str) -> Callable[..., Any]:
    """Return a function of PDFium that takes addresses as numbers and keeps Python's own lock.

    Each character takes several calls, and releasing the lock takes longer than a call. Integers
    are passed as addresses, too: ctypes converts an address in less time than an int.
    """
    function = getattr(raw, name)
    is_handle = hasattr(function.restype, "contents")
    result = ctypes.c_void_p if is_handle else function.restype
    prototype: Any = ctypes.PYFUNCTYPE(result, *repeat(ctypes.c_void_p, len(function.argtypes)))
    return prototype(ctypes.cast(function, ctypes.c_void_p).value)


loose_box = _bind("FPDFText_GetLooseCharBox")
tight_box = _bind("FPDFText_GetCharBox")
origin = _bind("FPDFText_GetCharOrigin")
unicode = _bind("FPDFText_GetUnicode")
font_size = _bind("FPDFText_GetFontSize")
font_weight = _bind("FPDFText_GetFontWeight")
character_matrix = _bind("FPDFText_GetMatrix")
font_info = _bind("FPDFText_GetFontInfo")
unmapped = _bind("FPDFText_HasUnicodeMapError")
text_object = _bind("FPDFText_GetTextObject")
count_objects = _bind("FPDFPage_CountObjects")
object_at = _bind("FPDFPage_GetObject")
object_kind = _bind("FPDFPageObj_GetType")
object_box = _bind("FPDFPageObj_GetBounds")
fill_colour = _bind("FPDFPageObj_GetFillColor")
stroke_colour = _bind("FPDFPageObj_GetStrokeColor")
stroke_width = _bind("FPDFPageObj_GetStrokeWidth")
text_font = _bind("FPDFTextObj_GetFont")
text_size = _bind("FPDFTextObj_GetFontSize")
font_data = _bind("FPDFFont_GetFontData")
render_mode = _bind("FPDFTextObj_GetTextRenderMode")
transparent = _bind("FPDFPageObj_HasTransparency")
set_active = _bind("FPDFPageObj_SetIsActive")
count_marks = _bind("FPDFPageObj_CountMarks")
mark_at = _bind("FPDFPageObj_GetMark")
mark_name = _bind("FPDFPageObjMark_GetName")
mark_text = _bind("FPDFPageObjMark_GetParamStringValue")
remove_mark = _bind("FPDFPageObj_RemoveMark")
clip_path = _bind("FPDFPageObj_GetClipPath")
count_clip_paths = _bind("FPDFClipPath_CountPaths")
count_clip_segments = _bind("FPDFClipPath_CountPathSegments")
clip_segment = _bind("FPDFClipPath_GetPathSegment")
segment_point = _bind("FPDFPathSegment_GetPoint")
count_segments = _bind("FPDFPath_CountSegments")
path_segment = _bind("FPDFPath_GetPathSegment")
segment_kind = _bind("FPDFPathSegment_GetType")
segment_closes = _bind("FPDFPathSegment_GetClose")
object_matrix = _bind("FPDFPageObj_GetMatrix")
draw_mode = _bind("FPDFPath_GetDrawMode")
set_draw_mode = _bind("FPDFPath_SetDrawMode")
count_in_form = _bind("FPDFFormObj_CountObjects")
in_form = _bind("FPDFFormObj_GetObject")


def numbers(
    function: Callable[..., Any], *arguments: Any, places: int = 1, kind: Any = ctypes.c_float
) -> list[Any]:
    """Return the numbers that a function writes, each to a place of its own; none if it fails."""
    written: Any = (kind * places)()
    start, step = ctypes.addressof(written), ctypes.sizeof(kind)
    return [*written] if function(*arguments, *range(start, start + places * step, step)) else []


def matrix(function: Callable[..., Any], *arguments: Any) -> list[float]:
    """Return the matrix that a function writes: a, b, c, d, e, f."""
    written = (ctypes.c_float * 6)()
    function(*arguments, ctypes.addressof(written))
    return [*written]


_SCALE = 2  # pixels per point: the stems of small type are a pixel wide
_MOST_PIXELS = 8_000_000  # of a page; larger ones are drawn smaller
DEEPEST_MARKS = 500
"""Marks of the content around one object of a page; tagged files nest some ten."""
WIDGET = 20
"""The kind of annotation that is a field of a form."""
_WITH_TEXT = {WIDGET: b"V", 3: b"Contents", 13: b""}  # also free text, and stamps: a key of theirs
_NOT_SHOWN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW


def numbers_of(
    function: Callable[..., Any], text: int | None, indices: Sequence[int], columns: Sequence[int]
) -> Floats:
    """Return the numbers that a function writes of characters, each into one of the columns."""
    found = np.zeros((len(indices), len(columns)))
    start, step = found.ctypes.data, found.strides[0]
    addresses = (count(start + found.itemsize * column, step) for column in columns)
    deque(map(function, repeat(text), indices, *addresses), maxlen=0)
    return found


def structures_of(
    function: Callable[..., Any], text: int | None, indices: Sequence[int], size: int
) -> Floats:
    """Return the structure of so many numbers that a function writes, of each character."""
    found = np.zeros((len(indices), size), np.float32)
    start = found.ctypes.data
    addresses = range(start, start + found.nbytes, found.strides[0])
    deque(map(function, repeat(text), indices, addresses), maxlen=0)
    return found.astype(np.float64)


def tight_boxes(text: int | None, indices: Sequence[int]) -> Floats:
    """Return left, bottom, right and top of what is drawn of characters."""
    return numbers_of(tight_box, text, indices, (0, 2, 1, 3))


ACCENTS = "¨´`^ˆ~˜¯˘˙˚¸ˇ˛˝"
"""The spacing accents, which some files draw over letters."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of a page, in the coordinates of the file, which count up from below.

    Attributes:
        left: Its left edge.
        bottom: Its lower edge.
        right: Its right edge.
        top: Its upper edge.
        turns: Clockwise quarter turns of the page when it is shown.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    def size(self, turns: int) -> tuple[float, float]:
        """Return its width and height after quarter turns."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if turns % 2 else (width, height)

    def share_of(self, left: float, bottom: float, right: float, top: float) -> float:
        """Return the share of it that a box covers."""
        wide = min(right, self.right) - max(left, self.left)
        high = min(top, self.top) - max(bottom, self.bottom)
        return max(wide, 0) * max(high, 0) / max(math.prod(self.size(0)), 1)

    def turned(self, turns: int, boxes: Floats) -> Floats:
        """Return boxes (left, bottom, right, top) as left, top, right and bottom for a reader."""
        left, bottom, right, top = boxes.T
        xs = self.along(turns, left, bottom), self.along(turns, right, top)
        ys = self.down(turns, left, bottom), self.down(turns, right, top)
        return np.column_stack([np.minimum(*xs), np.minimum(*ys), np.maximum(*xs), np.maximum(*ys)])

    def along(self, turns: int, x: Floats, y: Floats) -> Floats:
        """Return distances from the left, for a reader turned counterclockwise."""
        return (x - self.left, y - self.bottom, self.right - x, self.top - y)[turns]

    def down(self, turns: int, x: Floats, y: Floats) -> Floats:
        """Return distances from above, for that reader."""
        return (self.top - y, x - self.left, y - self.bottom, self.right - x)[turns]


class TickBox(NamedTuple):
    """A check box or radio button, and its edges on the page."""

    ticked: bool
    left: float
    bottom: float
    right: float
    top: float


class OpenPage(NamedTuple):
    """An open page.

    Attributes:
        handle: PDFium's handle of the page, of which fields and notes are a part.
        text: That of its text.
        original: That of the page with its annotations apart.
        boxes: Its check boxes and radio buttons, which are not a part of it.
    """

    handle: Any
    text: Any
    original: Any
    boxes: list[TickBox]


class PdfFile:
    """An open PDF file. PDFium's lock must be held around each call.

    Args:
        handle: PDFium's handle of it.
        name: The name of the file in messages.
        content: Its content, which PDFium does not copy.
    """

    def __init__(self, handle: Any, name: str, content: bytes) -> None:
        self._handle, self._name, self._content = handle, name, content
        self._copy: Any = None  # of which the pages with fields or notes are changed
        self.page_count: int = raw.FPDF_GetPageCount(handle)
        self.replaced = 0  # characters of replacement text that differs from what is shown
        self.written_over: list[int] = []  # pages with annotations that may show other text

    @cached_property
    def is_layered(self) -> bool:
        """Whether pictures or forms may be in layers, which can be switched off."""
        return _LAYER.search(self._content) is not None

    @property
    def title(self) -> str | None:
        """Its title in the metadata; `None` without one, or for one that a program made up."""
        title = self._metadata(b"Title")
        return None if len(title) > _LONGEST_TITLE or _NO_TITLE.fullmatch(title) else title

    @property
    def fields(self) -> Fields:
        """Its authors and date in the metadata, as far as no program made them up."""
        authors = (each.strip() for each in self._metadata(b"Author").split(";"))
        return Fields(
            authors=tuple(
                each
                for each in authors
                if not (_NO_TITLE.fullmatch(each) or _NO_AUTHOR.fullmatch(each))
            ),
            date=_date_of(self._metadata(b"CreationDate")),
        )

    def _metadata(self, key: bytes) -> str:
        return _SPACES.sub(" ", _text(raw.FPDF_GetMetaText, self._handle, key)).strip()

    def label(self, number: int) -> str:
        """Return the label of a page, or its number as text if it has none."""
        return _text(raw.FPDF_GetPageLabel, self._handle, number - 1).strip() or str(number)

    @contextmanager
    def page(self, number: int) -> Generator[OpenPage]:
        """Open a page and its text, which is that of the glyphs shown.

        A file may give replacement text (`ActualText`) for glyphs. Where it says other than they
        do, it is not used.

        Raises:
            InvalidSourcesError: the page cannot be read.
        """
        with self._loaded(self._handle, number) as original:
            frame = frame_of(original)
            notes = [(kind, frame.share_of(*rectangle(e))) for kind, e in annotations_of(original)]
            if sum(share for _, share in notes) > _MOST_LAYERS:
                raise InvalidSourcesError(
                    f"{self._name}: annotations cover page {number} more than {_MOST_LAYERS} times"
                )
            if not any(kind in _WITH_TEXT for kind, _ in notes):
                with self._with_text(original, number) as text:
                    yield OpenPage(original, text, original, [])
                return
            if self._copy is None:
                # To flatten a page changes it; its annotations are still asked for in the original.
                self._copy = raw.FPDF_LoadMemDocument64(self._content, len(self._content), None)
            with self._loaded(self._copy, number) as page:
                boxes = self._flatten(page, number)
            # Loaded again, for the text of what is now part of its content.
            with self._loaded(self._copy, number) as page, self._with_text(page, number) as text:
                yield OpenPage(page, text, original, boxes)

    @contextmanager
    def _loaded(self, file: Any, number: int) -> Generator[Any]:
        page = raw.FPDF_LoadPage(file, number - 1)
        if not page:
            raise InvalidSourcesError(f"{self._name}: page {number} is damaged")
        try:
            yield page
        finally:
            raw.FPDF_ClosePage(page)

    @contextmanager
    def _with_text(self, page: Any, number: int) -> Generator[Any]:
        text = raw.FPDFText_LoadPage(page)
        if not text:
            raise InvalidSourcesError(f"{self._name}: page {number} is damaged")
        try:
            if self._has_replacements(page, number):
                shown = raw.FPDFText_LoadPage(page)
                given, plain = (_letters(text_of(each)) for each in (text, shown))
                if given != plain:
                    self.replaced += sum((Counter(given) - Counter(plain)).values())
                    text, shown = shown, text
                raw.FPDFText_ClosePage(shown)
            yield text
        finally:
            raw.FPDFText_ClosePage(text)

    def _has_replacements(self, page: Any, number: int) -> bool:
        """Take the replacement texts off the text of a page, and return whether there were any.

        Raises:
            InvalidSourcesError: its marks are nested too deeply: going through them has no end.
        """
        handle = ctypes.cast(page, ctypes.c_void_p).value
        length = ctypes.c_ulong()
        found = False
        for index in range(count_objects(handle)):
            each = object_at(handle, index)
            if (count := count_marks(each)) > DEEPEST_MARKS:
                raise InvalidSourcesError(f"{self._name}: page {number} nests {count:,} marks")
            # From the last one on, as those behind a mark that is taken off move up.
            for place in reversed(range(count)):
                mark = mark_at(each, place)
                if mark_text(mark, b"ActualText", None, 0, ctypes.byref(length)):
                    remove_mark(each, mark)
                    found = True
        return found

    def _flatten(self, page: Any, number: int) -> list[TickBox]:
        """Make the annotations of a page part of its content, but for its boxes, which it returns.

        What is drawn of a field is what readers see of its value; a password is stars.
        """
        # As it draws the page, PDFium draws the fields that the file leaves to its readers.
        drawn(page, frame_of(page), 1, 1)
        boxes: list[TickBox] = []
        gone: list[int] = []
        unread = False
        for index, (kind, annotation) in enumerate(annotations_of(page)):
            if raw.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN:
                gone.append(index)
            # The state of a box ("AS") is "Off", or else the name of its ticked look.
            elif kind == WIDGET and (state := _value(annotation, b"AS")):
                look = _text(raw.FPDFAnnot_GetAP, annotation, 0, unit=ctypes.c_ushort)
                # A ticked look that draws nothing shows no tick.
                if state == "Off" or look.strip() or not raw.FPDFAnnot_HasKey(annotation, b"AP"):
                    boxes.append(TickBox(state != "Off", *rectangle(annotation)))
                gone.append(index)
            # Without a look of its own ("AP"), other readers may draw its value.
            elif kind in _WITH_TEXT and not raw.FPDFAnnot_HasKey(annotation, b"AP"):
                unread |= bool(_value(annotation, _WITH_TEXT[kind]).strip())
        # From the last one on, as the others move up.
        for index in reversed(gone):
            raw.FPDFPage_RemoveAnnot(page, index)
        self.written_over += [number] * unread
        raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
        return boxes

    def close(self) -> None:
        """Close it."""
        for handle in filter(None, (self._copy, self._handle)):
            raw.FPDF_CloseDocument(handle)

    def bookmarks(self) -> Bookmarks:
        """Return the headings that the bookmarks name."""
        bookmarks: Bookmarks = {}
        waiting = [(raw.FPDFBookmark_GetFirstChild(self._handle, None), 1)]
        for _ in range(_MOST_BOOKMARKS):  # those of a damaged file may form a circle
            if not waiting:
                break
            bookmark, level = waiting.pop()
            if not bookmark:
                continue
            key = title_key(_text(raw.FPDFBookmark_GetTitle, bookmark))
            target = raw.FPDFBookmark_GetDest(self._handle, bookmark)
            page = raw.FPDFDest_GetDestPageIndex(self._handle, target) if target else -1
            if key and page >= 0:
                bookmarks.setdefault(page + 1, {}).setdefault(key, level)
            waiting.append((raw.FPDFBookmark_GetNextSibling(self._handle, bookmark), level))
            if level < _DEEPEST_BOOKMARK:
                child = raw.FPDFBookmark_GetFirstChild(self._handle, bookmark)
                waiting.append((child, level + 1))
        return bookmarks


def annotations_of(page: Any) -> Generator[tuple[int, Any]]:
    """Yield the annotations of a page: the kind of each, and its handle until the next one."""
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        yield raw.FPDFAnnot_GetSubtype(annotation), annotation
        raw.FPDFPage_CloseAnnot(annotation)


def rectangle(annotation: Any) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of an annotation."""
    box = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(box))
    return box.left, box.bottom, box.right, box.top


def _value(annotation: Any, key: bytes) -> str:
    return _text(raw.FPDFAnnot_GetStringValue, annotation, key, unit=ctypes.c_ushort)


def _letters(text: str) -> str:
    """Return a text without white space and hyphens, and with ligatures as letters."""
    return re.sub(r"[\s\xad\u2010-]+", "", unicodedata.normalize("NFKC", text))


@contextmanager
def open_pdf(content: bytes, name: str, max_pages: int | None) -> Generator[PdfFile]:
    """Open a PDF file, and close it after the block.

    Raises:
        InvalidSourcesError: it is encrypted or damaged, has no pages, or its forms have no end.
        PageLimitError: it has more pages than `max_pages`.
    """
    # Readers of PDF files accept up to 1,024 bytes before the header.
    if b"%PDF-" not in content[:1024]:
        raise InvalidSourcesError(f"{name}: is not a PDF file")
    if content.rfind(_END) < content.rfind(_OBJECT):  # PDFium would read the rest silently
        raise InvalidSourcesError(f"{name}: is damaged: the end of the file is missing")
    with PDFIUM_LOCK:
        handle = raw.FPDF_LoadMemDocument64(content, len(content), None)
        if not handle:
            raise InvalidSourcesError(f"{name}: {_reason(raw.FPDF_GetLastError())}")
        file = PdfFile(handle, name, content)
    try:
        if not file.page_count:
            raise InvalidSourcesError(f"{name}: has no pages")
        if max_pages is not None and file.page_count > max_pages:
            raise PageLimitError(
                f"{name}: has {file.page_count:,} pages, and at most {max_pages:,} are read"
            )
        # Not under the lock: it may take seconds, in another process.
        _refuse_endless(content, name)
        yield file
    finally:
        with PDFIUM_LOCK:
            file.close()


def _refuse_endless(content: bytes, name: str) -> None:
    """Raise an `InvalidSourcesError` if PDFium does not get through the forms of a file.

    It reads a form whenever another one calls it: 40 forms that call the next one twice take years,
    and nothing interrupts it. So a process that can be killed tries first, except in a program that
    is frozen, and cannot start Python.
    """
    # The dictionary of a stream is behind the "endobj" of the object before.
    parts = (part[part.rfind(b"endobj") :] for part in content.split(b"stream"))
    if getattr(sys, "frozen", not sys.executable) or not any(
        (b"/Form" in part or b"#" in part) and _CALLS.search(part) for part in parts
    ):
        return
    # "-P" keeps modules in the working directory from being imported.
    command = (sys.executable, "-P", "-c", _LOAD_PAGES, json.dumps(sys.path), str(os.getpid()))
    seconds = _SECONDS + _SECONDS_OF_A_MEGABYTE * len(content) / 1_000_000
    try:
        subprocess.run(command, input=content, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise InvalidSourcesError(f"{name}: its forms call each other without an end") from error


def _reason(error: int) -> str:
    if error == raw.FPDF_ERR_PASSWORD:
        return "is encrypted and needs a password; save a copy without one"
    if error == raw.FPDF_ERR_SECURITY:
        return "is encrypted in a way that cannot be read"
    return "is damaged and cannot be read as a PDF file"


def frame_of(page: Any) -> Frame:
    """Return the visible part of an open page."""
    box = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(page, ctypes.byref(box))
    return Frame(box.left, box.bottom, box.right, box.top, raw.FPDFPage_GetRotation(page))


def drawn(
    page: Any,
    frame: Frame,
    scale: float = _SCALE,
    most_pixels: int = _MOST_PIXELS,
    *,
    bare: bool = False,
    flags: int = raw.FPDF_ANNOT,
) -> tuple[NDArray[np.uint8], float]:
    """Return a page as shown, as rows of pixels of blue, green and red, and pixels per point.

    These are `scale`, or fewer if the page would have more than `most_pixels`. With `bare`, nothing
    is behind the page, nor on it, and the fourth number of a pixel is how opaque it is.
    """
    width, height = frame.size(frame.turns)
    scale = min(scale, (most_pixels / max(width * height, 1)) ** 0.5)
    size = max(1, round(scale * width)), max(1, round(scale * height))
    kind = raw.FPDFBitmap_BGRA if bare else raw.FPDFBitmap_BGRx
    bitmap = raw.FPDFBitmap_CreateEx(*size, kind, None, 0)
    try:
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, *size, 0 if bare else 0xFFFFFFFF)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size, 0, 0 if bare else flags)
        # Rows of a bitmap may be longer than what is drawn in them.
        stride = raw.FPDFBitmap_GetStride(bitmap)
        start = ctypes.cast(raw.FPDFBitmap_GetBuffer(bitmap), ctypes.c_void_p).value or 0
        buffer = (ctypes.c_ubyte * (stride * size[1])).from_address(start)
        rows = np.frombuffer(buffer, np.uint8).reshape(size[1], stride)
        pixels = rows[:, : 4 * size[0]].reshape(size[1], size[0], 4)
        # A copy, as the buffer goes with the bitmap.
        return pixels[:, :, : 4 if bare else 3].copy(), scale
    finally:
        raw.FPDFBitmap_Destroy(bitmap)


def text_of(text_page: Any) -> str:
    """Return the text of a page as it is in the file, with a line feed after each line."""
    count = raw.FPDFText_CountChars(text_page)
    if count <= 0:
        return ""
    # A character may take two units of UTF-16.
    buffer = (ctypes.c_ushort * (2 * count + 1))()
    written = raw.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(written - 1, 0)].decode("utf-16-le", "replace")
    # U+0002 and U+FFFE are PDFium's signs for a hyphen at the end of a line.
    lines = text.replace("\r\n", "\n").translate({0: None, 2: "-\n", 0xFFFE: "-\n"})
    return lines.replace("-\n\n", "-\n")


def title_key(title: str) -> str:
    """Return the letters of a heading without its number, to compare it with a bookmark.

    Examples:
        >>> title_key("2.1 The Ships")
        'theships'
    """
    words = re.findall(r"[^\W_]+", title.casefold())
    while words and words[0].isdecimal() and len(words) > 1:
        words.pop(0)
    return "".join(words)


def _date_of(text: str) -> str | None:
    match = _DATE.match(text)
    if match is None or int(match[1]) < _FIRST_YEAR:
        return None
    try:
        # "20210231" is no date.
        date(*(int(each or 1) for each in match.groups()))
    except ValueError:
        return None
    return "-".join(filter(None, match.groups()))


def _text(function: Any, *arguments: Any, unit: type[Any] = ctypes.c_char) -> str:
    """Return the text that PDFium writes into a buffer, in UTF-16 and ended by a zero."""
    length = function(*arguments, None, 0)
    # Nothing but the zero at its end.
    if length <= 2:
        return ""
    buffer, pointer = ctypes.create_string_buffer(length), ctypes.POINTER(unit)
    function(*arguments, ctypes.cast(buffer, pointer), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")

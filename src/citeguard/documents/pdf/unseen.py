"""What of a page's text its readers do not see, and what may be other than it seems.

A cheap look at the objects of a page decides whether anything is odd: light or transparent colours,
something drawn over or behind text, clipping, layers, annotations. Only then is the page drawn
with its text and without: a character that changes no pixel is not seen, whatever hides it. And the
text is drawn alone: where it changes too few of those pixels, something covers a part of it.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.document import SMALLEST
from citeguard.documents.pdf import pdfium
from citeguard.documents.pdf.pdfium import Floats, Frame, OpenPage, drawn, raw
from citeguard.sources.layout import DoubtReason

Flags = NDArray[np.bool_]

_Clip = tuple[float, float, float, float, int]
_Point = tuple[float, float]

DOUBTS: tuple[DoubtReason | None, ...] = (None, "unseen", "unmapped", "overdrawn", "recognised")
"""What the codes of `Findings.doubts` mean."""
UNSEEN, UNMAPPED, OVERDRAWN, RECOGNISED = range(1, len(DOUBTS))

_INK = 24  # of 255: the least difference that is seen, a contrast of about 1.2 to white
_INK_SHARE = 0.05  # of a character's box: thin strokes fill a tenth
_OPAQUE = 128  # of 255: pixels of a character that must be seen; those at its edges need not
_SEEN = 0.8  # of them: with less, an 8 may look like a 6 or a 3
_UNCUT = 0.6  # of a character's box: an italic f may reach that far out of its column
_COVER = 1.0  # points of the height of a text: what covers less of it leaves every letter whole
_NARROW = 0.1  # of the longer side of a character's box: narrower are a few, as an i in some fonts
_SQUEEZED = 0.2  # of its width or height as designed: letters cannot be told
# Of the font's size: the higher or wider side of a letter that is drawn, either side (PDFium gives
# 0.01 for nothing), and how far from its place it may be.
_SMALLEST_LETTER, _EMPTY, _FARTHEST = 0.15, 0.015, 3.0
_LETTERS = np.fromiter(map(str.isalnum, map(chr, range(0x10000))), bool)  # and digits
_LEVEL = 0.3  # of its height: a character whose box ends so near is on the same line
_GAP = 0.45  # of its height: the least distance of two characters that something is between
_SUSPECT = 0.2  # of the box of a letter: one that is drawn in less is looked at
_WHITE = (255, 255, 255)
_COLOUR: Any = {"places": 4, "kind": ctypes.c_uint32}  # red, green, blue and alpha
# What PDFium gives as the colour of patterns: of tiling ones in colours of their own, and others.
_PATTERNED = ((191, 191, 191), _WHITE)
_ALIKE = 80  # of 255: a text in front of what is as light, but for less, is compared with it
_LIGHT = 200  # of 255: colours with a channel above are compared with what is behind
_SOLID = 230  # of 255, of an alpha
_THIN = 3.0  # points: what is thinner covers nothing unless it is light; it may be a line
_SLIVER = 0.5  # points: what is thinner covers nothing
_STRIPS = 0.25  # of the height of a text: as many thin pieces over it may cover a word of it
_LARGE = 2.5  # times the height of a text: one that is drawn over it may cover it
_MOST_OBJECTS = 20_000  # of a page, besides its text, that are looked at one by one
# Parts of a character's box from below: with the usual ascent and descent, x-heights are from 0.2
# to 0.6, and within these may be a line that strikes out, since some ascents are low.
_MIDDLE, _WITHIN = (0.28, 0.6), (0.2, 0.8)
_CROSSED = (0.3, 0.85)  # of what is drawn of a letter, where a line strikes out: not below "p"
_BESIDE = 1.5  # points from a line: there it is seen against something else
_MARKER, _DIM = 1.0, 40  # points, of 255: a thicker line that is not darker marks words
_LIGHTNESS = np.array([0.11, 0.59, 0.3])  # of blue, green and red
_MARKED, _THIN_SHAPE, _EDGE = range(3)  # kinds of lines: by an annotation, drawn, part of a shape
_ACROSS = 0.25  # of the width of struck words: the least that is drawn, beside what is over letters
_MOSTLY = 0.8  # of the letters under a line, that it crosses there
_BEYOND = 0.6  # of its height: a line that reaches farther than that beyond words is a rule
_STROKE = 1.6  # of the height of the characters: the longest stroke that is part of a sign
# Signs that lines below, above or through make others of.
_SIGNS = [*map(ord, "<>=~+-−±∼≈∈⊂⊃∪∩∃→←|")]
_THICKEST = 0.3  # of the height of the characters: a line through words
# Segments of a path: at most those of a bar; those of a stroke, which may be bent; of a line.
_SIMPLE, _OF_STROKE, _OF_LINES = 6, 4, 2
_SCRIBBLED = 0.3  # of the letters around a stroke: one that crosses fewer is a curve of a chart
_OF_A_SIGN = 40  # of what may be drawn over one: it may be bent, or filled
_OVER = 0.75  # of the narrower one: glyphs that share more are drawn over each other, while
# kerning ("V,") and the slant of an italic f share up to 0.56 in the papers looked at.
_SHAPES = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE)
_CLIPPED = 1.0  # points
_POPUP = 16  # is not drawn
_QUIET_ANNOTATIONS = (1, 2, pdfium.WIDGET)  # also notes and links: beside text, or without a look
_STRIKEOUT = 12
_LINE, _POLYLINE, _INK_STROKES = 4, 8, 15
_MOST_PAIRS = 50_000_000  # of objects and texts, or lines and characters, that are compared
_SHORTEST_RULE = 3.0  # points: the bar of a small ½
_MOST_SEGMENTS = 3_000  # of a page's paths that are looked at: a map has many more


@dataclass(slots=True)
class Findings:
    """What was found about each character of a page.

    Attributes:
        hidden: Whether a reader does not see it.
        struck: Whether it is struck out.
        artifact: Whether the file says that it is no content.
        doubts: Why it may be another one, an index into `DOUBTS`.
        rules: The straight lines on the page: left, bottom, right and top of each, from below.
        drawings: The same of pictures and of paths with many segments, which may draw words.
        patterns: Pictures of what patterns draw, by themselves, a pixel per point or fewer.
    """

    hidden: Flags
    struck: Flags
    artifact: Flags
    doubts: NDArray[np.uint8]
    rules: Floats
    drawings: Floats
    patterns: list[NDArray[np.uint8]]

    def doubt(self, which: NDArray[Any], reason: int) -> None:
        """Put characters in doubt, by flags or indices; of several reasons, the first stands."""
        chosen = np.flatnonzero(which) if which.dtype == bool else which
        self.doubts[chosen[self.doubts[chosen] == 0]] = reason


@dataclass(slots=True)
class _Objects:
    """The objects of a page in the order of drawing, each form before what it holds.

    Attributes:
        handles: PDFium's handles of them.
        kinds: Their kinds.
        boxes: Left, bottom, right and top of each, on the page.
        own: The same in the coordinates of the form that holds it.
        depths: In how many forms each is.
        segments: How many segments each has; fewer than 0 if it is no path.
    """

    handles: NDArray[np.uint64]
    kinds: NDArray[np.int64]
    boxes: Floats
    own: Floats
    depths: NDArray[np.int64]
    segments: NDArray[np.int64]

    def where(self, chosen: Any) -> _Objects:
        """Return the objects that an array of indices or flags selects."""
        return _Objects(*(each[chosen] for each in self.arrays))

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """Its attributes in order."""
        return self.handles, self.kinds, self.boxes, self.own, self.depths, self.segments

    @property
    def is_text(self) -> Flags:
        """Whether each is text."""
        return self.kinds == raw.FPDF_PAGEOBJ_TEXT

    @property
    def is_path(self) -> Flags:
        """Whether each is a path."""
        return self.kinds == raw.FPDF_PAGEOBJ_PATH

    @property
    def is_shape(self) -> Flags:
        """Whether each is drawn, and no text; what is in a form that touches text is apart."""
        return ~self.is_text & (self.kinds != raw.FPDF_PAGEOBJ_UNKNOWN)


class _Page:
    """A page with its characters, its objects and what is found.

    The arrays are of all characters: their code points, and the edges, sizes and middles of their
    loose boxes in the coordinates of the file.
    """

    def __init__(self, opened: OpenPage, frame: Frame, codes: Any, boxes: Floats) -> None:
        self.opened, self.frame, self.codes = opened, frame, codes
        self.text = _address(opened.text)
        self.left, self.bottom, self.right, self.top = boxes.T
        self.wide, self.high = self.right - self.left, self.top - self.bottom
        self.x, self.y = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        self.blank = codes <= 0x20
        self.inked = ~self.blank & (self.high > 0)
        self.letters = self.inked & _LETTERS[np.minimum(codes, len(_LETTERS) - 1)]
        self.objects = _objects_of(_address(opened.handle), pdfium.count_objects, pdfium.object_at)
        rules = _ruled_lines(self.objects.where(self.objects.depths == 0))
        drawings = _drawings(self.objects, _STROKE * self.high.max(initial=0))
        hidden, struck, artifact = np.zeros((3, len(codes)), bool)
        doubts = np.zeros(len(codes), np.uint8)
        self.found = Findings(hidden, struck, artifact, doubts, rules, drawings, [])

    def levels(self, shares: tuple[float, float]) -> tuple[Floats, Floats]:
        """Return the heights of two parts of each character's box."""
        low, high = shares
        return self.bottom + low * self.high, self.bottom + high * self.high

    def at_line(self, start: float, end: float, y: float, levels: tuple[Floats, Floats]) -> Flags:
        """Return the characters that a line crosses between two levels of their boxes."""
        low, high = levels
        return self.inked & (self.x > start - 0.2) & (self.x < end + 0.2) & (y > low) & (y < high)

    def drawn(self) -> NDArray[np.uint8]:
        """Return a picture of the page."""
        return drawn(self.opened.handle, self.frame)[0]


def findings(
    opened: OpenPage, frame: Frame, codes: Any, boxes: Floats, *, layered: bool
) -> Findings:
    """Return what a reader sees of the characters of a page.

    Args:
        opened: The page.
        frame: The visible part of the page.
        codes: The code point of each character.
        boxes: The loose box of each: left, bottom, right, top, from below.
        layered: Whether the file may have pictures or forms in layers.
    """
    page = _Page(opened, frame, codes, boxes)
    found, objects, blank, count = page.found, page.objects, page.blank, len(codes)
    patterned = _find_patterns(page)
    unmapped = np.fromiter(map(pdfium.unmapped, repeat(page.text), range(count)), np.int64, count)
    found.doubts[((unmapped == 1) | is_private(codes)) & ~blank] = UNMAPPED
    _mark_overlaps(page)
    _mark_struck(page)
    _mark_signs(page)
    _mark_crossed(page)
    # In a line that runs up the page, the height of a box is the width of its character.
    size = np.maximum(page.high, page.wide)
    found.hidden |= (size < SMALLEST) & ~blank & (size > 0)
    for index in np.flatnonzero((np.minimum(page.wide, page.high) < _NARROW * size) & ~blank):
        found.hidden[index] |= _is_squeezed(page.text, int(index))
    found.hidden |= (page.x < frame.left) | (page.x > frame.right)
    found.hidden |= (page.y < frame.bottom) | (page.y > frame.top)
    marks = _marks(objects.handles[~objects.is_path].tolist())
    covered = _are_covered(page)
    covering = _covering_texts(objects)
    # "OC" marks what is in a layer ("optional content"), which may be off.
    odd = "OC" in marks or covered or bool(covering) or _is_odd(objects, patterned, layered=layered)
    fonts = set(map(pdfium.text_font, objects.handles[objects.is_text].tolist()))
    # Type 3 fonts: their operators may draw nothing for a letter, or anything.
    by_operators = any(map(_is_drawn, fonts))
    if odd or by_operators or "Artifact" in marks:
        owners = list(map(pdfium.text_object, repeat(page.text), range(count)))
        if "Artifact" in marks:
            own = np.fromiter((each in marks["Artifact"] for each in owners), bool, count)
            # Programs that tag nothing declare whole pages to be artifacts.
            if 2 * (own & ~blank).sum() < (~blank).sum():
                found.artifact = own
                _mark_seams(page)
        if odd or by_operators:
            _compare_drawings(page, owners, covering, only_text=not odd)
            for index in np.flatnonzero(page.letters).tolist() if by_operators else ():
                # The glyphs of such fonts may have any box.
                page.letters[index] = not _is_drawn(pdfium.text_font(owners[index]))
    _mark_faint(page)
    return found


def is_private(codes: NDArray[np.uint32]) -> Flags:
    """Return which characters are in the private use area: only their font says what they are."""
    return (codes >= 0xE000) & (codes <= 0xF8FF)


def mark_gaps(
    found: Findings, frame: Frame, indices: NDArray[np.int64], boxes: Floats, others: Floats
) -> None:
    """Mark the characters on both sides of a gap in a line that is filled by what is not read.

    Args:
        found: What is known of all characters, which is changed.
        frame: The visible part of the page.
        indices: Which of them are in lines that run across the page.
        boxes: The loose boxes of these: left, bottom, right and top.
        others: Left, bottom, right and top of drawings, and of characters in other directions.
    """
    left, bottom, right, top = boxes.T
    order = np.lexsort((left, np.rint(-2 * bottom)))
    one, other = order[:-1], order[1:]
    size = top[one] - bottom[one]
    # As where "not" is drawn as a picture between "is" and "safe".
    gapped = (left[other] - right[one] > _GAP * size) & (np.abs(bottom[one] - bottom[other]) < 1)
    for place in np.flatnonzero(gapped).tolist() if len(others) or found.patterns else ():
        before, after, high = one[place], other[place], size[place]
        start, end = right[before], left[after]
        filling = (others[:, 1] < top[before] - _LEVEL * high) & (others[:, 0] > start - 1)
        filling &= (others[:, 3] > bottom[before] + _LEVEL * high) & (others[:, 2] < end + 1)
        first, last = others[filling, 0].min(initial=end), others[filling, 2].max(initial=start)
        box = start, bottom[before], end, top[before]
        parts = [_part(each, frame, *box) for each in found.patterns]
        patterned = any(each.size and np.ptp(each, axis=(0, 1)).max() >= _INK for each in parts)
        if patterned or max(first - start, end - last) < _GAP * high:
            found.doubt(indices[[before, after]], UNSEEN)


def _address(handle: Any) -> int | None:
    return ctypes.cast(handle, ctypes.c_void_p).value


def _is_squeezed(text: int | None, index: int) -> bool:
    """Return whether a character is too narrow, or too low, to be read."""
    a, b, c, d, _, _ = pdfium.matrix(pdfium.character_matrix, text, index)
    # As "1 Tz" does, which makes letters a hundredth as wide.
    across, up = math.hypot(a, b), math.hypot(c, d)
    return min(across, up) < _SQUEEZED * max(across, up)


def _mark_seams(page: _Page) -> None:
    """Mark the characters beside an artifact in their line, which a reader sees between them."""
    found, left, right, bottom = page.found, page.left, page.right, page.bottom
    inked = page.inked & ~found.hidden & ~found.struck
    own = inked & found.artifact
    others = np.flatnonzero(inked & ~found.artifact)
    edges = np.flatnonzero(own & ~(np.roll(own, 1) & np.roll(own, -1)))
    for index in edges[:_MOST_OBJECTS].tolist():
        size = page.high[index]
        beside = others[np.abs(bottom[others] - bottom[index]) < _LEVEL * size]
        gaps = np.maximum(left[beside] - right[index], left[index] - right[beside])
        found.doubt(beside[gaps < size], UNSEEN)


def _mark_faint(page: _Page) -> None:
    """Mark letters and digits whose glyphs draw next to nothing, or draw it far from their line."""

    def faint(asked: Flags) -> list[int]:
        indices = np.flatnonzero(asked & page.letters)
        left, bottom, right, top = pdfium.tight_boxes(page.text, indices.tolist()).T
        suspect = right - left < _SUSPECT * page.wide[indices]
        suspect |= top - bottom < _SUSPECT * page.high[indices]
        return [index for index in indices[suspect].tolist() if is_faint(page.text, index)]

    # Asking for each letter takes long: the digits and the first letters of words come first.
    if faint((page.codes <= ord("9")) | np.concatenate(([True], ~page.letters[:-1]))):
        indices = np.array(faint(page.letters))
        page.found.doubt(indices[~page.found.hidden[indices]], UNSEEN)


def is_faint(text: int | None, index: int) -> bool:
    """Return whether a letter is tiny for the size of its font, or far from its place."""
    left, bottom, right, top = pdfium.tight_boxes(text, [index])[0].tolist()
    x, y = pdfium.numbers(pdfium.origin, text, index, places=2, kind=ctypes.c_double)
    upright = math.hypot(*pdfium.matrix(pdfium.character_matrix, text, index)[2:4])
    size = max(abs(pdfium.font_size(text, index)) * upright, 1e-6)
    sides = (right - left) / size, (top - bottom) / size
    away = max(left - x, x - right, bottom - y, y - top) / size
    # A font may have the glyph of a full stop, or a blank, for an "n".
    return max(sides) < _SMALLEST_LETTER or min(sides) < _EMPTY or away > _FARTHEST


def _objects_of(
    holder: int | None, counted: Callable[..., int], at_index: Callable[..., int], depth: int = 0
) -> _Objects:
    """Return the objects of a page or a form, and those of its forms that hold or touch text."""
    number = max(counted(holder), 0)
    handles = [at_index(holder, index) for index in range(number)]
    bounds = np.zeros((number, 4), np.float32)
    start = bounds.ctypes.data
    for at, handle in zip(range(start, start + bounds.nbytes, 16), handles, strict=True):
        pdfium.object_box(handle, at, at + 4, at + 8, at + 12)
    boxes = bounds.astype(np.float64)
    objects = _Objects(
        np.array(handles, np.uint64),
        np.fromiter(map(pdfium.object_kind, handles), np.int64, number),
        boxes,
        boxes,
        np.full(number, depth),
        np.fromiter(map(pdfium.count_segments, handles), np.int64, number),
    )
    words = boxes[objects.is_text]
    parts: list[_Objects] = []
    done = 0
    for index in np.flatnonzero(objects.kinds == raw.FPDF_PAGEOBJ_FORM).tolist():
        form = _objects_of(handles[index], pdfium.count_in_form, pdfium.in_form, depth + 1)
        if form.is_text.any() or _touching(words, boxes[index]).any():
            objects.kinds[index] = raw.FPDF_PAGEOBJ_UNKNOWN
            form.boxes = _moved(form.boxes, handles[index])
            parts += [objects.where(slice(done, index + 1)), form]
            done = index + 1
    parts.append(objects.where(slice(done, None)))
    return _Objects(*map(np.concatenate, zip(*(part.arrays for part in parts), strict=True)))


def _touching(boxes: Floats, box: Floats, cover: float = _COVER) -> Flags:
    """Return which boxes are more than touched by another one."""
    left, bottom, right, top = box
    touches = (boxes[:, 0] < right) & (boxes[:, 2] > left)
    return touches & (boxes[:, 1] < top - cover) & (boxes[:, 3] > bottom + cover)


def _moved(boxes: Floats, form: int) -> Floats:
    """Return boxes in a form as boxes around it."""
    a, b, c, d, e, f = pdfium.matrix(pdfium.object_matrix, form)
    left, bottom, right, top = boxes.T
    # All four corners, as a form may be turned.
    x, y = np.stack([left, left, right, right]), np.stack([bottom, top, bottom, top])
    across, up = a * x + c * y + e, b * x + d * y + f
    return np.stack([across.min(0), up.min(0), across.max(0), up.max(0)], axis=1)


def _drawings(objects: _Objects, highest: float) -> Floats:
    """Return the boxes of pictures, and of paths that may be letters, lower than some height."""
    high = objects.boxes[:, 3] - objects.boxes[:, 1]
    may_be_letters = objects.is_shape & (~objects.is_path | (objects.segments > _SIMPLE))
    chosen = (high > _SHORTEST_RULE) & (high < highest) & may_be_letters
    return objects.boxes[chosen][:_MOST_SEGMENTS]


def _find_patterns(page: _Page) -> Flags:
    """Return which paths may be filled with patterns: something is drawn in other colours."""
    objects = page.objects
    patterned = np.zeros(len(objects.kinds), bool)
    others = objects.kinds != raw.FPDF_PAGEOBJ_UNKNOWN
    paths = np.flatnonzero(objects.is_path)[:_MOST_OBJECTS].tolist()
    colours = [_look_of(objects, index)[1] for index in paths]
    for colour in _PATTERNED:
        alike = [index for index, each in zip(paths, colours, strict=True) if each == colour]
        if not alike:
            continue
        alone = others.copy()
        alone[alike] = False
        modes = [(path, *_draw_mode(path)) for path in objects.handles[alike].tolist()]
        for path, filled, stroked in modes:
            pdfium.set_draw_mode(path, filled, stroked and not filled)
        # With all else off and nothing behind it, what is left is what the pattern draws.
        with _inactive(objects.handles[alone].tolist()):
            picture = drawn(page.opened.handle, page.frame, 1, bare=True)[0]
        for each in modes:
            pdfium.set_draw_mode(*each)
        differs = np.abs(picture[:, :, :3] - float(colour[0])).max(axis=2) >= _INK
        if (differs & (picture[:, :, 3] >= _INK)).any():
            page.found.patterns.append(picture)
            patterned[alike] = True
    return patterned


def _draw_mode(path: int) -> list[int]:
    """Return how a path is filled, 0 if it is not, and whether it is stroked."""
    return pdfium.numbers(pdfium.draw_mode, path, places=2, kind=ctypes.c_int) or [0, 0]


def _ruled_lines(objects: _Objects) -> Floats:
    """Return the straight lines: thin shapes (pictures for some), and edges of stroked ones."""
    wide, high = (objects.boxes[:, 2:] - objects.boxes[:, :2]).T
    shapes = np.isin(objects.kinds, _SHAPES)
    thin = shapes & (np.minimum(wide, high) < _THIN) & (np.maximum(wide, high) > _SHORTEST_RULE)
    lines: list[Any] = [objects.boxes[thin]]
    budget = _MOST_SEGMENTS
    thick = objects.is_path & ~thin & (wide > _THIN) & (high > _THIN)
    for index in np.flatnonzero(thick).tolist():
        path, count = int(objects.handles[index]), int(objects.segments[index])
        budget -= count
        if not 1 < count <= budget:
            continue
        for ends in _edges(path, count) if _draw_mode(path)[1] else ():
            (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(*ends, strict=True))
            if min(x1 - x0, y1 - y0) < 1 and max(x1 - x0, y1 - y0) > _SHORTEST_RULE:
                lines.append([(x0, y0, x1, y1)])
    return np.concatenate(lines)


def _edges(path: int, count: int, *, curved: bool = False) -> Iterator[tuple[_Point, _Point]]:
    """Yield the ends of each line of a path that is straight, or if `curved`, around it."""
    a, b, c, d, e, f = pdfium.matrix(pdfium.object_matrix, path)
    last = first = (0.0, 0.0)
    for place in range(count):
        segment = pdfium.path_segment(path, place)
        x, y = pdfium.numbers(pdfium.segment_point, segment, places=2)
        point = a * x + c * y + e, b * x + d * y + f
        kind = pdfium.segment_kind(segment)
        if kind == raw.FPDF_SEGMENT_LINETO or (curved and kind == raw.FPDF_SEGMENT_BEZIERTO):
            yield last, point
        first = point if kind == raw.FPDF_SEGMENT_MOVETO else first
        if pdfium.segment_closes(segment):
            yield point, first
        last = point


def _marks(objects: Sequence[int]) -> dict[str, set[int]]:
    """Return the objects that have each mark of a name that matters here."""
    found: dict[str, set[int]] = {}
    name = ctypes.create_string_buffer(64)
    written = ctypes.c_ulong()
    for handle in objects:
        count = pdfium.count_marks(handle)
        if count > pdfium.DEEPEST_MARKS:  # in a form; what they say is not known
            found.setdefault("OC", set()).add(handle)
        for index in range(min(count, pdfium.DEEPEST_MARKS)):
            mark = pdfium.mark_at(handle, index)
            pdfium.mark_name(mark, name, 64, ctypes.byref(written))
            # In UTF-16, ended by a zero.
            known = name.raw[: max(written.value - 2, 0)].decode("utf-16-le", "replace")
            if known in ("OC", "Artifact"):
                found.setdefault(known, set()).add(handle)
    return found


def _are_covered(page: _Page) -> bool:
    """Return whether annotations may cover characters, by their middles; mark those of layers."""
    covered = False
    for kind, annotation in pdfium.annotations_of(page.opened.original):
        covered |= kind not in (*_QUIET_ANNOTATIONS, _POPUP)
        layered = raw.FPDFAnnot_HasKey(annotation, b"OC")  # PDFium draws it if that is off, too
        if layered or raw.FPDFAnnot_HasKey(annotation, b"AP"):
            left, bottom, right, top = pdfium.rectangle(annotation)
            below = ~page.blank & (page.x > left) & (page.x < right)
            below &= (page.y > bottom) & (page.y < top)
            covered |= bool(below.any()) and kind != _POPUP
            page.found.doubt(below & bool(layered), UNSEEN)
    return covered


def _is_odd(objects: _Objects, patterned: Flags, *, layered: bool) -> bool:
    """Return whether anything among the objects of a page might hide text."""
    texts = objects.is_text
    forms = objects.kinds == raw.FPDF_PAGEOBJ_UNKNOWN
    holders, handles = (objects.handles[each].tolist() for each in (texts | forms, texts))
    fills = np.zeros((len(handles), 4), np.uint32)
    start = fills.ctypes.data
    for at, handle in zip(range(start, start + fills.nbytes, 16), handles, strict=True):
        if not pdfium.fill_colour(handle, at, at + 4, at + 8, at + 12):
            return True
    if layered and forms.any():
        return True
    colours, alphas = np.split(fills.astype(int), [3], axis=1)
    if colours.min(axis=1).max(initial=0) > _LIGHT or alphas.min(initial=_SOLID) < _SOLID:
        return True
    if (colours == _PATTERNED[0]).all(axis=1).any():
        return True
    # Any mode but 0, filled letters: 3 is invisible, 7 a window to what is drawn next.
    if any(map(pdfium.render_mode, handles)) or any(map(pdfium.transparent, holders)):
        return True
    if _meets_shapes(objects, patterned, colours):
        return True
    every = zip(holders, objects.own[texts | forms].tolist(), strict=True)
    return any(_is_clipped(handle, box) for handle, box in every)


def _meets_shapes(objects: _Objects, patterned: Flags, colours: NDArray[np.int64]) -> bool:
    """Return whether a shape may cover a text, or be behind one that is nearly as light."""
    texts, order = objects.boxes[objects.is_text], np.flatnonzero(objects.is_text)
    shapes = np.flatnonzero(objects.is_shape)
    # To draw the page takes less time than to compare so many.
    if len(shapes) > _MOST_OBJECTS or len(shapes) * len(texts) > _MOST_PAIRS:
        return True
    strips = np.zeros(len(texts))  # how much of the height of each thin pieces over it may cover
    for index in shapes.tolist():
        # Words may lie anywhere in a long line of text: its whole box counts.
        touches = _touching(texts, objects.boxes[index])
        if not touches.any():
            continue
        thick, colour, spare = _look_of(objects, index)
        # White stripes of a point each may hide a word; dark ones of that width are ruled lines.
        if thick <= (_SLIVER if colour and min(colour) > _LIGHT else _THIN):
            strips[touches & (order < index)] += thick
            continue
        touches = _touching(texts, objects.boxes[index] + spare)
        is_behind = touches.any() and (
            colour is None
            or patterned[index]
            or objects.kinds[index] != raw.FPDF_PAGEOBJ_PATH
            # The colours of objects begin with red, those of pictures with blue.
            or bool((np.abs((colours[touches] - colour) @ _LIGHTNESS[::-1]) < _ALIKE).any())
        )
        if (order[touches] < index).any() or is_behind:
            return True
    return bool((strips > _STRIPS * (texts[:, 3] - texts[:, 1])).any())


def _covering_texts(objects: _Objects) -> set[int]:
    """Return the texts that are drawn over others of a much smaller size, which they may cover."""
    boxes, handles = objects.boxes[objects.is_text], objects.handles[objects.is_text].tolist()
    ups = (math.hypot(*pdfium.matrix(pdfium.object_matrix, each)[2:4]) for each in handles)
    heights = (sum(pdfium.numbers(pdfium.text_size, each)) for each in handles)
    sizes = np.array([abs(high) * up for high, up in zip(heights, ups, strict=True)])
    sizes = np.maximum(sizes, boxes[:, 3] - boxes[:, 1])  # operators draw glyphs of any height
    return {
        handles[index]
        for index in np.flatnonzero(sizes > _LARGE * sizes.min(initial=np.inf)).tolist()
        if (_touching(boxes[:index], boxes[index]) & (_LARGE * sizes[:index] < sizes[index])).any()
    }


def _look_of(objects: _Objects, index: int) -> tuple[float, tuple[int, ...] | None, Floats]:
    """Return how thick an object that is no text is, its colour if known, and its spare edges."""
    handle, box = int(objects.handles[index]), objects.boxes[index]
    thick = float(min(box[2] - box[0], box[3] - box[1]))
    spare = np.zeros(4)
    if not objects.is_path[index]:
        # What a picture shows is not known: it may be as light as the paper.
        return thick, _WHITE, spare
    filled, stroked = _draw_mode(handle)
    if not filled:
        a, b, c, d, _, _ = pdfium.matrix(pdfium.object_matrix, handle)
        width = sum(pdfium.numbers(pdfium.stroke_width, handle))
        thick = stroked * width * max(math.hypot(a, b), math.hypot(c, d))
        spare = np.array([1, 1, -1, -1]) * thick / 2  # PDFium adds the width, not half of it
    colour_of = pdfium.fill_colour if filled else pdfium.stroke_colour
    colour = pdfium.numbers(colour_of, handle, **_COLOUR)
    return thick, (*colour[:3],) if colour else None, spare


def _is_drawn(font: int) -> bool:
    """Return whether a font has no file, and none in its place: operators draw its glyphs."""
    return not any(pdfium.numbers(pdfium.font_data, font, None, 0, kind=ctypes.c_size_t))


def _is_clipped(handle: int, box: Sequence[float]) -> bool:
    """Return whether some of an object may be outside of its clipping path."""
    return any(
        # With more points than a box has, its bounding box does not say what it leaves.
        path[4] > _SIMPLE
        or path[0] > box[0] + _CLIPPED
        or path[1] > box[1] + _CLIPPED
        or path[2] < box[2] - _CLIPPED
        or path[3] < box[3] - _CLIPPED
        for path in _clips(handle)
    )


def _clips(handle: int) -> Iterator[_Clip]:
    """Yield the box of each clipping path of an object, and its number of points."""
    clip = pdfium.clip_path(handle)
    for path in range(pdfium.count_clip_paths(clip)):
        segments = range(max(pdfium.count_clip_segments(clip, path), 0))
        handles = (pdfium.clip_segment(clip, path, index) for index in segments)
        points = [pdfium.numbers(pdfium.segment_point, each, places=2) for each in handles]
        xs, ys = zip(*(points or [(math.inf, math.inf)]), strict=True)  # one that leaves nothing
        yield min(xs), min(ys), max(xs), max(ys), len(points)


def _mark_overlaps(page: _Page) -> None:
    """Mark glyphs that are drawn over each other on one line, but for accents and ligatures."""
    codes, left, right, bottom = page.codes, page.left, page.right, page.bottom
    kept = np.flatnonzero(page.inked & (codes != 0xAD))
    # Nearly the file's order, which a stable sort takes little time over.
    line = np.rint(-2 * bottom[kept]) * 1e5
    order = kept[np.argsort(line + left[kept], kind="stable")]
    one, other = order[:-1], order[1:]
    common = np.minimum(right[one], right[other]) - np.maximum(left[one], left[other])
    narrow = np.minimum(page.wide[one], page.wide[other])
    level = np.abs(bottom[one] - bottom[other]) < 0.1 * page.high[one]
    over = level & (common >= np.maximum(_OVER * narrow, 0)) & (codes[one] != codes[other])
    over &= (common > 0.3) | (narrow < 0.05)
    for first, second in zip(one[over].tolist(), other[over].tolist(), strict=True):
        pair = chr(codes[first]), chr(codes[second])
        same = left[first] == left[second] and right[first] == right[second]
        # Of a ligature, PDFium makes letters in the same place.
        if not (same and all(map(str.isalpha, pair))) and not any(map(_is_accent, pair)):
            page.found.doubts[[first, second]] = OVERDRAWN
    # A glyph of another size or line, whose middle is in that of a sign.
    x, y, (low, high) = page.x[kept], page.y[kept], page.levels(_MIDDLE)
    for sign in kept[np.isin(codes[kept], _SIGNS)].tolist():
        within = (x > left[sign]) & (x < right[sign]) & (y > low[sign]) & (y < high[sign])
        others = {*codes[kept[within]].tolist()} - {int(codes[sign])}
        if not all(_is_accent(chr(code)) for code in others):
            page.found.doubts[sign] = OVERDRAWN


def _is_accent(character: str) -> bool:
    return character in pdfium.ACCENTS or "\u0300" <= character <= "\u036f"


def _mark_struck(page: _Page) -> None:
    """Mark words that lines strike out, or may: those that a longer line or an edge crosses."""
    frame, found, objects = page.frame, page.found, page.objects
    wide, high = (objects.boxes[:, 2:] - objects.boxes[:, :2]).T
    thin = np.isin(objects.kinds, (*_SHAPES, raw.FPDF_PAGEOBJ_SHADING))
    thin &= high < np.minimum(_THIN, wide)
    lines = [(_MARKED, box) for box in _strikeouts(page.opened.original, frame)]
    pens = _pen_strokes(page.opened.original)
    lines += [(_THIN_SHAPE, (*each.min(axis=0), *each.max(axis=0))) for each in pens]
    lines += [(_THIN_SHAPE, box) for box in objects.boxes[thin].tolist()]
    lines += [(_EDGE, box) for box in found.rules.tolist()]
    whole, within = (page.bottom, page.top), page.levels(_WITHIN)
    bare: NDArray[np.uint8] | None = None
    for kind, (x0, y0, x1, y1) in lines:
        y = (y0 + y1) / 2
        across = page.at_line(x0, x1, y, whole if kind == _MARKED else within)
        if not across.any():
            continue
        size = float(page.high[across].max())
        first, last = float(page.left[across].min()), float(page.right[across].max())
        if kind != _MARKED:
            if y1 - y0 >= min(_THICKEST * size, x1 - x0) or not _is_through(page, across, y):
                continue
            if bare is None:
                # Without the text, to see whether something covers the line itself.
                with _inactive(objects.handles[objects.is_text].tolist()):
                    bare = page.drawn()
            around = _part(bare, frame, first, y0 - _BESIDE, last, y1 + _BESIDE)
            contrast = np.ptp(around @ _LIGHTNESS, axis=frame.turns % 2)
            # Nothing is drawn over the line, and it is no marker behind the words.
            if 2 * (contrast >= (_INK if y1 - y0 < _MARKER else _DIM)).sum() < len(contrast):
                continue
        fits = x0 > first - _BEYOND * size and x1 < last + _BEYOND * size
        if kind == _MARKED or (kind == _THIN_SHAPE and fits):
            between = (page.codes == 0x20) & (page.x > first) & (page.x < last)
            found.struck |= across | (between & (y > page.bottom) & (y < page.top))
        else:
            found.doubt(across, OVERDRAWN)


def _mark_crossed(page: _Page) -> None:
    """Mark what lines slant through the middle of, and letters that are scribbled over."""
    low, high = page.levels(_MIDDLE)
    # The middle half of a character: a line that meets only its edge crosses nothing.
    quarter = page.wide / 4
    middles = np.column_stack([page.left + quarter, low, page.right - quarter, high])
    lines = _pen_strokes(page.opened.original)
    pens = ((np.stack([each[:-1], each[1:]], axis=1), False) for each in lines)
    strokes = chain(pens, _strokes(page.objects, middles[page.inked]))
    for ends, is_scribble in islice(strokes, _MOST_PAIRS // len(page.codes)):
        box = np.concatenate([ends.min(axis=(0, 1), initial=1e9), ends.max(axis=(0, 1), initial=0)])
        touched = (page.letters if is_scribble else page.inked) & _touching(middles, box, 0)
        under = np.flatnonzero(touched)
        if len(under):
            steps = 2 + int(np.abs(ends[:, 1] - ends[:, 0]).max())  # a point or less
            steps = min(steps, 2 + _MOST_PAIRS // 10 // (len(ends) * len(under)))
            points: Floats = np.linspace(ends[:, 0], ends[:, 1], steps).reshape(-1, 2)
            over = points[:, None] > middles[under, :2]
            over &= points[:, None] < middles[under, 2:]
            crossed = under[over.all(axis=2).any(axis=0)]
            if not is_scribble or len(crossed) >= max(_OF_LINES, _SCRIBBLED * len(under)):
                page.found.doubt(crossed, OVERDRAWN)


def _strokes(objects: _Objects, middles: Floats) -> Iterator[tuple[Floats, bool]]:
    """Yield the two ends of each line that slants, in a path, and whether the path has many."""
    wide, high = (objects.boxes[:, 2:] - objects.boxes[:, :2]).T
    paths = objects.is_path & (objects.segments > 1) & (np.minimum(wide, high) >= _THIN)
    budget = _MOST_SEGMENTS
    for index in np.flatnonzero(paths)[:_MOST_OBJECTS].tolist():
        path, count = int(objects.handles[index]), int(objects.segments[index])
        if count > budget or not _touching(middles, objects.boxes[index], 0).any():
            continue
        if is_scribble := count > _OF_STROKE:
            # What is filled is a shape; a pen only strokes.
            if _draw_mode(path) != [0, 1]:
                continue
            budget -= count
        ends = np.array(list(_edges(path, count, curved=is_scribble))).reshape(-1, 2, 2)
        own, box = objects.own[index].reshape(2, 2), objects.boxes[index].reshape(2, 2)
        # From the coordinates of the form that holds it to those of the page.
        ends = box[0] + (box[1] - box[0]) / (own[1] - own[0]) * (ends - own[0])
        slants = np.abs(ends[:, 1] - ends[:, 0]).min(axis=1) >= _THIN
        yield ends if is_scribble else ends[slants], is_scribble


def _part(picture: NDArray[Any], frame: Frame, *box: float) -> NDArray[Any]:
    """Return what is in a box of a picture of a page: left, bottom, right and top."""
    start, above, end, below = np.ravel(_pixels_of(np.array([box]), frame, picture))
    return picture[above:below, start:end]


def _pixels_of(boxes: Floats, frame: Frame, picture: NDArray[Any]) -> NDArray[np.int64]:
    """Return left, top, right and bottom in a picture of a page, of left, bottom, right and top."""
    height, width = picture.shape[:2]
    places = frame.turned(frame.turns, boxes) * (width / frame.size(frame.turns)[0])
    edges = np.hstack([np.floor(places[:, :2]), np.ceil(places[:, 2:])])
    return edges.clip(0, (width, height, width, height)).astype(int).T


def _differing(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Flags:
    """Return which pixels of two pictures are seen to differ."""
    differs = np.maximum(one, other) - np.minimum(one, other) >= _INK
    return differs[:, :, 0] | differs[:, :, 1] | differs[:, :, 2]


def _is_through(page: _Page, across: Flags, y: float) -> bool:
    """Return whether a line is drawn through the middle of letters, or of several signs."""
    indices = np.flatnonzero(across)
    letters = [index for index in indices.tolist() if chr(page.codes[index]).isalnum()]
    _, bottom, _, top = pdfium.tight_boxes(page.text, letters).T
    low, high = (bottom + share * (top - bottom) for share in _CROSSED)
    crossed = (low < y) & (y < high)
    return crossed.mean() >= _MOSTLY if letters else len(indices) > 1


def _mark_signs(page: _Page) -> None:
    """Find signs that strokes are drawn over."""
    objects, left, right = page.objects, page.left, page.right
    # "=" with a stroke through it is "≠", and "<" with a line below is "≤".
    signs = np.flatnonzero(page.inked & np.isin(page.codes, _SIGNS))
    middle = page.levels(_MIDDLE)
    largest = _STROKE * float(page.high[page.inked].max(initial=0))
    small = objects.boxes[:, 3] - objects.boxes[:, 1] < largest
    small &= np.isin(objects.kinds, _SHAPES)
    for index in np.flatnonzero(small)[:_MOST_OBJECTS].tolist():
        count = objects.segments[index]
        x0, y0, x1, y1 = objects.boxes[index].tolist()
        # "<" with a line below is "≤", which need not cross it.
        over = np.zeros(len(page.codes), bool)
        over[signs] = (right[signs] > x0) & (left[signs] < x1)
        over[signs] &= (y1 > page.bottom[signs]) & (y0 < page.top[signs])
        if count > (_OF_A_SIGN if over.any() else 0 if objects.depths[index] else _SIMPLE):
            continue
        crossed = over
        if count <= _SIMPLE:
            crossed = over | page.at_line(x0, x1, (y0 + y1) / 2, middle)
        if not crossed.any():
            continue
        size = float(page.high[crossed].max())
        fits = (
            x0 > left[crossed].min() - _BEYOND * size and x1 < right[crossed].max() + _BEYOND * size
        )
        if min(x1 - x0, y1 - y0) >= _THICKEST * size and count > _OF_STROKE:
            crossed &= over
        from_corner_to_corner = count == _OF_LINES and fits and y1 - y0 < _STROKE * size
        if max(x1 - x0, y1 - y0) < _STROKE * size or from_corner_to_corner:
            page.found.doubt(crossed, OVERDRAWN)


@contextmanager
def _inactive(handles: Sequence[int]) -> Generator[None]:
    """Leave objects out of drawings."""
    for each in handles:
        pdfium.set_active(each, 0)
    try:
        yield
    finally:
        for each in handles:
            pdfium.set_active(each, 1)


def _cuts(path: _Clip, left: float, bottom: float, right: float, top: float) -> bool:
    """Return whether a clipping path leaves too little of a character."""
    wide = min(right, path[2]) - max(left, path[0])
    high = min(top, path[3]) - max(bottom, path[1])
    return wide * high < _UNCUT * (right - left) * (top - bottom)


def _strikeouts(page: Any, frame: Frame) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes that annotations strike out, as far as they draw something there."""
    changed: Flags | None = None
    quad = raw.FS_QUADPOINTSF()
    for kind, annotation in pdfium.annotations_of(page):
        # One in a layer may be off: `_are_covered` puts the words below it in doubt.
        if kind != _STRIKEOUT or raw.FPDFAnnot_HasKey(annotation, b"OC"):
            continue
        if changed is None:
            # One that is hidden, or has no ink, changes nothing on the page.
            changed = _differing(drawn(page, frame)[0], drawn(page, frame, flags=0)[0])
        for index in range(raw.FPDFAnnot_CountAttachmentPoints(annotation)):
            raw.FPDFAnnot_GetAttachmentPoints(annotation, index, quad)
            # The corners may come in any order.
            (left, bottom), (right, top) = np.sort(_floats(quad), axis=0)[[0, -1]]
            part = _part(changed, frame, left, bottom, right, top)
            if part.size and max(part.any(axis=each).mean() for each in (0, 1)) > _ACROSS:
                yield left, bottom, right, top


def _pen_strokes(page: Any) -> Iterator[Floats]:
    """Yield the points of each line that annotations draw: x and y."""
    for kind, annotation in pdfium.annotations_of(page):
        if kind == _LINE:
            ends = (raw.FS_POINTF * 2)()
            if raw.FPDFAnnot_GetLine(annotation, ends[0], ends[1]):
                yield _floats(ends)
        elif kind == _POLYLINE:
            yield from _points(raw.FPDFAnnot_GetVertices, annotation)
        elif kind == _INK_STROKES:
            for index in range(raw.FPDFAnnot_GetInkListCount(annotation)):
                yield from _points(raw.FPDFAnnot_GetInkListPath, annotation, index)


def _points(read: Any, *arguments: Any) -> Iterator[Floats]:
    """Yield the points that a function of PDFium returns, if there are any."""
    if count := read(*arguments, None, 0):
        points = (raw.FS_POINTF * count)()
        read(*arguments, points, count)
        yield _floats(points)


def _floats(points: Any) -> Floats:
    return np.frombuffer(points, np.float32).reshape(-1, 2).astype(np.float64)


def _compare_drawings(
    page: _Page, owners: list[int], covering: set[int], *, only_text: bool
) -> None:
    """Draw the page with its text and without, and mark the characters that make no difference.

    Those that make too little of one, or are cut by a clipping path, may look like others. With
    `only_text`, nothing is over the text or behind it: it is drawn alone.
    """
    found, objects, frame = page.found, page.objects, page.frame
    modes = {e: pdfium.render_mode(e) for e in {*owners} if e and e not in covering}
    others = objects.is_shape | np.isin(objects.handles, [*covering])
    with _inactive(objects.handles[others][:_MOST_OBJECTS].tolist()):
        alone = drawn(page.opened.handle, frame, bare=True)[0][:, :, 3]
    whole, change = alone, alone >= _INK
    if not only_text:
        whole = page.drawn()
        with _inactive([*modes]):
            change = _differing(whole, page.drawn())
    owned = np.flatnonzero(~page.blank & [owner in modes for owner in owners])
    tight = pdfium.tight_boxes(page.text, owned.tolist())
    empty = (tight[:, 2] <= tight[:, 0]) | (tight[:, 3] <= tight[:, 1])
    left, top, right, bottom = _pixels_of(tight, frame, change)
    places = list(zip(*(each.tolist() for each in (top, bottom, left, right)), strict=True))

    def pixels(flags: Flags) -> NDArray[np.int64]:
        """Return how many are set in the box of each character."""
        counts = (np.count_nonzero(flags[a:b, c:d]) for a, b, c, d in places)
        return np.fromiter(counts, np.int64, len(places))

    # What draws a glyph may give any box for it: a full stop fills little of one of a capital.
    unseen = pixels(change) <= (0 if only_text else _INK_SHARE * (right - left) * (bottom - top))
    unseen |= empty
    solid = alone >= _OPAQUE
    partly = pixels(change & solid) < _SEEN * pixels(solid)
    on_page = (each[objects.depths == 0].tolist() for each in (objects.handles, objects.boxes))
    clipped = {
        handle: list(_clips(handle))
        for handle, box in zip(*on_page, strict=True)
        if handle in modes and _is_clipped(handle, box)
    }
    for place, index in enumerate(owned.tolist() if clipped else ()):
        paths = clipped.get(owners[index], ())
        partly[place] |= any(_cuts(path, *tight[place].tolist()) for path in paths)
    found.doubt(owned[partly & ~unseen], OVERDRAWN)
    for place in np.flatnonzero(unseen).tolist():
        index = int(owned[place])
        if modes[owners[index]] in (3, 7) and not empty[place]:
            # Invisible, or a window: a reader sees the picture there, if there is any.
            above, below, start, end = places[place]
            under = whole[above:below, start:end]
            if under.size and int(under.max()) - int(under.min()) >= _INK:
                found.doubts[index] = RECOGNISED
                continue
        found.hidden[index] = True

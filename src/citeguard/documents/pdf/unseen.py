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
from itertools import chain, count, islice, repeat
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
    """

    handles: NDArray[np.uint64]
    kinds: NDArray[np.int64]
    boxes: Floats
    own: Floats
    depths: NDArray[np.int64]

    def where(self, chosen: Any) -> _Objects:
        """Return the objects that an array of indices or flags selects."""
        arrays: tuple[Any, ...] = self.handles, self.kinds, self.boxes, self.own, self.depths
        return _Objects(*(each[chosen] for each in arrays))

    @property
    def is_text(self) -> Flags:
        """Whether each is text."""
        return self.kinds == raw.FPDF_PAGEOBJ_TEXT


def findings(
    opened: OpenPage, frame: Frame, codes: Any, boxes: Floats, *, layered: bool
) -> Findings:
    """Return what a reader sees of the characters of a page.

    Args:
        opened: The page.
        frame: The visible part of the page.
        codes: The code point of each character.
        boxes: The loose box of each: left, top, right, bottom, from below.
        layered: Whether the file may have pictures or forms in layers.
    """
    page, original = opened.handle, opened.original
    handle, text = _address(page), _address(opened.text)
    count = len(codes)
    blank = codes <= 0x20
    hidden, struck, artifact = np.zeros((3, count), bool)
    objects = _objects_of(handle, pdfium.count_objects, pdfium.object_at)
    rules = _ruled_lines(objects.where(objects.depths == 0))
    drawings = _drawings(objects, boxes)
    found = Findings(hidden, struck, artifact, np.zeros(count, np.uint8), rules, drawings, [])
    patterned = _find_patterns(found, page, frame, objects)
    unmapped = np.fromiter(map(pdfium.unmapped, repeat(text), range(count)), np.int64, count)
    found.doubts[((unmapped == 1) | is_private(codes)) & ~blank] = UNMAPPED
    _mark_overlaps(found, codes, boxes)
    _mark_struck(found, opened, text, frame, codes, boxes, objects)
    _mark_signs(found, codes, boxes, objects)
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 1] - boxes[:, 3]
    letters = (high > 0) & _LETTERS[np.minimum(codes, len(_LETTERS) - 1)]
    _mark_crossed(found, original, codes, boxes, letters, objects)
    # In a line that runs up the page, the height of a box is the width of its character.
    size = np.maximum(high, wide)
    found.hidden |= (size < SMALLEST) & ~blank & (size > 0)
    for index in np.flatnonzero((np.minimum(wide, high) < _NARROW * size) & ~blank).tolist():
        found.hidden[index] |= _is_squeezed(text, index)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    found.hidden |= (x < frame.left) | (x > frame.right) | (y < frame.bottom) | (y > frame.top)
    marks = _marks(objects.handles[objects.kinds != raw.FPDF_PAGEOBJ_PATH].tolist())
    covered = _are_covered(found, original, x, y, ~blank)
    covering = _covering_texts(objects)
    odd = "OC" in marks or covered or bool(covering) or _is_odd(objects, patterned, layered=layered)
    fonts = set(map(pdfium.text_font, objects.handles[objects.is_text].tolist()))
    by_operators = any(map(_is_drawn, fonts))
    if odd or by_operators or "Artifact" in marks:
        owners = list(map(pdfium.text_object, repeat(text), range(count)))
        if "Artifact" in marks:
            own = np.fromiter((each in marks["Artifact"] for each in owners), bool, count)
            # Programs that tag nothing declare whole pages to be artifacts.
            if 2 * (own & ~blank).sum() < (~blank).sum():
                found.artifact = own
                _mark_seams(found, codes, boxes)
        if odd or by_operators:
            _compare_drawings(
                found, page, text, frame, owners, blank, objects, covering, only_text=not odd
            )
            for index in np.flatnonzero(letters).tolist() if by_operators else ():
                # The glyphs of such fonts may have any box.
                letters[index] = not _is_drawn(pdfium.text_font(owners[index]))
    _mark_faint(found, text, codes, boxes, letters)
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
        boxes: The loose boxes of these: left, top, right and bottom.
        others: Left, bottom, right and top of drawings, and of characters in other directions.
    """
    left, top, right, bottom = boxes.T
    order = np.lexsort((left, np.rint(-2 * bottom)))
    one, other = order[:-1], order[1:]
    size = top[one] - bottom[one]
    gapped = (left[other] - right[one] > _GAP * size) & (np.abs(bottom[one] - bottom[other]) < 1)
    for place in np.flatnonzero(gapped).tolist() if len(others) or found.patterns else ():
        before, after, high = one[place], other[place], size[place]
        start, end = right[before], left[after]
        filling = (others[:, 1] < top[before] - _LEVEL * high) & (others[:, 0] > start - 1)
        filling &= (others[:, 3] > bottom[before] + _LEVEL * high) & (others[:, 2] < end + 1)
        first, last = others[filling, 0].min(initial=end), others[filling, 2].max(initial=start)
        box = start, end, bottom[before], top[before]
        parts = [_part(each, frame, *box) for each in found.patterns]
        patterned = any(each.size and np.ptp(each, axis=(0, 1)).max() >= _INK for each in parts)
        if patterned or max(first - start, end - last) < _GAP * high:
            found.doubt(indices[[before, after]], UNSEEN)


def _address(handle: Any) -> int | None:
    return ctypes.cast(handle, ctypes.c_void_p).value


def _is_squeezed(text: int | None, index: int) -> bool:
    """Return whether a character is too narrow, or too low, to be read."""
    numbers = (ctypes.c_float * 6)()
    pdfium.matrix(text, index, ctypes.addressof(numbers))
    a, b, c, d = numbers[:4]
    across, up = math.hypot(a, b), math.hypot(c, d)
    return min(across, up) < _SQUEEZED * max(across, up)


def _mark_seams(found: Findings, codes: Any, boxes: Floats) -> None:
    """Mark the characters beside an artifact in their line, which a reader sees between them."""
    left, top, right, bottom = boxes.T
    inked = (codes > 0x20) & (top > bottom) & ~found.hidden & ~found.struck
    own = inked & found.artifact
    others = np.flatnonzero(inked & ~found.artifact)
    edges = np.flatnonzero(own & ~(np.roll(own, 1) & np.roll(own, -1)))
    for index in edges[:_MOST_OBJECTS].tolist():
        size = top[index] - bottom[index]
        beside = others[np.abs(bottom[others] - bottom[index]) < _LEVEL * size]
        gaps = np.maximum(left[beside] - right[index], left[index] - right[beside])
        marked = beside[gaps < size]
        found.doubt(marked, UNSEEN)


def _mark_faint(
    found: Findings, text: int | None, codes: Any, boxes: Floats, letters: Flags
) -> None:
    """Mark letters and digits whose glyphs draw next to nothing, or draw it far from their line."""
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 1] - boxes[:, 3]

    def faint(asked: Flags) -> list[int]:
        indices = np.flatnonzero(asked & letters)
        tight = tight_boxes(text, indices.tolist())
        suspect = tight[:, 1] - tight[:, 0] < _SUSPECT * wide[indices]
        suspect |= tight[:, 3] - tight[:, 2] < _SUSPECT * high[indices]
        return [index for index in indices[suspect].tolist() if is_faint(text, index)]

    # Asking for each letter takes long: the digits and the first letters of words come first.
    asked = (codes <= ord("9")) | np.concatenate(([True], ~letters[:-1]))
    for index in faint(letters) if faint(asked) else ():
        if not (found.doubts[index] or found.hidden[index]):
            found.doubts[index] = UNSEEN


def tight_boxes(text: int | None, indices: Sequence[int]) -> Floats:
    """Return left, right, bottom and top of what is drawn of characters."""
    tight = np.zeros((len(indices), 4))
    edges = (count(tight.ctypes.data + place, 32) for place in (0, 8, 16, 24))
    for _ in map(pdfium.tight_box, repeat(text), indices, *edges):
        pass
    return tight


def is_faint(text: int | None, index: int) -> bool:
    """Return whether a letter is tiny for the size of its font, or far from its place."""
    left, right, bottom, top = tight_boxes(text, [index])[0].tolist()
    numbers, place = (ctypes.c_float * 6)(), (ctypes.c_double * 2)()
    pdfium.matrix(text, index, ctypes.addressof(numbers))
    pdfium.origin(text, index, ctypes.addressof(place), ctypes.addressof(place) + 8)
    size = max(abs(pdfium.font_size(text, index)) * math.hypot(*numbers[2:4]), 1e-6)
    sides = (right - left) / size, (top - bottom) / size
    away = max(left - place[0], place[0] - right, bottom - place[1], place[1] - top) / size
    return max(sides) < _SMALLEST_LETTER or min(sides) < _EMPTY or away > _FARTHEST


def _objects_of(
    holder: int | None, counted: Callable[..., int], at_index: Callable[..., int], depth: int = 0
) -> _Objects:
    """Return the objects of a page or a form, and those of its forms that hold or touch text."""
    count = max(counted(holder), 0)
    handles = np.fromiter(map(at_index, repeat(holder), range(count)), np.uint64, count)
    kinds = np.fromiter(map(pdfium.object_kind, handles.tolist()), np.int64, count)
    bounds = np.zeros((count, 4), np.float32)
    start = bounds.ctypes.data
    for index, handle in enumerate(handles.tolist()):
        at = start + 16 * index
        pdfium.object_box(handle, at, at + 4, at + 8, at + 12)
    boxes = bounds.astype(np.float64)
    objects = _Objects(handles, kinds, boxes, boxes, np.full(count, depth))
    words = boxes[objects.is_text]
    parts: list[_Objects] = []
    done = 0
    forms: list[int] = np.flatnonzero(kinds == raw.FPDF_PAGEOBJ_FORM).tolist()
    for index in forms:
        handle = int(handles[index])
        form = _objects_of(handle, pdfium.count_in_form, pdfium.in_form, depth + 1)
        if form.is_text.any() or _touching(words, boxes[index]).any():
            kinds[index] = raw.FPDF_PAGEOBJ_UNKNOWN
            form.boxes = _moved(form.boxes, handle)
            parts += [objects.where(slice(done, index + 1)), form]
            done = index + 1
    if not parts:
        return objects
    arrays = (
        (e.handles, e.kinds, e.boxes, e.own, e.depths)
        for e in (*parts, objects.where(slice(done, None)))
    )
    return _Objects(*map(np.concatenate, zip(*arrays, strict=True)))


def _touching(boxes: Floats, box: Floats, cover: float = _COVER) -> Flags:
    """Return which boxes are more than touched by another one."""
    left, bottom, right, top = box
    touches = (boxes[:, 0] < right) & (boxes[:, 2] > left)
    return touches & (boxes[:, 1] < top - cover) & (boxes[:, 3] > bottom + cover)


def _moved(boxes: Floats, form: int) -> Floats:
    """Return boxes in a form as boxes around it."""
    numbers = np.zeros(6, np.float32)
    pdfium.object_matrix(form, numbers.ctypes.data)
    a, b, c, d, e, f = numbers.tolist()
    left, bottom, right, top = boxes.T
    x, y = np.stack([left, left, right, right]), np.stack([bottom, top, bottom, top])
    across, up = a * x + c * y + e, b * x + d * y + f
    return np.stack([across.min(0), up.min(0), across.max(0), up.max(0)], axis=1)


def _drawings(objects: _Objects, boxes: Floats) -> Floats:
    """Return the boxes of pictures, and of paths that may be letters, as high as a line or less."""
    high = objects.boxes[:, 3] - objects.boxes[:, 1]
    low = (high > _SHORTEST_RULE) & (high < _STROKE * (boxes[:, 1] - boxes[:, 3]).max(initial=0))
    shapes = ~objects.is_text & (objects.kinds != raw.FPDF_PAGEOBJ_UNKNOWN)
    chosen = np.flatnonzero(low & shapes)[:_MOST_SEGMENTS]
    is_path = objects.kinds[chosen] == raw.FPDF_PAGEOBJ_PATH
    counts = map(pdfium.count_segments, objects.handles[chosen].tolist())
    segments = np.fromiter(counts, np.int64, len(chosen))
    return objects.boxes[chosen[~is_path | (segments > _SIMPLE)]]


def _find_patterns(found: Findings, page: Any, frame: Frame, objects: _Objects) -> Flags:
    """Return which paths may be filled with patterns: something is drawn in other colours."""
    patterned = np.zeros(len(objects.kinds), bool)
    others = objects.kinds != raw.FPDF_PAGEOBJ_UNKNOWN
    paths = np.flatnonzero(objects.kinds == raw.FPDF_PAGEOBJ_PATH)[:_MOST_OBJECTS].tolist()
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
        with _inactive(objects.handles[alone].tolist()):
            picture = drawn(page, frame, 1, bare=True)[0]
        for each in modes:
            pdfium.set_draw_mode(*each)
        differs = np.abs(picture[:, :, :3] - float(colour[0])).max(axis=2) >= _INK
        if (differs & (picture[:, :, 3] >= _INK)).any():
            found.patterns.append(picture)
            patterned[alike] = True
    return patterned


def _draw_mode(path: int) -> tuple[int, int]:
    """Return how a path is filled, 0 if it is not, and whether it is stroked."""
    filled, stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.draw_mode(path, ctypes.byref(filled), ctypes.byref(stroked))
    return filled.value, stroked.value


def _ruled_lines(objects: _Objects) -> Floats:
    """Return the straight lines: thin shapes (pictures for some), and edges of stroked ones."""
    left, bottom, right, top = objects.boxes.T
    paths = objects.kinds == raw.FPDF_PAGEOBJ_PATH
    wide, high = right - left, top - bottom
    shapes = np.isin(objects.kinds, _SHAPES)
    thin = shapes & (np.minimum(wide, high) < _THIN) & (np.maximum(wide, high) > _SHORTEST_RULE)
    lines: list[Any] = [objects.boxes[thin]]
    budget = _MOST_SEGMENTS
    for index in np.flatnonzero(paths & ~thin & (wide > _THIN) & (high > _THIN)).tolist():
        path = int(objects.handles[index])
        count = pdfium.count_segments(path)
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
    numbers = np.zeros(8, np.float32)
    at: int = numbers.ctypes.data
    pdfium.object_matrix(path, at)
    a, b, c, d, e, f = numbers[:6].tolist()
    last = first = (0.0, 0.0)
    for place in range(count):
        segment = pdfium.path_segment(path, place)
        pdfium.segment_point(segment, at + 24, at + 28)
        x, y = numbers[6:].tolist()
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
            known = name.raw[: max(written.value - 2, 0)].decode("utf-16-le", "replace")
            if known in ("OC", "Artifact"):
                found.setdefault(known, set()).add(handle)
    return found


def _are_covered(found: Findings, page: Any, x: Floats, y: Floats, inked: Flags) -> bool:
    """Return whether annotations may cover characters, by their middles; mark those of layers."""
    covered = False
    for kind, annotation in pdfium.annotations_of(page):
        covered |= kind not in (*_QUIET_ANNOTATIONS, _POPUP)
        layered = raw.FPDFAnnot_HasKey(annotation, b"OC")  # PDFium draws it if that is off, too
        if layered or raw.FPDFAnnot_HasKey(annotation, b"AP"):
            left, bottom, right, top = pdfium.rectangle(annotation)
            below = inked & (x > left) & (x < right) & (y > bottom) & (y < top)
            covered |= bool(below.any()) and kind != _POPUP
            found.doubt(below & bool(layered), UNSEEN)
    return covered


def _is_odd(objects: _Objects, patterned: Flags, *, layered: bool) -> bool:
    """Return whether anything among the objects of a page might hide text."""
    texts = objects.is_text
    forms = objects.kinds == raw.FPDF_PAGEOBJ_UNKNOWN
    holders, handles = (objects.handles[each].tolist() for each in (texts | forms, texts))
    if layered and forms.any():
        return True
    colours = np.zeros((len(handles), 4), np.uint32)
    start: int = colours.ctypes.data
    for index, handle in enumerate(handles):
        at = start + 16 * index
        if not pdfium.fill_colour(handle, at, at + 4, at + 8, at + 12):
            return True
    if len(handles) and (colours[:, :3].min(axis=1).max() > _LIGHT or colours[:, 3].min() < _SOLID):
        return True
    if (colours[:, :3] == _PATTERNED[0]).all(axis=1).any():
        return True
    if any(map(pdfium.render_mode, handles)) or any(map(pdfium.transparent, holders)):
        return True
    if _meets_shapes(objects, patterned, colours[:, :3].astype(int)):
        return True
    every = zip(holders, objects.own[texts | forms].tolist(), strict=True)
    return any(_is_clipped(handle, box) for handle, box in every)


def _meets_shapes(objects: _Objects, patterned: Flags, colours: NDArray[np.int64]) -> bool:
    """Return whether a shape may cover a text, or be behind one that is nearly as light."""
    texts, order = objects.boxes[objects.is_text], np.flatnonzero(objects.is_text)
    shapes = np.flatnonzero(~objects.is_text & (objects.kinds != raw.FPDF_PAGEOBJ_UNKNOWN))
    if len(shapes) > _MOST_OBJECTS or len(shapes) * len(texts) > _MOST_PAIRS:
        return True
    strips = np.zeros(len(texts))  # how much of the height of each thin pieces over it may cover
    for index in shapes.tolist():
        # Words may lie anywhere in a long line of text: its whole box counts.
        touches = _touching(texts, objects.boxes[index])
        if not touches.any():
            continue
        thick, colour, spare = _look_of(objects, index)
        if thick <= (_SLIVER if colour and min(colour) > _LIGHT else _THIN):
            strips[touches & (order < index)] += thick
            continue
        touches = _touching(texts, objects.boxes[index] + spare)
        is_behind = touches.any() and (
            colour is None
            or patterned[index]
            or objects.kinds[index] != raw.FPDF_PAGEOBJ_PATH
            or bool((np.abs((colours[touches] - colour) @ _LIGHTNESS[::-1]) < _ALIKE).any())
        )
        if (order[touches] < index).any() or is_behind:
            return True
    return bool((strips > _STRIPS * (texts[:, 3] - texts[:, 1])).any())


def _covering_texts(objects: _Objects) -> set[int]:
    """Return the texts that are drawn over others of a much smaller size, which they may cover."""
    boxes, handles = objects.boxes[objects.is_text], objects.handles[objects.is_text].tolist()
    size, numbers = ctypes.c_float(), (ctypes.c_float * 6)()
    sizes = np.zeros(len(handles))
    for index, handle in enumerate(handles):
        pdfium.text_size(handle, ctypes.addressof(size))
        pdfium.object_matrix(handle, ctypes.addressof(numbers))
        sizes[index] = abs(size.value) * math.hypot(*numbers[2:4])
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
    if objects.kinds[index] != raw.FPDF_PAGEOBJ_PATH:
        return thick, _WHITE, spare
    colour_of = pdfium.fill_colour
    filled, stroked = _draw_mode(handle)
    if not filled:
        width = ctypes.c_float()
        colour_of = pdfium.stroke_colour
        numbers = (ctypes.c_float * 6)()
        pdfium.object_matrix(handle, ctypes.addressof(numbers))
        pdfium.stroke_width(handle, ctypes.byref(width))
        scale = max(math.hypot(*numbers[:2]), math.hypot(*numbers[2:4]))
        thick = stroked * width.value * scale
        spare = np.array([1, 1, -1, -1]) * thick / 2  # PDFium adds the width, not half of it
    shades = (ctypes.c_uint32 * 4)()
    at = ctypes.addressof(shades)
    known = colour_of(handle, at, at + 4, at + 8, at + 12)
    return thick, (*shades[:3],) if known else None, spare


def _is_drawn(font: int) -> bool:
    """Return whether a font has no file, and none in its place: operators draw its glyphs."""
    size = ctypes.c_size_t()
    pdfium.font_data(font, None, 0, ctypes.byref(size))
    return size.value == 0


def _is_clipped(handle: int, box: Sequence[float]) -> bool:
    """Return whether some of an object may be outside of its clipping path."""
    return any(
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
    point = (ctypes.c_float * 2)()
    at = ctypes.addressof(point)
    for path in range(pdfium.count_clip_paths(clip)):
        points: list[tuple[float, float]] = []
        for index in range(max(pdfium.count_clip_segments(clip, path), 0)):
            pdfium.segment_point(pdfium.clip_segment(clip, path, index), at, at + 4)
            points.append((point[0], point[1]))
        if not points:
            points = [(np.inf, np.inf)]  # it leaves nothing
        xs, ys = zip(*points, strict=True)
        yield min(xs), min(ys), max(xs), max(ys), len(points)


def _mark_overlaps(found: Findings, codes: Any, boxes: Floats) -> None:
    """Mark glyphs that are drawn over each other on one line, but for accents and ligatures."""
    left, top, right, bottom = boxes.T
    kept = np.flatnonzero((codes > 0x20) & (codes != 0xAD) & (top > bottom))
    # Nearly the file's order, which a stable sort takes little time over.
    line = np.rint(-2 * bottom[kept]) * 1e5
    order = kept[np.argsort(line + left[kept], kind="stable")]
    one, other = order[:-1], order[1:]
    common = np.minimum(right[one], right[other]) - np.maximum(left[one], left[other])
    narrow = np.minimum(right[one] - left[one], right[other] - left[other])
    level = np.abs(bottom[one] - bottom[other]) < 0.1 * (top[one] - bottom[one])
    over = level & (common >= np.maximum(_OVER * narrow, 0)) & (codes[one] != codes[other])
    over &= (common > 0.3) | (narrow < 0.05)
    for first, second in zip(one[over].tolist(), other[over].tolist(), strict=True):
        pair = chr(codes[first]), chr(codes[second])
        same = left[first] == left[second] and right[first] == right[second]
        if same and all(map(str.isalpha, pair)):  # a ligature, of which PDFium makes letters
            continue
        if any(map(_is_accent, pair)):
            continue
        found.doubts[[first, second]] = OVERDRAWN
    # A glyph of another size or line, whose middle is in that of a sign.
    x, y = (left[kept] + right[kept]) / 2, (top[kept] + bottom[kept]) / 2
    for sign in kept[np.isin(codes[kept], _SIGNS)].tolist():
        low, high = (bottom[sign] + share * (top[sign] - bottom[sign]) for share in _MIDDLE)
        others = kept[(x > left[sign]) & (x < right[sign]) & (y > low) & (y < high)]
        if not all(_is_accent(chr(code)) for code in codes[others] if code != codes[sign]):
            found.doubts[sign] = OVERDRAWN


def _is_accent(character: str) -> bool:
    return character in pdfium.ACCENTS or "\u0300" <= character <= "\u036f"


def _mark_struck(
    found: Findings,
    opened: OpenPage,
    text: int | None,
    frame: Frame,
    codes: Any,
    boxes: Floats,
    objects: _Objects,
) -> None:
    """Mark words that lines strike out, or may: those that a longer line or an edge crosses."""
    left, top, right, bottom = boxes.T
    height = np.maximum(top - bottom, 0.1)
    inked = (codes > 0x20) & (top > bottom)
    middle = (left + right) / 2
    x0, y0, x1, y1 = objects.boxes.T
    thin = np.isin(objects.kinds, (*_SHAPES, raw.FPDF_PAGEOBJ_SHADING))
    thin &= y1 - y0 < np.minimum(_THIN, x1 - x0)
    lines = [(_MARKED, box) for box in _strikeouts(opened.original, frame)]
    pens = _pen_strokes(opened.original)
    lines += [(_THIN_SHAPE, (*each.min(axis=0), *each.max(axis=0))) for each in pens]
    lines += [(_THIN_SHAPE, box) for box in objects.boxes[thin].tolist()]
    lines += [(_EDGE, box) for box in found.rules.tolist()]
    bare: NDArray[np.uint8] | None = None
    for kind, (x0, y0, x1, y1) in lines:
        y = (y0 + y1) / 2
        low, high = (0, 1) if kind == _MARKED else _WITHIN
        across = inked & (y > bottom + low * height) & (y < bottom + high * height)
        across &= (middle > x0 - 0.2) & (middle < x1 + 0.2)
        if not across.any():
            continue
        size = float(height[across].max())
        first, last = float(left[across].min()), float(right[across].max())
        if kind != _MARKED:
            if y1 - y0 >= min(_THICKEST * size, x1 - x0) or not _is_through(text, across, codes, y):
                continue
            if bare is None:
                with _inactive(objects.handles[objects.is_text].tolist()):
                    bare = drawn(opened.handle, frame)[0]
            around = _part(bare, frame, first, last, y0 - _BESIDE, y1 + _BESIDE)
            contrast = np.ptp(around @ _LIGHTNESS, axis=frame.turns % 2)
            # Nothing is drawn over the line, and it is no marker behind the words.
            if 2 * (contrast >= (_INK if y1 - y0 < _MARKER else _DIM)).sum() < len(contrast):
                continue
        fits = x0 > first - _BEYOND * size and x1 < last + _BEYOND * size
        if kind == _MARKED or (kind == _THIN_SHAPE and fits):
            whole = (codes == 0x20) & (middle > first) & (middle < last) & (y > bottom) & (y < top)
            found.struck |= across | whole
        else:
            found.doubt(across, OVERDRAWN)


def _mark_crossed(
    found: Findings, page: Any, codes: Any, boxes: Floats, letters: Flags, objects: _Objects
) -> None:
    """Mark what lines slant through the middle of, and letters that are scribbled over."""
    left, top, right, bottom = boxes.T
    inked = (codes > 0x20) & (top > bottom)
    low, high = (bottom + share * (top - bottom) for share in _MIDDLE)
    middles = np.column_stack([0.75 * left + 0.25 * right, low, 0.25 * left + 0.75 * right, high])
    pens = ((np.stack([each[:-1], each[1:]], axis=1), False) for each in _pen_strokes(page))
    for ends, is_scribble in islice(
        chain(pens, _strokes(objects, middles[inked])), _MOST_PAIRS // len(codes)
    ):
        box = np.concatenate([ends.min(axis=(0, 1), initial=1e9), ends.max(axis=(0, 1), initial=0)])
        under = np.flatnonzero((letters if is_scribble else inked) & _touching(middles, box, 0))
        if len(under):
            steps = 2 + int(np.abs(ends[:, 1] - ends[:, 0]).max())  # a point or less
            steps = min(steps, 2 + _MOST_PAIRS // 10 // (len(ends) * len(under)))
            points: Floats = np.linspace(ends[:, 0], ends[:, 1], steps).reshape(-1, 2)
            over = points[:, None] > middles[under, :2]
            over &= points[:, None] < middles[under, 2:]
            crossed = under[over.all(axis=2).any(axis=0)]
            if not is_scribble or len(crossed) >= max(_OF_LINES, _SCRIBBLED * len(under)):
                found.doubt(crossed, OVERDRAWN)


def _strokes(objects: _Objects, middles: Floats) -> Iterator[tuple[Floats, bool]]:
    """Yield the two ends of each line that slants, in a path, and whether the path has many."""
    wide, high = (objects.boxes[:, 2:] - objects.boxes[:, :2]).T
    paths = (objects.kinds == raw.FPDF_PAGEOBJ_PATH) & (np.minimum(wide, high) >= _THIN)
    budget = _MOST_SEGMENTS
    for index in np.flatnonzero(paths)[:_MOST_OBJECTS].tolist():
        path, over = int(objects.handles[index]), _touching(middles, objects.boxes[index], 0)
        if not over.any() or not 1 < (count := pdfium.count_segments(path)) <= budget:
            continue
        if is_scribble := count > _OF_STROKE:
            if _draw_mode(path) != (0, 1):
                continue
            budget -= count
        ends = np.array(list(_edges(path, count, curved=is_scribble))).reshape(-1, 2, 2)
        own, box = objects.own[index].reshape(2, 2), objects.boxes[index].reshape(2, 2)
        ends = box[0] + (box[1] - box[0]) / (own[1] - own[0]) * (ends - own[0])
        slants = np.abs(ends[:, 1] - ends[:, 0]).min(axis=1) >= _THIN
        yield ends if is_scribble else ends[slants], is_scribble


def _part(picture: NDArray[Any], frame: Frame, *box: float) -> NDArray[Any]:
    """Return what is in a box of a picture of a page: left, right, bottom and top."""
    start, end, above, below = np.ravel(_pixels_of(np.array([box]), frame, picture))
    return picture[above:below, start:end]


def _pixels_of(boxes: Floats, frame: Frame, picture: NDArray[Any]) -> tuple[NDArray[np.int64], ...]:
    """Return left, right, top and bottom in a picture of a page, of left, right, bottom and top."""
    scale = picture.shape[1] / frame.size(frame.turns)[0]
    x, y = boxes[:, :2], boxes[:, 2:]
    across, down = frame.along(frame.turns, x, y) * scale, frame.down(frame.turns, x, y) * scale
    return tuple(
        np.clip(edge, 0, most).astype(int)
        for side, most in ((across, picture.shape[1]), (down, picture.shape[0]))
        for edge in (np.floor(side.min(axis=1)), np.ceil(side.max(axis=1)))
    )


def _differing(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Flags:
    """Return which pixels of two pictures are seen to differ."""
    differs = np.maximum(one, other) - np.minimum(one, other) >= _INK
    return differs[:, :, 0] | differs[:, :, 1] | differs[:, :, 2]


def _is_through(text: int | None, across: Flags, codes: Any, y: float) -> bool:
    """Return whether a line is drawn through the middle of letters, or of several signs."""
    indices = [index for index in np.flatnonzero(across).tolist() if chr(codes[index]).isalnum()]
    bottom, top = tight_boxes(text, indices).T[2:]
    low, high = (bottom + share * (top - bottom) for share in _CROSSED)
    crossed = ((low < y) & (y < high)).tolist()
    return sum(crossed) >= _MOSTLY * len(crossed) if crossed else across.sum() > 1


def _mark_signs(found: Findings, codes: Any, boxes: Floats, objects: _Objects) -> None:
    """Find signs that strokes are drawn over."""
    left, top, right, bottom = boxes.T
    inked = (codes > 0x20) & (top > bottom)
    middle = (left + right) / 2
    signs = inked & np.isin(codes, _SIGNS)
    low, high = (bottom + share * (top - bottom) for share in _MIDDLE)
    largest = _STROKE * float((top - bottom)[inked].max(initial=0))
    at = np.flatnonzero(signs)
    is_on_page = objects.depths == 0
    small = objects.boxes[:, 3] - objects.boxes[:, 1] < largest
    small &= np.isin(objects.kinds, _SHAPES)
    for index in np.flatnonzero(small)[:_MOST_OBJECTS].tolist():
        count = pdfium.count_segments(int(objects.handles[index]))
        x0, y0, x1, y1 = objects.boxes[index].tolist()
        # "<" with a line below is "≤", which need not cross it.
        over = np.zeros(len(codes), bool)
        over[at] = (right[at] > x0) & (left[at] < x1) & (y1 > bottom[at]) & (y0 < top[at])
        if count > (_OF_A_SIGN if over.any() else _SIMPLE if is_on_page[index] else 0):
            continue
        crossed = over
        if count <= _SIMPLE:
            y = (y0 + y1) / 2
            across = inked & (middle > x0 - 0.2) & (middle < x1 + 0.2)
            crossed = over | (across & (y > low) & (y < high))
        if not crossed.any():
            continue
        size = float((top - bottom)[crossed].max())
        fits = (
            x0 > left[crossed].min() - _BEYOND * size and x1 < right[crossed].max() + _BEYOND * size
        )
        if min(x1 - x0, y1 - y0) >= _THICKEST * size and count > _OF_STROKE:
            crossed &= over
        from_corner_to_corner = count == _OF_LINES and fits and y1 - y0 < _STROKE * size
        if max(x1 - x0, y1 - y0) < _STROKE * size or from_corner_to_corner:
            found.doubt(crossed, OVERDRAWN)


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


def _cuts(path: _Clip, left: float, right: float, bottom: float, top: float) -> bool:
    """Return whether a clipping path leaves too little of a character."""
    wide = min(right, path[2]) - max(left, path[0])
    high = min(top, path[3]) - max(bottom, path[1])
    return wide * high < _UNCUT * (right - left) * (top - bottom)


def _strikeouts(page: Any, frame: Frame) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes that annotations strike out, as far as they draw something there."""
    changed: Flags | None = None
    quad = raw.FS_QUADPOINTSF()
    for kind, annotation in pdfium.annotations_of(page):
        if kind != _STRIKEOUT or raw.FPDFAnnot_HasKey(annotation, b"OC"):
            continue
        if changed is None:
            changed = _differing(drawn(page, frame)[0], drawn(page, frame, flags=0)[0])
        for index in range(raw.FPDFAnnot_CountAttachmentPoints(annotation)):
            raw.FPDFAnnot_GetAttachmentPoints(annotation, index, quad)
            (left, bottom), (right, top) = np.sort(_floats(quad), axis=0)[[0, -1]]
            part = _part(changed, frame, left, right, bottom, top)
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
    found: Findings,
    page: Any,
    text: int | None,
    frame: Frame,
    owners: list[int],
    blank: Flags,
    objects: _Objects,
    covering: set[int],
    *,
    only_text: bool,
) -> None:
    """Draw the page with its text and without, and mark the characters that make no difference.

    Those that make too little of one, or are cut by a clipping path, may look like others. With
    `only_text`, nothing is over the text or behind it: it is drawn alone.
    """
    texts = [each for each in dict.fromkeys(owners) if each and each not in covering]
    modes = dict(zip(texts, map(pdfium.render_mode, texts), strict=True))
    others = ~objects.is_text & (objects.kinds != raw.FPDF_PAGEOBJ_UNKNOWN)
    others |= np.isin(objects.handles, [*covering])
    with _inactive(objects.handles[others][:_MOST_OBJECTS].tolist()):
        alone = drawn(page, frame, bare=True)[0][:, :, 3]
    whole, change = alone, alone >= _INK
    if not only_text:
        whole = drawn(page, frame)[0]
        with _inactive(texts):
            bare = drawn(page, frame)[0]
        change = _differing(whole, bare)
    owned = np.flatnonzero(~blank & np.fromiter(map(modes.__contains__, owners), bool, len(owners)))
    tight = tight_boxes(text, owned.tolist())
    empty = (tight[:, 1] <= tight[:, 0]) | (tight[:, 3] <= tight[:, 2])
    left, right, top, bottom = _pixels_of(tight, frame, change)
    area = (right - left) * (bottom - top)

    places = list(zip(*(each.tolist() for each in (top, bottom, left, right)), strict=True))

    def pixels(flags: Flags) -> NDArray[np.int64]:
        """Return how many are set in the box of each character."""
        counts = (np.count_nonzero(flags[a:b, c:d]) for a, b, c, d in places)
        return np.fromiter(counts, np.int64, len(places))

    # What draws a glyph may give any box for it: a full stop fills little of one of a capital.
    unseen = pixels(change) <= (0 if only_text else _INK_SHARE * area)
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
    covered = owned[partly & ~unseen]
    found.doubt(covered, OVERDRAWN)
    for place in np.flatnonzero(unseen).tolist():
        index = int(owned[place])
        if modes[owners[index]] in (3, 7) and not empty[place]:
            # Invisible, or a window: a reader sees the picture there, if there is any.
            under = whole[top[place] : bottom[place], left[place] : right[place]]
            if under.size and int(under.max()) - int(under.min()) >= _INK:
                found.doubts[index] = RECOGNISED
                continue
        found.hidden[index] = True

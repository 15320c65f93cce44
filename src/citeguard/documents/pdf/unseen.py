"""What of a page's text its readers do not see, and what may be other than it seems.

A cheap look at the objects of a page decides whether anything is odd: light or transparent colours,
something drawn over or behind text, clipping, layers, annotations. Only then is the page drawn
with its text and without: a character that changes no pixel is not seen, whatever hides it. And the
text is drawn alone: where it changes too few of those pixels, something covers a part of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.documents.document import SMALLEST
from citeguard.documents.pdf import pdfium
from citeguard.documents.pdf.pdfium import Floats, Frame, drawn, raw
from citeguard.sources.layout import DoubtReason

Flags = NDArray[np.bool_]

_Clip = tuple[float, float, float, float, int]

DOUBTS: tuple[DoubtReason | None, ...] = (None, "unseen", "unmapped", "overdrawn", "recognised")
"""What the codes of `Findings.doubts` mean."""
_UNMAPPED, _OVERDRAWN, _RECOGNISED = 2, 3, 4

_SCALE = 2  # pixels per point: the stems of small type are a pixel wide
_MOST_PIXELS = 8_000_000  # of a page; larger ones are drawn smaller
_INK = 24  # of 255: the least difference that is seen, a contrast of about 1.2 to white
_INK_SHARE = 0.05  # of a character's box: thin strokes fill a tenth
_OPAQUE = 128  # of 255: pixels of a character that must be seen; those at its edges need not
_SEEN = 0.8  # of them: with less, an 8 may look like a 6 or a 3
_UNCUT = 0.6  # of a character's box: an italic f may reach that far out of its column
_COVER = 1.0  # points of the height of a text: what covers less of it leaves every letter whole
_LIGHT = 200  # of 255: colours with a channel above are compared with what is behind
_SOLID = 230  # of 255, of an alpha
_THIN = 3.0  # points: what is thinner covers nothing unless it is light; it may be a line
_SLIVER = 0.5  # points: what is thinner covers nothing
_MOST_FORMS = 100  # of a page, that are looked into for strokes
_MOST_OBJECTS = 20_000  # of a page, besides its text, that are looked at one by one
_MIDDLE = (0.28, 0.6)  # of a character's box from below: there a line strikes out, and does not
# underline: with the usual ascent and descent, x-heights are from 0.2 to 0.6.
_BEYOND = 0.6  # of its height: a line that reaches farther than that beyond words is a rule
_STROKE = 1.6  # of the height of the characters: the longest stroke that is part of a sign
# Signs that lines below, above or through make others of.
_SIGNS = [*map(ord, "<>=~+-−±∼≈∈⊂⊃∪∩∃→←|")]
_THICKEST = 0.3  # of the height of the characters: a line through words
# Segments of a path: at most those of a bar; those of a stroke, which may be bent; of a line.
_SIMPLE, _OF_STROKE, _OF_LINES = 6, 4, 2
_OF_A_SIGN = 40  # of what may be drawn over one: it may be bent, or filled
_OVER = 0.75  # of the narrower one: glyphs that share more are drawn over each other, while
# kerning ("V,") and the slant of an italic f share up to 0.56 in the papers looked at.
_CLIPPED = 1.0  # points
_POPUP = 16  # is not drawn
_WIDGET = 20  # a field of a form
_QUIET_ANNOTATIONS = (1, 2, _WIDGET)  # also notes and links: beside text, or without a look
_STRIKEOUT = 12
_SHORTEST_RULE = 5.0  # points
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
    """

    hidden: Flags
    struck: Flags
    artifact: Flags
    doubts: NDArray[np.uint8]
    rules: Floats


@dataclass(slots=True)
class _Objects:
    """The objects of a page: their handles, kinds and boxes (left, bottom, right, top)."""

    handles: list[int]
    kinds: NDArray[np.int64]
    boxes: Floats


def findings(page: Any, text_page: Any, frame: Frame, codes: Any, boxes: Floats) -> Findings:
    """Return what a reader sees of the characters of a page.

    Args:
        page: PDFium's handle of the page.
        text_page: That of its text.
        frame: The visible part of the page.
        codes: The code point of each character.
        boxes: The loose box of each: left, top, right, bottom, from below.
    """
    handle, text = _address(page), _address(text_page)
    count = len(codes)
    blank = codes <= 0x20
    hidden, struck, artifact = np.zeros((3, count), bool)
    objects = _objects_of(handle, pdfium.count_objects, pdfium.object_at)
    found = Findings(hidden, struck, artifact, np.zeros(count, np.uint8), _ruled_lines(objects))
    unmapped = list(map(pdfium.unmapped, repeat(text), range(count)))
    if 1 in unmapped:
        found.doubts[(np.array(unmapped) == 1) & ~blank] = _UNMAPPED
    texts = objects.kinds == raw.FPDF_PAGEOBJ_TEXT
    _mark_overlaps(found, codes, boxes)
    _mark_lines(found, codes, boxes, objects, page)
    # In a line that runs up the page, the height of a box is the width of its character.
    size = np.maximum(boxes[:, 1] - boxes[:, 3], boxes[:, 2] - boxes[:, 0])
    found.hidden |= (size < SMALLEST) & ~blank & (size > 0)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    found.hidden |= (x < frame.left) | (x > frame.right) | (y < frame.bottom) | (y > frame.top)
    marks = _marks(each for each, is_text in zip(objects.handles, texts, strict=True) if is_text)
    covered = _are_covered(found, page, x, y, ~blank)
    odd = "OC" in marks or covered or _is_odd(objects)
    if odd or "Artifact" in marks:
        owners = list(map(pdfium.text_object, repeat(text), range(count)))
        if "Artifact" in marks:
            own = np.fromiter((each in marks["Artifact"] for each in owners), bool, count)
            # Programs that tag nothing declare whole pages to be artifacts.
            if 2 * (own & ~blank).sum() < (~blank).sum():
                found.artifact = own
        if odd:
            _compare_drawings(found, page, text, frame, owners, blank, objects)
    return found


def _address(handle: Any) -> int | None:
    return ctypes.cast(handle, ctypes.c_void_p).value


def _objects_of(
    holder: int | None, counted: Callable[..., int], at_index: Callable[..., int]
) -> _Objects:
    """Return the objects of a page or a form."""
    count = max(counted(holder), 0)
    handles = list(map(at_index, repeat(holder), range(count)))
    kinds = np.fromiter(map(pdfium.object_kind, handles), np.int64, count)
    boxes = np.zeros((count, 4), np.float32)
    start = boxes.ctypes.data
    for index, handle in enumerate(handles):
        at = start + 16 * index
        pdfium.object_box(handle, at, at + 4, at + 8, at + 12)
    return _Objects(handles, kinds, boxes.astype(np.float64))


def _ruled_lines(objects: _Objects) -> Floats:
    """Return the straight lines among the paths: thin shapes, and the edges of stroked ones."""
    left, bottom, right, top = objects.boxes.T
    paths = objects.kinds == raw.FPDF_PAGEOBJ_PATH
    wide, high = right - left, top - bottom
    thin = paths & (np.minimum(wide, high) < _THIN) & (np.maximum(wide, high) > _SHORTEST_RULE)
    lines: list[Any] = [objects.boxes[thin]]
    numbers = np.zeros(8, np.float32)
    at: int = numbers.ctypes.data
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    budget = _MOST_SEGMENTS
    for index in np.flatnonzero(paths & ~thin & (wide > _THIN) & (high > _THIN)).tolist():
        path = objects.handles[index]
        count = pdfium.count_segments(path)
        budget -= count
        if not 1 < count <= budget:
            continue
        pdfium.draw_mode(path, ctypes.byref(mode), ctypes.byref(stroked))
        if not stroked.value:
            continue
        pdfium.object_matrix(path, at)
        a, b, c, d, e, f = numbers[:6].tolist()
        last = first = (0.0, 0.0)
        for place in range(count):
            segment = pdfium.path_segment(path, place)
            pdfium.segment_point(segment, at + 24, at + 28)
            x, y = numbers[6:].tolist()
            point = a * x + c * y + e, b * x + d * y + f
            kind = pdfium.segment_kind(segment)
            ends = [(last, point)] if kind == raw.FPDF_SEGMENT_LINETO else []
            first = point if kind == raw.FPDF_SEGMENT_MOVETO else first
            if pdfium.segment_closes(segment):
                ends.append((point, first))
            for one, other in ends:
                (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(one, other, strict=True))
                if min(x1 - x0, y1 - y0) < 1 and max(x1 - x0, y1 - y0) > _SHORTEST_RULE:
                    lines.append([(x0, y0, x1, y1)])
            last = point
    return np.concatenate(lines)


def _marks(objects: Iterator[int]) -> dict[str, set[int]]:
    """Return the objects that have each mark of a name that matters here."""
    found: dict[str, set[int]] = {}
    name = ctypes.create_string_buffer(64)
    written = ctypes.c_ulong()
    for handle in objects:
        for index in range(pdfium.count_marks(handle)):
            mark = pdfium.mark_at(handle, index)
            pdfium.mark_name(mark, name, 64, ctypes.byref(written))
            known = name.raw[: max(written.value - 2, 0)].decode("utf-16-le", "replace")
            if known in ("OC", "Artifact"):
                found.setdefault(known, set()).add(handle)
    return found


def _annotations(page: Any) -> Iterator[tuple[int, Any]]:
    """Yield the annotations of a page: the kind of each, and its handle until the next one."""
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        yield raw.FPDFAnnot_GetSubtype(annotation), annotation
        raw.FPDFPage_CloseAnnot(annotation)


def _are_covered(found: Findings, page: Any, x: Floats, y: Floats, inked: Flags) -> bool:
    """Return whether annotations may cover characters, whose middles are given.

    Those below fields of forms, which are not drawn with the page, are marked.
    """
    covered = False
    box = raw.FS_RECTF()
    for kind, annotation in _annotations(page):
        if kind not in _QUIET_ANNOTATIONS:
            covered |= kind != _POPUP
        elif raw.FPDFAnnot_HasKey(annotation, b"AP"):
            raw.FPDFAnnot_GetRect(annotation, ctypes.byref(box))
            below = inked & (x > box.left) & (x < box.right) & (y > box.bottom) & (y < box.top)
            if kind == _WIDGET:
                found.doubts[below] = _OVERDRAWN
            else:
                covered |= bool(below.any())
    return covered


def _is_odd(objects: _Objects) -> bool:  # noqa: C901 - one case each
    """Return whether anything among the objects of a page or a form might hide text."""
    texts = objects.kinds == raw.FPDF_PAGEOBJ_TEXT
    handles = [handle for handle, is_text in zip(objects.handles, texts, strict=True) if is_text]
    colours = np.zeros((len(handles), 4), np.uint32)
    start: int = colours.ctypes.data
    for index, handle in enumerate(handles):
        at = start + 16 * index
        if not pdfium.fill_colour(handle, at, at + 4, at + 8, at + 12):
            return True
    if len(handles) and (colours[:, :3].min(axis=1).max() > _LIGHT or colours[:, 3].min() < _SOLID):
        return True
    if any(map(pdfium.render_mode, handles)) or any(map(pdfium.transparent, handles)):
        return True
    forms: list[int] = np.flatnonzero(objects.kinds == raw.FPDF_PAGEOBJ_FORM).tolist()
    for index in forms:
        form = _objects_of(objects.handles[index], pdfium.count_in_form, pdfium.in_form)
        if np.isin(form.kinds, (raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_FORM)).any():
            # Its place in a form is in other coordinates: for what is on the page, all is text.
            texts[index] = True
            if pdfium.transparent(objects.handles[index]) or _is_odd(form):
                return True
    left, bottom, right, top = objects.boxes.T
    least = np.minimum(right - left, top - bottom)
    wide = ~texts & (least > _SLIVER)
    own = objects.boxes[texts]
    order = np.flatnonzero(texts)
    shades = np.zeros(4, np.uint32)
    at = shades.ctypes.data
    wide_ones: list[int] = np.flatnonzero(wide)[:_MOST_OBJECTS].tolist()
    for index in wide_ones:
        # Words may lie anywhere in a long line of text: its whole box counts.
        touches = (own[:, 0] < right[index]) & (own[:, 2] > left[index])
        touches &= (own[:, 1] < top[index] - _COVER) & (own[:, 3] > bottom[index] + _COVER)
        if not touches.any():
            continue
        filled = pdfium.fill_colour(objects.handles[index], at, at + 4, at + 8, at + 12)
        if least[index] <= _THIN and (not filled or shades[:3].min() <= _LIGHT):
            continue
        is_path = bool(objects.kinds[index] == raw.FPDF_PAGEOBJ_PATH)
        if (order[touches] < index).any() and _is_filled(objects.handles[index], is_path):
            return True
        dark = not filled or shades[:3].min() < 255 - _LIGHT + 100
        if is_path and dark and _is_filled(objects.handles[index], is_path):
            return True
    every = zip(objects.handles, objects.boxes.tolist(), texts, strict=True)
    return any(is_text and _is_clipped(handle, box) for handle, box, is_text in every)


def _is_filled(handle: int, is_path: bool) -> bool:
    if not is_path:
        return True
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.draw_mode(handle, ctypes.byref(mode), ctypes.byref(stroke))
    return mode.value != 0


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
        if any(each in pdfium.ACCENTS or "\u0300" <= each <= "\u036f" for each in pair):
            continue
        found.doubts[[first, second]] = _OVERDRAWN
    # A glyph of another size or line, whose middle is in that of a sign.
    x, y = (left[kept] + right[kept]) / 2, (top[kept] + bottom[kept]) / 2
    for sign in kept[np.isin(codes[kept], _SIGNS)].tolist():
        low, high = (bottom[sign] + share * (top[sign] - bottom[sign]) for share in _MIDDLE)
        others = kept[(x > left[sign]) & (x < right[sign]) & (y > low) & (y < high)]
        if any(chr(code) not in pdfium.ACCENTS for code in codes[others] if code != codes[sign]):
            found.doubts[sign] = _OVERDRAWN


def _mark_lines(found: Findings, codes: Any, boxes: Floats, objects: _Objects, page: Any) -> None:
    """Find words that lines strike out, and signs that strokes are drawn over."""
    left, top, right, bottom = boxes.T
    inked = (codes > 0x20) & (top > bottom)
    middle = (left + right) / 2
    signs = inked & np.isin(codes, _SIGNS)
    low, high = (bottom + share * (top - bottom) for share in _MIDDLE)
    kinds = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE)
    at = np.flatnonzero(signs)

    def touches_sign(box: Floats) -> bool:
        x0, y0, x1, y1 = box
        beside = (right[at] <= x0) | (left[at] >= x1) | (top[at] <= y0) | (bottom[at] >= y1)
        return not beside.all()

    shapes: list[tuple[Any, int, bool]] = []
    for holder in [objects, *_in_forms(objects)] if len(at) else [objects]:
        for index in np.flatnonzero(np.isin(holder.kinds, kinds))[:_MOST_OBJECTS].tolist():
            box, count = holder.boxes[index], pdfium.count_segments(holder.handles[index])
            is_simple = count <= _SIMPLE and holder is objects
            if is_simple or (count <= _OF_A_SIGN and touches_sign(box)):
                shapes.append((box, count, False))
    struck = list(_strikeouts(page))
    for box, count, certain in [*((box, 0, True) for box in struck), *shapes]:
        x0, y0, x1, y1 = box
        flat = x1 - x0 > y1 - y0
        y = (y0 + y1) / 2
        across = inked & (middle > x0 - 0.2) & (middle < x1 + 0.2)
        crossed = across & ((y > bottom) & (y < top) if certain else (y > low) & (y < high))
        # "<" with a line below is "≤", which need not cross it.
        over = signs & (right > x0) & (left < x1) & (y1 > bottom) & (y0 < top)
        crossed = over if count > _SIMPLE else crossed | over
        if not crossed.any():
            continue
        size = float((top - bottom)[crossed].max())
        first, last = float(left[crossed].min()), float(right[crossed].max())
        fits = x0 > first - _BEYOND * size and x1 < last + _BEYOND * size
        words = any(chr(code).isalnum() for code in codes[crossed].tolist())
        thin = min(x1 - x0, y1 - y0) < _THICKEST * size
        if certain or (flat and thin and fits and (words or crossed.sum() > 1)):
            whole = (codes == 0x20) & (middle > first) & (middle < last) & (y > bottom) & (y < top)
            found.struck |= crossed | whole
            continue
        if not thin and count > _OF_STROKE:
            crossed &= over
        if (
            max(x1 - x0, y1 - y0) < _STROKE * size
            or (count == _OF_LINES and fits and y1 - y0 < _STROKE * size)  # from corner to corner
        ):
            found.doubts[crossed & (found.doubts == 0)] = _OVERDRAWN


def _in_forms(objects: _Objects) -> Iterator[_Objects]:
    """Yield the objects of each form of a page, with their boxes on the page."""
    numbers = np.zeros(6, np.float32)
    forms: list[int] = np.flatnonzero(objects.kinds == raw.FPDF_PAGEOBJ_FORM).tolist()
    for handle in (objects.handles[index] for index in forms[:_MOST_FORMS]):
        if not 0 < pdfium.count_in_form(handle) <= _MOST_OBJECTS:
            continue
        form = _objects_of(handle, pdfium.count_in_form, pdfium.in_form)
        pdfium.object_matrix(handle, numbers.ctypes.data)
        a, b, c, d, e, f = numbers.tolist()
        left, bottom, right, top = form.boxes.T
        x, y = np.stack([left, left, right, right]), np.stack([bottom, top, bottom, top])
        across, up = a * x + c * y + e, b * x + d * y + f
        corners = (across.min(0), up.min(0), across.max(0), up.max(0))
        yield _Objects(form.handles, form.kinds, np.stack(corners, axis=1))


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


def _others(objects: _Objects) -> Iterator[int]:
    """Yield what is no text on a page, and in its forms."""
    for handle, kind in zip(objects.handles, objects.kinds.tolist(), strict=True):
        if kind == raw.FPDF_PAGEOBJ_FORM:
            yield from _others(_objects_of(handle, pdfium.count_in_form, pdfium.in_form))
        elif kind != raw.FPDF_PAGEOBJ_TEXT:
            yield handle


def _strikeouts(page: Any) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes that annotations strike out."""
    for kind, annotation in _annotations(page):
        box = raw.FS_RECTF()
        if kind == _STRIKEOUT and raw.FPDFAnnot_GetRect(annotation, ctypes.byref(box)):
            yield box.left, box.bottom, box.right, box.top


def _compare_drawings(
    found: Findings,
    page: Any,
    text: int | None,
    frame: Frame,
    owners: list[int],
    blank: Flags,
    objects: _Objects,
) -> None:
    """Draw the page with its text and without, and mark the characters that make no difference.

    Those that make too little of one, or are cut by a clipping path, may look like others.
    """
    texts = [each for each in dict.fromkeys(owners) if each]
    modes = dict(zip(texts, map(pdfium.render_mode, texts), strict=True))
    whole = drawn(page, frame, _SCALE, _MOST_PIXELS)[0]
    with _inactive(texts):
        bare = drawn(page, frame, _SCALE, _MOST_PIXELS)[0]
    with _inactive(list(islice(_others(objects), _MOST_OBJECTS))):
        alone = drawn(page, frame, _SCALE, _MOST_PIXELS, bare=True)[0][:, :, 3] >= _OPAQUE
    blue, green, red = np.moveaxis(np.maximum(whole, bare) - np.minimum(whole, bare) >= _INK, 2, 0)
    change = blue | green | red
    owned = np.flatnonzero(~blank & np.fromiter(map(bool, owners), bool, len(owners)))
    tight = np.zeros((len(owned), 4))  # left, right, bottom, top
    for at, index in zip(range(tight.ctypes.data, 1 << 63, 32), owned.tolist(), strict=False):
        pdfium.tight_box(text, index, at, at + 8, at + 16, at + 24)
    empty = (tight[:, 1] <= tight[:, 0]) | (tight[:, 3] <= tight[:, 2])
    scale = whole.shape[1] / frame.size(frame.turns)[0]
    corners = [
        (frame.along(frame.turns, tight[:, x], tight[:, y]) * scale,
         frame.down(frame.turns, tight[:, x], tight[:, y]) * scale)
        for x, y in ((0, 2), (1, 3))
    ]  # fmt: skip
    (left, right), (top, bottom) = (
        (
            np.clip(np.floor(np.minimum(*pair)), 0, most).astype(int),
            np.clip(np.ceil(np.maximum(*pair)), 0, most).astype(int),
        )
        for pair, most in zip(zip(*corners, strict=True), change.shape[::-1], strict=True)
    )
    area = (right - left) * (bottom - top)

    def pixels(flags: Flags) -> NDArray[np.int32]:
        """Return how many are set in the box of each character."""
        # Counts from the upper left corner, so that those in a box are four look-ups.
        counts = np.zeros((flags.shape[0] + 1, flags.shape[1] + 1), np.int32)
        counts[1:, 1:] = flags.cumsum(0, np.int32).cumsum(1, np.int32)
        return counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]

    unseen = empty | (pixels(change) <= _INK_SHARE * area)
    partly = pixels(change & alone) < _SEEN * pixels(alone)
    clipped = {
        handle: list(_clips(handle))
        for handle, box in zip(objects.handles, objects.boxes.tolist(), strict=True)
        if handle in modes and _is_clipped(handle, box)
    }
    for place, index in enumerate(owned.tolist() if clipped else ()):
        paths = clipped.get(owners[index], ())
        partly[place] |= any(_cuts(path, *tight[place].tolist()) for path in paths)
    covered = owned[partly & ~unseen]
    found.doubts[covered[found.doubts[covered] == 0]] = _OVERDRAWN
    for place in np.flatnonzero(unseen).tolist():
        index = int(owned[place])
        if modes[owners[index]] in (3, 7) and not empty[place]:
            # Invisible, or a window: a reader sees the picture there, if there is any.
            under = whole[top[place] : bottom[place], left[place] : right[place]]
            if under.size and int(under.max()) - int(under.min()) >= _INK:
                found.doubts[index] = _RECOGNISED
                continue
        found.hidden[index] = True

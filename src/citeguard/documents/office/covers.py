"""What shapes may lie over the text of a Word document, or behind it: `covers`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from citeguard.documents.document import Colour
from citeguard.documents.office.colours import Theme
from citeguard.documents.office.elements import (
    CLEAR,
    METRIC,
    ON,
    A,
    Element,
    fill_of,
    is_opaque,
    is_outlined,
    points,
    vml_style,
)

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V = "{urn:schemas-microsoft-com:vml}"
_DRAWN = tuple(f"{_V}{kind}" for kind in ("rect", "roundrect", "oval", "shape", "line", "group"))
# Straight lines (20) and straight connectors (32).
_LINES = ("#_x0000_t20", "#_x0000_t32")  # of VML
# Points that a line of a paragraph takes at least and, with the space around it, at most; and the
# most and the fewest characters in one.
_LOW, _HIGH, _MOST, _FEWEST = 9, 28, 120, 50
_THIN = 4  # points: with less height, it is a line
_FAR = 1e12  # more than the number of any shape in the order of drawing

Covers = dict[Element, set[tuple[float, Colour | None]]]
"""For each paragraph, when shapes are drawn (it is at 0) and their colours, `None` if unknown."""


class _Shape(NamedTuple):
    """A shape that hides what is under it: left, top, right, bottom, in points from its frame."""

    order: float  # text is at 0
    colour: Colour | None
    frame: Sequence[str]
    box: Sequence[float]


def covers(body: Element, theme: Theme, page: Sequence[float]) -> Covers:
    """Return the shapes that may lie over each paragraph, or behind it.

    Only a program that lays a document out knows what a shape lies over. Here it is every paragraph
    that the shape reaches if those between it and its anchor are as low, or as high, as they may
    be; for a shape with a place on the page, each that may be on one page with the anchor. Columns
    of text, and type of less than 8 points, may put others under it.
    """
    found: Covers = defaultdict(set)
    anchors = [(e, _shape(e, theme)) for e in body.iter(f"{_WP}anchor", *_DRAWN)]
    if not any(shape for _, shape in anchors):
        return found
    box = f"{_W}txbxContent"
    texts = [p for p in body.iter(f"{_W}p") if next(p.iterancestors(box), None) is None]
    places = {each: place for place, each in enumerate(texts)}
    lengths = [sum(len(t.text or "") for t in each.iter(f"{_W}t")) for each in texts]
    # The cells of a row are beside each other.
    before = [next(p.getparent().itersiblings(f"{_W}tc", preceding=True), None) for p in texts]
    least = (_LOW * (1 + n // _MOST) * (b is None) for n, b in zip(lengths, before, strict=True))
    low = [0, *accumulate(least)]
    high = [0, *accumulate(_HIGH * (1 + n // _FEWEST) for n in lengths)]
    at_of = {e: places[p] for e, _ in anchors for p in e.iterancestors(f"{_W}p") if p in places}
    margins = [
        min((abs(points(e.get(f"{_W}{side}"), 20)) for e in body.iter(f"{_W}pgMar")), default=0)
        for side in ("left", "top", "right", "bottom")
    ]
    for anchor, shape in anchors:
        at = at_of.get(anchor)
        if at is None or shape is None or _is_beside(shape, margins, page):
            continue
        top, bottom = -page[1], page[1]
        if shape.frame[1] in ("", "paragraph", "text", "line"):
            top, bottom = max(top, shape.box[1]), min(bottom, shape.box[3])
        first = max(bisect_right(low, low[at] + min(top, 0)) - 1, 0)
        for place in range(first, min(bisect_left(low, low[at] + bottom), len(texts))):
            start = min(each[place] - each[at] for each in (low, high))
            end = max(each[place + 1] - each[at] for each in (low, high))
            if start < bottom and end > top:
                found[texts[place]].add((shape.order, shape.colour))
    for anchor, at in at_of.items():
        order = _order(anchor)
        over = {each for each in found.get(texts[at], ()) if each[0] > order}
        found |= {p: over for inside in anchor.iter(box) for p in inside.iter(f"{_W}p")}
    return found


def _is_beside(shape: _Shape, margins: Sequence[float], page: Sequence[float]) -> bool:
    """Return whether a shape is in a margin of the page, as far as that is known."""
    for axis in (0, 1):
        first, last = margins[axis], page[axis] - margins[axis + 2]
        if shape.frame[axis] in ("margin", "column"):
            first, last = 0, last - first
        elif shape.frame[axis] != "page":
            continue
        if shape.box[axis] >= last or shape.box[axis + 2] <= first:
            return True
    return False


def _order(element: Element) -> float:
    """Return when a shape is drawn."""
    if element.tag in _DRAWN:
        order = points(vml_style(element).get("z-index"), 1)
        return order if order >= 0 else order - _FAR
    return points(element.get("relativeHeight"), 1) - _FAR * (element.get("behindDoc") in ON)


def _shape(element: Element, theme: Theme) -> _Shape | None:
    """Return the shape that an element draws, unless it hides nothing, or text flows around it."""
    wraps = [each for each in element if "wrap" in str(each.tag)]
    if any(e.get("type", e.tag.partition("}wrap")[2] or "none").lower() != "none" for e in wraps):
        return None
    order = _order(element)
    if element.tag in _DRAWN:
        given = vml_style(element)
        box, is_line = _vml_box(element, given)
        parts = [each for each in element.iter(*_DRAWN) if each.tag != f"{_V}group"]
        filled = [each for each in parts if each.get("filled") not in ("f", "false")]
        plain = [each for each in filled if each.find(f"{_V}fill[@opacity]") is None]
        is_filled, colour = bool(plain if order >= 0 else filled), None
        axes = ("horizontal", "vertical")
        frame = [given.get(f"mso-position-{axis}-relative", "") for axis in axes]
        if given.get("position") != "absolute" or element.getparent().tag == f"{_V}group":
            return None
    else:
        parts = [*element.iter("{*}wsp", "{*}pic")]  # none in a chart, or what is drawn in ink
        size = element.find(f"{_WP}extent")
        wide, high = (points(size.get(side), METRIC) for side in ("cx", "cy"))
        forms = [e.get("prst") or "line" for e in element.iter(f"{A}prstGeom", f"{A}custGeom")]
        is_line = high < _THIN or any("line" in each or "Connector" in each for each in forms)
        # A frame as thick as a line of text hides one.
        is_line = wide >= _THIN and any(is_outlined(e, 0 if is_line else _LOW) for e in parts)
        is_filled = not parts or any(is_opaque(e, CLEAR if order < 0 else 1 - CLEAR) for e in parts)
        is_filled |= order < 0 and any(fill_of(e.find("{*}spPr")) is not None for e in parts)
        ink = element.find(f".//{{*}}wsp/{{*}}spPr/{A}solidFill")
        colour = theme.colour_in(ink) if len(parts) == 1 and is_opaque(parts[0]) else None
        at = [element.find(f"{_WP}position{axis}[{_WP}posOffset]") for axis in "HV"]
        frame = ["aligned" if each is None else each.get("relativeFrom") for each in at]
        offsets = ["" if each is None else each.findtext(f"{_WP}posOffset") for each in at]
        left, top = (points(each, METRIC) for each in offsets)
        box = left, top, left + wide, top + high
    hides = is_filled or (is_line and order >= 0)
    return _Shape(order, colour, frame, box) if hides else None


def _vml_box(element: Element, given: dict[str, str]) -> tuple[Sequence[float], bool]:
    """Return where a shape of VML is, and whether it is a line."""
    if "from" in element.attrib:
        ends = [(element.get(name) or "").split(",") for name in ("from", "to")]
        x, y = (sorted(points(each, 1) for each in axis) for axis in zip(*ends, strict=False))
        return (x[0], y[0], x[1], y[1]), True
    sides = ("left", "top")
    left, top = (points(given.get(n), 1) + points(given.get(f"margin-{n}"), 1) for n in sides)
    wide, high = (points(given.get(n), 1) for n in ("width", "height"))
    return (left, top, left + wide, top + high), element.get("type") in _LINES

"""How the text of Word documents looks, and so whether a reader sees it: `Looks`, `Styles`."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, takewhile
from math import ceil, inf
from typing import Any, NamedTuple

from citeguard.documents.document import SMALLEST, Colour, Reason, faint, mixed
from citeguard.documents.office.colours import amount, named, rgb, tinted
from citeguard.documents.office.covers import covers
from citeguard.documents.office.elements import (
    BLACK,
    CLEAR,
    METRIC,
    OFF,
    ON,
    OVERLAID,
    WHITE,
    A,
    Element,
    attributes,
    is_pushed_out,
    points,
    theme_of,
    vml_style,
)

_to_bytes: Any = import_module("lxml.etree").tostring

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_V = "{urn:schemas-microsoft-com:vml}"
_HEADING = re.compile(r"heading ([1-9])|title")
_BODY_TEXT = 9  # the outline level of what is no heading
_STRIKES = ("strike", "dstrike")
_VANISHED = ("vanish", "specVanish")
_TOGGLES = ("vanish", "strike")  # each kind of style turns them over (ISO 29500-1, 17.7.3)
_HIGHLIGHTS = {  # by their names in CSS; others have the same
    **{"green": "lime", "darkGreen": "green", "darkBlue": "navy", "darkCyan": "teal"},
    **{"darkMagenta": "purple", "darkRed": "maroon", "darkYellow": "olive"},
    **{"darkGray": "gray", "lightGray": "silver"},
}
RAISED, LOWERED = 3, -2
"""Points by which text is moved up or down at least, for it to be a superscript or subscript."""
_AWAY = 200  # points by which text is moved out of sight
TWIPS, _HALVES, _LINES = 20, 2, 240  # in a point, in a point, and in the height of a line
_LARGEST_PAGE = 1_584  # points, 22 inches: Word has none larger
# Of the size of type, at least: the height of a line, what is read of it, and a letter's width.
_HEIGHT, _READ, _WIDE = 1.15, 0.7, 0.4
_INDENTS = ("left", "right", "firstLine", "hanging")
_USUAL_SIZE, _THINNEST = 10, 5  # points of type; percent of its width


class Look(NamedTuple):
    """How a run of text looks, as far as its own properties and those of its styles say."""

    properties: dict[str, Element]  # these properties, by name
    styles: tuple[str, str]  # of its paragraph and of its table
    vanished: bool  # whether it is marked as hidden
    hidden: bool  # whether nobody sees it, whatever is behind it
    struck: bool
    inks: tuple[Colour | None, ...]  # of its letters and their outline; automatic is `None`
    font: str
    size: float  # in points
    raised: float  # by how many points; below 0 if it is lowered


class Lines(NamedTuple):
    """How the lines of a paragraph lie in the room for it, in points."""

    hidden: bool  # whether they are flat or beside the page
    indents: tuple[float, float]  # of the first line, from the left and from the right
    apart: float  # the space from one to the next; if below 0, in heights of the type; 0 is one
    frame: tuple[float, float, float] | None  # of a room of its own


@dataclass(slots=True)
class Room:
    """The room for paragraphs, in points from the left of the page, and what fills it."""

    left: float
    wide: float
    high: float = inf
    filled: float = 0  # how much of its height is

    def shows(self, text: str, sizes: float, lines: Lines, page: float) -> bool:
        """Add a text, of these sizes in all; return whether a plain estimate has it all drawn."""
        size, parts = sizes / max(len(text), 1) or _USUAL_SIZE, text.split("\n")
        across = max(self.wide - sum(lines.indents), size)
        apart = lines.apart if lines.apart > 0 else (-lines.apart or 1) * _HEIGHT * size
        above = self.filled + apart * (max(len(parts), ceil(_WIDE * sizes / across)) - 1)
        self.filled = above + apart
        start, length = self.left + lines.indents[0], _WIDE * size * max(map(len, parts))
        is_inside = above + _READ * size <= self.high and self.wide >= size / 2
        is_inside &= start >= -size and start + min(length, across) <= page + size
        return not text.strip() or (is_inside and apart >= size / 2)


class Looks:
    """The looks of the runs and paragraphs of a Word document.

    Args:
        file: The document, of python-docx.
        body: Its body.

    Attributes:
        styles: Its styles.
        page: The width and height of its largest page, in points.
        room: That on its pages, right of the widest margin.
        covers: The shapes that may lie over its paragraphs, or behind them (see `covers`).
    """

    def __init__(self, file: Any, body: Element) -> None:
        self.styles = Styles(file.styles.element)
        self._theme = theme_of(file.part)
        back = file.element.find(f"{W}background")
        # Word draws the colour of a page only where this setting says so.
        is_drawn = is_on(file.settings.element.find(f"{W}displayBackgroundShape"))
        self._paper = self._colour(back, "color") if is_drawn and back is not None else WHITE
        sizes = [each.attrib for each in body.iter(f"{W}pgSz")]
        self.page = [
            max((points(each.get(f"{W}{side}"), TWIPS) for each in sizes), default=_LARGEST_PAGE)
            for side in "wh"
        ]
        margins = (body, *body.iter(f"{W}pgMar"))
        left = max(points(each.get(f"{W}left"), TWIPS) for each in margins)
        self.room = Room(left, self.page[0] - left)
        self.covers = covers(body, self._theme, self.page)
        self._looks: dict[tuple[bytes, ...] | tuple[str, ...], Any] = {}

    def of(self, run: Element, style: str, table_style: str, mark: Element = None) -> Look:
        """Return the look of a run in a paragraph and a table with these styles.

        It may be the mark of a list, as its level there describes it.
        """
        given = (each.find(f"{W}rPr") for each in (run, mark) if each is not None)
        written = b"".join(_to_bytes(each, with_tail=False) for each in given if each is not None)
        key = style.encode(), table_style.encode(), written
        if key not in self._looks:
            own = properties(run)
            found = (
                self._styled(value(own.get("rStyle")), style, table_style) | own | properties(mark)
            )
            self._looks[key] = self._look(found, (style, table_style))
        return self._looks[key]

    def _styled(self, *names: str) -> dict[str, Element]:
        """Return the properties that a character, a paragraph and a table style give a run."""
        if names not in self._looks:
            usual = properties(self.styles.defaults)
            levels = [  # the kinds of styles, the nearest first
                {
                    name: look
                    for _, style in reversed([*self.styles.chain(each, kind)])
                    for name, look in properties(style).items()
                }
                for each, kind in zip(names, ("character", "paragraph", "table"), strict=True)
            ]
            found = dict(ChainMap(*levels, usual))
            # Of two kinds of styles that each hide a text, the second shows it again.
            for name in _TOGGLES:
                on = [level[name] for level in levels if is_on(level.get(name))]
                if is_on(usual.get(name)):
                    found[name] = usual[name]
                elif len(on) % 2:
                    found[name] = on[0]
                else:
                    found.pop(name, None)
            self._looks[names] = found
        return self._looks[names]

    def _look(self, found: dict[str, Element], styles: tuple[str, str]) -> Look:
        vanished = any(is_on(found.get(each)) for each in _VANISHED)
        moved = points(value(found.get("position")), _HALVES)
        # Arabic and Hebrew have a size of their own ("szCs").
        is_complex = is_on(found.get("rtl")) or is_on(found.get("cs"))
        size = points(value(found.get("szCs" if is_complex else "sz")), _HALVES, _USUAL_SIZE)
        closer = points(value(found.get("spacing")), TWIPS)
        width = points(value(found.get("w")).rstrip("%"), 1, 100)
        is_small = size < SMALLEST or closer <= OVERLAID * size or width < _THINNEST
        colour, is_clear = self._colour(found.get("color")), False
        if (fill := found.get(f"{W14}textFill")) is not None:
            alpha = next(fill.iter(f"{W14}alpha"), None)  # here, of what shows through
            is_clear = fill.find(f"{W14}noFill") is not None or (
                alpha is not None and amount(alpha.get(f"{W14}val")) > 1 - CLEAR
            )
            plain = fill.find(f"{W14}solidFill")
            colour = colour if plain is None else self._theme.colour_in(plain)
        inks, outline = (colour,), found.get(f"{W14}textOutline")
        if outline is not None and len(outline) and outline.find(f"{W14}noFill") is None:
            drawn = self._theme.colour_in(outline.find(f"{W14}solidFill"))
            # Clear letters with an outline are seen by that.
            inks, is_clear = (drawn,) if is_clear else (colour, drawn), False
        script = {"superscript": RAISED, "subscript": LOWERED}.get(value(found.get("vertAlign")))
        return Look(
            found,
            styles,
            vanished,
            vanished or abs(moved) >= _AWAY or is_small or is_clear,
            any(is_on(found.get(each)) for each in _STRIKES),
            inks,
            self.font_in(found.get("rFonts")),
            size,
            moved if script is None else script,
        )

    def font_in(self, fonts: Element | None) -> str:
        """Return the font that an element names for letters; one of the theme comes first."""
        named = attributes(fonts)
        for slot in ("ascii", "hAnsi"):
            themed = named.get(f"{slot}Theme", "")
            if font := self._theme.fonts.get(themed[:5], "") if themed else named.get(slot, ""):
                return font
        return ""

    def unseen(self, run: Element, look: Look) -> Reason | None:
        """Return why a reader does not see a run with this look, or sees it struck out."""
        # What is automatic becomes white on a shade, and not on a mark.
        inks = [ink or BLACK if "highlight" in look.properties else ink for ink in look.inks]
        is_known = None not in inks
        is_hidden = look.hidden or (is_known and all(faint(inks, self._grounds(run, look))))
        return "hidden" if is_hidden else "struck out" if look.struck else None

    def may_fade(self, run: Element, look: Look) -> bool:
        """Return whether what may lie behind a paragraph may have the colour of a run in it."""
        grounds = self._grounds(run, look)
        inks = [ink or BLACK for ink in look.inks]
        return len(grounds) > 1 and any(not each or all(faint(inks, [each])) for each in grounds)

    def _colour(
        self, element: Element, name: str = "val", theme: str = "themeColor"
    ) -> Colour | None:
        """Return a colour, which a theme may name, or `None` if it is automatic or unknown."""
        if element is None:
            return None
        colour = self._theme.named(element.get(f"{W}{theme}") or "")
        for change, sign in (("Tint", 1), ("Shade", -1)):
            written = element.get(f"{W}{theme.removesuffix('Color')}{change}") or ""
            if colour and re.fullmatch("[0-9A-Fa-f]{2}", written):
                colour = tinted(colour, sign * (1 - int(written, 16) / 255))
        return colour or rgb(element.get(f"{W}{name}") or "")

    def _grounds(self, run: Element, look: Look) -> Sequence[Colour | None]:
        """Return the colours that may be behind a run; one that is unknown is `None`."""
        mark = value(look.properties.get("highlight"))
        if marked := named(_HIGHLIGHTS.get(mark, mark)):
            return [marked]
        for shade in (look.properties.get("shd"), *self._shades(run, *look.styles)):
            if shade is None or value(shade) == "nil":
                continue
            if shade.tag == f"{A}solidFill":
                return [self._theme.colour_in(shade)]
            pattern = value(shade)
            is_plain = shade.get(f"{W}fill") == "auto" and not shade.get(f"{W}themeFill")
            fill = WHITE if is_plain else self._colour(shade, "fill", "themeFill")
            dots = self._colour(shade, "color") or BLACK
            if pattern in ("clear", ""):
                if not is_plain:
                    return [fill]
            elif pattern == "solid" or dots == fill:
                return [dots]
            elif fill and (share := points(pattern.removeprefix("pct"), 100, inf)) <= 1:
                return [mixed(dots, share, fill)]
            else:
                return [None]
        paragraph = next((e for e in (run, *run.iterancestors()) if e.tag == f"{W}p"), None)
        behind = (colour for order, colour in self.covers.get(paragraph, ()) if order < 0)
        return [self._paper, *behind]

    def _shades(self, run: Element, style: str, table_style: str) -> Iterator[Element]:
        """Yield what may be drawn behind a run, from above; something without a fill is unknown."""
        for around in run.iterancestors():
            if around.tag in (f"{W}p", f"{W}tc"):
                yield around.find(f"{around.tag}Pr/{W}shd")
            if around.tag == f"{W}p":
                yield from (e.find(f"{W}pPr/{W}shd") for _, e in self.styles.chain(style))
            elif around.tag == f"{_WPS}txbx":  # without a plain fill, it may be on a picture
                yield around.getparent().find(f"{_WPS}spPr/{A}solidFill")
                yield around
            elif around.tag == f"{W}tbl":
                chain = [each for _, each in self.styles.chain(table_style, "table")]
                part = table_style.partition("\0")[2]
                if part and not part.endswith("Cell"):  # a corner is also in a row and a column
                    yield from (each.find(f"{W}tcPr/{W}shd") for each in chain)
                elif any(next(each.iter(f"{W}shd"), None) is not None for each in chain):
                    yield around  # the fill of one of its parts
            elif around.tag == f"{_V}textbox":  # the fill of its shape may be anything
                yield around

    def lines(self, paragraph: Element, level: Element | None, style: str) -> Lines:
        """Return how the lines of a paragraph lie, at a level of a list or none."""
        chain = (each for _, each in self.styles.chain(style))
        layouts = (paragraph, level, *chain, self.styles.usual_layout)
        found = [each.find(f"{W}pPr") for each in layouts if each is not None]

        def given(name: str) -> dict[str, str]:
            # From the farthest to the nearest, which counts.
            inner = [each.find(f"{W}{name}") for each in reversed(found) if each is not None]
            return {key: length for each in inner for key, length in attributes(each).items()}

        # What counts characters does so in hundredths, of some 10 points each.
        ind = {k: points(n, 10 if "Chars" in k else TWIPS) for k, n in given("ind").items()}
        left, right, first, less = (ind.get(f"{k}Chars") or ind.get(k, 0) for k in _INDENTS)
        frame, spacing, (wide, high) = given("framePr"), given("spacing"), self.page
        x, y = (points(frame.get(side), TWIPS) for side in "xy")
        is_away = max(map(abs, (*ind.values(), x))) >= wide or abs(y) >= high
        is_flat = is_tiny(frame, "h", "hRule") or is_tiny(spacing, "line", "lineRule")
        x += self.room.left * (frame.get("hAnchor") != "page")
        tall = points(frame.get("h"), TWIPS) if frame.get("hRule") == "exact" else inf
        units = {"exact": TWIPS, "atLeast": inf}.get(spacing.get("lineRule", ""), -_LINES)
        return Lines(
            is_away or is_flat,
            (left + first - less, right),
            points(spacing.get("line"), units),
            (x, points(frame.get("w"), TWIPS) or wide, tall) if frame else None,
        )

    def room_in(self, box: Element, around: Room) -> Room:
        """Return the room in a text box, given that around it, as far as the box says."""
        shape = next(box.iterancestors(f"{WP}anchor", f"{WP}inline"), box)
        left = points(shape.findtext(f"{WP}positionH/{WP}posOffset"), METRIC)
        if shape.find(f"{WP}positionH[@relativeFrom='page']") is None:
            left = max(left + around.left, 0)  # or farther right, as in a second column
        size, body = shape.find(f"{WP}extent"), box.getparent().getparent().find(f"{_WPS}bodyPr")
        wide, high = (points(attributes(size).get(each), METRIC) for each in ("cx", "cy"))
        may_grow = body is None or body.find(f"{A}spAutoFit") is not None
        high = inf if may_grow or "id" in box.getparent().attrib else high  # in a chain of boxes
        above = points(attributes(body).get("tIns"), METRIC)
        return Room(left, wide or self.page[0] - left, high, above)

    def columns(self, table: Element, around: Room) -> list[float]:
        """Return the edges of the columns of a table, the outer ones if the others may move."""
        look = properties(table, "tblPr")
        moved, indented = attributes(look.get("tblpPr")), attributes(look.get("tblInd"))
        left = points(moved.get("tblpX"), TWIPS) or points(indented.get("w"), TWIPS)
        left += around.left * (moved.get("horzAnchor") != "page")
        is_fixed = attributes(look.get("tblLayout")).get("type") == "fixed"
        is_left = value(look.get("jc")) not in ("center", "right", "end")
        grid = table.iterfind(f"{W}tblGrid/{W}gridCol") if is_fixed and is_left else ()
        edges = [*accumulate((points(e.get(f"{W}w"), TWIPS) for e in grid), initial=left)]
        return edges if edges[1:] else [left, around.left + around.wide]

    def hides(self, drawn: Element) -> bool:
        """Return whether something drawn, or what a text box is in, is hidden."""
        around = takewhile(lambda each: each.tag != f"{W}p", drawn.iterancestors())
        return any(_hides(each, self.page) for each in (drawn, *around))


class Styles:
    """The styles of paragraphs, characters and tables: their names, and what they are based on."""

    def __init__(self, element: Element) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._usual: dict[str, str] = {}  # for each kind, what has no style of its own
        for each in element.iter(f"{W}style"):
            kind, name = each.get(f"{W}type") or "paragraph", each.get(f"{W}styleId")
            self._styles[kind, name] = each
            if each.get(f"{W}default") in ("1", "true", "on"):
                self._usual[kind] = name
        self.defaults = element.find(f"{W}docDefaults/{W}rPrDefault")
        self.usual_layout = element.find(f"{W}docDefaults/{W}pPrDefault")
        # Many runs ask for the same, and a chain may have thousands of styles.
        self.chain = lru_cache(100)(self._chain)
        self.parts = lru_cache(100)(self._parts)

    def _chain(self, style: str, kind: str = "paragraph") -> list[tuple[str, Element]]:
        """Return a style and those it is based on, with their ids.

        For a part of tables (see `parts`), what they say of it comes first.
        """
        style, _, part = style.partition("\0")
        if (kind, style) not in self._styles:
            style = self._usual.get(kind, "")
        found: dict[str, Element] = {}
        # Styles of damaged files may be based on one another in a circle.
        while (kind, style) in self._styles and style not in found:
            found[style] = self._styles[kind, style]
            style = value(found[style], "basedOn")
        looks = [
            (name, look)
            for name, each in (found.items() if part else ())
            for look in each.iterfind(f"{W}tblStylePr")
            if look.get(f"{W}type") == part
        ]
        return [*looks, *found.items()]

    def _parts(self, style: str) -> dict[str, str]:
        """Return the parts of a table, such as "firstRow", whose text a style gives other looks.

        Each comes with the name of the style for it.
        """
        looks = (each.iterfind(f"{W}tblStylePr[{W}rPr]") for _, each in self.chain(style, "table"))
        kinds = (look.get(f"{W}type") or "" for each in looks for look in each)
        return {kind: f"{style}\0{kind}" for kind in kinds}

    def level(self, paragraph: Element, style: str) -> int | None:
        """Return the level of a heading, 1 to 6, or `None` for other paragraphs."""
        for element in (paragraph, *(each for _, each in self.chain(style))):
            outline = value(element, "pPr", "outlineLvl")
            if outline.isdecimal():
                return min(int(outline) + 1, 6) if int(outline) < _BODY_TEXT else None
            if match := _HEADING.fullmatch(value(element, "name").lower()):
                return min(int(match[1] or 1), 6)
        return None


def value(element: Element | None, *path: str) -> str:
    """Return the value of an element, or of the one that a path in it leads to; empty if none."""
    if path and element is not None:
        element = element.find("/".join(f"{W}{each}" for each in path))
    return "" if element is None else element.get(f"{W}val") or ""


def properties(element: Element | None, kind: str = "rPr") -> dict[str, Element]:
    """Return the properties of an element or a style by name, by default of runs of text."""
    found = None if element is None else element.find(f"{W}{kind}")
    return {
        each.tag.removeprefix(W): each
        for each in (() if found is None else found)
        if isinstance(each.tag, str)
    }


def is_on(element: Element | None) -> bool:
    """Return whether an element is there, and does not turn off what it stands for."""
    return element is not None and value(element) not in OFF


def is_tiny(given: Mapping[str, str], size: str, rule: str) -> bool:
    """Return whether the height of a line or a row is exactly one that shows nothing."""
    return given.get(rule) == "exact" and 0 <= points(given.get(size), TWIPS, -1) < SMALLEST


def _hides(shape: Element, page: Sequence[float]) -> bool:
    """Return whether what a text box is in is hidden, has no size, or is off the page."""
    given = vml_style(shape)
    if given.get("visibility") == "hidden" or given.get("display") == "none":
        return True
    sizes = [points(given.get(side), 1, _LARGEST_PAGE) for side in ("width", "height")]
    if (extent := shape.find(f"{WP}extent")) is not None:
        sizes = [points(extent.get(side), METRIC) for side in ("cx", "cy")]
    if min(sizes) < SMALLEST:
        return True
    for each in shape.iterchildren(f"{WP}docPr", f"{_WPS}cNvPr", f"{_WPS}bodyPr"):
        if each.get("hidden") in ON or is_pushed_out(each, page):
            return True
    for axis, (side, length, most) in enumerate(zip(("left", "top"), sizes, page, strict=True)):
        # Without a unit, as in a group, a place in a style has no known scale.
        places = [points(given.get(name), inf) for name in (side, f"margin-{side}")]
        if any(abs(place) >= most for place in places):
            return True
        for place in shape.iterchildren(f"{WP}position{'HV'[axis]}"):
            # A paragraph may be anywhere on the page, a column in its first half.
            before = 0 if place.get("relativeFrom") == "page" else most / (2 - axis)
            offset = points(place.findtext(f"{WP}posOffset"), METRIC)
            if not -before - length < offset < most:
                return True
    return False

"""PowerPoint files as documents: `read_slides`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from math import hypot, inf
from typing import Any, NamedTuple

import numpy as np
import pptx

from citeguard.documents.document import (
    SMALLEST,
    Colour,
    Decision,
    Document,
    PageLimitError,
    Writer,
    faint,
    visible,
)
from citeguard.documents.files import fields_of, unpacked
from citeguard.documents.office.colours import amount, opacities
from citeguard.documents.office.elements import (
    CLEAR,
    INKS,
    METRIC,
    OFF,
    ON,
    OVERLAID,
    WHITE,
    A,
    Element,
    M,
    attributes,
    characters,
    fill_of,
    is_known,
    is_opaque,
    is_outlined,
    is_pushed_out,
    points,
    settled,
    theme_of,
    whole,
)
from citeguard.documents.office.lists import counted, said_by
from citeguard.documents.office.symbols import as_shown, linear
from citeguard.documents.tables import Written
from citeguard.language.formulas import subscript, superscript

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_HOLDER = f"{_P}nvSpPr/{_P}nvPr/{_P}ph"  # of the place of a form
_TITLES = ("title", "ctrTitle")
# The number, date, footer and header of a slide.
_FURNITURE = ("sldNum", "dt", "ftr", "hdr")
_THIN = 4 * METRIC  # the height of a line
_THICK = 9  # points: a line around a shape that is as thick as type
_RIGHT = 5_400_000  # a right angle, in 60,000ths of a degree
# Of the size of type, in usual fonts: a letter, a line with its space, and that below its letters.
_LETTER, _LINE, _BELOW = 0.5, 1.2, 0.25
_OF_STYLE = f"{A}fontRef"  # the ink of a shape's style
_Box = tuple[float, ...]
"""Left, top, right and bottom."""
_MOST_OFF = 0.25  # of the height of words, which is an estimate, that may seem to be off the slide


def read_slides(
    content: bytes, name: str, decision: Decision | None = None, *, max_pages: int | None = None
) -> Document:
    """Return the text of a PowerPoint file (.pptx), slide by slide.

    Each slide begins with a heading, "Slide 3: Results", or "Slide 3" if it has no title. Its notes
    are its last paragraphs. Pictures are omitted; so are charts, diagrams and the words of layouts,
    which warnings name. Hidden slides, shapes and text are as decided, and so is what is struck
    out; what a line or a table, or a shape in part, lies over is doubtful.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
        PageLimitError: it has more than `max_pages` slides.
    """
    with unpacked(content, name, "PowerPoint presentation"):
        file = pptx.Presentation(BytesIO(content))
        slides = list(file.slides)
        if max_pages is not None and len(slides) > max_pages:
            raise PageLimitError(
                f"{name}: has {len(slides):,} slides; at most {max_pages:,} are read"
            )
        writer = Writer(decision)
        unread: defaultdict[str, list[str]] = defaultdict(list)  # the slides by what is not read
        sized: Any = file
        size = (sized.slide_width or 0, sized.slide_height or 0)
        for number, slide in enumerate(slides, 1):
            for part in (slide, slide.slide_layout, slide.slide_layout.slide_master):
                settled(part.element)
            written = _Slide(writer, slide, number, size)
            written.write()
            for each in written.unread():
                unread[each].append(str(number))
        facts = file.core_properties
        warnings = [
            f"slide{'s' * (len(on) > 1)} {', '.join(on)}: {each} not read"
            for each, on in unread.items()
        ]
        fields = fields_of(facts)
        return writer.document(
            "slides", title=facts.title or None, fields=fields, warnings=warnings
        )


class _Drawn(NamedTuple):
    """What may cover others on a slide, or cross them out."""

    kind: str  # "cover", "line", "part" of what is in its box is covered, "glass" covers nothing
    order: int
    box: _Box
    colour: Colour | None


class _Slide:
    """Writes what a slide shows."""

    def __init__(self, writer: Writer, slide: Any, number: int, size: tuple[int, int]) -> None:
        file = slide.part.package.presentation_part.presentation
        self._usual = file.element.find(f"{_P}defaultTextStyle")  # of text in boxes
        self._writer, self._slide, self._number, self._size = writer, slide, number, size
        self._hidden = slide.element.get("show") in OFF
        self._layout, self._master = slide.slide_layout, slide.slide_layout.slide_master
        # A slide may map the names of colours otherwise than its master: "tx1" may be white there.
        names = attributes(slide.element.find(f"{_P}clrMapOvr/{A}overrideClrMapping"))
        names = names or attributes(self._master.element.find(f"{_P}clrMap"))
        self._theme = theme_of(self._master.part, names)
        self._ground = self._ground_of_slide()
        self._order: dict[Element, int] = {}  # in which shapes are drawn
        self._drawn: list[_Drawn] = []
        self._faint: set[Element] = set()  # shapes with words of a colour that may be behind them
        self._note_what_is_above()

    def write(self) -> None:
        """Write the title, the shapes in their order, and the notes."""
        shapes = list(_shapes(self._slide.element))
        titles = [" ".join(self._lines(shape)) for shape in shapes if _holder(shape) in _TITLES]
        title = " ".join(" ".join(titles).split())
        unsure = bool(title) and any(self._is_unsure(e) for e in shapes if _holder(e) in _TITLES)
        number = f"Slide {self._number}"
        heading = f"{number}: {title}" if title else number
        if not self._hidden or self._writer.decision.keeps:
            self._writer.write(heading, level=1, part="title", unsure=unsure)
        for shape in shapes:
            if shape.tag == f"{_P}graphicFrame":
                self._table(shape)
            elif _holder(shape) not in (*_TITLES, *_FURNITURE):
                name = _called(shape).get("name", "")
                part, lines = f"box *{name}*" if name else "", [*self._lines(shape)]
                self._writer.write_lines(lines, part=part, unsure=self._is_unsure(shape))
        if self._slide.has_notes_slide:
            self._size = (0, 0)  # of the slide: notes have a page of their own
            for shape in _shapes(self._slide.notes_slide.element):
                if _holder(shape) == "body":
                    for line in self._lines(shape):
                        self._writer.write(line, part="notes")

    def unread(self) -> Iterator[str]:
        """Yield what a reader of the slide sees and its text lacks."""
        if self._hidden:
            return
        kinds = {each.get("uri") or "" for each in self._slide.element.iter(f"{A}graphicData")}
        for kind in ("chart", "diagram"):
            if any(f"/{kind}" in each for each in kinds):
                yield f"the words of a {kind} are"
        yield from self._words_of(self._slide, ("ftr", "hdr"), "footer")
        for level in (self._slide, self._layout):  # may leave out what is below
            if level.element.get("showMasterSp") in OFF:
                return
            below = self._layout if level is self._slide else self._master
            yield from self._words_of(below, ("",), "layout")

    def _words_of(self, level: Any, holders: Sequence[str], name: str) -> Iterator[str]:
        for shape in _shapes(level.element):
            words = " ".join("".join(t.text or "" for t in shape.iter(f"{A}t")).split())
            if words and _holder(shape) in holders and not self._is_hidden(shape):
                yield f'the words "{words}" of its {name} are'

    def _table(self, shape: Element) -> None:
        table = f"{A}graphic/{A}graphicData/{A}tbl/{A}"
        has_head = attributes(shape.find(f"{table}tblPr")).get("firstRow") in ON
        head = int(has_head)  # how many rows; a cell of the first may span the next
        grid = shape.iterfind(f"{table}tblGrid/{A}gridCol")
        widths = [points(each.get("w"), METRIC) for each in grid]
        unsure = self._is_unsure(shape)
        for number, row in enumerate(shape.iterfind(f"{table}tr"), 1):
            cells: list[Written] = []
            for column, element in enumerate(row.iterchildren(f"{A}tc"), 1):
                rows, columns = (int(element.get(name) or 1) for name in ("rowSpan", "gridSpan"))
                is_covered = any(element.get(name) in ON for name in ("hMerge", "vMerge"))
                width = sum(widths[column - 1 : column - 1 + columns] or [SMALLEST])
                is_hidden = is_covered or width < SMALLEST
                lines = self._lines(element, shape, hidden=is_hidden)
                text = " ".join(" ".join(lines).split())
                if is_covered and not text:
                    continue  # a cell before or above spans it
                head = max(head, rows) if has_head and number == 1 else head
                heads = "column" if number <= head else ""
                cells.append(Written(text, number, column, rows, columns, heads))
                cells[-1].unsure = unsure
            self._writer.write_row(shape, cells)

    def _lines(
        self, element: Element, shape: Element = None, *, hidden: bool = False
    ) -> Iterator[str]:
        """Yield the paragraphs in an element, which is in a shape or is one."""
        shape = element if shape is None else shape
        hidden = hidden or self._hidden or self._is_hidden(shape)
        of_cell = [self._fill(element.find(f"{A}tcPr"))]
        grounds = self._grounds(shape) if element is shape else of_cell
        fit = shape.find(f"{_P}txBody/{A}bodyPr/{A}normAutofit")
        # PowerPoint notes here how far it shrank the text to fit its shape.
        scale = amount(attributes(fit).get("fontScale") or "100%")
        bodies = element.iterchildren(f"{_P}txBody", f"{A}txBody")
        counts: dict[int, tuple[tuple[str, int], int]] = {}
        for paragraph in (each for body in bodies for each in body.iterchildren(f"{A}p")):
            depth, levels, looks = self._styles(paragraph, shape)
            is_blank = not "".join(paragraph.itertext()).strip()
            mark = "" if is_blank else _mark(levels, depth, counts)
            # An indent as wide as the slide puts words off it.
            left = sum(whole(_first(levels, name)) for name in ("marL", "indent"))
            gone = hidden or left >= self._size[0] > 0
            text = "".join(
                self._piece(each, looks, shape, hidden=gone, grounds=grounds, scale=scale)
                for each in _inside(paragraph)
            )
            yield mark + text if text.strip() else text

    def _styles(
        self, paragraph: Element, shape: Element
    ) -> tuple[int, list[Element], list[Element]]:
        """Return the depth of a paragraph, and what gives it, and its letters, their looks.

        What is nearest comes first.
        """
        own, holder = paragraph.find(f"{A}pPr"), shape.find(_HOLDER)
        depth = whole(attributes(own).get("lvl", ""))
        kind = "" if holder is None else holder.get("type") or "body"
        name = "title" if kind in _TITLES else "body" if kind in ("body", "subTitle") else "other"
        lists = [each.find(f"{_P}txBody/{A}lstStyle") for each in self._forms(shape)]
        usual = [self._master.element.find(f"{_P}txStyles/{_P}{name}Style")]
        usual = usual if kind else [self._usual, *usual]
        lists, usual = (
            [each.find(f"{A}lvl{depth + 1}pPr") for each in styles if each is not None]
            for styles in (lists, usual)
        )
        ink = shape.find(f"{_P}style/{_OF_STYLE}")
        inks = [] if ink is None or not len(ink) else [ink]
        levels = [each for each in (*lists, *inks, *usual) if each is not None]
        looks = (each if each is ink else each.find(f"{A}defRPr") for each in levels)
        levels = levels if own is None else [own, *levels]
        return depth, levels, [each for each in looks if each is not None]

    def _forms(self, shape: Element) -> list[Element]:
        """Return a shape and the placeholders that it takes its form from, the nearest first."""
        holder = shape.find(_HOLDER)
        bodies = [shape]
        if holder is not None:
            for level in (self._layout, self._master):
                # A slide refers to its layout by numbers, and a layout to its master by kinds.
                name, usual = ("idx", "0") if level is self._layout else ("type", "body")
                bodies += (
                    each
                    for each in _shapes(level.element)
                    if (other := each.find(_HOLDER)) is not None
                    and other.get(name, usual) == holder.get(name, usual)
                )
        return bodies

    def _is_hidden(self, shape: Element) -> bool:
        """Return whether a shape, or a group that it is in, is hidden, covered or off the slide."""
        if any(_called(each).get("hidden") in ON for each in _with_groups(shape)):
            return True
        box = self._place(shape)
        if box is None or not all(self._size):
            return False
        shares = (_share_within(box[at], box[at + 2], self._size[at]) for at in (0, 1))
        if min(shares) < CLEAR:
            return True
        size = [each / METRIC for each in self._size]
        if any(is_pushed_out(each, size) for each in shape.iter(f"{A}bodyPr")):
            return True
        at = self._order.get(shape, len(self._order))
        over = [e.box for e in self._near(box) if e.kind == "cover" and e.order > at]
        return self._is_covered(box, over)

    def _place(self, shape: Element) -> _Box | None:
        return next(filter(None, map(_box, self._forms(shape))), None)

    def _is_unsure(self, shape: Element) -> bool:
        """Return whether something may cover words of a shape, or a line may cross them out."""
        if shape in self._faint:
            return True
        box, at = self._place(shape), self._order.get(shape)
        if box is None or at is None or not all(self._size):
            return False
        # A line may also be below a shape that lets it through.
        first = at if is_opaque(shape) else -1
        words = self._words(shape, box)
        shares = (_share_within(words[at], words[at + 2], self._size[at]) for at in (0, 1))
        crossed = (e for e in self._near(box) if e.kind == "line" and _crosses(e.box, box))
        over = (e for e in self._near(words) if e.kind not in ("line", "glass"))
        is_off = min(shares) < 1 - _MOST_OFF
        return is_off or any(e.order > first for e in crossed) or any(e.order > at for e in over)

    def _near(self, box: _Box) -> list[_Drawn]:
        """Return what is drawn over or behind a box, in its order, as far as there is time."""
        has_time = self._writer.decision.spend(len(self._drawn))
        return [each for each in self._drawn if has_time and _meet(each.box, box)]

    def _is_covered(self, box: _Box, over: Sequence[_Box]) -> bool:
        """Return whether others that meet a box leave nothing of it, as far as there is time."""
        if not over or not self._writer.decision.spend(len(over) ** 2):
            return False
        # Twice the tuples, not their numbers: the least and the most of all four sides.
        sides = np.clip([box, *over], 2 * box[:2], 2 * box[2:])
        # On a grid of all edges, each field is either free or covered as a whole.
        xs, ys = (np.unique(sides[:, at::2]) for at in (0, 1))
        free = np.ones((len(xs), len(ys)), bool)[1:, 1:]
        for left, top, right, bottom in sides[1:]:
            across, down = np.searchsorted(xs, (left, right)), np.searchsorted(ys, (top, bottom))
            free[slice(*across), slice(*down)] = False
        return not free.any()

    def _words(self, shape: Element, box: _Box) -> _Box:
        """Return the box that the words of a shape may take, by the widths of usual letters."""
        bodies = [e for form in self._forms(shape) for e in form.iter(f"{A}bodyPr")]
        is_odd = _first(bodies, "vert", "horz") != "horz" or whole(_first(bodies, "numCol")) > 1
        if shape.tag == f"{_P}graphicFrame" or _turn(shape) or is_odd:
            return box
        left, top, right, bottom = box
        room = inf if _first(bodies, "wrap") == "none" else right - left
        high, wide, most, is_left = 0.0, 0.0, 0.0, True
        for paragraph in shape.iter(f"{A}p"):
            _, levels, looks = self._styles(paragraph, shape)
            # Hundredths of a point: 18 points is the size where nothing names another.
            usual = _first(looks, "sz", "1800")
            sizes = [whole(each.get("sz") or usual) for each in paragraph.iter(f"{A}rPr")]
            size = METRIC / 100 * max(sizes, default=whole(usual))
            length = _LETTER * size * sum(len(t.text or "") for t in paragraph.iter(f"{A}t"))
            lines = 1 + length // max(room, size) + len([*paragraph.iter(f"{A}br")])
            high, wide, most = high + _LINE * size * lines, max(wide, length), max(most, size)
            is_left = is_left and _first(levels, "algn", "l") == "l"
        margin = 4 * METRIC
        if is_left:
            right = left + (wide if room == inf else min(room, wide + 4 * most + margin))
        elif room == inf:
            left, right = ((left + right + sign * wide) / 2 for sign in (-1, 1))
        middle = {"ctr": (top + bottom) / 2, "b": bottom - margin - high / 2}
        middle = middle.get(_first(bodies, "anchor"), top + margin + high / 2)
        upper, lower = middle - high / 2, middle + high / 2 - _BELOW * most
        fits = (each.tag for body in bodies for each in body if each.tag.lower().endswith("fit"))
        # Text that PowerPoint shrinks stays in its shape.
        if next(fits, "") == f"{A}normAutofit":
            upper, lower = max(upper, top), min(lower, bottom)
        return left, upper, right, lower

    def _grounds(self, shape: Element) -> list[Colour | None]:
        """Return the colours that may be behind the words of a shape; `None` is an unknown one."""
        if is_opaque(shape):
            return [self._colour(shape)]
        if fill_of(shape.find(f"{_P}spPr")) is not None:
            return [None]
        box, at = self._place(shape), self._order.get(shape, -1)
        found: list[Colour | None] = []
        words = None if box is None else self._words(shape, box)
        # From the nearest one behind the words on: what is behind one that covers all is not seen.
        for each in reversed(self._near(words) if words else ()):
            if words and each.order < at and each.kind != "line":
                found.append(each.colour)
                if self._is_covered(words, [each.box]):
                    return found if each.kind == "cover" else [*found, None]
        return [*found, self._ground]

    def _note_what_is_above(self) -> None:
        """Note the order of the shapes, and which of them cover others or cross them out.

        What an animation shows or takes away covers nothing, as far as is known.
        """
        moved = {each.get("spid", "") for each in self._slide.element.iter(f"{_P}spTgt")}
        kinds = [f"{_P}{name}" for name in ("sp", "graphicFrame", "pic", "cxnSp", "contentPart")]
        for order, each in enumerate(self._slide.element.iter(*kinds)):
            self._order[each] = order
            box = self._place(each)
            if box is None or not (kind := self._kind(each, box[3] - box[1])):
                continue
            if any(_called(holder).get("id") in moved for holder in _with_groups(each)):
                kind = "" if kind == "line" else "glass"
            colour = None if kind == "glass" else self._colour(each)
            self._drawn += [_Drawn(kind, order, box, colour)] if kind else []

    def _kind(self, shape: Element, height: float) -> str:
        if shape.tag in (f"{_P}graphicFrame", f"{_P}contentPart"):
            return "part"
        if height < _THIN and (is_opaque(shape) or is_outlined(shape)):
            return "line"
        if not is_opaque(shape):
            is_filled = shape.tag == f"{_P}pic" or fill_of(shape.find(f"{_P}spPr")) is not None
            # A line as thick as type may cover words, and so may one by hand, of any width.
            least = 0 if next(shape.iter(f"{A}custGeom"), None) is not None else _THICK
            return "part" if is_outlined(shape, least) else "glass" if is_filled else ""
        form = shape.find(f"{_P}spPr/{A}prstGeom")
        # "rect" and "roundRect" fill their boxes; "ellipse" and "rtTriangle" leave corners free.
        is_box = form is None or "rect" in (form.get("prst") or "").lower()
        is_odd = next(shape.iter(f"{A}custGeom", f"{A}blip"), None) is not None
        return "cover" if is_box and not is_odd and not _turn(shape) % _RIGHT else "part"

    def _colour(self, shape: Element) -> Colour | None:
        """Return the colour of a shape's fill, or `None` if it is no plain one."""
        if shape.get("useBgFill") in ON:
            return self._ground
        return self._fill(shape.find(f"{_P}spPr"))

    def _ground_of_slide(self) -> Colour | None:
        """Return the colour behind the text, or `None` if pictures or shapes may lie there."""
        levels = [each.element for each in (self._slide, self._layout, self._master)]
        for each in levels[1:]:
            if next(each.iter(f"{_P}pic"), None) is not None or any(
                fill_of(shape) is not None for shape in each.iter(f"{_P}spPr")
            ):
                return None
        for each in levels:
            back = each.find(f"{_P}cSld/{_P}bg")
            if back is not None:
                named = back.find(f"{_P}bgRef")
                if named is not None:
                    return self._theme.colour_in(named)
                return self._fill(back.find(f"{_P}bgPr"))
        return WHITE

    def _fill(self, properties: Element | None) -> Colour | None:
        """Return the colour of a fill, or `None` if it is no plain one."""
        fill = fill_of(properties)
        if fill is None or fill.tag != f"{A}solidFill" or min(opacities(fill)) <= 1 - CLEAR:
            return None
        return self._theme.colour_in(fill)

    def _piece(
        self,
        element: Element,
        looks: list[Element],
        shape: Element,
        *,
        hidden: bool,
        grounds: list[Colour | None],
        scale: float,
    ) -> str:
        if element.tag == f"{A}br":
            return "\n"
        decision = self._writer.decision
        if element.tag == f"{M}oMath":
            text = linear(
                element,
                lambda run: "".join(map(characters, run.iter(f"{M}t"))),
                partial(decision.on, reason="struck out"),
            )
            return decision.on(text, "hidden") if hidden else text
        written, own = element.find(f"{A}t"), element.find(f"{A}rPr")
        looks = looks if own is None else [own, *looks]
        text = "" if written is None else visible(characters(written))
        if (element.get("type") or "").startswith(("slidenum", "datetime")):
            return ""  # a field with what is the number or the date now
        for font in ("latin", "sym"):
            if (named := _nearest(looks, font)) is not None:
                text = as_shown(text, named.get("typeface") or "")

        size = whole(_first(looks, "sz"), 1800) * scale
        is_overlaid = whole(_first(looks, "spc")) <= OVERLAID * size
        unread = self._faint_on(grounds, looks, own)
        if hidden or is_overlaid or size < 100 * SMALLEST or all(unread):
            return decision.on(text, "hidden")
        if any(unread) and text.strip():
            self._faint.add(shape)
        if _first(looks, "strike", "noStrike") not in OFF:
            return decision.on(text, "struck out")
        raised = whole(_first(looks, "baseline").rstrip("%"))
        return superscript(text) if raised > 0 else subscript(text) if raised < 0 else text

    def _faint_on(
        self, grounds: list[Colour | None], looks: list[Element], own: Element | None
    ) -> list[bool]:
        """Return for each ink of a text, and each colour behind it, if it cannot be told from that.

        Text that lets through what is behind it cannot.
        """
        if (mark := _nearest(looks, "highlight")) is not None:
            grounds = [self._theme.colour_in(mark)]
        parts = (each for e in looks for each in ([e] if e.tag == _OF_STYLE else e))
        fill = next((each for each in parts if each.tag in (*INKS, _OF_STYLE)), None)
        # Hollow letters have the ink of their outline.
        if fill is not None and fill.tag == f"{A}noFill":
            fill = fill_of(_nearest(looks, "ln"))
            if fill is None:
                return [True]
        if fill is None:
            inks = [self._theme.named("tx1")]
        elif max(opacities(fill)) < CLEAR:
            return [True]
        else:
            # The ends of a gradient or the colours of a pattern: letters may fade in one of them.
            several = [*fill.iter(f"{A}gs", f"{A}fgClr", f"{A}bgClr")]
            inks = [self._theme.colour_in(each) for each in several or [fill]]
        link = None if own is None else own.find(f"{A}hlinkClick")
        # PowerPoint shows links in the theme's colour, unless an extension says "tx": the text's.
        if link is not None and all(e.get("val") != "tx" for e in link.iter("{*}hlinkClr")):
            is_own = fill is not None and fill.getparent() is own  # some programs show it
            inks = [*(inks if is_own else ()), self._theme.named("hlink")]
        return [*faint(inks, grounds)]


def _nearest(looks: Iterable[Element], tag: str) -> Element | None:
    return next((e for each in looks if (e := each.find(f"{A}{tag}")) is not None), None)


def _first(looks: Iterable[Element], name: str, default: str = "") -> str:
    """Return the value of a name in the first of some elements that has one."""
    return next((found for each in looks if (found := each.get(name))), default)


_BULLETS = frozenset(f"{A}bu{kind}" for kind in ("None", "Char", "Blip", "AutoNum"))
_FORM = re.compile(r"(?P<form>[a-z]+(?:[LU]c)?)(?P<signs>Period|ParenR|ParenBoth|Plain)")
_FORMS = {
    **{"arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter"},
    **{"romanLc": "lowerRoman", "romanUc": "upperRoman"},
}
_SIGNS = {"Period": "{}. ", "ParenR": "{}) ", "ParenBoth": "({}) ", "Plain": "{} "}


def _mark(
    levels: Iterable[Element], depth: int, counts: dict[int, tuple[tuple[str, int], int]]
) -> str:
    """Return the number before a paragraph, if its properties or their level give it one.

    Args:
        levels: The properties, the nearest first.
        depth: How deep it is in the list.
        counts: The last numbers by depth, with their form and start; it is kept up to date.
    """
    levels = list(levels)
    bullets = (each for level in levels for each in level if each.tag in _BULLETS)
    bullet = attributes(next(bullets, None))
    for deeper in [each for each in counts if each > depth]:
        del counts[deeper]
    form = _FORM.fullmatch(bullet.get("type", ""))
    if form is None or form["form"] not in _FORMS:
        counts.pop(depth, None)
        font = attributes(_nearest(levels, "buFont")).get("typeface", "")
        sign = said_by(bullet.get("char", ""), font)
        return f"{sign} " if sign else ""
    kind = form[0], whole(bullet.get("startAt", ""), 1)
    before, last = counts.get(depth, (kind, kind[1] - 1))
    counts[depth] = kind, last + 1 if before == kind else kind[1]
    return _SIGNS[form["signs"]].format(counted(counts[depth][1], _FORMS[form["form"]]))


def _box(shape: Element) -> _Box | None:
    """Return the box of a shape on the slide: left, top, right, bottom; `None` if it inherits it.

    The places in a group are the group's own, which it maps to its box.
    """
    place = shape.find("{*}xfrm")  # of a table, a chart or ink
    place = shape.find(f"{_P}spPr/{A}xfrm") if place is None else place
    numbers = _numbers_of(place, ("off", "xy"), ("ext", ("cx", "cy")))
    if numbers is None:
        return None
    x, y, width, height = numbers
    # At a right angle, a shape changes its sides; at another, it reaches as far as its diagonal.
    if turn := _turn(shape) % (2 * _RIGHT):
        wide, high = (height, width) if turn == _RIGHT else 2 * (hypot(width, height),)
        x, y = x + (width - wide) / 2, y + (height - high) / 2
        width, height = wide, high
    for group in shape.iterancestors(f"{_P}grpSp"):
        outer = _numbers_of(
            group.find(f"{_P}grpSpPr/{A}xfrm"),
            *(("off", "xy"), ("ext", ("cx", "cy")), ("chOff", "xy"), ("chExt", ("cx", "cy"))),
        )
        if outer is None or not all(outer[6:]):
            return None
        wide, high = outer[2] / outer[6], outer[3] / outer[7]
        x, y = outer[0] + (x - outer[4]) * wide, outer[1] + (y - outer[5]) * high
        width, height = width * wide, height * high
    return x, y, x + width, y + height


def _numbers_of(place: Element | None, *named: tuple[str, Iterable[str]]) -> list[float] | None:
    found: list[float] = []
    for tag, keys in named:
        element = None if place is None else place.find(f"{A}{tag}")
        if element is None:
            return None
        found += (whole(element.get(key) or "") for key in keys)
    return found


def _share_within(start: float, end: float, size: float) -> float:
    """Return the share of a side of a shape that is on the slide."""
    seen = min(end, size) - max(start, 0)
    # A line has no height, but may be on the slide.
    return float(seen >= 0) if end <= start else seen / (end - start)


def _turn(shape: Element) -> int:
    return whole(attributes(shape.find(f"{_P}spPr/{A}xfrm")).get("rot", ""))


def _meet(one: _Box, other: _Box) -> bool:
    is_beside = one[0] >= other[2] or other[0] >= one[2]
    return not is_beside and one[1] < other[3] and other[1] < one[3]


def _crosses(line: _Box, box: _Box) -> bool:
    """Return whether a line goes through a box, and not just along one of its sides."""
    margin = min((box[3] - box[1]) / 4, 6 * METRIC)
    is_in = box[1] + margin < line[1] and line[3] < box[3] - margin
    return is_in and min(line[2], box[2]) - max(line[0], box[0]) > (box[2] - box[0]) / 10


def _inside(element: Element) -> Iterator[Element]:
    """Yield the parts of a paragraph, also those in what only new programs show."""
    for child in element:
        if child.tag in (f"{A}r", f"{A}br", f"{A}fld", f"{M}oMath"):
            yield child
        elif is_known(child):
            yield from _inside(child)


def _shapes(element: Element) -> Iterator[Element]:
    """Yield the shapes and tables below an element, also those in groups."""
    for child in element:
        if child.tag in (f"{_P}sp", f"{_P}graphicFrame"):
            yield child
        elif is_known(child):
            yield from _shapes(child)


def _called(shape: Element) -> dict[str, str]:
    """Return the attributes of what names a shape."""
    return attributes(next(shape.iter(f"{_P}cNvPr"), None))


def _with_groups(shape: Element) -> list[Element]:
    return [shape, *shape.iterancestors(f"{_P}grpSp")]


def _holder(shape: Element) -> str:
    """Return what a shape holds the place of; empty if nothing."""
    place = shape.find(_HOLDER)
    return "" if place is None else place.get("type") or "object"

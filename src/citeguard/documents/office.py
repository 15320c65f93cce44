"""Files of Microsoft Office as documents: `read_word` and `read_slides`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any, Literal
from zipfile import ZipFile

import docx
import pptx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.parser import parse_xml

from citeguard.documents.document import (
    FAINTEST,
    SMALLEST,
    Colour,
    Decision,
    Document,
    PageLimitError,
    Reason,
    Writer,
    contrast,
    subscript,
    superscript,
    visible,
)
from citeguard.documents.symbols import as_shown, linear, symbol
from citeguard.documents.tables import Written
from citeguard.errors import InvalidSourcesError, foreign_code

# The most bytes, unpacked, of an XML part of a file, and of all parts together.
_LARGEST_PART, _LARGEST_FILE = 64_000_000, 600_000_000

Element = Any  # of lxml, which has no types
_parse: Any = parse_xml

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_CONTAINERS = frozenset(
    (
        *(f"{_W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo")),
        *(f"{_COMPATIBILITY}{name}" for name in ("AlternateContent", "Choice")),
    )
)
# What a reader does not see: deleted text, and what only old programs show.
_UNSEEN = frozenset(
    (
        *(f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "trPr", "tcPr", "tblPr")),
        f"{_COMPATIBILITY}Fallback",
    )
)
_NOTES = {
    f"{_W}footnoteReference": (RELATIONSHIP_TYPE.FOOTNOTES, f"{_W}footnote"),
    f"{_W}endnoteReference": (RELATIONSHIP_TYPE.ENDNOTES, f"{_W}endnote"),
}
_SIGNS = {f"{_W}tab": " ", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "\u2011"}
_STYLE = f"{_W}pPr/{_W}pStyle"
_LINKED = f"{_W}pStyle"
_HEADING = re.compile(r"heading ([1-9])|title")
_BODY_TEXT = 9  # the outline level of what is no heading
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "ftr", "hdr")


_OFF = ("0", "false", "off", "none", "noStrike")
_STRIKES = ("strike", "dstrike")
_HIGHLIGHTS: dict[str, Colour] = {  # the others are far from white and black
    "white": (255, 255, 255), "black": (0, 0, 0), "yellow": (255, 255, 0),
    "lightGray": (192, 192, 192),
}  # fmt: skip
_WHITE: Colour = (255, 255, 255)
_FILLS = tuple(f"{_A}{name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill"))
_CLEAR = 10_000  # an alpha of a tenth, in thousandths of a percent


def read_word(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of a Word file (.docx) in its order.

    List marks and numbers are written as Word shows them, a row of a table is one line with its
    cells separated by " | ", and footnotes come last. Text boxes follow the paragraph that they
    are anchored to. Symbols are read by the tables of their fonts, equations on one line, and boxes
    as ☑ or ☐. Tracked changes are read as accepted. Page headers and footers, comments, charts and
    pictures are omitted; text that is hidden or struck out is as decided.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
    """
    with _read(content, name, "Word document"):
        file = docx.Document(BytesIO(content))
        reader = _Word(file, Writer(decision, numbered=True))
        reader.read()
        return reader.writer.document("word", title=file.core_properties.title or None)


def read_slides(
    content: bytes,
    name: str,
    decision: Decision | None = None,
    *,
    max_pages: int | None = None,
) -> Document:
    """Return the text of a PowerPoint file (.pptx), slide by slide.

    Each slide begins with a heading, "Slide 3: Results", or "Slide 3" if it has no title. Its notes
    are its last paragraphs. Charts, diagrams and pictures are omitted; hidden slides, shapes and
    text are as decided, and so is what is struck out.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
        PageLimitError: it has more than `max_pages` slides.
    """
    with _read(content, name, "PowerPoint presentation"):
        file = pptx.Presentation(BytesIO(content))
        slides = list(file.slides)
        if max_pages is not None and len(slides) > max_pages:
            raise PageLimitError(
                f"{name}: has {len(slides):,} slides; at most {max_pages:,} are read"
            )
        writer = Writer(decision)
        sized: Any = file
        size = (sized.slide_width or 0, sized.slide_height or 0)
        for number, slide in enumerate(slides, 1):
            _Slide(writer, slide, number, size).write()
        return writer.document("slides", title=file.core_properties.title or None)


@contextmanager
def _read(content: bytes, name: str, kind: str) -> Generator[None]:
    """Reject a file that unpacks to too much, and turn what its reader raises into one error."""
    with foreign_code(lambda _: InvalidSourcesError(f"{name}: is damaged: no {kind}")):
        with ZipFile(BytesIO(content)) as packed:
            parts = packed.infolist()
        texts = (part for part in parts if part.filename.endswith((".xml", ".rels")))
        largest = max((part.file_size for part in texts), default=0)
        if largest > _LARGEST_PART or sum(part.file_size for part in parts) > _LARGEST_FILE:
            raise InvalidSourcesError(f"{name}: unpacks to more than is read of a {kind}")
        try:
            yield
        except _EntityError as error:
            raise InvalidSourcesError(f"{name}: {error}") from None


class _EntityError(InvalidSourcesError):
    """A text has an entity, so that nobody knows what it says."""


# -- Word


class _Word:
    """Writes what the elements of a Word document show."""

    def __init__(self, file: Any, writer: Writer) -> None:
        self.writer = writer
        self._style = ""  # of the open paragraph
        self._looks: dict[tuple[str, str], dict[str, Element]] = {}
        self._body: Element = file.element.body
        self._styles = _Styles(file.styles.element)
        relations = file.part.rels.values()
        self._related = {each.reltype: each for each in relations if not each.is_external}
        numbering = self._related.get(RELATIONSHIP_TYPE.NUMBERING)
        self._lists = _Lists(None if numbering is None else numbering.target_part.element)
        self._notes: list[tuple[str, str]] = []  # the tag and the id of each mark so far

    def read(self) -> None:
        """Write the body, and then the notes."""
        self._blocks(self._body)
        texts: dict[tuple[str, str], Element] = {
            (reference, note.get(f"{_W}id")): note
            for reference, (kind, tag) in _NOTES.items()
            if kind in self._related
            for note in _parse(self._related[kind].target_part.blob).iter(tag)
        }
        # A note may have a mark of its own, so the list may grow.
        for number, mark in enumerate(self._notes, 1):
            if (note := texts.get(mark)) is not None:
                self.writer.write(" ".join(self._texts(note)), mark=f"[{number}] ")

    def _blocks(self, parent: Element) -> None:
        for child in parent:
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag in _CONTAINERS:
                self._blocks(child)

    def _paragraph(self, element: Element) -> None:
        style = _value(element.find(_STYLE))
        self._style = style
        boxes: list[Element] = []
        text = "".join(self._pieces(element, boxes))
        mark = self._lists.mark(element, style, self._styles) if text.strip() else ""
        level = self._styles.level(element, style)
        self.writer.write(" ".join(text.split()) if level else text, mark=mark, level=level)
        for box in boxes:
            self._blocks(box)

    def _table(self, table: Element) -> None:
        rows = [
            (row, list(_children(row, f"{_W}tc")))
            for row in _children(table, f"{_W}tr")
            if row.find(f"{_W}trPr/{_W}del") is None
        ]
        if all(len(cells) < 2 for _, cells in rows):  # a frame around paragraphs
            for _, cells in rows:
                for cell in cells:
                    self._blocks(cell)
            return
        begun: dict[int, Written] = {}  # the last cell that begins in each column
        for number, (row, elements) in enumerate(rows, 1):
            heads = "" if row.find(f"{_W}trPr/{_W}tblHeader") is None else "column"
            cells: list[Written] = []
            column = 1 + _span(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
            for element in elements:
                columns = _span(element.find(f"{_W}tcPr/{_W}gridSpan"), 1)
                merged = element.find(f"{_W}tcPr/{_W}vMerge")
                if merged is not None and _value(merged) != "restart" and column in begun:
                    begun[column].rows = number - begun[column].row + 1
                else:
                    text = " ".join(" ".join(self._texts(element)).split())
                    begun[column] = Written(text, number, column, 1, columns, heads)
                    cells.append(begun[column])
                column += columns
            self.writer.write_row(table, cells)

    def _texts(self, parent: Element) -> Iterator[str]:
        """Yield the texts of all paragraphs in a cell or a note."""
        for child in parent:
            if child.tag == f"{_W}p":
                boxes: list[Element] = []
                self._style = _value(child.find(_STYLE))
                yield "".join(self._pieces(child, boxes))
                for box in boxes:
                    yield from self._texts(box)
            elif child.tag not in _UNSEEN:
                yield from self._texts(child)

    def _pieces(self, element: Element, boxes: list[Element]) -> Iterator[str]:  # noqa: C901 - one case each
        """Yield the texts in a paragraph; text boxes are added to a list."""
        for child in element:
            if child.tag in _UNSEEN:
                continue
            if child.tag == f"{_W}txbxContent":
                boxes.append(child)
            elif child.tag == f"{_W}r":
                yield self._run(child, boxes)
            elif child.tag in (f"{_W}t", f"{_M}t"):
                yield _characters(child)
            elif child.tag == f"{_W}sym":
                yield symbol(int(child.get(f"{_W}char"), 16), child.get(f"{_W}font") or "")
            elif child.tag == f"{_M}oMath":
                yield linear(child, partial(self._run, boxes=boxes))
            elif child.tag == f"{_W}fldChar":
                yield _filled_in(child)
            elif child.tag in _SIGNS:
                yield _SIGNS[child.tag]
            elif child.tag == f"{_W}br":
                yield "" if child.get(f"{_W}type") in ("page", "column") else "\n"
            elif child.tag in _NOTES:
                self._notes.append((child.tag, child.get(f"{_W}id")))
                yield f"[{len(self._notes)}]"
            else:
                yield from self._pieces(child, boxes)

    def _run(self, run: Element, boxes: list[Element]) -> str:
        text = visible("".join(self._pieces(run, boxes)))
        look = self._look_of(run)
        if (fonts := look.get("rFonts")) is not None:
            text = as_shown(text, fonts.get(f"{_W}ascii") or "")
        if len(text.strip()) == 1:
            control = next(run.iterancestors(f"{_W}sdt"), None)
            box = None if control is None else control.find(f"{_W}sdtPr/{_W14}checkbox")
            if box is not None:
                ticked = box.find(f"{_W14}checked")
                text = "☐" if ticked is None or ticked.get(f"{_W14}val") in _OFF else "☑"
        if (reason := _unseen(run, look)) is not None:
            return self.writer.decision.on(text, reason)
        raised = _value(run.find(f"{_W}rPr/{_W}vertAlign"))
        if raised == "superscript" and not text.startswith("["):
            return superscript(text)
        return subscript(text) if raised == "subscript" else text

    def _look_of(self, run: Element) -> dict[str, Element]:
        """Return the properties of a run by name, its own and those of its styles."""
        own = run.find(f"{_W}rPr")
        named = "" if own is None else _value(own.find(f"{_W}rStyle"))
        key = named, self._style
        if key not in self._looks:
            sources = [each for _, each in self._styles.chain(named)]
            sources += [each for _, each in self._styles.chain(self._style or self._styles.usual)]
            found = [each.find(f"{_W}rPr") for each in sources] + [self._styles.defaults]
            self._looks[key] = {
                each.tag.removeprefix(_W): each
                for properties in reversed(found)
                for each in (() if properties is None else properties)
                if isinstance(each.tag, str)
            }
        if own is None:
            return self._looks[key]
        return self._looks[key] | {
            each.tag.removeprefix(_W): each for each in own if isinstance(each.tag, str)
        }


def _span(element: Element, default: int) -> int:
    value = _value(element)
    return int(value) if value.isdecimal() and len(value) < 4 else default


def _unseen(run: Element, look: dict[str, Element]) -> Reason | None:
    """Return why a reader does not see a run with these properties, or sees it struck out."""
    if "vanish" in look and _value(look["vanish"]) not in _OFF:
        return "hidden"
    size, width = (_value(look[each]) if each in look else "" for each in ("sz", "w"))
    if (size.isdecimal() and int(size) < 2 * SMALLEST) or (width.isdecimal() and int(width) < 5):
        return "hidden"
    fill = look.get(f"{_W14}textFill")
    if fill is not None and fill.find(f"{_W14}noFill") is not None:
        return "hidden"
    colour = _rgb(_value(look["color"])) if "color" in look else None
    ground = _ground(run, look) if colour is not None else None
    if colour is not None and ground is not None and contrast(colour, ground) < FAINTEST:
        return "hidden"
    if any(each in look and _value(look[each]) not in _OFF for each in _STRIKES):
        return "struck out"
    return None


def _ground(run: Element, look: dict[str, Element]) -> Colour | None:
    """Return the colour behind a run, or `None` if it is unknown."""
    if "highlight" in look:
        return _HIGHLIGHTS.get(_value(look["highlight"]))
    shades = [look.get("shd")]
    for around in run.iterancestors():
        if around.tag in (f"{_W}p", f"{_W}tc"):
            shades.append(around.find(f"{around.tag}Pr/{_W}shd"))
        elif around.tag == f"{_W}txbxContent" or (
            around.tag == f"{_W}tbl" and around.find(f"{_W}tblPr/{_W}tblStyle") is not None
        ):  # the fill of its shape may be anything
            shades.append(around)
    for shade in shades:
        if shade is not None and (fill := shade.get(f"{_W}fill")) != "auto":
            return _rgb(fill or "")
    return _WHITE


def _rgb(written: str) -> Colour | None:
    """Return a colour written as six hexadecimal digits."""
    if not re.fullmatch(r"[0-9A-Fa-f]{6}", written):
        return None
    red, green, blue = bytes.fromhex(written)
    return red, green, blue


def _equation_text(run: Element) -> str:
    return "".join(map(_characters, run.iter(f"{_M}t")))


def _characters(element: Element) -> str:
    """Return the text in an element, also that after a comment.

    Raises:
        _EntityError: it has an entity, which could be anything.
    """
    texts = [element.text or ""]
    for each in element:
        if "Entity" in type(each).__name__:
            raise _EntityError(f"has an entity, {each.text}, that is not expanded")
        texts.append(each.tail or "")
    return "".join(texts)


def _filled_in(field: Element) -> str:
    """Return what a field of an old form shows: a box, or the choice from a list."""
    box, choices = field.find(f"{_W}ffData/{_W}checkBox"), field.find(f"{_W}ffData/{_W}ddList")
    if box is not None:
        ticked = next((each for n in ("checked", "default") for each in box.iter(f"{_W}{n}")), None)
        return "☐" if ticked is None or _value(ticked) in _OFF else "☑"
    if choices is not None:
        entries = [_value(each) for each in choices.iter(f"{_W}listEntry")]
        chosen = next((choices.find(f"{_W}{n}") for n in ("result", "default")), None)
        place = int(_value(chosen) or 0)
        return entries[place] if place < len(entries) else ""
    return ""


def _value(element: Element) -> str:
    return "" if element is None else element.get(f"{_W}val") or ""


def _children(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the children with a tag, also those in content controls and tracked changes."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _CONTAINERS:
            yield from _children(child, tag)


class _Styles:
    """The styles of paragraphs: their names, and what they are based on."""

    def __init__(self, element: Element) -> None:
        styles = element.iter(f"{_W}style")
        self._styles: dict[str, Element] = {each.get(f"{_W}styleId"): each for each in styles}
        self.defaults = element.find(f"{_W}docDefaults/{_W}rPrDefault/{_W}rPr")
        self.usual = next(  # the style of a paragraph that names none
            (
                name
                for name, each in self._styles.items()
                if each.get(f"{_W}default") == "1" and each.get(f"{_W}type") == "paragraph"
            ),
            "",
        )

    def chain(self, style: str) -> Iterator[tuple[str, Element]]:
        """Yield a style and those it is based on, with their ids."""
        seen: set[str] = set()
        while style in self._styles and style not in seen:
            seen.add(style)
            yield style, self._styles[style]
            style = _value(self._styles[style].find(f"{_W}basedOn"))

    def level(self, paragraph: Element, style: str) -> int | None:
        """Return the level of a heading, 1 to 6, or `None` for other paragraphs."""
        for element in (paragraph, *(each for _, each in self.chain(style))):
            outline = _value(element.find(f"{_W}pPr/{_W}outlineLvl"))
            name = _value(element.find(f"{_W}name")).lower()
            if outline.isdecimal():
                return min(int(outline) + 1, 6) if int(outline) < _BODY_TEXT else None
            if match := _HEADING.fullmatch(name):
                return min(int(match[1] or 1), 6)
        return None


class _Lists:
    """The numbers and marks of lists, counted through the document."""

    def __init__(self, element: Element | None) -> None:
        self._levels: dict[str, dict[int, Element]] = {}
        self._abstract: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        for each in () if element is None else element.iter(f"{_W}abstractNum"):
            levels = {int(level.get(f"{_W}ilvl")): level for level in each.iter(f"{_W}lvl")}
            self._levels[each.get(f"{_W}abstractNumId")] = levels
        for each in () if element is None else element.iter(f"{_W}num"):
            number = each.get(f"{_W}numId")
            self._abstract[number] = _value(each.find(f"{_W}abstractNumId"))
            self._starts[number] = {
                int(override.get(f"{_W}ilvl")): int(_value(start))
                for override in each.iter(f"{_W}lvlOverride")
                if (start := override.find(f"{_W}startOverride")) is not None
            }

    def mark(self, paragraph: Element, style: str, styles: _Styles) -> str:
        """Return the mark of a paragraph with a blank after it; empty for one that has none."""
        number, depth = self._place(paragraph, style, styles)
        abstract = self._abstract.get(number, "")
        level = self._levels.get(abstract, {}).get(depth)
        if level is None:
            return ""
        counts = self._counts.setdefault(abstract, {})
        if depth in (starts := self._starts[number]):  # only before the first item
            counts[depth] = starts.pop(depth)
        else:
            counts[depth] = counts[depth] + 1 if depth in counts else self._start(abstract, depth)
        for deeper in [each for each in counts if each > depth]:
            del counts[deeper]
        if _value(level.find(f"{_W}numFmt")) == "bullet":
            return "- "
        template = _value(level.find(f"{_W}lvlText"))
        written = _PLACE.sub(lambda match: self._written(abstract, int(match[1]) - 1), template)
        return f"{written} " if written else ""

    def _place(self, paragraph: Element, style: str, styles: _Styles) -> tuple[str, int]:
        """Return the list of a paragraph, and how deep it is in it."""
        own = paragraph.find(f"{_W}pPr/{_W}numPr")
        if own is not None and own.find(f"{_W}numId") is not None:
            return _value(own.find(f"{_W}numId")), int(_value(own.find(f"{_W}ilvl")) or 0)
        for name, element in styles.chain(style):
            number = _value(element.find(f"{_W}pPr/{_W}numPr/{_W}numId"))
            if number:
                levels = self._levels.get(self._abstract.get(number, ""), {})
                linked = (at for at, each in levels.items() if _value(each.find(_LINKED)) == name)
                depth = _value(element.find(f"{_W}pPr/{_W}numPr/{_W}ilvl"))
                return number, next(linked, int(depth or 0))
        return "", 0

    def _start(self, abstract: str, depth: int) -> int:
        level = self._levels[abstract].get(depth)
        return int(_value(None if level is None else level.find(f"{_W}start")) or 1)

    def _written(self, abstract: str, depth: int) -> str:
        count = self._counts[abstract].setdefault(depth, self._start(abstract, depth))
        level = self._levels[abstract].get(depth)
        form = _value(None if level is None else level.find(f"{_W}numFmt"))
        if form in ("lowerLetter", "upperLetter"):
            letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
            return letters.upper() if form == "upperLetter" else letters
        if form in ("lowerRoman", "upperRoman"):
            return _roman(count).upper() if form == "upperRoman" else _roman(count)
        return str(count) if form != "none" else ""


def _roman(number: int) -> str:
    """Return a number in Roman numerals, in lower case."""
    written = ""
    for value, sign in _ROMAN:
        written += sign * (number // value)
        number %= value
    return written


# -- PowerPoint


class _Slide:
    """Writes what a slide shows."""

    def __init__(self, writer: Writer, slide: Any, number: int, size: tuple[int, int]) -> None:
        self._writer, self._slide, self._number, self._size = writer, slide, number, size
        self._hidden = slide.element.get("show") in _OFF
        self._ground = self._ground_of_slide()

    def write(self) -> None:
        """Write the title, the shapes in their order, and the notes."""
        shapes = list(_shapes(self._slide.element))
        titles = [" ".join(self._lines(shape)) for shape in shapes if _holder(shape) in _TITLES]
        title = " ".join(" ".join(titles).split())
        number = f"Slide {self._number}"
        heading = f"{number}: {title}" if title else number
        if not self._hidden or self._writer.decision.keeps:
            self._writer.write(heading, level=1, part="title")
        for shape in shapes:
            if shape.tag == f"{_P}graphicFrame":
                self._table(shape)
            elif _holder(shape) not in (*_TITLES, *_FURNITURE):
                named = next(shape.iter(f"{_P}cNvPr"), None)
                name = "" if named is None else named.get("name") or ""
                for line in self._lines(shape):
                    self._writer.write(line, part=f"box *{name}*" if name else "")
        if self._slide.has_notes_slide:
            for shape in _shapes(self._slide.notes_slide.element):
                if _holder(shape) == "body":
                    for line in self._lines(shape):
                        self._writer.write(line, part="notes")

    def _table(self, shape: Element) -> None:
        properties = next(shape.iter(f"{_A}tblPr"), None)
        has_head = properties is not None and properties.get("firstRow") in ("1", "true")
        head = int(has_head)  # how many rows; a cell of the first may span the next
        for number, row in enumerate(shape.iter(f"{_A}tr"), 1):
            cells: list[Written] = []
            for column, element in enumerate(row.iter(f"{_A}tc"), 1):
                text = " ".join(" ".join(self._lines(element, shape)).split())
                rows, columns = (int(element.get(name) or 1) for name in ("rowSpan", "gridSpan"))
                if not text and {"hMerge", "vMerge"} & {*element.keys()}:
                    continue  # a cell before or above spans it
                head = max(head, rows) if has_head and number == 1 else head
                heads = "column" if number <= head else ""
                cells.append(Written(text, number, column, rows, columns, heads))
            self._writer.write_row(shape, cells)

    def _lines(self, element: Element, shape: Element = None) -> Iterator[str]:
        """Yield the paragraphs in an element, which is in a shape or is one."""
        shape = element if shape is None else shape
        hidden = self._hidden or self._is_hidden(shape)
        ground = _fill(shape.find(f"{_P}spPr"))
        if shape.tag == f"{_P}graphicFrame" or ground is False:
            ground = None
        elif ground is None:
            ground = self._ground
        for paragraph in element.iter(f"{_A}p"):
            yield "".join(self._piece(each, hidden, ground) for each in _inside(paragraph))

    def _is_hidden(self, shape: Element) -> bool:
        """Return whether a shape, or a group that it is in, is hidden or beside the slide."""
        for each in (shape, *shape.iterancestors(f"{_P}grpSp")):
            own = next(each.iter(f"{_P}cNvPr"), None)
            if own is not None and own.get("hidden") in ("1", "true"):
                return True
        if next(shape.iterancestors(f"{_P}grpSp"), None) is not None:  # its places are the group's
            return False
        offset, extent = shape.find(f".//{_A}off"), shape.find(f".//{_A}ext[@cx]")
        if offset is None or extent is None or not all(self._size):
            return False
        x, y, width, height = (
            int(each.get(name)) for each, names in ((offset, "xy"), (extent, ("cx", "cy")))
            for name in names
        )  # fmt: skip
        return x >= self._size[0] or y >= self._size[1] or x + width <= 0 or y + height <= 0

    def _ground_of_slide(self) -> Colour | None:
        """Return the colour behind the text, or `None` if pictures or shapes may lie there."""
        layout = self._slide.slide_layout
        levels = [each.element for each in (self._slide, layout, layout.slide_master)]
        for each in levels:
            if next(each.iter(f"{_P}pic"), None) is not None or any(
                _fill(shape) is not None for shape in each.iter(f"{_P}spPr")
            ):
                return None
        for each in levels:
            back = each.find(f"{_P}cSld/{_P}bg")
            if back is not None:
                fill = _fill(back.find(f"{_P}bgPr"))
                named = back.find(f"{_P}bgRef/{_A}schemeClr")
                is_usual = named is not None and named.get("val") == "bg1"
                return _WHITE if is_usual else fill or None
        return _WHITE

    def _piece(self, element: Element, hidden: bool, ground: Colour | None) -> str:
        if element.tag == f"{_A}br":
            return "\n"
        if element.tag == f"{_M}oMath":
            text = linear(element, _equation_text)
            return self._writer.decision.on(text, "hidden") if hidden else text
        written = element.find(f"{_A}t")
        text = "" if written is None else visible(_characters(written))
        properties = element.find(f"{_A}rPr")
        if properties is None:
            return self._writer.decision.on(text, "hidden") if hidden else text
        for font in ("latin", "sym"):
            if (named := properties.find(f"{_A}{font}")) is not None:
                text = as_shown(text, named.get("typeface") or "")
        size, fill = properties.get("sz") or "", _fill(properties)
        alpha = properties.find(f"{_A}solidFill//{_A}alpha")
        hidden = hidden or (size.isdecimal() and int(size) < 100 * SMALLEST)
        hidden = hidden or properties.find(f"{_A}noFill") is not None
        hidden = hidden or (alpha is not None and int(alpha.get("val") or 0) < _CLEAR)
        if fill and ground and contrast(fill, ground) < FAINTEST:
            hidden = True
        if hidden or properties.get("strike", "noStrike") not in _OFF:
            return self._writer.decision.on(text, "hidden" if hidden else "struck out")
        raised = int(properties.get("baseline") or 0)
        return superscript(text) if raised > 0 else subscript(text) if raised < 0 else text


def _inside(element: Element) -> Iterator[Element]:
    """Yield the parts of a paragraph, also those in what only new programs show."""
    for child in element:
        if child.tag == f"{_COMPATIBILITY}Fallback":
            continue
        if child.tag in (f"{_A}r", f"{_A}br", f"{_A}fld", f"{_M}oMath"):
            yield child
        else:
            yield from _inside(child)


def _fill(properties: Element | None) -> Colour | Literal[False] | None:
    """Return the colour of a fill; `False` if it is no plain colour, `None` without a fill."""
    fill = None if properties is None else next(
        (each for each in properties if each.tag in _FILLS), None
    )  # fmt: skip
    if fill is None:
        return None
    plain, scheme = fill.find(f"{_A}srgbClr"), fill.find(f"{_A}schemeClr")
    if scheme is not None and scheme.get("val") in ("bg1", "lt1") and not len(scheme):
        return _WHITE
    return (None if plain is None else _rgb(plain.get("val") or "")) or False


def _shapes(element: Element) -> Iterator[Element]:
    """Yield the shapes and tables below an element, also those in groups."""
    for child in element:
        if child.tag in (f"{_P}sp", f"{_P}graphicFrame"):
            yield child
        elif child.tag != f"{_COMPATIBILITY}Fallback":
            yield from _shapes(child)


def _holder(shape: Element) -> str:
    """Return what a shape holds the place of; empty if nothing."""
    place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "" if place is None else place.get("type") or "object"

"""Files of Microsoft Office as documents: `read_word` and `read_slides`."""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import takewhile
from math import inf
from typing import Any, Literal, NamedTuple

import docx
import pptx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.parser import parse_xml

from citeguard.documents.colours import Theme, amount, rgb, tinted
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
from citeguard.documents.packed import EntityError, fields_of, unpacked
from citeguard.documents.symbols import as_shown, linear, symbol
from citeguard.documents.tables import Written

Element = Any  # of lxml, which has no types
_parse: Any = parse_xml
_etree: Any = import_module("lxml.etree")

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_V = "{urn:schemas-microsoft-com:vml}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_CONTAINERS = frozenset(
    (
        *(f"{_W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo")),
        *(f"{_COMPATIBILITY}{name}" for name in ("AlternateContent", "Choice", "Fallback")),
    )
)
# Properties, and what a reader does not see: deleted text.
_UNSEEN = frozenset(
    f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "trPr", "tcPr", "tblPr")
)
_NOTES = {
    f"{_W}footnoteReference": (RELATIONSHIP_TYPE.FOOTNOTES, f"{_W}footnote"),
    f"{_W}endnoteReference": (RELATIONSHIP_TYPE.ENDNOTES, f"{_W}endnote"),
}
_SIGNS = {f"{_W}tab": " ", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "\u2011"}
_STORIES = tuple(f"{_W}{name}" for name in ("txbxContent", "footnote", "endnote"))
# Fields that show no result, and others that show another one whenever a file is opened.
_UNSEEN_RESULTS = frozenset(
    "ASK PRIVATE RD SET TA TC XE DATE NUMPAGES PAGE SECTION SECTIONPAGES TIME".split()
)
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
_ON = ("1", "true")
_OFF = ("0", "false", "off", "none", "noStrike")
_STRIKES = ("strike", "dstrike")
_VANISHED = ("vanish", "specVanish")
_TOGGLES = ("vanish", "strike")  # each kind of style turns them over (ISO 29500-1, 17.7.3)
_HIGHLIGHTS = {
    "green": "00FF00", "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "darkGray": "808080",
    "lightGray": "C0C0C0", "black": "000000", "blue": "0000FF", "cyan": "00FFFF",
    "magenta": "FF00FF", "red": "FF0000", "yellow": "FFFF00", "white": "FFFFFF",
}  # fmt: skip
_WHITE: Colour = (255, 255, 255)
_FILLS = tuple(f"{_A}{name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill"))
_INKS = (*_FILLS, f"{_A}noFill")
_CLEAR = 0.1  # the share of a colour that covers nothing
_RAISED, _LOWERED, _AWAY = 3, -2, 200  # points by which text is moved up or down
_OVERLAID = -0.5  # of the type's size: letters that much closer lie on one another
_TWIPS, _HALVES, _METRIC = 20, 2, 12_700  # units in a point: twips, half-points, English metric
_POINTS = {"pt": 1, "pc": 12, "pi": 12, "in": 72, "cm": 72 / 2.54, "mm": 72 / 25.4}
_LENGTH = re.compile(rf"(-?\d{{1,15}}(?:\.\d{{1,15}})?)({'|'.join(_POINTS)})?")
_LARGEST_PAGE = 1_584  # points, 22 inches: Word has none larger
_USUAL_SIZE, _THINNEST = 10, 5  # points of type; percent of its width
_CODE = re.compile(r"\s*(?:(?P<sign>SYMBOL)\s+(?P<code>\d+|0x[0-9A-Fa-f]+)|(?P<drawn>EQ)\b)")
_DATA = re.compile(r"/(?:customXml/item|docProps/)\w+\.xml")
_SPACE = re.compile(r"""xmlns:(\w+)=["']([^"']*)["']""")
_PATH = re.compile(r"(?:/[\w:.-]+(?:\[\d+\])?)+")
_CODE_FONT = re.compile(r"\\f\s+(?:\"([^\"]+)\"|(\S+))")
# The namespaces that today's Office knows: what needs another has a fallback, or is skipped.
_KNOWN = frozenset(
    f"{start}{name}"
    for start, names in {
        "http://schemas.openxmlformats.org/": (
            "drawingml/2006/chart drawingml/2006/diagram drawingml/2006/main"
            " drawingml/2006/picture drawingml/2006/wordprocessingDrawing markup-compatibility/2006"
            " officeDocument/2006/math presentationml/2006/main wordprocessingml/2006/main"
        ),
        "http://schemas.microsoft.com/office/": (
            "drawing/2010/main drawing/2014/chartex drawing/2014/main drawing/2015/9/8/chartex"
            " drawing/2015/10/21/chartex drawing/2016/5/9/chartex drawing/2016/5/10/chartex"
            " drawing/2016/5/11/chartex drawing/2016/5/12/chartex drawing/2016/5/13/chartex"
            " drawing/2016/5/14/chartex drawing/2016/ink drawing/2017/model3d"
            " powerpoint/2010/main powerpoint/2012/main powerpoint/2015/09/main"
            " powerpoint/2016/sectionzoom powerpoint/2016/slidezoom powerpoint/2016/summaryzoom"
            " word/2010/wordml word/2010/wordprocessingCanvas word/2010/wordprocessingDrawing"
            " word/2010/wordprocessingGroup word/2010/wordprocessingInk"
            " word/2010/wordprocessingShape word/2012/wordml word/2015/wordml/symex"
            " word/2018/wordml"
        ),
        "urn:schemas-microsoft-com:": "office:office office:word vml",
    }.items()
    for name in names.split()
)


def read_word(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of a Word file (.docx) in its order.

    List marks and numbers are written as Word shows them, a row of a table is one line with its
    cells separated by " | ", and footnotes come last. Text boxes follow the paragraph that they
    are anchored to. Symbols are read by the tables of their fonts, equations on one line, and boxes
    as ☑ or ☐. Tracked changes are read as accepted. Page headers and footers, comments, charts,
    pictures, and fields that Word works out anew on opening (dates, page numbers) are omitted; text
    that is hidden or struck out is as decided.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
    """
    with unpacked(content, name, "Word document"):
        file = docx.Document(BytesIO(content))
        reader = _Word(file, Writer(decision, numbered=True))
        reader.read()
        facts = file.core_properties
        return reader.writer.document("word", title=facts.title or None, fields=fields_of(facts))


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
    with unpacked(content, name, "PowerPoint presentation"):
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
            for part in (slide, slide.slide_layout, slide.slide_layout.slide_master):
                _settled(part.element)
            _Slide(writer, slide, number, size).write()
        facts = file.core_properties
        return writer.document("slides", title=facts.title or None, fields=fields_of(facts))


def _theme_of(part: Any, names: Mapping[str, str] = {}) -> Theme:
    """Return the theme of a document or a master of slides, and other names of its colours."""
    related = (each for each in part.rels.values() if not each.is_external)
    themes = [each for each in related if each.reltype == RELATIONSHIP_TYPE.THEME]
    return Theme(themes[0].target_part.blob if themes else None, names)


# -- Word


class _Word:
    """Writes what the elements of a Word document show."""

    def __init__(self, file: Any, writer: Writer) -> None:
        self.writer = writer
        self._style = ""  # of the open paragraph
        self._place = ("", 0)  # its list, and how deep it is in it
        self._looks: dict[tuple[str, ...], dict[str, Element]] = {}
        self._body: Element = _settled(file.element.body)
        _fill_in(self._body, file.part.package.iter_parts())
        self._styles = _Styles(file.styles.element)
        relations = file.part.rels.values()
        self._related = {each.reltype: each for each in relations if not each.is_external}
        self._theme = _theme_of(file.part)
        back = file.element.find(f"{_W}background")
        is_drawn = _is_on(file.settings.element.find(f"{_W}displayBackgroundShape"))
        self._paper = self._colour(back, "color") if is_drawn and back is not None else _WHITE
        sizes = [each.attrib for each in self._body.iter(f"{_W}pgSz")]
        self._page: _Size = tuple(  # the largest one
            max((_points(each.get(f"{_W}{side}"), _TWIPS) for each in sizes), default=_LARGEST_PAGE)
            for side in "wh"
        )
        self._hidden = False  # whether what is around the open paragraph is hidden
        self._table_style = ""
        self._fields: list[_Field] = []  # the open ones
        self._whole = _whole_fields(self._body)
        numbering = self._related.get(RELATIONSHIP_TYPE.NUMBERING)
        self._lists = _Lists(None if numbering is None else numbering.target_part.element)
        self._notes: list[_Note] = []  # those with a mark so far

    def read(self) -> None:
        """Write the body, and then the notes."""
        self._blocks(self._body)
        texts: dict[tuple[str, str], Element] = {}
        for reference, (kind, tag) in _NOTES.items():
            if kind in self._related:
                notes = _settled(_parse(self._related[kind].target_part.blob))
                self._whole |= _whole_fields(notes)
                texts |= {(reference, note.get(f"{_W}id")): note for note in notes.iter(tag)}
        # A note may have a mark of its own, so the list may grow.
        for each in self._notes:
            if (note := texts.get((each.reference, each.id))) is not None:
                with self._inside(hidden=each.hidden):
                    self.writer.write(" ".join(self._texts(note)), mark=f"[{each.number}] ")

    def _blocks(self, parent: Element) -> None:
        for child in parent:
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag in _CONTAINERS:
                self._blocks(child)

    def _paragraph(self, element: Element) -> None:
        boxes: list[_Box] = []
        text = self._text(element, boxes)
        mark = self._mark(element) if text.strip() else ""
        level = self._styles.level(element, self._style)
        self.writer.write(" ".join(text.split()) if level else text, mark=mark, level=level)
        for box, hidden in boxes:
            with self._inside(hidden=hidden, is_box=True):
                self._blocks(box)

    @contextmanager
    def _inside(self, *, hidden: bool, is_box: bool = False) -> Generator[None]:
        """Read what is in an element; a text box is in no table and in no field."""
        before = self._hidden, self._table_style, self._fields
        self._hidden = self._hidden or hidden
        if is_box:
            self._table_style, self._fields = "", []
        yield
        self._hidden, self._table_style, self._fields = before

    def _text(self, paragraph: Element, boxes: list[_Box]) -> str:
        """Return the text of a paragraph; text boxes are added to a list."""
        self._style = _value(paragraph.find(_STYLE))
        self._place = self._lists.place(paragraph, self._style, self._styles)
        chain = (each for _, each in self._styles.chain(self._style))
        layouts = (paragraph, self._lists.level(*self._place), *chain, self._styles.usual_layout)
        with self._inside(hidden=_is_out_of_sight(layouts, self._page)):
            return "".join(self._pieces(paragraph, boxes))

    def _mark(self, paragraph: Element) -> str:
        """Return the number or mark of a paragraph in a list, with a blank after it."""
        if mark := self._lists.mark(*self._place):
            own = next(paragraph.iterchildren(f"{_W}pPr"), paragraph)  # has the look of its mark
            look = self._look_of(own) | _properties(self._lists.level(*self._place))
            reason = self._unseen(own, look)
            mark = mark if reason is None else self.writer.decision.on(mark, reason)
        return f"{mark} " if mark else ""

    def _table(self, table: Element) -> None:
        style = _value(table.find(f"{_W}tblPr/{_W}tblStyle"))
        places = (("tblpPr", "tblpX"), ("tblInd", "w"))
        given = (_attributes(table.find(f"{_W}tblPr/{_W}{tag}")).get(name) for tag, name in places)
        is_away = any(_points(left, _TWIPS) >= self._page[0] for left in given)
        with self._inside(hidden=is_away):
            self._table_style = style
            self._write_table(table)

    def _rows(self, table: Element) -> Iterator[tuple[Element, list[_Cell]]]:
        """Yield the rows of a table with their cells, but for rows that are deleted."""
        begun: set[int] = set()  # the columns in which a cell has begun
        for row in _children(table, f"{_W}tr"):
            own = _properties(row, "trPr")
            if "del" in own:
                continue
            height = _attributes(own.get("trHeight"))
            is_hidden = _is_on(own.get("hidden")) or _is_tiny(height, "val", "hRule")
            cells: list[_Cell] = []
            column = 1 + _span(own.get("gridBefore"), 0)
            for element in _children(row, f"{_W}tc"):
                look = _properties(element, "tcPr")
                columns = _span(look.get("gridSpan"), 1)
                goes_on = {name for name in look if _value(look[name]) != "restart"}
                goes_on &= {"vMerge" if column in begun else "", "hMerge" if cells else ""}
                hidden = is_hidden or bool(goes_on) or "cellDel" in look
                cells.append(_Cell(element, column, columns, goes_on, hidden))
                begun.add(column)
                column += columns
            yield row, cells

    def _write_table(self, table: Element) -> None:
        rows = list(self._rows(table))
        if all(len(cells) < 2 for _, cells in rows):  # a frame around paragraphs
            for _, cells in rows:
                for cell in cells:
                    with self._inside(hidden=cell.hidden):
                        self._blocks(cell.element)
            return
        begun: dict[int, Written] = {}  # the last cell that begins in each column
        for number, (row, cells) in enumerate(rows, 1):
            heads = "column" if "tblHeader" in _properties(row, "trPr") else ""
            row_written: list[Written] = []
            for cell in cells:
                with self._inside(hidden=cell.hidden):
                    text = " ".join(" ".join(self._texts(cell.element)).split())
                if "vMerge" in cell.goes_on and (over := begun.get(cell.column)) is not None:
                    over.rows = number - over.row + 1
                elif "hMerge" in cell.goes_on and row_written:
                    row_written[-1].columns += cell.columns
                if text or not cell.goes_on:
                    row_written.append(Written(text, number, cell.column, 1, cell.columns, heads))
                if not cell.goes_on:
                    begun[cell.column] = row_written[-1]
            self.writer.write_row(table, row_written)

    def _texts(self, parent: Element) -> Iterator[str]:
        """Yield the texts of all paragraphs in a cell or a note."""
        for child in parent:
            if child.tag == f"{_W}p":
                boxes: list[_Box] = []
                yield self._text(child, boxes)
                for box, hidden in boxes:
                    with self._inside(hidden=hidden, is_box=True):
                        yield from [*self._texts(box)]
            elif child.tag == f"{_W}tbl":
                for _, cells in self._rows(child):
                    for cell in cells:
                        with self._inside(hidden=cell.hidden):
                            yield from [*self._texts(cell.element)]
            elif child.tag in _CONTAINERS:
                yield from self._texts(child)

    def _pieces(self, element: Element, boxes: list[_Box]) -> Iterator[str]:  # noqa: C901 - one case each
        """Yield the texts in a paragraph; text boxes are added to a list."""
        for child in element:
            if child.tag in _UNSEEN or not _is_known(child):
                continue
            if child.tag == f"{_W}r":
                yield self._run(child, boxes)
            elif child.tag == f"{_W}fldChar":
                yield self._field(child)
            elif child.tag == f"{_W}instrText":
                if self._fields:
                    self._fields[-1].code.append(_characters(child))
            elif child.tag == f"{_W}txbxContent":
                if not self._is_in_code():
                    boxes.append((child, self._is_in_hidden(child)))
            elif self._is_in_code():
                yield from self._pieces(child, boxes)  # for the fields in it
            elif child.tag in (f"{_W}t", f"{_M}t"):
                yield self._result(_characters(child))
            elif child.tag == f"{_W}sym":
                written = child.get(f"{_W}char") or ""
                code = int(written, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,6}", written) else 0
                yield self._result(symbol(code, child.get(f"{_W}font") or ""))
            elif child.tag == f"{_M}oMath":
                struck = partial(self.writer.decision.on, reason="struck out")
                yield linear(child, partial(self._run, boxes=boxes), struck)
            elif child.tag == f"{_W}fldSimple":
                code = child.get(f"{_W}instr") or ""
                if not _is_result_unseen(code):
                    yield "".join(self._pieces(child, boxes)) or _drawn(code)
            elif child.tag == f"{_W}object" and child.find("{*}OLEObject") is not None:
                yield "\ufffd"  # such as an equation of an old editor
            elif child.tag in _SIGNS:
                yield _SIGNS[child.tag]
            elif child.tag == f"{_W}br":
                yield "" if child.get(f"{_W}type") in ("page", "column") else "\n"
            elif child.tag in _NOTES:
                number = self._notes[-1].number if self._notes else 0
                number += self.writer.decision.keeps or not self._hidden
                note_id = child.get(f"{_W}id")
                self._notes.append(_Note(child.tag, note_id, number, self._hidden))
                yield f"[{number}]"
            else:
                yield from self._pieces(child, boxes)

    def _is_in_hidden(self, box: Element) -> bool:
        """Return whether a text box is in something that hides it."""
        around = takewhile(lambda each: each.tag != f"{_W}p", box.iterancestors())
        return self._hidden or any(_hides(each, self._page) for each in around)

    def _is_in_code(self) -> bool:
        return any(each.is_in_code for each in self._fields)

    def _result(self, text: str) -> str:
        """Return a text that is shown; in a field, it is its result."""
        if self._fields and text.strip():
            self._fields[-1].code.clear()
        return text

    def _field(self, mark: Element) -> str:
        """Return what a mark of a field shows: its parts are a code, and mostly its result."""
        kind = mark.get(f"{_W}fldCharType")
        if mark in self._whole:  # nothing is lost in a field that never ends
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_in_code = _is_result_unseen("".join(self._fields[-1].code))
        elif kind == "end" and self._fields:
            code = "".join(self._fields.pop().code)
            return "" if self._is_in_code() else _drawn(code)
        return "" if self._is_in_code() else _filled_in(mark)

    def _run(self, run: Element, boxes: list[_Box]) -> str:
        look = self._look_of(run)
        with self._inside(hidden=any(_is_on(look.get(each)) for each in _VANISHED)):
            text = visible("".join(self._pieces(run, boxes)))
        if (fonts := look.get("rFonts")) is not None:
            names = (fonts.get(f"{_W}{each}") or "" for each in ("ascii", "hAnsi"))
            text = as_shown(text, next(filter(None, names), ""))
        if len(text.strip()) == 1:
            control = next(run.iterancestors(f"{_W}sdt"), None)
            box = None if control is None else control.find(f"{_W}sdtPr/{_W14}checkbox")
            if box is not None:
                ticked = box.find(f"{_W14}checked")
                text = "☐" if ticked is None or ticked.get(f"{_W14}val") in _OFF else "☑"
        if run.tag == f"{_M}r" and {"del", "moveFrom"} & {*look}:  # tracked in an equation
            return ""
        reason = "hidden" if self._hidden else self._unseen(run, look)
        if reason is not None:
            return self.writer.decision.on(text, reason)
        raised = _value(look.get("vertAlign"))
        moved = _points(_value(look.get("position")), _HALVES)
        if (raised == "superscript" or moved >= _RAISED) and not text.startswith("["):
            return superscript(text)
        return subscript(text) if raised == "subscript" or moved <= _LOWERED else text

    def _look_of(self, run: Element) -> dict[str, Element]:
        """Return the properties of a run by name, its own and those of its styles."""
        own = _properties(run)
        named = _value(own.get("rStyle"))
        key = named, self._style, self._table_style
        if key not in self._looks:
            usual = _properties(self._styles.defaults)
            levels = [  # the kinds of styles, the nearest first
                {
                    name: look
                    for _, style in reversed([*self._styles.chain(each, kind)])
                    for name, look in _properties(style).items()
                }
                for each, kind in zip(key, ("character", "paragraph", "table"), strict=True)
            ]
            found = dict(ChainMap(*levels, usual))
            for name in _TOGGLES:
                on = [level[name] for level in levels if _is_on(level.get(name))]
                if _is_on(usual.get(name)):
                    found[name] = usual[name]
                elif len(on) % 2:
                    found[name] = on[0]
                else:
                    found.pop(name, None)
            self._looks[key] = found
        return self._looks[key] | own

    def _unseen(self, run: Element, look: dict[str, Element]) -> Reason | None:
        """Return why a reader does not see a run with these properties, or sees it struck out."""
        if any(_is_on(look.get(each)) for each in _VANISHED):
            return "hidden"
        if abs(_points(_value(look.get("position")), _HALVES)) >= _AWAY:
            return "hidden"
        is_complex = _is_on(look.get("rtl")) or _is_on(look.get("cs"))
        size = _points(_value(look.get("szCs" if is_complex else "sz")), _HALVES, _USUAL_SIZE)
        closer = _points(_value(look.get("spacing")), _TWIPS)
        width = _points(_value(look.get("w")).rstrip("%"), 1, 100)
        if size < SMALLEST or closer <= _OVERLAID * size or width < _THINNEST:
            return "hidden"
        colour, fill = self._colour(look.get("color")), look.get(f"{_W14}textFill")
        if fill is not None:
            alpha = next(fill.iter(f"{_W14}alpha"), None)  # here, of what shows through
            if fill.find(f"{_W14}noFill") is not None or (
                alpha is not None and amount(alpha.get(f"{_W14}val")) > 1 - _CLEAR
            ):
                return "hidden"
            plain = fill.find(f"{_W14}solidFill")
            colour = colour if plain is None else self._theme.colour_in(plain)
        ground = self._ground(run, look) if colour is not None else None
        if colour is not None and ground is not None and contrast(colour, ground) < FAINTEST:
            return "hidden"
        if any(_is_on(look.get(each)) for each in _STRIKES):
            return "struck out"
        return None

    def _colour(
        self, element: Element, name: str = "val", theme: str = "themeColor"
    ) -> Colour | None:
        """Return a colour, which a theme may name, or `None` if it is automatic or unknown."""
        if element is None:
            return None
        named = self._theme.named(element.get(f"{_W}{theme}") or "")
        for change, sign in (("Tint", 1), ("Shade", -1)):
            written = element.get(f"{_W}{theme.removesuffix('Color')}{change}") or ""
            if named and re.fullmatch("[0-9A-Fa-f]{2}", written):
                named = tinted(named, sign * (1 - int(written, 16) / 255))
        return named or rgb(element.get(f"{_W}{name}") or "")

    def _ground(self, run: Element, look: dict[str, Element]) -> Colour | None:
        """Return the colour behind a run, or `None` if it is unknown."""
        if (mark := _value(look.get("highlight"))) in _HIGHLIGHTS:
            return rgb(_HIGHLIGHTS[mark])
        for shade in (look.get("shd"), *self._shades(run)):
            if shade is None or _value(shade) == "nil":
                continue
            if shade.tag == f"{_A}solidFill":
                return self._theme.colour_in(shade)
            pattern = _value(shade)
            if pattern in ("solid", "pct100"):
                return self._colour(shade, "color") or (0, 0, 0)
            if pattern not in ("clear", ""):
                return None
            if shade.get(f"{_W}fill") != "auto" or shade.get(f"{_W}themeFill"):
                return self._colour(shade, "fill", "themeFill")
        return self._paper

    def _shades(self, run: Element) -> Iterator[Element]:
        """Yield what may be drawn behind a run, from above; something without a fill is unknown."""
        for around in run.iterancestors():
            if around.tag in (f"{_W}p", f"{_W}tc"):
                yield around.find(f"{around.tag}Pr/{_W}shd")
            if around.tag == f"{_W}p":
                yield from (e.find(f"{_W}pPr/{_W}shd") for _, e in self._styles.chain(self._style))
            elif around.tag == f"{_WPS}txbx":  # without a plain fill, it may be on a picture
                yield around.getparent().find(f"{_WPS}spPr/{_A}solidFill")
                yield around
            elif around.tag == f"{_V}textbox" or (
                around.tag == f"{_W}tbl"
                and any(
                    next(each.iter(f"{_W}shd"), None) is not None
                    for _, each in self._styles.chain(self._table_style, "table")
                )
            ):  # the fill of its shape may be anything
                yield around


_Box = tuple[Element, bool]
"""A text box, and whether it is hidden."""
_Size = tuple[float, ...]
"""The width and height of a page, in points."""


class _Cell(NamedTuple):
    element: Element
    column: int
    columns: int
    goes_on: set[str]  # which cells go on in it: the one above (vMerge), before (hMerge)
    hidden: bool


class _Note(NamedTuple):
    reference: str  # the tag of its mark
    id: str
    number: int
    hidden: bool


@dataclass(slots=True)
class _Field:
    code: list[str] = field(default_factory=list[str])  # a result empties it
    is_in_code: bool = True


def _settled(element: Element) -> Element:
    """Return an element in which, of what programs may choose from, is what today's would show."""
    for choices in [*element.iter(f"{_COMPATIBILITY}AlternateContent")]:
        shown = None
        for each in choices:
            needed = (each.get("Requires") or "").split()
            spaces = [each.nsmap.get(prefix) or "" for prefix in needed]
            if shown is None and _KNOWN.issuperset(spaces):
                shown = each
            else:
                choices.remove(each)
    return element


def _fill_in(body: Element, parts: Iterable[Any]) -> None:
    """Write into text controls what Word does on opening: what the data they are bound to says."""
    controls = [each for each in body.iter(f"{_W}sdtPr") if each.find(f"{_W}text") is not None]
    bound = [each for each in controls if each.find(f"{_W}dataBinding") is not None]
    trees = [_parse(each.blob) for each in parts if bound and _DATA.match(each.partname)]
    for control in bound:
        binding = _attributes(control.find(f"{_W}dataBinding"))
        path, spaces = binding.get("xpath", ""), _SPACE.findall(binding.get("prefixMappings", ""))
        # Only paths of names: others could take long.
        if not _PATH.fullmatch(path) or not {*re.findall(r"(\w+):", path)} <= {*dict(spaces)}:
            continue
        find = _etree.XPath(path, namespaces=dict(spaces))
        found = [each for tree in trees for each in find(tree)]
        texts = [*control.getparent().iter(f"{_W}t")]
        if found and texts and (value := "".join(found[0].itertext())):
            for each in texts:
                each.text = value if each is texts[0] else ""


def _is_known(element: Element) -> bool:
    """Return whether today's Office knows an element, so that it does not skip what is in it."""
    return isinstance(element.tag, str) and element.tag[1:].partition("}")[0] in _KNOWN


def _whole_fields(root: Element) -> set[Element]:
    """Return the marks of the fields that begin and end in the same story."""
    open_fields: defaultdict[Element, list[Element]] = defaultdict(list)
    found: set[Element] = set()
    for mark in root.iter(f"{_W}fldChar"):
        around = [*mark.iterancestors()]
        if any(each.tag in _UNSEEN or not _is_known(each) for each in around):
            continue
        begun = open_fields[next((each for each in around if each.tag in _STORIES), root)]
        kind = mark.get(f"{_W}fldCharType")
        if kind == "begin":
            begun.append(mark)
        elif kind == "end" and begun:
            found.add(begun.pop())
    return found


def _is_result_unseen(code: str) -> bool:
    return re.split(r"\W", code.lstrip(), maxsplit=1)[0].upper() in _UNSEEN_RESULTS


def _is_out_of_sight(layouts: Iterable[Element | None], page: _Size) -> bool:
    """Return whether a paragraph has no height, or is beside the page.

    Args:
        layouts: The elements that have its properties, the nearest first.
        page: The size of the page.
    """
    found = [None if each is None else each.find(f"{_W}pPr") for each in layouts]
    properties = [each for each in found if each is not None]

    def given(name: str) -> dict[str, str]:
        return {
            key: value
            for each in reversed(properties)
            for key, value in _attributes(each.find(f"{_W}{name}")).items()
        }

    # What counts characters does so in hundredths, of some 10 points each.
    lefts = [_points(n, 10 if k.endswith("Chars") else _TWIPS) for k, n in given("ind").items()]
    frame = given("framePr")
    lefts.append(_points(frame.get("x"), _TWIPS))
    is_away = max(map(abs, lefts)) >= page[0] or abs(_points(frame.get("y"), _TWIPS)) >= page[1]
    is_flat = _is_tiny(frame, "h", "hRule") or _is_tiny(given("spacing"), "line", "lineRule")
    return is_away or is_flat


def _attributes(element: Element | None) -> dict[str, str]:
    items = () if element is None else element.items()
    return {name.removeprefix(_W): value for name, value in items}


def _is_tiny(given: Mapping[str, str], size: str, rule: str) -> bool:
    """Return whether the height of a line or a row is exactly one that shows nothing."""
    return given.get(rule) == "exact" and 0 <= _points(given.get(size), _TWIPS, -1) < SMALLEST


def _hides(shape: Element, page: _Size) -> bool:
    """Return whether what a text box is in is hidden, has no size, or is off the page."""
    style = re.sub(r"\s", "", shape.get("style") or "").lower()  # of VML
    given = dict(re.findall(r"([a-z-]+):([^;]*)", style))
    if given.get("visibility") == "hidden" or given.get("display") == "none":
        return True
    sizes = [_points(given.get(side), 1, _LARGEST_PAGE) for side in ("width", "height")]
    if (extent := shape.find(f"{_WP}extent")) is not None:
        sizes = [_points(extent.get(side), _METRIC) for side in ("cx", "cy")]
    if min(sizes) < SMALLEST:
        return True
    for each in shape.iterchildren(f"{_WP}docPr", f"{_WPS}cNvPr", f"{_WPS}bodyPr"):
        if each.get("hidden") in _ON or _is_pushed_out(each, page):
            return True
    for axis, (side, length, most) in enumerate(zip(("left", "top"), sizes, page, strict=True)):
        # Without a unit, as in a group, a place in a style has no known scale.
        places = [_points(given.get(name), inf) for name in (side, f"margin-{side}")]
        if any(abs(place) >= most for place in places):
            return True
        for place in shape.iterchildren(f"{_WP}position{'HV'[axis]}"):
            # A paragraph may be anywhere on the page, a column in its first half.
            before = 0 if place.get("relativeFrom") == "page" else most / (2 - axis)
            offset = _points(place.findtext(f"{_WP}posOffset"), _METRIC)
            if not -before - length < offset < most:
                return True
    return False


def _is_pushed_out(body: Element, page: Sequence[float]) -> bool:
    """Return whether a margin in a text box is as wide as the page or the slide."""
    margins = (("lIns", 0), ("rIns", 0), ("tIns", 1), ("bIns", 1))
    return any(_points(body.get(side), _METRIC) >= page[axis] for side, axis in margins)


def _drawn(code: str) -> str:
    """Return what a field draws from its code: the sign of a font, or an equation not read."""
    match = _CODE.match(code)
    if match is None:
        return ""
    font = _CODE_FONT.search(code)
    named = "" if font is None else font[1] or font[2]
    return symbol(int(match["code"], 0), named) if match["sign"] else "\ufffd"


def _is_on(element: Element | None) -> bool:
    return element is not None and _value(element) not in _OFF


def _number(written: str, default: int = 0) -> int:
    return int(written) if re.fullmatch(r"-?\d{1,15}", written) else default


def _points(written: str | None, units: float, default: float = 0) -> float:
    """Return a length in points, given how many of its units are one, unless it names another."""
    match = _LENGTH.fullmatch(written or "")
    if match is None:
        return default
    return float(match[1]) * (_POINTS[match[2]] if match[2] else 1 / units)


def _properties(element: Element | None, kind: str = "rPr") -> dict[str, Element]:
    """Return the properties of an element or a style by name, by default of runs of text."""
    found = None if element is None else element.find(f"{_W}{kind}")
    return {
        each.tag.removeprefix(_W): each
        for each in (() if found is None else found)
        if isinstance(each.tag, str)
    }


def _span(element: Element, default: int) -> int:
    value = _value(element)
    return int(value) if value.isdecimal() and len(value) < 4 else default


def _characters(element: Element) -> str:
    """Return the text in an element, also that after a comment.

    Raises:
        EntityError: it has an entity, which could be anything.
    """
    texts = [element.text or ""]
    for each in element:
        if "Entity" in type(each).__name__:
            raise EntityError(f"has an entity, {each.text}, that is not expanded")
        texts.append(each.tail or "")
    return "".join(texts)


def _filled_in(field: Element) -> str:
    """Return the box that a field of an old form shows, if it does."""
    if (box := field.find(f"{_W}ffData/{_W}checkBox")) is None:
        return ""
    ticked = next((each for n in ("checked", "default") for each in box.iter(f"{_W}{n}")), None)
    return "☐" if ticked is None or _value(ticked) in _OFF else "☑"


def _value(element: Element | None) -> str:
    return "" if element is None else element.get(f"{_W}val") or ""


def _children(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the children with a tag, also those in content controls and tracked changes."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _CONTAINERS:
            yield from _children(child, tag)


class _Styles:
    """The styles of paragraphs, characters and tables: their names, and what they are based on."""

    def __init__(self, element: Element) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._usual: dict[str, str] = {}  # for each kind, what has no style of its own
        for each in element.iter(f"{_W}style"):
            kind, name = each.get(f"{_W}type") or "paragraph", each.get(f"{_W}styleId")
            self._styles[kind, name] = each
            if each.get(f"{_W}default") in ("1", "true", "on"):
                self._usual[kind] = name
        self.defaults = element.find(f"{_W}docDefaults/{_W}rPrDefault")
        self.usual_layout = element.find(f"{_W}docDefaults/{_W}pPrDefault")

    def chain(self, style: str, kind: str = "paragraph") -> Iterator[tuple[str, Element]]:
        """Yield a style and those it is based on, with their ids."""
        if (kind, style) not in self._styles:
            style = self._usual.get(kind, "")
        seen: set[str] = set()
        while (kind, style) in self._styles and style not in seen:
            seen.add(style)
            yield style, self._styles[kind, style]
            style = _value(self._styles[kind, style].find(f"{_W}basedOn"))

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
        self._levels: dict[str, dict[int, Element]] = {}  # by the number of the list
        self._abstract: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        if element is None:
            return
        abstract = {
            each.get(f"{_W}abstractNumId"): each for each in element.iter(f"{_W}abstractNum")
        }
        for each in element.iter(f"{_W}num"):
            number = each.get(f"{_W}numId")
            self._abstract[number] = _value(each.find(f"{_W}abstractNumId"))
            parts = (abstract.get(self._abstract[number]), *each.iter(f"{_W}lvlOverride"))
            self._levels[number] = {
                int(level.get(f"{_W}ilvl")): level
                for part in parts
                if part is not None
                for level in part.iter(f"{_W}lvl")
            }
            self._starts[number] = {
                int(override.get(f"{_W}ilvl")): int(_value(start))
                for override in each.iter(f"{_W}lvlOverride")
                if (start := override.find(f"{_W}startOverride")) is not None
            }

    def level(self, number: str, depth: int) -> Element | None:
        """Return what a list says of a depth in it, if there is such a list."""
        return self._levels.get(number, {}).get(depth)

    def mark(self, number: str, depth: int) -> str:
        """Return the mark of the next paragraph of a list; empty for one that has none."""
        level = self.level(number, depth)
        if level is None:
            return ""
        counts = self._counts.setdefault(self._abstract[number], {})
        if depth in (starts := self._starts[number]):  # only before the first item
            counts[depth] = starts.pop(depth)
        else:
            counts[depth] = counts[depth] + 1 if depth in counts else self._start(number, depth)
        for deeper in [each for each in counts if each > depth]:
            del counts[deeper]
        if _value(level.find(f"{_W}numFmt")) == "bullet":
            return "-"
        template = _value(level.find(f"{_W}lvlText"))
        return _PLACE.sub(lambda match: self._written(number, int(match[1]) - 1), template)

    def place(self, paragraph: Element, style: str, styles: _Styles) -> tuple[str, int]:
        """Return the list of a paragraph, and how deep it is in it."""
        own = paragraph.find(f"{_W}pPr/{_W}numPr")
        if own is not None and own.find(f"{_W}numId") is not None:
            return _value(own.find(f"{_W}numId")), int(_value(own.find(f"{_W}ilvl")) or 0)
        for name, element in styles.chain(style):
            number = _value(element.find(f"{_W}pPr/{_W}numPr/{_W}numId"))
            if number:
                levels = self._levels.get(number, {}).items()
                linked = (at for at, each in levels if _value(each.find(_LINKED)) == name)
                depth = _value(element.find(f"{_W}pPr/{_W}numPr/{_W}ilvl"))
                return number, next(linked, int(depth or 0))
        return "", 0

    def _start(self, number: str, depth: int) -> int:
        level = self.level(number, depth)
        return int(_value(None if level is None else level.find(f"{_W}start")) or 1)

    def _written(self, number: str, depth: int) -> str:
        counts = self._counts[self._abstract[number]]
        count = counts.setdefault(depth, self._start(number, depth))
        level = self.level(number, depth)
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
        self._layout, self._master = slide.slide_layout, slide.slide_layout.slide_master
        names = self._master.element.find(f"{_P}clrMap")
        self._theme = _theme_of(self._master.part, {} if names is None else names.attrib)
        self._ground = self._ground_of_slide()
        self._opaque = self._opaque_shapes()

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
            self._size = (0, 0)  # of the slide: notes have a page of their own
            for shape in _shapes(self._slide.notes_slide.element):
                if _holder(shape) == "body":
                    for line in self._lines(shape):
                        self._writer.write(line, part="notes")

    def _table(self, shape: Element) -> None:
        table = f"{_A}graphic/{_A}graphicData/{_A}tbl/{_A}"
        has_head = _attributes(shape.find(f"{table}tblPr")).get("firstRow") in _ON
        head = int(has_head)  # how many rows; a cell of the first may span the next
        grid = shape.iterfind(f"{table}tblGrid/{_A}gridCol")
        widths = [_points(each.get("w"), _METRIC) for each in grid]
        for number, row in enumerate(shape.iterfind(f"{table}tr"), 1):
            cells: list[Written] = []
            for column, element in enumerate(row.iterchildren(f"{_A}tc"), 1):
                rows, columns = (int(element.get(name) or 1) for name in ("rowSpan", "gridSpan"))
                is_covered = any(element.get(name) in _ON for name in ("hMerge", "vMerge"))
                width = sum(widths[column - 1 : column - 1 + columns] or [SMALLEST])
                is_hidden = is_covered or width < SMALLEST
                lines = self._lines(element, shape, hidden=is_hidden)
                text = " ".join(" ".join(lines).split())
                if is_covered and not text:
                    continue  # a cell before or above spans it
                head = max(head, rows) if has_head and number == 1 else head
                heads = "column" if number <= head else ""
                cells.append(Written(text, number, column, rows, columns, heads))
            self._writer.write_row(shape, cells)

    def _lines(
        self, element: Element, shape: Element = None, *, hidden: bool = False
    ) -> Iterator[str]:
        """Yield the paragraphs in an element, which is in a shape or is one."""
        shape = element if shape is None else shape
        hidden = hidden or self._hidden or self._is_hidden(shape)
        ground = self._fill(shape.find(f"{_P}spPr"))
        if shape.tag == f"{_P}graphicFrame":
            ground = self._fill(element.find(f"{_A}tcPr")) or None
        elif ground is False or (ground is None and shape.find(f"{_P}style") is not None):
            ground = None  # or as a style says
        elif ground is None:
            ground = self._ground
        fit = shape.find(f"{_P}txBody/{_A}bodyPr/{_A}normAutofit")
        scale = 1.0 if fit is None else amount(fit.get("fontScale") or "100%")
        bodies = element.iterchildren(f"{_P}txBody", f"{_A}txBody")
        for paragraph in (each for body in bodies for each in body.iterchildren(f"{_A}p")):
            looks = list(self._looks(shape, paragraph))
            given = _attributes(paragraph.find(f"{_A}pPr"))
            left = sum(_number(given.get(name) or "") for name in ("marL", "indent"))
            is_away = left >= self._size[0] > 0
            yield "".join(
                self._piece(each, looks, hidden=hidden or is_away, ground=ground, scale=scale)
                for each in _inside(paragraph)
            )

    def _looks(self, shape: Element, paragraph: Element) -> Iterator[Element]:
        """Yield the properties that runs of a paragraph inherit, the nearest first."""
        properties = paragraph.find(f"{_A}pPr")
        depth = 1 + _number("" if properties is None else properties.get("lvl") or "")
        holder = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
        styles = [each.find(f"{_P}txBody/{_A}lstStyle") for each in self._forms(shape)]
        kind = "" if holder is None else holder.get("type") or "body"
        name = "title" if kind in _TITLES else "body" if kind in ("body", "subTitle") else "other"
        styles.append(self._master.element.find(f"{_P}txStyles/{_P}{name}Style"))
        for style in styles:
            found = None if style is None else style.find(f"{_A}lvl{depth}pPr/{_A}defRPr")
            if found is not None:
                yield found

    def _forms(self, shape: Element) -> list[Element]:
        """Return a shape and the placeholders that it takes its form from, the nearest first."""
        holder = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
        bodies = [shape]
        if holder is not None:
            for level in (self._layout, self._master):
                bodies += (
                    each
                    for each in _shapes(level.element)
                    if (other := each.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")) is not None
                    and (
                        other.get("idx", "0") == holder.get("idx", "0")
                        if level is self._layout
                        else other.get("type", "body") == holder.get("type", "body")
                    )
                )
        return bodies

    def _is_hidden(self, shape: Element) -> bool:
        """Return whether a shape, or a group that it is in, is hidden, covered or off the slide."""
        for each in (shape, *shape.iterancestors(f"{_P}grpSp")):
            own = next(each.iter(f"{_P}cNvPr"), None)
            if own is not None and own.get("hidden") in _ON:
                return True
        box = next(filter(None, map(_box, self._forms(shape))), None)
        if box is None or not all(self._size):
            return False
        shares = (_share_within(box[at], box[at + 2], self._size[at]) for at in (0, 1))
        if min(shares) < _CLEAR:
            return True
        size = [each / _METRIC for each in self._size]
        if any(_is_pushed_out(each, size) for each in shape.iter(f"{_A}bodyPr")):
            return True
        drawn = [each for each, _ in self._opaque]
        later = self._opaque[drawn.index(shape) + 1 :] if shape in drawn else []
        return any(over is not None and _covers(over, box) for _, over in later)

    def _opaque_shapes(self) -> list[tuple[Element, tuple[float, ...] | None]]:
        """Return the shapes in the order in which they are drawn, with the boxes of opaque ones.

        On slides with animations none counts, as what is above may come later or go away.
        """
        if self._slide.element.find(f"{_P}timing//{_P}spTgt") is not None:
            return []
        kinds = [f"{_P}{name}" for name in ("sp", "graphicFrame", "pic")]
        shapes = list(self._slide.element.iter(*kinds))
        return [
            (
                each,
                _box(each)
                if each.tag == f"{_P}pic" or self._fill(each.find(f"{_P}spPr"))
                else None,
            )
            for each in shapes
        ]

    def _ground_of_slide(self) -> Colour | None:
        """Return the colour behind the text, or `None` if pictures or shapes may lie there."""
        levels = [each.element for each in (self._slide, self._layout, self._master)]
        for each in levels[1:]:
            if next(each.iter(f"{_P}pic"), None) is not None or any(
                self._fill(shape) is not None for shape in each.iter(f"{_P}spPr")
            ):
                return None
        for each in levels:
            back = each.find(f"{_P}cSld/{_P}bg")
            if back is not None:
                named = back.find(f"{_P}bgRef")
                if named is not None:
                    return self._theme.colour_in(named)
                return self._fill(back.find(f"{_P}bgPr")) or None
        return _WHITE

    def _fill(self, properties: Element | None) -> Colour | Literal[False] | None:
        """Return the colour of a fill; `False` if it is no plain colour, `None` without a fill."""
        fill = None if properties is None else next(
            (each for each in properties if each.tag in _FILLS), None
        )  # fmt: skip
        if fill is None:
            return None
        if fill.tag != f"{_A}solidFill" or next(fill.iter(f"{_A}alpha"), None) is not None:
            return False
        return self._theme.colour_in(fill) or False

    def _piece(
        self,
        element: Element,
        looks: list[Element],
        *,
        hidden: bool,
        ground: Colour | None,
        scale: float,
    ) -> str:
        if element.tag == f"{_A}br":
            return "\n"
        decision = self._writer.decision
        if element.tag == f"{_M}oMath":
            text = linear(
                element,
                lambda run: "".join(map(_characters, run.iter(f"{_M}t"))),
                partial(decision.on, reason="struck out"),
            )
            return decision.on(text, "hidden") if hidden else text
        written, own = element.find(f"{_A}t"), element.find(f"{_A}rPr")
        looks = looks if own is None else [own, *looks]
        text = "" if written is None else visible(_characters(written))
        if (element.get("type") or "").startswith(("slidenum", "datetime")):
            return ""  # a field with what is the number or the date now
        for font in ("latin", "sym"):
            named = next((e for each in looks if (e := each.find(f"{_A}{font}")) is not None), None)
            if named is not None:
                text = as_shown(text, named.get("typeface") or "")

        def value(name: str) -> str:
            return next((found for each in looks if (found := each.get(name))), "")

        size = _number(value("sz"), 1800) * scale
        is_overlaid = _number(value("spc")) <= _OVERLAID * size
        if hidden or is_overlaid or size < 100 * SMALLEST or self._is_faint(looks, ground):
            return decision.on(text, "hidden")
        if (value("strike") or "noStrike") not in _OFF:
            return decision.on(text, "struck out")
        raised = _number(value("baseline").rstrip("%"))
        return superscript(text) if raised > 0 else subscript(text) if raised < 0 else text

    def _is_faint(self, looks: list[Element], ground: Colour | None) -> bool:
        """Return whether text cannot be told from the colour behind it, or lets it through."""
        fills = (each for look in looks for each in look if each.tag in _INKS)
        fill = next(fills, None)
        marks = (each for look in looks if (each := look.find(f"{_A}highlight")) is not None)
        if (mark := next(marks, None)) is not None:
            ground = self._theme.colour_in(mark)
        if fill is None:
            inks = [self._theme.named("tx1")]
        elif fill.tag == f"{_A}noFill":
            return True
        else:
            alphas = [amount(each.get("val")) for each in fill.iter(f"{_A}alpha")]
            if alphas and max(alphas) < _CLEAR:
                return True
            stops = list(fill.iter(f"{_A}gs")) or [fill]
            inks = [self._theme.colour_in(each) for each in stops]
        return ground is not None and all(ink and contrast(ink, ground) < FAINTEST for ink in inks)


def _box(shape: Element) -> tuple[float, ...] | None:
    """Return the box of a shape on the slide: left, top, right, bottom; `None` if it inherits it.

    The places in a group are the group's own, which it maps to its box.
    """
    place = shape.find(f"{_P}xfrm")
    place = shape.find(f"{_P}spPr/{_A}xfrm") if place is None else place
    numbers = _numbers_of(place, ("off", "xy"), ("ext", ("cx", "cy")))
    if numbers is None:
        return None
    x, y, width, height = numbers
    for group in shape.iterancestors(f"{_P}grpSp"):
        outer = _numbers_of(
            group.find(f"{_P}grpSpPr/{_A}xfrm"),
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
        element = None if place is None else place.find(f"{_A}{tag}")
        if element is None:
            return None
        found += (_number(element.get(key) or "") for key in keys)
    return found


def _share_within(start: float, end: float, size: float) -> float:
    """Return the share of a side of a shape that is on the slide."""
    seen = min(end, size) - max(start, 0)
    return float(seen >= 0) if end <= start else seen / (end - start)


def _covers(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] <= other[0] and one[1] <= other[1] and one[2] >= other[2] and one[3] >= other[3]


def _inside(element: Element) -> Iterator[Element]:
    """Yield the parts of a paragraph, also those in what only new programs show."""
    for child in element:
        if child.tag in (f"{_A}r", f"{_A}br", f"{_A}fld", f"{_M}oMath"):
            yield child
        elif _is_known(child):
            yield from _inside(child)


def _shapes(element: Element) -> Iterator[Element]:
    """Yield the shapes and tables below an element, also those in groups."""
    for child in element:
        if child.tag in (f"{_P}sp", f"{_P}graphicFrame"):
            yield child
        elif _is_known(child):
            yield from _shapes(child)


def _holder(shape: Element) -> str:
    """Return what a shape holds the place of; empty if nothing."""
    place = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "" if place is None else place.get("type") or "object"

"""Word files as documents: `read_word`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.parser import parse_xml

from citeguard.documents.document import Decision, Document, Writer, visible
from citeguard.documents.files import fields_of, unpacked
from citeguard.documents.office.elements import (
    COMPATIBILITY,
    OFF,
    Element,
    M,
    attributes,
    characters,
    is_known,
    points,
    settled,
    vml_style,
    whole,
)
from citeguard.documents.office.lists import Lists
from citeguard.documents.office.symbols import as_shown, linear, symbol
from citeguard.documents.office.word_looks import (
    LOWERED,
    RAISED,
    TWIPS,
    W14,
    WP,
    Lines,
    Looks,
    Room,
    W,
    is_on,
    is_tiny,
    properties,
    value,
)
from citeguard.documents.tables import Written
from citeguard.language.formulas import subscript, superscript
from citeguard.language.scripts import IDEOGRAPHS

_parse: Any = parse_xml
_etree: Any = import_module("lxml.etree")

_CONTAINERS = frozenset(
    (
        *(f"{W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo")),
        *(f"{COMPATIBILITY}{name}" for name in ("AlternateContent", "Choice", "Fallback")),
    )
)
# Properties, and what a reader does not see: deleted text.
_UNSEEN = frozenset(
    f"{W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "trPr", "tcPr", "tblPr")
)
_NOTES = {
    f"{W}footnoteReference": (RELATIONSHIP_TYPE.FOOTNOTES, f"{W}footnote"),
    f"{W}endnoteReference": (RELATIONSHIP_TYPE.ENDNOTES, f"{W}endnote"),
}
_DRAWN = (f"{WP}inline", f"{W}pict", f"{W}object")
_SIGNS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011"}
_STORIES = tuple(f"{W}{name}" for name in ("txbxContent", "footnote", "endnote"))
# Fields that show no result, and others that show another one whenever a file is opened.
_UNSEEN_RESULTS = frozenset(
    "ASK PRIVATE RD SET TA TC XE DATE NUMPAGES PAGE SECTION SECTIONPAGES TIME".split()
)
# Parts with data that controls may be bound to, the paths to it that Word writes, and namespaces.
_DATA = re.compile(r"(?i)/(?:customXml|docProps)/.*\.xml")
_NAME, _PREFIX = r"(?:[^\W\d][\w.-]*:)?[^\W\d][\w.-]*", re.compile(r"([\w.-]+):")
_PATH = re.compile(rf"(?:/{_NAME}(?:\[\d{{1,4}}\])?)+(?:/@{_NAME}|/text\(\))?")
_SPACE = re.compile(r"xmlns:([\w.-]+)=['\"]([^'\"]*)['\"]")
_ITEM = f"{W}listItem"
_READ_IN_A_STEP = 500  # bytes of data
# As "SYMBOL 183 \f Symbol", "EQ \f(1;2)" and "MACROBUTTON name Click here".
_CODE = re.compile(
    r"(?is)\s*(?:(?P<sign>SYMBOL)\s+(?P<code>\d+|0x[0-9A-F]+)|(?P<drawn>EQ)\b"
    r"|(?:MACRO|GOTO)BUTTON\s+\S+\s(?P<button>.+))"
)
_UNREAD = {f"{W}altChunk": "inserted documents", "{*}textpath": "WordArt"}
_OBJECT = "\ufdd2"  # a noncharacter, for what is drawn in a line, such as a picture
# A picture at the end of a line, or beside a tab, is no word amid others.
_NOT_AMID = re.compile(rf"(?m)(?:^|(?<=\t))[ {_OBJECT}]+|(?<![ {_OBJECT}])[ {_OBJECT}]+(?=\t|$)")
_CODE_FONT = re.compile(r"\\f\s+(?:\"([^\"]+)\"|(\S+))")


def read_word(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of a Word file (.docx) in its order.

    List marks and numbers are written as Word shows them, a row of a table is one line with its
    cells separated by " | ", also of lines that tabs align, and footnotes come last. Text boxes
    follow the paragraph that they are anchored to. Symbols are read by the tables of their fonts,
    equations on one line, boxes as ☑ or ☐, what is drawn between words as U+FFFD; words that a
    table's style, a shape or too little room may hide are doubtful. Tracked changes are read as
    accepted. Page headers and footers, comments, charts, pictures, and fields that Word works out
    anew on opening (dates, page numbers) are omitted; unseen text is as decided.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has entities.
    """
    with unpacked(content, name, "Word document"):
        file = docx.Document(BytesIO(content))
        reader = _Word(file, Writer(decision, numbered=True))
        reader.read()
        facts = file.core_properties
        return reader.writer.document(
            "word", title=facts.title or None, fields=fields_of(facts), warnings=reader.unread()
        )


class _Word:
    """Writes what the elements of a Word document show."""

    def __init__(self, file: Any, writer: Writer) -> None:
        self.writer = writer
        self._body: Element = settled(file.element.body)
        self._looks = Looks(file, self._body)
        relations = file.part.rels.values()
        self._related = {each.reltype: each for each in relations if not each.is_external}
        self._hidden = False  # whether what is around the open paragraph is hidden
        self._unsure = False  # whether it is, or the open cell, for all that is known of its table
        self._parts: list[str] = []  # the styles of the parts of its table that it may be in
        self._tabbed: list[tuple[str, bool]] = []  # paragraphs with tabs, and whether in doubt
        self._form: _Form  # of the open paragraph
        self._sizes = 0.0  # of its letters that are seen, in all
        self._room: Room = self._looks.room
        self._forms: dict[bytes, _Form] = {}
        self._table_style = ""
        self._fields: list[_Field] = []  # the open ones
        self._whole = _whole_fields(self._body)
        blobs = (e.blob for e in file.part.package.iter_parts() if _DATA.fullmatch(e.partname))
        self._data = [(_parse(each), len(each)) for each in blobs]
        self._bound = {*self._bound_in(self._body)}  # paragraphs in which Word shows other words
        numbering = self._related.get(RELATIONSHIP_TYPE.NUMBERING)
        self._lists = Lists(
            None if numbering is None else numbering.target_part.element, self._looks.font_in
        )
        self._notes: list[_Note] = []  # those with a mark so far

    def read(self) -> None:
        """Write the body, and then the notes."""
        self._blocks(self._body)
        texts: dict[tuple[str, str], Element] = {}
        for reference, (kind, tag) in _NOTES.items():
            if kind in self._related:
                notes = settled(_parse(self._related[kind].target_part.blob))
                self._whole |= _whole_fields(notes)
                self._bound |= {*self._bound_in(notes)}
                texts |= {(reference, note.get(f"{W}id")): note for note in notes.iter(tag)}
        # A note may have a mark of its own, so the list may grow.
        for each in self._notes:
            if (note := texts.get((each.reference, each.id))) is not None:
                self._unsure = False
                with self._inside(_Place(each.hidden)):
                    text = " ".join(self._texts(note))
                self.writer.write(text, mark=f"[{each.number}] ", unsure=self._unsure)

    def unread(self) -> list[str]:
        """Return a warning for each kind of text in the body that is not read."""
        found = (
            name for tag, name in _UNREAD.items() if next(self._body.iter(tag), None) is not None
        )
        return [f"the words of {name} are not read" for name in found]

    def _bound_in(self, root: Element) -> Iterator[Element]:
        """Yield the paragraphs of controls that are bound to other data, which Word shows."""
        for binding in root.iter("{*}dataBinding") if self._data else ():
            control = next(binding.iterancestors(f"{W}sdt"), root)
            given = attributes(binding)
            path, spaces = given.get("xpath", ""), given.get("prefixMappings", "")
            named = dict(_SPACE.findall(spaces))
            steps = 1 + sum(size for _, size in self._data) // _READ_IN_A_STEP
            is_known = _PATH.fullmatch(path) and {*_PREFIX.findall(path)} <= named.keys()
            is_known = is_known and self.writer.decision.spend(steps)
            find: Any = _etree.XPath(path, namespaces=named) if is_known else None
            found = [e for data, _ in self._data for e in find(data)[:1]] if is_known else []
            items = {e.get(f"{W}value"): e.get(f"{W}displayText") for e in control.iter(_ITEM)}
            texts = [e if isinstance(e, str) else "".join(e.itertext()) for e in found]
            is_empty = next(control.iter(f"{W}showingPlcHdr"), None) is not None
            stored = "".join("".join(each.text or "" for each in control.iter(f"{W}t")).split())
            texts = ["".join((items.get(each) or each).split()) for each in texts]
            # A control that shows its placeholder has no words, and nor need the data.
            same = (each == stored or (is_empty and not each) for each in texts)
            if not is_known or not all(same):
                yield from (*control.iter(f"{W}p"), *control.iterancestors(f"{W}p"))

    def _blocks(self, parent: Element) -> None:
        for child in parent:
            if child.tag == f"{W}p":
                self._paragraph(child)
            elif child.tag == f"{W}tbl":
                self._write_tabbed()
                self._table(child)
            elif child.tag in _CONTAINERS:
                self._blocks(child)
        self._write_tabbed()

    def _write_tabbed(self) -> None:
        """Write the paragraphs with tabs so far, which may be rows of a table."""
        texts, self._tabbed = self._tabbed, []
        for unsure, group in groupby(texts, lambda pair: pair[1]):
            self.writer.write_lines([text for text, _ in group], unsure=unsure)

    def _paragraph(self, element: Element) -> None:
        boxes: list[_Box] = []
        self._unsure = False
        mark, text = self._text(element, boxes)
        # Lines with tabs wait for the next ones: three or more may be rows of a table.
        level = self._form.level
        if "\t" in text and level is None and not mark and not boxes:
            self._tabbed.append((text, self._unsure))
            return
        self._write_tabbed()
        text = " ".join(text.split()) if level else text.replace("\t", " ")
        self.writer.write(text, mark=mark, level=level, unsure=self._unsure)
        for box, place in boxes:
            with self._inside(place):
                self._blocks(box)

    @contextmanager
    def _inside(self, place: _Place) -> Generator[None]:
        """Read what is in an element; a text box is in no table and in no field."""
        before = self._hidden, self._table_style, self._fields, self._parts, self._room
        self._hidden, self._room = self._hidden or place.hidden, place.room or self._room
        self._parts = self._parts if place.parts is None else place.parts
        if place.is_box:
            self._table_style, self._fields, self._parts = "", [], []
        yield
        self._hidden, self._table_style, self._fields, self._parts, self._room = before

    def _text(self, paragraph: Element, boxes: list[_Box]) -> tuple[str, str]:
        """Return the list mark of a paragraph and its text; text boxes are added to a list."""
        own = paragraph.find(f"{W}pPr")
        # Most paragraphs have the same few properties, and these are looked at once.
        key = b"" if own is None else _etree.tostring(own, with_tail=False)
        if (form := self._forms.get(key)) is None:
            styles, style = self._looks.styles, value(paragraph, "pPr", "pStyle")
            place = self._lists.place(paragraph, style, styles)
            lines = self._looks.lines(paragraph, self._lists.level(*place), style)
            form = _Form(style, place, styles.level(paragraph, style), lines)
            self._forms[key] = form
        form = self._form = form._replace(
            over={order < 0 for order, _ in self._looks.covers.get(paragraph, ())}
        )
        lines, self._sizes = form.lines, 0
        self._unsure |= paragraph in self._bound
        with self._inside(_Place(lines.hidden)):
            # A break of the page parts words, but is no line break.
            text = "".join(self._pieces(paragraph, boxes)).strip("\f").replace("\f", " ")
        room = self._room if lines.frame is None else Room(*lines.frame)
        # Also asked about what is in doubt already, as it fills the room of what follows.
        self._unsure |= not room.shows(text, self._sizes, lines, self._looks.page[0])
        if _OBJECT in text:  # it may be a word between words
            text = _NOT_AMID.sub("", text).replace(_OBJECT, "\ufffd")
        self._form = form  # not that of a text box in it
        mark = self._lists.mark(*form.place) if text.strip() else ""
        if mark:
            run = paragraph if own is None else own  # has the look of its mark
            level = self._lists.level(*form.place)
            look = self._looks.of(run, form.style, self._table_style, mark=level)
            reason = self._looks.unseen(run, look)
            mark = mark if reason is None else self.writer.decision.on(mark, reason)
        return f"{mark} " if mark else "", text

    def _rows(self, table: Element) -> Iterator[tuple[Element, list[_Cell]]]:
        """Yield the rows of a table with their cells, but for rows that are deleted."""
        begun: set[int] = set()  # the columns in which a cell has begun
        parts = self._looks.styles.parts(value(table, "tblPr", "tblStyle"))
        edges = self._looks.columns(table, self._room)
        kept = [r for r in _children(table, f"{W}tr") if "del" not in properties(r, "trPr")]
        for row in kept:
            own = properties(row, "trPr")
            height = attributes(own.get("trHeight"))
            is_hidden = is_on(own.get("hidden")) or is_tiny(height, "val", "hRule")
            cells: list[_Cell] = []
            column = 1 + _span(own.get("gridBefore"), 0)
            elements = [*_children(row, f"{W}tc")]
            for element in elements:
                look = properties(element, "tcPr")
                columns = _span(look.get("gridSpan"), 1)
                goes_on = {name for name in look if value(look[name]) != "restart"}
                # Where no cell has begun above it, one that says that it goes on begins itself.
                goes_on &= {"vMerge" if column in begun else "", "hMerge" if cells else ""}
                hidden = is_hidden or bool(goes_on) or "cellDel" in look
                is_cut = height.get("hRule") == "exact" and "vMerge" not in look
                high = points(height.get("val"), TWIPS) if is_cut else self._room.high
                within = edges[column - 1 : column + columns]
                within = within if len(within) > columns else edges
                room = Room(within[0], within[-1] - within[0], high)
                is_in = {
                    "firstRow": row is kept[0] or "tblHeader" in own,
                    "lastRow": row is kept[-1],
                    "firstCol": not cells,
                    "lastCol": element is elements[-1],
                }
                styles = [style for kind, style in parts.items() if is_in.get(kind, True)]
                cells.append(_Cell(element, column, columns, goes_on, _Place(hidden, room, styles)))
                begun.add(column)
                column += columns
            yield row, cells

    def _table(self, table: Element) -> None:
        with self._inside(_Place(self._looks.columns(table, self._room)[0] >= self._looks.page[0])):
            self._table_style = value(table, "tblPr", "tblStyle")
            self._write_table(table)

    def _write_table(self, table: Element) -> None:
        rows = list(self._rows(table))
        is_frame = all(len(cells) < 2 for _, cells in rows)  # around paragraphs
        begun: dict[int, Written] = {}  # the last cell that begins in each column
        for number, (row, cells) in enumerate(rows, 1):
            heads = "column" if "tblHeader" in properties(row, "trPr") else ""
            row_written: list[Written] = []
            # A table in a cell keeps its rows, instead of being words of the cell.
            inner = (each for cell in cells for each in cell.element.iter(f"{W}tr"))
            if is_frame or any(len(each.findall(f"{W}tc")) > 1 for each in inner):
                for cell in cells:
                    with self._inside(cell.place):
                        self._blocks(cell.element)
                continue
            for cell in cells:
                self._unsure = False
                with self._inside(cell.place):
                    text = " ".join(" ".join(self._texts(cell.element)).split())
                if "vMerge" in cell.goes_on and (over := begun.get(cell.column)) is not None:
                    over.rows = number - over.row + 1
                elif "hMerge" in cell.goes_on and row_written:
                    row_written[-1].columns += cell.columns
                if text or not cell.goes_on:
                    written = Written(text, number, cell.column, 1, cell.columns, heads)
                    written.unsure = self._unsure
                    row_written.append(written)
                if not cell.goes_on:
                    begun[cell.column] = row_written[-1]
            self.writer.write_row(table, row_written)

    def _texts(self, parent: Element) -> Iterator[str]:
        """Yield the texts of all paragraphs in a cell or a note."""
        for child in parent:
            if child.tag == f"{W}p":
                boxes: list[_Box] = []
                mark, text = self._text(child, boxes)
                # The dash of a list says nothing in a cell, a number may.
                yield (text if mark == "- " else mark + text).replace("\t", " ")
                for box, place in boxes:
                    with self._inside(place):
                        yield from [*self._texts(box)]
            elif child.tag == f"{W}tbl":
                for _, cells in self._rows(child):
                    for cell in cells:
                        with self._inside(cell.place):
                            yield from [*self._texts(cell.element)]
            elif child.tag in _CONTAINERS:
                yield from self._texts(child)

    def _pieces(self, element: Element, boxes: list[_Box]) -> Iterator[str]:  # noqa: C901 - one case each
        """Yield the texts in a paragraph; text boxes are added to a list."""
        for child in element:
            if child.tag in _UNSEEN or not is_known(child):
                continue
            if child.tag == f"{W}r":
                yield self._run(child, boxes)
            elif child.tag == f"{W}fldChar":
                yield self._field(child)
            elif child.tag == f"{W}instrText":
                if self._fields:
                    self._fields[-1].code.append(characters(child))
            elif child.tag == f"{W}txbxContent":
                if not self._is_in_code():
                    hidden = self._hidden or self._looks.hides(child)
                    room = self._looks.room_in(child, self._room)
                    boxes.append((child, _Place(hidden, room, is_box=True)))
            elif self._is_in_code():
                yield from self._pieces(child, boxes)  # for the fields in it
            elif child.tag in (f"{W}t", f"{M}t"):
                yield self._result(characters(child))
            elif child.tag == f"{W}sym":
                written = child.get(f"{W}char") or ""
                code = int(written, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,6}", written) else 0
                yield self._result(symbol(code, child.get(f"{W}font") or ""))
            elif child.tag == f"{M}oMath":
                struck = partial(self.writer.decision.on, reason="struck out")
                yield linear(child, partial(self._run, boxes=boxes), struck)
            elif child.tag == f"{W}fldSimple":
                code = child.get(f"{W}instr") or ""
                if not _is_result_unseen(code):
                    yield "".join(self._pieces(child, boxes)) or _drawn(code)
            elif child.tag == f"{W}object" and child.find("{*}OLEObject") is not None:
                yield "\ufffd"  # such as an equation of an old editor
            elif child.tag in _DRAWN:
                places = {vml_style(each).get("position") for each in child}
                is_seen = not any(map(self._looks.hides, (child, *child)))
                # What floats is not between the words.
                yield _OBJECT if is_seen and "absolute" not in places else ""
                yield from self._pieces(child, boxes)
            elif child.tag in _SIGNS:
                yield _SIGNS[child.tag]
            elif child.tag == f"{W}bdo":  # against the direction of its words or figures
                self._unsure = True
                yield from self._pieces(child, boxes)
            elif child.tag == f"{W}br":
                yield "\f" if child.get(f"{W}type") in ("page", "column") else "\n"
            elif child.tag == f"{W}rt":  # over ideographs, it says how they are read
                words = "".join(child.getparent().itertext(f"{W}t"))
                yield "" if re.search(f"[{IDEOGRAPHS}]", words) else _OBJECT
            elif child.tag in _NOTES:
                number = self._notes[-1].number if self._notes else 0
                # Where hidden text is left out, its notes take no numbers.
                number += self.writer.decision.keeps or not self._hidden
                note_id = child.get(f"{W}id")
                self._notes.append(_Note(child.tag, note_id, number, self._hidden))
                yield f"[{number}]"
            else:
                yield from self._pieces(child, boxes)

    def _is_in_code(self) -> bool:
        return bool(self._fields) and self._fields[-1].is_in_code

    def _result(self, text: str) -> str:
        """Return a text that is shown; in a field, it is its result."""
        if self._fields and text.strip():
            self._fields[-1].code.clear()
        return text

    def _field(self, mark: Element) -> str:
        """Return what a mark of a field shows: its parts are a code, and mostly its result."""
        kind = mark.get(f"{W}fldCharType")
        if mark in self._whole:  # nothing is lost in a field that never ends
            self._fields.append(_Field(_filled_in(mark), is_unseen=self._is_in_code()))
            return ""
        if kind == "separate" and self._fields:
            opened = self._fields[-1]
            opened.is_in_code = opened.is_unseen or _is_result_unseen("".join(opened.code))
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            code = "".join(ended.code)
            return "" if ended.is_unseen else _drawn(code) or (ended.filled_in if code else "")
        return "" if self._is_in_code() else _filled_in(mark)

    def _run(self, run: Element, boxes: list[_Box]) -> str:
        style = self._form.style
        look = self._looks.of(run, style, self._table_style)
        with self._inside(_Place(look.vanished)):
            text = visible("".join(self._pieces(run, boxes)))
        text = as_shown(text, look.font)
        # The sign of a box may be any sign of any font: the state of its control says more.
        if len(text.strip()) == 1:
            control = next(run.iterancestors(f"{W}sdt"), None)
            box = None if control is None else control.find(f"{W}sdtPr/{W14}checkbox")
            if box is not None:
                ticked = box.find(f"{W14}checked")
                text = "☐" if ticked is None or ticked.get(f"{W14}val") in OFF else "☑"
        if run.tag == f"{M}r" and {"del", "moveFrom"} & {*look.properties}:  # in an equation
            return ""
        reason = "hidden" if self._hidden else self._looks.unseen(run, look)
        if reason is not None:
            drawn = "" if self._hidden or look.vanished else _OBJECT * text.count(_OBJECT)
            return self.writer.decision.on(text.replace(_OBJECT, ""), reason) + drawn
        self._unsure |= any(
            self._looks.unseen(run, self._looks.of(run, style, part)) for part in self._parts
        )
        self._sizes += len(text) * look.size
        over = self._form.over
        self._unsure |= False in over or (True in over and self._looks.may_fade(run, look))
        if look.raised >= RAISED:
            # "[1]" is the mark of a note, and raised already.
            return text if text.startswith("[") else superscript(text)
        return subscript(text) if look.raised <= LOWERED else text


class _Place(NamedTuple):
    """What is known of where words are."""

    hidden: bool
    room: Room | None = None  # `None` is that of what is around it, as of the next
    parts: list[str] | None = None  # the styles of the parts of the table that it may be in
    is_box: bool = False


_Box = tuple[Element, _Place]
"""A text box, and its place."""


class _Form(NamedTuple):
    """What the properties of a paragraph say of it."""

    style: str
    place: tuple[str, int]  # its list, and how deep it is in it
    level: int | None  # of a heading
    lines: Lines
    over: Collection[bool] = ()  # for what may lie over it or behind it, whether that is behind


class _Cell(NamedTuple):
    element: Element
    column: int
    columns: int
    goes_on: set[str]  # which cells go on in it: the one above (vMerge), before (hMerge)
    place: _Place


class _Note(NamedTuple):
    reference: str  # the tag of its mark
    id: str
    number: int
    hidden: bool


@dataclass(slots=True)
class _Field:
    filled_in: str  # what it shows in an old form
    is_unseen: bool  # whether it is in the code of another field
    code: list[str] = field(default_factory=list[str])  # a result empties it
    is_in_code: bool = True


def _whole_fields(root: Element) -> set[Element]:
    """Return the marks of the fields that begin and end in the same story."""
    open_fields: defaultdict[Element, list[Element]] = defaultdict(list)
    found: set[Element] = set()
    for mark in root.iter(f"{W}fldChar"):
        around = [*mark.iterancestors()]
        if any(each.tag in _UNSEEN or not is_known(each) for each in around):
            continue
        begun = open_fields[next((each for each in around if each.tag in _STORIES), root)]
        kind = mark.get(f"{W}fldCharType")
        if kind == "begin":
            begun.append(mark)
        elif kind == "end" and begun:
            found.add(begun.pop())
    return found


def _is_result_unseen(code: str) -> bool:
    return re.split(r"\W", code.lstrip(), maxsplit=1)[0].upper() in _UNSEEN_RESULTS


def _drawn(code: str) -> str:
    """Return what a field draws from its code: a sign, a button, or an equation not read."""
    match = _CODE.match(code)
    if match is None or match["button"]:
        return "" if match is None else match["button"]
    font = _CODE_FONT.search(code)
    named = "" if font is None else font[1] or font[2]
    return symbol(int(match["code"], 0), named) if match["sign"] else "\ufffd"


def _span(element: Element, default: int) -> int:
    written = value(element)
    return int(written) if written.isdecimal() and len(written) < 4 else default


def _filled_in(field: Element) -> str:
    """Return the box or the chosen entry that a field of an old form shows, if it does."""
    if (choice := field.find(f"{W}ffData/{W}ddList")) is not None:
        entries = [value(each) for each in choice.iterfind(f"{W}listEntry")]
        chosen = whole(value(choice, "result") or value(choice, "default"))
        return entries[chosen] if 0 <= chosen < len(entries) else ""
    if (box := field.find(f"{W}ffData/{W}checkBox")) is None:
        return ""
    ticked = next((each for n in ("checked", "default") for each in box.iter(f"{W}{n}")), None)
    return "☐" if ticked is None or value(ticked) in OFF else "☑"


def _children(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the children with a tag, also those in content controls and tracked changes."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _CONTAINERS:
            yield from _children(child, tag)

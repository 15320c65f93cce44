"""Files of Microsoft Office as documents: `read_word` and `read_slides`."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from typing import Any
from zipfile import ZipFile

import docx
import pptx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.parser import parse_xml

from citeguard.documents.document import (
    Document,
    PageLimitError,
    Writer,
    subscript,
    superscript,
    visible,
)
from citeguard.errors import InvalidSourcesError, foreign_code

# The most bytes, unpacked, of an XML part of a file, and of all parts together.
_LARGEST_PART, _LARGEST_FILE = 64_000_000, 600_000_000

Element = Any  # of lxml, which has no types
_parse: Any = parse_xml

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
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


def read_word(content: bytes, name: str) -> Document:
    """Return the text of a Word file (.docx) in its order.

    List marks and numbers are written as Word shows them, a row of a table is one line with its
    cells separated by " | ", and footnotes come last. Text boxes follow the paragraph that they
    are anchored to. Tracked changes are read as accepted. Page headers and footers, comments,
    hidden text, charts and pictures are omitted.

    Raises:
        InvalidSourcesError: the file is damaged, or unpacks to too much.
    """
    with _read(content, name, "Word document"):
        file = docx.Document(BytesIO(content))
        reader = _Word(file)
        reader.read()
        return reader.writer.document("word", title=file.core_properties.title or None)


def read_slides(content: bytes, name: str, *, max_pages: int | None = None) -> Document:
    """Return the text of a PowerPoint file (.pptx), slide by slide.

    Each slide begins with a heading, "Slide 3: Results", or "Slide 3" if it has no title. Its notes
    are its last paragraphs. Charts, diagrams and pictures are omitted.

    Raises:
        InvalidSourcesError: the file is damaged, or unpacks to too much.
        PageLimitError: it has more than `max_pages` slides.
    """
    with _read(content, name, "PowerPoint presentation"):
        file = pptx.Presentation(BytesIO(content))
        slides = list(file.slides)
        if max_pages is not None and len(slides) > max_pages:
            raise PageLimitError(
                f"{name}: has {len(slides):,} slides; at most {max_pages:,} are read"
            )
        writer = Writer()
        for number, slide in enumerate(slides, 1):
            _write_slide(writer, slide, number)
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
        yield


# -- Word


class _Word:
    """Writes what the elements of a Word document show."""

    def __init__(self, file: Any) -> None:
        self.writer = Writer()
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
        boxes: list[Element] = []
        text = "".join(self._pieces(element, boxes))
        mark = self._lists.mark(element, style, self._styles) if text.strip() else ""
        level = self._styles.level(element, style)
        self.writer.write(" ".join(text.split()) if level else text, mark=mark, level=level)
        for box in boxes:
            self._blocks(box)

    def _table(self, table: Element) -> None:
        rows = [
            list(_children(row, f"{_W}tc"))
            for row in _children(table, f"{_W}tr")
            if row.find(f"{_W}trPr/{_W}del") is None
        ]
        if all(len(cells) < 2 for cells in rows):  # a frame around paragraphs
            for cell in chain.from_iterable(rows):
                self._blocks(cell)
            return
        first = True
        for cells in rows:
            texts = [" ".join(" ".join(self._texts(cell)).split()) for cell in cells]
            self.writer.write(" | ".join(texts) if any(texts) else "", close=not first)
            first = first and not any(texts)

    def _texts(self, parent: Element) -> Iterator[str]:
        """Yield the texts of all paragraphs in a cell or a note."""
        for child in parent:
            if child.tag == f"{_W}p":
                boxes: list[Element] = []
                yield "".join(self._pieces(child, boxes))
                for box in boxes:
                    yield from self._texts(box)
            elif child.tag not in _UNSEEN:
                yield from self._texts(child)

    def _pieces(self, element: Element, boxes: list[Element]) -> Iterator[str]:
        """Yield the texts in a paragraph; text boxes are added to a list."""
        for child in element:
            if child.tag in _UNSEEN:
                continue
            if child.tag == f"{_W}txbxContent":
                boxes.append(child)
            elif child.tag == f"{_W}r":
                yield self._run(child, boxes)
            elif child.tag in (f"{_W}t", f"{_M}t"):
                yield child.text or ""
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
        hidden = run.find(f"{_W}rPr/{_W}vanish")
        if hidden is not None and _value(hidden) not in ("0", "false", "off"):
            return ""
        text = visible("".join(self._pieces(run, boxes)))
        raised = _value(run.find(f"{_W}rPr/{_W}vertAlign"))
        if raised == "superscript" and not text.startswith("["):
            return superscript(text)
        return subscript(text) if raised == "subscript" else text


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


def _write_slide(writer: Writer, slide: Any, number: int) -> None:
    shapes = list(_shapes(slide.element))
    titles = [" ".join(_lines(shape)) for shape in shapes if _holder(shape) in _TITLES]
    title = " ".join(" ".join(titles).split())
    writer.write(f"Slide {number}: {title}" if title else f"Slide {number}", level=1)
    for shape in shapes:
        if shape.tag == f"{_P}graphicFrame":
            rows = (row for row in shape.iter(f"{_A}tr"))
            for at, row in enumerate(rows):
                cells = [" ".join(" ".join(_lines(cell)).split()) for cell in row.iter(f"{_A}tc")]
                writer.write(" | ".join(cells) if any(cells) else "", close=at > 0)
        elif _holder(shape) not in (*_TITLES, *_FURNITURE):
            for line in _lines(shape):
                writer.write(line)
    if slide.has_notes_slide:
        for shape in _shapes(slide.notes_slide.element):
            if _holder(shape) == "body":
                for line in _lines(shape):
                    writer.write(line)


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


def _lines(element: Element) -> Iterator[str]:
    """Yield the paragraphs in an element."""
    for paragraph in element.iter(f"{_A}p"):
        yield "".join(map(_piece, paragraph))


def _piece(element: Element) -> str:
    if element.tag == f"{_A}br":
        return "\n"
    text = visible(element.findtext(f"{_A}t") or "")
    properties = element.find(f"{_A}rPr")
    raised = int(properties.get("baseline") or 0) if properties is not None else 0
    return superscript(text) if raised > 0 else subscript(text) if raised < 0 else text

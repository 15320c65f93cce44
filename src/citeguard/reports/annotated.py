"""A Word or PDF file with what a report says of it, at the words that it is about: `annotated`."""

from __future__ import annotations

import ctypes
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from copy import deepcopy
from datetime import UTC, datetime
from importlib import import_module
from io import BytesIO
from itertools import chain, groupby
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from citeguard.documents.files import kind_of
from citeguard.documents.loading import read_document
from citeguard.errors import CiteguardError, optional_packages
from citeguard.reports.report import PROBLEMS, Place, Replacement, Report, Shown
from citeguard.reports.wording import as_line, facts_of, label_of, where_and_url
from citeguard.sources.layout import Box, Layout

_AUTHOR, _INITIALS = "citeguard", "cg"

Element = Any  # of lxml, which has no types
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_TEXT, _RUN, _LOOK, _FIELD, _BOX, _DELETED, _COMMENT = (
    f"{_W}{name}" for name in ("t", "r", "rPr", "fldChar", "txbxContent", "del", "commentReference")
)
_ID = f"{_W}id"
_FOOTNOTES = tuple(f"{_W}{kind}Reference" for kind in ("footnote", "endnote"))
_WHOLE = (_RUN, f"{_M}oMath", f"{_M}oMathPara")
_UNSEEN = (
    *(f"{_W}del", f"{_W}moveFrom"),
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
)
_PLAIN = (f"{_W}p", f"{_W}hyperlink")
_DIVISIBLE = (_TEXT, _LOOK, f"{_W}lastRenderedPageBreak")

_COLOURS = {  # light enough for black text
    "contradicted": (255, 160, 160),
    "unsupported": (240, 190, 255),
    "undecided": (165, 225, 245),
    "supported": (180, 235, 180),
}
_YELLOW = (255, 230, 120)
_STEPS = 100  # in a point, as PDFium converts whole numbers
_IS_PRINTED = 4  # ISO 32000-1, 12.5.3


class _Note(NamedTuple):
    """What is written beside `text[start:end]`: a title and lines; `swaps` correct these words."""

    start: int
    end: int
    verdict: Shown | None
    lines: tuple[str, ...]
    swaps: tuple[Replacement, ...] = ()


def annotated(report: Report, content: bytes, name: str, verdicts: Collection[Shown]) -> bytes:
    """Return the content of the file that a report is about, with notes; see `Report.annotate`.

    Raises:
        CiteguardError: it is no Word or PDF file, cannot be read, or has another text.
    """
    kind = kind_of(name)
    if kind not in ("word", "pdf"):
        raise CiteguardError(f"{name}: only Word and PDF files can be annotated")
    document = read_document(content, name)
    # Nothing in a report says whether struck out and hidden text was kept.
    if document.text != report.text:
        document = read_document(content, name, unseen="keep")
    if document.text != report.text:
        raise CiteguardError(f"{name}: does not have the text that the report is about")
    notes = sorted(_notes(report, verdicts), key=lambda note: (note.start, -note.end))
    if kind == "pdf":
        return _annotated_pdf(content, document.layout, notes)
    with optional_packages("annotating Word files"):
        return _Word(content, report.text).annotated(notes)


def _notes(report: Report, verdicts: Collection[Shown]) -> Iterator[_Note]:
    def where(place: Place) -> str:
        return as_line(where_and_url(place))

    corrected = {claim.number for claim in report.corrections}
    for claim in report.with_verdict(*verdicts):
        if not claim.dismissed:
            correction = claim.correction if claim.number in corrected else None
            swaps = correction.replacements if correction else ()
            facts = (fact.line(as_line, where) for fact in facts_of(claim))
            lines = (label_of(claim), as_line(claim.explanation), *facts)
            yield _Note(claim.start, claim.end, claim.shown, lines, swaps)
    for each in report.open_findings:
        kind = PROBLEMS[each.problem]
        if kind.effect != "shown":
            yield _Note(each.start, each.end, None, (kind.label, as_line(each.message)))


# -- Word


class _Letter(NamedTuple):
    """A character of a Word file, or a part of what it is compared as."""

    sign: str
    text: Element | None  # has it, at `offset`; `None` if that cannot be divided
    offset: int
    # The run that has the text. Else what is marked in its place: an equation, or the run with the
    # mark of a footnote or the anchor of a text box, which can have no comments.
    whole: Element
    # Not in a field, which would be filled in again, nor in somebody else's tracked change.
    is_plain: bool


class _Word:
    """Writes notes into a Word file as comments, and corrections as tracked changes.

    The text of a report was read from the file, and differs from the texts in it: it has marks of
    lists and footnotes, raised digits, rows in lines. So the two are aligned, letter by letter.
    """

    def __init__(self, content: bytes, text: str) -> None:
        import docx

        self._file: Any = docx.Document(BytesIO(content))
        self._body: Element = self._file.element.body
        self._text = text
        self._letters = [*self._read()]
        signs = [(sign, at) for at, char in enumerate(text) for sign in _signs(char)]
        alignment = Levenshtein.opcodes(
            "".join(sign for sign, _ in signs), "".join(each.sign for each in self._letters)
        )
        # Pairs of an offset in the text and the index of a letter, both ascending.
        self._aligned = [
            (signs[each.src_start + n][1], each.dest_start + n)
            for each in alignment
            if each.tag == "equal"
            for n in range(each.src_end - each.src_start)
        ]
        # The parts of each divided text, by their offsets in it.
        self._parts: dict[Element, list[tuple[int, Element]]] = {}
        # No two changes of a file may have the same id.
        ids = [each.get(_ID, "") for each in self._body.iter("{*}*")]
        self._last_id = max((int(each) for each in ids if each.isdecimal()), default=0)

    def annotated(self, notes: Sequence[_Note]) -> bytes:
        """Return the content of the file with notes."""
        places = [self._nearest(note.start, note.end) for note in notes if self._aligned]
        swaps: list[tuple[Replacement, int, int]] = []
        for note in notes:
            found = [(swap, *place) for swap in note.swaps if (place := self._exact(swap))]
            swaps += found if len(found) == len(note.swaps) else []  # half of it may be wrong
        self._divide([*places, *((first, last) for _, first, last in swaps)])
        for note, (first, last) in zip(notes, places, strict=False):
            self._comment(note.lines, self._run(first), self._run(last))
        for swap, first, last in swaps:
            self._replace(swap.text, self._run(first), self._run(last))
        stream = BytesIO()
        self._file.save(stream)
        return stream.getvalue()

    def _read(self) -> Iterator[_Letter]:
        """Yield the letters in the order of the text: boxes after their paragraph, notes last."""
        marks: list[tuple[Element, Element]] = []
        fields = 0  # that are open
        for paragraph in self._body.iter(f"{_W}p"):
            if _is_in_box(paragraph):
                continue
            inside = paragraph.iter(_TEXT, f"{_M}t", _FIELD, *_FOOTNOTES)
            for each in sorted(inside, key=_is_in_box):
                around = [*each.iterancestors()]
                wholes = [above for above in around if above.tag in _WHOLE]
                if not wholes or any(above.tag in _UNSEEN for above in around):
                    continue
                if each.tag == _FIELD:
                    fields += {"begin": 1, "end": -1}.get(each.get(f"{_W}fldCharType"), 0)
                elif each.tag in _FOOTNOTES:
                    marks.append((each, wholes[-1]))
                elif each.tag == _TEXT and around[0] is wholes[-1]:
                    is_plain = not fields and around[1].tag in _PLAIN
                    yield from _letters(each.text or "", wholes[-1], each, is_plain)
                else:
                    yield from _letters(each.text or "", wholes[-1])
        footnotes = self._footnotes()
        for mark, whole in marks:
            yield from _letters(footnotes.get((mark.tag, mark.get(_ID)), ""), whole)

    def _footnotes(self) -> dict[tuple[str, str], str]:
        """Return the words of footnotes and endnotes by the tags and the ids of their marks."""
        from docx.oxml.parser import parse_xml

        parse: Any = parse_xml
        return {
            (f"{note.tag}Reference", note.get(_ID)): "".join(t.text or "" for t in note.iter(_TEXT))
            # python-docx knows no notes, only the parts of the file that have them.
            for each in self._file.part.rels.values()
            if each.reltype.endswith(("/footnotes", "/endnotes"))
            for note in parse(each.target_part.blob).iterchildren("{*}*")
        }

    def _nearest(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last letter of words of the text, or else the letter nearest."""
        at = min(bisect_left(self._aligned, (start, 0)), len(self._aligned) - 1)
        to = max(bisect_left(self._aligned, (end, 0)) - 1, at)
        first, last = self._aligned[at][1], self._aligned[to][1]
        ends = (self._letters[first], self._letters[last])
        apart = any(each.text is None and each.whole.tag == _RUN for each in ends)
        return (first, first) if apart else (first, last)

    def _exact(self, swap: Replacement) -> tuple[int, int] | None:
        """Return the first and the last letter of words to replace; `None` if that is not safe.

        It is safe if the file has just these words, in runs beside each other that may be changed.
        """
        at, to = (bisect_left(self._aligned, (each, 0)) for each in (swap.start, swap.end))
        signs = "".join(map(_signs, self._text[swap.start : swap.end]))
        first, last = (self._aligned[each][1] for each in (at, to - 1)) if at < to else (0, -1)
        letters = self._letters[first : last + 1]
        if not len(signs) == to - at == len(letters) or not all(each.is_plain for each in letters):
            return None
        runs = {each.whole for each in letters}
        children = {child.tag for run in runs for child in run}
        beside = len({run.getparent() for run in runs}) == 1
        return (first, last) if signs and beside and children.issubset(_DIVISIBLE) else None

    def _divide(self, places: Iterable[tuple[int, int]]) -> None:
        """Divide runs so that each place, from a letter to another, has runs of its own."""
        cuts = {cut for first, last in places for cut in ((first, 0), (last, 1))}
        # From the last to the first, so that each letter is still where it was read.
        for index, behind in sorted(cuts, reverse=True):
            text, offset = self._letters[index].text, self._letters[index].offset + behind
            if text is not None and (part := _divided(text, offset)) is not None:
                self._parts.setdefault(text, []).append((offset, part))

    def _run(self, index: int) -> Element:
        """Return the run that has a letter now, or what is marked in its place."""
        letter = self._letters[index]
        if letter.text is None:
            return letter.whole
        parts = self._parts.get(letter.text, [])
        held = (part for offset, part in parts if offset <= letter.offset)
        return next(held, letter.text).getparent()

    def _comment(self, lines: Sequence[str], first: Element, last: Element) -> None:
        comment = self._file.comments.add_comment(author=_AUTHOR, initials=_INITIALS)
        comment.paragraphs[0].add_run(lines[0]).bold = True
        for line in lines[1:]:
            comment.add_paragraph(line)
        number = {_ID: str(comment.comment_id)}
        first.addprevious(self._new("commentRangeStart", number))
        run = self._new("r")
        run.append(self._new("commentReference", number))
        # The next line puts the end between: a comment's mark follows the end of its range.
        last.addnext(run)
        last.addnext(self._new("commentRangeEnd", number))

    def _replace(self, words: str, first: Element, last: Element) -> None:
        """Replace runs by words that look like the first of them, as a tracked change."""
        inserted, run, text = self._change("ins"), self._new("r"), self._new("t")
        run.extend(deepcopy(look) for look in first.iterchildren(_LOOK))
        run.append(text)
        _write(text, words)
        if words:
            inserted.append(run)
        last.addnext(inserted)
        for each in [first, *first.itersiblings()]:
            if each is inserted:
                break
            if each.find(_TEXT) is not None:
                deleted = self._change("del")
                each.addprevious(deleted)
                deleted.append(each)
                # In a deletion, `w:delText` takes the place of `w:t`.
                for text in each.iter(_TEXT):
                    text.tag = f"{_W}delText"

    def _change(self, name: str) -> Element:
        self._last_id += 1
        date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        facts = {_ID: str(self._last_id), f"{_W}author": _AUTHOR, f"{_W}date": date}
        return self._new(name, facts)

    def _new(self, name: str, attributes: dict[str, str] | None = None) -> Element:
        return self._body.makeelement(f"{_W}{name}", attributes or {})


def _letters(
    words: str, whole: Element, text: Element | None = None, is_plain: bool = False
) -> Iterator[_Letter]:
    for offset, char in enumerate(words):
        for sign in _signs(char):
            yield _Letter(sign, text, offset, whole, is_plain)


def _signs(char: str) -> str:
    """Return what a character is compared as; empty for white space and what nobody sees."""
    if char.isspace() or unicodedata.category(char) == "Cf":
        return ""
    return char if char.isascii() else "".join(unicodedata.normalize("NFKC", char).split())


def _is_in_box(element: Element) -> bool:
    return next(element.iterancestors(_BOX), None) is not None


def _write(text: Element, words: str) -> None:
    text.text = words
    # XML's default in Word drops blanks at either end of a text.
    text.set(_SPACE, "preserve")


def _divided(text: Element, offset: int) -> Element | None:
    """Divide the run of a text before a character into two that look the same.

    Returns the text of the new run, or `None` if the text was not itself divided.
    """
    run, part = text.getparent(), None
    moved = [*text.itersiblings()]
    if offset == 0:
        begins = all(each.tag == _LOOK for each in text.itersiblings(preceding=True))
        moved = [] if begins else [text, *moved]
    elif offset < len(text.text):
        part = deepcopy(text)
        _write(part, text.text[offset:])
        _write(text, text.text[:offset])
        moved.insert(0, part)
    if moved:
        new = run.makeelement(run.tag, dict(run.attrib))
        new.extend([*map(deepcopy, run.iterchildren(_LOOK)), *moved])
        run.addnext(new)
    return part


# -- PDF


def _annotated_pdf(content: bytes, layout: Layout, notes: Sequence[_Note]) -> bytes:
    """Return the file with highlights behind its own content, none of which changes."""
    from citeguard.documents.pdf.pdfium import PDFIUM_LOCK

    pdfium: Any = import_module("pypdfium2")  # it has no types
    marked = [
        (page, note, [*boxes])
        for note in notes
        for page, boxes in groupby(_boxes(layout, note), key=lambda box: box.page)
    ]
    stream = BytesIO()
    # Everything is closed here: the garbage collector would close it without the lock.
    with PDFIUM_LOCK, closing(pdfium.PdfDocument(content)) as document:
        for number, note, boxes in marked:
            with closing(document[number - 1]) as page:
                _highlight(pdfium.raw, page, note, boxes)
        # Added behind the file's own bytes, so that whatever else it has stays as it is.
        document.save(stream, flags=pdfium.raw.FPDF_INCREMENTAL)
    return stream.getvalue()


def _boxes(layout: Layout, note: _Note) -> Sequence[Box]:
    """Return the area of the words of a note, or that of the line nearest."""
    if found := layout.boxes(note.start, note.end):
        return found
    at = bisect_left(layout.printed, note.start, key=lambda line: line.start)
    lines = layout.printed[max(at - 1, 0) :][:1]
    return [line.box(line.start, line.end) for line in lines]


def _highlight(raw: Any, page: Any, note: _Note, boxes: Sequence[Box]) -> None:
    def in_file(x: float, y: float) -> tuple[float, float]:
        """Return a point of the page as it is displayed in the coordinates of the file."""
        size = (round(_STEPS * side) for side in page.get_size())
        at, up = ctypes.c_double(), ctypes.c_double()
        point = round(_STEPS * x), round(_STEPS * y)
        # A page may be turned or cropped, and PDFium knows how.
        raw.FPDF_DeviceToPage(page, 0, 0, *size, 0, *point, at, up)
        return at.value, up.value

    annotation = raw.FPDFPage_CreateAnnot(page, raw.FPDF_ANNOT_HIGHLIGHT)
    xs, ys = list[float](), list[float]()
    for box in boxes:
        # As viewers read them, in the form of a Z, and not around the box, as the standard says.
        corners = [(x, y) for y in (box.top, box.bottom) for x in (box.left, box.right)]
        points = [in_file(*corner) for corner in corners]
        raw.FPDFAnnot_AppendAttachmentPoints(annotation, raw.FS_QUADPOINTSF(*chain(*points)))
        xs += [x for x, _ in points]
        ys += [y for _, y in points]
    raw.FPDFAnnot_SetRect(annotation, raw.FS_RECTF(min(xs), max(ys), max(xs), min(ys)))
    colour = (*_COLOURS.get(note.verdict or "", _YELLOW), 255)
    raw.FPDFAnnot_SetColor(annotation, raw.FPDFANNOT_COLORTYPE_Color, *colour)
    raw.FPDFAnnot_SetFlags(annotation, _IS_PRINTED)
    date = datetime.now(UTC).strftime("D:%Y%m%d%H%M%SZ")
    for key, words in ((b"T", _AUTHOR), (b"M", date), (b"Contents", "\n".join(note.lines))):
        # PDFium takes UTF-16 with two zero bytes at the end.
        buffer = ctypes.create_string_buffer(f"{words}\0".encode("utf-16-le"))
        raw.FPDFAnnot_SetStringValue(annotation, key, ctypes.cast(buffer, raw.FPDF_WIDESTRING))
    raw.FPDFPage_CloseAnnot(annotation)

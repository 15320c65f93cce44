"""What the readers of files produce: `Document`, the writer of its text, and its plain text.

`Decision` is the one place that decides what becomes of text that nobody sees.

Here is also what the readers share: invisible characters, Roman numerals, and which colours cannot
be seen on others. `data_of_document` and `document_from` are for whatever keeps documents on disk.
"""

from __future__ import annotations

import json
import re
from array import array
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import groupby
from typing import Any, Literal, get_args

from citeguard.documents.files import ContentError
from citeguard.documents.tables import Written, WrittenTable, tabbed, table_of
from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.sources.layout import (
    Cell,
    Doubt,
    Fields,
    FileKind,
    Heading,
    Layout,
    Ocr,
    Page,
    Part,
    PrintedLine,
    Table,
)

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
# Noncharacters of Unicode around text that is kept though nobody sees it; files cannot have them,
# as `visible` drops them with soft hyphens and zero-width characters.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_INVISIBLE = str.maketrans("", "", f"\xad\u200b\u2060\ufeff{_OPEN}{_CLOSE}")
UNMAPPED = r"[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]"
"""Matches a character that stands for one that is not known: of a font's own, or U+FFFD."""
_DOUBTFUL = re.compile(rf"(?P<unseen>{_OPEN}[^{_CLOSE}]*{_CLOSE})|{UNMAPPED}+")
KEPT = "⟦⟧"
"""The brackets around text that is kept though nobody sees it."""
SMALLEST = 1.5
"""Points (1/72 inch) of the smallest type that can be read: less is as good as hidden.

The finest print in use, the microprint of banknotes aside, is of 3 to 4 points.
"""
FAINTEST = 1.2
"""The least contrast that can be seen, as WCAG 2.2 counts it: 1 is none, black on white is 21.

WCAG asks for 4.5; print in light grey on white, as on forms, has 1.3 to 1.6.
"""

Colour = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""
Unseen = Literal["omit", "keep"]
"""What becomes of text that a file has and its readers do not see."""
Reason = Literal["struck out", "hidden", "artifact", "replacement text"]
"""Why they do not see it, or why it is no content."""
_MOST_NAMED = 200_000  # cells of a document, which take some 3 seconds
_MOST_STEPS = 3_000_000  # of a file's `Decision`
_LONGEST = 100_000_000  # characters: notes and parts may be repeated without an end
_BRACKETS = str.maketrans(_OPEN + _CLOSE, KEPT)
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The text of a file, with a map back to the file.

    Attributes:
        text: The text as a reader of the file sees it.
        layout: Where each part of the text is in the file.
        title: The title that the file gives itself.
        url: The address on the web that the file gives itself.
    """

    text: str
    layout: Layout = field(repr=False)
    title: str | None = None
    url: str | None = None


class Decision:
    """What becomes of the text of one file that its readers do not see, or only in a picture.

    Args:
        unseen: Whether unseen text is omitted, or kept between ⟦ and ⟧.
        ocr: Reads pages without a text layer, which are left out otherwise.

    Attributes:
        left_out: How many characters, white space aside, were omitted.
        unsure: Whether it is unknown what of the text is seen, as telling it takes too long.
        unread: How many words were seen and not read, of those beside a text.
    """

    def __init__(self, unseen: Unseen = "omit", ocr: Ocr | None = None) -> None:
        if unseen not in get_args(Unseen):
            raise CiteguardError(f'unseen must be "omit" or "keep", got {unseen!r}')
        self.keeps, self.ocr = unseen == "keep", ocr
        self.left_out: Counter[str] = Counter()
        self.unsure = False
        self.unread = 0
        self._steps = _MOST_STEPS

    def spend(self, steps: int) -> bool:
        """Count steps of a microsecond; return whether more may be taken, or all is in doubt."""
        self._steps -= steps
        self.unsure |= self._steps < 0
        return self._steps >= 0

    def on(self, text: str, reason: Reason) -> str:
        """Return what an unseen text is replaced by: nothing, or itself with marks."""
        length = len("".join(text.split()))
        if self.keeps:
            return f"{_OPEN}{text}{_CLOSE}" if length else text
        if length:
            self.left_out[reason] += length
        return ""


class PageLimitError(InvalidSourcesError):
    """A file has more pages than the reader may read."""


class Writer:
    """Builds a document block by block, with a blank line between blocks.

    Args:
        decision: What becomes of unseen text; the blocks have it as the decision says.
        numbered: Whether its blocks outside of tables are numbered as paragraphs.

    Attributes:
        headings: The headings written so far.
        parts: Where parts of the file start, so far.
    """

    def __init__(self, decision: Decision | None = None, *, numbered: bool = False) -> None:
        self.decision = decision or Decision()
        self.headings: list[Heading] = []
        self.parts: list[Part] = []
        self._paragraphs = 0 if numbered else None
        self._tables: list[WrittenTable] = []
        self._open: WrittenTable | None = None  # the table of the row written last, if any
        self._named = _MOST_NAMED  # cells that may still get names
        self._pieces: list[str] = []
        self._length = 0
        self._line_starts: dict[int, int] = {}
        self._unsure: list[tuple[int, int]] = []

    def write(
        self,
        block: str,
        *,
        mark: str = "",
        level: int | None = None,
        lines: Iterable[tuple[int, int]] = (),
        close: bool = False,
        part: str = "",
        in_table: bool = False,
        unsure: bool = False,
    ) -> int:
        """Add a block, without blank lines at its start and white space at its end.

        A blank block adds nothing.

        Args:
            block: Its text.
            mark: The list mark to write before it.
            level: The level of the heading that the block is, from 1 to 6; `None` for other text.
            lines: Pairs of an offset in the block and the number of the file's line there, sorted.
            close: Write no blank line before it, as between the rows of a table.
            part: The name of the part of the file that begins with it.
            in_table: Whether it is in a table, where blocks are no paragraphs to count.
            unsure: Whether it is unknown what of it is seen.

        Returns:
            Where the block starts in the text, behind its mark.
        """
        skipped = _BLANK_LINES.match(block).end()  # pyright: ignore[reportOptionalMemberAccess]
        # Two unseen texts in a row are one.
        text = block[skipped:].rstrip().replace(_CLOSE + _OPEN, "")
        if not text:
            return self._length
        self._add(("\n" if close else "\n\n") if self._pieces else "")
        first = self._length
        self._add(mark)
        start = self._length
        self._add(text)
        for offset, line in lines:
            if offset < skipped + len(text):
                self._line_starts[first if offset <= skipped else start + offset - skipped] = line
        if level is not None:
            self.headings.append(Heading(_bracketed(text), level, start, self._length))
        if self._paragraphs is not None and not part and not in_table:
            self._paragraphs += 1
            part = f"paragraph {self._paragraphs}"
        if part:
            self.parts.append(Part(first, part))
        if unsure:
            self._unsure.append((start, self._length))
        self._open = None
        return start

    def write_lines(self, lines: Sequence[str], *, part: str = "", unsure: bool = False) -> None:
        """Add blocks, with those in a run that tabs align as the rows of a table; see `write`."""
        for has_tabs, group in groupby(lines, lambda line: "\t" in line):
            run = list(group)
            rows = tabbed([each for line in run for each in line.split("\n")]) if has_tabs else []
            for row in rows:
                for cell in row:
                    cell.unsure = unsure
                self.write_row(run, row)
            for line in () if rows else run:
                self.write(line.replace("\t", " "), part=part, unsure=unsure)

    def write_row(
        self,
        table: object,
        cells: Sequence[Written],
        *,
        lines: Iterable[tuple[int, int]] = (),
        name: str = "",
        caption: str = "",
    ) -> None:
        """Add a row of a table as a line, with its cells separated by " | "; a blank one is none.

        The first 200,000 cells of a document, and all that have names in the file, are known as
        cells; to find the names of more would take too long.

        Args:
            table: What the rows of one table share; the first row of another begins a new table.
            cells: The cells that begin in the row, by column.
            lines: See `write`.
            name: The name of the table in the file.
            caption: Its caption.
        """
        if not any(cell.text for cell in cells):
            return
        opened = self._tables[-1] if self._tables else None
        if opened is None or opened.key is not table:
            opened = WrittenTable(table, name, caption)
            self._tables.append(opened)
        is_next = self._open is opened
        for cell in cells:
            cell.text = cell.text.strip().replace(_CLOSE + _OPEN, "")
        row = " | ".join(cell.text for cell in cells)
        self._named -= sum(not cell.name for cell in cells)
        # Rows without cells are in doubt as a whole.
        unsure = self._named < 0 and any(cell.unsure for cell in cells)
        place = self.write(row, lines=lines, close=is_next, in_table=True, unsure=unsure)
        self._open = opened
        if self._named < 0:
            return
        has_unseen = _OPEN in row
        for cell in cells:
            length = len(cell.text)
            # The last cells may be empty, and the text ends before them, without white space.
            cell.start = min(place, self._length)
            cell.end = min(place + length, self._length)
            place += length + len(" | ")
            if has_unseen:
                cell.text = _bracketed(cell.text)
        opened.cells += cells

    def document(
        self,
        kind: FileKind,
        *,
        title: str | None,
        url: str | None = None,
        fields: Fields | None = None,
        doubts: Iterable[Doubt] | None = None,
        **pages: Any,
    ) -> Document:
        """Return the document written so far.

        Args:
            kind: The kind of file.
            title: The title that the file gives itself.
            url: The address that it gives itself.
            fields: What else it says of itself.
            doubts: The parts that may not be what it shows; by default, characters that stand for
                unknown ones, and unseen text that is kept.
            pages: Of a PDF file, `pages`, `printed` and `file` as of `Layout`.
        """
        text = "".join(self._pieces)
        unread, self.decision.unread = self.decision.unread, 0  # attachments share the decision
        if unread:
            beside = "words beside the main text are left out, such as those of menus and buttons"
            pages["warnings"] = [*pages.get("warnings", ()), f"{unread} {beside}"]
        if self.decision.unsure:
            doubts = [Doubt(0, self._length, "unseen")]
        elif doubts is None:
            cells = (cell for table in self._tables for cell in table.cells if cell.unsure)
            unsure = self._unsure + [(cell.start, cell.end) for cell in cells]
            doubts, place = list[Doubt](), 0
            for start, end in (*sorted(unsure), (self._length, self._length)):
                doubts += [
                    Doubt(*match.span(), "unseen" if match["unseen"] else "unmapped")
                    for match in _DOUBTFUL.finditer(text, place, start)
                ]
                doubts += [Doubt(start, end, "unseen")] if start < end else []
                place = end
        layout = Layout(
            kind,
            self._length,
            headings=self.headings,
            line_starts=tuple(self._line_starts.items()),
            doubts=tuple(doubts),
            left_out=self.decision.left_out,
            tables=tuple(
                table_of(each, text, number)
                for number, each in enumerate(self._tables, 1)
                if each.cells
            ),
            parts=self.parts,
            fields=fields or Fields(),
            **pages,
        )
        return Document(text=_bracketed(text), layout=layout, title=title, url=url)

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > _LONGEST:
            raise ContentError(f"has more than {_LONGEST:,} characters")


def _bracketed(text: str) -> str:
    return text.translate(_BRACKETS)


def visible(text: str) -> str:
    r"""Return a text without invisible characters, such as soft hyphens.

    Examples:
        >>> visible("infor\xadmation")
        'information'
    """
    return text.translate(_INVISIBLE)


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""

    def luminance(colour: Colour) -> float:
        parts = [part / 255 for part in colour]
        # "Relative luminance" in WCAG 2.2: how bright each colour looks to the eye.
        parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(paint: Colour, share: float, behind: Colour) -> Colour:
    """Return what a colour that covers a share of another one looks like."""
    red, green, blue = (
        round(share * a + (1 - share) * b) for a, b in zip(paint, behind, strict=True)
    )
    return red, green, blue


def faint(inks: Iterable[Colour | None], grounds: Sequence[Colour | None]) -> Iterator[bool]:
    """Yield for each ink on each ground whether it cannot be seen; it can if one is unknown."""
    # `None` is unknown; black, (0, 0, 0), is true as any tuple with something in it.
    pairs = ((ink, ground) for ink in inks for ground in grounds)
    return (bool(i and g and contrast(i, g) < FAINTEST) for i, g in pairs)


def roman(number: int) -> str:
    """Return a number in Roman numerals, in lower case."""
    written = ""
    for worth, sign in _ROMAN:
        written += sign * (number // worth)
        number %= worth
    return written


# As `Any`: what is read may have any types.
_KINDS: dict[str, Any] = {"headings": Heading, "pages": Page, "doubts": Doubt, "parts": Part}
_new_table: Any = Table
_new_line: Any = PrintedLine


def data_of_document(document: Document) -> bytes:
    """Return a document as bytes, without the PDF file that its layout may have.

    They are JSON, and the same on every machine.

    Examples:
        >>> document = Document(text="Lunch is free.", layout=Layout("text", 14), title="Lunch")
        >>> document_from(data_of_document(document), None).title
        'Lunch'
    """
    layout = document.layout
    data: dict[str, Any] = {
        **{name: list(map(_values, getattr(layout, name))) for name in _KINDS},
        **{"text": document.text, "title": document.title, "url": document.url},
        "kind": layout.kind,
        "line_starts": layout.line_starts,
        "left_out": layout.left_out,
        "warnings": layout.warnings,
        "fields": asdict(layout.fields),
        "tables": [
            (*_values(table)[:-1], list(map(_values, table.cells))) for table in layout.tables
        ],
        "printed": [
            (*_values(line)[:-2], _text_of(line.lefts), _text_of(line.rights))
            for line in layout.printed
        ],
    }
    return json.dumps(data).encode()


def document_from(data: bytes, file: bytes | None) -> Document:
    """Return the document that `data_of_document` returned as bytes.

    Args:
        data: The bytes.
        file: The PDF file that it was read from; used only if it has pages.

    Raises:
        KeyError, TypeError, ValueError: The bytes are not those of a document.
    """
    read: dict[str, Any] = json.loads(data)
    layout = Layout(
        read["kind"],
        len(read["text"]),
        **{name: [kind(*each) for each in read[name]] for name, kind in _KINDS.items()},
        line_starts=[(offset, line) for offset, line in read["line_starts"]],
        left_out=read["left_out"],
        warnings=read.get("warnings", ()),
        fields=Fields(**read["fields"] | {"authors": tuple(read["fields"]["authors"])}),
        tables=[_new_table(*rest, tuple(map(_cell, cells))) for *rest, cells in read["tables"]],
        printed=[
            _new_line(*rest, _numbers(lefts), _numbers(rights))
            for *rest, lefts, rights in read["printed"]
        ],
        file=file if read["pages"] else None,
    )
    return Document(text=read["text"], layout=layout, title=read["title"], url=read["url"])


def _values(each: Any) -> list[Any]:
    """Return the values of a dataclass, without copies of what is in them."""
    return [getattr(each, field.name) for field in fields(each)]


def _cell(values: list[Any]) -> Cell:
    return Cell(*values[:6], *map(tuple, values[6:8]), *values[8:])


def _text_of(numbers: array[float]) -> str:
    # Not at the top: only what saves documents waits until NumPy is loaded.
    import numpy as np

    # The same order of bytes on every machine.
    return b64encode(np.asarray(numbers, "<f4").tobytes()).decode()


def _numbers(text: str) -> array[float]:
    import numpy as np

    return array("f", np.frombuffer(b64decode(text), "<f4").tolist())

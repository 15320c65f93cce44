"""The blocks that a page shows: `blocks_of`, and `write_page`, which writes them all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from citeguard.documents.document import Decision, Writer, roman, visible
from citeguard.documents.html.css_values import UNKNOWN
from citeguard.documents.html.styles import Load, Styles
from citeguard.documents.html.tree import (
    BLOCKS,
    CELLS,
    LISTS,
    Element,
    first_number,
    has_content,
    heading_level,
    is_drawn,
    is_note_mark,
    is_row_of_data,
    is_shown,
    number_of,
    parse_page,
    parts_of,
    shown_by,
    span_of,
    tag_of,
    walk,
    words_in,
)
from citeguard.documents.html.visibility import may_cover
from citeguard.documents.tables import Written, spaced
from citeguard.language.formulas import grouped, note_mark, root_of, subscript, superscript
from citeguard.language.number_words import find_unit

_BREAK = "\u2028"  # a line break of the page, until white space is folded
_BULLETS, _LETTERS = ("disc", "circle", "square"), ("-alpha", "-latin")
_KINDS = frozenset(
    "decimal lower-alpha lower-latin lower-roman upper-alpha upper-latin upper-roman".split()
)
_ROW = re.compile("flex|grid")
_IN_LINE = ("inline", "none", "contents", "ruby", "run-in", UNKNOWN)  # displays
_ITEM = ("", "list-item")  # the display of what has a number
_AFTER_NUMBER = re.compile(r"\d\s?([^\W\d_]+)")
_CASES = {"uppercase": str.upper, "lowercase": str.lower, "capitalize": str.title}
_WHITE = re.compile(r"[ \t\n\r\f]+")
_BREAKS = re.compile(rf"\s*{_BREAK}(?:\s*{_BREAK})+\s*")
_BREAK_IN_LINE = re.compile(rf" ?{_BREAK} ?")


@dataclass(frozen=True, slots=True)
class Block:
    """What one paragraph, heading, list item, table row or the like shows."""

    text: str  # without white space at its ends
    home: Element  # the element in which it begins
    linked: int = 0  # how many of its characters, white space aside, are in links
    level: int | None = None  # of a heading, from 1 to 6
    mark: str = ""  # of a list, before it
    close: bool = False  # whether it is the next line of the same preformatted text
    cells: list[Written] = field(default_factory=list[Written])  # of a row of a table
    table: Element = None  # that it is a row of
    caption: str = ""  # of that table
    unsure: bool = False  # whether it is unknown whether readers see all of it, and nothing more


def write_block(writer: Writer, block: Block, *, lines: Iterable[tuple[int, int]] = ()) -> None:
    """Write a block of a page."""
    if block.cells:
        writer.write_row(block.table, block.cells, lines=lines, caption=block.caption)
    else:
        writer.write(
            block.text,
            mark=block.mark,
            level=block.level,
            lines=lines,
            close=block.close,
            unsure=block.unsure,
        )


def write_page(writer: Writer, text: str, name: str, load: Load, *, xhtml: bool = False) -> None:
    """Write all that a page shows, without leaving out what surrounds a main text.

    Its style sheets are loaded as `Styles` says.

    Raises:
        InvalidSourcesError: its elements are nested too deeply; the message starts with `name`.
    """
    root = parse_page(text, name, xhtml=xhtml)
    if root is not None:
        for block in blocks_of(root, writer.decision, Styles(root, load)):
            write_block(writer, block)


def blocks_of(root: Element, decision: Decision, styles: Styles) -> Iterator[Block]:
    """Yield the blocks that a tree shows to readers, in order, with unseen text as decided.

    White space is folded as a browser does. A row of a table is one block, with its cells separated
    by " | ", unless the table only serves the layout of the page.
    """
    reader = _Reader(decision, styles)
    # All of them first: only then is known which text boxes further down lie over.
    blocks = list(reader.blocks(root))
    covered = {each for home in reader.covered for each in home.iter()}
    for block in blocks:
        if block.home not in covered:
            yield block
            continue
        for cell in block.cells:
            cell.unsure = True
        yield replace(block, unsure=True)


class _Reader:
    """Walks through a tree once, and collects the pieces of a block until it ends."""

    def __init__(self, decision: Decision, styles: Styles) -> None:
        self._decision, self._styles = decision, styles
        self._looks = [styles.first] * 2  # of the open elements
        self._pieces: list[str] = []
        self._home: Element | None = None  # the element of the first piece
        self._parted = -1  # the number of pieces where something that is not read was drawn last
        self._links = 0  # open links
        self._linked = 0  # characters
        self._scripts: list[int] = []  # the number of pieces where each open part began
        self._level: int | None = None
        self._mark = ""
        self._numbers: list[int] = []  # of the next items of the open lists
        self._verbatim: list[Element] = []
        self._row: Element | None = None
        self._cells: list[tuple[Element, list[str]]] = []
        self._rows: Counter[Element] = Counter()  # of tables, so far
        self._spans: dict[Element, dict[int, tuple[int, int]]] = {}  # of tables, see `spaced`
        self._captions: dict[Element, str] = {}
        self._group: Element | None = None  # the table or preformatted text of the last block
        self._unsure = False  # of the next block
        self.covered = set[Element]()  # elements with text that boxes may lie over

    def blocks(self, root: Element) -> Iterator[Block]:
        skipped: Element | None = None
        steps = walk(root)
        for event, element in steps:
            if event == "start":
                look = self._styles.look_of(element, self._looks[-1])
                if not is_shown(element):
                    if not (look.unseen or look.gone):
                        self._read_value(element, unsure=look.unsure)
                    steps.skip_subtree()
                    skipped = element
                elif look.gone and not self._decision.keeps:
                    self._decision.on(_text_of(element), "hidden")
                    steps.skip_subtree()
                    skipped = element
                else:
                    around = self._looks[-1]
                    self._looks.append(look)
                    # An empty box with a ground may be a line through the text, or lie over it.
                    if look is not around and may_cover(look.usual) and not has_content(element):
                        self.covered.add(self._place_of(element))
                    yield from self._start(element, tag_of(element))
                    self._read(element.text, element)
            else:
                if element is not skipped:
                    yield from self._end(element, tag_of(element))
                    self._looks.pop()
                self._read(element.tail, element.getparent())
        self._decision.unsure |= not self._styles.complete
        yield from self._flush()

    def _read_value(self, control: Element, *, unsure: bool) -> None:
        """Read what an element shows that is not shown as text, or note that it does so."""
        if is_drawn(control):
            self._parted = len(self._pieces)
        value, shows_others = shown_by(control)
        self._unsure |= shows_others or (unsure and bool(value))
        if value is None:
            self._decision.unread += words_in(control)
        elif value.strip():
            self._read(f" {value.strip().replace(chr(10), _BREAK)} ", control)

    def _place_of(self, box: Element) -> Element:
        """Return the element that a box which the page places somewhere is placed in."""
        looks, around = self._looks[::-1], [*box.iterancestors()] or [box]
        position = looks[0].usual.style.get("position")
        # It is placed on the screen, and may lie over the whole page.
        if position == "fixed":
            return around[-1]
        if position != "absolute":
            return around[0]
        for element, look, outer in zip(around, looks[1:], looks[2:], strict=False):
            if look is not outer and look.usual.style.get("position"):
                return element
        return around[-1]

    def _read(self, text: str | None, home: Element | None) -> None:
        if text and home is not None:
            text, reason = visible(text), self._looks[-1].unseen
            if reason is not None:
                text = self._decision.on(text, reason)
            if not text:
                return
            # A picture between two figures may be a point: "2[picture]50 mg".
            if self._parted == len(self._pieces):
                seam = "".join(self._pieces[-1:])[-1:], text[0]
                self._unsure |= all(map(str.isdigit, seam))
            self._pieces.append(text)
            self._unsure |= self._looks[-1].unsure and not text.isspace()
            state = self._looks[-1].usual
            self._unsure |= state.room < inf and state.cuts(text)
            # In capitals, "5 mW" would be "5 MW".
            if recased := _CASES.get(state.style.get("text-transform", "")):
                units = _AFTER_NUMBER.findall(text)
                self._unsure |= any(find_unit(each) != find_unit(recased(each)) for each in units)
            if self._links:
                self._linked += len("".join(text.split()))
            if self._home is None and not text.isspace():
                self._home = home

    def _start(self, element: Element, tag: str) -> Iterator[Block]:
        self._links += tag == "a"
        if _is_block(element, tag):
            yield from self._flush()
            self._start_block(element, tag)
        self._unsure |= self._looks[-1].adds
        look, in_line = self._looks[-1], not _is_block(element, tag)
        placed = in_line and any(any(each.aside) for each in look.states.values())
        if look is not self._looks[-2] and (look.signs or placed):
            text, before = "".join(element.itertext()).strip(), "".join(self._pieces[-1:])
            before, after = (_WHITE.sub(" ", each or "") for each in (before, element.tail))
            beside = (before[-1:], text[:1], text[-1:], after[:1])
            self._unsure |= look.signs and any(map(str.isdigit, beside))
            self._unsure |= placed and look.is_displaced(before, text, after)
        self._break_line(element, tag)
        # The cells of a matrix, 16 and 3, are no 163.
        if tag in ("br", "mtd"):
            self._pieces.append(_BREAK if tag == "br" else " ")
        # Browsers draw quotation marks around <q>.
        elif tag == "q" and not self._looks[-1].unseen:
            self._pieces.append("“")
        elif not _is_block(element, tag):
            self._scripts += [len(self._pieces)] * len(self._parts(element))

    def _break_line(self, element: Element, tag: str) -> None:
        """Begin a line at a border of an element that styles make a block or a part of a row."""
        if tag == "br" or _is_block(element, tag):
            return
        own, around, outer = self._looks[:-4:-1]
        display = "inline" if own is around else own.usual.style.get("display", "inline")
        in_row = around is not outer and _ROW.search(around.usual.style.get("display", ""))
        # "5<b style=display:block>0</b>" is on two lines, and no 50.
        if in_row or not display.startswith(_IN_LINE):
            last = "".join(self._pieces[-1:]).rstrip(" ")[-1:]
            if last != _BREAK and not (last == "\n" and self._verbatim):
                self._pieces.append(_BREAK)

    def _start_block(self, element: Element, tag: str) -> None:
        level = heading_level(element)
        if level is not None:
            self._level = level
        elif tag in LISTS:
            self._numbers.append(first_number(element))
        elif tag == "li":
            self._mark, around = "- ", element.getparent()
            if self._numbers:
                number = number_of(element, self._numbers[-1])
                self._mark = self._list_mark(number, tag_of(around))
                self._numbers[-1] = number + (-1 if "reversed" in around.attrib else 1)
        elif tag == "pre":
            self._verbatim.append(element)
        elif tag == "tr" and self._row is None:
            self._rows[next(element.iterancestors("table"), element)] += 1
            if is_row_of_data(element):
                self._row, self._cells = element, []
        elif tag in CELLS and self._row is not None:
            self._cells.append((element, []))

    def _list_mark(self, number: int, tag: str) -> str:
        """Return the mark of an item; a number only where it is drawn, and as it is."""
        look, style = self._looks[-1], self._looks[-1].usual.style
        mark = _list_mark(number, style.get("list-style-type", ""), tag)
        own = dict[str, str]() if look is self._looks[-2] else style
        kinds = {*style.get("list-style-type", "decimal").split()} - {"inside", "outside"}
        # "counter-increment: list-item 3" counts otherwise.
        counts = " ".join(value for name, value in style.items() if name.startswith("counter-"))
        drawn = look.numbered and kinds <= _KINDS and "list-item" not in counts
        cut = {own.get("overflow-x"), own.get("overflow-y")} & {"hidden", "clip"}
        drawn = drawn and not cut and own.get("display", "") in _ITEM
        return mark if drawn or mark == "- " else ""

    def _end(self, element: Element, tag: str) -> Iterator[Block]:
        self._links -= tag == "a"
        self._unsure |= self._looks[-1].adds and self._home is not None
        if _is_block(element, tag):
            yield from self._flush()
            yield from self._end_block(element, tag)
        elif tag == "q" and not self._looks[-1].unseen:
            self._pieces.append("”")
        elif tag != "br":
            for part in self._parts(element):
                self._end_part(part, element)
        self._break_line(element, tag)

    def _parts(self, element: Element) -> list[str]:
        """Return which parts of a line an element is, by its tag or else by its own style."""
        around, look = self._looks[-2:]
        return parts_of(element) or (
            [look.usual.lift] if look.usual.lift and look is not around else []
        )

    def _end_part(self, part: str, element: Element) -> None:
        start = self._scripts.pop()
        text = _WHITE.sub(" ", "".join(self._pieces[start:])).strip()
        if part == "raised":
            text = note_mark(text) if is_note_mark(element) else superscript(text)
        elif part == "lowered":
            text = subscript(text)
        elif part == "root":
            text = root_of(text)
        elif part == "degree":
            start, end = self._scripts[-1], start
            text = root_of("".join(self._pieces[start:end]).strip(), text)
        elif part == "over":  # after a number, it is the fraction of a mixed one
            mixed = "".join(self._pieces[start - 1 : start])[-1:].isdigit()
            text = f"{' ' * mixed}{grouped(text)}/"
        elif part == "under":
            text = grouped(text, in_fraction=True)
        self._pieces[start:] = [text]

    def _end_block(self, element: Element, tag: str) -> Iterator[Block]:
        if heading_level(element) is not None:
            self._level = None
        elif tag in LISTS:
            self._numbers.pop()
        elif tag == "li":
            self._mark = ""
        elif tag == "pre":
            self._verbatim.pop()
        elif element is self._row:
            self._row = None
            table = next(element.iterancestors("table"), element)
            alone = all(tag_of(each) == "th" for each, _ in self._cells)
            cells = [_cell(cell, "\n".join(texts), alone) for cell, texts in self._cells]
            for cell in cells:
                cell.unsure = self._unsure
            spaced(cells, self._rows[table], self._spans.setdefault(table, {}))
            if any(cell.text for cell in cells):
                row = " | ".join(cell.text for cell in cells)
                block = self._block(row, element, table)
                caption = self._captions.get(table, "")
                yield replace(block, close=False, cells=cells, table=table, caption=caption)
            self._unsure = False

    def _flush(self) -> Iterator[Block]:
        """End what was read: yield its blocks, or add its lines to the open cell."""
        text, home = "".join(self._pieces), self._home
        self._pieces, self._home, self._scripts = [], None, [0] * len(self._scripts)
        if home is None:
            return
        if self._verbatim:
            shown = [text.replace(_BREAK, "\n").strip("\n").rstrip()]
        else:
            paragraphs = _BREAKS.split(_WHITE.sub(" ", text))
            shown = [_BREAK_IN_LINE.sub("\n", paragraph).strip() for paragraph in paragraphs]
            shown = [paragraph for paragraph in shown if paragraph]
        if self._row is not None and self._cells:
            self._cells[-1][1].extend(shown)
            return
        captioned = next(home.iterancestors("table"), None) if tag_of(home) == "caption" else None
        if captioned is not None:
            self._captions[captioned] = " ".join(shown)
        for each in shown:
            yield self._block(each, home, self._verbatim[0] if self._verbatim else None)
        self._unsure = False

    def _block(self, text: str, home: Element, group: Element | None) -> Block:
        close = group is not None and group is self._group
        self._group = group
        mark, self._mark = self._mark if group is None else "", ""
        linked, self._linked = self._linked, 0
        if self._level is not None:
            text = text.replace("\n", " ")
        return Block(text, home, linked, self._level, mark, close, unsure=self._unsure)


def _cell(element: Element, text: str, alone: bool) -> Written:
    """Return a cell without its place; what it names is what HTML says of header cells.

    It may be in a row of header cells alone.
    """
    rows, columns = (span_of(element, name) for name in ("rowspan", "colspan"))
    heads: Literal["", "row", "column"] = ""
    if tag_of(element) == "th" or element.get("scope"):
        in_head = next(element.iterancestors("thead"), None) is not None
        scope = element.get("scope", "").lower()
        by_row = scope.startswith("row") or (not scope and not alone and not in_head)
        heads = "row" if by_row else "column"
    return Written(text, 0, 0, rows, columns, heads)


def _list_mark(number: int, style: str, tag: str) -> str:
    """Return the mark of an item of a list, by the style of the marks or else by the list's tag."""
    known = (each for each in style.split() if each.endswith((*_BULLETS, *_LETTERS, "-roman")))
    kind, written = next(known, "" if tag == "ol" or "decimal" in style else "disc"), str(number)
    if kind.endswith(_LETTERS) and number > 0:
        written = _letters(number)
    # Beyond 3,999, browsers write digits.
    elif kind.endswith("-roman") and 0 < number < 4_000:
        written = roman(number)
    written = written.upper() if kind.startswith("upper") else written
    return "- " if kind in _BULLETS else f"{written}. "


def _letters(number: int) -> str:
    """Return a number in letters: a to z, aa, ab, and so on."""
    more, last = divmod(number - 1, 26)
    return (_letters(more) if more else "") + chr(ord("a") + last)


def _text_of(element: Element) -> str:
    shown = [each for each in element.iter() if is_shown(each)]
    tails = ((each.tail or "") for each in element.iter() if each is not element)
    return "".join(each.text or "" for each in shown) + "".join(tails)


def _is_block(element: Element, tag: str) -> bool:
    return tag in BLOCKS or element.get("role") == "heading"

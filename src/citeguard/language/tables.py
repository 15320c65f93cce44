"""Tables and records of a text, each cell read as a sentence for judges that read sentences.

A cell by itself says nothing: "4,126.3". With the names of its row and column it is a statement:
"Cost of sales was 4,126.3 million in 2022." Tables are lines of cells that bars, tabs or wide
blanks separate, as all readers of documents write them; records are JSON and lines of `key: value`.
What is not understood stays as it is.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count, groupby
from typing import NamedTuple, Protocol

from citeguard.language.number_words import MONTHS
from citeguard.language.numbers import find_numbers
from citeguard.language.sentences import Interval
from citeguard.language.tokens import FUNCTION_WORDS

_NAMES_KEPT = 4_096  # of columns and rows, which many figures have
_APART = "\n\t\n"  # between cells: each is a fact by itself
SIGNS_AFTER = frozenset((")", "%", ")%"))
"""What belongs to the figure before it if it is a cell of its own."""


class Cell(NamedTuple):
    """A value of a table or a record.

    Attributes:
        start: Where its row, or its key, starts in the text, in code points.
        end: Where its row, or its value, ends, exclusive.
        sentence: What it says, with all that names it.
    """

    start: int
    end: int
    sentence: str


class Value(NamedTuple):
    """What is in a cell, with what names it beside its row.

    Attributes:
        column: The names of its column, the highest first.
        text: What it holds, as it is written.
        unit: The unit or scale that its column, row or table gives it, or "".
    """

    column: tuple[str, ...]
    text: str
    unit: str


class Row(NamedTuple):
    """A row of a table.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        names: What may name it, the most general first.
        values: Its cells.
    """

    start: int
    end: int
    names: tuple[str, ...]
    values: tuple[Value, ...]


class Table(NamedTuple):
    """A table or a record: an interval of a text that is read cell by cell."""

    start: int
    end: int
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...] = ()


class Piece(NamedTuple):
    """A piece of a text that was read out of a source, and where in the source it comes from.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        low: Where what it was read from starts in the source.
        high: Where that ends, exclusive.
        verbatim: Whether it is the source's own text.
    """

    start: int
    end: int
    low: int
    high: int
    verbatim: bool


def find_tables(text: str) -> tuple[Table, ...]:
    r"""Return the tables and records of a text, in order and without overlap.

    Examples:
        >>> text = "In thousands:\n| | 2022 | 2021 |\n|-|-|-|\n| Cost | 41 | 39 |\n| Debt | 7 | 8 |"
        >>> [cell.sentence for table in find_tables(text) for cell in table.cells][:2]
        ['Cost was 41 thousand in 2022.', 'Cost was 39 thousand in 2021.']
    """
    found = sorted(
        [
            *_json(text),
            *_rows_and_columns(text),
            *_delimited(text),
            *_keyed_lines(text),
            *_labels_in_rows(text),
        ]
    )
    kept: list[Table] = []
    for table in found:
        if not kept or table.start >= kept[-1].end:
            kept.append(table)
    return tuple(kept)


class NamedCell(Protocol):
    """A cell of a table that the layout of a document knows; see `citeguard.sources.Cell`."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def row(self) -> int: ...  # noqa: D102
    @property
    def row_headers(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def column_headers(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def is_header(self) -> bool: ...  # noqa: D102
    @property
    def unit(self) -> str: ...  # noqa: D102


def read_cells(text: str, cells: Iterable[NamedCell]) -> Table | None:
    """Return a table whose cells and their names are known; `None` if no cell says anything."""
    rows, named = list[_Row](), list[tuple[Row, tuple[str, ...]]]()
    for _, group in groupby(cells, lambda cell: cell.row):
        row = list(group)
        heads: list[tuple[NamedCell, str]] = []
        sign, signed = "", ()  # and the names of its column
        said: list[tuple[NamedCell, str]] = []
        for cell in row:
            value = " ".join(text[cell.start : cell.end].split())
            if cell.is_header:
                heads.append((cell, value))
                continue
            if not value:
                continue
            if value in _SIGNS_BEFORE:
                sign, signed = sign + value, cell.column_headers
            elif value in SIGNS_AFTER and said and not sign:
                said[-1] = said[-1][0], said[-1][1] + value
            else:
                # A dash under another name is an empty cell.
                is_empty = sign in _NOTHING and signed != cell.column_headers
                said.append((cell, value if is_empty else sign + value))
                sign = ""
        values = [
            (
                _named(cell.column_headers, cell.unit),
                value,
                "" if value.endswith(cell.unit) else cell.unit,
            )
            for cell, value in said
        ]
        unit = next((cell.unit for cell, _ in said if cell.unit), "")
        # A rank beside the name of what it is of names nothing.
        headers = said[0][0].row_headers if said else ()
        name = _named([each for each in headers if not each.isdigit()] or headers, unit)
        rows.append(_Row(row[0].start, row[-1].end, name, values))
        path = headers or tuple(value for _, value in heads)
        held = tuple(Value(cell.column_headers, value, cell.unit) for cell, value in heads + said)
        firsts = tuple(value for _, value in said[:1] if not path or not is_figure(value))
        if said:
            named.append((Row(row[0].start, row[-1].end, firsts, held), path))
    read = tuple(_read(rows))
    # What names several rows is the name of a part.
    shared = Counter(chain.from_iterable({*path} for _, path in named))
    held = tuple(
        row._replace(names=tuple(dict.fromkeys((*_names_of_row(path, shared), *row.names))))
        for row, path in named
    )
    return Table(rows[0].start, rows[-1].end, read, held) if read else None


def _names_of_row(path: Sequence[str], shared: Mapping[str, int]) -> Iterator[str]:
    """Yield what names a row: all that is in front of it, the last of that, or what is its own."""
    for first, name in enumerate(path):
        yield ", ".join(path[first:])
        if shared[name] == 1:
            yield name


def _named(headers: Iterable[str], unit: str) -> str:
    """Return names as one, without the unit that the figures beside them are given."""
    bare = (named_unit(each)[0] for each in headers) if unit else headers
    return ", ".join(filter(None, bare))


def is_figure(text: str) -> bool:
    """Return whether the text of a cell is a figure, and no year.

    Examples:
        >>> list(map(is_figure, ("$ 4,126.3", "(1,250)", "12 %", "2018", "Q1 2018", "")))
        [True, True, True, False, False, False]
    """
    return _FIGURE.fullmatch(text) is not None and _YEAR.fullmatch(text) is None


def scale_in(text: str) -> str:
    """Return the scale of figures that a text above a table states last, or "".

    Examples:
        >>> scale_in("Cash flows (in millions of euros)")
        'million'
    """
    return next(iter(_SCALE.findall(text)[-1:]), "").lower()


def unit_of(figure: str, row: Sequence[str], column: Sequence[str], scale: str) -> str:
    """Return the unit of a figure by the names of its column and its row, or else the scale."""
    for names in (column, row):
        for name in reversed(names):
            # In the name of a row it may also be an acronym: "Organic compounds (AOX)".
            if unit := named_unit(name, may_be_acronym=names is row)[1]:
                return unit
    counted = scale and re.search(_UNSCALED, " ".join((*row, *column, figure)))
    return "" if counted else scale


@lru_cache(maxsize=_NAMES_KEPT)
def named_unit(name: str, *, may_be_acronym: bool = False) -> tuple[str, str]:
    """Return the name of a column or a row without the unit of its figures, and the unit, or "".

    Examples:
        >>> [named_unit(each) for each in ("Weight (kg)", "wing_mm", "Preis [€]", "€ m", "Sum")]
        [('Weight', 'kg'), ('wing', 'mm'), ('Preis', '€'), ('', 'million'), ('Sum', '')]
    """
    match = _UNIT_LAST.search(name)
    words = name if match is None else match["inside"] or match["behind"]
    # A word by itself is a name: "Hours".
    is_name = name.isalpha() or len(name) > _LONGEST_UNIT or name[-1:].isdigit()
    if words in _NO_UNITS or (match is None and is_name):
        unit = ""
    elif scaled := _SCALED.fullmatch(words):
        unit = _MULTIPLES[scaled["short"]] if scaled["short"] else scaled["word"].lower()
    else:
        read = f"1 {words}"
        numbers = find_numbers(read) if len(words) < _LONGEST_UNIT else ()
        is_known = len(numbers) == 1 and numbers[0].whole == (0, len(read)) and numbers[0].unit
        is_short = match is not None and match["blank"] and _SHORT_UNIT.fullmatch(words)
        is_short = is_short and not (may_be_acronym and words.isupper())
        unit = words if is_known or is_short or _CURRENCY.fullmatch(words) else ""
    if unit:
        name = name[: match.start()].rstrip(", ") if match else ""
    return name if " " in name else name.replace("_", " ").strip(), unit


def read_passage(
    text: str, start: int, end: int, tables: Sequence[Table]
) -> tuple[str, tuple[Piece, ...]]:
    """Return `text[start:end]` with its rows and values as sentences, and where its pieces are.

    There are no pieces if no table is in it.
    """
    cells = [
        cell
        for table in tables
        if table.start < end and start < table.end
        for cell in table.cells
        if cell.start < end and start < cell.end
    ]
    if not cells:
        return text[start:end], ()
    parts: list[tuple[str, int, int, bool]] = []
    place = start
    for cell in (*cells, Cell(end, end, "")):
        between = text[place : cell.start]
        if any(map(str.isalnum, between)):
            low = place + len(between) - len(between.lstrip())
            parts.append((between.strip(), low, low + len(between.strip()), True))
        if cell.sentence:
            parts.append((cell.sentence, cell.start, cell.end, False))
        place = max(place, cell.end)
    pieces: list[Piece] = []
    length = 0
    for words, low, high, verbatim in parts:
        pieces.append(Piece(length, length + len(words), low, high, verbatim))
        length += len(words) + len(_APART)
    return _APART.join(words for words, *_ in parts), tuple(pieces)


class ReadCell(NamedTuple):
    """A cell, as it is read as a sentence.

    Attributes:
        names: What names it.
        value: What it holds.
        start: Where its value starts in the text, in code points.
    """

    names: str
    value: str
    start: int


def read_as_cells(text: str) -> Iterator[ReadCell]:
    """Yield the cells in a text that `read_passage` returned, if it has more than one."""
    start = 0
    for part in text.split(_APART) if _APART in text else ():
        verbs = [part.find(verb, 1) + len(verb) for verb in _VERBS if verb in part[1:]]
        if verbs and part.endswith(".") and "\n" not in part:
            low = min(verbs)
            high = part.find(" in ", low)
            high = high if high > low else len(part) - 1
            yield ReadCell(part[:low] + part[high:], part[low:high], start + low)
        start += len(part) + len(_APART)


def source_of(pieces: Sequence[Piece], start: int, end: int) -> Interval:
    """Return the interval of a source that a part of a text was read from."""
    places = [
        (
            (piece.low + max(0, start - piece.start), piece.high - max(0, piece.end - end))
            if piece.verbatim
            else (piece.low, piece.high)
        )
        for piece in pieces
        if piece.start < end and start < piece.end
    ] or [(piece.low, piece.high) for piece in pieces]
    return min(low for low, _ in places), max(high for _, high in places)


# Sentences

_PERIOD = re.compile(
    rf"(?i)\b(?:1[89]|20)\d\d\b|\bfy ?\d\d\b|\bq[1-4]\b|(?:{'|'.join(MONTHS)})\.?(?:\s\d{{1,2}})?"
)
_YES = {"yes": True, "true": True, "✓": True, "✔": True, "no": False, "false": False, "✗": False}
_VERBS = (" is ", " was ")  # of the sentences that `_sentence` writes
_NOTHING = frozenset(("", "-", "–", "—", "n/a", "null", "none", "nan"))


def _sentence(row: str, column: str, value: str, *, of: str = "") -> str:
    """Return what a value says under its names; "" if it is none."""
    if value.lower() in _NOTHING:
        return ""
    if _PERIOD.match(row) and not _PERIOD.match(column):
        row, column = column, row
    truth = _YES.get(value.lower())
    if truth is not None and column:  # which of both has the other is not known
        words = f"{row}, {column}: {'yes' if truth else 'no'}"
    elif truth is not None:
        words = f"{of or 'It'} has {'' if truth else 'no '}{row}"
    elif _PERIOD.search(column):
        words = f"{row} was {value} in {column}"
    elif column:
        words = f"{column} of {row} is {value}"
    else:
        words = f"The {row} of {of} is {value}" if of else f"The {row} is {value}"
    return f"{words[0].upper()}{words[1:].rstrip('.')}."


# Tables

_LINE = re.compile(r"[^\n]+")
# Not behind a sign, which belongs to the figure in the next cell: "$ | 48,210".
_BAR = re.compile(r"(?<![$€£¥(\s])[ \t]*\|")
_GAP = re.compile(r"(?<![$€£¥(\s])(?: *\t\s*|[ \u00a0\u3000]{2,})")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_FIGURE = re.compile(r"[-−–+(]?\s*[$€£¥]?\s*[-−–(]?\d[\d., ]*\)?\s*%?\)?(?:mn?|bn|k)?")
_SCALE = re.compile(r"(?i)\b(?:in\s+)?(?:[$€£]\s*)?(?:in\s+)?(thousand|million|billion)s?\b")
_UNSCALED = r"(?i)\bper\b|%|\b(?:shares?|number|count|rate|ratio|employees)\b"
_SIGNS_BEFORE = frozenset(("$", "€", "£", "¥", "US$", "(", "$(", "-", "−"))  # cells of their own
# "A7", "12", "12-B": what is numbered, and says what it is in another column
_CODE = re.compile(r"(?!(?:1[89]|20)\d\d\b)[^\s,]*\d[^\s,]*")  # no year
# "Weight (kg)", "Price [€]", "wing_mm", "Sales, $", "Height in cm"
_UNIT_LAST = re.compile(
    r"(?P<blank>\s?)[(\[]\s*(?P<inside>[^()\[\]]+?)\s*[)\]]\Z|(?:_|,\s|\bin\s)\s*(?P<behind>[^\s_,]+)\Z"
)
# "in € m", "bn", "$ millions", "thousands of euros"
_SCALED = re.compile(
    r"(?:in )?(?:[$€£¥] ?)?"
    r"(?:(?P<short>mn?|bn|k)|(?P<word>(?i:thousand|million|billion))s?(?: of .+)?)"
)
_MULTIPLES = {"m": "million", "mn": "million", "bn": "billion", "k": "thousand"}
_CURRENCY = re.compile(r"[A-Z]{0,3}[$€£¥]")
# "m" may be metres or millions, and "min" the least: they stay in the name.
_NO_UNITS = frozenset(("m", "min"))
_SHORT_UNIT = re.compile(r"[^\W\d_]{1,3}[²³]?|[a-z]*[a-rt-z]s")  # in brackets; no "(loss)"
_LONGEST_UNIT = 12  # characters
_ABOVE = 300  # characters before a table in which its figures' scale is stated
_FEWEST_ROWS = 2  # below the head; in two lines, wide blanks may be aligned by chance
_MOST_LINES = 5_000  # with commas between cells, that are read as one table
_LONGEST_SECTION = 60  # characters of a line between rows that names those below


class _Line(NamedTuple):
    start: int
    end: int
    cells: tuple[str, ...]
    has_bars: bool

    @property
    def is_rule(self) -> bool:
        return not any(map(str.strip, self.cells))


def _rows_and_columns(text: str) -> Iterator[Table]:
    if not any(each in text for each in ("|", "\t", "  ", "\u3000")):
        return
    block: list[_Line] = []
    for match in _LINE.finditer(text):
        line, written = _cut(match), match[0].strip()
        # A name of the rows below, or a line that is empty but for blanks, ends no table.
        is_between = block and not block[-1].has_bars and len(written) < _LONGEST_SECTION
        if line is None and is_between and not written.endswith("."):
            continue
        if line is None or (block and line.has_bars != block[-1].has_bars):
            yield from _table(text, block)
            block = []
        if line is not None:
            block.append(line)
    yield from _table(text, block)


def _delimited(text: str) -> Iterator[Table]:
    """Yield the tables of lines with commas or semicolons between their cells, and no blanks."""
    for sign in ",;" if text.count("\n") >= _FEWEST_ROWS else "":
        block: list[_Line] = []
        for line in chain(_LINE.finditer(text), [None]):
            cells = _fields(line[0], sign) if line and line[0].count(sign) > 1 else ()
            if block and len(cells) != len(block[0].cells):
                head, *rows = block
                if not any(map(is_figure, head.cells)):
                    yield from _table(text, [head, _Line(head.end, head.end, (), False), *rows])
                block = []
            if line and cells and len(block) < _MOST_LINES:
                block.append(_Line(*line.span(), cells, False))


def _fields(line: str, sign: str) -> tuple[str, ...]:
    """Return the cells of a line; none if it may be prose or code."""
    try:
        (cells,) = csv.reader([line], delimiter=sign, strict=True)
    except (csv.Error, ValueError):
        return ()
    return () if any(cell[:1].isspace() for cell in cells) else tuple(map(str.strip, cells))


def _cut(match: re.Match[str]) -> _Line | None:
    """Return a line with its cells, or `None` if it has fewer than two."""
    written = match[0]
    if re.fullmatch(r"[\s|:+=_–—-]*", written) and len(written.strip()) > 2:
        return _Line(*match.span(), (), "|" in written)
    has_bars = " | " in written or written.lstrip().startswith("|")
    if has_bars:
        written = written.strip()
        parts = _BAR.split(written[written.startswith("|") : len(written) - written.endswith("|")])
    else:
        parts = _GAP.split(written.strip())
    cells = tuple(re.sub(r"(?<=[$€£¥(])[\s|]+|\*\*", "", part).strip() for part in parts)
    return _Line(*match.span(), cells, has_bars) if len(cells) > 1 else None


def _table(text: str, block: Sequence[_Line]) -> Iterator[Table]:
    """Yield the table of some lines, if it has a head and rows of values under it."""
    lines = [line for line in block if not line.is_rule]
    # A heading apart from the table, cut at the blanks behind its number.
    if len(lines) > 1 and len(lines[0].cells) != len(lines[1].cells):
        is_apart = text.count("\n", lines[0].end, lines[1].start) > 1
        lines, block = (lines[1:], block[1:]) if is_apart else (lines, block)
    # The lines above the first rule, but for the frame of the table.
    top = next((i for i, line in enumerate(block) if not line.is_rule), 0)
    ruled = next((i - top for i, line in enumerate(block) if line.is_rule and i > top), 0)
    # With a rule the head is above it; else it is all above the first figure that is no year.
    figures = (i for i, line in enumerate(lines) if any(map(is_figure, line.cells[1:])))
    first = ruled or next(figures, 1)
    heads, rows = lines[:first], lines[first:]
    if not heads or not rows or len(lines) <= _FEWEST_ROWS:
        return
    width = len(rows[0].cells)
    columns = _columns(heads, width)
    if columns is None:
        return
    scale = scale_in(text[max(0, heads[0].start - _ABOVE) : heads[0].end])
    named, held = list[_Row](), list[Row]()
    corner = heads[-1].cells[0] if len(heads[-1].cells) == width else ""
    for row in rows:
        values = row.cells if len(row.cells) == width else tuple(filter(None, row.cells))
        if len(values) != len(columns) + 1:
            continue
        said = [
            (
                named_unit(name)[0],
                value,
                unit_of(value, values[:1], (name,), scale) if _FIGURE.fullmatch(value) else "",
            )
            for name, value in zip(columns, values[1:], strict=True)
        ]
        named.append(_Row(row.start, row.end, named_unit(values[0])[0], said))
        units = ("", *(unit for _, _, unit in said))
        each = zip((corner, *columns), values, units, strict=True)
        cells = tuple(Value((column,), value, unit) for column, value, unit in each)
        held.append(Row(row.start, row.end, values[:1], cells))
    if read := tuple(_read(named)):
        yield Table(block[0].start, block[-1].end, read, tuple(held))


class _Row(NamedTuple):
    """A row of a table as it is read.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        name: What names it.
        values: The names of its columns, each with the value and its unit.
    """

    start: int
    end: int
    name: str
    values: list[tuple[str, str, str]]


def _read(rows: Sequence[_Row]) -> Iterator[Cell]:
    """Yield the cells of a table that say something, with all that names them."""
    descriptions = _descriptions(rows)
    for row, described in zip(rows, descriptions, strict=True):
        for column, value, unit in row.values:
            name = row.name
            if described and value != described:
                # A rank names nothing, but parts are known by their numbers, too.
                name = described if name.isdigit() or not name else f"{name}, {described}"
            if _CURRENCY.fullmatch(unit):
                measured = f"{unit}{value}"
            else:
                measured = f"{value}{'' if unit in ('', '%') else ' '}{unit}"
            name, column = name.rstrip(": "), column.rstrip(": ")
            if (name or column) and (sentence := _sentence(name, column, measured)):
                yield Cell(row.start, row.end, sentence)


def _descriptions(rows: Sequence[_Row]) -> list[str]:
    """Return what stands beside ranks or codes that name rows, or in rows without a name.

    It is the thing that they are of.
    """
    read = [{column: value for column, value, _ in row.values} for row in rows]
    if not all(not row.name or _CODE.fullmatch(row.name.rpartition(", ")[2]) for row in rows):
        return [""] * len(rows)
    for column in dict.fromkeys(chain(*read)):
        texts = [values.get(column, "") for values in read]
        said = [*filter(None, texts)]
        if len({*said}) == len(said) > 1 and not any(map(_FIGURE.fullmatch, said)):
            return texts
    return [""] * len(rows)


def _columns(heads: Sequence[_Line], width: int) -> list[str] | None:
    """Return the names of the columns beside that of the rows' names, or `None`."""
    joined = [""] * (width - 1)
    for head in heads:
        cells = head.cells
        if len(cells) == width:
            cells = cells[1:]
        elif len(cells) != width - 1:
            cells = tuple(filter(None, cells))
        if len(cells) != width - 1:
            width = len(cells) + 1 if head is heads[0] else width
            if head is not heads[0]:
                return None
            joined = [""] * (width - 1)
        joined = [f"{one} {other}".strip() for one, other in zip(joined, cells, strict=True)]
    return joined if all(joined) else None


# Records

_START = r"(?m)^[ \t]*(?:[^\s\[{}][^\n\[{}]{0,80}[:=]\s*)?([\[{])"
_PART = re.compile(
    r"\s*(?:(?P<sign>[\[\]{}:,])"
    r"|(?P<value>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[\w.+-]+))"
)
# "- **Name**: Anna Berg", "  size = 4", "rooms:" before what is in it
_PAIR = re.compile(
    r"(?P<indent>[ \t]*)(?P<item>(?:[-*•][ \t]+)?)(?:\*\*)?"
    r"(?P<key>[^\W\d_][\w ./&+'-]{0,58}?)(?:\*\*)?[ \t]*[:=](?:\*\*)?(?:[ \t]+|$)(?P<value>.*)"
)
_LABEL = r"[A-Z][\w&/'-]{0,30}(?: [\w&/'-]{1,30}){0,2}"
_LABELLED = re.compile(
    rf"(?P<key>{_LABEL}): (?P<value>\S+(?: \S+){{0,7}}?)"
    rf"(?:[.;,]*(?: \|)?\s+(?={_LABEL}: )|\.?\s*\Z)"
)
_FEWEST_VALUES = 2
_FEWEST_PAIRS = 3
_MOST_READ = 20_000  # parts of what turns out to be no JSON
_MOST_WORDS = 12  # of a value; longer ones are prose, whose label names a speaker
_NAMES = ("name", "title")


class _Value(NamedTuple):
    path: tuple[str, ...]  # its keys, from the outermost on
    value: str
    start: int  # where its own key starts
    end: int


def _json(text: str) -> Iterator[Table]:
    """Yield the objects and arrays of JSON, or of Python, that begin a line."""
    end, left = 0, _MOST_READ
    for start in re.finditer(_START, text):
        if start.start(1) < end or left < 0:
            continue
        values: list[_Value] = []
        stop, read = _read_json(text, start.start(1), values)
        left -= read
        if stop and len(values) >= _FEWEST_VALUES and any(value.path for value in values):
            end = stop
            yield Table(start.start(1), end, tuple(_cells(values)))


def _read_json(text: str, start: int, values: list[_Value]) -> tuple[int, int]:
    """Add the values of the JSON at a place; return its end, 0 if it has none, and its parts."""
    keys: list[str] = []  # of what is around, "" for what is in an array
    opened, key, place, at = "", "", start, start
    for read in count(1):
        match = _PART.match(text, at)
        if match is None:
            return 0, read
        at, sign = match.end(), match["sign"]
        if match["value"] and opened[-1:] == "{" and not key:
            key, place = match["value"].strip("\"'"), match.start("value")
        elif match["value"]:
            path = tuple(filter(None, (*keys, key)))
            begun = place if key else match.start("value")
            values.append(_Value(path, match["value"].strip("\"'"), begun, at))
        elif sign in "[{":
            keys.append(key)
            opened, key = opened + sign, ""
        elif sign == ",":
            key = ""
        elif sign != ":":
            if opened[-1:] + sign not in ("[]", "{}"):
                return 0, read
            opened = opened[:-1]
            key = keys.pop()
            if not opened:
                return at, read
    return 0, 0


def _keyed_lines(text: str) -> Iterator[Table]:
    """Yield the runs of at least three lines `key: value`, nested by their indents."""
    run: list[tuple[re.Match[str], re.Match[str] | None]] = []
    for line in _LINE.finditer(text):
        pair = _PAIR.fullmatch(line[0])
        run.append((line, pair if pair and len(pair["value"].split()) <= _MOST_WORDS else None))
    for is_pair, group in groupby(run, lambda each: each[1] is not None):
        lines = [(line, pair) for line, pair in group if pair]
        filled = [pair["key"] for _, pair in lines if pair["value"].strip()]
        # Labels that come again are those of a dialogue, but for the items of a list.
        is_dialogue = len({*filled}) < len(filled) and not any(pair["item"] for _, pair in lines)
        if not is_pair or len(filled) < _FEWEST_PAIRS or is_dialogue:
            continue
        values: list[_Value] = []
        around: list[tuple[int, str]] = []
        for line, pair in lines:
            indent = len(pair["indent"])
            around = [(width, key) for width, key in around if width < indent]
            if pair["value"].strip():
                path = (*(key for _, key in around), pair["key"])
                low = line.start() + pair.start("key")
                values.append(_Value(path, pair["value"].strip(' "'), low, line.end()))
            else:
                around.append((indent, pair["key"]))
        yield Table(lines[0][0].start(), lines[-1][0].end(), tuple(_cells(values)))


def _labels_in_rows(text: str) -> Iterator[Table]:
    """Yield the lines of several labels with a few words each: "Landlord: A. Roth. Tenant: …"."""
    for line in _LINE.finditer(text) if ": " in text else ():
        found: list[re.Match[str]] = []
        end = 0
        while each := _LABELLED.match(line[0], end):
            found.append(each)
            end = each.end()
        keys = {each["key"] for each in found}
        is_row = end == len(line[0])
        is_row &= not any(key.lower().split()[0] in FUNCTION_WORDS for key in keys)
        if is_row and len(keys) == len(found) > 1:
            start = line.start()
            values = [
                _Value((each["key"],), each["value"], start + each.start(), start + each.end())
                for each in found
            ]
            yield Table(*line.span(), tuple(_cells(values)))


def _cells(values: Sequence[_Value]) -> Iterator[Cell]:
    """Yield what the values of a record say of what it names first: "Blue Door has wifi."."""
    of = ""
    for path, value, start, end in values:
        words = [re.sub(r"[_.-]|(?<=[a-z])(?=[A-Z])", " ", key).lower() for key in path]
        if words and words[-1] in _NAMES:
            of = value
        if sentence := _sentence(" ".join(words), "", value, of="" if value == of else of):
            yield Cell(start, end, sentence)

"""The tables of all formats: `table_of` finds what names the rows and columns of written cells."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from typing import Literal

from citeguard.language.numbers import find_numbers
from citeguard.language.tables import SIGNS_AFTER, is_figure, scale_in, unit_of
from citeguard.sources.layout import Cell, Table

_ABOVE, _BELOW = 900, 200  # characters around a table that may hold its caption
_NEAR_ABOVE = 300  # the same for its scale
_LABEL = re.compile(
    r"(?i)(table|tabelle|tableau|tabla|tabela|tabella|tabel|表)\s*"
    r"((?:[A-Z]{1,2}[.-]?)?\d+(?:[.-]\d+)*|[IVXLC]+)\b"
)
"""Begins the caption of a table, and numbers it."""
_LONGEST_CAPTION = 400  # characters
_MOST_COVERED = 1_000  # columns by one cell, as in HTML


@dataclass(slots=True, eq=False)
class Written:
    """A cell as the reader of a file found it.

    Attributes:
        text: What it shows.
        row: The number of its first row in the table, from 1.
        column: The number of its first column, from 1.
        rows: How many rows it spans.
        columns: How many columns it spans.
        heads: What it names, if the file says so.
        name: Its name in the file, such as "C14".
        unsure: Whether it is unknown if it is seen.
        start: Its start in the document's text, once it is written.
        end: Its end, exclusive.
    """

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    heads: Literal["", "row", "column"] = ""
    name: str = ""
    unsure: bool = False
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class WrittenTable:
    """A table as the reader of a file found it; see `Table`.

    Attributes:
        key: What the reader knows the table by.
        name: Its name, if the file names it otherwise than by its caption.
        caption: Its caption, if the file says what that is.
        cells: Its cells, row by row.
    """

    key: object
    name: str = ""
    caption: str = ""
    cells: list[Written] = field(default_factory=list[Written])


def table_of(table: WrittenTable, text: str, number: int) -> Table:
    """Return a written table with the names of its rows and columns.

    Files seldom say what is a header. Where they do not, the first row is one unless it has
    figures, further rows are as long as their first cell is empty, and the first column is one
    unless most of it are figures. A row with a single text names the rows below it,
    down to the next such row, head or empty row.

    Args:
        table: The table.
        text: The text of the document, in which it is written.
        number: Its number in the file, from 1.
    """
    start, end = table.cells[0].start, table.cells[-1].end
    # What stands above another table is not about this one.
    above = text[max(0, start - _ABOVE) : start].rpartition(" | ")[2]
    below = text[end : end + _BELOW]
    caption = table.caption or _caption(above, below)
    captioned = above.rfind(caption) if caption else -1
    above = above[captioned if captioned >= 0 else -_NEAR_ABOVE :]
    label = _LABEL.match(caption)
    name = table.name or (f"{label[1]} {label[2]}" if label else f"table {number}")
    rows = [list(row) for _, row in groupby(table.cells, lambda cell: cell.row)]
    title, head = _head(rows)
    titles = " ".join(cell.text for row in rows[:title] for cell in row)
    heads = " ".join(cell.text for row in rows[:head] for cell in row)
    caption = caption or " ".join(titles.split())
    scale = scale_in(f"{above}\n{caption}\n{heads}")
    return Table(start, end, name, caption, scale, tuple(_named(rows, title, head, scale)))


def _caption(above: str, below: str) -> str:
    """Return the line above or below a table that is labelled as its caption, or "".

    A note in brackets may be between: "[In thousands]".
    """
    lines = [line.strip() for line in above.split("\n") if line.strip()]
    while len(lines) > 1 and not _LABEL.match(lines[-1]) and lines[-1].startswith(("[", "(")):
        lines.pop()
    for line in (*lines[-1:], below.strip().split("\n")[0].strip()):
        if _LABEL.match(line) and len(line) < _LONGEST_CAPTION:
            return line
    return ""


def _filled(row: Sequence[Written]) -> list[Written]:
    return [cell for cell in row if cell.text]


def has_figures(row: Sequence[Written]) -> bool:
    """Return whether a row has a figure that is no year, beside its first column."""
    return any(is_figure(cell.text) for cell in row if cell.column > 1)


def _head(rows: Sequence[Sequence[Written]]) -> tuple[int, int]:
    """Return how many rows the title and then the head end at."""
    widest = max(len(_filled(row)) for row in rows)
    title = 0
    while title < len(rows) - 1 and len(_filled(rows[title])) == 1 < widest:
        only = _filled(rows[title])[0]
        if only.column > 1 and only.columns > 1:  # over some columns: the upper row of a head
            break
        title += 1
    if any(cell.heads for row in rows for cell in row):
        head = title
        while head < len(rows) and all(cell.heads == "column" for cell in _filled(rows[head])):
            row = rows[head]
            if head > title and len(_filled(row)) == 1 and not _has_spans(row):
                break  # it names the rows below it
            head += 1
        return title, head
    if len(rows) - title < 2 or has_figures(rows[title]):
        return title, title
    title = _without_notes(rows, title)
    head = title + 1
    while head < len(rows) - 1:
        row, above = rows[head], rows[head - 1]
        is_named = _is_named(row) and _is_named(above) and not _has_spans(above)
        if is_named or has_figures(row) or len(_filled(row)) < 2:
            break
        head += 1
    return title, head


def _without_notes(rows: Sequence[Sequence[Written]], title: int) -> int:
    """Return where the head begins if rows of several notes are above it.

    Its first row has a name for every column that most rows have.
    """
    columns = Counter(cell.column for row in rows[title:] for cell in _filled(row))
    usual = {column for column, count in columns.items() if 2 * count > len(rows) - title}
    for at in range(title, len(rows) - 1):
        if has_figures(rows[at]):
            break
        over = [{*_covered(cell)} & usual for cell in _filled(rows[at])]
        if len(list(filter(None, over))) > 1 and set[int]().union(*over) == usual:
            return at if all(map(_is_named, rows[title:at])) else title
    return title


def _has_spans(row: Sequence[Written]) -> bool:
    return any(cell.column > 1 and cell.columns > 1 for cell in row)


def _is_named(row: Sequence[Written]) -> bool:
    return row[0].column == 1 and bool(row[0].text)


def _label_columns(rows: Sequence[Sequence[Written]]) -> set[int]:
    """Return the columns that name their rows, given the rows under the head."""
    columns: defaultdict[int, list[Written]] = defaultdict(list)
    rows = [filled for row in rows if len(filled := _filled(row)) > 1]
    for cell in chain.from_iterable(rows):
        columns[cell.column].append(cell)
    if len(columns) < 2:
        return set()
    labels: set[int] = set()
    for column in sorted(columns):
        cells = columns[column]
        if 2 * len(cells) < len(rows) and not any(cell.rows > 1 for cell in cells):
            continue  # an empty margin, or the numbers of notes
        texts = [cell.text for cell in cells]
        named = sum(not is_figure(each) for each in texts)
        if 2 * named >= len(texts) or _is_scale(texts):
            labels.add(column)
        if not any(cell.rows > 1 for cell in cells):  # it groups rows that the next column names
            break
    return labels


def _is_scale(texts: Sequence[str]) -> bool:
    """Return whether figures name their rows: numbers of rows, or what the others depend on."""
    if all(map(str.isdigit, texts)):
        return len({*texts}) == len(texts)
    values = [numbers[0].value for text in texts if (numbers := find_numbers(text))]
    return len(values) == len(texts) and all(one < other for one, other in pairwise(values))


def _named(rows: Sequence[Sequence[Written]], title: int, head: int, scale: str) -> Iterator[Cell]:
    """Yield the cells of all rows with what names them."""
    marked = {cell.column for row in rows for cell in row if cell.heads == "row"}
    labels = marked or _label_columns(rows[head:])
    heads = [_values(row) for row in rows[title:head]]
    names: dict[int, tuple[str, ...]] = {}  # of each column
    section: Written | None = None  # names the rows up to the next head, section or empty row
    spanning: list[Written] = []  # names of rows that span those below
    last, was_head = 0, False  # of the row before
    for at, row in enumerate(rows):
        filled = _filled(row)
        is_head = title <= at and (at < head or _is_head(filled, heads))
        is_body = at >= head and not is_head
        if row[0].row > last + 1 and section not in rows[at - 1]:
            section = None
        if is_head and not was_head:
            names, section = {}, None
        if is_head:
            for cell in filled:
                for column in _covered(cell):
                    above = names.get(column, ())
                    names[column] = above if cell.text in above[-1:] else (*above, cell.text)
        elif is_body and len(rows) - head > 1:
            section = _section(filled, labels) or section
        last, was_head = row[0].row + min(cell.rows for cell in row) - 1, is_head
        spanning = [cell for cell in spanning if cell.row + cell.rows > row[0].row]
        own = [
            cell
            for cell in filled
            if is_body and (cell.heads == "row" or (not marked and cell.column in labels))
        ]
        above = () if section is None else (section,)
        by_row = tuple(dict.fromkeys(cell.text for cell in (*above, *spanning, *own) if is_body))
        spanning += [cell for cell in own if cell.rows > 1]
        for cell, after in zip(row, (*row[1:], None), strict=True):
            lowest = dict.fromkeys(each for at in _covered(cell) for each in names.get(at, ())[-1:])
            by_column = tuple(lowest) if len(lowest) > 1 and not is_head else names.get(cell.column)
            is_header = not is_body or cell in own or cell is section
            unit = ""
            if not is_header and is_figure(cell.text):
                has_sign = after is not None and "%" in after.text and after.text in SIGNS_AFTER
                unit = "%" if has_sign else unit_of(cell.text, by_row, by_column or (), scale)
            yield Cell(
                *(cell.start, cell.end, cell.row, cell.column, cell.rows, cell.columns),
                *(by_row, by_column or (), is_header, unit, cell.name),
            )


def _is_head(filled: Sequence[Written], heads: Sequence[Sequence[str]]) -> bool:
    """Return whether a row below the head is one again: marked as such, or with its names."""
    marked = len(filled) > 1 and all(cell.heads == "column" for cell in filled)
    return marked or (len(_values(filled)) > 1 and _values(filled) in heads)


def _section(filled: Sequence[Written], labels: Collection[int]) -> Written | None:
    """Return the cell of a row that names the rows below: alone in its row, and no value."""
    if len(filled) != 1 or is_figure(filled[0].text):
        return None
    only = filled[0]
    # It may also be in the column after the labels, with nothing where the label would be.
    is_name = only.columns > 1 or only.heads or {only.column, only.column - 1} & {*labels}
    return only if is_name else None


def _values(row: Iterable[Written]) -> list[str]:
    return [cell.text for cell in row if cell.column > 1 and cell.text]


def _covered(cell: Written) -> range:
    return range(cell.column, cell.column + min(cell.columns, _MOST_COVERED))


def spaced(row: Iterable[Written], number: int, taken: dict[int, int]) -> None:
    """Give the cells of a row their columns, where files list only cells that begin in the row.

    Args:
        row: The cells, in order, with their spans.
        number: The number of the row, from 1.
        taken: For columns that a cell above spans, its last row; it is kept up to date.
    """
    column = 1
    for cell in row:
        while taken.get(column, 0) >= number:
            column += 1
        cell.row, cell.column = number, column
        if cell.rows > 1:
            last = number + cell.rows - 1
            taken |= dict.fromkeys(_covered(cell), last)
        column += cell.columns

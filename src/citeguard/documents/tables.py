"""The tables of all formats: `table_of` finds what names the rows and columns of written cells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from math import inf
from typing import Literal

from citeguard.language.numbers import find_numbers
from citeguard.language.tables import SIGNS_AFTER, is_figure, scale_in, unit_of
from citeguard.sources.layout import Cell, Table

_ABOVE, _BELOW = 900, 200  # characters around a table that may hold its caption
_NEAR_ABOVE = 300  # the same for its scale
# As "Table 3", "Tabelle A.2", "Tabla IV" and "表 1".
_LABEL = re.compile(
    r"(?i)(table|tabelle|tableau|tabla|tabela|tabella|tabel|表)\s*"
    r"((?:[A-Z]{1,2}[.-]?)?\d+(?:[.-]\d+)*|[IVXLC]+)\b"
)
"""Begins the caption of a table, and numbers it."""
_LONGEST_CAPTION = 400  # characters
_COLONS = (":", "：")
_FEWEST_TABBED = 3  # rows and columns of a table that tabs align
_MOST_NAMED, _MOST_NAMES = 100, 10  # columns by one cell, and of one by others


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
        indent: How far its text is from the left edge of its column, in any unit.
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
    indent: float = 0
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


def tabbed(lines: Sequence[str]) -> list[list[Written]]:
    """Return the rows of a table that lines with tabs are; none if they are no table.

    Each of three or more lines has three or more cells, and all have as many: a tab is before each,
    or, where tabs only fill the space, several.
    """
    rows = [line.rstrip().split("\t") for line in lines]
    # Tabs that only fill the space before a column may be several.
    if len({*map(len, rows)}) > 1:
        rows = [[first, *filter(None, others)] for first, *others in rows]
    if len({*map(len, rows)}) != 1 or len(rows) < _FEWEST_TABBED or len(rows[0]) < _FEWEST_TABBED:
        return []
    return [
        [
            # A bar would look like a border between cells.
            Written(" ".join(cell.replace("|", "/").split()), number, at)
            for at, cell in enumerate(row, 1)
        ]
        for number, row in enumerate(rows, 1)
    ]


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
    # A single text above several columns is a title, as "School of Business".
    while title < len(rows) - 1 and len(_filled(rows[title])) == 1 < widest:
        only = _filled(rows[title])[0]
        below = rows[title + 1]
        is_marked = only.heads == "column" and all(e.heads == "column" for e in _filled(below))
        is_over_some = 1 < only.columns < sum(cell.columns for cell in below)
        # A name over some columns, as "2020 equity" over three of four, is a part of the head.
        if (only.column > 1 and (only.columns > 1 or widest == 2)) or (is_marked and is_over_some):
            break
        title += 1
    if any(cell.heads for row in rows[title:] for cell in row):
        head = title
        while head < len(rows) and all(cell.heads == "column" for cell in _filled(rows[head])):
            row = rows[head]
            if head > title and len(_filled(row)) == 1 and not _has_spans(row):
                break  # it names the rows below it
            head += 1
        # Files often mark only the first of its rows.
        while title < head < len(rows) - 1 and _goes_on(rows[head - 1], rows[head]):
            head += 1
        return title, head
    if not _may_be_head(rows[title:]):
        return title, title
    title, head = _without_notes(rows, title)
    while head < len(rows) - 1:
        row, above = rows[head], rows[head - 1]
        is_named = _is_named(row) and _is_named(above) and not _has_spans(above)
        if is_named or has_figures(row) or len(_filled(row)) < 2:
            break
        head += 1
    return title, head


def _goes_on(above: Sequence[Written], row: Sequence[Written]) -> bool:
    """Return whether a row is of the head, as the one above it has names over some columns."""
    is_under = _has_spans(above) and (not above[0].text or above[0].rows > 1)
    return is_under and len(_filled(row)) > 1 and not has_figures(row)


def _may_be_head(rows: Sequence[Sequence[Written]]) -> bool:
    """Return whether the first row may name columns.

    With figures it may only if it alone has nothing in the first column, and else is full.
    """
    (corner, *names), *others = rows
    if not others:
        return False
    texts = [cell.text for cell in names if cell.text]
    # ";1;2" above "1;0;12" and "2;12;0": figures beside an empty corner name columns.
    is_full = len({*texts}) == len(names) > 1 and corner.column == 1 and not corner.text
    return (is_full and all(map(_is_named, others))) or not has_figures(rows[0])


def _without_notes(rows: Sequence[Sequence[Written]], title: int) -> tuple[int, int]:
    """Return where the head begins, also if rows of several notes are above it, and ends at least.

    Its first row has a name for every column that most rows have, or ends together with such a row.
    """
    # "in one year;;note of the clerk" above "Name;Profession;Age" is no head.
    columns = Counter(cell.column for row in rows[title:] for cell in _filled(row))
    usual = [each for each in sorted(columns) if 2 * columns[each] > len(rows) - title]
    for at in range(title, len(rows) - 1):
        if has_figures(rows[at]):
            break
        over = [{*_covered(cell, usual)} for cell in _filled(rows[at])]
        if len(list(filter(None, over))) > 1 and set[int]().union(*over) == {*usual}:
            if not all(map(_is_named, rows[title:at])):
                break
            first = at
            while first > title and any(cell.rows > 1 for cell in _filled(rows[first - 1])):
                first -= 1
            return first, at + 1
    return title, title + 1


def _has_spans(row: Sequence[Written]) -> bool:
    return any(cell.column > 1 and cell.columns > 1 for cell in row)


def _is_named(row: Sequence[Written]) -> bool:
    return row[0].column == 1 and bool(row[0].text)


def _label_columns(rows: Sequence[Sequence[Written]]) -> set[int]:
    """Return the columns that name their rows, given the rows under the head.

    Numbers and names that several rows have are followed by the names that distinguish them.
    """
    columns: defaultdict[int, list[Written]] = defaultdict(list)
    rows = [filled for row in rows if len(filled := _filled(row)) > 1]
    widest = max(map(len, rows), default=0)
    while len(rows) > 2 and 2 * len(rows[-1]) < widest:
        rows.pop()  # a total, whose name is in whatever column
    for cell in chain.from_iterable(rows):
        columns[cell.column].append(cell)
    if len(columns) < 2:
        return set()
    groups = _group_columns(rows)
    labels, found = {*groups}, {*groups}
    for column in sorted(columns.keys() - groups):
        cells = columns[column]
        has_groups = any(cell.rows > 1 for cell in cells)  # of rows that the next column names
        is_sparse = 2 * len(cells) < len(rows) and column - 1 not in groups
        if is_sparse and not has_groups:
            continue  # an empty margin, or the numbers of notes
        texts = [cell.text for cell in cells]
        # Dates come first in a list of what happened, as numbers do; the next column may say what.
        is_dated = column + 1 < max(columns) and all(map(_is_date, texts))
        has_words = any(str.isalpha(each[:1]) for each in texts) or not found
        of_figures = 2 * sum(map(is_figure, texts)) > len(texts)
        is_named = has_words and not (is_dated or of_figures)
        if not is_named and (found or not (is_dated or _is_scale(texts))):
            break
        found.add(column)
        # "North" and "South" stand in two rows each: the next column tells "Alta" from "Bodø".
        names = [tuple(cell.text for cell in row if cell.column in found) for row in rows]
        is_distinct = len({*names}) == len(names)
        if not labels - groups or is_distinct or has_groups:
            labels = {*found}
        if is_named and is_distinct and not has_groups:
            break
    return labels


def _group_columns(rows: Sequence[Sequence[Written]]) -> set[int]:
    """Return the first column if its names also name the rows below that have none there.

    The next column must name all rows; a total may have its name in the first one.
    """
    (first, *_), *_ = rows
    # "Alver" before "Knarvik" names "Manger" below it, too.
    texts = [row[0].text for row in rows if row[0].column == first.column]
    others = [row[0] for row in rows if row[0].column != first.column]
    is_group = len({*texts}) == len(texts) > 1 and not any(map(is_figure, texts))
    is_named = {cell.column for cell in others} == {first.column + 1}
    has_names = is_named and not any(is_figure(cell.text) for cell in others)
    return {first.column} if is_group and has_names else set()


def _is_scale(texts: Sequence[str]) -> bool:
    """Return whether figures name their rows: numbers of rows, or what the others depend on.

    Rows of totals, with names, may follow.
    """
    figures = list(texts)
    while figures and not is_figure(figures[-1]):
        figures.pop()
    # Numbers of rows, as 1001 and 1002 in "No.", with a total below.
    if all(map(str.isdigit, figures)):
        return len({*figures}) == len(figures)
    # What others depend on, as "17,500", "25,000 (b)" and "30,000" of income beside the tax.
    values = (numbers[0].value if (numbers := find_numbers(text)) else -inf for text in figures)
    return all(one < other for one, other in pairwise(chain([-inf], values)))


def _is_date(text: str) -> bool:
    dates = ((each.start, each.end) for each in find_numbers(text) if each.day is not None)
    return next(dates, None) == (0, len(text))


def _named(rows: Sequence[Sequence[Written]], title: int, head: int, scale: str) -> Iterator[Cell]:
    """Yield the cells of all rows with what names them."""
    marked = {cell.column for row in rows for cell in row if cell.heads == "row"}
    labels = marked or _label_columns(rows[head:])
    heads = [_values(row) for row in rows[title:head]]
    columns = sorted({cell.column for row in rows for cell in row})
    names, above = _ColumnNames(labels, columns), _RowNames(labels)
    # The same heads may each begin with the name of the rows below them.
    # As "Male;Early;Late" and, further down, "Female;Early;Late".
    again = [row for row in rows[head:] if len(_values(row)) > 1 and _values(row) in heads]
    corners = {cell.text for row in (*rows[title:head], *again) for cell in _corner(row, labels)}
    # "Quarter;2021;2020" is the head, and further down "Assets;2019;2018" is one again.
    of_years = any(map(_are_years, heads))
    spanning: list[Written] = []  # names of rows that span those below
    section: Written | None = None
    last, was_head = 0, False  # of the row before
    for at, row in enumerate(rows):
        filled = _filled(row)
        is_head = title <= at and (at < head or _is_head(filled, heads, of_years))
        is_body = at >= head and not is_head
        if (row[0].row > last + 1 and not section) or (is_head and not was_head):
            above = _RowNames(labels)
        section = _section(filled, labels) if is_body and len(rows) - head > 1 else None
        if is_head:
            names = names if was_head else _ColumnNames(labels, columns)
            names.add(filled, _filled(rows[at + 1]) if at + 1 < head else ())
            if again and len(corners) > 1:
                above.add(_corner(row, labels), is_section=True)
        last, was_head = row[0].row + min([cell.rows for cell in row]) - 1, is_head
        spanning = [each for each in spanning if each.row + each.rows > row[0].row][-_MOST_NAMES:]
        own = [
            cell
            for cell in filled
            if is_body and (cell.heads == "row" or (not marked and cell.column in labels))
        ]
        if is_body and labels and not own and not spanning and has_figures(filled[1:]):
            own = [cell for cell in filled[:1] if not is_figure(cell.text)]  # as of a total
        above.add([section] if section else own, is_section=section is not None)
        by_row = tuple(
            dict.fromkeys(cell.text for cell in (*above.cells, *spanning, *own) if is_body)
        )
        spanning += [cell for cell in own if cell.rows > 1]
        # A sign may be in a cell of its own: "12.5 | %".
        signs = [each.text if "%" in each.text else "" for each in row[1:]]
        for cell, sign in zip(row, (*signs, ""), strict=True):
            over = names.of(cell, is_head=is_head)
            is_header, unit = not is_body or cell in own or cell is section, ""
            if not is_header and is_figure(cell.text):
                unit = "%" if sign in SIGNS_AFTER else unit_of(cell.text, by_row, over, scale)
            yield Cell(
                *(cell.start, cell.end, cell.row, cell.column, cell.rows, cell.columns),
                *(by_row, over, is_header, unit, cell.name),
            )


class _RowNames:
    """The names of rows that are above those below them: sections, groups, and names indented less.

    A section names the rows below it down to the next one, or if they are indented, to the first
    that is not.

    Args:
        labels: The columns that name the rows.

    Attributes:
        cells: What names the row that was added last, from the most general one on.
    """

    def __init__(self, labels: Collection[int]) -> None:
        self.cells: list[Written] = []
        self._last = max(labels, default=1)
        self._sections: dict[Written, bool] = {}  # those named, and whether rows are indented

    def add(self, names: Sequence[Written], *, is_section: bool) -> None:
        """Add a row, given what names it."""
        for cell in names:
            while self.cells:
                over = self.cells[-1]
                is_number = over.row < cell.row and is_figure(over.text)  # of its own row
                is_inside = self._place(over) < self._place(cell) and not is_number
                if is_inside or (not is_section and self._sections.get(over) is False):
                    if over in self._sections:
                        self._sections[over] |= is_inside
                    break
                self.cells.pop()
            self.cells.append(cell)
            if is_section:
                self._sections[cell] = False
        del self.cells[:-_MOST_NAMES]

    def _place(self, cell: Written) -> tuple[int, float]:
        return min(cell.column, self._last), cell.indent


def _corner(row: Sequence[Written], labels: Collection[int]) -> list[Written]:
    """Return the cell of a head that begins over the names of the rows, if it has text."""
    return [cell for cell in row[:1] if cell.text and cell.column <= max(labels, default=0)]


class _ColumnNames:
    """The names of columns that the rows of a head give them.

    Args:
        labels: The columns that name the rows. What begins above them is a title: of other columns
            that it spans, it is the name only if they have no further one.
        columns: The columns in which cells begin, sorted.
    """

    def __init__(self, labels: Collection[int], columns: Sequence[int]) -> None:
        self._labels, self._titled, self._columns = {*labels}, set[int](), columns
        self._names: dict[int, tuple[str, ...]] = {}

    def add(self, row: Sequence[Written], below: Sequence[Written]) -> None:
        """Add a row of the head, given the next one."""
        over, under = ([e for e in r if e.column not in self._labels] for r in (row, below))
        drawn = _drawn_spans(over, under)
        for cell in row:
            columns = drawn.get(cell) or {*_covered(cell, self._columns)}
            for column in columns:
                above = () if column in self._titled else self._names.get(column, ())[-_MOST_NAMES:]
                # A name that stands in two rows of the head counts once.
                is_same = cell.text in above[-1:]
                self._names[column] = above if is_same else (*above, cell.text)
            is_title = cell.column in self._labels and not columns <= self._labels
            if is_title:
                self._titled |= columns
            else:
                self._titled -= columns

    def of(self, cell: Written, *, is_head: bool) -> tuple[str, ...]:
        """Return what names a cell; if it is over several columns, the lowest name of each."""
        if cell.columns == 1:
            return self._names.get(cell.column, ())
        over = (self._names.get(at, ()) for at in _covered(cell, self._columns))
        lowest = dict.fromkeys(names[-1] for names in over if names)
        is_wide = len(lowest) > 1 and not is_head
        return tuple(lowest) if is_wide else self._names.get(cell.column, ())


def _drawn_spans(row: Sequence[Written], below: Sequence[Written]) -> dict[Written, set[int]]:
    """Return the columns of the names in a row of a head that are over some in the row below.

    Their cells may span nothing, with empty ones beside them. Each name is over the first of its
    columns or in their middle; the names below it are those below another one, or years, or each
    name of the row is over several or over none.
    """
    texts = {cell.column: cell.text for cell in below}
    # "Full time" over the middle of "Women", "Men" and "All".
    if centred := _centred_spans(row, sorted(texts)):
        return centred
    edges = [*(cell.column for cell in row), max(texts, default=0) + 1]
    spans = [range(*edge) for edge in pairwise(edges)]
    parts = [tuple(texts.get(at, "") for at in span) for span in spans]
    counts = Counter(parts)
    is_split = all(all(part) if len(part) > 1 else part == ("",) for part in parts)
    # "Age" over "0-49" and "50+", and "Sex" over "Men" and "Women".
    return {
        cell: {*span}
        for cell, span, part in zip(row, spans, parts, strict=True)
        if len(part) > 1 and all(part) and (is_split or counts[part] > 1 or _are_years(part))
    }


def _centred_spans(row: Sequence[Written], columns: Sequence[int]) -> dict[Written, set[int]]:
    """Return the columns of names that are over the middles of all columns, as many for each."""
    count = len(columns) // max(len(row), 1)
    places = [columns.index(cell.column) for cell in row if cell.column in columns]
    firsts = range(0, len(columns), count) if count > 1 else ()
    offsets = {place - first for place, first in zip(places, firsts, strict=False)}
    is_even = len(places) == len(row) and not len(columns) % max(len(row), 1)
    if not is_even or len(offsets) != 1 or not 0 < min(offsets) < count:
        return {}
    groups = (columns[first : first + count] for first in firsts)
    return {cell: {*group} for cell, group in zip(row, groups, strict=False)}


def _is_head(filled: Sequence[Written], heads: Sequence[Sequence[str]], of_years: bool) -> bool:
    """Return whether a row below the head is one again: marked, with its names, or of years."""
    values = _values(filled)
    if len(values) > 1 and (values in heads or (of_years and _are_years(values))):
        return True
    return len(filled) > 1 and {cell.heads for cell in filled} == {"column"}


def _are_years(values: Sequence[str]) -> bool:
    # Of digits alone, only years are no figures.
    return all(each.isdigit() and not is_figure(each) for each in values)


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


def _covered(cell: Written, columns: Sequence[int]) -> Sequence[int]:
    """Return which of some sorted columns a cell spans."""
    first = bisect_left(columns, cell.column)
    last = bisect_left(columns, cell.column + cell.columns, first)
    return columns[first : min(last, first + _MOST_NAMED)]


def spaced(row: Iterable[Written], number: int, taken: dict[int, tuple[int, int]]) -> None:
    """Give the cells of a row their columns, where files list only cells that begin in the row.

    Args:
        row: The cells, in order, with their spans.
        number: The number of the row, from 1.
        taken: For columns that a cell above begins in, the last row and the column after it; it is
            kept up to date.
    """
    column = 1
    for cell in row:
        # A cell of a row above takes this place.
        while (over := taken.get(column, (0, 0)))[0] >= number:
            column = over[1]
        cell.row, cell.column = number, column
        if cell.rows > 1:
            taken[column] = (number + cell.rows - 1, column + cell.columns)
        column += cell.columns

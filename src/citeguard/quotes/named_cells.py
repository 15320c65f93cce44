r"""Cells of a table that are quoted with their names: "Tank: 4.5 l (AD-20), 6.0 l (AD-20E)".

A table names a cell by its row and its column, which stand elsewhere; who quotes one writes the
names beside the value. `find_cells` reads such a quote as names and values in a row. Each value
must be beside the name of its own column, so that no other cell of the row can be meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from citeguard.language.tables import Row, Table, named_unit
from citeguard.quotes.canonical import SearchForm, search_letters
from citeguard.quotes.differences import Edit, compare
from citeguard.quotes.find import Occurrence, QuoteForm

_LONGEST = 300  # characters of a quote of cells
_DASH = re.compile(r"\s[-–—]\s")
_MOST_ROWS = 50  # that are named by a quote's words
_MOST_READINGS = 100  # of one quote as names and values of one row


class _Piece(NamedTuple):
    """A piece of a quote's letters: a name of the row, or a name or the value of a cell.

    Attributes:
        letters: The letters.
        cell: The number of the cell; -1 for a name of the row.
        is_value: Whether it is the value of the cell.
        written: What it may be in the table.
    """

    letters: str
    cell: int
    is_value: bool
    written: tuple[str, ...]


def find_cells(quote: QuoteForm, text: str, tables: Iterable[Table]) -> Occurrence | None:
    r"""Return the row of a table whose cells a quote has with their names, or `None`.

    Examples:
        >>> from citeguard.language.tables import find_tables
        >>> text = "| | Lowest | Best |\n|-|-|-|\n| iOS | 14 | 16 |\n| Mac | 11 | 12 |"
        >>> quotes = map(QuoteForm, ("iOS: lowest 14, best 16", "iOS (best): 14"))
        >>> [find_cells(each, text, find_tables(text)) is not None for each in quotes]
        [True, False]
    """
    if len(quote.text) > _LONGEST:
        return None
    form = SearchForm(quote.text)
    rows = (row for table in tables for row in table.rows if _may_be_quoted(row, form.letters))
    for row in islice(rows, _MOST_ROWS):
        for pieces in islice(_readings(form.letters, _pieces(row)), _MOST_READINGS):
            if _names_each(pieces) and _says(quote.text, form, pieces):
                return _occurrence(text, row, pieces)
    return None


def _may_be_quoted(row: Row, letters: str) -> bool:
    """Return whether some letters have one of a row's values, and a name of its column."""
    return any(
        (text := search_letters(value.text))
        and text in letters
        and any(search_letters(named_unit(name)[0]) in letters for name in value.column[-1:])
        for value in row.values
    )


def _pieces(row: Row) -> list[_Piece]:
    """Return what a quote of a row may consist of."""
    written = [(-1, False, each) for each in row.names]
    columns = [[*_names_of(value.column)] for value in row.values]
    shared = Counter(letters for names in columns for letters in {*map(search_letters, names)})
    for i, (names, value) in enumerate(zip(columns, row.values, strict=True)):
        for name in names:
            if shared[search_letters(name)] == 1:
                written += [(i, False, each) for each in (name, f"{name} ({value.unit})")]
        text, unit = value.text, value.unit
        forms = (text, f"{text} {unit}", f"{unit} {text}")
        written += [(i, True, each) for each in (forms[:1] if unit in text else forms)]
    found: dict[tuple[str, int, bool], list[str]] = {}
    for number, is_value, each in written:
        if letters := search_letters(each):
            found.setdefault((letters, number, is_value), []).append(each)
    return [_Piece(*key, tuple(forms)) for key, forms in found.items()]


def _names_of(column: Sequence[str]) -> Iterator[str]:
    """Yield what may name a column: all its names, or the lower ones, with and without units."""
    for first in range(len(column)):
        names = column[first:]
        yield from dict.fromkeys(
            (", ".join(names), ", ".join(named_unit(each)[0] for each in names))
        )


def _readings(letters: str, pieces: Sequence[_Piece]) -> Iterator[tuple[_Piece, ...]]:
    """Yield the ways to read letters as pieces in a row."""
    if not letters:
        yield ()
    for piece in pieces:
        if letters.startswith(piece.letters):
            rest = letters[len(piece.letters) :]
            yield from ((piece, *others) for others in _readings(rest, pieces))


def _names_each(pieces: Sequence[_Piece]) -> bool:
    """Return whether each value is beside the name of its own column; the row is named once."""
    cells = [piece for piece in pieces if piece.cell >= 0]
    pairs = [*zip(cells[::2], cells[1::2], strict=False)]
    return (
        len(pieces) - len(cells) <= 1
        and len(cells) == 2 * len(pairs) == 2 * len({piece.cell for piece in cells}) > 0
        and all(one.cell == other.cell and one.is_value != other.is_value for one, other in pairs)
    )


def _says(quote: str, form: SearchForm, pieces: Sequence[_Piece]) -> bool:
    """Return whether the pieces of a quote are what the table has, with their signs."""
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece.letters))
    places = [form.interval(*each) for each in pairwise(ends)]
    borders = [(0, 0), *places, (len(quote), len(quote))]
    for i, (piece, (start, end)) in enumerate(zip(pieces, places, strict=True)):
        before, after = quote[borders[i][1] : start], quote[end : borders[i + 2][0]]
        # Signs are of the value that they are nearest to.
        low = start - len(_signs(before[::-1])) if piece.is_value else start
        closes = "(" in quote[start:end] and after.startswith(")")
        high = end + len(_signs(after)) if piece.is_value else end + closes
        if not any(_is_same(quote[low:high], each) for each in piece.written):
            return False
    return True


def _signs(gap: str) -> str:
    """Return what follows a value in a gap up to what only separates it from another piece."""
    kept = ""
    for place, char in enumerate(gap):
        if unicodedata.category(char) in ("Sc", "Sm", "So", "Pd") or char in "%‰°′″":
            kept = gap[: place + 1]
        elif not char.isspace():
            break
    return "" if _DASH.fullmatch(f" {kept.strip()} ") and kept[:1].isspace() else kept


def _is_same(quoted: str, written: str) -> bool:
    return not any(edit.material for edit in compare(quoted, written, 0, len(written)))


def _occurrence(text: str, row: Row, pieces: Sequence[_Piece]) -> Occurrence:
    words = text[row.start : row.end].strip("| \t")
    start = text.index(words, row.start)
    names = (piece.written[0] for piece in pieces if piece.cell >= 0 and not piece.is_value)
    edits = tuple(
        Edit(operation="insert", quoted=each, source="", material=False, reason="column")
        for each in names
    )
    return Occurrence(
        intervals=((start, start + len(words)),), grade="equivalent", similarity=1.0, edits=edits
    )

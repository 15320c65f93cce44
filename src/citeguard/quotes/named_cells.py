r"""Cells of a table that are quoted with their names: "Tank: 4.5 l (AD-20), 6.0 l (AD-20E)".

A table names a cell by its row and its column, and these names are elsewhere; whoever quotes a cell
writes them beside its value. `find_cells` reads such a quote as names and values in a row. Each
value must be beside the name of its own column, and the name of the row must be that of no other
one, so that no other cell can be meant. All signs count, but for those between a name and a value.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from citeguard.language.tables import Row, Table, is_figure, named_unit
from citeguard.quotes.canonical import SearchForm, search_letters
from citeguard.quotes.differences import Edit, compare
from citeguard.quotes.find import Occurrence, QuoteForm

_LONGEST = 300  # characters of a quote of cells
# Between a name and a value: ": ", " = ", ", ", " – ".
_BETWEEN = re.compile(r"(?:[\s:：=→,，;；、|()（）\[\]\"“”„'*_.]|(?<=\s)[-–—](?=\s))*")
_BRACKETED = re.compile(r"[(（][^()（）]*[)）]")
_WORD = re.compile(r"\w+")
_MOST_TRIED, _MOST_ROWS = 200_000, 200  # rows of a table; rows that share words with the quote
_MOST_STEPS = 2_000  # of reading a quote as names and values of one row: they may have many orders


class _Piece(NamedTuple):
    """A piece of a quote's letters: a name of the row, or a name or the value of a cell.

    Attributes:
        letters: The letters.
        cell: The number of the cell; -1 for a name of the row.
        is_value: Whether it is the value of the cell.
        unit: Of a value, the unit that it has; of a name, the one that it leaves to its value.
        written: What it may be in the table.
    """

    letters: str
    cell: int
    is_value: bool
    unit: str
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
    form, quoted = SearchForm(quote.text), quote.text.lower()
    for table in tables:
        tried = table.rows[:_MOST_TRIED]
        rows = [*islice((row for row in tried if _may_be_quoted(row, quoted)), _MOST_ROWS)]
        if not rows:
            continue
        shared = Counter(name for row in tried for name in row.names)
        for row in rows:
            for pieces in _Reading(form.letters, _pieces(row, shared)).found():
                if _says(quote.text, form, pieces):
                    return _occurrence(text, row, pieces)
    return None


def _may_be_quoted(row: Row, quote: str) -> bool:
    """Return whether a quote in small letters has one of a row's values, and a name of its column.

    A quick test by first words, as a table may have very many rows.
    """
    return any(
        (first := _WORD.search(value.text)) is not None
        and first[0].lower() in quote
        and any(name[0].lower() in quote for name in map(_WORD.search, value.column[-1:]) if name)
        for value in row.values
    )


def _pieces(row: Row, shared: Mapping[str, int]) -> list[_Piece]:
    """Return what a quote of a row may consist of."""
    written = [(-1, False, "", each) for each in row.names if shared[each] == 1]
    # All the names of a column may name it, or the lower ones.
    columns = [
        [", ".join(value.column[first:]) for first in range(len(value.column))]
        for value in row.values
    ]
    known = Counter(letters for names in columns for letters in {*map(search_letters, names)})
    for i, (names, value) in enumerate(zip(columns, row.values, strict=True)):
        written += [(i, False, "", each) for each in names if known[search_letters(each)] == 1]
        written.append((i, True, "", value.text))
        bare, unit = named_unit(value.column[-1]) if value.column else ("", "")
        if unit and bare and is_figure(value.text):
            written.append((i, False, unit, bare))
            measured = (f"{value.text} {unit}", f"{unit} {value.text}")
            written += [(i, True, unit, each) for each in measured]
    found: dict[tuple[str, int, bool, str], list[str]] = {}
    for i, is_value, unit, each in written:
        if letters := search_letters(each):
            found.setdefault((letters, i, is_value, unit), []).append(each)
    return [_Piece(*key, tuple(forms)) for key, forms in found.items()]


class _Reading:
    """The ways to read letters as pieces: pairs of a name and a value, and a name of the row."""

    def __init__(self, letters: str, pieces: Sequence[_Piece]) -> None:
        self._letters, self._pieces = letters, pieces
        self._steps = iter(range(_MOST_STEPS))

    def found(self) -> Iterator[tuple[_Piece, ...]]:
        """Yield the readings that name the row, or have a value that is no figure."""
        for pieces in self._read(0, ()):
            values = [piece for piece in pieces if piece.is_value]
            is_named = any(piece.cell < 0 for piece in pieces)
            # A figure alone may be in another row, too: "best: 14".
            if values and (is_named or not all(is_figure(each.written[0]) for each in values)):
                yield pieces

    def _read(self, place: int, before: tuple[_Piece, ...]) -> Iterator[tuple[_Piece, ...]]:
        halves = [piece for piece in before if piece.cell >= 0]
        other = halves[-1] if len(halves) % 2 else None  # what its name or value must follow
        if place == len(self._letters) and other is None:
            yield before
        for piece in self._pieces:
            if not self._letters.startswith(piece.letters, place):
                continue
            if piece.cell < 0:
                fits = len(halves) == len(before)
            elif other is not None:
                name, value = (piece, other) if other.is_value else (other, piece)
                fits = piece.cell == other.cell and value.is_value and not name.is_value
                fits = fits and name.unit in ("", value.unit)
            else:
                fits = all(piece.cell != each.cell for each in halves)
            if fits and next(self._steps, None) is not None:
                yield from self._read(place + len(piece.letters), (*before, piece))


def _says(quote: str, form: SearchForm, pieces: Sequence[_Piece]) -> bool:
    """Return whether the pieces of a quote are what the table has, with all their signs."""
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece.letters))
    places = [form.interval(*each) for each in pairwise(ends)]
    last = 0
    for i, (piece, (start, end)) in enumerate(zip(pieces, places, strict=True)):
        following = places[i + 1][0] if i + 1 < len(places) else len(quote)
        low = start - len(_signs(quote[last:start][::-1], is_value=piece.is_value))
        high = end + len(_signs(quote[end:following], is_value=piece.is_value))
        high += "(" in quote[low:high] and quote.startswith(")", high)
        if piece.is_value and _BRACKETED.fullmatch(quote, max(0, low - 1), high + 1):
            low, high = low - 1, high + 1  # a loss, if it is not the value's own
        if not _BETWEEN.fullmatch(quote, last, low):
            return False
        if not any(_is_same(quote[low:high], each) for each in piece.written):
            return False
        last = high
    return bool(_BETWEEN.fullmatch(quote, last))


def _signs(gap: str, *, is_value: bool) -> str:
    """Return the signs beside a name or a value; those of a value may be behind a blank."""
    kept = 0
    for place, char in enumerate(gap):
        is_sign = unicodedata.category(char) in ("Sc", "Sm", "So", "Pd") or char in "%‰°′″*^/\\#&"
        is_dash = char in "-–—" and place > 0 and gap[place + 1 : place + 2].isspace()
        if is_sign and char not in "=→" and not is_dash and (is_value or kept == place):
            kept = place + 1
        elif not (is_value and char.isspace()):
            break
    return gap[:kept]


def _is_same(quoted: str, written: str) -> bool:
    brackets = [each.startswith(("(", "（")) for each in (quoted, written)]
    edits = compare(quoted, written, 0, len(written))
    return brackets[0] == brackets[1] and not any(edit.material for edit in edits)


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

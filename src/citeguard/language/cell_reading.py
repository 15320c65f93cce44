"""Passages with their tables and records read as sentences, for a statement: `read_passage`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from rapidfuzz.distance import LCSseq

from citeguard.language.cells import APART, Cell, Interval, Piece, Table
from citeguard.language.measures import is_year
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.terms import terms

_FEWEST_DIGITS = 2  # of a rounded number
_MOST_NAMES = 10_000
_MOST_ASKED = 60  # cells of a table; more are not about what a statement names


def read_passage(
    text: str,
    passage: Interval,
    tables: Sequence[Table],
    statement: str,
    seen: set[Cell] | None = None,
) -> tuple[str, tuple[Piece, ...]] | None:
    """Return a passage with the cells of its tables as sentences, and where its pieces are.

    Cells that the statement is not about are left out, as by `asked_about`. If it names rows of a
    table, all their cells are read, not only those in the passage.

    Args:
        text: The whole text.
        passage: The interval of the passage.
        tables: The tables of the text, in order.
        statement: The statement.
        seen: The cells read in passages before this one, which are not read again; `None` to read
            only cells in the passage.

    Returns:
        The text and its pieces, which are empty if no table is in it; `None` if everything in it
        was seen.
    """
    start, end = passage
    inside = [table for table in tables if table.start < end and start < table.end]
    if not any(cell.start < end and start < cell.end for table in inside for cell in table.cells):
        return text[start:end], ()
    parts: list[tuple[str, int, int, bool]] = []
    at = start
    for table in inside:
        _add(parts, text, at, table.start)
        cells = _read_cells(table, passage, statement, whole=seen is not None)
        for cell in cells:
            if seen is None or cell not in seen:
                said = _said(cell, statement) or text[cell.start : cell.end]
                parts.append((said, *cell.shown, not cell.sentences))
        if seen is not None:
            seen.update(cells)
        at = max(at, table.end)
    _add(parts, text, at, end)
    pieces: list[Piece] = []
    place = 0
    for said, low, high, verbatim in parts:
        pieces.append(Piece(place, place + len(said), low, high, verbatim))
        place += len(said) + len(APART)
    return (APART.join(said for said, *_ in parts), tuple(pieces)) if parts else None


def _add(parts: list[tuple[str, int, int, bool]], text: str, start: int, end: int) -> None:
    part = text[start:end]
    if part.strip():
        low = start + len(part) - len(part.lstrip())
        parts.append((part.strip(), low, low + len(part.strip()), True))


def _read_cells(table: Table, passage: Interval, statement: str, *, whole: bool) -> list[Cell]:
    asked = asked_about(statement, table.cells)
    here = [cell for cell in asked if cell.start < passage[1] and passage[0] < cell.end]
    named = len(asked) < sum(bool(cell.sentences) for cell in table.cells)
    chosen = asked if whole and named and len(asked) <= _MOST_ASKED else here
    kept = (
        cell
        for cell in table.cells
        if not cell.sentences and cell.start < passage[1] and passage[0] < cell.end
    )
    return sorted([*chosen, *kept])


def _said(cell: Cell, statement: str) -> str:
    """Return what a cell says, in the way that has most words of a statement, and in its order.

    A number that the statement rounds is added as it is there: "$4,126.3 million (or 4.1 billion)".
    """
    if not cell.sentences:
        return ""
    words = _masked(statement)
    said = max(cell.sentences, key=lambda each: _likeness(words, _masked(each)))
    numbers = find_numbers(said)
    for stated in find_numbers(statement):
        exact = next((number for number in numbers if _is_rounded(stated, number)), None)
        if exact is not None:
            rounded = statement[slice(*stated.whole)]
            return f"{said[: exact.whole[1]]} (or {rounded}){said[exact.whole[1] :]}"
    return said


def _likeness(one: Sequence[str], other: Sequence[str]) -> int:
    return len(set(one) & set(other)) + LCSseq.similarity(one, other)


def _masked(text: str) -> list[str]:
    """Return the terms of a text, with the same mark for all figures but years."""
    keys = (term.key for term in terms(text))
    return ["#" if key[0].isdigit() and not is_year(key) else key for key in keys]


def _is_rounded(stated: Number, exact: Number) -> bool:
    """Return whether a number is another one, rounded to two or more digits: 4.1 for 4.126."""
    kinds = {stated.kind, exact.kind}
    if stated.value == exact.value or not kinds <= {"count", "money", "percent"}:
        return False
    if len(kinds) > 1 and "percent" in kinds:
        return False
    if stated.unit and exact.unit and stated.unit != exact.unit:
        return False
    digits = f"{abs(stated.value):.9e}".partition("e")[0].replace(".", "").rstrip("0")
    places = max(len(digits), _FEWEST_DIGITS) - 1
    return f"{abs(stated.value):.{places}e}" == f"{abs(exact.value):.{places}e}"


def asked_about(statement: str, cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of one table that a statement may be about.

    If it names rows or columns, those of other rows or columns are left out: what the table says of
    2021 is no evidence of 2022. If it has more figures than these cells, it also compares, and only
    rows count.

    Examples:
        >>> cells = [
        ...     Cell(0, 1, (0, 1), (f"{year}: {n}.",), (("column", str(year)),))
        ...     for n, year in enumerate((2021, 2022))
        ... ]
        >>> [cell.sentences for cell in asked_about("There was 1 in 2022.", cells)]
        [('2022: 1.',)]
    """
    words = [term.key for term in terms(statement)]
    chosen = [cell for cell in cells if cell.sentences]
    for axis in dict.fromkeys(axis for cell in chosen for axis, _ in cell.names):
        named = _named(words, {name for cell in chosen for on, name in cell.names if on == axis})
        if not named:
            continue
        fewer = [cell for cell in chosen if _is_at(cell, axis, named)]
        if axis == "row" or len(fewer) >= _figures(words, named):
            chosen = fewer
    return chosen


def _is_at(cell: Cell, axis: str, named: Collection[str]) -> bool:
    """Return whether a cell is at one of some places on an axis, or has no place there."""
    names = [name for on, name in cell.names if on == axis]
    return not names or any(name in named for name in names)


def _figures(words: Iterable[str], named: Iterable[str]) -> int:
    """Return how many figures a statement has that are not in the names of rows or columns."""
    of_names = {key for name in named for key in _keys_of(name)}
    return sum(word[0].isdigit() and word not in of_names and not is_year(word) for word in words)


def _named(words: Sequence[str], names: Iterable[str]) -> set[str]:
    """Return the names all of whose words a statement has, except those within longer ones."""
    keys = {name: _keys_of(name) for name in names}
    counts = Counter(key for each in keys.values() for key in set(each))
    own = {
        name: [key for key in each if counts[key] < len(keys) or len(keys) == 1]
        for name, each in keys.items()
    }
    found = {name for name, each in own.items() if each and set(each) <= set(words)}
    years = {name: {key for key in each if is_year(key)} for name, each in keys.items()}
    # "In fiscal 2023" names a year that ended on 28 January 2023, if no other column is of 2023.
    if not found and all(years.values()) and len(set(map(frozenset, years.values()))) == len(keys):
        found = {name for name, each in years.items() if each <= set(words)}
    places = {name: _places(words, keys[name]) for name in found}
    return {
        name
        for name in found
        if not places[name]
        or not all(
            any(_is_within(place, wider) for other in found - {name} for wider in places[other])
            for place in places[name]
        )
    }


@lru_cache(maxsize=_MOST_NAMES)
def _keys_of(name: str) -> tuple[str, ...]:
    return tuple(term.key for term in terms(name))


def _places(words: Sequence[str], keys: Sequence[str]) -> list[Interval]:
    width = len(keys)
    return [
        (at, at + width)
        for at in range(len(words) - width + 1)
        if tuple(words[at : at + width]) == tuple(keys)
    ]


def _is_within(one: Interval, other: Interval) -> bool:
    return other[0] <= one[0] and one[1] <= other[1] and one != other

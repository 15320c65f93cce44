"""What a table proves of a statement: its figure stands in another cell than the one it names."""

from __future__ import annotations

from functools import lru_cache

from citeguard.facts.aligned import Difference, are_one
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.tables import ReadCell, read_as_cells
from citeguard.language.terms import term_keys

_YEARS = range(1800, 2100)
_TEXTS_KEPT = 64  # many statements are about one table


def misplaced(statement: str, text: str) -> Difference | None:
    r"""Return a statement's figure that a table has under fewer of its words than another figure.

    Only a statement with a single figure is looked at: with several, each cell has a part of its
    words. Dates and years are no figures.

    Args:
        statement: One sentence.
        text: A passage, with the cells of its tables as sentences.

    Examples:
        >>> cells = "Rain was 121 mm in October.\n\t\nRain was 124 mm in November."
        >>> print(misplaced("In November it rained 121 mm.", cells).reason)
        it says '121 mm' where the source says '124 mm'
        >>> misplaced("In October it rained 121 mm.", cells)
    """
    if not (cells := _cells(text)):
        return None
    stated = [
        (number, [any(are_one(number, value) for value in values) for _, values, _ in cells])
        for number in find_numbers(statement)
        if not _is_date(number)
    ]
    # With a figure of no cell, such as a sum, the statement says more than a cell.
    if len(stated) != 1 or not any(stated[0][1]):
        return None
    ((number, places),) = stated
    start, end = number.whole
    words = term_keys(statement) - term_keys(statement[start:end])
    shared = [len(words & keys) for keys, _, _ in cells]
    own = max(share for share, has in zip(shared, places, strict=True) if has)
    others = [at for at, (_, values, _) in enumerate(cells) if values and not places[at]]
    best = max(others, key=shared.__getitem__, default=None)
    if best is None or shared[best] <= own:
        return None
    cell = cells[best][2]
    at = cell.start + cells[best][1][0].whole[0]
    stop = cell.start + cells[best][1][0].whole[1]
    return Difference("number", statement[start:end], text[at:stop], start, end, at, stop)


@lru_cache(maxsize=_TEXTS_KEPT)
def _cells(text: str) -> list[tuple[frozenset[str], list[Number], ReadCell]]:
    return [
        (
            term_keys(each.names),
            [number for number in find_numbers(each.value) if not _is_date(number)],
            each,
        )
        for each in read_as_cells(text)
    ]


def _is_date(number: Number) -> bool:
    """Return whether a number is a date, or may be a year: these name rows and columns."""
    return number.kind == "date" or (number.unit is None and number.value in _YEARS)

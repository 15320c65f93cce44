"""What tables say of a statement: its figure is in the cell that it names, or in another one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from citeguard.facts.aligned import Difference, are_one, denies
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.tables import ReadCell, read_as_cells
from citeguard.language.terms import term_keys

_YEARS = range(1800, 2100)
_TEXTS_KEPT = 64  # many statements are about one table
_NAMED = 0.4  # of the words of a statement name its cell


class Placed(NamedTuple):
    """The cell that a statement with one figure names best.

    Attributes:
        text: Which text the cell is in.
        start: Where its value begins there, in code points.
        end: Where it ends, exclusive.
        difference: Its figure in the place of the statement's; `None` if they are one.
    """

    text: int
    start: int
    end: int
    difference: Difference | None


def placed(statement: str, texts: Sequence[str]) -> Placed | None:
    r"""Return the cell whose names have more of a statement's words than any with another figure.

    Only a statement with a single figure that a cell has is looked at: with several, each cell has
    a part of its words. Dates, years, and numbers that name cells are no figures. Of a cell with
    its own figure, all other numbers of the statement must be in the texts, too, and most words.

    Args:
        statement: One sentence.
        texts: Passages, with the cells of their tables as sentences.

    Examples:
        >>> cells = "Rain was 121 mm in October.\n\t\nRain was 124 mm in November."
        >>> print(placed("In November it rained 121 mm.", [cells]).difference.reason)
        it says '121 mm' where the source says '124 mm'
        >>> placed("In October it rained 121 mm.", [cells])
        Placed(text=0, start=9, end=15, difference=None)
    """
    cells = [(at, *each) for at, text in enumerate(texts) for each in _cells(text)]
    names = frozenset[str]().union(*(keys for _, keys, *_ in cells))
    said = names.union(*map(_words, texts)) if cells else names
    figures: list[tuple[Number, list[bool]]] = []
    for number in find_numbers(statement) if cells else ():
        keys = term_keys(statement[slice(*number.whole)])
        has = [any(are_one(number, value) for value in values) for _, _, values, _ in cells]
        if _is_date(number) or number.kind == "label" or keys <= names:
            continue
        if any(has):
            figures.append((number, has))
        elif not keys <= said:
            return None  # such as a sum: the statement says more than a cell
    if len(figures) != 1:
        return None
    ((number, has),) = figures
    start, end = number.whole
    words = term_keys(statement) - term_keys(statement[start:end])
    shared = [words & keys for _, keys, *_ in cells]
    own = max((len(each) for each, is_own in zip(shared, has, strict=True) if is_own))
    owns = [each for each, is_own in zip(shared, has, strict=True) if is_own and len(each) == own]
    others = [at for at, (_, _, values, _) in enumerate(cells) if values and not has[at]]
    best = max(others, key=lambda at: len(shared[at]), default=None)
    rival = 0 if best is None else len(shared[best])
    if best is not None and any(each < shared[best] for each in owns):
        text, _, values, cell = cells[best]
        low, high = (cell.start + edge for edge in values[0].whole)
        found = texts[text][low:high]
        return Placed(
            text,
            low,
            high,
            Difference("number", statement[start:end], found, start, end, low, high),
        )
    is_exact = number.low == number.high and not number.rough and not denies(statement)
    unit = next((word for word in statement[start:end].split() if word.isalpha()), "")
    has_unit = term_keys(unit) <= said
    if own > rival and own >= _NAMED * len(words) and is_exact and has_unit:
        at = next(at for at, share in enumerate(shared) if has[at] and share is owns[0])
        text, _, values, cell = cells[at]
        if all((number.value < 0) != (value.value < 0) for value in values):
            return None
        return Placed(text, cell.start, cell.start + len(cell.value), None)
    return None


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


@lru_cache(maxsize=_TEXTS_KEPT)
def _words(text: str) -> frozenset[str]:
    return frozenset(term_keys(text))


def _is_date(number: Number) -> bool:
    """Return whether a number is a date, or may be a year: these name rows and columns."""
    return number.kind == "date" or (number.unit is None and number.value in _YEARS)

"""What tables say of a statement: its figure is in the cell that it names, or in another one."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from citeguard.facts.aligned import Difference, are_one, denies, may_be_year
from citeguard.language.number_words import CURRENCIES, PERCENT, find_unit
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.tables import ReadCell, read_as_cells
from citeguard.language.tokens import term_keys

_TEXTS_KEPT = 64  # many statements are about one table
_NAMED = 0.4  # share of a statement's words, of those that name cells, that must name its cell
_SHORTEST = 3  # letters of a short form of a word in a head, such as "Thu"


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
    # Of all passages: the cell with another figure may be in any of them.
    cells = [(at, *each) for at, text in enumerate(texts) for each in _cells(text)]
    names = frozenset[str]().union(*(keys for _, keys, *_ in cells))
    said = names.union(*map(term_keys, texts)) if cells else names
    figures: list[tuple[Number, list[bool]]] = []
    for number in find_numbers(statement) if cells else ():
        keys = term_keys(statement[slice(*number.whole)])
        has = [any(are_one(number, value) for value in values) for _, _, values, _ in cells]
        if _names_cells(number) or number.kind == "label" or keys <= names:
            continue
        if any(has):
            figures.append((number, has))
        elif not keys <= said:
            return None  # such as a sum: the statement says more than a cell
    if len(figures) != 1:
        return None
    ((number, has),) = figures
    start, end = number.whole
    # A head may have a short form of a word: "Thu".
    stated = term_keys(statement) - term_keys(statement[start:end])
    words = stated & names
    for word in stated - names:
        short = (key for key in names if len(key) >= _SHORTEST and word.startswith(key))
        words |= {next(short, word)}
    shared = [words & keys for _, keys, *_ in cells]
    # Of two cells with as many of its words, it names the one with fewer words beside them.
    fits = [(len(each), -len(cell[1] - each)) for each, cell in zip(shared, cells, strict=True)]
    owns = [at for at, is_own in enumerate(has) if is_own]
    others = [
        at
        for at, (_, _, values, _) in enumerate(cells)
        if not has[at] and any(_may_replace(each, number) for each in values)
    ]
    own = max(owns, key=fits.__getitem__)
    rival = max((fits[at] for at in others), default=(0, 0))
    least = _NAMED * len(words)
    named = [
        at
        for at in others
        if fits[at][0] == max(rival[0], math.ceil(least))
        and any(shared[each] < shared[at] for each in owns if fits[each][0] == fits[own][0])
    ]
    if named:
        text, _, values, cell = cells[max(named, key=fits.__getitem__)]
        value = next(each for each in values if _may_replace(each, number))
        low, high = (cell.start + edge for edge in value.whole)
        stated, found = statement[start:end], texts[text][low:high]
        difference = Difference("number", stated, found, start, end, low, high)
        return Placed(text, low, high, difference)
    text, _, values, cell = cells[own]
    is_exact = number.low == number.high and not number.rough and not denies(statement)
    has_sign = any((number.value < 0) == (value.value < 0) for value in values)
    unit = next((word for word in statement[start:end].split() if word.isalpha()), "")
    has_unit = term_keys(unit) <= said or any(_measure(unit) in _measures(each) for each in texts)
    is_named = fits[own][0] >= least and fits[own] > rival
    if is_named and is_exact and has_unit and has_sign:
        return Placed(text, cell.start, cell.start + len(cell.value), None)
    return None


@lru_cache(maxsize=_TEXTS_KEPT)
def _cells(text: str) -> list[tuple[frozenset[str], list[Number], ReadCell]]:
    return [
        (
            term_keys(each.names),
            [
                number
                for number in find_numbers(each.value)
                if not _names_cells(number)
                # "Model 1" is a name.
                and not any(map(str.isalpha, each.value[: number.whole[0]]))
            ],
            each,
        )
        for each in read_as_cells(text)
    ]


def _may_replace(value: Number, number: Number) -> bool:
    units = {each.unit.dimension for each in (value, number) if each.unit}
    return len(units) < 2 and (value.kind == "date") == (number.kind == "date")


def _measure(word: str) -> object:
    small = word.lower().removesuffix("s")
    return "%" if small in PERCENT else CURRENCIES.get(small) or find_unit(word)


@lru_cache(maxsize=_TEXTS_KEPT)
def _measures(text: str) -> frozenset[object]:
    """Return the units and currencies of which a text has the words or signs."""
    return frozenset(map(_measure, re.findall(r"[^\W\d_]+|[^\w\s]", text))) - {None}


def _names_cells(number: Number) -> bool:
    """Return whether a number may be a year or part of a date, which name rows and columns."""
    return number.day is None if number.kind == "date" else may_be_year(number)

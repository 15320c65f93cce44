"""Whether two numbers are said of the same event, and in which sentence a number is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from citeguard.facts.pair import Pair
from citeguard.facts.reading.figures import Number, month_of
from citeguard.facts.reading.tables import memberships
from citeguard.facts.reading.words import STOP, Reading

_DATES = frozenset(("year", "day", "month"))
_LEAST_NEARBY = 0.6  # share of the words around two dates that shows that all else is the same


def is_same_event(pair: Pair, number: Number, other: Number) -> bool:
    """Tell whether around two dates the same is said to happen; `True` of other numbers.

    "Sold in 1999" is no other date than "bought in 2019", though of the same firm.
    """
    if number.kind not in _DATES or number.value == other.value or _is_one_day(pair, number, other):
        return True
    return pair.nearby(number.first, other.first) >= _LEAST_NEARBY or share_event(
        pair, number, other
    )


def share_event(pair: Pair, number: Number, other: Number) -> bool:
    """Tell whether a word that is no name stands near two numbers, or one that means the same."""
    stated = pair.statement.around[number.first]
    found = pair.passage.around[other.first]
    ones, others = set(_events(pair.statement, stated)), set(_events(pair.passage, found))
    return not ones.isdisjoint(others)


def _is_one_day(pair: Pair, number: Number, other: Number) -> bool:
    """Tell whether the same day or month stands before two years."""
    before = pair.statement.words[number.first - 1] if number.first else None
    is_date = before is not None and (before.kind == "number" or month_of(before) > 0)
    return is_date and before is not None and before.stem == pair.passage.stem_at(other.first - 1)


def _events(reading: Reading, stems: Iterable[str]) -> Iterator[str | tuple[str, int]]:
    """Yield the stems of words that are no names and no numbers, and the groups they are in."""
    for stem in stems:
        word = reading.words[reading.places[stem][0]] if stem in reading.places else None
        if word and word.kind == "word" and word.text[0].islower():
            yield stem
            yield from ((member.name, member.group) for member in memberships().get(stem, ()))


def is_said_elsewhere(
    pair: Pair, number: Number, other: Number, agreeing: Iterable[Number]
) -> bool:
    """Tell whether a sentence with the same number has as much of the statement as another's."""
    passage = pair.passage
    beside = _shared(pair, other)
    return any(
        _sentence(passage, same.first) != _sentence(passage, other.first)
        and bool(number.unit) == bool(same.unit)
        and len(_shared(pair, same)) >= len(beside)
        for same in agreeing
    )


def _shared(pair: Pair, number: Number) -> frozenset[str]:
    """Return the stems that the statement has of the sentence of a number, itself left out."""
    first, end = _sentence(pair.passage, number.first)
    places = (k for k in range(first, end) if not number.first <= k <= number.last)
    return frozenset(pair.passage.words[k].stem for k in places) & pair.shared


def _sentence(reading: Reading, i: int) -> tuple[int, int]:
    words, first, end = reading.words, i, i + 1
    while first > 0 and words[first].gap < STOP:
        first -= 1
    while end < len(words) and words[end].gap < STOP:
        end += 1
    return first, end

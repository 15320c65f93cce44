"""Contrasts of kind `number`: two numbers for the same thing.

Of kind `quantity`, if the one may have been worked out of several others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from citeguard.facts.agreement import agree, has_other_role, may_compare, share_unit
from citeguard.facts.copies import IN_PLACE, replacements
from citeguard.facts.derived import may_follow
from citeguard.facts.events import is_said_elsewhere, is_same_event, share_event
from citeguard.facts.exchanges import find_exchanges
from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.figures import Number, NumberKind
from citeguard.facts.reading.numbers import numbers
from citeguard.facts.reading.words import Reading

_LEAST_LIKENESS: dict[NumberKind, float] = {
    "year": 0.8,
    "day": 0.8,
    "percent": 1.4,
    "money": 1.4,
    "month": 0.8,
    "ordinal": 1.0,
    "times": 1.0,
    "count": 1.4,
}
_LEAST_OF_SAME_VALUE = 0.9  # "5 g" for "5 mg": chance seldom gives the same number twice
_LEAST_OF_LABELS = 1.7  # two forms may be named in two sentences that are else alike
_LEAST_OF_EVENT = 0.63  # of two years at which the same happened
_HIGH_COVERAGE = 0.75
_STANDING: frozenset[NumberKind] = frozenset(("year", "percent", "money", "times"))
_RANGE_WORDS = frozenset(("-", "to", "and"))
_APART = 2  # words from one number to the other of a range or an alternative
# Where even the words right before and after are the same, a number elsewhere is no excuse.
_SAME_PLACE, _MARGIN = 1.7, 0.6
_SAME_UNIT = 0.4  # what the same noun after a number adds to the likeness

Stretch = tuple[int, int]
"""The places of a first and a last word."""


def number_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of numbers, one for each number of the statement at most."""
    exchanges = list(find_exchanges(pair))
    for stated, found in exchanges:
        yield contrast(
            "number", pair.statement.slice(*stated.whole), pair.passage.slice(*found.whole)
        )
    stated, found = numbers(pair.statement), numbers(pair.passage)
    free = [m for m in found if not any(agree(n, m) for n in stated)]
    done = {each.stated.first for each in exchanges}
    for number in stated if found else ():
        other = _rival(pair, number, free) or _displaced(pair, number)
        if other and number.first not in done:
            one, two = _places(number, other)
            kind = "quantity" if may_follow(number, found) else "number"
            yield contrast(kind, pair.statement.slice(*one), pair.passage.slice(*two))


def _places(number: Number, other: Number) -> tuple[Stretch, Stretch]:
    """Return the places of two numbers, with unit, sign or bound if they alone differ."""
    one, two = (number.first, number.last), (other.first, other.last)
    if number.value == other.value:
        if has_other_role(number, other):
            return _with_role(number), _with_role(other)
        if _differ_in_measure(number, other):
            return number.whole, other.whole
        if (number.low, number.high) != (other.low, other.high):
            return number.bounded, other.bounded
    elif number.month != other.month or (one == number.whole) != (two == other.whole):
        return number.whole, other.whole  # "3 May" and "5 March", "half" and "30 %"
    return one, two


def _with_role(number: Number) -> Stretch:
    return number.bounded[0] - 1, number.bounded[1]


def _differ_in_measure(number: Number, other: Number) -> bool:
    return number.unit != other.unit or number.sign * other.sign < 0 or number.month != other.month


def _rival(pair: Pair, number: Number, free: list[Number]) -> Number | None:
    """Return the number that the passage has in the place of one that it has nowhere."""
    found = numbers(pair.passage)
    if not free or any(agree(number, other) for other in found) or _is_within(pair, number):
        return None
    likeness, other = _likest(pair, number, free)
    if other is not None and likeness >= _least_likeness(pair, number, other):
        is_same = pair.coverage >= _HIGH_COVERAGE or is_same_event(pair, number, other)
        return other if is_same else None
    return other if _is_only_one(pair, number, free) else None


def _least_likeness(pair: Pair, number: Number, other: Number) -> float:
    """Return how alike the places must be: less so for the same number in another unit."""
    least = _LEAST_OF_LABELS if number.label else _LEAST_LIKENESS[number.kind]
    if number.kind == other.kind == "year" and share_event(pair, number, other):
        return _LEAST_OF_EVENT
    return min(least, _LEAST_OF_SAME_VALUE) if number.value == other.value else least


def _is_only_one(pair: Pair, number: Number, free: list[Number]) -> bool:
    """Tell whether two numbers alone of their kind are left over between two texts alike."""
    if pair.coverage < _HIGH_COVERAGE or number.kind not in _STANDING:
        return False
    stated, found = numbers(pair.statement), numbers(pair.passage)
    left = [n for n in stated if n.kind == number.kind and not any(agree(n, m) for m in found)]
    return len(left) == 1 == sum(m.kind == number.kind for m in free)


def _displaced(pair: Pair, number: Number) -> Number | None:
    """Return the number that the passage has in the very place of one that it has elsewhere."""
    if other := _replaced(pair, number):
        return other
    found = numbers(pair.passage)
    agreeing = [m for m in found if agree(number, m)]
    likeness, other = _likest(pair, number, [m for m in found if m not in agreeing])
    if other is None or likeness < _SAME_PLACE or _is_within(pair, number):
        return None
    if _is_alternative(pair, number, other, agreeing):
        return None
    if is_said_elsewhere(pair, number, other, agreeing):
        return None
    elsewhere, _ = _likest(pair, number, agreeing)
    counterparts = (_likeness(pair, n, other) for n in numbers(pair.statement) if agree(n, other))
    return other if likeness - max(elsewhere, *counterparts, 0.0) >= _MARGIN else None


def _replaced(pair: Pair, number: Number) -> Number | None:
    """Return the number that stands for another one where the statement is nearly a copy."""
    for replaced in replacements(pair):
        if replaced.first <= number.first <= replaced.last and replaced.copied >= IN_PLACE:
            for other in numbers(pair.passage):
                is_there = replaced.found <= other.first <= replaced.found_last
                if is_there and may_compare(number, other) and not agree(number, other):
                    return other
    return None


def _is_alternative(pair: Pair, number: Number, other: Number, agreeing: list[Number]) -> bool:
    """Tell whether "or" leaves open which of two numbers is meant: "four or six wheels"."""
    words = pair.statement.words
    beside = words[max(0, number.first - 1) : number.last + 2]
    return any(word.key == "or" for word in beside) or any(
        abs(m.first - other.first) <= _APART
        and pair.passage.words[min(m.last, other.last) + 1].key == "or"
        for m in agreeing
    )


def _likest(pair: Pair, number: Number, others: Sequence[Number]) -> tuple[float, Number | None]:
    """Return (likeness, number) of the one that stands in the likest place."""
    rated = [
        (_likeness(pair, number, other), other) for other in others if may_compare(number, other)
    ]
    return max(rated, key=lambda found: found[0], default=(0.0, None))


def _likeness(pair: Pair, number: Number, other: Number) -> float:
    (i, i_last), (j, j_last) = _places(number, other)
    alike = pair.likeness(i, j, i_last, j_last)
    return alike + _SAME_UNIT * share_unit(number, other)


def _is_within(pair: Pair, number: Number) -> bool:
    """Tell whether a number alone lies in a range that the passage names: "5 to 10"."""
    around = (
        (one, two)
        for one, two in pairwise(numbers(pair.passage))
        if one.low < number.low < two.low
        and one.kind in ("count", two.kind)
        and two.kind == number.kind
    )
    if not any(_is_range(pair.passage, one, two) for one, two in around):
        return False
    return not any(
        number in each and _is_range(pair.statement, *each)
        for each in pairwise(numbers(pair.statement))
    )


def _is_range(reading: Reading, one: Number, two: Number) -> bool:
    words = reading.words
    link = words[two.whole[0] - 1].key
    if link == "and" and words[one.whole[0] - 1].key != "between":
        return False
    return link in _RANGE_WORDS and two.whole[0] - one.whole[1] <= _APART

"""Contrasts of kind `number`: two numbers for the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf

from citeguard.text.contrast.figures import Number, NumberKind, numbers
from citeguard.text.contrast.reading import Contrast, Pair, contrast

_ROUNDED = 0.05  # difference that rounding explains
_ROUGH = 0.1  # and where one of the numbers is said to be rough
_EXACT = frozenset(("year", "day", "ordinal"))
_LARGE = 10_000  # below it, whole numbers are counted, not rounded
_SCALES = {
    unit: (dimension, scale)
    for dimension, units in {
        "length": {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "mile": 1609.34,
                   "kilomet": 1000.0, "met": 1.0, "foot": 0.3048, "ft": 0.3048, "inch": 0.0254,
                   "yard": 0.9144, "centimet": 0.01, "millimet": 0.001, "kilometr": 1000.0,
                   "metr": 1.0},
        "mass": {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "kilogram": 1.0, "gram": 1e-3, "lb": 0.4536,
                 "pound": 0.4536, "ounc": 0.02835, "oz": 0.02835, "ton": 1000.0, "tonn": 1000.0},
        "time": {"second": 1.0, "minut": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0,
                 "month": 2629800.0, "year": 31557600.0, "decad": 315576000.0,
                 "centuri": 3155760000.0},
    }.items()
    for unit, scale in units.items()
}  # fmt: skip
_LEAST_LIKENESS: dict[NumberKind, float] = {
    "year": 0.8,
    "day": 0.8,
    "percent": 1.4,
    "money": 1.4,
    "ordinal": 1.0,
    "count": 1.4,
}
_HIGH_COVERAGE = 0.75
_STANDING: frozenset[NumberKind] = frozenset(("year", "percent", "money"))
_RANGE_WORDS = frozenset(("-", "to", "and"))
_APART = 2  # words from one number to the other of a range or an alternative
# Where even the words right before and after are the same, a number elsewhere is no excuse.
_SAME_PLACE, _MARGIN = 1.7, 0.6
_SAME_UNIT = 0.4  # what the same noun after a number adds to the likeness


def number_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kind `number`, one for each number of the statement at most."""
    stated, found = numbers(pair.statement), numbers(pair.passage)
    if not (stated and found):
        return
    free = [m for m in found if not any(_agree(n, m) for n in stated)]
    for number in stated:
        if other := _rival(pair, number, free) or _displaced(pair, number):
            yield contrast(
                "number",
                pair.statement.slice(number.first, number.last),
                pair.passage.slice(other.first, other.last),
            )


def _rival(pair: Pair, number: Number, free: list[Number]) -> Number | None:
    """Return the number that the passage has in the place of one that it has nowhere."""
    found = numbers(pair.passage)
    if not free or any(_agree(number, other) for other in found) or _is_within(pair, number):
        return None
    likeness, other = _likest(pair, number, free)
    if likeness >= _LEAST_LIKENESS[number.kind] or _is_only_one(pair, number, free):
        return other
    return None


def _is_only_one(pair: Pair, number: Number, free: list[Number]) -> bool:
    """Tell whether two numbers alone of their kind are left over between two texts alike."""
    if pair.coverage < _HIGH_COVERAGE or number.kind not in _STANDING:
        return False
    stated, found = numbers(pair.statement), numbers(pair.passage)
    left = [n for n in stated if n.kind == number.kind and not any(_agree(n, m) for m in found)]
    return len(left) == 1 == sum(m.kind == number.kind for m in free)


def _displaced(pair: Pair, number: Number) -> Number | None:
    """Return the number that the passage has in the very place of one that it has elsewhere."""
    found = numbers(pair.passage)
    agreeing = [m for m in found if _agree(number, m)]
    likeness, other = _likest(pair, number, [m for m in found if m not in agreeing])
    if other is None or likeness < _SAME_PLACE or _is_alternative(pair, number, other, agreeing):
        return None
    elsewhere, _ = _likest(pair, number, agreeing)
    counterparts = (_likeness(pair, n, other) for n in numbers(pair.statement) if _agree(n, other))
    return other if likeness - max(elsewhere, *counterparts, 0.0) >= _MARGIN else None


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
    rated = [(_likeness(pair, number, other), other) for other in others if _compare(number, other)]
    return max(rated, key=lambda found: found[0], default=(0.0, None))


def _likeness(pair: Pair, number: Number, other: Number) -> float:
    alike = pair.likeness(number.first, other.first, number.last, other.last)
    return alike + _SAME_UNIT * _share(number, other)


def _compare(number: Number, other: Number) -> bool:
    """Tell whether two numbers are of the same kind of thing, so that they can contradict."""
    if number.kind != other.kind and {number.kind, other.kind} != {"year", "count"}:
        return False
    dimensions = ({_SCALES[u][0] for u in n.units if u in _SCALES} for n in (number, other))
    one, two = dimensions
    if number.kind != other.kind or number.kind != "count":
        return True
    if one != two or ("old" in number.units) != ("old" in other.units):
        return False
    return bool(one) or not (number.units or other.units) or _share(number, other)


def _share(number: Number, other: Number) -> bool:
    return not number.units.isdisjoint(other.units)


def _agree(number: Number, other: Number) -> bool:
    """Tell whether two numbers may be the same, rounded or not."""
    (low, high), (other_low, other_high) = _in_one_unit(number, other)
    if inf in (high, other_high) or -inf in (low, other_low):
        if (high == inf) == (other_high == inf) and (low == -inf) == (other_low == -inf):
            return low == other_low and high == other_high  # "up to nine" is not "up to four"
        return low <= other_high and other_low <= high
    if low <= other_high and other_low <= high:
        return True
    if {number.kind, other.kind} & _EXACT:
        return False
    return _rounds_to(low, other_high, rough=number.rough or other.rough)


def _rounds_to(one: float, other: float, *, rough: bool) -> bool:
    """Tell whether one number may be the other one rounded."""
    gap, largest = abs(one - other), max(abs(one), abs(other))
    if rough:
        return gap <= _ROUGH * largest
    if gap > _ROUNDED * largest or (one == int(one) and other == int(other) and largest < _LARGE):
        return False
    digits = min(_digits(one), _digits(other))
    return f"{one:.{digits - 1}e}" == f"{other:.{digits - 1}e}"


def _digits(value: float) -> int:
    """Count the significant digits of a number: 4,900,000 has two."""
    return max(1, len(f"{value:.9e}".partition("e")[0].replace(".", "").rstrip("0")))


def _in_one_unit(number: Number, other: Number) -> tuple[tuple[float, float], tuple[float, float]]:
    one, two = _scale(number), _scale(other)
    factor = two[1] / one[1] if one and two and one[0] == two[0] else 1.0
    return (number.low, number.high), (other.low * factor, other.high * factor)


def _scale(number: Number) -> tuple[str, float] | None:
    return next((_SCALES[unit] for unit in number.units if unit in _SCALES), None)


def _is_within(pair: Pair, number: Number) -> bool:
    """Tell whether a number lies in a range that the passage names: "5 to 10"."""
    words = pair.passage.words
    return any(
        one.low < number.low < two.low
        and two.first - one.last <= _APART
        and words[two.first - 1].key in _RANGE_WORDS
        for one, two in pairwise(numbers(pair.passage))
    )

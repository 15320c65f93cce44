"""Whether two numbers may say the same."""

from __future__ import annotations

from math import inf

from citeguard.facts.reading.figures import Number
from citeguard.language.quantities import CURRENCIES, Unit

_ROUNDED = 0.05  # difference that rounding explains
_ROUGH = 0.1  # and where one of the numbers is said to be rough, or is in another unit
_EXACT = frozenset(("year", "day", "month", "ordinal"))
_LARGE = 10_000  # below it, whole numbers are counted, not rounded
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_MONEY = frozenset(CURRENCIES.values())

Stretch = tuple[float, float]


def may_compare(number: Number, other: Number) -> bool:
    """Tell whether two numbers are of the same kind of thing, so that they can contradict."""
    if not may_be_one(number, other) or {number.role, other.role} == {"from", "to"}:
        return False
    if number.label != other.label or not _may_both_be_years(number, other):
        return False
    if number.kind != "count" or number.kind != other.kind:
        return True
    if _is_age(number) != _is_age(other) or not _are_alike(_dimension(number), _dimension(other)):
        return False
    has_unit = number.unit is not None or not (number.units or other.units)
    return has_unit or share_unit(number, other)


def may_be_one(number: Number, other: Number) -> bool:
    """Tell whether two numbers are of one kind; a year may be taken for a count."""
    return number.kind == other.kind or {number.kind, other.kind} == {"year", "count"}


def has_other_role(number: Number, other: Number) -> bool:
    """Tell whether something rises by the one and to the other, or the like."""
    return bool(number.role and other.role) and number.role != other.role


def share_unit(number: Number, other: Number) -> bool:
    """Tell whether the same noun may follow two numbers."""
    return not number.units.isdisjoint(other.units)


def agree(number: Number, other: Number) -> bool:
    """Tell whether two numbers may be the same, rounded or not."""
    if _exclude(number, other) or has_other_role(number, other):
        return False
    (low, high), (other_low, other_high) = (number.low, number.high), _converted(number, other)
    if inf in (high, other_high) or -inf in (low, other_low):
        return may_be_one(number, other) and _overlap((low, high), (other_low, other_high))
    if low <= other_high and other_low <= high:
        return True
    if {number.kind, other.kind} & _EXACT:
        return False
    rough = number.rough or other.rough or _are_converted(number, other)
    return _rounds_to(low, other_high, rough=rough)


def _may_both_be_years(number: Number, other: Number) -> bool:
    """Tell whether, beside a year, the other number may be one: "2014" is no "46"."""
    if (number.kind == "year") == (other.kind == "year"):
        return True
    count = other if number.kind == "year" else number
    return count.unit is None and _FIRST_YEAR <= count.value <= _LAST_YEAR


def _dimension(number: Number) -> str:
    return number.unit.dimension if number.unit else ""


def _are_alike(dimension: str, other: str) -> bool:
    return dimension == other or {dimension, other} <= _MONEY


def _is_age(number: Number) -> bool:
    return "old" in number.units


def _exclude(number: Number, other: Number) -> bool:
    """Tell whether two numbers differ whatever their values are."""
    if number.sign * other.sign < 0 or (number.month and other.month not in (0, number.month)):
        return True
    if number.kind != other.kind or not (number.unit and other.unit):
        return False
    return number.unit.dimension != other.unit.dimension and "degrees" not in (
        number.unit.dimension,
        other.unit.dimension,
    )


def _overlap(one: Stretch, other: Stretch) -> bool:
    """Tell whether two stretches, one of them without an end, have values in common.

    "Up to nine" is not "up to four", and "at least 20" not "at most 20".
    """
    if (one[1] == inf) == (other[1] == inf) and (one[0] == -inf) == (other[0] == -inf):
        return one == other
    if inf in (one[1], other[1]) and -inf in (one[0], other[0]):
        return max(one[0], other[0]) < min(one[1], other[1])
    return one[0] <= other[1] and other[0] <= one[1]


def _converted(number: Number, other: Number) -> Stretch:
    """Return from where to where the other number is meant, in the unit of the first."""
    one, two = number.unit, other.unit
    if one is None or two is None or not _are_converted(number, other):
        share = number.kind == "count" and other.kind == "percent" and 0 < number.value < 1
        part = 100 if share else 1  # "0.5" and "half"
        return other.low / part, other.high / part
    return _convert(other.low, two, one), _convert(other.high, two, one)


def _are_converted(number: Number, other: Number) -> bool:
    """Tell whether two numbers are in two units of one dimension."""
    one, two = number.unit, other.unit
    return (
        one is not two
        and bool(one and two)
        and one != two
        and _dimension(number) == _dimension(other)
    )


def _convert(value: float, unit: Unit, into: Unit) -> float:
    return (value - unit.zero) * unit.size / into.size + into.zero


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

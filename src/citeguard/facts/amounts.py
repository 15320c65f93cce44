"""Whether two numbers may be one: rounded, converted, bounded, or written in another way."""

from __future__ import annotations

from math import inf

from citeguard.language.numbers import CLOCK, CLOCK_FACE, Number

_ROUNDED = 0.05  # greatest difference by rounding
_ROUGH = 0.1  # the same if a number is approximate: "about 500" for 510
_LARGE = 10_000  # smaller whole numbers are exact counts, not rounded
_ALONE = frozenset(("percent", "ordinal"))  # kinds that are no other kind
_SIGNED = ("temperature", "degrees")  # "-5 °C" is not "5 °C"; "-5 %" may be "down 5 %"


def are_one(one: Number, other: Number) -> bool:
    """Return whether two numbers may be the same, whatever their signs.

    Examples:
        >>> from citeguard.language.numbers import find_numbers
        >>> half, share, weight = find_numbers("half of it, about 52 %, 5 mg")
        >>> are_one(half, share), are_one(half, weight)
        (True, False)
    """
    if "date" in (one.kind, other.kind):
        return _are_one_date(one, other)
    if any(each.unit in (CLOCK, CLOCK_FACE) for each in (one, other)):
        hours = 24 if one.unit == other.unit == CLOCK else 12
        gap = abs(one.value - other.value) % hours
        return min(gap, hours - gap) < 1 / 60
    if one.kind != other.kind and {one.kind, other.kind} & _ALONE:
        return False
    (low, high), (least, most) = _range(one), _range(other)
    if one.unit and other.unit and one.unit != other.unit:
        if one.unit.dimension != other.unit.dimension:
            return "degrees" in (one.unit.dimension, other.unit.dimension)
        least, most = (
            (end - other.unit.zero) * other.unit.size / one.unit.size + one.unit.zero
            for end in (least, most)
        )
    if inf in (high, most) and -inf in (low, least):  # "at least 20" and "at most 20"
        return max(low, least) < min(high, most)
    return (low <= most and least <= high) or _may_be_rounded(
        low, most, rough=one.rough or other.rough
    )


def _are_one_date(one: Number, other: Number) -> bool:
    if one.kind != other.kind:  # "in 2014" may be "the 2014 reports"
        return one.value == other.value and one.unit is other.unit is None
    parts = (
        (one.weekday, other.weekday),
        (one.day, other.day),
        (one.month, other.month),
        (one.year, other.year),
    )
    if any(None not in pair and pair[0] != pair[1] for pair in parts):
        return False
    return one.low <= other.high and other.low <= one.high


def _may_be_rounded(one: float, other: float, *, rough: bool) -> bool:
    gap, largest = abs(one - other), max(abs(one), abs(other))
    if rough and gap <= _ROUGH * largest:
        return True
    if gap > _ROUNDED * largest:
        return False
    if one == int(one) and other == int(other) and largest < _LARGE:
        return False
    digits = min(_digits(one), _digits(other)) - 1
    return f"{one:.{digits}e}" == f"{other:.{digits}e}"


def have_one_sign(one: Number, other: Number) -> bool:
    """Return whether two numbers are on the same side of 0, if their unit has two sides."""
    unit = one.unit or other.unit
    signed = unit is not None and unit.dimension in _SIGNED
    return not signed or (one.value < 0) == (other.value < 0)


def _range(number: Number) -> tuple[float, float]:
    """Return the least and the greatest value that a number may mean, without its sign."""
    if number.value < 0 and number.low == number.high:
        return -number.value, -number.value
    return number.low, number.high


def _digits(value: float) -> int:
    """Return the number of significant digits: 4,900,000 has two."""
    return max(1, len(f"{abs(value):.9e}".partition("e")[0].replace(".", "").rstrip("0")))

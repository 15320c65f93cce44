"""Whether a number may have been worked out of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from citeguard.facts.agreement import may_compare
from citeguard.facts.reading.figures import Number
from citeguard.language.quantities import UNITS

_YEAR = UNITS["year"]


def may_follow(number: Number, found: Sequence[Number]) -> bool:
    """Tell whether a number may be the sum or the difference of two that a passage has.

    Of a year, it may also be another year with a number of years added or taken away.
    """
    if number.kind == "year":
        return number.value in _years(found)
    same = [other for other in found if _are_of_one_kind(number, other)]
    return any(
        number.value in (one.value + two.value, abs(one.value - two.value))
        for one, two in combinations(same, 2)
        if may_compare(number, one) or may_compare(number, two)
    )


def _are_of_one_kind(number: Number, other: Number) -> bool:
    if number.unit == _YEAR and other.kind == "year":
        return True
    return (number.kind, number.unit) == (other.kind, other.unit)


def _years(found: Sequence[Number]) -> Iterator[float]:
    for span in (other.value for other in found if other.unit == _YEAR):
        for year in (other.value for other in found if other.kind == "year"):
            yield from (year + span, year - span)

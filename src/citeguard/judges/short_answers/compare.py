"""Whether two short answers are the same."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import inf
from typing import Literal

from citeguard.judges.short_answers.kinds import AnswerKind
from citeguard.language.abbreviations import TITLES
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.terms import terms

Agreement = Literal["same", "different", "unclear"]
"""`unclear` includes a stated answer that says more than the found one: a date and its year."""

_ALIKE = 0.75  # F1 of the terms from which two phrases mean the same
_COMPARED = 4_096
_ROUNDED = 0.1  # share by which a quantity may change when it is given in another unit
_NO_NAMES = TITLES | {"the", "of", "a", "and"}


@lru_cache(maxsize=_COMPARED)  # an answer is compared with the same few repeatedly
def compare_answers(stated: str, found: str, kind: AnswerKind = "phrase") -> Agreement:
    """Return whether a stated answer and one found in a source are the same.

    Numbers may be in digits or words, dates in any form, names with or without titles and first
    names. A statement may say less than the source ("2016" for "7 February 2016"). An answer that
    says more, or is in another unit, is `unclear`.

    Examples:
        >>> compare_answers("twenty-five", "25 people", "number")
        'same'
        >>> compare_answers("March 1990", "1990", "date"), compare_answers("1991", "1990", "date")
        ('unclear', 'different')
    """
    if kind == "number":
        return _compare_numbers(stated, found)
    if kind == "date":
        return _compare_dates(stated, found)
    if kind in ("person", "place", "name"):
        return _compare_names(stated, found)
    return _compare_phrases(stated, found)


def _compare_numbers(stated: str, found: str) -> Agreement:
    one, other = _number(stated), _number(found)
    if one is None or other is None:
        return "same" if _compare_phrases(stated, found) == "same" else "unclear"
    kinds = _dimension(one), _dimension(other)
    if kinds[0] != kinds[1]:
        return "same" if one.value == other.value and not all(kinds) else "unclear"
    values = _in_first_unit(one), _in_first_unit(other)
    apart = abs(values[0] - values[1])
    if apart <= 1e-9 * abs(values[1]):
        return "same"
    # "Four weeks" and "a month" may or may not be meant as the same.
    rounded = one.unit != other.unit and apart <= _ROUNDED * abs(values[1])
    return "unclear" if rounded else "different"


def _number(text: str) -> Number | None:
    """Return the first number of a text; four digits alone are a number, not a year."""
    plain = (each for each in find_numbers(text) if each.month is each.day is each.weekday is None)
    return next((each for each in plain if each.kind != "date" or each.year is not None), None)


def _dimension(number: Number) -> str:
    return number.unit.dimension if number.unit else ""


def _in_first_unit(number: Number) -> float:
    unit = number.unit
    return number.value if unit is None else (number.value - unit.zero) * unit.size


def _compare_dates(stated: str, found: str) -> Agreement:
    one, other = _date(stated), _date(found)
    if one is None or other is None:
        return "unclear"
    parts = [
        (getattr(one, part), getattr(other, part)) for part in ("year", "month", "day", "weekday")
    ]
    is_apart = one.high < other.low or other.high < one.low
    if is_apart or any(a != b for a, b in parts if a is not None and b is not None):
        return "different"
    says_more = any(a is not None and b is None for a, b in parts)
    has_years = -inf < one.low and -inf < other.low
    shared = has_years or any(a is not None and b is not None for a, b in parts)
    within = one.low <= other.low and other.high <= one.high
    return "same" if shared and within and not says_more else "unclear"


def _date(text: str) -> Number | None:
    return next((each for each in find_numbers(text) if each.kind == "date"), None)


def _compare_names(stated: str, found: str) -> Agreement:
    one, other = _name_keys(stated), _name_keys(found)
    if not one or not other:
        return "unclear"
    if one == other:
        return "same"
    if one <= other:  # one of several, or a part of a name
        return "unclear" if re.search(r"\band\b|&|,", found) else "same"
    if other <= one:
        return "same" if _last(found) == _last(stated) else "unclear"
    return "unclear" if one & other else "different"


def _name_keys(text: str) -> frozenset[str]:
    words = (word.removesuffix("'s") for word in _words(text))
    return frozenset(word for word in words if word not in _NO_NAMES)


def _last(text: str) -> str:
    return next((word.removesuffix("'s") for word in reversed(_words(text))), "")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text.lower().replace("’", "'"))


def _compare_phrases(stated: str, found: str) -> Agreement:
    one = Counter(term.key for term in terms(stated))
    other = Counter(term.key for term in terms(found))
    shared = (one & other).total()
    if not one or not other:
        return "unclear"
    if 2 * shared / (one.total() + other.total()) >= _ALIKE:
        return "same"
    return "unclear" if shared else "different"

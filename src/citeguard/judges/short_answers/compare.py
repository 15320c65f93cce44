"""Whether two short answers say the same."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Literal

from citeguard.judges.short_answers.kinds import AnswerKind
from citeguard.judges.short_answers.numbers import DATE, read_date, read_number, read_quantity
from citeguard.language.terms import terms

Agreement = Literal["same", "different", "unclear"]
"""`unclear` is also what says more than the other: a full date beside its year."""

_ALIKE = 0.75  # F1 of the terms from which two phrases say the same
_COMPARED = 4_096
_ROUNDED = 0.1  # by which a quantity may change when it is told in another unit
_TITLES = frozenset(
    "mr mrs ms dr sir dame lord lady prof professor president saint st jr sr".split()
)


@lru_cache(maxsize=_COMPARED)  # one answer is compared with the same few again and again
def compare_answers(stated: str, found: str, kind: AnswerKind = "phrase") -> Agreement:
    """Tell whether a stated answer says the same as one that was found.

    Numbers are the same in digits and in words, dates whatever their form, names without titles and
    first names. A statement may say less than the source ("2016" for "7 February 2016"), but what
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
    one, other = read_quantity(stated), read_quantity(found)
    if one is None or other is None:
        return "same" if _compare_phrases(stated, found) == "same" else "unclear"
    if one.kind != other.kind:
        equal = read_number(stated) == read_number(found)
        return "same" if equal and not (one.kind and other.kind) else "unclear"
    apart = abs(one.value - other.value)
    if apart <= 1e-9 * abs(other.value):
        return "same"
    # Four weeks and a month: who can tell what is meant.
    rounded = one.unit != other.unit and apart <= _ROUNDED * abs(other.value)
    return "unclear" if rounded else "different"


def _compare_dates(stated: str, found: str) -> Agreement:
    if not (DATE.search(stated) and DATE.search(found)):
        return "unclear"
    one, other = read_date(stated), read_date(found)
    shared = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if any(a != b for a, b in shared):
        return "different"
    if not shared or any(a is not None and b is None for a, b in zip(one, other, strict=True)):
        return "unclear"
    return "same"


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
    return frozenset(word for word in words if word not in _TITLES | {"the", "of", "a", "and"})


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

"""What a number leaves open: "at least 20", "no more than 20", "20 or fewer", "about 20"."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from citeguard.facts.reading.words import STOP, Word

_ABOUT = frozenset(
    "about around approximately roughly nearly almost some circa ~ estimated".split()
)
_MORE = frozenset(("over", "above", "exceeding", "+"))
_LESS = frozenset(("under", "below"))
_COMPARED = {"more": 1, "greater": 1, "higher": 1, "less": -1, "fewer": -1, "lower": -1}
_BOUNDED: dict[tuple[str, str], int] = {
    ("at", "least"): 1,
    ("at", "most"): -1,
    ("up", "to"): -1,
    ("minimum", "of"): 1,
    ("maximum", "of"): -1,
    ("least", "of"): 1,
}
_DENIED = frozenset(("no", "not", "never"))
_AFTER = {
    **dict.fromkeys("more greater higher over above older".split(), 1),
    **dict.fromkeys("less fewer lower under below younger".split(), -1),
}


class Bounds(NamedTuple):
    """From where to where a number may be meant.

    Attributes:
        low: The least value meant; minus infinity if there is none.
        high: The greatest one.
        rough: Whether the number is said to be about right only.
        first: The place of the first word that says so, or of the number.
        last: The place of the last one, or of the number.
    """

    low: float
    high: float
    rough: bool
    first: int
    last: int


def bounds(words: tuple[Word, ...], value: float, first: int, last: int) -> Bounds:
    """Return the bounds of a number.

    Args:
        words: The text.
        value: The number.
        first: The place of its first word, its currency's if that stands before.
        last: The place of its last one, its unit's if it has one.
    """
    sign, place = _sign_before(words, first)
    if sign:
        return Bounds(*_one_sided(value, sign), rough=True, first=place, last=last)
    if sign := _sign_after(words, last):
        return Bounds(*_one_sided(value, sign), rough=True, first=first, last=last + 2)
    rough = any(word.key in _ABOUT for word in words[max(0, first - 2) : first])
    return Bounds(value, value, rough, first, last)


def _one_sided(value: float, sign: int) -> tuple[float, float]:
    return (value, inf) if sign > 0 else (-inf, value)


def _sign_before(words: tuple[Word, ...], first: int) -> tuple[int, int]:
    """Return (1 for a least value, -1 for a greatest, 0 for none; place of the first word)."""
    before = [word.key for word in words[max(0, first - 3) : first]]
    last = before[-1] if before else ""
    if len(before) > 1 and (sign := _BOUNDED.get((before[-2], last), 0)):
        return sign, first - 2
    if last == "than" and len(before) > 1 and (sign := _COMPARED.get(before[-2], 0)):
        denied = len(before) > 2 and before[0] in _DENIED
        return (-sign, first - 3) if denied else (sign, first - 2)
    sign = (last in _MORE) - (last in _LESS)
    return sign, first - 1


def _sign_after(words: tuple[Word, ...], last: int) -> int:
    """Tell what "or more" and the like says."""
    after = words[last + 1 : last + 3]
    if len(after) < 2 or after[0].key != "or" or after[0].gap >= STOP:
        return 0
    return _AFTER.get(after[1].key, 0)

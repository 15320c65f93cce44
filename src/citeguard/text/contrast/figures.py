"""The numbers that a text names: their values, and what they are numbers of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import inf
from typing import Literal, NamedTuple

from citeguard.text.contrast.reading import MOST_READINGS, MOST_THINGS, Reading, Word

NumberKind = Literal["year", "day", "percent", "money", "ordinal", "count"]

_UNITS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_ORDINALS = {
    **{
        word: number
        for number, word in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
            " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
            " twentieth".split(),
            start=1,
        )
    },
    "thirtieth": 30,
}
_MAGNITUDES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
    "bn": 1e9,
    "mn": 1e6,
    "万": 1e4,
    "萬": 1e4,
    "亿": 1e8,
    "億": 1e8,
    "千": 1e3,
    "百": 1e2,
}
_SHORT_MAGNITUDES = {"m": 1e6, "b": 1e9, "k": 1e3, "t": 1e12}
_PERCENT = frozenset(("%", "percent", "percentage", "per_cent", "pct"))
_CURRENCIES = frozenset("$ € £ ¥ dollar euro pound yen usd eur gbp".split())
_YEAR_CONTEXT = frozenset(
    "in of since by from until till to during between and after before early late mid around"
    " circa year january february march april may june july august september october november"
    " december spring summer autumn fall winter jan feb mar apr jun jul aug sep sept oct nov dec"
    " c b d r".split()
)
_SURE_YEAR_CONTEXT = frozenset("in since until".split())
_MONTHS = frozenset(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_ABOUT = frozenset(
    "about around approximately roughly nearly almost some circa ~ estimated".split()
)
_MORE = frozenset(("over", "above", "exceeding", "+"))
_LESS = frozenset(("under", "below"))
_COMPARED = {"more": 1, "greater": 1, "higher": 1, "less": -1, "fewer": -1, "lower": -1}
_BOUNDED: dict[tuple[str, ...], int] = {("at", "least"): 1, ("at", "most"): -1, ("up", "to"): -1}
_SUFFIXES = frozenset(("st", "nd", "rd", "th"))
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_LAST_DAY = 31
_UNIT_REACH = 3  # words after a number in which the noun that it counts stands
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


class Number(NamedTuple):
    """A number that a text names.

    Attributes:
        value: what it says.
        low: the least value meant.
        high: the greatest one; "more than 5" has no end.
        kind: what it is a number of.
        units: stems of the words after it, of which one is what it counts.
        rough: whether it is said to be about right only.
        first: place of its first word.
        last: place of its last one.
    """

    value: float
    low: float
    high: float
    kind: NumberKind
    units: frozenset[str]
    rough: bool
    first: int
    last: int


@lru_cache(maxsize=MOST_READINGS)
def numbers(reading: Reading) -> tuple[Number, ...]:
    """Return the numbers of a text in order, the first few dozen of them."""
    return tuple(islice(find_numbers(reading), MOST_THINGS))


def find_numbers(reading: Reading) -> Iterator[Number]:
    """Yield the numbers of a text, in order."""
    words, i = reading.words, 0
    while i < len(words):
        parsed = _parse(words, i)
        if parsed is None:
            i += 1
            continue
        value, last, is_ordinal = parsed
        yield _number(reading, value, i, last, is_ordinal=is_ordinal)
        i = last + 1


def _parse(words: tuple[Word, ...], i: int) -> tuple[float, int, bool] | None:
    """Return (value, place of its last word, whether it is an ordinal)."""
    word = words[i]
    if word.kind == "number":
        return _parse_digits(words, i)
    if word.key in _ORDINALS:
        return float(_ORDINALS[word.key]), i, True
    if word.key in _UNITS or word.key in _TENS:
        return _parse_words(words, i)
    return None


def _parse_digits(words: tuple[Word, ...], i: int) -> tuple[float, int, bool] | None:
    key = words[i].key
    if not _DIGITS.fullmatch(key):
        return None
    after = words[i + 1] if i + 1 < len(words) else None
    joined = after is not None and after.start == words[i].end
    if after and joined and after.key in _SUFFIXES:
        return float(key), i + 1, True
    if after and joined and after.key in _SHORT_MAGNITUDES and _is_money(words, i):
        return float(key) * _SHORT_MAGNITUDES[after.key], i + 1, False
    value, last = _magnified(words, float(key), i)
    return value, last, False


def _magnified(words: tuple[Word, ...], value: float, last: int) -> tuple[float, int]:
    while last + 1 < len(words):
        key = words[last + 1].key
        magnitude = _MAGNITUDES.get(key.removesuffix("s")) if not words[last + 1].gap else None
        if magnitude is None:
            break
        value, last = value * magnitude, last + 1
    return value, last


def _parse_words(words: tuple[Word, ...], i: int) -> tuple[float, int, bool]:
    """Read "two hundred and fifty thousand" and the like."""
    total, part, last = 0.0, 0.0, i
    for k in range(i, len(words)):
        key = words[k].key
        if key == "and" and words[k - 1].key in _MAGNITUDES and _is_plain(words, k + 1):
            continue
        before = words[k - 2 if words[k - 1].key == "and" else k - 1].key
        if k > i and (words[k].gap or not _continues(before, key)):
            break
        if key in _ORDINALS:
            return total + part + _ORDINALS[key], k, True
        part, total = _grown(key, part, total)
        last = k
    return total + part, last, False


def _is_plain(words: tuple[Word, ...], i: int) -> bool:
    return i < len(words) and (words[i].key in _UNITS or words[i].key in _TENS)


def _grown(key: str, part: float, total: float) -> tuple[float, float]:
    if key in _UNITS or key in _TENS:
        return part + _UNITS.get(key, 0) + _TENS.get(key, 0), total
    magnitude = _MAGNITUDES[key]
    if magnitude <= 100:
        return part * magnitude, total
    return 0.0, total + part * magnitude


def _continues(before: str, key: str) -> bool:
    if key in _MAGNITUDES:
        return True
    if before in _TENS:
        return key in _UNITS or key in _ORDINALS
    return before in _MAGNITUDES and (key in _UNITS or key in _TENS)


def _is_money(words: tuple[Word, ...], i: int) -> bool:
    return i > 0 and words[i - 1].key in _CURRENCIES


def _number(reading: Reading, value: float, first: int, last: int, *, is_ordinal: bool) -> Number:
    words = reading.words
    kind = _kind(words, value, first, last, is_ordinal=is_ordinal)
    low, high, rough = _bounds(words, value, first)
    if kind in ("year", "count") and last + 1 < len(words) and words[last + 1].key == "s":
        kind, high = "year", value + 9  # "the 1990s"
    return Number(value, low, high, kind, _units(words, last, kind), rough, first, last)


def _kind(
    words: tuple[Word, ...], value: float, first: int, last: int, *, is_ordinal: bool
) -> NumberKind:
    if is_ordinal:
        return "ordinal"
    after = words[last + 1].key if last + 1 < len(words) else ""
    if after in _PERCENT or (after == "per" and words[last + 2 : last + 3][:1] != ()):
        return "percent" if after in _PERCENT or words[last + 2].key == "cent" else "count"
    if _is_money(words, first) or after.removesuffix("s") in _CURRENCIES:
        return "money"
    if after in _MONTHS or (first and words[first - 1].key in _MONTHS and value <= _LAST_DAY):
        return "day"
    return "year" if _is_year(words, value, first, last) else "count"


def _is_year(words: tuple[Word, ...], value: float, first: int, last: int) -> bool:
    if first != last or not _FIRST_YEAR <= value <= _LAST_YEAR or len(words[first].text) != 4:
        return False
    before = words[first - 1] if first else None
    after = words[last + 1] if last + 1 < len(words) else None
    follows = before is not None and (before.key in _YEAR_CONTEXT or before.kind == "number")
    counts = after is not None and after.content and not after.gap and after.kind == "word"
    if counts and after is not None and after.text[0].islower():
        return before is not None and before.key in _SURE_YEAR_CONTEXT
    return follows or not counts or (after is not None and after.text[0].isupper())


def _bounds(words: tuple[Word, ...], value: float, first: int) -> tuple[float, float, bool]:
    """Return (least value, greatest one, whether it is rough)."""
    place = first - 1 if _is_money(words, first) else first
    before = tuple(word.key for word in words[max(0, place - 2) : place])
    last = before[-1] if before else ""
    sign = _BOUNDED.get(before, 0)
    if last == "than":
        sign = _COMPARED.get(before[0], 0)
    sign = sign or (last in _MORE) - (last in _LESS)
    if sign:
        return (value, inf, True) if sign > 0 else (-inf, value, True)
    return value, value, bool(set(before) & _ABOUT)


def _units(words: tuple[Word, ...], last: int, kind: NumberKind) -> frozenset[str]:
    found: list[str] = []
    for word in words[last + 1 : last + 1 + _UNIT_REACH]:
        if word.gap or not (word.content or word.key in _PERCENT):
            break
        found.append(word.stem)
    return frozenset(found)

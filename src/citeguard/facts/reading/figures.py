"""The numbers that a text names: their values, and what they are numbers of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from citeguard.facts.reading.bounds import bounds
from citeguard.facts.reading.labels import label_of, rejoined
from citeguard.facts.reading.measures import (
    is_below_zero,
    is_near_falling,
    is_signed,
    measure_after,
    measure_of_currency,
    measure_of_money,
    sign_place,
)
from citeguard.facts.reading.words import Reading, Word
from citeguard.language.quantities import (
    CARDINALS,
    CURRENCIES,
    LETTER_MAGNITUDES,
    MAGNITUDES,
    MONTH_NAMES,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    SHORT_MAGNITUDES,
    TENS,
    Unit,
)

NumberKind = Literal["year", "day", "month", "percent", "money", "ordinal", "times", "count"]

_MAGNITUDES = MAGNITUDES | SHORT_MAGNITUDES
_PERCENT = frozenset(("%", "percent", "percentage", "per_cent", "pct"))
_YEAR_CONTEXT = frozenset(
    "in of since by from until till to during between and after before early late mid around"
    " circa year spring summer autumn fall winter c b d r".split()
) | frozenset(MONTHS)
_SURE_YEAR_CONTEXT = frozenset("in since until".split())
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_LAST_DAY = 31
_ALSO_VERBS = frozenset(("may", "march", "mar"))
_AMOUNTS = frozenset(("money", "percent", "count"))
_ROLES = frozenset(("by", "to", "from"))
_UNIT_REACH = 3  # words after a number in which the noun that it counts stands
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


class Number(NamedTuple):
    """A number that a text names.

    Attributes:
        value: what it says, without its sign.
        low: the least value meant.
        high: the greatest one; "more than 5" has no end.
        kind: what it is a number of; a share of a whole is a `percent`, however it is said.
        units: stems of the words after it, of which one is what it counts.
        rough: whether it is said to be about right only.
        first: place of its first word.
        last: place of its last one.
        unit: what it is measured in, if that is known.
        sign: -1 below zero, 1 above it, 0 where either may be meant.
        month: of a day, its month from 1 on; 0 if that is not known.
        whole: places of the first and the last word with sign, currency, unit and month.
        bounded: the same with the words that bound it, as "at least".
        role: the "by", "to" or "from" before it, of an amount.
        label: the stem of what it is the name of, as of "Form 1040"; "" of other numbers.
    """

    value: float
    low: float
    high: float
    kind: NumberKind
    units: frozenset[str]
    rough: bool
    first: int
    last: int
    unit: Unit | None = None
    sign: int = 0
    month: int = 0
    whole: tuple[int, int] = (0, 0)
    bounded: tuple[int, int] = (0, 0)
    role: str = ""
    label: str = ""


def find_numbers(reading: Reading) -> Iterator[Number]:
    """Yield the numbers of a text that are said in digits or number words, in order."""
    words, i = reading.words, 0
    while i < len(words):
        parsed = _parse(words, i)
        if parsed is None:
            i += 1
            continue
        value, last, is_ordinal = parsed
        yield _number(words, value, i, last, is_ordinal=is_ordinal)
        i = last + 1


def _parse(words: tuple[Word, ...], i: int) -> tuple[float, int, bool] | None:
    """Return (value, place of its last word, whether it is an ordinal)."""
    word = words[i]
    if word.kind == "number":
        return _parse_digits(words, i)
    if word.key in ORDINALS:
        return float(ORDINALS[word.key]), i, True
    if word.key in CARDINALS or word.key in TENS:
        return parse_words(words, i)
    return None


def _parse_digits(words: tuple[Word, ...], i: int) -> tuple[float, int, bool] | None:
    key = words[i].key
    if not _DIGITS.fullmatch(key):
        return None
    after = words[i + 1] if i + 1 < len(words) else None
    joined = after is not None and after.start == words[i].end
    if after and joined and after.key in ORDINAL_ENDINGS:
        return float(key), i + 1, True
    is_size = _is_money(words, i) or (after is not None and after.text == "k")
    if after and joined and after.key in LETTER_MAGNITUDES and is_size:
        return float(key) * LETTER_MAGNITUDES[after.key], i + 1, False
    grouped, last = rejoined(words, float(key), i)
    value, last = magnified(words, grouped, last)
    return value, last, False


def magnified(words: tuple[Word, ...], value: float, last: int) -> tuple[float, int]:
    """Return (value, place of its last word) with the magnitudes that follow: "5 million"."""
    while last + 1 < len(words):
        key = words[last + 1].key
        magnitude = _MAGNITUDES.get(key.removesuffix("s")) if not words[last + 1].gap else None
        if magnitude is None:
            break
        value, last = value * magnitude, last + 1
    return value, last


def parse_words(words: tuple[Word, ...], i: int, part: float = 0.0) -> tuple[float, int, bool]:
    """Read "two hundred and fifty thousand" and the like.

    Args:
        words: The text.
        i: The place of the first word.
        part: What is said before it: 1 for the "a" of "a hundred and fifty".
    """
    total, last = 0.0, i
    for k in range(i, len(words)):
        key = words[k].key
        if key == "and" and words[k - 1].key in _MAGNITUDES:
            continue
        before = words[k - 2 if words[k - 1].key == "and" else k - 1].key
        if k > i and (words[k].gap or not _continues(before, key)):
            break
        if key in ORDINALS:
            return total + part + ORDINALS[key], k, True
        part, total = _grown(key, part, total)
        last = k
    return total + part, last, False


def _grown(key: str, part: float, total: float) -> tuple[float, float]:
    if key in CARDINALS or key in TENS:
        return part + CARDINALS.get(key, 0) + TENS.get(key, 0), total
    magnitude = _MAGNITUDES[key]
    if magnitude <= 100:
        return part * magnitude, total
    return 0.0, total + part * magnitude


def _continues(before: str, key: str) -> bool:
    if key in _MAGNITUDES:
        return True
    if before in TENS:
        return key in CARDINALS or key in ORDINALS
    return before in _MAGNITUDES and (key in CARDINALS or key in TENS)


def _is_money(words: tuple[Word, ...], i: int) -> bool:
    return i > 0 and words[i - 1].key in CURRENCIES


def _number(
    words: tuple[Word, ...], value: float, first: int, last: int, *, is_ordinal: bool
) -> Number:
    kind = _kind(words, value, first, last, is_ordinal=is_ordinal)
    number = build_number(words, value, first, last, kind=kind)
    if kind in ("year", "count") and last + 1 < len(words) and words[last + 1].key == "s":
        return number._replace(kind="year", high=value + 9)  # "the 1990s"
    return number


def build_number(
    words: tuple[Word, ...], value: float, first: int, last: int, *, kind: NumberKind
) -> Number:
    """Return the number that words say, with what stands around them."""
    unit, begin, end = _measured(words, first, last)
    bound = bounds(words, value, begin, end)
    minus = sign_place(words, begin)
    begin = begin if minus is None else minus
    sign = _sign(words, begin, end, unit, is_minus=minus is not None)
    month, month_place = _month(words, first, last) if kind == "day" else (0, first)
    whole = min(begin, month_place), max(end + 2 * (sign < 0 and minus is None), month_place)
    bounded = min(whole[0], bound.first), max(whole[1], bound.last)
    return Number(
        value=value,
        low=bound.low,
        high=bound.high,
        kind=kind,
        units=_units(words, last),
        rough=bound.rough,
        first=first,
        last=last,
        unit=unit,
        sign=sign,
        month=month,
        whole=whole,
        bounded=bounded,
        role=_role(words, bounded[0]) if kind in _AMOUNTS else "",
        label=label_of(words, first, last) if kind == "count" and unit is None else "",
    )


def _role(words: tuple[Word, ...], first: int) -> str:
    before = words[first - 1].key if first else ""
    if before not in _ROLES or first < 2 or words[first - 2].kind != "number":
        return before if before in _ROLES else ""
    # "5 to 10", "won 5 to 3"; but "from 5 to 10".
    return before if any(w.key == "from" for w in words[max(0, first - 5) : first - 2]) else ""


def _measured(words: tuple[Word, ...], first: int, last: int) -> tuple[Unit | None, int, int]:
    """Return (unit, place of the first word with its currency, of the last with its unit)."""
    if first and (before := measure_of_currency(words[first - 1])):
        return before, first - 1, last
    measure = measure_after(words, last)
    return measure.unit, first, measure.end


def _sign(
    words: tuple[Word, ...], begin: int, end: int, unit: Unit | None, *, is_minus: bool
) -> int:
    if not is_signed(unit):
        return 0
    if is_minus or is_below_zero(words, end):
        return -1
    return 0 if is_near_falling(words, begin, end) else 1


def _kind(
    words: tuple[Word, ...], value: float, first: int, last: int, *, is_ordinal: bool
) -> NumberKind:
    if value <= _LAST_DAY and _month(words, first, last)[0]:
        return "day"
    if is_ordinal:
        return "ordinal"
    after = words[last + 1].key if last + 1 < len(words) else ""
    if after in _PERCENT:
        return "percent"
    if after == "per":  # "$5 per share" is no sum beside which another would stand out
        return "percent" if [w.key for w in words[last + 2 : last + 3]] == ["cent"] else "count"
    if _is_money(words, first) or measure_of_money(words, last):
        return "money"
    return "year" if _is_year(words, value, first, last) else "count"


def _month(words: tuple[Word, ...], first: int, last: int) -> tuple[int, int]:
    """Return (month of a day, place of its word): "3 May", "3rd of May", "May 3"; or (0, first)."""
    after = last + 1 + (last + 1 < len(words) and words[last + 1].key == "of")
    if after < len(words) and not words[after].gap and (month := month_of(words[after])):
        return month, after
    if first and (month := month_of(words[first - 1])):
        abbreviated = words[first - 1].key not in MONTH_NAMES  # "Sept. 3" has a stop
        if not words[first].gap or abbreviated:
            return month, first - 1
    return 0, first


def month_of(word: Word) -> int:
    """Return the number of the month that a word names, from 1 on, or 0."""
    month = MONTHS.get(word.key, 0)
    return 0 if word.key in _ALSO_VERBS and word.text[0].islower() else month


def _is_year(words: tuple[Word, ...], value: float, first: int, last: int) -> bool:
    if first != last or not _FIRST_YEAR <= value <= _LAST_YEAR or len(words[first].text) != 4:
        return False
    before = words[first - 1] if first else None
    after = words[last + 1] if last + 1 < len(words) else None
    follows = before is not None and (before.key in _YEAR_CONTEXT or before.kind == "number")
    counts = after is not None and after.content and not after.gap and after.kind == "word"
    counts = counts and after is not None and after.key not in _YEAR_CONTEXT  # "1993 after"
    if counts and after is not None and after.text[0].islower():
        return before is not None and before.key in _SURE_YEAR_CONTEXT
    return follows or not counts or (after is not None and after.text[0].isupper())


def _units(words: tuple[Word, ...], last: int) -> frozenset[str]:
    found: list[str] = []
    for word in words[last + 1 : last + 1 + _UNIT_REACH]:
        if word.gap or not (word.content or word.key in _PERCENT):
            break
        found.append(word.stem)
    return frozenset(found)

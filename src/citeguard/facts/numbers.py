"""Contrasts of kind `number`: a different number, unit, currency, date or bound.

A number of the statement is compared with those of the passage that may count the same thing. It is
a contrast if no number of the passage agrees with it and one that differs is in its place, or if
the passage has it in another place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from citeguard.facts.reading import (
    LIGHT,
    MOST_THINGS,
    Contrast,
    Pair,
    Reading,
    Slice,
    contrast,
    kept,
)
from citeguard.facts.tables import roots
from citeguard.language.numbers import CLOCK, CLOCK_FACE, Number, NumberKind

# Chosen on development data: the least likeness of the places of two numbers.
_LEAST_LIKENESS: dict[NumberKind, float] = {"date": 0.8, "ordinal": 1.0, "times": 1.0}
_LEAST_OF_OTHERS = 1.4
_LEAST_OF_SAME_VALUE = 0.9  # "5 g" for "5 mg": the same number is seldom there by chance
_SAME_PLACE, _MARGIN = 1.7, 0.6  # if even the passage has the number elsewhere
_SAME_NOUN = 0.4  # what the same noun after a number, or two times of day, add to the likeness
_SAME_PART = 0.4  # what the same day, month or year of two dates adds
_ROUNDED = 0.05  # greatest difference by rounding
_ROUGH = 0.1  # the same if a number is approximate: "about 500" for 510
_LARGE = 10_000  # smaller whole numbers are exact counts, not rounded
_SIGNED = frozenset(("temperature", "degrees"))  # 5 °C is not -5 °C, even if it "fell" to them
# "A loss of 5 million" and "down 5 %" are negative, too.
_NEGATIVE = roots(
    "loss lose deficit negative minus below fall drop decline decrease down lower less reduce"
    " shrink contract cut debt owe deterioration worse"
)
_DAY = 24  # hours
_NOUN_REACH = 3  # words after a number that may be the noun it counts
_SIGN_REACH = 6  # words on either side of a number that may say that it is negative
_ROLES = frozenset(("by", "to", "from"))
_DASHES = frozenset("-‐‑–−:")
_DASHED = re.compile(r"\d+[-‐‑–−]\d+")
_PARTING = frozenset("and while but whereas versus against then".split())


class Figure(NamedTuple):
    """A number at its place in a reading.

    Attributes:
        number: The number.
        first: The place of the first word of the number.
        last: The place of the last one.
        nouns: The stems of the words after it, one of which is what it counts.
        role: The "by", "to" or "from" before it; empty in "5 to 10".
        written: How it is written, without sign and unit.
        signed: Whether no word near it says that it is negative, so that its sign does.
    """

    number: Number
    first: int
    last: int
    nouns: frozenset[str]
    role: str
    written: str
    signed: bool

    @property
    def value(self) -> float:
        """The value, without its sign."""
        return abs(self.number.value)


@kept
def figures(reading: Reading) -> tuple[Figure, ...]:
    """Return the numbers of a text at their places, the first few dozen."""
    return tuple(_figure(reading, number) for number in reading.numbers[:MOST_THINGS])


def _figure(reading: Reading, number: Number) -> Figure:
    first, last = reading.place_at(number.start), reading.place_at(number.end - 1)
    nouns: list[str] = []
    for word in reading.words[last + 1 : last + 1 + _NOUN_REACH]:
        if word.gap or not (word.content or word.key == "%"):
            break
        nouns.append(word.stem)
    before = reading.key_at(reading.place_at(number.bounded[0]) - 1)
    is_role = before in _ROLES and number.kind in ("count", "percent", "money")
    near = reading.words[max(0, first - _SIGN_REACH) : last + 1 + _SIGN_REACH]
    return Figure(
        number=number,
        first=first,
        last=last,
        nouns=frozenset(nouns),
        role=before if is_role else "",
        written=reading.text[number.start : number.end],
        signed=not any(word.stem in _NEGATIVE for word in near),
    )


def number_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of numbers, at most one for each number of the statement."""
    stated, found = figures(pair.statement), figures(pair.passage)
    if not stated or not found:
        return
    scores = list(_reversed(pair))
    yield from scores
    exchanged = _exchanged(pair)
    for one, other in exchanged if not scores else ():
        slices = (_whole(pair.statement, one), _whole(pair.passage, other))
        yield contrast("number", *slices)
    free = [other for other in found if not any(agree(one, other) for one in stated)]
    done = {one.first for one, _ in exchanged}
    for one in stated:
        if any(score.start <= one.number.start < score.end for score in scores):
            continue
        other = _rival(pair, one, free) or _displaced(pair, one)
        if other and one.first not in done:
            yield contrast("number", *differing_words(pair, one, other))


def _whole(reading: Reading, figure: Figure) -> Slice:
    return reading.between(*figure.number.whole)


def differing_words(pair: Pair, one: Figure, other: Figure) -> tuple[Slice, Slice]:
    """Return the words of two numbers, with unit, sign or bound if only these differ."""
    stated, found = one.number, other.number
    slices = (stated.start, stated.end), (found.start, found.end)
    if one.value == other.value:
        if one.role and other.role and one.role != other.role:
            slices = stated.bounded, found.bounded
        elif stated.unit != found.unit or stated.value != found.value:
            slices = stated.whole, found.whole
        elif (stated.low, stated.high) != (found.low, found.high):
            slices = stated.bounded, found.bounded
    elif stated.unit != found.unit or (slices[0] == stated.whole) != (slices[1] == found.whole):
        slices = stated.whole, found.whole  # "half" and "30 %"
    return pair.statement.between(*slices[0]), pair.passage.between(*slices[1])


# Whether two numbers may be the same


def agree(one: Figure, other: Figure) -> bool:
    """Return whether two numbers may be the same, rounded, converted or bounded."""
    stated, found = one.number, other.number
    if "date" in (stated.kind, found.kind):
        return _dates_agree(one, other)
    if _of_day(stated) or _of_day(found):
        return _times_agree(stated, found)
    if one.role and other.role and one.role != other.role:
        return False
    if stated.kind == found.kind == "label" and "." in one.written and "." in other.written:
        return one.written == other.written  # version 2.1 is not version 2.10
    if _have_other_signs(one, other) or _have_other_dimensions(stated, found):
        return False
    (low, high), (other_low, other_high) = _stretch(stated), _converted(stated, found)
    if inf in (high, other_high) or -inf in (low, other_low):
        return stated.kind == found.kind and _overlap((low, high), (other_low, other_high))
    if stated.is_range and found.is_range and not (stated.rough or found.rough):
        return (low, high) == (other_low, other_high)
    if low <= other_high and other_low <= high:
        return True
    rough = stated.rough or found.rough
    return rounds_to(low, other_high, rough=rough)


def _dates_agree(one: Figure, other: Figure) -> bool:
    stated, found = one.number, other.number
    if stated.kind != found.kind:  # "in 2014" may be "the 2014 reports"
        return stated.value == found.value and stated.unit is found.unit is None
    if any(None not in (a, b) and a != b for a, b in _date_parts(stated, found)):
        return False
    return stated.low <= found.high and found.low <= stated.high


def _of_day(number: Number) -> bool:
    return number.unit in (CLOCK, CLOCK_FACE)


def _times_agree(one: Number, other: Number) -> bool:
    """Return whether two times of day may be the same: "5" and "5:00" may be 17:00."""
    if not all(_of_day(each) or _is_hour(each) for each in (one, other)):
        return False
    circle = _DAY if one.unit == other.unit == CLOCK else _DAY / 2
    return abs((one.value - other.value + 0.01) % circle) < 0.02  # two thirds of a minute


def _is_hour(number: Number) -> bool:
    return number.kind == "count" and number.unit is None and number.value in range(1, 13)


def _date_parts(one: Number, other: Number) -> Iterator[tuple[int | None, int | None]]:
    """Yield the weekdays, days, months and years of two dates."""
    yield one.weekday, other.weekday
    yield one.day, other.day
    yield one.month, other.month
    yield one.year, other.year


def _have_other_signs(one: Figure, other: Figure) -> bool:
    if (one.number.value < 0) == (other.number.value < 0):
        return False
    unit = one.number.unit or other.number.unit
    is_scale = unit is not None and unit.dimension in _SIGNED
    return is_scale or (one.signed and other.signed)


def _have_other_dimensions(one: Number, other: Number) -> bool:
    if one.kind != other.kind or not (one.unit and other.unit):
        return False
    dimensions = {one.unit.dimension, other.unit.dimension}
    return len(dimensions) > 1 and "degrees" not in dimensions


def _stretch(number: Number) -> tuple[float, float]:
    """Return the least and the greatest value that a number may mean, without its sign."""
    if number.value < 0 and number.low == number.high:
        return -number.value, -number.value
    return number.low, number.high


def _converted(one: Number, other: Number) -> tuple[float, float]:
    """Return the range of the other number, in the unit of the first."""
    low, high = _stretch(other)
    if one.unit is None or other.unit is None or not _are_of_two_units(one, other):
        share = one.kind == "count" and other.kind == "percent" and 0 < one.value < 1
        return (low / 100, high / 100) if share else (low, high)  # "0.5" and "half"
    unit, into = other.unit, one.unit
    low, high = ((end - unit.zero) * unit.size / into.size + into.zero for end in (low, high))
    return low, high


def _are_of_two_units(one: Number, other: Number) -> bool:
    units = one.unit, other.unit
    return units[0] != units[1] and _dimension(one) == _dimension(other) != ""


def _dimension(number: Number) -> str:
    return number.unit.dimension if number.unit else ""


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two ranges, one of them open, may be the same.

    "Up to nine" is not "up to four", and "at least 20" not "at most 20".
    """
    if (one[1] == inf) == (other[1] == inf) and (one[0] == -inf) == (other[0] == -inf):
        return one == other
    if inf in (one[1], other[1]) and -inf in (one[0], other[0]):
        return max(one[0], other[0]) < min(one[1], other[1])
    return one[0] <= other[1] and other[0] <= one[1]


def rounds_to(one: float, other: float, *, rough: bool) -> bool:
    """Return whether one of two values is the other rounded; `rough` ones are within a tenth."""
    gap, largest = abs(one - other), max(abs(one), abs(other))
    if rough and gap <= _ROUGH * largest:
        # Rounder than the other: "about 500" for 512, but not "about 13" for 12.
        return _digits(one) != _digits(other) or not (one % 5 and other % 5)
    if gap > _ROUNDED * largest or (one == int(one) and other == int(other) and largest < _LARGE):
        return False
    digits = min(_digits(one), _digits(other))
    return f"{one:.{digits - 1}e}" == f"{other:.{digits - 1}e}"


def _digits(value: float) -> int:
    """Return the number of significant digits: 4,900,000 has two."""
    return max(1, len(f"{value:.9e}".partition("e")[0].replace(".", "").rstrip("0")))


def may_compare(one: Figure, other: Figure) -> bool:
    """Return whether two numbers count the same kind of thing, so that they can conflict."""
    stated, found = one.number, other.number
    if stated.kind != found.kind or {one.role, other.role} == {"from", "to"}:
        return False
    if stated.kind == "count" and _dimension(stated) != _dimension(found):
        return _of_day(found) and _is_hour(stated) and not one.nouns
    return stated.label == found.label


# Which number of the passage is in place of one of the statement


def _likest(pair: Pair, one: Figure, others: Sequence[Figure]) -> tuple[float, Figure | None]:
    """Return (likeness, number) of the number in the most similar place."""
    rated = [(_likeness(pair, one, other), other) for other in others if may_compare(one, other)]
    return max(rated, key=lambda each: each[0], default=(0.0, None))


def _likeness(pair: Pair, one: Figure, other: Figure) -> float:
    alike = pair.likeness(one.first, other.first, one.last, other.last)
    same = sum(a is not None and a == b for a, b in _date_parts(one.number, other.number))
    count_same = not one.nouns.isdisjoint(other.nouns)
    count_same |= _of_day(one.number) and _of_day(other.number)
    return alike + _SAME_NOUN * count_same + _SAME_PART * same


def _rival(pair: Pair, one: Figure, free: list[Figure]) -> Figure | None:
    """Return the number that the passage has in place of one that it does not have."""
    if not free or any(agree(one, other) for other in figures(pair.passage)):
        return None
    likeness, other = _likest(pair, one, free)
    if other is None:
        return None
    least = _LEAST_LIKENESS.get(one.number.kind, _LEAST_OF_OTHERS)
    if one.value == other.value:
        least = min(least, _LEAST_OF_SAME_VALUE)
    return other if likeness >= least else None


def _displaced(pair: Pair, one: Figure) -> Figure | None:
    """Return the number that the passage has exactly in place of one that it has elsewhere."""
    found = figures(pair.passage)
    agreeing = [other for other in found if agree(one, other)]
    others = [other for other in found if other not in agreeing and may_compare(one, other)]
    likeness, other = _likest(pair, one, others)
    if other is None or likeness < _SAME_PLACE:
        return None
    elsewhere, _ = _likest(pair, one, agreeing)
    counterparts = (_likeness(pair, n, other) for n in figures(pair.statement) if agree(n, other))
    return other if likeness - max(elsewhere, *counterparts, 0.0) >= _MARGIN else None


# Two numbers around a dash: a score, if they fall


@kept
def _dashed(reading: Reading) -> dict[tuple[float, float], Slice]:
    """Return the pairs of whole numbers around a dash, such as "3-2", the last of each."""
    found: dict[tuple[float, float], Slice] = {}
    for one, other in pairwise(figures(reading)):
        between = reading.text[one.number.end : other.number.start]
        if between in _DASHES and other.number.unit is None:
            written = reading.between(one.number.start, other.number.end)
            found[one.value, other.value] = written
    for each in figures(reading):
        if each.number.is_range and each.number.unit is None and _DASHED.fullmatch(each.written):
            found[each.number.low, each.number.high] = _whole(reading, each)
    return found


def _reversed(pair: Pair) -> Iterator[Contrast]:
    """Yield where the passage has the numbers of a score in the other order only.

    Of "3-2" and "2-3" one falls and is no range, and so the other is none either.
    """
    stated, found = _dashed(pair.statement), _dashed(pair.passage)
    for (one, other), slice in stated.items():
        if one != other and (other, one) in found and (one, other) not in found:
            yield contrast("number", slice, found[other, one])


# Two numbers that are exchanged: "15 % in 2019 and 12 % in 2020"


def _exchanged(pair: Pair) -> list[tuple[Figure, Figure]]:
    """Return the first two numbers that are exchanged, each with what replaces it; or nothing.

    The texts are split at "and", commas and so on. Two numbers, each the only one of its kind in
    its part, are exchanged if each shares words with the part of the other, and none with its own.
    """
    stated, found = figures(pair.statement), figures(pair.passage)
    for kind in dict.fromkeys(figure.number.kind for figure in stated if len(found) > 1):
        for one, other in pairwise(each for each in stated if each.number.kind == kind):
            here, there = _only(one, found), _only(other, found)
            if here and there and not agree(one, other):
                own = _own_words(pair, pair.statement, one, other)
                others = _own_words(pair, pair.passage, here, there)
                crossed = own[0] & others[1] and own[1] & others[0]
                if crossed and not (own[0] & others[0] or own[1] & others[1]):
                    return [(one, there), (other, here)]
    return []


def _only(one: Figure, found: Sequence[Figure]) -> Figure | None:
    """Return the number of the passage that agrees with a number, if there is exactly one."""
    agreeing = [other for other in found if agree(one, other)]
    alone = len(agreeing) == 1 and agreeing[0].number.kind == one.number.kind
    return agreeing[0] if alone else None


def _own_words(
    pair: Pair, reading: Reading, one: Figure, other: Figure
) -> tuple[frozenset[str], frozenset[str]]:
    """Return, for each number, the shared words that are only in its part."""
    parts = _parts(reading)
    taken = [parts[each.first] for each in figures(reading) if each.number.kind == one.number.kind]
    if any(taken.count(parts[each.first]) > 1 for each in (one, other)):
        return frozenset(), frozenset()
    first, second = (
        frozenset(
            word.stem
            for word, part in zip(reading.words, parts, strict=True)
            if part == parts[each.first] and word.kind != "number"
        )
        & pair.shared - LIGHT
        for each in (one, other)
    )
    return first - second, second - first


@kept
def _parts(reading: Reading) -> list[int]:
    """Return, for each word, the index of its part."""
    part, parts = 0, list[int]()
    for i, word in enumerate(reading.words):
        between = word.key == "and" and reading.key_at(i - 2) == "between"
        part += bool(word.gap) or (word.key in _PARTING and not between)
        parts.append(part)
    return parts

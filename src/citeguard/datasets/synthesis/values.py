"""Kinds of another value: `number`, `unit` and `date`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import inf, log
from random import Random
from typing import Literal, NamedTuple

from citeguard.datasets.synthesis.passages import Edit, Material, Passage, Rewrite
from citeguard.language.grammar import POSSESSIVES
from citeguard.language.numbers import Number
from citeguard.language.quantities import (
    CARDINALS,
    CENTURIES,
    MAGNITUDES,
    MONTH_NAMES,
    ORDINALS,
    TENS,
    UNIT_WORDS,
    UNITS,
    WEEKDAYS,
)
from citeguard.language.terms import FUNCTION_WORDS

_WEEKDAYS = [name.title() for name in WEEKDAYS]
_MONTHS = [name.title() for name in MONTH_NAMES]


def _ordinal(value: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"} if value not in (11, 12, 13) else {}
    return f"{value}{endings.get(value % 10, 'th')}"


def _beside(old: str, series: Sequence[Sequence[str]], reach: int) -> list[str]:
    """Return what is up to `reach` places from a word in the series that it is in."""
    listed = next((each for each in series if old in each), [old])
    at = listed.index(old)
    return [*listed[max(0, at - reach) : at], *listed[at + 1 : at + 1 + reach]]


# Numbers

Style = Literal["digits", "word", "ordinal word"]
_FIGURE = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?!st|nd|rd|th)|[A-Za-z]+")
_VALUES = CARDINALS | TENS | ORDINALS
_NUMBER_WORDS = (list(CARDINALS), list(TENS), list(ORDINALS)[:12])
# "F-16", "1:10", "10 - 2", "(12", "6.2 miles)" and "403 m (1,322 ft)".
_JOINED_BEFORE = re.compile(
    r"(?:[-–—/:.,#№_+×=*'’^(\[\w]|\d\s?[-–—/]\s?"
    r"|\b(?:articles?|between|grade|level|no|number|page|part|passage|step|vol)\.?\s)\Z",
    re.IGNORECASE,
)
_JOINED_AFTER = re.compile(
    r"[½¼¾]|\s?[-–—/:+×.'’]\s?\d|\w|(?:\s+\S+){0,3}\s+\(\s?\d|[^()]{0,40}\)|\s(?:[ap]m|o'clock)\b"
)
_LIST = re.compile(r"(?:[:(–—]| - |--|\b(?:are|were|namely|including)\b)[^.;]*(?:\band\b|, )")
_MOST_LISTED = 12
_LONGEST = 15  # characters of a number that counts something
_LONGEST_BEFORE = 10  # characters that join a number to what is before it
_LEAST_SHIFT, _ROUGH_SHIFT, _MOST_SHIFT = 0.05, 0.35, 0.6  # shares of a number
_FEWEST_DRAWN = 4  # on either side of a small number
_MOST_DRAWN = 100


class Figure(NamedTuple):
    """A number of a text that can be replaced: the offsets and the value of its figure alone."""

    start: int
    end: int
    value: float
    style: Style
    number: Number

    @property
    def scale(self) -> float:
        """What its magnitude multiplies by: a million in "5 million"."""
        return abs(self.number.value) / self.value


def find_figures(passage: Passage) -> Iterator[Figure]:
    """Yield the numbers that count, measure or rank; no dates, labels, ranges or parts of names."""
    for number in passage.numbers:
        if number.kind in ("date", "label") or number.is_range or number.value < 0:
            continue
        figure = _figure(passage, number)
        if figure is not None and not _is_bound_to_its_place(passage, figure):
            yield figure


def _figure(passage: Passage, number: Number) -> Figure | None:
    match = _FIGURE.match(passage.text, number.start, number.end)
    if match is None or match.end() - match.start() > _LONGEST:
        return None
    rest = passage.text[match.end() : number.end].strip(" -").lower()
    value, word = _value(match[0]), match[0].lower()
    if (rest and rest not in MAGNITUDES) or value < 1 or word == "one":  # "two-thirds"
        return None
    style: Style = "ordinal word" if word in ORDINALS else "word" if word in _VALUES else "digits"
    return Figure(match.start(), match.end(), value, style, number)


def _value(written: str) -> float:
    is_word = written.isalpha()
    return _VALUES.get(written.lower(), 0) if is_word else float(written.replace(",", ""))


def _is_bound_to_its_place(passage: Passage, figure: Figure) -> bool:
    """Return whether another number would be wrong by its form, or given away by the rest."""
    words, text, start = passage.words, passage.text, figure.start
    i, k = passage.place_at(start), passage.place_at(figure.number.end - 1) + 1
    in_name = _is_capital(passage, i) or (not words[i].gap and _is_capital(passage, i - 1))
    joined = _JOINED_BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start)
    if in_name or joined or _JOINED_AFTER.match(text, figure.end):
        return True
    if figure.style != "ordinal word":
        return figure.value <= _MOST_LISTED and _LIST.search(text, figure.end) is not None
    following = words[k : min(k + 3, passage.sentence(i).stop)]
    if not following or any(is_plural(word.key) for word in following):
        return True
    ranks = passage.key_at(i - 1) in POSSESSIVES | {"the"} and following[0].text[0].islower()
    return not ranks or following[0].key in FUNCTION_WORDS


def is_plural(word: str) -> bool:
    """Return whether a noun is probably a plural."""
    irregular = word in ("people", "men", "women", "children", "percent")
    return irregular or (word.endswith("s") and not word.endswith(("ss", "us", "is", "ics")))


def _is_capital(passage: Passage, i: int) -> bool:
    """Return whether a word has a capital that does not come from the beginning of a sentence."""
    inside = 0 <= i < len(passage.words) and passage.sentence(i).start != i
    return inside and passage.words[i].text[0].isupper()


def find_numbers(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another value for each number, which no source has; in digits only if not English.

    Numbers keep their length, their zeros and their order, and rise after "at least" and fall after
    "at most", where the other direction would be true.
    """
    figures = list(find_figures(passage))
    for figure in figures:
        if not material.document.is_english and figure.style != "digits":
            continue
        others = [each.value * each.scale for each in figures if each is not figure]
        text = passage.text[figure.start : figure.end]
        for new in _drawn(text, random):
            if _is_possible(figure, _value(new), others, material.numbers):
                yield Rewrite(figure.style, (Edit(figure.start, figure.end, new),))
                break


def _is_possible(
    figure: Figure, value: float, others: Sequence[float], taken: frozenset[float]
) -> bool:
    number, old = figure.number, figure.value
    new = value * figure.scale
    if value < 2 or not taken.isdisjoint((value, new, round(new, 6))):
        return False
    if (number.high == inf and value < old) or (number.low == -inf and value > old):
        return False
    if number.kind == "percent" and old <= 100 < value:
        return False
    least, most = (_ROUGH_SHIFT if number.rough else _LEAST_SHIFT) * old, _MOST_SHIFT * old
    fits = least <= abs(value - old) <= max(_FEWEST_DRAWN, most)
    return fits and all((new > each) == (old * figure.scale > each) for each in others)


def _drawn(text: str, random: Random) -> Iterator[str]:
    """Yield figures in the same form: digits for all but zeros, and words for words."""
    if text.isalpha():
        others = _beside(text.lower(), _NUMBER_WORDS, _FEWEST_DRAWN)
        yield from random.sample(others, len(others))
        return
    for _ in range(_MOST_DRAWN):
        yield re.sub("[1-9]", lambda _: str(random.randint(1, 9)), text)


# Units

_OTHER_MAGNITUDES = {"billion": "million", "trillion": "billion"}
_OTHER_SIGNS = {"$": "€", "€": "$", "£": "$"}
_PLURALS = {"foot": "feet", "inch": "inches", "century": "centuries"}
_LONG_TIMES = ("decade", "century")  # odd in place of others: "a 10-decade loan"
_LEAST_RATIO = 1.5  # of two units: "mb" and "mib" are too close
_UNIT = re.compile(r"[\s-]*([A-Za-z]+)")
# "5 km/h", "10 km (6.2 miles)", "a six-year-old", "5 dollars a day"
_RATES = re.compile(r"\s*(?:/|\(\s?\d|[-'’]|(?:a|an|per|every|each|line|old)\b)|\W*of age\b")


def find_units(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another unit of the same dimension after a number, another magnitude or currency."""
    text = passage.text
    dimensions = [number.unit.dimension for number in passage.numbers if number.unit]
    for number in passage.numbers:
        start, end = number.whole
        if number.kind == "date" or text[:start].rstrip().endswith(("(", "[", " every")):
            continue
        sign = text[start : number.start].strip()
        is_only = sum(text.count(each) for each in _OTHER_SIGNS) == 1
        if sign in _OTHER_SIGNS and is_only and not text[:start].endswith(("S", "A")):  # "US$"
            yield Rewrite("currency", (Edit(start, start + 1, _OTHER_SIGNS[sign]),))
        word = text[number.start : number.end].split()[-1]
        # One of two gives it away.
        if word in _OTHER_MAGNITUDES and sum(w.key in MAGNITUDES for w in passage.words) == 1:
            edit = Edit(number.end - len(word), number.end, _OTHER_MAGNITUDES[word])
            yield Rewrite("magnitude", (edit,))
        match = _UNIT.fullmatch(text, number.end, max(number.end, end))
        other = _other_units().get(match[1]) if match else None
        if not (match and other and number.unit) or _RATES.match(text, end):
            continue
        # Nothing beside it may give it away: "six months, from 1754 to 1760".
        years = number.unit.dimension == "time" and any(each.year for each in passage.numbers)
        if dimensions.count(number.unit.dimension) == 1 and not years:
            yield Rewrite("unit", (Edit(match.start(1), match.end(1), other),))


@cache
def _other_units() -> dict[str, str]:
    """Return, for each unit, the one nearest in size: a plural for a plural, a symbol for one."""
    found = {"dollars": "euros", "euros": "dollars"}
    for form, unit in UNITS.items():
        is_symbol = form in UNIT_WORDS
        ratios = {
            other: abs(log(each.size / unit.size))
            for other, each in UNITS.items()
            if each.dimension == unit.dimension and (other in UNIT_WORDS) == is_symbol
            if other not in _LONG_TIMES
        }
        far = [other for other, ratio in ratios.items() if ratio > log(_LEAST_RATIO)]
        if far:
            other = min(far, key=ratios.__getitem__)
            found[form] = other
            if not is_symbol:
                found[_PLURALS.get(form, f"{form}s")] = _PLURALS.get(other, f"{other}s")
    return found


# Dates

_SHIFTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12)
_SMALL_SHIFTS = _SHIFTS[:4]  # beside another year
_LATEST = 2024
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SPANS = frozenset("between until weekdays weekends weekend".split())
_PARTS = {
    "year": re.compile(r"[12]\d{3}\Z"),
    "decade": re.compile(r"[12]\d\d0s\Z"),
    "month": re.compile("|".join(_MONTHS)),
    "day": re.compile(r"(?<![\d.])[1-9]\d?(?:st|nd|rd|th)?(?![\d.])"),
    "weekday": re.compile("|".join(_WEEKDAYS)),
    "century": re.compile(r"\w+(?=[ -][Cc]entury)"),
}
_GOES_ON = re.compile(r"\s?(?:[-–/]|and\b|to\b)")
_SERIES = (
    *([f"{century}{n}0s" for n in range(10)] for century in range(10, 21)),
    list(CENTURIES)[:20],
    [_ordinal(n) for n in range(1, 21)],
)


def find_dates(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another valid year, month, day, weekday, decade or century for each date."""
    dates = [number for number in passage.numbers if number.kind == "date"]
    years = [date.year for date in dates if date.year is not None]
    for date in dates:
        for variant, pattern in _PARTS.items():
            match = pattern.search(passage.text[date.start : date.end])
            if match is None:
                continue
            taken = material.numbers if variant in ("year", "day") else ()
            others = [
                other
                for other in _others(variant, match[0], passage, date, years)
                if other != match[0] and other.lower() not in passage.keys
                if not taken or _count(other) not in taken
            ]
            if others:
                start, end = date.start + match.start(), date.start + match.end()
                yield Rewrite(variant, (Edit(start, end, random.choice(others)),))


def _count(written: str) -> float:
    return float(written.rstrip("stndrh"))


def _others(
    variant: str, old: str, passage: Passage, date: Number, years: Sequence[int]
) -> Sequence[str]:
    """Return what can replace a part of a date."""
    goes_on = _GOES_ON.match(passage.text, date.end)
    if variant == "year" and date.year == int(old) and years.count(date.year) == 1:
        return [] if goes_on and goes_on[0] in ("-", "/") else _years_near(int(old), years)
    if variant == "day" and date.day and date.day == _count(old) and date.month and not goes_on:
        days = [day for day in range(1, 29) if (day > 9) == (date.day > 9)]
        return [str(day) if old.isdecimal() else _ordinal(day) for day in days]
    if variant in ("decade", "century"):
        return _beside(old, _SERIES, 2)
    if passage.keys.isdisjoint(_SPANS) and variant == "month" and date.month:
        return [name for name, days in zip(_MONTHS, _DAYS, strict=True) if days >= (date.day or 0)]
    i = passage.place_at(date.start)
    in_name = _is_capital(passage, i - 1) or _is_capital(passage, i + 1)
    is_weekday = variant == "weekday" and date.weekday and not in_name
    return _WEEKDAYS if is_weekday and passage.keys.isdisjoint(_SPANS) else []


def _years_near(old: int, years: Sequence[int]) -> list[str]:
    """Return years near another one, in the same century and the same order as other years."""
    return [
        str(new)
        for shift in (_SHIFTS if len(years) == 1 else _SMALL_SHIFTS)
        for new in (old - shift, old + shift)
        if new <= max(_LATEST, *years) and old // 100 == new // 100
        if all((new > other) == (old > other) for other in years if other != old)
    ]

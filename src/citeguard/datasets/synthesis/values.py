"""Kinds of another value: `number`, `unit` and `date`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import Literal, NamedTuple

from citeguard.datasets.synthesis.passages import Edit, Material, Passage, Rewrite
from citeguard.datasets.synthesis.wording import is_plural
from citeguard.language.numbers import Number
from citeguard.language.quantities import (
    CARDINALS,
    CENTURIES,
    MAGNITUDES,
    MONTH_NAMES,
    MONTHS,
    ORDINALS,
    TENS,
    WEEKDAYS,
    Unit,
)

# Numbers

Style = Literal["digits", "word", "ordinal word"]
_FIGURE = re.compile(
    r"(?P<digits>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?!st|nd|rd|th)|(?P<word>[A-Za-z]+)"
)
_WORDS = {value: word for word, value in (CARDINALS | TENS).items()}
_ORDINAL_WORDS = {value: word for word, value in ORDINALS.items() if value <= 12}
_LABELS = frozenset(
    "section chapter page figure table article articles sections chapters pages no number form"
    " part volume vol agenda rule item step level grade phase type class version line route highway"
    " interstate act title amendment isbn verse passage passages question source or №".split()
)
_NOT_AFTER_ORDINAL = frozenset("and of or few quarter half degree aid".split())
_BEFORE_ORDINAL = frozenset("the his her its their".split())
# "F-16", "1:10", "10 - 2", "(12", "6.2 miles)" and "403 m (1,322 ft)".
_JOINED_BEFORE = re.compile(r"[-–—/:.,#№_+×=*'’^(\[\w]\Z|\d\s?[-–—/]\s?\Z")
_JOINED_AFTER = re.compile(r"[½¼¾]|\s?[-–—/:+×.'’]\s?\d|\w|(?:\s+\S+){0,3}\s+\(\s?\d|[^()]{0,40}\)")
_LIST = re.compile(r"(?:[:(–—]| - |--|\b(?:are|were|namely|including)\b)[^.;]*(?:\band\b|, )")
_MOST_LISTED = 12
_LONGEST = 15  # characters of a number that counts something
_LEAST_SHIFT, _ROUGH_SHIFT = 0.05, 0.35


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
    if rest and rest not in MAGNITUDES:  # "two-thirds"
        return None
    word = (match["word"] or "").lower()
    if word:
        values = ORDINALS if word in ORDINALS else CARDINALS | TENS
        style: Style = "ordinal word" if word in ORDINALS else "word"
        value = float(values.get(word, 0))
    else:
        style, value = "digits", float(match["digits"].replace(",", ""))
    fits = value > 1 or (value == 1 and style == "ordinal word")
    return Figure(match.start(), match.end(), value, style, number) if fits else None


def _is_bound_to_its_place(passage: Passage, figure: Figure) -> bool:
    """Return whether another number would be wrong by its form, or given away by the rest."""
    words, text = passage.words, passage.text
    i, k = passage.place_at(figure.start), passage.place_at(figure.number.end - 1) + 1
    before, after = passage.key_at(i - 1), passage.key_at(k)
    if _JOINED_BEFORE.search(text, max(0, figure.start - 4), figure.start) or before in _LABELS:
        return True
    in_name = _is_capital(passage, i) or (not words[i].gap and _is_capital(passage, i - 1))
    in_date = figure.value <= 31 and not MONTHS.keys().isdisjoint(  # "December 6 through 29"
        passage.key_at(m) for m in range(i - 3, i + 3)
    )
    if in_name or in_date or _JOINED_AFTER.match(text, figure.end):
        return True
    if figure.style == "ordinal word":
        following = words[k : min(k + 3, passage.sentence(i).stop)]
        several = any(word.key in CARDINALS or is_plural(word.key) for word in following)
        ranks = before in _BEFORE_ORDINAL and figure.value in _ORDINAL_WORDS
        named = not following or not following[0].text[0].islower()
        return not ranks or several or named or after in _NOT_AFTER_ORDINAL
    listed = figure.value <= _MOST_LISTED and _LIST.search(text, figure.end)
    return bool(listed) or after in ("am", "pm", "o'clock")


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
        if not material.is_english and figure.style != "digits":
            continue
        others = [each.value * each.scale for each in figures if each is not figure]
        text = passage.text[figure.start : figure.end]
        for value in _drawn(figure, text, random):
            if _is_possible(figure, value, others, material.numbers):
                edit = Edit(figure.start, figure.end, _written(value, figure.style, text))
                yield Rewrite(figure.style, (edit,))
                break


def _is_possible(
    figure: Figure, value: float, others: Sequence[float], taken: frozenset[float]
) -> bool:
    number, old = figure.number, figure.value
    new = value * figure.scale
    if value < 2 or value in taken or new in taken or round(new, 6) in taken:
        return False
    if (number.high == inf and value < old) or (number.low == -inf and value > old):
        return False
    if number.kind == "percent" and old <= 100 < value:
        return False
    is_far = abs(value - old) >= (_ROUGH_SHIFT if number.rough else _LEAST_SHIFT) * old
    now = abs(number.value)
    return is_far and all((new > other) == (now > other) for other in others)


def _drawn(figure: Figure, text: str, random: Random) -> Iterator[float]:
    if figure.style == "ordinal word":
        yield from random.sample([2.0, 3.0, 4.0, 5.0, 6.0], 5)
    elif figure.style == "word":
        tens = figure.value >= 20 and figure.value % 10 == 0
        pool = [float(n) for n in (range(20, 91, 10) if tens else range(2, 13))]
        yield from sorted(pool, key=lambda n: (abs(n - figure.value) > 4, random.random()))
    else:
        yield from _drawn_digits(figure, text, random)


def _drawn_digits(figure: Figure, text: str, random: Random) -> Iterator[float]:
    """Yield numbers of the same length, those with two digits exchanged among the first."""
    decimals = len(text.partition(".")[2])
    whole = round(figure.value * 10**decimals)
    zeros = 0 if decimals else len(str(whole)) - len(str(whole).rstrip("0"))
    core = whole // 10**zeros
    digits = list(str(core))
    found: list[int] = []
    if len(digits) > 2:
        k = random.randrange(1, len(digits) - 1)
        digits[k], digits[k + 1] = digits[k + 1], digits[k]
        found.append(int("".join(digits)))
    spread = max(4, core // 2)
    found += [max(1, core + random.randint(-spread, spread)) for _ in range(24)]
    for other in found:
        if len(str(other)) == len(str(core)) and other % 10 != 0:
            yield other * 10**zeros / 10**decimals


def _written(value: float, style: Style, like: str) -> str:
    """Write a number in the form of another one.

    Examples:
        >>> _written(1324, "digits", "1,234"), _written(3, "word", "two")
        ('1,324', 'three')
    """
    if style == "word":
        return _WORDS[int(value)]
    if style == "ordinal word":
        return _ORDINAL_WORDS[int(value)]
    decimals = len(like.partition(".")[2])
    return f"{value:{',' if ',' in like else ''}.{decimals}f}"


def _ordinal(value: int) -> str:
    if value % 100 in (11, 12, 13):
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"


# Units

# Each is replaced by one of its neighbours.
_SCALES = (
    "second minute", "hour day week month year", "decade century", "kilometre mile",
    "kilometer mile", "millimetre centimetre", "millimeter centimeter inch", "metre foot",
    "meter foot", "microgram milligram gram ounce", "tonne kilogram", "kilogram pound", "ton pound",
    "litre gallon", "liter gallon", "acre hectare", "kilowatt megawatt gigawatt",
    "megabyte gigabyte terabyte", "dollar euro", "km miles", "mm cm in", "mg g", "kg lb", "m ft",
    "mph km/h", "MW GW", "GB TB",
)  # fmt: skip
_OTHER_MAGNITUDES = {"billion": "million", "trillion": "billion"}
_OTHER_SIGNS = {"$": "€", "€": "$", "£": "$"}
_OTHER_UNITS = {
    unit.lower(): [*units[max(0, i - 1) : i], *units[i + 1 : i + 2]]
    for units in map(str.split, _SCALES)
    for i, unit in enumerate(units)
}
_SYMBOLS = frozenset("km mm cm mg g kg lb lbs m ft mph mw gw gb".split())
_PLURALS = {"foot": "feet", "inch": "inches", "century": "centuries"}
_SINGULARS = {plural: one for one, plural in _PLURALS.items()}
_UNIT = re.compile(r"[\s-]*([A-Za-z]+)")
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")
_RATES = re.compile(r"\s*(?:/|\(\s?\d|[-'’]|(?:a|an|per|every|each|line)\b)")
_OLD = re.compile(r"\W*(?:\w+\W+){0,2}(?:old|age)\b")


def find_units(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another unit of the same dimension after a number, another magnitude or currency."""
    text = passage.text
    for number in passage.numbers:
        start = number.whole[0]
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
        match = _UNIT.fullmatch(text, number.end, max(number.end, number.whole[1]))
        other = _other_unit(match[1], random) if match else None
        if match and other and number.unit and _may_change(passage, number, number.unit):
            yield Rewrite("unit", (Edit(match.start(1), match.end(1), other),))


def _other_unit(written: str, random: Random) -> str | None:
    key = written.lower()
    one = _SINGULARS.get(key, key if key in _OTHER_UNITS else key.removesuffix("s"))
    is_name = written.islower() and one not in _SYMBOLS  # not "the Seven Years' War"
    if one not in _OTHER_UNITS or not (is_name or one in _SYMBOLS):
        return None
    other = random.choice(_OTHER_UNITS[one])
    return other if key == one or one in _SYMBOLS else _PLURALS.get(other, f"{other}s")


def _may_change(passage: Passage, number: Number, unit: Unit) -> bool:
    """Return whether nothing beside a quantity gives another unit away: "10 km (6.2 miles)"."""
    units = [other.unit.dimension for other in passage.numbers if other.unit]
    end = number.whole[1]
    if units.count(unit.dimension) > 1 or _RATES.match(passage.text, end):
        return False
    spans = unit.dimension == "time" and len(_YEAR.findall(passage.text)) > 1
    return not (spans or _OLD.match(passage.text, end))  # "six months, from 1754 to 1760"


# Dates

_SHIFTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12)
_SMALL_SHIFTS = _SHIFTS[:4]  # beside another year
_LATEST = 2024
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SPANS = frozenset("between until weekdays weekends weekend".split())
_PARTS = {
    "year": re.compile(r"[12]\d{3}\Z"),
    "decade": re.compile(r"[12]\d\d0s\Z"),
    "month": re.compile("|".join(name.title() for name in MONTH_NAMES)),
    "day": re.compile(r"(?<![\d.])[1-9]\d?(?:st|nd|rd|th)?(?![\d.])"),
    "weekday": re.compile("|".join(name.title() for name in WEEKDAYS)),
    "century": re.compile(r"\w+(?=[ -][Cc]entury)"),
}
_CENTURIES = (list(CENTURIES)[:20], [_ordinal(n) for n in range(1, 21)])
_GOES_ON = re.compile(r"\s?(?:[-–/]|and\b|to\b)")


def find_dates(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another valid year, month, day, weekday, decade or century for each date."""
    dates = [number for number in passage.numbers if number.kind == "date"]
    years = [date.year for date in dates if date.year is not None]
    for date in dates:
        for variant, pattern in _PARTS.items():
            match = pattern.search(passage.text[date.start : date.end])
            others = _others(variant, match[0], passage, date, years) if match else []
            others = [each for each in others if each.lower() not in passage.keys]
            if variant in ("year", "day"):
                others = [each for each in others if _count(each) not in material.numbers]
            if not match or not others:
                continue
            new = random.choice(others)
            edit = Edit(date.start + match.start(), date.start + match.end(), new)
            before, after = passage.text[: edit.start].split(), passage.text[edit.end :].split()
            # The date with the word on either side of it must be new to the sources.
            if not material.has(" ".join([*before[-1:], new, *after[:1]])):
                yield Rewrite(variant, (edit,))


def _count(written: str) -> float:
    return float(written.rstrip("stndrh"))


def _others(
    variant: str, old: str, passage: Passage, date: Number, years: Sequence[int]
) -> list[str]:
    """Return what can replace a part of a date."""
    goes_on = _GOES_ON.match(passage.text, date.end)
    if variant == "year" and date.year == int(old) and years.count(date.year) == 1:
        joined = goes_on and goes_on[0] in ("-", "/")
        return [] if joined else _years_near(int(old), years)
    if variant == "day" and date.day and date.day == _count(old) and date.month and not goes_on:
        days = [day for day in range(1, 29) if day != date.day and (day > 9) == (date.day > 9)]
        return [str(day) if old.isdecimal() else _ordinal(day) for day in days]
    in_span = not passage.keys.isdisjoint(_SPANS)
    if variant == "month" and date.month and not in_span:
        months = zip(MONTH_NAMES, _DAYS, strict=True)
        return [name.title() for name, days in months if days >= (date.day or 0)]
    if variant == "weekday" and date.weekday and not in_span:
        i = passage.place_at(date.start)
        in_name = _is_capital(passage, i - 1) or _is_capital(passage, i + 1)
        return [] if in_name else [name.title() for name in WEEKDAYS]
    decades = [f"{old[:2]}{n}0s" for n in range(10)]
    for series in (decades, *_CENTURIES) if variant in ("decade", "century") else ():
        if old in series:
            at = series.index(old)
            return series[max(0, at - 2) : at] + series[at + 1 : at + 3]
    return []


def _years_near(old: int, years: Sequence[int]) -> list[str]:
    """Return years near another one, in the same century and the same order as other years."""
    return [
        str(new)
        for shift in (_SHIFTS if len(years) == 1 else _SMALL_SHIFTS)
        for new in (old - shift, old + shift)
        if new <= max(_LATEST, *years) and old // 100 == new // 100
        if all((new > other) == (old > other) for other in years if other != old)
    ]

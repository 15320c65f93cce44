"""Units: the same number of something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.english import is_plural
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Passage, Rewrite, Word
from citeguard.language.quantities import CARDINALS, TENS, find_unit

_OTHERS = {
    "second": "minute", "hour": "day", "day": "week month",
    "week": "day month", "month": "week year", "year": "month decade", "decade": "year",
    "century": "decade", "kilometer": "mile", "kilometre": "mile", "mile": "kilometer",
    "meter": "foot", "metre": "foot", "foot": "meter",
    "inch": "centimeter", "centimeter": "inch millimeter", "centimetre": "inch millimetre",
    "millimeter": "centimeter", "millimetre": "centimetre", "kilogram": "pound", "kilo": "pound",
    "gram": "ounce milligram", "milligram": "gram microgram", "ton": "pound kilogram",
    "tonne": "kilogram", "ounce": "gram", "liter": "gallon", "litre": "gallon", "gallon": "liter",
    "acre": "hectare", "hectare": "acre", "megawatt": "kilowatt gigawatt",
    "gigawatt": "megawatt", "kilowatt": "megawatt", "gigabyte": "megabyte terabyte",
    "terabyte": "gigabyte", "megabyte": "gigabyte",
    "billion": "million", "trillion": "billion",
    "dollar": "euro pound", "euro": "dollar pound", "km": "miles", "kg": "lb", "cm": "in",
    "mm": "cm", "mg": "g", "lb": "kg", "lbs": "kg", "ft": "m", "mi": "km",
    "mph": "km/h", "mw": "GW", "gw": "MW", "gb": "TB",
}  # fmt: skip
_PLURALS = {"foot": "feet", "inch": "inches", "century": "centuries"}
_SINGULARS = {plural: one for one, plural in _PLURALS.items()}
_SHORT = frozenset("km kg cm mm mg lb lbs ft mi mph mw gw gb".split())
_MAGNITUDES = frozenset("million billion trillion".split())
_SIGNS = {"$": "€", "€": "$", "£": "$"}
_SHORTER = ("second", "minute", "hour", "day", "week", "month", "year", "decade", "century")
_VAGUE = frozenset("several few many hundred thousand hundreds thousands".split())
_SOME = frozenset("several few many".split())
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")
_PER = frozenset("a an per every each of".split())
_MOST_YEARS = 36  # that could be months
_MOST_MONTHS_OLD = 3  # "a two-month-old" can be believed, "a thirty-month-old" hardly


def find_units(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another unit of the same dimension after a number, another magnitude, or currency."""
    ways = [way for i in range(len(passage.words)) for way in _ways(passage, i, random)]
    random.shuffle(ways)
    yield from ways


def _ways(passage: Passage, i: int, random: Random) -> Iterator[Rewrite]:
    word, after = passage.words[i], passage.at(i + 1)
    if word.text in _SIGNS and after is not None and after.is_figure:
        others = [each.text for each in passage.words if each.text in _SIGNS]
        if len(others) == 1 and (i == 0 or not passage.words[i - 1].is_capital):
            yield Rewrite("currency", (passage.edit(i, i, _SIGNS[word.text]),))
    elif _is_measured(passage, i):
        yield from _measured_ways(passage, i, random)


def _is_measured(passage: Passage, i: int) -> bool:
    word, k = passage.words[i], i - 1
    shouted = word.is_capital and word.key not in _SHORT  # "the Seven Years' War"
    if not word.is_word or shouted or _singular(word) not in _OTHERS:
        return False
    if passage.key(k) == "-":
        k -= 1
    number = passage.at(k)
    if number is None or passage.key(k - 1) in ("(", "[", "every"):
        return False
    counted = number.is_figure or number.key in CARDINALS | TENS
    if _singular(word) == "century" and number.key not in CARDINALS:  # "the 19th century"
        return False
    long = word.key not in _SHORT
    return counted or (long and (number.key in _VAGUE or number.key in _MAGNITUDES))


def _measured_ways(passage: Passage, i: int, random: Random) -> Iterator[Rewrite]:
    word = passage.words[i]
    one = _singular(word)
    options = _OTHERS[one].split()
    for other in random.sample(options, len(options)):
        if other in ("month", "week", "day") and _is_age(passage, i):
            continue
        if _fits(passage, i, one, other):
            form = _form(word, one, other)
            variant = "magnitude" if one in _MAGNITUDES else "unit"
            yield Rewrite(variant, (passage.edit(i, i, form),))
            return


def _fits(passage: Passage, i: int, one: str, other: str) -> bool:
    """Tell whether another unit is believable: no "8 days a day", and none beside it."""
    if one in _MAGNITUDES:
        # One of two gives it away.
        return sum(word.key in _MAGNITUDES for word in passage.words) == 1
    after = passage.at(i + 1)
    if after is not None and (after.text in ("-", "line", "/", "'", "’") or _goes_on(passage, i)):
        return False
    if any(k != i and _singular(word) == one for k, word in enumerate(passage.words)):
        return False  # "72 minutes, twice the 36 hours of before" gives it away
    if other in _SHORTER and len(_YEAR.findall(passage.text)) > 1:
        return False  # "in six months, from 1754 to 1760"
    if _converted(passage, i) or (one == "year" and not _is_few(passage, i, other)):
        return False
    vague = passage.key(i - 1) in _VAGUE
    if vague and other in _SHORTER and _SHORTER.index(other) < _SHORTER.index(one):
        return False  # what took many years also took many months
    if other in _SHORTER and passage.key(i + 1) in _PER:
        whole = passage.key(i + 2)
        if whole[:1].isdecimal():  # "10 months of 2018"
            return False
        if whole not in _SHORTER:  # "3 months of notice", but no "7 hours a side"
            return passage.key(i + 1) == "of"
        return _SHORTER.index(other) < _SHORTER.index(whole)
    return passage.key(i + 1) not in ("per", "/") or other not in _SHORTER


def _goes_on(passage: Passage, i: int) -> bool:
    """Tell whether a smaller unit follows: "three hours and five minutes"."""
    near = [passage.key(k) for k in range(i + 1, i + 6)]
    counted = near[0] in ("and", ",") and (near[1][:1].isdecimal() or near[1] in CARDINALS | TENS)
    return counted and any(_bare(key) in _SHORTER for key in near[2:])


def _bare(key: str) -> str:
    return _SINGULARS.get(key, key.removesuffix("s"))


def _is_few(passage: Passage, i: int, other: str) -> bool:
    """Tell whether there are so few years that they could be months, or "several" decades."""
    number = passage.key(i - 2) if passage.key(i - 1) == "-" else passage.key(i - 1)
    if number in _MAGNITUDES or (len(number) > 2 and number[0].isdecimal()):
        return False
    count = int(number) if number.isdecimal() else (CARDINALS | TENS).get(number, 0)
    return number in _SOME if other == "decade" else count <= _MOST_YEARS


def _converted(passage: Passage, i: int) -> bool:
    """Tell whether another unit of the same dimension stands near: "10 km (6.2 miles)"."""
    unit = find_unit(passage.key(i))
    if unit is None or unit.dimension == "time":
        return False
    near = (find_unit(passage.key(k)) for k in range(max(0, i - 6), i + 7) if k != i)
    return any(each is not None and each.dimension == unit.dimension for each in near)


def _is_age(passage: Passage, i: int) -> bool:
    old = {passage.key(i + 1), passage.key(i + 2), passage.key(i + 3)}
    number = passage.key(i - 2) if passage.key(i - 1) == "-" else passage.key(i - 1)
    small = CARDINALS.get(number, 99) if not number.isdecimal() else int(number)
    return not old.isdisjoint({"old", "age"}) and small > _MOST_MONTHS_OLD


def _singular(word: Word) -> str:
    key = _SINGULARS.get(word.key, word.key)
    return key if key in _OTHERS else key.removesuffix("s")


def _form(word: Word, one: str, other: str) -> str:
    """Put a unit in the number of another: "miles" for "kilometers"."""
    if one in _SHORT or one == word.key or not (is_plural(word.key) or word.key in _SINGULARS):
        return other
    return _PLURALS.get(other, f"{other}s")

"""Quantities and dates as they are written, read so that they can be compared."""

from __future__ import annotations

import re
from typing import NamedTuple

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: float(value) for value, word in enumerate(_ONES)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, 2)
}
_MAGNITUDES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
}
_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_CENTURIES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
_WORDS = "|".join([*_VALUES, *_MAGNITUDES])
_MONTH = r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.|" + "|".join(_MONTHS)
_ORDINAL = r"(?:st|nd|rd|th)"

# What one of each unit is, in the first one of its kind; two kinds cannot be compared.
_KINDS: dict[str, dict[str, float]] = {
    "time": {
        "second": 1,
        "minute": 60,
        "hour": 3_600,
        "day": 86_400,
        "week": 604_800,
        "month": 2_629_800,
        "year": 31_557_600,
        "decade": 315_576_000,
    },
    "length": {
        **dict.fromkeys(("m", "meter", "metre"), 1),
        **dict.fromkeys(("mm", "millimeter", "millimetre"), 0.001),
        **dict.fromkeys(("cm", "centimeter", "centimetre"), 0.01),
        **dict.fromkeys(("km", "kilometer", "kilometre"), 1_000),
        **dict.fromkeys(("ft", "foot", "feet"), 0.3048),
        **dict.fromkeys(("mi", "mile"), 1_609.344),
        **{"inch": 0.0254, "inches": 0.0254, "yard": 0.9144},
    },
    "mass": {
        **dict.fromkeys(("kg", "kilogram"), 1),
        **dict.fromkeys(("g", "gram"), 0.001),
        **dict.fromkeys(("mg", "milligram"), 0.000_001),
        **{"tonne": 1_000, "pound": 0.45359237, "lb": 0.45359237, "ounce": 0.028349523},
    },
    "share": {"%": 1, "percent": 1, "per cent": 1},
    "dollars": {"$": 1, "dollar": 1},
    "euros": {"€": 1, "euro": 1},
    "sterling": {"£": 1},
    "Celsius": {"°c": 1},
    "Fahrenheit": {"°f": 1},
}
_UNITS = {unit: (kind, size) for kind, sizes in _KINDS.items() for unit, size in sizes.items()}
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_NUMBER = rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|(?:{_WORDS})\b"
_MORE = rf"(?:[\s-]+(?:and\s+)?(?:{_WORDS})\b)*"
# The letters and digits around are looked at: "B12", "12th" and "1990s" are no quantities.
QUANTITY = re.compile(
    rf"(?<![\w.,/:-])[$€£¥]?\s?(?:{_NUMBER}){_MORE}(?![\w]|[.,/:]\d)"
    rf"(?:[\s-]?(?:(?:US\s+)?(?:{_UNIT})s?(?!\w)))?",
    re.IGNORECASE,
)
_UNIT_OF = re.compile(rf"([$€£])|(?<![^\W\d_])({_UNIT})s?(?!\w)", re.IGNORECASE)
DATE = re.compile(
    rf"\b\d{{1,2}}{_ORDINAL}?\s+(?:of\s+)?(?:{_MONTH})\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTH})\s+\d{{1,2}}{_ORDINAL}?\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTH}),?\s+(?:of\s+)?\d{{4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b"
    rf"|\b\d{{1,2}}{_ORDINAL}[\s-]+century\b(?:\s+BCE?)?"
    rf"|\b(?:{'|'.join(_CENTURIES)})\s+century\b(?:\s+BCE?)?"
    r"|\b\d[\d,.]*\s+(?:(?:thousand|million|billion)\s+)?years\s+ago\b"
    r"|\b[12]\d{2}0s\b|\b\d{1,4}\s+BCE?\b|\b(?:AD\s+)?[12]\d{3}\b(?![,.]?\d)"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    # "may" and "march" in small letters are no months.
    r"|\b(?-i:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b",
    re.IGNORECASE,
)


class Quantity(NamedTuple):
    """A number, in the first unit of a kind; the kind is "" where no unit is known."""

    value: float
    kind: str
    unit: str


class Date(NamedTuple):
    """The parts of a date that are given."""

    year: str | None = None
    month: int | None = None
    day: int | None = None
    other: str | None = None


# Dates that are one thing, and not made of a year, a month and a day.
_OTHER = re.compile(r"\d+s\b|[\w-]+\s+century(?: bce?)?|\d+-century|\d+ bce?|\w+day\b|.*years ago")


def _plain(text: str) -> str:
    """Write centuries in figures, and one way."""
    for place, word in enumerate(_CENTURIES, 1):
        text = re.sub(rf"\b{word}\b", str(place), text)
    return " ".join(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text).replace("bce", "bc").split())


def read_number(text: str) -> float | None:
    """Return the value of a number in digits or English words, or `None`.

    Examples:
        >>> read_number("1,250"), read_number("twenty-five thousand"), read_number("3.5 million")
        (1250.0, 25000.0, 3500000.0)
    """
    total, current, found = 0.0, 0.0, False
    for part in re.findall(r"\d[\d,]*(?:\.\d+)?|[a-z]+", text.lower()):
        if part[0].isdigit():
            current, found = float(part.replace(",", "")), True
        elif part in _VALUES:
            current, found = current + _VALUES[part], True
        elif part in _MAGNITUDES:
            scaled = (current if found and current else 1.0) * _MAGNITUDES[part]
            found = True
            if part == "hundred":
                current = scaled
            else:
                total, current = total + scaled, 0.0
    return total + current if found else None


def read_quantity(text: str) -> Quantity | None:
    """Return the value of a number with its unit, or `None`.

    Examples:
        >>> read_quantity("three weeks")
        Quantity(value=1814400.0, kind='time', unit='week')
    """
    value = read_number(text)
    unit = _UNIT_OF.search(text.lower())
    if value is None or unit is None:
        return None if value is None else Quantity(value, "", "")
    name = unit[1] or unit[2]
    kind, size = _UNITS[name]
    return Quantity(value * size, kind, name)


def read_date(text: str) -> Date:
    """Return the parts of a date.

    Examples:
        >>> read_date("7 February 2016"), read_date("the 1990s").other
        (Date(year='2016', month=2, day=7, other=None), '1990s')
    """
    lower = text.lower()
    if iso := re.search(r"\b(\d{4})-(\d{2})-(\d{2})\b", lower):
        return Date(iso[1], int(iso[2]), int(iso[3]))
    if other := _OTHER.search(lower):
        return Date(other=_plain(other[0]))
    year = re.search(r"\b[12]\d{3}\b", lower)
    month = re.search("|".join(name[:3] for name in _MONTHS), lower)
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", lower)
    return Date(
        year[0] if year else None,
        [name[:3] for name in _MONTHS].index(month[0]) + 1 if month else None,
        int(day[1]) if day and month else None,
    )

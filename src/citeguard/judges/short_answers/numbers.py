"""Quantities and dates as they are written, read so that they can be compared."""

from __future__ import annotations

import re
from typing import NamedTuple

from citeguard.language.quantities import (
    CARDINALS,
    CELSIUS,
    CURRENCIES,
    FAHRENHEIT,
    MAGNITUDES,
    MONTH_NAMES,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    PERCENT,
    TENS,
    UNITS,
    Unit,
)

_VALUES = {word: float(value) for word, value in (CARDINALS | TENS).items()}
_CENTURIES = {**ORDINALS, "twenty-first": 21}
_WORDS = "|".join([*_VALUES, *MAGNITUDES])
_ABBREVIATED = "|".join(name for name in MONTHS if name not in MONTH_NAMES)
_MONTH = rf"(?:{_ABBREVIATED})\.|" + "|".join(MONTH_NAMES)
_ORDINAL = rf"(?:{'|'.join(ORDINAL_ENDINGS)})"
_CAPITAL_MONTHS = "|".join(name.capitalize() for name in MONTH_NAMES)
# A "pound" is a weight here, as a sum in pounds has its sign before it.
_UNITS = {
    **{form: Unit(name, 1.0) for form, name in CURRENCIES.items()},
    **UNITS,
    **dict.fromkeys(PERCENT, Unit("share", 1.0)),
    **{"°c": CELSIUS, "°f": FAHRENHEIT},
}
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_NUMBER = rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|(?:{_WORDS})\b"
_MORE = rf"(?:[\s-]+(?:and\s+)?(?:{_WORDS})\b)*"
# The letters and digits around are looked at: "B12", "12th" and "1990s" are no quantities.
QUANTITY = re.compile(
    rf"(?<![\w.,/:-])[$€£¥]?\s?(?:{_NUMBER}){_MORE}(?![\w]|[.,/:]\d)"
    rf"(?:[\s-]?(?:(?:US\s+)?(?:{_UNIT})s?(?!\w)))?",
    re.IGNORECASE,
)
_UNIT_OF = re.compile(rf"([$€£¥])|(?<![^\W\d_])({_UNIT})s?(?!\w)", re.IGNORECASE)
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
    rf"|\b(?-i:{_CAPITAL_MONTHS})\b",
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
    for word, place in reversed(_CENTURIES.items()):  # "twenty-first" before "first"
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
        if part[0].isdecimal():
            current, found = float(part.replace(",", "")), True
        elif part in _VALUES:
            current, found = current + _VALUES[part], True
        elif part in MAGNITUDES:
            scaled = (current if found and current else 1.0) * MAGNITUDES[part]
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
    found = _UNITS[name]
    return Quantity((value - found.zero) * found.size, found.dimension, name)


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
    month = re.search("|".join(name[:3] for name in MONTH_NAMES), lower)
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", lower)
    return Date(
        year[0] if year else None,
        MONTHS[month[0]] if month else None,
        int(day[1]) if day and month else None,
    )

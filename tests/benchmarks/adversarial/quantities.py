"""Numbers, dates, shares and sums, changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from .cases import Candidates
from .rewrites import any_of, recase, swaps
from .typography import matches

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_NUMBER = r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])"
_WORDED = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "twelfth",
]


def _other(values: Sequence[str]) -> Callable[[re.Match[str], Random], str]:
    """Choose another of some values."""
    return lambda m, rng: recase(
        m.group(), rng.choice([v for v in values if v != m.group().lower() and v != m.group()])
    )


def _digit_changed(m: re.Match[str], rng: Random) -> str:
    """Change one digit of a number."""
    number = m.group()
    at = rng.choice([i for i, char in enumerate(number) if char.isdigit()])
    options = [d for d in "123456789" if d != number[at]]
    return number[:at] + rng.choice(options) + number[at + 1 :]


def _digits_exchanged(m: re.Match[str], rng: Random) -> str:
    """Exchange two neighbouring digits that differ."""
    number = m.group()
    places = [
        i
        for i in range(len(number) - 1)
        if number[i : i + 2].isdigit() and number[i] != number[i + 1]
    ]
    if not places:
        return number
    at = rng.choice(places)
    return number[:at] + number[at + 1] + number[at] + number[at + 2 :]


def _digit_added(m: re.Match[str], rng: Random) -> str:
    """Write a number with a digit more or less."""
    number = m.group()
    return number[:-1] if len(number) > 2 and rng.random() < 0.5 else number + rng.choice("05")


def _point_moved(m: re.Match[str], rng: Random) -> str:
    """Lose or move a decimal point."""
    whole, part = m.group().split(".")
    return rng.choice(
        (
            whole + part,
            f"{whole}{part[0]}.{part[1:] or '0'}",
            f"0.{whole}{part}",
            f"{whole},{part}00",
        )
    )


def _thousands_changed(m: re.Match[str], rng: Random) -> str:
    """Change what a thousands separator means."""
    number = m.group()
    return rng.choice(
        (
            number.replace(",", ".", 1),
            number + ",000",
            number[: number.rfind(",")],
            number.replace(",", ",0", 1),
            number + "0",
        )
    )


def _roman_changed(m: re.Match[str], rng: Random) -> str:
    return rng.choice(
        [r for r in ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X") if r != m.group()]
    )


NUMBERS: dict[str, Candidates] = {
    "number_digit": matches(_NUMBER, _digit_changed),
    "number_order": matches(r"(?<![\w.,])\d{2,}(?:,\d{3})*(?:\.\d+)?(?!\w)", _digits_exchanged),
    "number_length": matches(r"(?<![\w.,])\d+(?![\w.,])", _digit_added),
    "number_decimal": matches(r"(?<![\w.,])\d+\.\d+(?![\w.])", _point_moved),
    "number_thousands": matches(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w.])", _thousands_changed),
    "number_word": any_of(
        matches(rf"\b(?:{'|'.join(_WORDED)})\b", _other(_WORDED)),
        matches(rf"\b(?:{'|'.join(_ORDINALS)})\b", _other(_ORDINALS)),
        swaps(
            ("twice", "three times"),
            ("dozen", "hundred"),
            ("half", "third"),
            ("quarter", "third"),
            ("double", "triple"),
            ("doubled", "tripled"),
            ("once", "twice"),
            ("half", "quarter"),
            ("dozens", "hundreds"),
            ("hundreds", "thousands"),
            ("single", "double"),
            ("both", "three"),
        ),
    ),
    "number_lost": matches(
        rf"(?<=[a-z] )(?:\d+(?:,\d{{3}})*|{'|'.join(_WORDED)}) (?=[a-z]{{3}})", lambda m, r: ""
    ),
    "number_roman": matches(r"(?<=[a-z] )(?:II|III|IV|VI|VII|VIII|IX|V)\b", _roman_changed),
    "date_year": matches(
        r"\b(?:1[5-9]\d\d|20[0-2]\d)\b(?!s|,)",
        lambda m, r: str(int(m.group()) + r.choice((-100, -10, -2, -1, 1, 2, 10))),
    ),
    "date_month": any_of(
        matches(
            rf"\b(?:{'|'.join(_MONTHS)})\b(?=,? \d|\.| of \d)|(?<=\d )(?:{'|'.join(_MONTHS)})\b",
            _other(_MONTHS),
        ),
        matches(rf"\b(?:{'|'.join(_DAYS)})\b", _other(_DAYS)),
    ),
    "date_day": any_of(
        matches(
            r"(?<=[a-z] )\d{1,2}(?=, (?:1[5-9]|20)\d\d)", lambda m, r: str(int(m.group()) % 28 + 1)
        ),
        matches(
            rf"\b\d{{1,2}}(?= (?:{'|'.join(_MONTHS)})\b)", lambda m, r: str(int(m.group()) % 28 + 1)
        ),
    ),
    "date_period": any_of(
        matches(r"\b\d{3}0s\b", lambda m, r: f"{int(m.group()[:-1]) + r.choice((-20, -10, 10))}s"),
        matches(
            r"\b\d{1,2}th(?= century| centuries|-century)",
            lambda m, r: (
                f"{int(m.group()[:-2]) % 9 + 11}th"
                if int(m.group()[:-2]) % 9 + 11 != int(m.group()[:-2])
                else "4th"
            ),
        ),
        swaps(
            ("BC", "AD"),
            ("BCE", "CE"),
            ("a.m.", "p.m."),
            ("am", "pm"),
            ("AM", "PM"),
            ("mid", "late"),
            ("early", "late"),
        ),
    ),
    "percent": any_of(
        matches(r"(?<=\d)%", lambda m, r: r.choice(("", "", "‰"))),
        matches(
            r"(?<=\d) percent\b|(?<=\d) per cent\b",
            lambda m, r: r.choice(("", " percentage points", " basis points")),
        ),
    ),
    "currency": matches(
        r"[$£€¥](?=\d)",
        lambda m, r: r.choice([c for c in ("$", "£", "€", "¥", "") if c != m.group()]),
    ),
    "magnitude": any_of(
        swaps(
            ("million", "billion"),
            ("billion", "trillion"),
            ("thousand", "million"),
            ("hundred", "thousand"),
            ("millions", "billions"),
            ("thousands", "millions"),
        ),
        matches(r"(?<=\d) (?:million|billion|thousand)\b", lambda m, r: ""),
    ),
}

"""The one reader of numbers: the figures, quantities and dates of a text, and where they are.

`find_numbers` reads digits with the separators of all locales, English number words, units,
currencies, percentages, dates, ranges and bounds. The tables of words are in `number_words`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf, isinf
from typing import Literal, NamedTuple

from citeguard.language.lexicon import language_has_decimal_comma
from citeguard.language.markup import find_noise
from citeguard.language.number_words import (
    CARDINALS,
    CELSIUS,
    CURRENCIES,
    DOLLARS,
    FAHRENHEIT,
    LETTER_MAGNITUDES,
    MAGNITUDES,
    MONTH_NAMES,
    MONTHS,
    NUMBER_WORDS,
    ORDINALS,
    PERCENT,
    SHORT_MAGNITUDES,
    TENS,
    WEEKDAYS,
    Unit,
    find_unit,
)
from citeguard.language.scripts import CharacterTable
from citeguard.language.tokens import FUNCTION_WORDS, Token

NumberKind = Literal["count", "percent", "money", "date", "ordinal", "label"]

SHARE, POINTS = Unit("share", 1.0), Unit("points", 1.0)
CLOCK, CLOCK_FACE = Unit("time of day", 1.0), Unit("time of day", 1.0, 12.0)
"""Hours since midnight; of a clock face if it may be morning or evening: "5:30"."""
DEGREES = Unit("degrees", 1.0)
"""Degrees of an unnamed scale, or of an angle."""

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number, quantity or date of a text. Offsets are in code points, intervals half-open.

    Attributes:
        kind: What it is; a share of a whole is a `percent`, and a `label` is the number in a name
            such as "Form 1040" or after a word such as "version".
        value: Its value, below 0 after a minus; of a range the lower end; of a date the year, or
            else the day, month or weekday.
        low: The least value meant, minus infinity for "at most 5". Of dates, the first year meant;
            minus infinity if no year is given.
        high: The greatest value meant, inclusive.
        start: Where the figure starts, without sign, currency and unit.
        end: Where the figure ends.
        whole: The figure with them; equal to (`start`, `end`) of a date.
        unit: What it is measured in; the dimension of a currency is its name.
        rough: Whether it is approximate: "about 5", "over 5", "half of".
        year: Of a date; `None` for decades, centuries and if not given.
        month: Of a date, 1 to 12.
        day: Of a date, 1 to 31.
        weekday: Of a date, from 1 for Monday.
    """

    kind: NumberKind
    value: float
    low: float
    high: float
    start: int
    end: int
    whole: Interval
    unit: Unit | None = None
    rough: bool = False
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    @property
    def is_range(self) -> bool:
        """Whether it is "5 to 10", a decade or the like: of two ends that are not the same."""
        return -inf < self.low < self.high < inf


def find_numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order; no two overlap. Those of citation marks are none.

    Digits of all scripts are read, with the thousands separators of all locales; number words in
    English only. A single comma or stop before three digits is ambiguous: "1,250" is read as 1250
    and "1.250" as 1.25, as in English.

    Examples:
        >>> number, date = find_numbers("It sold at least 1.5 million litres on 3 May 2019.")
        >>> number.low, number.unit.dimension, (date.day, date.month, date.year)
        (1500000.0, 'volume', (3, 5, 2019))
    """
    plain = _plain(text)
    found: list[Number] = []
    done = 0
    for begin in _pattern("begin").finditer(plain):
        start = begin.start()
        if start >= done and (
            number := _full_date(plain, start)
            or _period(plain, start)
            or _quantity(plain, start, done)
        ):
            found.append(number)
            done = max(number.end, number.whole[1])
    return tuple(found)


class Figure(NamedTuple):
    """A value or a date, as a half-open interval of tokens.

    Attributes:
        first: The place of its first token.
        end: The place after its last one.
        key: The same for every way of writing it.
    """

    first: int
    end: int
    key: str


def find_figures(text: str, tokens: Sequence[Token]) -> list[Figure]:
    """Return the values and dates of a text that have several ways of writing, in order.

    Not the word "one" alone, unless a unit follows it; not dates in digits of which the order is
    unsure; not values of which the precision may be meant: "5.0 million".

    Args:
        text: Any text.
        tokens: Its tokens without marks.

    Examples:
        >>> from citeguard.language.tokens import tokenize
        >>> text = "On May 3rd, 2019 five of 1,200 left."
        >>> [figure.key for figure in find_figures(text, tokenize(text))]
        ['2019-5-3', '5', '1200']
    """
    # Most passages have no number.
    if not any(token.kind == "number" or token.key in _NUMBERING for token in tokens):
        return []
    # The text may be long, and the tokens those of a passage of it.
    low = max(0, tokens[0].start - _NEAR)
    plain = _plain(text[low : tokens[-1].end + _NEAR])
    places = [token.start - low for token in tokens]
    figures: list[Figure] = []
    done = 0
    for i, start in enumerate(places):
        if start < done or (
            tokens[i].kind != "number" and not _pattern("begin").match(plain, start)
        ):
            continue
        date = _full_date(plain, start)
        amount = None if date and date.month else _amount(plain, start)
        if date and date.month:
            key, end = f"{date.year or ''}-{date.month}-{date.day or ''}", date.end
        elif amount is None:
            continue
        else:
            end = amount.end
            key = f"{amount.value:.15g}{'th' if amount.is_ordinal else ''}"
            written = plain[start:end].lower()
            is_glyph = plain[start] in _VULGAR  # "½" is more than one token
            if tokens[i].kind == "number" and tokens[i].end - low == end and not is_glyph:
                # "1.250" is read by other numbers of the text, unlike "1.250,50" and "1250,50".
                is_clear = re.match(r"(?:\d{1,3}[.,'])+\d+[.,']\d|\d{4,},\d", tokens[i].text)
                key = key if is_clear else tokens[i].key
            elif re.match(r"\d+\.\d*0(?!\d)|.*dozen|one\Z", written) and (
                written != "one" or _measure(plain, end).unit is None
            ):
                continue
        last = bisect_left(places, end)
        if last > i and tokens[last - 1].end - low == end:
            # "the 3rd of May"
            has_article = i > 0 and tokens[i - 1].key == "the" and "-" in key
            figures.append(Figure(i - (has_article and tokens[i].kind == "number"), last, key))
            done = end
    return figures


_NUMBERING = NUMBER_WORDS.union(MONTHS)
_NEAR = 40  # characters on either side of a passage that show what its numbers are


def read_digits(written: str) -> float | None:
    """Return the value of a number in digits, or `None` if its separators make no number.

    Examples:
        >>> [read_digits(text) for text in ("1,250.5", "1.250,5", "12,34,567", "1 250", "3,5")]
        [1250.5, 1250.5, 1234567.0, 1250.0, 3.5]
    """
    plain = _plain_digits(_pattern("group of three").sub("", written).replace("٫", "."))
    return float(plain) if re.fullmatch(r"\d+(?:\.\d+)?|\.\d+", plain) else None


def _plain_digits(written: str) -> str:
    """Return a number with a decimal point, if any, as its only separator; else unchanged."""
    if not _pattern("separated").fullmatch(written):
        return written
    *groups, last = re.split("[.,]", written)
    first, *others = [char for char in written if char in ".,"]
    is_grouped = groups[0] != "0" and len(groups[0]) <= 3
    plain = "".join(groups)
    if others and others[-1] != first and len({first, *others[:-1]}) == 1:  # "1.250,5"
        is_number = is_grouped and all(len(group) in (2, 3) for group in groups[1:])
        return f"{plain}.{last}".removesuffix(".00") if is_number else written
    if others:
        in_threes = all(len(group) == 3 for group in (*groups[1:], last))
        indian = first == "," and len(last) == 3 and all(len(group) == 2 for group in groups[1:])
        is_number = is_grouped and {first} == {*others} and (in_threes or indian)
        return plain + last if is_number else written
    if len(last) == 3 and is_grouped:  # ambiguous
        return plain + last if first == "," else written
    return f"{plain}.{last}"


def has_decimal_comma(text: str, language: str) -> bool:
    """Return whether "1,250" is less than two and "1.250" more: by other numbers or the language.

    Args:
        text: Any text.
        language: The code of its language, "" if unknown.

    Examples:
        >>> has_decimal_comma("Der Preis ist 1.250 Euro.", "de"), has_decimal_comma("1.250", "en")
        (True, False)
    """
    if _pattern("decimal point").search(text):
        return False
    known = language_has_decimal_comma(language, text)
    return _pattern("by stops").search(text) is not None if known is None else known


# What the patterns read: every character as one of ASCII where it has one, so that offsets stay.


def _fold(char: str) -> str:
    folded = unicodedata.normalize("NFKC", char)
    if unicodedata.category(char) == "Nd":
        folded = str(unicodedata.digit(char))
    elif unicodedata.category(char) == "Pd" or char == "−":
        folded = "-"
    elif char.isspace():
        folded = " "
    elif unicodedata.category(char) == "No":
        folded = char  # an exponent, an index, or a note
    own = {"’": "'", "٬": "'", "٫": ".", "μ": "μ"}.get(char)
    return own or (folded if len(folded) == 1 else char)


_FOLDS = CharacterTable(_fold)


def _plain(text: str) -> str:
    parts: list[str] = []
    place = 0
    for noise in find_noise(text):
        width = noise.end - noise.start
        seen = "" if noise.kind == "mark" else noise.replacement[:width]
        parts += text[place : noise.start], seen.rjust(width)
        place = noise.end
    return "".join((*parts, text[place:])).translate(_FOLDS)


# Values

_SCALES = MAGNITUDES | SHORT_MAGNITUDES
_LARGEST = 1e30  # of a value with magnitudes, which "million"s may follow without end
_LARGEST_BELOW = 16  # "6 1/16"; "3/20" is as likely a date
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_GAP = r"[\s-]{1,8}"
_VALUES = CARDINALS | TENS | ORDINALS


class _Amount(NamedTuple):
    """A bare value, and the place after its last character."""

    value: float
    end: int
    is_ordinal: bool = False
    scale: float = 1.0  # what its last magnitude multiplies by


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Return one of the patterns, compiled when first used."""
    return re.compile(_patterns()[name], re.IGNORECASE)


@cache
def _patterns() -> dict[str, str]:
    """Return the patterns by their names; most are made of tables of words."""
    scales = "|".join(sorted(_SCALES, key=len, reverse=True))
    counted = "|".join((*CARDINALS, *TENS, *ORDINALS, "hundred"))
    months = "|".join((*MONTH_NAMES, r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"))
    day, year = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>1\d{3}|20\d\d|2100)(?![\d%])(?!,\d)"
    ordinal = f"(?P<word>{'|'.join(ORDINALS)})"
    bounds = "|".join(
        sorted((each for each in _BOUNDS if each[0].isalpha()), key=len, reverse=True)
    )
    currencies = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
    return {
        "group of three": r"(?<=\d)[\s'’٬](?=\d{3}(?!\d))",
        "separated": r"\d+(?:[.,]\d+)+",
        "decimal point": r"(?<![\d.,])\d+\.\d\d?(?![\d.,])",
        # "1.250.000", "1.250,5"
        "by stops": r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])"
        r"|(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d\d?(?![\d.,])",
        "digits": r"\d{1,3}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|\.\d+"
        rf"|(?=[{_VULGAR}])",
        "fraction": rf"[ -]?([{_VULGAR}])|[ -](\d{{1,2}})/(\d{{1,2}})(?![\d/])",
        "short power": r"(?P<digits>\d+(?:[.,]\d+)*|\.\d+)e(?P<power>[+-]?\d{1,2})(?!\w|\.\d)",
        # "3 × 10^5", "10⁻³"
        "power of ten": r"(?:(?P<digits>\d+(?:[.,]\d+)*|\.\d+)\s?[×x·*]\s?)?10"
        r"(?:\^\{?(?P<plain>[+-]?\d{1,2})\}?(?!\d)|\s{0,8}(?P<raised>[−+]?[⁰¹²³⁴-⁹]{1,2}))",
        "and a half": r" and (?:a|one) half\b",
        "word": r"[^\W\d_]+",
        "word after": r"[ -]([^\W\d_]+)",
        "word before": r"([^\W\d_]+)[ (\n]{0,2}\Z",
        "currency before": rf"(?:(?<![^\W\d_])(?P<letters>{'|'.join(DOLLARS)})?"
        rf"(?P<sign>{currencies})\s?)?\Z",
        # In accounts, a triangle is a minus.
        "minus before": r"(?:(?<![\w)\]])-|[▲△▼▽]|\b(?:minus|negative)\s)\s?\Z",
        # Of a range: "5 to 10", "$5-$10"
        "link": r"\s?(?:-|--|to|and)\s?(?:[$€£¥]\s?)?",
        # " kg", " sq. ft", " km/h", " m²", " percentage points"
        "unit after": r"[\s-]{0,8}(?P<us>us\s)?(?:(?P<power>square|sq|cubic)[\s.]{1,2})?"
        r"(?P<word>[%$€£¥₹₽¢₩]|°\s?[cf]?(?![a-z])|degrees?(?:\scelsius|\sfahrenheit)?"
        r"|per\scent|[^\W\d_²³]+)(?P<raised>\s?[²³]|[23](?!\w|[.,]\d))?"
        r"(?:(?:\s?/\s?|\sper\s)(?P<below>[^\W\d_]+))?(?:\s(?P<points>points?))?",
        "bound before": rf"(?:(?<![\w<>=/-])(?:{bounds})|[≥≤<]=?|(?<=\s)>=?)\s?(?=[$€£¥]?\d)",
        "bound after": r"\+|\sor\s(?:(more|greater|higher|over|above|older)"
        r"|less|fewer|lower|under|below|younger)\b",
        "ordinal ending": r"(?:st|nd|rd|th)(?![a-z])",
        "letter before": r"(?a:[a-z])-?\Z",
        "begin": rf"(?<![\d{_VULGAR}])(?<!\d[.,])[\d{_VULGAR}]|(?<![\d.,\w])\.\d"
        rf"|\b(?:{counted}|half)\b"
        rf"|\ban? (?:{'|'.join(MAGNITUDES)}|third|quarter)\b"
        rf"|\b(?:{months}|{'|'.join(WEEKDAYS)})(?![a-z])",
        "words": rf"(?:an?[ ](?={'|'.join(MAGNITUDES)}))?(?:{counted}|{scales})"
        rf"(?:(?:{_GAP}and{_GAP}|{_GAP})(?:{counted}|{scales})(?![a-z]))*(?![a-z])",
        "scale": rf"[\s-]{{0,8}}({scales})s?(?![a-z])",
        "iso date": r"(?P<year>\d{4})([-/])(?P<one>\d{1,2})\2(?P<other>\d{1,2})(?!\d)",
        "dotted date": r"(?P<one>\d{1,2})\.(?P<other>\d{1,2})\.(?P<year>\d{4})(?!\d)",
        "slashed date": r"(?P<one>\d{1,2})/(?P<other>\d{1,2})/(?P<year>\d{4})(?!\d)",
        "day and month": rf"(?:{day}|{ordinal})(?: of)? (?P<name>{months})(?![a-z])"
        rf"(?:,? (?:of )?{year})?",
        "month and day": rf"(?P<name>{months})(?![a-z]) (?:the )?(?:{day}|{ordinal})\b(?!:|\.\d)"
        rf"(?:,? (?:of )?{year})?",
        "month": rf"(?P<name>{months})(?![a-z])(?:,? (?:of )?{year})?",
        "weekday": rf"(?P<name>{'|'.join(WEEKDAYS)})\b",
        "decade": r"(?P<year>\d{3}0)'?s\b",
        "century": rf"(?:(?P<number>\d{{1,2}})(?:st|nd|rd|th)|(?:(?P<tens>twenty)-)?{ordinal})"
        r"[ -]centur(?:y|ies)\b(?P<bc> bce?\b)?",
        # "2018", "2018-19"
        "year": r"(?P<year>\d{4})(?:(?:--?| -- )(?P<last>\d\d)(?![\d-]))?"
        r"(?![\d.,/:]\d)(?![\w%$€£])",
        "clock": r"(?P<hour>\d{1,2})(?::(?P<minutes>[0-5]\d))?"
        r"(?: ?(?P<half>[ap])\.?m(?:\.|\b))?(?!:?\d)",
        # "half of", "two thirds of the"; not "half of a day"
        "share": r"(?:(?P<half>half)|(?P<over>an?|one|two|three|four|\d)[ -]"
        r"(?P<below>third|quarter|fourth|fifth|sixth|eighth|tenth)s?)(?= (?:of|the)\b(?! an?\b))",
        "half of one": rf"half an?(?: ({scales}))?\b",
    }  # fmt: skip


def _amount(text: str, at: int) -> _Amount | None:
    """Read a value without sign and unit: "1,250", "two hundred and fifty", "a million"."""
    digits = _pattern("digits").match(text, at)
    if digits is None:
        words = _pattern("words").match(text, at)
        found = _in_words(words) if words else None
    else:
        value = read_digits(digits[0]) if digits[0] else 0.0
        if value is None or value == inf:
            return None
        found = _Amount(value, digits.end())
        if ending := _pattern("ordinal ending").match(text, found.end):
            return _Amount(value, ending.end(), is_ordinal=True)
    if found is None or found.is_ordinal:
        return found
    if (part := _pattern("fraction").match(text, found.end)) and (added := _fraction(part)):
        found = found._replace(value=found.value + added, end=part.end())
    elif half := _pattern("and a half").match(text, found.end):
        found = found._replace(value=found.value + found.scale / 2, end=half.end())
    while found.value < _LARGEST and (scale := _pattern("scale").match(text, found.end)):
        factor = _SCALES[scale[1].lower()]
        found = _Amount(found.value * factor, scale.end(), scale=factor)
    return found if 0 <= found.value < _LARGEST else None


def _value(text: str, at: int) -> _Amount | None:
    """Read an amount, or a number with a power of ten: "1e-5", "3 × 10⁵"."""
    if match := _pattern("short power").match(text, at):
        power = match["power"]
    elif match := _pattern("power of ten").match(text, at):
        power = match["plain"] or match["raised"].translate(_AS_DIGITS)
    else:
        return _amount(text, at)
    times = read_digits(match["digits"]) if match["digits"] else 1.0
    value = inf if times is None else float(f"{times!r}e{int(power)}")
    return _Amount(value, match.end()) if value < inf else None


_AS_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹−", "0123456789-")


def _fraction(part: re.Match[str]) -> float:
    if part[1]:
        return unicodedata.numeric(part[1])
    over, below = int(part[2]), int(part[3])
    return over / below if 0 < over < below <= _LARGEST_BELOW else 0.0


def _in_words(match: re.Match[str]) -> _Amount | None:
    """Return the value of the number words that a match begins with.

    Each word adds to a lower place than the one before, and magnitudes get smaller from group to
    group: "one hundred and two hundred" are two numbers.
    """
    total = group = 0.0
    lowest = inf
    known: _Amount | None = None
    sure: _Amount | None = None  # what is read if the last group turns out to be another number
    for word in _pattern("word").finditer(match[0]):
        key, end = word[0].lower(), match.start() + word.end()
        size = _SCALES.get(key)
        if key == "and":
            sure = known
        elif key in ("a", "an"):
            group = 1
        elif size is None:
            value, is_last = _VALUES[key], key in ORDINALS
            fits = not group % 100 or (value < 10 and not group % 10 and group % 100 >= 20)
            if not fits or (is_last and known and not group):
                return known
            sure = sure if group else known
            group += value
            known = _Amount(total + group, end, is_last, known.scale if known else 1)
            if is_last:
                return known
        elif size == 100 and 0 < group < 100:
            group *= size
            known = _Amount(total + group, end, scale=size)
        elif size == 100 or size >= lowest or (known and not group):
            return sure if group else known
        else:
            total, group, lowest = total + (group or 1) * size, 0, size
            known = sure = _Amount(total, end, scale=size)
    return known


# Dates

# Of years that are written alone: a number of three digits is seldom one.
FIRST_YEAR, LAST_YEAR = 1000, 2100
_LAST_DAY, _LAST_MONTH = 31, 12
# Months and days that in small letters are words: "may", "march", "sun".
_ALSO_WORDS = frozenset(("may", "march", "mar", "sat", "sun", "dec", "jan", "jun"))
_BEFORE_YEARS = frozenset(
    "in of since by from until till to during between and after before early late mid around"
    " circa year spring summer autumn fall winter c b d r".split()
) | frozenset(MONTHS)
_PLURALS = frozenset(("people", "men", "women", "children"))


def _dated(
    at: int,
    end: int,
    year: int | None = None,
    month: int | None = None,
    day: int | None = None,
    *,
    weekday: int | None = None,
    years: Interval | None = None,
) -> Number:
    low, high = years or ((-inf, inf) if year is None else (year, year))
    first = low if years else next(each for each in (year, day, month, weekday) if each is not None)
    return Number(
        kind="date",
        value=float(first),
        low=low,
        high=high,
        start=at,
        end=end,
        whole=(at, end),
        year=year,
        month=month,
        day=day,
        weekday=weekday,
    )


def _full_date(text: str, at: int) -> Number | None:
    """Read a date with a month, and a day or a year; of "5/3/2020" only the year is sure."""
    for name in ("iso date", "dotted date", "slashed date"):
        if match := _pattern(name).match(text, at):
            year, one, other = int(match["year"]), int(match["one"]), int(match["other"])
            day, month = max(one, other), min(one, other)
            if name == "iso date":
                day, month = other, one
            elif name == "dotted date":
                day, month = one, other
            elif one != other and day <= _LAST_MONTH:
                return _dated(at, match.end(), year=year)
            if 1 <= day <= _LAST_DAY and 1 <= month <= _LAST_MONTH:
                return _dated(at, match.end(), year=year, month=month, day=day)
    named = (_pattern(name).match(text, at) for name in ("day and month", "month and day"))
    for match in (*named, _pattern("month").match(text, at)):
        # "may" in lower case is no month, nor is a short form alone.
        name = match["name"].lower().rstrip(".") if match else ""
        if match is None or (match["name"].islower() and name in _ALSO_WORDS):
            continue
        parts = match.groupdict()
        day = int(parts.get("day") or ORDINALS.get((parts.get("word") or "").lower(), 0))
        is_name = name in MONTH_NAMES and match["name"][0].isupper()
        if (day or match["year"] or is_name) and day <= _LAST_DAY:
            year = int(match["year"]) if match["year"] else None
            return _dated(at, match.end(), year=year, month=MONTHS[name], day=day or None)
    return None


def _period(text: str, at: int) -> Number | None:
    """Read "Monday", "the 1990s", "19th century", and a year alone."""
    if match := _pattern("weekday").match(text, at):
        return _dated(at, match.end(), weekday=1 + WEEKDAYS.index(match["name"].lower()))
    if (match := _pattern("decade").match(text, at)) and int(match["year"]) >= FIRST_YEAR:
        return _dated(at, match.end(), years=(int(match["year"]), int(match["year"]) + 9))
    if match := _pattern("century").match(text, at):
        number = int(match["number"] or 0) or ORDINALS[match["word"].lower()]
        number += 20 * bool(match["tens"])
        first = -100 * number if match["bc"] else 100 * number - 99
        return _dated(at, match.end(), years=(first, first + 99))
    match = _pattern("year").match(text, at)
    if match is None or not FIRST_YEAR <= int(match["year"]) <= LAST_YEAR:
        return None
    year = int(match["year"])
    if match["last"] and (last := year - year % 100 + int(match["last"])) > year:
        return _dated(at, match.end(), years=(year, last))  # "2018-19"
    end = match.end("year")
    is_scaled = _pattern("scale").match(text, end)
    if is_scaled or _currency_before(text, at) or _measure(text, end).unit:
        return None
    # "1984 rooms" are counted; "the 2019 season" is of a year, and "Form 1040" a name.
    before = _word_before(text, at)
    if before.lower() not in _BEFORE_YEARS and (_counts(text, end) or _is_label(text, at, end)):
        return None
    return _dated(at, end, year=year)


def _word_before(text: str, at: int) -> str:
    match = _pattern("word before").search(text, max(0, at - 30), at)
    return match[1] if match else ""


def _counts(text: str, end: int) -> bool:
    """Return whether a noun in the plural follows a figure."""
    after = _pattern("word after").match(text, end)
    if after is None or not after[1][0].islower():
        return False
    return after[1] in _PLURALS or (after[1][-1] == "s" and after[1] not in FUNCTION_WORDS)


# Quantities

_NUMBERED = frozenset("version release section chapter article clause paragraph appendix".split())
_MONEY = frozenset((*CURRENCIES.values(), *DOLLARS.values()))
_AREA, _VOLUME = ("area", 2, 1.0), ("volume", 3, 1_000.0)
_POWERS = {
    **dict.fromkeys(("square", "sq", "²", "2"), _AREA),
    **dict.fromkeys(("cubic", "³", "3"), _VOLUME),
}
_SHORT_UNITS = {"h": "hour", "s": "second"}  # only after "/": "1990 s" may be a decade
_BELOW = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_OVER = {"a": 1, "an": 1, **CARDINALS}
_NOON, _MIDNIGHT = 12, 24
_AT_TIMES = frozenset("at from to till until by before after between around about".split())
_COMPARED = {"more": 1, "greater": 1, "higher": 1, "less": -1, "fewer": -1, "lower": -1}
_BOUNDS: dict[str, int] = {
    "at least": 1, "minimum of": 1, "least of": 1, "over": 1, "above": 1, "exceeding": 1,
    "at most": -1, "up to": -1, "maximum of": -1, "under": -1, "below": -1,
    **{">": 1, "≥": 1, ">=": 1, "<": -1, "≤": -1, "<=": -1},
    **{f"{word} than": sign for word, sign in _COMPARED.items()},
    **{f"{no} {word} than": -sign for no in ("no", "not", "never")
       for word, sign in _COMPARED.items()},
    **{f"{add} up to": 0 for add in ("add", "adds", "added", "adding")},
}  # fmt: skip
# What the phrase of an inclusive bound begins with.
_INCLUDED = ("at", "minimum", "maximum", "least", "up", "no", "not", "never", "≥", "≤", ">=", "<=")
_ABOUT = frozenset("about around approximately roughly nearly almost some circa estimated".split())


class _Measure(NamedTuple):
    unit: Unit | None
    end: int


def _quantity(text: str, at: int, done: int) -> Number | None:
    """Read a share, a time of day, or a value with its currency, sign, unit, bounds and range."""
    if (share := _pattern("share").match(text, at)) and _word_before(text, at) != "the":
        part = 0.5
        if not share["half"]:
            over = share["over"].lower()
            part = (int(over) if over.isdecimal() else _OVER[over]) / _BELOW[share["below"].lower()]
        return _number(text, at, share.end(), part * 100, unit=SHARE, rough=True, done=done)
    if (clock := _pattern("clock").match(text, at)) and (number := _clock(text, clock, done)):
        return number
    if halved := _pattern("half of one").match(text, at):
        size = _SCALES[halved[1].lower()] if halved[1] else 1
        amount = _Amount(size / 2, halved.end())
        if not halved[1] and _measure(text, halved.end()).unit is None:
            return None
    else:
        amount = _value(text, at)
    if amount is None:
        return None
    if amount.is_ordinal:
        return _number(text, at, amount.end, amount.value, kind="ordinal", done=done)
    if loss := _loss(text, at, amount, done):
        return loss
    currency = _currency_before(text, at) if at > done else None
    end = amount.end
    letter = LETTER_MAGNITUDES.get(text[end : end + 1].lower())
    is_letter = letter and not text[end + 1 : end + 2].isalnum()
    if is_letter and (currency or text[end] == "k"):
        amount = _Amount(amount.value * (letter or 1), end + 1, scale=letter or 1)
    measure = _measure(text, amount.end)
    number = _number(
        text, at, amount.end, amount.value, currency=currency, measure=measure, done=done
    )
    return _ranged(text, number, amount) or number


def in_plain_words(text: str) -> str:
    """Return an English text with each bound of a figure in the same words, whatever it has.

    Examples:
        >>> in_plain_words("Adults of 18 or older, with a BMI <30 and up to 2 children.")
        'Adults of at least 18, with a BMI less than 30 and at most 2 children.'
    """
    if _pattern("bound after").search(text):  # finding numbers is slow
        for number in reversed(find_numbers(text)):
            low, high = number.whole
            if isinf(number.high - number.low) and (
                after := _pattern("bound after").match(text, high)
            ):
                bound = "at least" if number.low == number.value else "at most"
                text = f"{text[:low]}{bound} {text[low:high]}{text[after.end() :]}"
    return _pattern("bound before").sub(_plain_bound, text)


def _plain_bound(match: re.Match[str]) -> str:
    phrase = " ".join(match[0].lower().split())
    if not _BOUNDS[phrase]:
        return match[0]
    included, up = phrase.startswith(_INCLUDED), _BOUNDS[phrase] > 0
    words = ("at least" if up else "at most") if included else "more than" if up else "less than"
    is_glued = match.start() and not match.string[match.start() - 1].isspace()
    return f"{' ' * bool(is_glued)}{words} "


def _loss(text: str, at: int, amount: _Amount, done: int) -> Number | None:
    """Read a number that accounts have in brackets because it is below 0: "(5)%", "$(509)"."""
    end = amount.end + 1
    if at <= done or text[at - 1] != "(" or text[amount.end : end] != ")":
        return None
    currency, scale = _currency_before(text, at - 1), _pattern("scale").match(text, end)
    if not currency and not scale and text[end : end + 1] != "%":
        return None  # a number in a remark
    value = -amount.value
    if scale:
        value, end = value * _SCALES[scale[1].lower()], scale.end()
    measure = _measure(text, end)
    number = _number(text, at, end, value, currency=currency, measure=measure, done=done)
    return replace(number, whole=(min(number.whole[0], at - 1), number.whole[1]))


def _clock(text: str, match: re.Match[str], done: int) -> Number | None:
    """Read "9:00", "17:30" and "5 p.m.", with the half of the day where it is said."""
    hour, minutes, half = int(match["hour"]), match["minutes"], match["half"]
    before = _word_before(text, match.start()).lower()
    # "3:16" may be a verse, and "2:1" a score; but "at 3:16" is a time.
    is_likely = minutes in ("00", "15", "30", "45") or before in _AT_TIMES
    if (not half and not (minutes and is_likely)) or hour > (_NOON if half else _MIDNIGHT):
        return None
    hours = hour % _NOON + _NOON * (half.lower() == "p") if half else hour
    unit = CLOCK_FACE if not half and 0 < hours <= _NOON else CLOCK
    value = hours + int(minutes or 0) / 60
    return _number(text, match.start(), match.end(), value, unit=unit, done=done)


def _number(
    text: str,
    start: int,
    end: int,
    value: float,
    *,
    done: int,
    kind: NumberKind | None = None,
    unit: Unit | None = None,
    rough: bool = False,
    currency: tuple[Unit, int] | None = None,
    measure: _Measure | None = None,
) -> Number:
    """Return a number with what is written around it, but for what is before `done`."""
    low, high = start, measure.end if measure and measure.unit else end
    unit = unit or (measure.unit if measure else None)
    if currency:
        unit, low = currency
    if (minus := _pattern("minus before").search(text, done, low)) and kind is None:
        value, low = -value, minus.start()
    before = text[max(done, low - 24) : low].lower().split()
    phrases = (" ".join(before[-width:]) for width in (3, 2, 1))
    sign = next((_BOUNDS[phrase] for phrase in phrases if phrase in _BOUNDS), 0)
    if not sign and (after := _pattern("bound after").match(text, high)):
        sign = 1 if after[0] == "+" or after[1] else -1
    if kind is None:
        kind = "label" if unit is None and _is_label(text, start, end) else "count"
        if unit in (SHARE, POINTS):
            kind = "percent"
        elif unit and unit.dimension in _MONEY:
            kind = "money"
    return Number(
        kind=kind,
        value=float(value),
        low=-inf if sign < 0 else value,
        high=inf if sign > 0 else value,
        start=start,
        end=end,
        whole=(low, high),
        unit=unit,
        rough=rough or bool(sign) or not _ABOUT.isdisjoint(before[-2:]) or before[-1:] == ["~"],
    )


def _is_label(text: str, start: int, end: int) -> bool:
    """Return whether a figure belongs to a word as a name: "Form 1040", "IPv4"."""
    if not text[start].isdecimal():
        return False
    if _pattern("letter before").search(text, max(0, start - 3), start):
        return True
    word = _word_before(text, start)
    if not word or word.lower() in MONTHS or word.lower() in FUNCTION_WORDS:
        return False
    if word.lower() in _NUMBERED:
        return True
    begun = text[:start].rstrip(" (\n").removesuffix(word).rstrip(" ")
    begins_sentence = not begun or begun[-1] in ".!?\n;"
    return word[0].isupper() and not begins_sentence and not _counts(text, end)


def _currency_before(text: str, at: int) -> tuple[Unit, int] | None:
    match = _pattern("currency before").search(text, max(0, at - 12), at)
    if match is None or not match["sign"]:
        return None
    letters = (match["letters"] or "").lower() if match["sign"] == "$" else ""
    name = DOLLARS[letters] if letters else CURRENCIES[match["sign"].lower()]
    return Unit(name, 1.0), match.start() if letters else match.start("sign")


def _measure(text: str, at: int) -> _Measure:
    """Return the unit that follows a figure, and the place after it."""
    match = _pattern("unit after").match(text, at)
    if match is None:
        return _Measure(None, at)
    word, end = match["word"].lower(), match.end("word")
    if word in PERCENT or word in ("percentage", "pp") or word.startswith("per "):
        points = word == "pp" or match["points"]
        return _Measure(POINTS if points else SHARE, match.end("points") if points else end)
    if word[0] == "°" or word.startswith("degree"):
        scale = word.lstrip("° ").removeprefix("degree").lstrip("s ")[:1]
        return _Measure({"c": CELSIUS, "f": FAHRENHEIT}.get(scale, DEGREES), end)
    unit = find_unit(match["word"])
    name = CURRENCIES.get(word) or CURRENCIES.get(word.removesuffix("s"))
    if name and unit is None and not match["power"]:
        return _Measure(Unit(name, 1.0), end)
    # "5 m²"; but "5 kg²" has the number of a note.
    raised = match["raised"] if unit and unit.dimension == "length" else None
    if unit and (raised or match["power"]):
        dimension, power, size = _POWERS[(raised or match["power"]).strip().lower()]
        unit = Unit(dimension, unit.size**power * size) if unit.dimension == "length" else None
        end = match.end("raised") if raised else end
    if unit and match["below"]:
        below = match["below"].lower()
        under = find_unit(_SHORT_UNITS.get(below, below))
        if under:
            unit, end = Unit(f"{unit.dimension} per {under.dimension}", unit.size / under.size), (
                match.end("below")
            )  # fmt: skip
    return _Measure(unit, end if unit else at)


def _ranged(text: str, low: Number, amount: _Amount) -> Number | None:
    """Read "5 to 10", "5–10 mg" and "between 5 and 10"; in "from 5 to 10" there are two numbers."""
    end = max(low.end, low.whole[1])
    link, before = _pattern("link").match(text, end), _word_before(text, low.whole[0]).lower()
    if link is None or low.kind == "label" or before == "from":
        return None
    if "and" in link[0] and before != "between":
        return None
    other = _value(text, link.end())
    if other is None or other.is_ordinal or re.fullmatch(r"\d{4}", text[link.end() : other.end]):
        return None
    measure = _measure(text, other.end)
    takes_scale = amount.scale == 1 and (low.unit is None or low.kind == "money")
    value = low.value * (other.scale if takes_scale else 1)
    # "5 to 10 million" begins at 5 million, "900 to 1 thousand" at 900.
    value = value if value < other.value else low.value
    if not value < other.value or (low.unit and measure.unit and low.unit != measure.unit):
        return None
    unit = measure.unit or low.unit
    number = _number(text, low.start, low.end, value, done=low.start, unit=unit)
    high = measure.end if measure.unit else other.end
    return replace(number, high=other.value, low=value, end=other.end, whole=(low.whole[0], high))

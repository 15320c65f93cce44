"""What figures of tables and records are measured in, and their names in sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from citeguard.language.numbers import read_digits
from citeguard.language.quantities import (
    CURRENCIES,
    CURRENCY_SIGNS,
    MONTHS,
    PERCENT,
    WEEKDAYS,
    find_unit,
)

_SCALES = {"thousand": "thousand", "million": "million", "billion": "billion", "000": "thousand"}
_SCALE = re.compile(
    r"(?i)\b(?P<scale>thousand|million|billion)s?\b|(?<!\d)[$€£]?['’]?\(?(?P<zeros>000)['’]?s?\b"
    r"|(?<=[$€£])\s?(?P<short>mn?|bn?|k)\b|\b(?:usd|eur|gbp)\s?(?P<code>mn?|bn?|k)\b"
)
_SHORT_SCALES = {"m": "million", "b": "billion", "k": "thousand"}
_CURRENCY = re.compile(rf"[{re.escape(CURRENCY_SIGNS)}]|\b[A-Za-z]+\b")
_SIGNS = {"dollar": "$", "euro": "€", "pound": "£", "yen": "¥", "rupee": "₹"}
_EXCEPT = re.compile(r"(?i)\b(?:except|excluding|other than)\b[^)]*")
_NO_MONEY = re.compile(
    r"(?i)\b(?:shares|employees?|headcount|number|count|stores?|customers?|users?|units? sold"
    r"|patients?|people|rates?|ratio|days|hours)\b"
)
_PERCENT = re.compile(r"(?i)\b(?:percent(?:age)?|% )\b|%")
_EACH = re.compile(r"(?i)\b(?:per|each)\b|\beps\b")
_SHARES = re.compile(r"(?i)\bshares\b")
_GAINS = re.compile(
    r"(?i)\b(?:income|earnings|profit|ebitda?|margin|growth|change|return|increase|surplus"
    r"|balance|equity)\b"
)
_LOSS = re.compile(r"(?i)(?<!\()\b(?:loss|losses|decrease|deficit)\b(?!\))")
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<minus>[-−–])?\s*(?P<currency>[A-Z]{{0,2}}[{re.escape(CURRENCY_SIGNS)}])?"
    r"\s*(?P<inner>[-−–(])?\s*"
    r"(?P<figure>\d{1,3}(?:[, \u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
    r"\s*(?P<percent>%)?\s*(?P<close>\))?\s*(?P<late>%)?(?:\s*[*†‡]+|\s*\(\w\))?"
)


class Value(NamedTuple):
    """A number in a cell: its digits and currency, and whether it is below 0 or in percent."""

    figure: str
    currency: str = ""
    negative: bool = False
    percent: bool = False


def read_value(written: str) -> Value | None:
    """Return the number that a cell consists of, or `None`; brackets mean that it is below 0.

    Examples:
        >>> read_value("$ (1,234.5)")
        Value(figure='1,234.5', currency='$', negative=True, percent=False)
    """
    found = _NUMBER.fullmatch(written.strip())
    if found is None or read_digits(found["figure"]) is None:
        return None
    bracketed = bool(found["open"]) or found["inner"] == "("
    negative = bracketed or bool(found["minus"]) or bool(found["inner"])
    percent = bool(found["percent"] or found["late"])
    return Value(found["figure"], found["currency"] or "", negative, percent)


@dataclass(frozen=True, slots=True)
class Measures:
    """What the numbers of a table are measured in.

    Attributes:
        scale: "thousand", "million" or "billion", or empty.
        currency: The sign of the currency, or empty.
        unit: Another unit, as it is written, or empty.
        shares_scaled: Whether the scale is that of numbers of shares, too.
    """

    scale: str = ""
    currency: str = ""
    unit: str = ""
    shares_scaled: bool = True

    def or_else(self, other: Measures) -> Measures:
        """Return these measures, with those of another for what they leave open."""
        if self.unit:
            return self
        return replace(
            self,
            scale=self.scale or other.scale,
            currency=self.currency or other.currency,
            unit=other.unit,
            shares_scaled=self.shares_scaled and other.shares_scaled,
        )

    def written(self, value: Value, about: str) -> str:
        """Return a value as a sentence has it: "$4,126.3 million".

        Args:
            value: The value.
            about: The names of its row and column.
        """
        is_gain = _GAINS.search(about) and not _LOSS.search(about)
        sign = "-" if value.negative and (self.unit or is_gain) else ""
        if value.percent or "%" in (self.unit, *about.split()) or _PERCENT.search(about):
            return f"{sign}{value.figure}%"
        currency = value.currency or (self.currency if is_money(about) else "")
        if self.unit and not currency:
            return f"{sign}{value.figure} {self.unit}"
        unscaled = _EACH.search(about) or (not self.shares_scaled and _SHARES.search(about))
        scale = "" if unscaled else self.scale
        return f"{sign}{currency}{value.figure} {scale}".rstrip()


def is_money(about: str) -> bool:
    """Return whether figures of such a name may be sums of money, and are no counts or rates."""
    return _EACH.search(about) is not None or not _NO_MONEY.search(about)


def is_number_of(about: str) -> bool:
    """Return whether figures of such a name count something that is no money, and no shares."""
    return not is_money(about) and not _SHARES.search(about)


def measures_in(words: str) -> Measures:
    """Return the measures that a caption, or the brackets behind a name, states.

    Examples:
        >>> measures_in("(in millions of dollars, except per share data)")
        Measures(scale='million', currency='$', unit='', shares_scaled=True)
    """
    exception = _EXCEPT.search(words)
    shares_scaled = exception is None or not re.search(
        r"(?i)\bshares?\b", re.sub(r"(?i)\bper[ -](?:common )?share\b", "", exception[0])
    )
    plain = _EXCEPT.sub("", words)
    found = _SCALE.search(plain)
    scale = ""
    if found is not None:
        short = found["short"] or found["code"]
        scale = (
            _SHORT_SCALES[short[0].lower()]
            if short
            else _SCALES[(found["scale"] or found["zeros"]).lower()]
        )
    names = (
        CURRENCIES.get(each.lower()) or CURRENCIES.get(each.lower().removesuffix("s"))
        for each in _CURRENCY.findall(plain)
    )
    name = next((name for name in names if name in _SIGNS), "")
    return Measures(scale, _SIGNS.get(name, ""), "", shares_scaled)


_BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]{1,40})[)\]]\s*\Z")
_SAMPLE = re.compile(r"\s*\(\s*[nN]\s*=\s*[\d,.]+\s*\)")
# Not the letters that are units: "Length (m)".
_FOOTNOTE = re.compile(
    r"\s*(?:\((?:\d{1,2}|[a-fi-kn-ru-z])\)|\[\d{1,2}\]|[*†‡]+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*\Z"
)


def split_measures(name: str) -> tuple[str, Measures]:
    """Return a name without footnote marks and the unit in brackets behind it, and that unit.

    Examples:
        >>> split_measures("Median survival (months)")
        ('Median survival', Measures(scale='', currency='', unit='months', shares_scaled=True))
    """
    plain = _SAMPLE.sub("", _FOOTNOTE.sub("", name)).strip().rstrip(":").strip()
    found = _BRACKETED.search(plain) or re.search(r",\s*(?:in\s+)?(\S+)\s*\Z", plain)
    if found is None:
        return plain, Measures()
    inner = found[1].strip()
    unit = unit_of(inner)
    measures = Measures(unit=unit) if unit else measures_in(inner)
    return (plain[: found.start()].strip() if measures != Measures() else plain), measures


_SYMBOL = re.compile(r"[tmglhskKVAWJ]|[kMGTmµn][A-Za-z]{1,2}|[^\W\d]{1,4}/[^\W\d]{1,4}[²³]?")


def unit_of(words: str) -> str:
    """Return the unit that a word or two state, or an empty text: "months", "in km", "%"."""
    plain = re.sub(r"(?i)^in ", "", words.strip())
    if plain.lower() in PERCENT or plain == "%":
        return "%"
    first = re.split(r"[\s/²³^]", plain, maxsplit=1)[0].lower()
    is_unit = find_unit(first) is not None or plain.startswith(("°", "sq ", "square ", "cubic "))
    is_unit = is_unit or _SYMBOL.fullmatch(plain) is not None
    return plain if is_unit and len(plain.split()) <= 3 else ""


# Names and sentences

_PERIOD = re.compile(
    r"(?i)\b(?:1[89]|20)\d\d\b|\b(?:fy|q[1-4]|h[12]|ended|quarter|months?)\b|\bfy\d\d\b"
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def is_year(word: str) -> bool:
    """Return whether a word is a year."""
    return _YEAR.fullmatch(word) is not None


def is_period(name: str) -> bool:
    """Return whether a name is that of a period: a year, a month, a quarter."""
    words = re.findall(r"[a-z]+", name.lower())
    only = len(words) == 1 and (words[0] in MONTHS or words[0] in WEEKDAYS)
    return only or _PERIOD.search(name) is not None


def lowered(name: str) -> str:
    """Return a name as it is written within a sentence: without a capital that only begins it."""
    first = re.match(r"[A-Z][a-z]+(?![A-Z])", name)
    if first is None or first[0].lower() in MONTHS or first[0].lower() in WEEKDAYS:
        return name
    rest = name[first.end() :]
    # "North America" keeps its capitals, "Net sales" does not.
    return (
        name if re.search(r"\b[A-Z][a-z]", rest) or not rest.strip() else name[0].lower() + name[1:]
    )


def in_sentence(text: str) -> str:
    """Return a text that begins and ends as a sentence does."""
    plain = re.sub(r"\s+", " ", text).strip().rstrip(".;,")
    return f"{plain[:1].upper()}{plain[1:]}."

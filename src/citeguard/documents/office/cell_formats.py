"""The formats of cells in Excel workbooks: `shown`, a value as its format shows it."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from citeguard.documents.document import Colour
from citeguard.documents.office.colours import named
from citeguard.language.number_words import CALENDAR_NAMES

_to_excel: Any = import_module("openpyxl.utils.datetime").to_excel  # it has no types
# As "kg" in quotes, \x, "_)" for the space of a bracket, [$€-407], [Red], E+00 and # ?/16.
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<said>[^\]]*)\]|(?P<general>general)|(?P<power>E[+-][#0?]+)"
    r"|(?P<over>[#0?]+)\s*/\s*(?P<under>[#0?]+|[1-9]\d*)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"([<>=]{1,2})\s*(-?\d+(?:\.\d+)?)")
_COMPARED = {"<": lt, "<=": le, "=": eq, "<>": ne, ">=": ge, ">": gt}
_INKS = "black white red lime blue yellow magenta cyan".split()  # [Color1] to [Color8]
_SHAPES = {"whole": "", "decimal": "", "power": ""}  # of parts that are no text by themselves
_EMPTY = str.maketrans("?", " ", "#0")  # places without a digit
_DATE_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|(?P<elapsed>\[(?:h+|m+|s+)\])|\[[^\]]*\]'
    r"|(?P<unit>y+|m+|d+|h+|s+|am/pm|a/p|\.0+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_LOCALE = re.compile(
    r"\[\$[^\]-]*-(?:(?P<code>[0-9a-f]+)|(?P<language>[a-z]{2}\b)?[^\]]*)\]", re.IGNORECASE
)
_AUSTRIAN = 0xC07  # where January has a name of its own
_LANGUAGES = {0x07: "de", 0x09: "en", 0x0A: "es", 0x0C: "fr", 0x10: "it", 0x13: "nl", 0x16: "pt"}
_LOCAL_DATE = "mm-dd-yy"  # each computer shows its own; no order of day and month is guessed
_GENERAL_DIGITS = 10  # significant ones of a number without a format, as a column has room
_LARGEST_GENERAL = 10**11  # from here on, Excel writes them with a power of ten
# Excel counts days from "January 0, 1900", and knows a 29 February 1900: its days before have the
# weekday of the day before.
_DAY_0, _MARCH = datetime(1899, 12, 31), datetime(1900, 3, 1)


@dataclass(slots=True)
class Section:
    """One of the up to four sections of a format."""

    written: str
    parts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # kind and text
    wholes: list[int] = field(default_factory=list[int])  # parts that are places of digits
    decimals: list[int] = field(default_factory=list[int])
    scale: int = 0  # the power of ten that a number is multiplied by
    grouped: bool = False
    ink: Colour | None = None
    applies: Callable[[float], bool] | None = None  # its condition
    is_negative: bool = False  # whether this is fulfilled by all below 0
    is_text: bool = False  # whether it has a place for a text


def shown(value: object, number_format: str) -> str:
    """Return a value of a cell as its format shows it.

    Names of months and days are in English unless the format names another language that is known,
    and a date in the computer's own order is "2024-03-01".

    Examples:
        >>> shown(0.125, "0.0%"), shown(-1234.5, '#,##0.00 "€";(#,##0.00 "€")')
        ('12.5%', '(1,234.50 €)')
        >>> shown(datetime(2024, 3, 1, 9, 5), "d mmm yyyy h:mm")
        '1 Mar 2024 9:05'
    """
    section, signed = section_of(value, number_format)
    return shown_by(section, value, signed=signed)


def _language(number_format: str) -> str:
    """Return the language that a format names; "en" if it names none, "" if it is not known."""
    if (locale := _LOCALE.search(number_format)) is None:
        return "en"
    code = int(locale["code"] or "0", 16)
    known = "" if code & 0xFFFF == _AUSTRIAN else _LANGUAGES.get(code & 0x3FF, "")
    return known if locale["code"] else (locale["language"] or "").lower()


def has_unknown_names(number_format: str) -> bool:
    """Return whether a format shows dates with names that are not known here."""
    language = _language(number_format)
    units = [token["unit"] or "" for token in _DATE_TOKEN.finditer(number_format)]
    names = [each for each in units if each[:1].lower() in ("m", "d") and len(each) > 2]
    return language != "en" and any(
        language not in CALENDAR_NAMES or len(each) != 4 for each in names
    )


def shows_days(number_format: str) -> bool:
    """Return whether a format shows of a date more than the time of the day."""
    units = {(token["unit"] or "").lower() for token in _DATE_TOKEN.finditer(number_format)}
    kinds = {unit[:1] for unit in units}
    return bool(kinds & {"y", "d"} or units & {"mmm", "mmmm", "mmmmm"}) or kinds <= {"m", ""}


def shown_by(section: Section, value: object, *, signed: bool) -> str:
    """Return a value as a section of a format shows it, with a minus if it is signed."""
    if isinstance(value, (date, time, timedelta)):
        return "" if signed else _date(value, section.written)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = _number(abs(value), section)
        # A number that rounds to 0 has no minus: -0.001 is "0".
        return f"-{number}" if signed and any(digit in number for digit in "123456789") else number
    text = str(value).upper() if isinstance(value, bool) else str(value)
    shapes = {**_SHAPES, "value": text, "general": text}
    return "".join(shapes.get(kind, part) for kind, part in section.parts)


def section_of(value: object, number_format: str) -> tuple[Section, bool]:
    """Return the section of a format that shows a value, and whether it does so with a minus."""
    sections = _sections(number_format)
    numeric = sections[:3]
    # In '0;"not "@', the last section is for texts.
    if len(sections) < 4 and sections[-1].is_text:
        numeric = sections[:-1] or _sections("General")
    if isinstance(value, (date, time, timedelta)):
        value = float(_to_excel(value))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        is_formed = len(sections) == 4 or numeric != sections
        return (sections[-1] if is_formed else _sections("@")[0]), False
    for at, section in enumerate(numeric[:2]):
        # Without a condition the first is for what is above 0, the second for what is below.
        is_usual = (value > 0, value < 0)[at] or len(numeric) == 1
        is_usual |= len(numeric) == 2 and (value == 0 if at == 0 else bool(numeric[0].applies))
        if section.applies(value) if section.applies else is_usual:
            return section, value < 0 and at == 0 and not section.is_negative
    last = numeric[-1] if len(numeric) > 1 else _sections("General")[0]
    return last, value < 0 and len(numeric) != 2


_LONGEST = 255  # characters of a format that Excel accepts


@lru_cache(1_000)
def _sections(number_format: str) -> list[Section]:
    written, is_one = [""], 0 < len(number_format) <= _LONGEST
    for token in _TOKEN.finditer(number_format if is_one else "General"):
        if token["other"] == ";":
            written.append("")
        else:
            written[-1] += token[0]
    return [_section(each) for each in written[:4]]


def _section(written: str) -> Section:
    section, parts = Section(written), list[tuple[str, str]]()
    commas = 0  # behind the last place of a digit
    for token in _TOKEN.finditer(written):
        other = token["other"] or ""
        is_place = bool(other) and other in "#0?"
        before = parts[-1][0] if parts else ""
        # A comma behind the last digit divides by a thousand: "0,," shows millions.
        if other == "," and before in ("whole", "decimal"):
            commas += 1
            continue
        if commas and is_place:
            section.grouped = True
        else:
            section.scale -= 3 * commas
        commas = 0
        if is_place:
            parts.append(("decimal" if ("point", ".") in parts else "whole", other))
        elif other == "." and ("point", ".") not in parts:
            parts.append(("point", "."))
        elif other == "@" or token["general"]:
            parts.append(("value" if other else "general", ""))
        elif token["power"] or token["over"]:
            parts.append(("power" if token["power"] else "fraction", token[0]))
        elif token["said"]:
            _note(section, token["said"].lower())
        else:
            section.scale += 2 * (other == "%")
            literals = (
                token["quoted"],
                token["escaped"],
                token["currency"],
                token["space"] and " ",
            )
            parts.append(("text", next(filter(None, literals), other)))
    section.scale -= 3 * commas
    kinds = [kind for kind, _ in parts]
    section.parts, section.is_text = parts, "value" in kinds
    section.wholes = [at for at, kind in enumerate(kinds) if kind == "whole"]
    section.decimals = [at for at, kind in enumerate(kinds) if kind == "decimal"]
    return section


def _note(section: Section, said: str) -> None:
    """Add what a format says in brackets: a colour or a condition."""
    if condition := _CONDITION.fullmatch(said):
        compared, limit = _COMPARED.get(condition[1], eq), float(condition[2])
        section.applies = lambda value: bool(compared(value, limit))
        section.is_negative = compared in (lt, le) and limit == 0
    elif number := re.fullmatch(r"color\s*([1-8])", said):
        section.ink = named(_INKS[int(number[1]) - 1])
    elif said in (*_INKS, "green"):
        section.ink = named(said)


def _number(value: float, section: Section) -> str:
    """Return a number that is not negative as a section of a format shows it."""
    wholes, decimals = section.wholes, section.decimals
    exact = Decimal(str(value)).scaleb(section.scale)
    texts = [_SHAPES.get(kind, text) for kind, text in section.parts]
    for at, (kind, text) in enumerate(section.parts):
        if kind == "general":
            texts[at] = _general(value)
        elif kind == "power":
            exact, texts[at] = _power(exact, text, max(1, len(wholes)), len(decimals))
        elif kind == "fraction":
            exact, texts[at] = _fraction(exact, text, bool(wholes))
    if wholes or decimals:
        _fill_in(texts, exact, section)
    return "".join(texts)


def _fill_in(texts: list[str], exact: Decimal, section: Section) -> None:
    """Write the digits of a number into their places in the texts of a section."""
    parts, wholes, decimals = section.parts, section.wholes, section.decimals
    if exact.adjusted() + len(decimals) < _MOST_DIGITS:
        exact = exact.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    whole, _, rest = f"{exact:f}".partition(".")
    first = next((at for at, each in enumerate(wholes) if parts[each][1] == "0"), len(wholes))
    digits = [  # from the right
        f"{digit}," if section.grouped and at and at % 3 == 0 else digit
        for at, digit in enumerate(reversed(whole.lstrip("0").zfill(len(wholes) - first)))
    ]
    for at, place in enumerate(reversed(wholes)):
        more = len(digits) if place == wholes[0] else at + 1
        texts[place] = "".join(reversed(digits[at:more])) or parts[place][1].translate(_EMPTY)
    if not wholes:
        texts[parts.index(("point", "."))] = f"{''.join(reversed(digits))}."
    for at, place in enumerate(decimals):
        is_over = parts[place][1] != "0" and not rest[at:].strip("0")
        texts[place] = "" if is_over else rest[at : at + 1]
    if decimals and not any(texts[at] for at in decimals):
        texts[parts.index(("point", "."))] = ""


_MOST_DIGITS = 27  # of a decimal number in Python's usual context, less one


def _general(value: float) -> str:
    if isinstance(value, int) and value < _LARGEST_GENERAL:
        return str(value)
    return f"{value:.{_GENERAL_DIGITS if value < _LARGEST_GENERAL else 6}g}".upper()


def _power(value: Decimal, form: str, width: int, decimals: int) -> tuple[Decimal, str]:
    """Return a number without a power of ten, and this as a form such as "E+00" shows it."""
    power = value.adjusted() if value else 0
    power -= power % width
    # A number that rounds up to 10.0 has another power: 9.99 is "1.0E+01".
    if round(value.scaleb(-power), decimals) >= 10**width:
        power += width
    sign = "-" if power < 0 else form[1].replace("-", "")
    return value.scaleb(-power), f"E{sign}{abs(power):0{len(form) - 2}}"


def _fraction(value: Decimal, form: str, has_whole: bool) -> tuple[Decimal, str]:
    """Return the whole part of a number, and the rest as a fraction of a form such as "??/16"."""
    under = form.partition("/")[2].strip()
    whole = int(value) if has_whole else 0
    rest = Fraction(value) - whole
    if under[0] in "#0?":
        over, below = rest.limit_denominator(10 ** len(under) - 1).as_integer_ratio()
    else:
        over, below = round(rest * int(under)), int(under)
    # 0.999 by "# ?/?" is a whole 1.
    if has_whole and over in (0, below):
        whole += over == below
        return Decimal(whole), "" if whole else "0"
    return Decimal(whole), f"{over}/{below}"


def _date(value: date | time | timedelta, section: str) -> str:
    if section == _LOCAL_DATE:
        section = "yyyy-mm-dd"
    elapsed = value if isinstance(value, timedelta) else None
    if elapsed is not None:
        moment = _DAY_0 + abs(elapsed) % timedelta(days=1)
    elif isinstance(value, time):
        moment = datetime.combine(_DAY_0, value)
    else:
        assert isinstance(value, date)
        moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    tokens = list(_DATE_TOKEN.finditer(section))
    units = [(token["unit"] or token["elapsed"] or "").strip("[]").lower() for token in tokens]
    named = [at for at, unit in enumerate(units) if unit]
    has_half = any(unit in ("am/pm", "a/p") for unit in units)
    names = CALENDAR_NAMES.get(_language(section), ())
    pieces: list[str] = []
    for at, (token, unit) in enumerate(zip(tokens, units, strict=True)):
        if token["elapsed"]:
            seconds = int(elapsed.total_seconds()) if elapsed is not None else 0
            pieces.append(str(seconds // {"h": 3600, "m": 60, "s": 1}[unit[0]]).zfill(len(unit)))
        elif unit:
            place = named.index(at)
            around = [units[each][0] for each in named[max(0, place - 1) : place + 2] if each != at]
            before = units[named[place - 1]][0] if place else ""
            # "m" is minutes behind hours or before seconds, and else months.
            is_minute = unit[0] == "m" and (before == "h" or around[-1:] == ["s"])
            pieces.append(_unit(moment, "n" * len(unit) if is_minute else unit, has_half, names))
        else:
            pieces.append(token["quoted"] or token["escaped"] or token["other"] or "")
    return "".join(pieces).strip()


def _unit(moment: datetime, unit: str, has_half: bool, names: Sequence[str]) -> str:
    """Return a part of a date as a unit of a format says it; "n" are minutes."""
    width = len(unit)
    year, month, day = moment.year, moment.month, moment.day
    if moment.date() == _DAY_0.date():
        year, month, day = 1900, 1, 0
    weekday = (moment.weekday() - (moment < _MARCH)) % 7
    if names and unit in ("mmmm", "dddd"):
        return names[month - 1 if unit[0] == "m" else 12 + weekday]
    if unit[0] == "m" and width > 2:
        name = (calendar.month_abbr if width == 3 else calendar.month_name)[month]
        # "mmmmm" is the first letter of a month.
        return name[0] if width == 5 else name
    if unit[0] == "d" and width > 2:
        return (calendar.day_name if width > 3 else calendar.day_abbr)[weekday]
    if unit in ("am/pm", "a/p"):
        return ("AM" if moment.hour < 12 else "PM")[: 2 if unit == "am/pm" else 1]
    if unit[0] == ".":
        return f".{moment.microsecond:06}"[:width]
    hour = (moment.hour + 11) % 12 + 1 if has_half else moment.hour
    value = {
        **{"y": year if width > 2 else year % 100, "m": month, "d": day},
        **{"h": hour, "n": moment.minute, "s": moment.second},
    }[unit[0]]
    return str(value).zfill(max(2, width) if unit[0] == "y" else width)

"""Dates, times, decimals and codes in digits, each in one form whatever is between the digits.

Each pattern has only one reading, or what is beside it shows which: "01.09.2023" and "01/09/2023"
are one date except in English, "6.45" is a time behind "um", and "3·6" a decimal before "%".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from citeguard.language.lexicon import load_lexicon
from citeguard.language.tokens import Token, canonical
from citeguard.language.units import may_be_unit
from citeguard.language.variants import PERCENT

_Read = Callable[[re.Match[str], str], str]

_LAST_DAY, _LAST_MONTH = 31, 12
# English has both orders, and `numbers` reads its sure dates; the others begin with the year.
_UNSURE_ORDER = frozenset(("", "en", "zh", "ja", "ko"))
_SHORTEST_PHONE, _LONGEST_PHONE = 8, 15  # digits
_BLANK = "[ \u00a0\u202f]"
_DAY_FIRST = re.compile(r"(?<![\d./:-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d|[./-]\d)")
_YEAR_FIRST = re.compile(
    r"(?<![\d./:-])(\d{4})(?:([./-])(\d{1,2})\2(\d{1,2})(?!\d|[./-]\d)"
    r"|\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日|년 ?(\d{1,2})월 ?(\d{1,2})일)"
)
_HAN_DATE = re.compile(
    "([〇零一二三四五六七八九]{4})年([一二三四五六七八九]|十[一二]?)月"
    "([一二三四五六七八九]|二?十[一二三四五六七八九]?|三十一?)日"
)
# "6:45" is read so anywhere: a ratio of these figures is the same on both sides. A stop is only
# read behind a word for a time, or before one, and never before a unit.
_TIME = re.compile(
    r"(?<![\d.,:/-])([01]?\d|2[0-4])(?:(:)|(\.)|[ \u00a0]?[hH][ \u00a0]?)([0-5]\d)"
    r"(?![\w%:/]|[.,]\d)"
)
_BEFORE_TIME = {
    code: re.compile(rf"(?<!\w)(?:{words})\.?\s\Z", re.IGNORECASE)
    for code, words in {
        "pl": "o|od|do|godz|godzinie|godziny|godziną", "de": "um|ab|gegen", "it": "alle|ore",
        "ro": "la|ora|orele", "ru": "в|во|с|до", "uk": "о|об|до", "tr": "saat", "nl": "om",
        "es": "las?", "pt": "às|das|até as", "el": "στις|τις|ώρα",
    }.items()
}  # fmt: skip
_AFTER_TIME = re.compile(r"\s?(?:[ap]\.?m\b|Uhr\b|uur\b)|['’][dt][ea]n?\b", re.IGNORECASE)
_HOURS = frozenset("h hs hrs horas".split())
_COUNTED = re.compile(r"\s?([^\W\d_]+|[%€$£¥‰°])")
_DECIMAL = re.compile(r"(?<![\d.,·・])(\d+)([·・])(\d+)(?![\d·・])")
_PERCENT = re.compile(r"\s?(?:[%％‰]|per\s?cent|pct)")
_IBAN = re.compile(
    rf"(?<!\w)[A-Z]{{2}}\d\d(?:{_BLANK}?[A-Z0-9]{{4}}){{2,7}}(?:{_BLANK}?[A-Z0-9]{{1,4}})?(?!\w)"
)
_CARD = re.compile(r"(?<![\d.,+-])\d{4}(?:([ \u00a0-]?)\d{4})(?:\1\d{4}){2}(?![\d.,-])")
_PHONE = re.compile(
    rf"(?<![\w.,/-])(?:\+\d{{1,3}}|0\d{{1,5}})(?:(?:{_BLANK}|-)?\d{{2,9}}){{1,6}}(?!\w)"
)


_HAN_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")


def _day_first(match: re.Match[str], language: str) -> str:
    day, month, year = match[1], match[3], match[4]
    return "" if language in _UNSURE_ORDER else _date(year, month, day)


def _year_first(match: re.Match[str], language: str) -> str:
    del language
    month, day = (part for part in match.groups()[2:] if part)
    return _date(match[1], month, day)


def _han_date(match: re.Match[str], language: str) -> str:
    del language
    year = match[1].translate(_HAN_DIGITS)
    month, day = (_below_hundred(part) for part in match.groups()[1:])
    return _date(year, month, day)


def _below_hundred(written: str) -> str:
    tens, ten, units = written.rpartition("十")
    first = (tens.translate(_HAN_DIGITS) or "1") if ten else ""
    return first + (units.translate(_HAN_DIGITS) or "0")


def _date(year: str, month: str, day: str) -> str:
    sure = 0 < int(month) <= _LAST_MONTH and 0 < int(day) <= _LAST_DAY
    return f"{int(year)}-{int(month)}-{int(day)}" if sure else ""


def _time(match: re.Match[str], language: str) -> str:
    text, start, end = match.string, match.start(), match.end()
    if match[3]:
        before = _BEFORE_TIME.get(language)
        behind = before is not None and before.search(text, max(0, start - 12), start)
        if not ((behind and not _is_counted(text, end, language)) or _AFTER_TIME.match(text, end)):
            return ""
    return f"{int(match[1])}:{match[4]}"


def _is_counted(text: str, end: int, language: str) -> bool:
    counted = _COUNTED.match(text, end)
    if (
        counted is None or counted[1] in _HOURS or counted[1] in load_lexicon(language).common
    ):  # Polish "w" is no watt
        return False
    return may_be_unit(counted[1]) or counted[1].lower() in PERCENT


def _decimal(match: re.Match[str], language: str) -> str:
    del language
    counts = _PERCENT.match(match.string, match.end())
    # Figures of a Japanese list grow: "１・２月" is January and February.
    falls = match[2] == "・" and int(match[1]) > int(match[3])
    return canonical(f"{match[1]}.{match[3]}") if counts or falls else ""


def _code(match: re.Match[str], language: str) -> str:
    del language
    return re.sub(rf"{_BLANK}|-", "", match[0])


def _phone(match: re.Match[str], language: str) -> str:
    number = _code(match, language)
    groups = re.findall(r"\d+", match[0])
    is_phone = _SHORTEST_PHONE <= len(number.lstrip("+")) <= _LONGEST_PHONE
    return number if is_phone and max(map(len, groups)) > 2 else ""


_NOTATIONS: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (_IBAN, _code), (_CARD, _code), (_DAY_FIRST, _day_first), (_YEAR_FIRST, _year_first),
    (_HAN_DATE, _han_date),
    (_PHONE, _phone), (_TIME, _time), (_DECIMAL, _decimal),
)  # fmt: skip


def read_notations(text: str, tokens: Sequence[Token], language: str) -> list[Token]:
    """Return tokens with each date, time, decimal and code in digits as one; intervals stay.

    Args:
        text: The text.
        tokens: Its tokens without marks.
        language: The code of its language, "" if unknown.

    Examples:
        >>> from citeguard.language.tokens import tokenize
        >>> text = "am 1.9.2023 auf DE12 5001 0517 0648 4898 90"
        >>> [token.key for token in read_notations(text, tokenize(text), "de")]
        ['am', '2023-9-1', 'auf', 'DE12500105170648489890']
    """
    places = {start: (end, key) for start, end, key in _places(text, tokens, language)}
    if not places:
        return [*tokens]
    read: list[Token] = []
    end = -1
    for token in tokens:
        if token.start < end:
            read[-1] = read[-1]._replace(end=max(token.end, read[-1].end))
        elif token.start in places:
            end, key = places[token.start]
            read.append(token._replace(key=key, text=key, kind="number"))
        else:
            read.append(token)
    return read


def _places(text: str, tokens: Sequence[Token], language: str) -> Iterator[tuple[int, int, str]]:
    if not tokens:
        return
    first, last, done = tokens[0].start, tokens[-1].end, -1
    found = [
        (match.start(), match.end(), key)
        for pattern, read in _NOTATIONS
        for match in pattern.finditer(text, first, last)
        if (key := read(match, language))
    ]
    for start, end, key in sorted(found, key=lambda place: (place[0], -place[1])):
        if start >= done:
            yield start, end, key
            done = end

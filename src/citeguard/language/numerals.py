"""Values in one form, in any language with tables, so that two texts can be compared.

`read_values` reads digits with any separators, number words, numerals of Han script, dates, times
and codes. `other_numerals` writes a text in digits or in words, to find it. How languages differ is
in the lexicons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from math import inf
from typing import NamedTuple

from citeguard.language.lexicon import (
    CODES,
    find_lexicon,
    language_has_decimal_comma,
    load_lexicon,
)
from citeguard.language.quantities import HAN_SCALES
from citeguard.language.tokens import Token, canonical, tokenize
from citeguard.language.units import find_magnitudes, is_currency, may_be_unit
from citeguard.language.variants import PERCENT, PERCENT_PHRASES

_Keys = tuple[str, ...]
_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000


# Number words


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberWords:
    """The number words of one language, by their keys as tokens.

    Attributes:
        values: what each word or phrase adds, below a thousand or as one word.
        scales: what each word multiplies by, from a thousand on; a dozen.
        joiners: what may be between the words of one number.
        prefix: a joiner that is one word with what follows it.
        joins_tens: whether a joiner may be between tens and ones, too.
        linker: what may be between a figure and its scale.
        unsure: the words that are other words as well, unless something counted follows.
        counted: words of units and the like.
        digits: the digits of Han script.
        lookalikes: words of Han script that look like numbers.
        ordinals: ordinal words.
        ordinal_endings: what ordinals in digits end in, with the mark before it.
    """

    values: Mapping[_Keys, int]
    scales: Mapping[str, float]
    ordinals: Mapping[str, int]
    joiners: frozenset[str]
    prefix: str = ""
    joins_tens: bool = True
    linker: str = ""
    unsure: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    digits: Mapping[str, int] = field(default_factory=dict[str, int])
    lookalikes: tuple[str, ...] = ()
    ordinal_endings: frozenset[str] = frozenset()

    @cached_property
    def longest(self) -> int:
        """The most tokens of a phrase."""
        return max(map(len, self.values), default=0)

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The first tokens of all phrases."""
        return frozenset(keys[0] for keys in self.values)

    @cached_property
    def ones_follow_ten(self) -> bool:
        """Whether 15 is ten and five, and no word of its own."""
        return 15 not in self.values.values()


@cache
def _number_words(code: str) -> NumberWords | None:
    table = load_lexicon(code).values
    if not table:
        return None
    units, tens, hundreds = (_row(table.get(name, "")) for name in ("units", "tens", "hundreds"))
    others, scales = _by_value(table.get("others", "")), _by_value(table.get("scales", ""))
    values = {
        _keys(word): first + i * step
        for row, first, step in (
            (units, 0, 1),
            (tens, 2 * _TEN, _TEN),
            (hundreds, _HUNDRED, _HUNDRED),
        )
        for i, words in enumerate(row)
        for word in words
    }
    if pattern := table.get("compound"):
        values |= {
            _keys(pattern.format(ten=ten, unit=unit)): value
            for i, words in enumerate(tens, start=2)
            for j, forms in enumerate(units[1:_TEN], start=1)
            if (value := i * _TEN + j) not in others.values()
            for ten in words
            for unit in forms
        }
    values |= others
    if pattern and hundreds:
        *_, thousand = (keys[0] for keys, value in scales.items() if value == _THOUSAND)
        values |= _in_one_word(values, hundreds[0], thousand)
    joiners = table.get("joiner", "").split()
    return NumberWords(
        values=values,
        scales=find_magnitudes(code) | {keys[0]: value for keys, value in scales.items()},
        ordinals={
            _keys(word)[0]: i
            for i, row in enumerate(_row(table.get("ordinals", "")), start=1)
            for word in row
        },
        joiners=frozenset(key for word in joiners for key in _keys(word) if word[-1] != "-"),
        prefix=next((word[:-1] for word in joiners if word[-1] == "-"), ""),
        linker=table.get("linker", ""),
        unsure=frozenset(
            "".join(_keys(word))
            for word in (*(units[1] if units else ()), *table.get("unsure", "").split())
        ),
        counted=frozenset("".join(_keys(word)) for word in table.get("counted", "").split()),
        digits={
            char: i for i, row in enumerate(table.get("digits", "").split(", ")) for char in row
        },
        lookalikes=tuple(table.get("lookalikes", "").split()),
        ordinal_endings=frozenset(
            mark + "".join(_keys(ending.removeprefix(mark)))
            for ending in table.get("ordinal_endings", "").split()
            for mark in (ending[:1] if ending[0] in "-.'" else "",)
        ),
    )


def _row(text: str) -> list[list[str]]:
    return [entry.split() for entry in text.split(",")] if text else []


def _by_value(text: str) -> dict[_Keys, int]:
    return {_keys(word): int(value) for value, *words in _row(text) for word in words}


def _keys(word: str) -> _Keys:
    return tuple(token.key for token in tokenize(word.replace("_", " ")))


def _in_one_word(
    values: Mapping[_Keys, int], hundreds: list[str], thousand: str
) -> dict[_Keys, int]:
    """Return the numbers from a hundred to a million that German and the like join to a word."""
    small = {keys[0]: value for keys, value in values.items() if value and value < _HUNDRED}
    ones = [("", 1), *((word, value) for word, value in small.items() if 1 < value < _TEN)]
    words = {
        f"{one}{hundred}{rest}": i * _HUNDRED + value
        for hundred in hundreds
        for one, i in ones
        for rest, value in (("", 0), *small.items())
    }
    thousands = {
        word + thousand: value * _THOUSAND for word, value in (small | words).items() if value > 1
    }
    return {(word,): value for word, value in (words | thousands).items()}


class Amount(NamedTuple):
    """A bare value: the place after its last token, and what its last magnitude multiplies by."""

    value: float
    end: int
    is_ordinal: bool = False
    scale: float = 1.0


_LARGEST = 1e30


class WordReader:
    """Reads number words.

    In a group the values of words get smaller, from group to group the magnitudes: "one hundred and
    two hundred" are two numbers.

    Args:
        words: The words of a language.
        tokens: The tokens of a text.
        is_near: Whether a token follows the one before it closely enough to go on with its number.
    """

    def __init__(
        self, words: NumberWords, tokens: Sequence[Token], is_near: Callable[[int], bool]
    ) -> None:
        self._words, self._tokens, self._is_near = words, tokens, is_near

    def read(self, i: int, part: int = 0) -> Amount | None:
        """Return the number at a place; `part` is 1 after the article of "a hundred"."""
        if not part and (ordinal := self._words.ordinals.get(self._tokens[i].key)):
            return Amount(ordinal, i + 1, is_ordinal=True)
        total, lowest, found = 0, inf, Amount(0, i)
        while found.end == i or self._is_near(found.end):
            start = i if found.end == i else self._past_joiner(found.end)
            group = self._group(start, part)
            end = group.end
            magnitude = self._scale(end, first=end == i)
            if magnitude >= lowest:
                break
            if not magnitude or not (group.value or (magnitude == _THOUSAND and end == i)):
                if end > start:
                    scale = group.scale if group.scale > 1 else found.scale
                    found = Amount(total + group.value, end, group.is_ordinal, scale)
                break
            value = (group.value or 1) * magnitude
            end += 1
            while value < _LARGEST and (more := self._scale(end)):  # "a thousand million"
                value, magnitude, end = value * more, more, end + 1
            total, lowest, part = total + value, magnitude, 0
            found = Amount(total, end, scale=magnitude)
        if found.end == i:
            return None
        single = found.end == i + 1 and self._tokens[i].key in self._words.unsure
        return None if single and not self._is_counted(found.end) else found

    def _group(self, first: int, part: int) -> Amount:
        """Read a value below a thousand: each word adds to a lower place than the one before."""
        words, i = self._words, first
        total, room, scale, last = part, _THOUSAND, 1, 0
        while i < len(self._tokens) and (i == first or self._is_near(i)):
            may_join = i > first and (words.joins_tens or room > _TEN)
            place = self._past_joiner(i) if may_join else i
            key = self._tokens[place].key
            value, end = self._word(place)
            is_prefixed = (
                value is None and i > first and words.prefix and key.startswith(words.prefix)
            )
            if is_prefixed:
                value, end = words.values.get((key.removeprefix(words.prefix),)), i + 1
            if value is None:
                ordinal = words.ordinals.get(key, _TEN)
                if room == _TEN and ordinal < _TEN and place == i:
                    return Amount(total + ordinal, i + 1, is_ordinal=True, scale=scale)
                break
            if value == _HUNDRED and 0 < total < _HUNDRED and place == i:
                total, room, scale = total * _HUNDRED, _HUNDRED, _HUNDRED
            elif is_prefixed and 0 < last < _TEN < value < _HUNDRED:  # five and twenty
                total, room = total + value, 1
            elif i == first or (0 < value < room and self._may_add(place, end, room)):
                total, room = total + value, self._room(value)
            else:
                break
            last, i = value, end
        return Amount(total, i, scale=scale)

    def _word(self, i: int) -> tuple[int | None, int]:
        """Return the value of the longest phrase at a place, and the place after it."""
        if self._tokens[i].key in self._words.firsts:
            for end in range(min(i + self._words.longest, len(self._tokens)), i, -1):
                value = self._words.values.get(tuple(token.key for token in self._tokens[i:end]))
                if value is not None and all(map(self._is_near, range(i + 1, end))):
                    return value, end
        return None, i

    def _may_add(self, place: int, end: int, room: int) -> bool:
        """Return whether a word may go on with a number.

        "Thirty one" may, "five hundred a ..." and "one hundred and two hundred" may not, nor
        Vietnamese "năm", which after a number is a year.
        """
        key = self._tokens[place].key
        if key in self._words.counted or (key in self._words.unsure and room > _TEN):
            return False
        if room < _HUNDRED:
            return True
        multiplied = self._is_near(end) and self._word(end)[0] == _HUNDRED
        return not (multiplied or 0 < self._scale(end) < _HUNDRED)

    def _room(self, value: int) -> int:
        """Return what the next word must be below: 100 after "two hundred", 10 after "twenty"."""
        for place in (_THOUSAND, _HUNDRED):
            if value % place == 0:
                return place if value else 1
        least = _TEN if self._words.ones_follow_ten else 2 * _TEN
        return _TEN if value % _TEN == 0 and value >= least else 1

    def _scale(self, i: int, *, first: bool = False) -> float:
        is_near = i < len(self._tokens) and (first or self._is_near(i))
        return self._words.scales.get(self._tokens[i].key, 0) if is_near else 0

    def _past_joiner(self, i: int) -> int:
        is_joiner = self._tokens[i].key in self._words.joiners and self._is_near(i + 1)
        return i + 1 if is_joiner else i

    def _is_counted(self, i: int) -> bool:
        key = self._tokens[i].key if i < len(self._tokens) else ""
        return bool(key) and (key in self._words.counted or key in "%°€$£")


# Digits

_GROUP_OF_THREE = re.compile(r"(?<=\d)[\s'’٬](?=\d{3}(?!\d))")
_SEPARATED = re.compile(r"\d+(?:[.,]\d+)+")
_DECIMAL_POINT = re.compile(r"(?<![\d.,])\d+\.\d\d?(?![\d.,])")
_BY_STOPS = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])|(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d\d?(?![\d.,])"
)


def plain_digits(written: str, *, decimal_comma: bool = False, money: bool = False) -> str:
    """Return a number with a decimal point, if any, as its only separator; else unchanged.

    Args:
        written: With the thousands separators and the decimal mark of any language.
        decimal_comma: Whether the text has decimal commas: "1.250" is a thousand then, and "1,250"
            otherwise.
        money: Whether a currency is beside, so that ",00" says nothing.

    Examples:
        >>> [plain_digits(text) for text in ("1,250.5", "1.250,5", "12,34,567", "1 250", "3,5")]
        ['1250.5', '1250.5', '1234567', '1250', '3.5']
    """
    written = _GROUP_OF_THREE.sub("", written).replace("٫", ".")
    if not _SEPARATED.fullmatch(written):
        return written
    *groups, last = re.split("[.,]", written)
    first, *others = [char for char in written if char in ".,"]
    is_grouped = groups[0] != "0" and len(groups[0]) <= 3
    plain = "".join(groups)
    if others and others[-1] != first and len({first, *others[:-1]}) == 1:
        is_number = is_grouped and all(len(group) in (2, 3) for group in groups[1:])
        return _with_decimals(plain, last, money=True) if is_number else written
    if others:
        in_threes = all(len(group) == 3 for group in (*groups[1:], last))
        indian = first == "," and len(last) == 3 and all(len(group) == 2 for group in groups[1:])
        is_number = is_grouped and {first} == {*others} and (in_threes or indian)
        return plain + last if is_number else written
    if len(last) != 3 or not is_grouped:
        return _with_decimals(plain, last, money=money)
    return plain + last if first == (".,"[not decimal_comma]) else written


def _with_decimals(whole: str, part: str, *, money: bool) -> str:
    return whole if money and part == "00" else f"{whole}.{part}"


def has_decimal_comma(text: str, language: str) -> bool:
    """Return whether "1,250" is less than two and "1.250" more: by other numbers or the language.

    Args:
        text: Any text.
        language: The code of its language, "" if unknown.

    Examples:
        >>> has_decimal_comma("Der Preis ist 1.250 Euro.", "de"), has_decimal_comma("1.250", "en")
        (True, False)
    """
    if _DECIMAL_POINT.search(text):
        return False
    known = language_has_decimal_comma(language, text)
    return _BY_STOPS.search(text) is not None if known is None else known


# Han script

_HAN_NAMES = {char: i for i, char in enumerate("〇一二三四五六七八九")} | {"零": 0}
_MYRIAD = HAN_SCALES["万"]
_HAN_YEAR = 4  # digits


def _han_value(run: str, digits: Mapping[str, int] = _HAN_NAMES) -> int | None:
    """Return the value of numerals with scales, or `None` if they are no one number."""
    total = group = digit = 0
    last_is_digit, last_scale = False, _MYRIAD
    for char in run:
        if char in digits:
            if last_is_digit and digit:
                return None
            digit, last_is_digit = digits[char], True
            continue
        scale = HAN_SCALES[char]
        if scale < _MYRIAD:
            if scale >= last_scale:
                return None
            group, last_scale = group + (digit or 1) * scale, scale
        else:
            if not group + digit:
                return None
            total, group = total + (group + digit) * scale, 0
            last_scale = _MYRIAD
        digit, last_is_digit = 0, False
    return total + group + digit


def _to_han(number: int) -> str:
    if number >= _MYRIAD:
        return ""
    written = ""
    for scale, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, scale)
        if digit:
            written += (
                "零一二三四五六七八九"[digit] if digit > 1 or scale != _TEN or written else ""
            ) + name
        elif written and number and not written.endswith("零"):
            written += "零"
    return written or "零"


_SINO = "일이삼사오육칠팔구십백천만억"
_HAN_OF_SINO = str.maketrans(_SINO, "一二三四五六七八九十百千万億")
_SINO_OF_HAN = str.maketrans("零一二三四五六七八九十百千万億", f"영{_SINO}")
_SINO_NUMBER = re.compile(f"(?=.*[십백천만억])[{_SINO}]{{2,}}")
_KOREAN_PERCENT = tuple(word for word in PERCENT if "가" <= word[0] <= "힣")
_KOREAN_PART = re.compile(
    r"\d+(?:[.,]\d+)*|{0}|\D+?(?={0}|\d|\Z)".format("|".join(_KOREAN_PERCENT))
)


def _korean(words: NumberWords, tokens: Sequence[Token]) -> list[Token]:
    """Return tokens cut where a figure, number or percent word ends: endings have no blank."""
    cut: list[Token] = []
    for token in tokens:
        parts = [token]
        if token.kind == "word" and token.end - token.start == len(token.key):
            after_number = bool(cut) and cut[-1].kind == "number"
            parts = [*_korean_parts(words, token, after_number=after_number)]
        cut += parts
    for i, (token, after) in enumerate(pairwise(cut)):
        if _SINO_NUMBER.fullmatch(token.key) and after.key.startswith(tuple(words.counted)):
            value = _han_value(token.key.translate(_HAN_OF_SINO))
            cut[i] = token if value is None else _new(token, str(value), token.end)
    return cut


def _korean_parts(words: NumberWords, token: Token, *, after_number: bool) -> Iterator[Token]:
    key, cuts = token.key, {0}
    if any(map(str.isdigit, key)):
        cuts |= {place for match in _KOREAN_PART.finditer(key) for place in match.span()}
    elif after_number and (percent := next(filter(key.startswith, _KOREAN_PERCENT), "")):
        cuts.add(len(percent))
    elif (number := _SINO_NUMBER.match(key)) and key.startswith(tuple(words.counted), number.end()):
        cuts.add(number.end())
    for low, high in pairwise(sorted({*cuts, len(key)})):
        part = key[low:high]
        kind = "number" if part[0].isdigit() else "word"
        start = token.start + low
        yield token._replace(
            key=part, text=token.text[low:high], start=start, end=token.start + high, kind=kind
        )


# Dates, times, decimals and codes in digits. Each pattern has only one reading, or what is beside
# it shows which: "01.09.2023" and "01/09/2023" are one date except in English, "6.45" is a time
# behind "um", and "3·6" a decimal before "%".

_Read = Callable[[re.Match[str], str], str]

_LAST_DAY, _LAST_MONTH = 31, 12
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


def _date(match: re.Match[str], language: str) -> str:
    parts = [part for part in match.groups() if part and part.isalnum()]
    if len(parts[0]) < _HAN_YEAR:
        if not load_lexicon(language).day_first:
            return ""
        parts.reverse()
    if not parts[0].isdecimal():
        year = "".join(str(_HAN_NAMES[char]) for char in parts[0])
        parts = [year, *(str(_han_value(part)) for part in parts[1:])]
    year, month, day = map(int, parts)
    return f"{year}-{month}-{day}" if 0 < month <= _LAST_MONTH and 0 < day <= _LAST_DAY else ""


def _time(match: re.Match[str], language: str) -> str:
    text, start, end = match.string, match.start(), match.end()
    if match[3]:
        before = _before_time(language)
        behind = before is not None and before.search(text, max(0, start - 12), start)
        if not ((behind and not _is_counted(text, end, language)) or _AFTER_TIME.match(text, end)):
            return ""
    return f"{int(match[1])}:{match[4]}"


@cache
def _before_time(language: str) -> re.Pattern[str] | None:
    words = load_lexicon(language).clock
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})\.?\s\Z", re.IGNORECASE) if words else None


def _is_counted(text: str, end: int, language: str) -> bool:
    counted = _COUNTED.match(text, end)
    if (
        counted is None or counted[1] in _HOURS or counted[1] in load_lexicon(language).common
    ):  # Polish "w" is no watt
        return False
    return may_be_unit(counted[1]) or counted[1].lower() in PERCENT


def _decimal(match: re.Match[str], _language: str) -> str:
    counts = _PERCENT.match(match.string, match.end())
    # Figures of a Japanese list grow: "１・２月" is January and February.
    falls = match[2] == "・" and int(match[1]) > int(match[3])
    return canonical(f"{match[1]}.{match[3]}") if counts or falls else ""


def _code(match: re.Match[str], _language: str) -> str:
    return re.sub(rf"{_BLANK}|-", "", match[0])


def _phone(match: re.Match[str], language: str) -> str:
    number = _code(match, language)
    groups = re.findall(r"\d+", match[0])
    is_phone = _SHORTEST_PHONE <= len(number.lstrip("+")) <= _LONGEST_PHONE
    return number if is_phone and max(map(len, groups)) > 2 else ""


_NOTATIONS: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (_IBAN, _code), (_CARD, _code), (_DAY_FIRST, _date), (_YEAR_FIRST, _date), (_HAN_DATE, _date),
    (_PHONE, _phone), (_TIME, _time), (_DECIMAL, _decimal),
)  # fmt: skip


def _with_notations(text: str, tokens: Sequence[Token], language: str) -> Sequence[Token]:
    """Return tokens with each date, time, decimal and code in digits as one."""
    if not tokens:
        return tokens
    found = [
        (match.start(), match.end(), key)
        for pattern, read in _NOTATIONS
        for match in pattern.finditer(text, tokens[0].start, tokens[-1].end)
        if (key := read(match, language))
    ]
    places: dict[int, tuple[int, str]] = {}
    done = -1
    for start, end, key in sorted(found, key=lambda each: (each[0], -each[1])):
        if start >= done:
            places[start], done = (end, key), end
    if not places:
        return tokens
    read: list[Token] = []
    done = -1
    for token in tokens:
        if token.start < done:
            read[-1] = read[-1]._replace(end=max(token.end, read[-1].end))
        elif token.start in places:
            done, key = places[token.start]
            read.append(token._replace(key=key, text=key, kind="number"))
        else:
            read.append(token)
    return read


# Texts

_THREE = re.compile(r"\d{3}(?:[.,]\d{1,2})?")
_PERCENT_OF = ("百", "分", "之")
_PERCENTS_BEFORE = (("%",), ("yüzde",), _PERCENT_OF, (*"ร้อยละ",))
_LONGEST_PERCENT = max(map(len, _PERCENTS_BEFORE))


@cache
def _all_words(code: str) -> frozenset[str]:
    """Return the keys of all number words of a language, of every language for ""."""
    if not code:
        return frozenset[str]().union(*map(_all_words, CODES))
    words = _number_words(code)
    phrases = (
        (*words.values, *((key,) for key in (*words.scales, *words.ordinals))) if words else ()
    )
    return frozenset(
        key
        for keys in phrases
        for key in (*keys, *(each.replace("σ", "ς") for each in keys if each.endswith("σ")))
    )


@cache
def _unspaced() -> re.Pattern[str]:
    """Return what finds a number in scripts without spaces, or inside Korean words."""
    thai, han = (_number_words(code) for code in ("th", "zh"))
    words = {"".join(keys) for keys in thai.values} if thai else set[str]()
    chars = "".join((*HAN_SCALES, *(han.digits if han else ())))
    words |= {*_KOREAN_PERCENT, *(f"[{each}]" for each in (chars, "십백천"))}
    return re.compile("|".join((*words, r"[가-힣]\d|\d[가-힣]")))


@lru_cache(maxsize=20_000)
def has_numeral(word: str, language: str) -> bool:
    """Return whether a word may be a number in another writing; a quick test.

    Args:
        word: A word of a text.
        language: The code of the text's language: "due" is a number in Italian only; "" if unknown.
    """
    bare = word.strip('.,;:!?()[]{}«»„“”"…').lower()
    if not bare.isascii() and _unspaced().search(bare):
        return True
    words = _all_words(language)
    return any(part in words for part in (bare, *re.split("[-‐‑]", bare), bare.lstrip("و")))


def read_values(
    text: str, tokens: Sequence[Token], language: str, *, nearby: str = ""
) -> list[Token]:
    """Return tokens with each value, percentage, date and code in one form; their intervals stay.

    Args:
        text: The text.
        tokens: Its tokens without marks.
        language: The code of its language, "" if unknown.
        nearby: More of the text, which shows its decimal mark.

    Examples:
        >>> text = "am 1.9.2023 fünfundzwanzig von 1.250,00"
        >>> [token.key for token in read_values(text, tokenize(text), "de")]
        ['am', '2023-9-1', '25', 'von', '1250']
    """
    return _read(text, _with_notations(text, tokens, language), language, nearby or text)


def _read(text: str, tokens: Sequence[Token], language: str, nearby: str) -> list[Token]:
    words = _number_words(language)
    if words is not None and language == "ko":
        tokens = _korean(words, tokens)
    return _with_percent_behind([*_Reader(text, tokens, language, nearby).tokens()])


class _Reader:
    def __init__(self, text: str, tokens: Sequence[Token], language: str, nearby: str) -> None:
        self._text, self._tokens, self._language, self._nearby = text, tokens, language, nearby
        self._words = _number_words(language)
        self._word_reader = WordReader(self._words, tokens, self._is_near) if self._words else None

    @cached_property
    def _decimal_comma(self) -> bool:
        return has_decimal_comma(self._nearby, self._language)

    def tokens(self) -> Iterator[Token]:
        i, after_number = 0, False
        while i < len(self._tokens):
            token, end, key = self._tokens[i], i + 1, ""
            if token.kind == "number":
                key, end = self._scaled(*self._figure(i))
                if self._ends_in_ordinal(end):
                    key, end = f"{key}th", end + 1
            elif self._keys(i, i + len(_PERCENT_OF)) == _PERCENT_OF:
                yield from self._tokens[i : i + len(_PERCENT_OF)]
                i, after_number = i + len(_PERCENT_OF), False
                continue
            # "pour cent" is no hundred, and "1 segundo" a second.
            elif self._keys(max(0, i - 1), i + 1) not in PERCENT_PHRASES:
                amount = self._amount(i)
                if amount and not (after_number and amount.is_ordinal):
                    key, end = f"{amount.value}{'th' * amount.is_ordinal}", amount.end
            if key and (end > i + 1 or key != token.key):
                token = _new(token, key, self._tokens[end - 1].end)
            yield token
            i, after_number = end, token.kind == "number"

    def _keys(self, first: int, last: int) -> _Keys:
        return tuple(token.key for token in self._tokens[first:last])

    def _near_key(self, i: int) -> str:
        return self._tokens[i].key if self._is_near(i) else ""

    def _is_near(self, i: int) -> bool:
        """Return whether only blanks or a hyphen separate a token from the one before."""
        if not 0 < i < len(self._tokens):
            return False
        between = self._text[self._tokens[i - 1].end : self._tokens[i].start]
        return len(between) < 4 and not between.strip(" -\n\u00a0\u2009\u202f‐‑\u200c")

    def _ends_in_ordinal(self, i: int) -> bool:
        """Return whether a token is the ending of the figure before it, as in "3-го"."""
        if i >= len(self._tokens) or not (self._words and self._words.ordinal_endings):
            return False
        gap = self._text[self._tokens[i - 1].end : self._tokens[i].start].replace("’", "'")
        return len(gap) < 2 and gap + self._tokens[i].key in self._words.ordinal_endings

    def _amount(self, i: int) -> Amount | None:
        if self._words is None or self._word_reader is None:
            return None
        if self._words.digits:
            return self._han(i, self._words)
        return self._thai(i, self._words) if self._language == "th" else self._word_reader.read(i)

    def _han(self, i: int, words: NumberWords) -> Amount | None:
        end = i
        while end < len(self._tokens) and (
            self._tokens[end].key in words.digits or self._tokens[end].key in HAN_SCALES
        ):
            end += 1
        run, after = "".join(self._keys(i, end)), "".join(self._keys(end, end + 4))
        if not run or (run + after).startswith(words.lookalikes):
            return None
        if not HAN_SCALES.keys().isdisjoint(run):
            value = _han_value(run, words.digits)
            return None if value is None else Amount(value, end)
        if len(run) == 1:
            is_sure = after.startswith(tuple(words.counted)) or self._keys(i - 1, i) == ("第",)
            return Amount(words.digits[run], end) if is_sure else None
        # "三五年" is three to five years.
        if len(run) != _HAN_YEAR and not set(run) & set("〇零"):
            return None
        return Amount(int("".join(str(words.digits[char]) for char in run)), end)

    def _thai(self, i: int, words: NumberWords) -> Amount | None:
        """Read one word that something counted follows: most are parts of other words."""
        if self._tokens[i].key not in words.firsts:
            return None
        written = "".join(self._keys(i, i + 24))
        by_length = sorted(words.values, key=lambda keys: len("".join(keys)), reverse=True)
        for keys in by_length:
            word = "".join(keys)
            if written.startswith(word) and written[len(word) :].startswith(tuple(words.counted)):
                is_whole = self._keys(i, i + len(keys)) == keys
                return Amount(words.values[keys], i + len(keys)) if is_whole else None
        return None

    def _figure(self, i: int) -> tuple[str, int]:
        """Return a figure in its plain form, and the place after its groups."""
        tokens = self._tokens
        written, end = tokens[i].text.replace(" ", "").replace("'", ""), i + 1
        if re.fullmatch(r"[1-9]\d{0,2}", written):
            while (
                end < len(tokens)
                and tokens[end].kind == "number"
                and self._text[tokens[end - 1].end : tokens[end].start] in (" ", "\u00a0", "&nbsp;")
                and _THREE.fullmatch(tokens[end].text)
                and written.isdigit()
            ):
                written, end = written + tokens[end].text, end + 1
        if end > i + 1:
            whole, _, part = written.replace(",", ".").partition(".")
            return (whole if part in ("", "00") else f"{whole}.{part}"), end
        if not any(mark in written for mark in ".,"):
            return written if written == tokens[i].text else tokens[i].key, end
        money = any(is_currency(tokens[k].key) for k in (i - 1, end) if 0 <= k < len(tokens))
        return plain_digits(written, decimal_comma=self._decimal_comma, money=money), end

    def _scaled(self, key: str, end: int) -> tuple[str, int]:
        """Return a figure times the magnitudes after it: "2万", "5 Millionen", "5 mil millones"."""
        words = self._words
        if words is None or not re.fullmatch(r"\d+(\.\d+)?", key):
            return key, end
        if "." in key and key.endswith("0"):
            return key, end
        if words.digits:
            return self._scaled_by_han(key, end, words)
        scale = 1.0
        # "20 de milioane"
        place = end + (bool(words.linker) and self._near_key(end) == words.linker)
        while magnitude := words.scales.get(self._near_key(place)):
            scale, end, place = scale * magnitude, place + 1, place + 1
        return (key if scale == 1 else f"{float(key) * scale:.15g}"), end

    def _scaled_by_han(self, key: str, end: int, words: NumberWords) -> tuple[str, int]:
        """Return a figure with the numerals of Han script right after it: "13兆9千億"."""
        tokens, scales = self._tokens, HAN_SCALES | dict(words.scales)
        total, group, digit, last = 0.0, 0.0, float(key), 10**16
        i = end
        while i < len(tokens) and tokens[i].start == tokens[i - 1].end:
            following = tokens[i].key
            if scale := scales.get(following, 0):
                if following == "千" and self._keys(i + 1, i + 2) in _OF_KILO:
                    break  # "20千米" is 20 kilometres
                if scale < _MYRIAD:
                    group, digit = group + (digit or 1) * scale, 0.0
                elif group + digit:
                    if scale >= last:
                        return key, end
                    total, last = total + (group + digit) * scale, scale
                    group = digit = 0.0
                else:
                    total *= scale  # "2万亿"
            elif tokens[i].kind == "number" and following.isdigit() and not digit:
                digit = float(following)
            elif following in words.digits and not digit:
                digit = float(words.digits[following])
            else:
                break
            i += 1
        if i == end or (i == end + 1 and tokens[end].key in "十百"):
            return key, end
        return f"{total + group + digit:.17g}", i


_OF_KILO = frozenset(zip("米克瓦卡赫伏", strict=True))


def _new(token: Token, key: str, end: int) -> Token:
    return token._replace(key=key, text=key, end=end, kind="number")


def _with_percent_behind(tokens: list[Token]) -> list[Token]:
    """Return tokens with "%" behind its number, where it was before it: "%5", "百分之23.6"."""
    read: list[Token] = []
    i = 0
    while i < len(tokens):
        width = _percent_width_before(tokens, i)
        if not width:
            read.append(tokens[i])
            i += 1
            continue
        sign, number = tokens[i], tokens[i + width]
        # Both come from one place: what is between them is not compared.
        read.append(number._replace(start=sign.start))
        read.append(sign._replace(key="%", text="%", kind="symbol", end=number.end))
        i += width + 1
    return read


def _percent_width_before(tokens: list[Token], i: int) -> int:
    """Return how many tokens before a number mean "%", 0 if none do."""
    keys = tuple(token.key for token in tokens[i : i + _LONGEST_PERCENT])
    width = next((len(each) for each in _PERCENTS_BEFORE if keys[: len(each)] == each), 0)
    behind = i and tokens[i].key == "%" and tokens[i - 1].end == tokens[i].start
    if not width or (behind and tokens[i - 1].kind == "number"):
        return 0
    number = tokens[i + width] if i + width < len(tokens) else None
    if number is None or number.kind != "number" or number.start - tokens[i + width - 1].end > 1:
        return 0
    return width


# Search

_MOST_FORMS = 4
_BEFORE_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?[%％]")
_LONGEST_IN_WORDS = 5  # digits
_DATE_IN_HAN = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日")
_FIGURE = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,])")


@lru_cache(maxsize=64)
def other_numerals(text: str) -> tuple[str, ...]:
    """Return a text with its numbers in digits, and with small numbers in words, at most 4.

    Examples:
        >>> other_numerals("Wir haben 5 Minuten und nicht mehr")[0]
        'Wir haben fünf Minuten und nicht mehr'
    """
    lexicon = find_lexicon(text)
    language = lexicon.code if lexicon else ""
    words = _number_words(language)
    if words is None or not any(
        any(map(str.isdigit, word)) or has_numeral(word, language) for word in text.split()
    ):
        return ()
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    read = _read(text, tokens, language, text)
    forms: dict[str, None] = {}
    for form in range(_MOST_FORMS):
        written, position = "", 0
        for token in read:
            surface = text[token.start : token.end]
            if token.kind != "number" or token.start < position:
                continue
            replaced = token.key
            if surface == token.key or form > 0:
                replaced = _in_words(words, token.key, max(0, form - 1)) or surface
            written += text[position : token.start] + replaced
            position = token.end
        forms[written + text[position:]] = None
    if language == "ko":
        forms[_FIGURE.sub(lambda figure: _to_han(int(figure[0])).translate(_SINO_OF_HAN), text)] = (
            None
        )
    if words.digits:
        forms[_BEFORE_PERCENT.sub(r"百分之\1", text)] = None
        forms[_DATE_IN_HAN.sub(lambda date: _dated(words, date[0]), text)] = None
    forms.pop(text, None)
    return (*forms,)[:_MOST_FORMS]


def _dated(words: NumberWords, date: str) -> str:
    """Return a date in Han numerals, the digits of its year one by one."""
    year, rest = date[:4], date[4:]
    han = "".join(next(char for char, i in words.digits.items() if i == int(n)) for n in year)
    return han + re.sub(r"\d+", lambda number: _to_han(int(number[0])), rest)


def _in_words(words: NumberWords, key: str, form: int) -> str:
    """Return a number below a million in words, in the form of that index or the last."""
    if not key.isdigit() or len(key) > _LONGEST_IN_WORDS:
        return ""
    return _to_han(int(key)) if words.digits else " ".join(_spelled(words, int(key), form))


def _spelled(words: NumberWords, number: int, form: int) -> list[str]:
    """Return the words of a number, without joiners; empty if the tables lack one."""
    by_value = _words_of(words)
    if number in by_value:
        return [by_value[number][min(form, len(by_value[number]) - 1)]]
    place = next((each for each in (_THOUSAND, _HUNDRED, _TEN) if number >= each), 0)
    if not place:
        return []
    head, rest = divmod(number, place)
    written = by_value.get(head * place, [])[:1]
    if not written and place > _TEN:
        scale = [word for word, value in words.scales.items() if value == place]
        one = head == 1 and place == _THOUSAND
        scale = scale or by_value.get(place, [])
        written = [*(() if one else _spelled(words, head, form)), *scale[:1]]
    tail = _spelled(words, rest, form) if rest else []
    return written + tail if written and (tail or not rest) else []


@cache
def _words_of(words: NumberWords) -> dict[int, list[str]]:
    by_value: dict[int, list[str]] = {}
    for keys, value in words.values.items():
        by_value.setdefault(value, []).append(" ".join(keys))
    return by_value


_ENDS_IN_PERCENT = re.compile(r"百分之[\d.]+\Z")


def ends_in_percent(text: str) -> bool:
    """Return whether a text ends with a percentage whose sign, in another writing, is behind it."""
    return _ENDS_IN_PERCENT.search(text) is not None

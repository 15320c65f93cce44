"""The one reader of numbers: the figures, quantities and dates of a text, and where they are.

`find_numbers` reads digits with the separators of all locales, English number words, fractions,
units, currencies, percentages, dates, ranges and bounds. The tables of words are in `quantities`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import attrgetter
from typing import Literal, NamedTuple

from citeguard.language.lexicon import language_has_decimal_comma
from citeguard.language.quantities import (
    CARDINALS,
    CELSIUS,
    CURRENCIES,
    DOLLARS,
    FAHRENHEIT,
    LETTER_MAGNITUDES,
    MAGNITUDES,
    MONTH_NAMES,
    MONTHS,
    ORDINAL_ENDINGS,
    ORDINALS,
    PERCENT,
    SHORT_MAGNITUDES,
    TENS,
    WEEKDAYS,
    Unit,
    find_unit,
)
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import Token, tokenize

NumberKind = Literal["count", "percent", "money", "date", "ordinal", "times", "label"]

SHARE, POINTS = Unit("share", 1.0), Unit("points", 1.0)
CLOCK, CLOCK_FACE = Unit("time of day", 1.0), Unit("time of day", 1.0, 12.0)
"""Hours since midnight; of a clock face if it may be morning or evening: "5:30"."""
DEGREES = Unit("degrees", 1.0)
"""Degrees of an unnamed scale, or of an angle."""

FIRST_YEAR, LAST_YEAR = 1000, 2100
_LAST_DAY, _LAST_MONTH = 31, 12
_ALL_MAGNITUDES = MAGNITUDES | SHORT_MAGNITUDES
_SCALE_WORDS = {word: value for word, value in _ALL_MAGNITUDES.items() if value != 100}
_BELOW_A_THOUSAND = CARDINALS | TENS | {"hundred": 100}
_ARTICLES = frozenset(("a", "an"))
_FRACTIONS = {word: value for word, value in ORDINALS.items() if value > 2} | {"quarter": 4}
_TIMES = {
    "twice": 2.0, "thrice": 3.0, "doubled": 2.0, "doubling": 2.0, "tripled": 3.0, "tripling": 3.0,
    "trebled": 3.0, "quadrupled": 4.0, "quadrupling": 4.0, "quintupled": 5.0, "halved": 0.5,
    "halving": 0.5,
}  # fmt: skip
_EACH = frozenset("a an per every each daily weekly monthly yearly annually".split())
_WHOLE = frozenset(
    "of the its their his her our your my these those all that this are were is was have"
    " had".split()
)
_NOT_OF_A_WHOLE = frozenset(
    "the first second third fourth last other latter former final each".split()
)
_NUMBERED = frozenset("version release section chapter article clause paragraph appendix".split())
_PLURALS = frozenset(("people", "men", "women", "children"))
_LARGEST_BELOW = 16  # "6 1/16"; "3/20" is as likely a date
_MOST_OF = 1_000  # "one in 2,000" may as well be "one in [the year] 2000"
_LARGEST = 1e30  # of a number in words, which "million"s may follow without end
_LONGEST_GROUPED = 31  # characters of a number in groups of three; longer ones are a list
_POWERS = {"square": ("area", 2), "sq": ("area", 2), "cubic": ("volume", 3)}
_LITRES = 1_000.0  # of a cubic metre
_PER = frozenset(("per", "/"))
_SHORT_UNITS = {"h": "hour", "s": "second"}  # only after "/": "1990 s" may be a decade
_DEGREE_WORDS = frozenset(("°", "degree", "degrees", "º"))
_SCALES = {
    "c": CELSIUS, "celsius": CELSIUS, "centigrade": CELSIUS,
    "f": FAHRENHEIT, "fahrenheit": FAHRENHEIT,
}  # fmt: skip
_YEAR_CONTEXT = frozenset(
    "in of since by from until till to during between and after before early late mid around"
    " circa year spring summer autumn fall winter c b d r".split()
) | frozenset(MONTHS)
_SURE_YEAR_CONTEXT = frozenset("in since until".split())
_ALSO_WORDS = frozenset(("may", "march", "mar", "sat", "sun"))
_BEFORE_CHRIST = frozenset(("bc", "bce"))
_WEEKDAYS = {name: number for number, name in enumerate(WEEKDAYS, start=1)}

# What a number leaves open, by the words before it; the longest match counts.
_COMPARED = {"more": 1, "greater": 1, "higher": 1, "less": -1, "fewer": -1, "lower": -1}
_BOUNDS: dict[tuple[str, ...], int] = {
    ("at", "least"): 1, ("minimum", "of"): 1, ("least", "of"): 1, ("over",): 1, ("above",): 1,
    ("exceeding",): 1, ("at", "most"): -1, ("up", "to"): -1, ("maximum", "of"): -1,
    ("under",): -1, ("below",): -1,
    **{(word, "than"): sign for word, sign in _COMPARED.items()},
    **{(no, word, "than"): -sign for no in ("no", "not", "never")
       for word, sign in _COMPARED.items()},
}  # fmt: skip
_BOUNDS_AFTER = {
    **dict.fromkeys("more greater higher over above older".split(), 1),
    **dict.fromkeys("less fewer lower under below younger".split(), -1),
}
_ABOUT = frozenset(
    "about around approximately roughly nearly almost some circa ~ estimated".split()
)
_MINUS = frozenset(("minus", "negative"))

_AT_TIMES = frozenset("at from to till until by before after between around about -".split())
_QUARTERS = frozenset(("00", "15", "30", "45"))
_NOON, _MIDNIGHT = 12, 24
_HALVES: dict[tuple[str, ...], int] = {("am",): 0, ("a", "m"): 0, ("pm",): 12, ("p", "m"): 12}
_TYPED_DASH = re.compile(r"\s?--\s?")
_SPACED_COMMA = re.compile(r" ?, ")
_DOTTED_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")

Interval = tuple[int, int]
_start = attrgetter("start")


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number, quantity or date of a text. Offsets are in code points, intervals half-open.

    Attributes:
        kind: What it is; a share of a whole is a `percent` in whatever words, and a `label` is the
            number in a name such as "Form 1040" or after a word such as "version".
        value: Its value, below 0 after a minus; of a range the lower end; of a date the year, or
            else the day, month or weekday.
        low: The least value meant, minus infinity for "at most 5". Of dates, the first year meant;
            minus infinity if no year is given.
        high: The greatest value meant, inclusive.
        start: Where the figure starts, without sign, currency and unit.
        end: Where the figure ends.
        whole: The figure with them; equal to (`start`, `end`) of a date.
        bounded: `whole` with the words that bound it, such as "at least".
        unit: What it is measured in; the dimension of a currency is its name.
        rough: Whether it is approximate: "about 5", "over 5", "half of".
        year: Of a date; negative for BC; `None` for decades, centuries and if not given.
        month: Of a date, 1 to 12.
        day: Of a date, 1 to 31.
        weekday: Of a date, from 1 for Monday.
        label: The word before a `label`, in lower case.
    """

    kind: NumberKind
    value: float
    low: float
    high: float
    start: int
    end: int
    whole: Interval
    bounded: Interval
    unit: Unit | None = None
    rough: bool = False
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    label: str = ""

    @property
    def is_range(self) -> bool:
        """Whether it is "5 to 10", a decade or the like: of two ends that are not the same."""
        return -inf < self.low < self.high < inf

    @property
    def currency(self) -> str:
        """The name of the currency; empty if it is no sum of money."""
        return self.unit.dimension if self.unit and self.kind == "money" else ""


def find_numbers(text: str, tokens: Sequence[Token] | None = None) -> tuple[Number, ...]:
    """Return the numbers of a text in order; no two overlap.

    Digits of all scripts are read, with the thousands separators of all locales; number words in
    English only. A single comma or stop before three digits is ambiguous: "1,250" is read as 1250
    and "1.250" as 1.25, as in English.

    Args:
        text: Any text.
        tokens: Its tokens without marks, if the caller has them.

    Examples:
        >>> number, date = find_numbers("It sold at least 1.5 million litres on 3 May 2019.")
        >>> number.low, number.unit.dimension, (date.day, date.month, date.year)
        (1500000.0, 'volume', (3, 5, 2019))
    """
    if tokens is None:
        tokens = [token for token in tokenize(text) if token.kind != "mark"]
    return tuple(_Reader(text, tokens).numbers())


_GROUP_OF_THREE = re.compile(r"(?<=\d)[\s'’٬](?=\d{3}(?!\d))")
_SEPARATED = re.compile(r"\d+(?:[.,]\d+)+")


def read_digits(written: str) -> float | None:
    """Return the value of a number in digits, or `None` if its separators make no number.

    Examples:
        >>> [read_digits(text) for text in ("1,250.5", "1.250,5", "12,34,567", "1 250", "3,5")]
        [1250.5, 1250.5, 1234567.0, 1250.0, 3.5]
    """
    plain = _plain_digits(_GROUP_OF_THREE.sub("", written).replace("٫", "."))
    return float(plain) if re.fullmatch(r"\d+(?:\.\d+)?|\.\d+", plain) else None


def _plain_digits(written: str) -> str:
    """Return a number with a decimal point, if any, as its only separator; else unchanged."""
    if not _SEPARATED.fullmatch(written):
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


_DECIMAL_POINT = re.compile(r"(?<![\d.,])\d+\.\d\d?(?![\d.,])")
_BY_STOPS = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])|(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d\d?(?![\d.,])"
)


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


class Amount(NamedTuple):
    """A bare value: the place after its last token, and what its last magnitude multiplies by."""

    value: float
    end: int
    is_ordinal: bool = False
    scale: float = 1.0


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
        >>> text = "On May 3rd, 2019 five of 1,200 left."
        >>> [figure.key for figure in find_figures(text, tokenize(text))]
        ['2019-5-3', '5', '1200']
    """
    return [*_Reader(text, tokens).figures()]


class _Measure(NamedTuple):
    unit: Unit | None
    end: int


class _Reader:
    """Reads the numbers of one text; places are indices of its tokens."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self._text, self._tokens = text, tokens

    def numbers(self) -> Iterator[Number]:
        """Yield the numbers in order."""
        i, done, end = 0, 0, 0
        while i < len(self._tokens):
            token = self._tokens[i]
            found = None
            # Two tokens may come from one character: "¼0" is folded to "1/40".
            if token.start >= end and (token.kind == "number" or token.key in _STARTERS):
                found = self._date(i) or self._share(i, done) or self._quantity(i, done)
            if found is None:
                i += 1
                continue
            number, done = found
            yield number
            i, end = done, number.end

    def figures(self) -> Iterator[Figure]:
        """Yield the values and dates that have several ways of writing, in order."""
        i = 0
        while i < len(self._tokens):
            token = self._tokens[i]
            figure = None
            if token.kind == "number" or token.key in _STARTERS:
                figure = self._dated_figure(i) or self._figure(i)
            if figure is not None:
                yield figure
            i = i + 1 if figure is None else figure.end

    def _dated_figure(self, i: int) -> Figure | None:
        date = self._numeric_date(i) or self._day_and_month(i) or self._month_first(i)
        if date is None or date.month is None or (date.day is None and date.year is None):
            return None
        has_article = self._key(i - 1) == "the" and self._month_at(i) == 0 and self._is_near(i)
        return Figure(i - has_article, date.end, f"{date.year or ''}-{date.month}-{date.day or ''}")

    def _figure(self, i: int) -> Figure | None:
        amount = self._amount(i)
        if amount is None or "dozen" in self._keys(i, amount.end):
            return None
        token, is_single = self._tokens[i], amount.end == i + 1
        if is_single and token.key == "one" and self._measure(amount.end).unit is None:
            return None
        if is_single and token.kind == "number":
            grouped = len(re.findall(r"\d[.,'](?=\d)", token.text)) > 1
            return Figure(i, i + 1, f"{amount.value:.15g}" if grouped else token.key)
        if "." in token.key and token.key.endswith("0"):
            return None
        return Figure(i, amount.end, f"{amount.value:.12g}{'th' if amount.is_ordinal else ''}")

    def _key(self, i: int) -> str:
        return self._tokens[i].key if 0 <= i < len(self._tokens) else ""

    def _keys(self, first: int, last: int) -> tuple[str, ...]:
        return tuple(self._key(i) for i in range(first, last))

    def _is_near(self, i: int) -> bool:
        """Return whether only blanks or a hyphen separate a token from the one before."""
        if not 0 < i < len(self._tokens):
            return False
        between = self._text[self._tokens[i - 1].end : self._tokens[i].start]
        return len(between) < 4 and not between.strip(" -'\u00a0\u2009\u202f‐‑–")

    def _near_key(self, i: int) -> str:
        return self._tokens[i].key if self._is_near(i) else ""

    def _touches(self, i: int) -> bool:
        return 0 < i < len(self._tokens) and self._tokens[i - 1].end == self._tokens[i].start

    def _begins_sentence(self, i: int) -> bool:
        before = self._text[self._tokens[i - 1].end : self._tokens[i].start] if i else "."
        return any(stop in before for stop in ".!?\n;")

    # Values

    def _amount(self, i: int) -> Amount | None:
        """Read a value without sign and unit: "1,250", "two hundred and fifty", "a million"."""
        key = self._key(i)
        if i < len(self._tokens) and self._tokens[i].kind == "number":
            found = self._digits(i)
        elif key in _ARTICLES and self._near_key(i + 1) in MAGNITUDES:
            found = self._in_words(i + 1, part=1)
        elif key in CARDINALS or key in TENS or key in ORDINALS:
            found = self._in_words(i)
        else:
            return None
        if found and not found.is_ordinal:
            found = self._with_fraction(found)
        # Hundreds of digits, or of "million"s, are no number.
        return found._replace(value=float(found.value)) if found and found.value < inf else None

    def _in_words(self, i: int, part: int = 0) -> Amount | None:
        """Read a number in words; `part` is 1 after the article of "a hundred".

        From group to group the magnitudes get smaller: "one hundred and two hundred" are two
        numbers.
        """
        if not part and (ordinal := ORDINALS.get(self._key(i))):
            return Amount(ordinal, i + 1, is_ordinal=True)
        total, lowest, found = 0.0, inf, Amount(0, i)
        while found.end == i or self._is_near(found.end):
            start = i if found.end == i else self._past_and(found.end)
            group = self._group(start, part)
            end = group.end
            magnitude = _SCALE_WORDS.get(self._key(end) if end == i else self._near_key(end), 0)
            if magnitude >= lowest:
                break
            if not magnitude or not (group.value or (magnitude == 1_000 and end == i)):
                if end > start:
                    scale = group.scale if group.scale > 1 else found.scale
                    found = Amount(total + group.value, end, group.is_ordinal, scale)
                break
            value = (group.value or 1) * magnitude
            end += 1
            while value < _LARGEST and (more := _SCALE_WORDS.get(self._near_key(end), 0)):
                value, magnitude, end = value * more, more, end + 1  # "a thousand million"
            total, lowest, part = total + value, magnitude, 0
            found = Amount(total, end, scale=magnitude)
        return found if found.end > i else None

    def _group(self, first: int, part: int) -> Amount:
        """Read a value below a thousand: each word adds to a lower place than the one before."""
        total, room, scale, i = part, 1_000, 1, first
        while i < len(self._tokens) and (i == first or self._is_near(i)):
            place = self._past_and(i) if i > first and room > 10 else i
            key = self._key(place)
            value = _BELOW_A_THOUSAND.get(key)
            if value is None:
                ordinal = ORDINALS.get(key, 10)
                if room == 10 and ordinal < 10 and place == i:  # "twenty-first"
                    return Amount(total + ordinal, i + 1, is_ordinal=True, scale=scale)
                break
            if value == 100 and 0 < total < 100 and place == i:
                total, room, scale = total * 100, 100, 100
            elif i == first or (0 < value < room and (room < 100 or self._may_add(place + 1))):
                total += value
                room = 100 if value == 100 else 10 if value % 10 == 0 and value > 10 else 1
            else:
                break
            i = place + 1
        return Amount(total, i, scale=scale)

    def _may_add(self, after: int) -> bool:
        """Return whether a word before `after` may add to hundreds, as no hundred follows it."""
        following = self._near_key(after)
        return following != "hundred" and not 0 < _SCALE_WORDS.get(following, 0) < 100

    def _past_and(self, i: int) -> int:
        return i + 1 if self._key(i) == "and" and self._is_near(i + 1) else i

    def _digits(self, i: int) -> Amount | None:
        written, end = self._tokens[i].text, i + 1
        while len(written) < _LONGEST_GROUPED and self._is_next_group(end, written):
            written, end = f"{written} {self._tokens[end].text}", end + 1
        if end == i + 1 and self._is_split_at_comma(i):
            written, end = f"{written},{self._tokens[end].text}", end + 1
        value = read_digits(written)
        if value is None:
            return None
        if self._touches(end):
            if self._key(end) in ORDINAL_ENDINGS:
                return Amount(value, end + 1, is_ordinal=True)
            scale = LETTER_MAGNITUDES.get(self._key(end))
            if scale and (self._key(i - 1) in CURRENCIES or self._tokens[end].text == "k"):
                return Amount(value * scale, end + 1, scale=scale)
        return self._magnified(Amount(value, end))

    def _is_next_group(self, i: int, written: str) -> bool:
        """Return whether a token goes on with a number in groups of three: "1 250 000"."""
        if not self._is_near(i) or not re.fullmatch(r"[1-9]\d{0,2}(?: \d{3})*", written):
            return False
        token = self._tokens[i]
        blank = self._text[self._tokens[i - 1].end : token.start]
        return blank.isspace() and len(blank) == 1 and bool(re.fullmatch(r"\d{3}", token.text))

    def _is_split_at_comma(self, i: int) -> bool:
        """Return whether a blank was put after the comma of a number, as in "1, 600 people".

        Not in a list of numbers, nor where both may be numbers of their own: "5, 100 km apart".
        """
        if i + 1 >= len(self._tokens):
            return False
        one, other = self._tokens[i], self._tokens[i + 1]
        if not (re.fullmatch(r"[1-9]\d{0,2}", one.text) and re.fullmatch(r"\d{3}", other.text)):
            return False
        if not _SPACED_COMMA.fullmatch(self._text[one.end : other.start]):
            return False
        before = self._text[max(0, one.start - 2) : one.start]
        after = self._text[other.end : other.end + 2]
        is_listed = "," in before or "," in after or self._key(i + 2) in ("and", "or", "to", "-")
        numbered = i and self._tokens[i - 1].key.removesuffix("s") in _NUMBERED | set(MONTHS)
        return not (is_listed or numbered)

    def _magnified(self, amount: Amount) -> Amount:
        while scale := _ALL_MAGNITUDES.get(self._near_key(amount.end).removesuffix("s")):
            amount = Amount(amount.value * scale, amount.end + 1, scale=scale)
        return amount

    def _with_fraction(self, amount: Amount) -> Amount:
        """Add the fraction of "6½", "two and a half million" and "a dozen and a half"."""
        end = amount.end
        if self._is_near(end) and (written := self._written_fraction(end)):
            return self._magnified(Amount(amount.value + written.value, written.end))
        if self._key(end) == "and" and self._keys(end + 1, end + 3) in _A_HALF:
            halved = Amount(amount.value + amount.scale / 2, end + 3)
            return self._magnified(halved) if amount.scale == 1 else halved
        return amount

    def _written_fraction(self, i: int) -> Amount | None:
        """Read "½" and "3/4"."""
        if self._key(i + 1) != "/" or i + 2 >= len(self._tokens):
            return None
        over, under = self._key(i), self._key(i + 2)
        is_short = max(len(over), len(under)) <= len(str(_LARGEST_BELOW))
        if not (is_short and over.isdecimal() and under.isdecimal()) or self._key(i + 3) == "/":
            return None
        if not 0 < int(over) < int(under) <= _LARGEST_BELOW:
            return None
        return Amount(int(over) / int(under), i + 3)

    # Shares of a whole, and multiples

    def _share(self, i: int, done: int) -> tuple[Number, int] | None:
        """Read "half of the", "two thirds", "one in five", "3/4 of" and "twice"."""
        key = self._key(i)
        if key in _TIMES:
            return self._number("times", Amount(_TIMES[key], i + 1), i), i + 1
        if key == "once" and self._key(i + 1) in _EACH:
            return self._number("times", Amount(1.0, i + 1), i), i + 1
        part = self._half(i) or self._fraction(i)
        if part is not None:
            return self._of_whole(part, i, done)
        amount = self._amount(i)
        if amount is None or amount.is_ordinal:
            return None
        return self._of_fractions(amount, i, done) or self._one_in(amount, i)

    def _half(self, i: int) -> Amount | None:
        """Read "half a million", "half an hour" and "half of", not "the second half of"."""
        at = i + (self._key(i) in (*_ARTICLES, "one") and self._near_key(i + 1) == "half")
        if self._key(at) != "half":
            return None
        after, is_article = self._key(at + 1), self._key(at + 1) in _ARTICLES
        if is_article or self._unit(at + 1).unit:
            return Amount(0.5, at + 1)
        before = self._key(i - 1)
        named = before in _NOT_OF_A_WHOLE or self._key(i - 2) == "the"
        return Amount(0.5, at + 1) if before == "by" or (after in _WHOLE and not named) else None

    def _fraction(self, i: int) -> Amount | None:
        """Read "a third of", "one-fifth" and "3/4 of"."""
        if written := self._written_fraction(i):
            is_sign = self._tokens[i].start == self._tokens[i + 2].start
            return written if is_sign or self._key(i + 3) == "of" else None
        if self._key(i) not in (*_ARTICLES, "one") or self._near_key(i + 1) not in _FRACTIONS:
            return None
        if self._key(i + 2) != "of" and (self._key(i) != "one" or self._near_key(i + 2)):
            return None
        return Amount(1 / _FRACTIONS[self._key(i + 1)], i + 2)

    def _of_fractions(self, amount: Amount, i: int, done: int) -> tuple[Number, int] | None:
        """Read "two thirds", and "three quarters of": others are of a year, or of a game."""
        below = _FRACTIONS.get(self._near_key(amount.end).removesuffix("s"))
        if below is None or not 1 <= amount.value < below:
            return None
        if below == ORDINALS["fourth"] and self._key(amount.end + 1) != "of":
            return None
        return self._of_whole(Amount(amount.value / below, amount.end + 1), i, done)

    def _of_whole(self, part: Amount, i: int, done: int) -> tuple[Number, int] | None:
        """Return a part as a share, or of what is named: "half a million", "a third of an hour"."""
        end = part.end + (self._key(part.end) == "of")
        if self._key(end) in _ARTICLES:
            if size := MAGNITUDES.get(self._key(end + 1)):
                return self._measured(Amount(part.value * size, end + 2), i, done)
            measure = self._measure(end + 1)
            if measure.unit is not None:
                return self._build(part, i, measure, done)
        is_figure = self._unit(part.end).unit or self._tokens[i].kind == "number"
        if is_figure and self._key(part.end) != "of":
            return self._measured(part, i, done)
        number = self._number("percent", Amount(100 * part.value, part.end), i, unit=SHARE)
        return replace(number, rough=True), part.end

    def _one_in(self, amount: Amount, i: int) -> tuple[Number, int] | None:
        """Read "one in five" and "three out of four patients"."""
        at = amount.end + (self._key(amount.end) == "out")
        if self._near_key(at) not in ("in", "of") or (self._key(at) == "of" and at == amount.end):
            return None
        whole = self._amount(at + 1)
        if whole is None or whole.is_ordinal or not 0 < amount.value < whole.value <= _MOST_OF:
            return None
        after = self._near_key(whole.end)
        plural = after in _PLURALS or (after.endswith("s") and find_unit(after) is None)
        if amount.value != 1 and not plural:
            return None
        share = Amount(100 * amount.value / whole.value, whole.end)
        return replace(self._number("percent", share, i, unit=SHARE), rough=True), whole.end

    # Quantities

    def _quantity(self, i: int, done: int) -> tuple[Number, int] | None:
        clock = self._clock(i)
        if clock is not None:
            return clock, bisect_left(self._tokens, clock.end, key=_start)
        amount = self._amount(i)
        if amount is None:
            return None
        if amount.is_ordinal:
            return self._number("ordinal", amount, i), amount.end
        if self._is_times(amount.end):
            return self._number("times", amount, i, (i, amount.end + 1)), amount.end + 1
        found, end = self._measured(amount, i, done)
        ranged = self._range(found, amount, end, done)
        return ranged or (found, end)

    def _clock(self, i: int) -> Number | None:
        """Read "9:00", "17:30" and "5 p.m.", with the half of the day where it is said."""
        hour, end = self._key(i), i + 1
        if not re.fullmatch(r"\d{1,2}", hour) or int(hour) > _MIDNIGHT or self._key(i - 1) == ":":
            return None
        minutes = self._key(i + 2) if self._keys(end, end + 1) == (":",) else ""
        is_timed = self._touches(end) and self._touches(end + 1)
        if is_timed and re.fullmatch(r"[0-5]\d", minutes) and self._key(i + 3) != ":":
            end = i + 3
        else:
            minutes = ""
        halves = (width for width in (1, 2) if self._keys(end, end + width) in _HALVES)
        width = next(halves, 0) if self._is_half(end) else 0
        half = _HALVES.get(self._keys(end, end + width))
        likely = minutes in _QUARTERS or self._key(i - 1) in _AT_TIMES
        if (half is None and not (minutes and likely)) or (half is not None and int(hour) > _NOON):
            return None
        hours = int(hour) if half is None else int(hour) % _NOON + half
        unit = CLOCK_FACE if half is None and 0 < hours <= _NOON else CLOCK
        value = Amount(hours + int(minutes or 0) / 60, end + width)
        return self._number("count", value, i, unit=unit)

    def _is_half(self, i: int) -> bool:
        """Return whether "am" or "a.m." is here, and not the verb or the article."""
        if not self._is_near(i):
            return False
        return self._key(i) in ("am", "pm") or self._text.startswith(".", self._tokens[i].end)

    def _is_times(self, end: int) -> bool:
        key = self._near_key(end)
        if key == "time":
            return self._tokens[end].start - self._tokens[end - 1].end <= 1
        return key in ("times", "fold")

    def _measured(self, amount: Amount, i: int, done: int) -> tuple[Number, int]:
        return self._build(amount, i, self._measure(amount.end), done)

    def _build(self, amount: Amount, i: int, measure: _Measure, done: int) -> tuple[Number, int]:
        """Return a quantity with its currency, sign, unit and bounds, and the place after it."""
        first, unit = i, measure.unit
        if i > done and (currency := self._currency(i - 1)) and self._is_near(i):
            first, unit = i - 1, currency
            if first > done and (dollar := self._dollar(first)):
                first, unit = first - 1, dollar
        value = amount.value
        if first > done and self._is_minus(first - 1):
            value, first = -value, first - 1
        last = measure.end
        label = "" if unit else self._label(i, amount.end)
        kind = _kind_of(unit, label)
        signed = amount._replace(value=value)
        return self._number(kind, signed, i, (first, last), unit, label), last

    def _number(
        self,
        kind: NumberKind,
        amount: Amount,
        i: int,
        whole: Interval | None = None,
        unit: Unit | None = None,
        label: str = "",
    ) -> Number:
        first, last = whole or (i, amount.end)
        sign, low_place, high_place = self._bound(first, last)
        value = amount.value
        return Number(
            kind=kind,
            value=value,
            low=-inf if sign < 0 else value,
            high=inf if sign > 0 else value,
            start=self._tokens[i].start,
            end=self._tokens[amount.end - 1].end,
            whole=self._interval(first, last),
            bounded=self._interval(low_place, high_place),
            unit=unit,
            rough=bool(sign) or not _ABOUT.isdisjoint(self._keys(max(0, first - 2), first)),
            label=label,
        )

    def _interval(self, first: int, end: int) -> Interval:
        return self._tokens[first].start, self._tokens[end - 1].end

    def _bound(self, first: int, last: int) -> tuple[int, int, int]:
        """Return (1 for a least value, -1 for a greatest, 0 for neither; first place, end)."""
        for width in (3, 2, 1):
            if width <= first and (sign := _BOUNDS.get(self._keys(first - width, first), 0)):
                return sign, first - width, last
        if self._key(last) == "+" and self._touches(last):
            return 1, first, last + 1
        if self._key(last) == "or" and (sign := _BOUNDS_AFTER.get(self._key(last + 1), 0)):
            return sign, first, last + 2
        return 0, first, last

    def _range(self, low: Number, amount: Amount, end: int, done: int) -> tuple[Number, int] | None:
        """Read "5 to 10", "5–10 mg" and "between 5 and 10"; in "from 5 to 10" two numbers."""
        before = self._before(low)
        link = self._key(end)
        is_link = link in ("-", "to") or (link == "and" and before == "between")
        typed = self._is_after_dash(end)
        if not (is_link or typed) or before == "from" or low.kind == "label":
            return None
        end -= typed
        other = self._amount(end + 1 + (self._currency(end + 1) is not None))
        if other is None or other.is_ordinal:
            return None
        place = other.end
        high, last = self._measured(other, end + 1 + (self._currency(end + 1) is not None), end)
        takes_scale = amount.scale == 1 and (low.unit is None or low.kind == "money")
        value = low.value * (other.scale if takes_scale else 1)
        value = value if value < high.value else low.value
        alike = low.unit is None or high.unit is None or low.unit == high.unit
        if not alike or not value < high.value or _is_likely_year(self._tokens[place - 1]):
            return None
        unit = high.unit or low.unit
        number = replace(
            low,
            kind=_kind_of(unit, ""),
            value=value,
            low=value,
            high=high.value,
            end=high.end,
            unit=unit,
            whole=(low.whole[0], max(high.whole[1], high.end)),
            bounded=(low.bounded[0], max(high.bounded[1], high.end)),
        )
        return number, last

    def _is_after_dash(self, i: int) -> bool:
        """Return whether a number is after a dash that is typed as two: "2007 -- 08"."""
        if not 0 < i < len(self._tokens) or self._tokens[i].kind != "number":
            return False
        between = self._text[self._tokens[i - 1].end : self._tokens[i].start]
        return _TYPED_DASH.fullmatch(between) is not None

    def _before(self, number: Number) -> str:
        """Return the key of the token before a number with its currency and bounds."""
        return self._key(bisect_left(self._tokens, number.bounded[0], key=_start) - 1)

    def _currency(self, i: int) -> Unit | None:
        key = self._key(i)
        name = CURRENCIES.get(key) or CURRENCIES.get(key.removesuffix("s"))
        return Unit(name, 1.0) if name else None

    def _dollar(self, i: int) -> Unit | None:
        """Return the currency of a dollar sign after letters, as in "C$5"."""
        is_prefixed = self._key(i) == "$" and self._touches(i)
        name = DOLLARS.get(self._key(i - 1)) if is_prefixed else None
        return Unit(name, 1.0) if name else None

    def _is_minus(self, i: int) -> bool:
        """Return whether a token is "minus", or a dash that touches what follows only."""
        if not self._is_near(i + 1):
            return False
        if self._key(i) != "-":
            return self._key(i) in _MINUS
        return self._touches(i + 1) and not self._touches(i)

    def _measure(self, at: int) -> _Measure:
        """Return the unit that follows a figure, and the place after it."""
        key = self._near_key(at)
        if not key:
            return _Measure(None, at)
        if key in PERCENT or key in ("percentage", "pp") or self._keys(at, at + 2) == _PER_CENT:
            end = at + 1 + (key == "per")
            points = key == "pp" or self._near_key(end) in ("point", "points")
            return _Measure(POINTS if points else SHARE, end + (points and key != "pp"))
        if key in _DEGREE_WORDS:
            scale = _SCALES.get(self._near_key(at + 1))
            return _Measure(scale, at + 2) if scale else _Measure(DEGREES, at + 1)
        is_us = key == "us"
        if (currency := self._currency(at + is_us)) and find_unit(key) is None:
            return _Measure(currency, at + 1 + is_us)
        return self._unit(at)

    def _unit(self, at: int) -> _Measure:
        """Read "kg", "square miles" and "km/h"."""
        dimension, power = _POWERS.get(self._near_key(at), ("", 1))
        place = at + (power > 1)
        unit = find_unit(self._near_key(place)) if self._near_key(place) else None
        if unit is None or (power > 1 and unit.dimension != "length"):
            return _Measure(None, at)
        if power > 1:
            unit = Unit(dimension, unit.size**power * (_LITRES if power > 2 else 1.0))
        end = place + 1
        below_at = end + (self._key(end) in _PER)
        slashed = self._text.startswith("/", self._tokens[place].end)  # no token in "km/h"
        below_key = self._key(below_at)
        below = find_unit(_SHORT_UNITS.get(below_key, below_key))
        if below is not None and (below_at > end or (slashed and below_key)):
            size = unit.size / below.size
            return _Measure(Unit(f"{unit.dimension} per {below.dimension}", size), below_at + 1)
        return _Measure(unit, end)

    def _label(self, i: int, end: int) -> str:
        """Return the word that a number belongs to as a name: "Form 1040", "IPv4"."""
        if not i or not self._is_near(i) or self._tokens[i].kind != "number":
            return ""
        before = self._tokens[i - 1]
        if before.kind != "word" or before.key in MONTHS or before.key in FUNCTION_WORDS:
            return ""
        if self._touches(i) or before.key in _NUMBERED:
            return before.key
        after = self._near_key(end)
        counts = after in _PLURALS or (after.endswith("s") and after not in FUNCTION_WORDS)
        begins = self._begins_sentence(i - 1) and end < len(self._tokens)
        return "" if counts or begins or not before.text[0].isupper() else before.key

    # Dates

    def _date(self, i: int) -> tuple[Number, int] | None:
        parts = (
            self._numeric_date(i)
            or self._day_and_month(i)
            or self._month_first(i)
            or self._period(i)
            or self._lone_year(i)
        )
        if parts is None:
            return None
        end = parts.end
        low, high = parts.years or ((-inf, inf) if parts.year is None else (parts.year,) * 2)
        known = (parts.year, parts.day, parts.month, parts.weekday)
        value = low if parts.years else next(float(part) for part in known if part is not None)
        place = self._interval(i, end)
        return Number(
            kind="date",
            value=float(value),
            low=low,
            high=high,
            start=place[0],
            end=place[1],
            whole=place,
            bounded=place,
            year=parts.year,
            month=parts.month,
            day=parts.day,
            weekday=parts.weekday,
        ), end

    def _numeric_date(self, i: int) -> _Date | None:
        """Read "2020-05-03", "3.5.2020" and "5/3/2020", of which only the year is sure."""
        if dotted := _DOTTED_DATE.fullmatch(self._tokens[i].text):
            day, month, year = map(int, dotted.groups())
            return _Date(i + 1, year, month, day) if _is_day(day, month) else None
        keys = self._keys(i, i + 5)
        first, link, second, again, third = keys
        if link != again or link not in ("-", "/"):
            return None
        if not all(part.isdecimal() and len(part) <= 4 for part in (first, second, third)):
            return None
        if len(first) == 4 and _is_day(int(third), int(second)):
            return _Date(i + 5, int(first), int(second), int(third))
        if len(third) == 4 and link == "/":
            one, other, year = int(first), int(second), int(third)
            if _is_day(one, other) and one > _LAST_MONTH:
                return _Date(i + 5, year, other, one)
            if _is_day(other, one):
                sure = other > _LAST_MONTH or one == other
                return _Date(i + 5, year, one, other) if sure else _Date(i + 5, year)
        return None

    def _month_at(self, i: int) -> int:
        """Return the month that a token names, 1 to 12, or 0; "may" in lower case is none."""
        key = self._key(i)
        month = MONTHS.get(key, 0)
        return 0 if key in _ALSO_WORDS and not self._tokens[i].text[0].isupper() else month

    def _day_and_month(self, i: int) -> _Date | None:
        """Read "3 May", "3rd of May 2019", "the third of May"."""
        amount = self._day(i)
        if amount is None:
            return None
        at = amount.end + (self._key(amount.end) == "of")
        if not (month := self._month_at(at)) or not self._is_near(at):
            return None
        return self._with_year(_Date(at + 1, month=month, day=int(amount.value)))

    def _month_first(self, i: int) -> _Date | None:
        """Read "May 3, 2019", "May 2019" and "May"."""
        month = self._month_at(i)
        if not month:
            return None
        is_name = self._key(i) in MONTH_NAMES
        is_dotted = self._text.startswith(". ", self._tokens[i].end)
        day = self._day(i + 1) if self._is_near(i + 1) or is_dotted else None
        if day is not None:
            return self._with_year(_Date(day.end, month=month, day=int(day.value)))
        found = self._with_year(_Date(i + 1, month=month))
        if found.year is None and not (is_name and self._tokens[i].text[0].isupper()):
            return None
        return found

    def _day(self, i: int) -> Amount | None:
        if i >= len(self._tokens) or self._key(i) in CARDINALS or self._key(i) in TENS:
            return None
        amount = self._digits(i) if self._tokens[i].kind == "number" else self._amount(i)
        is_day = amount is not None and amount.value % 1 == 0 and 1 <= amount.value <= _LAST_DAY
        return amount if is_day and len(self._tokens[i].text) != 4 else None

    def _with_year(self, date: _Date) -> _Date:
        at = date.end + (self._key(date.end) == "of")
        if at >= len(self._tokens) or not _is_likely_year(self._tokens[at]):
            return date
        between = self._text[self._tokens[at - 1].end : self._tokens[at].start]
        return date._replace(end=at + 1, year=int(self._key(at))) if between.strip() in (
            "", ",", ".") else date  # fmt: skip

    def _period(self, i: int) -> _Date | None:
        """Read "19th century", "the 1990s", "44 BC", "2018-19", "5 million years ago", "Monday"."""
        key = self._key(i)
        if key in _WEEKDAYS and len(key) > 3:
            return _Date(i + 1, weekday=_WEEKDAYS[key])
        century = self._century(i)
        if century is not None:
            return century
        amount = self._amount(i)
        if amount is None or amount.is_ordinal:
            return None
        after, value = self._near_key(amount.end), int(amount.value)
        if after in _BEFORE_CHRIST:
            return _Date(amount.end + 1, -value)
        if after == "s" and self._tokens[i].text.isdigit() and FIRST_YEAR <= value <= LAST_YEAR:
            return _Date(amount.end + 1, years=(value, value + 9))
        if self._keys(amount.end, amount.end + 2) == ("years", "ago"):
            return _Date(amount.end + 2, years=(-amount.value, -amount.value))
        at = i + 1 + (after == "-")
        season = self._key(at)
        is_linked = after == "-" or self._is_after_dash(at)
        if is_linked and _is_likely_year(self._tokens[i]) and re.fullmatch(r"\d\d", season):
            last = value - value % 100 + int(season)
            if last > value and self._key(at + 1) != "-":
                return _Date(at + 1, years=(value, last))
        return None

    def _century(self, i: int) -> _Date | None:
        amount = self._amount(i)
        number, end = (int(amount.value), amount.end) if amount and amount.is_ordinal else (0, i)
        if not number or self._near_key(end) not in ("century", "centuries"):
            return None
        if self._key(end + 1) in _BEFORE_CHRIST:
            return _Date(end + 2, years=(-100 * number, -100 * number + 99))
        return _Date(end + 1, years=(100 * number - 99, 100 * number))

    def _lone_year(self, i: int) -> _Date | None:
        """Read a number of four digits as a year, unless what it counts follows."""
        token = self._tokens[i]
        if not _is_likely_year(token) or (self._touches(i + 1) and self._key(i + 1) != "-"):
            return None
        if (i and self._key(i - 1) in CURRENCIES) or self._measure(i + 1).unit is not None:
            return None
        if _ALL_MAGNITUDES.get(self._near_key(i + 1)) or self._is_next_group(i + 1, token.text):
            return None
        before = self._key(i - 1)
        after = self._tokens[i + 1] if self._is_near(i + 1) else None
        counts = (
            after is not None
            and after.kind == "word"
            and (after.key in _PLURALS or after.key.endswith("s"))
            and after.key not in FUNCTION_WORDS
        )
        if counts and after is not None and after.text[0].islower():
            return _Date(i + 1, int(token.key)) if before in _SURE_YEAR_CONTEXT else None
        if self._label(i, i + 1) and before not in _YEAR_CONTEXT:
            return _Date(i + 1, int(token.key)) if after is None else None
        return _Date(i + 1, int(token.key))


class _Date(NamedTuple):
    """The parts of a date, and the place after its last token."""

    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    years: tuple[float, float] | None = None


_PER_CENT = ("per", "cent")
_A_HALF = frozenset((("a", "half"), ("one", "half")))
_STARTERS = frozenset((*CARDINALS, *TENS, *ORDINALS, *_TIMES, *MONTHS, *_WEEKDAYS)) | {
    "a",
    "an",
    "half",
    "once",
}


def _kind_of(unit: Unit | None, label: str) -> NumberKind:
    if unit is None:
        return "label" if label else "count"
    if unit in (SHARE, POINTS):
        return "percent"
    return "money" if unit.dimension in _MONEY else "count"


_MONEY = frozenset((*CURRENCIES.values(), *DOLLARS.values()))


def _is_likely_year(token: Token) -> bool:
    is_short = token.kind == "number" and len(token.text) == 4 and token.key.isdigit()
    return is_short and FIRST_YEAR <= int(token.key) <= LAST_YEAR


def _is_day(day: int, month: int) -> bool:
    return 1 <= day <= _LAST_DAY and 1 <= month <= _LAST_MONTH

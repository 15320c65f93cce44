"""The figures of a text that can be exchanged, and plausible other ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Literal, NamedTuple

from citeguard.datasets.synthesis.english import is_plural
from citeguard.datasets.synthesis.passages import Passage
from citeguard.language.quantities import CARDINALS, CURRENCIES, MONTHS, ORDINALS, TENS
from citeguard.language.terms import FUNCTION_WORDS

Style = Literal["digits", "word", "ordinal", "ordinal word"]
_PLAIN = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)")
_WORDS = {value: word for word, value in (CARDINALS | TENS).items()}
_ORDINAL_WORDS = {value: word for word, value in ORDINALS.items() if value <= 12}
_BORDERS = "-–—/:.,#№_+×=*'’^"
_LABELS = frozenset(
    "section chapter page figure table article articles sections chapters pages no number form"
    " part volume vol rule item step level grade phase type class version line route highway"
    " interstate apollo bowl act title amendment isbn verse psalm genesis passage passages agenda"
    " question source".split()
)
_NOT_AFTER_ORDINAL = frozenset(
    "of and or few quarter half person world lady degree aid millennium".split()
)
_BEFORE_ORDINAL = frozenset("the his her its their".split())
_PARTS = frozenset("thirds quarters fourths fifths sixths eighths tenths".split())
_ROUGH = frozenset("about around approximately nearly almost roughly circa some".split())
_UP = frozenset("least over above than exceeding exceeded minimum".split())
_DOWN = frozenset("most under below to maximum".split())
_LIST = re.compile(r"(?:[:(–—]| - |--|\b(?:are|were|namely|including)\b)[^.;]*(?:\band\b|, )")
_MOST_COUNTED_UP = 12
_LONGEST = 15  # characters of a number that counts something
_LEAST_SHIFT, _ROUGH_SHIFT = 0.05, 0.35
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_NUMBER_WORDS = {*CARDINALS, *TENS, *ORDINALS, "half", "halve", "quarter"}
_TIMES = frozenset("century centuries am pm a.m. p.m. o'clock bc".split())
_CONVERSION_REACH = 5  # words after a number in which "(6.2 miles)" follows


class Figure(NamedTuple):
    """A number in a text.

    Attributes:
        place: The place of its word.
        value: What it says.
        style: How it is written.
    """

    place: int
    value: float
    style: Style


def find_figures(passage: Passage) -> Iterator[Figure]:
    """Yield the numbers that count or measure something; no years, dates, labels, or parts."""
    for i, word in enumerate(passage.words):
        figure = _in_digits(passage, i) if word.is_figure else _in_words(passage, i)
        if figure is not None and not _is_date(passage, figure):
            yield figure


def _in_digits(passage: Passage, i: int) -> Figure | None:
    text = passage.words[i].text
    if len(text) > _LONGEST or _is_part(passage, i):
        return None
    if passage.key(i - 1) in _LABELS or passage.key(i - 1) in ("(", "["):
        return None
    if _PLAIN.fullmatch(text) and text not in ("0", "1") and not _is_converted(passage, i):
        value = float(text.replace(",", ""))
        return None if _is_counted_up(passage, i, value) else Figure(i, value, "digits")
    ordinal = _ORDINAL.fullmatch(text)
    after = passage.at(i + 1)  # "5th Ward Weebie"
    named = after is not None and after.is_capital
    return Figure(i, float(ordinal[1]), "ordinal") if ordinal and not named else None


def _is_counted_up(passage: Passage, i: int, value: float) -> bool:
    """Tell whether what is counted seems to follow: "three parts are the lid, the box and"."""
    return (
        value <= _MOST_COUNTED_UP and _LIST.search(passage.text, passage.words[i].end) is not None
    )


def _is_converted(passage: Passage, i: int) -> bool:
    """Tell whether a figure in brackets follows, or is followed by the bracket's end."""
    near = passage.words[i : i + _CONVERSION_REACH]
    opens = next((k for k, word in enumerate(near) if word.text == "("), None)
    after = None if opens is None else passage.at(i + opens + 1)
    inside = any(word.text == ")" for word in near) and opens is None
    return inside or (after is not None and after.is_figure)


def _is_part(passage: Passage, i: int) -> bool:
    """Tell whether a number is joined to something, or is a part of a name: "F-16", "Bowl 50"."""
    before, after = passage.at(i - 1), passage.at(i + 1)
    if (
        before is not None
        and passage.words[i].glued
        and (before.text in _BORDERS or before.is_word)
    ):
        return True
    if before is not None and before.text in "-–" and passage.key(i - 2)[:1].isdecimal():
        return True
    if after is not None and after.text in "-–" and passage.key(i + 2)[:1].isdecimal():
        return True
    if before is not None and before.is_word and before.is_capital and i - 1 not in passage.starts:
        return before.key not in MONTHS
    if after is None or not after.glued:
        return False
    joined = passage.at(i + 2)
    return (
        after.is_word
        or after.text in "½¼¾"
        or (after.text in "–—/:+×.'’" and joined is not None and joined.glued)
        or (after.text == "-" and joined is not None and joined.is_figure)
    )


def _in_words(passage: Passage, i: int) -> Figure | None:
    word, before, after = passage.words[i], passage.at(i - 1), passage.at(i + 1)
    if after is None or (before is not None and before.text == "-"):
        return None
    joined = passage.key(i + 2)
    if after.text in "-–" and (not joined or {joined, joined[:-1]} & _NUMBER_WORDS):
        return None
    value = (CARDINALS | TENS).get(word.key)
    if value is not None and value > 1:
        if after.key in _PARTS:
            return None
        if passage.key(i - 1) == "or":  # "a month or two"
            return None
        others = passage.key(i - 1) in CARDINALS | TENS or after.key in CARDINALS | TENS
        capital = word.is_capital and i not in passage.starts
        counted_up = _is_counted_up(passage, i, value)
        return None if others or capital or counted_up else Figure(i, float(value), "word")
    return _ordinal_in_words(passage, i)


def _ordinal_in_words(passage: Passage, i: int) -> Figure | None:
    word, after = passage.words[i], passage.words[i + 1]
    value = ORDINALS.get(word.key)
    if value is None or value > 12 or not word.text.islower() or not after.text.islower():
        return None
    fits = passage.key(i - 1) in _BEFORE_ORDINAL and after.key not in _NOT_AFTER_ORDINAL
    if _is_of_several(passage, i):
        return None
    return Figure(i, float(value), "ordinal word") if fits and after.is_word else None


def _is_of_several(passage: Passage, i: int) -> bool:
    """Tell whether an ordinal is of several things: "the first three films", "its first seats"."""
    for k in range(i + 1, i + 4):
        if passage.key(k) in CARDINALS or is_plural(passage.key(k)):
            return True
        if passage.key(k) in FUNCTION_WORDS or not passage.key(k).isalpha():
            return False
    return False


def _is_date(passage: Passage, figure: Figure) -> bool:
    i, value = figure.place, figure.value
    near = {passage.key(k) for k in (i - 2, i - 1, i + 1, i + 2)}
    if value <= 31 and figure.style in ("digits", "ordinal") and not near.isdisjoint(MONTHS):
        return True
    if passage.key(i + 2) == "century" or passage.key(i + 1) in _TIMES:
        return True
    text = passage.words[i].text
    if figure.style != "digits" or not (len(text) == 4 and _FIRST_YEAR <= value <= _LAST_YEAR):
        return False
    return passage.key(i - 1) not in CURRENCIES


def other_values(
    passage: Passage, figure: Figure, taken: frozenset[float], random: Random
) -> Iterator[float]:
    """Yield numbers that could stand there as well, and would say something else.

    They keep the length, the noughts and the order of the text's numbers, and go up after "at
    least", and down after "at most", where the other way would say something true.
    """
    others = [each.value for each in find_figures(passage) if each.place != figure.place]
    for value in _drawn(figure, passage.words[figure.place].text, random):
        if value in taken or value < 2 or not _is_far(passage, figure, value):
            continue
        if all((value > other) == (figure.value > other) for other in others):
            yield value


def _is_far(passage: Passage, figure: Figure, value: float) -> bool:
    i, old = figure.place, figure.value
    near = {passage.key(k) for k in range(max(0, i - 4), i)}
    if (near & _UP and value < old) or (near & _DOWN and value > old):
        return False
    if passage.key(i + 1) in ("%", "percent", "per") and old <= 100 < value:
        return False
    rough = near & (_ROUGH | _UP | _DOWN)
    return abs(value - old) >= (_ROUGH_SHIFT if rough else _LEAST_SHIFT) * old


def _drawn(figure: Figure, text: str, random: Random) -> Iterator[float]:
    if figure.style == "ordinal word":
        yield from random.sample([float(n) for n in range(2, 7)], 5)
    elif figure.style == "word":
        yield from _drawn_words(figure.value, random)
    else:
        yield from _drawn_digits(figure, text, random)


def _drawn_words(value: float, random: Random) -> Iterator[float]:
    pool = range(20, 91, 10) if value >= 20 and value % 10 == 0 else range(2, 13)
    near = sorted(pool, key=lambda n: (abs(n - value) > 4, random.random()))
    return map(float, near)


def _drawn_digits(figure: Figure, text: str, random: Random) -> Iterator[float]:
    decimals = len(text.partition(".")[2]) if figure.style == "digits" else 0
    whole = round(figure.value * 10**decimals)
    noughts = 0 if decimals else len(str(whole)) - len(str(whole).rstrip("0"))
    core = whole // 10**noughts
    for other in _cores(core, random):
        if len(str(other)) == len(str(core)) and other % 10 != 0:
            yield other * 10**noughts / 10**decimals


def _cores(core: int, random: Random) -> Iterator[int]:
    """Yield numbers of about the same size, those with two digits exchanged among the first."""
    digits = list(str(core))
    if len(digits) > 2:
        k = random.randrange(1, len(digits) - 1)
        digits[k], digits[k + 1] = digits[k + 1], digits[k]
        yield int("".join(digits))
    spread = max(4, core // 2)
    for _ in range(24):
        yield max(1, core + random.randint(-spread, spread))


def written(value: float, style: Style, like: str) -> str:
    """Write a number as another one is written.

    Examples:
        >>> written(1324, "digits", "1,234"), written(22, "ordinal", "21st")
        ('1,324', '22nd')
    """
    if style == "word":
        return _WORDS[int(value)]
    if style == "ordinal word":
        return _ORDINAL_WORDS[int(value)]
    if style == "ordinal":
        return f"{int(value)}{ordinal_ending(int(value))}"
    decimals = len(like.partition(".")[2])
    return f"{value:{',' if ',' in like else ''}.{decimals}f}"


def ordinal_ending(value: int) -> str:
    """Return what is written after a number to make it an ordinal."""
    if value % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")

"""All numbers of a text, those among them that are said in other words: "half", "twice"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from citeguard.facts.reading.figures import (
    Number,
    NumberKind,
    build_number,
    find_numbers,
    magnified,
    parse_words,
)
from citeguard.facts.reading.measures import POINTS, SHARE, measure_after, unit_of
from citeguard.facts.reading.words import MOST_THINGS, Reading, Word, kept
from citeguard.language.quantities import CARDINALS, MAGNITUDES, ORDINALS, TENS, Unit

_ARTICLES = frozenset(("a", "an"))
_FRACTIONS = {word: value for word, value in ORDINALS.items() if value > 2} | {"quarter": 4}
_NOT_OF_A_WHOLE = frozenset("first second third fourth last other latter former final each".split())
_DETERMINERS = frozenset("the a an its his her their our your my this that".split())
_WHOLE = frozenset(
    "of the its their his her our your my these those all that this are were is was have"
    " had".split()
)
_ONCE = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_EACH = frozenset("a an per every each daily weekly monthly yearly annually".split())
_GROWTH = {
    "doubled": 2.0, "doubling": 2.0, "tripled": 3.0, "tripling": 3.0, "trebled": 3.0,
    "quadrupled": 4.0, "quadrupling": 4.0, "quintupled": 5.0, "halved": 0.5, "halving": 0.5,
}  # fmt: skip
_FOLDS = {
    f"{word}fold": value for word, value in {**CARDINALS, **TENS, **MAGNITUDES}.items() if value > 1
}
_PEOPLE = frozenset(("people", "men", "women", "children"))
_LARGEST_BELOW = 16  # "6 1/16", but not "3/20" of a year's March
_MOST_OF = 1_000  # "one in 2,000": then it is a year, or says where


class _Said(NamedTuple):
    """A number, the places of its first and last word, and what the words around do not tell."""

    value: float
    first: int
    last: int
    kind: NumberKind = "count"
    unit: Unit | None = None  # where it stands inside: "an hour and a half"
    month: int = 0


class _Text(NamedTuple):
    """Words, and the numbers in digits or number words by the places of their last and first."""

    words: tuple[Word, ...]
    ends: dict[int, Number]
    begins: dict[int, Number]

    def is_next(self, i: int, j: int) -> bool:
        """Tell whether no more than one space or hyphen parts two words."""
        return 0 <= self.words[j].start - self.words[i].end <= 1

    def key(self, i: int) -> str:
        return self.words[i].key if 0 <= i < len(self.words) else ""


_Pattern = Callable[[_Text, int], _Said | None]


@kept
def numbers(reading: Reading) -> tuple[Number, ...]:
    """Return the numbers of a text in order, the first few dozen of them."""
    plain = tuple(islice(find_numbers(reading), MOST_THINGS))
    said = _outermost(_find_said(reading.words, plain))
    if not said:
        return plain
    taken = {place for each in said for place in range(each.first, each.last + 1)}
    kept = [n for n in plain if taken.isdisjoint(range(n.first, n.last + 1))]
    found = [*kept, *(_number(reading.words, each) for each in said)]
    return tuple(sorted(found, key=lambda number: number.first)[:MOST_THINGS])


def _find_said(words: tuple[Word, ...], plain: tuple[Number, ...]) -> Iterator[_Said]:
    text = _Text(words, {n.last: n for n in plain}, {n.first: n for n in plain})
    for i, word in enumerate(words):
        pattern = _PATTERNS.get(word.key)
        if pattern and (said := pattern(text, i)):
            yield said


def _outermost(said: Iterator[_Said]) -> list[_Said]:
    """Return those that do not overlap with one before, the longer of two that begin together."""
    kept: list[_Said] = []
    for each in sorted(said, key=lambda each: (each.first, -each.last)):
        if not kept or each.first > kept[-1].last:
            kept.append(each)
    return kept


def _number(words: tuple[Word, ...], said: _Said) -> Number:
    number = build_number(words, said.value, said.first, said.last, kind=said.kind)
    if said.kind == "percent" and number.unit is None:
        return number._replace(units=frozenset(("%", "percent")), rough=True, unit=SHARE)
    if said.month:  # the year before it is a number of its own
        return number._replace(month=said.month, whole=(said.first - 1, said.last))
    return number._replace(unit=said.unit) if said.unit else number


def _half(text: _Text, i: int) -> _Said | None:
    return _and_a_half(text, i) or _half_of_one(text, i) or _half_of_all(text, i)


def _and_a_half(text: _Text, i: int) -> _Said | None:
    """Read "two and a half million", "an hour and a half", "a dozen and a half"."""
    if text.key(i - 2) != "and" or text.key(i - 1) not in ("a", "one"):
        return None
    number = text.ends.get(i - 3)
    if number is not None and number.kind == "count":
        size = MAGNITUDES.get(text.key(i - 3), 1.0)
        value, last = magnified(text.words, number.value + size / 2, i)
        return _Said(value, number.first, last)
    if text.key(i - 3) in MAGNITUDES and text.key(i - 4) in _ARTICLES:
        return _Said(1.5 * MAGNITUDES[text.key(i - 3)], i - 4, i)
    unit = unit_of(text.words, i - 3)
    number = text.ends.get(i - 4)
    if unit and (number or text.key(i - 4) in _ARTICLES):
        return _Said((number.value if number else 1) + 0.5, number.first if number else i - 4, i,
                     unit=unit)  # fmt: skip
    return None


def _half_of_one(text: _Text, i: int) -> _Said | None:
    """Read "half a million", "half an hour", "a half-hour", "half a percentage point"."""
    last = i + (text.key(i + 1) in _ARTICLES)
    if last > i and text.key(last + 1) in MAGNITUDES:
        return _Said(0.5 * MAGNITUDES[text.key(last + 1)], i, last + 1)
    if last > i and measure_after(text.words, last).unit in (SHARE, POINTS):
        return _Said(0.5, i, last, "percent")
    return _Said(0.5, i, last) if unit_of(text.words, last + 1) else None


def _half_of_all(text: _Text, i: int) -> _Said | None:
    """Read "half of the members", "by half"; not "the second half of the game"."""
    if text.key(i + 1) == "as":
        return _Said(0.5, i, i, "times")
    before = text.key(i - 1)
    is_one = before == "one" and not text.words[i].gap
    if before == "by" or (is_one and text.key(i + 1) in _WHOLE):
        return _Said(50.0, i - is_one, i, "percent")
    named = before in _NOT_OF_A_WHOLE or before == "the" or text.key(i - 2) in _DETERMINERS
    if named or text.key(i + 1) not in _WHOLE:
        return None
    return _Said(50.0, i - (before == "a"), i, "percent")


def _fraction(text: _Text, i: int) -> _Said | None:
    """Read "a third of", "one-fifth" and "a quarter of a million"."""
    if text.words[i].gap or text.key(i - 1) not in ("a", "an", "one"):
        return None
    alone = text.key(i - 1) == "one" and not _counts(text, i + 1)
    if text.key(i + 1) != "of" and not alone:
        return None
    return _share(text, 1 / _FRACTIONS[text.key(i)], i - 1, i)


def _fractions(text: _Text, i: int) -> _Said | None:
    """Read "two thirds", and "three quarters of"."""
    number = text.ends.get(i - 1)
    below = _FRACTIONS[text.key(i).removesuffix("s")]
    if number is None or text.words[i].gap or not 1 <= number.value < below:
        return None
    if below == ORDINALS["fourth"] and text.key(i + 1) != "of":
        return None  # quarters of a year, or of a game
    return _share(text, number.value / below, number.first, i)


def _share(text: _Text, value: float, first: int, last: int) -> _Said:
    if text.key(last + 1) == "of" and text.key(last + 2) in _ARTICLES:
        if size := MAGNITUDES.get(text.key(last + 3)):
            return _Said(value * size, first, last + 3)
        if unit_of(text.words, last + 3):
            return _Said(value, first, last + 2)
    return _Said(100 * value, first, last, "percent")


def _counts(text: _Text, i: int) -> bool:
    return i < len(text.words) and text.words[i].content and not text.words[i].gap


def _written(text: _Text, i: int) -> _Said | None:
    """Read "½", "6½" and "6 1/2", and "3/4 of"."""
    over, under = text.ends.get(i - 1), text.begins.get(i + 1)
    if over is None or under is None or not 0 < over.value < under.value <= _LARGEST_BELOW:
        return None
    value = over.value / under.value
    if text.key(i + 2) == "of":
        return _share(text, value, over.first, i + 1)
    more = text.ends.get(over.first - 1)
    if more is not None and more.kind == "count" and text.is_next(more.last, over.first):
        return _Said(more.value + value, more.first, i + 1)
    is_one_sign = text.words[over.first].start == text.words[under.first].start
    return _Said(value, over.first, i + 1) if is_one_sign else None


def _magnitude(text: _Text, i: int) -> _Said | None:
    """Read "a million" and "a hundred and fifty"."""
    if text.key(i - 1) not in _ARTICLES or text.words[i].gap:
        return None
    value, last, is_ordinal = parse_words(text.words, i, 1.0)
    return None if is_ordinal else _Said(value, i - 1, last)


def _times(text: _Text, i: int) -> _Said | None:
    """Read "three times", "three-time" and "10-fold"."""
    number, word = text.ends.get(i - 1), text.words[i]
    if number is None or number.kind != "count" or word.gap or word.text[0].isupper():
        return None
    if word.key == "time" and not text.is_next(i - 1, i):
        return None
    return _Said(number.value, number.first, i, "times")


def _once(text: _Text, i: int) -> _Said | None:
    if text.key(i) == "once" and text.key(i + 1) not in _EACH:
        return None
    return _Said(_ONCE[text.key(i)], i, i, "times")


def _grown(text: _Text, i: int) -> _Said | None:
    return _Said({**_GROWTH, **_FOLDS}[text.key(i)], i, i, "times")


def _out_of(text: _Text, i: int) -> _Said | None:
    """Read "one in five" and "three out of four patients"."""
    number = text.ends.get(i - 1)
    after = i + 1 + (text.key(i) == "out")
    whole = text.begins.get(after)
    if number is None or whole is None or {number.kind, whole.kind} != {"count"}:
        return None
    if not 0 < number.value < whole.value <= _MOST_OF or text.words[i].gap:
        return None
    if not (number.value == 1 or _is_plural(text, whole.last + 1)):
        return None
    return _Said(100 * number.value / whole.value, number.first, whole.last, "percent")


def _is_plural(text: _Text, i: int) -> bool:
    key = text.key(i)
    return key in _PEOPLE or (key.endswith("s") and unit_of(text.words, i) is None)


def _of_dash(text: _Text, i: int) -> _Said | None:
    return _of_iso(text, i) or _of_season(text, i)


def _of_season(text: _Text, i: int) -> _Said | None:
    """Read the second year of "2018-19"."""
    year, after = text.ends.get(i - 1), text.begins.get(i + 1)
    if year is None or after is None or year.kind != "year" or not text.is_next(i - 1, i + 1):
        return None
    if len(text.words[i + 1].text) != 2 or text.key(i + 2) == "-":
        return None
    value = year.value - year.value % 100 + after.value
    return _Said(value, i + 1, i + 1, "year") if value > year.value else None


def _of_iso(text: _Text, i: int) -> _Said | None:
    """Read the month and the day of "2020-05-03"."""
    parts = text.words[max(0, i - 1) : i + 4]
    if len(parts) < 5 or [len(part.text) for part in parts] != [4, 1, 2, 1, 2]:
        return None
    month, day = text.begins.get(i + 1), text.begins.get(i + 3)
    if parts[3].key != "-" or month is None or day is None or not 1 <= month.value <= 12:
        return None
    return _Said(day.value, i + 1, i + 3, "day", month=int(month.value))


_PATTERNS: Mapping[str, _Pattern] = {
    "half": _half,
    **dict.fromkeys(_FRACTIONS, _fraction),
    **{f"{word}s": _fractions for word in _FRACTIONS},
    **dict.fromkeys(MAGNITUDES, _magnitude),
    **dict.fromkeys(("time", "times", "fold"), _times),
    **dict.fromkeys(_ONCE, _once),
    **dict.fromkeys((*_GROWTH, *_FOLDS), _grown),
    **dict.fromkeys(("in", "out"), _out_of),
    "/": _written,
    "-": _of_dash,
}

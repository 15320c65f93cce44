"""Dates: another year, month, day, weekday or century."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from citeguard.datasets.synthesis.kinds.figures import ordinal_ending
from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite
from citeguard.language.quantities import MONTH_NAMES, MONTHS

_YEAR = re.compile(r"1\d{3}|20\d\d")
_DECADE = re.compile(r"(1\d|20)\d0s")
_YEAR_AFTER = frozenset(
    "in since of by until till from to before after between and or during early late mid circa"
    " spring summer autumn fall winter ( , - – — around about through year season".split()
) | frozenset(MONTHS)
_ORDINARY_AFTER = frozenset(
    "and to the in of by when with as for he she it they was were is had at on after before"
    " until through but or which where while that because following under a an from".split()
)
_SHIFTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12)
_SMALL_SHIFTS = _SHIFTS[:4]  # beside another year
_LATEST = 2024
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_CENTURIES = (
    "fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_SHORTEST = 3  # letters of a month's name
_AS_WORDS = frozenset(("may", "march", "mar", "sun", "sat"))

_Way = Callable[[Passage, int, frozenset[float], Random], str | None]


def find_dates(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield valid other dates that no source has; in an order that is drawn."""
    places = list(range(len(passage.words)))
    random.shuffle(places)
    for i in places:
        for variant, way in _WAYS.items():
            words = way(passage, i, material.numbers, random)
            if words is not None and words != passage.words[i].text:
                edit = passage.edit(i, i, words)
                if _is_new(material, passage, edit):
                    yield Rewrite(variant, (edit,))


def _is_new(material: Material, passage: Passage, edit: Edit) -> bool:
    """Tell whether the date with the words beside it stands in no source."""
    before, after = passage.text[: edit.start].split(), passage.text[edit.end :].split()
    near = " ".join([*before[-1:], edit.words, *after[:1]])
    return not material.stands(near)


def is_year(passage: Passage, i: int) -> bool:
    """Tell whether a word is a year."""
    word, after = passage.words[i], passage.at(i + 1)
    if not _YEAR.fullmatch(word.text) or _is_joined(passage, i):
        return False
    if not passage.is_english:
        return True
    counts = after is not None and after.text.islower() and after.key not in _ORDINARY_AFTER
    return not counts and passage.key(i - 1) in _YEAR_AFTER


def _is_joined(passage: Passage, i: int) -> bool:
    before, after = passage.at(i - 1), passage.at(i + 1)
    glued = before is not None and passage.words[i].glued and before.text not in "(–—"
    return glued or (after is not None and after.glued and after.text in "-/")


def _year(passage: Passage, i: int, taken: frozenset[float], random: Random) -> str | None:
    if not is_year(passage, i):
        return None
    old = int(passage.words[i].text)
    years = [int(w.text) for w in passage.words if _YEAR.fullmatch(w.text)]
    latest = max([_LATEST, *years])
    shifts = _SHIFTS if len(years) == 1 else _SMALL_SHIFTS
    if years.count(old) > 1:
        return None
    for shift in random.sample(shifts, len(shifts)):
        for new in random.sample((old - shift, old + shift), 2):
            kept = all((new > other) == (old > other) for other in years if other != old)
            if new <= latest and new not in taken and kept and _same_era(old, new):
                return str(new)
    return None


def _same_era(old: int, new: int) -> bool:
    return old // 100 == new // 100


def _decade(passage: Passage, i: int, taken: frozenset[float], random: Random) -> str | None:
    text = passage.words[i].text
    if not _DECADE.fullmatch(text) or _is_joined(passage, i):
        return None
    old = int(text[:-1])
    options = [d for d in (old - 20, old - 10, old + 10, old + 20) if d <= _LATEST - 10]
    options = [d for d in options if not passage.keys & {f"{d}s"} and _same_era(old, d)]
    return f"{random.choice(options)}s" if options else None


def month_at(passage: Passage, i: int) -> int:
    """Return the number of the month that a word names beside a number, or after "in"; or 0."""
    word = passage.words[i]
    if not word.is_capital or word.key not in MONTHS or len(word.key) < _SHORTEST:
        return 0
    beside = [each for each in (passage.at(i - 1), passage.at(i + 1)) if each is not None]
    dated = any(each.is_figure for each in beside)
    sure = word.key not in _AS_WORDS and passage.key(i - 1) in (
        "in", "since", "until", "of", "by", "from", "to", "early", "late", "last", "this", "on",
    )  # fmt: skip
    return MONTHS[word.key] if dated or sure else 0


def _month(passage: Passage, i: int, taken: frozenset[float], random: Random) -> str | None:
    month = month_at(passage, i)
    if not month:
        return None
    day = _day_beside(passage, i)
    text = passage.words[i].text
    if text.lower() not in MONTH_NAMES or not passage.keys.isdisjoint(("between", "until")):
        return None
    options = [
        name
        for number, name in enumerate(MONTH_NAMES)
        if name not in passage.keys and _DAYS[number] >= (0 if day is None else day[1])
    ]
    return random.choice(options).capitalize()


def _day_beside(passage: Passage, i: int) -> tuple[int, int] | None:
    """Return the place of the day beside a month, and the day."""
    for k in (i + 1, i - 1):
        match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", passage.key(k))
        if match and 1 <= int(match[1]) <= 31:
            return k, int(match[1])
    return None


def _day(passage: Passage, i: int, taken: frozenset[float], random: Random) -> str | None:
    word = passage.words[i]
    beside = [k for k in (i - 1, i + 1) if passage.at(k) is not None and month_at(passage, k)]
    match = re.fullmatch(r"(\d{1,2})(st|nd|rd|th)?", word.text)
    if not beside or not match or _is_joined(passage, i) or _day_beside(passage, beside[0]) is None:
        return None
    if passage.key(i + 1) in ("-", "–", "and", "to"):
        return None
    old = int(match[1])
    options = [day for day in range(1, 29) if day != old and float(day) not in taken]
    options = [day for day in options if len(str(day)) == len(match[1].lstrip("0"))] or options
    if not options or match[1].startswith("0"):
        return None
    new = random.choice(options)
    return f"{new}{ordinal_ending(new) if match[2] else ''}"


def _weekday(passage: Passage, i: int, taken: frozenset[float], random: Random) -> str | None:
    word = passage.words[i]
    if not passage.keys.isdisjoint(("weekdays", "weekends", "weekend")):
        return None
    if word.text not in _WEEKDAYS or passage.key(i - 1) in ("black", "good", "super", "night"):
        return None
    before, after = passage.at(i - 1), passage.at(i + 1)
    named = before is not None and before.is_capital and i - 1 not in passage.starts  # Palm Sunday
    if named or (after is not None and after.is_capital):
        return None
    return random.choice(
        [day for day in _WEEKDAYS if day.lower() not in passage.keys] or [word.text]
    )


def _century(passage: Passage, i: int, taken: frozenset[float], random: Random) -> str | None:
    word, after = passage.words[i], passage.at(i + 1)
    noun = passage.key(i + 2) if after is not None and after.text == "-" else passage.key(i + 1)
    if noun != "century":
        return None
    if word.key in _CENTURIES:
        return _near(_CENTURIES, _CENTURIES.index(word.key), passage, random)
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", word.text)
    names = [f"{n}{ordinal_ending(n)}" for n in range(1, 21)]
    if not match or not 1 <= int(match[1]) <= 20:
        return None
    return _near(names, int(match[1]) - 1, passage, random)


def _near(names: Sequence[str], at: int, passage: Passage, random: Random) -> str | None:
    options = [names[k] for k in (at - 2, at - 1, at + 1, at + 2) if 0 <= k < len(names)]
    options = [name for name in options if name not in passage.keys]
    return random.choice(options) if options else None


_WAYS: dict[str, _Way] = {
    "year": _year,
    "decade": _decade,
    "month": _month,
    "day": _day,
    "weekday": _weekday,
    "century": _century,
}

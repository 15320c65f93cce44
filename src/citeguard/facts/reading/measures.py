"""What a number is measured in, and its sign: "5 mg", "$5", "-5 °C", "5 percentage points"."""

from __future__ import annotations

from typing import NamedTuple

from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import Word
from citeguard.language.quantities import CELSIUS, CURRENCIES, FAHRENHEIT, Unit, find_unit

_PERCENT = frozenset(("%", "percent", "pct", "percentage", "pp"))
_SCALES_OF_DEGREES = {
    "c": CELSIUS,
    "celsius": CELSIUS,
    "centigrade": CELSIUS,
    "f": FAHRENHEIT,
    "fahrenheit": FAHRENHEIT,
}
_DEGREES = frozenset(("°", "degree", "degrees", "º"))
SHARE, POINTS = Unit("share", 1.0), Unit("points", 1.0)
_SOME_DEGREES = Unit("degrees", 1.0)  # of an unnamed scale, or of an angle
_POWERS = {"square": ("area", 2), "sq": ("area", 2), "cubic": ("volume", 3)}
_PER = frozenset(("per", "/"))
_SHORT_UNITS = {"h": "hour", "s": "second"}  # only after "/": "5 s" may be a decade
_LITRES = 1_000.0  # of a cubic metre
_SIGNED = frozenset(("temperature", "degrees", "share"))
_MONEY = frozenset(CURRENCIES.values())
_MINUS = frozenset(("minus", "negative"))
# Where one of these stands near, a number without a sign may mean one below zero.
_FALLING = frozenset(
    map(
        root,
        "fall drop decline decrease decreased reduce reduction cut lose loss down lower low below"
        " under minus negative deficit debt shrink contract slide slump plunge dip subzero"
        " freezing cold colder frost less fewer".split(),
    )
)
_NEAR = 8  # words before and after a number in which they do


class Measure(NamedTuple):
    """What a number is measured in.

    Attributes:
        unit: Its unit; a currency's dimension is its own; `None` if it has none that is known.
        end: The place of the last word of it, or of the number where there is none.
    """

    unit: Unit | None
    end: int


def measure_after(words: tuple[Word, ...], last: int) -> Measure:
    """Return the measure that follows a number whose last word stands at `last`."""
    at = last + 1
    if at >= len(words) or words[at].gap:
        return Measure(None, last)
    key = words[at].key
    if key in _PERCENT or (key == "per" and _key(words, at + 1) == "cent"):
        return _share(words, at + (key == "per"))
    if key in _DEGREES:
        scale = _SCALES_OF_DEGREES.get(_key(words, at + 1))
        return Measure(scale, at + 1) if scale else Measure(_SOME_DEGREES, at)
    return _currency(words, at) or _unit(words, at) or Measure(None, last)


def measure_of_currency(word: Word) -> Unit | None:
    """Return what a word that names a currency measures: dollars and euros are two dimensions."""
    name = CURRENCIES.get(word.key) or CURRENCIES.get(word.key.removesuffix("s"))
    return Unit(name, 1.0) if name else None


def unit_of(words: tuple[Word, ...], at: int) -> Unit | None:
    """Return the unit that a word names, in whatever number it stands."""
    return find_unit(words[at].key) if 0 <= at < len(words) and not words[at].gap else None


def measure_of_money(words: tuple[Word, ...], last: int) -> bool:
    """Tell whether a currency follows a number."""
    return last + 1 < len(words) and _currency(words, last + 1) is not None


def is_signed(unit: Unit | None) -> bool:
    """Tell whether numbers of a unit are often below zero, so that a sign may be missed."""
    return unit is not None and (unit.dimension in _SIGNED or unit.dimension in _MONEY)


def sign_place(words: tuple[Word, ...], first: int) -> int | None:
    """Return the place of the minus before a number, or before its currency."""
    before = words[first - 1] if first else None
    if before is None or words[first].gap:
        return None
    if before.key in _MINUS:
        return first - 1
    return first - 1 if _is_minus(words, first - 1) else None


def is_below_zero(words: tuple[Word, ...], end: int) -> bool:
    """Tell whether "below zero" follows a measure."""
    return _key(words, end + 1) == "below" and _key(words, end + 2) in ("zero", "0")


def is_near_falling(words: tuple[Word, ...], first: int, last: int) -> bool:
    """Tell whether a number stands near a word that may make it one below zero.

    "Fell by 5" may say -5, "fell to 5" does not.
    """
    if first and words[first - 1].key == "to":
        return False
    near = words[max(0, first - _NEAR) : last + 1 + _NEAR]
    return any(word.stem in _FALLING for word in near)


def _key(words: tuple[Word, ...], at: int) -> str:
    return words[at].key if 0 <= at < len(words) and not words[at].gap else ""


def _is_minus(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a dash is a sign: it touches what follows and nothing that precedes."""
    dash = words[at]
    if dash.key != "-" or dash.end != words[at + 1].start:
        return False
    return not at or (words[at - 1].end < dash.start and words[at - 1].kind != "number")


def _share(words: tuple[Word, ...], at: int) -> Measure:
    if words[at].key == "pp":
        return Measure(POINTS, at)
    points = _key(words, at + 1) in ("point", "points")
    return Measure(POINTS if points else SHARE, at + points)


def _currency(words: tuple[Word, ...], at: int) -> Measure | None:
    """Read "dollars" and "U.S. dollars"."""
    named = at + 1 if words[at].text[0].isupper() else at
    for place in range(at, min(named + 1, len(words))):
        unit = None if words[place].gap else measure_of_currency(words[place])
        if unit:
            return Measure(unit, place)
    return None


def _unit(words: tuple[Word, ...], at: int) -> Measure | None:
    dimension, power = _POWERS.get(words[at].key, ("", 1))
    place = at + (power > 1)
    unit = unit_of(words, place)
    if unit is None or (power > 1 and unit.dimension != "length"):
        return None
    if power > 1:
        unit = Unit(dimension, unit.size**power * (_LITRES if power > 2 else 1.0))
    return _rate(words, place, unit) or Measure(unit, place)


def _rate(words: tuple[Word, ...], at: int, unit: Unit) -> Measure | None:
    """Read "km/h" and "miles per hour"."""
    place = at + 1 + (_key(words, at + 1) in _PER)
    if place == at + 1 and not _is_joined(words, at):  # the slash of "km/h" is no word
        return None
    below = find_unit(_SHORT_UNITS.get(_key(words, place), _key(words, place)))
    if below is None:
        return None
    return Measure(Unit(f"{unit.dimension} per {below.dimension}", unit.size / below.size), place)


def _is_joined(words: tuple[Word, ...], at: int) -> bool:
    return (
        at + 1 < len(words)
        and words[at + 1].start == words[at].end + 1
        and (words[at + 1].key in _SHORT_UNITS)
    )

"""Words and symbols of numbers, months, currencies and units: the one list of each.

`numbers` reads with them what a number means; the guard of quotes asks only whether a word belongs
to a number, through `NUMBER_WORDS`, `MAGNITUDE_WORDS` and `UNIT_WORDS`.
"""

from __future__ import annotations

from typing import NamedTuple

CARDINALS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
ORDINALS = {
    **{
        word: value
        for value, word in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
            " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
            " twentieth".split(),
            start=1,
        )
    },
    "thirtieth": 30,
}
CENTURIES = {**ORDINALS, "twenty-first": 21}
ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
MAGNITUDES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
}
SHORT_MAGNITUDES = {
    "bn": 1e9,
    "tn": 1e12,
    "mn": 1e6,
    "mio": 1e6,
    "mrd": 1e9,
    "millionen": 1e6,
    "milliarde": 1e9,
    "milliarden": 1e9,
    "万": 1e4,
    "萬": 1e4,
    "亿": 1e8,
    "億": 1e8,
    "千": 1e3,
    "百": 1e2,
}
LETTER_MAGNITUDES = {"m": 1e6, "b": 1e9, "k": 1e3, "t": 1e12}
"""What directly follows a sum of money: "€5m"; elsewhere these are units."""

MONTH_NAMES = tuple(
    "january february march april may june july august september october november december".split()
)
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
MONTHS = {
    **{name: number for number, name in enumerate(MONTH_NAMES, start=1)},
    **{name[:3]: number for number, name in enumerate(MONTH_NAMES, start=1)},
    "sept": 9,
}
PERCENT = frozenset("% percent pct pc prozent".split())
CURRENCIES = {
    form: name
    for name, forms in {
        "dollar": "$ dollar usd",
        "euro": "€ euro eur",
        "pound": "£ pound gbp sterling",
        "yen": "¥ yen jpy",
        "rupee": "₹ rupee inr rs",
        "yuan": "yuan renminbi cny rmb",
        "rouble": "₽ rouble ruble rub",
        "franc": "franc chf",
        "krona": "krona krone kronor kroner sek nok dkk",
        "peso": "peso",
        "cent": "¢ cent",
        "won": "₩",
    }.items()
    for form in forms.split()
}
"""Currencies by their signs, codes and names in the singular. A "pound" can also be a weight."""

DOLLARS = {
    "us": "dollar", "c": "Canadian dollar", "ca": "Canadian dollar", "a": "Australian dollar",
    "au": "Australian dollar", "nz": "New Zealand dollar", "hk": "Hong Kong dollar",
    "s": "Singapore dollar", "nt": "Taiwan dollar", "r": "real",
}  # fmt: skip
"""Currencies by the letters before their dollar sign: "C$5"."""


class Unit(NamedTuple):
    """A unit of measurement.

    Attributes:
        dimension: What it measures; only units of one dimension can be converted.
        size: One of it in the first unit of its dimension.
        zero: What it has where that one has 0; not 0 for degrees Fahrenheit only.
    """

    dimension: str
    size: float
    zero: float = 0.0


_SIZES: dict[str, dict[str, float]] = {
    "time": {
        "second sec": 1,
        "minute min": 60,
        "hour hr": 3_600,
        "day": 86_400,
        "week": 604_800,
        "month": 2_629_800,
        "year": 31_557_600,
        "decade": 315_576_000,
        "century centuries": 3_155_760_000,
    },
    "length": {
        "m meter metre": 1,
        "nm nanometer nanometre": 1e-9,
        "μm um micrometer micrometre micron": 1e-6,
        "mm millimeter millimetre": 0.001,
        "cm centimeter centimetre": 0.01,
        "dm decimeter decimetre": 0.1,
        "km kilometer kilometre": 1_000,
        "ft foot feet": 0.3048,
        "mi mile": 1_609.344,
        "inch inches": 0.0254,
        "yard yd": 0.9144,
    },
    "mass": {
        "kg kilogram kilogramme kilo": 1,
        "g gram gramme": 1e-3,
        "mg milligram milligramme": 1e-6,
        "μg mcg microgram": 1e-9,
        "ng nanogram": 1e-12,
        "tonne ton": 1_000,
        "pound lb": 0.45359237,
        "ounce oz": 0.028349523,
    },
    "volume": {
        "l liter litre": 1,
        "ml milliliter millilitre": 1e-3,
        "cl centiliter centilitre": 1e-2,
        "dl deciliter decilitre": 1e-1,
        "gallon": 3.785411784,
    },
    "area": {"hectare ha": 1e4, "acre": 4_046.8564224},
    "power": {"kw kilowatt": 1e3, "mw megawatt": 1e6, "gw gigawatt": 1e9, "watt": 1},
    "energy": {"kj kilojoule": 1e3, "joule": 1, "kwh": 3.6e6},
    "pressure": {"pa pascal": 1, "kpa": 1e3, "mpa": 1e6},
    "voltage": {"volt": 1, "mv": 1e-3, "kv": 1e3},
    "substance": {"mol": 1, "mmol": 1e-3},
    "frequency": {"hz hertz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    "data": {
        "kb kilobyte": 1e3,
        "mb megabyte": 1e6,
        "gb gigabyte": 1e9,
        "tb terabyte": 1e12,
        "kib": 1024,
        "mib": 1_048_576,
        "gib": 1_073_741_824,
    },
    "length per time": {"mph": 0.44704, "kph kmh": 1 / 3.6},
}
CELSIUS = Unit("temperature", 1.0)
FAHRENHEIT = Unit("temperature", 5 / 9, 32.0)
UNITS = {
    form: Unit(dimension, size)
    for dimension, sizes in _SIZES.items()
    for forms, size in sizes.items()
    for form in forms.split()
}
"""Units by their abbreviations and names in the singular, in small letters."""


def find_unit(word: str) -> Unit | None:
    """Return the unit that a word in small letters names, or `None`.

    Examples:
        >>> find_unit("minutes"), find_unit("people")
        (Unit(dimension='time', size=60, zero=0.0), None)
    """
    return UNITS.get(word) or UNITS.get(word.removesuffix("s"))


# What the guard of quotes asks

NUMBER_WORDS = (
    frozenset((*CARDINALS, *TENS, *ORDINALS, *MAGNITUDES))
    | {f"{word}s" for word in MAGNITUDES}
    | frozenset("once twice thrice half quarter double triple".split())
)
"""English words that are numbers or parts of them."""

MAGNITUDE_WORDS = (
    frozenset((*MAGNITUDES, *(word for word in SHORT_MAGNITUDES if word.isascii())))
    | {f"{word}s" for word in MAGNITUDES}
    | frozenset("percent per cent prozent".split())
)
"""What multiplies or divides the number before it, as tokens."""

_SYMBOL = 4  # letters of the longest abbreviation of a unit
_SHORT_NAMES = frozenset(
    "day week hour year foot feet inch mile yard acre watt volt kilo ton gram".split()
)
_NAMES = frozenset(form for form in UNITS if len(form) > _SYMBOL) | _SHORT_NAMES
_IRREGULAR = frozenset("foot feet inch inches century centuries hertz".split())
UNIT_WORDS = (
    frozenset(form for form in UNITS if form not in _NAMES)
    | {f"{form}s" for form in _NAMES - _IRREGULAR}
    | {f"{form}s" for form in CURRENCIES if len(form) > _SYMBOL}
    | frozenset("feet inches centuries hertz cents euros lbs ms µg µm iu yen".split())
    | frozenset("percent percentage points degrees".split())
    # Too often other words to be read as units: "5 a day".
    | frozenset("s h w v a j k c f in bar ma".split())
)
"""What may follow a number as its unit, as tokens: abbreviations, and names in the plural."""

CURRENCY_SIGNS = "".join(form for form in CURRENCIES if len(form) == 1)

CASED_UNITS = frozenset("mw mb gb kb tb mg m g s mpa mv ma mj k t nm mm um µm μm pm".split())
"""Units that mean something else in capitals, after a number: "mW" and "MW"."""

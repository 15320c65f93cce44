"""Words and symbols of numbers, months, currencies and units: the one list of each.

`numbers` reads with them what a number means; the guard of quotes asks only whether a word belongs
to a number, through `NUMBER_WORDS`, `MAGNITUDE_WORDS` and `UNIT_WORDS`.
"""

from __future__ import annotations

from typing import NamedTuple


def _numbered(words: str, first: int = 1, step: int = 1) -> dict[str, int]:
    return {word: first + i * step for i, word in enumerate(words.split())}


CARDINALS = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen",
    first=0,
)
TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", first=20, step=10)
ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
) | {"thirtieth": 30}
ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
MAGNITUDES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "dozen": 12.0, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
SHORT_MAGNITUDES = {
    "bn": 1e9, "tn": 1e12, "mn": 1e6, "mln": 1e6, "mio": 1e6, "mrd": 1e9,
    "millionen": 1e6, "milliarde": 1e9, "milliarden": 1e9,
    **{char: float(scale) for char, scale in HAN_SCALES.items() if scale > 10},
}  # fmt: skip
LETTER_MAGNITUDES = {"m": 1e6, "b": 1e9, "k": 1e3, "t": 1e12}
"""What directly follows a sum of money: "€5m"; elsewhere these are units."""

MONTH_NAMES = tuple(
    "january february march april may june july august september october november december".split()
)
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
MONTHS = {
    **_numbered(" ".join(MONTH_NAMES)),
    **_numbered(" ".join(name[:3] for name in MONTH_NAMES)),
    "sept": 9,
}
CALENDAR_NAMES = {
    language: names.split()
    for language, names in {
        "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
        " Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre"
        " diciembre lunes martes miércoles jueves viernes sábado domingo",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
        " lundi mardi mercredi jeudi vendredi samedi dimanche",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
        " dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "nl": "januari februari maart april mei juni juli augustus september oktober november"
        " december maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro"
        " dezembro segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    }.items()
}
"""Months, and days from Monday on; abbreviations are other ones by program and version."""
PERCENT = frozenset(
    (
        "% percent pct pc prozent proz percento procent procenta procento procentů proc prosent"
        " prosenttia százalék процент процента процентов проценты процентам процентами відсоток"
        " відсотка відсотки відсотків процентів بالمئة بالمائة بالمية प्रतिशत"
        " फीसदी फ़ीसदी 퍼센트 프로"
    ).split()
)
"""Words for the percent sign, as tokens, behind a number."""
PERCENT_PHRASES = (
    *(
        tuple(phrase.split())
        for phrase in (
            "per cent|pour cent|por ciento|por cento|per cento|la sută|τοισ εκατό|في المئة"
            "|في المائة|phần trăm"
        ).split("|")
    ),
    # Of scripts without spaces, each letter is a token, with its signs.
    ("パ", "ー", "セ", "ン", "ト"),
    ("เ", "ป", "อ", "ร", "์", "เ", "ซ", "็", "น", "ต", "์"),
)
"""The same, each of several tokens."""
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


_SIZES = """
time: second sec 1, minute min 60, hour hr h 3600, day 86400, week 604800, month 2629800,
  year 31557600, decade 315576000, century centuries 3155760000
length: m meter metre 1, nm nanometer nanometre 1e-9, μm um micrometer micrometre micron 1e-6,
  mm millimeter millimetre 0.001, cm centimeter centimetre 0.01, dm decimeter decimetre 0.1,
  km kilometer kilometre 1000, ft foot feet 0.3048, mi mile 1609.344, inch inches 0.0254,
  yard yd 0.9144
mass: kg kilogram kilogramme kilo 1, g gram gramme 1e-3, mg milligram milligramme 1e-6,
  μg mcg microgram 1e-9, ng nanogram 1e-12, tonne ton 1000, pound lb 0.45359237,
  ounce oz 0.028349523
volume: l liter litre 1, ml milliliter millilitre 1e-3, cl centiliter centilitre 1e-2,
  dl deciliter decilitre 1e-1, gallon 3.785411784
area: hectare ha 1e4, acre 4046.8564224
power: kw kilowatt 1e3, mw megawatt 1e6, gw gigawatt 1e9, watt 1
energy: kj kilojoule 1e3, joule 1, kwh 3.6e6
pressure: pa pascal 1, kpa 1e3, mpa 1e6
voltage: volt 1, mv 1e-3, kv 1e3
substance: mol 1, mmol 1e-3
frequency: hz hertz 1, khz 1e3, mhz 1e6, ghz 1e9
data: kb kilobyte 1e3, mb megabyte 1e6, gb gigabyte 1e9, tb terabyte 1e12, kib 1024, mib 1048576,
  gib 1073741824
length per time: mph 0.44704, kph kmh 0.2777777777777778
"""
CELSIUS = Unit("temperature", 1.0)
FAHRENHEIT = Unit("temperature", 5 / 9, 32.0)
UNITS = {
    form: Unit(dimension, float(size))
    for dimension, _, units in (
        row.partition(": ") for row in _SIZES.strip().replace("\n  ", " ").splitlines()
    )
    for *forms, size in map(str.split, units.split(","))
    for form in forms
}
"""Units by their abbreviations and names in the singular, in small letters."""


def find_unit(word: str) -> Unit | None:
    """Return the unit that a word or a symbol names, or `None`.

    The case of a symbol counts where it is one as written: "mW" is not "MW", but "KW" is "kW".

    Examples:
        >>> find_unit("minutes"), find_unit("people")
        (Unit(dimension='time', size=60.0, zero=0.0), None)
        >>> find_unit("meV").size < find_unit("MeV").size
        True
    """
    prefix, symbol = parse_symbol(word) or ("", "")
    if symbol in _SI and len(word) > 1:
        dimension, size, prefixes = _SI[symbol]
        if prefix in prefixes:
            # Rounded, so that "5 mg" is "5 milligrams" to the last bit.
            return Unit(dimension, float(f"{size * 10.0 ** _POWERS[prefix]:.12g}"))
    small = word.lower()
    return UNITS.get(small) or UNITS.get(small.removesuffix("s"))


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

_SYMBOLS = frozenset(
    "m g s A K mol cd Hz N Pa J W C V F Ω S Wb T H lm lx Bq Gy Sv eV L B b bps Bps bit U Da cal bar"
    " Wh VA Ah Nm ppm".split()
)
_POWERS = {
    "": 0, "f": -15, "p": -12, "n": -9, "µ": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6,
    "G": 9, "T": 12, "P": 15, "E": 18,
}  # fmt: skip
_PREFIXES = frozenset(_POWERS) - {""}
# Symbols with what they measure, their size, and the prefixes that they have in texts: "TV" and
# "PA" are no units.
_SI = {
    symbol: (dimension, size, prefixes)
    for symbol, dimension, size, prefixes in (
        ("m", "length", 1.0, "nµmcdkM"),
        ("g", "mass", 0.001, "pnµmkM"),
        ("s", "time", 1.0, "fpnµm"),
        ("L", "volume", 1.0, "µmcdh"),
        ("W", "power", 1.0, "µmkMGT"),
        ("J", "energy", 1.0, "µmkMGT"),
        ("Wh", "energy", 3600.0, "mkMGT"),
        ("eV", "energy", 1.602176634e-19, "µmkMGT"),
        ("V", "voltage", 1.0, "µmkM"),
        ("A", "current", 1.0, "µmk"),
        ("Pa", "pressure", 1.0, "mhkMG"),
        ("Hz", "frequency", 1.0, "mkMGT"),
        ("mol", "substance", 1.0, "pnµm"),
        ("Bq", "activity", 1.0, "mkMGT"),
        ("Gy", "absorbed dose", 1.0, "µm"),
        ("Sv", "equivalent dose", 1.0, "nµm"),
        ("T", "magnetic field", 1.0, "nµm"),
        ("B", "data", 1.0, "kMGTP"),
        ("b", "data", 0.125, "kMGT"),
    )
}


def parse_symbol(word: str) -> tuple[str, str] | None:
    """Return the prefix and the unit of a symbol of the SI or of data, or `None`.

    Case counts, but for what is often written in another one: "l", "Kg", "UM".

    Examples:
        >>> parse_symbol("meV"), parse_symbol("MeV"), parse_symbol("MG")
        (('m', 'eV'), ('M', 'eV'), None)
    """
    word = word.replace("μ", "µ").replace("\u2126", "Ω")
    if word[1:] in ("", "l") and word[-1:] == "l":
        word = f"{word[:-1]}L"
    if word in _SYMBOLS or word in ("k", "M", "mM", "µM", "nM"):  # a thousand; molar
        return "", word
    prefix = "k" if word[:1] == "K" else word[:1]
    return (prefix, word[1:]) if prefix in _PREFIXES and word[1:] in _SYMBOLS else None

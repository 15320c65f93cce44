"""What a table or a record says, cell by cell, in sentences: `Cell`, `Table`, `Measures`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from citeguard.language.numbers import Number, find_numbers, read_digits
from citeguard.language.quantities import (
    CURRENCIES,
    CURRENCY_SIGNS,
    MONTHS,
    PERCENT,
    WEEKDAYS,
    find_unit,
)
from citeguard.language.terms import terms

APART = "\n\t\n"
"""What separates cells that are read as sentences: each is a fact by itself."""

Interval = tuple[int, int]


class Cell(NamedTuple):
    """A value of a table or a record, with all that says what it is.

    Attributes:
        start: Where the value starts in the text, in code points.
        end: Where it ends, exclusive.
        shown: The interval of its row, or of its key and value.
        sentences: What it says, in one or more ways; empty for text that is kept as it is.
        names: Of each axis on which it has a place, such as rows and columns, the axis and the
            name there. What is said of one name on an axis is not said of another.
    """

    start: int
    end: int
    shown: Interval
    sentences: tuple[str, ...]
    names: tuple[tuple[str, str], ...] = ()


class Table(NamedTuple):
    """A table or a record: an interval of a text that is read cell by cell."""

    start: int
    end: int
    cells: tuple[Cell, ...]


def asked_about(statement: str, cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of one table that a statement may be about.

    If it names rows or columns, those of other rows or columns are left out: what the table says of
    2021 is no evidence of 2022. If it has more figures than these cells, it also compares, and only
    rows count.

    Examples:
        >>> cells = [
        ...     Cell(0, 1, (0, 1), (f"{year}: {n}.",), (("column", str(year)),))
        ...     for n, year in enumerate((2021, 2022))
        ... ]
        >>> [cell.sentences for cell in asked_about("There was 1 in 2022.", cells)]
        [('2022: 1.',)]
    """
    words = [term.key for term in terms(statement)]
    chosen = [cell for cell in cells if cell.sentences]
    for axis in dict.fromkeys(axis for cell in chosen for axis, _ in cell.names):
        named = _named(words, {name for cell in chosen for on, name in cell.names if on == axis})
        if not named:
            continue
        fewer = [
            cell for cell in chosen if all(on != axis or name in named for on, name in cell.names)
        ]
        if axis == "row" or len(fewer) >= _figures(words, named):
            chosen = fewer
    return chosen


def _figures(words: Iterable[str], named: Iterable[str]) -> int:
    """Return how many figures a statement has that are not in the names of rows or columns."""
    of_names = {term.key for name in named for term in terms(name)}
    return sum(word[0].isdigit() and word not in of_names and not _is_year(word) for word in words)


def _named(words: Sequence[str], names: Iterable[str]) -> set[str]:
    """Return the names all of whose words a statement has, except those within longer ones."""
    keys = {name: tuple(term.key for term in terms(name)) for name in names}
    counts = Counter(key for each in keys.values() for key in set(each))
    own = {
        name: [key for key in each if counts[key] < len(keys) or len(keys) == 1]
        for name, each in keys.items()
    }
    found = {name for name, each in own.items() if each and set(each) <= set(words)}
    years = {name: {key for key in each if _is_year(key)} for name, each in keys.items()}
    # "In fiscal 2023" names a year that ended on 28 January 2023, if no other column is of 2023.
    if not found and all(years.values()) and len(set(map(frozenset, years.values()))) == len(keys):
        found = {name for name, each in years.items() if each <= set(words)}
    places = {name: _places(words, keys[name]) for name in found}
    return {
        name
        for name in found
        if not places[name]
        or not all(
            any(_is_within(place, wider) for other in found - {name} for wider in places[other])
            for place in places[name]
        )
    }


def _places(words: Sequence[str], keys: Sequence[str]) -> list[Interval]:
    width = len(keys)
    return [
        (at, at + width)
        for at in range(len(words) - width + 1)
        if tuple(words[at : at + width]) == tuple(keys)
    ]


def _is_within(one: Interval, other: Interval) -> bool:
    return other[0] <= one[0] and one[1] <= other[1] and one != other


# Passages


class Piece(NamedTuple):
    """A piece of a text that was read out of a source, and where in the source it comes from.

    Attributes:
        start: Where it starts in the text, in code points.
        end: Where it ends, exclusive.
        low: Where what it was read from starts in the source.
        high: Where that ends, exclusive.
        verbatim: Whether it is the source's own text.
    """

    start: int
    end: int
    low: int
    high: int
    verbatim: bool


def source_of(pieces: Sequence[Piece], start: int, end: int) -> Interval:
    """Return the interval of a source that a part of a text was read from."""
    places = [
        (
            (piece.low + max(0, start - piece.start), piece.high - max(0, piece.end - end))
            if piece.verbatim
            else (piece.low, piece.high)
        )
        for piece in pieces
        if piece.start < end and start < piece.end
    ] or [(piece.low, piece.high) for piece in pieces]
    return min(low for low, _ in places), max(high for _, high in places)


def read_passage(
    text: str,
    passage: Interval,
    tables: Sequence[Table],
    statement: str,
    seen: set[Cell] | None = None,
) -> tuple[str, tuple[Piece, ...]] | None:
    """Return a passage with the cells of its tables as sentences, and where its pieces are.

    Cells that the statement is not about are left out, as by `asked_about`. If it names rows of a
    table, all their cells are read, not only those in the passage.

    Args:
        text: The whole text.
        passage: The interval of the passage.
        tables: The tables of the text, in order.
        statement: The statement.
        seen: The cells read in passages before this one, which are not read again; `None` to read
            only cells in the passage.

    Returns:
        The text and its pieces, which are empty if no table is in it; `None` if everything in it
        was seen.
    """
    start, end = passage
    inside = [table for table in tables if table.start < end and start < table.end]
    if not any(cell.start < end and start < cell.end for table in inside for cell in table.cells):
        return text[start:end], ()
    parts: list[tuple[str, int, int, bool]] = []
    at = start
    for table in inside:
        _add(parts, text, at, table.start)
        cells = _read_cells(table, passage, statement, whole=seen is not None)
        for cell in cells:
            if seen is None or cell not in seen:
                said = _said(cell, statement) or text[cell.start : cell.end]
                parts.append((said, *cell.shown, not cell.sentences))
        if seen is not None:
            seen.update(cells)
        at = max(at, table.end)
    _add(parts, text, at, end)
    pieces: list[Piece] = []
    place = 0
    for said, low, high, verbatim in parts:
        pieces.append(Piece(place, place + len(said), low, high, verbatim))
        place += len(said) + len(APART)
    return (APART.join(said for said, *_ in parts), tuple(pieces)) if parts else None


def _add(parts: list[tuple[str, int, int, bool]], text: str, start: int, end: int) -> None:
    part = text[start:end]
    if part.strip():
        low = start + len(part) - len(part.lstrip())
        parts.append((part.strip(), low, low + len(part.strip()), True))


def _read_cells(table: Table, passage: Interval, statement: str, *, whole: bool) -> list[Cell]:
    asked = asked_about(statement, table.cells)
    here = [cell for cell in asked if cell.start < passage[1] and passage[0] < cell.end]
    named = len(asked) < sum(bool(cell.sentences) for cell in table.cells)
    chosen = asked if whole and named and len(asked) <= _MOST_ASKED else here
    kept = (
        cell
        for cell in table.cells
        if not cell.sentences and cell.start < passage[1] and passage[0] < cell.end
    )
    return sorted([*chosen, *kept])


def _said(cell: Cell, statement: str) -> str:
    """Return what a cell says, in the way that has most words of a statement, and in its order.

    A number that the statement rounds is added as it is there: "$4,126.3 million (or $4.1 billion)".
    """
    if not cell.sentences:
        return ""
    words = _masked(statement)
    said = max(cell.sentences, key=lambda each: _likeness(words, _masked(each)))
    numbers = find_numbers(said)
    for stated in find_numbers(statement):
        exact = next((number for number in numbers if _is_rounded(stated, number)), None)
        if exact is not None:
            rounded = statement[slice(*stated.whole)]
            return f"{said[: exact.whole[1]]} (or {rounded}){said[exact.whole[1] :]}"
    return said


def _likeness(one: Sequence[str], other: Sequence[str]) -> int:
    return len(set(one) & set(other)) + LCSseq.similarity(one, other)


def _masked(text: str) -> list[str]:
    """Return the terms of a text, with the same mark for all figures but years."""
    keys = (term.key for term in terms(text))
    return ["#" if key[0].isdigit() and not _is_year(key) else key for key in keys]


def _is_rounded(stated: Number, exact: Number) -> bool:
    """Return whether a number is another one, rounded to two or more digits: 4.1 for 4.126."""
    kinds = {stated.kind, exact.kind}
    if stated.value == exact.value or not kinds <= {"count", "money", "percent"}:
        return False
    if len(kinds) > 1 and "percent" in kinds:
        return False
    if stated.unit and exact.unit and stated.unit != exact.unit:
        return False
    digits = f"{abs(stated.value):.9e}".partition("e")[0].replace(".", "").rstrip("0")
    places = max(len(digits), _FEWEST_DIGITS) - 1
    return f"{abs(stated.value):.{places}e}" == f"{abs(exact.value):.{places}e}"


_FEWEST_DIGITS = 2  # of a rounded number
_MOST_ASKED = 60  # cells of a table; more are not about what a statement names


# Values and what they are measured in

_SCALES = {"thousand": "thousand", "million": "million", "billion": "billion", "000": "thousand"}
_SCALE = re.compile(
    r"(?i)\b(?P<scale>thousand|million|billion)s?\b|(?<!\d)[$€£]?['’]?\(?(?P<zeros>000)['’]?s?\b"
    r"|(?<=[$€£])\s?(?P<short>mn?|bn?|k)\b|\b(?:usd|eur|gbp)\s?(?P<code>mn?|bn?|k)\b"
)
_SHORT_SCALES = {"m": "million", "b": "billion", "k": "thousand"}
_CURRENCY = re.compile(rf"[{re.escape(CURRENCY_SIGNS)}]|\b[A-Za-z]+\b")
_SIGNS = {"dollar": "$", "euro": "€", "pound": "£", "yen": "¥", "rupee": "₹"}
_EXCEPT = re.compile(r"(?i)\b(?:except|excluding|other than)\b[^)]*")
_NO_MONEY = re.compile(
    r"(?i)\b(?:shares|employees?|headcount|number|count|stores?|customers?|users?|units? sold"
    r"|patients?|people|rates?|ratio|days|hours)\b"
)
_PERCENT = re.compile(r"(?i)\b(?:percent(?:age)?|% )\b|%")
_EACH = re.compile(r"(?i)\b(?:per|each)\b|\beps\b")
_SHARES = re.compile(r"(?i)\bshares\b")
_GAINS = re.compile(
    r"(?i)\b(?:income|earnings|profit|ebitda?|margin|growth|change|return|increase|surplus"
    r"|balance|equity)\b"
)
_LOSS = re.compile(r"(?i)(?<!\()\b(?:loss|losses|decrease|deficit)\b(?!\))")
_NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<minus>[-−–])?\s*(?P<currency>[A-Z]{{0,2}}[{re.escape(CURRENCY_SIGNS)}])?"
    r"\s*(?P<inner>[-−–(])?\s*"
    r"(?P<figure>\d{1,3}(?:[, \u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
    r"\s*(?P<percent>%)?\s*(?P<close>\))?\s*(?P<late>%)?(?:\s*[*†‡]+|\s*\(\w\))?"
)


class Value(NamedTuple):
    """A number in a cell: its digits, its currency sign, and whether it is below 0 or in percent."""

    figure: str
    currency: str = ""
    negative: bool = False
    percent: bool = False


def read_value(written: str) -> Value | None:
    """Return the number that a cell consists of, or `None`; brackets mean that it is below 0.

    Examples:
        >>> read_value("$ (1,234.5)")
        Value(figure='1,234.5', currency='$', negative=True, percent=False)
    """
    found = _NUMBER.fullmatch(written.strip())
    if found is None or read_digits(found["figure"]) is None:
        return None
    bracketed = bool(found["open"]) or found["inner"] == "("
    negative = bracketed or bool(found["minus"]) or bool(found["inner"])
    percent = bool(found["percent"] or found["late"])
    return Value(found["figure"], found["currency"] or "", negative, percent)


@dataclass(frozen=True, slots=True)
class Measures:
    """What the numbers of a table are measured in.

    Attributes:
        scale: "thousand", "million" or "billion", or empty.
        currency: The sign of the currency, or empty.
        unit: Another unit, as it is written, or empty.
        shares_scaled: Whether the scale is that of numbers of shares, too.
    """

    scale: str = ""
    currency: str = ""
    unit: str = ""
    shares_scaled: bool = True

    def or_else(self, other: Measures) -> Measures:
        """Return these measures, with those of another for what they leave open."""
        if self.unit:
            return self
        return replace(
            self,
            scale=self.scale or other.scale,
            currency=self.currency or other.currency,
            unit=other.unit,
            shares_scaled=self.shares_scaled and other.shares_scaled,
        )

    def written(self, value: Value, about: str) -> str:
        """Return a value as a sentence has it: "$4,126.3 million".

        Args:
            value: The value.
            about: The names of its row and column.
        """
        is_gain = _GAINS.search(about) and not _LOSS.search(about)
        sign = "-" if value.negative and (self.unit or is_gain) else ""
        if value.percent or "%" in (self.unit, *about.split()) or _PERCENT.search(about):
            return f"{sign}{value.figure}%"
        currency = value.currency or (self.currency if is_money(about) else "")
        if self.unit and not currency:
            return f"{sign}{value.figure} {self.unit}"
        unscaled = _EACH.search(about) or (not self.shares_scaled and _SHARES.search(about))
        scale = "" if unscaled else self.scale
        return f"{sign}{currency}{value.figure} {scale}".rstrip()


def is_money(about: str) -> bool:
    """Return whether figures of such a name may be sums of money, and are no counts or rates."""
    return _EACH.search(about) is not None or not _NO_MONEY.search(about)


def measures_in(words: str) -> Measures:
    """Return the measures that a caption, or the brackets behind a name, states.

    Examples:
        >>> measures_in("(in millions of dollars, except per share data)")
        Measures(scale='million', currency='$', unit='', shares_scaled=True)
    """
    exception = _EXCEPT.search(words)
    shares_scaled = exception is None or not re.search(
        r"(?i)\bshares?\b", re.sub(r"(?i)\bper[ -](?:common )?share\b", "", exception[0])
    )
    plain = _EXCEPT.sub("", words)
    found = _SCALE.search(plain)
    scale = ""
    if found is not None:
        short = found["short"] or found["code"]
        scale = (
            _SHORT_SCALES[short[0].lower()]
            if short
            else _SCALES[(found["scale"] or found["zeros"]).lower()]
        )
    names = (
        CURRENCIES.get(each.lower()) or CURRENCIES.get(each.lower().removesuffix("s"))
        for each in _CURRENCY.findall(plain)
    )
    name = next((name for name in names if name in _SIGNS), "")
    return Measures(scale, _SIGNS.get(name, ""), "", shares_scaled)


_BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]{1,40})[)\]]\s*\Z")
_FOOTNOTE = re.compile(r"\s*(?:\((?:\d{1,2}|[a-z])\)|\[\d{1,2}\]|[*†‡]+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*\Z")


def split_measures(name: str) -> tuple[str, Measures]:
    """Return a name without footnote marks and the unit in brackets behind it, and that unit.

    Examples:
        >>> split_measures("Median survival (months)")
        ('Median survival', Measures(scale='', currency='', unit='months', shares_scaled=True))
    """
    plain = _FOOTNOTE.sub("", name).strip().rstrip(":").strip()
    found = _BRACKETED.search(plain) or re.search(r",\s*(?:in\s+)?(\S+)\s*\Z", plain)
    if found is None:
        return plain, Measures()
    inner = found[1].strip()
    unit = unit_of(inner)
    measures = Measures(unit=unit) if unit else measures_in(inner)
    return (plain[: found.start()].strip() if measures != Measures() else plain), measures


def unit_of(words: str) -> str:
    """Return the unit that a word or two state, or an empty text: "months", "in km", "%"."""
    plain = re.sub(r"(?i)^in ", "", words.strip())
    if plain.lower() in PERCENT or plain == "%":
        return "%"
    first = re.split(r"[\s/²³^]", plain, maxsplit=1)[0].lower()
    is_unit = find_unit(first) is not None or plain.startswith(("°", "sq ", "square ", "cubic "))
    return plain if is_unit and len(plain.split()) <= 3 else ""


# Names and sentences

_PERIOD = re.compile(
    r"(?i)\b(?:1[89]|20)\d\d\b|\b(?:fy|q[1-4]|h[12]|ended|quarter|months?)\b|\bfy\d\d\b"
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def _is_year(word: str) -> bool:
    return _YEAR.fullmatch(word) is not None


def is_period(name: str) -> bool:
    """Return whether a name is that of a period: a year, a month, a quarter."""
    words = re.findall(r"[a-z]+", name.lower())
    only = len(words) == 1 and (words[0] in MONTHS or words[0] in WEEKDAYS)
    return only or _PERIOD.search(name) is not None


def lowered(name: str) -> str:
    """Return a name as it is written within a sentence: without a capital that only begins it."""
    first = re.match(r"[A-Z][a-z]+(?![A-Z])", name)
    if first is None or first[0].lower() in MONTHS or first[0].lower() in WEEKDAYS:
        return name
    rest = name[first.end() :]
    # "North America" keeps its capitals, "Net sales" does not.
    return (
        name if re.search(r"\b[A-Z][a-z]", rest) or not rest.strip() else name[0].lower() + name[1:]
    )


def in_sentence(text: str) -> str:
    """Return a text that begins and ends as a sentence does."""
    plain = re.sub(r"\s+", " ", text).strip().rstrip(".;,")
    return f"{plain[:1].upper()}{plain[1:]}."

"""Units, magnitudes and currencies by their names in each language, right behind a number.

`read_units` writes each in one form, so that "5 kg" and "5 kilograms", or "€5" and "5 euros", can
be compared. Nothing is converted. The names are in `data/units.txt`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from citeguard.language import quantities
from citeguard.language.tokens import Token, tokenize

_Keys = tuple[str, ...]

_SYMBOL = 3  # letters up to which case counts: "MW" and "mW"
_MAGNITUDE, _CURRENCY = "×", "currency-"
# A "pound" is a weight or money; what else is near shows which, if it shows only one.
_SHOWN_BY = {
    "mass-pound": re.compile(
        r"\b(?:kg|kilos?|kilogram\w*|g|grams?|lbs?|oz|ounces?|tons?|tonnes?|weigh\w*)\b"
    ),
    "currency-pound": re.compile(r"£|\b(?:GBP|sterling|pence|penny|shillings?)\b"),
}

HAN_SCALES = frozenset((*quantities.HAN_SCALES, "兆"))  # in Chinese also a million

_BLANK = re.compile(r"[\s*\u200e\u200f]+|<[^<>]*>")
_WIDEST_GAP = 30


class _Names(NamedTuple):
    keys: dict[_Keys, str]
    first: frozenset[str]  # the first token of each
    longest: int  # tokens


@cache
def _rows() -> list[tuple[str, str, list[str]]]:
    path = Path(__file__).with_name("data") / "units.txt"
    lines = path.read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return [(key, code, forms.split("|")) for key, code, forms in rows]


@cache
def _names(language: str) -> _Names:
    """Return the names in a language, and the symbols that all languages have."""
    keys: dict[_Keys, str] = {}
    for key, code, forms in _rows():
        if code in ("*", language):
            keys |= {_face(tokenize(form)): key for form in forms}
    return _Names(keys, frozenset(face[0] for face in keys), max(map(len, keys)))


def _face(tokens: Sequence[Token]) -> _Keys:
    texts = tuple(token.text for token in tokens)
    is_symbol = sum(map(len, texts)) <= _SYMBOL
    return texts if is_symbol else tuple(token.key for token in tokens)


# Quick tests, in any language


@cache
def _forms(kind: str = "") -> frozenset[str]:
    """Return the names, in small letters, whose keys begin with a kind."""
    rows = (forms for key, _, forms in _rows() if key.startswith(kind))
    return frozenset(form.lower() for forms in rows for form in forms)


@cache
def _words() -> frozenset[str]:
    return frozenset(word.strip(".") for form in _forms() for word in form.split())


@cache
def _keys() -> frozenset[str]:
    return frozenset(key for key, _, _ in _rows())


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    names = (form.replace(".", "").split() for form in _forms())
    # Not prepositions: "25 points de" goes on with more than "base".
    return frozenset((name[0], name[1]) for name in names if len(name) > 1 and len(name[1]) > 3)


def is_unit(key: str) -> bool:
    """Return whether the key of a token is that of a unit that `read_units` has read."""
    return key in _keys()


def is_abbreviated(word: str) -> bool:
    """Return whether a word in small letters, without its stop, shortens the name of a unit."""
    return f"{word}." in _forms()


def may_be_unit(word: str) -> bool:
    """Return whether a word may be a unit or a part of its name."""
    return word.strip(".,;:!?()[]").lower() in _words()


def continues_unit(word: str, following: str) -> bool:
    """Return whether two words begin the name of a unit, such as "mètres carrés"."""
    return (word.lower(), following.lower()) in _pairs()


def is_currency(key: str) -> bool:
    """Return whether the key of a token is the name or sign of a currency."""
    return key in _forms(_CURRENCY)


def is_magnitude(word: str) -> bool:
    """Return whether a word multiplies the number before it.

    Examples:
        >>> is_magnitude("миллионов"), is_magnitude("metres")
        (True, False)
    """
    bare = word.lower().rstrip(".")
    magnitudes = _forms(_MAGNITUDE)
    return bare in magnitudes or f"{bare}." in magnitudes or word[:1] in HAN_SCALES


def find_magnitudes(language: str) -> dict[str, int]:
    """Return the words of one token that multiply the number before them, by their keys.

    Examples:
        >>> find_magnitudes("pl")["mld"]
        1000000000
    """
    return {
        tokens[0].key: int(key.removeprefix(_MAGNITUDE))
        for key, code, forms in _rows()
        if code == language and key.startswith(_MAGNITUDE)
        for tokens in map(tokenize, forms)
        if len(tokens) == 1
    }


def read_units(
    text: str, tokens: Sequence[Token], language: str, *, nearby: str = ""
) -> list[Token]:
    """Return tokens with each unit in one form, currencies behind their numbers.

    Args:
        text: The text.
        tokens: Its tokens without marks, in which `read_values` has read the numbers.
        language: The code of its language, "" if unknown.
        nearby: More of the text, which shows what an ambiguous name means.

    Examples:
        >>> text = "20 Sekunden, € 5"
        >>> [token.key for token in read_units(text, tokenize(text), "de")]
        ['20', 'duration-second', '5', 'currency-euro']
    """
    # Of too few words for a language, or of one without tables.
    reader = _Reader(text, tokens, _names(language or "en"), nearby or text)
    return [*reader.tokens()]


class _Reader:
    def __init__(self, text: str, tokens: Sequence[Token], names: _Names, nearby: str) -> None:
        self._text, self._tokens, self._names, self._nearby = text, tokens, names, nearby

    def tokens(self) -> Iterator[Token]:
        i = 0
        while i < len(self._tokens):
            token = self._tokens[i]
            sign, place = None, i
            if token.kind != "number":
                found = self._unit(i)
                # "5 dollars 20" is no 20 dollars.
                is_sign = found and found[0].startswith(_CURRENCY) and not token.text.islower()
                if found and is_sign and self._is_number(found[1]):
                    sign, place = found[0], found[1]
                else:
                    yield token
                    i += 1
                    continue
            units = [*self._units(place + 1, with_currency=sign is None)]
            number = self._tokens[place]
            end = units[-1][2] if units else place + 1
            if sign is None:
                yield number
                for key, first, last in units:
                    yield self._new(key, first, last)
            else:
                # All come from one place: what is between them is not compared.
                last = self._tokens[end - 1].end
                keys = (*(unit[0] for unit in units), sign)
                yield number._replace(start=token.start)
                for key in keys:
                    yield number._replace(
                        key=key, text=key, start=token.start, end=last, kind="word"
                    )
            i = end

    def _units(self, i: int, *, with_currency: bool) -> Iterator[tuple[str, int, int]]:
        """Yield the magnitude, the unit and what it is "per" behind a number, with their places."""
        found = self._unit(i) if self._is_near(i) else None
        if found and found[0].startswith(_MAGNITUDE):
            yield found[0], i, found[1]
            i = found[1]
            found = self._unit(i) if self._is_near(i) else None
        if found is None or (not with_currency and found[0].startswith(_CURRENCY)):
            return
        yield found[0], i, found[1]
        i = found[1]
        slash = i + 1 < len(self._tokens) and self._tokens[i].key == "/"
        if slash or (i < len(self._tokens) and self._gap(i) == "/"):
            per = self._unit(i + slash)
            if per is not None:
                if slash:
                    yield "/", i, i + 1
                yield per[0], i + slash, per[1]

    def _unit(self, i: int) -> tuple[str, int] | None:
        """Return the key of the longest name at a place and the place after it, or `None`."""
        token = self._tokens[i]
        if token.text not in self._names.first and token.key not in self._names.first:
            return None
        most = min(self._names.longest, len(self._tokens) - i)
        for width in range(most, 0, -1):
            key = self._names.keys.get(_face(self._tokens[i : i + width]))
            if key is not None and self._is_together(i, i + width):
                key = self._sure(key)
                return (key, i + width) if key else None
        return None

    def _is_together(self, first: int, last: int) -> bool:
        return all(not self._gap(place).strip("./'’॰-") for place in range(first + 1, last))

    def _sure(self, key: str) -> str:
        keys = key.split("/")
        if len(keys) == 1:
            return key
        shown = [each for each in keys if _SHOWN_BY[each].search(self._nearby)]
        return shown[0] if len(shown) == 1 else ""

    def _is_number(self, i: int) -> bool:
        has_number = i < len(self._tokens) and self._tokens[i].kind == "number"
        return has_number and not self._gap(i).strip(".")

    def _is_near(self, i: int) -> bool:
        return i < len(self._tokens) and not self._gap(i).strip(".-‐‑")

    def _gap(self, i: int) -> str:
        """Return what is between a token and the one before, without blanks and markup."""
        gap = self._text[self._tokens[i - 1].end : self._tokens[i].start]
        if gap in ("", " "):
            return ""
        return _BLANK.sub("", html.unescape(gap)) if len(gap) <= _WIDEST_GAP else gap

    def _new(self, key: str, first: int, last: int) -> Token:
        token = self._tokens[first]
        if key == "/":
            return token
        return token._replace(key=key, text=key, end=self._tokens[last - 1].end, kind="word")

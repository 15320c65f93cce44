"""A text as its contrasts with another are found: words, stems, and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, wraps
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, Protocol, TypeVar

from citeguard.facts.reading.tables import (
    Membership,
    Phrase,
    countries,
    memberships,
    phrases,
    root,
)
from citeguard.language import lexicon
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import Kind, Token, tokenize

# All pairs of places are compared, so that there must be a limit to them on hostile input.
MOST_PLACES, MOST_THINGS = 12, 48
_MOST_READINGS = 128  # kept, with what is found in them; one of 600 characters takes about 0.1 MB
STOP = 2  # the gap before a word that begins a sentence
_REACH = 4  # content words on either side of a word that tell what it is said of
_CAPITAL_FORMS = lexicon.NAME_WORDS | lexicon.ACRONYM_WORDS
_PLAIN = FUNCTION_WORDS - {"before", "after", "above", "below", "up", "down", "over", "under"}
# Verbs that say little without their object or complement.
LIGHT = frozenset(map(root, ("become get make take go come know do have be see say".split())))
_BLANKS, _STOPS, _COMMAS = ("", " ", "-", "'"), "!?;\n。！？；", ',:()[]{}—–"“”«»，、：'
_ABBREVIATED = frozenset(
    "mr mrs ms dr st prof jr sr vs no fig cf al inc ltd co corp gov gen".split()
)


class _Keeper(Protocol):
    kept: dict[object, Any]


_Of = TypeVar("_Of", bound=_Keeper)
_Found = TypeVar("_Found")


def kept(find: Callable[[_Of], _Found]) -> Callable[[_Of], _Found]:
    """Keep what a function finds in a reading, or in a pair, for as long as that is kept."""

    @wraps(find)
    def get(of: _Of) -> _Found:
        if find not in of.kept:
            of.kept[find] = find(of)
        return of.kept[find]

    return get


class Word(NamedTuple):
    """A word, number, symbol or ideograph of a text.

    Attributes:
        key: in small letters.
        stem: what is compared: the stem, or of a country its name.
        text: as it is written.
        start: offset of its first character.
        end: offset after its last one.
        kind: as of a token.
        gap: what parts it from the word before: 0 nothing, 1 a comma or bracket, `STOP` a stop.
        content: whether it is a content word, a number or an ideograph.
    """

    key: str
    stem: str
    text: str
    start: int
    end: int
    kind: Kind
    gap: int
    content: bool


class Reading:
    """A text read once, for comparison with many others."""

    def __init__(self, text: str) -> None:
        self.kept: dict[object, Any] = {}
        self.text = text
        self.words = tuple(_words(text))

    @cached_property
    def content(self) -> list[int]:
        """The indices of the content words."""
        return [i for i, word in enumerate(self.words) if word.content]

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The indices of the content words by stem, of each the first few."""
        found: dict[str, list[int]] = {}
        for i in self.content:
            places = found.setdefault(self.words[i].stem, [])
            if len(places) < MOST_PLACES:
                places.append(i)
        return found

    @cached_property
    def by_initial(self) -> dict[str, list[Word]]:
        """The content words by their first letter."""
        found: dict[str, list[Word]] = {}
        for i in self.content:
            found.setdefault(self.words[i].key[0], []).append(self.words[i])
        return found

    @cached_property
    def around(self) -> list[frozenset[str]]:
        """The stems of the content words around each word, itself not among them."""
        ranks = [0, *accumulate(word.content for word in self.words)]
        stems = [self.words[i].stem for i in self.content]
        return [
            frozenset(
                stems[max(0, rank - _REACH) : rank]
                + stems[rank + word.content : rank + word.content + _REACH]
            )
            for rank, word in zip(ranks, self.words, strict=False)
        ]

    @cached_property
    def classes(self) -> dict[str, list[tuple[int, Membership]]]:
        """The words that are in a class of the tables, by the name of the class; the first few."""
        found: dict[str, list[tuple[int, Membership]]] = {}
        table = memberships()
        for i, word in enumerate(self.words):
            for member in table.get(word.stem, ()):
                places = found.setdefault(member.name, [])
                if len(places) < MOST_PLACES and (not member.cased or word.text[0].isupper()):
                    places.append((i, member))
        return found

    def slice(self, first: int, last: int) -> tuple[str, int, int]:
        """Return (words, start, end) of the words from `first` to `last`, both included."""
        start, end = self.words[first].start, self.words[last].end
        return self.text[start:end], start, end

    def stem_at(self, index: int) -> str:
        """Return the stem of a word; "" beyond the ends of the text."""
        if not 0 <= index < len(self.words):
            return ""
        return self.words[index].stem


@lru_cache(maxsize=_MOST_READINGS)
def read(text: str) -> Reading:
    """Return the reading of a text; those used last are kept."""
    return Reading(text)


def _words(text: str) -> Iterator[Word]:
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    gaps = [2, *(_gap(a, text[a.end : b.start], b) for a, b in pairwise(tokens))]
    i = 0
    while i < len(tokens):
        phrase = _phrase_at(tokens, i)
        width = len(phrase.keys) if phrase else 1
        last = tokens[i + width - 1]
        yield _word(tokens[i], last, gaps[i], phrase, text)
        i += width


def _gap(before: Token, between: str, after: Token) -> int:
    if between in _BLANKS:
        return 0
    if any(stop in between for stop in _STOPS):
        return 2
    if "." in between and len(before.text) > 1 and before.key not in _ABBREVIATED:
        return 2 if not after.text[0].islower() else 1
    return int(any(mark in between for mark in _COMMAS))


def _phrase_at(tokens: Sequence[Token], i: int) -> Phrase | None:
    for phrase in phrases().get(tokens[i].key, ()):
        width = len(phrase.keys)
        if tuple(token.key for token in tokens[i : i + width]) == phrase.keys and (
            not phrase.cased or all(t.text[0].isupper() for t in (tokens[i], tokens[i + width - 1]))
        ):
            return phrase
    return None


def _word(first: Token, last: Token, gap: int, phrase: Phrase | None, text: str) -> Word:
    written = first.text if phrase is None else text[first.start : last.end]
    stem = phrase.stem if phrase else _stem(first)
    kind = first.kind
    content = kind in ("number", "character") or (kind == "word" and _is_content(first, phrase))
    return Word(first.key, stem, written, first.start, last.end, kind, gap, content)


def _is_content(token: Token, phrase: Phrase | None) -> bool:
    if phrase is not None:
        return True
    return token.key not in _PLAIN or (len(token.text) > 1 and token.text.isupper())


def _stem(token: Token) -> str:
    if token.kind != "word":
        return token.key
    plain = token.key.removesuffix("'s")
    country = countries().get(plain)
    if country and (plain not in _CAPITAL_FORMS or token.text[0].isupper()):
        return country.lower().replace(" ", "_")
    return root(token.key)

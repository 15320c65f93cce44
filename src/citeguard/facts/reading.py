"""A text read once for all rules (`Reading`), and a statement beside a passage (`Pair`).

A reading has the words, numbers and frames of a text. A pair has what the texts share, and
`likeness`: how similar the words around two places are, which shows whether both are about the
same thing. The rules compare places of great likeness.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, wraps
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, cast

from rapidfuzz.distance import Indel

from citeguard.facts.tables import (
    Membership,
    Phrase,
    countries,
    has_capital_sense,
    irregular_forms,
    lines,
    memberships,
    phrases,
    root,
    roots,
)
from citeguard.language.abbreviations import ABBREVIATIONS
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import Kind, Token, tokenize

# Pairs of places are compared, so hostile input needs a limit.
MOST_PLACES, MOST_THINGS = 12, 48
_MOST_READINGS = 128  # cached, with all results; one of 600 characters takes 0.1 MB
STOP = 2  # the gap before a word that begins a sentence
_LONGEST_SENTENCE = 80  # words on either side of a word
_REACH = 4  # content words on either side of a word that show what it is about
_PLAIN = FUNCTION_WORDS - {"before", "after", "above", "below", "up", "down", "over", "under"}
LIGHT = roots("become get make take go come know do have be see say")
"""Stems of verbs that mean little without their object or complement."""

CLAUSE_WORDS = frozenset(
    "but because although though while whereas whether which who whom whose until unless when"
    " however except than since and if so despite".split()
)
"""Words that begin another clause."""

_BLANKS, _STOPS, _COMMAS = ("", " ", "-", "'"), "!?;\n。！？；", ',:()[]{}—–"“”«»，、：'


class _Cached(Protocol):
    kept: dict[object, Any]


_Of = TypeVar("_Of", bound=_Cached)
_Found = TypeVar("_Found")


def kept(find: Callable[[_Of], _Found]) -> Callable[[_Of], _Found]:
    """Cache the result of a function of a reading or a pair, as long as that exists."""

    @wraps(find)
    def get(of: _Of) -> _Found:
        if find not in of.kept:
            of.kept[find] = find(of)
        return of.kept[find]

    return get


class Word(NamedTuple):
    """A word, number, symbol or ideograph of a text.

    Attributes:
        key: In lower case.
        stem: What is compared: the stem, or the name of a country.
        text: The word as it is written.
        start: Offset of its first character, in code points.
        end: Offset after its last one.
        kind: The kind of its token.
        gap: What separates it from the word before: 0 for nothing, 1 for a comma or bracket, `STOP`
            for the end of a sentence.
        content: Whether it is a content word, a number or an ideograph.
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
    """A text read once, for comparison with many others. Places are indices of its words."""

    def __init__(self, text: str) -> None:
        self.kept: dict[object, Any] = {}
        self.text = text
        self._tokens = [token for token in tokenize(text) if token.kind != "mark"]
        self.words = tuple(_words(text, self._tokens))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the text, in order."""
        return find_numbers(self.text, self._tokens)

    @cached_property
    def content(self) -> list[int]:
        """The places of the content words."""
        return [i for i, word in enumerate(self.words) if word.content]

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The places of the content words by stem, the first few of each."""
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
        """For each word, the stems of the content words around it, without its own."""
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
        """The words that are in a class of the tables, by class; the first few of each."""
        found: dict[str, list[tuple[int, Membership]]] = {}
        table = memberships()
        for i, word in enumerate(self.words):
            for member in table.get(word.stem, ()):
                places = found.setdefault(member.name, [])
                if len(places) < MOST_PLACES and (not member.cased or word.text[0].isupper()):
                    places.append((i, member))
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [word.start for word in self.words]

    def place_at(self, offset: int) -> int:
        """Return the place of the last word that starts at an offset or before."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def slice(self, first: int, last: int) -> Slice:
        """Return the words from `first` to `last`, both included."""
        return self.between(self.words[first].start, self.words[last].end)

    def between(self, start: int, end: int) -> Slice:
        """Return the text between two offsets."""
        return Slice(self.text[start:end], start, end)

    def stem_at(self, i: int) -> str:
        """Return the stem of a word; empty beyond the ends of the text."""
        return self.words[i].stem if 0 <= i < len(self.words) else ""

    def key_at(self, i: int) -> str:
        """Return the key of a word; empty beyond the ends of the text."""
        return self.words[i].key if 0 <= i < len(self.words) else ""

    def sentence(self, i: int) -> range:
        """Return the places of a word's sentence; of a very long one, those around it."""
        first, end = i, i + 1
        lowest, highest = max(0, i - _LONGEST_SENTENCE), min(len(self.words), i + _LONGEST_SENTENCE)
        while first > lowest and self.words[first].gap < STOP:
            first -= 1
        while end < highest and self.words[end].gap < STOP:
            end += 1
        return range(first, end)


class Slice(NamedTuple):
    """Words of a text, and their half-open interval."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=_MOST_READINGS)
def read(text: str) -> Reading:
    """Return the reading of a text; the latest ones are cached."""
    return Reading(text)


def _words(text: str, tokens: Sequence[Token]) -> Iterator[Word]:
    gaps = [STOP, *(_gap(a, text[a.end : b.start], b) for a, b in pairwise(tokens))]
    i = 0
    while i < len(tokens):
        phrase = _phrase_at(tokens, i)
        width = len(phrase.keys) if phrase else 1
        yield _word(tokens[i], tokens[i + width - 1], gaps[i], phrase, text)
        i += width


def _gap(before: Token, between: str, after: Token) -> int:
    if between in _BLANKS:
        return 0
    if any(stop in between for stop in _STOPS):
        return STOP
    if "." in between and len(before.text) > 1 and before.text not in ABBREVIATIONS:
        return STOP if not after.text[0].islower() else 1
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
    is_content = (
        phrase is not None
        or first.key not in _PLAIN
        or (len(first.text) > 1 and first.text.isupper())
        or (first.text == "A" and not gap)  # "Team A": an article has no capital there
    )
    content = first.kind in ("number", "character") or (first.kind == "word" and is_content)
    return Word(first.key, stem, written, first.start, last.end, first.kind, gap, content)


def _stem(token: Token) -> str:
    if token.kind != "word":
        return token.key
    plain = token.key.removesuffix("'s")
    country = countries().get(plain)
    if country and (not has_capital_sense(plain) or token.text[0].isupper()):
        return country.lower().replace(" ", "_")
    return root(token.key)


# Frames

FrameKind = Literal["denies", "open", "reported"]
"""What a frame means for the words in its scope; `data/frames.txt` explains each kind."""

_FRAME_REACH = 6  # words between the parts of a frame: "prevented the crew from"
_FORMS = frozenset(("-ing", "-ed"))


class Frame(NamedTuple):
    """Words that keep what is in their scope from being stated as a fact.

    Attributes:
        kind: What it means for its scope.
        first: The place of its first word.
        end: The place after its last one.
    """

    kind: FrameKind
    first: int
    end: int


class _Pattern(NamedTuple):
    kind: FrameKind
    first: str
    rest: tuple[str, ...]
    apart: bool  # whether other words may come between the first one and the rest


@cache
def _patterns() -> dict[str, tuple[_Pattern, ...]]:
    """Return the patterns of the table by the stem of their first word."""
    found: dict[str, list[_Pattern]] = {}
    for line in lines("frames"):
        kind, _, entries = line.partition(": ")
        for entry in entries.split(", "):
            first, *rest = entry.split()
            words = tuple(word for word in rest if word != "..")
            pattern = _Pattern(cast(FrameKind, kind), first, words, ".." in rest)
            found.setdefault(root(first), []).append(pattern)
    return {stem: tuple(row) for stem, row in found.items()}


@kept
def frames(reading: Reading) -> tuple[Frame, ...]:
    """Return the frames of a text in order; one word may begin several."""
    found: list[Frame] = []
    for i, word in enumerate(reading.words):
        for pattern in _patterns().get(word.stem, ()):
            # Adverbs and participles are compared exactly: "allegedly", "expected".
            is_exact = pattern.first.endswith(("ly", "ed"))
            if not (is_exact and word.key != pattern.first):
                end = _end_of_frame(reading.words, i, pattern)
                if end is not None:
                    found.append(Frame(pattern.kind, i, end))
    return tuple(found)


def _end_of_frame(words: Sequence[Word], i: int, pattern: _Pattern) -> int | None:
    """Return the place after a frame, or `None`; a verb form at its end is not part of it."""
    for start in range(i + 1, i + 2 + (_FRAME_REACH if pattern.apart else 0)):
        following = words[start : start + len(pattern.rest)]
        if len(following) == len(pattern.rest) and all(
            word.gap < STOP and _has_form(word.key, form)
            for word, form in zip(following, pattern.rest, strict=True)
        ):
            return start + sum(form not in _FORMS for form in pattern.rest)
        if start < len(words) and words[start].gap == STOP:
            return None
    return None


def _has_form(key: str, form: str) -> bool:
    if form == "-ed":
        return key.endswith("ed") or key in irregular_forms()
    return key.endswith("ing") if form == "-ing" else key == form


# Two texts

ContrastKind = Literal[
    "negation", "number", "name", "opposite", "exclusive", "quantity", "modality", "roles"
]
"""What a contrast is about; `contrasts` explains each kind."""

# What equal first and second words before and after add to the likeness of two places, and what
# the coverage adds. Rounded from a logistic regression on half of the development data.
_BEFORE, _AFTER, _COVERAGE_WEIGHT = (0.25, 0.5), (0.4, 0.2), 0.4
# Chosen on development data: with fewer words in the passage's order, equal places are chance.
_LEAST_COPIED, _FEWEST_COPIED = 0.75, 5
_LONGEST_REPLACED = 4  # words that replace others; more are another clause
IN_PLACE = 0.85
"""The share of copied words from which the place alone shows what a word replaces."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference of fact between a statement and a passage.

    Attributes:
        kind: What it is about.
        stated: The words of the statement.
        found: The words that the passage has in their place; empty for a name in whose place it has
            nothing.
        start: Offset in the statement of the first character of `stated`, in code points.
        end: Offset after its last one.
        passage_start: Offset in the passage of the first character of `found`; equal to
            `passage_end` if `found` is empty.
        passage_end: Offset after its last one.
    """

    kind: ContrastKind
    stated: str
    found: str
    start: int
    end: int
    passage_start: int
    passage_end: int


_NOWHERE = Slice("", 0, 0)


def contrast(kind: ContrastKind, stated: Slice, found: Slice = _NOWHERE) -> Contrast:
    """Return the contrast of words of a statement with words of a passage, if any."""
    return Contrast(kind, stated.text, found.text, stated.start, stated.end, found.start, found.end)


class Replaced(NamedTuple):
    """Words of a statement in place of which the passage, of which it is nearly a copy, has others.

    Attributes:
        first: The place of the first word in the statement.
        last: The place of the last one.
        found: The place of the first word in the passage.
        found_last: The place of the last one.
        copied: The share of the statement's words that the passage has in their order, 0 to 1.
    """

    first: int
    last: int
    found: int
    found_last: int
    copied: float


class Pair:
    """A statement beside a passage."""

    def __init__(self, statement: Reading, passage: Reading) -> None:
        self.kept: dict[object, Any] = {}
        self.statement, self.passage = statement, passage
        self.shared = statement.places.keys() & passage.places.keys()

    @cached_property
    def coverage(self) -> float:
        """The share of the statement's content words that the passage has, 0 to 1."""
        stems = self.statement.places
        return len(self.shared) / len(stems) if stems else 0.0

    def likeness(self, i: int, j: int, i_last: int = -1, j_last: int = -1) -> float:
        """Return how similar the words around two stretches of words are, 0 to 2.75."""
        i_last, j_last = max(i, i_last), max(j, j_last)
        alike = self.nearby(i, j) + _COVERAGE_WEIGHT * self.coverage
        for distance, weight in enumerate(_BEFORE, start=1):
            if not self.is_same(i - distance, j - distance):
                break
            alike += weight
        for distance, weight in enumerate(_AFTER, start=1):
            if not self.is_same(i_last + distance, j_last + distance):
                break
            alike += weight
        return alike

    def nearby(self, i: int, j: int) -> float:
        """Return the share of the content words around two words that both have, 0 to 1."""
        one, other = self.statement.around[i], self.passage.around[j]
        fewest = min(len(one), len(other))
        return len(one & other) / fewest if fewest else 0.0

    def is_same(self, i: int, j: int) -> bool:
        """Return whether two words are the same, or both beyond the end of their text."""
        return self.statement.stem_at(i) == self.passage.stem_at(j)

    @cached_property
    def replaced(self) -> tuple[Replaced, ...]:
        """The words replaced, if the passage has most of the statement's words in their order."""
        one, other = ([word.stem for word in side.words] for side in (self.statement, self.passage))
        blocks = [
            (block.src_start, block.src_end, block.dest_start, block.dest_end)
            for block in Indel.opcodes(one, other)
            if block.tag == "equal"
        ]
        copied = sum(end - start for start, end, _, _ in blocks) / max(1, len(one))
        if len(one) < _FEWEST_COPIED or copied < _LEAST_COPIED:
            return ()
        replaced: list[Replaced] = []
        for (_, start, _, found), (stop, _, found_stop, _) in pairwise(blocks):
            lengths = stop - start, found_stop - found
            if min(lengths) > 0 and max(lengths) <= _LONGEST_REPLACED:
                replaced.append(Replaced(start, stop - 1, found, found_stop - 1, copied))
        return tuple(replaced)

"""An index of evidence: its sentences, and which words they have."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from citeguard.facts.numbers import rounds_to
from citeguard.language.cells import APART
from citeguard.language.windows import sentence_windows
from citeguard.verifier.content import read

_MOST_KEPT = 32  # for the answers in progress; 5,000 characters take about 0.5 MB
_MOST_PASSAGES = 256  # a passage is often evidence for many statements
_ROOT = 4  # letters that related words must share
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")  # of a key
GRAM = 4  # letters of the character n-grams


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the evidence; without words between two that belong to no common window.

    Attributes:
        text: The index of its text.
        start: Where it begins in the text, in code points.
        end: Where it ends, exclusive.
        keys: The keys of its content words, in order.
        negators: How many of its words deny something.
    """

    text: int
    start: int
    end: int
    keys: tuple[str, ...]
    negators: int


class EvidenceIndex:
    """The sentences of one or more texts, by the words that they have.

    Attributes:
        texts: The texts.
        sentences: Their sentences, in order.
        places: For each word's key, the indices of the sentences that have it, ascending.
        neighbours: All pairs of keys that are adjacent in a sentence.
    """

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts
        self.sentences = [
            Sentence(number, *parts)
            for number, text in enumerate(texts)
            for parts in _sentences(text)
        ]
        places: defaultdict[str, list[int]] = defaultdict(list)
        for number, sentence in enumerate(self.sentences):
            for key in dict.fromkeys(sentence.keys):
                places[key].append(number)
        self.places = dict(places)
        self.neighbours = {pair for sentence in self.sentences for pair in pairwise(sentence.keys)}

    @cached_property
    def grams(self) -> frozenset[str]:
        """All n-grams of characters, in lower case."""
        return frozenset(gram for text in self.texts for gram in grams_of(text))

    def words(self, first: int, last: int) -> list[str]:
        """Return the keys of the words of sentences `first` to `last`, both included."""
        return [key for sentence in self.sentences[first : last + 1] for key in sentence.keys]

    def passage(self, first: int, last: int) -> str:
        """Return the text from sentence `first` to `last`, without sentences of another text."""
        start, number = self.sentences[first].start, self.sentences[first].text
        ends = [each.end for each in self.sentences[first : last + 1] if each.text == number]
        return self.texts[number][start : ends[-1]]

    def likeness(self, key: str) -> float:
        """Return how similar the most similar key in the evidence is to a key, 0 to 1.

        1 for the key itself. Otherwise the length of the common prefix with a related word ("optim"
        and "optimum") as a share of the longer one; 0 if that is below 0.6.
        """
        if key in self.places:
            return 1.0
        shares = (_shared(key, other) for other in self._by_root.get(key[:_ROOT], ()))
        return max((share for share in shares if share >= 0.6), default=0.0)

    def rounded(self, key: str, *, rough: bool) -> str:
        """Return the key of the number that a number rounds: "48.2" for "48"; else its own.

        Args:
            key: The key of a number; its dimension must be the same.
            rough: Whether the number says that it is approximate.
        """
        value, _, dimension = key.partition(" ")
        if key in self.places or not _NUMBER.fullmatch(value):
            return key
        one = float(value)
        fitting = (
            (abs(one - other), found)
            for other, found in self._numbers.get(dimension, ())
            if rounds_to(one, other, rough=rough)
        )
        return min(fitting, default=(0.0, key))[1]

    @cached_property
    def _numbers(self) -> dict[str, list[tuple[float, str]]]:
        """The numbers of the evidence with their keys, by dimension."""
        found: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        for key in self.places:
            value, _, dimension = key.partition(" ")
            if _NUMBER.fullmatch(value):
                found[dimension].append((float(value), key))
        return dict(found)

    @cached_property
    def _by_root(self) -> dict[str, list[str]]:
        roots: defaultdict[str, list[str]] = defaultdict(list)
        for key in self.places:
            if len(key) > _ROOT and key.isalpha():
                roots[key[:_ROOT]].append(key)
        return dict(roots)


@lru_cache(maxsize=_MOST_KEPT)
def index_of(texts: tuple[str, ...]) -> EvidenceIndex:
    """Return the index of some texts; the latest ones are cached."""
    return EvidenceIndex(texts)


def grams_of(text: str) -> set[str]:
    """Return the n-grams of a text's characters, in lower case."""
    lowered = text.lower()
    return {lowered[start : start + GRAM] for start in range(len(lowered) - GRAM + 1)}


@lru_cache(maxsize=_MOST_PASSAGES)
def _sentences(text: str) -> tuple[tuple[int, int, tuple[str, ...], int], ...]:
    """Return the sentences of a text, as the fields of `Sentence` after `text`."""
    sentences: list[tuple[int, int, tuple[str, ...], int]] = []
    before = 0
    for start, end in sentence_windows(text, size=1, overlap=0):
        if APART in text[before:start]:
            # An empty sentence: no window has two cells of a table.
            sentences.append((start, before, (), 0))
        before = end
        content = read(text[start:end])
        keys = tuple(word.key for word in content.words)
        sentences.append((start, end, keys, content.negators))
    return tuple(sentences)


def _shared(one: str, other: str) -> float:
    """Return the length of the common prefix of two words as a share of the longer one."""
    if len(one) <= _ROOT or not one.isalpha():
        return 0.0
    common = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return common / max(len(one), len(other)) if common > _ROOT else 0.0

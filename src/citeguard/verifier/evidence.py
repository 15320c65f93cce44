"""Evidence, indexed by its words: which of its sentences say what."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from citeguard.language.windows import sentence_windows
from citeguard.verifier.content import read

_MOST_KEPT = 32  # evidence of the answers under way; 5,000 characters of it take about 0.5 MB
_MOST_PASSAGES = 256  # one passage is evidence of many statements
_ROOT = 4  # letters that related words have in common at least
GRAM = 4  # letters of the character n-grams


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the evidence.

    Attributes:
        text: Which of the texts it is in.
        start: Where it begins there, in code points.
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
    """The sentences of one or more texts, and where which word stands.

    Attributes:
        texts: The texts.
        sentences: Their sentences, in order.
        places: For each word's key the numbers of the sentences that have it, ascending.
        neighbours: All pairs of keys that stand side by side in a sentence.
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
        """Return the text from sentence `first` to `last`, as far as it is the first one's text."""
        start, number = self.sentences[first].start, self.sentences[first].text
        ends = [each.end for each in self.sentences[first : last + 1] if each.text == number]
        return self.texts[number][start : ends[-1]]

    def likeness(self, key: str) -> float:
        """Return how like a word's key the likest one in the evidence is, 0 to 1.

        1 for the key itself. Else the share of the letters that it has in common with a related
        word ("optim" and "optimum"), counted from their beginning; 0 below 0.6.
        """
        if key in self.places:
            return 1.0
        shares = (_shared(key, other) for other in self._by_root.get(key[:_ROOT], ()))
        return max((share for share in shares if share >= 0.6), default=0.0)

    @cached_property
    def _by_root(self) -> dict[str, list[str]]:
        roots: defaultdict[str, list[str]] = defaultdict(list)
        for key in self.places:
            if len(key) > _ROOT and key.isalpha():
                roots[key[:_ROOT]].append(key)
        return dict(roots)


@lru_cache(maxsize=_MOST_KEPT)
def index_of(texts: tuple[str, ...]) -> EvidenceIndex:
    """Return the index of some texts; that of texts met lately is kept."""
    return EvidenceIndex(texts)


def grams_of(text: str) -> set[str]:
    """Return the n-grams of a text's characters, in lower case."""
    lowered = text.lower()
    return {lowered[start : start + GRAM] for start in range(len(lowered) - GRAM + 1)}


@lru_cache(maxsize=_MOST_PASSAGES)
def _sentences(text: str) -> tuple[tuple[int, int, tuple[str, ...], int], ...]:
    """Return a text's sentences, as `Sentence` has them, without its number."""
    windows = sentence_windows(text, size=1, overlap=0)
    return tuple((start, end, *_said(text[start:end])) for start, end in windows)


def _said(sentence: str) -> tuple[tuple[str, ...], int]:
    content = read(sentence)
    return tuple(word.key for word in content.words), content.negators


def _shared(one: str, other: str) -> float:
    """Return the share of letters in common, from the beginning of both, of the longer word."""
    if len(one) <= _ROOT or not one.isalpha():
        return 0.0
    common = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return common / max(len(one), len(other)) if common > _ROOT else 0.0

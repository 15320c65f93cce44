"""What the reader reads for a statement or a question: the sentences of texts that decide it.

A cross-encoder of this size reads some 110 words well and 400 badly, so a text is not read whole.
The sentences that decide may stand apart ("Ada was born in 1815. … She died in 1852."), so that one
window takes from anywhere those that together have the rarest words; and a sentence may need its
neighbours ("It was closed in 1999."), so that others are runs of sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from citeguard.language.sentences import sentence_pieces
from citeguard.language.terms import terms

LONGEST = 110
"""Words of a window; a single sentence may be longer."""

_MOST_STITCHED = 6  # sentences of the window that is put together
_OWN = (
    0.15  # weight of words that a chosen sentence has already: it may say them of the right thing
)
_NEIGHBOUR = 0.3  # weight of standing beside a chosen sentence
_TEXTS_KEPT = 512  # many statements are about one text; cutting it takes milliseconds


class Sentence(NamedTuple):
    """A sentence of one of the texts.

    Attributes:
        text: Which text it is of.
        start: Where it begins there, in code points.
        end: Where it ends, exclusive.
        words: How many words it has.
        keys: Its content words and numbers, as `terms` folds them.
    """

    text: int
    start: int
    end: int
    words: int
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are read together.

    Attributes:
        text: What is read.
        sentences: Its sentences, in the order of the texts.
        relevance: The share of the statement's words that it has, weighted by rarity, 0 to 1.
    """

    text: str
    sentences: tuple[Sentence, ...]
    relevance: float


def windows(statement: str, texts: Sequence[str], *, runs: int = 2) -> list[Window]:
    """Return what to read of some texts for a statement.

    First the sentences that together have its rarest words, then runs of up to three sentences
    around those that have most of them, last the best sentence by itself; the first and the last
    are the same where one sentence is all there is. None for blank texts.

    Args:
        statement: A statement or a question.
        texts: The texts.
        runs: The most runs.

    Examples:
        >>> text = "Ada was born in 1815. She liked numbers. Many did. Ada Lovelace died in 1852."
        >>> [each.text for each in windows("When did Ada Lovelace die?", [text], runs=0)][-1]
        'Ada Lovelace died in 1852.'
    """
    sentences = [
        Sentence(number, start, end, words, keys)
        for number, text in enumerate(texts)
        for start, end, words, keys in _cut(text)
    ]
    if not sentences:
        return []
    weights = _weights(statement, sentences)
    scores = [math.fsum(weights[key] for key in weights.keys() & each.keys) for each in sentences]
    order = sorted(range(len(sentences)), key=lambda place: -scores[place])
    stitched, best = _stitched(sentences, weights), (order[0],)
    around = dict.fromkeys(_run(sentences, place) for place in order[:runs])
    chosen = [stitched, *(run for run in around if run not in (stitched, best)), best]
    total = math.fsum(weights.values())

    def window(places: tuple[int, ...]) -> Window:
        own = tuple(sentences[place] for place in places)
        shared = math.fsum(weights[key] for key in weights.keys() & _union(own))
        return Window(_joined(texts, own), own, shared / total if total else 0.0)

    return [window(places) for places in chosen]


@lru_cache(maxsize=_TEXTS_KEPT)
def _cut(text: str) -> tuple[tuple[int, int, int, frozenset[str]], ...]:
    """Return the sentences of a text, each with how many words it has, and its terms."""
    return tuple(
        (start, end, len(text[start:end].split()), frozenset(t.key for t in terms(text[start:end])))
        for start, end in sentence_pieces(text)
    )


def _weights(statement: str, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return the terms of a statement, each with its rarity among the sentences."""
    counts = Counter(key for each in sentences for key in each.keys)
    keys = dict.fromkeys(term.key for term in terms(statement))
    return {key: math.log(1 + len(sentences) / (1 + counts[key])) for key in keys}


def _stitched(sentences: Sequence[Sentence], weights: dict[str, float]) -> tuple[int, ...]:
    """Return the places of sentences that together have the rarest terms, near each other."""
    if sum(each.words for each in sentences) <= LONGEST:
        return tuple(range(len(sentences)))
    chosen: set[int] = set()
    covered: set[str] = set()
    length = 0

    def gain(place: int) -> float:
        shared = weights.keys() & sentences[place].keys
        new = math.fsum(weights[key] for key in shared - covered)
        beside = any(
            near in chosen and sentences[near].text == sentences[place].text
            for near in (place - 1, place + 1)
        )
        return new + _OWN * math.fsum(weights[key] for key in shared) + _NEIGHBOUR * beside

    while len(chosen) < min(_MOST_STITCHED, len(sentences)):
        best = max((place for place in range(len(sentences)) if place not in chosen), key=gain)
        if chosen and length + sentences[best].words > LONGEST:
            break
        chosen.add(best)
        covered |= sentences[best].keys
        length += sentences[best].words
    return tuple(sorted(chosen))


def _run(sentences: Sequence[Sentence], place: int) -> tuple[int, ...]:
    """Return the place of a sentence with those beside it in its text, as far as they fit."""
    run, length = [place], sentences[place].words
    for near in (place - 1, place + 1):
        if 0 <= near < len(sentences) and sentences[near].text == sentences[place].text:
            length += sentences[near].words
            if length > LONGEST:
                break
            run.append(near)
    return tuple(sorted(run))


def _union(sentences: Iterable[Sentence]) -> frozenset[str]:
    return frozenset(key for each in sentences for key in each.keys)


def _joined(texts: Sequence[str], sentences: Sequence[Sentence]) -> str:
    return " ".join(" ".join(texts[each.text][each.start : each.end].split()) for each in sentences)

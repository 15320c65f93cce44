"""How well passages match the terms of a query: `bm25`, the same formula for every store."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from citeguard.language.terms import terms

K1, B = 1.5, 0.75  # the defaults of `BM25Retriever`


class WordCounts(NamedTuple):
    """What is counted over all passages of a store.

    Attributes:
        passages: The number of passages.
        terms: The number of terms in all of them, repetitions included.
        holding: The number of passages that have each term of a query.
    """

    passages: int
    terms: int
    holding: Mapping[str, int]


def query_keys(query: str) -> list[str]:
    """Return the distinct terms of a query, in order.

    Examples:
        >>> query_keys("Which month? The month of notice.")
        ['month', 'notic']
    """
    return list(dict.fromkeys(term.key for term in terms(query)))


def weights_of(keys: Iterable[str], counts: WordCounts) -> dict[str, float]:
    """Return the weight of each term that a passage has; the rarer, the higher.

    Args:
        keys: The terms of a query.
        counts: The counts of the store.
    """
    return {
        key: math.log(1 + (counts.passages - holding + 0.5) / (holding + 0.5))
        for key in keys
        if (holding := counts.holding.get(key, 0)) > 0
    }


def bm25(keys: Sequence[str], weights: Mapping[str, float], counts: WordCounts) -> float:
    """Return the score of a passage: 0 if it shares no term with the query.

    Lucene's variant of BM25 with the parameters of `BM25Retriever`, whose scores these are.

    Args:
        keys: The terms of the passage, repetitions included.
        weights: The weights of the terms of the query, by `weights_of`.
        counts: The counts of the store.

    Examples:
        >>> counts = WordCounts(passages=2, terms=5, holding={"lunch": 1})
        >>> weights = weights_of(["lunch"], counts)
        >>> bm25(["lunch", "free"], weights, counts) > bm25(["notic", "month"], weights, counts)
        True
    """
    length = K1 * (1 - B + B * len(keys) * counts.passages / max(counts.terms, 1))
    score = 0.0
    for key, weight in weights.items():
        if count := keys.count(key):
            score += weight * count / (count + length)
    return score

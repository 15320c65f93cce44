"""Retrievers of passages: by words (`BM25Retriever`), and by vectors (`DenseRetriever`)."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError, check_number
from citeguard.retrieval.bm25 import BM25Index
from citeguard.retrieval.cutting import UsualPassages
from citeguard.retrieval.embedding.embedder import Embedder
from citeguard.retrieval.embedding.vectors import EmbeddingFailedError, vectors_of
from citeguard.retrieval.passages import Kept, Passage, Passages, Unit, Windows, check_windows
from citeguard.sources.collection import Source, Sources, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


class BM25Retriever:
    """Ranks passages by the words that they share with a query: BM25, by the library `bm25s`.

    Words are compared without their inflection (English), and function words are left out; scripts
    without spaces are compared by pairs of characters. How rare a word is, is counted over all
    passages of the sources. A passage that shares no word is not found. The index of a `Sources` is
    built by the first search, and kept as long as the `Sources` lives.

    Reference: Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
    2009; the variant and the defaults are those of Lucene as `bm25s` has them.

    Args:
        size: The most sentences or tokens of a passage; see `Windows`, as of the next two.
        overlap: How many of them the next passage repeats.
        unit: What is counted: `sentences` or `tokens`.
        passages: How sources are cut into passages, in place of these three. If none of the four is
            given, it is `SectionPassages()` for sources whose layout has headings, and `Windows()`
            for others.
        k1: How much a word counts that stands in a passage several times, 0 to 100.
        b: How much a long passage is discounted, 0 to 1.

    Raises:
        CiteguardError: numbers that make no sense.

    Examples:
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> retriever = BM25Retriever(size=1, overlap=0)
        >>> [passage.text for passage in sources.search("free lunch", retriever=retriever)]
        ['Lunch is free.']
    """

    def __init__(
        self,
        *,
        size: int | None = None,
        overlap: int | None = None,
        unit: Unit | None = None,
        passages: Passages | None = None,
        k1: float = 1.5,
        b: float = 0.75,
    ) -> None:
        self._passages = _chosen("BM25Retriever", passages, size=size, overlap=overlap, unit=unit)
        check_number("BM25Retriever(k1=...)", k1, 0, 100)
        check_number("BM25Retriever(b=...)", b, 0, 1)
        self._weighting = (k1, b)

    def __repr__(self) -> str:
        """Write it as it is made."""
        k1, b = self._weighting
        return f"BM25Retriever({', '.join([*_settings(self._passages), f'{k1=}', f'{b=}'])})"

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[list[Passage]]:
        """Return a ranking for each query."""
        key = (self._passages, self._weighting)
        index = _INDEXES.get(sources, key, partial(BM25Index, sources, *key))
        spans = self._passages.spans(sources)
        searched = _searched(spans, source_ids)
        return [
            _best(scores, (scores > 0) & searched, spans, sources, k)
            for scores in map(index.scores, queries)
        ]


_INDEXES: Kept[BM25Index] = Kept()


class DenseRetriever:
    """Ranks passages by the cosine of their vectors with that of a query.

    Every passage is compared (brute force), which finds the nearest without fail. The vectors of a
    source are computed by the first search, and kept as long as the source and the retriever live.

    Args:
        model: The name or folder of a `SentenceTransformer`, one that is loaded, or an `Embedder`.
        size: The most sentences or tokens of a passage; see `Windows`, as of the next two.
        overlap: How many of them the next passage repeats.
        unit: What is counted: `sentences` or `tokens`.
        passages: How sources are cut into passages, in place of these three. If none of the four is
            given, it is `SectionPassages()` for sources whose layout has headings, and `Windows()`
            for others.

    Raises:
        CiteguardError: what is no model, numbers that make no sense; and at the first search, if
            the model cannot be loaded.

    Examples:
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> def embedder(texts):  # yours may be the name of a model
        ...     return [[text.count("month") + 0.1, text.count("unch") + 0.1] for text in texts]
        >>> retriever = DenseRetriever(embedder, size=1, overlap=0)
        >>> [passage.text for passage in sources.search("lunch", k=1, retriever=retriever)]
        ['Lunch is free.']
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | SentenceTransformer | Embedder,
        *,
        size: int | None = None,
        overlap: int | None = None,
        unit: Unit | None = None,
        passages: Passages | None = None,
    ) -> None:
        self._passages = _chosen("DenseRetriever", passages, size=size, overlap=overlap, unit=unit)
        self._vectors = vectors_of(model)
        self._kept: Kept[NDArray[np.float32]] = Kept()

    def __repr__(self) -> str:
        """Write it as it is made."""
        return f"DenseRetriever({', '.join([str(self._vectors), *_settings(self._passages)])})"

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[list[Passage]]:
        """Return a ranking for each query.

        Raises:
            EmbeddingFailedError: the model gave NaN, only zeros, or an array of another shape.
        """
        import numpy as np

        searched = [source for source in sources if source_ids is None or source.id in source_ids]
        spans = self._passages.spans(searched)
        if not spans:
            return [[] for _ in queries]
        wanted = self._checked(queries)
        scores = np.concatenate([self._of(source) @ wanted.T for source in searched])
        among = np.ones(len(spans), bool)
        return [_best(column, among, spans, sources, k) for column in scores.T]

    def _of(self, source: Source) -> NDArray[np.float32]:
        """Return the vectors of a source's passages, shape (passages, d)."""
        return self._kept.get(source.prepared, None, partial(self._embed, source))

    def _embed(self, source: Source) -> NDArray[np.float32]:
        return self._checked(
            [source.text[span.start : span.end] for span in self._passages.of(source)]
        )

    def _checked(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        vectors = self._vectors(texts)
        if not np.isfinite(vectors).all():
            raise EmbeddingFailedError(
                f"the embedder {self._vectors.name} gave no vector for one of {len(texts)} texts"
            )
        return vectors


def _chosen(owner: str, passages: Any, **windows: Any) -> Passages:
    """Return how sources are to be cut, by `passages` or by settings of `Windows`.

    Raises:
        CiteguardError: both are given, or what cannot be used; it names the class.
    """
    given = {name: value for name, value in windows.items() if value is not None}
    if passages is None and given:
        usual = Windows()
        check_windows(owner, given.get("size", usual.size), given.get("overlap", usual.overlap))
        return replace(usual, **given)
    if passages is None:
        return UsualPassages()
    if given:
        raise CiteguardError(f"{owner}() takes {' and '.join(given)} or passages, not both")
    if not isinstance(passages, Passages):
        raise CiteguardError(
            f"{owner}(passages=...) must be passages, such as SectionPassages(), not {passages!r}"
        )
    return passages


def _settings(passages: Passages) -> list[str]:
    if isinstance(passages, UsualPassages):
        return []
    if isinstance(passages, Windows):
        return [f"size={passages.size}", f"overlap={passages.overlap}", f"unit={passages.unit!r}"]
    return [f"{passages=}"]


def _best(
    scores: NDArray[np.float32],
    among: NDArray[np.bool_],
    spans: Sequence[Span],
    sources: Sources,
    k: int,
) -> list[Passage]:
    """Return the k passages with the highest scores; of equal ones those that come first."""
    import numpy as np

    places: NDArray[np.intp] = np.flatnonzero(among)
    ranked: list[int] = places[np.argsort(-scores[places], kind="stable")[:k]].tolist()
    return [
        Passage(spans[place], sources.slice(spans[place]), float(scores[place])) for place in ranked
    ]


def _searched(spans: Sequence[Span], source_ids: Collection[str] | None) -> NDArray[np.bool_]:
    import numpy as np

    if source_ids is None:
        return np.ones(len(spans), bool)
    return np.array([span.source_id in source_ids for span in spans], bool)

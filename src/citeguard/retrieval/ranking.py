"""Retrievers that rank passages by words (`BM25Retriever`) or by vectors (`DenseRetriever`)."""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError
from citeguard.language.tokens import terms
from citeguard.retrieval.embeddings import Embedder, EmbeddingFailedError, vectors_of
from citeguard.retrieval.passages import DefaultPassages, Kept, Passages
from citeguard.sources.collection import Passage, Source, Sources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


K1, B = 1.5, 0.75  # the defaults of bm25s; stores of libraries rank with them, too


class _PassageRetriever(ABC):
    """Cuts sources into passages, scores them, and returns those with the highest scores."""

    def __init__(self, passages: Passages | None) -> None:
        if not isinstance(passages, (Passages, type(None))):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(
                f"{type(self).__name__}(passages=...): expected Passages, such as "
                f"SectionPassages(), got {passages!r}"
            )
        self._given = [] if passages is None else [f"{passages=}"]
        self._passages = DefaultPassages() if passages is None else passages

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[list[Passage]]:
        """Return a ranking for each query: at most `k` passages, best first, ties in order."""
        import numpy as np

        searched = [source for source in sources if source_ids is None or source.id in source_ids]
        spans = self._passages.spans(searched)
        if not spans:
            return [[] for _ in queries]
        rankings: list[list[Passage]] = []
        for scores in self._scores(queries, sources, searched):
            found = np.flatnonzero(np.isfinite(scores))
            best: list[int] = found[np.argsort(-scores[found], kind="stable")[:k]].tolist()
            rankings.append(
                [Passage(spans[at], sources.slice(spans[at]), float(scores[at])) for at in best]
            )
        return rankings

    @abstractmethod
    def _scores(
        self, queries: Sequence[str], sources: Sources, searched: Sequence[Source]
    ) -> Iterable[NDArray[np.float32]]:
        """Return for each query the scores of the passages searched; -inf for no match at all."""


class _BM25Index:
    """The weighted terms of all passages. Immutable; holds no source, which it would keep alive."""

    def __init__(self, sources: Sources, cut: Passages) -> None:
        passages: list[list[str]] = []
        self._of_source: dict[str, slice] = {}
        for source in sources:
            keys = keys_of(source, cut)
            self._of_source[source.id] = slice(len(passages), len(passages) + len(keys))
            passages += keys
        self._vocabulary: dict[str, int] = {}
        for keys in passages:
            for key in keys:
                self._vocabulary.setdefault(key, len(self._vocabulary))
        self._count = len(passages)
        if self._vocabulary:
            self._index: Any = _library().BM25(k1=K1, b=B)
            numbers = [[self._vocabulary[key] for key in keys] for keys in passages]
            self._index.index(
                (numbers, self._vocabulary), create_empty_token=False, show_progress=False
            )

    def scores(self, query: str, searched: Sequence[Source]) -> NDArray[np.float32]:
        """Return the score of every passage of these sources; -inf for one with no term."""
        import numpy as np

        keys = dict.fromkeys(term.key for term in terms(query))
        known = [self._vocabulary[key] for key in keys if key in self._vocabulary]
        scores: NDArray[np.float32] = (
            self._index.get_scores_from_ids(known) if known else np.zeros(self._count, np.float32)
        )
        found = np.where(scores > 0, scores, -np.inf)
        return np.concatenate([found[self._of_source[source.id]] for source in searched])


@cache
def _library() -> Any:
    with warnings.catch_warnings():
        # It imports tqdm's progress bar for notebooks, which warns without ipywidgets. No bar is
        # ever shown here.
        warnings.filterwarnings("ignore", message="IProgress not found")
        return import_module("bm25s")


def keys_of(source: Source, cut: Passages) -> list[list[str]]:
    """Return the terms of each passage of a source, with those that its tables and records say."""
    all_terms = terms(source.text)
    starts = [term.start for term in all_terms]
    cells = [cell for table in source.readings for cell in table.cells]
    first_cells = [cell.start for cell in cells]
    keys: list[list[str]] = []
    for at in cut.of(source):
        found = [
            term.key
            for term in all_terms[bisect_left(starts, at.start) : bisect_left(starts, at.end)]
        ]
        inside = cells[bisect_left(first_cells, at.start) : bisect_left(first_cells, at.end)]
        said = (term.key for cell in inside for term in terms(cell.sentence))
        own = set(found)
        # Once each: the sentence of every cell repeats the names of its row and column.
        keys.append(found + [key for key in dict.fromkeys(said) if key not in own])
    return keys


_INDEXES: Kept[_BM25Index] = Kept()


class BM25Retriever(_PassageRetriever):
    """Ranks passages by the words that they share with a query: BM25, with the library `bm25s`.

    Words are compared without their inflection (English), and function words are ignored; scripts
    without spaces are compared by pairs of characters. How rare a word is, is counted over all
    passages of the sources. A passage that shares no word is not returned. The index of a `Sources`
    is built by the first search and kept as long as the `Sources` lives.

    Reference: Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
    2009; the variant is that of Lucene as `bm25s` has it, with k1 = 1.5 and b = 0.75.

    Args:
        passages: How sources are cut into passages. By default sources whose layout has headings
            are cut by `SectionPassages()`, others by `Windows()`.

    Raises:
        CiteguardError: `passages` are not `Passages`.

    Examples:
        >>> from citeguard.retrieval import Windows
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> retriever = BM25Retriever(passages=Windows(size=1, overlap=0))
        >>> [passage.text for passage in sources.search("free lunch", retriever=retriever)]
        ['Lunch is free.']
    """

    def __init__(self, *, passages: Passages | None = None) -> None:
        super().__init__(passages)

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"BM25Retriever({''.join(self._given)})"

    def _scores(
        self, queries: Sequence[str], sources: Sources, searched: Sequence[Source]
    ) -> Iterable[NDArray[np.float32]]:
        cut = self._passages
        index = _INDEXES.get(sources, cut, partial(_BM25Index, sources, cut))
        return (index.scores(query, searched) for query in queries)


class DenseRetriever(_PassageRetriever):
    """Ranks passages by the cosine similarity of their vectors to that of a query.

    Every passage is compared. The vectors of a source are computed by the first search, and kept as
    long as it and the retriever live.

    Args:
        model: The name or folder of a `SentenceTransformer`, a loaded one, or an `Embedder`.
        passages: How sources are cut into passages. By default sources whose layout has headings
            are cut by `SectionPassages()`, others by `Windows()`.

    Raises:
        CiteguardError: not a model, or not `Passages`; and at the first search, if the model
            cannot be loaded.

    Examples:
        >>> from citeguard.retrieval import Windows
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> def embedder(texts):  # yours may be the name of a model
        ...     return [[text.count("month") + 0.1, text.count("unch") + 0.1] for text in texts]
        >>> retriever = DenseRetriever(embedder, passages=Windows(size=1, overlap=0))
        >>> [passage.text for passage in sources.search("lunch", k=1, retriever=retriever)]
        ['Lunch is free.']
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | SentenceTransformer | Embedder,
        *,
        passages: Passages | None = None,
    ) -> None:
        super().__init__(passages)
        self._vectors = vectors_of(model)
        self._kept: Kept[NDArray[np.float32]] = Kept()

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"DenseRetriever({', '.join([str(self._vectors), *self._given])})"

    def _scores(
        self, queries: Sequence[str], sources: Sources, searched: Sequence[Source]
    ) -> Iterable[NDArray[np.float32]]:
        import numpy as np

        def of(source: Source) -> NDArray[np.float32]:
            texts = (source.text[span.start : span.end] for span in self._passages.of(source))
            return self._kept.get(source.prepared, None, lambda: self._checked([*texts]))

        query_vectors = self._checked(queries)
        return np.concatenate([of(source) @ query_vectors.T for source in searched]).T

    def _checked(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        vectors = self._vectors(texts)
        if not np.isfinite(vectors).all():
            raise EmbeddingFailedError(
                f"the embedder {self._vectors.name} gave no vector for one of {len(texts)} texts"
            )
        return vectors

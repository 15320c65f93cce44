"""BM25 over the passages of sources."""

from __future__ import annotations

import warnings
from bisect import bisect_left
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from citeguard.language.terms import terms
from citeguard.retrieval.passages import Passages
from citeguard.sources.collection import Source, Sources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class BM25Index:
    """The words of all passages, weighted. Immutable; holds no source, lest it keep it alive."""

    def __init__(self, sources: Sources, cut: Passages, weighting: tuple[float, float]) -> None:
        passages = [keys for source in sources for keys in _keys_of(source, cut)]
        self._count = len(passages)
        self._vocabulary: dict[str, int] = {}
        for keys in passages:
            for key in keys:
                self._vocabulary.setdefault(key, len(self._vocabulary))
        self._index: Any = self._built(passages, weighting) if self._vocabulary else None

    def _built(self, passages: list[list[str]], weighting: tuple[float, float]) -> Any:
        index: Any = _library().BM25(k1=weighting[0], b=weighting[1])
        numbers = [[self._vocabulary[key] for key in keys] for keys in passages]
        index.index((numbers, self._vocabulary), create_empty_token=False, show_progress=False)
        return index

    def scores(self, query: str) -> NDArray[np.float32]:
        """Return the score of every passage, in the order of the sources."""
        import numpy as np

        keys = dict.fromkeys(term.key for term in terms(query))
        known = [self._vocabulary[key] for key in keys if key in self._vocabulary]
        if not known:
            return np.zeros(self._count, np.float32)
        return self._index.get_scores_from_ids(known)


@cache
def _library() -> Any:
    """Return the library, which is loaded when it is needed."""
    with warnings.catch_warnings():
        # It imports tqdm's bar for notebooks, of which none is shown here: the advice in notebooks
        # without ipywidgets to install them leads nowhere.
        warnings.filterwarnings("ignore", message="IProgress not found")
        return import_module("bm25s")


def _keys_of(source: Source, cut: Passages) -> list[list[str]]:
    """Return the terms of each passage of a source, which is read once."""
    found = terms(source.text)
    starts = [term.start for term in found]
    return [
        [term.key for term in found[bisect_left(starts, at.start) : bisect_left(starts, at.end)]]
        for at in cut.of(source)
    ]

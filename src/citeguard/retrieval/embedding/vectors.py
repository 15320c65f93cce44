"""The vectors of texts: checked, of one length, and kept."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from inspect import iscoroutinefunction
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from citeguard.errors import CiteguardError
from citeguard.retrieval.embedding.arrays import as_floats
from citeguard.retrieval.embedding.embedder import (
    Embedder,
    SentenceEmbedder,
    is_sentence_transformer,
)
from citeguard.retrieval.embedding.loading import is_of_package, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

_MOST_KEPT = 10_000  # vectors; at MiniLM's 384 numbers these are 15 MB


class EmbeddingFailedError(Exception):
    """Raised when vectors are needed and the embedder gave none: another shape, NaN, only zeros."""


class Vectors:
    """The vectors of an embedder, of length 1, each computed once as long as it is kept.

    Those used last are kept (10,000), by a digest of their texts. Safe to share between threads.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._kept: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._width: int | None = None
        self._keeping, self._embedding = Lock(), Lock()

    def __repr__(self) -> str:
        """Write the model as in the call that was given it."""
        return (
            self.embedder.shown
            if isinstance(self.embedder, SentenceEmbedder)
            else shown(self.embedder)
        )

    @property
    def name(self) -> str:
        """What the embedder is called."""
        named = getattr(self.embedder, "name", None) or getattr(self.embedder, "__name__", None)
        return str(named or type(self.embedder).__name__)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts, shape (n, d); a row of NaN where the embedder gave none.

        Raises:
            EmbeddingFailedError: it returned no array, or one of another shape.
        """
        import numpy as np

        keys = {text: _digest(text) for text in texts}
        found = self._look_up(keys)
        if len(found) < len(keys):
            with self._embedding:  # another thread may just have computed some of them
                found = self._look_up(keys)
                found |= self._embed([text for text in keys if text not in found], keys)
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, 0), np.float32)

    def cut_off(self, texts: Sequence[str]) -> list[bool]:
        """Tell which texts are known not to be read to their end."""
        if isinstance(self.embedder, SentenceEmbedder):
            return self.embedder.cut_off(texts)
        return [False] * len(texts)

    def _look_up(self, keys: Mapping[str, bytes]) -> dict[str, NDArray[np.float32]]:
        with self._keeping:
            found = {text: self._kept[key] for text, key in keys.items() if key in self._kept}
            for text in found:
                self._kept.move_to_end(keys[text])
        return found

    def _embed(
        self, texts: Sequence[str], keys: Mapping[str, bytes]
    ) -> dict[str, NDArray[np.float32]]:
        import numpy as np

        longest_first = sorted(texts, key=len, reverse=True)
        if not longest_first:
            return {}
        rows = self._checked(self.embedder(longest_first), len(longest_first))
        found = dict(zip(longest_first, rows, strict=True))
        with self._keeping:
            # A copy: a row of the whole array would keep all of it alive. And no NaN: a model that
            # gave none for a text may give one when it is asked again.
            self._kept |= {
                keys[text]: row.copy() for text, row in found.items() if not np.isnan(row).any()
            }
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def _checked(self, given: Any, count: int) -> NDArray[np.float32]:
        """Return an embedder's array with rows of length 1, or of NaN.

        Raises:
            EmbeddingFailedError: it is no array of that many rows, as wide as those before.
        """
        rows = _as_rows(given)
        expected = (count, self._width or (rows.shape[1] if rows.ndim == 2 else "any"))
        if rows.shape != expected or rows.shape[1] == 0:
            raise EmbeddingFailedError(
                f"the embedder {self.name} returned an array of shape {rows.shape} for {count} "
                f"texts, not {expected}"
            )
        self._width = rows.shape[1]
        return _normalized(rows)


_SHARED: WeakValueDictionary[str | int, Vectors] = WeakValueDictionary()
_SHARING = Lock()


def vectors_of(model: str | os.PathLike[str] | SentenceTransformer | Embedder) -> Vectors:
    """Return the vectors of a model, the same object for all that use it at a time.

    Raises:
        CiteguardError: what is neither a model nor a plain function.
    """
    key = os.fspath(model) if isinstance(model, (str, os.PathLike)) else id(model)
    with _SHARING:
        shared = _SHARED.get(key)
        if shared is None:
            shared = _SHARED[key] = Vectors(_as_embedder(model))
    return shared


def _as_embedder(model: Any) -> Embedder:
    if isinstance(model, (str, os.PathLike)) or is_sentence_transformer(model):
        return SentenceEmbedder(model)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(model, type) or not callable(model) or is_of_package(model):
        raise CiteguardError(
            "an embedding model is the name or folder of a SentenceTransformer, one that is "
            f"loaded, or a function of texts that returns an array, not {model!r}"
        )
    if iscoroutinefunction(model) or iscoroutinefunction(type(model).__call__):
        raise CiteguardError(
            f"an embedder must be a plain function, and {model!r} is a coroutine's"
        )
    return model


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _as_rows(given: Any) -> NDArray[np.float64]:
    try:
        return as_floats(given)
    # What others give may fail in any way when it is read; here it can only mean: no array.
    except Exception as error:
        raise EmbeddingFailedError(f"the embedder returned no array of numbers: {error}") from error


def _normalized(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return rows of length 1; of NaN where one has NaN, infinity, or only zeros."""
    import numpy as np

    # By the greatest number first, as the square of a large one would be infinite.
    greatest = np.abs(rows).max(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        scaled = rows / greatest
        unit = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return unit.astype(np.float32)

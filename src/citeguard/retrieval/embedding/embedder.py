"""Texts as vectors: what an embedder is (`Embedder`), and a `SentenceTransformer` as one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from citeguard.errors import CiteguardError, check_whole
from citeguard.retrieval.embedding.loading import is_instance, load, short_name, shown, version_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

_CLASSIFIER = "ForSequenceClassification"
_SPECIAL = 8  # tokens that a model adds to a text, at most; a token has a byte or more


@runtime_checkable
class Embedder(Protocol):
    """Whoever turns texts into vectors: a function will do.

    It is called by one thread at a time, with texts that all differ, the longest first. Vectors
    need no particular length, and are compared by the cosine of their angle. What it is called in
    verdicts is said by an attribute `name`; and an attribute `version`, which names all that the
    vectors depend on, lets verdicts be kept on disk.
    """

    def __call__(self, texts: Sequence[str], /) -> Any:
        """Return the vectors as an array of shape (n, d), in order; NaN where it cannot tell."""
        ...


class SentenceEmbedder:
    """A `SentenceTransformer` as an `Embedder`.

    It is loaded at the first call, and downloaded then if it is a name that has not been; nothing
    else uses the network. What stands beyond the length that the model reads is cut off.

    Args:
        model: A name on the hub, a folder, or a `SentenceTransformer`.
        batch_size: How many texts are put through the model at once.

    Raises:
        CiteguardError: what is no model; and at the first call, if the package is missing or the
            model cannot be loaded.

    Examples:
        >>> SentenceEmbedder("sentence-transformers/all-MiniLM-L6-v2").name
        'sentence-transformers/all-MiniLM-L6-v2'
    """

    def __init__(
        self, model: str | os.PathLike[str] | SentenceTransformer, *, batch_size: int = 32
    ) -> None:
        if not isinstance(model, (str, os.PathLike)) and not is_sentence_transformer(model):
            raise CiteguardError(
                "SentenceEmbedder(model) takes the name or folder of a SentenceTransformer, or one "
                f"that is loaded, not {model!r}"
            )
        check_whole("SentenceEmbedder(batch_size=...)", batch_size, 1)
        self._model: Any = os.fspath(model) if isinstance(model, (str, os.PathLike)) else model
        self._batch_size = batch_size
        self._loaded: Any = None if isinstance(self._model, str) else self._model
        # A tokenizer is changed while it is used, and a model must not be loaded twice.
        self._lock = Lock()

    def __repr__(self) -> str:
        """Name the model."""
        return f"SentenceEmbedder({self.shown})"

    @property
    def shown(self) -> str:
        """The model as it was given, for a representation."""
        return shown(self._model)

    @property
    def name(self) -> str:
        """The name, or a folder's; of a `SentenceTransformer` that of what it was loaded from."""
        if isinstance(self._model, str):
            return short_name(self._model)
        base: Any = getattr(self._model, "model_card_data", None)
        return short_name(str(getattr(base, "base_model", None) or "SentenceTransformer"))

    @property
    def version(self) -> str | None:
        """The name, and for a folder when it was written; `None` for a `SentenceTransformer`."""
        return version_of(self._model) if isinstance(self._model, str) else None

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return the vectors, shape (n, d)."""
        with self._lock:
            return self._encoder().encode(
                [_readable(text) for text in texts],
                batch_size=self._batch_size,
                convert_to_numpy=True,
                show_progress_bar=False,
            )

    def cut_off(self, texts: Sequence[str]) -> list[bool]:
        """Tell which texts the model would not read to their end."""
        with self._lock:
            encoder = self._encoder()
            most: Any = getattr(encoder, "max_seq_length", None)
            if not isinstance(most, int):
                return [False] * len(texts)
            return [_is_longer(text, most, encoder.tokenizer) for text in texts]

    def _encoder(self) -> Any:
        self._loaded = self._loaded or _load(self._model)
        return self._loaded


def is_sentence_transformer(model: object) -> bool:
    """Tell whether an object is a `SentenceTransformer`; loads nothing."""
    return is_instance(model, "SentenceTransformer")


def _load(name: str) -> Any:
    encoder: Any = load(
        "SentenceTransformer", name, kind="embedding model", folder="a SentenceTransformer"
    )
    if any(each.endswith(_CLASSIFIER) for each in _architectures(encoder)):
        raise CiteguardError(
            f"{name} is a classifier, and its vectors mean nothing; name a model of sentence "
            "embeddings, such as sentence-transformers/all-MiniLM-L6-v2"
        )
    return encoder


def _architectures(encoder: Any) -> list[str]:
    config: Any = getattr(getattr(encoder[0], "auto_model", None), "config", None)
    return [str(each) for each in getattr(config, "architectures", None) or ()]


def _readable(text: str) -> str:
    """Return a text without lone surrogates, at which tokenizers fail."""
    return text.encode("utf-8", "replace").decode()


def _is_longer(text: str, most: int, tokenizer: Any) -> bool:
    if len(text.encode("utf-8", "replace")) + _SPECIAL <= most or not callable(tokenizer):
        return False
    read: Any = tokenizer([_readable(text)], truncation=False, padding=False, verbose=False)
    return len(read["input_ids"][0]) > most

"""Vectors of texts: `Embedder`, `SentenceEmbedder`, and `Vectors`, which checks and caches them.

Models of sentence-transformers, also those that rerank, are recognised, named and loaded here.
"""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from weakref import WeakValueDictionary

from citeguard.errors import CiteguardError, foreign_code, optional_packages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


_PACKAGE = "sentence_transformers"


def is_of_package(model: object) -> bool:
    """Return whether an object's class is of sentence-transformers or derived from one."""
    return any(base.__module__.split(".")[0] == _PACKAGE for base in type(model).__mro__)


def is_instance(model: object, class_name: str) -> bool:
    """Return whether an object is of a class of sentence-transformers; loads nothing."""
    # If it was never imported there is no such object, and importing it takes seconds.
    package = sys.modules.get(_PACKAGE)
    return package is not None and isinstance(model, getattr(package, class_name))


def load(class_name: str, name: str, *, kind: str, folder: str) -> Any:
    """Load a model by its name or folder; `kind` and `folder` say in messages what was expected."""
    with optional_packages(f"an {kind}"):
        loader = getattr(import_module(_PACKAGE), class_name)

    def failure(error: Exception) -> CiteguardError:
        reason = str(error).strip().partition("\n")[0]
        return CiteguardError(
            f"the {kind} {name} cannot be loaded ({type(error).__name__}: {reason}). Give the "
            f"folder of {folder}, or the name of one on the hub; without a "
            "connection, a name works once it has been downloaded"
        )

    with foreign_code(failure):
        return loader(name)


def short_name(name: str) -> str:
    """Return the name of a model in verdicts: the last part of a folder, else the name itself."""
    is_folder = os.path.isabs(name) or Path(name).is_dir()
    return Path(name).resolve().name or name if is_folder else name


def version_of(name: str, *settings: object) -> str:
    """Return a version of a model: its name and settings, and the size and time of its files."""
    folder = Path(name)
    files = sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []
    written = [
        (file.relative_to(folder).as_posix(), file.stat().st_size, file.stat().st_mtime_ns)
        for file in files
    ]
    return repr((name, *settings, written))


def shown(model: Any) -> str:
    """Return a model as it is written in a call: a name or folder in quotes, a function's name."""
    if is_of_package(model):  # its own `repr` has a line for each layer
        return f"{type(model).__name__}(...)"
    return repr(model) if isinstance(model, str) else str(getattr(model, "__name__", repr(model)))


def as_floats(given: Any) -> NDArray[np.float64]:
    """Return an array, a tensor or nested lists as an array of floats, NaN where it is masked."""
    import numpy as np

    masked: Any = np.ma.getmaskarray(given) if np.ma.isMaskedArray(given) else None
    array: NDArray[Any] = np.asarray(given)
    if np.iscomplexobj(array):
        raise TypeError("its numbers are complex")
    floats = array.astype(np.float64)
    if masked is not None:
        floats[masked] = np.nan
    return floats


_CLASS, _CLASSIFIER = "SentenceTransformer", "ForSequenceClassification"
_SPECIAL = 8  # maximum number of tokens that a model adds to a text
_MOST_KEPT = 10_000  # vectors; at the 384 numbers of MiniLM these are 15 MB


@runtime_checkable
class Embedder(Protocol):
    """Anything that turns texts into vectors, such as a function.

    It is called by one thread at a time, with distinct texts, the longest first. Vectors need not
    be normalized; they are compared by cosine similarity. An attribute `name` names it in verdicts.
    An attribute `version`, which names all that the vectors depend on, lets verdicts be cached on
    disk.
    """

    def __call__(self, texts: Sequence[str], /) -> Any:
        """Return the vectors as an array of shape (n, d), in order; NaN for a text without one."""
        ...


class SentenceEmbedder:
    """A `SentenceTransformer` as an `Embedder`.

    It is loaded at the first call, and downloaded then if it is a name that is not on disk; nothing
    else uses the network. Texts are truncated to the length that the model reads.

    Args:
        model: A name on the hub, a folder, or a `SentenceTransformer`.

    Raises:
        CiteguardError: not a model; and at the first call, if the package is missing or the model
            cannot be loaded.

    Examples:
        >>> SentenceEmbedder("sentence-transformers/all-MiniLM-L6-v2").name
        'sentence-transformers/all-MiniLM-L6-v2'
    """

    def __init__(self, model: str | os.PathLike[str] | SentenceTransformer) -> None:
        if not isinstance(model, (str, os.PathLike)) and not is_instance(model, _CLASS):
            raise CiteguardError(
                "SentenceEmbedder(model) takes the name or folder of a SentenceTransformer, or one "
                f"that is loaded, not {model!r}"
            )
        self.model: Any = os.fspath(model) if isinstance(model, (str, os.PathLike)) else model
        self._loaded: Any = None if isinstance(self.model, str) else self.model
        # Tokenizers are not thread-safe, and a model must not be loaded twice.
        self._lock = Lock()

    def __repr__(self) -> str:
        """Name the model."""
        return f"SentenceEmbedder({shown(self.model)})"

    @property
    def name(self) -> str:
        """The name of the model or folder; for a loaded model, what it was loaded from."""
        if isinstance(self.model, str):
            return short_name(self.model)
        base: Any = getattr(self.model, "model_card_data", None)
        return short_name(str(getattr(base, "base_model", None) or "SentenceTransformer"))

    @property
    def version(self) -> str | None:
        """The name, with the size and time of a folder's files; `None` for a loaded model."""
        return version_of(self.model) if isinstance(self.model, str) else None

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return the vectors, shape (n, d)."""
        with self._lock:
            return self._encoder().encode(
                [_readable(text) for text in texts],
                convert_to_numpy=True,
                show_progress_bar=False,
            )

    def cut_off(self, texts: Sequence[str]) -> list[bool]:
        """Return, for each text, whether the model truncates it."""
        with self._lock:
            encoder = self._encoder()
            most: Any = getattr(encoder, "max_seq_length", None)
            tokenizer: Any = encoder.tokenizer

            def is_longer(text: str) -> bool:
                if len(text.encode()) + _SPECIAL <= most:  # a token has a byte or more
                    return False
                encoded = tokenizer([text], truncation=False, padding=False, verbose=False)
                return len(encoded["input_ids"][0]) > most

            is_known = isinstance(most, int) and callable(tokenizer)
            return [is_known and is_longer(_readable(text)) for text in texts]

    def _encoder(self) -> Any:
        if self._loaded is None:
            encoder = load(_CLASS, self.model, kind="embedding model", folder=f"a {_CLASS}")
            config: Any = getattr(getattr(encoder[0], "auto_model", None), "config", None)
            names: Any = getattr(config, "architectures", None) or ()
            # sentence-transformers loads it all the same, and averages its last layer.
            if any(name.endswith(_CLASSIFIER) for name in names):
                raise CiteguardError(
                    f"{self.model} is a classifier, and its vectors mean nothing; name a model of "
                    "sentence embeddings, such as sentence-transformers/all-MiniLM-L6-v2"
                )
            self._loaded = encoder
        return self._loaded


def _readable(text: str) -> str:
    """Return a text without lone surrogates, on which tokenizers fail."""
    return text.encode("utf-8", "replace").decode()


class EmbeddingFailedError(CiteguardError):
    """Raised when an embedder returns no usable vectors: a wrong shape, NaN, zeros alone."""


class Vectors:
    """The normalized vectors of an embedder; the 10,000 used last are kept. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._width: int | None = None
        self._keeping, self._embedding = Lock(), Lock()

    def __repr__(self) -> str:
        """Return the model as it is written in a call."""
        embedder = self.embedder
        return shown(embedder.model if isinstance(embedder, SentenceEmbedder) else embedder)

    @property
    def name(self) -> str:
        """The name of the embedder."""
        named = getattr(self.embedder, "name", None) or getattr(self.embedder, "__name__", None)
        return str(named or type(self.embedder).__name__)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts, shape (n, d); with a row of NaN for a text without one.

        Raises:
            EmbeddingFailedError: the embedder returned no array, or one of a wrong shape.
        """
        import numpy as np

        distinct = dict.fromkeys(texts)
        found = self._look_up(distinct)
        if len(found) < len(distinct):
            with self._embedding:  # another thread may just have computed some of them
                found = self._look_up(distinct)
                found |= self._embed([text for text in distinct if text not in found])
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, 0), np.float32)

    def cut_off(self, texts: Sequence[str]) -> list[bool]:
        """Return, for each text, whether it is known that the embedder truncates it."""
        if isinstance(self.embedder, SentenceEmbedder):
            return self.embedder.cut_off(texts)
        return [False] * len(texts)

    def _look_up(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        with self._keeping:
            found = {text: self._kept[text] for text in texts if text in self._kept}
            for text in found:
                self._kept.move_to_end(text)
        return found

    def _embed(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        import numpy as np

        if not texts:
            return {}
        longest_first = sorted(texts, key=len, reverse=True)
        with foreign_code(owner=f"the embedder {self.name}"):
            given = self.embedder(longest_first)
        rows = self._checked(given, len(texts))
        found = dict(zip(longest_first, rows, strict=True))
        with self._keeping:
            # A copy, as a row would keep the whole array alive. No NaN, as the next call for a text
            # may succeed.
            self._kept |= {t: row.copy() for t, row in found.items() if not np.isnan(row).any()}
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def _checked(self, given: Any, count: int) -> NDArray[np.float32]:
        """Return an embedder's rows with a length of 1; NaN for one of NaN, infinity or zeros."""
        import numpy as np

        try:
            rows = as_floats(given)
        except (TypeError, ValueError, RuntimeError) as error:  # the last by torch, for gradients
            message = f"the embedder {self.name} returned no array of numbers: {error}"
            raise EmbeddingFailedError(message) from error
        # Vectors of another width than before cannot be compared with those that are kept.
        expected = (count, self._width or (rows.shape[1] if rows.ndim == 2 else "any"))
        if rows.shape != expected or rows.shape[1] == 0:
            raise EmbeddingFailedError(
                f"the embedder {self.name} returned an array of shape {rows.shape} for {count} "
                f"texts, not {expected}"
            )
        self._width = rows.shape[1]
        # Scaled by the largest number first, as its square might be infinite.
        with np.errstate(all="ignore"):
            scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
            unit = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
        return unit.astype(np.float32)


_SHARED: WeakValueDictionary[str | int, Vectors] = WeakValueDictionary()
_SHARING = Lock()


def vectors_of(model: str | os.PathLike[str] | SentenceTransformer | Embedder) -> Vectors:
    """Return the `Vectors` of a model, one object as long as anything uses it."""
    # An id is not used again while the `Vectors` hold the model.
    key = os.fspath(model) if isinstance(model, (str, os.PathLike)) else id(model)
    with _SHARING:
        shared = _SHARED.get(key)
        if shared is None:
            shared = _SHARED[key] = Vectors(_as_embedder(model))
    return shared


def _as_embedder(model: Any) -> Embedder:
    if isinstance(model, (str, os.PathLike)) or is_instance(model, _CLASS):
        return SentenceEmbedder(model)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(model, type) or not callable(model) or is_of_package(model):
        raise CiteguardError(
            "expected the name or folder of a SentenceTransformer, a loaded one, or a function of "
            f"texts that returns an array, got {model!r}"
        )
    if iscoroutinefunction(model) or iscoroutinefunction(type(model).__call__):
        raise CiteguardError(
            f"expected an embedder that is a plain function, got {model!r}, which is async"
        )
    return model

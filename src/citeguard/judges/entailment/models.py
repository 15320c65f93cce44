"""Models that tell whether a premise entails a hypothesis: the protocol, and cross-encoders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from citeguard.errors import CiteguardError
from citeguard.judges.entailment.labels import EntailmentLabel, read_labels, to_probabilities
from citeguard.retrieval.models import is_instance, load, short_name, shown, version_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Pair = tuple[str, str]
"""A premise and a hypothesis."""

_HEADS = ("ForSequenceClassification", "ForCausalLM")  # of which a cross-encoder takes its scores


@runtime_checkable
class EntailmentModel(Protocol):
    """Whoever can tell whether a premise entails a hypothesis: a function will do.

    It is called by one thread at a time, with pairs that all differ, the longest first. What it is
    called in verdicts is said by an attribute `name`; without one it is the name of its class. An
    attribute `version`, which names all that the probabilities depend on, lets verdicts be kept on
    disk.
    """

    def __call__(self, pairs: Sequence[Pair], /) -> Any:
        """Return probabilities as an array, a row for each pair, in order.

        Shape (n, 3) for entailment, neutral and contradiction, which add up to 1; (n,) or (n, 1) of
        a model that knows entailment only. NaN where it cannot tell.
        """
        ...


class CrossEncoderModel:
    """A `CrossEncoder` of sentence-transformers as an entailment model; loaded at the first call.

    The order of its labels is read from its configuration. A pair that is longer than the model
    reads is given NaN, as the model would see only a part of it.

    Args:
        model: A name on the hub, a folder, or a `CrossEncoder`.
        labels: What its outputs stand for, in order, when its configuration does not say.
        batch_size: How many pairs are put through the model at once.

    Raises:
        CiteguardError: labels that do not go together; at the first call, if the package is
            missing, the model cannot be loaded, or what its outputs stand for is not known.
    """

    def __init__(
        self, model: Any, *, labels: Sequence[str] | None = None, batch_size: int = 32
    ) -> None:
        self._model: Any = os.fspath(model) if isinstance(model, (str, os.PathLike)) else model  # pyright: ignore[reportUnknownArgumentType]
        self._labels = None if labels is None else read_labels(labels)
        self._batch_size = batch_size
        self._loaded: tuple[Any, tuple[EntailmentLabel, ...]] | None = None

    def __repr__(self) -> str:
        """Name the model."""
        return shown(self._model)

    @property
    def name(self) -> str:
        """The name, or a folder's; of a `CrossEncoder` that of what it was loaded from."""
        if isinstance(self._model, str):
            return short_name(self._model)
        return short_name(str(getattr(self._model.config, "_name_or_path", "") or "CrossEncoder"))

    @property
    def version(self) -> str | None:
        """Name and labels, and for a folder when it was written; `None` for a `CrossEncoder`."""
        return version_of(self._model, self._labels) if isinstance(self._model, str) else None

    def __call__(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Return the probabilities, shape (n, 3)."""
        import numpy as np

        encoder, labels = self._loaded = self._loaded or self._load()
        probabilities = np.full((len(pairs), 3), np.nan)
        fitting = [place for place, fits in enumerate(_fitting(encoder, pairs)) if fits]
        if fitting:
            logits = _logits(encoder, [pairs[place] for place in fitting], self._batch_size)
            probabilities[fitting] = to_probabilities(logits, labels)
        return probabilities

    def _load(self) -> tuple[Any, tuple[EntailmentLabel, ...]]:
        encoder = _loaded(self._model) if isinstance(self._model, str) else self._model
        labels = self._labels
        if labels is None:
            labels = read_labels(_names(encoder))
        elif len(labels) != encoder.num_labels:
            raise CiteguardError(
                f"the model {self.name} has {encoder.num_labels} outputs, and labels= names "
                f"{len(labels)}"
            )
        return encoder, labels


def is_cross_encoder(model: object) -> bool:
    """Tell whether an object is a `CrossEncoder`; loads nothing."""
    return is_instance(model, "CrossEncoder")


def _loaded(name: str) -> Any:
    encoder: Any = load(
        "CrossEncoder", name, kind="entailment model", folder="a sequence classification model"
    )
    written = tuple(map(str, getattr(encoder.config, "architectures", None) or ()))
    if written and not any(each.endswith(_HEADS) for each in written):
        # It has been loaded with a head of random numbers.
        raise CiteguardError(
            f"{name} holds a {written[0]}, which was not trained to tell entailment; name a "
            "cross-encoder, such as cross-encoder/nli-deberta-v3-small"
        )
    return encoder


def _names(encoder: Any) -> list[object]:
    """Return what a cross-encoder calls its outputs, in their order."""
    named: dict[Any, Any] = getattr(encoder.config, "id2label", None) or {}
    by_place = {int(place): name for place, name in named.items()}
    return [by_place.get(place, f"LABEL_{place}") for place in range(encoder.num_labels)]


def _logits(encoder: Any, pairs: Sequence[Pair], batch_size: int) -> Any:
    from torch.nn import Identity  # else `predict` may apply what the model was saved with

    return encoder.predict(
        list(pairs), batch_size=batch_size, activation_fn=Identity(), show_progress_bar=False
    )


def _fitting(encoder: Any, pairs: Sequence[Pair]) -> list[bool]:
    """Tell which pairs the model reads to their end."""
    most = _most_tokens(encoder)
    if most is None:
        return [True] * len(pairs)
    read: Any = encoder.tokenizer(
        [premise for premise, _ in pairs],
        [hypothesis for _, hypothesis in pairs],
        truncation=False,
        padding=False,
        verbose=False,
    )
    return [len(tokens) <= most for tokens in read["input_ids"]]


def _most_tokens(encoder: Any) -> int | None:
    most: Any = getattr(encoder, "max_seq_length", None)
    return most if isinstance(most, int) and 0 < most < 1_000_000 else None

"""Models that predict whether a premise entails a hypothesis: `EntailmentModel`, cross-encoders.

A cross-encoder's outputs have labels, which `read_labels` reads, and its logits become
`Probabilities`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    Protocol,
    cast,
    get_args,
    runtime_checkable,
)

from citeguard.errors import CiteguardError, described
from citeguard.retrieval.embeddings import (
    is_instance,
    is_of_package,
    load,
    short_name,
    shown,
    version_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


EntailmentLabel = Literal["entailment", "neutral", "contradiction", "not_entailment"]
"""The meaning of a model's output; `not_entailment` is neutral or contradiction."""

# As models on the public hub write them, in lower case, with "_" for anything but letters.
_VARIANTS: Mapping[EntailmentLabel, str] = {
    "entailment": "entailment entails entail entailed supported supports support consistent",
    "neutral": "neutral not_enough_info not_enough_information nei",
    "contradiction": "contradiction contradicts contradict contradicted contradictory refutes"
    " refuted refute",
    "not_entailment": "not_entailment non_entailment not_entailed not_supported unsupported"
    " inconsistent hallucinated hallucination",
}
_MEANING: dict[str, EntailmentLabel] = {
    variant: label for label, variants in _VARIANTS.items() for variant in variants.split()
}
_COLUMNS: Mapping[EntailmentLabel, int] = {
    "entailment": 0,
    "neutral": 1,
    "contradiction": 2,
    "not_entailment": 1,
}
_SETS: tuple[set[EntailmentLabel], ...] = (
    {"entailment", "neutral", "contradiction"},
    {"entailment", "contradiction"},
    {"entailment", "neutral"},
    {"entailment", "not_entailment"},
    {"entailment"},
)


class Probabilities(NamedTuple):
    """How likely a premise entails a hypothesis, says nothing about it, or contradicts it.

    Each is from 0 to 1, and they add up to 1; all are NaN if the model failed on the pair. For a
    model without contradictions, `neutral` is everything but entailment.
    """

    entailment: float
    neutral: float
    contradiction: float


def read_labels(names: Sequence[object]) -> tuple[EntailmentLabel, ...]:
    """Return the labels of a model's outputs, in their order, from their names.

    Case and punctuation do not matter, and some synonyms are known, such as `SUPPORTS`, `REFUTES`
    and `NOT ENOUGH INFO`.

    Raises:
        CiteguardError: A name without a meaning (`LABEL_0`), or names that do not go together.

    Examples:
        >>> read_labels(["CONTRADICTION", "Entailment", "neutral"])
        ('contradiction', 'entailment', 'neutral')
    """
    listed = [str(name) for name in names]
    written = [re.sub(r"\W+", "_", name.strip().lower()) for name in listed]
    known: list[EntailmentLabel] = [_MEANING[each] for each in written if each in _MEANING]
    if len(known) == len(listed) == len(set(known)) and set(known) in _SETS:
        return tuple(known)
    is_one = len(listed) == 1
    hint = " (a model with one output may be a reranker, which cannot be used)" if is_one else ""
    example = '["entailment"]' if is_one else '["not_entailment", "entailment"]'
    raise CiteguardError(
        f"the meaning of the model's outputs {', '.join(listed)} is unknown{hint}. If you know "
        f"it, name them in their order, such as labels={example}; the labels are "
        f"{', '.join(get_args(EntailmentLabel))}"
    )


def to_probabilities(logits: Any, labels: Sequence[EntailmentLabel]) -> NDArray[np.float64]:
    """Return probabilities of shape (n, 3) from logits of shape (n, number of labels).

    The columns are those of `Probabilities`, whatever the order of the labels: the sigmoid of one
    logit, the softmax of several. A row with a NaN, or with infinities only, is NaN.

    Raises:
        ValueError: Logits of another shape.

    Examples:
        >>> to_probabilities([[2.0, 2.0]], ["not_entailment", "entailment"]).tolist()
        [[0.5, 0.5, 0.0]]
    """
    import numpy as np

    rows = np.asarray(logits, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] != len(labels):
        raise ValueError(f"logits of shape {rows.shape} for {len(labels)} labels")
    if len(labels) == 1:  # a sigmoid is a softmax beside 0
        rows = np.column_stack([rows, np.zeros(len(rows))])
        labels = ("entailment", "not_entailment")
    with np.errstate(invalid="ignore"):  # infinity less infinity is NaN, as it should be
        powers = np.exp(rows - rows.max(axis=1, keepdims=True, initial=-np.inf))
        shares = powers / powers.sum(axis=1, keepdims=True)
    probabilities = np.zeros((len(rows), 3))
    probabilities[:, [_COLUMNS[label] for label in labels]] = shares
    return cast(
        "NDArray[np.float64]",
        np.where(np.isnan(shares).any(axis=1, keepdims=True), np.nan, probabilities),
    )


Pair = tuple[str, str]
"""A premise and a hypothesis."""

_HEADS = ("ForSequenceClassification", "ForCausalLM")  # that a cross-encoder takes scores from


@runtime_checkable
class EntailmentModel(Protocol):
    """Anything that predicts whether a premise entails a hypothesis, such as a function.

    It is called by one thread at a time, with pairs that all differ, the longest first. An
    attribute `name` is its name in verdicts; without it, the name of its class is. An attribute
    `version`, which names everything that the probabilities depend on, lets verdicts be kept on
    disk.
    """

    def __call__(self, pairs: Sequence[Pair], /) -> Any:
        """Return probabilities as an array, a row for each pair, in order.

        Shape (n, 3) for entailment, neutral and contradiction, which add up to 1; (n,) or (n, 1)
        for a model of entailment only. NaN for a pair that it cannot judge.
        """
        ...


class CrossEncoderModel:
    """A `CrossEncoder` of sentence-transformers as an entailment model; loaded at the first call.

    The order of its labels is read from its configuration. A pair that is longer than the model
    reads gets NaN, as the model would see only a part of it.

    Args:
        model: A name on the hub, a folder, or a `CrossEncoder`.
        labels: The labels of its outputs, in order, if its configuration does not name them.
        batch_size: How many pairs the model reads at once.

    Raises:
        CiteguardError: Labels that do not go together; at the first call, if the package is
            missing, the model cannot be loaded, or its labels are unknown.
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
        """The name of the model, of its folder, or of what a `CrossEncoder` was loaded from."""
        if isinstance(self._model, str):
            return short_name(self._model)
        return short_name(str(getattr(self._model.config, "_name_or_path", "") or "CrossEncoder"))

    @property
    def version(self) -> str | None:
        """Name, labels, and a folder's time of change; `None` for a `CrossEncoder`."""
        return version_of(self._model, self._labels) if isinstance(self._model, str) else None

    def __call__(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Return the probabilities, shape (n, 3)."""
        import numpy as np

        encoder, labels = self._loaded = self._loaded or self._load()
        from torch.nn import Identity  # else `predict` may apply what the model was saved with

        probabilities = np.full((len(pairs), 3), np.nan)
        fitting = [place for place, fits in enumerate(_fitting(encoder, pairs)) if fits]
        if fitting:
            logits = encoder.predict(
                [pairs[place] for place in fitting],
                batch_size=self._batch_size,
                activation_fn=Identity(),
                show_progress_bar=False,
            )
            probabilities[fitting] = to_probabilities(logits, labels)
        return probabilities

    def _load(self) -> tuple[Any, tuple[EntailmentLabel, ...]]:
        encoder = _loaded(self._model) if isinstance(self._model, str) else self._model
        labels, count = self._labels, encoder.num_labels
        if labels is None:
            configured: dict[Any, Any] = getattr(encoder.config, "id2label", None) or {}
            named = {int(place): name for place, name in configured.items()}
            labels = read_labels([named.get(each, f"LABEL_{each}") for each in range(count)])
        elif len(labels) != count:
            raise CiteguardError(
                f"the model {self.name} has {count} outputs, but labels= names {len(labels)}"
            )
        return encoder, labels


def _loaded(name: str) -> Any:
    encoder: Any = load(
        "CrossEncoder", name, kind="entailment model", folder="a sequence classification model"
    )
    written = tuple(map(str, getattr(encoder.config, "architectures", None) or ()))
    if written and not any(each.endswith(_HEADS) for each in written):
        # It was loaded with a random head.
        raise CiteguardError(
            f"{name} holds a {written[0]}, which was not trained for entailment; name a "
            "cross-encoder, such as cross-encoder/nli-deberta-v3-small"
        )
    return encoder


def _fitting(encoder: Any, pairs: Sequence[Pair]) -> list[bool]:
    """Return, for each pair, whether the model reads all of it."""
    most: Any = getattr(encoder, "max_seq_length", None)
    # Tokenizers without a limit name a number such as 10**30.
    if not isinstance(most, int) or not 0 < most < 1_000_000:
        return [True] * len(pairs)
    read: Any = encoder.tokenizer(
        [premise for premise, _ in pairs],
        [hypothesis for _, hypothesis in pairs],
        truncation=False,
        padding=False,
        verbose=False,
    )
    return [len(tokens) <= most for tokens in read["input_ids"]]


def entailment_model(
    model: Any, *, labels: Sequence[str] | None = None, batch_size: int = 32
) -> EntailmentModel:
    """Return the entailment model that a user names; loads nothing.

    Args:
        model: The name or folder of a cross-encoder, a `CrossEncoder`, or an `EntailmentModel`.
        labels: The labels of a cross-encoder, as for `CrossEncoderModel`.
        batch_size: How many pairs a cross-encoder reads at once.

    Raises:
        CiteguardError: It names none, or labels are given for what is no cross-encoder.
    """
    if isinstance(model, (str, os.PathLike)) or is_instance(model, "CrossEncoder"):
        return CrossEncoderModel(model, labels=labels, batch_size=batch_size)
    if isinstance(model, type) or not callable(model) or is_of_package(model):
        raise CiteguardError(
            "ReaderJudge(model): expected the name or folder of a cross-encoder, a CrossEncoder, "
            f"or a function of pairs that returns an array, got {described(model)}"
        )
    if labels is not None:
        raise CiteguardError(
            "labels= is for cross-encoders; a function of yours returns entailment, neutral and "
            "contradiction, in this order"
        )
    return model

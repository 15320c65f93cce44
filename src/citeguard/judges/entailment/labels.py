"""What the outputs of an entailment model stand for, and the probabilities that they come to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EntailmentLabel = Literal["entailment", "neutral", "contradiction", "not_entailment"]
"""What an output of a model stands for; `not_entailment` is neutral or contradiction, untold."""

# As models on the public hub write them, in lower case and with "_" for what is no letter.
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
    """How likely a premise entails a hypothesis, says nothing of it, or contradicts it.

    Each is from 0 to 1, and they add up to 1; all are NaN where the model cannot tell. Of a model
    that does not know contradictions, `neutral` is all that is no entailment.
    """

    entailment: float
    neutral: float
    contradiction: float


def read_labels(names: Sequence[object]) -> tuple[EntailmentLabel, ...]:
    """Return what the outputs of a model stand for, in their order, from what it calls them.

    Case and punctuation do not matter, and some synonyms are known, such as `SUPPORTS`, `REFUTES`
    and `NOT ENOUGH INFO`.

    Raises:
        CiteguardError: a name that tells nothing (`LABEL_0`), or names that do not go together.

    Examples:
        >>> read_labels(["CONTRADICTION", "Entailment", "neutral"])
        ('contradiction', 'entailment', 'neutral')
    """
    listed = [str(name) for name in names]
    found: list[EntailmentLabel | None] = [_meaning(name) for name in listed]
    known: list[EntailmentLabel] = [label for label in found if label is not None]
    if len(known) < len(found) or len(set(known)) < len(known) or set(known) not in _SETS:
        raise CiteguardError(_unknown(listed))
    return tuple(known)


def _meaning(name: str) -> EntailmentLabel | None:
    return _MEANING.get(re.sub(r"\W+", "_", name.strip().lower()))


def _unknown(names: Sequence[str]) -> str:
    expected = ", ".join(get_args(EntailmentLabel))
    example = '["entailment"]' if len(names) == 1 else '["not_entailment", "entailment"]'
    told = "" if len(names) > 1 else " (with one output it may be a reranker, which is no use here)"
    return (
        f"it cannot be told what the model's outputs {', '.join(names)} stand for{told}. If you "
        f"know, say so in their order, such as labels={example}; the labels are {expected}"
    )


def to_probabilities(logits: Any, labels: Sequence[EntailmentLabel]) -> NDArray[np.float64]:
    """Return probabilities of shape (n, 3) from logits of shape (n, number of labels).

    The columns are those of `Probabilities`, whatever the order of the labels. The sigmoid of one
    logit, the softmax of more. A row with a NaN, or nothing but infinity, is NaN.

    Raises:
        ValueError: logits of another shape.

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

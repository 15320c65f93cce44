"""How well an entailment model does on labelled pairs: `evaluate_entailment`."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeguard.errors import CiteguardError, check_number
from citeguard.metrics import (
    Calibration,
    ClassificationQuality,
    calibration,
    classification_quality,
    roc_auc,
)
from citeguard.reader.cross_encoder import EntailmentModel, Probabilities
from citeguard.reader.entailing import entailing
from citeguard.reader.model import Reader
from citeguard.training.pairs import LABELS, EntailmentPair, PairLabel, read_given

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentQuality:
    """How well an entailment model separates supported hypotheses from others.

    Attributes:
        counts: For each label, how many pairs the model says are `supported`, `contradicted` or
            `neutral`, and how many are `unread`: longer than it reads.
        supported: The decisions that a hypothesis is supported; undecided for unread pairs.
        roc_auc: How likely a supported hypothesis has a higher probability of entailment than
            another, 0 to 1; `None` unless there are both.
        calibration: That probability against the shares that are supported: bins, their mean gap
            (the expected calibration error), and the Brier score.
    """

    counts: Mapping[PairLabel, Mapping[str, int]]
    supported: ClassificationQuality
    roc_auc: float | None
    calibration: Calibration

    @property
    def pairs(self) -> int:
        """How many pairs there are, with those that are unread."""
        return sum(sum(row.values()) for row in self.counts.values())

    def __str__(self) -> str:
        """Return the figures, a line each."""
        figures = {
            "accuracy": self.supported.accuracy,
            "balanced accuracy": self.supported.balanced_accuracy,
            "ROC-AUC": self.roc_auc,
            "calibration error": self.calibration.error,
        }
        lines = [f"{self.pairs:,} pairs"]
        lines += [
            f"  {label}: {', '.join(f'{count:,} {said}' for said, count in row.items())}"
            for label, row in self.counts.items()
        ]
        lines += [f"{name}: {value:.3f}" for name, value in figures.items() if value is not None]
        return "\n".join(lines)


def evaluate_entailment(
    model: str | os.PathLike[str] | Reader | CrossEncoder | EntailmentModel | None,
    pairs: Iterable[EntailmentPair],
    *,
    supported_from: float = 0.5,
    bins: int = 10,
) -> EntailmentQuality:
    """Measure an entailment model on labelled pairs.

    Premises are read whole, so this does not measure how well `ReaderJudge` chooses what to read.

    Args:
        model: As for `ReaderJudge`.
        pairs: Pairs that it was not trained on.
        supported_from: The least probability of entailment with which a hypothesis counts as
            supported, inclusive, above 0 and up to 1.
        bins: How many bins the probabilities are divided into; at least 1.

    Raises:
        CiteguardError: No pairs, something that is no pair, a number out of range, or a model that
            cannot be used.
        UnusableOutputError: The model returned no probabilities.

    Examples:
        >>> def model(pairs):
        ...     return [[0.9, 0.1, 0.0] if "month" in premise else [0.1, 0.9, 0.0]
        ...             for premise, hypothesis in pairs]
        >>> quality = evaluate_entailment(
        ...     model,
        ...     [
        ...         EntailmentPair("Notice is one month.", "It takes a month.", "supported"),
        ...         EntailmentPair("Lunch is free.", "It takes a month.", "neutral"),
        ...     ],
        ... )
        >>> quality.roc_auc, quality.counts["neutral"]
        (1.0, {'neutral': 1})
    """
    check_number("evaluate_entailment(supported_from=...)", supported_from, 0, 1, above=True)
    rows = read_given("evaluate_entailment", pairs)
    reads = entailing(model)
    if reads is None:
        raise CiteguardError("evaluate_entailment(None): the extra reader is not installed")
    found = reads.read([(row.hypothesis, row.premise) for row in rows])
    said = [_said(each, supported_from) for each in found]
    truth = [row.label == "supported" for row in rows]
    scored = [
        (label, each.entailment)
        for label, each, word in zip(truth, found, said, strict=True)
        if word != "unread"
    ]
    labels, scores = [label for label, _ in scored], [score for _, score in scored]
    counts = Counter(zip((row.label for row in rows), said, strict=True))
    return EntailmentQuality(
        counts={
            label: {word: counts[label, word] for word in _SAID if counts[label, word]}
            for label in LABELS
            if any(row.label == label for row in rows)
        },
        supported=classification_quality(
            truth, [None if word == "unread" else word == "supported" for word in said]
        ),
        roc_auc=roc_auc(labels, scores),
        calibration=calibration(labels, scores, bins=bins),
    )


_SAID = ("supported", "contradicted", "neutral", "unread")


def _said(found: Probabilities, supported_from: float) -> str:
    if math.isnan(found.entailment):
        return "unread"
    if found.entailment >= max(supported_from, found.contradiction):
        return "supported"
    return "contradicted" if found.contradiction > found.neutral else "neutral"

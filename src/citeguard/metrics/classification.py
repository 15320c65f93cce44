"""Decisions and scores held against labels."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, cast, get_args

from citeguard.errors import CiteguardError, check_number
from citeguard.judges.verdicts import Outcome, Verdict
from citeguard.metrics.reading import (
    as_python,
    check_lengths,
    library,
    read_decisions,
    read_labels,
    read_scores,
)

RECALL_WEIGHT = 0.7
"""Weighs a false statement that is missed above a true one that is flagged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationQuality:
    """How decisions agree with labels. Everything is of the decided ones, `undecided` aside.

    All measures are from 0 to 1, higher is better, and `None` where they are not defined.

    Attributes:
        true_positives: Positives that were decided to be some.
        false_positives: Negatives that were decided to be positives.
        false_negatives: Positives that were decided to be negatives.
        true_negatives: Negatives that were decided to be some.
        undecided_positives: Positives without a decision.
        undecided_negatives: Negatives without a decision.
        precision: TP / (TP + FP); `None` if nothing was decided to be positive.
        recall: TP / (TP + FN); `None` without positives.
        f1: 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall; `None` without
            positives, real or decided.
        recall_weighted_f: 0.3 precision + 0.7 recall, see `recall_weighted_f`; `None` if either
            is.
        accuracy: (TP + TN) / all; `None` of none.
        balanced_accuracy: The mean of recall and TN / (TN + FP); `None` unless there are positives
            and negatives. Deciding always the same gives 0.5.

    Examples:
        >>> quality = classification_quality([1, 1, 0, 0], [1, 0, 0, None])
        >>> quality.precision, quality.recall, quality.balanced_accuracy, quality.undecided
        (1.0, 0.5, 0.75, 1)
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    undecided_positives: int
    undecided_negatives: int
    precision: float | None
    recall: float | None
    f1: float | None
    recall_weighted_f: float | None
    accuracy: float | None
    balanced_accuracy: float | None

    @property
    def undecided(self) -> int:
        """How many labels have no decision."""
        return self.undecided_positives + self.undecided_negatives

    @property
    def decided(self) -> int:
        """How many labels have a decision."""
        return (
            self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
        )


def classification_quality(
    labels: Iterable[bool | int], decisions: Iterable[bool | int | None]
) -> ClassificationQuality:
    """Hold decisions against labels.

    What is *positive* is yours to choose: that a statement is supported, or, to measure how well
    false ones are found, that it is not. Undecided ones, `None`, are counted and left out of every
    measure, so that read a measure together with them: who decides only what is easy does it well.

    By scikit-learn (`precision_recall_fscore_support`, `balanced_accuracy_score`,
    `accuracy_score`), except that what it defines as 0 for want of anything to count is `None`.

    Args:
        labels: What is so: `True` or 1 for a positive, `False` or 0 for a negative.
        decisions: What was decided of each, in the same order; `None` where nothing was. Of
            verdicts, `decisions_of` makes them.

    Raises:
        CiteguardError: a label or a decision is none, there are not as many of both, or
            scikit-learn is missing.

    Examples:
        >>> classification_quality([1, 0, 0, 0], [1, 1, 0, 0]).f1
        0.6666666666666666
    """
    truth, said = read_labels(labels), read_decisions(decisions)
    check_lengths(truth, said, "decisions")
    pairs = list(zip(truth, said, strict=True))
    decided = [(label, decision) for label, decision in pairs if decision is not None]
    return ClassificationQuality(
        true_positives=pairs.count((True, True)),
        false_positives=pairs.count((False, True)),
        false_negatives=pairs.count((True, False)),
        true_negatives=pairs.count((False, False)),
        undecided_positives=pairs.count((True, None)),
        undecided_negatives=pairs.count((False, None)),
        **_measures([label for label, _ in decided], [decision for _, decision in decided]),
    )


def recall_weighted_f(
    precision: float | None, recall: float | None, *, weight: float = RECALL_WEIGHT
) -> float | None:
    """Return the weighted mean of precision and recall: (1 - weight) precision + weight recall.

    With the default, 0.3 precision + 0.7 recall: the measure by which citeguard's background
    documents rank detectors of false statements, as one that is missed costs more than one that is
    flagged for nothing. It is the *arithmetic* mean, not van Rijsbergen's F with a beta, which is a
    harmonic one and 0 as soon as precision or recall is: who flags everything has a recall of 1,
    and so at least 0.7 here. Read it beside the precision.

    Args:
        precision: The precision, 0 to 1.
        recall: The recall, 0 to 1.
        weight: The weight of the recall, 0 to 1.

    Returns:
        The mean, 0 to 1, higher is better; `None` if precision or recall is. (The background
        documents take 0 for either there.)

    Raises:
        CiteguardError: a number out of range.

    Examples:
        >>> recall_weighted_f(0.5, 1.0)
        0.85
    """
    precision, recall, weight = map(as_python, (precision, recall, weight))
    check_number("weight", weight, 0.0, 1.0)
    for name, value in (("precision", precision), ("recall", recall)):
        if value is not None:
            check_number(name, value, 0.0, 1.0)
    if precision is None or recall is None:
        return None
    return (1 - weight) * precision + weight * recall


def roc_auc(labels: Iterable[bool | int], scores: Iterable[float]) -> float | None:
    """Return how likely a positive has a higher score than a negative; equal ones count half.

    The area under the ROC curve: 1 if some threshold tells all positives from all negatives, 0.5 if
    scores say nothing, 0 if the order is reversed. It depends on the order of the scores only, and
    on no threshold. By scikit-learn's `roc_auc_score`.

    Args:
        labels: What is so: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Finite numbers in the same order, higher for a positive.

    Returns:
        The area, 0 to 1; `None` unless there are positives and negatives.

    Raises:
        CiteguardError: a label or a score is none, there are not as many of both, or scikit-learn
            is missing.

    Examples:
        >>> roc_auc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
        0.875
    """
    truth, given = _labelled(labels, scores)
    measures = library("sklearn.metrics")
    return float(measures.roc_auc_score(truth, given)) if len(set(truth)) > 1 else None


def average_precision(labels: Iterable[bool | int], scores: Iterable[float]) -> float | None:
    """Return the mean of the precisions at each threshold, weighted by the recall gained there.

    Σ (R(n) - R(n-1)) P(n), without interpolation, by scikit-learn's `average_precision_score`.
    Scores that say nothing give about the share of positives, so it cannot be compared between sets
    with different ones.

    Args:
        labels: What is so: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Finite numbers in the same order, higher for a positive.

    Returns:
        The mean, 0 to 1, higher is better; `None` without positives.

    Raises:
        CiteguardError: as for `roc_auc`.

    Examples:
        >>> average_precision([1, 0, 1], [0.9, 0.5, 0.1])
        0.8333333333333333
    """
    truth, given = _labelled(labels, scores)
    measures = library("sklearn.metrics")
    return float(measures.average_precision_score(truth, given)) if any(truth) else None


def decisions_of(
    verdicts: Iterable[Verdict | Outcome], *, positive: Collection[Outcome] = ("supported",)
) -> list[bool | None]:
    """Return verdicts as decisions: whether the outcome is one of `positive`; `None` if undecided.

    Args:
        verdicts: Verdicts, or their outcomes.
        positive: The outcomes that count as positive: by default that a statement is supported; to
            find those that are not, `("contradicted", "unsupported")`.

    Raises:
        CiteguardError: no verdict, no outcome, or one that nobody decided as positive.

    Examples:
        >>> decisions_of([Verdict("supported"), Verdict("undecided"), "contradicted"])
        [True, None, False]
    """
    wanted = _positive(positive)
    if isinstance(verdicts, str) or not isinstance(verdicts, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"verdicts must be a list, not {verdicts!r}")
    outcomes = [_outcome(verdict) for verdict in verdicts]
    return [None if outcome == "undecided" else outcome in wanted for outcome in outcomes]


def _labelled(labels: Iterable[Any], scores: Iterable[Any]) -> tuple[list[bool], list[float]]:
    truth, given = read_labels(labels), read_scores(scores)
    check_lengths(truth, given, "scores")
    return truth, given


def _measures(truth: list[bool], said: list[bool]) -> dict[str, float | None]:
    if not truth:
        names = ("precision", "recall", "f1", "recall_weighted_f", "accuracy", "balanced_accuracy")
        return dict.fromkeys(names)
    measures = library("sklearn.metrics")
    found = measures.precision_recall_fscore_support(
        truth, said, average="binary", zero_division=math.nan
    )
    precision, recall, f1 = (None if math.isnan(each) else float(each) for each in found[:3])
    both = len(set(truth)) > 1
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "recall_weighted_f": recall_weighted_f(precision, recall),
        "accuracy": float(measures.accuracy_score(truth, said)),
        "balanced_accuracy": float(measures.balanced_accuracy_score(truth, said)) if both else None,
    }


def _positive(given: Any) -> list[Any]:
    listed = isinstance(given, Collection) and not isinstance(given, str)
    named: list[Any] = list(cast("Collection[Any]", given)) if listed else [given]
    decided = [outcome for outcome in get_args(Outcome) if outcome != "undecided"]
    if not named or any(outcome not in decided for outcome in named):
        raise CiteguardError(f"positive=... must name outcomes that are decided, not {given!r}")
    return named


def _outcome(verdict: Any) -> str:
    outcome = verdict.outcome if isinstance(verdict, Verdict) else verdict
    if not isinstance(outcome, str) or outcome not in get_args(Outcome):
        raise CiteguardError(f"{verdict!r} is no verdict, nor an outcome of one")
    return outcome

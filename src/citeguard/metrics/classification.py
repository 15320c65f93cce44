"""Decisions against labels: precision, recall and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, cast, get_args

from citeguard.errors import CiteguardError, check_number
from citeguard.judges.verdicts import Outcome, Verdict
from citeguard.metrics.inputs import as_python, check_lengths, library, read_decisions, read_labels

RECALL_WEIGHT = 0.7
"""A false statement that is missed weighs more than a true one that is flagged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationQuality:
    """How decisions agree with labels. All measures are over the decided items.

    They are from 0 to 1, higher is better, and `None` where they are not defined.

    Attributes:
        true_positives: Positives decided as positive.
        false_positives: Negatives decided as positive.
        false_negatives: Positives decided as negative.
        true_negatives: Negatives decided as negative.
        undecided_positives: Positives without a decision.
        undecided_negatives: Negatives without a decision.
        precision: TP / (TP + FP); `None` if nothing was decided as positive.
        recall: TP / (TP + FN); `None` without positives.
        f1: 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall; `None` if there are
            no positives and nothing was decided as positive.
        recall_weighted_f: 0.3 precision + 0.7 recall, see `recall_weighted_f`; `None` if either
            is.
        accuracy: (TP + TN) / all; `None` if nothing was decided.
        balanced_accuracy: The mean of recall and TN / (TN + FP); `None` unless there are positives
            and negatives. Always deciding the same gives 0.5.

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
    """Compare decisions with labels.

    You choose what is *positive*: that a statement is supported, or, to measure how well false ones
    are found, that it is not. Undecided items, `None`, are counted and excluded from every measure,
    so read a measure together with their number: deciding only the easy items does well.

    By scikit-learn (`precision_recall_fscore_support`, `balanced_accuracy_score`,
    `accuracy_score`), except that what it defines as 0 for want of anything to count is `None`.

    Args:
        labels: The truth: `True` or 1 for a positive, `False` or 0 for a negative.
        decisions: The decision on each, in the same order; `None` where there was none.
            `decisions_of` makes them from verdicts.

    Raises:
        CiteguardError: a label or a decision cannot be read, there are not as many of both, or
            scikit-learn is missing.

    Examples:
        >>> classification_quality([1, 0, 0, 0], [1, 1, 0, 0]).f1
        0.6666666666666666
    """
    truth, decided = read_labels(labels), read_decisions(decisions)
    check_lengths(truth, decided, "decisions")
    pairs = list(zip(truth, decided, strict=True))
    return ClassificationQuality(
        true_positives=pairs.count((True, True)),
        false_positives=pairs.count((False, True)),
        false_negatives=pairs.count((True, False)),
        true_negatives=pairs.count((False, False)),
        undecided_positives=pairs.count((True, None)),
        undecided_negatives=pairs.count((False, None)),
        **_measures([(label, decision) for label, decision in pairs if decision is not None]),
    )


def recall_weighted_f(
    precision: float | None, recall: float | None, *, weight: float = RECALL_WEIGHT
) -> float | None:
    """Return the weighted mean of precision and recall: (1 - weight) precision + weight recall.

    With the default, 0.3 precision + 0.7 recall: the measure by which citeguard's background
    documents rank detectors of false statements, because a missed one costs more than one flagged
    in error. It is the *arithmetic* mean, not van Rijsbergen's F with a beta: flagging everything
    has at least 0.7 here, so read it beside the precision. All numbers are from 0 to 1, and higher
    is better; it is `None` if precision or recall is.

    Raises:
        CiteguardError: a number is out of range.

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


def decisions_of(
    verdicts: Iterable[Verdict | Outcome], *, positive: Collection[Outcome] = ("supported",)
) -> list[bool | None]:
    """Return whether the outcome of each verdict is one of `positive`; `None` if undecided.

    Args:
        verdicts: Verdicts, or their outcomes.
        positive: The outcomes that count as positive: by default that a statement is supported; to
            find those that are not, `("contradicted", "unsupported")`.

    Raises:
        CiteguardError: an item is neither a verdict nor an outcome, or `positive` names something
            other than decided outcomes.

    Examples:
        >>> decisions_of([Verdict("supported"), Verdict("undecided"), "contradicted"])
        [True, None, False]
    """
    outcomes, given = get_args(Outcome), cast("Any", positive)
    wanted: list[Any] = list(given) if isinstance(given, (list, tuple, set)) else [given]  # pyright: ignore[reportUnknownArgumentType]
    if not wanted or any(each not in outcomes or each == "undecided" for each in wanted):
        raise CiteguardError(f"positive=... must name decided outcomes, not {given!r}")
    if isinstance(verdicts, str) or not isinstance(verdicts, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"verdicts must be a list, not {verdicts!r}")
    decisions: list[bool | None] = []
    for verdict in verdicts:
        outcome = verdict.outcome if isinstance(verdict, Verdict) else verdict
        if outcome not in outcomes:
            raise CiteguardError(f"expected a Verdict or an outcome, got {verdict!r}")
        decisions.append(None if outcome == "undecided" else outcome in wanted)
    return decisions


def _measures(pairs: list[tuple[bool, bool]]) -> dict[str, float | None]:
    if not pairs:
        names = ("precision", "recall", "f1", "recall_weighted_f", "accuracy", "balanced_accuracy")
        return dict.fromkeys(names)
    truth, decisions = zip(*pairs, strict=True)
    measures = library("sklearn.metrics")
    scores = measures.precision_recall_fscore_support(
        truth, decisions, average="binary", zero_division=math.nan
    )
    precision, recall, f1 = (None if math.isnan(each) else float(each) for each in scores[:3])
    has_both = len(set(truth)) > 1
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "recall_weighted_f": recall_weighted_f(precision, recall),
        "accuracy": float(measures.accuracy_score(truth, decisions)),
        "balanced_accuracy": (
            float(measures.balanced_accuracy_score(truth, decisions)) if has_both else None
        ),
    }

"""Decisions against labels: precision, recall and what follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from citeguard.metrics.inputs import read_decisions

# A false statement that is missed weighs more than a true one that is flagged: the weights by which
# citeguard's background documents rank detectors of false statements.
_RECALL_WEIGHT = 0.7


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
        recall_weighted_f: 0.3 precision + 0.7 recall, `None` if either is. The arithmetic mean, not
            van Rijsbergen's F: flagging everything has at least 0.7.
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

    You choose what is *positive*: that a statement is supported, or that it is not. Undecided items
    are excluded from every measure, so read it together with their number.

    Args:
        labels: The truth: `True` or 1 for a positive, `False` or 0 for a negative.
        decisions: The decision on each, in the same order; `None` where there was none.

    Raises:
        CiteguardError: a label or a decision cannot be read, or there are not as many of both.

    Examples:
        >>> classification_quality([1, 0, 0, 0], [1, 1, 0, 0]).f1
        0.6666666666666666
    """
    counts = Counter(zip(*read_decisions(labels, decisions), strict=True))
    tp, fp = counts[True, True], counts[False, True]
    fn, tn = counts[True, False], counts[False, False]
    precision, recall, others = _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(tn, tn + fp)
    weighted = balanced = None
    if precision is not None and recall is not None:
        weighted = (1 - _RECALL_WEIGHT) * precision + _RECALL_WEIGHT * recall
    if recall is not None and others is not None:
        balanced = (recall + others) / 2
    return ClassificationQuality(
        true_positives=tp,
        false_positives=fp,
        false_negatives=fn,
        true_negatives=tn,
        undecided_positives=counts[True, None],
        undecided_negatives=counts[False, None],
        precision=precision,
        recall=recall,
        f1=_ratio(2 * tp, 2 * tp + fp + fn),
        recall_weighted_f=weighted,
        accuracy=_ratio(tp + tn, tp + fp + fn + tn),
        balanced_accuracy=balanced,
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None

"""Scores against labels: how well they rank, whether they are probabilities, and thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.metrics.classification import ClassificationQuality, classification_quality
from citeguard.metrics.inputs import library, read_scores
from citeguard.metrics.shares import Interval, wilson_interval


def roc_auc(labels: Iterable[bool | int], scores: Iterable[float]) -> float | None:
    """Return how likely a positive has a higher score than a negative; equal scores count half.

    The area under the ROC curve: 1 if some threshold separates all positives from all negatives,
    0.5 if scores carry no information. By scikit-learn's `roc_auc_score`.

    Args:
        labels: The truth: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Finite numbers in the same order, higher for a positive.

    Returns:
        The area, 0 to 1; `None` unless there are positives and negatives.

    Raises:
        CiteguardError: a label or a score cannot be read, there are not as many of both, or
            scikit-learn is missing.

    Examples:
        >>> roc_auc([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])
        0.875
    """
    truth, values = read_scores(labels, scores)
    measures = library("sklearn.metrics")
    return float(measures.roc_auc_score(truth, values)) if len(set(truth)) > 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """The scores between two bounds, and how many of them were positives.

    Attributes:
        low: The lower bound; exclusive, except that the first bin includes 0.
        high: The upper bound, inclusive.
        count: How many scores lie in it; at least one.
        mean_score: Their mean.
        positive_share: The share of positives among them, 0 to 1.
    """

    low: float
    high: float
    count: int
    mean_score: float
    positive_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How far scores are from being probabilities.

    Attributes:
        error: The expected calibration error, 0 to 1, lower is better; `None` without scores.
        brier: The Brier score, 0 to 1, lower is better; `None` without scores.
        bins: The bins that contain scores, in order: a reliability diagram.
    """

    error: float | None
    brier: float | None
    bins: tuple[CalibrationBin, ...]


def calibration(
    labels: Iterable[bool | int], scores: Iterable[float], *, bins: int = 10
) -> Calibration:
    """Measure whether scores are probabilities: of those of 0.8, eight in ten are positives.

    The expected calibration error is Σ n(b)/N |share of positives in b - mean score in b| over bins
    b of equal width (M. P. Naeini, G. Cooper, M. Hauskrecht, "Obtaining Well Calibrated
    Probabilities Using Bayesian Binning", AAAI 2015; here of the score of the positive class, not
    of the confidence in the predicted class). It is biased upwards on small sets, and says nothing
    of how well scores separate positives from negatives. The Brier score, the mean of
    (score - label)², has no bins and improves with both.

    Args:
        labels: The truth: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Numbers from 0 to 1 in the same order, higher for a positive.
        bins: How many bins 0 to 1 is divided into; at least 1.

    Raises:
        CiteguardError: a label, a score or the number of bins cannot be read, or there are not as
            many labels as scores.

    Examples:
        >>> result = calibration([1, 1, 0, 0], [0.9, 0.9, 0.9, 0.1])
        >>> round(result.error, 3), round(result.brier, 3)
        (0.2, 0.21)
    """
    check_whole("bins", bins, 1)
    read = read_scores(labels, scores, bounded=True)
    truth, values = np.array(read[0], float), np.array(read[1], float)
    if not read[0]:
        return Calibration(error=None, brier=None, bins=())
    edges = np.linspace(0.0, 1.0, bins + 1)
    places = np.searchsorted(edges[1:-1], values)
    filled = tuple(
        CalibrationBin(
            low=float(edges[place]),
            high=float(edges[place + 1]),
            count=int((places == place).sum()),
            mean_score=float(values[places == place].mean()),
            positive_share=float(truth[places == place].mean()),
        )
        for place in np.unique(places)
    )
    gaps = (each.count * abs(each.positive_share - each.mean_score) for each in filled)
    return Calibration(
        error=sum(gaps) / len(values), brier=float(np.mean((values - truth) ** 2)), bins=filled
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A threshold, and its quality on the set that it was chosen on.

    Attributes:
        value: The lowest score that counts as positive, inclusive.
        quality: The quality of the decisions that it makes on the set.
        precision_interval: Wilson's interval around its precision.
        recall_interval: Wilson's interval around its recall.
    """

    value: float
    quality: ClassificationQuality
    precision_interval: Interval
    recall_interval: Interval


def find_threshold(
    labels: Iterable[bool | int],
    scores: Iterable[float],
    *,
    precision: float | None = None,
    recall: float | None = None,
    level: float = 0.95,
) -> Threshold | None:
    """Return the threshold that reaches a precision or a recall at the least cost of the other.

    For a precision it is the lowest threshold that reaches it, and so the one with the highest
    recall; for a recall it is the highest one. Only scores of the set are tried.

    The intervals are Wilson's (see `wilson_interval`). They treat the threshold as given, although
    it was chosen on the same labels, so they are optimistic, the more so the fewer labels there
    are: confirm a threshold on labels that it was not chosen on.

    Args:
        labels: The truth: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Finite numbers in the same order, higher for a positive.
        precision: The precision to reach, above 0 and up to 1; give either this or `recall`.
        recall: The recall to reach, above 0 and up to 1.
        level: The confidence of the intervals, above 0 and below 1.

    Returns:
        The threshold; `None` if none reaches the precision, or there are no positives.

    Raises:
        CiteguardError: both targets or neither, a number out of range, a label or a score that
            cannot be read, not as many of both, or scikit-learn is missing.

    Examples:
        >>> threshold = find_threshold([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.5, 0.2], precision=0.75)
        >>> threshold.value, threshold.quality.precision, threshold.quality.recall
        (0.5, 0.75, 1.0)
    """
    if (precision is None) == (recall is None):
        raise CiteguardError("a threshold is chosen for a precision or for a recall: give one")
    for name, target in (("precision", precision), ("recall", recall)):
        if target is not None:
            check_number(name, target, 0.0, 1.0, above=True)
    truth, values = read_scores(labels, scores)
    wilson_interval(0, 0, level=level)  # a level out of range is an error without labels, too
    if not any(truth):
        return None
    curve: Any = library("sklearn.metrics").precision_recall_curve(truth, values)
    # Thresholds ascend; the curve ends with an additional point, which has no threshold.
    precisions, recalls, thresholds = (each.tolist() for each in curve)
    reached = [
        value
        for value, p, r in zip(thresholds, precisions, recalls, strict=False)
        if (p >= precision if precision is not None else r >= (recall or 0.0))
    ]
    if not reached:
        return None
    value = min(reached) if precision is not None else max(reached)
    quality = classification_quality(truth, [score >= value for score in values])
    hits = quality.true_positives
    precise, recalled = (
        # There are trials: the threshold is one of the scores, and there are positives.
        cast("Interval", wilson_interval(hits, hits + missed, level=level))
        for missed in (quality.false_positives, quality.false_negatives)
    )
    return Threshold(
        value=value, quality=quality, precision_interval=precise, recall_interval=recalled
    )

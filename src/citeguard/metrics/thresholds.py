"""Where to draw the line on a labelled set: `find_threshold`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from citeguard.errors import CiteguardError, check_number
from citeguard.metrics.classification import ClassificationQuality, classification_quality
from citeguard.metrics.reading import check_lengths, library, read_labels, read_scores
from citeguard.metrics.shares import Interval, check_level, wilson_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A threshold, and what it does on the set that it was chosen on.

    Attributes:
        value: The least score that counts as positive, inclusive.
        quality: What deciding by it gives on the set.
        precision_interval: Wilson's interval around its precision.
        recall_interval: Wilson's interval around its recall.

    Examples:
        >>> found = find_threshold([1, 1, 0], [0.9, 0.7, 0.3], recall=1)
        >>> found.value, round(found.recall_interval.low, 2), found.recall_interval.high
        (0.7, 0.34, 1.0)
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
    """Return the threshold that reaches a precision or a recall and costs least of the other.

    For a precision it is the lowest threshold that has it, and so the one with the highest recall;
    for a recall it is the highest one. Only scores of the set are tried.

    The intervals are Wilson's (see `wilson_interval`). They take the threshold as given, though it
    was chosen on the same labels, so that they are optimistic, the more so the fewer labels there
    are: confirm a threshold on labels that had no part in it.

    Args:
        labels: What is so: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Finite numbers in the same order, higher for a positive.
        precision: The precision to reach, above 0 and up to 1; name this or `recall`.
        recall: The recall to reach, above 0 and up to 1.
        level: The confidence of the intervals, above 0 and below 1.

    Returns:
        The threshold; `None` if none reaches the precision, or there are no positives.

    Raises:
        CiteguardError: both targets or neither, a number out of range, a label or a score that is
            none, not as many of both, or scikit-learn is missing.

    Examples:
        >>> found = find_threshold([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.5, 0.2], precision=0.75)
        >>> found.value, found.quality.precision, found.quality.recall
        (0.5, 0.75, 1.0)
    """
    _check_targets(precision, recall)
    check_level(level)
    truth, given = read_labels(labels), read_scores(scores)
    check_lengths(truth, given, "scores")
    value = _threshold(truth, given, precision, recall) if any(truth) else None
    if value is None:
        return None
    quality = classification_quality(truth, [score >= value for score in given])
    hits = quality.true_positives
    return Threshold(
        value=value,
        quality=quality,
        precision_interval=_interval(hits, hits + quality.false_positives, level),
        recall_interval=_interval(hits, hits + quality.false_negatives, level),
    )


def _check_targets(precision: float | None, recall: float | None) -> None:
    if (precision is None) == (recall is None):
        raise CiteguardError("a threshold is chosen for a precision or for a recall: name one")
    if precision is not None:
        check_number("precision", precision, 0.0, 1.0, above=True)
    else:
        check_number("recall", recall, 0.0, 1.0, above=True)


def _threshold(
    truth: list[bool], scores: list[float], precision: float | None, recall: float | None
) -> float | None:
    curve: Any = library("sklearn.metrics").precision_recall_curve(truth, scores)
    # Thresholds ascend; the curve ends with a point of its own, which has no threshold.
    precisions, recalls, thresholds = (each.tolist() for each in curve)
    if recall is not None:
        return max(v for v, r in zip(thresholds, recalls, strict=False) if r >= recall)
    wanted = precision or 0.0
    return min(
        (v for v, p in zip(thresholds, precisions, strict=False) if p >= wanted), default=None
    )


def _interval(successes: int, trials: int, level: float) -> Interval:
    # There are trials: a threshold is one of the scores, and there are positives.
    return cast("Interval", wilson_interval(successes, trials, level=level))

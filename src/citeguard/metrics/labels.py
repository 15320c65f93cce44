"""Decisions and scores against labels: precision and recall, ranking, calibration, thresholds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

import numpy as np

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.metrics.shares import Interval, as_python, library, wilson_interval

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
    counts = Counter(zip(*_read_decisions(labels, decisions), strict=True))
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
    truth, values = _read_scores(labels, scores)
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
    read = _read_scores(labels, scores, bounded=True)
    truth, values = np.array(read[0], float), np.array(read[1], float)
    if not read[0]:
        return Calibration(error=None, brier=None, bins=())
    edges = np.linspace(0.0, 1.0, bins + 1)
    # A score on a border is in the bin below it.
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
    truth, values = _read_scores(labels, scores)
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


# Labels, decisions and scores, as they were given


def _read_decisions(
    labels: Iterable[Any], decisions: Iterable[Any]
) -> tuple[list[bool], list[bool | None]]:
    """Return labels as booleans, and decisions, too, with `None` for one that was not made."""
    made = [_read_bool(each, f"decision {n}") for n, each in enumerate(_listed(decisions))]
    return _read_labels(labels, len(made), "decisions"), made


def _read_scores(
    labels: Iterable[Any], scores: Iterable[Any], *, bounded: bool = False
) -> tuple[list[bool], list[float]]:
    """Return labels as booleans, and their scores as finite numbers; from 0 to 1 if `bounded`."""
    values: list[float] = []
    for place, score in enumerate(_listed(scores)):
        number = math.nan
        with suppress(OverflowError):  # an integer may be larger than any float
            number = float(score) if _is_number(score) else math.nan
        if not math.isfinite(number) or (bounded and not 0 <= number <= 1):
            wanted = "a number from 0 to 1" if bounded else "a finite number"
            raise CiteguardError(
                f"score {place} must be {wanted}, not {score!r}; omit what has no score"
            )
        values.append(number)
    return _read_labels(labels, len(values), "scores"), values


def _read_labels(labels: Iterable[Any], count: int, name: str) -> list[bool]:
    listed = _listed(labels)
    truth = [_read_bool(each, f"label {n}", required=True) for n, each in enumerate(listed)]
    if len(truth) != count:
        raise CiteguardError(
            f"every label needs one of the {name}; there are {len(truth)} labels and {count} {name}"
        )
    return cast("list[bool]", truth)


def _read_bool(value: Any, name: str, *, required: bool = False) -> bool | None:
    if value is None and not required:
        return None
    if not _is_number(value) or value not in (0, 1):
        raise CiteguardError(f"{name} must be True or False, 1 or 0, not {value!r}")
    return bool(value)


def _listed(given: Any) -> list[Any]:
    values = as_python(given, "tolist")
    # A mapping iterates over its keys, and a set in any order.
    unfit = isinstance(values, (str, bytes, bytearray, Mapping, Set))
    if unfit or not isinstance(values, Iterable):
        raise CiteguardError(f"labels, decisions and scores must be lists, not {given!r}")
    return list(cast("Iterable[Any]", values))


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, np.bool_))

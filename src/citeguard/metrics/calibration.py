"""Whether scores can be read as probabilities: `calibration`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from citeguard.errors import check_whole
from citeguard.metrics.reading import check_lengths, library, read_labels, read_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """The scores between two bounds, and how many of them were positives.

    Attributes:
        low: The lower bound, exclusive but for the first bin's, 0.
        high: The upper bound, inclusive.
        count: How many scores there are in it; at least one.
        mean_score: Their mean.
        positive_share: The share of positives among them, 0 to 1.

    Examples:
        >>> calibration([True], [0.75], bins=2).bins
        (CalibrationBin(low=0.5, high=1.0, count=1, mean_score=0.75, positive_share=1.0),)
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
        error: The expected calibration error, 0 to 1, lower is better; `None` of no scores.
        brier: The Brier score, 0 to 1, lower is better; `None` of no scores.
        bins: The bins that have scores in them, in order: a reliability diagram.

    Examples:
        >>> calibration([], [])
        Calibration(error=None, brier=None, bins=())
    """

    error: float | None
    brier: float | None
    bins: tuple[CalibrationBin, ...]


def calibration(
    labels: Iterable[bool | int], scores: Iterable[float], *, bins: int = 10
) -> Calibration:
    """Measure whether of all with a score of 0.8, eight in ten are positives.

    The expected calibration error is Σ n(b)/N |share of positives in b - mean score in b| over bins
    b of equal width (M. P. Naeini, G. Cooper, M. Hauskrecht, "Obtaining Well Calibrated
    Probabilities Using Bayesian Binning", AAAI 2015; here of the score of the positive class, not
    of the confidence in whichever class is predicted). It depends on the number of bins, is biased
    upwards on small sets, and says nothing of how well scores tell positives from negatives: the
    share of positives as the score of all has none. The Brier score, the mean of (score - label)²,
    has no bins and falls with both.

    The bins are those of scikit-learn's `calibration_curve`, the Brier score is its
    `brier_score_loss`.

    Args:
        labels: What is so: `True` or 1 for a positive, `False` or 0 for a negative.
        scores: Numbers from 0 to 1 in the same order, higher for a positive.
        bins: How many bins 0 to 1 is cut into; at least 1.

    Raises:
        CiteguardError: a label, a score or the number of bins is none, there are not as many labels
            as scores, or scikit-learn is missing.

    Examples:
        >>> found = calibration([1, 1, 0, 0], [0.9, 0.9, 0.9, 0.1])
        >>> round(found.error, 3), round(found.brier, 3)
        (0.2, 0.21)
    """
    check_whole("bins", bins, 1)
    truth, given = read_labels(labels), read_scores(scores, bounded=True)
    check_lengths(truth, given, "scores")
    if not truth:
        return Calibration(error=None, brier=None, bins=())
    filled = _bins(truth, given, bins)
    distances = (each.count * abs(each.positive_share - each.mean_score) for each in filled)
    return Calibration(
        error=sum(distances) / len(truth),
        brier=float(library("sklearn.metrics").brier_score_loss(truth, given)),
        bins=filled,
    )


def _bins(truth: list[bool], scores: list[float], bins: int) -> tuple[CalibrationBin, ...]:
    shares, means = library("sklearn.calibration").calibration_curve(truth, scores, n_bins=bins)
    edges: Any = np.linspace(0.0, 1.0, bins + 1)
    # As scikit-learn does it: it tells neither how many scores a bin has nor which bins have any.
    counts = np.bincount(np.searchsorted(edges[1:-1], scores), minlength=bins)
    return tuple(
        CalibrationBin(
            low=float(edges[place]),
            high=float(edges[place + 1]),
            count=int(counts[place]),
            mean_score=float(mean),
            positive_share=float(share),
        )
        for place, share, mean in zip(np.flatnonzero(counts), shares, means, strict=True)
    )

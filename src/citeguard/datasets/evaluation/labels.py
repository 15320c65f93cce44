"""Verdicts on samples against their labels: `LabelQuality`."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from citeguard.errors import CiteguardError, check_number
from citeguard.metrics.classification import ClassificationQuality, classification_quality
from citeguard.metrics.scores import Calibration, Threshold, calibration, find_threshold, roc_auc

# As a key, 1 is also True, 1.0 and numpy's.
_LABELS: dict[Hashable, bool] = {
    **dict.fromkeys(("supported", "true", "1", 1), True),
    **dict.fromkeys(("unsupported", "contradicted", "false", "0", 0), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a threshold is to reach: a precision or a recall, above 0 and up to 1; or neither.

    Attributes:
        precision: The precision of what counts as supported.
        recall: The recall of what is supported.

    Raises:
        CiteguardError: both, or a number out of range.
    """

    precision: float | None = None
    recall: float | None = None

    def __post_init__(self) -> None:
        """Refuse both: one of them decides."""
        if self.precision is not None and self.recall is not None:
            raise CiteguardError("a threshold is chosen for a precision or for a recall: name one")
        for name, value in (("precision", self.precision), ("recall", self.recall)):
            if value is not None:
                check_number(name, value, 0.0, 1.0, above=True)

    def __bool__(self) -> bool:
        """Tell whether there is one."""
        return self.precision is not None or self.recall is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A sample that has a label.

    Attributes:
        label: Whether its answer is supported.
        decision: Whether it was found to be; `None` if nobody could tell.
        score: How well it is supported, 0 to 1; `None` if nobody graded it.
    """

    label: bool
    decision: bool | None
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelQuality:
    """How the verdicts on samples agree with their labels.

    Attributes:
        supported: With supported samples as the positives: of those kept, which share is supported?
        wrong: With the others as the positives: of those that are wrong, which share was found?
        scored: How many labelled samples have a score. What follows is of these.
        roc_auc: How likely a supported one has a higher score than a wrong one.
        calibration: How far scores are from probabilities of being supported.
        target: What the threshold was to reach.
        threshold: The least score with which a sample is to count as supported; `None` if no score
            reaches the target, or there is none.
        unlabelled: How many samples have no label; they are no part of this.
    """

    supported: ClassificationQuality
    wrong: ClassificationQuality
    scored: int
    roc_auc: float | None
    calibration: Calibration
    target: Target
    threshold: Threshold | None
    unlabelled: int

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON-like data; what is not defined is `None`."""
        threshold = None if self.threshold is None else asdict(self.threshold)
        return {
            "unlabelled": self.unlabelled,
            "labelled": self.supported.decided + self.supported.undecided,
            "supported": asdict(self.supported),
            "wrong": asdict(self.wrong),
            "scored": self.scored,
            "roc_auc": self.roc_auc,
            "calibration": asdict(self.calibration),
            "target": asdict(self.target),
            "threshold": threshold,
        }


def read_label(value: Any, number: int) -> bool | None:
    """Return whether a label says that a sample is supported; `None` if there is no label.

    In frames where some are missing, numbers have become 1.0 and 0.0, and what is missing NaN.

    Raises:
        CiteguardError: it says neither.

    Examples:
        >>> [read_label(value, 1) for value in ("supported", "contradicted", 1, False, None)]
        [True, False, True, False, None]
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    said = value.strip().lower() if isinstance(value, str) else value
    label = _LABELS.get(said) if isinstance(said, Hashable) else None
    if label is None:
        known = ", ".join(dict.fromkeys(map(str, _LABELS)))
        raise CiteguardError(f"sample {number}: the label must be one of {known}, not {value!r}")
    return label


def label_quality(labelled: Sequence[Labelled], target: Target, *, unlabelled: int) -> LabelQuality:
    """Measure verdicts against labels.

    Raises:
        CiteguardError: scikit-learn or SciPy is missing.
    """
    labels = [each.label for each in labelled]
    decisions = [each.decision for each in labelled]
    graded = [(each.label, each.score) for each in labelled if each.score is not None]
    truth, scores = [label for label, _ in graded], [score for _, score in graded]
    wanted: Mapping[str, Any] = asdict(target)
    return LabelQuality(
        supported=classification_quality(labels, decisions),
        wrong=classification_quality(_opposites(labels), _opposites(decisions)),
        scored=len(graded),
        roc_auc=roc_auc(truth, scores),
        calibration=calibration(truth, scores),
        target=target,
        threshold=find_threshold(truth, scores, **wanted) if target else None,
        unlabelled=unlabelled,
    )


def _opposites(values: Iterable[bool | None]) -> list[Any]:
    return [None if value is None else not value for value in values]

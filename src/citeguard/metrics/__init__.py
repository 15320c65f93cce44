"""How good answers, citations and judges are, measured on sets of them.

Citations without gold ones (`citation_quality`) and against gold ones (`citation_overlap`);
decisions (`classification_quality`), scores (`roc_auc`, `average_precision`, `calibration`) and
thresholds (`find_threshold`) against labels. Every measure is from 0 to 1. Where one is not
defined, for want of anything to measure, it is `None`, never 0 or NaN; what cannot be measured at
all, such as a label that is no yes or no, is a `CiteguardError`.

The figures are those of scikit-learn, SciPy and rouge-score, which the extra `metrics` installs.
"""

from citeguard.metrics.calibration import Calibration, CalibrationBin, calibration
from citeguard.metrics.citations import (
    AnswerCitations,
    CitationQuality,
    StatementCitations,
    citation_quality,
)
from citeguard.metrics.cited import CitedStatement, cited_statements
from citeguard.metrics.classification import (
    ClassificationQuality,
    average_precision,
    classification_quality,
    decisions_of,
    recall_weighted_f,
    roc_auc,
)
from citeguard.metrics.overlap import CitationOverlap, CitationPair, citation_overlap, rouge_l
from citeguard.metrics.shares import Interval, Share, wilson_interval
from citeguard.metrics.thresholds import Threshold, find_threshold

__all__ = [
    "AnswerCitations",
    "Calibration",
    "CalibrationBin",
    "CitationOverlap",
    "CitationPair",
    "CitationQuality",
    "CitedStatement",
    "ClassificationQuality",
    "Interval",
    "Share",
    "StatementCitations",
    "Threshold",
    "average_precision",
    "calibration",
    "citation_overlap",
    "citation_quality",
    "cited_statements",
    "classification_quality",
    "decisions_of",
    "find_threshold",
    "recall_weighted_f",
    "roc_auc",
    "rouge_l",
    "wilson_interval",
]

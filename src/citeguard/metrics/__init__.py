"""How good answers, citations and judges are, measured on sets of them.

Citations without gold ones (`citation_quality`) and against gold ones (`citation_overlap`);
decisions (`classification_quality`), scores (`roc_auc`, `calibration`) and
thresholds (`find_threshold`) against labels. Every measure is from 0 to 1. A measure that is not
defined, because there is nothing to measure, is `None`, never 0 or NaN; an argument that cannot be
measured, such as a label other than yes or no, is a `CiteguardError`.

scikit-learn, SciPy and rouge-score compute the figures; the extra `metrics` installs them.
"""

from citeguard.metrics.citations import (
    CitationOverlap,
    CitationQuality,
    CitedStatement,
    StatementCitations,
    citation_overlap,
    citation_quality,
    cited_statements,
    rouge_l,
)
from citeguard.metrics.labels import (
    Calibration,
    CalibrationBin,
    ClassificationQuality,
    Threshold,
    calibration,
    classification_quality,
    find_threshold,
    roc_auc,
)
from citeguard.metrics.shares import Interval, Share, wilson_interval

__all__ = [
    "Calibration",
    "CalibrationBin",
    "CitationOverlap",
    "CitationQuality",
    "CitedStatement",
    "ClassificationQuality",
    "Interval",
    "Share",
    "StatementCitations",
    "Threshold",
    "calibration",
    "citation_overlap",
    "citation_quality",
    "cited_statements",
    "classification_quality",
    "find_threshold",
    "roc_auc",
    "rouge_l",
    "wilson_interval",
]

"""What audits say of single sentences, with several pairs of the verifier's thresholds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import NamedTuple

from citeguard.reports.report import Report, AuditVerdict
from citeguard.judges.grounding import GroundingVerifier
from citeguard.verifier.model import Model

from ..tables import table
from .detectors import WRONG, audited
from .material import Answer
from .measuring import counted, percent, total

_THRESHOLDS = ((0.34, 0.66), (0.4, 0.66), (0.45, 0.66), (0.5, 0.5))
_WORST_FIRST: tuple[AuditVerdict, ...] = (
    *("contradicted", "not_found", "partly_supported"),
    *("undecided", "supported", "not_checkable"),
)


class Figures(NamedTuple):
    """Shares, 0 to 1; those of the last four are of the sentences with one label."""

    precision: float
    recall: float
    f1: float
    f2: float
    weighted: float
    undecided: float
    wrong_supported: float
    right_supported: float
    right_flagged: float
    right_contradicted: float


_COLUMNS = (
    *("precision", "recall", "F1", "F2", "0.3 P + 0.7 R", "undecided"),
    *("wrong but supported", "correct and supported", "correct but flagged"),
    "correct but contradicted",
)


def claim_tables(
    sets: Mapping[str, Sequence[Answer]], models: Mapping[str, Model]
) -> Iterator[str]:
    """Write the figures of each data set with the fitted thresholds, then the means with others.

    A sentence gets the worst verdict of its claims.

    Args:
        sets: The data sets, whose answers are sentences.
        models: For each a model that was fitted without it.
    """
    measured = {
        thresholds: {name: _told(sets[name], models[name], *thresholds) for name in sets}
        for thresholds in _THRESHOLDS
    }
    for development, half in ((True, "development"), (False, "test")):
        rows = [
            (name, *map(percent, _figures(sets[name], told, development)))
            for name, told in measured[_THRESHOLDS[0]].items()
        ]
        title = f"Sentences, fitted thresholds, {half} half (percent)"
        yield from table(title, ["data set", *_COLUMNS], rows)
        means = [
            (f"{low}, {high}", *map(percent, _means(sets, measured[low, high], development)))
            for low, high in _THRESHOLDS
        ]
        title = f"Sentences by thresholds, {half} half, means of the data sets (percent)"
        yield from table(title, ["`unsupported_below`, `supported_from`", *_COLUMNS], means)


def _told(answers: Sequence[Answer], model: Model, low: float, high: float) -> list[AuditVerdict]:
    judge = partial(GroundingVerifier, unsupported_below=low, supported_from=high)
    return [_worst(report) for report in audited(answers, model=model, judge=judge)]


def _worst(report: Report) -> AuditVerdict:
    told = {claim.verdict for claim in report.claims}
    return next((verdict for verdict in _WORST_FIRST if verdict in told), "not_checkable")


def _means(
    sets: Mapping[str, Sequence[Answer]],
    told: Mapping[str, Sequence[AuditVerdict]],
    development: bool,
) -> Figures:
    figures = [_figures(sets[name], told[name], development) for name in sets]
    return Figures(*(fmean(column) for column in zip(*figures, strict=True)))


def _figures(answers: Sequence[Answer], told: Sequence[AuditVerdict], development: bool) -> Figures:
    """Return the figures of a half; sentences that are not checkable are left out."""
    pairs = [
        (answer.wrong, verdict)
        for answer, verdict in zip(answers, told, strict=True)
        if answer.development is development and verdict != "not_checkable"
    ]
    found = total(counted(wrong, verdict in WRONG) for wrong, verdict in pairs)
    right = _shares([verdict for wrong, verdict in pairs if not wrong])
    wrong = _shares([verdict for wrong, verdict in pairs if wrong])
    return Figures(
        found.precision,
        found.recall,
        found.f(),
        found.f(2),
        found.weighted,
        _shares([verdict for _, verdict in pairs])["undecided"],
        wrong["supported"],
        right["supported"],
        sum(right[verdict] for verdict in WRONG),
        right["contradicted"],
    )


def _shares(told: Sequence[AuditVerdict]) -> dict[AuditVerdict, float]:
    counts = Counter(told)
    return {verdict: counts[verdict] / max(1, len(told)) for verdict in _WORST_FIRST}

"""The figures of the verifier on data that it was not trained on, as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from citeguard.judges.grounding import GroundingVerifier
from citeguard.judges.verdicts import Evidence, SupportQuestion

from ..tables import table
from .baselines import Cosine, coverage
from .data import MIXED, UNSEEN, Item
from .fitting import Floats
from .polarity import CHANGES, KEPT
from .training import Material, calibrate

_LEXICAL = ("coverage", "best_sentence", "best_window")


def held_out_table(
    material: Material, scores: Mapping[str, Floats], cosine: Cosine | None
) -> Iterator[str]:
    """Write the figures per data set, each from a model that has not seen the set.

    Thresholds, those of the baselines too, are chosen on the other sets.
    """
    names = [*MIXED, *UNSEEN]
    lexical = {
        feature: _Scores(material, {name: coverage(material.rows[name], feature) for name in names})
        for feature in _LEXICAL
    }
    best = max(_LEXICAL, key=lambda each: sum(map(lexical[each].transferred, MIXED)))
    others = {best.replace("_", " "): lexical[best]}
    if cosine is not None:
        others["cosine"] = _Scores(material, {name: cosine(material.items[name]) for name in names})
    rows = [_row(name, material, scores, others) for name in names]
    means = [
        float(np.mean([row[place] for row in rows[: len(MIXED)]])) for place in range(len(rows[0]))
    ]
    columns = ["AUC", "balanced accuracy", "decided", "of those, correct", "balanced"]
    columns += [f"{what} of {name}" for name in others for what in ("AUC", "balanced accuracy")]
    printed = [
        (name, *(f"{100 * value:.1f}" for value in row))
        for name, row in zip([*names, f"mean of {len(MIXED)}"], [*rows, means], strict=True)
    ]
    yield from table("Held-out data sets (percent)", ["data set", *columns], printed)


def curve_table(material: Material, scores: Mapping[str, Floats]) -> Iterator[str]:
    """Write how much is right with how many verdicts, as means over the data sets."""
    known = [
        (material.rows[name].supported, calibrate(material, scores, name).probability(scores[name]))
        for name in MIXED
    ]
    rows: list[tuple[str, ...]] = []
    for distance in np.arange(0, 0.4, 0.05):
        low, high = 0.5 - distance, 0.5 + distance
        figures = np.mean([_selective(*each, low, high) for each in known], axis=0)
        rows.append((f"{low:.2f}", f"{high:.2f}", *(f"{100 * each:.0f}" for each in figures[:2])))
    columns = ["`unsupported_below`", "`supported_from`", "decided", "of those, correct"]
    yield from table("Held-out data sets by thresholds (percent)", columns, rows)


def _row(
    name: str,
    material: Material,
    scores: Mapping[str, Floats],
    others: Mapping[str, _Scores],
) -> list[float]:
    label = material.rows[name].supported
    calibration = calibrate(material, scores, without=name)
    probability = calibration.probability(scores[name])
    figures = [_auc(label, probability), _balanced(label, probability >= 0.5)]
    low, high = calibration.unsupported_below, calibration.supported_from
    figures += _selective(label, probability, low, high)
    for other in others.values():
        figures += [other.auc(name), other.transferred(name)]
    return figures


def _selective(label: np.ndarray, probability: Floats, low: float, high: float) -> list[float]:
    """Return the share decided, the share right of those, and the same with both labels alike."""
    supported = probability >= high
    decided = supported | (probability < low)
    right = (supported == label)[decided]
    weight = np.where(label, 0.5 / label.sum(), 0.5 / (~label).sum())[decided]
    return [
        float(decided.mean()),
        float(right.mean()),
        float((right * weight).sum() / weight.sum()),
    ]


def _auc(label: np.ndarray, score: Floats) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(label, score))


def _balanced(label: np.ndarray, told: np.ndarray) -> float:
    return float((told[label].mean() + (~told[~label]).mean()) / 2)


class _Scores:
    """Scores of all data sets, from 0 to 1, and how good each threshold is on each of them.

    Statements whose score is NaN are left out.
    """

    _BORDERS = np.linspace(0, 1, 101)

    def __init__(self, material: Material, scores: Mapping[str, Floats]) -> None:
        self._known: dict[str, tuple[np.ndarray, Floats]] = {}
        for name, given in scores.items():
            there = ~np.isnan(given)
            self._known[name] = (material.rows[name].supported[there], given[there])
        self._curves = {
            name: np.array([_balanced(label, score >= border) for border in self._BORDERS])
            for name, (label, score) in self._known.items()
        }

    def auc(self, name: str) -> float:
        """Return the area under the ROC curve."""
        return _auc(*self._known[name])

    def transferred(self, name: str) -> float:
        """Return the balanced accuracy with the threshold that is best on all other data sets."""
        others = [self._curves[other] for other in MIXED if other != name]
        return float(self._curves[name][int(np.argmax(np.mean(others, axis=0)))])


def polarity_table(items: Sequence[Item]) -> Iterator[str]:
    """Write what the shipped verifier says of statements that differ in one fact, or in none."""
    verifier = GroundingVerifier()
    outcomes: dict[str, list[str]] = {}
    for item in items:
        evidence = tuple(Evidence(text=text) for text in item.evidence)
        (verdict,) = verifier.judge([SupportQuestion(statement=item.statement, evidence=evidence)])
        outcomes.setdefault(item.id.split("-")[0], []).append(verdict.outcome)
    said = ("supported", "undecided", "unsupported", "contradicted")
    rows = [
        (
            kind,
            len(outcomes[kind]),
            *(f"{100 * outcomes[kind].count(each) / len(outcomes[kind]):.1f}" for each in said),
        )
        for kind in (*CHANGES, "absent", *KEPT)
    ]
    yield from table("Sentences changed by rule (percent)", ["change", "count", *said], rows)

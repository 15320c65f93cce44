"""What is fitted to a reader after training: how sure it is, and from where it decides."""

# scikit-learn's types are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from citeguard.errors import CiteguardError, check_number
from citeguard.facts.aligned import in_the_same_form
from citeguard.judges.reader import differs
from citeguard.reader import answering
from citeguard.reader.entailing import FittedReader, features
from citeguard.reader.model import SETTINGS, Reader
from citeguard.reader.windows import windows
from citeguard.training.pairs import AnswerPair, EntailmentPair, read_given

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FEWEST = 0.01  # share of the right ones above a threshold, for it to mean something


def calibrate_reader(
    folder: str | os.PathLike[str],
    pairs: Iterable[EntailmentPair],
    *,
    questions: Sequence[AnswerPair] = (),
    right: float = 0.9,
) -> None:
    """Fit a reader's probabilities and thresholds to labelled pairs; overwrites its `reader.json`.

    What the windows of a passage say is weighed by a logistic model of eight numbers (of three, for
    questions), with as much weight on the supported pairs as on the others. The thresholds are the
    lowest at which a verdict is right as often as asked for, at even odds.

    Args:
        folder: The folder of a reader.
        pairs: Some hundreds that it was not trained on, like those to come: it is surer of pairs
            that it knows. Premises may be long; they are read as evidence is. Neutral pairs are
            needed as well as contradicted ones.
        questions: The same for questions; without any, what was fitted to them stays.
        right: How often a verdict should be right, 0.5 to 1.

    Raises:
        CiteguardError: No pairs, pairs of one kind only, something that is no pair, or no reader.
    """
    check_number("calibrate_reader(right=...)", right, 0.5, 1)
    reader = Reader(folder)
    settings = dict(reader.settings)
    rows = [(row, _measured(reader, row)) for row in read_given("calibrate_reader", pairs)]
    read = [(row.label, found) for row, found in rows if found is not None]
    known = [each for each in read if each[0] != "not_supported"]
    supported = np.array([label == "supported" for label, _ in read])
    contradicted = np.array([label == "contradicted" for label, _ in known])
    support = _Fit("supported", np.array([found for _, found in read]), supported)
    against = _Fit("contradicted", np.array([found for _, found in known]), contradicted)
    supported_from = _least(support.probable, supported, right)
    unsupported_below = 1 - _least(1 - support.probable, ~supported, right)
    settings["entails"] = {
        "supported": support.weights,
        "contradicted": against.weights,
        "thresholds": {
            "supported_from": supported_from,
            "contradicted_from": _least(against.probable, contradicted, right),
            "unsupported_below": round(min(unsupported_below, supported_from), 3),
        },
    }
    if questions:
        labels = np.array([each.answers for each in questions])
        measured = [
            answering.features(each.question, each.passage, reader=reader) for each in questions
        ]
        fit = _Fit("answered", np.array(measured), labels)
        settings["answers"] = {
            "weights": fit.weights,
            "thresholds": {"answered_from": _least(fit.probable, labels, right)},
        }
    Path(folder, SETTINGS).write_text(json.dumps(settings, indent=1) + "\n", "utf-8")


def _measured(reader: Reader, row: EntailmentPair) -> list[float] | None:
    """Return what is weighed for a pair; `None` if no window of the premise can be read."""
    stated = row.hypothesis
    found = windows(stated, [row.premise])
    pairs = [(in_the_same_form(stated, each.text), each.text) for each in found]
    read = FittedReader(reader).read(pairs)
    scored = [each for each in zip(found, read, strict=True) if not math.isnan(each[1].entailment)]
    return [*features(scored), float(differs(stated, scored))] if scored else None


class _Fit:
    """A logistic model of a few numbers."""

    def __init__(self, about: str, measured: NDArray[np.float64], labels: NDArray[np.bool]) -> None:
        if labels.all() or not labels.any():
            raise CiteguardError(f"calibrate_reader() needs pairs that are {about}, and others")
        fitted: Any = LogisticRegression(class_weight="balanced").fit(measured, labels)
        self.probable: NDArray[np.float64] = fitted.predict_proba(measured)[:, 1]
        self.weights = [round(float(each), 4) for each in (*fitted.intercept_, *fitted.coef_[0])]


def _least(probable: NDArray[np.float64], labels: NDArray[np.bool], right: float) -> float:
    """Return the lowest threshold from which so many are right, if both kinds are as frequent.

    1 if there is none.
    """
    best = 1.0
    for threshold in np.unique(probable.round(3))[::-1]:
        hits = float((probable[labels] >= threshold).mean())
        misses = float((probable[~labels] >= threshold).mean())
        if hits > _FEWEST and hits >= right * (hits + misses):
            best = float(threshold)
    return best

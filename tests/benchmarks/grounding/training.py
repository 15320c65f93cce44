"""Train the verifier, and measure it on data sets that it was not trained on."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.judges.entailment import PairScores
from citeguard.verifier.features import NAMES

from ..entailment.material import is_reserved, is_trained
from .data import MIXED, UNSEEN, Item, load
from .fitting import (
    Floats,
    Rarities,
    Rows,
    as_trees,
    fit,
    log_odds,
    rarities,
    rows_of,
    selected,
)
from .polarity import polarity_items

MOST_OF_A_SET = 1_200
"""Statements of a data set that are measured with the entailment model."""

DECIDED = 0.5
"""The share of statements, over all data sets alike, that the thresholds are chosen to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The data, measured.

    Attributes:
        items: The items of each data set.
        rows: Their features.
        trained: For each item whether models are trained on it: not on documents of the floors.
        made: Statements made by rule, for training.
        kept: More of them, from other texts, for measuring.
        rarity: How rare words are.
    """

    items: Mapping[str, Sequence[Item]]
    rows: Mapping[str, Rows]
    trained: Mapping[str, NDArray[np.bool_]]
    made: Rows
    kept: Sequence[Item]
    rarity: Rarities

    def training_rows(self, name: str) -> Rows:
        """Return the features of the items of a data set that models are trained on."""
        return selected(self.rows[name], self.trained[name])


def material(folder: Path, entails: PairScores | None = None) -> Material:
    """Read and measure all data sets.

    Args:
        folder: Where they are.
        entails: The entailment model, if its scores are features. Then fewer statements are
            measured, for it takes a while, and none that it was trained on: there it is too sure.
    """
    items = {name: load(folder, name) for name in (*MIXED, *UNSEEN)}
    rarity = rarities([item for name in MIXED for item in items[name] if not item.excluded])
    if entails is not None:
        items = {name: _unseen(name, items[name]) for name in items}
    trained = {
        name: np.array(
            [not item.excluded and not is_reserved(name, item.evidence) for item in each]
        )
        if entails
        else np.array([not item.excluded for item in each])
        for name, each in items.items()
    }
    mixed = [
        item
        for name in MIXED
        for item, is_used in zip(items[name], trained[name], strict=True)
        if is_used
    ]
    made, kept = (polarity_items(mixed, part=part) for part in (0, 1))
    return Material(
        items=items,
        rows={name: rows_of(items[name], rarity, entails) for name in items},
        trained=trained,
        made=rows_of(made, rarity, entails),
        kept=kept,
        rarity=rarity,
    )


def _unseen(name: str, items: Sequence[Item]) -> list[Item]:
    """Return the statements that the entailment model was not trained on, not too many."""
    left = [item for item in items if not is_trained(name, item.evidence)]
    return Random(name).sample(left, min(len(left), MOST_OF_A_SET))


def held_out(material: Material) -> dict[str, Floats]:
    """Return the raw scores of each data set, from a model trained on all others."""
    return {
        name: log_odds(_fitted(material, without=name), material.rows[name])
        for name in material.rows
    }


def _fitted(material: Material, *, without: str | None = None) -> Any:
    return fit(
        [*(material.training_rows(name) for name in MIXED if name != without), material.made]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What makes a probability of a raw score, and the thresholds for it."""

    slope: float
    shift: float
    supported_from: float
    unsupported_below: float

    def probability(self, raw: Floats) -> Floats:
        return 1 / (1 + np.exp(-(self.slope * np.nan_to_num(raw) + self.shift)))


def calibrate(
    material: Material, scores: Mapping[str, Floats], without: str | None = None
) -> Calibration:
    """Fit the probability, and choose the thresholds, on the scores of held-out data sets.

    The thresholds lie as far above and below 0.5 as leaves half of the statements undecided.
    """
    from sklearn.linear_model import LogisticRegression

    names = [name for name in MIXED if name != without]
    raw = np.concatenate([np.nan_to_num(scores[name][material.trained[name]]) for name in names])
    rows = [material.training_rows(name) for name in names]
    label = np.concatenate([each.supported for each in rows])
    weight = np.concatenate([_weight(each) for each in rows])
    line = LogisticRegression(C=1e6).fit(raw[:, None], label, sample_weight=weight * len(weight))
    slope, shift = float(line.coef_[0, 0]), float(line.intercept_[0])
    distance = np.abs(1 / (1 + np.exp(-(slope * raw + shift))) - 0.5)
    order = np.argsort(-distance)
    far = distance[order][np.searchsorted(np.cumsum(weight[order]), DECIDED * weight.sum())]
    return Calibration(
        slope=round(slope, 4),
        shift=round(shift, 4),
        supported_from=round(0.5 + float(far), 2),
        unsupported_below=round(0.5 - float(far), 2),
    )


def _weight(rows: Rows) -> Floats:
    label = rows.supported
    return np.where(label, 0.5 / label.sum(), 0.5 / (~label).sum())


def shipped(material: Material, calibration: Calibration, *, without: str | None = None) -> bytes:
    """Return the file that the package ships, a model of all data sets; or of all but one."""
    ranks: defaultdict[str, list[str]] = defaultdict(list)
    for key, rarity in sorted(material.rarity.known.items()):
        ranks[str(round(rarity * 10))].append(key)
    data: dict[str, Any] = {
        "features": NAMES,
        "slope": calibration.slope,
        "shift": calibration.shift,
        "supported_from": calibration.supported_from,
        "unsupported_below": calibration.unsupported_below,
        "rarest": material.rarity.rarest,
        "rarity": {rank: " ".join(keys) for rank, keys in ranks.items()},
        "trees": as_trees(_fitted(material, without=without)),
    }
    data["version"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    # Without a time, so that the same data gives the same file.
    return gzip.compress(json.dumps(data, ensure_ascii=False).encode(), mtime=0)

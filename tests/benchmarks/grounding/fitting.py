"""Fit the verifier's model: rarity of words, features, boosted trees, calibration, thresholds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeguard.judges.entailment import PairScores
from citeguard.verifier.content import read
from citeguard.verifier.evidence import index_of
from citeguard.verifier.features import NAMES, Rarity
from citeguard.verifier.scoring import measured_claims

from .data import Item
from .entailed import ENTAILED, entailed, reading_of

SEED = 20261121
_PIECE = 600  # characters of evidence that count as one document
_LEAST_DOCUMENTS = 5
_FREE = ("reverse", "odd_negation")
# The score never falls if more is covered; with all features that are neither, it never rises.
_RISING = (
    *("coverage", "best_sentence", "best_window", "last_half"),
    *("phrases", "pairs", "order", "characters"),
)
_ENTAILED_RISING = ("best_sentence_entails", "sentence_entails", "window_entails")
_SETTINGS: Mapping[str, Any] = {
    "n_estimators": 150,
    "learning_rate": 0.04,
    "num_leaves": 8,
    "min_child_samples": 60,
    "subsample": 0.8,
    "subsample_freq": 1,
    "colsample_bytree": 0.3,
    "reg_lambda": 5,
    "random_state": SEED,
    "n_jobs": 1,
    "verbose": -1,
    "deterministic": True,
    "force_row_wise": True,
}

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rarities:
    """How rare words are: inverse document frequencies, rounded to a tenth."""

    known: dict[str, float]
    rarest: float

    def __call__(self, key: str) -> float:
        return self.known.get(key, self.rarest)


def rarities(items: Iterable[Item]) -> Rarities:
    """Count in how many pieces of the evidence each word stands."""
    counts: Counter[str] = Counter()
    pieces = 0
    for text in sorted({text for item in items for text in item.evidence}):
        for start in range(0, len(text), _PIECE):
            counts.update({word.key for word in read(text[start : start + _PIECE]).words})
            pieces += 1
    return Rarities(
        known={
            key: round(math.log((pieces + 1) / (count + 0.5)), 1)
            for key, count in counts.items()
            if count >= _LEAST_DOCUMENTS
        },
        rarest=round(math.log((pieces + 1) / 1.5), 1),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The measured sentences of the statements of a data set.

    Attributes:
        features: An array (sentences, features).
        item: For each sentence the place of its statement in the data set.
        supported: For each statement of the set whether it is supported.
    """

    features: Floats
    item: NDArray[np.int64]
    supported: NDArray[np.bool_]


def selected(rows: Rows, kept: NDArray[np.bool_]) -> Rows:
    """Return the rows of some statements, given one boolean for each statement."""
    there = kept[rows.item]
    return Rows(
        features=rows.features[there],
        item=(np.cumsum(kept) - 1)[rows.item[there]],
        supported=rows.supported[kept],
    )


def rows_of(items: Sequence[Item], rarity: Rarity, entails: PairScores | None = None) -> Rows:
    """Measure the sentences of all statements, if asked for with an entailment model."""
    measured = [
        (place, values)
        for place, item in enumerate(items)
        for values in _values(item, rarity, entails)
    ]
    return Rows(
        features=np.array([values for _, values in measured], float),
        item=np.array([place for place, _ in measured], int),
        supported=np.array([item.supported for item in items], bool),
    )


def _values(item: Item, rarity: Rarity, entails: PairScores | None) -> Iterator[tuple[float, ...]]:
    evidence = index_of(item.evidence)
    claims = measured_claims(item.statement, evidence, rarity)
    if entails is None:
        yield from (claim.features.values() for claim in claims)
        return
    readings = [reading_of(claim, evidence) for claim in claims]
    pairs = [reading.pairs(evidence) for reading in readings]
    known = entails(pair for each in pairs for pair in each)
    for claim, reading, asked in zip(claims, readings, pairs, strict=True):
        says = entailed([known[pair] for pair in asked], len(reading.sentences))
        yield (*claim.features.values(), *says.values())


def _direction(name: str) -> int:
    """Whether a score rises with a feature, falls, or may do both: 1, -1 or 0."""
    return 0 if name in _FREE else 1 if name in (*_RISING, *_ENTAILED_RISING) else -1


def fit(sets: Iterable[Rows]) -> Any:
    """Fit boosted trees; each data set, and in it each of the two labels, weighs the same."""
    from lightgbm import LGBMClassifier

    sets = list(sets)
    labels = [rows.supported[rows.item] for rows in sets]
    weights = [_weights(rows, label) for rows, label in zip(sets, labels, strict=True)]
    weight = np.concatenate(weights)
    names = (*NAMES, *ENTAILED)[: sets[0].features.shape[1]]
    directions = [_direction(name) for name in names]
    return LGBMClassifier(**_SETTINGS, monotone_constraints=directions).fit(
        np.concatenate([rows.features for rows in sets]),
        np.concatenate(labels),
        sample_weight=weight * len(weight) / weight.sum(),
    )


def _weights(rows: Rows, label: NDArray[np.bool_]) -> Floats:
    weight = 1 / np.bincount(rows.item)[rows.item]
    weight[label] *= 0.5 / weight[label].sum()
    weight[~label] *= 0.5 / weight[~label].sum()
    return weight


def as_trees(model: Any) -> list[list[list[float]]]:
    """Return the trees of a fitted model as columns of numbers: see `model.Tree`."""
    return [_columns(tree["tree_structure"]) for tree in model.booster_.dump_model()["tree_info"]]


def _columns(root: Mapping[str, Any]) -> list[list[float]]:
    columns: list[list[float]] = [[], [], [], [], []]

    def add(node: Mapping[str, Any]) -> int:
        if "leaf_value" in node:
            columns[4].append(round(node["leaf_value"], 6))
            return -len(columns[4])
        place = len(columns[0])
        columns[0].append(node["split_feature"])
        columns[1].append(node["threshold"])
        columns[2].append(0)
        columns[3].append(0)
        columns[2][place] = add(node["left_child"])
        columns[3][place] = add(node["right_child"])
        return place

    if add(root) < 0:  # a tree that never parts
        return [[0], [0.0], [-1], [-1], columns[4]]
    return columns


def log_odds(model: Any, rows: Rows) -> Floats:
    """Return the raw score of each statement, that of its weakest sentence; NaN without any."""
    raw = model.predict(rows.features, raw_score=True)
    lowest = np.full(len(rows.supported), np.inf)
    np.minimum.at(lowest, rows.item, raw)
    lowest[np.isinf(lowest)] = np.nan
    return lowest

"""The weights of `GroundingVerifier`: boosted decision trees, and the rarity of words.

They are fitted by `tests/benchmarks/grounding/train.py`. The model card has the training data and
the accuracy: `docs/model-card.md`.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from citeguard.verifier.features import NAMES, Features

FILE = "model.json.gz"


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree, as one column for each property of its nodes.

    Attributes:
        features: The index in `NAMES` of the feature that a node compares.
        borders: The greatest value, inclusive, that continues to the left.
        left: The index of the next node; below 0, that of a leaf, from -1 on.
        right: The same for values above the border.
        leaves: What each leaf adds to the score, in log odds.
    """

    features: tuple[int, ...]
    borders: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    leaves: tuple[float, ...]

    def __call__(self, values: Sequence[float]) -> float:
        """Return what the tree adds to the score for these values of the features, in log odds."""
        node = 0
        while node >= 0:
            below = values[self.features[node]] <= self.borders[node]
            node = self.left[node] if below else self.right[node]
        return self.leaves[-node - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A fitted model.

    Attributes:
        version: The version of the weights.
        trees: The trees; the sum of their values is a score in log odds.
        slope: The factor of that score that calibrates the probability for unseen data.
        shift: The summand that is added then.
        supported_from: The least score of a supported statement, 0 to 1, inclusive.
        unsupported_below: The score below which a statement is unsupported, 0 to 1.
        rarity: The rarity of words by their keys.
        rarest: The rarity of all other words.
    """

    version: str
    trees: tuple[Tree, ...]
    slope: float
    shift: float
    supported_from: float
    unsupported_below: float
    rarity: dict[str, float]
    rarest: float

    def score(self, features: Features) -> float:
        """Return the probability, 0 to 1, that a sentence with these features is supported."""
        values = features.values()
        odds = self.slope * sum(tree(values) for tree in self.trees) + self.shift
        return 1 / (1 + math.exp(-odds))

    def rarity_of(self, key: str) -> float:
        """Return the rarity of a word, by its key."""
        return self.rarity.get(key, self.rarest)


@cache
def shipped_model() -> Model:
    """Return the model that is part of the package; it is read once."""
    packed = files("citeguard.verifier").joinpath(FILE).read_bytes()
    return read_model(json.loads(gzip.decompress(packed)))


def read_model(data: dict[str, Any]) -> Model:
    """Return a model from the output of the training script.

    Raises:
        ValueError: The model was fitted to other features.
    """
    if tuple(data["features"]) != NAMES:
        raise ValueError("the model was fitted to other features; train it again")
    rarity = {key: int(rank) / 10 for rank, keys in data["rarity"].items() for key in keys.split()}
    numbers = ("slope", "shift", "supported_from", "unsupported_below", "rarest")
    return Model(
        version=data["version"],
        **{name: data[name] for name in numbers},
        trees=tuple(Tree(*(tuple(column) for column in tree)) for tree in data["trees"]),
        rarity=rarity,
    )

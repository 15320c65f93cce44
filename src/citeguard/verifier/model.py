"""The weights of `GroundingVerifier`: boosted decision trees, and how rare words are.

They were fitted by `tests/benchmarks/grounding/train.py`; the model card says on what, and how well
they do: `docs/model-card.md`.
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
    """A decision tree: node by node the feature asked about, its border, and where to go on.

    Attributes:
        features: Places of features in `NAMES`.
        borders: At most so much, and it goes on to the left.
        left: Numbers of nodes; those below 0 are leaves, from -1 on.
        right: The same, for what is above the border.
        leaves: What each leaf adds to the score, as log odds.
    """

    features: tuple[int, ...]
    borders: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    leaves: tuple[float, ...]

    def __call__(self, values: Sequence[float]) -> float:
        """Return what the tree adds for these values of the features."""
        node = 0
        while node >= 0:
            below = values[self.features[node]] <= self.borders[node]
            node = self.left[node] if below else self.right[node]
        return self.leaves[-node - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A fitted model.

    Attributes:
        version: Names the weights.
        trees: The trees, whose sum is a score in log odds.
        slope: What that score is multiplied by, so that its probability holds for unseen data.
        shift: What is added then.
        supported_from: The least score, 0 to 1, of what is supported.
        unsupported_below: The score below which a statement is not.
        rarity: How rare words are, by their keys.
        rarest: How rare a word is that is not among them.
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
        """Return the probability, 0 to 1, that what has these features is supported."""
        values = features.values()
        odds = self.slope * sum(tree(values) for tree in self.trees) + self.shift
        return 1 / (1 + math.exp(-odds))

    def rarity_of(self, key: str) -> float:
        """Return how rare a word is, by its key."""
        return self.rarity.get(key, self.rarest)


@cache
def shipped_model() -> Model:
    """Return the model that comes with the package; it is read once."""
    packed = files("citeguard.verifier").joinpath(FILE).read_bytes()
    return read_model(json.loads(gzip.decompress(packed)))


def read_model(data: dict[str, Any]) -> Model:
    """Return a model from what the training script wrote.

    Raises:
        ValueError: it was fitted to other features.
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

"""Precision, recall and what is made of them; thresholds; how sure a figure is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_RESAMPLED = 500
_SEED = 20261122
_CENTRAL = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was rightly flagged, wrongly flagged, missed, and rightly let pass.

    Answers or characters; of characters the last is not counted.
    """

    right: int = 0
    false: int = 0
    missed: int = 0
    passed: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Add two counts."""
        return Counts(
            self.right + other.right,
            self.false + other.false,
            self.missed + other.missed,
            self.passed + other.passed,
        )

    @property
    def precision(self) -> float:
        """The share of what was flagged that is wrong; 0 if nothing was."""
        return self.right / max(1, self.right + self.false)

    @property
    def recall(self) -> float:
        """The share of what is wrong that was flagged; 0 if nothing is."""
        return self.right / max(1, self.right + self.missed)

    def f(self, beta: float = 1.0) -> float:
        """Return the F measure, in which recall counts `beta` times as much as precision."""
        weighed = beta**2 * self.precision + self.recall
        return (1 + beta**2) * self.precision * self.recall / weighed if weighed else 0.0

    @property
    def balanced(self) -> float:
        """The mean of the shares of both labels that are told right."""
        return (self.recall + self.passed / max(1, self.passed + self.false)) / 2

    @property
    def weighted(self) -> float:
        """0.3 · precision + 0.7 · recall."""
        return 0.3 * self.precision + 0.7 * self.recall


def counted(wrong: bool, flagged: bool) -> Counts:
    """Return the counts of one answer."""
    if flagged:
        return Counts(right=int(wrong), false=int(not wrong))
    return Counts(missed=int(wrong), passed=int(not wrong))


def overlap(wrong: frozenset[int], flagged: frozenset[int]) -> Counts:
    """Return the counts of the characters of one answer."""
    return Counts(len(wrong & flagged), len(flagged - wrong), len(wrong - flagged))


def total(counts: Iterable[Counts]) -> Counts:
    """Add counts up."""
    return sum(counts, Counts())


def best_border(scores: Iterable[float], counts: Callable[[float], Counts]) -> float:
    """Return the border with the highest F1, where what scores below it is flagged.

    Args:
        scores: What scores there are; borders lie at these, at most 200 of them.
        counts: The counts with a border.
    """
    borders = sorted(set(scores))
    tried = [*borders[:: max(1, len(borders) // 200)], 1.01 * max(borders, default=1.0)]
    return max(tried, key=lambda border: counts(border).f())


def interval(counts: Sequence[Counts]) -> tuple[float, float]:
    """Return between what F1 lies with 95 % confidence, by resampling answers."""
    chance = random.Random(_SEED)
    drawn = sorted(total(chance.choices(counts, k=len(counts))).f() for _ in range(_RESAMPLED))
    low, high = (drawn[int(share * (len(drawn) - 1))] for share in _CENTRAL)
    return low, high


def percent(value: float) -> str:
    """Write a share as percent, to one decimal place."""
    return f"{100 * value:.1f}"

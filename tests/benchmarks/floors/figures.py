"""A figure of a sample, how sure it is, and the floor that it must hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

SEED = 20261122
_RESAMPLED = 300
_ROUNDING = 1e-6

Units = NDArray[np.float64]
"""What is known of each unit of a sample: an array (units) or (units, columns)."""

Statistic = Callable[[Sequence[Units]], float]
"""Makes a percentage of the groups of a sample (data sets, categories)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A percentage, measured on a sample.

    Attributes:
        about: What it is.
        value: From 0 to 100.
        error: Its bootstrap standard error, at least the weight of one unit of the sample: where
            all units are right, resampling them shows no error.
        count: How many units the sample has.
        sample: A hash of the sample.
        falling: Whether lower is better.
    """

    about: str
    value: float
    error: float
    count: int
    sample: str
    falling: bool = False

    @property
    def floor(self) -> float:
        """The value less one standard error; for falling figures, plus one."""
        return round(self.value + (self.error if self.falling else -self.error), 2)

    def holds(self, floor: float) -> bool:
        """Return whether the value is as good as a floor, or better."""
        gain = floor - self.value if self.falling else self.value - floor
        return gain >= -_ROUNDING


def figure(
    about: str,
    groups: Iterable[Sequence[Any] | Units],
    statistic: Statistic,
    *,
    sample: object,
    falling: bool = False,
) -> Figure:
    """Measure a sample, and resample the units of each of its groups for the standard error."""
    arrays = [np.asarray(group, float) for group in groups]
    chance = np.random.default_rng(SEED)
    drawn = [
        statistic([group[chance.integers(len(group), size=len(group))] for group in arrays])
        for _ in range(_RESAMPLED)
    ]
    count = sum(map(len, arrays))
    unit = 100 / (len(arrays) * median(map(len, arrays)))
    return Figure(
        about=about,
        value=round(statistic(arrays), 2),
        error=round(max(float(np.std(drawn)), unit), 2),
        count=count,
        sample=digest(sample),
        falling=falling,
    )


def digest(sample: object) -> str:
    """Return a short hash of anything that JSON can hold."""
    return hashlib.sha256(json.dumps(sample, ensure_ascii=False).encode()).hexdigest()[:12]


def mean_share(groups: Sequence[Units]) -> float:
    """Return the mean over groups of the share of ones, in percent."""
    return 100 * float(np.mean([group.mean() for group in groups]))


def auc(groups: Sequence[Units]) -> float:
    """Return the area under the ROC curve over all groups, in percent; columns: label, score."""
    label, score = np.concatenate(groups).T
    _, place = np.unique(score, return_inverse=True)
    true, false = (
        np.bincount(place[mask], minlength=place.max() + 1) for mask in (label == 1, label == 0)
    )
    below = np.cumsum(false) - false
    pairs = max(1, true.sum() * false.sum())
    return 100 * float((true * (below + false / 2)).sum() / pairs)


def f1(groups: Sequence[Units]) -> float:
    """Return F1 over all groups, in percent; columns: whether it is wrong, whether flagged."""
    wrong, flagged = np.concatenate(groups).T
    return 200 * float((wrong * flagged).sum() / max(1, wrong.sum() + flagged.sum()))


def load(path: Path) -> dict[str, dict[str, Any]]:
    """Return the frozen figures by name, each with its floor."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def freeze(path: Path, figures: Mapping[str, Figure]) -> None:
    """Write figures and their floors, those that were frozen before and not measured kept."""
    fresh = {
        name: {**asdict(each), "floor": each.floor, "seed": SEED} for name, each in figures.items()
    }
    kept = dict(sorted({**load(path), **fresh}.items()))
    path.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", "utf-8")


def broken(name: str, measured: Figure, floors: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return what is wrong with a figure beside its floor, or `None` if it holds."""
    if name not in floors:
        return "no floor yet"
    if measured.sample != floors[name]["sample"]:
        return "another sample"
    floor = floors[name]["floor"]
    if measured.holds(floor):
        return None
    return f"{measured.value:.2f}, {'above' if measured.falling else 'below'} {floor:.2f}"

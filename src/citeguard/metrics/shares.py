"""Shares with their undecided part, and how certain they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from citeguard.errors import CiteguardError, check_number, check_whole, optional_packages


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval from 0 to 1, both ends included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many items have a property, with undecided ones counted separately.

    Attributes:
        yes: How many have it.
        no: How many do not.
        undecided: How many could not be decided. They are not part of `value`.

    Examples:
        >>> share = Share(yes=3, no=1, undecided=4)
        >>> share.value, share.low, share.high
        (0.75, 0.375, 0.875)
    """

    yes: int = 0
    no: int = 0
    undecided: int = 0

    @property
    def decided(self) -> int:
        """How many items were decided."""
        return self.yes + self.no

    @property
    def total(self) -> int:
        """How many items there are."""
        return self.decided + self.undecided

    @property
    def value(self) -> float | None:
        """The share of the decided items, 0 to 1; `None` if there are none."""
        return self.yes / self.decided if self.decided else None

    @property
    def low(self) -> float | None:
        """The share of all items, 0 to 1, if no undecided one had it; `None` without items."""
        return self.yes / self.total if self.total else None

    @property
    def high(self) -> float | None:
        """The share of all items, 0 to 1, if every undecided one had it; `None` without items."""
        return (self.yes + self.undecided) / self.total if self.total else None

    def __add__(self, other: Share) -> Share:
        """Return the share over the items of both."""
        return Share(
            yes=self.yes + other.yes,
            no=self.no + other.no,
            undecided=self.undecided + other.undecided,
        )


def share_of(answers: Iterable[bool | None]) -> Share:
    """Count answers; `None` is undecided."""
    counts = Counter(answers)
    return Share(yes=counts[True], no=counts[False], undecided=counts[None])


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval for a share of independent trials.

    It accounts for sampling error only: for trials that depend on each other, such as the citations
    of one answer, it is too narrow.

    By SciPy's `binomtest(…).proportion_ci(level, method="wilson")`, without continuity correction
    (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927).

    Args:
        successes: How many trials succeeded, 0 to `trials`.
        trials: How many there were; without any, the result is `None`.
        level: The confidence, above 0 and below 1.

    Raises:
        CiteguardError: a count or a level is out of range, or SciPy is missing.

    Examples:
        >>> interval = wilson_interval(9, 10)
        >>> round(interval.low, 3), round(interval.high, 3)
        (0.596, 0.982)
    """
    # Counts often come from numpy, whose integers are no `int`.
    successes, trials, level = map(as_python, (successes, trials, level))
    check_whole("trials", trials, 0)
    check_whole("successes", successes, 0)
    check_number("level", level, 0.0, 1.0, above=True)
    if (1 + level) / 2 == 1:  # as SciPy computes it, also for the last floats below 1
        raise CiteguardError("level must be below 1: only 0 to 1 is certain to have the value")
    if successes > trials:
        raise CiteguardError(f"{successes} of {trials} trials cannot have succeeded")
    if not trials:
        return None
    test = library("scipy.stats").binomtest(successes, trials)
    result = test.proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(result.low), float(result.high))


def library(module: str) -> Any:
    """Import a module of a library that the extra `metrics` installs."""
    with optional_packages("this measure"):
        return import_module(module)


def as_python(value: Any, method: str = "item") -> Any:
    """Return values of numpy, pandas or torch as Python's own; anything else as it is."""
    convert = getattr(value, method, None)
    return convert() if callable(convert) else value

"""A share of what was decided, and how sure it is: `Share`, `Interval`, `wilson_interval`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.metrics.reading import as_python, library


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where a value is to be expected, both ends included; 0 to 1.

    Attributes:
        low: The lower end.
        high: The upper end.
        level: The confidence, between 0 and 1.

    Examples:
        >>> 0.8 in Interval(low=0.7, high=0.9, level=0.95)
        True
    """

    low: float
    high: float
    level: float

    def __contains__(self, value: float) -> bool:
        """Tell whether a value lies in the interval."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of some things have a property; what nobody could tell is counted apart.

    Attributes:
        yes: Those that have it.
        no: Those that do not.
        undecided: Those of which nobody could tell. They are no part of `value`.

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
        """How many of them somebody could tell of."""
        return self.yes + self.no

    @property
    def total(self) -> int:
        """How many there are."""
        return self.decided + self.undecided

    @property
    def value(self) -> float | None:
        """The share, 0 to 1, of those decided; `None` if there are none."""
        return _ratio(self.yes, self.decided)

    @property
    def low(self) -> float | None:
        """The share of all, 0 to 1, if all those undecided lacked the property; `None` of none."""
        return _ratio(self.yes, self.total)

    @property
    def high(self) -> float | None:
        """The share of all, 0 to 1, if all those undecided had the property; `None` of none."""
        return _ratio(self.yes + self.undecided, self.total)

    def interval(self, *, level: float = 0.95) -> Interval | None:
        """Return Wilson's interval around `value`, as `wilson_interval` does.

        Raises:
            CiteguardError: as for `wilson_interval`.
        """
        return wilson_interval(self.yes, self.decided, level=level)

    def __add__(self, other: Share) -> Share:
        """Add each count to its like."""
        return Share(
            yes=self.yes + other.yes,
            no=self.no + other.no,
            undecided=self.undecided + other.undecided,
        )


def share_of(answers: Iterable[bool | None]) -> Share:
    """Count answers; `None` is undecided.

    Examples:
        >>> share_of([True, None, False, True])
        Share(yes=2, no=1, undecided=1)
    """
    counts = Counter(answers)
    return Share(yes=counts[True], no=counts[False], undecided=counts[None])


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval for a share of independent trials.

    It is never empty and never leaves 0 to 1, also for few trials and for shares of 0 and 1. It
    knows of no other doubt than that of a sample: not of labels that are wrong, nor of trials that
    belong together, such as the citations of one answer, for which it is too narrow.

    By SciPy: `binomtest(successes, trials).proportion_ci(level, method="wilson")`, without
    correction for continuity (E. B. Wilson, "Probable Inference, the Law of Succession, and
    Statistical Inference", 1927).

    Args:
        successes: How many trials succeeded, 0 to `trials`.
        trials: How many there were; `None` is returned if there were none.
        level: The confidence, above 0 and below 1.

    Raises:
        CiteguardError: a count or a level out of range, or SciPy is missing.

    Examples:
        >>> interval = wilson_interval(9, 10)
        >>> round(interval.low, 3), round(interval.high, 3)
        (0.596, 0.982)
    """
    successes, trials, level = map(as_python, (successes, trials, level))
    check_whole("trials", trials, 0)
    check_whole("successes", successes, 0)
    check_level(level)
    if successes > trials:
        raise CiteguardError(f"{successes} of {trials} trials cannot have succeeded")
    if not trials:
        return None
    test = library("scipy.stats").binomtest(successes, trials)
    found = test.proportion_ci(confidence_level=level, method="wilson")
    return Interval(low=float(found.low), high=float(found.high), level=level)


def check_level(level: float) -> None:
    """Refuse a confidence that is not between 0 and 1.

    Raises:
        CiteguardError: it is not.
    """
    check_number("level", level, 0.0, 1.0, above=True)
    if (1 + level) / 2 == 1:  # as SciPy reckons, also for the last numbers below 1
        raise CiteguardError("level must be below 1: nothing is certain short of 0 to 1")


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None

"""How far a run is: a bar on a terminal, and a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from citeguard.datasets.filtering.summary import FilterSummary

Report = Callable[[FilterSummary, float | None], None]
"""Is told what came of the samples so far, and which share of all they are."""

_LINE_EVERY = 10.0  # seconds
_CODES_SHOWN = 3


@contextmanager
def shown_progress(wanted: bool, console: Console | None = None) -> Generator[Report, None, None]:
    """Show how far a run is, on standard error, until the block ends.

    Yields:
        What is to be told, as often as one likes.
    """
    console = console or Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not wanted:
        yield lambda summary, share: None
    elif console.is_terminal:
        with _bar(console) as report:
            yield report
    else:
        yield _Lines(console)


@contextmanager
def _bar(console: Console) -> Generator[Report, None, None]:
    rate = _Rate()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None)

        def report(summary: FilterSummary, share: float | None) -> None:
            rate.note(summary.read, share)
            total = None if share is None else 1.0
            told = _counted(summary, rate)
            progress.update(task, description=told, completed=share or 0.0, total=total)

        yield report


class _Lines:
    """Prints a line now and then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._rate = _Rate()
        self._printed = time.monotonic()

    def __call__(self, summary: FilterSummary, share: float | None) -> None:
        self._rate.note(summary.read, share)
        if time.monotonic() - self._printed < _LINE_EVERY:
            return
        self._printed = time.monotonic()
        left = self._rate.seconds_left
        told = "" if left is None else f", {_duration(left)} left"
        self._console.print(f"{_counted(summary, self._rate)}{told}", soft_wrap=True)


class _Rate:
    """How quickly samples are read, since the first were told of."""

    def __init__(self) -> None:
        self._first: tuple[float, int, float] | None = None
        self._last: tuple[float, int, float] = (0.0, 0, 0.0)

    def note(self, read: int, share: float | None) -> None:
        """Take down how far a run is now."""
        self._last = (time.monotonic(), read, share or 0.0)
        self._first = self._first or self._last

    @property
    def per_second(self) -> float:
        """How many samples are read in a second."""
        seconds, read, _ = self._since_first()
        return read / seconds if seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How much longer it takes at this rate, as far as one can tell."""
        seconds, _, share = self._since_first()
        return seconds * (1 - self._last[2]) / share if share else None

    def _since_first(self) -> tuple[float, int, float]:
        first = self._first or self._last
        return self._last[0] - first[0], self._last[1] - first[1], self._last[2] - first[2]


def _counted(summary: FilterSummary, rate: _Rate) -> str:
    read = max(1, summary.read)
    codes = list(summary.codes.items())[:_CODES_SHOWN]
    shares = ", ".join(f"{code} {_percent(count / read)}" for code, count in codes)
    reasons = f" ({shares})" if shares else ""
    rejected = f"{_percent(summary.rejected / read)} rejected{reasons}"
    return f"{summary.read:,} samples, {rate.per_second:,.0f}/s, {rejected}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"

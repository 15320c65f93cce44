"""How far a run is: a bar on a terminal, and a line every ten seconds elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from citeguard.datasets.filtering.run_record import FilterSummary

Report = Callable[[FilterSummary, float | None], None]
"""Takes the summary of the samples so far, and the share of all that they are, 0 to 1."""

_LINE_EVERY = 10.0  # seconds
_CODES_SHOWN = 3


@contextmanager
def show_progress(enabled: bool, console: Console | None = None) -> Generator[Report, None, None]:
    """Show on standard error how far a run is, until the block ends.

    Yields:
        A function to be called with each new summary.
    """
    console = console or Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not enabled:
        yield lambda summary, share: None
    elif console.is_terminal:
        with _bar(console) as report:
            yield report
    else:
        yield _LinePrinter(console)


@contextmanager
def _bar(console: Console) -> Generator[Report, None, None]:
    rate = _Rate()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None)

        def report(summary: FilterSummary, share: float | None) -> None:
            rate.update(summary.read, share)
            total = None if share is None else 1.0
            text = _as_text(summary, rate)
            progress.update(task, description=text, completed=share or 0.0, total=total)

        yield report


class _LinePrinter:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._rate = _Rate()
        self._printed = time.monotonic()

    def __call__(self, summary: FilterSummary, share: float | None) -> None:
        self._rate.update(summary.read, share)
        if time.monotonic() - self._printed < _LINE_EVERY:
            return
        self._printed = time.monotonic()
        seconds = self._rate.seconds_left
        left = "" if seconds is None else f", {_duration(seconds)} left"
        self._console.print(f"{_as_text(summary, self._rate)}{left}", soft_wrap=True)


class _Rate:
    """Samples per second since the first update: what an earlier run did does not count."""

    def __init__(self) -> None:
        self._first: tuple[float, int, float] | None = None
        self._last: tuple[float, int, float] = (0.0, 0, 0.0)

    def update(self, read: int, share: float | None) -> None:
        self._last = (time.monotonic(), read, share or 0.0)
        self._first = self._first or self._last

    @property
    def per_second(self) -> float:
        seconds, read, _ = self._since_first()
        return read / seconds if seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        seconds, _, share = self._since_first()
        return seconds * (1 - self._last[2]) / share if share else None

    def _since_first(self) -> tuple[float, int, float]:
        first = self._first or self._last
        return self._last[0] - first[0], self._last[1] - first[1], self._last[2] - first[2]


def _as_text(summary: FilterSummary, rate: _Rate) -> str:
    read = max(1, summary.read)
    codes = list(summary.codes.items())[:_CODES_SHOWN]
    shares = ", ".join(f"{code} {100 * count / read:.1f} %" for code, count in codes)
    reasons = f" ({shares})" if shares else ""
    rejected = f"{100 * summary.rejected / read:.1f} % rejected{reasons}"
    return f"{summary.read:,} samples, {rate.per_second:,.0f}/s, {rejected}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"

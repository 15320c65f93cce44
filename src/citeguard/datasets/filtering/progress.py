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
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn())
    # Elsewhere than on a terminal it only computes the rates; those start with the first summary,
    # so that what an earlier run did does not count.
    progress = Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not (enabled and console.is_terminal),
        get_time=lambda: time.monotonic(),
    )
    samples = progress.add_task("", total=None, visible=False)
    reading = progress.add_task("reading", total=None)
    printed = time.monotonic()

    def report(summary: FilterSummary, share: float | None) -> None:
        nonlocal printed
        progress.update(samples, completed=summary.read)
        text = _as_text(summary, progress.tasks[samples].speed or 0.0)
        total = None if share is None else 1.0
        progress.update(reading, description=text, completed=share or 0.0, total=total)
        if enabled and progress.disable and time.monotonic() - printed >= _LINE_EVERY:
            printed = time.monotonic()
            seconds = progress.tasks[reading].time_remaining
            left = "" if seconds is None else f", {_duration(seconds)} left"
            console.print(f"{text}{left}", soft_wrap=True)

    with progress:
        yield report


def _as_text(summary: FilterSummary, rate: float) -> str:
    read = max(1, summary.read)
    codes = list(summary.codes.items())[:_CODES_SHOWN]
    shares = ", ".join(f"{code} {100 * count / read:.1f} %" for code, count in codes)
    reasons = f" ({shares})" if shares else ""
    rejected = f"{100 * summary.rejected / read:.1f} % rejected{reasons}"
    return f"{summary.read:,} samples, {rate:,.0f}/s, {rejected}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"

"""How far long work has got, on standard error: a bar in a terminal, or else lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Column

Move = Callable[[str, float, float | None], None]
"""Takes a line of text, how much is done, and how much there is, if that is known."""


def error_console() -> Console:
    """Return a console on standard error that interprets no markup, emoji or code in a text."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


@contextmanager
def shown_bar(console: Console) -> Generator[Move]:
    """Show a bar with the time that is left; it is gone after the block."""
    one_line = Column(no_wrap=True, overflow="ellipsis")
    text = TextColumn("{task.description}", markup=False, table_column=one_line)
    columns = (SpinnerColumn(), BarColumn(20), TimeRemainingColumn(compact=True), text)
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task("", total=None)
        yield lambda line, done, total: bars.update(
            task, description=line, completed=done, total=total
        )


@contextmanager
def shown_progress(*, quiet: bool, every: float = 0.0) -> Generator[Move]:
    """Show how far work has got: a bar in a terminal, or else lines.

    There are at least `every` seconds from one line to the next. It yields what takes each step;
    the numbers count in a terminal only.
    """
    console, printed = error_console(), time.monotonic()

    def print_line(line: str, *_: float | None) -> None:
        nonlocal printed
        if not quiet and time.monotonic() - printed >= every:
            printed = time.monotonic()
            # Not wrapped: in a log, a line is one message.
            console.print(line, soft_wrap=True)

    if quiet or not console.is_terminal:
        yield print_line
        return
    with shown_bar(console) as move:
        yield move

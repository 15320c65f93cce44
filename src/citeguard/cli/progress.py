"""How far a command has got, on standard error: work of many steps, and files that are read."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import PurePath

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Column

from citeguard.documents.document import Unseen
from citeguard.documents.files import find_files, watching
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as, shown
from citeguard.sources.collection import Sources

Move = Callable[[str, float, float], None]
"""Takes a line of text, how much is done, and how much there is."""

_LONGEST_NOTE = 400


def _console() -> Console:
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


@contextmanager
def _bar(console: Console) -> Generator[Move]:
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
    """Show how far a command has got: a bar in a terminal, or else lines.

    There are at least `every` seconds from one line to the next. It yields what takes each step;
    the numbers count in a terminal only.
    """
    console, printed = _console(), time.monotonic()

    def print_line(line: str, *_: float) -> None:
        nonlocal printed
        if not quiet and time.monotonic() - printed >= every:
            printed = time.monotonic()
            console.print(line, soft_wrap=True)

    if quiet or not console.is_terminal:
        yield print_line
        return
    with _bar(console) as move:
        yield move


@contextmanager
def shown_reading(
    paths: Iterable[str | PathLike[str]] = (), *, quiet: bool = False
) -> Generator[Move]:
    """Show which file and page is read inside the block, in a terminal only.

    It yields what takes each step of other work, such as the documents of a library.
    """
    console = _console()
    if quiet or not console.is_terminal:
        yield lambda line, done, total: None
        return
    total, read = 0, dict[str, int]()  # and the files begun, by name
    with suppress(CiteguardError):  # whoever reads them reports it
        total = sum(1 for _ in find_files(paths))
    with _bar(console) as move:

        def on_page(name: str, page: int, pages: int) -> None:
            done = read.setdefault(name, len(read)) + page / max(1, pages)
            place = f", page {page:,} of {pages:,}" if pages else ""
            move(f"{PurePath(name).name}{place}", done, max(total, len(read)))

        with watching(on_page):
            yield move


def read_sources(
    paths: Iterable[str | PathLike[str]], *, unseen: Unseen = "omit", quiet: bool = False
) -> Sources:
    """Read files and folders as `Sources.from_paths` does, and show how far that is.

    What of them is not in the sources' text, or in doubt there, is printed on standard error.
    """
    given = list(paths)
    with shown_reading(given, quiet=quiet):
        sources = Sources.from_paths(given, unseen=unseen)
    for source in sources:
        notes = list(source.warnings)
        # Not what a PDF file calls an artifact: almost every running head is one.
        for how in ("hidden", "struck out"):
            if left_out := source.left_out.get(how):
                notes.append(f"left out: {counted_as(left_out, 'character')} {how} in the file")
        if doubts := source.layout.doubts if source.layout else ():
            notes.append(f"in doubt: the file may show {counted_as(len(doubts), 'part')} otherwise")
        for note in notes:
            typer.echo(shown(f"citeguard: {source.id}: {note}", _LONGEST_NOTE), err=True)
    return sources

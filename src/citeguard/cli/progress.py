"""Files that a command reads: as sources, and how far that has got, on standard error."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import PurePath

import typer

from citeguard.datasets.progress import Move, error_console, shown_bar
from citeguard.documents.document import Unseen
from citeguard.documents.files import find_files, watching
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as, shown
from citeguard.sources.collection import Sources

_LONGEST_NOTE = 400


@contextmanager
def shown_reading(
    paths: Iterable[str | PathLike[str]] = (), *, quiet: bool = False
) -> Generator[Move]:
    """Show which file and page is read inside the block, in a terminal only.

    It yields what takes each step of other work, such as the documents of a library.
    """
    console = error_console()
    if quiet or not console.is_terminal:
        yield lambda line, done, total: None
        return
    total, read = 0, dict[str, int]()  # and the files begun, by name
    with suppress(CiteguardError):  # whoever reads them reports it
        total = sum(1 for _ in find_files(paths))
    with shown_bar(console) as move:

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

"""What commands print, and what they exit with."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from citeguard.cli.arguments import STANDARD_STREAM, option_of
from citeguard.datasets.readers import errors_naming
from citeguard.errors import CiteguardError
from citeguard.judges.usage import Stage
from citeguard.language.excerpts import counted_as, shown

if TYPE_CHECKING:
    from citeguard.datasets.export.card import ExportSummary
    from citeguard.datasets.outputs import FilterSummary

# Embeddings, overrides and isolates display a text in another order than it is checked in.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EXAMPLE_LIMIT = 300
_MOST_CODES = 20  # a validator of the user's own may raise any number of codes
_HINTS = {
    "sources_missing": "No sample has sources: name their field with "
    f"{option_of('sources')}, or give files for all samples with --sources.",
    "answer_missing": "No sample has an answer: name its field with "
    f"{option_of('answer')} or {option_of('statements')}, and that of the quotes, if they are not "
    f"part of citations, with {option_of('quotes')}.",
    "question_missing": f"No sample has a question: name its field with {option_of('question')}.",
}


class ExitStatus(IntEnum):
    """The exit status of the process, which distinguishes a bad answer from a wrong configuration.

    Commands return the first five; a shell reports the others for a program ended by a signal.
    """

    PASSED = 0
    """Everything passed."""
    FAILED = 1
    """Something that was checked failed."""
    COULD_NOT_RUN = 2
    """Nothing was checked, because arguments, files or the configuration are wrong."""
    UNDECIDED = 3
    """Nothing failed, but something is undecided."""
    CLOSEST_PASSAGES = 4
    """Nothing answers a question clearly enough; the closest passages were printed."""
    INTERRUPTED = 130
    """SIGINT, as from Ctrl-C."""
    READER_LEFT = 141
    """SIGPIPE, as in `citeguard … | head -n 1`."""


def plain_console() -> Console:
    """Return a console on standard output that interprets no markup, emoji or code in a text.

    It prints control characters as they are: pass text through `visible`.
    """
    return Console(highlight=False, markup=False, emoji=False)


def require_outputs(outputs: Mapping[str, str], inputs: Iterable[str]) -> None:
    """Reject, before long work, an output that cannot be written or would replace an input.

    Args:
        outputs: Paths by the names of their options, without dashes.
        inputs: The paths of what is read.

    Raises:
        CiteguardError: A path is empty, a folder, or in a folder that does not exist.
        BadParameter: It is read, or written twice.
    """

    def identity(path: str) -> Path | None:
        return None if path == STANDARD_STREAM else Path(path).resolve()

    used = {identity(path) for path in inputs if path and path != STANDARD_STREAM}
    for kind, path in outputs.items():
        if identity(path) in used:
            raise typer.BadParameter(f"--{kind}: {path} is read or written already.")
        used.add(identity(path))
        if path == STANDARD_STREAM:
            continue
        if not path:
            raise CiteguardError("the path of a file to write is empty")
        if Path(path).is_dir():
            raise CiteguardError(f"{path}: is a directory")
        if not Path(path).parent.is_dir():
            raise CiteguardError(f"{path}: no such directory as {Path(path).parent}")


def write_output(path: str, content: str) -> None:
    """Write a file, or standard output; raise a `CiteguardError` if the file cannot be written."""
    if path == STANDARD_STREAM:
        typer.echo(content, nl=False)
        return
    try:
        Path(path).write_bytes(content.encode("utf-8", "backslashreplace"))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise CiteguardError(f"{path}: cannot be written: {reason}") from error


def require_lines(to: str, *, overwrite: bool) -> None:
    """Reject, before long work, a file of JSON lines that cannot or should not be written.

    Raises:
        CiteguardError: Its name does not end in .jsonl, or it exists and may not be replaced.
    """
    if to == STANDARD_STREAM:
        return
    if not to.lower().endswith(".jsonl"):
        raise CiteguardError(f"--to {to!r} must name a file that ends in .jsonl")
    if Path(to).exists() and not overwrite:
        raise CiteguardError(f"{to}: already exists; remove it, or give --overwrite")


def write_lines(samples: Iterable[dict[str, Any]], to: str) -> None:
    """Write samples as lines; the file appears once it is complete, and only if there are any."""
    lines = (f"{json.dumps(sample)}\n" for sample in samples)
    if to == STANDARD_STREAM:
        sys.stdout.writelines(lines)
        return
    partial = Path(f"{to}.partial")
    try:
        with errors_naming(str(partial)), partial.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        if partial.stat().st_size:
            partial.replace(to)
    finally:
        partial.unlink(missing_ok=True)


def print_json(data: Any) -> None:
    """Print data as indented JSON, in ASCII."""
    typer.echo(json.dumps(data, indent=2))


def print_result(
    as_json: bool, as_data: Callable[..., Any], show: Callable[..., None], *result: Any
) -> None:
    """Print a result: what a function returns as JSON, or with another function for people."""
    if as_json:
        print_json(as_data(*result))
    else:
        show(*result)


def visible(text: str) -> str:
    r"""Return a text on one line, with escapes for characters that a terminal would interpret.

    Examples:
        >>> visible("red:\x1b[31m\n  next")
        'red:\\x1b[31m next'
    """
    return "".join(
        c.encode("unicode_escape").decode()
        if c in _REORDERING or unicodedata.category(c) in ("Cc", "Cs")
        else c
        for c in " ".join(text.split())
    )


def as_example(message: str) -> str:
    """Return a message on one line, visible and of bounded length."""
    return visible(shown(message, _EXAMPLE_LIMIT))


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> Table:
    """Return a table: fractions with three digits after the point, and a dash for `None`."""
    table = Table()
    table.add_column(columns[0], overflow="fold")
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    for name, *values in rows:
        table.add_row(str(name), *map(_cell, values))
    return table


def _cell(value: str | float | None) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "–" if value is None else value if isinstance(value, str) else f"{value:,}"


def show_models(console: Console, stages: Iterable[Stage]) -> None:
    """Print what each language model was asked, and what that cost."""
    for stage in stages:
        console.print(visible(str(stage)))


def codes_data(summary: FilterSummary | ExportSummary) -> dict[str, Any]:
    """Return how many samples have each error code, and a hint, as JSON-like data."""
    return {
        "codes": [
            {"code": code, "samples": count, "example": summary.examples[code]}
            for code, count in summary.codes.items()
        ],
        "hint": _hint(summary),
    }


def show_codes(console: Console, summary: FilterSummary | ExportSummary) -> None:
    """Print how many samples have each error code, and a hint if all of them lack some field."""
    codes = summary.codes
    if codes:
        table = Table(expand=True)
        table.add_column("Problem", overflow="fold")
        table.add_column("Samples", justify="right")
        table.add_column("The first message", ratio=1, overflow="fold")
        for code, count in list(codes.items())[:_MOST_CODES]:
            table.add_row(visible(code), f"{count:,}", as_example(summary.examples[code]))
        console.print(table)
    if (more := len(codes) - _MOST_CODES) > 0:
        console.print(f"and {counted_as(more, 'other problem')}")
    if (hint := _hint(summary)) is not None:
        console.print(Text(hint, "yellow"))


def _hint(summary: FilterSummary | ExportSummary) -> str | None:
    read, codes = summary.read, summary.codes
    return next((hint for code, hint in _HINTS.items() if read and codes.get(code) == read), None)

"""What commands print and write, and what they exit with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from citeguard.cli.arguments import STANDARD_STREAM, option
from citeguard.datasets.readers import errors_naming
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import shown

if TYPE_CHECKING:
    from citeguard.reports.report import Report

_EXAMPLE_LIMIT = 400  # what an altered quote should be, and the words that differ


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

    Outputs are paths by the names of their options, without dashes.
    """

    def identity(path: str) -> Path | None:
        return None if path == STANDARD_STREAM else Path(path).resolve()

    # Resolved, so that a link to an input, or another way to write its path, is the same file.
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
    with errors_naming(f"{path}: cannot be written"):
        # A text may have half a character, which UTF-8 cannot encode.
        Path(path).write_bytes(content.encode("utf-8", "backslashreplace"))


def require_lines(to: str, *, overwrite: bool) -> None:
    """Reject, before long work, a file of JSON lines that cannot or should not be written."""
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


def print_result(
    as_json: bool, as_data: Callable[..., Any], show: Callable[..., None], *result: Any
) -> None:
    """Print a result: what a function returns as JSON, or with another function for people."""
    if as_json:
        print_json(as_data(*result))
    else:
        show(*result)


def print_json(data: Any) -> None:
    """Print data as indented JSON, in ASCII."""
    # Standard output may have any encoding.
    typer.echo(json.dumps(data, indent=2))


def visible(text: str) -> str:
    """Return a text on one line, with escapes for characters that a terminal would interpret."""
    return shown(text, sys.maxsize)


def print_lines(*lines: str) -> None:
    """Print texts, each on a line of its own that is not wrapped."""
    for line in lines:
        typer.echo(visible(line))


_NARROWEST = 12  # columns that a text gets, however narrow the terminal is


def print_wrapped(console: Console, text: Text, first: str | tuple[str, str] = "") -> None:
    """Print a text with a hanging indent as wide as what its first line begins with."""
    begin = Text.assemble(first)
    indent, width = " " * len(begin), max(_NARROWEST, console.width - len(begin))
    for position, row in enumerate(text.wrap(console, width)):
        row.rstrip()
        console.print(Text(indent) + row if position else begin + row, soft_wrap=True)


def as_example(message: str) -> str:
    """Return a message on one line, visible and of bounded length."""
    return shown(message, _EXAMPLE_LIMIT)


def table_of(
    columns: Sequence[str], rows: Iterable[Sequence[str | float | None]], *, texts: int = 1
) -> Table:
    """Return a table: fractions with three digits after the point, and a dash for `None`.

    The first columns, `texts` of them, have texts, which may be folded; the others are numbers.
    """

    def cell(value: str | float | None) -> str:
        if isinstance(value, float):
            return f"{value:.3f}"
        return "–" if value is None else value if isinstance(value, str) else f"{value:,}"

    table = Table()
    for number, column in enumerate(columns):
        if number < texts:
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(cell, row))
    return table


STATUSES: Mapping[str, ExitStatus] = {
    "passed": ExitStatus.PASSED,
    "failed": ExitStatus.FAILED,
    "undecided": ExitStatus.UNDECIDED,
}
"""The exit status of each `Report.outcome`."""

_output = partial(option, "FILE", group="Files to write; - is standard output")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiles:
    """The files to write a report to, as the options name them."""

    html: Annotated[str | None, _output("A page to read and share.")] = None
    json: Annotated[str | None, _output("The whole report, for programs.")] = None
    markdown: Annotated[str | None, _output("A comment for a pull request, or a summary.")] = None
    sarif: Annotated[str | None, _output("Results in the text, for code scanning and editors.")] = (
        None
    )
    junit: Annotated[str | None, _output("Each claim as a test, for test reports.")] = None

    @property
    def _paths(self) -> dict[str, str]:
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        return {kind: path for kind, path in named.items() if path is not None}

    def require(self, inputs: Iterable[str]) -> None:
        """Reject, before long work, files that cannot be written or would replace an input."""
        require_outputs(self._paths, inputs)

    def write(self, report: Report, *, title: str, uri: str = "text") -> None:
        """Write a report to all of them, and show it unless one is standard output.

        `title` is that of the page; `uri` says where the text is, for SARIF.
        """
        options: dict[str, dict[str, Any]] = {"html": {"title": title}, "sarif": {"uri": uri}}
        for kind, path in self._paths.items():
            content = getattr(report, f"to_{kind}")(**options.get(kind, {}))
            write_output(path, content.rstrip("\n") + "\n")
        if STANDARD_STREAM not in self._paths.values():
            # Not cropped: a link that is cut cannot be opened.
            plain_console().print(report, crop=False)

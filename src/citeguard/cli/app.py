"""The commands that `citeguard` has, and the options before them.

Every command's module is imported at start, for `--help`. So what only one command needs and what
is slow to import (a data frame, a model) is imported in that command's function.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version as version_of
from typing import Annotated

import typer

from citeguard.cli.audit import audit_command
from citeguard.cli.check import check
from citeguard.cli.evaluate import evaluate
from citeguard.cli.export import export
from citeguard.cli.filter import filter_command
from citeguard.cli.helping import TeachingCommand
from citeguard.cli.outline import outline
from citeguard.cli.serve import serve_command
from citeguard.cli.synthesize import synthesize_command

app = typer.Typer(add_completion=False, rich_markup_mode=None)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"citeguard {version_of('pydantic-citeguard')}")
        raise typer.Exit


@app.callback()
def citeguard(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Check what a language model says against the sources it was given."""


def _add(name: str, function: Callable[..., int], short_help: str) -> None:
    app.command(name, cls=TeachingCommand, short_help=short_help)(function)


# In the order in which --help lists them: from one answer to many.
_add("check", check, "Check an answer's quotes and show where they stand.")
_add("audit", audit_command, "Check what a text says against its sources.")
_add("outline", outline, "Print the headings of a file as JSON.")
_add("filter", filter_command, "Part good samples of a file from bad ones.")
_add("evaluate", evaluate, "Measure citations, and verdicts against labels.")
_add("export", export, "Write good samples to train with, split by source.")
_add("synthesize", synthesize_command, "Make wrong quotes of true ones, with labels.")
_add("serve", serve_command, "Serve the checks over HTTP, with a form to try them.")

"""The commands that `citeguard` has, and the options before them.

Every command's module is imported at start, for `--help`. So what only one command needs and what
is slow to import (a data frame, a model) is imported in that command's function.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Annotated

import typer

from citeguard.cli.check import check

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


app.command(short_help="Check an answer's quotes and show where they stand.")(check)

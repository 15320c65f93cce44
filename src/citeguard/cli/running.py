"""Run the command: whatever goes wrong is one line on standard error and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb, format_exception_only
from typing import TextIO

import typer
from typer.main import get_command

from citeguard.cli.app import app
from citeguard.cli.arguments import hint_at_order, repeat_sources
from citeguard.cli.display import visible
from citeguard.cli.statuses import ExitStatus
from citeguard.errors import CiteguardError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit.

    With 0 all is good, 1 something failed, 2 the check could not run, 3 nothing failed, but of some
    statement it could not be told; with 130 it was interrupted.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status; what went wrong is one line on stderr."""
    try:
        return _run(arguments)
    except (SystemExit, BrokenPipeError):  # Rich makes the one of the other
        _discard(sys.stdout)
        return ExitStatus.READER_LEFT
    except KeyboardInterrupt as error:
        return _stop(ExitStatus.INTERRUPTED, _with_notes("interrupted", error))
    except typer.TyperException as error:
        told = f"{error.format_message()}{hint_at_order(error, arguments)} See citeguard --help."
    except (CiteguardError, OSError) as error:
        told = _with_notes(str(error), error)
    except Exception as error:  # it would end with 1, as a bad quote does
        told = _internal_error(error)
    return _stop(ExitStatus.COULD_NOT_RUN, told)


def _run(arguments: Sequence[str]) -> int:
    if sys.stdout is None:
        raise CiteguardError("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = _invoke(repeat_sources(arguments))
    sys.stdout.flush()
    return status


def _invoke(arguments: list[str]) -> int:
    """Call the command itself: Typer's own way to run it hides interruptions and broken pipes."""
    command = get_command(app)
    try:
        with command.make_context("citeguard", arguments) as context:
            return command.invoke(context) or ExitStatus.PASSED
    except typer.Exit as exited:  # so end --help and --version
        return exited.exit_code


def _with_notes(told: str, error: BaseException) -> str:
    """Add what an error has been given to say besides, such as how to go on."""
    return ". ".join([told, *getattr(error, "__notes__", [])])


def _stop(status: ExitStatus, told: str) -> ExitStatus:
    """Say why on standard error; what was printed until then stays, as far as it can be written."""
    if sys.stdout is not None:
        _flush(sys.stdout)
    try:
        typer.echo(visible(f"citeguard: {told}"), err=True)
    except OSError:  # then the status alone says it
        _discard(sys.stderr)
    return status


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except OSError:  # full, or Ctrl-C has ended the reader, too
        _discard(stream)


def _discard(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: Python tries again when it exits."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _internal_error(error: Exception) -> str:
    told = "".join(format_exception_only(error))
    place = extract_tb(error.__traceback__)[-1]
    return f"internal error: {told} ({Path(place.filename).name}:{place.lineno})"

"""The command line: its commands, the layout of their help, and its exit status."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version as version_of
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb, format_exception_only
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperCommand
from typer.main import get_command

from citeguard.cli import library
from citeguard.cli.arguments import hint_at_order, repeat_sources, with_groups
from citeguard.cli.asking import ask_command, chat_command
from citeguard.cli.audit import audit_command
from citeguard.cli.check import check
from citeguard.cli.data import fine_tune_command, questions_command, synthesize_command
from citeguard.cli.dev import bench_command, outline
from citeguard.cli.factcheck import factcheck_command
from citeguard.cli.filter_export import evaluate, export, filter_command
from citeguard.cli.output import ExitStatus, visible
from citeguard.cli.receipt import check_receipts_command, make_receipt_command
from citeguard.cli.serve import mcp_command, serve_command
from citeguard.errors import CiteguardError, missing_package

# `--help` imports all of these modules. So each command imports inside its function what is slow
# (a data frame, a model), and what an extra installs.
app = typer.Typer(add_completion=False, rich_markup_mode=None)
_command_of = cache(get_command)  # a process may run many


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status; any error is one line on standard error."""
    try:
        return _run(arguments)
    except (SystemExit, BrokenPipeError):  # Rich turns the second into the first
        _discard(sys.stdout)
        return ExitStatus.READER_LEFT
    except KeyboardInterrupt as error:
        return _stop(ExitStatus.INTERRUPTED, _with_notes("interrupted", error))
    except typer.TyperException as error:
        said = error.format_message().removeprefix("Invalid value: ")
        said = said.replace(": Value error, ", ": ", 1)
        said += "" if said.endswith((".", "?")) else "."
        command = getattr(getattr(error, "ctx", None), "command_path", "citeguard")
        message = f"{said}{hint_at_order(error, arguments)} See {command} --help."
    except (CiteguardError, OSError) as error:
        message = _with_notes(str(error), error)
    except Exception as error:  # uncaught, it would exit with 1, the status of a bad quote
        missing = missing_package(error, "this command") if isinstance(error, ImportError) else None
        place = extract_tb(error.__traceback__)[-1]
        where = f"({Path(place.filename).name}:{place.lineno})"
        internal = f"internal error: {''.join(format_exception_only(error))} {where}"
        message = internal if missing is None else str(missing)
    return _stop(ExitStatus.COULD_NOT_RUN, message)


def _run(arguments: Sequence[str]) -> int:
    if sys.stdout is None:
        raise CiteguardError("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal's encoding may lack a character of a source; showing it otherwise beats
            # ending in an error.
            stream.reconfigure(errors="backslashreplace")
    # Calling the command would hide interruptions and broken pipes.
    try:
        with _command_of(app).make_context("citeguard", repeat_sources(arguments)) as context:
            status = context.command.invoke(context) or ExitStatus.PASSED
    except typer.Exit as exited:  # --help and --version
        status = exited.exit_code
    sys.stdout.flush()
    return status


def _with_notes(message: str, error: BaseException) -> str:
    """Append the notes of an error, such as how to resume."""
    return ". ".join([message, *getattr(error, "__notes__", [])])


def _stop(status: ExitStatus, message: str) -> ExitStatus:
    """Print a message on standard error, after all that was printed on standard output."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError:  # the disk is full, or Ctrl-C has ended the reader, too
            _discard(sys.stdout)
    try:
        typer.echo(visible(f"citeguard: {message}"), err=True)
    except OSError:  # only the status is left
        _discard(sys.stderr)
    return status


def _discard(stream: TextIO) -> None:
    """Discard unwritten output, which Python would try to write again at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# What every command ends the list of its exit statuses with.
_ALWAYS = "\n      2  it could not run\n    130  interrupted"


class HelpfulCommand(TyperCommand):
    """A command whose help keeps indented paragraphs, and groups options by `rich_help_panel`."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the description."""
        text = inspect.cleandoc(self.help or "")
        paragraphs = f"{text}{_ALWAYS}".split("\n\n")
        # Click does not wrap a paragraph that begins with \b.
        kept = (f"\b\n{each}" if each.startswith(" ") else each for each in paragraphs)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(kept))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, each group under its name, in order of appearance."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            is_argument = param.param_type_name == "argument"
            group = "Arguments" if is_argument else getattr(param, "rich_help_panel", None)
            records = filter(None, [param.get_help_record(ctx)])
            groups.setdefault(group or "Options", []).extend(records)
        for name, listed in groups.items():
            with formatter.section(name):
                formatter.write_dl(listed)


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


def _add(commands: typer.Typer, name: str, function: Callable[..., int], short_help: str) -> None:
    commands.command(name, cls=HelpfulCommand, short_help=short_help)(with_groups(function))


def _group(name: str, short_help: str) -> typer.Typer:
    group = typer.Typer(add_completion=False, rich_markup_mode=None, help=short_help)
    app.add_typer(group, name=name)
    return group


_library = _group("library", "Manage a library: documents in one file, for ask and chat.")
_receipt = _group("receipt", "Record where quotes are, and check that when sources change.")
_data = _group("data", "Make samples to train with, or to measure with.")
_dev = _group("dev", "Look inside: a file's headings, the benchmark of quotes.")

# In the order of --help: from one answer to many.
_add(app, "check", check, "Check an answer's quotes and show where they are.")
_add(app, "audit", audit_command, "Check what a text says against its sources.")
_add(app, "ask", ask_command, "Answer a question from documents, with references.")
_add(app, "chat", chat_command, "Ask one question after the other about documents.")
_add(app, "fact-check", factcheck_command, "Check a statement or text on pages of the web.")
_add(app, "filter", filter_command, "Separate good samples of a file from bad ones.")
_add(app, "evaluate", evaluate, "Measure citations, and verdicts against labels.")
_add(app, "export", export, "Write good samples for training, split by source.")
_add(app, "serve", serve_command, "Serve the checks over HTTP, with a form to try them.")
_add(app, "mcp", mcp_command, "Offer the checks to language models, as tools (MCP).")
_add(_receipt, "make", make_receipt_command, "Print the receipt of an answer.")
_add(_receipt, "check", check_receipts_command, "Check receipts against today's sources.")
_add(_library, "add", library.add_command, "Add documents, or new versions of them.")
_add(_library, "update", library.update_command, "Add documents, and remove those that are gone.")
_add(_library, "rebuild", library.rebuild_command, "Cut and embed all documents anew.")
_add(_library, "remove", library.remove_command, "Remove documents.")
_add(_library, "check", library.check_command, "Check the file, and salvage what can be read.")
_add(_library, "list", library.list_command, "List the documents and the chats.")
_add(_library, "search", library.search_command, "Print the passages that match a query.")
_add(_data, "questions", questions_command, "Write questions with verified answers.")
_add(_data, "fine-tune", fine_tune_command, "Start a fine-tuning job with exported samples.")
_add(_data, "synthesize", synthesize_command, "Make wrong quotes from true ones, with labels.")
_add(_dev, "outline", outline, "Print the headings of a file as JSON.")
_add(_dev, "bench", bench_command, "Measure how well tools judge quotes.")

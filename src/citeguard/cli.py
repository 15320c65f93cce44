"""The command `citeguard`: check an answer's quotes, and statements, against sources in files."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb, format_exception_only
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from citeguard.documents import decode, load_sources, parse_json, read_text
from citeguard.errors import CiteguardError
from citeguard.examine import (
    CheckedAnswer,
    CheckedCitation,
    CheckedStatement,
    Problem,
    as_data,
    examine,
    line_of,
)
from citeguard.fitting import counted_as
from citeguard.models import Citation
from citeguard.policy import Policy
from citeguard.sources import Sources

PASSED, FAILED, COULD_NOT_RUN, UNDECIDED = 0, 1, 2, 3
# What a shell tells of a program that SIGPIPE has ended, as in `citeguard … | head -n 1`.
READER_LEFT = 141

# Narrower than this, a statement beside its quotes leaves too few words on a line to read.
_NARROWEST_TWO_COLUMNS = 64
# Embeddings, overrides and isolates let a text show in another order than it is checked in.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

app = typer.Typer(add_completion=False, rich_markup_mode=None)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit.

    With 0 all is good, 1 something failed, 2 the check could not run, 3 nothing failed, but of some
    statement it could not be told.
    """
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status; what went wrong is one line on stderr."""
    try:
        return _run(arguments)
    except (SystemExit, BrokenPipeError):  # Typer and Rich make the one of the other
        _discard(sys.stdout)
        return READER_LEFT
    except typer.TyperException as error:
        told = f"{error.format_message()}{_hint(error, arguments)} See citeguard --help."
    except CiteguardError as error:
        told = str(error)
    except OSError as error:
        told = str(error)
        _discard(sys.stdout)
    except Exception as error:  # it would end with 1, as a bad quote does
        told = _internal_error(error)
    try:
        typer.echo(visible(f"citeguard: {told}"), err=True)
    except OSError:  # then the status alone says it
        _discard(sys.stderr)
    return COULD_NOT_RUN


def _run(arguments: Sequence[str]) -> int:
    if sys.stdout is None:
        raise CiteguardError("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = app(repeat_sources(arguments), prog_name="citeguard", standalone_mode=False)
    sys.stdout.flush()
    return status or PASSED


def _discard(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: Python tries again when it exits."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _hint(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """Tell somebody whose ANSWER.json was taken for a source where to put it."""
    missing = error.param if isinstance(error, typer.BadParameter) else None
    *_, last = ["", *(each for each in arguments if not each.startswith("-"))]
    if missing is None or missing.name != "answer" or not last.lower().endswith(".json"):
        return ""
    taken = f"--sources={last}" in repeat_sources(arguments)
    return f" {last} is taken for a source: put ANSWER.json before --sources." if taken else ""


def _internal_error(error: Exception) -> str:
    told = "".join(format_exception_only(error))
    place = extract_tb(error.__traceback__)[-1]
    return f"internal error: {told} ({Path(place.filename).name}:{place.lineno})"


def repeat_sources(arguments: Sequence[str]) -> list[str]:
    """Put `--sources` before every path that follows it, as the parser takes one path at a time.

    The paths end at the next argument that starts with a dash. `--sources=` is followed by exactly
    one path.

    Raises:
        typer.BadParameter: no path follows.

    Examples:
        >>> repeat_sources(["answer.json", "--sources", "a.txt", "b.txt", "--json"])
        ['answer.json', '--sources=a.txt', '--sources=b.txt', '--json']
    """
    repeated: list[str] = []
    listing = False
    for position, argument in enumerate(arguments):
        if argument == "--":
            return [*repeated, *arguments[position:]]
        if not argument.startswith("-"):
            repeated.append(f"--sources={argument}" if listing else argument)
        elif argument == "--sources":
            listing = True
            _require_path(arguments[position + 1 :])
        else:
            listing = False
            repeated.append(argument)
    return repeated


def _require_path(arguments: Sequence[str]) -> None:
    if not arguments or arguments[0].startswith("-"):
        raise typer.BadParameter("--sources needs at least one path after it.")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"citeguard {version('pydantic-citeguard')}")
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


@app.command(short_help="Check an answer's quotes and show where they stand.")
def check(
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER.json", help="The answer; - reads standard input.")
    ],
    sources: Annotated[
        list[str],
        typer.Option(
            metavar="PATH...",
            help="Text or Markdown files, or JSON files of {id: text}. Every path up to the next "
            "option is a source, so put ANSWER.json before it; --sources=PATH takes exactly one.",
        ),
    ],
    *,
    support: Annotated[
        bool,
        typer.Option(
            "--support",
            help="Judge also whether what is cited supports the statements, without a model.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> int:
    """Check that every quote of an answer stands in its source, and show where.

    Exit status: 0 all is good, 1 something failed, 2 the check could not run, 3 nothing failed, but
    it could not be told whether a statement is supported.
    """
    loaded = load_sources(sources)
    checked = examine(_read_answer(answer), loaded, Policy.fast() if support else None)
    if as_json:
        typer.echo(json.dumps(as_data(checked, loaded), indent=2))
    else:
        show(checked, loaded)
    if checked.is_undecided:
        return UNDECIDED
    return FAILED if checked.all_problems else PASSED


def _read_answer(path: str) -> Any:
    if path == "-":
        return parse_json(_read_standard_input(), "standard input")
    if not path:
        raise CiteguardError("the path of the answer is empty")
    return parse_json(read_text(Path(path)), path)


def _read_standard_input() -> str:
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    return decode(sys.stdin.buffer.read(), "standard input")


def show(checked: CheckedAnswer, sources: Sources) -> None:
    """Print a table: each statement, its quotes, and where they stand or what is wrong."""
    console = Console(highlight=False, markup=False, emoji=False)
    wide = console.width >= _NARROWEST_TWO_COLUMNS
    table = Table(show_lines=True, expand=wide)
    table.add_column("Statement" if wide else "Statement and quotes", ratio=2, overflow="fold")
    if wide:
        table.add_column("Quotes", ratio=3, overflow="fold")
    for statement in checked.statements:
        quotes = Text("\n\n").join(_evidence(statement, sources))
        text = _statement_text(statement)
        table.add_row(*([text, quotes] if wide else [Text("\n\n").join([text, quotes])]))
    if checked.statements:
        console.print(table)
    for problem in checked.problems:
        console.print(_problem_text(problem))
    console.print(_summary(checked))


def _statement_text(statement: CheckedStatement) -> Text:
    """Return a statement with its verdict; that of one that failed is among its problems."""
    text, verdict = Text(visible(statement.text)), statement.verdict
    if verdict is None or statement.problems:
        return text
    score = "" if verdict.score is None else f" ({verdict.score:.2f})"
    return Text("\n").join([text, Text(f"{verdict.outcome}{score}", "green")])


def _evidence(statement: CheckedStatement, sources: Sources) -> Iterator[Text]:
    for citation in statement.citations:
        lines = [_quote_text(citation)]
        if citation.found is not None:
            lines += _place_texts(citation.found, sources)
        yield Text("\n").join([*lines, *map(_problem_text, citation.problems)])
    yield from map(_problem_text, statement.problems)


def _quote_text(citation: CheckedCitation) -> Text:
    quote = citation.quote if citation.found is None else citation.found.quote
    cited = f" (from {citation.source_id})" if citation.problems and citation.source_id else ""
    return Text(visible(f"“{quote}”{cited}"))


def _place_texts(found: Citation, sources: Sources) -> Iterator[Text]:
    offsets = ", ".join(f"{span.start}-{span.end}" for span in found.spans)
    first = found.spans[0]
    place = f"{visible(first.source_id)}:{line_of(first, sources)} ({offsets})"
    yield Text.assemble((str(found.grade), "green"), " ", (place, "cyan"))
    if found.quoted_as is not None:
        yield Text(f"quoted as “{visible(found.quoted_as)}”", "dim")
    if found.denied:
        yield Text("its own sentence denies it", "yellow")


def _problem_text(problem: Problem) -> Text:
    message = "\n".join(map(visible, problem.message.splitlines()))
    colour = "yellow" if problem.code == "undecided" else "red"
    return Text.assemble((problem.code, f"bold {colour}"), (f": {message}", colour))


def _summary(checked: CheckedAnswer) -> Text:
    citations = sum(len(statement.citations) for statement in checked.statements)
    counted = (
        f"{counted_as(len(checked.statements), 'statement')}, {counted_as(citations, 'quote')}: "
    )
    wrong = sum(problem.code != "undecided" for problem in checked.all_problems)
    undecided = len(checked.all_problems) - wrong
    told = [Text(counted_as(wrong, "problem"), "bold red")] if wrong else []
    told += [Text(f"{undecided} undecided", "bold yellow")] if undecided else []
    return Text.assemble(counted, Text(", ").join(told or [Text("all good", "bold green")]))


def visible(text: str) -> str:
    r"""Return a text on one line, with what a terminal would obey written out instead.

    Examples:
        >>> visible("red:\x1b[31m\n  next")
        'red:\\x1b[31m next'
    """
    return "".join(map(_written_out, " ".join(text.split())))


def _written_out(character: str) -> str:
    if character in _REORDERING or unicodedata.category(character) in ("Cc", "Cs"):
        return character.encode("unicode_escape").decode()
    return character

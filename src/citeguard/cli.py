"""The command `citeguard`: check an answer's quotes against sources in files."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from traceback import extract_tb, format_exception_only
from typing import Annotated, Any, TextIO, get_args

import typer
from pydantic import ValidationError
from pydantic_core.core_schema import ErrorType
from rich.console import Console
from rich.table import Table
from rich.text import Text

from citeguard.documents import decode, load_sources, parse_json, read_text
from citeguard.errors import CiteguardError
from citeguard.models import Answer, Citation
from citeguard.sources import Context, Sources, Span

PASSED, FAILED, COULD_NOT_RUN = 0, 1, 2
# What a shell tells of a program that SIGPIPE has ended, as in `citeguard … | head -n 1`.
READER_LEFT = 141

# Narrower than this, a statement beside its quotes leaves too few words on a line to read.
_NARROWEST_TWO_COLUMNS = 64
# Embeddings, overrides and isolates let a text show in another order than it is checked in.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SHAPE_ERRORS = frozenset(get_args(ErrorType))

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with an answer: the error's code and its message."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """A citation as the answer gives it, and as it was found, or the problems with it."""

    quote: str
    source_id: str | None
    found: Citation | None
    problems: list[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedStatement:
    """A statement with its citations, and the problems that are not a citation's own."""

    text: str
    citations: list[CheckedCitation]
    problems: list[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """All of an answer, and the problems that are not a statement's own."""

    statements: list[CheckedStatement]
    problems: list[Problem]

    @property
    def all_problems(self) -> list[Problem]:
        """The problems of every part, the answer's own last."""
        citations = [citation for part in self.statements for citation in part.citations]
        parts = [*citations, *self.statements, self]
        return [problem for part in parts for problem in part.problems]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0 all is good, 1 something failed, 2 the check could not run."""
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> int:
    """Check that every quote of an answer stands in its source, and show where.

    Exit status: 0 all is good, 1 something failed, 2 the check could not run.
    """
    loaded = load_sources(sources)
    checked = examine(_read_answer(answer), loaded)
    if as_json:
        typer.echo(json.dumps(as_data(checked, loaded), indent=2))
    else:
        show(checked, loaded)
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


def examine(raw: Any, sources: Sources) -> CheckedAnswer:
    """Check every part of an answer by itself, so that what is good shows beside what is not.

    Raises:
        CiteguardError: it has not the shape of an `Answer`.
    """
    context = sources.as_context()
    located = _problems(raw, context)
    statements = [
        CheckedStatement(
            text=statement["text"],
            citations=[
                _checked_citation(citation, context, _at(located, "statements", i, "citations", j))
                for j, citation in enumerate(statement["citations"])
            ],
            problems=_at(located, "statements", i, below="citations"),
        )
        for i, statement in enumerate(raw["statements"])
    ]
    return CheckedAnswer(statements=statements, problems=_at(located, below="statements"))


_Located = list[tuple[tuple[int | str, ...], Problem]]


def _problems(raw: Any, context: Context) -> _Located:
    try:
        Answer.model_validate(raw, context=context)
    except ValidationError as error:
        lines = error.errors(include_url=False, include_context=False)
        if shape := [line for line in lines if line["type"] in _SHAPE_ERRORS]:
            place = ".".join(map(str, shape[0]["loc"])) or "the whole"
            more = f" (and {len(shape) - 1} more)" if len(shape) > 1 else ""
            told = f"this is no answer: {place}: {shape[0]['msg']}{more}"
            raise CiteguardError(told) from error
        return [(line["loc"], Problem(code=line["type"], message=line["msg"])) for line in lines]
    return []


def _at(located: _Located, *place: int | str, below: str | None = None) -> list[Problem]:
    """Pick the problems at a place; those inside its list `below` belong to the list's items."""
    depth = len(place)
    return [
        problem
        for loc, problem in located
        if loc[:depth] == place
        and not (loc[depth : depth + 1] == (below,) and len(loc) > depth + 1)
    ]


def _checked_citation(raw: Any, context: Context, problems: list[Problem]) -> CheckedCitation:
    found = None if problems else Citation.model_validate(raw, context=context)
    return CheckedCitation(
        quote=raw["quote"], source_id=raw.get("source_id"), found=found, problems=problems
    )


def as_data(checked: CheckedAnswer, sources: Sources) -> dict[str, Any]:
    """Return what was found as JSON-like data; offsets are half-open, in code points."""
    return {
        "passed": not checked.all_problems,
        "statements": [
            {
                "text": statement.text,
                "citations": [_citation_data(each, sources) for each in statement.citations],
                "errors": [asdict(problem) for problem in statement.problems],
            }
            for statement in checked.statements
        ],
        "errors": [asdict(problem) for problem in checked.problems],
    }


def _citation_data(citation: CheckedCitation, sources: Sources) -> dict[str, Any]:
    found = citation.found
    facts: dict[str, Any] = {"quote": citation.quote, "source_id": citation.source_id}
    if found is not None:
        facts = {**found.model_dump(), "line": line_of(found.spans[0], sources)}
    return {**facts, "errors": [asdict(problem) for problem in citation.problems]}


def line_of(span: Span, sources: Sources) -> int:
    """Return the number of the line that a span starts on, from 1, as `wc` counts lines."""
    return sources[span.source_id].text.count("\n", 0, span.start) + 1


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
        text = Text(visible(statement.text))
        table.add_row(*([text, quotes] if wide else [Text("\n\n").join([text, quotes])]))
    if checked.statements:
        console.print(table)
    for problem in checked.problems:
        console.print(_problem_text(problem))
    console.print(_summary(checked))


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
    return Text.assemble((problem.code, "bold red"), (f": {message}", "red"))


def _summary(checked: CheckedAnswer) -> Text:
    citations = sum(len(statement.citations) for statement in checked.statements)
    counted = f"{_count(len(checked.statements), 'statement')}, {_count(citations, 'quote')}: "
    problems = checked.all_problems
    told = _count(len(problems), "problem") if problems else "all good"
    return Text.assemble(counted, (told, "bold red" if problems else "bold green"))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


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

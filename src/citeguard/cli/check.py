"""`citeguard check`: the quotes, and statements, of an answer against source files."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ValidationError
from rich.table import Table
from rich.text import Text

from citeguard.cli.arguments import (
    STANDARD_STREAM,
    AsJson,
    JudgeOptions,
    Support,
    argument,
    flag,
    option,
    read_input,
    sources_option,
)
from citeguard.cli.output import (
    ExitStatus,
    plain_console,
    print_json,
    print_result,
    show_models,
    visible,
)
from citeguard.documents.files import parse_json
from citeguard.errors import CiteguardError, foreign_code
from citeguard.judges.asking import stages_of_models
from citeguard.judges.usage import models_data, track_usage
from citeguard.language.excerpts import as_path, counted_as
from citeguard.sources.collection import Sources
from citeguard.validation.examine import (
    CheckedAnswer,
    CheckedStatement,
    Problem,
    as_data,
    examine,
    place_name,
)
from citeguard.validation.messages import word_diff
from citeguard.validation.models import Citation
from citeguard.validation.policy import Policy
from citeguard.validation.quotes import ExactQuote, FuzzyQuote
from citeguard.validation.verification import verify


def check(
    answer: Annotated[str, argument("ANSWER.json", "The answer; - reads standard input.")],
    sources: Annotated[list[str], sources_option(after="ANSWER.json")],
    *,
    support: Support = False,
    exact: Annotated[
        bool,
        flag("--exact", "Accept only verbatim quotes; fields of --model keep their own rules."),
    ] = False,
    uncited: Annotated[
        Literal["fail", "pass", "search"],
        option(None, "What a statement without quotes does; search: judge what a search finds."),
    ] = "fail",
    model: Annotated[
        str | None, option("MODULE:CLASS", "A Pydantic model of your own, in place of Answer.")
    ] = None,
    as_json: AsJson = False,
    judge: JudgeOptions,
) -> int:
    """Check that every quote of an answer appears in its source, and show where.

    The answer is JSON, with or without a Markdown code fence around it.

        citeguard check answer.json --sources handbook.txt faq.md

        citeguard check - --sources handbook.txt --support < answer.json

        citeguard check answer.json --sources *.txt --judge openai/gpt-5-mini

        citeguard check report.json --model reports:Report --sources handbook.txt

    Exit status:

          0  everything passed
          1  something failed
          3  nothing failed, but some statement is undecided
    """
    rules: dict[str, Any] = {"quote": ExactQuote() if exact else FuzzyQuote(), "uncited": uncited}
    policy = judge(**rules) if judge else Policy.fast(**rules) if support else Policy(**rules)
    loaded = Sources.from_paths(sources)
    name, text = _read_answer(answer)
    raw = parse_json(text, name)
    if model is not None:
        return _check_model(_model_named(model), text, loaded, policy, as_json=as_json)
    checked = examine(raw, loaded, policy)
    print_result(as_json, as_data, show, checked, loaded)
    return _status(checked.all_problems)


def _status(problems: Collection[Problem]) -> ExitStatus:
    if not problems:
        return ExitStatus.PASSED
    is_undecided = all(problem.code == "undecided" for problem in problems)
    return ExitStatus.UNDECIDED if is_undecided else ExitStatus.FAILED


_FENCED = re.compile(r"```[\w-]*[ \t]*\r?\n(.*?)\r?\n[ \t]*```", re.DOTALL)


def _read_answer(path: str) -> tuple[str, str]:
    """Return a file's name, and the JSON in it or in the only fenced block of it, not parsed."""
    text = read_input(path, "the answer")
    blocks = _FENCED.findall(text)
    name = "standard input" if path == STANDARD_STREAM else path
    if len(blocks) > 1:
        raise CiteguardError(
            f"{name}: expected one fenced block with the answer, got {len(blocks)}"
        )
    return name, blocks[0] if blocks else text


def _model_named(name: str) -> type[BaseModel]:
    """Return a model of the user's own, from the working folder or what is installed.

    Raises:
        CiteguardError: There is no such module or class, or it is not a Pydantic model.
    """
    module, _, path = name.partition(":")
    if not module or not path:
        raise CiteguardError(f"--model: expected MODULE:CLASS, got {name!r}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    # A module of the user's may raise anything.
    with foreign_code(
        lambda error: CiteguardError(f"--model {name}: {type(error).__name__}: {error}")
    ):
        found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    if not isinstance(found, type) or not issubclass(found, BaseModel):
        raise CiteguardError(f"--model {name}: expected a Pydantic model")
    return found


def _check_model(
    model: type[BaseModel], text: str, sources: Sources, policy: Policy, *, as_json: bool
) -> int:
    """Check data as a user's own model; print each error at its place, and return the status."""
    errors: list[tuple[str, Problem]] = []
    with track_usage() as counter:
        try:
            verify(model, text, sources=sources, policy=policy)
        except ValidationError as error:
            errors = [
                (as_path(line["loc"]), Problem(code=line["type"], message=line["msg"]))
                for line in error.errors(include_url=False)
            ]
    problems = [problem for _, problem in errors]
    models = stages_of_models(policy.judges, counter.usage)
    if as_json:
        listed = [{"loc": loc, "code": each.code, "message": each.message} for loc, each in errors]
        print_json({"passed": not errors, "errors": listed, **models_data(models)})
    else:
        console = plain_console()
        for loc, problem in errors:
            console.print(Text.assemble((visible(loc), "cyan"), " ", _problem_text(problem)))
        console.print(Text.assemble(f"{model.__name__}: ", _count(problems)))
        show_models(console, models)
    return _status(problems)


def show(checked: CheckedAnswer, sources: Sources) -> None:
    """Print a table of the statements with their quotes, and the place or the problems of each."""
    console = plain_console()
    table = Table(show_lines=True, expand=True)
    table.add_column("Statement", ratio=2, overflow="fold")
    table.add_column("Quotes", ratio=3, overflow="fold")
    for statement in checked.statements:
        text, verdict = Text(visible(statement.text)), statement.verdict
        if verdict is not None and not statement.problems:  # else it is one of these
            score = "" if verdict.score is None else f" ({verdict.score:.2f})"
            text = Text("\n").join([text, Text(f"{verdict.outcome}{score}", "green")])
        table.add_row(text, Text("\n\n").join(_evidence(statement, sources)))
    if checked.statements:
        console.print(table)
    if checked.unanswerable is not None:
        console.print(Text(f"not in the sources: {visible(checked.unanswerable)}"))
    for problem in checked.problems:
        console.print(_problem_text(problem))
    statements = counted_as(len(checked.statements), "statement")
    quotes = counted_as(sum(len(each.citations) for each in checked.statements), "quote")
    found = [each.found for statement in checked.statements for each in statement.citations]
    flagged = sum(each is not None and each.framing is not None for each in found)
    counted = _count(checked.all_problems, flagged)
    console.print(Text.assemble(f"{statements}, {quotes}: ", counted))
    show_models(console, checked.models)


def _evidence(statement: CheckedStatement, sources: Sources) -> Iterator[Text]:
    for citation in statement.citations:
        quote = citation.quote if citation.found is None else citation.found.quote
        cited = f" (from {citation.source_id})" if citation.problems and citation.source_id else ""
        lines = [Text(visible(f"“{quote}”{cited}"))]
        if citation.found is not None:
            lines += _place_texts(citation.found, sources)
        yield Text("\n").join([*lines, *map(_problem_text, citation.problems)])
    yield from map(_problem_text, statement.problems)


# What people read of a grade and of an error; the messages of errors are for language models.
_GRADES = {
    "exact": "found word for word",
    "normalized": "found, in other typography",
    "elided": "found, with omissions",
    "fuzzy": "found with small differences",
    "equivalent": "found, in forms that mean the same",
}
_ERRORS = {
    "quote_altered": "not what the source says",
    "quote_clipped": "cut so that it says something else",
    "quote_not_found": "not found in the source",
    "quote_wrong_source": "found in another source",
}
_CHANGE = re.compile(r"\[-.*?-\]|\{\+.*?\+\}")


def _place_texts(found: Citation, sources: Sources) -> Iterator[Text]:
    offsets = ", ".join(f"{span.start}-{span.end}" for span in found.spans)
    place = f"{visible(place_name(found.spans[0], sources))} ({offsets})"
    yield Text.assemble((f"✓ {_GRADES[str(found.grade)]}", "green"), " ", (place, "cyan"))
    if found.quoted_as is not None:
        yield Text(f"quoted as “{visible(found.quoted_as)}”", "dim")
    if found.framing is not None:
        frame = f"! {found.framing.kind} by its own sentence: “{visible(found.framing.words)}”"
        yield Text(frame, "yellow")


def _problem_text(problem: Problem) -> Text:
    colour, sign = ("yellow", "?") if problem.code == "undecided" else ("red", "✕")
    if problem.code not in _ERRORS:
        message = "\n".join(map(visible, problem.message.splitlines()))
        return Text.assemble((f"{sign} {problem.code}", f"bold {colour}"), (f": {message}", colour))
    told = Text.assemble(
        (f"{sign} {_ERRORS[problem.code]}", f"bold {colour}"), f" ({problem.code})"
    )
    if problem.nearest is None:
        return told
    if problem.code not in ("quote_altered", "quote_clipped"):
        return told.append(f"\n“{visible(problem.nearest)}”")
    difference = Text(visible(word_diff(problem.quote or "", problem.nearest)))
    for change in _CHANGE.finditer(difference.plain):
        difference.stylize("red" if change[0].startswith("[") else "green", *change.span())
    return told.append("\n").append_text(difference)


def _count(problems: Collection[Problem], flagged: int = 0) -> Text:
    wrong = sum(problem.code != "undecided" for problem in problems)
    undecided = len(problems) - wrong
    parts = [Text(counted_as(wrong, "problem"), "bold red")] if wrong else []
    parts += [Text(f"{undecided} undecided", "bold yellow")] if undecided else []
    if flagged:  # nothing failed, but not all is good
        parts.append(Text(f"{flagged} flagged", "bold yellow"))
    return Text(", ").join(parts or [Text("all good", "bold green")])

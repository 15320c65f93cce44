"""`citeguard check`: the quotes, and statements, of an answer against source files."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ValidationError
from rich.console import Console
from rich.text import Text

from citeguard.cli.arguments import (
    STANDARD_STREAM,
    AsJson,
    HowUnseen,
    JudgeOptions,
    Support,
    argument,
    flag,
    option,
    read_input,
    read_sources,
    sources_option,
)
from citeguard.cli.output import (
    ExitStatus,
    plain_console,
    print_json,
    print_lines,
    print_result,
    print_wrapped,
    visible,
)
from citeguard.documents.files import parse_json
from citeguard.errors import CiteguardError, foreign_code
from citeguard.judges.cascade import stages_of_models
from citeguard.judges.usage import models_data, track_usage
from citeguard.language.excerpts import counted_as
from citeguard.reports.wording import GRADES, UNCERTAIN, VERDICTS
from citeguard.sources.collection import Sources
from citeguard.validation.examine import (
    CheckedAnswer,
    Problem,
    as_data,
    examine,
    place_name,
    problems_of,
)
from citeguard.validation.messages import not_in_sources, word_diff
from citeguard.validation.models import Citation
from citeguard.validation.policy import Policy
from citeguard.validation.quote_rules import ExactQuote, FuzzyQuote
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
    for_model: Annotated[
        bool, flag("--for-model", "Print what a language model is told of its mistakes.")
    ] = False,
    unseen: HowUnseen = "omit",
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
    loaded = read_sources(sources, unseen=unseen)
    name, text = read_answer(answer)
    try:
        raw = parse_json(text, name)
    except CiteguardError as error:
        if not text.lstrip().startswith(("{", "[")):
            error.add_note(f"To check a text, use citeguard audit {answer} --sources PATH.")
        raise
    if model is not None:
        found = _model_named(model)
        return _check_model(found, text, loaded, policy, as_json=as_json, for_model=for_model)
    checked = examine(raw, loaded, policy)
    if for_model:
        print_lines(*map(message_of, checked.all_problems))
    else:
        print_result(as_json, as_data, show, checked, loaded)
    return _status(checked.all_problems)


def _status(problems: Collection[Problem]) -> ExitStatus:
    if not problems:
        return ExitStatus.PASSED
    is_undecided = all(problem.code == "undecided" for problem in problems)
    return ExitStatus.UNDECIDED if is_undecided else ExitStatus.FAILED


_FENCED = re.compile(r"```[\w-]*[ \t]*\r?\n(.*?)\r?\n[ \t]*```", re.DOTALL)


def read_answer(path: str) -> tuple[str, str]:
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
    """Return a model of the user's own, from the working folder or what is installed."""
    module, _, path = name.partition(":")
    if not module or not path:
        raise CiteguardError(f"--model: expected MODULE:CLASS, got {name!r}")
    # As `python -m` does; an installed command has its own folder there instead.
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
    model: type[BaseModel],
    text: str,
    sources: Sources,
    policy: Policy,
    *,
    as_json: bool,
    for_model: bool,
) -> int:
    """Check data as a user's own model; print each error at its place, and return the status."""
    problems: list[Problem] = []
    with track_usage() as counter:
        try:
            verify(model, text, sources=sources, policy=policy)
        except ValidationError as error:
            problems = problems_of(error)
    models = stages_of_models(policy.judges, counter.usage)
    if for_model:
        print_lines(*map(message_of, problems))
    elif as_json:
        listed = [{"loc": it.path, "code": it.code, "message": it.message} for it in problems]
        print_json({"passed": not problems, "errors": listed, **models_data(models)})
    else:
        console = plain_console()
        for problem in problems:
            print_wrapped(console, Text(visible(problem.path), "cyan"))
            show_problem(console, problem, sources)
        console.print(Text.assemble(f"{model.__name__}: ", _count(problems)))
        print_lines(*map(str, models))
    return _status(problems)


def message_of(problem: Problem) -> str:
    """Return what a language model is told of a problem, on one line."""
    return f"{problem.path}: {problem.message}" if problem.path else problem.message


def show(checked: CheckedAnswer, sources: Sources) -> None:
    """Print each statement with its quotes, and the place or the problems of each."""
    console = plain_console()
    for statement in checked.statements:
        codes = {problem.code for problem in statement.all_problems}
        sign = ("✕ ", "red") if codes - {"undecided"} else ("? ", "yellow")
        sign = sign if codes else ("✓ ", "green")
        verdict = statement.verdict
        text = Text(visible(statement.text), "bold")
        if verdict is not None and not statement.problems:  # else it is one of these
            score = "" if verdict.score is None else f" ({verdict.score:.2f})"
            text.append_text(Text.assemble("  ", (f"{verdict.outcome}{score}", "not bold green")))
        print_wrapped(console, text, sign)
        for problem in statement.problems:
            show_problem(console, problem, sources)
        for citation in statement.citations:
            quote = citation.quote if citation.found is None else citation.found.quote
            cited = citation.source_id if citation.problems else None
            said = Text(visible(f"“{quote}”{'' if cited is None else f' (cites {cited})'}"))
            print_wrapped(console, said, _INDENT)
            if citation.found is not None:
                _show_found(console, citation.found, sources)
            for problem in citation.problems:
                show_problem(console, problem, sources)
        console.print()
    if checked.unanswerable is not None:
        print_wrapped(console, Text(visible(not_in_sources(checked.unanswerable))))
    for problem in checked.problems:
        show_problem(console, problem, sources)
    statements = counted_as(len(checked.statements), "statement")
    quotes = counted_as(sum(len(each.citations) for each in checked.statements), "quote")
    found = [each.found for statement in checked.statements for each in statement.citations]
    flagged = sum(each is not None and each.framing is not None for each in found)
    counted = _count(checked.all_problems, flagged)
    console.print(Text.assemble(f"{statements}, {quotes}: ", counted))
    print_lines(*map(str, checked.models))


_INDENT = "  "
_MOST_IDS = 5
# What people read of an error; the messages of errors are for language models.
_REASONS = {
    "quote_altered": "not what the source says",
    "quote_clipped": "cut so that it says something else",
    "quote_framed": "the sentence around it does not say so itself",
    "quote_not_found": "not found",
    "quote_wrong_source": "found in another source",
    "quote_wrong_speaker": "another one says this",
    "quote_empty": "no words",
    "quote_too_short": "too short to prove anything",
    "source_unknown": "no such source",
    "statement_uncited": "no quote supports it",
    "statement_unsupported": "not supported",
    "statement_contradicted": "contradicted",
    "statement_empty": "no words",
    "answer_empty": "no statements, and no reason why",
    "answer_misaligned": "does not answer the question",
    "undecided": "could not be decided",
    "context_changed": "something else is around it",
}
_DIFFERING = ("quote_altered", "quote_clipped", "context_changed")
_CHANGE = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}")


def _show_found(console: Console, found: Citation, sources: Sources) -> None:
    place = visible(place_name(found.spans[0], sources))
    grade = found.grade or "exact"
    look = UNCERTAIN if grade == "uncertain" else VERDICTS["supported"]
    how = f"{look.icon} {GRADES[grade]}: "
    print_wrapped(console, Text.assemble((how, look.style), (place, "cyan")), _INDENT)
    if found.quoted_as is not None:
        said = Text(f"the answer has “{visible(found.quoted_as)}”", "dim")
        print_wrapped(console, said, _INDENT * 2)
    if found.framing is not None:
        frame = f"! {found.framing.kind} by its own sentence: “{visible(found.framing.words)}”"
        print_wrapped(console, Text(frame, "yellow"), _INDENT)


def show_problem(console: Console, problem: Problem, sources: Sources) -> None:
    """Print a reason in few words, what differs, and where the source says it."""
    is_open = problem.code in ("undecided", "context_changed")
    colour, sign = ("yellow", "?") if is_open else ("red", "✕")
    reason, details = _REASONS.get(problem.code), list[Text]()
    if problem.code in _DIFFERING and problem.nearest is not None:
        details.append(_difference(problem, coloured=console.color_system is not None))
    elif problem.code == "source_unknown":
        has = "the quote is in" if problem.found_in else "the sources are"
        ids = (problem.found_in or sources.ids)[:_MOST_IDS]
        details.append(Text(visible(f"{has} {', '.join(ids)}")))
    elif problem.code == "quote_not_found" and problem.nearest is not None:
        details.append(Text(visible(f"nearest: “{problem.nearest}”")))
    elif problem.verdict is not None and problem.verdict.reason:
        details.append(Text(visible(problem.verdict.reason)))
    elif reason is None:  # a validator of the user's own
        details += [Text(visible(line), colour) for line in problem.message.splitlines()]
    if problem.span is not None:
        details.append(Text(visible(place_name(problem.span, sources)), "cyan"))
    told = Text.assemble((f"{sign} {reason or problem.code}", f"bold {colour}"))
    if reason is not None:
        told.append(f" ({problem.code})", "dim")
    print_wrapped(console, told, _INDENT)
    for detail in details:
        print_wrapped(console, detail, _INDENT * 2)


def _difference(problem: Problem, *, coloured: bool) -> Text:
    """Return what differs: struck out and underlined in colour, else between marks."""
    marked = visible(word_diff(problem.quote or "", problem.nearest or ""))
    if not coloured:
        return Text(marked)
    difference, end = Text(), 0
    for change in _CHANGE.finditer(marked):
        difference.append(marked[end : change.start()])
        removed, added = change.groups()
        if added is None:
            difference.append(removed, "red strike")
        else:
            difference.append(added, "green underline")
        end = change.end()
    return difference.append(marked[end:])


def _count(problems: Collection[Problem], flagged: int = 0) -> Text:
    wrong = sum(problem.code != "undecided" for problem in problems)
    undecided = len(problems) - wrong
    parts = [Text(counted_as(wrong, "problem"), "bold red")] if wrong else []
    parts += [Text(f"{undecided} undecided", "bold yellow")] if undecided else []
    if flagged:  # nothing failed, but not all is good
        parts.append(Text(f"{flagged} flagged", "bold yellow"))
    return Text(", ").join(parts or [Text("all good", "bold green")])

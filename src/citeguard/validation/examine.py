"""An answer checked part by part, for the command line and the service to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from citeguard.errors import CiteguardError
from citeguard.judges.cascade import Session, dry_run, judging, stages_of_models
from citeguard.judges.loops import run_sync
from citeguard.judges.usage import Stage, models_data
from citeguard.judges.verdicts import Outcome, Verdict
from citeguard.language.excerpts import as_path
from citeguard.sources.collection import Passage, Sources, Span
from citeguard.validation.context import Context
from citeguard.validation.models import Answer, Citation, Statement, stated_reason
from citeguard.validation.policy import DEFAULT_POLICY, Policy, without_drops
from citeguard.validation.support import VERDICT_CODES
from citeguard.validation.verification import rounds

_OUTCOMES: dict[str, Outcome] = {code: outcome for outcome, code in VERDICT_CODES.items()}
# Pydantic's own codes; all others are citeguard's, or the user's.
_SHAPE_ERRORS = frozenset(get_args(ErrorType))


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing in an answer that is wrong or undecided."""

    code: str
    path: str  # in the data, as Python would write it: "statements[0].text"
    message: str  # what the language model reads
    verdict: Verdict | None = None  # that it comes from
    quote: str | None = None
    nearest: str | None = None  # the words that the quote should have, or the nearest ones
    span: Span | None = None  # of these words, or those that the verdict rests on
    found_in: tuple[str, ...] = ()  # the sources that have the quote, if it names another one


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """A citation as the answer has it, and either its validated form or the problems with it."""

    quote: str
    source_id: str | None
    found: Citation | None
    problems: list[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedStatement:
    """A statement with its citations, its verdict, and its problems without those of citations."""

    text: str
    citations: list[CheckedCitation]
    problems: list[Problem]
    verdict: Verdict | None

    @property
    def all_problems(self) -> list[Problem]:
        """The problems of its citations, and its own."""
        return [problem for part in (*self.citations, self) for problem in part.problems]


class MalformedAnswerError(CiteguardError):
    """What should be an answer does not have the form of an `Answer`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer with its statements, and the problems that belong to none of them."""

    statements: list[CheckedStatement]
    problems: list[Problem]
    unanswerable: str | None = None  # what it says is not in the sources
    models: tuple[Stage, ...] = ()  # what judges that are not `local` were asked

    @property
    def all_problems(self) -> list[Problem]:
        """The problems of every part; those of the answer itself come last."""
        parts = [problem for part in self.statements for problem in part.all_problems]
        return [*parts, *self.problems]


def examine(raw: Any, sources: Sources, policy: Policy | None = None) -> CheckedAnswer:
    """Check every part of an answer, so that valid parts can be shown beside the problems.

    The `raw` answer is as parsed from JSON; a `MalformedAnswerError` if it has another form.
    """
    # What is wrong is to be shown, not dropped.
    rules = without_drops(policy) or DEFAULT_POLICY
    context, session = sources.as_context(rules), Session(rules.budget)
    with judging(session):
        # All judges first, concurrently and in batches; validation would ask them one by one.
        for questions in rounds(
            lambda: dry_run(lambda: Answer.model_validate(raw, context=context)), rules
        ):
            run_sync(session.settle(questions))
        located = _located_problems(raw, context)
        statements = [
            _checked_statement(number, statement, context, located)
            for number, statement in enumerate(raw["statements"])
        ]
    return CheckedAnswer(
        statements=statements,
        problems=_at(located, below="statements"),
        unanswerable=stated_reason(raw.get("unanswerable")),
        models=stages_of_models(rules.judges, session.usage),
    )


def examine_citation(
    raw: Mapping[str, Any], sources: Sources, policy: Policy | None = None
) -> CheckedCitation:
    """Check one citation, `{"quote": ..., "source_id": ...}`: where its quote is. Asks no judge."""
    context = sources.as_context(without_drops(policy) or DEFAULT_POLICY)
    problems: list[Problem] = []
    try:
        Citation.model_validate(raw, context=context)
    except ValidationError as error:
        problems = problems_of(error)
    return _checked_citation(raw, context, problems)


_Located = list[tuple[tuple[int | str, ...], Problem]]


def _checked_statement(
    number: int, raw: Any, context: Context, located: _Located
) -> CheckedStatement:
    problems = _at(located, "statements", number)
    own = _at(located, "statements", number, below="citations")
    # Its verdict is already known, from the validation of the answer: no judge is asked again.
    valid = None if problems else Statement.model_validate(raw, context=context)
    verdicts = [each.verdict for each in own if each.verdict is not None]
    return CheckedStatement(
        text=raw["text"],
        citations=[
            _checked_citation(
                citation, context, _at(located, "statements", number, "citations", place)
            )
            for place, citation in enumerate(raw["citations"])
        ],
        problems=own,
        verdict=next(iter(verdicts), None) if valid is None else valid.verdict,
    )


def _located_problems(raw: Any, context: Context) -> _Located:
    try:
        Answer.model_validate(raw, context=context)
    except ValidationError as error:
        lines = error.errors(include_url=False)
        if shape := [line for line in lines if line["type"] in _SHAPE_ERRORS]:
            place = ".".join(map(str, shape[0]["loc"])) or "the whole"
            more = f" (and {len(shape) - 1} more)" if len(shape) > 1 else ""
            message = f"the answer has the wrong form: {place}: {shape[0]['msg']}{more}"
            raise MalformedAnswerError(message) from error
        return list(zip((line["loc"] for line in lines), problems_of(error), strict=True))
    return []


def problems_of(error: ValidationError) -> list[Problem]:
    """Return the problems that validation has reported, each with its path."""
    return [_problem(line) for line in error.errors(include_url=False)]


def _problem(line: ErrorDetails) -> Problem:
    outcome, context = _OUTCOMES.get(line["type"]), line.get("ctx", {})
    names = ("reason", "score", "words", "span", "judge")
    facts = {name: context[name] for name in names if name in context}
    verdict = None if outcome is None else Verdict(outcome, **facts)
    return Problem(
        code=line["type"],
        path=as_path(line["loc"]),
        message=line["msg"],
        verdict=verdict,
        quote=context.get("quote"),
        nearest=context.get("fuller") or context.get("nearest"),
        span=context.get("nearest_span") or context.get("span"),
        found_in=context.get("found_in", ()),
    )


def _at(located: _Located, *place: int | str, below: str | None = None) -> list[Problem]:
    """Return the problems at a place, without those of the items of its list `below`."""
    depth = len(place)
    return [
        problem
        for loc, problem in located
        if loc[:depth] == place
        and not (loc[depth : depth + 1] == (below,) and len(loc) > depth + 1)
    ]


def _checked_citation(raw: Any, context: Context, problems: list[Problem]) -> CheckedCitation:
    found = None if problems else Citation.model_validate(raw, context=context)
    source_id = raw.get("source_id")
    return CheckedCitation(
        quote=raw["quote"],
        source_id=None if source_id is None else str(source_id),
        found=found,
        problems=problems,
    )


def as_data(checked: CheckedAnswer, sources: Sources) -> dict[str, Any]:
    """Return a checked answer as JSON-like data; spans are half-open, in code points."""
    return {
        "passed": not checked.all_problems,
        "statements": [
            {
                "text": statement.text,
                "citations": [citation_data(each, sources) for each in statement.citations],
                **({} if statement.verdict is None else {"verdict": asdict(statement.verdict)}),
                "errors": _problem_data(statement.problems),
            }
            for statement in checked.statements
        ],
        **({} if checked.unanswerable is None else {"unanswerable": checked.unanswerable}),
        **models_data(checked.models),
        "errors": _problem_data(checked.problems),
    }


def place_name(span: Span, sources: Sources) -> str:
    """Return the place of a span: `paper, p. 4 › Results`, or `handbook, line 12`."""
    place = sources.location_of(span)
    return ", ".join(filter(None, (place.source_id, str(place))))


def _problem_data(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"code": problem.code, "message": problem.message} for problem in problems]


def citation_data(citation: CheckedCitation, sources: Sources) -> dict[str, Any]:
    """Return a checked citation as JSON-like data."""
    found = citation.found
    facts: dict[str, Any] = {"quote": citation.quote, "source_id": citation.source_id}
    if found is not None:
        facts = {**found.model_dump(), **place_data(found.spans[0], sources)}
    return {**facts, "errors": _problem_data(citation.problems)}


def place_data(span: Span, sources: Sources) -> dict[str, Any]:
    """Return the line of a span and, if its source has them, its page and headings."""
    place, layout = sources.location_of(span), sources[span.source_id].layout
    if layout is None or layout.kind in ("text", "table"):
        return {"line": place.line}
    return {"line": place.line, "page": place.page, "headings": list(place.headings)}


def passages_data(passages: Iterable[Passage], sources: Sources) -> list[dict[str, Any]]:
    """Return passages with their places as JSON-like data."""
    return [
        {
            **asdict(each.span),
            "text": each.text,
            "score": each.score,
            **place_data(each.span, sources),
        }
        for each in passages
    ]

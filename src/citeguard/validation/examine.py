"""An answer checked part by part, so that valid parts are shown beside the others.

The command line prints it; nothing here does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Outcome, Verdict
from citeguard.sources.collection import Sources, Span
from citeguard.validation.context import Context
from citeguard.validation.models import Answer, Citation, Statement
from citeguard.validation.policy import Policy

_OUTCOMES: dict[str, Outcome] = {
    "statement_unsupported": "unsupported",
    "statement_contradicted": "contradicted",
    "undecided": "undecided",
}
_SHAPE_ERRORS = frozenset(get_args(ErrorType))


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One error in an answer, or one part of it that no judge could decide on.

    Attributes:
        code: The error's code.
        message: Its message.
        verdict: The verdict that it comes from, if any.
    """

    code: str
    message: str
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """A citation of the answer, and the validated one, or the problems with it."""

    quote: str
    source_id: str | None
    found: Citation | None
    problems: list[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedStatement:
    """A statement with its citations, and the problems that are not a citation's own.

    Attributes:
        text: The statement.
        citations: What it cites.
        problems: What is wrong with it.
        verdict: The judges' verdict; `None` if none was asked.
    """

    text: str
    citations: list[CheckedCitation]
    problems: list[Problem]
    verdict: Verdict | None


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

    @property
    def is_undecided(self) -> bool:
        """Whether nothing is known to be wrong, but some part is undecided."""
        codes = {problem.code for problem in self.all_problems}
        return codes == {"undecided"}


def examine(raw: Any, sources: Sources, policy: Policy | None = None) -> CheckedAnswer:
    """Check every part of an answer by itself, so that valid parts are shown beside the others.

    Args:
        raw: The answer, as parsed from JSON.
        sources: What it cites.
        policy: The rules; the default policy if `None`.

    Raises:
        CiteguardError: It does not have the form of an `Answer`.
    """
    context = sources.as_context(policy)
    located = _problems(raw, context)
    statements = [
        _checked_statement(number, statement, context, located)
        for number, statement in enumerate(raw["statements"])
    ]
    return CheckedAnswer(statements=statements, problems=_at(located, below="statements"))


def _checked_statement(
    number: int, raw: Any, context: Context, located: _Located
) -> CheckedStatement:
    problems = _at(located, "statements", number)
    own = _at(located, "statements", number, below="citations")
    # Judged before, as part of the answer: no judge is asked again.
    found = None if problems else Statement.model_validate(raw, context=context)
    said = [each.verdict for each in own if each.verdict is not None]
    return CheckedStatement(
        text=raw["text"],
        citations=[
            _checked_citation(
                citation, context, _at(located, "statements", number, "citations", place)
            )
            for place, citation in enumerate(raw["citations"])
        ],
        problems=own,
        verdict=next(iter(said), None) if found is None else found.verdict,
    )


_Located = list[tuple[tuple[int | str, ...], Problem]]


def _problems(raw: Any, context: Context) -> _Located:
    try:
        Answer.model_validate(raw, context=context)
    except ValidationError as error:
        lines = error.errors(include_url=False)
        if shape := [line for line in lines if line["type"] in _SHAPE_ERRORS]:
            place = ".".join(map(str, shape[0]["loc"])) or "the whole"
            more = f" (and {len(shape) - 1} more)" if len(shape) > 1 else ""
            message = f"this is not an Answer: {place}: {shape[0]['msg']}{more}"
            raise CiteguardError(message) from error
        return [(line["loc"], _problem(line)) for line in lines]
    return []


def _problem(line: ErrorDetails) -> Problem:
    outcome, facts = _OUTCOMES.get(line["type"]), line.get("ctx", {})
    names = ("reason", "score", "words", "span", "judge")
    said = {name: facts[name] for name in names if name in facts}
    verdict = None if outcome is None else Verdict(outcome, **said)
    return Problem(code=line["type"], message=line["msg"], verdict=verdict)


def _at(located: _Located, *place: int | str, below: str | None = None) -> list[Problem]:
    """Return the problems at a place; those inside its list `below` belong to the list's items."""
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
    """Return a checked answer as JSON-like data; offsets are half-open, in code points."""
    return {
        "passed": not checked.all_problems,
        "statements": [
            {
                "text": statement.text,
                "citations": [_citation_data(each, sources) for each in statement.citations],
                **_verdict_data(statement.verdict),
                "errors": _problem_data(statement.problems),
            }
            for statement in checked.statements
        ],
        "errors": _problem_data(checked.problems),
    }


def _problem_data(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"code": problem.code, "message": problem.message} for problem in problems]


def _verdict_data(verdict: Verdict | None) -> dict[str, Any]:
    return {} if verdict is None else {"verdict": asdict(verdict)}


def _citation_data(citation: CheckedCitation, sources: Sources) -> dict[str, Any]:
    found = citation.found
    facts: dict[str, Any] = {"quote": citation.quote, "source_id": citation.source_id}
    if found is not None:
        facts = {**found.model_dump(), **_place_data(found.spans[0], sources)}
    return {**facts, "errors": _problem_data(citation.problems)}


def _place_data(span: Span, sources: Sources) -> dict[str, Any]:
    """Return the line of a place, and except in plain text its page and headings."""
    place, layout = sources.location_of(span), sources[span.source_id].layout
    if layout is None or layout.kind == "text":
        return {"line": place.line}
    return {"line": place.line, "page": place.page, "headings": list(place.headings)}

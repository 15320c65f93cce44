"""An answer checked part by part, so that what is good shows beside what is not.

The command line shows it; nothing here prints.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core.core_schema import ErrorType

from citeguard.errors import CiteguardError
from citeguard.models import Answer, Citation
from citeguard.sources import Context, Sources, Span

_SHAPE_ERRORS = frozenset(get_args(ErrorType))


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

"""The types of public names, as a type checker sees them.

`assert_type` does nothing at run time: pyright checks this file in its strict mode, and reports a
wrong type, or a comment that expects an error where there is none.
"""

from typing import Annotated, Any, Literal, assert_type

import pytest
from pydantic import BaseModel

from citeguard import (
    Answer,
    CiteguardError,
    Dropped,
    ExactQuote,
    Policy,
    Quote,
    Span,
    Statement,
    StatementError,
    verify,
)
from citeguard.sources import Framing, Grade

TEXT = "Notice is one month."
CITED = {"text": "It takes a month.", "citations": [{"quote": "one month", "source_id": "1"}]}
WRONG = {"text": "It takes a year.", "citations": [{"quote": "one year", "source_id": "1"}]}


class Finding(BaseModel):
    """A model of the user's own."""

    evidence: Quote
    exact: Annotated[Quote, ExactQuote()]
    aside: Quote | None = None


def test_quote() -> None:
    finding = verify(Finding, {"evidence": "one month", "exact": "one month"}, sources=TEXT)
    assert_type(finding, Finding)
    assert_type(finding.evidence, Quote)
    assert_type(finding.exact, Quote)
    assert_type(finding.aside, Quote | None)
    assert_type(finding.evidence.span, Span | None)
    assert_type(finding.evidence.spans, tuple[Span, ...])
    assert_type(finding.evidence.grade, Grade | None)
    assert_type(finding.evidence.quoted_as, str | None)
    assert_type(finding.evidence.framing, Framing | None)
    text: str = finding.evidence
    assert text == "one month"


def test_answer_over() -> None:
    class Mine(Answer):
        pass

    assert_type(Answer.over(TEXT), type[Answer])
    assert_type(Mine.over(TEXT), type[Mine])
    answer = verify(Mine.over(TEXT), {"statements": [CITED]}, sources=TEXT)
    assert_type(answer, Mine)
    assert_type(answer.unanswerable, str | None)
    assert_type(answer.statements, list[Statement])
    assert_type(answer.to_markdown(), str)


def test_dropped() -> None:
    policy = Policy(invalid="drop")
    answer = verify(Answer, {"statements": [CITED, WRONG]}, sources=TEXT, policy=policy)
    assert_type(answer.dropped, tuple[Dropped, ...])
    (dropped,) = answer.dropped
    assert_type(dropped.statement, Any)
    assert_type(dropped.errors, tuple[StatementError, ...])
    assert_type(dropped.errors[0].code, str)
    assert_type(dropped.errors[0].message, str)
    assert_type(dropped.errors[0].loc, tuple[int | str, ...])


def test_policy() -> None:
    policy = Policy.fast(invalid="salvage", undecided="pass")
    assert_type(policy, Policy)
    assert_type(policy.invalid, Literal["fail", "drop", "salvage"])


def test_policy_takes_no_other_keyword() -> None:
    with pytest.raises(TypeError):
        Policy.fast(uncitted="pass")  # pyright: ignore[reportCallIssue]
    with pytest.raises(CiteguardError):
        Policy.fast(invalid="dropp")  # pyright: ignore[reportArgumentType]
    with pytest.raises(CiteguardError):
        Policy.fast(passages="4")  # pyright: ignore[reportArgumentType]


def test_options_of_validation() -> None:
    with pytest.raises(TypeError):
        Answer.model_validate({"statements": []}, contxt=None)  # pyright: ignore[reportCallIssue]

"""Verification inside verification: by validators of a model, and by judges."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException
from pydantic import AfterValidator, BaseModel, ValidationError

from citeguard import (
    Answer,
    Budget,
    FuzzyQuote,
    JudgedSupported,
    Policy,
    Sources,
    SupportQuestion,
    UndecidedError,
    Verdict,
    averify,
    guard,
    verify,
)
from citeguard.testing import ScriptedJudge
from llm_server import LLMServer

SOURCES = Sources({"handbook": "Notice is one month. Lunch is free for all."})


def answer(text: str) -> dict[str, Any]:
    citation = {"quote": "Notice is one month.", "source_id": "handbook"}
    return {"statements": [{"text": text, "citations": [citation]}]}


TRUE, FALSE = answer("It takes a month."), answer("It takes a year.")


def refusing(**rules: Any) -> Policy:
    return Policy(support=[ScriptedJudge({"It takes a year.": "contradicted"})], **rules)


Way = Callable[[Any], Any]


def by_verify(data: Any) -> Any:
    return verify(Answer, data, sources=SOURCES, policy=refusing())


def by_averify(data: Any) -> Any:
    return asyncio.run(averify(Answer, data, sources=SOURCES, policy=refusing()))


def by_plain_validation(data: Any) -> Any:
    return by_verify(Answer.model_validate(data, context=SOURCES.as_context()))


def by_guard(data: Any) -> Any:
    with LLMServer() as server:
        server.push(data)
        return guard(instructor.from_openai(server.client())).create(
            model="scripted",
            messages=[{"role": "user", "content": "How long is notice?"}],
            response_model=Answer,
            max_retries=0,
            context=SOURCES.as_context(policy=refusing()),
        )


@pytest.fixture(
    params=[by_verify, by_averify, by_plain_validation, by_guard],
    ids=lambda way: way.__name__.removeprefix("by_"),
)
def way(request: pytest.FixtureRequest) -> Way:
    """A way of verifying an answer."""
    return request.param


class Finding(BaseModel):
    evidence: Annotated[str, FuzzyQuote()]
    claim: Annotated[str, JudgedSupported(evidence_field="evidence")]


FINDING = {"evidence": "Lunch is free for all.", "claim": "Lunch costs nothing."}


def report(way: Way, data: Any, seen: list[str]) -> type[Finding]:
    """Return a model with a validator that verifies an answer, and notes what came of it."""

    def check(text: str) -> str:
        try:
            way(data)
        except (ValidationError, InstructorRetryException):
            seen.append("refused")
        else:
            seen.append("passed")
        return text

    class Report(Finding):
        note: Annotated[str, AfterValidator(check)]

    return Report


REPORT = {**FINDING, "note": "As the handbook says."}


class TestInsideAValidator:
    @pytest.mark.parametrize(
        ("data", "expected"), [(FALSE, "refused"), (TRUE, "passed")], ids=["false", "true"]
    )
    def test_verdicts_are_the_real_ones_in_both_passes(
        self, way: Way, data: Any, expected: str
    ) -> None:
        seen: list[str] = []
        verify(report(way, data, seen), REPORT, sources=SOURCES, policy=refusing())
        assert seen == [expected] * 2

    def test_the_outer_model_is_judged_all_the_same(self) -> None:
        judge = ScriptedJudge({"Lunch costs nothing.": "contradicted"})
        with pytest.raises(ValidationError) as caught:
            verify(
                report(by_verify, FALSE, []),
                REPORT,
                sources=SOURCES,
                policy=Policy(support=[judge]),
            )
        assert [line["type"] for line in caught.value.errors()] == ["statement_contradicted"]
        assert [question.statement for question in judge.asked] == ["Lunch costs nothing."]


class Checking:
    """A judge that validates something for itself, and is sure if that passes."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.found: list[Any] = []

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        context = SOURCES.as_context(policy=self.policy)
        self.found.append(Answer.model_validate(TRUE, context=context))
        return [Verdict("supported") for _ in questions]


class Awaiting(Checking):
    """Its asynchronous twin."""

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:  # type: ignore[override]
        self.found.append(await averify(Answer, TRUE, sources=SOURCES, policy=self.policy))
        return [Verdict("supported") for _ in questions]


@pytest.mark.parametrize("kind", [Checking, Awaiting], ids=["sync", "async"])
class TestInsideAJudge:
    def test_has_a_budget_of_its_own(self, kind: type[Checking]) -> None:
        judge = kind(refusing())
        found = verify(
            Answer,
            FALSE,
            sources=SOURCES,
            policy=Policy(support=[judge], budget=Budget(calls=1)),
        )
        assert found.statements[0].verdict is not None
        assert found.statements[0].verdict.outcome == "supported"
        assert found.usage.calls == 1
        assert judge.found[0].usage.calls == 1

    def test_what_nobody_could_tell_is_undecided(self, kind: type[Checking]) -> None:
        judge = kind(refusing(budget=Budget(calls=0), undecided="raise"))
        policy = Policy(support=[judge], undecided="pass")
        verdict = verify(Answer, FALSE, sources=SOURCES, policy=policy).statements[0].verdict
        assert verdict is not None
        assert verdict.outcome == "undecided"
        assert UndecidedError.__name__ in verdict.reason.splitlines()[0]

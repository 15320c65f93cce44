# ruff: noqa: E501 - a snapshot holds a message as it is
from __future__ import annotations

import json
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any

import pytest
from inline_snapshot import snapshot
from pydantic import (
    BaseModel,
    Field,
    RootModel,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic.dataclasses import dataclass

from citeguard import (
    Answer,
    Budget,
    CiteguardError,
    FuzzyQuote,
    JudgedSupported,
    Policy,
    Sources,
    Statement,
    SupportQuestion,
    Verdict,
    Vote,
    averify,
    use_sources,
    verify,
)
from citeguard.testing import ScriptedJudge
from conftest import Verifying, by_verify
from rows import each_row

LONG = 60.0
TEXT = "Notice is one month. Lunch is free for all. The deposit is 25 million euros."
SOURCES = Sources({"handbook": TEXT})


def statement(text: str, quote: str = "Notice is one month.") -> dict[str, Any]:
    return {"text": text, "citations": [{"quote": quote, "source_id": "handbook"}]}


def answer(*statements: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"statements": list(statements), **fields}


TRUE = statement("It takes a month.")
FALSE = statement("It takes a year.")
VAGUE = statement("Lunch is on Fridays.", "Lunch is free for all.")
OPEN = statement("The deposit is high.", "The deposit is 25 million euros.")
MISQUOTED = statement("It takes two months.", "Notice is two months.")
UNCITED = {"text": "So be it.", "citations": []}
SAID: dict[str, Any] = {
    "It takes a year.": Verdict("contradicted", reason="It takes a month.", words="one month"),
    "Lunch is on Fridays.": "unsupported",
    "The deposit is high.": RuntimeError("down"),
}


class Finding(BaseModel):
    evidence: Annotated[str, FuzzyQuote()]
    claim: Annotated[str, JudgedSupported(evidence_field="evidence")]


class Aliased(BaseModel):
    evidence: Annotated[str, FuzzyQuote()] = Field(alias="theQuote")
    claim: Annotated[str, JudgedSupported(evidence_field="evidence")] = Field(alias="theClaim")


class Nested(BaseModel):
    findings: list[Finding]
    best: Finding | None = None


@dataclass
class Noted:
    evidence: Annotated[str, FuzzyQuote()]
    claim: Annotated[str, JudgedSupported(evidence_field="evidence")]


class Listed(RootModel[list[Finding]]):
    pass


def finding(claim: str = "It takes a month.", quote: str = "one month") -> dict[str, Any]:
    return {"evidence": quote, "claim": claim}


CASES = [
    pytest.param(Answer, answer(TRUE), id="all well"),
    pytest.param(Answer, answer(TRUE, question="How long?"), id="with a question"),
    pytest.param(Answer, answer(TRUE, FALSE, VAGUE), id="unsupported ones"),
    pytest.param(Answer, answer(TRUE, OPEN), id="undecided"),
    pytest.param(Answer, answer(FALSE, OPEN, MISQUOTED, UNCITED, VAGUE), id="everything wrong"),
    pytest.param(Answer, answer(), id="empty"),
    pytest.param(Answer, answer(TRUE, {"text": 7}), id="wrong form"),
    pytest.param(Answer, {"answer": []}, id="another form"),
    pytest.param(Answer, answer(TRUE, TRUE, FALSE, FALSE), id="the same twice"),
    pytest.param(Answer, answer({**TRUE, "verdict": {"outcome": "supported"}}), id="forged"),
    pytest.param(Statement, TRUE, id="a statement"),
    pytest.param(Statement, FALSE, id="a false statement"),
    pytest.param(list[Statement], [TRUE, VAGUE], id="a list"),
    pytest.param(dict[str, Statement], {"a": TRUE, "b": FALSE}, id="a dict"),
    pytest.param(Statement | None, FALSE, id="a union"),
    pytest.param(Finding, finding(), id="own model"),
    pytest.param(Finding, finding("It takes a year."), id="own model, false"),
    pytest.param(Finding, finding(quote="two months"), id="own model, misquoted"),
    pytest.param(Finding, finding("The deposit is high.", "million"), id="own model, undecided"),
    pytest.param(
        Aliased, {"theQuote": "one month", "theClaim": "It takes a year."}, id="aliases, false"
    ),
    pytest.param(Aliased, {"theQuote": "one month", "theClaim": "It is."}, id="aliases"),
    pytest.param(
        Nested,
        {"findings": [finding(), finding("It takes a year.")], "best": finding(quote="a year")},
        id="nested models",
    ),
    pytest.param(Noted, finding("It takes a year."), id="dataclass"),
    pytest.param(Listed, [finding(), finding("It takes a year.")], id="root model"),
]


def policy(**changes: Any) -> Policy:
    return Policy(**{"support": [ScriptedJudge(SAID)], "alignment": ScriptedJudge(SAID), **changes})


def outcome(validate: Callable[[], Any]) -> Any:
    """Return what a validation returns, or the lines of its errors, or what else it raises."""
    try:
        return validate()
    except ValidationError as error:
        return error.title, error.errors(include_url=False)
    except CiteguardError as error:
        return type(error), str(error)


def plainly(model: Any, data: Any, policy: Policy, question: str | None = None) -> Any:
    adapter, context = TypeAdapter(model), SOURCES.as_context(policy, question)
    if isinstance(data, (str, bytes)):
        return outcome(lambda: adapter.validate_json(data, context=context))
    return outcome(lambda: adapter.validate_python(data, context=context))


@pytest.fixture(params=[by_verify, averify], ids=["verify", "averify"])
def verifying(request: pytest.FixtureRequest) -> Verifying:
    return request.param


async def outcome_of(verified: Awaitable[Any]) -> Any:
    try:
        value = await verified
    except (ValidationError, CiteguardError) as error:
        caught = error

        def again() -> Any:
            raise caught

        return outcome(again)
    return value


class TestSameAsPlain:
    @each_row(("model", "data"), CASES)
    async def test_over_all_cases(self, model: Any, data: Any, verifying: Verifying) -> None:
        ways = ("fail", "pass", "raise") if "deposit is high" in str(data) else ("fail",)
        for undecided in ways:
            expected = plainly(model, data, policy(undecided=undecided))
            found = verifying(model, data, sources=SOURCES, policy=policy(undecided=undecided))
            assert await outcome_of(found) == expected

    @each_row(
        "changes",
        [
            pytest.param({"support": []}, id="no judge of statements"),
            pytest.param({"alignment": None}, id="no judge of answers"),
            pytest.param({"support": [], "alignment": None}, id="no judge"),
            pytest.param({"evidence": "quote"}, id="quotes"),
            pytest.param({"evidence": "source"}, id="sources"),
            pytest.param({"uncited": "pass"}, id="uncited may pass"),
            pytest.param({"alignment": ScriptedJudge(answered="unsupported")}, id="misaligned"),
            pytest.param({"alignment": ScriptedJudge(answered="undecided")}, id="alignment open"),
            pytest.param({"support": [ScriptedJudge(SAID)] * 2}, id="a cascade"),
            pytest.param({"support": [Vote([ScriptedJudge(SAID)] * 2)]}, id="a vote"),
            pytest.param({"budget": Budget(calls=0)}, id="no budget"),
        ],
    )
    @each_row(
        "data",
        [answer(TRUE), answer(TRUE, FALSE, VAGUE, OPEN, UNCITED)],
        ids=["well", "wrong"],
    )
    async def test_under_all_policies(
        self, changes: dict[str, Any], data: Any, verifying: Verifying
    ) -> None:
        expected = plainly(Answer, data, policy(**changes), "How long?")
        found = verifying(
            Answer, data, sources=SOURCES, policy=policy(**changes), question="How long?"
        )
        assert await outcome_of(found) == expected


class TestInstances:
    async def test_are_not_believed(self, verifying: Verifying) -> None:
        with use_sources(SOURCES):
            unjudged = Answer.model_validate(answer(FALSE))
        found = await outcome_of(verifying(Answer, unjudged, sources=SOURCES, policy=policy()))
        assert [line["type"] for line in found[1]] == ["statement_contradicted"]

    @each_row(
        ("model", "made"),
        [
            pytest.param(Finding, Finding.model_construct(**finding()), id="own model"),
            pytest.param(
                Aliased, Aliased.model_construct(evidence="one month", claim="It is."), id="aliases"
            ),
            pytest.param(Listed, Listed.model_construct([finding()]), id="root model"),
        ],
    )
    async def test_that_pydantic_would_believe_are_verified(
        self, model: Any, made: Any, verifying: Verifying
    ) -> None:
        judge = ScriptedJudge()
        await verifying(model, made, sources=SOURCES, policy=Policy(support=[judge]))
        assert len(judge.asked) == 1


class TestUndecided:
    DATA = answer(TRUE, OPEN)

    async def test_fails(self, verifying: Verifying) -> None:
        found = await outcome_of(verifying(Answer, self.DATA, sources=SOURCES, policy=policy()))
        (line,) = found[1]
        assert (line["type"], line["loc"]) == ("undecided", ("statements", 1, "text"))
        assert line["msg"] == snapshot(
            "The statement could not be checked. This is not your mistake, and nothing is known to be wrong with it. Repeat the statement unchanged. (The check gave no verdict: script: raised RuntimeError.)"
        )
        assert line["ctx"]["reason"] == snapshot("""\
script: raised RuntimeError
RuntimeError: down\
""")

    async def test_passes_with_the_verdict_on_it(self, verifying: Verifying) -> None:
        found = await verifying(Answer, self.DATA, sources=SOURCES, policy=policy(undecided="pass"))
        outcomes = [each.verdict.outcome for each in found.statements]
        assert outcomes == ["supported", "undecided"]


class TestJudges:
    async def test_work_side_by_side(self, verifying: Verifying) -> None:
        barrier = threading.Barrier(8)

        class Meeting:
            def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                barrier.wait(LONG)
                return [Verdict("supported") for _ in questions]

        data = answer(*(statement(f"No. {n}") for n in range(8)))
        verified = await verifying(
            Answer, data, sources=SOURCES, policy=Policy(support=[Meeting()])
        )
        assert verified.usage.calls == 8

    async def test_set_up_wrongly_get_through(self, verifying: Verifying) -> None:
        broken = Policy(support=[ScriptedJudge(otherwise=CiteguardError("no key"))])
        with pytest.raises(CiteguardError, match="no key"):
            await verifying(Answer, answer(TRUE), sources=SOURCES, policy=broken)

    def test_may_not_wait_for_their_own_loop(self) -> None:
        class Blocking:
            async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                inner = Policy(support=[ScriptedJudge()])
                verify(Answer, answer(TRUE), sources=SOURCES, policy=inner)
                raise AssertionError

        with pytest.raises(CiteguardError, match="await averify"):
            verify(Answer, answer(TRUE), sources=SOURCES, policy=Policy(support=[Blocking()]))


class TestOwnValidators:
    async def test_that_fail_are_reported_with_the_judges(self, verifying: Verifying) -> None:
        class Picky(Finding):
            author: str

            @field_validator("author")
            @classmethod
            def refuse(cls, author: str) -> str:
                raise ValueError("nobody")

        data = {**finding("It takes a year."), "author": "me"}
        found = await outcome_of(verifying(Picky, data, sources=SOURCES, policy=policy()))
        assert [line["type"] for line in found[1]] == ["statement_contradicted", "value_error"]

    async def test_read_an_undecided_verdict_while_nobody_has_been_asked(
        self, verifying: Verifying
    ) -> None:
        seen: list[tuple[str, str]] = []

        class Noting(Statement):
            @model_validator(mode="after")
            def note(self) -> Noting:
                assert self.verdict is not None
                seen.append((self.verdict.outcome, self.verdict.reason))
                return self

        await verifying(Noting, TRUE, sources=SOURCES, policy=policy())
        assert seen == [("undecided", "not judged yet"), ("supported", "")]


class TestSetUp:
    @each_row(
        ("model", "data", "policy", "message"),
        [
            (Answer, answer(TRUE), "strict", "policy: expected a Policy"),
            (5, answer(TRUE), None, "expected a type that Pydantic validates"),
            (answer(TRUE), Answer, None, "expected a type, got dict"),
            (json.dumps(answer(TRUE)), Answer, None, "expected a type, got str"),
        ],
    )
    async def test_rejects(
        self, model: Any, data: Any, policy: Any, message: str, verifying: Verifying
    ) -> None:
        with pytest.raises(CiteguardError, match=message):
            await verifying(model, data, sources=SOURCES, policy=policy)


class TestAnAnswer:
    """`verify(answer, sources)`: an instance is verified as its own model."""

    async def test_is_verified_as_its_model(self, verifying: Verifying) -> None:
        with use_sources(SOURCES):
            unjudged = Answer.model_validate(answer(TRUE))
            wrong = Answer.model_validate(answer(FALSE))
        found = await verifying(unjudged, SOURCES, policy=policy())
        assert found == await verifying(Answer, unjudged, sources=SOURCES, policy=policy())
        with pytest.raises(ValidationError, match="statement_contradicted"):
            await verifying(wrong, sources=SOURCES, policy=policy())
        with pytest.raises(ValidationError, match="quote_not_found"):
            await verifying(unjudged, {"handbook": "Dogs bark."})

    async def test_needs_sources_and_an_instance(self, verifying: Verifying) -> None:
        for given in ((Answer, answer(TRUE)), (answer(TRUE), SOURCES), (Answer,)):
            with pytest.raises(CiteguardError, match=r"call verify\(answer, sources\)"):
                await verifying(*given)

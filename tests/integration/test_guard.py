"""`guard`: instructor's own retries, with judges that work side by side before each parse."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel, Field, ValidationError

from citeguard import (
    Answer,
    Budget,
    CiteguardError,
    FuzzyQuote,
    JudgedSupported,
    LLMJudge,
    MissingSourcesError,
    Policy,
    guard,
)
from integration.conftest import Ask, in_all_pairs, openai_client_of
from integration.judge_material import (
    ASKED,
    BAD,
    DOGS,
    FALSE_QUOTE,
    FALSE_TEXT,
    GOOD,
    OPENING,
    PRICE,
    TOWN,
    TRUE,
    JudgingModel,
    answer,
    asked,
    generations,
    statement,
)
from llm_server import LLMServer, Reply

MENDED = statement("Stalls must be gone by noon.", FALSE_QUOTE)
MESSAGES = [{"role": "user", "content": TOWN.as_prompt(ASKED)}]


@pytest.fixture
def policy(judge: LLMJudge) -> Policy:
    """Every statement is judged."""
    return Policy(support=[judge])


@pytest.fixture(params=["sync", "async"])
async def openai_client(
    server: LLMServer, request: pytest.FixtureRequest
) -> AsyncIterator[OpenAI | AsyncOpenAI]:
    """openai's client of the generating model, of either kind."""
    async with openai_client_of(server, request.param) as client:
        yield client


@pytest.fixture
def client(openai_client: Any) -> Any:
    """A guarded client, of either kind."""
    return guard(instructor.from_openai(openai_client))


@pytest.fixture
def ask(paired_client: Any) -> Ask:
    """Call a guarded client's `create`, of either kind; the test awaits both."""
    openai_client, mode, _ = paired_client
    guarded = guard(instructor.from_openai(openai_client, mode=mode))

    async def ask(**options: Any) -> Any:
        return await called(guarded.create, **options)

    return ask


async def called(method: Any, **options: Any) -> Any:
    """Call a method of a client with the usual arguments, and await what it returns if need be."""
    usual: dict[str, Any] = {"model": "scripted", "messages": MESSAGES, "response_model": Answer}
    result = method(**usual | options)
    return await result if asyncio.iscoroutine(result) else result


def context(policy: Policy) -> Any:
    """Return the usual sources with a policy."""
    return TOWN.as_context(policy=policy)


def lines_of(error: InstructorRetryException) -> list[tuple[str, Any]]:
    """Return code and place of every failure of the last attempt."""
    assert isinstance(error.__cause__, ValidationError)
    return [(line["type"], line["loc"]) for line in error.__cause__.errors()]


class TestModes:
    """In both protocols, synchronously and asynchronously."""

    @in_all_pairs
    async def test_a_refused_statement_costs_one_more(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer, policy: Policy
    ) -> None:
        server.push(BAD, answer(*TRUE, MENDED))
        found = await ask(context=context(policy), max_retries=1)
        assert [each.text for each in found.statements][3:] == [MENDED["text"]]
        assert len(server.requests) == 2
        told = server.requests[1].texts[-1]
        assert "1 validation error for Answer\nstatements.3.text\n" in told
        assert '"The source leaves it contradicted."' in told
        assert '"Stalls must be empty by noon."' in told
        assert "[type=statement_contradicted" in told
        # The second attempt judges what has changed.
        assert asked(endpoint) == [[OPENING, DOGS, PRICE, FALSE_TEXT], [MENDED["text"]]]

    async def test_missing_sources_stop_the_call(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer
    ) -> None:
        server.push(GOOD, GOOD)
        with pytest.raises(InstructorRetryException) as caught:
            await ask(max_retries=2)
        assert type(caught.value.__cause__) is MissingSourcesError
        assert len(server.requests) == 1
        assert endpoint.requests == []

    async def test_guarded_twice_is_guarded_once(
        self,
        server: LLMServer,
        endpoint: LLMServer,
        paired_client: Any,
        policy: Policy,
    ) -> None:
        openai_client, mode, _ = paired_client
        twice = guard(guard(instructor.from_openai(openai_client, mode=mode)))
        server.push(BAD, answer(*TRUE, MENDED))
        found = await called(twice.create, context=context(policy), max_retries=1)
        assert len(found.statements) == 4
        assert asked(endpoint) == [[OPENING, DOGS, PRICE, FALSE_TEXT], [MENDED["text"]]]
        assert len(server.requests) == 2


class TestClients:
    """What `guard` takes, and what it leaves alone."""

    async def create(self, client: Any, **options: Any) -> Any:
        result = client.create(messages=MESSAGES, response_model=Answer, **options)
        return await result if asyncio.iscoroutine(result) else result

    def test_something_else_is_refused(self) -> None:
        nothing: Any = object()
        with pytest.raises(CiteguardError, match="expected a client of instructor"):
            guard(nothing)

    def test_a_client_that_instructor_has_not_made(self, server: LLMServer) -> None:
        def create(**_: Any) -> None:
            """Send nothing."""

        foreign = instructor.Instructor(client=server.client(), create=create)
        with pytest.raises(CiteguardError, match="cannot be guarded"):
            guard(foreign)


class TestInstructor:
    """What instructor does beside `create` still works."""

    async def test_without_a_response_model_nothing_is_judged(
        self, server: LLMServer, endpoint: LLMServer, client: Any, policy: Policy
    ) -> None:
        server.push("It opens at seven.")
        found = await called(client.create, response_model=None, context=context(policy))
        assert found.choices[0].message.content == "It opens at seven."
        assert endpoint.requests == []

    @pytest.mark.parametrize(
        "reply",
        [
            pytest.param(Reply("busy", status=503), id="503"),
            pytest.param(Reply(fault="hang_up"), id="connection dropped"),
            pytest.param(Reply(body="<html>"), id="no JSON"),
            pytest.param(Reply(body='{"choices": []}'), id="no choices"),
            pytest.param(Reply("I cannot say.", shape="text"), id="prose"),
        ],
    )
    async def test_a_generation_that_fails_fails_as_without_a_guard(
        self, server: LLMServer, openai_client: Any, policy: Policy, reply: Reply
    ) -> None:
        plain = instructor.from_openai(openai_client)
        outcomes: list[Any] = []
        for client in (plain, guard(plain)):
            server.push(*[reply] * 2)
            with pytest.raises(Exception, match=r".*") as caught:
                await called(client.create, context=TOWN.as_context(), max_retries=1)
            cause = caught.value.__cause__
            outcomes.append((type(caught.value), type(cause), str(cause)))
            outcomes.append(len(server.requests))
        (plainly, first), (guardedly, both) = outcomes[:2], outcomes[2:]
        assert plainly == guardedly
        assert both == 2 * first


class Finding(BaseModel):
    """A model of one's own, which a judge and a quote hold together."""

    evidence: Annotated[str, FuzzyQuote()]
    claim: Annotated[str, JudgedSupported(evidence_field="evidence")]


class Report(BaseModel):
    """Several of them, under a name of their own."""

    found: list[Finding] = Field(alias="findings")


TRUE_FINDING = {"evidence": "Dogs are not allowed in the hall.", "claim": DOGS}
FALSE_FINDING = {"evidence": FALSE_QUOTE, "claim": FALSE_TEXT}


class TestOwnModels:
    """Models with `JudgedSupported`."""

    async def test_findings_are_judged_side_by_side(
        self, server: LLMServer, endpoint: LLMServer, client: Any, policy: Policy
    ) -> None:
        server.push({"findings": [TRUE_FINDING, FALSE_FINDING]}, {"findings": [TRUE_FINDING] * 2})
        found = await called(
            client.create, response_model=Report, context=context(policy), max_retries=1
        )
        assert [each.claim for each in found.found] == [DOGS, DOGS]
        assert asked(endpoint) == [[DOGS, FALSE_TEXT]]
        assert "\nfindings.1.claim\n" in server.requests[1].texts[-1]


class TestAccount:
    """One account for all attempts of a call, and none beyond it."""

    async def test_usage_counts_every_attempt(
        self, server: LLMServer, endpoint: LLMServer, client: Any, policy: Policy
    ) -> None:
        server.push(BAD, answer(*TRUE, MENDED))
        found = await called(client.create, context=context(policy), max_retries=1)
        assert found.usage.calls == len(endpoint.requests) == 2
        assert found.usage.tokens > sum(request.tokens for request in endpoint.requests)
        assert found.usage.cached == 0

    async def test_a_budget_is_for_all_attempts(
        self, server: LLMServer, endpoint: LLMServer, client: Any, judge: LLMJudge
    ) -> None:
        policy = Policy(support=[judge], budget=Budget(calls=1))
        server.push(BAD, answer(*TRUE, MENDED))
        with pytest.raises(InstructorRetryException) as caught:
            await called(client.create, context=context(policy), max_retries=1)
        assert lines_of(caught.value) == [("undecided", ("statements", 3, "text"))]
        assert isinstance(caught.value.__cause__, ValidationError)
        (line,) = caught.value.__cause__.errors()
        assert line["ctx"]["reason"] == "judge-1: the budget of 1 calls is spent"
        assert len(endpoint.requests) == 1


class TestJudgesOwnClient:
    """A judge may use the very client that generates, guarded or not."""

    @pytest.fixture
    def server(self) -> Iterator[LLMServer]:
        """One model that judges, and otherwise says what the test pushes."""
        with LLMServer(JudgingModel({FALSE_TEXT: "contradicted"})) as server:
            yield server

    async def test_guarded(self, server: LLMServer, client: Any) -> None:
        judge = LLMJudge(client, model="judge-1")
        server.push(BAD, GOOD)
        policy = Policy(support=[judge], alignment=judge)
        found = await called(client.create, context=context(policy), max_retries=1)
        assert [each.verdict.outcome for each in found.statements] == ["supported"] * 3
        assert len(generations(server)) == 2
        assert found.usage.calls == len(server.requests) - 2

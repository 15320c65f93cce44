"""`guard`: instructor's own retries, with judges that work side by side before each parse."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException
from openai import AsyncOpenAI, OpenAI
from pydantic import ValidationError

from citeguard import (
    Answer,
    Budget,
    CiteguardError,
    Dropped,
    LLMJudge,
    MissingSourcesError,
    Policy,
    guard,
)
from integration.conftest import Ask, in_all_modes, in_all_pairs, openai_client_of
from integration.judge_material import (
    ASKED,
    BAD,
    DOGS,
    FALSE,
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
        self, server: LLMServer, endpoint: LLMServer, paired_client: Any, policy: Policy
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


MISQUOTED = statement(OPENING, "The market opens at eight on Saturdays.")


def texts(found: Answer) -> list[str]:
    """Return the statements that are left."""
    return [each.text for each in found.statements]


def lost(found: Answer) -> list[tuple[str, str]]:
    """Return text and code of what was dropped, each with one error."""
    assert all(type(each) is Dropped and len(each.errors) == 1 for each in found.dropped)
    return [(each.statement["text"], each.errors[0].code) for each in found.dropped]


class TestInvalid:
    """`Policy(invalid=...)`: what is wrong is dropped, at once or after the last attempt."""

    @in_all_modes
    async def test_drop_costs_one_generation(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer, judge: LLMJudge
    ) -> None:
        server.push(answer(MISQUOTED, *TRUE, FALSE))
        policy = Policy(invalid="drop", support=[judge])
        found = await ask(context=context(policy), max_retries=2)
        assert texts(found) == [OPENING, DOGS, PRICE]
        assert lost(found) == [(OPENING, "quote_altered"), (FALSE_TEXT, "statement_contradicted")]
        assert [each.verdict.outcome for each in found.statements] == ["supported"] * 3
        assert asked(endpoint) == [[OPENING, DOGS, PRICE, FALSE_TEXT]]
        assert len(server.requests) == 1

    @in_all_modes
    async def test_salvage_drops_in_the_last_attempt(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer, judge: LLMJudge
    ) -> None:
        server.push(BAD, BAD)
        policy = Policy(invalid="salvage", support=[judge])
        found = await ask(context=context(policy), max_retries=1)
        assert texts(found) == [OPENING, DOGS, PRICE]
        assert lost(found) == [(FALSE_TEXT, "statement_contradicted")]
        assert len(server.requests) == 2
        assert asked(endpoint) == [[OPENING, DOGS, PRICE, FALSE_TEXT]]

    async def test_an_http_error_at_last_is_raised(self, ask: Ask, server: LLMServer) -> None:
        server.push(answer(MISQUOTED, *TRUE), Reply("overloaded", status=503))
        with pytest.raises(InstructorRetryException) as caught:
            await ask(context=context(Policy(invalid="salvage")), max_retries=1)
        assert not isinstance(caught.value.__cause__, ValidationError)

    @pytest.mark.parametrize("invalid", ["drop", "salvage"])
    async def test_of_a_stream_is_dropped_at_its_end_or_item_by_item(
        self,
        server: LLMServer,
        paired_client: Any,
        judge: LLMJudge,
        invalid: Literal["drop", "salvage"],
    ) -> None:
        openai_client, mode, kind = paired_client
        client = guard(instructor.from_openai(openai_client, mode=mode))
        policy = Policy(invalid=invalid, support=[judge])
        given: Any = {"model": "scripted", "messages": MESSAGES, "context": context(policy)}

        async def streamed(method: Any) -> list[Any]:
            stream = method(response_model=Answer, **given)
            return [each async for each in stream] if kind == "async" else list(stream)

        server.push(answer(*TRUE, FALSE))
        *_, last = await streamed(client.create_partial)
        assert texts(last) == [OPENING, DOGS, PRICE]
        assert lost(last) == [(FALSE_TEXT, "statement_contradicted")]
        server.push({"tasks": [answer(MISQUOTED, TRUE[1]), GOOD]})
        items = await streamed(client.create_iterable)
        assert [texts(each) for each in items] == [[DOGS], [OPENING, DOGS, PRICE]]
        assert [len(each.dropped) for each in items] == [1, 0]

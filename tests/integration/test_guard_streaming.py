"""Streams of a guarded client: what is judged, when, and what is handed out before.

Asynchronous `create_partial` hands out objects that nobody has judged, and at the end the whole
one, judged; `create_iterable` hands out an item once it is judged. Synchronous `create_partial`
reads the whole stream first, and retries.
"""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import instructor
import pytest
from instructor import AsyncInstructor, Mode
from pydantic import ValidationError

from citeguard import Answer, LLMJudge, Policy, Statement, guard
from integration.conftest import in_all_modes, openai_client_of
from integration.judge_material import ASKED, BAD, DOGS, GOOD, OPENING, PRICE, TOWN, asked
from integration.material import Json
from llm_server import LLMServer, Reply


@pytest.fixture
def mode(pair: tuple[Mode, str]) -> Mode:
    """The mode of the generating client; the kind is that of the judge's."""
    return pair[0]


@pytest.fixture
async def judge(endpoint: LLMServer, pair: tuple[Mode, str]) -> AsyncIterator[LLMJudge]:
    """A judge that asks that model, on openai's client of either kind."""
    async with openai_client_of(endpoint, pair[1]) as client:
        yield LLMJudge(client, model="judge-1")


@pytest.fixture
def policy(judge: LLMJudge) -> Policy:
    """Every statement is judged."""
    return Policy(support=[judge])


@pytest.fixture
async def client(server: LLMServer, mode: Mode) -> AsyncIterator[AsyncInstructor]:
    """A guarded asynchronous client."""
    async with server.async_client() as openai_client:
        yield guard(instructor.from_openai(openai_client, mode=mode))


@pytest.fixture
def sync_client(server: LLMServer, mode: Mode) -> instructor.Instructor:
    """A guarded synchronous client."""
    return guard(instructor.from_openai(server.client(), mode=mode))


def call(policy: Policy | None, **options: Any) -> dict[str, Any]:
    """Return the arguments of a call; without a policy, without sources."""
    messages = [{"role": "user", "content": TOWN.as_prompt(ASKED)}]
    context = None if policy is None else TOWN.as_context(policy=policy)
    return {"model": "scripted", "messages": messages, "context": context} | options


def as_list(reply: Json) -> Json:
    """Return the statements of an answer as `create_iterable` expects them."""
    return {"tasks": reply["statements"]}


def outcomes(statements: list[Any]) -> list[str | None]:
    """Return what was said of each statement; `None` if nobody was asked."""
    verdicts = [getattr(each, "verdict", None) for each in statements]
    return [None if verdict is None else verdict.outcome for verdict in verdicts]


def decided(partials: list[Any]) -> set[str]:
    """Return what has been said of the statements of partial objects, as far as it is decided."""
    said = {outcome for each in partials for outcome in outcomes(_statements(each))}
    return {outcome for outcome in said if outcome not in (None, "undecided")}


def _statements(partial: Any) -> list[Any]:
    return getattr(partial, "statements", None) or []


class TestPartialAsync:
    """Asynchronous `create_partial`."""

    async def stream(
        self, client: AsyncInstructor, policy: Policy | None, into: list[Any], **options: Any
    ) -> None:
        async for partial in client.create_partial(
            response_model=Answer, **call(policy), **options
        ):
            into.append(partial)

    @in_all_modes
    async def test_the_last_one_is_judged(
        self, server: LLMServer, client: AsyncInstructor, policy: Policy
    ) -> None:
        server.push(GOOD)
        seen: list[Any] = []
        await self.stream(client, policy, seen)
        assert outcomes(seen[-1].statements) == ["supported"] * 3
        assert seen[-1].usage.calls == 1

    async def test_judges_wait_for_the_end(
        self, server: LLMServer, endpoint: LLMServer, client: AsyncInstructor, policy: Policy
    ) -> None:
        server.push(Reply(GOOD, chunk_size=5))
        requests: list[int] = []
        async for _ in client.create_partial(response_model=Answer, **call(policy)):
            requests.append(len(endpoint.requests))
        assert requests == [0] * (len(requests) - 1) + [1]
        assert asked(endpoint) == [[OPENING, DOGS, PRICE]]

    async def test_a_refusal_is_raised_at_the_end_and_not_retried(
        self, server: LLMServer, endpoint: LLMServer, client: AsyncInstructor, policy: Policy
    ) -> None:
        server.push(BAD, GOOD)
        seen: list[Any] = []
        with pytest.raises(ValidationError) as caught:
            await self.stream(client, policy, seen, max_retries=2)
        (line,) = caught.value.errors()
        assert (line["type"], line["loc"]) == ("statement_contradicted", ("statements", 3, "text"))
        assert len(seen) > 4
        assert len(server.requests) == 1

    async def test_a_stream_that_is_cut_off_has_no_whole_to_judge(
        self, server: LLMServer, endpoint: LLMServer, client: AsyncInstructor, policy: Policy
    ) -> None:
        server.push(Reply(GOOD, cut_after="Dogs are not"))
        seen: list[Any] = []
        with suppress(ValidationError):
            await self.stream(client, policy, seen)
        assert not decided(seen)
        assert endpoint.requests == []


class TestPartial:
    """Synchronous `create_partial`."""

    def stream(
        self, client: instructor.Instructor, policy: Policy | None, **options: Any
    ) -> list[Any]:
        return list(client.create_partial(response_model=Answer, **call(policy), **options))

    @in_all_modes
    def test_a_refusal_is_retried(
        self, server: LLMServer, endpoint: LLMServer, sync_client: Any, policy: Policy
    ) -> None:
        server.push(BAD, GOOD)
        *_, last = self.stream(sync_client, policy, max_retries=1)
        assert outcomes(last.statements) == ["supported"] * 3
        assert len(server.requests) == 2


class TestIterableAsync:
    """Asynchronous `create_iterable`."""

    async def stream(
        self, client: AsyncInstructor, policy: Policy | None, into: list[Any], **options: Any
    ) -> None:
        stream = client.create_iterable(response_model=Statement, **call(policy), **options)
        async for each in stream:
            into.append(each)

    @in_all_modes
    async def test_every_item_is_judged(
        self, server: LLMServer, endpoint: LLMServer, client: AsyncInstructor, policy: Policy
    ) -> None:
        server.push(as_list(GOOD))
        seen: list[Any] = []
        await self.stream(client, policy, seen)
        assert outcomes(seen) == ["supported"] * 3
        assert asked(endpoint) == [[OPENING], [DOGS], [PRICE]]

    async def test_an_item_is_handed_out_before_the_next_is_judged(
        self, server: LLMServer, endpoint: LLMServer, client: AsyncInstructor, policy: Policy
    ) -> None:
        server.push(as_list(GOOD))
        requests: list[int] = []
        async for _ in client.create_iterable(response_model=Statement, **call(policy)):
            requests.append(len(endpoint.requests))
        assert requests == [1, 2, 3]

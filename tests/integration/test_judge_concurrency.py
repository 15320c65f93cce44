"""Many judges at once: under their limit, without a blocked loop, and gone when they are cancelled.

No test asserts a time: a judge that would be waited for takes a minute, and what must not wait for
it ends long before, or the test hangs.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any

import instructor
import pytest
from openai import AsyncOpenAI, OpenAI

from citeguard import Answer, LLMJudge, Policy, averify, guard
from citeguard.testing import ScriptedJudge
from integration.conftest import openai_client_of
from integration.judge_material import (
    BAD,
    DOGS,
    FALSE_TEXT,
    GOOD,
    TOWN,
    JudgingModel,
    answer,
    generations,
    permits,
    statement,
    statements_asked,
)
from integration.material import Json
from llm_server import LLMServer, Reply, Request

MINUTE = 60.0
MANY = 5
STATEMENTS = 5
LIMIT = 8


@pytest.fixture
def endpoint() -> Iterator[LLMServer]:
    """The model that judges; every verdict takes it a while."""
    with LLMServer(JudgingModel(latency=0.03)) as server:
        yield server


@pytest.fixture(params=["sync", "async"])
async def judge_client(
    endpoint: LLMServer, request: pytest.FixtureRequest
) -> AsyncIterator[OpenAI | AsyncOpenAI]:
    """openai's client of that model, of either kind."""
    async with openai_client_of(endpoint, request.param) as client:
        yield client


@pytest.fixture
async def async_judge(endpoint: LLMServer) -> AsyncIterator[LLMJudge]:
    """A judge whose calls can be cancelled."""
    async with endpoint.async_client() as client:
        yield LLMJudge(client, model="judge-1", batch_size=1)


def one_of_many(number: int, *, mended: bool = True) -> Json:
    """Return an answer of its own for every number, wrong in two statements before it is mended."""
    texts = [f"In town {number} trade {trade} needs a permit." for trade in range(STATEMENTS)]
    if not mended:
        texts[3:5] = [f"In town {number} trade {trade} needs none." for trade in (3, 4)]
    quote = "The permit for trade number 7 costs 105 crowns a year."
    return answer(*(statement(text, quote, "permits") for text in texts))


def generator(request: Request) -> Reply:
    """Answer a numbered question, wrongly at first."""
    number = int(next(text for text in request.texts if text.startswith("Town ")).split()[1])
    attempts = sum(1 for text in request.texts if "validation error" in text)
    return Reply(one_of_many(number, mended=attempts > 0), latency=0.02)


def refusing() -> JudgingModel:
    """Return a model that refuses what is wrong in the first answer of every town."""
    wrong = [f"In town {n} trade {trade} needs none." for n in range(MANY) for trade in (3, 4)]
    return JudgingModel(dict.fromkeys(wrong, "contradicted"), latency=0.03)


def numbered(number: int, policy: Policy) -> dict[str, Any]:
    """Return the arguments of a call that asks about one town."""
    return {
        "model": "scripted",
        "messages": [{"role": "user", "content": f"Town {number}"}],
        "response_model": Answer,
        "context": TOWN.as_context(policy=policy),
        "max_retries": 1,
    }


async def cancelled(work: Awaitable[Any], endpoint: LLMServer, *, requests: int = 1) -> None:
    """Start something, cancel it once that many requests are in flight, and await its end."""
    task = asyncio.ensure_future(work)
    while endpoint.in_flight < requests:
        assert not task.done()
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def others() -> set[asyncio.Task[Any]]:
    """Return the tasks of this loop, but for the test's own."""
    return asyncio.all_tasks() - {asyncio.current_task()}


class TestLimit:
    """Several generations of several statements, a retry each, and eight requests at most."""

    def assert_kept(self, answers: list[Any], endpoint: LLMServer, server: LLMServer) -> None:
        assert [len(each.statements) for each in answers] == [STATEMENTS] * MANY
        assert {s.verdict.outcome for each in answers for s in each.statements} == {"supported"}
        assert 1 < endpoint.max_in_flight <= LIMIT
        assert len(generations(server)) == 2 * MANY
        assert len(statements_asked(endpoint)) == MANY * (STATEMENTS + 2)

    async def test_of_asynchronous_generations(
        self, server: LLMServer, endpoint: LLMServer, judge_client: Any
    ) -> None:
        server.route, endpoint.route = generator, refusing()
        judge = LLMJudge(judge_client, model="judge-1", batch_size=1, concurrency=LIMIT)
        policy = Policy(support=[judge])
        async with server.async_client() as openai_client:
            client = guard(instructor.from_openai(openai_client))
            calls = [client.create(**numbered(number, policy)) for number in range(MANY)]
            answers = await asyncio.gather(*calls)
        self.assert_kept(answers, endpoint, server)
        assert not others()

    async def test_a_late_call_gives_its_place_to_the_next_when_it_ends(
        self, endpoint: LLMServer, judge_client: Any
    ) -> None:
        """At once with an asynchronous client; a thread keeps its place until the call is over."""
        endpoint.route = JudgingModel({DOGS: Reply(fault="silence")})
        judge = LLMJudge(judge_client, model="judge-1", batch_size=1, concurrency=1, timeout=1.0)
        policy = Policy(support=[judge], undecided="pass")
        found = await averify(Answer, GOOD, sources=TOWN, policy=policy)
        said = [each.verdict.outcome for each in found.statements if each.verdict]
        last = "supported" if isinstance(judge_client, AsyncOpenAI) else "undecided"
        assert said == ["supported", "undecided", last]
        assert await asyncio.to_thread(endpoint.settle)
        assert endpoint.max_in_flight == 1


class TestLoop:
    """The event loop goes on while judges work."""

    async def ticks_during(self, work: Awaitable[Any]) -> int:
        """Return how often the loop came round to another task meanwhile."""
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticker = asyncio.create_task(tick())
        await work
        ticker.cancel()
        return ticks

    async def test_ticks_while_answers_are_generated(
        self, server: LLMServer, endpoint: LLMServer, judge_client: Any
    ) -> None:
        endpoint.route = JudgingModel({FALSE_TEXT: "contradicted"}, latency=0.3)
        policy = Policy(support=[LLMJudge(judge_client, model="judge-1")])
        server.push(BAD, GOOD)
        async with server.async_client() as openai_client:
            client = guard(instructor.from_openai(openai_client))
            assert await self.ticks_during(client.create(**numbered(0, policy))) > 3

    async def test_ticks_while_a_judge_blocks_its_thread(self) -> None:
        judge = ScriptedJudge(seconds=0.5, blocking=True)
        policy = Policy(support=[judge], alignment=judge)
        work = averify(Answer, GOOD, sources=TOWN, policy=policy)
        assert await self.ticks_during(work) > 3


class TestCancellation:
    """Whoever is no longer waited for stops: no task is left, and no request."""

    @pytest.fixture
    def endpoint(self) -> Iterator[LLMServer]:
        """A model that takes a minute for every verdict."""
        with LLMServer(JudgingModel(latency=MINUTE)) as server:
            yield server

    async def test_of_a_verification(self, endpoint: LLMServer, async_judge: LLMJudge) -> None:
        policy = Policy(support=[async_judge], alignment=async_judge)
        work = averify(Answer, GOOD, sources=TOWN, policy=policy)
        await cancelled(work, endpoint, requests=4)
        assert not others()
        assert await asyncio.to_thread(endpoint.settle)


async def test_no_thread_is_left(endpoint: LLMServer) -> None:
    """One judge, in whatever loops and threads a program has."""
    policy = Policy(support=[LLMJudge(endpoint.client(), model="judge-1", batch_size=1)])
    await averify(Answer, permits(10), sources=TOWN, policy=policy)
    while any(thread.name == "citeguard-judge" for thread in threading.enumerate()):
        await asyncio.sleep(0.01)

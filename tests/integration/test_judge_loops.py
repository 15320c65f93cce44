"""One client in many event loops, against a server that keeps its connections open.

So do the endpoints that people use; the scripted server closes each, which hides what happens to a
connection when the loop that it was made in is gone.
"""

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from citeguard import Answer, CiteguardError, LLMJudge, Policy, averify, verify
from integration.judge_material import TOWN, JudgingModel, answer, permits, statement
from llm_server import LLMServer, Reply, Request

LONG = 20.0
QUOTE = "Dogs are not allowed in the hall."


@pytest.fixture(scope="module", autouse=True)
def frozen() -> None:
    """Let the collections below look only at what these tests make: PyTorch alone takes 1 s."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def server() -> Iterator[LLMServer]:
    server = LLMServer(JudgingModel(), keeps_open=True)
    yield server
    # What the copies of a client have left open is dropped here, and not in some later test.
    gc.collect()
    server.close()
    gc.collect()


def openai_client(server: LLMServer, **options: Any) -> AsyncOpenAI:
    """Return a client as most people make it, retries included."""
    return AsyncOpenAI(base_url=server.base_url, api_key="scripted", **options)


def own_http_client(server: LLMServer) -> AsyncOpenAI:
    return openai_client(server, http_client=DefaultAsyncHttpxClient())


def data(number: int) -> dict[str, Any]:
    """Return an answer that has not been judged before."""
    return answer(statement(f"Dog number {number} must stay outside.", QUOTE))


def outcome(found: Answer) -> str:
    verdict = found.statements[0].verdict
    assert verdict is not None
    return f"{verdict.outcome}: {verdict.reason}"


SUPPORTED = "supported: The source leaves it supported."


def in_a_loop(judge: LLMJudge, number: int) -> str:
    policy = Policy(support=[judge], undecided="pass")
    return outcome(asyncio.run(averify(Answer, data(number), sources=TOWN, policy=policy)))


def without_a_loop(judge: LLMJudge, number: int) -> str:
    policy = Policy(support=[judge], undecided="pass")
    return outcome(verify(Answer, data(number), sources=TOWN, policy=policy))


def in_a_thread(judge: LLMJudge, number: int) -> str:
    async def run() -> str:
        return await asyncio.to_thread(without_a_loop, judge, number)

    return asyncio.run(run())


def plain(judge: LLMJudge, number: int) -> str:
    policy = Policy(support=[judge], undecided="pass")
    return outcome(Answer.model_validate(data(number), context=TOWN.as_context(policy=policy)))


def plain_in_a_loop(judge: LLMJudge, number: int) -> str:
    async def run() -> str:
        return plain(judge, number)

    return asyncio.run(run())


Use = Callable[[LLMJudge, int], str]
USES = [in_a_loop, without_a_loop, in_a_thread, plain, plain_in_a_loop]

by_design = pytest.mark.filterwarnings(
    # A connection of a loop that has ended cannot be closed any more, in that loop or another.
    "ignore:unclosed:ResourceWarning",
    "ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning",
)


@by_design
class TestOneClient:
    @pytest.mark.parametrize("first", USES, ids=lambda use: use.__name__)
    def test_in_all_ways_in_turn(self, server: LLMServer, first: Use) -> None:
        judge = LLMJudge(openai_client(server), model="judge-1")
        uses = [first, *USES, *reversed(USES)]
        said = [use(judge, number) for number, use in enumerate(uses)]
        assert said == [SUPPORTED] * len(uses)
        assert len(server.requests) == len(uses)

    @pytest.mark.parametrize("first", USES[:2], ids=lambda use: use.__name__)
    def test_with_an_http_client_of_its_own(self, server: LLMServer, first: Use) -> None:
        judge = LLMJudge(own_http_client(server), model="judge-1")
        uses = [first, *USES]  # each copy of such a client loads certificates, for 0.1 s
        said = [use(judge, number) for number, use in enumerate(uses)]
        assert said == [SUPPORTED] * len(uses)


@pytest.mark.parametrize("make", [openai_client, own_http_client], ids=["openai's", "the user's"])
def test_closed_client_is_a_wrong_set_up(
    server: LLMServer, make: Callable[[LLMServer], AsyncOpenAI]
) -> None:
    async def run() -> None:
        async with make(server) as client:
            policy = Policy(support=[LLMJudge(client, model="judge-1")])
            await averify(Answer, data(1), sources=TOWN, policy=policy)
        await averify(Answer, data(2), sources=TOWN, policy=policy)

    with pytest.raises(CiteguardError, match="its client has been closed"):
        asyncio.run(run())


def finish() -> None:
    """Wait for the threads that nobody waits for any more."""
    for thread in threading.enumerate():
        if thread.name == "citeguard-judge":
            thread.join(LONG)


def judged(judge: LLMJudge, way: str) -> list[str]:
    """Return the reasons of six verdicts, each asked for alone."""
    policy = Policy(support=[judge], undecided="pass")
    given: Any = {"sources": TOWN, "policy": policy}
    if way == "verify":
        found = verify(Answer, permits(6), **given)
    else:
        found = asyncio.run(averify(Answer, permits(6), **given))
    return [each.verdict.reason for each in found.statements if each.verdict]


@pytest.mark.parametrize("way", ["verify", "averify"])
class TestSynchronousClient:
    """Its calls cannot be broken off: they go on in their threads, and still count."""

    LATE = ["judge-1: took longer than 0.1 s"] * 6

    def slow_judge(self, server: LLMServer, retries: int, **options: Any) -> LLMJudge:
        return LLMJudge(
            server.client(max_retries=retries),
            model="judge-1",
            batch_size=1,
            concurrency=2,
            timeout=0.1,
            options=options,
        )

    @pytest.mark.parametrize("retries", [0, 2])
    def test_makes_no_call_that_nobody_waits_for(self, way: str, retries: int) -> None:
        released = threading.Event()
        model = JudgingModel()

        def held(request: Request) -> Reply | None:
            released.wait(LONG)
            return model(request)

        with LLMServer(held) as server:
            judge = self.slow_judge(server, retries, timeout=LONG)
            assert judged(judge, way) == self.LATE
            assert server.max_in_flight <= 2
            released.set()
            finish()
            assert len(server.requests) <= 2

"""What other tests rely on to fail: the scripted server's counts, and its silence."""

import asyncio
import threading
from typing import Any

import openai
import pytest

from llm_server import Fault, LLMServer, Reply, Request

ASK: dict[str, Any] = {"model": "scripted", "messages": [{"role": "user", "content": "How many?"}]}


def ask_in_vain(client: openai.OpenAI) -> None:
    """Ask, and see the connection break."""
    with pytest.raises(openai.APIError):
        client.chat.completions.create(**ASK)


class TestScript:
    def test_an_exhausted_queue_says_so(self, server: LLMServer) -> None:
        server.push("the only one")
        client = server.client()
        client.chat.completions.create(**ASK)
        with pytest.raises(openai.BadRequestError, match="no reply is left for request 2"):
            client.chat.completions.create(**ASK)

    def test_a_failing_route_is_reported_to_the_client(self) -> None:
        def route(request: Request) -> Reply:
            raise KeyError(request.path)

        with LLMServer(route) as server, pytest.raises(openai.InternalServerError) as caught:
            server.client().chat.completions.create(**ASK)
        assert "the route raised KeyError('/v1/chat/completions')" in str(caught.value)


def test_a_trickle_never_makes_the_client_lose_patience(server: LLMServer) -> None:
    server.push(Reply(fault="trickle"))
    client = server.client(timeout=0.3)
    asked = threading.Thread(target=ask_in_vain, args=[client])
    asked.start()
    asked.join(1.0)
    still_waiting = asked.is_alive()
    server.closing.set()
    asked.join(20)
    assert still_waiting
    assert not asked.is_alive()


class TestRecord:
    async def test_counts_the_most_requests_in_flight(self) -> None:
        together = threading.Barrier(5)

        def route(request: Request) -> Reply:
            together.wait(timeout=30)
            return Reply("done")

        with LLMServer(route) as server:
            async with server.async_client() as client:
                asked = [client.chat.completions.create(**ASK) for _ in range(5)]
                await asyncio.gather(*asked)
            assert server.max_in_flight == 5

    @pytest.mark.parametrize("fault", ["silence", "trickle"])
    async def test_a_request_whose_client_has_gone_is_not_in_flight(
        self, server: LLMServer, fault: Fault
    ) -> None:
        server.push(Reply(fault=fault))
        async with server.async_client() as client:
            asked = asyncio.create_task(client.chat.completions.create(**ASK))
            while not server.in_flight:
                await asyncio.sleep(0.01)
            asked.cancel()
            await asyncio.wait([asked])
            assert await asyncio.to_thread(server.settle)
        assert server.max_in_flight == 1

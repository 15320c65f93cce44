"""Streaming through instructor: what is verified, when, and what is not.

A partial object is unverified until the stream has ended well. Measured behaviour of instructor,
which these tests pin: synchronous `create_partial` reads the whole stream inside the retry loop;
asynchronous `create_partial`, and `create_iterable`, hand out objects as they come, raise the bare
`ValidationError`, and retry nothing.
"""

from collections.abc import AsyncIterator
from typing import Any

import instructor
import pytest
from instructor import Mode
from pydantic import BaseModel, ValidationError

from citeguard import Answer, Quote, Statement
from integration.conftest import in_every_mode, question
from integration.material import BAD, GOOD, SOURCES, Json, assert_verified
from llm_server import LLMServer, Reply

FIRST_GOOD: Json = {"statements": [GOOD["statements"][0], *BAD["statements"][1:]]}
UNFINISHED = "an e-mail does not"


def call(**options: Any) -> dict[str, Any]:
    """Return the arguments of a streaming call with the usual sources."""
    return question() | {"context": SOURCES.as_context()} | options


def as_list(reply: Json) -> Json:
    """Return the statements of an answer as `create_iterable` expects them."""
    return {"tasks": reply["statements"]}


@pytest.fixture
async def clients(server: LLMServer, mode: Mode) -> AsyncIterator[dict[str, Any]]:
    """Instructor's clients, "sync" and "async"."""
    async with server.async_client() as openai_client:
        yield {
            "sync": instructor.from_openai(server.client(), mode=mode),
            "async": instructor.from_openai(openai_client, mode=mode),
        }


async def stream(client: Any, method: str, model: Any, into: list[Any], **options: Any) -> None:
    """Put what a stream hands out into a list, as it comes."""
    streamed = getattr(client, method)(response_model=model, **call(**options))
    if isinstance(client, instructor.AsyncInstructor):
        async for each in streamed:
            into.append(each)
    else:
        for each in streamed:
            into.append(each)


in_both_kinds = pytest.mark.parametrize("kind", ["sync", "async"])


class TestCreatePartial:
    @in_every_mode
    @in_both_kinds
    async def test_ends_verified(self, server: LLMServer, clients: Any, kind: str) -> None:
        server.push(GOOD)
        seen: list[Answer] = []
        await stream(clients[kind], "create_partial", Answer, seen)
        assert len(server.requests) == 1
        assert len(seen) > 4
        assert len(seen[-1].statements) == 4
        assert_verified(seen[-1])

    @in_both_kinds
    async def test_a_cut_stream_ends_unverified(
        self, server: LLMServer, clients: Any, kind: str
    ) -> None:
        """Nothing is raised for the answer as a whole: whoever streams must look at the grades."""
        server.push(Reply(GOOD, cut_after=UNFINISHED))
        seen: list[Answer] = []
        await stream(clients[kind], "create_partial", Answer, seen)
        unfinished = seen[-1].statements[1].citations[0]
        assert unfinished.quote == UNFINISHED
        assert not getattr(unfinished, "spans", None)


class Finding(BaseModel):
    """A model of the user's own."""

    evidence: Quote


async def test_quote_field_is_a_plain_str_until_it_is_verified(server: LLMServer) -> None:
    server.push({"evidence": "no deaths occurred during the study"})
    async with server.async_client() as client:
        partials = instructor.from_openai(client).create_partial(**call(), response_model=Finding)
        found = [each.evidence async for each in partials if each.evidence]
    assert {str, Quote} == {*map(type, found)}
    assert found[-1].quoted_as == "no deaths occurred during the study"


class TestCreateIterable:
    """Item by item: each is verified before it is handed out."""

    @in_every_mode
    @in_both_kinds
    async def test_every_item_is_verified(self, server: LLMServer, clients: Any, kind: str) -> None:
        server.push(as_list(GOOD))
        seen: list[Statement] = []
        await stream(clients[kind], "create_iterable", Statement, seen)
        assert len(seen) == 4
        assert_verified(seen)

    @in_both_kinds
    async def test_the_first_bad_item_ends_it(
        self, server: LLMServer, clients: Any, kind: str
    ) -> None:
        server.push(as_list(FIRST_GOOD), as_list(GOOD))
        seen: list[Statement] = []
        with pytest.raises(ValidationError) as caught:
            await stream(clients[kind], "create_iterable", Statement, seen, max_retries=2)
        assert_verified(seen)
        assert len(seen) == len(server.requests) == 1
        assert caught.value.errors()[0]["loc"] == ("citations", 0, "quote")

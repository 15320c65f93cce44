"""Streaming through instructor: what is verified, when, and what is not.

A partial object is unverified until the stream has ended well. Measured behaviour of instructor,
which these tests pin: synchronous `create_partial` reads the whole stream inside the retry loop;
asynchronous `create_partial`, and `create_iterable`, hand out objects as they come, raise the bare
`ValidationError`, and retry nothing.
"""

from typing import Any

import instructor
import pytest
from instructor import Mode
from pydantic import ValidationError

from citeguard import Answer, Statement
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


class TestCreatePartial:
    """Synchronous: a list that is complete when it is handed out."""

    def stream(self, server: LLMServer, mode: Mode, **options: Any) -> list[Answer]:
        client = instructor.from_openai(server.client(), mode=mode)
        return list(client.create_partial(response_model=Answer, **call(**options)))

    @in_every_mode
    def test_ends_verified(self, server: LLMServer, mode: Mode) -> None:
        server.push(GOOD)
        *_, last = self.stream(server, mode)
        assert len(server.requests) == 1
        assert len(last.statements) == 4
        assert_verified(last)

    @in_every_mode
    def test_retries_a_bad_answer(self, server: LLMServer, mode: Mode) -> None:
        server.push(BAD, GOOD)
        *_, last = self.stream(server, mode, max_retries=1)
        assert len(server.requests) == 2
        assert_verified(last)

    def test_a_cut_stream_ends_unverified(self, server: LLMServer, mode: Mode) -> None:
        server.push(Reply(GOOD, cut_after=UNFINISHED))
        *_, last = self.stream(server, mode)
        unfinished = last.statements[1].citations[0]
        assert unfinished.quote == UNFINISHED
        assert not getattr(unfinished, "spans", None)


class TestCreatePartialAsync:
    """Asynchronous: objects as they grow, the checks at the end, no retries."""

    async def stream(
        self, server: LLMServer, mode: Mode, into: list[Answer], **options: Any
    ) -> None:
        async with server.async_client() as openai_client:
            client = instructor.from_openai(openai_client, mode=mode)
            async for partial in client.create_partial(response_model=Answer, **call(**options)):
                into.append(partial)

    @in_every_mode
    async def test_ends_verified(self, server: LLMServer, mode: Mode) -> None:
        server.push(GOOD)
        partials: list[Answer] = []
        await self.stream(server, mode, partials)
        assert len(partials) > 4
        assert_verified(partials[-1])

    async def test_raises_bare_and_does_not_retry(self, server: LLMServer, mode: Mode) -> None:
        server.push(FIRST_GOOD, GOOD)
        partials: list[Answer] = []
        with pytest.raises(ValidationError) as caught:
            await self.stream(server, mode, partials, max_retries=2)
        assert len(server.requests) == 1
        assert partials
        assert {error["type"] for error in caught.value.errors()} & {
            "quote_altered",
            "quote_not_found",
        }

    async def test_a_cut_stream_ends_unverified(self, server: LLMServer, mode: Mode) -> None:
        """Nothing is raised for the answer as a whole: whoever streams must look at the grades."""
        server.push(Reply(GOOD, cut_after=UNFINISHED))
        partials: list[Answer] = []
        await self.stream(server, mode, partials)
        last = partials[-1].statements[1].citations[0]
        assert last.quote == UNFINISHED
        assert not getattr(last, "spans", None)


class TestCreateIterable:
    """Item by item: each is verified before it is handed out."""

    async def stream(
        self, server: LLMServer, mode: Mode, into: list[Statement], **options: Any
    ) -> None:
        async with server.async_client() as openai_client:
            client = instructor.from_openai(openai_client, mode=mode)
            stream = client.create_iterable(response_model=Statement, **call(**options))
            async for statement in stream:
                into.append(statement)

    @in_every_mode
    def test_every_item_is_verified(self, server: LLMServer, mode: Mode) -> None:
        server.push(as_list(GOOD))
        client = instructor.from_openai(server.client(), mode=mode)
        found = list(client.create_iterable(response_model=Statement, **call()))
        assert len(found) == 4
        assert_verified(found)

    def test_the_first_bad_item_ends_it(self, server: LLMServer, mode: Mode) -> None:
        server.push(as_list(FIRST_GOOD), as_list(GOOD))
        client = instructor.from_openai(server.client(), mode=mode)
        found: list[Statement] = []
        with pytest.raises(ValidationError) as caught:
            found.extend(client.create_iterable(response_model=Statement, **call(max_retries=2)))
        assert_verified(found)
        assert len(found) == len(server.requests) == 1
        assert caught.value.errors()[0]["loc"] == ("citations", 0, "quote")

    @in_every_mode
    async def test_every_item_is_verified_async(self, server: LLMServer, mode: Mode) -> None:
        server.push(as_list(GOOD))
        found: list[Statement] = []
        await self.stream(server, mode, found)
        assert len(found) == 4
        assert_verified(found)

from collections.abc import Iterator
from typing import Any

import instructor
import pytest
from instructor import Mode
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAI
from pydantic import BaseModel

from citeguard import CiteguardError, LLMJudge
from citeguard.judges.model_calls import copied
from llm_server import LLMServer, Request
from rows import each_row

MODES = [Mode.TOOLS, Mode.JSON, Mode.JSON_SCHEMA, Mode.MD_JSON, Mode.RESPONSES_TOOLS]


class Number(BaseModel):
    number: int


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as server:
        yield server


def openai_client(server: LLMServer, **options: Any) -> AsyncOpenAI:
    """Return a client with the HTTP client that openai makes by itself."""
    return AsyncOpenAI(base_url=server.base_url, api_key="scripted", **options)


async def sent(server: LLMServer, client: Any, **request: Any) -> Request:
    """Let a client ask for a number, and return what arrived."""
    server.push({"number": 42})
    found = await client.create(
        **{"model": "scripted"} | request,
        messages=[{"role": "user", "content": "Which number?"}],
        response_model=Number,
        max_retries=0,
    )
    assert found.number == 42
    return server.requests[-1]


class TestCopied:
    @pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
    async def test_sends_what_the_first_one_sends(self, server: LLMServer, mode: Mode) -> None:
        async with openai_client(server) as wrapped:
            client = instructor.from_openai(wrapped, mode=mode)
            copy = copied(client)
            assert copy is not None
            async with copy.client:
                first = await sent(server, client)
                await wrapped.close()
                again = await sent(server, copy)  # over connections of its own
        assert (again.path, again.body) == (first.path, first.body)

    async def test_is_none_of_an_http_client_of_the_user_s(self, server: LLMServer) -> None:
        async with openai_client(server, http_client=DefaultAsyncHttpxClient()) as wrapped:
            assert copied(instructor.from_openai(wrapped)) is None

    def test_is_none_of_a_synchronous_client(self, server: LLMServer) -> None:
        with OpenAI(base_url=server.base_url, api_key="scripted") as wrapped:
            assert copied(instructor.from_openai(wrapped)) is None


class TestVersionOfAJudge:
    """What its client adds to a request is a part of what its verdicts depend on."""

    def version(self, server: LLMServer, *, query: Any = None, **arguments: Any) -> str | None:
        wrapped = server.client(default_query=query)
        judge = LLMJudge(instructor.from_openai(wrapped, **arguments), model="judge-1")
        return judge.settings.version

    def test_is_the_same_for_the_same_arguments(self, server: LLMServer) -> None:
        assert self.version(server, temperature=0) == self.version(server, temperature=0)

    @each_row(
        ("one", "other"),
        [
            pytest.param({"temperature": 0}, {"temperature": 1}, id="temperature"),
            pytest.param({"temperature": 0}, {}, id="an argument or none"),
            pytest.param({"query": {"v": "1"}}, {"query": {"v": "2"}}, id="query"),
            pytest.param({"query": {"v": "1"}}, {}, id="a query or none"),
            pytest.param({"mode": Mode.TOOLS}, {"mode": Mode.JSON}, id="mode"),
        ],
    )
    def test_differs(self, server: LLMServer, one: Any, other: Any) -> None:
        assert self.version(server, **one) != self.version(server, **other)

    @each_row(
        "options",
        [
            {"extra_headers": {"Authorization": "Bearer s3cret"}},
            {"extra_body": {"token": "s3cret"}},
            {"user": "s3cret"},
        ],
    )
    def test_shows_no_secret(self, server: LLMServer, options: Any) -> None:
        judge = LLMJudge(server.client(), model="judge-1", options=options)
        assert "s3cret" not in repr(judge.settings)
        assert "s3cret" not in repr(judge)


OWN = ("context", "hooks", "max_retries", "messages", "response_model", "stream")
"""Options that a judge sets itself."""


@each_row(
    ("name", "value"),
    [
        ("model", 5),
        ("options", "temperature"),
        ("concurrency", None),
        ("support", "Judge it."),
        ("alignment", "Judge it."),
        *(("options", {name: None}) for name in OWN),
    ],
)
def test_a_wrong_argument_is_named(name: str, value: Any) -> None:
    client = OpenAI(api_key="k", base_url="http://localhost:1/v1")
    with pytest.raises(CiteguardError, match="must not have" if isinstance(value, dict) else name):
        LLMJudge(client, **{"model": "m", name: value})

"""What every integration test starts from: a scripted model, and instructor in all its modes."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import instructor
import pytest
from instructor import Mode
from openai import AsyncOpenAI, OpenAI

from citeguard import LLMJudge
from integration.judge_material import FALSE_TEXT, JudgingModel
from integration.material import QUESTION, SOURCES
from llm_server import LLMServer

MODES = [Mode.TOOLS, Mode.JSON, Mode.JSON_SCHEMA, Mode.MD_JSON, Mode.RESPONSES_TOOLS]

KINDS = ["sync", "async"]
PAIRS = [
    (Mode.TOOLS, "async"),
    (Mode.JSON, "sync"),
    (Mode.JSON_SCHEMA, "async"),
    (Mode.MD_JSON, "sync"),
    (Mode.RESPONSES_TOOLS, "sync"),
    (Mode.RESPONSES_TOOLS, "async"),
]
"""Every mode, and both kinds of client with each of OpenAI's two protocols.

What instructor does for a mode (a schema, a parser, a message for the next attempt) is the same for
both kinds, and its loops of attempts, one for each kind, are the same for all modes. The fixture
`client` is the pair that is missing here, TOOLS and synchronous.
"""
PROTOCOLS = [(Mode.TOOLS, "async"), (Mode.RESPONSES_TOOLS, "sync")]
"""Both of OpenAI's protocols and both kinds of client, for what does not depend on the mode."""


def _pair_id(pair: tuple[Mode, str]) -> str:
    return f"{pair[0].name}-{pair[1]}"


in_all_modes = pytest.mark.parametrize("pair", PAIRS, ids=_pair_id, indirect=True)
"""Run a test with `PAIRS`, as it depends on the schema, the parser or the messages of a mode."""

in_all_pairs = pytest.mark.parametrize(
    "pair",
    [(mode, kind) for mode in MODES for kind in KINDS],
    ids=_pair_id,
    indirect=True,
)
"""Run a test with every mode and either kind of client; the test need not name the pair."""

in_every_mode = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name, indirect=True)
"""Run a test in every mode, because instructor reads a stream by another way in each."""

Ask = Callable[..., Awaitable[Any]]


@pytest.fixture
def endpoint() -> Iterator[LLMServer]:
    """The model that judges: one statement is false."""
    with LLMServer(JudgingModel({FALSE_TEXT: "contradicted"})) as server:
        yield server


@pytest.fixture
def judge(endpoint: LLMServer) -> LLMJudge:
    """A judge that asks that model."""
    return LLMJudge(endpoint.client(), model="judge-1")


@pytest.fixture
def client(server: LLMServer) -> instructor.Instructor:
    """Instructor as most people use it: synchronous, mode TOOLS."""
    return instructor.from_openai(server.client(), mode=Mode.TOOLS)


@pytest.fixture(params=[Mode.TOOLS, Mode.RESPONSES_TOOLS], ids=lambda mode: mode.name)
def mode(request: pytest.FixtureRequest) -> Mode:
    """A mode of each protocol; for a test that depends on the mode, see `in_every_mode`."""
    return request.param


@pytest.fixture(params=PROTOCOLS, ids=_pair_id)
def pair(request: pytest.FixtureRequest) -> tuple[Mode, str]:
    """Both protocols, each with a client of one kind; `in_all_modes` and `in_all_pairs` do more."""
    return request.param


@pytest.fixture
def ask(server: LLMServer, pair: tuple[Mode, str]) -> Ask:
    """Call `create`, synchronously or asynchronously; the test awaits both."""
    mode, kind = pair
    return _ask_sync(server, mode) if kind == "sync" else _ask_async(server, mode)


@asynccontextmanager
async def openai_client_of(server: LLMServer, kind: str) -> AsyncIterator[OpenAI | AsyncOpenAI]:
    """Yield openai's client of a server, "sync" or "async"."""
    if kind == "sync":
        yield server.client()
        return
    async with server.async_client() as client:
        yield client


@pytest.fixture
async def paired_client(
    server: LLMServer, pair: tuple[Mode, str]
) -> AsyncIterator[tuple[OpenAI | AsyncOpenAI, Mode, str]]:
    """openai's client of the generating model, a mode for it, and its kind."""
    mode, kind = pair
    async with openai_client_of(server, kind) as client:
        yield client, mode, kind


def question() -> dict[str, Any]:
    """Return the arguments of a call that asks the usual question about the usual sources."""
    prompt = SOURCES.as_prompt(QUESTION)
    return {"model": "scripted", "messages": [{"role": "user", "content": prompt}]}


def sent(server: LLMServer) -> str:
    """Return the last request without blanks and quotation marks: some modes send it as text."""
    return re.sub(r'(\\n|[\\\s"])+', "", json.dumps(server.requests[-1].body))


def _ask_sync(server: LLMServer, mode: Mode) -> Ask:
    async def ask(**options: Any) -> Any:
        client = instructor.from_openai(server.client(), mode=mode)
        return client.create(**question() | options)

    return ask


def _ask_async(server: LLMServer, mode: Mode) -> Ask:
    async def ask(**options: Any) -> Any:
        async with server.async_client() as openai_client:
            client = instructor.from_openai(openai_client, mode=mode)
            return await client.create(**question() | options)

    return ask

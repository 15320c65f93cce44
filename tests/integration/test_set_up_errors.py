"""No sources, no pass: a context without sources stops the call, and is no reason to retry."""

from typing import Annotated, Any

import pytest
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel

from citeguard import (
    Answer,
    Citation,
    CiteguardError,
    ExactQuote,
    InvalidSourcesError,
    MissingSourcesError,
    Statement,
)
from integration.conftest import Ask
from integration.material import BAD, GOOD, Json
from llm_server import LLMServer

MISSING: dict[str, Any] = {
    "no context": None,
    "empty context": {},
    "wrong key": {"documents": {"handbook": "Notice is one month."}},
    "key in the wrong case": {"Sources": {"handbook": "Notice is one month."}},
    "nothing under the key": {"sources": None},
}
UNREADABLE: dict[str, Any] = {
    "no sources under the key": {"sources": {}},
    "only blank sources": {"sources": {"handbook": " \n"}},
    "a number": {"sources": 42},
    "sources that are no texts": {"sources": {"handbook": 42}},
}


async def fail(ask: Ask, server: LLMServer, reply: Json, **options: Any) -> BaseException | None:
    """Ask, with retries allowed; assert that none was made, and return what stopped the call."""
    server.push(reply, GOOD, GOOD)
    with pytest.raises(InstructorRetryException) as caught:
        await ask(**{"response_model": Answer, "max_retries": 2} | options)
    assert len(server.requests) == 1
    assert caught.value.n_attempts == 1
    return caught.value.__cause__


@pytest.mark.parametrize("context", MISSING.values(), ids=MISSING.keys())
async def test_missing_sources_stop_the_call(ask: Ask, server: LLMServer, context: Any) -> None:
    assert type(await fail(ask, server, GOOD, context=context)) is MissingSourcesError


@pytest.mark.parametrize("context", UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_unreadable_sources_stop_the_call(ask: Ask, server: LLMServer, context: Any) -> None:
    assert type(await fail(ask, server, GOOD, context=context)) is InvalidSourcesError


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(BAD, id="bad quotes"),
        pytest.param({"statements": []}, id="no statements"),
        pytest.param({"statements": [{"text": "So.", "citations": []}]}, id="no citations"),
        pytest.param(
            {"statements": [{"text": " ", "citations": [{"quote": ""}]}]}, id="nothing but blanks"
        ),
    ],
)
async def test_whatever_the_answer_says(ask: Ask, server: LLMServer, reply: Json) -> None:
    assert type(await fail(ask, server, reply)) is MissingSourcesError


async def test_in_every_model(ask: Ask, server: LLMServer) -> None:
    class Finding(BaseModel):
        evidence: Annotated[str, ExactQuote()]

    reply = {"evidence": "No deaths occurred"}
    assert type(await fail(ask, server, reply, response_model=Finding)) is MissingSourcesError


async def test_in_one_citation(ask: Ask, server: LLMServer) -> None:
    reply = {"quote": "No deaths occurred", "source_id": None}
    assert type(await fail(ask, server, reply, response_model=Citation)) is MissingSourcesError


async def test_in_a_list(ask: Ask, server: LLMServer) -> None:
    reply = {"tasks": GOOD["statements"]}
    error = await fail(ask, server, reply, response_model=list[Statement])
    assert type(error) is MissingSourcesError


async def test_the_message_says_how_to_give_sources(ask: Ask, server: LLMServer) -> None:
    error = str(await fail(ask, server, GOOD))
    assert "context=sources.as_context()" in error
    assert "use_sources" in error


def test_no_set_up_error_is_a_value_error() -> None:
    for error in (CiteguardError, MissingSourcesError, InvalidSourcesError):
        assert not issubclass(error, ValueError)

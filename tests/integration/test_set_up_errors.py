"""No sources, no pass: a context without sources stops the call, and is no reason to retry."""

from itertools import cycle
from typing import Any

import pytest
from instructor.core.exceptions import InstructorRetryException

from citeguard import (
    Answer,
    CiteguardError,
    InvalidSourcesError,
    MissingSourcesError,
)
from integration.conftest import PROTOCOLS, Ask
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
REPLIES: dict[str, Json] = {
    "bad quotes": BAD,
    "no statements": {"statements": []},
    "no citations": {"statements": [{"text": "So.", "citations": []}]},
    "nothing but blanks": {"statements": [{"text": " ", "citations": [{"quote": ""}]}]},
}


def in_turn(cases: dict[str, Any]) -> pytest.MarkDecorator:
    """Run a test with each of these cases, and with the protocols in turn."""
    rows = [
        pytest.param(pair, given, id=f"{pair[0].name}-{pair[1]}-{name}")
        for pair, (name, given) in zip(cycle(PROTOCOLS), cases.items(), strict=False)
    ]
    return pytest.mark.parametrize(("pair", "given"), rows, indirect=["pair"])


async def fail(ask: Ask, server: LLMServer, reply: Json, **options: Any) -> BaseException | None:
    """Ask, with retries allowed; assert that none was made, and return what stopped the call."""
    server.push(reply, GOOD, GOOD)
    with pytest.raises(InstructorRetryException) as caught:
        await ask(**{"response_model": Answer, "max_retries": 2} | options)
    assert len(server.requests) == 1
    assert caught.value.n_attempts == 1
    return caught.value.__cause__


@in_turn(MISSING)
async def test_missing_sources_stop_the_call(ask: Ask, server: LLMServer, given: Any) -> None:
    assert type(await fail(ask, server, GOOD, context=given)) is MissingSourcesError


@in_turn(UNREADABLE)
async def test_unreadable_sources_stop_the_call(ask: Ask, server: LLMServer, given: Any) -> None:
    assert type(await fail(ask, server, GOOD, context=given)) is InvalidSourcesError


@in_turn(REPLIES)
async def test_whatever_the_answer_says(ask: Ask, server: LLMServer, given: Json) -> None:
    assert type(await fail(ask, server, given)) is MissingSourcesError


def test_no_set_up_error_is_a_value_error() -> None:
    for error in (CiteguardError, MissingSourcesError, InvalidSourcesError):
        assert not issubclass(error, ValueError)

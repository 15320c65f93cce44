"""instructor: bad quotes go back to the model, good ones come out verified."""

import re
from typing import Any

import pytest
from instructor.core.exceptions import InstructorRetryException

from citeguard import Answer, InvalidSourcesError, MissingSourcesError, Sources
from integration.conftest import Ask, in_all_modes, in_all_pairs, sent
from integration.material import BAD, GOOD, HOSTILE, SOURCES, Json, assert_verified, citation
from llm_server import LLMServer


def one_statement(quote: str, source_id: str | None) -> Json:
    """Return an answer of one statement."""
    return {"statements": [{"text": "So it is.", "citations": [citation(quote, source_id)]}]}


@in_all_pairs
async def test_bad_quotes_cost_one_more_attempt(ask: Ask, server: LLMServer) -> None:
    """In both protocols, synchronously and asynchronously."""
    server.push(BAD, GOOD, GOOD)
    answer = await ask(response_model=Answer, context=SOURCES.as_context(), max_retries=2)
    assert len(server.requests) == 2
    assert_verified(answer)
    assert [s.text for s in answer.statements] == [s["text"] for s in GOOD["statements"]]


HOSTILE_SOURCES = Sources({"ci": HOSTILE, "fees": "Entry costs 12 euros for adults."})


class TestPrompt:
    """What is sent is what was written: no templating, whatever a source says."""

    async def ask_hostile(self, ask: Ask, server: LLMServer) -> str:
        prompt = HOSTILE_SOURCES.as_prompt("What is the fee?")
        server.push(one_statement("Entry costs 15 euros", "fees"))
        server.push(one_statement("Entry costs 12 euros", "fees"))
        answer = await ask(
            messages=[{"role": "user", "content": prompt}],
            response_model=Answer,
            context=HOSTILE_SOURCES.as_context(),
            max_retries=1,
        )
        assert_verified(answer, HOSTILE_SOURCES)
        return prompt

    @in_all_modes
    async def test_is_sent_byte_for_byte(self, ask: Ask, server: LLMServer) -> None:
        prompt = await self.ask_hostile(ask, server)
        for request in server.requests:
            assert sum(prompt in text for text in request.texts) == 1


@pytest.mark.parametrize("reply", [BAD, {"statements": []}], ids=["bad", "empty"])
@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"documents": {"handbook": "Notice is one month."}}, MissingSourcesError),
        ({"sources": {"handbook": " \n"}}, InvalidSourcesError),
    ],
)
async def test_a_context_without_sources_stops_the_call(
    ask: Ask, server: LLMServer, given: Any, error: type, reply: Json
) -> None:
    """A context without sources stops the call, and is no reason to retry."""
    server.push(reply, GOOD, GOOD)
    with pytest.raises(InstructorRetryException) as caught:
        await ask(response_model=Answer, context=given, max_retries=2)
    assert len(server.requests) == caught.value.n_attempts == 1
    assert type(caught.value.__cause__) is error


class TestSchema:
    """What the model was not asked for is computed, never believed."""

    async def test_lists_the_known_ids(self, ask: Ask, server: LLMServer) -> None:
        server.push(GOOD)
        answer = await ask(response_model=Answer.over(SOURCES), context=SOURCES.as_context())
        assert "enum:[handbook,trial]" in sent(server)
        assert_verified(answer)

    @in_all_modes
    async def test_the_model_is_not_shown_them(self, ask: Ask, server: LLMServer) -> None:
        server.push(GOOD)
        messages = [{"role": "user", "content": "Answer."}]
        await ask(response_model=Answer, context=SOURCES.as_context(), messages=messages)
        shown = set(re.findall(r"""['"](\w+)['"]""", repr(server.requests[0].body)))
        assert shown >= {"statements", "text", "citations", "quote", "source_id"}
        assert not shown & {"spans", "grade", "quoted_as", "framing"}

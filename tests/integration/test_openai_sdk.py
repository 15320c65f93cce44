"""The OpenAI SDK's own structured outputs: `parse` takes no context, so `use_sources` gives it."""

from typing import Any

import pytest
from pydantic import ValidationError

from citeguard import Answer, Citation, MissingSourcesError, use_sources
from integration.conftest import question, sent
from integration.material import BAD, BAD_PLACES, GOOD, QUESTION, SOURCES, assert_verified, citation
from llm_server import LLMServer


async def parse_chat(server: LLMServer) -> Answer | None:
    parse = server.client().chat.completions.parse
    return parse(**question(), response_format=Answer).choices[0].message.parsed


async def parse_responses_async(server: LLMServer) -> Answer | None:
    async with server.async_client() as client:
        given = SOURCES.as_prompt(QUESTION)
        done = await client.responses.parse(model="scripted", input=given, text_format=Answer)
    return done.output_parsed


@pytest.fixture(params=[parse_chat, parse_responses_async], ids=lambda parse: parse.__name__)
def parse(request: pytest.FixtureRequest) -> Any:
    """Both APIs, one synchronously and one asynchronously; the test awaits each."""
    return request.param


class TestParse:
    async def test_returns_a_verified_answer(self, parse: Any, server: LLMServer) -> None:
        server.push(GOOD)
        with use_sources(SOURCES):
            answer = await parse(server)
        assert type(answer) is Answer
        assert_verified(answer)

    async def test_raises_on_bad_quotes(self, parse: Any, server: LLMServer) -> None:
        server.push(BAD, GOOD)
        with use_sources(SOURCES), pytest.raises(ValidationError) as caught:
            await parse(server)
        assert [error["loc"] for error in caught.value.errors()][:3] == BAD_PLACES
        assert len(server.requests) == 1

    async def test_needs_sources(self, parse: Any, server: LLMServer) -> None:
        server.push(GOOD)
        with pytest.raises(MissingSourcesError, match="use_sources"):
            await parse(server)


class TestStrictSchema:
    """`parse` makes every visible field required, so the model must not see the computed ones."""

    def test_shows_only_what_the_model_fills_in(self, server: LLMServer) -> None:
        server.push(citation("No deaths occurred", "trial"))
        with use_sources(SOURCES):
            server.client().chat.completions.parse(**question(), response_format=Citation)
        schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
        assert set(schema["properties"]) == {"quote", "source_id"}
        assert schema["additionalProperties"] is False

    def test_lists_the_known_ids(self, server: LLMServer) -> None:
        server.push(GOOD)
        with use_sources(SOURCES):
            server.client().chat.completions.parse(
                **question(), response_format=Answer.over(SOURCES)
            )
        assert server.requests[0].body["response_format"]["json_schema"]["strict"] is True
        assert "enum:[handbook,trial]" in sent(server)

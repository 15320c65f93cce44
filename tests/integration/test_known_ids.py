"""`Answer.over`: the schema that a provider decodes by lists the ids of the sources."""

from typing import Any

import pytest
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from citeguard import Answer, Sources, use_sources
from integration.conftest import Ask, question, sent
from integration.material import GOOD, SOURCES, assert_verified, citation
from llm_server import LLMServer

ENUM = "enum:[handbook,trial]"
NUMBERED = Sources(["Entry costs 12 euros.", "Dogs stay outside."])


def numbered(source_id: Any) -> dict[str, Any]:
    """Return an answer from a numbered source."""
    cited = citation("Entry costs 12 euros", source_id)
    return {"statements": [{"text": "It is not free.", "citations": [cited]}]}


class TestInstructor:
    async def test_the_schema_has_the_ids_in_every_mode(self, ask: Ask, server: LLMServer) -> None:
        server.push(GOOD)
        answer = await ask(response_model=Answer.over(SOURCES), context=SOURCES.as_context())
        assert ENUM in sent(server)
        assert isinstance(answer, Answer)
        assert_verified(answer)

    @pytest.mark.parametrize("model", [Answer, Answer.over(NUMBERED)], ids=["Answer", "over"])
    async def test_a_number_is_an_id(self, ask: Ask, server: LLMServer, model: Any) -> None:
        server.push(numbered(1))
        answer = await ask(response_model=model, context=NUMBERED.as_context())
        (cited,) = answer.statements[0].citations
        assert (cited.source_id, cited.span.source_id) == ("1", "1")


class TestOpenAI:
    """`parse`, which sends a strict schema."""

    def test_chat(self, server: LLMServer) -> None:
        server.push(GOOD)
        model = Answer.over(SOURCES)
        with use_sources(SOURCES):
            done = server.client().chat.completions.parse(**question(), response_format=model)
        assert server.requests[0].body["response_format"]["json_schema"]["strict"] is True
        assert ENUM in sent(server)
        assert_verified(done.choices[0].message.parsed or pytest.fail("nothing was parsed"))


class TestPydanticAI:
    @pytest.mark.parametrize("output", [ToolOutput, NativeOutput])
    async def test_the_schema_has_the_ids(self, output: Any, server: LLMServer) -> None:
        server.push(GOOD)
        async with server.async_client() as client:
            model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
            agent = Agent(
                model,
                output_type=output(Answer.over(SOURCES)),
                validation_context=SOURCES.as_context(),
            )
            answer = (await agent.run("Who?")).output
        assert ENUM in sent(server)
        assert_verified(answer)

"""pydantic-ai: its validation context carries the sources, its own retries send the errors back."""

from typing import Any

import pytest
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from citeguard import Answer, use_sources
from integration.material import BAD, GOOD, QUESTION, SOURCES, assert_verified
from llm_server import LLMServer

PROMPT = SOURCES.as_prompt(QUESTION)

MODELS = {"chat": OpenAIChatModel, "responses": OpenAIResponsesModel}
OUTPUTS = {"tool": ToolOutput, "native": NativeOutput, "prompted": PromptedOutput}


@pytest.fixture(params=MODELS)
async def model(server: LLMServer, request: pytest.FixtureRequest) -> Any:
    """Both of OpenAI's APIs."""
    async with server.async_client() as client:
        yield MODELS[request.param]("scripted", provider=OpenAIProvider(openai_client=client))


@pytest.fixture(params=OUTPUTS)
def output(request: pytest.FixtureRequest) -> Any:
    """The three ways of asking for an `Answer`."""
    return OUTPUTS[request.param](Answer)


in_both_protocols = pytest.mark.parametrize(
    ("model", "output"), [("chat", "tool"), ("responses", "native")], indirect=True
)
"""Run a test twice only: what fails or passes is the run, whatever the way of asking."""


async def test_validation_context_sends_bad_quotes_back(
    model: Any, output: Any, server: LLMServer
) -> None:
    """The sources are the agent's."""
    server.push(BAD, GOOD, GOOD)
    context = SOURCES.as_context()
    agent = Agent(model, output_type=output, validation_context=context, retries=2)
    answer = (await agent.run(PROMPT)).output
    assert len(server.requests) == 2
    assert type(answer) is Answer
    assert_verified(answer)
    told = str(server.requests[1].messages[-1])
    for statement in BAD["statements"][:3]:
        assert statement["citations"][0]["quote"] in told
    assert "quote_wrong_source" in told


@in_both_protocols
async def test_without_context_use_sources_serves_too(
    model: Any, output: Any, server: LLMServer
) -> None:
    server.push(BAD, GOOD)
    with use_sources(SOURCES):
        answer = (await Agent(model, output_type=output, retries=1).run(PROMPT)).output
    assert_verified(answer)


@in_both_protocols
async def test_streaming_ends_verified(model: Any, output: Any, server: LLMServer) -> None:
    server.push(GOOD)
    agent = Agent(model, output_type=output, validation_context=SOURCES.as_context())
    async with agent.run_stream(PROMPT) as stream:
        answer = await stream.get_output()
    assert_verified(answer)

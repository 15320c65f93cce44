"""instructor with clients that speak other protocols than OpenAI's, and with parallel tools."""

from collections.abc import Iterable
from typing import Any

import instructor
import pytest
from instructor import Mode
from instructor.core.exceptions import InstructorRetryException
from pydantic import ValidationError

from citeguard import Answer, LLMJudge, Policy, guard
from integration.conftest import sent
from integration.judge_material import (
    BAD,
    DOGS,
    FALSE_TEXT,
    GOOD,
    OPENING,
    PRICE,
    TOWN,
    JudgingModel,
    answer,
    statement,
)
from llm_server import LLMServer

MISQUOTED = answer(statement(OPENING, "The market opens at eight on Saturdays."))
MESSAGES: Any = [{"role": "user", "content": TOWN.as_prompt("When does the market open?")}]


def anthropic(server: LLMServer, mode: Mode) -> Any:
    """Return instructor's client of Anthropic's."""
    from anthropic import Anthropic

    url = server.base_url.removesuffix("/v1")
    return instructor.from_anthropic(Anthropic(base_url=url, api_key="scripted"), mode=mode)


def anthropic_async(server: LLMServer, mode: Mode) -> Any:
    """Return the asynchronous one."""
    from anthropic import AsyncAnthropic

    url = server.base_url.removesuffix("/v1")
    return instructor.from_anthropic(AsyncAnthropic(base_url=url, api_key="scripted"), mode=mode)


def gemini(server: LLMServer, mode: Mode, **options: Any) -> Any:
    """Return instructor's client of Google's."""
    from google import genai
    from google.genai.types import HttpOptions

    http = HttpOptions(base_url=server.base_url.removesuffix("/v1"))
    client = genai.Client(api_key="scripted", http_options=http)
    return instructor.from_genai(client, mode=mode, **options)


def gemini_async(server: LLMServer, mode: Mode) -> Any:
    """Return the asynchronous one."""
    return gemini(server, mode, use_async=True)


CLIENTS = [
    (anthropic, Mode.TOOLS),
    (anthropic_async, Mode.JSON),
    (gemini_async, Mode.TOOLS),
    (gemini, Mode.JSON),
]


# google-genai's own.
@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")
@pytest.mark.parametrize(("make", "mode"), CLIENTS, ids=lambda each: getattr(each, "name", None))
async def test_bad_quotes_and_verdicts_are_corrected_or_dropped(
    server: LLMServer, make: Any, mode: Mode
) -> None:
    server.push(MISQUOTED, BAD)
    with LLMServer(JudgingModel({FALSE_TEXT: "contradicted"})) as endpoint:
        judge = LLMJudge(endpoint.client(), model="judge-1")
        client = guard(make(server, mode))
        options = {"max_tokens": 1000} if "anthropic" in make.__name__ else {}
        result = client.create(
            model="scripted",
            messages=MESSAGES,
            response_model=Answer.over(TOWN),
            context=TOWN.as_context(Policy(support=[judge], invalid="salvage")),
            max_retries=1,
            **options,
        )
        found = await result if "async" in make.__name__ else result
    assert [each.text for each in found.statements] == [OPENING, DOGS, PRICE]
    assert [each.statement["text"] for each in found.dropped] == [FALSE_TEXT]
    assert "quote_altered" in str(server.requests[1].body)
    assert "enum:[market,permits]" in sent(server)


def test_parallel_tools_each_is_checked(server: LLMServer) -> None:
    """Several answers, each a tool call of its own."""
    server.push(GOOD, MISQUOTED)
    client = guard(instructor.from_openai(server.client(), mode=Mode.PARALLEL_TOOLS))

    def create() -> list[Answer]:
        return list(
            client.create(
                model="scripted",
                messages=MESSAGES,
                response_model=Iterable[Answer],
                context=TOWN.as_context(),
                max_retries=0,
            )
        )

    assert [len(each.statements) for each in create()] == [3]
    with pytest.raises((ValidationError, InstructorRetryException), match="quote_altered"):
        create()

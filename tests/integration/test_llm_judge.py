"""`LLMJudge` through the real clients: what it asks, and what it believes of what it is told."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import instructor
import pytest
from instructor import Mode
from openai import AsyncOpenAI, OpenAI
from pydantic import ValidationError

from citeguard import Answer, CiteguardError, LLMJudge, Policy, Sources, averify
from integration.conftest import PAIRS, openai_client_of
from integration.judge_material import (
    ASKED,
    BAD,
    DOGS,
    FALSE_TEXT,
    GOOD,
    PRICE,
    TOWN,
    JudgingModel,
    answer,
    read_data,
    statement,
)
from integration.material import HOSTILE, Json
from llm_server import LLMServer, Reply

OpenAIClient = OpenAI | AsyncOpenAI


@pytest.fixture
def server() -> Iterator[LLMServer]:
    """A model that judges: whatever it is asked about is supported."""
    with LLMServer(JudgingModel()) as server:
        yield server


@pytest.fixture(params=["sync", "async"])
async def openai_client(
    server: LLMServer, request: pytest.FixtureRequest
) -> AsyncIterator[OpenAIClient]:
    """openai's client, of either kind."""
    async with openai_client_of(server, request.param) as client:
        yield client


@pytest.fixture
def judge(openai_client: OpenAIClient) -> LLMJudge:
    """A judge on openai's client."""
    return LLMJudge(openai_client, model="judge-1")


in_all_modes = pytest.mark.parametrize(("mode", "openai_client"), PAIRS, indirect=True)


async def passed(judge: LLMJudge, data: Json, **rules: Any) -> Answer:
    """Have the statements of an answer judged, and let pass what is undecided."""
    policy = Policy(support=[judge], undecided="pass", **rules)
    return await averify(Answer, data, sources=TOWN, policy=policy)


async def refusals(judge: LLMJudge, data: Json) -> list[tuple[str, Any]]:
    """Return the code and the place of everything that judges refuse."""
    with pytest.raises(ValidationError) as caught:
        await passed(judge, data)
    return [(line["type"], line["loc"]) for line in caught.value.errors()]


class TestModes:
    """In every mode of instructor, synchronously and asynchronously."""

    @in_all_modes
    async def test_tells_the_true_from_the_false(
        self, server: LLMServer, openai_client: OpenAIClient, mode: Mode
    ) -> None:
        server.route = JudgingModel({FALSE_TEXT: "contradicted", PRICE: "unsupported"})
        judge = LLMJudge(instructor.from_openai(openai_client, mode=mode), model="judge-1")
        assert await refusals(judge, BAD) == [
            ("statement_unsupported", ("statements", 2, "text")),
            ("statement_contradicted", ("statements", 3, "text")),
        ]

    @in_all_modes
    async def test_judges_a_whole_answer(
        self, server: LLMServer, openai_client: OpenAIClient, mode: Mode
    ) -> None:
        server.route = JudgingModel({DOGS: "contradicted"}, answered=False)
        judge = LLMJudge(instructor.from_openai(openai_client, mode=mode), model="judge-1")
        policy = Policy(alignment=judge)
        with pytest.raises(ValidationError) as caught:
            await averify(Answer, GOOD, sources=TOWN, policy=policy, question=ASKED)
        assert [(line["type"], line["loc"]) for line in caught.value.errors()] == [
            ("answer_misaligned", ("statements",)),
            ("statement_contradicted", ("statements", 1, "text")),
        ]


def test_a_judge_needs_a_client(server: LLMServer) -> None:
    """Any of instructor's clients, or one of openai's; the model from wherever it is named."""
    client: Any = server
    with pytest.raises(CiteguardError, match="expected a client of instructor"):
        LLMJudge(client, model="judge-1")


@in_all_modes
async def test_a_hostile_document_stays_inside_the_data(
    server: LLMServer, openai_client: OpenAIClient, mode: Mode
) -> None:
    """What is sent."""
    judge = LLMJudge(instructor.from_openai(openai_client, mode=mode), model="judge-1")
    sources = Sources({"ci": HOSTILE})
    policy = Policy(support=[judge], evidence="source")
    data = answer(statement("The fee is 12 euros.", "The fee is 12 euros.", "ci"))
    await averify(Answer, data, sources=sources, policy=policy)
    sent = read_data(server.requests[0])
    assert sent is not None
    assert sent["cases"][0]["evidence"][0]["text"] == HOSTILE


@pytest.mark.parametrize("mode", [Mode.JSON, Mode.RESPONSES_TOOLS], ids=lambda mode: mode.name)
async def test_tokens_are_counted_in_both_protocols(server: LLMServer, mode: Mode) -> None:
    """What an answer has cost stands on it."""
    client = instructor.from_openai(server.client(), mode=mode)
    found = await passed(LLMJudge(client, model="judge-1"), GOOD)
    assert found.usage is not None
    assert found.usage.tokens > server.requests[0].tokens


@pytest.mark.parametrize(
    ("status", "told"),
    [
        pytest.param(401, "the API key is not accepted", id="401"),
        pytest.param(404, "there is no such model", id="404"),
    ],
)
async def test_set_up_errors_get_through(
    server: LLMServer, judge: LLMJudge, status: int, told: str
) -> None:
    """With another key or another address they would be gone, so nothing passes over them."""
    server.route = JudgingModel(otherwise=Reply("no such thing", status=status))
    policy = Policy(support=[judge], undecided="pass")
    with pytest.raises(CiteguardError) as caught:
        await averify(Answer, GOOD, sources=TOWN, policy=policy)
    assert f"the judge cannot be asked: HTTP {status}, {told}" in str(caught.value)
    assert "no such thing" not in str(caught.value)

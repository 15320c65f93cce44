"""When a judge fails nobody can tell, and so it is said: one fault after the other.

Every fault is met by a judge on openai's synchronous or asynchronous client, for a statement and
for a whole answer, and told by a guarded client of either kind. What happens then is up to
`Policy.undecided`; that it is no mistake of the answer's is sure whatever the policy.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import cycle
from typing import Any

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException
from pydantic import ValidationError

from citeguard import Answer, LLMJudge, Policy, UndecidedError, guard
from integration.conftest import openai_client_of
from integration.judge_material import (
    ASKED,
    DOGS,
    FALSE,
    GOOD,
    OPENING,
    PRICE,
    TOWN,
    JudgingModel,
    answer,
    generations,
    statements_asked,
)
from integration.material import Json
from llm_server import LLMServer, Reply

PATIENCE = 0.2
"""Seconds that a judge may take, where a test waits for it to lose patience."""

LONG = 20.0
"""Seconds that a judge may take, where nothing is late."""

SECRET = "hunter2 at row 17"
"""Stands in what goes wrong, and must not stand in what a generating model reads."""


def chat(*choices: Any) -> Reply:
    """Return a reply that is a chat completion with these choices."""
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "judge-1"}
    listed = [{"index": place, "logprobs": None, **choice} for place, choice in enumerate(choices)]
    return Reply(body=json.dumps({**whole, "choices": listed}))


def calling(*names: str, arguments: str = '{"verdicts": []}', ended: str = "tool_calls") -> Json:
    """Return a choice that calls these tools."""
    calls = [
        {
            "id": f"call-{name}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for name in names
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    return {"message": message, "finish_reason": ended}


OWN = "SupportReply"

FAULTS = {
    "silence": (Reply(fault="silence"), r"timed out|took longer than 0\.2 s"),
    "trickle": (Reply(fault="trickle"), r"took longer than 0\.2 s"),
    "429 with advice": (
        Reply(SECRET, status=429, headers={"Retry-After": "60"}),
        "its endpoint answered HTTP 429",
    ),
    "400": (Reply(SECRET, status=400), "its endpoint answered HTTP 400"),
    "503": (Reply(SECRET, status=503), "its endpoint answered HTTP 503"),
    "502 in HTML": (
        Reply(body=f"<html>{SECRET}</html>", status=502, headers={"Content-Type": "text/html"}),
        "its endpoint answered HTTP 502",
    ),
    "connection dropped": (Reply(fault="hang_up"), "its endpoint cannot be reached"),
    "connection cut": (Reply({"verdicts": []}, fault="cut"), "its endpoint cannot be reached"),
    "reply cut off": (Reply({"verdicts": []}, cut_after='{"verd'), "its reply was cut off"),
    "reply no JSON": (Reply(SECRET), "its reply cannot be parsed"),
    "wrong shape": (Reply({"verdicts": SECRET}), "its reply cannot be parsed"),
    "wrong verdict": (
        JudgingModel(otherwise={"verdict": SECRET}),
        "its reply cannot be parsed",
    ),
    "body no JSON": (Reply(body=SECRET), "its reply cannot be parsed"),
    "body of another shape": (Reply(body='{"error": "hunter2"}'), "its reply cannot be parsed"),
    "body nested too deep": (Reply(body="[" * 100_000), "its reply cannot be parsed"),
    "empty body": (Reply(body=""), "its reply cannot be parsed"),
    "two tool calls": (chat(calling(OWN, OWN)), "its reply has 2 tool calls"),
    "two choices": (chat(calling(OWN), calling(OWN)), "its reply has 2 choices"),
    "foreign tool": (chat(calling("erase")), "its reply calls a tool that it was not offered"),
    "doubled key": (
        chat(calling(OWN, arguments='{"verdicts": [], "verdicts": []}')),
        "its reply repeats the key 'verdicts'",
    ),
    "content filter": (
        chat(calling(OWN, ended="content_filter")),
        "its reply was stopped by a content filter",
    ),
}
"""Those that call the tool for statements by its name; `tests/judges` has more flaws of replies."""


LATE = ("silence", "trickle")
"""The faults of which a judge learns only by losing patience."""


CLIENTS = ["sync", "async"]
Way = Callable[[Json, Policy], Awaitable[Answer]]
GUARDED = ["guarded", "guarded asynchronously"]

in_every_fault = pytest.mark.parametrize(
    ("fault", "reason", "patience", "judge", "guarded"),
    [
        pytest.param(*fault, PATIENCE if name in LATE else LONG, kind, way, id=f"{name}-{kind}")
        for (name, fault), kind, way in zip(
            FAULTS.items(), cycle(CLIENTS), cycle([*GUARDED, *reversed(GUARDED)]), strict=False
        )
    ],
    indirect=["judge", "guarded"],
)
"""Run a test with each fault, the kinds of clients by turns."""


@pytest.fixture
def endpoint() -> Iterator[LLMServer]:
    """The model that judges."""
    with LLMServer(JudgingModel()) as server:
        yield server


@pytest.fixture
def patience() -> float:
    """Seconds that the judge may take; of a fault that makes it wait, `PATIENCE`."""
    return LONG


@pytest.fixture(params=CLIENTS)
async def judge(
    endpoint: LLMServer, patience: float, request: pytest.FixtureRequest
) -> AsyncIterator[LLMJudge]:
    """A judge on openai's client of either kind."""
    async with openai_client_of(endpoint, request.param) as client:
        yield LLMJudge(client, model="judge-1", timeout=patience)


@pytest.fixture(params=GUARDED)
def guarded(server: LLMServer, request: pytest.FixtureRequest) -> Way:
    """A guarded client, of either kind; it asks a generating model, twice if need be."""
    return _way(request.param, server)


def _way(name: str, server: LLMServer) -> Way:
    async def generated(data: Json, policy: Policy) -> Answer:
        server.push(data, data)
        client = guard(instructor.from_openai(server.client()))
        return client.create(**_call(policy))

    async def generated_async(data: Json, policy: Policy) -> Answer:
        server.push(data, data)
        async with server.async_client() as openai_client:
            client = guard(instructor.from_openai(openai_client))
            return await client.create(**_call(policy))

    return generated if name == "guarded" else generated_async


def _call(policy: Policy) -> dict[str, Any]:
    return {
        "model": "scripted",
        "messages": [{"role": "user", "content": TOWN.as_prompt(ASKED)}],
        "response_model": Answer,
        "context": TOWN.as_context(policy=policy),
        "max_retries": 1,
    }


def failing(fault: Any) -> JudgingModel:
    """Return a model of which any judgement fails."""
    if isinstance(fault, JudgingModel):
        return fault
    return JudgingModel(otherwise=fault, answered=fault)


async def last_failures(way: Way, data: Json, policy: Policy) -> list[Any]:
    """Return the line errors that come of an answer, from wherever they are raised."""
    with pytest.raises((ValidationError, InstructorRetryException)) as caught:
        await way(data, policy)
    cause = caught.value.__cause__
    error = cause if isinstance(caught.value, InstructorRetryException) else caught.value
    assert isinstance(error, ValidationError)
    return list(error.errors())


@pytest.mark.parametrize("patience", [PATIENCE])
async def test_pass_nothing_is_pending_after_silence(
    endpoint: LLMServer, judge: LLMJudge, guarded: Way
) -> None:
    """`undecided="pass"`: the answer passes, with what nobody could tell on it."""
    endpoint.route = failing(Reply(fault="silence"))
    await guarded(GOOD, Policy(support=[judge], alignment=judge, undecided="pass"))
    assert await asyncio.to_thread(endpoint.settle)


@in_every_fault
async def test_fail_is_told_to_the_model_as_no_mistake_of_its_own(
    server: LLMServer, endpoint: LLMServer, judge: LLMJudge, guarded: Way, fault: Any, reason: str
) -> None:
    """`undecided="fail"`, the default: the answer fails, with a code of its own."""
    endpoint.route = failing(fault)
    (line,) = await last_failures(guarded, answer(FALSE), Policy(support=[judge]))
    assert (line["type"], line["loc"]) == ("undecided", ("statements", 0, "text"))
    assert re.fullmatch(f"judge-1: ({reason})", line["ctx"]["reason"])
    told = server.requests[1].texts[-1]
    assert "not your mistake" in told
    assert "[type=undecided," in told
    for foreign in (SECRET, "hunter2", "Traceback", "errors.pydantic.dev", "Value error"):
        assert foreign not in told


async def test_raise_costs_one_generation(
    server: LLMServer, endpoint: LLMServer, judge: LLMJudge, guarded: Way
) -> None:
    """`undecided="raise"`: validation stops, and nothing is generated again."""
    endpoint.route = failing(Reply(SECRET, status=503))
    with pytest.raises(InstructorRetryException) as caught:
        await guarded(answer(FALSE), Policy(support=[judge], undecided="raise"))
    assert type(caught.value.__cause__) is UndecidedError
    assert str(caught.value.__cause__).endswith("judge-1: its endpoint answered HTTP 503")
    assert len(generations(server)) == 1


async def test_next_attempt_asks_again_about_what_is_open(
    server: LLMServer, endpoint: LLMServer, guarded: Way
) -> None:
    """What nobody could tell is asked again in the next attempt; what was decided is not."""
    endpoint.route = JudgingModel({DOGS: [Reply(SECRET, status=503), "supported"]})
    judge = LLMJudge(endpoint.client(), model="judge-1", batch_size=1)
    found = await guarded(GOOD, Policy(support=[judge]))
    assert [each.verdict.outcome for each in found.statements if each.verdict] == ["supported"] * 3
    assert len(generations(server)) == 2
    assert statements_asked(endpoint) == sorted([OPENING, DOGS, DOGS, PRICE])

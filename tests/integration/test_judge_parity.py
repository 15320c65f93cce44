"""The same objects and the same errors, whichever way an answer comes to be judged."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import instructor
import pytest
from instructor import Mode
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel, ValidationError

from citeguard import (
    Answer,
    Budget,
    CiteguardError,
    LLMJudge,
    Policy,
    UndecidedError,
    Vote,
    averify,
    guard,
    verify,
)
from integration.judge_material import (
    ASKED,
    BAD,
    DOGS,
    FALSE,
    FALSE_TEXT,
    GOOD,
    OPENING,
    PRICE,
    TOWN,
    TRUE,
    JudgingModel,
    answer,
    statement,
)
from integration.material import Json
from llm_server import LLMServer, Reply

BUSY = Reply("busy", status=503)
MISQUOTED = statement(OPENING, "The market opens at eight on Saturdays.")


At = tuple[int | str, ...]


@dataclass
class Case:
    """An answer, what the model that judges says of it, and what must come of it."""

    data: Json
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])  # by the text of a statement
    errors: Sequence[tuple[str, At]] = ()
    answered: bool = True
    raises: type[Exception] | None = None
    judges: tuple[str, ...] = ("support", "alignment")
    batch_size: int = 5
    rules: Mapping[str, Any] = field(default_factory=dict[str, Any])  # of the policy

    def route(self) -> JudgingModel:
        """Return the model that judges, from its start."""
        return JudgingModel(self.said, answered=self.answered)

    def policy(self, client: Any) -> Policy:
        """Return the policy, with judges of its own, which know nothing yet."""
        judge = LLMJudge(client, model="judge-1", batch_size=self.batch_size)
        judges = {"support": [judge], "alignment": judge, "vote": [Vote([judge, judge])]}
        named = {"support" if name == "vote" else name: judges[name] for name in self.judges}
        return Policy(**named, **self.rules)


def at(place: int) -> At:
    """Return the place of a statement's text."""
    return ("statements", place, "text")


FALSE_ONE = ("statement_contradicted", at(3))
CASES = {
    "all supported": Case(GOOD),
    "one contradicted": Case(BAD, {FALSE_TEXT: "contradicted"}, [FALSE_ONE]),
    "one call fails": Case(GOOD, {DOGS: BUSY}, [("undecided", at(1))], batch_size=1),
    "one call fails, and raises": Case(
        GOOD, {DOGS: BUSY}, batch_size=1, rules={"undecided": "raise"}, raises=UndecidedError
    ),
    "a bad quote and a bad statement": Case(
        answer(MISQUOTED, *TRUE[1:], FALSE),
        {FALSE_TEXT: "contradicted"},
        [("quote_altered", ("statements", 0, "citations", 0, "quote")), FALSE_ONE],
    ),
    "not answered": Case(GOOD, {}, [("answer_misaligned", ("statements",))], answered=False),
    "the budget of calls is spent": Case(
        GOOD, {}, [("undecided", at(2))], batch_size=1, rules={"budget": Budget(calls=2)}
    ),
    "a vote": Case(BAD, {FALSE_TEXT: "contradicted"}, [FALSE_ONE], judges=("vote",)),
    "a judge whose key is wrong": Case(
        GOOD,
        dict.fromkeys((OPENING, DOGS, PRICE), Reply("who?", status=401)),
        raises=CiteguardError,
    ),
}

KINDS = ("sync", "async")
CASES_BY_KIND = [
    pytest.param(kind, case, half, id=f"{kind}-{name}")
    for kind, half, (name, case) in zip(
        cycle(KINDS), cycle([0, 0, 1, 1]), CASES.items(), strict=False
    )
]
"""Every case with judges of one kind, and with every other way: each meets both kinds."""


Outcome = tuple[str, Any]
Way = Callable[[Case, Policy], Awaitable[Any]]


@pytest.fixture
def endpoint() -> Iterator[LLMServer]:
    """The model that judges."""
    with LLMServer() as server:
        yield server


@pytest.fixture(params=KINDS)
async def judge_client(
    endpoint: LLMServer, request: pytest.FixtureRequest
) -> AsyncIterator[Callable[[], Any]]:
    """Make clients for judges, of either kind; an asynchronous one is closed in the end."""
    if request.param == "sync":
        yield endpoint.client
        return
    made: list[Any] = []

    def make() -> Any:
        made.append(endpoint.async_client())
        return made[-1]

    yield make
    for client in made:
        await client.close()


def ways(server: LLMServer) -> dict[str, Way]:
    """Return every way to an answer that is judged."""

    async def model_validate(case: Case, policy: Policy) -> Any:
        context = TOWN.as_context(policy=policy, question=ASKED)
        return Answer.model_validate(case.data, context=context)

    async def model_validate_json(case: Case, policy: Policy) -> Any:
        context = TOWN.as_context(policy=policy, question=ASKED)
        return Answer.model_validate_json(json.dumps(case.data), context=context)

    async def in_two_passes(case: Case, policy: Policy) -> Any:
        return verify(Answer, case.data, sources=TOWN, policy=policy, question=ASKED)

    async def in_two_passes_of_json(case: Case, policy: Policy) -> Any:
        data = json.dumps(case.data)
        return verify(Answer, data, sources=TOWN, policy=policy, question=ASKED)

    async def in_two_passes_async(case: Case, policy: Policy) -> Any:
        return await averify(Answer, case.data, sources=TOWN, policy=policy, question=ASKED)

    async def guarded(case: Case, policy: Policy) -> Any:
        server.push(case.data)
        return guard(instructor.from_openai(server.client())).create(**_call(case, policy))

    async def guarded_async(case: Case, policy: Policy) -> Any:
        server.push(case.data)
        async with server.async_client() as client:
            return await guard(instructor.from_openai(client)).create(**_call(case, policy))

    async def not_guarded(case: Case, policy: Policy) -> Any:
        server.push(case.data)
        client = instructor.from_openai(server.client(), mode=Mode.JSON)
        return client.create(**_call(case, policy))

    return {
        "model_validate": model_validate,
        "model_validate_json": model_validate_json,
        "verify": in_two_passes,
        "verify of JSON": in_two_passes_of_json,
        "averify": in_two_passes_async,
        "guarded": guarded,
        "guarded asynchronously": guarded_async,
        "not guarded": not_guarded,
    }


def _call(case: Case, policy: Policy) -> dict[str, Any]:
    return {
        "model": "scripted",
        "messages": [{"role": "user", "content": TOWN.as_prompt(ASKED)}],
        "response_model": Answer,
        "context": TOWN.as_context(policy=policy, question=ASKED),
        "max_retries": 0,
    }


async def outcome(way: Way, case: Case, policy: Policy) -> Outcome:
    """Return what comes of an answer: the object, its line errors, or what is raised."""
    try:
        result = await way(case, policy)
    except ValidationError as error:
        return "errors", told(error)
    except InstructorRetryException as error:
        cause = error.__cause__
        if isinstance(cause, ValidationError):
            return "errors", told(cause)
        return "raised", (type(cause), str(cause))
    except CiteguardError as error:
        return "raised", (type(error), str(error))
    return "object", dumped(result)


def dumped(result: BaseModel) -> Any:
    """Return all of an object; of what it cost only that it is known."""
    return {**result.model_dump(), "usage": getattr(result, "usage", None) is not None}


def told(error: ValidationError) -> list[tuple[Any, ...]]:
    """Return code, place, message and facts of every line."""
    return [(line["type"], line["loc"], line["msg"], line.get("ctx")) for line in error.errors()]


@pytest.mark.parametrize(("judge_client", "case", "half"), CASES_BY_KIND, indirect=["judge_client"])
async def test_every_way_comes_to_the_same(
    server: LLMServer, endpoint: LLMServer, judge_client: Callable[[], Any], case: Case, half: int
) -> None:
    outcomes: dict[str, Outcome] = {}
    plain, *others = ways(server).items()
    for name, way in (plain, *others[half::2]):
        endpoint.route = case.route()
        outcomes[name] = await outcome(way, case, case.policy(judge_client()))
    (kind, first) = outcomes["model_validate"]
    assert outcomes == dict.fromkeys(outcomes, (kind, first))
    if case.raises is not None:
        assert (kind, first[0]) == ("raised", case.raises)
    elif case.errors:
        assert [(code, place) for code, place, *_ in first] == [*case.errors]
    else:
        assert kind == "object"

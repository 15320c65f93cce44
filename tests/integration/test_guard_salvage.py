"""`Policy(invalid=...)` with guarded clients: what is wrong is dropped, and listed."""

from datetime import date
from typing import Any, Literal

import instructor
import pytest
from instructor.core.exceptions import InstructorRetryException
from pydantic import BaseModel, ValidationError

from citeguard import Answer, Dropped, LLMJudge, Policy, Quote, guard
from integration.conftest import Ask, in_all_pairs
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
    asked,
    statement,
)
from llm_server import LLMServer, Reply

MISQUOTED = statement(OPENING, "The market opens at eight on Saturdays.")
MESSAGES = [{"role": "user", "content": TOWN.as_prompt("When does the market open?")}]


@pytest.fixture
def client(paired_client: Any) -> Any:
    """A guarded client."""
    openai_client, mode, _ = paired_client
    return guard(instructor.from_openai(openai_client, mode=mode))


@pytest.fixture
def ask(client: Any, paired_client: Any) -> Ask:
    """Call `create`; the test awaits either kind."""

    async def ask(policy: Policy, **options: Any) -> Any:
        usual = {"model": "scripted", "messages": MESSAGES, "response_model": Answer}
        result = client.create(**usual | {"context": TOWN.as_context(policy)} | options)
        return await result if paired_client[2] == "async" else result

    return ask


def texts(found: Answer) -> list[str]:
    """Return the statements that are left."""
    return [each.text for each in found.statements]


def lost(found: Answer) -> list[tuple[str, str]]:
    """Return text and code of what was dropped, each with one error."""
    assert all(type(each) is Dropped and len(each.errors) == 1 for each in found.dropped)
    return [(each.statement["text"], each.errors[0].code) for each in found.dropped]


class Offer(BaseModel):
    name: str
    since: date
    evidence: Quote


class Offers(BaseModel):
    """Offers of the town."""

    offers: list[Offer]


class TestModelsOfOnesOwn:
    """Items of a list that are wrong are dropped from any response model."""

    @pytest.mark.parametrize("invalid", ["drop", "salvage"])
    async def test_lose_items(
        self, ask: Ask, server: LLMServer, invalid: Literal["drop", "salvage"]
    ) -> None:
        offers = [
            {"name": "right", "since": "2020-01-31", "evidence": OPENING},
            {"name": "wrong", "since": "2020-01-31", "evidence": "Entry costs nine euros."},
        ]
        server.push(Reply({"offers": offers}))
        found = await ask(Policy(invalid=invalid), response_model=Offers, max_retries=0)
        assert isinstance(found, Offers)
        assert [each.name for each in found.offers] == ["right"]
        assert [each.statement for each in found.dropped] == [offers[1]]  # type: ignore[attr-defined]


class TestDrop:
    """What is wrong is dropped at once, in every mode."""

    @in_all_pairs
    async def test_costs_one_generation(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer, judge: LLMJudge
    ) -> None:
        server.push(answer(MISQUOTED, *TRUE, FALSE))
        found = await ask(Policy(invalid="drop", support=[judge]), max_retries=2)
        assert texts(found) == [OPENING, DOGS, PRICE]
        assert lost(found) == [(OPENING, "quote_altered"), (FALSE_TEXT, "statement_contradicted")]
        assert [each.verdict.outcome for each in found.statements] == ["supported"] * 3
        assert asked(endpoint) == [[OPENING, DOGS, PRICE, FALSE_TEXT]]
        assert len(server.requests) == 1


class TestSalvage:
    """The model is asked to correct; what is wrong in the last attempt is dropped."""

    @in_all_pairs
    async def test_drops_in_the_last_attempt(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer, judge: LLMJudge
    ) -> None:
        server.push(BAD, BAD)
        found = await ask(Policy(invalid="salvage", support=[judge]), max_retries=1)
        assert texts(found) == [OPENING, DOGS, PRICE]
        assert lost(found) == [(FALSE_TEXT, "statement_contradicted")]
        assert len(server.requests) == 2
        assert asked(endpoint) == [[OPENING, DOGS, PRICE, FALSE_TEXT]]

    async def test_nothing_left_is_the_original_error(self, ask: Ask, server: LLMServer) -> None:
        server.push(answer(MISQUOTED), answer(MISQUOTED))
        with pytest.raises(InstructorRetryException) as caught:
            await ask(Policy(invalid="salvage"), max_retries=1)
        assert caught.value.n_attempts == 2
        assert isinstance(caught.value.__cause__, ValidationError)
        assert [line["type"] for line in caught.value.__cause__.errors()] == ["quote_altered"]

    async def test_an_http_error_at_last_is_raised(self, ask: Ask, server: LLMServer) -> None:
        server.push(answer(MISQUOTED, *TRUE), Reply("overloaded", status=503))
        with pytest.raises(InstructorRetryException) as caught:
            await ask(Policy(invalid="salvage"), max_retries=1)
        assert not isinstance(caught.value.__cause__, ValidationError)

    async def test_the_whole_that_is_left_is_judged(
        self, ask: Ask, server: LLMServer, endpoint: LLMServer, judge: LLMJudge
    ) -> None:
        endpoint.route = JudgingModel(answered=False)
        server.push(answer(MISQUOTED, *TRUE))
        context = TOWN.as_context(Policy(invalid="salvage", alignment=judge), question=ASKED)
        with pytest.raises(InstructorRetryException, match="quote_altered"):
            await ask(Policy(), context=context, max_retries=0)


class TestStreams:
    """A stream is judged at its end, or item by item."""

    @pytest.mark.parametrize("invalid", ["drop", "salvage"])
    async def test_partial(
        self,
        server: LLMServer,
        client: Any,
        paired_client: Any,
        judge: LLMJudge,
        invalid: Literal["drop", "salvage"],
    ) -> None:
        server.push(answer(*TRUE, FALSE))
        policy = Policy(invalid=invalid, support=[judge])
        seen = await self._all(client.create_partial, paired_client, policy, Answer)
        assert texts(seen[-1]) == [OPENING, DOGS, PRICE]
        assert lost(seen[-1]) == [(FALSE_TEXT, "statement_contradicted")]

    @pytest.mark.parametrize("invalid", ["drop", "salvage"])
    async def test_iterable_of_answers(
        self,
        server: LLMServer,
        client: Any,
        paired_client: Any,
        invalid: Literal["drop", "salvage"],
    ) -> None:
        server.push({"tasks": [answer(MISQUOTED, TRUE[1]), GOOD]})
        seen = await self._all(
            client.create_iterable, paired_client, Policy(invalid=invalid), Answer
        )
        assert [texts(each) for each in seen] == [[DOGS], [OPENING, DOGS, PRICE]]
        assert [len(each.dropped) for each in seen] == [1, 0]

    async def _all(self, method: Any, paired_client: Any, policy: Policy, model: Any) -> list[Any]:
        stream = method(
            model="scripted",
            messages=MESSAGES,
            response_model=model,
            context=TOWN.as_context(policy),
        )
        if paired_client[2] == "async":
            return [each async for each in stream]
        return list(stream)

"""The ways to have an answer judged: those of citeguard, the same by hand, and a blocking one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from time import perf_counter
from typing import Any

import instructor
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel, ValidationError, ValidationInfo, model_validator

from citeguard import (
    Answer,
    Evidence,
    LLMJudge,
    Policy,
    Sources,
    SupportQuestion,
    averify,
    guard,
    verify,
)
from citeguard.judges.llm import SupportReply, support_data
from citeguard.judges.prompts import read_prompt

from . import answers
from .served import async_client, client

_MODEL = "scripted"
_TICK = 0.001  # seconds
_BATCH = 5  # statements that citeguard puts into a call of a judge
_reports = count()  # a report each, about which nothing has been asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one run took.

    Attributes:
        wall: Seconds from start to end.
        stall: Seconds of the longest gap between two ticks, which are 1 ms apart; `None` where
            there is no event loop.
        starts: When its attempts began, where it knows better than the language model.
    """

    wall: float
    stall: float | None = None
    starts: list[float] | None = None


async def _watched(running: Coroutine[Any, Any, None]) -> Took:
    """Await a coroutine beside a task that ticks."""
    ticker = _Ticker()
    ticking = asyncio.create_task(ticker.run())
    await asyncio.sleep(0.01)
    start = perf_counter()
    await running
    wall = perf_counter() - start
    await asyncio.sleep(0.01)  # the last gap ends with a tick
    ticking.cancel()
    return Took(wall=wall, stall=ticker.longest)


class _Ticker:
    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        last = perf_counter()
        while True:
            await asyncio.sleep(_TICK)
            now = perf_counter()
            self.longest = max(self.longest, now - last)
            last = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to have an answer judged.

    Attributes:
        name: What it is called in the report.
        run: Has an answer judged once, by the language model at an address.
        generations: How often an answer is generated.
    """

    name: str
    run: Callable[[str], Took]
    generations: int = 2


def _in_loop(
    base_url: str, act: Callable[[AsyncOpenAI, AsyncOpenAI], Coroutine[Any, Any, None]]
) -> Took:
    """Watch what is done with two clients, one that generates and one that judges."""

    async def main() -> Took:
        async with async_client(base_url) as generating, async_client(base_url) as judging:
            return await _watched(act(generating, judging))

    return asyncio.run(main())


def _policy(judging: OpenAI | AsyncOpenAI) -> Policy:
    return Policy(support=[LLMJudge(judging, model=_MODEL)])


def _request(report: int, policy: Policy) -> dict[str, Any]:
    """Return the arguments of a generation."""
    return {
        "response_model": Answer,
        "messages": [{"role": "user", "content": answers.question(report)}],
        "context": _sources(report).as_context(policy=policy),
        "max_retries": 2,
    }


def _sources(report: int) -> Sources:
    return Sources({f"report-{report}": answers.source(report)})


def _guard_async(base_url: str, *, alignment: bool = False) -> Took:
    async def create(generating: AsyncOpenAI, judging: AsyncOpenAI) -> None:
        judge = LLMJudge(judging, model=_MODEL)
        policy = Policy(support=[judge], alignment=judge if alignment else None)
        guarded = guard(instructor.from_openai(generating, model=_MODEL))
        await guarded.create(**_request(next(_reports), policy))

    return _in_loop(base_url, create)


def _guard_sync(base_url: str, judging: OpenAI | AsyncOpenAI) -> Took:
    with client(base_url) as generating:
        guarded = guard(instructor.from_openai(generating, model=_MODEL))
        arguments = _request(next(_reports), _policy(judging))
        start = perf_counter()
        guarded.create(**arguments)
        return Took(wall=perf_counter() - start)


def _averify(base_url: str) -> Took:
    starts: list[float] = []

    async def attempts(_: AsyncOpenAI, judging: AsyncOpenAI) -> None:
        report, policy = next(_reports), _policy(judging)
        sources = _sources(report)
        for attempt in (1, 2):
            await asyncio.sleep(0)  # where the next answer would be generated
            starts.append(perf_counter())
            with suppress(ValidationError):
                data = answers.answer(report, attempt=attempt)
                await averify(Answer, data, sources=sources, policy=policy)

    return replace(_in_loop(base_url, attempts), starts=starts)


def _verify(base_url: str) -> Took:
    starts: list[float] = []
    with client(base_url) as judging:
        report, policy = next(_reports), _policy(judging)
        sources = _sources(report)
        for attempt in (1, 2):
            starts.append(perf_counter())
            with suppress(ValidationError):
                data = answers.answer(report, attempt=attempt)
                verify(Answer, data, sources=sources, policy=policy)
        return Took(wall=perf_counter() - starts[0], starts=starts)


def _unguarded(base_url: str) -> Took:
    async def create(generating: AsyncOpenAI, _: AsyncOpenAI) -> None:
        plain = instructor.from_openai(generating, model=_MODEL)
        await plain.create(**_request(next(_reports), _policy(client(base_url))))

    return _in_loop(base_url, create)


class PlainCitation(BaseModel):
    """A citation without any check."""

    quote: str
    source_id: str


class PlainStatement(BaseModel):
    """A statement without any check."""

    text: str
    citations: list[PlainCitation]


class PlainAnswer(BaseModel):
    """The same answer, in models without any check."""

    statements: list[PlainStatement]


async def _by_hand(generating: AsyncOpenAI, judging: AsyncOpenAI) -> None:
    """Make the requests of a guarded client with instructor: what these cost.

    Prompts and batches are citeguard's; quotes are not checked, verdicts not remembered.
    """
    generator = instructor.from_openai(generating, model=_MODEL)
    judge = instructor.from_openai(judging, model=_MODEL)
    messages: list[Any] = [{"role": "user", "content": answers.question(next(_reports))}]
    known: set[str] = set()
    for _ in range(2):
        answer, completion = await generator.create_with_completion(
            response_model=PlainAnswer, messages=messages, max_retries=0
        )
        changed = [each for each in answer.statements if each.text not in known]
        known |= {each.text for each in answer.statements}
        batches = (changed[at : at + _BATCH] for at in range(0, len(changed), _BATCH))
        replies = await asyncio.gather(*(_judged(judge, batch) for batch in batches))
        refused = [
            verdict.id
            for reply in replies
            for verdict in reply.verdicts
            if verdict.verdict != "supported"
        ]
        call = completion.choices[0].message.model_dump(exclude_none=True) | {"content": ""}
        told = {"role": "tool", "tool_call_id": "call_scripted", "content": f"wrong: {refused}"}
        messages += [call, told]


async def _judged(
    judge: instructor.AsyncInstructor, statements: Sequence[PlainStatement]
) -> SupportReply:
    questions = [
        SupportQuestion(
            statement=each.text,
            evidence=tuple(Evidence(text=citation.quote) for citation in each.citations),
        )
        for each in statements
    ]
    messages = read_prompt("support").messages(support_data(questions))
    return await judge.create(response_model=SupportReply, messages=messages, max_retries=0)


class Validation(BaseModel):
    """What the blocking judge replies."""

    is_valid: bool


class AskingStatement(PlainStatement):
    """A statement whose validator asks a judge and waits for it."""

    @model_validator(mode="after")
    def _ask(self, info: ValidationInfo[Any]) -> AskingStatement:
        quotes = "\n".join(citation.quote for citation in self.citations)
        content = (
            f"Do these words, in this context, support this statement?\n\n"
            f"Statement: {self.text}\n\nWords: {quotes}\n\nContext: {info.context['chunks']}"
        )
        validation = info.context["judge"].create(
            response_model=Validation, messages=[{"role": "user", "content": content}]
        )
        if not validation.is_valid:
            raise ValueError("the statement is not supported by what it cites")
        return self


class AskingAnswer(BaseModel):
    """The same answer, of such statements."""

    statements: list[AskingStatement]


class _Unrendered(dict[str, Any]):
    """A context that instructor does not use to fill in templates."""

    def __bool__(self) -> bool:
        return False


def _blocking(base_url: str) -> Took:
    async def create(generating: AsyncOpenAI, _: AsyncOpenAI) -> None:
        with client(base_url) as judging:
            report = next(_reports)
            context = _Unrendered(
                chunks=answers.source(report),
                judge=instructor.from_openai(judging, model=_MODEL),
            )
            arguments = _request(report, Policy())
            arguments |= {"response_model": AskingAnswer, "context": context}
            await instructor.from_openai(generating, model=_MODEL).create(**arguments)

    return _in_loop(base_url, create)


WAYS = (
    Way(name="`guard(AsyncInstructor)`", run=_guard_async),
    Way(name="the same, and `alignment`", run=lambda url: _guard_async(url, alignment=True)),
    Way(
        name="`guard(Instructor)`, judge on `OpenAI`",
        run=lambda url: _guard_sync(url, client(url)),
    ),
    Way(
        name="`guard(Instructor)`, judge on `AsyncOpenAI`",
        run=lambda url: _guard_sync(url, async_client(url)),
    ),
    Way(name="`averify`, twice", run=_averify, generations=0),
    Way(name="`verify`, twice", run=_verify, generations=0),
    Way(name="the same requests by hand", run=lambda url: _in_loop(url, _by_hand)),
    Way(name="citeguard without `guard`", run=_unguarded),
    Way(name="a blocking call in a validator", run=_blocking),
)

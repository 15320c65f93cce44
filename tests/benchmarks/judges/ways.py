"""The ways to have an answer judged: those of citeguard, and the blocking one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import Any

import instructor
import openai
from pydantic import BaseModel, ValidationError, ValidationInfo, model_validator

from citeguard import Answer, LLMJudge, Policy, Sources, averify, guard, verify

from . import answers
from .by_hand import answer_judged
from .served import async_client, client
from .stalls import Took, watched

MODEL = "scripted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to have an answer judged.

    Attributes:
        name: What it is called in the report.
        run: Has an answer judged once, by the language model at an address.
        generations: How often an answer is generated.
        ours: Whether the aims are for it.
    """

    name: str
    run: Callable[[str], Took]
    generations: int = 2
    ours: bool = True


_reports = count()


def fresh_report() -> int:
    """Return the number of a report that nothing has been asked about in this process."""
    return next(_reports)


def policy_with(judge_client: openai.OpenAI | openai.AsyncOpenAI, **options: Any) -> Policy:
    """Return a policy with one judge of statements."""
    return Policy(support=[LLMJudge(judge_client, model=MODEL, **options)])


def sources_of(report: int) -> Sources:
    """Return a report as sources."""
    return Sources({f"report-{report}": answers.source(report)})


def request(report: int, policy: Policy) -> dict[str, Any]:
    """Return the arguments of one generation."""
    return {
        "response_model": Answer,
        "messages": [{"role": "user", "content": answers.question(report)}],
        "context": sources_of(report).as_context(policy=policy),
        "max_retries": 2,
    }


def _guard_async(base_url: str, *, alignment: bool = False) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as generating, async_client(base_url) as judging:
            guarded = guard(instructor.from_openai(generating, model=MODEL))
            judge = LLMJudge(judging, model=MODEL)
            policy = Policy(support=[judge], alignment=judge if alignment else None)

            async def create() -> None:
                await guarded.create(**request(fresh_report(), policy))

            return await watched(create())

    return asyncio.run(main())


def _guard_sync(base_url: str) -> Took:
    with client(base_url) as generating, client(base_url) as judging:
        return _create_sync(guard(instructor.from_openai(generating, model=MODEL)), judging)


def _guard_sync_async_judge(base_url: str) -> Took:
    with client(base_url) as generating:
        guarded = guard(instructor.from_openai(generating, model=MODEL))
        return _create_sync(guarded, async_client(base_url))


def _create_sync(guarded: Any, judging: openai.OpenAI | openai.AsyncOpenAI) -> Took:
    arguments = request(fresh_report(), policy_with(judging))
    start = perf_counter()
    guarded.create(**arguments)
    return Took(wall=perf_counter() - start)


def _averify(base_url: str) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as judging:
            policy, report = policy_with(judging), fresh_report()
            sources = sources_of(report)

            async def attempts() -> list[float]:
                starts: list[float] = []
                for attempt in (1, 2):
                    await asyncio.sleep(0)  # where the next answer would be generated
                    starts.append(perf_counter())
                    with suppress(ValidationError):
                        data = answers.answer(report, attempt=attempt)
                        await averify(Answer, data, sources=sources, policy=policy)
                return starts

            return await watched(attempts())

    return asyncio.run(main())


def _verify(base_url: str) -> Took:
    with client(base_url) as judging:
        policy, report = policy_with(judging), fresh_report()
        sources = sources_of(report)
        starts: list[float] = []
        for attempt in (1, 2):
            starts.append(perf_counter())
            with suppress(ValidationError):
                data = answers.answer(report, attempt=attempt)
                verify(Answer, data, sources=sources, policy=policy)
        return Took(wall=perf_counter() - starts[0], starts=starts)


def _unguarded(base_url: str) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as generating:
            plain = instructor.from_openai(generating, model=MODEL)
            policy = policy_with(client(base_url))

            async def create() -> None:
                await plain.create(**request(fresh_report(), policy))

            return await watched(create())

    return asyncio.run(main())


class Validation(BaseModel):
    """What the blocking judge replies."""

    is_valid: bool


class _PlainCitation(BaseModel):
    quote: str
    source_id: str


class _PlainStatement(BaseModel):
    text: str
    citations: list[_PlainCitation]

    @model_validator(mode="after")
    def _ask(self, info: ValidationInfo[Any]) -> _PlainStatement:
        quotes = "\n".join(citation.quote for citation in self.citations)
        content = (
            f"Is this statement borne out by these words, and do they stand in this context?\n\n"
            f"Statement: {self.text}\n\nWords: {quotes}\n\nContext: {info.context['chunks']}"
        )
        validation = info.context["judge"].create(
            response_model=Validation, messages=[{"role": "user", "content": content}]
        )
        if not validation.is_valid:
            raise ValueError("the statement is not borne out by what it cites")
        return self


class PlainAnswer(BaseModel):
    """The same answer, in models whose validator asks a judge and waits for it."""

    statements: list[_PlainStatement]


class _Unrendered(dict[str, Any]):
    """A context that instructor does not use to fill in templates."""

    def __bool__(self) -> bool:
        return False


def _blocking(base_url: str) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as generating:
            plain = instructor.from_openai(generating, model=MODEL)
            with client(base_url) as judging:
                report = fresh_report()
                context = _Unrendered(
                    chunks={f"report-{report}": answers.source(report)},
                    judge=instructor.from_openai(judging, model=MODEL),
                )
                arguments = request(report, Policy())
                arguments |= {"response_model": PlainAnswer, "context": context}

                async def create() -> None:
                    await plain.create(**arguments)

                return await watched(create())

    return asyncio.run(main())


def _by_hand(base_url: str) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as generating, async_client(base_url) as judging:
            generator = instructor.from_openai(generating, model=MODEL)
            judge = instructor.from_openai(judging, model=MODEL)
            return await watched(answer_judged(generator, judge, fresh_report()))

    return asyncio.run(main())


GUARD_ASYNC = Way(name="`guard(AsyncInstructor)`", run=_guard_async)
BLOCKING = Way(name="a blocking call in a validator", run=_blocking, ours=False)
WAYS = (
    GUARD_ASYNC,
    Way(
        name="the same, and `alignment`",
        run=lambda base_url: _guard_async(base_url, alignment=True),
    ),
    Way(name="`guard(Instructor)`, judge on `OpenAI`", run=_guard_sync),
    Way(name="`guard(Instructor)`, judge on `AsyncOpenAI`", run=_guard_sync_async_judge),
    Way(name="`averify`, twice", run=_averify, generations=0),
    Way(name="`verify`, twice", run=_verify, generations=0),
    Way(name="the same requests by hand", run=_by_hand, ours=False),
    Way(name="citeguard without `guard`", run=_unguarded, ours=False),
    BLOCKING,
)

"""The same requests as a guarded client makes, made by hand with instructor: what these cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import instructor
from pydantic import BaseModel

from citeguard import Evidence, SupportQuestion
from citeguard.judges.llm import SupportReply, support_data
from citeguard.judges.prompts import read_prompt

from . import answers

Limit = AbstractAsyncContextManager[Any]


class _Citation(BaseModel):
    quote: str
    source_id: str


class _Statement(BaseModel):
    text: str
    citations: list[_Citation]


class HandmadeAnswer(BaseModel):
    """The same answer, in models without any check."""

    statements: list[_Statement]


async def answer_judged(
    client: instructor.AsyncInstructor,
    judge: instructor.AsyncInstructor,
    report: int,
    *,
    batch_size: int = 5,
    limit: Limit | None = None,
) -> None:
    """Have an answer generated and judged, and again where it was found wrong.

    Prompts and batches are citeguard's; quotes are not checked, verdicts not remembered.

    Args:
        client: Generates.
        judge: Judges.
        report: What the answer is about.
        batch_size: The most statements in a call of the judge.
        limit: Lets so many calls of the judge at a time through.
    """
    messages: list[Any] = [{"role": "user", "content": answers.question(report)}]
    known: set[str] = set()
    for _ in range(2):
        answer, completion = await client.create_with_completion(
            response_model=HandmadeAnswer, messages=messages, max_retries=0
        )
        changed = [each for each in answer.statements if each.text not in known]
        batches = (changed[at : at + batch_size] for at in range(0, len(changed), batch_size))
        refused = await _refused(judge, batches, limit or nullcontext())
        known |= {each.text for each in answer.statements}
        call = completion.choices[0].message.model_dump(exclude_none=True) | {"content": ""}
        told = {"role": "tool", "tool_call_id": "call_scripted", "content": f"wrong: {refused}"}
        messages += [call, told]


async def _refused(
    judge: instructor.AsyncInstructor, batches: Iterable[Sequence[_Statement]], limit: Limit
) -> list[str]:
    replies = await asyncio.gather(*(_judged(judge, batch, limit) for batch in batches))
    verdicts = [verdict for reply in replies for verdict in reply.verdicts]
    return [verdict.id for verdict in verdicts if verdict.verdict != "supported"]


async def _judged(
    judge: instructor.AsyncInstructor, statements: Sequence[_Statement], limit: Limit
) -> SupportReply:
    questions = [
        SupportQuestion(
            statement=each.text,
            evidence=tuple(Evidence(text=citation.quote) for citation in each.citations),
        )
        for each in statements
    ]
    async with limit:
        return await judge.create(
            response_model=SupportReply,
            messages=read_prompt("support").messages(support_data(questions)),
            max_retries=0,
        )

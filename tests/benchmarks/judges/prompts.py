"""What a judge's prompts are made of: characters and tokens for each statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from pydantic import ValidationError

from citeguard import Answer, LLMJudge, Policy, Sources, verify

from ..tables import table
from . import answers
from .served import Asked, Log, Served, client
from .ways import BLOCKING, MODEL

_BATCH_SIZES = (1, 5, 20)


def lines() -> Iterator[str]:
    """Report what the language model is sent for the statements of a first attempt."""
    with Served(generating=0.0, judging=0.0) as served:
        rows = [*_support_rows(served), _alignment_row(served), _blocking_row(served)]
    yield from table(
        f"Requests of judges for {answers.STATEMENTS} statements with a sentence of evidence each; "
        "tokens as the scripted server counts them, one for four characters",
        (
            "judge",
            "calls",
            "instructions, chars",
            "data, chars",
            "tokens read",
            "tokens written",
            "per statement: data, chars",
            "tokens read",
            "tokens written",
        ),
        rows,
    )


def _support_rows(served: Served) -> Iterator[Sequence[object]]:
    for size in _BATCH_SIZES:
        with client(served.base_url) as judging:
            _judge(Policy(support=[LLMJudge(judging, model=MODEL, batch_size=size)]))
        yield _row(f"`LLMJudge`, `batch_size={size}`", served.log().asked)


def _alignment_row(served: Served) -> Sequence[object]:
    with client(served.base_url) as judging:
        _judge(Policy(alignment=LLMJudge(judging, model=MODEL)))
    return _row("`LLMJudge`, `alignment`", served.log().asked)


def _blocking_row(served: Served) -> Sequence[object]:
    BLOCKING.run(served.base_url)
    return _row("a blocking call in a validator", _first_attempt(served.log()))


def _first_attempt(log: Log) -> list[Asked]:
    return log.judged(log.starts())[0]


def _judge(policy: Policy) -> None:
    sources = Sources({"report-1": answers.source(1)})
    with suppress(ValidationError):
        verify(Answer, answers.answer(1, attempt=1), sources=sources, policy=policy)


def _row(name: str, asked: Sequence[Asked]) -> Sequence[object]:
    count = len(list(chain.from_iterable(each.statements for each in asked)))
    totals = [sum(getattr(each, part) for each in asked) for part in _PARTS]
    each = (f"{total / count:,.0f}" for total in totals[1:])
    return (name, len(asked), *(f"{total:,}" for total in totals), *each)


_PARTS = ("instructions", "data", "tokens", "replied")

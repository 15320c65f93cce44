import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from citeguard import (
    Budget,
    CiteguardError,
    JudgeSettings,
    Policy,
    Statement,
    SupportQuestion,
    Usage,
    Verdict,
    averify,
    track_usage,
    verify,
)
from citeguard.judges import report_tokens
from rows import each_row

TEXT = "Notice is one month. Lunch is free."
DATA = {"text": "It takes a month.", "citations": [{"quote": "Notice is one month."}]}
OTHER = {"text": "Lunch costs nothing.", "citations": [{"quote": "Lunch is free."}]}


class TokenJudge:
    """Reports tokens, and finds everything supported."""

    settings = JudgeSettings()

    def __init__(self, tokens: int = 10) -> None:
        self.tokens = tokens

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        report_tokens(self.tokens)
        return [Verdict("supported") for _ in questions]


def counts(usage: Usage) -> tuple[int, int, int]:
    return usage.calls, usage.tokens, usage.cached


class TestBudget:
    @each_row("unit", ["calls", "tokens", "seconds"])
    @each_row("value", [-1, -0.5, float("nan"), "5", [5]], ids=repr)
    def test_refuses_what_cannot_be_spent(self, unit: str, value: Any) -> None:
        with pytest.raises(CiteguardError) as caught:
            Budget(**{unit: value})
        assert (
            str(caught.value) == f"Budget({unit}=...) must be a number of at least 0, not {value!r}"
        )


class TestReportTokens:
    async def test_counts_in_a_thread_that_the_judge_starts(self) -> None:
        class Delegating(TokenJudge):
            async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:  # type: ignore[override]
                return await asyncio.to_thread(super().judge, questions)

        with track_usage() as counter:
            await averify(Statement, DATA, sources=TEXT, policy=Policy(support=[Delegating()]))
        assert counter.usage.tokens == 10


class TestTrackUsage:
    POLICY = Policy(support=[TokenJudge()])

    def check(self, data: Any = DATA) -> None:
        verify(Statement, data, sources=TEXT, policy=self.POLICY)

    def test_blocks_nest_and_each_counts(self) -> None:
        with track_usage() as outer:
            self.check()
            with track_usage() as inner:
                self.check()
            self.check()
        assert (inner.usage.calls, outer.usage.calls) == (1, 3)

    async def test_counts_tasks_that_are_started_inside(self) -> None:
        with track_usage() as counter:
            verifying = [
                averify(Statement, data, sources=TEXT, policy=self.POLICY) for data in (DATA, OTHER)
            ]
            await asyncio.gather(*verifying)
        assert counts(counter.usage) == (2, 20, 0)

"""Calls of judges: what they are made with, what they cost, and what counts as an answer."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from citeguard import (
    Answer,
    Evidence,
    JudgeSettings,
    Policy,
    Sources,
    SupportQuestion,
    Verdict,
    verify,
)
from citeguard.judges import DiskCache
from citeguard.judges import cache as cache_module
from citeguard.judges.cascade import ask as ask_judge
from citeguard.judges.model_calls import _tokens
from citeguard.testing import ScriptedJudge
from rows import each_row

LONG = 60.0
TEXT = "Notice is one month."
SOURCES = Sources({"handbook": TEXT})
DATA = {"statements": [{"text": "It takes a month.", "citations": [{"quote": TEXT}]}]}
QUESTIONS = [
    SupportQuestion(statement=f"No. {n}", evidence=(Evidence(text=TEXT),)) for n in range(3)
]


class TestTokens:
    @each_row(
        ("usage", "expected"),
        [
            ({"total_tokens": 12, "prompt_tokens": 5, "completion_tokens": 5}, 12),
            ({"prompt_tokens": 5, "completion_tokens": 7}, 12),
            ({"total_tokens": None, "prompt_tokens": 5, "completion_tokens": 7}, 12),
            ({"prompt_tokens": 5, "completion_tokens": None}, 5),
            ({"input_tokens": 5, "output_tokens": 7}, 12),
            ({"total_tokens": -12}, 0),
            ({"total_tokens": 10**400}, 0),
            ({"input_tokens": -5, "output_tokens": 2}, 0),
            ({"total_tokens": "many"}, 0),
            ({}, 0),
        ],
    )
    def test_are_counted_as_the_provider_counts(self, usage: Any, expected: int) -> None:
        assert _tokens(SimpleNamespace(usage=SimpleNamespace(**usage))) == expected


async def ask(judge: Any) -> list[Verdict]:
    """Put three questions to a judge, and return what is said of them."""
    async with asyncio.timeout(LONG):
        answers = await ask_judge(judge, QUESTIONS)
    return [answers[question] for question in QUESTIONS]


class Own:
    """A judge that does what a function does."""

    def __init__(self, function: Callable[..., Any], timeout: float = LONG) -> None:
        self.function = function
        self.settings = JudgeSettings(batch_size=None, timeout=timeout)

    def judge(self, questions: Sequence[SupportQuestion]) -> Any:
        return self.function(questions)


class OwnAsync(Own):
    """A judge that awaits what a function returns."""

    async def judge(self, questions: Sequence[SupportQuestion]) -> Any:
        return await self.function(questions)


def supported(questions: Sequence[SupportQuestion]) -> list[Verdict]:
    return [Verdict("supported", reason=question.statement) for question in questions]


class TestVerdictsThatComeTooLate:
    REASON = "OwnAsync: took longer than 0.05 s"

    async def test_from_a_judge_that_does_not_stop(self) -> None:
        async def judge(questions: Sequence[SupportQuestion]) -> Any:
            try:
                await asyncio.sleep(LONG)
            except asyncio.CancelledError:
                return supported(questions)

        assert {each.reason for each in await ask(OwnAsync(judge, timeout=0.05))} == {self.REASON}

    async def test_from_a_judge_that_blocks_the_loop(self) -> None:
        async def judge(questions: Sequence[SupportQuestion]) -> Any:
            time.sleep(0.2)
            return supported(questions)

        assert {each.reason for each in await ask(OwnAsync(judge, timeout=0.05))} == {self.REASON}


class TestLockedCache:
    """A file that another program does not let go of: verdicts cost what they cost without it."""

    def test_does_not_keep_the_answer_waiting(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert cache_module._PATIENCE < 5
        monkeypatch.setattr(cache_module, "_PATIENCE", 0.1)
        cache = DiskCache(tmp_path / "verdicts.sqlite")
        judge = ScriptedJudge(settings=JudgeSettings(version="1", cache=cache))
        with closing(sqlite3.connect(tmp_path / "verdicts.sqlite")) as other:
            # In WAL mode readers would not mind a mere writer.
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
            start = time.monotonic()
            with pytest.warns(RuntimeWarning, match="the verdict cache of script failed"):
                found = verify(Answer, DATA, sources=SOURCES, policy=Policy(support=[judge]))
            assert time.monotonic() - start < 25  # it used to be twice half a minute
        assert found.statements[0].verdict == Verdict("supported", judge="script")

"""A judge that says what it is told to say: `ScriptedJudge`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence

from citeguard.judges.judge import JudgeSettings
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Outcome,
    SupportQuestion,
    Verdict,
)

Said = Outcome | Verdict | Exception


class ScriptedJudge:
    """A judge for tests: says what it was told to say, and remembers what it was asked.

    Args:
        said: What to say of a statement, by its text: an outcome, a whole `Verdict`, or an
            exception to raise.
        otherwise: What to say of all other statements.
        answered: What to say of an answer as a whole.
        seconds: How long each call takes.
        blocking: Whether a call blocks its thread meanwhile, as a synchronous judge does.
        settings: How it wants to be asked; by default one statement at a time, and nothing is kept.

    Raises:
        ValueError: an outcome that does not exist.

    Attributes:
        asked: The questions about statements, in the order in which they were asked.
        aligned: The questions about whole answers.

    Examples:
        >>> judge = ScriptedJudge({"It takes a year.": "contradicted"})
        >>> judge.asked
        []
    """

    def __init__(
        self,
        said: Mapping[str, Said] | None = None,
        *,
        otherwise: Said = "supported",
        answered: Said = "supported",
        seconds: float = 0.0,
        blocking: bool = False,
        settings: JudgeSettings | None = None,
    ) -> None:
        self.asked: list[SupportQuestion] = []
        self.aligned: list[AlignmentQuestion] = []
        self.settings = settings or JudgeSettings()
        self._said: dict[str, Said] = dict(said or {})
        self._otherwise: Said = otherwise
        self._answered: Said = answered
        self._seconds = seconds
        self._blocking = blocking
        for each in (*self._said.values(), otherwise, answered):
            if not isinstance(each, Exception):
                self._as_verdict(each)  # a misspelt outcome should not wait for a test to meet it

    def __repr__(self) -> str:
        """Show the script."""
        return f"ScriptedJudge({self._said!r}, otherwise={self._otherwise!r})"

    @property
    def name(self) -> str:
        """What it is called in verdicts."""
        return "script"

    def judge(
        self, questions: Sequence[SupportQuestion]
    ) -> list[Verdict] | Awaitable[list[Verdict]]:
        """Say what was scripted for each statement.

        Raises:
            Exception: the one that was scripted.
        """
        self.asked += questions
        if self._blocking:
            time.sleep(self._seconds)
            return self._verdicts(questions)
        return self._later(questions)

    def align(self, question: AlignmentQuestion) -> Alignment | Awaitable[Alignment]:
        """Say what was scripted for an answer, and for each of its statements with evidence.

        Raises:
            Exception: the one that was scripted.
        """
        self.aligned.append(question)
        if self._blocking:
            time.sleep(self._seconds)
            return self._alignment(question)
        return self._later_aligned(question)

    async def _later(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        await asyncio.sleep(self._seconds)
        return self._verdicts(questions)

    async def _later_aligned(self, question: AlignmentQuestion) -> Alignment:
        await asyncio.sleep(self._seconds)
        return self._alignment(question)

    def _verdicts(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        return [self._verdict(question.statement) for question in questions]

    def _alignment(self, question: AlignmentQuestion) -> Alignment:
        verdicts = (
            self._verdict(each.statement) if each.evidence else None for each in question.statements
        )
        return Alignment(answer=self._as_verdict(self._answered), statements=tuple(verdicts))

    def _verdict(self, statement: str) -> Verdict:
        return self._as_verdict(self._said.get(statement, self._otherwise))

    def _as_verdict(self, said: Said) -> Verdict:
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Verdict) else Verdict(said, judge=self.name)

"""Judge after judge, each asked about what the ones before could not decide: `Course`."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from citeguard.judges.asking import Round
from citeguard.judges.cases import SUPPORT, Case
from citeguard.judges.judge import name_of
from citeguard.judges.keeping import recall_at_once
from citeguard.judges.seat import Seat
from citeguard.judges.verdicts import Alignment, Stage, Usage


@dataclass(frozen=True, slots=True)
class Course:
    """What the judges of a case have said, one after the other."""

    case: Case
    answers: tuple[Any, ...]

    @property
    def answer(self) -> Any:
        """What is decided, of an answer part by part; else the last verdict, with all reasons."""
        if len(self.answers) == 1:
            return self.answers[0]
        if self.case.kind is SUPPORT:
            return self._standing(self.answers)
        columns = zip_longest(*(alignment.statements for alignment in self.answers))
        return Alignment(
            answer=self._standing([alignment.answer for alignment in self.answers]),
            statements=tuple(map(self._standing, columns)),
        )

    def _standing(self, verdicts: Sequence[Any]) -> Any:
        """Return the first verdict that is decided; else the last, with the reasons of all."""
        given = [pair for pair in zip(self.case.judges, verdicts, strict=False) if pair[1]]
        decided = [verdict for _, verdict in given if verdict.decided]
        if decided or not given:
            return decided[0] if decided else None
        *before, (_, last) = given
        reasons = [last.reason, *(_signed(*pair) for pair in before)]
        return replace(last, reason="\n".join(filter(None, dict.fromkeys(reasons))))

    def recalled(self, seconds: float, *, fresh: bool) -> Usage:
        """Return what it costs to have it all from caches; fresh is what was not asked before."""
        stages = tuple(
            Stage(place=place, judge=name, asked=int(fresh), decided=int(answer.decided), cached=1)
            for (place, name), answer in zip(_places(self.case), self.answers, strict=False)
        )
        return Usage(cached=len(self.answers), seconds=seconds, stages=stages)


async def ask_in_turn(this: Round, cases: Sequence[Case], old: Collection[Case]) -> list[Course]:
    """Ask the judges that cases have in common.

    Args:
        this: The round of questions.
        cases: The cases, all of one bench.
        old: Those that the same judges have been asked before, and could not decide.
    """
    said: dict[Case, list[Any]] = {case: [] for case in cases}
    stages = [Stage(place=place, judge=name) for place, name in _places(cases[0])]
    for stage, judge in zip_longest(stages, cases[0].judges):
        left = [case for case, answers in said.items() if not _is_decided(case, answers)]
        if not left:
            break
        answers = await _ask(this, stage, judge, left, sum(case not in old for case in left))
        for case in left:
            said[case].append(answers[case.question])
    return [Course(case, tuple(answers)) for case, answers in said.items()]


async def _ask(
    this: Round, stage: Stage | None, judge: Any, cases: Sequence[Case], asked: int
) -> dict[Any, Any]:
    start, decided = time.monotonic(), 0
    try:
        questions = [case.question for case in cases]
        answers = await this.at(stage).ask(cases[0].kind, judge, questions)
        decided = sum(answers[question].decided for question in questions)
        return answers
    finally:
        if stage is not None:
            seconds = time.monotonic() - start
            this.count(replace(stage, asked=asked, decided=decided, seconds=seconds))


def recall_in_turn(case: Case) -> Course | None:
    """Return the course of a case if the judges' caches in memory have all of it."""
    answers: list[Any] = []
    for judge in case.judges:
        seat = Seat(case.kind, judge)
        answer = recall_at_once(seat, [case.question]).get(case.question)
        if answer is None:
            return None
        answers.append(answer)
        if _is_decided(case, answers):
            break
    return Course(case, tuple(answers))


def _is_decided(case: Case, answers: Sequence[Any]) -> bool:
    return bool(answers) and Course(case, tuple(answers)).answer.decided


def _places(case: Case) -> list[tuple[int, str]]:
    """Return the stages of a case, with the judges' names; only judges of statements have any."""
    judges = case.judges if case.kind is SUPPORT else ()
    return [*enumerate(map(name_of, judges))]


def _signed(judge: Any, answer: Any) -> str:
    before = f"{name_of(judge)}: "
    signed = not answer.reason or answer.reason.startswith(before)
    return answer.reason if signed else before + answer.reason

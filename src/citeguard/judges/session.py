"""The judging of one answer, from its first attempt to its last: `Session`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from citeguard.judges.asking import Round
from citeguard.judges.cascade import Course, ask_in_turn, recall_in_turn
from citeguard.judges.cases import Case
from citeguard.judges.loops import run_sync, together
from citeguard.judges.usage import Account, Budget
from citeguard.judges.verdicts import Usage

# Far more than an answer has; a context that is used for many answers forgets now and then.
_MOST_REMEMBERED = 5_000

Answers = dict[tuple[Any, ...], Any]
"""What is said of cases, by their keys."""


class Session:
    """Verdicts and costs of one answer, over all its attempts.

    Nothing is asked twice, within an attempt or across attempts; only what nobody could tell is
    asked again in the next attempt.
    """

    def __init__(self, budget: Budget) -> None:
        self._account = Account(budget)
        self._said: dict[tuple[Any, ...], tuple[Case, Any]] = {}

    @property
    def usage(self) -> Usage:
        """What the judges have cost so far."""
        return self._account.meter.usage

    def said(self, case: Case) -> Any:
        """Return what has been said of a case, or `None`."""
        said = self._said.get(case.key)
        return None if said is None else said[1]

    def recalled(self, case: Case) -> Any:
        """Return what is said of a case if nobody need be asked or waited for; else `None`.

        It was decided before, or the judges have it in their caches in memory.
        """
        said, start = self.said(case), time.monotonic()
        if _is_decided(said):
            return said
        course = recall_in_turn(case)
        if course is None:
            return None
        seconds = time.monotonic() - start
        self._account.meter.add(course.recalled(seconds, fresh=said is None))
        return self._remember([course])[case.key]

    def decide(self, case: Case) -> Any:
        """Return what is said of a case; asks when nobody has been able to tell yet."""
        said = self.recalled(case)
        return run_sync(self.settle([case]))[case.key] if said is None else said

    async def settle(self, cases: Sequence[Case]) -> Answers:
        """Have all cases judged that are still open, side by side; return all answers, by key.

        Raises:
            CiteguardError: the set-up of a judge is wrong.
        """
        # Another thread may empty what is remembered, so the answers are kept in hand, too.
        known = {case.key: self.said(case) for case in cases}
        benches: dict[tuple[Any, ...], dict[tuple[Any, ...], Case]] = {}
        for case in cases:
            if not _is_decided(known[case.key]):
                benches.setdefault(case.bench, {})[case.key] = case
        if not benches:
            return known
        start = time.monotonic()
        this = Round(self._account)
        old = {case for case in cases if known[case.key] is not None}
        try:
            # What a judge validates for itself is none of this session's business.
            with _set(None, None):
                rounds = (ask_in_turn(this, [*bench.values()], old) for bench in benches.values())
                courses = await together(rounds)
        finally:
            self._account.meter.add(Usage(seconds=time.monotonic() - start))
        return known | self._remember(course for bench in courses for course in bench)

    def _remember(self, courses: Iterable[Course]) -> Answers:
        answers = {course.case.key: (course.case, course.answer) for course in courses}
        if len(self._said) > _MOST_REMEMBERED:
            self._said.clear()
        self._said.update(answers)
        return {key: answer for key, (_, answer) in answers.items()}


def _is_decided(answer: Any) -> bool:
    return answer is not None and answer.decided


_session: ContextVar[Session | None] = ContextVar("citeguard_session", default=None)
_collected: ContextVar[list[Case] | None] = ContextVar("citeguard_collected", default=None)


@contextmanager
def judging(session: Session) -> Generator[None, None, None]:
    """Let everything validated inside the block use this session, whatever its context.

    And let it count, even inside a `collecting` block: a validator may verify something of its own.
    """
    with _set(session, None):
        yield


@contextmanager
def _set(session: Session | None, cases: list[Case] | None) -> Generator[None, None, None]:
    tokens = _session.set(session), _collected.set(cases)
    try:
        yield
    finally:
        _session.reset(tokens[0])
        _collected.reset(tokens[1])


@contextmanager
def collecting() -> Generator[list[Case], None, None]:
    """Let validation inside the block ask no judge, but collect what it would ask.

    What is known of a case already is said of it; the others are collected, and pass.

    A context variable, not a mark on an object that another thread could be validating with.
    """
    cases: list[Case] = []
    with _set(_session.get(), cases):
        yield cases


def said_of(case: Case, session: Callable[[], Session]) -> Any:
    """Return what is said of a case, in the `judging` block around or else in a session given.

    Inside the block it was asked before; what nobody could tell is not asked again. While cases are
    collected, and nothing is known of this one, it is one more, and nothing is said of it: `None`.
    """
    around, cases = _session.get(), _collected.get()
    if cases is not None:
        said = None if around is None else around.recalled(case)
        if said is None:
            cases.append(case)
        return said
    if around is None:
        return session().decide(case)
    said = around.said(case)
    return around.decide(case) if said is None else said


def current_session() -> Session | None:
    """Return the session of the `judging` block around, if there is one."""
    return _session.get()

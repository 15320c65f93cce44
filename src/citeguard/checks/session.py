"""The judging of one answer, from its first attempt to its last: `Session`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from citeguard.checks.asking import Round
from citeguard.checks.cases import Case
from citeguard.checks.loops import run_sync, together
from citeguard.checks.usage import Account, Budget
from citeguard.verdicts import Usage

# Far more than an answer has; a context that is used for many answers forgets now and then.
_MOST_REMEMBERED = 5_000


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

    def decide(self, case: Case) -> Any:
        """Return what is said of a case, after asking when nobody has been able to tell yet."""
        said = self.said(case)
        if said is None or not said.decided:
            run_sync(self.settle([case]))
        return self.said(case)

    async def settle(self, cases: Sequence[Case]) -> None:
        """Have all cases judged that are still open, side by side.

        Raises:
            CiteguardError: the set-up of a judge is wrong.
        """
        if len(self._said) > _MOST_REMEMBERED:
            self._said.clear()
        open_cases = {case.key: case for case in cases if not self._is_decided(case)}
        benches: dict[tuple[Any, ...], list[Case]] = {}
        for case in open_cases.values():
            benches.setdefault(case.bench, []).append(case)
        if not benches:
            return
        start = time.monotonic()
        this = Round(self._account)
        try:
            await together(self._judge(this, bench) for bench in benches.values())
        finally:
            self._account.meter.add(Usage(seconds=time.monotonic() - start))

    async def _judge(self, this: Round, cases: Sequence[Case]) -> None:
        """Ask judge after judge about what the ones before could not tell."""
        for judge in cases[0].judges:
            asked = [case for case in cases if not self._is_decided(case)]
            if not asked:
                return
            answers = await this.ask(asked[0].kind, judge, [case.question for case in asked])
            self._said.update((case.key, (case, answers[case.question])) for case in asked)

    def _is_decided(self, case: Case) -> bool:
        said = self.said(case)
        return said is not None and said.decided


_session: ContextVar[Session | None] = ContextVar("citeguard_session", default=None)
_collected: ContextVar[list[Case] | None] = ContextVar("citeguard_collected", default=None)


@contextmanager
def judging(session: Session) -> Generator[None, None, None]:
    """Let everything validated inside the block use this session, whatever its context."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)


@contextmanager
def collecting() -> Generator[list[Case], None, None]:
    """Let validation inside the block ask no judge, but collect what it would ask; nothing fails.

    A context variable, not a mark on an object that another thread could be validating with.
    """
    cases: list[Case] = []
    token = _collected.set(cases)
    try:
        yield cases
    finally:
        _collected.reset(token)


def said_of(case: Case, session: Callable[[], Session]) -> Any:
    """Return what is said of a case, in the `judging` block around or else in a session given.

    Inside the block it was asked before; what nobody could tell is not asked again. While cases are
    collected this is one more, and nothing is said of it: `None`.
    """
    if (cases := _collected.get()) is not None:
        cases.append(case)
        return None
    around = _session.get()
    if around is None:
        return session().decide(case)
    if around.said(case) is None:
        run_sync(around.settle([case]))
    return around.said(case)


def current_session() -> Session | None:
    """Return the session of the `judging` block around, if there is one."""
    return _session.get()

"""How a judge is asked: what it said before, in batches, side by side, in time; and when it fails.

Nothing here raises because a judge failed. Whatever a judge does wrong makes its verdicts
`undecided`, with a reason; only a `CiteguardError`, a set-up that is wrong, gets through.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from typing import Any, cast
from weakref import WeakKeyDictionary

from citeguard.errors import CiteguardError, UndecidedError
from citeguard.judges.cases import A, Kind, Q
from citeguard.judges.judge import AsksOthers, JudgeFailedError, explain
from citeguard.judges.keeping import keep, recall
from citeguard.judges.loops import in_thread, together
from citeguard.judges.seat import Seat
from citeguard.judges.usage import Account, Budget, Till, counting
from citeguard.judges.verdicts import Stage, Usage

_log = logging.getLogger("citeguard")
_log.addHandler(logging.NullHandler())  # silent, unless the program that uses it listens


class Round:
    """One round of questions to judges, on account of one answer."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._stage: Stage | None = None
        left = account.seconds_left()
        self._deadline = None if left is None else asyncio.get_running_loop().time() + left

    def at(self, stage: Stage | None) -> Round:
        """Return this round at one stage of a cascade, for which its costs count, too."""
        there = copy(self)
        there._stage = stage
        return there

    def count(self, stage: Stage) -> None:
        """Count what has become of statements at a stage."""
        self._account.meter.add(Usage(stages=(stage,)))

    async def ask(self, kind: Kind[Q, A], judge: Any, questions: Sequence[Q]) -> dict[Q, A]:
        """Put questions to a judge, and return an answer for every one of them.

        Raises:
            CiteguardError: the set-up of the judge is wrong.
        """
        seat = Seat(kind, judge)
        seat.require_method()
        parted = await _split(seat, questions)
        asked = list(dict.fromkeys(part for split in parted.values() for part in split))
        answers = await self._answers(seat, asked)
        return {each: kind.combine([answers[part] for part in parted[each]]) for each in questions}

    async def _answers(self, seat: Seat, questions: Sequence[Any]) -> dict[Any, Any]:
        known = await recall(seat, questions)
        self._till(seat).add(Usage(cached=len(known)))
        batches = seat.batches([each for each in questions if each not in known])
        fresh: dict[Any, Any] = {}
        for answers in await together(self._asked(seat, batch) for batch in batches):
            fresh |= answers
        return known | fresh

    async def _asked(self, seat: Seat, questions: Sequence[Any]) -> dict[Any, Any]:
        # Those that others ask have a deadline of their own, and what they said by then counts.
        deadline = None if isinstance(seat.judge, AsksOthers) else self._deadline
        try:
            async with asyncio.timeout_at(deadline):
                async with _admitted(seat.judge, seat.settings.concurrency):
                    answers = await self._call(seat, questions)
        except TimeoutError:
            return seat.undecided(questions, self._account.out_of_time)
        except _FailedError as failed:
            return seat.undecided(questions, str(failed))
        # At once: whatever happens to the calls beside this one, these have been paid for.
        await keep(seat, seat.lasting(answers))
        return answers

    async def _call(self, seat: Seat, questions: Sequence[Any]) -> dict[Any, Any]:
        till = self._till(seat)
        if not isinstance(seat.judge, AsksOthers):
            if spent := self._account.spent(local=seat.settings.local):
                raise _FailedError(spent)
            till.add(Usage(calls=1))
        timer = asyncio.timeout(seat.settings.timeout)
        try:
            with counting(till), _current(self):
                async with timer:
                    answers = seat.checked(questions, await _put(seat, questions))
            if _is_over(timer):  # a judge may take no notice of its time
                raise TimeoutError
            return answers
        except UndecidedError as error:  # of something that the judge has checked for itself
            raise _FailedError(explain(error)) from error
        except CiteguardError:
            raise
        # The one place where it does not matter what went wrong: whatever it was, nobody can tell.
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
                raise
            if _is_cancelled():  # whatever the judge made of that
                raise asyncio.CancelledError from error
            if isinstance(error.__cause__, CiteguardError):
                raise error.__cause__ from error
            raise _FailedError(_told(seat, timer, error)) from error

    def _till(self, seat: Seat) -> Till:
        settings = seat.settings
        return Till(self._account.meter, self._stage, settings.local, settings.price)


class _FailedError(Exception):
    """A judge has failed; the text says why."""


def _told(seat: Seat, timer: asyncio.Timeout, error: BaseException) -> str:
    """Say, also to the log, why a judge failed."""
    late = f"took longer than {seat.settings.timeout} s"
    told = late if _is_over(timer) else explain(error)
    expected = _is_over(timer) or isinstance(error, JudgeFailedError)
    _log.warning("%s: %s", seat.name, told, exc_info=None if expected else error)
    return told


def _is_over(timer: asyncio.Timeout) -> bool:
    """Tell whether a time has passed, also when nobody could be interrupted."""
    end = timer.when()
    return timer.expired() or (end is not None and asyncio.get_running_loop().time() > end)


def _is_cancelled() -> bool:
    """Tell whether the running task is to end, or a judge has only raised what says so."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


_asking: ContextVar[Round | None] = ContextVar("citeguard_round", default=None)


@contextmanager
def _current(this: Round) -> Generator[None, None, None]:
    token = _asking.set(this)
    try:
        yield
    finally:
        _asking.reset(token)


def current_round() -> Round:
    """Return the round that the running judge is asked in; outside of any, a new one."""
    return _asking.get() or Round(Account(Budget()))


async def _split(seat: Seat, questions: Sequence[Any]) -> dict[Any, list[Any]]:
    """Cut what is too long for a judge into parts, where it can block nobody."""
    limit, kind = seat.settings.evidence_limit, seat.kind
    long = [each for each in questions if seat.is_long(each)]
    cut: dict[Any, list[Any]] = {}
    if long and limit is not None:
        cut = await in_thread(lambda: {each: kind.split(each, limit) for each in long})
    return {each: cut.get(each, [each]) for each in questions}


async def _put(seat: Seat, questions: Sequence[Any]) -> Any:
    """Put questions to a judge, where it can block nobody."""
    method = getattr(seat.judge, seat.kind.method)
    arguments = [questions] if seat.kind.batched else questions
    if inspect.iscoroutinefunction(method):
        answers = await method(*arguments)
    else:
        answers = await in_thread(_called, method, *arguments)
        if inspect.isasyncgen(answers):
            answers = [answer async for answer in answers]
        answers = await answers if inspect.isawaitable(answers) else answers
    return answers if seat.kind.batched else [answers]


def _called(method: Callable[..., Any], *arguments: Any) -> Any:
    """Call a method; what it yields one by one is listed at once, in the same thread."""
    answers: Any = method(*arguments)
    return list(cast("Iterator[Any]", answers)) if isinstance(answers, Iterator) else answers


@dataclass(slots=True)
class _Gate:
    semaphore: asyncio.Semaphore
    users: int = 0


# By event loop, as a semaphore belongs to one. A gate lasts as long as somebody uses it, and so
# holds on to the judge; no judge needs to be hashable or outlive its use for that.
_gates: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, _Gate]] = WeakKeyDictionary()


@asynccontextmanager
async def _admitted(judge: object, concurrency: int | None) -> AsyncGenerator[None, None]:
    """Wait until fewer than `concurrency` calls of a judge are under way in this loop."""
    if concurrency is None:
        yield
        return
    gates = _gates.setdefault(asyncio.get_running_loop(), {})
    gate = gates.setdefault(id(judge), _Gate(asyncio.Semaphore(concurrency)))
    gate.users += 1
    try:
        async with gate.semaphore:
            yield
    finally:
        gate.users -= 1
        if not gate.users:
            del gates[id(judge)]

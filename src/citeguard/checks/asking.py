"""How a judge is asked: what it said before, in batches, side by side, in time; and when it fails.

Nothing here raises because a judge failed. Whatever a judge does wrong makes its verdicts
`undecided`, with a reason; only a `CiteguardError`, a set-up that is wrong, gets through.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import logging
import warnings
from collections.abc import (
    AsyncGenerator,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import lru_cache
from traceback import format_exception_only
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from pydantic import TypeAdapter

from citeguard.checks.cache import MemoryCache
from citeguard.checks.cases import A, Kind, Q
from citeguard.checks.judge import AsksOthers, JudgeFailedError, JudgeSettings, name_of, settings_of
from citeguard.checks.loops import aside, in_thread, together
from citeguard.checks.parts import batches
from citeguard.checks.usage import Account, Budget, counting
from citeguard.errors import CiteguardError, UndecidedError
from citeguard.fitting import shown
from citeguard.verdicts import Usage

_LONGEST_DETAIL = 300
_LONG = 50_000  # characters of evidence from which to make keys of them takes milliseconds
_CACHE_PATIENCE = 5.0  # seconds; a cache is there to save time

R = TypeVar("R")

_log = logging.getLogger("citeguard")
_log.addHandler(logging.NullHandler())  # silent, unless the program that uses it listens


@dataclass(frozen=True, slots=True)
class _Seat:
    """A judge, and how it wants to be asked one kind of question."""

    kind: Kind[Any, Any]
    judge: Any
    settings: JudgeSettings

    def undecided(self, questions: Sequence[Any], reason: str) -> dict[Any, Any]:
        name = name_of(self.judge)
        return {each: self.kind.undecided(each, f"{name}: {reason}", name) for each in questions}

    def batches(self, questions: Sequence[Any]) -> list[list[Any]]:
        """Group questions for calls, as the judge wants them."""
        most = self.settings.batch_size if self.kind.batched else 1
        limit = self.settings.evidence_limit
        return batches(questions, self.kind.length, most=most, limit=limit)

    def key(self, question: Any) -> str:
        judge = (type(self.judge).__module__, type(self.judge).__qualname__, name_of(self.judge))
        said = [self.kind.name, *judge, self.settings.version, asdict(question)]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def checked(self, questions: Sequence[Any], answers: Any) -> dict[Any, Any]:
        if not isinstance(answers, Sequence) or isinstance(answers, str):
            told = "gave no list of verdicts, in the order of the questions"
            return self.undecided(questions, told)
        listed: list[Any] = list(cast("Sequence[Any]", answers))
        if len(listed) != len(questions):
            told = f"gave {len(listed)} of the {len(questions)} verdicts that it was asked for"
            return self.undecided(questions, told)
        answered = dict(zip(questions, listed, strict=True))
        if not all(self.kind.fits(*pair) for pair in answered.items()):
            return self.undecided(questions, self.kind.misfit)
        return answered


class Round:
    """One round of questions to judges, on account of one answer."""

    def __init__(self, account: Account) -> None:
        self._account = account
        left = account.seconds_left()
        self._deadline = None if left is None else asyncio.get_running_loop().time() + left

    async def ask(self, kind: Kind[Q, A], judge: Any, questions: Sequence[Q]) -> dict[Q, A]:
        """Put questions to a judge, and return an answer for every one of them.

        Raises:
            CiteguardError: the set-up of the judge is wrong.
        """
        if not callable(getattr(judge, kind.method, None)):
            told = f"it has no method {kind.method}"
            raise CiteguardError(f"{name_of(judge)} cannot be asked about {kind.name}: {told}")
        seat = _Seat(kind, judge, settings_of(judge))
        parted = await _split(seat, questions)
        asked = list(dict.fromkeys(part for split in parted.values() for part in split))
        answers = await self._answers(seat, asked)
        return {each: kind.combine([answers[part] for part in parted[each]]) for each in questions}

    async def _answers(self, seat: _Seat, questions: Sequence[Any]) -> dict[Any, Any]:
        known = await _recall(seat, questions)
        self._account.meter.add(Usage(cached=len(known)))
        batches = seat.batches([each for each in questions if each not in known])
        fresh: dict[Any, Any] = {}
        for answers in await together(self._asked(seat, batch) for batch in batches):
            fresh |= answers
        return known | fresh

    async def _asked(self, seat: _Seat, questions: Sequence[Any]) -> dict[Any, Any]:
        # Those that others ask have a deadline of their own, and what they said by then counts.
        deadline = None if isinstance(seat.judge, AsksOthers) else self._deadline
        try:
            async with asyncio.timeout_at(deadline):
                async with _admitted(seat.judge, seat.settings.concurrency):
                    answers = await self._call(seat, questions)
        except TimeoutError:
            return seat.undecided(questions, self._account.out_of_time)
        # At once: whatever happens to the calls beside this one, these have been paid for.
        await _keep(seat, {question: each for question, each in answers.items() if each.decided})
        return answers

    async def _call(self, seat: _Seat, questions: Sequence[Any]) -> dict[Any, Any]:
        if not isinstance(seat.judge, AsksOthers):
            if spent := self._account.spent():
                return seat.undecided(questions, spent)
            self._account.meter.add(Usage(calls=1))
        timer = asyncio.timeout(seat.settings.timeout)
        try:
            with counting(self._account.meter), _current(self):
                async with timer:
                    answers = seat.checked(questions, await _put(seat, questions))
            if _is_over(timer):  # a judge may take no notice of its time
                raise TimeoutError
            return answers
        except UndecidedError as error:  # of something that the judge has checked for itself
            return seat.undecided(questions, explain(error))
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
            late = f"took longer than {seat.settings.timeout} s"
            told = late if _is_over(timer) else explain(error)
            expected = _is_over(timer) or isinstance(error, JudgeFailedError)
            _log.warning("%s: %s", name_of(seat.judge), told, exc_info=None if expected else error)
            return seat.undecided(questions, told)


def explain(error: BaseException) -> str:
    """Say why a judge failed: what happened in the first line, and details in a second."""
    if isinstance(error, JudgeFailedError):
        return str(error)
    # On a line of its own: it is not for the language model that is told the first one.
    detail = shown("".join(format_exception_only(error)), _LONGEST_DETAIL)
    return f"raised {type(error).__name__}\n{detail}"


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


async def _split(seat: _Seat, questions: Sequence[Any]) -> dict[Any, list[Any]]:
    """Cut what is too long for a judge into parts, where it can block nobody."""
    limit, kind = seat.settings.evidence_limit, seat.kind
    if limit is None:
        return {each: [each] for each in questions}
    long = [each for each in questions if kind.length(each) > limit]
    cut: dict[Any, list[Any]] = {}
    if long:
        cut = await in_thread(lambda: {each: kind.split(each, limit) for each in long})
    return {each: cut.get(each, [each]) for each in questions}


async def _put(seat: _Seat, questions: Sequence[Any]) -> Any:
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


async def _recall(seat: _Seat, questions: Sequence[Any]) -> dict[Any, Any]:
    def read() -> dict[Any, Any]:
        keys = {question: seat.key(question) for question in questions}
        texts = seat.settings.cache.get(list(keys.values()))
        kept = {each: _read(seat.kind.answer, texts.get(key)) for each, key in keys.items()}
        return {each: answer for each, answer in kept.items() if seat.kind.fits(each, answer)}

    return await _with_cache(seat, read, long=_is_long(seat, questions)) or {}


async def _keep(seat: _Seat, answers: Mapping[Any, Any]) -> None:
    def write() -> None:
        # Not as Pydantic writes JSON: words of a source may hold what it cannot write.
        texts = {seat.key(each): json.dumps(asdict(said)) for each, said in answers.items()}
        seat.settings.cache.put(texts)

    if answers:
        await _with_cache(seat, write, long=_is_long(seat, answers))


def _is_long(seat: _Seat, questions: Iterable[Any]) -> bool:
    return sum(map(seat.kind.length, questions)) > _LONG


async def _with_cache(seat: _Seat, use: Callable[[], R], *, long: bool) -> R | None:
    """Use a judge's cache, if it has one; when that fails, verdicts cost what they cost without."""
    if seat.settings.version is None:
        return None
    try:
        if isinstance(seat.settings.cache, MemoryCache):
            return await aside(long, use)
        async with asyncio.timeout(_CACHE_PATIENCE):
            return await in_thread(use)
    except Exception as error:
        told = f"the verdict cache of {name_of(seat.judge)} failed: {explain(error)}"
        warnings.warn(told, RuntimeWarning, stacklevel=2)
        return None


def _read(answer: Any, text: str | None) -> Any:
    """Read a kept answer; what cannot be read was written by another version, or damaged."""
    try:
        return None if text is None else _adapter(answer).validate_python(json.loads(text))
    except ValueError:
        return None


@lru_cache
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)

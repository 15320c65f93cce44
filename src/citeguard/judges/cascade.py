"""How judges are asked: from a cache, in batches, concurrently, within a time and a budget.

`ask` puts questions to one judge. A `Session` puts all questions about one answer, from its first
attempt to its last: judges are asked in a cascade, each about what those before it left undecided.
`judging` and `collecting` are how validation hands its questions over.

Nothing here raises because a judge failed: its verdicts are `undecided`, with a reason. A
`CiteguardError`, which reports a misconfigured judge, is raised, and so is a mistake in a judge's
code, as one: the developer must see it, not the language model.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import sys
import time
import warnings
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary, WeakValueDictionary

from pydantic import TypeAdapter

from citeguard.errors import CiteguardError, UndecidedError, described, logger, mistake
from citeguard.judges.cache import MemoryCache
from citeguard.judges.loops import aside, in_thread, run_sync, together
from citeguard.judges.usage import PAID, Budget, Stage, Usage, UsageCounter, counting, judge_usage
from citeguard.judges.verdicts import (
    SUPPORT,
    Alignment,
    AlignmentQuestion,
    Evidence,
    InvalidVerdictError,
    JudgeFailedError,
    JudgeSettings,
    QuestionType,
    SupportQuestion,
    Verdict,
    batches,
    explain,
    name_of,
    settings_of,
    type_of,
)

Q = TypeVar("Q", bound=SupportQuestion | AlignmentQuestion)
R = TypeVar("R")

_DIGESTS_KEPT = 64  # of evidence: many statements of an answer share their sources
_LONG_EVIDENCE = 50_000  # characters of evidence for which making keys takes milliseconds
_CACHE_TIMEOUT = 5.0  # seconds; a cache is there to save time
_ANSWERS_KEPT = 1_000  # as objects; they are small

_log = logger("citeguard")


class AsksOthers:
    """A judge that only asks other judges: they are counted and timed, it is not."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What calls of judges count against.

    Attributes:
        counter: Counts the costs of the answer, and knows its budget.
        deadline: When the budget of seconds ends, by the event loop's clock; `None` for never.
        stage: The stage of a cascade that the costs belong to, with nothing counted yet.
    """

    counter: UsageCounter
    deadline: float | None = None
    stage: Stage | None = None

    @classmethod
    def of(cls, counter: UsageCounter) -> Limits:
        """Return the limits of calls that begin now, in the running event loop."""
        left = counter.seconds_left()
        return cls(counter, None if left is None else asyncio.get_running_loop().time() + left)


_limits: ContextVar[Limits | None] = ContextVar("citeguard_limits", default=None)


async def ask(judge: Any, questions: Sequence[Q], limits: Limits | None = None) -> dict[Q, Any]:
    """Ask a judge questions of one type, and return an answer to each.

    Without `limits`, the calls count against those of the judge that asks, if any. Raises a
    `CiteguardError` if the judge is misconfigured.
    """
    if not questions:
        return {}
    limits = limits or _limits.get() or Limits(UsageCounter())
    return await JudgeCaller(judge, type_of(questions[0]), limits).ask(questions)


def stages_of_models(judges: Sequence[Any], usage: Usage) -> tuple[Stage, ...]:
    """Return the stages of a cascade whose judges are not `local`, even those not asked."""
    stages = {(stage.place, stage.judge): stage for stage in usage.stages}
    return tuple(
        stages.get((place, name := name_of(judge)), Stage(place=place, judge=name))
        for place, judge in enumerate(judges)
        if not settings_of(judge).local
    )


class JudgeCaller:
    """Asks one judge questions of one type."""

    def __init__(self, judge: Any, kind: QuestionType, limits: Limits) -> None:
        self.judge = judge
        self.kind = kind
        self.name = name_of(judge)
        self.settings: JudgeSettings = settings_of(judge)
        self._limits = limits

    async def ask(self, questions: Sequence[Any]) -> dict[Any, Any]:
        """Return an answer to every question; see the function `ask`."""
        if not callable(getattr(self.judge, self.kind.method, None)):
            raise CiteguardError(
                f"{self.name} cannot be asked about {self.kind.name}: "
                f"it has no method {self.kind.method}"
            )
        # Models elsewhere read the sources themselves.
        is_here = self.settings.local or isinstance(self.judge, AsksOthers)
        shown: dict[Any, Any] = {
            each: each if is_here else self.kind.as_written(each) for each in questions
        }
        limit, split = self.settings.evidence_limit, self.kind.split
        parts = {each: [each] for each in shown.values()}
        if limit is not None and (long := [q for q in parts if self.kind.length(q) > limit]):
            # In a thread, as finding sentences takes a while.
            parts |= await in_thread(lambda: {each: split(each, limit) for each in long})
        # Two statements of one answer may be the same.
        asked = list(dict.fromkeys(part for split in parts.values() for part in split))
        known = await self.recall(asked)
        self._add(Usage(cached=len(known)))
        most = self.settings.batch_size if self.kind.batched else 1
        new = [each for each in asked if each not in known]
        groups = batches(new, self.kind.length, most=most, limit=limit)
        answers = known
        for answered in await together(self._answers(group) for group in groups):
            answers |= answered
        combine = self.kind.combine
        return {each: combine([answers[part] for part in parts[shown[each]]]) for each in questions}

    async def _answers(self, questions: Sequence[Any]) -> dict[Any, Any]:
        # Judges that others ask have a deadline of their own, and their verdicts by then count.
        deadline = None if isinstance(self.judge, AsksOthers) else self._limits.deadline
        try:
            async with asyncio.timeout_at(deadline):
                async with slot(self.judge, self.settings.concurrency):
                    with traced(self.name, self.kind.name, len(questions)) as add_answers:
                        answers = await self._call(questions)
                        add_answers(answers.values())
        except TimeoutError:
            return self._undecided(questions, self._limits.counter.out_of_time)
        except _FailedError as failed:
            return self._undecided(questions, str(failed))
        # What a local judge has graded and left undecided, it leaves undecided the next time too.
        lasting = {
            question: answer
            for question, answer in answers.items()
            if answer.decided
            or (self.settings.local and isinstance(answer, Verdict) and answer.score is not None)
        }
        # At once: whatever happens to other calls, these answers have been paid for.
        await self.keep(lasting)
        return answers

    async def _call(self, questions: Sequence[Any]) -> dict[Any, Any]:
        if not isinstance(self.judge, AsksOthers):
            units = ("seconds",) if self.settings.local else PAID
            if spent := self._limits.counter.spent(*units):
                raise _FailedError(spent)
            self._add(Usage(calls=1))
        timer = asyncio.timeout(self.settings.timeout)
        # A judge that asks others, such as a vote, asks them within these limits.
        token = _limits.set(self._limits)
        try:
            with counting(self._add):
                async with timer:
                    answers = self._checked(questions, await self._answer_of_judge(questions))
            if _is_over(timer):  # a judge may ignore its timeout
                raise TimeoutError
            return answers
        except UndecidedError as error:  # from something that the judge has validated for itself
            raise _FailedError(explain(error)) from error
        except CiteguardError:
            raise
        # Not `foreign_code`: a judge may raise `SystemExit` or a `CancelledError` of its own, too.
        except BaseException as error:
            raise self._failure(error, is_late=_is_over(timer)) from error
        finally:
            _limits.reset(token)

    def _failure(self, error: BaseException, *, is_late: bool) -> BaseException:
        """Return what to raise for what a judge, which is foreign code, has raised."""
        if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
            return error
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # whatever the judge made of that
            return asyncio.CancelledError()
        # Of a validator, for instance, whose errors instructor wraps.
        if isinstance(error.__cause__, CiteguardError):
            return error.__cause__
        found = None if is_late else mistake(self.name, error, InvalidVerdictError)
        if found is not None:
            return found
        late = f"took longer than {self.settings.timeout} s"
        reason = late if is_late else explain(error)
        _log.warning(
            "%s: %s",
            self.name,
            reason,
            exc_info=None if isinstance(error, JudgeFailedError) else error,
        )
        return _FailedError(reason)

    async def _answer_of_judge(self, questions: Sequence[Any]) -> Any:
        """Call the judge, in a thread if its method is a plain one."""
        method = getattr(self.judge, self.kind.method)
        arguments = [[*questions]] if self.kind.batched else questions
        if inspect.iscoroutinefunction(method):
            answers = await method(*arguments)
        else:
            answers = await in_thread(method, *arguments)
            answers = await answers if inspect.isawaitable(answers) else answers
        return answers if self.kind.batched else [answers]

    def _checked(self, questions: Sequence[Any], answers: Any) -> dict[Any, Any]:
        if not isinstance(answers, Sequence) or isinstance(answers, str):
            raise CiteguardError(
                f"{self.name}.{self.kind.method}: expected a list of verdicts, "
                f"got {described(answers)}"
            )
        listed: list[Any] = list(cast("Sequence[Any]", answers))
        if len(listed) != len(questions):
            raise JudgeFailedError(
                f"returned {len(listed)} verdicts for {len(questions)} questions"
            )
        answered = dict(zip(questions, listed, strict=True))
        for question, answer in answered.items():
            if not self.kind.fits(question, answer):
                raise CiteguardError(
                    f"{self.name}.{self.kind.method}: expected {self.kind.answer.__name__} for its "
                    f"question, got {answer!r:.200}"
                )
        return answered

    def _undecided(self, questions: Sequence[Any], reason: str) -> dict[Any, Any]:
        reason = f"{self.name}: {reason}"
        return {each: self.kind.undecided(each, reason, self.name) for each in questions}

    def _add(self, usage: Usage) -> None:
        settings, limits = self.settings, self._limits
        limits.counter.add(
            judge_usage(usage, price=settings.price, local=settings.local, stage=limits.stage)
        )

    async def recall(self, questions: Sequence[Any]) -> dict[Any, Any]:
        """Return the answers that the judge's cache has."""

        def read() -> dict[Any, Any]:
            keys = self.keys(questions)
            texts = self.settings.cache.get(keys)
            kept = (_answer_from(self.kind.answer, texts.get(key)) for key in keys)
            answered = zip(questions, kept, strict=True)
            return {each: answer for each, answer in answered if self.kind.fits(each, answer)}

        return await self._with_cache(read, questions) or {}

    async def keep(self, answers: Mapping[Any, Any]) -> None:
        """Put answers into the judge's cache."""

        def write() -> None:
            # Not as Pydantic writes JSON: words of a source may have lone surrogates.
            texts = [json.dumps(asdict(answer)) for answer in answers.values()]
            self.settings.cache.put(dict(zip(self.keys(answers), texts, strict=True)))

        if answers:
            await self._with_cache(write, answers)

    def keys(self, questions: Iterable[Any]) -> list[str]:
        """Return the key of each question: a digest of all that the verdict depends on."""
        judge = (type(self.judge).__module__, type(self.judge).__qualname__, self.name)
        before = [self.kind.name, *judge, self.settings.version]
        texts = (json.dumps([*before, _identity(each)]) for each in questions)
        return [hashlib.sha256(text.encode()).hexdigest() for text in texts]

    async def _with_cache(self, use: Callable[[], R], questions: Iterable[Any]) -> R | None:
        """Use the judge's cache, if it has one; if that fails, warn, and do without."""
        if self.settings.version is None:
            return None

        async def used() -> R:
            # Memory does not block; only making the keys of long evidence takes a while.
            if isinstance(self.settings.cache, MemoryCache):
                return await aside(sum(map(self.kind.length, questions)) > _LONG_EVIDENCE, use)
            async with asyncio.timeout(_CACHE_TIMEOUT):
                return await in_thread(use)

        # Gathered, as a cache is foreign code: what it raises is returned.
        (result,) = await asyncio.gather(used(), return_exceptions=True)
        if isinstance(result, Exception):
            message = f"the verdict cache of {self.name} failed: {explain(result)}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            return None
        if isinstance(result, BaseException):
            raise result
        return result


class _FailedError(Exception):
    """A judge has failed; the text says why."""


def _is_over(timer: asyncio.Timeout) -> bool:
    """Return whether a timeout has passed, even if the call could not be interrupted."""
    end = timer.when()
    return timer.expired() or (end is not None and asyncio.get_running_loop().time() > end)


# By event loop, as a semaphore belongs to one; it lasts as long as calls use it, which also hold on
# to the judge: that need not be hashable or outlive its use.
_semaphores: WeakKeyDictionary[
    asyncio.AbstractEventLoop, WeakValueDictionary[int, asyncio.Semaphore]
] = WeakKeyDictionary()


@asynccontextmanager
async def slot(judge: object, concurrency: int | None) -> AsyncGenerator[None, None]:
    """Wait until fewer than `concurrency` calls of a judge run in this event loop."""
    if concurrency is None:
        yield
        return
    judges = _semaphores.setdefault(asyncio.get_running_loop(), WeakValueDictionary())
    semaphore = judges.setdefault(id(judge), asyncio.Semaphore(concurrency))
    async with semaphore:
        yield


def _identity(value: Any) -> Any:
    """Return all that a question says, as JSON-like data; of evidence, digests."""
    if isinstance(value, Evidence):
        unshown = (value.pieces, value.title)  # by its `repr`
        return _digest((value, *unshown) if any(unshown) else value)
    if isinstance(value, tuple):
        return [_identity(each) for each in cast("tuple[Any, ...]", value)]
    if isinstance(value, (SupportQuestion, AlignmentQuestion)):
        return [_identity(getattr(value, each.name)) for each in fields(value)]
    return value


@lru_cache(maxsize=_DIGESTS_KEPT)  # statements share their sources
def _digest(value: object) -> str:
    # Unlike the text, its `repr` has no lone surrogates, which UTF-8 cannot encode.
    return hashlib.sha256(repr(value).encode()).hexdigest()


# Answers are immutable, so all readers may share one object.
@lru_cache(maxsize=_ANSWERS_KEPT)
def _answer_from(answer: Any, text: str | None) -> Any:
    """Read a cached answer; `None` if it was written by another version, or is damaged."""
    try:
        return None if text is None else _adapter(answer).validate_python(json.loads(text))
    except ValueError:
        return None


_adapter = lru_cache(TypeAdapter[Any])


@contextmanager
def traced(judge: str, subject: str, count: int) -> Generator[Callable[[Iterable[Any]], None]]:
    """Trace one call of a judge as a span, if the program has imported OpenTelemetry.

    The span is called `judge NAME`. Every verdict is an event of it as the semantic conventions for
    generative AI name it, with score, label and explanation; calls of language models that the
    judge makes become its children. A failure is the span's error.
    """
    # A program that traces has imported it; for others, importing it would cost time.
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        yield lambda answers: None
        return
    attributes = {"citeguard.judge.subject": subject, "citeguard.judge.questions": count}
    tracer = trace.get_tracer("citeguard")
    with tracer.start_as_current_span(f"judge {judge}", attributes=attributes) as span:

        def add(answers: Iterable[Any]) -> None:
            for answer in answers:
                on_whole = isinstance(answer, Alignment)
                for verdict in (answer.answer, *answer.statements) if on_whole else (answer,):
                    if verdict is not None:
                        facts = {"name": f"citeguard.{subject}", "score.label": verdict.outcome}
                        facts |= {"explanation": verdict.reason} if verdict.reason else {}
                        graded = {} if verdict.score is None else {"score.value": verdict.score}
                        named = {
                            f"gen_ai.evaluation.{key}": v for key, v in (facts | graded).items()
                        }
                        span.add_event("gen_ai.evaluation.result", named)

        yield add


# Far more than an answer has; a context that is used for many answers forgets now and then.
_MOST_REMEMBERED = 5_000


@dataclass(frozen=True, slots=True)
class Pending:
    """A question, and the judges to ask in turn until one of them decides.

    It equals another with the same question to the same judges, which need not be hashable.
    """

    judges: tuple[Any, ...] = field(compare=False)
    question: Any
    ids: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Identify the judges, to which this object holds on."""
        object.__setattr__(self, "ids", tuple(map(id, self.judges)))


class Session:
    """Verdicts and costs of one answer, over all its attempts.

    No question is asked twice, within an attempt or across attempts; only what no judge could
    decide is asked again in the next attempt.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.counter = UsageCounter(budget)
        self._known: dict[Pending, Any] = {}

    @property
    def usage(self) -> Usage:
        """What the judges have cost so far."""
        return self.counter.usage

    def known(self, pending: Pending) -> Any:
        """Return the answer that a question got in this session, or `None`."""
        return self._known.get(pending)

    def decide(self, pending: Pending) -> Any:
        """Return the answer to a question; asks unless it is decided already."""
        answer = self.known(pending)
        return answer if _is_decided(answer) else run_sync(self.settle([pending]))[0]

    async def settle(self, questions: Sequence[Pending]) -> list[Any]:
        """Ask all questions that are still open, concurrently; return all answers, in order."""
        # Another thread may empty what is remembered, so the answers are kept here, too.
        known = {pending: self.known(pending) for pending in questions}
        groups: dict[tuple[Any, ...], list[Pending]] = {}
        for pending, answer in known.items():
            if not _is_decided(answer):
                group = (type_of(pending.question), pending.ids)
                groups.setdefault(group, []).append(pending)
        if groups:
            start = time.monotonic()
            limits = Limits.of(self.counter)
            # Asked in an earlier attempt, so that their stage has counted them.
            old = {pending for pending, answer in known.items() if answer is not None}
            try:
                # What a judge validates for itself does not belong to this session.
                with _set(None, None):
                    answered = await together(
                        _ask_in_turn(limits, group, old) for group in groups.values()
                    )
            finally:
                self.counter.add(Usage(seconds=time.monotonic() - start))
            fresh = {p: _standing_answer(p, got) for given in answered for p, got in given.items()}
            if len(self._known) > _MOST_REMEMBERED:
                self._known.clear()
            self._known |= fresh
            known |= fresh
        return [known[pending] for pending in questions]


def _is_decided(answer: Any) -> bool:
    return answer is not None and answer.decided


async def _ask_in_turn(
    limits: Limits, questions: Sequence[Pending], old: Collection[Pending]
) -> Mapping[Pending, Sequence[Any]]:
    """Ask judges in turn; return the answers of all who were asked.

    The questions are all of one type and to the same judges; the `old` have been asked before.
    """
    given: dict[Pending, list[Any]] = {pending: [] for pending in questions}
    has_stages = type_of(questions[0].question) is SUPPORT  # alignment has none
    for place, judge in enumerate(questions[0].judges):
        stage = Stage(place=place, judge=name_of(judge)) if has_stages else None
        left = [p for p, got in given.items() if not (got and _standing_answer(p, got).decided)]
        if not left:
            break
        start, decided = time.monotonic(), 0
        try:
            asked = [pending.question for pending in left]
            answers = await ask(judge, asked, replace(limits, stage=stage))
            decided = sum(answers[question].decided for question in asked)
        finally:
            if stage is not None:
                new = sum(pending not in old for pending in left)
                seconds = time.monotonic() - start
                row = replace(stage, asked=new, decided=decided, seconds=seconds)
                limits.counter.add(Usage(stages=(row,)))
        for pending in left:
            given[pending].append(answers[pending.question])
    return given


def _standing_answer(pending: Pending, answers: Sequence[Any]) -> Any:
    """Return the answer that stands: of an alignment, verdict by verdict."""
    if len(answers) == 1:
        return answers[0]
    if type_of(pending.question) is SUPPORT:
        return _standing(pending.judges, answers)
    columns = zip_longest(*(alignment.statements for alignment in answers))
    return Alignment(
        answer=_standing(pending.judges, [alignment.answer for alignment in answers]),
        statements=tuple(_standing(pending.judges, column) for column in columns),
    )


def _standing(judges: Sequence[Any], verdicts: Sequence[Any]) -> Any:
    """Return the first verdict that is decided; else the last, with the reasons of all."""
    # There are fewer verdicts than judges if one of the first has decided.
    given = [pair for pair in zip(judges, verdicts, strict=False) if pair[1]]
    decided = [verdict for _, verdict in given if verdict.decided]
    if decided or not given:
        return decided[0] if decided else None
    *before, (_, last) = given
    reasons = [last.reason]
    for judge, verdict in before:
        signature = f"{name_of(judge)}: "
        is_signed = not verdict.reason or verdict.reason.startswith(signature)
        reasons.append(verdict.reason if is_signed else signature + verdict.reason)
    return replace(last, reason="\n".join(filter(None, dict.fromkeys(reasons))))


_session: ContextVar[Session | None] = ContextVar("citeguard_session", default=None)
_collected: ContextVar[list[Pending] | None] = ContextVar("citeguard_collected", default=None)


@contextmanager
def judging(session: Session) -> Generator[None, None, None]:
    """Make everything validated inside the block use this session, whatever its context.

    It also counts inside a `collecting` block: a validator may verify something of its own.
    """
    with _set(session, None):
        yield


@contextmanager
def _set(session: Session | None, questions: list[Pending] | None) -> Generator[None, None, None]:
    tokens = _session.set(session), _collected.set(questions)
    try:
        yield
    finally:
        _session.reset(tokens[0])
        _collected.reset(tokens[1])


@contextmanager
def collecting() -> Generator[list[Pending], None, None]:
    """Make validation inside the block collect the questions that it would ask judges.

    A question with a known answer gets it; the others are collected, and pass.
    """
    # A context variable, not a mark on an object that another thread could be validating with.
    questions: list[Pending] = []
    with _set(_session.get(), questions):
        yield questions


def dry_run(validate: Callable[[], object]) -> list[Pending]:
    """Return the questions that a validation would ask judges, whether it succeeds or not."""
    # What fails here fails again when it counts; what could be collected is judged all the same.
    # Any exception: the user's validators may not cope with a verdict that is still missing.
    with collecting() as questions, suppress(Exception):
        validate()
    return questions


def answer_to(pending: Pending, session: Callable[[], Session]) -> Any:
    """Return the answer to a question, in the enclosing `judging` block or else in a session.

    Inside the block it was asked before; what no judge could decide is not asked again. Inside a
    `collecting` block a question without a known answer is collected, and `None` is returned.
    """
    current, questions = _session.get(), _collected.get()
    if questions is not None:
        answer = None if current is None else current.known(pending)
        if _is_decided(answer):
            return answer
        questions.append(pending)
        return None
    if current is None:
        return session().decide(pending)
    answer = current.known(pending)
    return current.decide(pending) if answer is None else answer


def current_session() -> Session | None:
    """Return the session of the enclosing `judging` block, if any."""
    return _session.get()

"""The judging of one answer, from its first attempt to its last: `Session`.

Judges are asked in a cascade: each about what those before it left undecided.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from citeguard.judges.asking import Limits, ask
from citeguard.judges.loops import run_sync, together
from citeguard.judges.usage import Budget, Stage, Usage, UsageCounter
from citeguard.judges.verdicts import SUPPORT, Alignment, name_of, type_of

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

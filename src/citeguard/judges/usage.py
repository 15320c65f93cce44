"""What judges cost: `Usage` sums it up, `Budget` limits it, `UsageCounter` counts it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from citeguard.errors import check_number
from citeguard.language.excerpts import counted_as

_MILLION = 1_000_000
_COUNTS = ("calls", "tokens", "cached", "seconds", "cost")

PAID = ("calls", "tokens", "seconds", "cost")
"""The units that a call of a model elsewhere counts against."""


def _sums(one: Stage | Usage, other: Stage | Usage) -> dict[str, Any]:
    return {name: getattr(one, name) + getattr(other, name) for name in _COUNTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """How many statements one judge of a cascade was asked about, and what that cost.

    The judges of `Policy.support` are the stages, in their order; so is the judge of a rule on a
    field. The judge of a whole answer is not one.

    Attributes:
        place: The position of the judge in the cascade, from 0.
        judge: The judge's name.
        asked: Statements that reached this judge, each once over all attempts: all reach the first
            one, and the next ones get what those before left undecided, also if it was not called
            because the budget was spent.
        decided: How many of them it decided.
        calls: Calls of the judge, or of judges that it asks.
        tokens: Tokens that language models read and wrote, as their endpoints count them.
        cached: Verdicts that were found in a cache.
        seconds: Time spent waiting for the judge.
        cost: What the tokens cost, by `JudgeSettings.price`.

    Examples:
        >>> Stage(place=0, judge="cheap", asked=8, decided=6).share
        0.75
    """

    place: int
    judge: str
    asked: int = 0
    decided: int = 0
    calls: int = 0
    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    @property
    def share(self) -> float:
        """The share of statements that it decided, 0 to 1; 0 if none reached it."""
        return self.decided / self.asked if self.asked else 0.0

    def __str__(self) -> str:
        """Return one line for a reader: "gpt: asked about 3, decided 2; 1 call, 1,204 tokens"."""
        if not self.asked:
            return f"{self.judge}: not asked"
        facts = [counted_as(self.calls, "call"), counted_as(self.tokens, "token")]
        facts += [f"{self.cached:,} from the cache"] if self.cached else []
        facts += [f"cost {self.cost:.4f}"] if self.cost else []
        return f"{self.judge}: asked about {self.asked:,}, decided {self.decided:,}; " + ", ".join(
            facts
        )

    def __add__(self, other: Stage) -> Stage:
        """Add the counts; the place and the judge are those of this stage."""
        asked, decided = self.asked + other.asked, self.decided + other.decided
        return replace(self, asked=asked, decided=decided, **_sums(self, other))


def models_data(stages: Sequence[Stage]) -> dict[str, Any]:
    """Return what language models were asked as JSON-like data; empty if there are none."""
    return {"models": [asdict(stage) for stage in stages]} if stages else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the judges of an answer have cost so far.

    Attributes:
        calls: Calls of judges that are not `local`. What a client retries by itself is not counted.
        tokens: Tokens that such judges read and wrote, as their endpoints count them.
        cached: Verdicts that were found in a cache, those of local judges included.
        seconds: Time spent waiting for judges; judges that work concurrently count once.
        cost: What the tokens cost, by `JudgeSettings.price`, in its currency; 0.0 if no judge has
            a price.
        stages: One row for each judge of the cascade, in order.
    """

    calls: int = 0
    tokens: int = 0
    cached: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    stages: tuple[Stage, ...] = ()

    def __add__(self, other: Usage) -> Usage:
        """Add the costs, and the stages of the same place and judge."""
        stages: dict[tuple[int, str], Stage] = {}
        for stage in (*self.stages, *other.stages):
            key = (stage.place, stage.judge)
            stages[key] = stages[key] + stage if key in stages else stage
        merged = tuple(stages[key] for key in sorted(stages))
        return Usage(**_sums(self, other), stages=merged)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What the judges of one answer may cost, over all attempts; `None` means no limit.

    When it is spent, what is still to be judged is `undecided`. Verdicts from a cache are free, and
    so are those of judges whose `JudgeSettings` are `local`, except for the seconds that they take.
    In plain validation, without `verify` or a guarded client, the budget covers everything that is
    validated with one context, as does `Answer.usage`: make a context for each answer.

    Attributes:
        calls: The most calls of judges.
        tokens: No further call is made once this many tokens are used; calls that are running by
            then are finished, so the sum can be higher.
        seconds: The most seconds spent waiting for judges; calls that are running by then are
            cancelled.
        cost: No further call is made once the tokens cost this much, by `JudgeSettings.price`.

    Raises:
        CiteguardError: A number below 0.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        """Reject negative numbers and other types."""
        for each in fields(self):
            if (value := getattr(self, each.name)) is not None:
                check_number(f"{type(self).__name__}({each.name}=...)", value, 0, math.inf)


class UsageCounter:
    """Counts what judges cost, and knows how much of a budget is left. Thread-safe."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.usage = Usage()
        self._budget = Budget() if budget is None else budget
        self._lock = threading.Lock()

    def add(self, usage: Usage) -> None:
        """Add a cost, here and in every enclosing `track_usage` block."""
        for counter in (self, *_tracking.get()):
            with counter._lock:
                counter.usage += usage

    def spent(self, *units: str) -> str | None:
        """Return a message if the budget of one of these units is spent, else `None`."""
        for unit in units:
            most = getattr(self._budget, unit)
            # At the budget, not above it, so that a budget of 0 allows no call.
            if most is not None and getattr(self.usage, unit) >= most:
                return f"the budget of {most} {unit} is spent"
        return None

    def seconds_left(self) -> float | None:
        """Return how long to wait for judges at most; `None` for no limit."""
        most = self._budget.seconds
        return None if most is None else max(0.0, most - self.usage.seconds)

    @property
    def out_of_time(self) -> str:
        """The message that the budget of seconds is spent."""
        return f"the budget of {self._budget.seconds:g} seconds is spent"


def judge_usage(
    usage: Usage, *, price: float, local: bool = False, stage: Stage | None = None
) -> Usage:
    """Return what the cost of one judge adds to an answer's usage.

    Of a `local` judge, calls and tokens count for its stage only, which has nothing counted yet.
    """
    counts = {"calls": usage.calls, "tokens": usage.tokens, "cached": usage.cached}
    cost = usage.tokens * price / _MILLION
    stages = () if stage is None else (replace(stage, **counts, cost=cost),)
    if local:
        return Usage(cached=usage.cached, cost=cost, stages=stages)
    return Usage(**counts, cost=cost, stages=stages)


# A tuple: tasks that are started inside a block share its value, and may nest blocks of their own.
_tracking: ContextVar[tuple[UsageCounter, ...]] = ContextVar("citeguard_tracking", default=())
_reported: ContextVar[Callable[[Usage], None] | None] = ContextVar(
    "citeguard_reported", default=None
)


@contextmanager
def track_usage() -> Generator[UsageCounter, None, None]:
    """Count what all judges cost that are asked inside the block, whatever is validated.

    Blocks nest, and each counts. Tasks and threads count if they are started inside the block with
    a copy of the context, as asyncio and `asyncio.to_thread` do.

    Yields:
        A counter, whose `usage` is the sum so far.

    Examples:
        >>> with track_usage() as counter:
        ...     pass
        >>> counter.usage
        Usage(calls=0, tokens=0, cached=0, seconds=0.0, cost=0.0, stages=())
    """
    counter = UsageCounter()
    token = _tracking.set((*_tracking.get(), counter))
    try:
        yield counter
    finally:
        _tracking.reset(token)


@contextmanager
def counting(add: Callable[[Usage], None]) -> Generator[None, None, None]:
    """Pass what `report_tokens` reports inside the block to a function."""
    token = _reported.set(add)
    try:
        yield
    finally:
        _reported.reset(token)


def report_tokens(tokens: int) -> None:
    """Report, from inside a judge, how many tokens a call of a language model used.

    They count for the answer that is being judged, and against its budget. Outside of a judge this
    does nothing.
    """
    if (add := _reported.get()) is not None:
        add(Usage(tokens=tokens))

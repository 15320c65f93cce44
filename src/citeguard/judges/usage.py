"""What judges cost: `Meter` counts it, `Budget` bounds it, an answer's `Account` has both."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol

from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Stage, Usage

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What the judges of one answer may cost, over all attempts; `None` is without bound.

    When it is spent, what is still to be judged is `undecided`. Verdicts from a cache are free, and
    so are those of judges whose `JudgeSettings` say `local`, but for the seconds they take. In
    plain validation, without `verify` or a guarded client, it is for all that is validated with one
    context, as is `Answer.usage`: make a context for each answer.

    Attributes:
        calls: The most calls of judges.
        tokens: No further call is made once this many tokens are used; calls that are under way by
            then are finished, so that the sum can be higher.
        seconds: The most seconds spent waiting for judges; what is under way by then is broken off.

    Raises:
        CiteguardError: a number below 0.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuse a number that cannot be spent."""
        for name in ("calls", "tokens", "seconds"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, (int, float)) and value >= 0):
                raise CiteguardError(
                    f"Budget({name}=...) must be a number from 0 on, not {value!r}"
                )


class Meter:
    """Adds up what judges cost; any thread may add.

    Attributes:
        usage: The sum so far.
    """

    def __init__(self) -> None:
        self.usage = Usage()
        self._lock = threading.Lock()

    def add(self, usage: Usage) -> None:
        """Count a cost, here and in every `track_usage` block around."""
        for meter in (self, *_tracking.get()):
            meter.count(usage)

    def count(self, usage: Usage) -> None:
        """Count a cost here."""
        with self._lock:
            self.usage += usage


class Account:
    """What the judges of one answer have cost, and may still cost."""

    def __init__(self, budget: Budget) -> None:
        self.meter = Meter()
        self._budget = budget

    def spent(self, *, local: bool = False) -> str | None:
        """Say which part of the budget is spent, or return `None`; of a local judge's, time."""
        for unit in ("seconds",) if local else ("calls", "tokens", "seconds"):
            most = getattr(self._budget, unit)
            if most is not None and getattr(self.meter.usage, unit) >= most:
                return _spent(most, unit)
        return None

    def seconds_left(self) -> float | None:
        """Return how long judges may still be waited for; `None` for ever."""
        most = self._budget.seconds
        return None if most is None else max(0.0, most - self.meter.usage.seconds)

    @property
    def out_of_time(self) -> str:
        """What to say when that time has passed."""
        return _spent(self._budget.seconds, "seconds")


@dataclass(frozen=True, slots=True)
class Till:
    """Counts the costs of one judge: for the answer, and for the judge's stage if it has one.

    Attributes:
        meter: The answer's.
        stage: The stage, with nothing counted yet.
        local: As in `JudgeSettings`.
        price: As in `JudgeSettings`.
    """

    meter: Meter
    stage: Stage | None = None
    local: bool = False
    price: float = 0.0

    def add(self, usage: Usage) -> None:
        """Count a cost."""
        counts = {"calls": usage.calls, "tokens": usage.tokens, "cached": usage.cached}
        cost = usage.tokens * self.price / _MILLION
        stages = () if self.stage is None else (replace(self.stage, **counts, cost=cost),)
        if self.local:
            self.meter.add(Usage(cached=usage.cached, cost=cost, stages=stages))
        else:
            self.meter.add(Usage(**counts, cost=cost, stages=stages))


def _spent(most: float | None, unit: str) -> str:
    return f"the budget of {most} {unit} is spent"


class Counter(Protocol):
    """What costs can be added to."""

    def add(self, usage: Usage) -> None:
        """Count a cost."""
        ...


_tracking: ContextVar[tuple[Meter, ...]] = ContextVar("citeguard_tracking", default=())
_counting: ContextVar[Counter | None] = ContextVar("citeguard_counting", default=None)


@contextmanager
def track_usage() -> Generator[Meter, None, None]:
    """Add up what all judges cost that are asked inside the block, whatever is validated.

    Blocks nest, and each counts. Tasks and threads count that are started inside the block with a
    copy of the context, as asyncio and `asyncio.to_thread` do.

    Yields:
        The meter, whose `usage` is the sum so far.

    Examples:
        >>> with track_usage() as meter:
        ...     pass
        >>> meter.usage
        Usage(calls=0, tokens=0, cached=0, seconds=0.0, cost=0.0, stages=())
    """
    meter = Meter()
    token = _tracking.set((*_tracking.get(), meter))
    try:
        yield meter
    finally:
        _tracking.reset(token)


@contextmanager
def counting(meter: Counter) -> Generator[None, None, None]:
    """Let `report_tokens` count in this meter, inside the block."""
    token = _counting.set(meter)
    try:
        yield
    finally:
        _counting.reset(token)


def report_tokens(tokens: int) -> None:
    """Say, inside a judge, how many tokens a call of a language model has used.

    They count for the answer that is being judged, and against its budget. Outside of a judge this
    does nothing.
    """
    if (meter := _counting.get()) is not None:
        meter.add(Usage(tokens=tokens))

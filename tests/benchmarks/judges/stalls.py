"""How long an event loop stands still: the longest gap between two turns of a ticking task."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from time import perf_counter
from typing import Any

_TICK = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one run took.

    Attributes:
        wall: Seconds from start to end.
        stall: Seconds of the longest gap between two ticks, which are 1 ms apart; `None` where
            there is no event loop.
        starts: When its attempts began, where it knows better than the language model.
    """

    wall: float
    stall: float | None = None
    starts: list[float] | None = None


async def watched(running: Coroutine[Any, Any, None]) -> Took:
    """Await a coroutine beside a task that ticks."""
    ticker = _Ticker()
    ticking = asyncio.create_task(ticker.run())
    await asyncio.sleep(0.01)
    start = perf_counter()
    await running
    wall = perf_counter() - start
    await asyncio.sleep(0.01)  # the last gap ends with a tick
    ticking.cancel()
    return Took(wall=wall, stall=ticker.longest)


class _Ticker:
    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        last = perf_counter()
        while True:
            await asyncio.sleep(_TICK)
            now = perf_counter()
            self.longest = max(self.longest, now - last)
            last = now

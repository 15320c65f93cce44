"""How the service checks facts, `FactChecking`, and the check of one request in a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, fields
from typing import Any

from citeguard.factcheck.checking import astream_fact_check
from citeguard.factcheck.events import CheckEnded, FactEvent
from citeguard.factcheck.settings import FactBudget, FactPolicy
from citeguard.judges.loops import run_sync
from citeguard.judges.verdicts import Judge
from citeguard.reports.report import Report
from citeguard.web.search import SearchProvider

_WAIT = 0.2  # seconds after which a check that is silent looks whether its client has left


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChecking:
    """Who searches and reads pages for the service, who judges, and what a request may take.

    The attributes are the arguments of `fact_check`. A request can change none of them.

    Attributes:
        search: Who finds pages.
        fetcher: What reads them; by default a `citeguard.web.Fetcher()`, which opens nothing
            private.
        judge: Who says what they say of a statement; by default the reader.
        writer: Who writes the queries; by default no language model does.
        policy: How many pages and passages, and which domains.
        budget: What one request may take.
    """

    search: SearchProvider | Sequence[SearchProvider]
    fetcher: Any = None
    judge: Judge | Sequence[Judge] | None = None
    writer: Any = None
    policy: FactPolicy | None = None
    budget: FactBudget | None = None


GivenFactChecking = FactChecking | Callable[[], FactChecking]
"""A `FactChecking`, or a function that returns it; each worker process calls it once."""


def check_facts(
    text: str,
    facts: FactChecking,
    *,
    on_event: Callable[[FactEvent], object],
    on_wait: Callable[[], object],
) -> Report:
    """Return what pages say of a text.

    Both functions are called in citeguard's background thread, `on_wait` several times a second
    while nothing happens. What they raise stops the check at once: whatever is being fetched or
    searched is cancelled.
    """

    async def check() -> Report:
        given = {each.name: getattr(facts, each.name) for each in fields(facts)}
        async with aclosing(astream_fact_check(text, **given)) as stream:
            while True:
                coming = asyncio.ensure_future(anext(stream))
                try:
                    # `wait_for` would cancel the generator when the time is up.
                    while not (await asyncio.wait([coming], timeout=_WAIT))[0]:
                        on_wait()
                finally:
                    coming.cancel()  # a generator that runs cannot be closed
                    await asyncio.wait([coming])
                event = coming.result()
                on_event(event)
                if isinstance(event, CheckEnded):
                    return event.report

    return run_sync(check())

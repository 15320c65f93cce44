"""A job under way, and what it has told that was not taken yet: `Course`."""

from __future__ import annotations

import asyncio
import logging

from citeguard.server.jobs import Event, Job
from citeguard.server.lanes import Lane
from citeguard.server.receiving import Body
from citeguard.server.refusals import RefusedError, internal_fault

# Bytes of events from which a process waits for its client. Nearly all replies are smaller, so that
# a slow client keeps no process from the next job.
_MOST_UNTAKEN = 4_000_000
_log = logging.getLogger("citeguard.server")

QUIET = Event("quiet")
"""What a course returns when nothing was told for some time."""


class Course:
    """A job under way in a lane; its events wait until they are taken, up to some megabytes.

    Then its process waits, too, and its time goes on.

    Args:
        lane: Who does it.
        job: The job, without its body.
        body: The body; it is closed when the job is done.
    """

    def __init__(self, lane: Lane, job: Job, body: Body) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._untaken = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._body = body
        self._task = asyncio.create_task(self._run(lane, job))

    async def first_event(self) -> Event:
        """Wait for the first event; there is always one, if only an `error`."""
        event = await self.next_event()
        return Event("error", internal_fault().as_json()) if event is None else event

    async def next_event(self, *, within: float | None = None) -> Event | None:
        """Wait for the next event; return `None` after the last, which may be an `error`.

        Args:
            within: Seconds after which `QUIET` is returned if there was none.
        """
        try:
            async with asyncio.timeout(within):
                event = await self._events.get()
        except TimeoutError:
            return QUIET
        if event is not None:
            self._count(-len(event.data))
        return event

    async def stop(self) -> None:
        """End the job if it is still under way."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._body.close()  # the job may not have begun

    async def _run(self, lane: Lane, job: Job) -> None:
        try:
            with self._body:
                await lane.run(job, self._body, self._tell)
        except RefusedError as refusal:
            self._put(Event("error", refusal.as_json()))
        except Exception:  # a fault of the service is told as one
            _log.exception("a request failed")
            self._put(Event("error", internal_fault().as_json()))
        finally:
            self._events.put_nowait(None)

    async def _tell(self, event: Event) -> None:
        await self._has_room.wait()
        self._put(event)

    def _put(self, event: Event) -> None:
        self._count(len(event.data))
        self._events.put_nowait(event)

    def _count(self, more: int) -> None:
        self._untaken += more
        if self._untaken < _MOST_UNTAKEN:
            self._has_room.set()
        else:
            self._has_room.clear()

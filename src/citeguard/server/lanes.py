"""Which worker process does which job, and for how long: `Lane`, and `Course`, a job under way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from citeguard.errors import CiteguardError
from citeguard.server.jobs import Event, Job
from citeguard.server.limits import Limits
from citeguard.server.process import DONE, SPENT
from citeguard.server.receiving import Body
from citeguard.server.refusals import RefusedError, internal_fault, too_much_memory
from citeguard.server.workers import Worker

_READ = "sources"  # the event that says that a request was read
_AGAIN_SECONDS = 5.0  # after which another process is started where one could not be
_log = logging.getLogger("citeguard.server")

QUIET = Event("quiet")
"""What a course returns when nothing was told for some time."""


class Lane:
    """Processes that do jobs, and the jobs that wait for them, first come, first served.

    Args:
        made: What makes the rules of its processes, pickled: a function without arguments.
        limits: How many processes there are, how many jobs wait, and how long all may take.
        documents: Whether its processes read documents, too.
    """

    def __init__(self, made: bytes, limits: Limits, *, documents: bool) -> None:
        self.waiting = 0
        self.running = 0
        self._closing = False
        self._new = lambda: Worker(made, documents)
        self._limits = limits
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._renewals: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the processes, and wait until they are ready.

        Raises:
            CiteguardError: one of them cannot start.
        """
        await asyncio.gather(*(self._add() for _ in range(self._limits.workers)))

    async def close(self) -> None:
        """End the processes, whatever they do."""
        self._closing = True
        await asyncio.gather(*self._renewals)
        for worker in self._workers:
            worker.kill()
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def run(self, job: Job, body: Body, tell: Callable[[Event], object]) -> None:
        """Have a job done. When this is cancelled, its process is ended.

        Args:
            job: The job, without its body.
            body: The body.
            tell: Is told the events as they come.

        Raises:
            RefusedError: too many jobs wait, or it takes too long or too much.
        """
        worker = await self._idle_worker()
        self.running += 1
        fit = False
        try:
            fit = await self._done(worker, job, body, tell)
        finally:
            self.running -= 1
            if fit:
                self._idle.put_nowait(worker)
            else:
                self._renew(worker)

    async def _idle_worker(self) -> Worker:
        limits = self._limits
        if self._idle.empty() and self.waiting >= limits.waiting:
            raise RefusedError("busy", f"{self.waiting:,} requests wait already")
        self.waiting += 1
        try:
            async with asyncio.timeout(limits.waiting_seconds):
                while not (worker := await self._idle.get()).is_alive():
                    self._renew(worker)
                return worker
        except TimeoutError as error:
            told = f"no process was free for {limits.waiting_seconds:g} seconds"
            raise RefusedError("busy", told) from error
        finally:
            self.waiting -= 1

    async def _done(
        self, worker: Worker, job: Job, body: Body, tell: Callable[[Event], object]
    ) -> bool:
        """Have a process do a job; return whether it can do another."""
        now, read = asyncio.get_running_loop().time, False
        try:
            async with asyncio.timeout(self._limits.reading_seconds) as deadline:
                await worker.send(job, body)
                while (event := await worker.next_event()).name != DONE:
                    if event.name == _READ:
                        read = True
                        deadline.reschedule(now() + self._limits.judging_seconds)
                    tell(event)
        except TimeoutError as error:
            raise self._too_slow(read) from error
        except EOFError as error:
            raise too_much_memory() if read else _crashed() from error
        return event.data != SPENT

    def _too_slow(self, read: bool) -> RefusedError:
        doing = "check" if read else "read"
        limits = self._limits
        seconds = limits.judging_seconds if read else limits.reading_seconds
        return RefusedError("too_slow", f"to {doing} this takes longer than {seconds:g} seconds")

    def _renew(self, worker: Worker) -> None:
        worker.kill()
        renewal = asyncio.create_task(self._replace(worker))
        self._renewals.add(renewal)
        renewal.add_done_callback(self._renewals.discard)

    async def _replace(self, worker: Worker) -> None:
        await worker.close()
        self._workers.discard(worker)
        while not self._closing and not await self._added():
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _added(self) -> bool:
        try:
            await self._add()
        except CiteguardError:
            _log.exception("a worker process cannot be replaced")
            return False
        return True

    async def _add(self) -> None:
        worker = self._new()
        self._workers.add(worker)
        await worker.start()
        self._idle.put_nowait(worker)


class Course:
    """A job under way in a lane; its events wait until they are taken.

    So a client that is slow to take them does not keep a process from the next job.

    Args:
        lane: Who does it.
        job: The job, without its body.
        body: The body; it is closed when the job is done.
    """

    def __init__(self, lane: Lane, job: Job, body: Body) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(lane, job, body))

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
                return await self._events.get()
        except TimeoutError:
            return QUIET

    async def stop(self) -> None:
        """End the job if it is still under way."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, lane: Lane, job: Job, body: Body) -> None:
        try:
            with body:
                await lane.run(job, body, self._events.put_nowait)
        except RefusedError as refusal:
            self._events.put_nowait(Event("error", refusal.as_json()))
        except Exception:  # a fault of the service is told as one
            _log.exception("a request failed")
            self._events.put_nowait(Event("error", internal_fault().as_json()))
        finally:
            self._events.put_nowait(None)


def _crashed() -> RefusedError:
    told = "its reader crashed, or took more memory than a request may have"
    return RefusedError("unreadable", f"a document cannot be read: {told}")

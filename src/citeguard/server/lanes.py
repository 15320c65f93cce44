"""Which worker process does which job, and for how long: `Lane`, and `Course`, a job under way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.server.jobs import Event, Job
from citeguard.server.limits import Limits
from citeguard.server.process import DONE, SPENT
from citeguard.server.receiving import Body
from citeguard.server.refusals import RefusedError, internal_fault, too_much_memory
from citeguard.server.workers import Worker

_READ = "sources"  # the event that says that a request was read
_PATIENCE_SECONDS = 3.0  # in which a process leaves a job that nobody waits for
_AGAIN_SECONDS = 5.0  # after which another process is started where one could not be
_log = logging.getLogger("citeguard.server")

QUIET = Event("quiet")
"""What a course returns when nothing was told for some time."""


class Lane:
    """Processes that do jobs, and the jobs that wait for them, first come, first served.

    Args:
        new: Makes a process that has not started.
        limits: How many processes there are, how many jobs wait, and how long all may take.
    """

    def __init__(self, new: Callable[[], Worker], limits: Limits) -> None:
        self.waiting = 0
        self.running = 0
        self._closing = False
        self._new = new
        self._limits = limits
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._changes: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the processes, and wait until they are ready.

        Raises:
            CiteguardError: one of them cannot start.
        """
        await asyncio.gather(*(self._add() for _ in range(self._limits.workers)))

    async def close(self) -> None:
        """End the processes, whatever they do."""
        self._closing = True
        while self._changes:
            await asyncio.gather(*self._changes)
        workers = list(self._workers)
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.close() for worker in workers))

    async def run(self, job: Job, body: Body, tell: Callable[[Event], object]) -> None:
        """Have a job done. When this is cancelled, its process is asked to leave it.

        Args:
            job: The job, without its body.
            body: The body.
            tell: Is told the events as they come.

        Raises:
            RefusedError: too many jobs wait, or it takes too long or too much.
        """
        worker = await self._idle_worker()
        self.running += 1
        try:
            await self._do(worker, job, body, tell)
        except asyncio.CancelledError:
            self._begin(self._stop(worker))
            raise
        except BaseException:
            self._renew(worker)
            raise
        finally:
            self.running -= 1
        self._give_back(worker)

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

    async def _do(
        self, worker: Worker, job: Job, body: Body, tell: Callable[[Event], object]
    ) -> None:
        now, is_read = asyncio.get_running_loop().time, False
        try:
            async with asyncio.timeout(self._limits.reading_seconds) as deadline:
                await worker.send(job, body)
                while (event := await worker.next_event()).name != DONE:
                    if event.name == _READ:
                        is_read = True
                        deadline.reschedule(now() + self._limits.judging_seconds)
                    tell(event)
        except TimeoutError as error:
            raise self._too_slow(is_read) from error
        except EOFError as error:
            raise too_much_memory() if is_read else _crashed() from error
        if event.data == SPENT:
            self._relieve(worker)

    def _too_slow(self, is_read: bool) -> RefusedError:
        doing = "check" if is_read else "read"
        limits = self._limits
        seconds = limits.judging_seconds if is_read else limits.reading_seconds
        return RefusedError("too_slow", f"to {doing} this takes longer than {seconds:g} seconds")

    async def _stop(self, worker: Worker) -> None:
        """Have a process leave its job; to start another would take longer than to wait for it."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await worker.stop()
        except (EOFError, ConnectionError, TimeoutError):
            self._renew(worker)
        else:
            self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        if worker.is_relieved:
            worker.kill()
            self._begin(self._close(worker))
        else:
            self._idle.put_nowait(worker)

    def _renew(self, worker: Worker) -> None:
        """End a process at once, and have another in its place, unless that is coming already."""
        worker.kill()
        self._begin(self._close(worker) if worker.is_tired else self._replace(worker))

    def _relieve(self, worker: Worker) -> None:
        """Have another process in the place of one that works on until then."""
        if not worker.is_tired:
            worker.is_tired = True
            self._begin(self._exchange(worker))

    def _begin(self, change: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)

    async def _replace(self, worker: Worker) -> None:
        await self._close(worker)
        await self._add_at_last()

    async def _exchange(self, worker: Worker) -> None:
        await self._add_at_last()
        worker.is_relieved = True
        for _ in range(self._idle.qsize()):
            self._give_back(self._idle.get_nowait())

    async def _close(self, worker: Worker) -> None:
        await worker.close()
        self._workers.discard(worker)

    async def _add_at_last(self) -> None:
        while not self._closing and not await self._is_added():
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _is_added(self) -> bool:
        try:
            await self._add()
        except CiteguardError:
            _log.exception("a worker process cannot be replaced")
            return False
        return True

    async def _add(self) -> None:
        worker = self._new()
        self._workers.add(worker)
        try:
            await worker.start()
        except CiteguardError:
            await self._close(worker)
            raise
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
                return await self._events.get()
        except TimeoutError:
            return QUIET

    async def stop(self) -> None:
        """End the job if it is still under way."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._body.close()  # the job may not have begun

    async def _run(self, lane: Lane, job: Job) -> None:
        try:
            with self._body:
                await lane.run(job, self._body, self._events.put_nowait)
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

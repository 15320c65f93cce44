"""Which worker process does which job, and for how long: `Lane`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.server.ending import Ending
from citeguard.server.jobs import READING, Event, Job
from citeguard.server.limits import Limits
from citeguard.server.process import DONE, SPENT
from citeguard.server.receiving import Body
from citeguard.server.refusals import RefusedError, too_much_memory
from citeguard.server.workers import Worker

_READ = "sources"  # the event that says that a request was read
_PATIENCE_SECONDS = 3.0  # in which a process leaves a job that nobody waits for
_AGAIN_SECONDS = 5.0  # after which another process is started where one could not be
_log = logging.getLogger("citeguard.server")

Tell = Callable[[Event], Awaitable[object]]
"""Is told the events as they come; no other comes before it has taken one."""


class Lane:
    """Processes that do jobs, and the jobs that wait for them, first come, first served.

    Args:
        new: Makes a process that has not started.
        limits: How many processes there are, how many jobs wait, and how long all may take.
        ending: Until when jobs are done.
    """

    def __init__(self, new: Callable[[], Worker], limits: Limits, ending: Ending) -> None:
        self.waiting = 0
        self.running = 0
        self._ending = ending
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
        self._ending.come()
        while self._changes:
            await asyncio.wait(self._changes)
        workers = list(self._workers)
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.close() for worker in workers))

    @property
    def idle(self) -> int:
        """How many processes wait for a job."""
        return self._idle.qsize()

    @property
    def alive(self) -> int:
        """How many processes there are, whatever they do."""
        return sum(worker.is_alive() for worker in self._workers)

    async def run(self, job: Job, body: Body, tell: Tell) -> None:
        """Have a job done. When this is cancelled, its process is asked to leave it.

        Args:
            job: The job, without its body.
            body: The body.
            tell: Is told the events as they come.

        Raises:
            RefusedError: too many jobs wait, it takes too long or too much, or the ending comes.
        """
        async with self._ending.awaited():
            await self._run(job, body, tell)

    async def _run(self, job: Job, body: Body, tell: Tell) -> None:
        worker = await self._idle_worker()
        self.running += 1
        end = self._renew
        try:
            await self._do(worker, job, body, tell)
            end = self._give_back
        except asyncio.CancelledError:
            end = self._renew if self._ending.has_come else self._stop
            raise
        finally:
            self.running -= 1
            end(worker)

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

    async def _do(self, worker: Worker, job: Job, body: Body, tell: Tell) -> None:
        now, is_read, file = asyncio.get_running_loop().time, False, ""
        try:
            async with asyncio.timeout(self._limits.reading_seconds) as deadline:
                await worker.send(job, body)
                while (event := await worker.next_event()).name != DONE:
                    if event.name == READING:
                        file = event.data.decode()
                        continue
                    if event.name == _READ:
                        is_read, file = True, ""
                        deadline.reschedule(now() + self._limits.judging_seconds)
                    await tell(event)
        except TimeoutError as error:
            raise self._too_slow(is_read) from error
        except EOFError as error:
            raise _unreadable(file) if file else too_much_memory() from error
        self._heed(worker, event)

    def _too_slow(self, is_read: bool) -> RefusedError:
        doing = "check" if is_read else "read"
        limits = self._limits
        seconds = limits.judging_seconds if is_read else limits.reading_seconds
        return RefusedError("too_slow", f"to {doing} this takes longer than {seconds:g} seconds")

    def _stop(self, worker: Worker) -> None:
        """Have a process leave its job; to start another would take longer than to wait for it."""
        self._begin(self._stopped(worker))

    async def _stopped(self, worker: Worker) -> None:
        end = self._renew
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                self._heed(worker, await worker.stop())
            end = self._give_back
        except (EOFError, ConnectionError, TimeoutError):
            pass  # it is renewed
        finally:
            end(worker)

    def _heed(self, worker: Worker, done: Event) -> None:
        if done.data == SPENT:
            self._relieve(worker)

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
        task.add_done_callback(self._changed)

    def _changed(self, task: asyncio.Task[None]) -> None:
        self._changes.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a worker process was not looked after", exc_info=error)

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
        while not self._ending.has_come and not await self._is_added():
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


def _unreadable(file: str) -> RefusedError:
    told = "cannot be read: its reader crashed, or took more memory than a request may have"
    return RefusedError("unreadable", f"{file}: {told}")

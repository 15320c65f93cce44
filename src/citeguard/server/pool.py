"""Worker processes, and the queue of jobs that wait for one: `Pool`, and `RunningJob`."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, closing, nullcontext, suppress
from dataclasses import replace
from typing import Any, Protocol, Self

from citeguard.errors import CiteguardError, logger
from citeguard.server.bodies import Body
from citeguard.server.errors import ServiceError, out_of_memory
from citeguard.server.limits import Limits
from citeguard.server.worker import (
    DONE,
    LENGTH_BYTES,
    READ,
    READING,
    SPENT,
    WORKING,
    Event,
    Job,
)

_START_SECONDS = 120.0  # in which a worker must load its models
_RETRY_SECONDS = 5.0  # after which another worker is started where one could not be
_CANCEL_SECONDS = 3.0  # in which a worker must stop a job that was cancelled
_MAX_PENDING = 4_000_000  # bytes of events; nearly all replies fit, and so free their worker
# The server's own path: the rules may be of modules beside the user's script. `-P` keeps out the
# folder that the service was started in, whose files could shadow modules.
_PROGRAM = (
    "import gc, json, sys; gc.disable(); sys.path[:] = json.loads(sys.argv[1]); "
    "from citeguard.server.worker import main; main(documents={documents})"
)
_log = logger("citeguard.server")

Emit = Callable[[Event], Awaitable[object]]


class Shutdown:
    """Interrupts whatever runs under it once the service shuts down."""

    def __init__(self) -> None:
        self.has_begun = False
        self._timeouts: set[asyncio.Timeout] = set()

    def begin(self) -> None:
        """Interrupt everything."""
        self.has_begun = True
        now = asyncio.get_running_loop().time()
        for timeout in self._timeouts:
            timeout.reschedule(now)

    @asynccontextmanager
    async def interrupting(self) -> AsyncGenerator[None]:
        """Run a block until the shutdown begins, then raise a `ServiceError`."""
        # Not `task.cancel()`: a timeout distinguishes its own cancellation from that of a client
        # that has left.
        timeout = asyncio.timeout(None)
        try:
            if self.has_begun:
                raise TimeoutError
            async with timeout:
                self._timeouts.add(timeout)
                yield
        except TimeoutError as error:
            raise ServiceError("unavailable", "the service is shutting down") from error
        finally:
            self._timeouts.discard(timeout)


# A group of its own keeps Ctrl-C in a terminal away from a worker.
_GROUP: dict[str, Any] = (
    {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    if sys.platform == "win32"
    else {"process_group": 0}
)


class Worker:
    """A worker process, as the server sees it: it works on one job at a time."""

    def __init__(self, rules: bytes, *, documents: bool) -> None:
        """Take a pickled function that returns the `Rules`, and whether it gets documents."""
        self.is_spent = False  # it has asked to be replaced
        self._rules = rules
        self._program = _PROGRAM.format(documents=documents)
        self._process: asyncio.subprocess.Process | None = None
        # A StreamReader raises if two coroutines wait for it, as `close` and `next_event` would.
        self._reading = asyncio.Lock()
        self._length: int | None = None  # of the event to read next, once it is known

    async def start(self) -> None:
        """Start the process, and wait until it is ready."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                # Not multiprocessing: its processes import the user's script once more, and need a
                # thread each to wait for.
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-c", self._program, json.dumps(sys.path)),
                    stdin=PIPE,
                    stdout=PIPE,
                    **_GROUP,
                )
                self._write(self._rules)
                await self.next_event()  # it is ready
        except (EOFError, TimeoutError) as error:
            raise CiteguardError("a worker process cannot start; see its error output") from error

    def send(self, job: Job) -> None:
        """Send a job, all of it, even if the caller is cancelled later."""
        self._write(pickle.dumps(job))

    async def next_event(self) -> Event:
        """Wait for the next event; raise an `EOFError` if the process has ended.

        Cancelling this loses no part of an event.
        """
        async with self._reading:
            process = self._process
            if process is None or process.stdout is None:
                raise EOFError
            # `readexactly` takes nothing if it is cancelled, so that only a length needs to be
            # kept.
            if self._length is None:
                self._length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
            event = Event.from_bytes(await process.stdout.readexactly(self._length))
            self._length = None
        self.is_spent = event == Event(DONE, SPENT)
        return event

    async def cancel_job(self) -> None:
        """Ask the process to stop its job, and wait until it has."""
        self._write(pickle.dumps(None))
        while (await self.next_event()).name != DONE:
            pass

    def is_alive(self) -> bool:
        """Return whether the process runs: the system kills some when memory is short."""
        return self._process is not None and self._process.returncode is None

    async def close(self) -> None:
        """Kill the process, and wait until it has ended."""
        if self._process is None or self._process.stdin is None:
            return
        with suppress(ProcessLookupError):
            # Before the lock: whoever waits for an event holds it until the process ends.
            self._process.kill()
        async with self._reading:
            self._process.stdin.close()
            await self._process.communicate()

    def _write(self, message: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(message)


# `anyio.to_process` would be less code, but breaks five promises (measured with anyio 4.16 on two
# cores). A job returns one value at its end: no claims on the way, and one time limit for reading
# and judging. A cancelled job kills its process, and the next waits 2.5 to 3 seconds for imports
# and models; a job that is asked to stop frees its process in milliseconds. After five quiet
# minutes all idle processes but one are ended, with the same wait. Ctrl-C in a terminal reaches the
# processes, and each then fails its next job. And the server unpickles what a process returns,
# although a hostile file may have taken it over.
class Pool:
    """Workers, and the jobs that wait for one; first come, first served.

    `stop` interrupts the jobs that wait for a worker, `shutdown` all jobs.
    """

    def __init__(
        self, new_worker: Callable[[], Worker], limits: Limits, stop: Shutdown, shutdown: Shutdown
    ) -> None:
        self.waiting = 0
        self.running = 0
        self._new_worker = new_worker
        self._limits = limits
        self._stop = stop
        self._shutdown = shutdown
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> Self:
        """Start the workers, wait until all are ready, and return the pool."""
        await asyncio.gather(*(self._add_worker() for _ in range(self._limits.workers)))
        return self

    async def close(self) -> None:
        """End the workers."""
        self._shutdown.begin()
        # Jobs that the shutdown interrupts add tasks meanwhile.
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    @property
    def idle(self) -> int:
        """The number of workers that wait for a job."""
        return self._idle.qsize()

    @property
    def alive(self) -> int:
        """The number of worker processes."""
        return sum(worker.is_alive() for worker in self._workers)

    async def run(self, job: Job, body: Body, emit: Emit) -> None:
        """Run a job. When this is cancelled, the worker is asked to stop it."""
        async with self._shutdown.interrupting():
            worker = await self._next_worker()
            self.running += 1
            # Whatever else happens, nobody knows what the worker is doing.
            following = self._replace
            try:
                await self._run(worker, job, body, emit)
                following = self._release
            except asyncio.CancelledError:
                following = self._cancel
                raise
            finally:
                self.running -= 1
                self._in_background(following(worker))

    async def _next_worker(self) -> Worker:
        limits, must_wait = self._limits, self._idle.empty()
        if must_wait and self.waiting >= limits.waiting:
            raise ServiceError("busy", f"{self.waiting:,} requests are waiting already")
        self.waiting += 1
        try:
            async with (
                asyncio.timeout(limits.waiting_seconds),
                # `stop` rejects what waits; a request for which a worker is free is still served.
                self._stop.interrupting() if must_wait else nullcontext(),
            ):
                # The system may have killed one that was idle, when memory was short.
                while not (worker := await self._idle.get()).is_alive():
                    self._in_background(self._replace(worker))
                return worker
        except TimeoutError as error:
            message = f"no worker was free for {limits.waiting_seconds:g} seconds"
            raise ServiceError("busy", message) from error
        finally:
            self.waiting -= 1

    async def _run(self, worker: Worker, job: Job, body: Body, emit: Emit) -> None:
        now, limits = asyncio.get_running_loop().time, self._limits
        doing, seconds, file = "reading", limits.reading_seconds, ""
        try:
            async with asyncio.timeout(seconds) as deadline:
                worker.send(replace(job, body=body.read()))
                while (event := await worker.next_event()).name != DONE:
                    if event.name == READING:
                        file = event.data.decode()
                        continue
                    if event.name in ("sources", READ):
                        doing, seconds, file = "checking", limits.judging_seconds, ""
                        deadline.reschedule(now() + seconds)
                    if event.name not in (READ, WORKING):
                        await emit(event)
        except TimeoutError as error:
            message = f"{doing} this takes longer than {seconds:g} seconds"
            raise ServiceError("too_slow", message) from error
        except EOFError as error:
            if not file:
                raise out_of_memory() from error
            message = f"{file}: cannot be read: its reader crashed, or ran out of memory"
            raise ServiceError("unreadable", message) from error

    async def _cancel(self, worker: Worker) -> None:
        """Have a worker stop its job, which takes less time than starting another worker."""
        try:
            async with self._shutdown.interrupting(), asyncio.timeout(_CANCEL_SECONDS):
                await worker.cancel_job()
        except (EOFError, TimeoutError, ServiceError):
            await self._replace(worker)
        else:
            await self._release(worker)

    async def _release(self, worker: Worker) -> None:
        if worker.is_spent:
            await self._replace(worker)
        else:
            self._idle.put_nowait(worker)

    async def _replace(self, worker: Worker) -> None:
        await self._end(worker)
        while not self._shutdown.has_begun:
            try:
                await self._add_worker()
                return
            except CiteguardError:
                _log.exception("a worker process cannot be replaced")
                await asyncio.sleep(_RETRY_SECONDS)

    async def _end(self, worker: Worker) -> None:
        await worker.close()
        self._workers.discard(worker)

    async def _add_worker(self) -> None:
        worker = self._new_worker()
        self._workers.add(worker)
        try:
            await worker.start()
        except CiteguardError:
            await self._end(worker)
            raise
        self._idle.put_nowait(worker)

    def _in_background(self, change: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(change)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Runner(Protocol):
    """Runs jobs: a `Pool`, or what works in the event loop itself."""

    async def run(self, job: Job, body: Body, emit: Emit) -> None:
        """Run a job, and emit its events; raise a `ServiceError` if it cannot be done."""


class RunningJob:
    """A job, whose events wait until they are taken; its body is closed when it ends.

    When too many bytes of events wait, the worker waits, too, and its time limit goes on. The job
    is cancelled at the end of an `async with` block.
    """

    def __init__(self, runner: Runner, job: Job, body: Body) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._pending = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._body = body
        self._task = asyncio.create_task(self._run(runner, job))

    async def next_event(self) -> Event | None:
        """Wait for the next event; return `None` after the last."""
        event = await self._events.get()
        if event is None:
            await self._task  # raises what it raised
        else:
            self._count(-len(event.data))
        return event

    async def __aiter__(self) -> AsyncGenerator[Event]:
        """Yield the events; raise the `ServiceError` that the last may be."""
        while (event := await self.next_event()) is not None:
            if event.name == "error":
                raise ServiceError.from_json(event.data)
            yield event

    async def __aenter__(self) -> Self:
        """Begin a block, at the end of which the job is stopped."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """End it."""
        await self.stop()

    async def stop(self) -> None:
        """Cancel the job if it has not ended."""
        self._task.cancel()
        # Unlike `await self._task`, this does not raise what the job has raised.
        await asyncio.wait([self._task])
        self._body.close()  # the job may not have begun

    async def _run(self, runner: Runner, job: Job) -> None:
        try:
            with closing(self._body):
                await runner.run(job, self._body, self._emit)
        except ServiceError as error:
            # Not `_emit`: the last event waits for no room.
            self._put(Event("error", error.as_json()))
        finally:
            self._events.put_nowait(None)

    async def _emit(self, event: Event) -> None:
        await self._has_room.wait()
        self._put(event)

    def _put(self, event: Event) -> None:
        self._events.put_nowait(event)
        self._count(len(event.data))

    def _count(self, length: int) -> None:
        self._pending += length
        if self._pending < _MAX_PENDING:
            self._has_room.set()
        else:
            self._has_room.clear()

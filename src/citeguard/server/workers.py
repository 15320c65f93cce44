"""Worker processes, as the server sees them: `Worker` is one."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context, resource_tracker
from typing import Any, TypeVar

from citeguard.errors import CiteguardError
from citeguard.server.jobs import Event, Job
from citeguard.server.process import DONE, READY, run_process
from citeguard.server.receiving import Body

T = TypeVar("T")

_START_SECONDS = 120.0  # in which a process loads its models


class Worker:
    """A process that does one job at a time.

    Args:
        made: What makes its rules, pickled: a function without arguments.
        documents: Whether it reads documents, too, and stands back for those that do not.

    Attributes:
        is_tired: Whether another process is to come in its place.
        is_relieved: Whether that is there.
    """

    def __init__(self, made: bytes, *, documents: bool) -> None:
        self.is_tired = self.is_relieved = self._is_closed = False
        context = get_context("spawn")  # a fork would have the server's sockets and locks
        self._connection, self._theirs = context.Pipe()
        self._process = context.Process(
            target=run_process,
            args=(self._theirs, made, documents),
            name="citeguard-worker",
            daemon=True,
        )
        # One thread for all that waits: so the pipe is not closed while something is read from it.
        self._thread = ThreadPoolExecutor(1, "citeguard-worker")
        self._sending: asyncio.Future[None] | None = None
        self._coming: asyncio.Future[Event] | None = None

    async def start(self) -> None:
        """Start the process, and wait until it is ready.

        Raises:
            CiteguardError: it has ended, or is not ready in time.
        """
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self._waiting(self._start)
                event = await self.next_event()
        except (EOFError, TimeoutError) as error:
            self.kill()
            raise CiteguardError("a worker process cannot start; see what it printed") from error
        if event.name != READY:
            raise CiteguardError(f"a worker process says {event.name!r}, not that it is ready")

    async def send(self, job: Job, body: Body) -> None:
        """Send it a job with a body, all of it, also if this is cancelled.

        Raises:
            EOFError: it has ended.
        """
        # Read here, not in the thread: who cancels this closes the body at once.
        whole = replace(job, body=body.read())
        self._sending = self._waiting(lambda: self._connection.send(whole))
        await asyncio.shield(self._sending)

    async def next_event(self) -> Event:
        """Wait for what it tells next; what was waited for in vain is told to who waits next.

        Raises:
            EOFError: it has ended.
        """
        if self._coming is None:
            self._coming = self._waiting(self._receive)
        event = await asyncio.shield(self._coming)
        self._coming = None
        return event

    async def stop(self) -> Event:
        """Ask it to leave its job, wait until it has, and return what it says then.

        Raises:
            EOFError: it has ended.
        """
        if self._sending is not None:
            await asyncio.shield(self._sending)
        self._connection.send(None)
        while (event := await self.next_event()).name != DONE:
            pass
        return event

    def is_alive(self) -> bool:
        """Tell whether the process is there: the system ends some when memory runs out."""
        return not self._is_closed and self._process.is_alive()

    def kill(self) -> None:
        """End it at once, whatever it does."""
        if not self._is_closed and self._process.pid is not None:
            self._process.kill()

    async def close(self) -> None:
        """Wait until it has ended, and free what it took."""
        if not self._is_closed:
            self._is_closed = True
            await self._waiting(self._free)
            self._thread.shutdown(wait=False)

    def _start(self) -> None:
        with _deaf_to_interrupts():
            self._process.start()
        self._theirs.close()  # so that the pipe ends with the process

    def _receive(self) -> Event:
        return Event.from_bytes(self._connection.recv_bytes())

    def _free(self) -> None:
        if self._process.pid is not None:
            self._process.join()
        self._process.close()
        self._connection.close()

    def _waiting(self, function: Callable[[], T]) -> asyncio.Future[T]:
        future = asyncio.get_running_loop().run_in_executor(self._thread, _ending, function)
        future.add_done_callback(_heeded)
        return future


@contextmanager
def _deaf_to_interrupts() -> Generator[None]:
    """Have a process that is started get no SIGINT: Ctrl-C is for the server, which ends it.

    A process inherits what its thread blocks; itself it could only say so after its imports.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # or starting it with the process would end the blocking
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ending(function: Callable[[], T]) -> T:
    try:
        return function()
    except ConnectionError as error:
        raise EOFError from error


def _heeded(future: asyncio.Future[Any]) -> None:
    """Let nobody be warned of an end that nobody waits to hear of any more."""
    if not future.cancelled():
        future.exception()

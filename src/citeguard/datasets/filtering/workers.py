"""Work on chunks in several processes, with the results in the order of the chunks."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import chain, islice
from typing import Any, TypeVar, cast

import cloudpickle  # pyright: ignore[reportMissingTypeStubs]
import loky  # pyright: ignore[reportMissingTypeStubs]

from citeguard.errors import CiteguardError

C = TypeVar("C")
R = TypeVar("R")

# To start processes takes longer than to work on so few chunks.
_FEW_CHUNKS = 4
_WAITING_PER_WORKER = 4
_WATCH_EVERY = 1.0  # seconds

# Otherwise loky replaces, with a warning, each process that has grown by 300 MB, as it does when
# a judge's model is loaded.
_ENVIRONMENT = {"LOKY_MAX_MEMORY_LEAK_SIZE": "1e18"}


def in_order(
    work: Callable[[C], R], chunks: Iterable[C], workers: int | None = None
) -> Iterator[R]:
    """Yield what `work` makes of each chunk, in their order, and a few chunks ahead.

    Args:
        work: What is done; it goes to each process once.
        chunks: What it is done with.
        workers: How many processes; 1 is this one. `None` is one for each core, or this one if
            there are few chunks, or `work` cannot be sent to another.

    Raises:
        CiteguardError: `work` cannot be sent to as many processes as were asked for, or one of
            them died.
    """
    if workers is None:
        rest = iter(chunks)
        first = list(islice(rest, _FEW_CHUNKS + 1))
        chunks = chain(first, rest)
        workers = loky.cpu_count() if len(first) > _FEW_CHUNKS and _pickled(work) else 1
    if workers == 1:
        yield from map(work, chunks)
        return
    sent = _pickled(work)
    if sent is None:
        raise CiteguardError(
            "the model or the policy cannot be sent to other processes: give the policy as a "
            "function that makes it, or set workers=1"
        )
    yield from _in_processes(sent, chunks, workers)


def _pickled(work: Any) -> bytes | None:
    """Return an object as bytes, for another process; `None` if it cannot be sent there."""
    try:
        return cast("Any", cloudpickle).dumps(work)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RuntimeError):
        return None  # a lock, a connection, or something else that lives in this process only


def _in_processes(work: bytes, chunks: Iterable[Any], workers: int) -> Iterator[Any]:
    pool: Any = loky.ProcessPoolExecutor(
        workers, initializer=_prepare, initargs=(work, os.getpid()), env=_ENVIRONMENT
    )
    waiting: deque[Future[Any]] = deque()
    rest = iter(chunks)
    try:
        while True:
            room = workers * _WAITING_PER_WORKER - len(waiting)
            waiting.extend(pool.submit(_run, chunk) for chunk in islice(rest, room))
            if not waiting:
                return
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise CiteguardError(f"the worker processes failed: {_first_line(error)}") from error
    finally:
        pool.shutdown(wait=True, kill_workers=True)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__


# What a worker process does, and has been sent once.
_sent: bytes = b""


def _prepare(work: bytes, parent: int) -> None:
    global _sent
    _sent = work
    # The parent is told of Ctrl-C, too, and stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    """End this process when its parent has been killed; it would wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(_WATCH_EVERY)
    os._exit(1)


@cache
def _work() -> Callable[[Any], Any]:
    return pickle.loads(_sent)


def _run(chunk: Any) -> Any:
    return _work()(chunk)

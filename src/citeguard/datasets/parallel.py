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

from citeguard.errors import CiteguardError, check_whole

C = TypeVar("C")
R = TypeVar("R")

# Starting processes takes longer than so few chunks.
_FEW_CHUNKS = 4
# Results leave in order, so that one slow chunk keeps the others waiting, in memory.
_QUEUED_PER_WORKER = 4
_CHECK_PARENT_EVERY = 1.0  # seconds; nobody else ends the workers of a process that was killed


def map_in_order(
    work: Callable[[C], R], chunks: Iterable[C], workers: int | None = None
) -> Iterator[R]:
    """Yield the result of `work` for each chunk, in order, working a few chunks ahead.

    `work` is sent to each process once. One worker is this process; `None` is one for each core, or
    this process if there are few chunks or `work` cannot be pickled.

    Raises:
        CiteguardError: `work` cannot be sent to the processes, or one of them died.
    """
    if workers is not None:
        check_whole("workers", workers, 1)
    else:
        rest = iter(chunks)
        first = list(islice(rest, _FEW_CHUNKS + 1))
        chunks = chain(first, rest)
        workers = loky.cpu_count() if len(first) > _FEW_CHUNKS and _pickled(work) else 1
    if workers == 1:
        yield from map(work, chunks)
        return
    pickled = _pickled(work)
    if pickled is None:
        raise CiteguardError(
            "the model or the policy cannot be sent to other processes: give the policy as a "
            "function that makes it, or set workers=1"
        )
    # loky, not `concurrent.futures`: it sends a model that was defined in a script, and needs no
    # main guard there. By default it replaces, with a warning, each process that has grown by
    # 300 MB, as one does that loads a judge's model.
    pool: Any = loky.ProcessPoolExecutor(
        workers,
        initializer=_initialize,
        initargs=(pickled, os.getpid()),
        env={"LOKY_MAX_MEMORY_LEAK_SIZE": "1e18"},
    )
    queue: deque[Future[Any]] = deque()
    rest = iter(chunks)
    try:
        while True:
            room = workers * _QUEUED_PER_WORKER - len(queue)
            queue.extend(pool.submit(_run, chunk) for chunk in islice(rest, room))
            if not queue:
                return
            yield queue.popleft().result()
    except BrokenProcessPool as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise CiteguardError(f"the worker processes failed: {reason}") from error
    finally:
        pool.shutdown(wait=True, kill_workers=True)


def _pickled(work: Any) -> bytes | None:
    try:
        return cast("Any", cloudpickle).dumps(work)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RuntimeError):
        return None  # a lock, a connection, or something else that belongs to this process


# In a worker process: the work that it was sent.
_pickled_work: bytes = b""


def _initialize(work: bytes, parent: int) -> None:
    def exit_after_parent() -> None:
        # A worker whose parent was killed would wait for work for ever.
        while os.getppid() == parent:
            time.sleep(_CHECK_PARENT_EVERY)
        os._exit(1)

    global _pickled_work
    _pickled_work = work
    # Ctrl-C reaches the parent, too, which stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=exit_after_parent, daemon=True).start()


@cache
def _work() -> Callable[[Any], Any]:
    return pickle.loads(_pickled_work)


def _run(chunk: Any) -> Any:
    return _work()(chunk)

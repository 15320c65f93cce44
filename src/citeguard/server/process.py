"""A worker process: takes a job at a time, does it, and tells of it: `run_process`."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import threading
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

from tqdm import tqdm

from citeguard.server.jobs import Event, Job
from citeguard.server.refusals import RefusedError, internal_fault, too_much_memory
from citeguard.server.work import Emit, Rules, warm_up, work_on

READY = "ready"
"""The event that says that a process waits for its first job."""

DONE = "done"
"""The event that says that it waits for the next."""

SPENT = b"spent"
"""What `done` says of a process that should make room for a new one."""

# What is cached and left over grows with the texts seen; a new process costs a second.
_MOST_JOBS = 500
_NICENESS = 5  # of 0 to 19: of a core that another wants, too, it gets about a quarter
_LARGE = 400_000_000  # bytes of memory that are better given back
_MEMORY = Path("/proc/self/statm")  # where Linux says how much that is, in pages
_log = logging.getLogger("citeguard.server")


def run_process(connection: Connection, made: bytes, documents: bool) -> None:
    """Do jobs until there is nobody any more who sends some.

    Args:
        connection: Jobs come in here, and events go out, as bytes.
        made: What makes the rules, pickled: a function without arguments.
        documents: Whether it reads documents, too. These may be made to take long, so that it
            stands back when others need the processor.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's, which ends this process
    leaving = _Leaving()
    signal.signal(signal.SIGTERM, leaving.ask)
    _log_faults_only()
    if documents and hasattr(os, "nice"):
        os.nice(_NICENESS)
    # The one between processes, which it would make, would outlive a process that is killed.
    cast("Any", tqdm).set_lock(threading.RLock())
    rules: Rules = pickle.loads(made)()
    warm_up(rules, documents=documents)
    _limit_memory(rules.limits.memory_bytes)
    with suppress(EOFError, ConnectionError):  # the server has gone
        connection.send_bytes(Event(READY).as_bytes())
        for number in count(1):
            job = _next_job(connection)
            leaving.busy = True
            _do(job, rules, connection)
            del job
            is_spent = number >= _MOST_JOBS or _memory() > _LARGE
            connection.send_bytes(Event(DONE, SPENT if is_spent else b"").as_bytes())
            leaving.busy = False
            if leaving.asked:
                return


class _StoppedError(Exception):
    """Nobody waits any more for what is being done."""


class _Leaving:
    """Lets a process that is asked to end (SIGTERM) finish its job before."""

    def __init__(self) -> None:
        self.busy = False
        self.asked = False

    def ask(self, *_: object) -> None:
        self.asked = True
        if not self.busy:
            sys.exit()


def _next_job(connection: Connection) -> Job:
    while (job := connection.recv()) is None:
        pass  # what was to be stopped had ended already
    return job


def _do(job: Job, rules: Rules, connection: Connection) -> None:
    def emit(event: Event) -> None:
        if connection.poll():
            connection.recv()
            raise _StoppedError
        connection.send_bytes(event.as_bytes())

    with suppress(_StoppedError):
        _do_or_refuse(job, rules, emit)


def _do_or_refuse(job: Job, rules: Rules, emit: Emit) -> None:
    try:
        work_on(job, rules, emit)
    except RefusedError as refusal:
        emit(Event("error", refusal.as_json()))
    except MemoryError:
        emit(Event("error", too_much_memory().as_json()))
    except (ConnectionError, EOFError, _StoppedError):
        raise
    except Exception:  # a fault of one request is not to end the process
        _log.exception("a request failed")
        emit(Event("error", internal_fault().as_json()))


def _log_faults_only() -> None:
    """Say nothing of what readers make of a client's file; the client is told."""
    logging.getLogger().addHandler(logging.NullHandler())
    _log.addHandler(logging.StreamHandler())


def _limit_memory(most: int) -> None:
    """Let no request take more: what is asked for then fails, in Python as a `MemoryError`."""
    if sys.platform == "linux":
        import resource

        # Data, not addresses: libraries reserve far more of those than they use.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _memory() -> int:
    """Return how many bytes of memory this process has; 0 where the system does not say."""
    if not _MEMORY.exists():
        return 0
    return int(_MEMORY.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

"""Runs of a filter that are killed by SIGKILL before each step on a file; a program of its own.

    python killed_runs.py FOLDER

It forks a process for each run, so that the package is loaded once. Each run kills itself before
its n-th step on a file, for every n, and another ends it. It prints how many runs were killed. The
folder has `in.jsonl.gz`; the runs write to `out` in it.
"""

import gc
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import pyarrow.parquet
from pydantic import AfterValidator

from citeguard import Answer
from citeguard.datasets import check_samples, filter_samples
from citeguard.datasets import filtering as runs

CHUNK_SIZE = 8
"""Samples: small, as every step is killed with two chunks of them."""


def slowly(answer: Answer) -> Answer:
    time.sleep(0.0002)
    return answer


SlowAnswer = Annotated[Answer, AfterValidator(slowly)]


def filter_all(folder: Path, workers: int, rejected: str = "rejected.parquet") -> None:
    out = folder / "out"
    filter_samples(
        folder / "in.jsonl.gz",
        model=SlowAnswer,
        kept=out / "kept.jsonl",
        rejected=out / rejected,
        undecided=out / "undecided.jsonl.gz",
        workers=workers,
        progress=False,
    )


def forked(work: Callable[[], None]) -> int:
    """Do something in a process of its own, and return its id."""
    if pid := os.fork():
        return pid
    try:
        work()
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        os._exit(1)
    os._exit(0)


def kill_at_each_step(folder: Path, workers: int) -> int:
    """Kill a run before its n-th step, and let another end it, for every n."""
    runs._SAVE_EVERY = 0.0  # pyright: ignore[reportPrivateUsage]
    runs.CHUNK_SIZE = CHUNK_SIZE
    out = folder / "out"
    for n in itertools.count(1):
        pid = forked(lambda n=n: dying_at(n, lambda: filter_all(folder, workers)))
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            if status:
                raise SystemExit("a run failed")
            return n - 1
        require_success(forked(lambda: filter_all(folder, workers)))
        out.rename(folder / f"out.{n}")
        out.mkdir()
    raise AssertionError


def dying_at(step: int, work: Callable[[], None]) -> None:
    """Do something, and kill this process before its n-th step on a file."""
    steps = itertools.count(1)

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            if next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return call

    for name in ("replace", "unlink", "write_text", "write_bytes"):
        setattr(Path, name, counted(getattr(Path, name)))
    os.open = counted(os.open)  # type: ignore[assignment]
    runs._write = counted(runs._write)  # type: ignore[assignment]  # pyright: ignore[reportPrivateUsage]
    work()


def load_all() -> None:
    """Load what every run needs, so that the processes which are forked need not."""
    statements = [{"text": "A month.", "citations": [{"quote": quote}]} for quote in ("one", "not")]
    list(check_samples([{"statements": statements, "sources": "It is one month."}] * 2))
    pyarrow.array([{"loads": "pandas"}])
    gc.freeze()


def require_success(pid: int) -> None:
    if os.waitpid(pid, 0)[1]:
        raise SystemExit("a run that went on failed")


def main() -> Iterator[str]:
    folder = Path(sys.argv[1])
    load_all()
    (folder / "out").mkdir()
    yield f"{kill_at_each_step(folder, 1)} killed\n"


if __name__ == "__main__":
    sys.stdout.writelines(main())

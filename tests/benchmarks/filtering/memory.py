"""Resident memory while very many samples are filtered, in all processes together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from citeguard.datasets import filter_samples

from ..tables import table

if TYPE_CHECKING:
    import psutil

_EVERY = 0.2  # seconds
_MEGABYTE = 1_000_000
_NUMBERS = (10_000, 100_000, 1_000_000)


def memory_lines(samples: list[dict[str, Any]]) -> Iterator[str]:
    """Write the highest memory for ever more samples, the same ones over and over."""
    rows = [_row(samples, number) for number in _NUMBERS]
    columns = ["samples", "highest, this process", "highest, both workers", "kept"]
    yield from table("Resident memory in MB, two workers", columns, rows)


def _row(samples: list[dict[str, Any]], number: int) -> list[object]:
    with TemporaryDirectory() as folder, _Watch() as watch:
        summary = filter_samples(
            islice(_over_and_over(samples), number),
            kept=Path(folder) / "kept.jsonl",
            rejected=Path(folder) / "rejected.jsonl.gz",
            workers=2,
            progress=False,
        )
    own, theirs = watch.highest
    kept = f"{100 * summary.kept / summary.read:.1f} %"
    return [f"{number:,}", f"{own / _MEGABYTE:,.0f}", f"{theirs / _MEGABYTE:,.0f}", kept]


def _over_and_over(samples: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield samples without end; each round has texts of its own, so that no source comes twice."""
    return chain.from_iterable((_numbered(each, n) for each in samples) for n in count())


def _numbered(sample: dict[str, Any], number: int) -> dict[str, Any]:
    sources = [{**each, "text": f"{each['text']} {number}"} for each in sample["sources"]]
    return {**sample, "sources": sources}


class _Watch:
    """Looks at the memory of this process and of its children now and then."""

    def __init__(self) -> None:
        self.highest = (0, 0)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        import psutil  # of the extra `benchmarks`, without which tests collect this module

        this = psutil.Process()
        while not self._done.wait(_EVERY):
            theirs = sum(map(_resident, this.children(recursive=True)))
            self.highest = (max(self.highest[0], _resident(this)), max(self.highest[1], theirs))


def _resident(process: psutil.Process) -> int:
    import psutil

    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0

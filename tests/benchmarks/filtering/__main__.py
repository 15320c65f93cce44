"""Measure how quickly datasets are filtered, with one process and several, in how much memory.

    python -m tests.benchmarks.filtering DATA_FOLDER

Prints Markdown tables; a million samples take a quarter of an hour.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from itertools import chain, count, islice
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from citeguard.datasets import filter_samples
from citeguard.language.sentences import sentence_intervals

from ..data import rows
from ..tables import command, table, write

_LEAST = 1_500
_LEAST_RATIO = 1.7
_ROUNDS = 3
_TIMES = 4  # over: long enough for the start of processes not to count

_EVERY = 0.2  # seconds
_MEGABYTE = 1_000_000
_NUMBERS = (10_000, 100_000, 1_000_000)
_SETS = ("quotes_synth", "ragtruth_sent")

Samples = dict[str, list[dict[str, Any]]]


def rate_lines(sets: Samples) -> Iterator[str]:
    """Write how many samples a second one process filters, from file to files."""
    with TemporaryDirectory() as folder:
        every = {**sets, "together": [*chain(*sets.values())]}
        rows = [_rate_row(name, samples, Path(folder)) for name, samples in every.items()]
    columns = ["samples", "number", "characters of context", "kept", "per second"]
    title = f"One process, CPU time, median of {_ROUNDS}; aim {_LEAST:,} per second"
    yield from table(title, columns, rows)


def worker_lines(sets: Samples) -> Iterator[str]:
    """Write how much quicker two workers are than one."""
    with TemporaryDirectory() as folder:
        path = _written([*chain(*sets.values())] * _TIMES, Path(folder))
        taken = [(_seconds(path, 1), _seconds(path, 2)) for _ in range(_ROUNDS)]
    ratios = sorted(one / two for one, two in taken)
    shown = [f"{ratio:.2f}" for ratio in (ratios[0], median(ratios), ratios[-1])]
    columns = ["", "minimum", "median", "maximum"]
    title = f"Two workers against one, side by side; aim {_LEAST_RATIO}"
    yield from table(title, columns, [["speed-up", *shown]])


def _rate_row(name: str, samples: list[dict[str, Any]], folder: Path) -> list[object]:
    path = _written(samples, folder)
    rate = len(samples) / median(_seconds(path, 1, time.process_time) for _ in range(_ROUNDS))
    kept = len((folder / "kept.jsonl").read_bytes().splitlines()) / len(samples)
    length = mean(sum(len(each["text"]) for each in sample["sources"]) for sample in samples)
    shown = f"{rate:,.0f}" if rate >= _LEAST else f"**{rate:,.0f}**"
    return [name, f"{len(samples):,}", f"{length:,.0f}", f"{100 * kept:.1f} %", shown]


def _written(samples: list[dict[str, Any]], folder: Path) -> Path:
    path = folder / "samples.jsonl"
    path.write_text("".join(f"{json.dumps(sample)}\n" for sample in samples), encoding="utf-8")
    return path


def _seconds(path: Path, workers: int, now: Callable[[], float] = time.perf_counter) -> float:
    start = now()
    filter_samples(
        path,
        kept=path.with_name("kept.jsonl"),
        rejected=path.with_name("rejected.jsonl"),
        workers=workers,
        restart=True,
        progress=False,
    )
    return now() - start


def samples(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the samples of each set; over half of the quotes in quotes_synth are altered ones."""
    return {name: list(_samples(data / f"{name}.jsonl.gz")) for name in _SETS}


def _samples(path: Path) -> Iterator[dict[str, Any]]:
    for item in rows(path):
        quote, source_id = _quote(item)
        citation = {"quote": quote, "source_id": source_id}
        yield {
            "id": item["id"],
            "question": item["question"],
            "statements": [{"text": item["statement"], "citations": [citation]}],
            "sources": item["context"],
        }


def _quote(item: dict[str, Any]) -> tuple[str, str]:
    """Return the item's own quote, or the sentence of its context that shares most words."""
    if item["quote"] is not None:
        return item["quote"], item["meta"]["cited"]
    wanted = _words(item["statement"])
    sentences = [
        (source["text"][start:end], source["id"])
        for source in item["context"]
        for start, end in sentence_intervals(source["text"])
    ]
    return max(sentences, key=lambda each: len(wanted & _words(each[0])))


def _words(text: str) -> set[str]:
    return set(text.lower().split())


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
        this = psutil.Process()
        while not self._done.wait(_EVERY):
            theirs = sum(map(_resident, this.children(recursive=True)))
            self.highest = (max(self.highest[0], _resident(this)), max(self.highest[1], theirs))


def _resident(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0


if __name__ == "__main__":
    sets = samples(command("filtering", __doc__).parse_args().data)
    write(chain(rate_lines(sets), worker_lines(sets), memory_lines([*chain(*sets.values())])))

"""Samples in a second: of each set in one process, and of all with one worker and with two."""

import json
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from citeguard.datasets import filter_samples

from ..tables import table

_LEAST = 1_500
_LEAST_RATIO = 1.7
_ROUNDS = 3
_TIMES = 4  # over: long enough for the start of processes not to count

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

"""Wall time and stalls of one answer judged, each way, and of many at a time."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Any

import instructor

from benchmarks.speed.timing import seconds
from citeguard import guard

from ..tables import met, table
from .answers import CHANGED, STATEMENTS
from .by_hand import answer_judged
from .served import Asked, Log, Served, async_client, child_environment
from .stalls import Took, watched
from .ways import GUARD_ASYNC, MODEL, WAYS, Way, fresh_report, policy_with, request

GENERATING = 0.3
JUDGING = 0.25
_MOST_RATIO = 1.25
_MOST_STALL = 0.050
_CROWD = 10
_CONCURRENCY = 16
_BATCH_SIZES = (5, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sample:
    """One run: what it took, and what judges asked in each attempt."""

    took: Took
    attempts: list[list[Asked]]


def way_lines(runs: int) -> Iterator[str]:
    """Run the ways in turns, and report the medians."""
    with Served(generating=GENERATING, judging=JUDGING) as served:
        for way in WAYS:
            if way.ours:
                _sample(way, served)  # the first call imports; `first_call_lines` measures that
        rounds = [[_sample(way, served) for way in WAYS] for _ in range(runs)]
    columns = zip(*rounds, strict=True)
    yield from table(
        f"Two attempts at {STATEMENTS} statements, {len(CHANGED)} of them changed for the second; "
        f"generation {seconds(GENERATING)}, judge {seconds(JUDGING)}; medians of {runs} runs",
        ("method", "wall", "ideal", "ratio", "worst", "stall", "worst", "calls", "judged"),
        (_way_row(way, samples) for way, samples in zip(WAYS, columns, strict=True)),
    )


def _sample(way: Way, served: Served) -> _Sample:
    took = way.run(served.base_url)
    log = served.log()
    return _Sample(took=took, attempts=log.judged(took.starts or log.starts()))


def _way_row(way: Way, samples: Sequence[_Sample]) -> tuple[object, ...]:
    ideal = way.generations * GENERATING + 2 * JUDGING
    ratios = [sample.took.wall / ideal for sample in samples]
    stalls = [sample.took.stall for sample in samples if sample.took.stall is not None]
    most_ratio = _MOST_RATIO if way.ours else float("inf")
    most_stall = _MOST_STALL if way.ours else float("inf")
    return (
        way.name,
        seconds(median(sample.took.wall for sample in samples)),
        seconds(ideal),
        met(median(ratios), most_ratio, f"{median(ratios):.2f}"),
        f"{max(ratios):.2f}",
        met(median(stalls), most_stall, seconds(median(stalls))) if stalls else "–",
        seconds(max(stalls)) if stalls else "–",
        _same([[len(attempt) for attempt in sample.attempts] for sample in samples]),
        _same([[_judged(attempt) for attempt in sample.attempts] for sample in samples]),
    )


def _judged(attempt: Iterable[Asked]) -> int:
    # The judge of the whole answer sees every statement; here those count that were judged alone.
    return sum(len(asked.statements) for asked in attempt if asked.kind != "alignment")


def _same(counts: Sequence[Sequence[int]]) -> str:
    """Write the counts of the attempts: of all runs where these differ."""
    return ", or ".join(dict.fromkeys(" + ".join(map(str, each)) for each in counts))


def first_call_lines(runs: int) -> Iterator[str]:
    """Report what the first call of a process takes, which imports and reads what it needs."""
    with Served(generating=GENERATING, judging=JUDGING) as served:
        command = [sys.executable, "-m", "benchmarks.judges.waiting", served.base_url]
        rounds = [_in_a_process(command) for _ in range(runs)]
    columns = zip(*rounds, strict=True)
    yield from table(
        f"`guard(AsyncInstructor)` in a process of its own; medians of {runs} runs",
        ("call", "wall", "ratio", "stall"),
        (_call_row(*named) for named in zip(("first", "second"), columns, strict=True)),
    )


def _call_row(name: str, samples: Sequence[Sequence[float]]) -> tuple[object, ...]:
    wall, stall = (median(column) for column in zip(*samples, strict=True))
    ratio = wall / (2 * GENERATING + 2 * JUDGING)
    return (
        name,
        seconds(wall),
        met(ratio, _MOST_RATIO, f"{ratio:.2f}"),
        met(stall, _MOST_STALL, seconds(stall)),
    )


def _in_a_process(command: list[str]) -> list[list[float]]:
    done = subprocess.run(
        command, check=True, env=child_environment(), capture_output=True, text=True
    )
    return json.loads(done.stdout)


def crowd_lines(runs: int) -> Iterator[str]:
    """Report many generations at a time, with one judge for all."""
    cases = [(name, crowd, size) for size in _BATCH_SIZES for name, crowd in _CROWDS.items()]
    with Served(generating=GENERATING, judging=JUDGING) as served:
        rounds = [
            [(crowd(served.base_url, size), served.log()) for _, crowd, size in cases]
            for _ in range(runs)
        ]
    columns = zip(*rounds, strict=True)
    yield from table(
        f"{_CROWD} generations of {STATEMENTS} statements at a time, two attempts each, one judge "
        f"with `concurrency={_CONCURRENCY}`; medians of {runs} runs",
        ("method", "batch_size", "wall", "ideal", "ratio", "most judge calls in flight", *_REST),
        (
            _crowd_row(name, size, samples)
            for (name, _, size), samples in zip(cases, columns, strict=True)
        ),
    )


_REST = ("stall", "calls")


def _crowd_row(name: str, size: int, samples: Sequence[tuple[Took, Log]]) -> tuple[object, ...]:
    wall = median(took.wall for took, _ in samples)
    in_flight = max(log.in_flight for _, log in samples)
    ideal = _crowd_ideal(size)
    return (
        name,
        size,
        seconds(wall),
        seconds(ideal),
        f"{wall / ideal:.2f}",
        met(in_flight, _CONCURRENCY, str(in_flight)),
        seconds(median(took.stall or 0.0 for took, _ in samples)),
        _same(
            [[len([each for each in log.asked if each.kind == "support"])] for _, log in samples]
        ),
    )


def _crowd_ideal(batch_size: int) -> float:
    """Return two generations, and the judges' calls in as many turns as the limit leaves."""
    calls = (ceil(count / batch_size) for count in (STATEMENTS, len(CHANGED)))
    turns = sum(ceil(_CROWD * each / _CONCURRENCY) for each in calls)
    return 2 * GENERATING + turns * JUDGING


def _guarded_crowd(base_url: str, batch_size: int) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as generating, async_client(base_url) as judging:
            guarded = guard(instructor.from_openai(generating, model=MODEL))
            policy = policy_with(judging, batch_size=batch_size, concurrency=_CONCURRENCY)

            async def create() -> None:
                arguments = [request(fresh_report(), policy) for _ in range(_CROWD)]
                await asyncio.gather(*(guarded.create(**each) for each in arguments))

            return await watched(create())

    return asyncio.run(main())


def _crowd_by_hand(base_url: str, batch_size: int) -> Took:
    async def main() -> Took:
        async with async_client(base_url) as generating, async_client(base_url) as judging:
            clients = [instructor.from_openai(each, model=MODEL) for each in (generating, judging)]
            options: dict[str, Any] = {
                "batch_size": batch_size,
                "limit": asyncio.Semaphore(_CONCURRENCY),
            }

            async def create() -> None:
                reports = [fresh_report() for _ in range(_CROWD)]
                await asyncio.gather(*(answer_judged(*clients, n, **options) for n in reports))

            return await watched(create())

    return asyncio.run(main())


_CROWDS: dict[str, Callable[[str, int], Took]] = {
    "`guard(AsyncInstructor)`": _guarded_crowd,
    "the same requests by hand": _crowd_by_hand,
}


def _main() -> None:
    """Measure the first two calls of this process."""
    runs = [GUARD_ASYNC.run(sys.argv[1]) for _ in range(2)]
    sys.stdout.write(json.dumps([(took.wall, took.stall) for took in runs]))


if __name__ == "__main__":
    _main()

"""Run the benchmark of judges: wall time and stalls of one answer judged, each way.

    python -m tests.benchmarks.judges

Prints a Markdown table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

# The scripted server is imported as pytest finds it.
sys.path.insert(0, str(Path(__file__).parents[2]))

from ..speed.timing import seconds
from ..tables import table, write
from .answers import CHANGED, STATEMENTS
from .served import Asked, served
from .ways import WAYS, Took, Way

GENERATING = 0.3
JUDGING = 0.25
_RUNS = 5


Sample = tuple[Took, list[list[Asked]]]
"""One run: what it took, and what judges asked in each attempt."""


def way_lines() -> Iterator[str]:
    """Run the ways in turns, and report the medians."""
    with served(generating=GENERATING, judging=JUDGING) as (url, asked):

        def sample(way: Way) -> Sample:
            took = way.run(url)
            return took, _attempts(asked(), took.starts)

        for way in WAYS:
            sample(way)  # the first call imports, and is not measured
        rounds = [[sample(way) for way in WAYS] for _ in range(_RUNS)]
    columns = zip(*rounds, strict=True)
    yield from table(
        f"Two attempts at {STATEMENTS} statements, {len(CHANGED)} of them changed for the second; "
        f"generation {seconds(GENERATING)}, judge {seconds(JUDGING)}; medians of {_RUNS} runs",
        ("method", "wall", "ideal", "ratio", "worst", "stall", "worst", "calls", "judged"),
        (_way_row(way, samples) for way, samples in zip(WAYS, columns, strict=True)),
    )


def _attempts(asked: Sequence[Asked], starts: list[float] | None) -> list[list[Asked]]:
    """Return what judges asked in each attempt, which begins with its generation."""
    starts = starts or [each.received for each in asked if each.kind == "generation"]
    return [
        [each for each in asked if each.kind != "generation" and start <= each.received < end]
        for start, end in pairwise([*starts, float("inf")])
    ]


def _way_row(way: Way, samples: Sequence[Sample]) -> tuple[object, ...]:
    ideal = way.generations * GENERATING + 2 * JUDGING
    ratios = [took.wall / ideal for took, _ in samples]
    stalls = [took.stall for took, _ in samples if took.stall is not None]
    return (
        way.name,
        seconds(median(took.wall for took, _ in samples)),
        seconds(ideal),
        f"{median(ratios):.2f}",
        f"{max(ratios):.2f}",
        seconds(median(stalls)) if stalls else "–",
        seconds(max(stalls)) if stalls else "–",
        _same([[len(attempt) for attempt in attempts] for _, attempts in samples]),
        _same([[_judged(attempt) for attempt in attempts] for _, attempts in samples]),
    )


def _judged(attempt: Iterable[Asked]) -> int:
    # The judge of the whole answer sees every statement; here those count that were judged alone.
    return sum(len(asked.statements) for asked in attempt if asked.kind != "alignment")


def _same(counts: Sequence[Sequence[int]]) -> str:
    """Write the counts of the attempts: of all runs where these differ."""
    return ", or ".join(dict.fromkeys(" + ".join(map(str, each)) for each in counts))


if __name__ == "__main__":
    write(way_lines())

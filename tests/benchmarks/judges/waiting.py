"""Wall time and stalls of one answer judged, each way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.speed.timing import seconds

from ..tables import aimed, table
from .answers import CHANGED, STATEMENTS
from .served import Asked, Served
from .stalls import Took
from .ways import WAYS, Way

GENERATING = 0.3
JUDGING = 0.25
_MOST_RATIO = 1.25
_MOST_STALL = 0.050


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
                _sample(way, served)  # the first call imports, and is not measured
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
        aimed(median(ratios) <= most_ratio, f"{median(ratios):.2f}"),
        f"{max(ratios):.2f}",
        aimed(median(stalls) <= most_stall, seconds(median(stalls))) if stalls else "–",
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

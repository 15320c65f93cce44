"""Accuracy floors: figures on short frozen samples that no change may make worse.

`NOTICE.md` says where the samples are from. The reader that ships was trained on none of their
documents. A sixth of each but the audits is measured here, all of it with `-m slow`: a third would
show a fall only from 1.7 standard errors of the whole on. The samples of a data folder are measured
by `tests/benchmarks/floors`.
"""

import pytest

from benchmarks.floors import extracts
from benchmarks.floors.figures import broken, load

FLOORS = load(extracts.FLOORS)
PARTS = {
    "quotes": ["quote error, extract"],
    "seen": ["quote error, seen"],
    "written": [
        "reserved AUC",
        "true supported",
        "false supported",
        "true blamed",
        "false flagged",
    ],
    "audits": ["audit F1 ragtruth"],
    "pages": ["page hits"],
}

SAMPLED = [part for part in PARTS if f"{part}-sample" in extracts.PARTS]


def check(part: str, names: list[str]) -> None:
    figures = dict(extracts.PARTS[part]())
    assert [*figures] == names
    again = f"To measure it again: python -m tests.benchmarks.floors --only {part}"
    failures = {name: broken(name, figure, FLOORS) for name, figure in figures.items()}
    assert not any(failures.values()), f"{failures}. {again}"


@pytest.mark.parametrize("part", SAMPLED)
def test_figures_of_a_sample_hold_their_floors(part: str) -> None:
    check(f"{part}-sample", [f"{name}, sample" for name in PARTS[part]])


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_figures_hold_their_floors(part: str) -> None:
    check(part, PARTS[part])


def test_every_floor_is_measured() -> None:
    sampled = {f"{name}, sample" for part in SAMPLED for name in PARTS[part]}
    assert sampled.union(*PARTS.values()) == set(FLOORS)

"""Accuracy floors: figures on short frozen samples that no change may make worse.

`NOTICE.md` says where the samples are from. The reader that ships was trained on none of their
documents. The samples of a data folder are measured by `tests/benchmarks/floors`.
"""

from collections.abc import Mapping
from functools import cache

from benchmarks.floors import extracts
from benchmarks.floors.figures import Figure, broken, load
from rows import each_row

FLOORS = load(extracts.FLOORS)
PARTS = {
    "quote error, extract": "quotes",
    "quote error, seen": "seen",
    "reserved AUC": "written",
    "true supported": "written",
    "false supported": "written",
    "true blamed": "written",
    "false flagged": "written",
    "audit F1 ragtruth": "audits",
    "page hits": "pages",
}


@cache
def figures(part: str) -> Mapping[str, Figure]:
    return dict(extracts.PARTS[part]())


@each_row("name", PARTS)
def test_figure_holds_its_floor(name: str) -> None:
    part = PARTS[name]
    failure = broken(name, figures(part)[name], FLOORS)
    again = f"python -m tests.benchmarks.floors --only {part}"
    assert failure is None, f"{name}: {failure}. To measure it again: {again}"


def test_every_floor_is_measured() -> None:
    assert set(PARTS) == set(FLOORS)

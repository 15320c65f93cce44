"""Measure what the accuracy floors are about, and compare.

    python -m tests.benchmarks.floors [DATA_FOLDER] [--only PART] [--freeze]

With a data folder, the samples of it, beside `floors.json`, in a few minutes; without, the short
extracts of `tests/floors`, beside the `floors.json` there. Exits with 1 if a figure is worse than
its floor, which is the figure when it was frozen, less one standard error.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from ..data import rows
from ..reader.material import share
from ..tables import command, table, write
from . import extracts, measuring
from .figures import Figure, broken, freeze, load
from .measuring import Named
from .quotes import natural, synthetic

FLOORS = Path(__file__).with_name("floors.json")
_TRAINED_ON = 0.5  # the share of RAGTruth's documents whose sentences the reader was trained on


def _quotes(folder: Path) -> Named:
    yield from measuring.quotes("natural", [*natural(folder)])
    yield from measuring.quotes("synthetic", [*synthetic(folder)])


def _written(folder: Path) -> Named:
    yield from measuring.written()


def _audits(folder: Path) -> Named:
    labelled = (
        {**row, "sources": {each["id"]: each["text"] for each in row["context"]}}
        for row in rows(folder / "ragtruth.jsonl.gz")
        if row["label"] and row["statement"]
    )
    answers = [
        each for each in labelled if share("\n".join(each["sources"].values())) >= _TRAINED_ON
    ]
    yield from measuring.audits("ragtruth", answers)


_PARTS: Mapping[str, Callable[[Path], Named]] = {
    "quotes": _quotes,
    "written": _written,
    "audits": _audits,
}


def main() -> int:
    """Measure, compare or freeze, and write a table to standard output."""
    parser = command("floors", __doc__, nargs="?")
    parser.add_argument(
        "--only", choices=[*_PARTS, *extracts.PARTS], nargs="+", help="measure these parts"
    )
    parser.add_argument("--freeze", action="store_true", help="make these figures the floors")
    options = parser.parse_args()
    whole = options.data is not None
    path = FLOORS if whole else extracts.FLOORS
    parts: Mapping[str, Callable[[], Named]] = (
        {name: partial(part, options.data) for name, part in _PARTS.items()}
        if whole
        else extracts.PARTS
    )
    figures: dict[str, Figure] = {}
    for part in [name for name in options.only or parts if name in parts]:
        began = time.process_time()
        figures.update(parts[part]())
        sys.stderr.write(f"{part}: {time.process_time() - began:.0f} s of one core\n")
    if options.freeze:
        freeze(path, figures)
    floors = load(path)
    failures = {name: broken(name, each, floors) for name, each in figures.items()}
    lines = [
        (
            f"{name}: {each.about}",
            each.count,
            f"{each.value:.2f}",
            f"{each.error:.2f}",
            f"{'≤' if each.falling else '≥'} {floors[name]['floor']:.2f}"
            if name in floors
            else "–",
            failures[name] or "yes",
        )
        for name, each in figures.items()
    ]
    columns = ["figure", "sample", "percent", "standard error", "floor", "holds"]
    write(table("Floors", columns, lines))
    return int(any(failures.values()))


if __name__ == "__main__":
    sys.exit(main())

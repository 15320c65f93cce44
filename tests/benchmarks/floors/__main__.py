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

from ..tables import command, table, write
from . import extracts, samples
from .figures import Figure, broken, freeze, load
from .measuring import Named

FLOORS = Path(__file__).with_name("floors.json")
_PARTS: Mapping[str, Callable[[Path], Named]] = {
    "quotes": samples.quotes,
    "written": samples.written,
    "audits": samples.audits,
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
    rows = [
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
    write(table("Floors", columns, rows))
    return int(any(failures.values()))


if __name__ == "__main__":
    sys.exit(main())

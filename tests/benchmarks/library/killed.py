"""What is left of a library whose process was killed while it changed it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from killed_library import killed

from ..tables import table


def main(*, points: int) -> int:
    """Kill processes at random times, and write how many left something that is wrong."""
    for line in _lines(points):
        sys.stdout.write(line + "\n")
    return 0


def _lines(points: int) -> Iterator[str]:
    started = time.perf_counter()
    with TemporaryDirectory() as folder:
        faults, changes = killed(Path(folder), points=points)
    seconds = time.perf_counter() - started
    yield from faults
    yield from table(
        "Processes killed while they changed a library",
        ("", "killed", "changes finished before", "faults", "seconds"),
        [
            (
                "add, update, delete",
                points,
                changes,
                len(faults),
                f"{seconds:.0f}",
            )
        ],
    )

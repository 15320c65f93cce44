"""How long `import citeguard` takes beyond Pydantic, as whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.benchmarks.speed.timing import Row, seconds

import citeguard

_ROUNDS = 15
_MOST = 0.060
# Pydantic loads most of itself only when a model is defined, and citeguard defines three.
_PEERS = {
    "`import pydantic`": "import pydantic",
    "`from pydantic import BaseModel`": "from pydantic import BaseModel",
    "one model defined": "from pydantic import BaseModel\nclass M(BaseModel):\n    text: str",
}


def rows() -> Iterator[Row]:
    """Run the processes in turns and compare the medians."""
    programs = ("import citeguard", *_PEERS.values())
    rounds = [[_seconds(program) for program in programs] for _ in range(_ROUNDS + 1)][1:]
    ours, *theirs = (median(column) for column in zip(*rounds, strict=True))
    for name, time in zip(_PEERS, theirs, strict=True):
        yield Row(
            case="`import citeguard`",
            ours=seconds(ours),
            peer=name,
            theirs=seconds(time),
            ratio=f"+ {seconds(ours - time)}",
            aim=f"≤ + {seconds(_MOST)}",
            met=ours - time <= _MOST,
        )


def _seconds(program: str) -> float:
    package = Path(citeguard.__file__).parents[1]
    command = [sys.executable, "-c", program]
    start = perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(package)})
    return perf_counter() - start

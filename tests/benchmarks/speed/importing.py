"""How long `import citeguard` takes beyond Pydantic, as whole processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter

import citeguard

from .timing import Row, seconds

_ROUNDS = 15
_MOST = 0.060
# The names load on first use, so the bare import says little; the second is what users write.
_OURS = ("import citeguard", "from citeguard import Answer, Sources, locate")
# Pydantic loads most of itself only when a model is defined.
_PEERS = {
    "`import pydantic`": "import pydantic",
    "`from pydantic import BaseModel`": "from pydantic import BaseModel",
    "one model defined": "from pydantic import BaseModel\nclass M(BaseModel):\n    text: str",
}


def rows() -> Iterator[Row]:
    """Run the processes in turns and compare the medians."""
    programs = (*_OURS, *_PEERS.values())
    rounds = [[_seconds(program) for program in programs] for _ in range(_ROUNDS + 1)][1:]
    medians = dict(zip(programs, map(median, zip(*rounds, strict=True)), strict=True))
    for ours, (peer, program) in product(_OURS, _PEERS.items()):
        beyond = medians[ours] - medians[program]
        yield Row(
            case=f"`{ours}`",
            ours=seconds(medians[ours]),
            peer=peer,
            theirs=seconds(medians[program]),
            ratio=f"{beyond * 1e3:+.0f} ms",
            aim=f"≤ +{seconds(_MOST)}",
            met=beyond <= _MOST,
        )


def _seconds(program: str) -> float:
    package = Path(citeguard.__file__).parents[1]
    command = [sys.executable, "-c", program]
    start = perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(package)})
    return perf_counter() - start

"""How long `import citeguard` takes beside Pydantic, as whole processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import citeguard

from .timing import Row, seconds

_ROUNDS = 15
# Names load on first use, so the bare import says little; and Pydantic loads most of itself only
# when a model is defined. The second row is what users write.
_PAIRS = {
    "import citeguard": "import pydantic",
    "from citeguard import Answer, Sources, locate": (
        "from pydantic import BaseModel\nclass M(BaseModel):\n    text: str"
    ),
}


def rows() -> Iterator[Row]:
    """Run the processes in turns and compare the medians."""
    programs = (*_PAIRS, *_PAIRS.values())
    rounds = [[_seconds(program) for program in programs] for _ in range(_ROUNDS + 1)][1:]
    medians = dict(zip(programs, map(median, zip(*rounds, strict=True)), strict=True))
    for ours, peer in _PAIRS.items():
        yield Row(
            case=f"`{ours}`",
            ours=seconds(medians[ours]),
            peer="`import pydantic`" if peer == "import pydantic" else "one model defined",
            theirs=seconds(medians[peer]),
            ratio=f"{(medians[ours] - medians[peer]) * 1e3:+.0f} ms",
        )


def _seconds(program: str) -> float:
    package = Path(citeguard.__file__).parents[1]
    command = [sys.executable, "-c", program]
    start = perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(package)})
    return perf_counter() - start

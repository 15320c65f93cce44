"""Run the benchmark of filtering.

    python -m tests.benchmarks.filtering DATA_FOLDER [--only PART] [--most NUMBER]

Prints Markdown tables. The part `memory` takes a quarter of an hour with a million samples.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from .material import samples
from .memory import memory_lines
from .rates import Samples, rate_lines, worker_lines

_PARTS: dict[str, Callable[[Samples, int], Iterator[str]]] = {
    "rate": lambda sets, most: rate_lines(sets),
    "workers": lambda sets, most: worker_lines(sets),
    "memory": lambda sets, most: memory_lines([*chain(*sets.values())], most),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write each part to standard output as it is done."""
    options = _parser().parse_args(arguments)
    sets = samples(options.data)
    for part in [options.only] if options.only else _PARTS:
        for line in _PARTS[part](sets, options.most):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.filtering", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--only", choices=_PARTS, help="run one part")
    parser.add_argument("--most", type=int, default=1_000_000, help="the most samples for memory")
    return parser


if __name__ == "__main__":
    sys.exit(main())

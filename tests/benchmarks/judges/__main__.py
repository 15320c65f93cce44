"""Run the benchmark of judges.

    python -m tests.benchmarks.judges [--only PART] [--runs N]

Prints Markdown tables; a figure that misses its aim is bold.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# The scripted server and the other benchmarks are imported as pytest finds them.
sys.path.insert(0, str(Path(__file__).parents[2]))

from . import waiting

_PARTS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "ways": lambda options: waiting.way_lines(options.runs),
    "first-call": lambda options: waiting.first_call_lines(options.runs),
    "crowd": lambda options: waiting.crowd_lines(options.runs),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write each part to standard output as it is done."""
    options = _parser().parse_args(arguments)
    for part in [options.only] if options.only else _PARTS:
        for line in _PARTS[part](options):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.judges", description=__doc__)
    parser.add_argument("--only", choices=_PARTS, help="run one part")
    parser.add_argument("--runs", type=int, default=5, help="how often each way runs")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""Run the speed benchmark of the entailment check.

    python -m tests.benchmarks.entailment [DATA_FOLDER] [--rounds N]

Ten statements over five sources of 5,000 characters, on one thread, with a cross-encoder of
MiniLM's size. Prints a Markdown table; a figure that misses its aim is bold.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

# The other benchmarks and the tests' models are imported as pytest finds them.
sys.path.insert(0, str(Path(__file__).parents[2]))

from ..speed.texts import Prose
from ..tables import table
from . import ways


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the table to standard output."""
    options = _parser().parse_args(arguments)
    with TemporaryDirectory() as folder:
        rows = ways.rows(Prose(options.data), Path(folder), options.rounds)
        columns = ["method", "pairs", "CPU time", "relative to the first", "aim"]
        title = "Ten statements over five sources of 5,000 characters, one thread"
        for line in table(title, columns, rows):
            sys.stdout.write(line + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.entailment", description=__doc__
    )
    parser.add_argument("data", nargs="?", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--rounds", type=int, default=3, help="how often each way runs")
    return parser


if __name__ == "__main__":
    sys.exit(main())

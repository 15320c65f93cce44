"""Measure how often `ShortAnswers` decides, and how often it is right.

    python -m tests.benchmarks.short_answers DATA_FOLDER

Prints Markdown tables. Wrong answers, and questions of yes or no, are made by rule, with a fixed
seed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from ..tables import table
from . import finding, telling

_TOLD = ["questions", "statements", "decided", "right", "supported, right", "contradicted, right"]


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the tables to standard output."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.short_answers", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    folder = parser.parse_args(arguments).data
    lines = [
        *table("Decided statements, and how many are right", _TOLD, telling.rows(folder)),
        *table(
            "True statements that answer another question",
            ["appear to answer this one", "statements", "share"],
            telling.beside_rows(folder),
        ),
        *table(
            "Answers found in a paragraph of XQuAD",
            ["kind", "questions", "exact", "F1", "right sentence"],
            finding.rows(folder),
        ),
    ]
    for line in lines:
        sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

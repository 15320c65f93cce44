"""Measure how questions are answered from documents.

    python -m tests.benchmarks.library WHAT DATA_FOLDER

Prints Markdown tables. WHAT is one of:

- `questions`: how often two questions are rightly and wrongly taken for the same.
- `reading`: how often what is read has the answer, with stored questions and without.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from . import questions, reading

_MEASURED: Mapping[str, Callable[[Path], int]] = {
    "questions": questions.main,
    "reading": reading.main,
}


def main(arguments: list[str] | None = None) -> int:
    """Measure one thing, and write its tables to standard output."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.library", description=__doc__)
    parser.add_argument("what", choices=_MEASURED, help="what is measured")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    options = parser.parse_args(arguments)
    return _MEASURED[options.what](options.data)


if __name__ == "__main__":
    sys.exit(main())

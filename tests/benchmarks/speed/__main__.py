"""Run the speed benchmark.

    python -m tests.benchmarks.speed [DATA_FOLDER] [--only PART]

Prints one Markdown table. edlib comes with the extra `benchmarks`; without it, a line says so.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from . import importing, searching, validating
from .texts import Prose
from .timing import Row, markdown

_PARTS: dict[str, Callable[[Prose], Iterable[Row]]] = {
    "verbatim": searching.verbatim_rows,
    "rapidfuzz": searching.rapidfuzz_rows,
    "edlib": searching.edlib_rows,
    "validating": validating.rows,
    "importing": lambda _: importing.rows(),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write each row to standard output as it is done."""
    options = _parser().parse_args(arguments)
    prose = Prose(options.data)
    parts = [options.only] if options.only else _PARTS
    for line in markdown(row for part in parts for row in _rows(part, prose)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def _rows(part: str, prose: Prose) -> Iterator[Row]:
    if part == "edlib" and find_spec("edlib") is None:
        yield Row(case="edlib: not installed; install the extra `benchmarks`", ours="")
        return
    yield from _PARTS[part](prose)


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.speed", description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--only", choices=_PARTS, help="run one part")
    return parser


if __name__ == "__main__":
    sys.exit(main())

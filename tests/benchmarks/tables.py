"""The command line of a benchmark, and the tables of its report, written line by line."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any


def command(name: str, description: str | None, **options: Any) -> argparse.ArgumentParser:
    """Return the parser of a benchmark's arguments: the folder of labelled data."""
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.benchmarks.{name}", description=description
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets", **options)
    return parser


def write(lines: Iterable[str]) -> None:
    """Write lines to standard output, each as soon as it is there."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Write a Markdown table; the first column is text, the others are figures."""
    yield f"{title}:"
    yield ""
    yield f"| {' | '.join(columns)} |"
    yield f"|---|{'--:|' * (len(columns) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""

"""Measure how questions are answered from documents.

    python -m tests.benchmarks.library WHAT DATA_FOLDER

Prints Markdown tables. WHAT is one of:

- `growth`: time, memory and disk space by the number of passages (`--passages`).
- `killed`: what is left of a library whose process was killed (`--points`).
- `chats`: how many questions the service answers at once, with a model that takes 200 ms.
- `streams`: whether a mark that is not verified is ever shown (`--streams`).
- `tidying`: which repairs and which changes of a model that tidies text are accepted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from . import (
    chats,
    growth,
    killed,
    streams,
    tidying,
)

_MEASURED: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "growth": lambda options: growth.main(options.data, passages=options.passages),
    "killed": lambda options: killed.main(points=options.points),
    "chats": lambda _: chats.main(),
    "streams": lambda options: streams.main(options.data, streams=options.streams),
    "tidying": lambda options: tidying.main(options.data),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure one thing, and write its tables to standard output."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.library", description=__doc__)
    parser.add_argument("what", choices=_MEASURED, help="what is measured")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument(
        "--passages",
        type=int,
        nargs="+",
        default=[10_000, 100_000, 1_000_000],
        help="the sizes of the library, for growth",
    )
    parser.add_argument("--points", type=int, default=1_000, help="how many are killed")
    parser.add_argument("--streams", type=int, default=10_000, help="how many answers are streamed")
    options = parser.parse_args(arguments)
    return _MEASURED[options.what](options)


if __name__ == "__main__":
    sys.exit(main())

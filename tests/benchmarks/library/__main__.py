"""Measure how questions are answered from documents.

    python -m tests.benchmarks.library WHAT DATA_FOLDER

Prints Markdown tables. WHAT is one of:

- `growth`: time, memory and disk space by the number of passages (`--passages`).
- `words`: how well the words of a question find the passage, beside `Sources.search`.
- `engines`: SQLite, Postgres and Qdrant with the same passages: agreement and time.
- `killed`: what is left of a library whose process was killed (`--points`).
- `answerable`: which quotes are found to answer a question, and which not; and of the questions
  written by hand that a document nearly answers, how many are refused, by what they exchange.
- `answered`: what becomes of the answers of a model that quotes well, or what is irrelevant.
- `chats`: how many questions the service answers at once, with a model that takes 200 ms.
- `streams`: whether a mark that is not verified is ever shown (`--streams`).
- `questions`: how often two questions are rightly and wrongly taken for the same.
- `reading`: how often what is read has the answer, with stored questions and without.
- `pairs`: which good and bad pairs of questions and answers are kept.
- `tidying`: which repairs and which changes of a model that tidies text are accepted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from . import (
    answerable,
    answered,
    chats,
    engines,
    growth,
    killed,
    pairs,
    questions,
    reading,
    streams,
    tidying,
    words,
)

_MEASURED: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "growth": lambda options: growth.main(options.data, passages=options.passages),
    "engines": lambda options: engines.main(options.data),
    "words": lambda options: words.main(options.data),
    "killed": lambda options: killed.main(points=options.points),
    "answerable": lambda options: answerable.main(options.data),
    "answered": lambda options: answered.main(options.data),
    "chats": lambda _: chats.main(),
    "streams": lambda options: streams.main(options.data, streams=options.streams),
    "questions": lambda options: questions.main(options.data),
    "reading": lambda options: reading.main(options.data),
    "pairs": lambda options: pairs.main(options.data),
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

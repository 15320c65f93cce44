"""Measure how questions are answered from documents.

    python -m tests.benchmarks.library WHAT DATA_FOLDER

Prints Markdown tables. WHAT is one of:

- `growth`: time, memory and disk space by the number of passages (`--passages`).
- `chats`: how many questions the service answers at once, with a model that takes 200 ms.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from . import chats, growth

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.library", description=__doc__)
    parser.add_argument("what", choices=["growth", "chats"], help="what is measured")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument(
        "--passages",
        type=int,
        nargs="+",
        default=[10_000, 100_000, 1_000_000],
        help="the sizes of the library, for growth",
    )
    options = parser.parse_args()
    if options.what == "growth":
        growth.main(options.data, passages=options.passages)
    else:
        chats.main()

"""Measure how questions are answered from documents.

    python -m tests.benchmarks.library WHAT DATA_FOLDER

Prints Markdown tables. WHAT is one of:

- `growth`: time, memory and disk space by the number of passages.
- `chats`: how many questions the service answers at once.
"""

import argparse
from pathlib import Path

from ..tables import write
from . import chats, growth

_TABLES = {"growth": growth.lines, "chats": chats.lines}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.library", description=__doc__)
    parser.add_argument("what", choices=_TABLES, help="what is measured")
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    options = parser.parse_args()
    write(_TABLES[options.what](options.data))

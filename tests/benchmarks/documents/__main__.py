"""Measure how documents are read: quotes in PDF files, quotes in web pages, long files.

    python -m tests.benchmarks.documents DATA_FOLDER [--only PART] [--folder FOLDER]

Prints Markdown tables, and what was not found. PDF files are made with reportlab and, where they
are installed, Chromium (with `pdfinfo`, of poppler) and pdfLaTeX.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from .html_quotes import page_tables
from .pdf_quotes import quote_tables
from .speed import speed_tables

_PARTS: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    "quotes": quote_tables,
    "html": page_tables,
    "speed": speed_tables,
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write each table to standard output as it is done."""
    options = _parser().parse_args(arguments)
    with TemporaryDirectory() as folder:
        made = options.folder or Path(folder)
        made.mkdir(parents=True, exist_ok=True)
        for part in options.only or _PARTS:
            for line in _PARTS[part](options.data, made):
                sys.stdout.write(line + "\n")
                sys.stdout.flush()
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.documents", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--only", choices=_PARTS, nargs="+", help="run these parts")
    parser.add_argument("--folder", type=Path, help="keep the documents here, and use what is kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())

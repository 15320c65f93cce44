"""Measure audits of free text.

    python -m tests.benchmarks.auditing DATA_FOLDER [--only PART]

Prints Markdown tables. The parts but `speed` first fit the verifier without the data that they
measure on, which takes a minute or two.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from .claims import claim_tables
from .corrections import correction_tables
from .detection import detection_tables
from .documents import document_tables
from .held_out import models_without
from .material import load
from .speed import speed_tables

_DETECTED = ("ragtruth", "summedits")
_CLAIMS = ("ragtruth_sent", "wice", "attributionbench", "factcheck_gpt", "storysumm")
_CORRECTED = ("bump", "summedits")
_MOST_CLAIMS = 600  # of one data set
_IN_DOCUMENTS = ("ragtruth_sent", "attributionbench", "wice")
_MOST_IN_DOCUMENTS = 1_000


def _detection(folder: Path) -> Iterator[str]:
    models = models_without(folder, _DETECTED)
    for name in _DETECTED:
        yield from detection_tables(name, load(folder, name), models[name])


def _claims(folder: Path) -> Iterator[str]:
    models = models_without(folder, _CLAIMS)
    sets = {name: load(folder, name, _MOST_CLAIMS) for name in _CLAIMS}
    yield from claim_tables(sets, models)


def _documents(folder: Path) -> Iterator[str]:
    models = models_without(folder, _IN_DOCUMENTS)
    sets = {name: load(folder, name, _MOST_IN_DOCUMENTS) for name in _IN_DOCUMENTS}
    yield from document_tables(sets, models)


def _corrections(folder: Path) -> Iterator[str]:
    models = models_without(folder, _CORRECTED)
    yield from correction_tables({name: load(folder, name) for name in _CORRECTED}, models)


_PARTS: dict[str, Callable[[Path], Iterator[str]]] = {
    "detection": _detection,
    "claims": _claims,
    "documents": _documents,
    "corrections": _corrections,
    "speed": speed_tables,
}


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write each table to standard output as it is done."""
    options = _parser().parse_args(arguments)
    for part in [options.only] if options.only else _PARTS:
        for line in _PARTS[part](options.data):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return 0


def _parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.auditing", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--only", choices=_PARTS, help="run one part")
    return parser


if __name__ == "__main__":
    sys.exit(main())

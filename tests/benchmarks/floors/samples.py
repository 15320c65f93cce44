"""The samples of a data folder; the reader was trained on no document of them."""

from __future__ import annotations

from pathlib import Path

from ..data import rows
from ..reader.material import share
from . import measuring
from .measuring import Named
from .quotes import natural, synthetic

_TRAINED_ON = 0.5  # the share of RAGTruth's documents whose sentences the reader was trained on


def quotes(folder: Path) -> Named:
    """Measure quote checks on what a model wrote, and on what was changed by rule."""
    yield from measuring.quotes("natural", [*natural(folder)])
    yield from measuring.quotes("synthetic", [*synthetic(folder)])


def written(folder: Path) -> Named:
    """Measure the reader on written statements; they need no data."""
    yield from measuring.written()


def audits(folder: Path) -> Named:
    """Measure audits of whole answers of RAGTruth."""
    labelled = (
        {**row, "sources": {each["id"]: each["text"] for each in row["context"]}}
        for row in rows(folder / "ragtruth.jsonl.gz")
        if row["label"] and row["statement"]
    )
    answers = [
        each for each in labelled if share("\n".join(each["sources"].values())) >= _TRAINED_ON
    ]
    yield from measuring.audits("ragtruth", answers)

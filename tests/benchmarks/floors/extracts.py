"""The short extracts of `tests/floors`, and what is measured on them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..documents.papers import paper_of
from . import measuring
from .answers import Answer
from .measuring import Named
from .quotes import Case

FOLDER = Path(__file__).parents[2] / "floors"
FLOORS = FOLDER / "floors.json"
_RESERVED = 6  # texts, some 120 statements, which take seconds


def read(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of an extract, texts put where their numbers are."""
    with gzip.open(FOLDER / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = json.loads(next(lines))
        for row in map(json.loads, lines):
            row["sources"] = {key: texts[number] for key, number in row["sources"].items()}
            yield row


def quotes() -> Named:
    """Measure quote checks on two cases of each of 217 kinds of changes that were made by rule."""
    yield from measuring.quotes("extract", [Case(**row) for row in read("quotes")])


def seen() -> Named:
    """Measure quote checks on what a reader sees: separators, cuts, tokens, markup and names."""
    yield from measuring.quotes("seen", [Case(**row) for row in read("seen")])


def written() -> Named:
    """Measure the reader on the statements about a few of the reserved texts."""
    yield from measuring.written(_RESERVED)


def audits() -> Named:
    """Measure audits of answers of RAGTruth."""
    answers = [
        Answer(
            id=row["id"],
            text=row["statement"],
            sources=row["sources"],
            wrong=row["label"] != "supported",
        )
        for row in read("audits")
    ]
    yield from measuring.audits("ragtruth", answers)


def pages() -> Named:
    """Measure quotes in PDF files of paragraphs of XQuAD."""
    rows = (
        {name: each.splitlines() for name, each in row["sources"].items()} for row in read("pages")
    )
    yield from measuring.pages(
        paper_of(f"xquad-{number}", row["sentences"], iter(row["notes"]))
        for number, row in enumerate(rows)
    )


PARTS: Mapping[str, Callable[[], Named]] = {
    "quotes": quotes,
    "seen": seen,
    "written": written,
    "audits": audits,
    "pages": pages,
}

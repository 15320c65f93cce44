"""The short extracts of `tests/floors`, and what is measured on them with the shipped model."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..adversarial.cases import Case
from ..auditing.material import Answer
from ..documents.papers import paper_of
from . import measuring
from .data import Item
from .measuring import Named

FOLDER = Path(__file__).parents[2] / "floors"
FLOORS = FOLDER / "floors.json"


def read(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of an extract, texts put where their numbers are."""
    with gzip.open(FOLDER / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = json.loads(next(lines))
        for row in map(json.loads, lines):
            row["sources"] = {key: texts[number] for key, number in row["sources"].items()}
            yield row


def write(name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write an extract: a line with all texts, each once, and a line for each row."""
    rows, numbers = list(rows), dict[str, int]()
    for text in (text for row in rows for text in row["sources"].values()):
        numbers.setdefault(text, len(numbers))
    slim = (
        {**row, "sources": {key: numbers[text] for key, text in row["sources"].items()}}
        for row in rows
    )
    lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in ([*numbers], *slim))
    # Without a time, so that the same data gives the same file.
    packed = gzip.compress("".join(lines).encode(), mtime=0)
    (FOLDER / "data" / f"{name}.jsonl.gz").write_bytes(packed)


def quotes() -> Named:
    """Measure the quote kernel on two cases of each adversarial category."""
    yield from measuring.quotes([Case(**row) for row in read("quotes")])


def claims() -> Named:
    """Measure the reader on claims of eight data sets."""
    items: defaultdict[str, list[Item]] = defaultdict(list)
    for row in read("claims"):
        evidence = tuple(row["sources"].values())
        item = Item(id=row["id"], statement=row["statement"], evidence=evidence, label=row["label"])
        items[row["dataset"]].append(item)
    yield from measuring.claims("claims", f"{len(items)} extracts", items)


def audits() -> Named:
    """Measure audits of answers of RAGTruth."""
    answers = [
        Answer(
            id=row["id"],
            text=row["statement"],
            sources=row["sources"],
            wrong=row["label"] != "supported",
            spans=(),
            development=False,
            meta=row["meta"],
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
    "claims": claims,
    "written": measuring.written,
    "audits": audits,
    "pages": pages,
}

"""The short extracts of `tests/floors`, samples of these, and what is measured on them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ..documents.papers import paper_of
from . import measuring
from .measuring import Named
from .quotes import Case

FOLDER = Path(__file__).parents[2] / "floors"
FLOORS = FOLDER / "floors.json"
_RESERVED = 6  # texts, some 120 statements, which take seconds
_EVERY = 6  # of so many rows, a sample has one


def read(name: str, every: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the rows of an extract, or one of every so many, texts put where their numbers are."""
    with gzip.open(FOLDER / "data" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = json.loads(next(lines))
        for row in map(json.loads, islice(lines, 0, None, every)):
            row["sources"] = {key: texts[number] for key, number in row["sources"].items()}
            yield row


def quotes(every: int = 1) -> Named:
    """Measure quote checks on two cases of each of 217 kinds of changes that were made by rule."""
    yield from measuring.quotes("extract", [Case(**row) for row in read("quotes", every)])


def seen(every: int = 1) -> Named:
    """Measure quote checks on what a reader sees: separators, cuts, tokens, markup and names."""
    yield from measuring.quotes("seen", [Case(**row) for row in read("seen", every)])


def written(every: int = 1) -> Named:
    """Measure the reader on the statements about a few of the reserved texts."""
    yield from measuring.written(_RESERVED // every)


def audits(every: int = 1) -> Named:
    """Measure audits of answers of RAGTruth."""
    yield from measuring.audits("ragtruth", [*read("audits", every)])


def pages(every: int = 1) -> Named:
    """Measure quotes in PDF files of paragraphs of XQuAD."""
    rows = (
        {name: each.splitlines() for name, each in row["sources"].items()}
        for row in read("pages", every)
    )
    yield from measuring.pages(
        paper_of(f"xquad-{number}", row["sentences"], iter(row["notes"]))
        for number, row in enumerate(rows)
    )


def sample(part: Callable[[int], Named]) -> Named:
    """Measure a part on a sixth of its extract: what every run of the tests has time for."""
    for name, figure in part(_EVERY):
        yield f"{name}, sample", figure


_WHOLE: Mapping[str, Callable[[int], Named]] = {
    "quotes": quotes,
    "seen": seen,
    "written": written,
    "audits": audits,
    "pages": pages,
}
PARTS: Mapping[str, Callable[[], Named]] = {
    **{name: partial(part, 1) for name, part in _WHOLE.items()},
    # A sixth of the audits is eight texts, whose standard error is 25 points.
    **{
        f"{name}-sample": partial(sample, part) for name, part in _WHOLE.items() if name != "audits"
    },
}

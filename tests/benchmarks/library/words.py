"""How well the words of a question find the passage that answers it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import stored_passages
from citeguard.retrieval.passages import DefaultPassages
from citeguard.retrieval.search import distinct
from citeguard.sources.collection import Passage, Sources

from ..tables import table
from .material import SETS, Asked, paragraphs, questions

_K = 4

Find = Callable[[str], Sequence[Passage]]


def main(data_folder: Path) -> int:
    """Write how often one of the first four passages is of the paragraph, by way of searching."""
    texts = paragraphs(data_folder)
    sources = Sources(texts)
    with TemporaryDirectory() as folder:
        store = SQLiteStore(Path(folder) / "library.db")
        cut = DefaultPassages()
        for source in sources:
            store.put(source.id, "1", stored_passages(source, cut), None)
        ids = {source.text: source.id for source in sources}
        for line in _lines(data_folder, sources, store, ids):
            sys.stdout.write(line + "\n")
        store.close()
    return 0


def _lines(
    folder: Path, sources: Sources, store: SQLiteStore, ids: dict[str, str]
) -> Iterator[str]:
    ways: dict[str, Find] = {
        "BM25Retriever": lambda query: sources.search(query, k=_K),
        "SQLiteStore": lambda query: distinct(store.matching(query, k=2 * _K), _K),
    }
    rows: list[Sequence[object]] = []
    for name in SETS:
        asked = questions(folder, name)
        found = {way: [find(each.question) for each in asked] for way, find in ways.items()}
        same = fmean(
            [each.span for each in one] == [each.span for each in other]
            for one, other in zip(*found.values(), strict=True)
        )
        recalls = (_recall(asked, each, ids) for each in found.values())
        rows.append((name, len(asked), *(f"{recall:.1%}" for recall in recalls), f"{same:.1%}"))
    yield from table(
        f"Recall at 4, one library of {len(sources)} paragraphs, {len(store)} passages",
        ("questions", "count", *ways, "the same four"),
        rows,
    )


def _recall(
    asked: Sequence[Asked], found: Sequence[Sequence[Passage]], ids: dict[str, str]
) -> float:
    return fmean(
        any(passage.span.source_id == ids[each.paragraph] for passage in passages)
        for each, passages in zip(asked, found, strict=True)
    )

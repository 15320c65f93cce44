"""What threads and batches gain over one shared embedder, and what they cost in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from citeguard.retrieval.embeddings import SentenceEmbedder
from citeguard.retrieval.passages import Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import Retriever
from citeguard.retrieval.word_vectors import SIFEmbedder
from citeguard.sources.collection import Sources

from ..tables import table
from .evidence import word_vectors_of
from .material import groups, items

_THREADS = (1, 2, 4, 8)
_STATEMENTS = 100
_ROUNDS = 3  # the best counts

Search = Callable[[Sequence[str]], object]


def lines(folder: Path, model: str, word_vectors: Path | None) -> Iterator[str]:
    """Write the tables: texts embedded by threads, and 100 statements searched for."""
    data = items(folder, "clapnq")
    sources = Sources(list(dict.fromkeys(item["context"][0]["text"] for item in data)))
    statements = list(dict.fromkeys(item["statement"] for item in data))
    passages = [sources.slice(span) for span in Windows().spans(sources)]
    sif = {
        name: SIFEmbedder(texts=passages, **arguments)
        for name, arguments in word_vectors_of(model, word_vectors).items()
    }
    for name, embedder in sif.items():
        yield from table(
            f"{name}, {embedder!r}: {len(passages)} passages embedded",
            ("threads", "seconds", "of the processor", "most memory beside the matrix, MB"),
            (_embedded(embedder, passages, count) for count in _THREADS),
        )
    ways: dict[str, Callable[[], Retriever]] = {
        "BM25": BM25Retriever,
        **{name: lambda each=each: DenseRetriever(each) for name, each in sif.items()},
        "MiniLM": lambda: DenseRetriever(SentenceEmbedder(model)),
    }
    yield from table(
        f"{_STATEMENTS} statements, each searched for in {len(passages)} passages, processor ms",
        ("", "index", "one by one", "in one call", "by 4 threads"),
        ((name, *_searched(make(), sources, statements)) for name, make in ways.items()),
    )


def _embedded(
    embedder: SIFEmbedder, texts: Sequence[str], threads: int
) -> tuple[int, str, str, str]:
    """Return the seconds that so many threads take, also of the processor, and their memory."""
    parts = [texts[start::threads] for start in range(threads)]

    def embed() -> tuple[float, float]:
        start, used = perf_counter(), process_time()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(embedder, parts))
        return perf_counter() - start, process_time() - used

    seconds, used = map(min, zip(*(embed() for _ in range(_ROUNDS)), strict=True))
    tracemalloc.start()
    embed()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return threads, f"{seconds:.2f}", f"{used:.2f}", f"{most / 1e6:.1f}"


def _searched(retriever: Retriever, sources: Sources, statements: Sequence[str]) -> Iterator[str]:
    """Yield the times of the index and of three ways, with other statements each."""

    def search(queries: Sequence[str]) -> Any:
        return retriever.search(queries, sources, k=4)

    def by_threads(queries: Sequence[str]) -> Any:
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(search, groups(queries, _STATEMENTS // 4)))

    ways: list[Search] = [lambda queries: [search([each]) for each in queries], search, by_threads]
    yield f"{1e3 * _seconds(search, ['When?']):,.0f}"
    for way, asked in zip(ways, groups(statements, _STATEMENTS), strict=False):
        yield f"{1e3 * _seconds(way, asked):,.0f}"


def _seconds(way: Search, queries: Sequence[str]) -> float:
    start = process_time()
    way(queries)
    return process_time() - start

"""How long an answer takes, beside `encode` called for every statement, and a search.

Measured is the time of the processor, on one thread: other programs do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from citeguard.judges.similarity import Similarity
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.retrieval.embeddings import SentenceEmbedder
from citeguard.retrieval.passages import Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.sources.collection import Sources

from ..tables import table
from .material import embedder, items

_ROUNDS = 2


def lines(folder: Path, model: str) -> Iterator[str]:
    """Write the table of times: 10 statements over 5 sources of 5,000 characters, on one core."""
    sources, statements = _answer(folder)
    evidence = tuple(Evidence(text=each.text, source_id=each.id) for each in sources)
    questions = [SupportQuestion(statement=each, evidence=evidence) for each in statements]
    naive = _naive_seconds(model, questions)
    first, again = map(min, zip(*(_seconds(model, questions) for _ in range(_ROUNDS)), strict=True))
    rows = [
        ("encode, called for every statement with its windows", naive),
        ("Similarity, the first time", first),
        ("Similarity, the vectors kept", again),
        *_search_rows(model, sources, statements[0]),
    ]
    yield from table(
        "10 statements over 5 sources of 5,000 characters, one core",
        ("case", "ms", "times faster"),
        ((what, f"{1e3 * s:.2f}", f"{naive / s:.1f}") for what, s in rows),
    )


def _answer(folder: Path) -> tuple[Sources, list[str]]:
    data = items(folder, "wice")
    text = " ".join(item["context"][0]["text"] for item in data[:40])
    sources = Sources([text[start : start + 5_000] for start in range(0, 25_000, 5_000)])
    return sources, [item["statement"] for item in data[:10]]


def _naive_seconds(model: str, questions: list[SupportQuestion]) -> float:
    from sentence_transformers import SentenceTransformer

    encoder, windows = SentenceTransformer(model), Windows(size=1, overlap=0)
    encoder.encode(["warm"])
    start = process_time()
    for question in questions:
        texts = [e.text[slice(*place)] for e in question.evidence for place in windows.cut(e.text)]
        encoder.encode([question.statement], show_progress_bar=False)
        encoder.encode(texts, show_progress_bar=False)
    return process_time() - start


def _seconds(model: str, questions: list[SupportQuestion]) -> tuple[float, float]:
    fresh = SentenceEmbedder(model)
    fresh(["warm"])
    check = Similarity(fresh)
    return _timed(check, questions), _timed(check, questions)


def _timed(check: Similarity, questions: list[SupportQuestion]) -> float:
    start = process_time()
    check.judge(questions)
    return process_time() - start


def _search_rows(model: str, sources: Sources, query: str) -> Iterator[tuple[str, float]]:
    embedder(model)(["warm"])
    dense = DenseRetriever(embedder(model))
    for name, retriever in (("BM25", BM25Retriever()), ("vectors", dense)):
        for when in ("first", "second"):
            start = process_time()
            sources.search(query, retriever=retriever)
            yield f"a search by {name}, the {when}", process_time() - start

"""The same passages and questions in each engine: whether they agree, and the time they take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from citeguard.language.sentences import sentence_intervals
from citeguard.language.terms import terms
from citeguard.library.stores.postgres import PgVectorStore
from citeguard.library.stores.qdrant import QdrantStore
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import PassageStore, StoredPassage
from citeguard.retrieval import SentenceEmbedder
from citeguard.sources.collection import Passage
from library.postgres_server import running_postgres
from library.stored import Vectors, same_ranking
from tiny_entailment import MINILM

from ..tables import table
from .material import paragraphs, questions

PASSAGES = 20_000
LOCAL = 2_000  # in Qdrant's local mode, whose time for each change grows with all passages
_OF_DOCUMENT = 20
_SEARCHED = 5  # documents of a filtered query
_QUERIES = 200


class Corpus(NamedTuple):
    """Documents with the vectors of their passages, and questions with theirs."""

    documents: Mapping[str, Sequence[StoredPassage]]
    vectors: Mapping[str, Vectors]
    questions: Sequence[str]
    asked: Vectors

    def first(self, passages: int) -> Corpus:
        """Return a corpus of so many passages."""
        names = list(self.documents)[: passages // _OF_DOCUMENT]
        return self._replace(documents={name: self.documents[name] for name in names})

    def searched(self, at: int) -> list[str]:
        """Return the documents that a question is restricted to."""
        return Random(at).sample(list(self.documents), _SEARCHED)


class Found(NamedTuple):
    """What an engine returns for the questions, and the median times in milliseconds."""

    nearest: list[list[Passage]]
    filtered: list[list[Passage]]
    matching: list[list[Passage]]
    times: tuple[float, float, float]


def main(data_folder: Path) -> int:
    """Fill the engines, ask them the same questions, and write the tables."""
    corpus = _corpus(data_folder)
    rows: list[Sequence[object]] = []
    small = corpus.first(LOCAL)
    with TemporaryDirectory() as folder, running_postgres() as server:
        path = Path(folder)
        opened: list[tuple[str, Callable[[], PassageStore], Corpus]] = [
            ("SQLite", lambda: SQLiteStore(path / "all.db"), corpus),
            ("Postgres", lambda: PgVectorStore(server.url()), corpus),
            ("SQLite", lambda: SQLiteStore(path / "some.db"), small),
            ("Postgres", lambda: PgVectorStore(server.url(), prefix="some"), small),
            ("Qdrant, local mode", lambda: QdrantStore(":memory:"), small),
        ]
        exact: dict[int, Found] = {}
        for name, open_store, part in opened:
            with closing(open_store()) as store:
                seconds = _fill(store, part)
                found = _ask(store, part)
                others = exact.setdefault(len(part.documents), found)
                rows.append(_row(name, part, seconds, found, others))
    for line in _lines(rows):
        sys.stdout.write(line + "\n")
    return 0


def _lines(rows: Sequence[Sequence[object]]) -> Iterator[str]:
    columns = (
        "engine",
        "passages",
        "put, s",
        "nearest, ms",
        f"in {_SEARCHED} documents, ms",
        "words, ms",
        "same nearest 5",
        f"in {_SEARCHED} documents",
        "of 5 by words",
    )
    title = f"{_QUERIES} questions, all-MiniLM-L6-v2; times are medians, agreement is with SQLite"
    yield from table(title, columns, rows)


def _row(name: str, corpus: Corpus, seconds: float, found: Found, exact: Found) -> list[object]:
    count = sum(len(passages) for passages in corpus.documents.values())
    agreeing = (
        _agreeing(found.nearest, exact.nearest),
        _agreeing(found.filtered, exact.filtered),
        f"{_shared(found.matching, exact.matching):.2f}",
    )
    times = [f"{each:.1f}" for each in found.times]
    sys.stderr.write(f"{name} {count}\n")
    return [name, f"{count:,}", f"{seconds:.1f}", *times, *agreeing]


def _agreeing(ones: Sequence[Sequence[Passage]], others: Sequence[Sequence[Passage]]) -> int:
    """Return for how many questions two engines return the same passages, up to rounding."""
    return sum(
        same_ranking(
            [(each.span, each.score) for each in one],
            [(each.span, each.score) for each in other],
            within=1e-3,
        )
        for one, other in zip(ones, others, strict=True)
    )


def _shared(ones: Sequence[Sequence[Passage]], others: Sequence[Sequence[Passage]]) -> float:
    """Return how many passages of a ranking two engines share, on average."""
    return mean(
        len({each.span for each in one} & {each.span for each in other})
        for one, other in zip(ones, others, strict=True)
    )


def _fill(store: PassageStore, corpus: Corpus) -> float:
    started = time.perf_counter()
    for name, passages in corpus.documents.items():
        store.put(name, "1", passages, corpus.vectors[name])
    return time.perf_counter() - started


def _ask(store: PassageStore, corpus: Corpus) -> Found:
    store.nearest(corpus.asked[0], k=5)  # loads what is kept in memory
    nearest: list[list[Passage]] = []
    filtered: list[list[Passage]] = []
    matching: list[list[Passage]] = []
    times: list[list[float]] = [[], [], []]
    for at, (question, vector) in enumerate(zip(corpus.questions, corpus.asked, strict=True)):
        searched = corpus.searched(at)
        began = time.perf_counter()
        nearest.append(store.nearest(vector, k=5))
        exactly = time.perf_counter()
        filtered.append(store.nearest(vector, k=5, source_ids=searched))
        restricted = time.perf_counter()
        matching.append(store.matching(question, k=5))
        ended = time.perf_counter()
        for column, seconds in zip(
            times, (exactly - began, restricted - exactly, ended - restricted), strict=True
        ):
            column.append(1_000 * seconds)
    first, second, third = map(median, times)
    return Found(nearest, filtered, matching, (first, second, third))


def _corpus(folder: Path) -> Corpus:
    """Make documents of 20 passages, with vectors of MiniLM.

    Passages are the sentences of paragraphs of Wikipedia, and then two of these at random, whose
    vector is the mean of theirs: embedding them all would take longer than everything else.
    """
    texts = list(dict.fromkeys(chain.from_iterable(map(_sentences, paragraphs(folder)))))
    embed = SentenceEmbedder(MINILM)
    matrix = embed(texts)
    rng = np.random.default_rng(2026)
    pairs = rng.integers(len(texts), size=(PASSAGES - len(texts), 2))
    means = matrix[pairs[:, 0]] + matrix[pairs[:, 1]]
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    rows = np.concatenate([matrix, means])
    texts += [f"{texts[one]} {texts[other]}" for one, other in pairs.tolist()]
    order: list[int] = rng.permutation(
        PASSAGES
    ).tolist()  # so that few documents have pairs as many do
    documents: dict[str, list[StoredPassage]] = {}
    vectors: dict[str, Vectors] = {}
    for first in range(0, PASSAGES, _OF_DOCUMENT):
        chosen = order[first : first + _OF_DOCUMENT]
        name = f"document {first // _OF_DOCUMENT}"
        documents[name] = list(_passages(texts[at] for at in chosen))
        vectors[name] = rows[chosen]
    asked = [each.question for each in questions(folder, "xquad_en")]
    asked = asked[:: len(asked) // _QUERIES][:_QUERIES]
    return Corpus(documents, vectors, asked, embed(asked))


def _passages(texts: Iterable[str]) -> Iterator[StoredPassage]:
    start = 0
    for text in texts:
        yield StoredPassage(start, start + len(text), text, tuple(e.key for e in terms(text)))
        start += len(text) + 1


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_intervals(text)]

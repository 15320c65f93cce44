"""Time, memory and disk space of a library by the number of its passages."""

import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import psutil
from numpy.typing import NDArray

from citeguard.language.sentences import sentence_intervals
from citeguard.language.tokens import terms
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import StoredPassage

from ..data import rows
from ..tables import table

_PASSAGES = (10_000, 100_000, 1_000_000)
_WIDTH = 384  # numbers of the vectors of all-MiniLM-L6-v2
_SENTENCES = 3  # of a passage, as by `Windows()`
_OF_DOCUMENT = 20  # passages
_QUERIES = 200
_MB = 1_000_000
_SETS = ("xquad_en.jsonl.gz", "clapnq.jsonl.gz")  # questions, each with a paragraph of Wikipedia


class Sentence(NamedTuple):
    """A sentence with its terms."""

    text: str
    keys: tuple[str, ...]


def lines(data_folder: Path) -> Iterator[str]:
    """Let a library grow, measure it at each size, and write the table.

    A passage is of three sentences of Wikipedia, put together at random; its vector is random, too.
    """
    columns = ("passages", "add, s", "file, MB", "load, s", "memory, MB", "words, ms", "vector, ms")
    yield from table("A library as it grows", columns, _rows(data_folder))


def _rows(data_folder: Path) -> Iterator[Sequence[object]]:
    paragraphs = dict.fromkeys(
        row["context"][0]["text"] for name in _SETS for row in rows(data_folder / name)
    )
    sentences = [
        Sentence(text[start:end], tuple(term.key for term in terms(text[start:end])))
        for text in paragraphs
        for start, end in sentence_intervals(text)
    ]
    asked = [row["question"] for row in rows(data_folder / _SETS[0])][:: 1177 // _QUERIES]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "library.db"
        seconds, count = 0.0, 0
        for size in _PASSAGES:
            seconds += _grow(path, sentences, count, size)
            count = size
            with get_context("spawn").Pool(1) as pool:
                measured = pool.apply(_measure, (path, asked))
            disk = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
            yield [f"{size:,}", f"{seconds:.1f}", f"{disk / _MB:,.0f}", *measured]


def _grow(path: Path, sentences: Sequence[Sentence], start: int, end: int) -> float:
    """Add passages `start` to `end`, a document at a time, and return the seconds it takes."""
    random, numbers = Random(start), np.random.default_rng(start)
    store = SQLiteStore(path)
    seconds = 0.0
    for first in range(start, end, _OF_DOCUMENT):
        count = min(_OF_DOCUMENT, end - first)
        passages = [_passage(random.choices(sentences, k=_SENTENCES), at) for at in range(count)]
        vectors = _vectors(numbers, count)
        started = time.perf_counter()
        store.put(f"document {first}", "1", passages, vectors)
        seconds += time.perf_counter() - started
    started = time.perf_counter()
    store.close()
    return seconds + time.perf_counter() - started


def _passage(sentences: Sequence[Sentence], at: int) -> StoredPassage:
    text = " ".join(sentence.text for sentence in sentences)
    keys = tuple(key for sentence in sentences for key in sentence.keys)
    return StoredPassage(at * 1_000, at * 1_000 + len(text), text, keys)


def _vectors(numbers: np.random.Generator, count: int) -> NDArray[np.float32]:
    rows = numbers.standard_normal((count, _WIDTH), np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _measure(path: Path, asked: Sequence[str]) -> list[str]:
    """Return seconds of loading, megabytes, and milliseconds of words and of vectors."""
    process = psutil.Process()
    for query in asked:  # load what reads words
        terms(query)
    vectors = list(_vectors(np.random.default_rng(1_000_000_000), 200))
    _ = np.ones((1_000, _WIDTH), np.float32) @ vectors[0]
    before = process.memory_info().rss
    store = SQLiteStore(path)
    opened = time.perf_counter()
    store.nearest(vectors[0], k=4)
    loading = time.perf_counter() - opened
    memory = process.memory_info().rss - before
    words = _median_ms(lambda query: store.matching(query, k=8), asked)
    found = _median_ms(lambda query: store.nearest(query, k=8), vectors)
    store.close()
    return [f"{loading:.2f}", f"{memory / _MB:,.0f}", f"{words:.1f}", f"{found:.2f}"]


def _median_ms(call: Callable[[Any], object], arguments: Sequence[Any]) -> float:
    times: list[float] = []
    for argument in arguments:
        started = time.perf_counter()
        call(argument)
        times.append(time.perf_counter() - started)
    return median(times) * 1_000

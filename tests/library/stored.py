"""Passages and vectors for tests of stores, and the questions that all of them answer alike."""

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citeguard.language.tokens import terms
from citeguard.library.stores.store import PassageStore, StoredPassage, stored_passages
from citeguard.retrieval import Windows
from citeguard.sources.collection import Passage, Source

Vectors = NDArray[np.float32]

XQUAD = Path(__file__).parent / "data" / "xquad_200.jsonl"


def passages_of(*texts: str) -> list[StoredPassage]:
    """Return passages that follow each other in a text, a blank between."""
    found: list[StoredPassage] = []
    start = 0
    for text in texts:
        keys = tuple(term.key for term in terms(text))
        found.append(StoredPassage(start, start + len(text), text, keys))
        start += len(text) + 1
    return found


def normalized(*rows: Sequence[float]) -> Vectors:
    vectors = np.array(rows, np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def random_vectors(count: int, width: int, *, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def places(found: Sequence[Passage]) -> list[tuple[str, int]]:
    return [(each.span.source_id, each.span.start) for each in found]


class Paragraphs(NamedTuple):
    """Documents and questions about them.

    Attributes:
        sources: The documents, by id.
        questions: The questions.
    """

    sources: Mapping[str, Source]
    questions: Sequence[str]


def read_xquad(path: Path = XQUAD) -> Paragraphs:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    sources = [Source(f"{row['title']} {at}", row["text"]) for at, row in enumerate(rows)]
    questions = [question for row in rows for question in row["questions"]]
    return Paragraphs({source.id: source for source in sources}, questions)


def cut(sources: Mapping[str, Source]) -> dict[str, list[StoredPassage]]:
    """Return the passages of documents, one sentence each."""
    windows = Windows(size=1, overlap=0)
    return {source_id: stored_passages(source, windows) for source_id, source in sources.items()}


def fill(
    store: PassageStore,
    documents: Mapping[str, Sequence[StoredPassage]],
    vectors: Mapping[str, Vectors],
) -> None:
    for source_id, passages in documents.items():
        store.put(source_id, "1", passages, vectors[source_id])


def same_ranking(
    one: Sequence[tuple[Hashable, float]], other: Sequence[tuple[Hashable, float]], *, within: float
) -> bool:
    """Return whether two rankings agree, except for the order of scores that are about equal.

    Args:
        one: What was found, with its scores, best first.
        other: The same of another store.
        within: The difference up to which scores are about equal.
    """
    if len(one) != len(other):
        return False
    if any(abs(a - b) > within for (_, a), (_, b) in zip(one, other, strict=True)):
        return False
    # What only one of them has must be about as good as the last of the other.
    scores = dict(one)
    last = one[-1][1] if one else 0.0
    return all(abs(scores.get(found, last) - score) <= within for found, score in other)

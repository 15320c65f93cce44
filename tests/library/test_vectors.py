"""The exact scan of vectors, against sorting all scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from citeguard.library.stores.vectors import DocumentVectors, VectorIndex

WIDTH = 3


def unit(*rows: tuple[float, float, float]) -> NDArray[np.float16]:
    array = np.array(rows, np.float64).reshape(-1, WIDTH)
    with np.errstate(all="ignore"):
        return (array / np.linalg.norm(array, axis=1, keepdims=True)).astype(np.float16)


def ranked(
    documents: Mapping[int, DocumentVectors],
    vector: NDArray[np.float32],
    source_ids: Collection[str] | None,
) -> list[tuple[float, str, int]]:
    """Score every passage one by one, and sort them."""
    scores: list[tuple[float, str, int]] = []
    for document in documents.values():
        if source_ids is not None and document.source_id not in source_ids:
            continue
        for at, row in enumerate(document.vectors.astype(np.float64)):
            length = np.linalg.norm(row)
            if np.isfinite(length) and length > 0:
                score = float(row @ vector / length)
                scores.append((-score, document.source_id, document.first + at))
    return sorted(scores)


# Few directions, so that many scores are equal.
rows = st.sampled_from([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0), (np.nan, 0, 0), (0, 0, 0)])
steps = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.none() | st.lists(rows, max_size=5)), max_size=25
)


class TestVectorIndex:
    @settings(max_examples=200)
    @given(steps, st.integers(1, 9), st.none() | st.sets(st.sampled_from("abcxyz")))
    def test_finds_what_sorting_all_scores_finds(
        self,
        steps: list[tuple[str, list[tuple[float, float, float]] | None]],
        k: int,
        source_ids: set[str] | None,
    ) -> None:
        index = VectorIndex(WIDTH)
        documents: dict[int, DocumentVectors] = {}
        first = 1
        vector = np.array([1, 0, 0], np.float32)
        for number, (source_id, added) in enumerate(steps):
            gone = [each for each, kept in documents.items() if kept.source_id == source_id]
            documents = {each: kept for each, kept in documents.items() if each not in gone}
            new: list[tuple[int, DocumentVectors]] = []
            if added is not None:
                new = [(number, DocumentVectors(source_id, first, unit(*added)))]
                first += len(added)
            before = index
            expected = index.nearest(vector, k=k)
            index = index.updated(gone, new, len(added or ()))
            documents |= dict(new)
            assert before.nearest(vector, k=k) == expected  # a search may still use it
            best = [
                (-each.score, each.passage)
                for each in index.nearest(vector, k=k, source_ids=source_ids)
            ]
            wanted = ranked(documents, vector, source_ids)[:k]
            assert best == [(score, passage) for score, _, passage in wanted]
            assert len(index) == sum(len(each.vectors) for each in documents.values())

    def test_similarity_does_not_depend_on_how_f16_rounds(self) -> None:
        row = unit((0.3, 0.5, 0.7))
        index = VectorIndex(WIDTH).updated([], [(1, DocumentVectors("a", 1, row))], 1)
        query = np.array([0.3, 0.5, 0.7]) / np.linalg.norm([0.3, 0.5, 0.7])
        [found] = index.nearest(query.astype(np.float32), k=1)
        assert 0.999999 < found.score <= 1.0

    def test_memory_of_deleted_documents_is_used_again(self) -> None:
        index = VectorIndex(WIDTH)
        for number in range(1_000):
            document = DocumentVectors("a", number * 10, unit(*[(1.0, 0.0, 0.0)] * 10))
            index = index.updated(index.documents, [(number, document)], 10)
        assert len(index) == 10
        assert len(index._matrix) < 100  # pyright: ignore[reportPrivateUsage]

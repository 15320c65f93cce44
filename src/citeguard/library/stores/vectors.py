"""Vectors in memory, compared one by one with that of a query: `VectorIndex`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, KeysView
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SPARE = 0.25  # of all rows, for which a matrix that has to grow gets room beside them
_MOST_GONE = 0.25  # of the rows, above which those of deleted documents are dropped


class DocumentVectors(NamedTuple):
    """The vectors of a document's passages.

    Attributes:
        source_id: Its id.
        first: The number of its first passage; the others have the next ones, ordered by their
            places in the document.
        vectors: Shape (n, d), f16; a row that is not finite is never found.
    """

    source_id: str
    first: int
    vectors: NDArray[np.float16]


class Found(NamedTuple):
    """A passage that is near.

    Attributes:
        passage: Its number.
        score: The cosine similarity, -1 to 1.
    """

    passage: int
    score: float


class _Rows(NamedTuple):
    """The rows of a document in the matrix, `start <= row < end`."""

    source_id: str
    first: int
    start: int
    end: int


class VectorIndex:
    """The vectors of documents as one matrix of f32, which a search compares as a whole: exactly.

    Immutable, so that searches need no lock: `updated` returns another index, which shares the
    matrix if that has room. Only the index that was made last may be updated.

    Args:
        width: The numbers of a vector.
    """

    def __init__(self, width: int) -> None:
        self._allocate(0, width)
        self._documents: dict[int, _Rows] = {}
        self._by_source: dict[str, int] = {}
        self._used = 0  # rows of the matrix, those of deleted documents included
        self._gone = 0  # of these, the rows of deleted documents

    def __len__(self) -> int:
        """Return the number of passages, those without a vector included."""
        return self._used - self._gone

    @property
    def width(self) -> int:
        """The numbers of a vector."""
        return self._matrix.shape[1]

    @property
    def documents(self) -> KeysView[int]:
        """The numbers of the documents."""
        return self._documents.keys()

    def updated(
        self, gone: Iterable[int], new: Iterable[tuple[int, DocumentVectors]], count: int
    ) -> VectorIndex:
        """Return an index without some documents and with others.

        Args:
            gone: The numbers of the documents that it is without.
            new: Other documents with their numbers; they may be read as they are needed.
            count: The number of their passages.
        """
        index = VectorIndex.__new__(VectorIndex)
        vars(index).update(vars(self))
        index._documents, index._by_source = dict(self._documents), dict(self._by_source)
        index._hidden = self._hidden.copy()
        for number in gone:
            index._hide(number)
        if index._gone > _MOST_GONE * index._used:
            index._move_to(len(index) + count)
        elif index._used + count > len(index._matrix):
            # The first documents are those of the file; later ones may be added one by one.
            spare = int(_SPARE * index._used)
            index._move_to(index._used + count + spare)
        for number, document in new:
            index._append(number, document)
        index._any_hidden = bool(index._hidden[: index._used].any())
        return index

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Found]:
        """Return the nearest passages, best first; equal ones by source id, then by place.

        Args:
            vector: Normalized, shape (d,).
            k: The maximum number of passages.
            source_ids: The documents that are searched; `None` for all.
        """
        import numpy as np

        if source_ids is None:
            rows, scores = None, self._matrix[: self._used] @ vector
            if self._any_hidden:
                scores[self._hidden[: self._used]] = -np.inf
        else:
            searched = [
                self._documents[self._by_source[each]]
                for each in set(source_ids)
                if each in self._by_source
            ]
            if not searched:
                return []
            rows = np.concatenate([np.arange(each.start, each.end) for each in searched])
            parts = [self._matrix[each.start : each.end] @ vector for each in searched]
            scores = np.concatenate(parts)
            scores[self._hidden[rows]] = -np.inf
        best = np.flatnonzero(scores >= _least_of_best(scores, k))
        return self._ranked(best if rows is None else rows[best], scores[best])[:k]

    def _ranked(self, rows: NDArray[np.intp], scores: NDArray[np.float32]) -> list[Found]:
        owners = [self._documents[number] for number in self._owners[rows].tolist()]
        ranked = sorted(
            (-score, owner.source_id, owner.first + row - owner.start)
            for row, score, owner in zip(rows.tolist(), scores.tolist(), owners, strict=True)
        )
        # Rounding may take the similarity of a vector to itself above 1.
        return [Found(passage, max(-1.0, min(1.0, -negative))) for negative, _, passage in ranked]

    def _allocate(self, rows: int, width: int) -> None:
        """Start with other arrays; memory that no row has used yet costs nothing."""
        import numpy as np

        self._matrix: NDArray[np.float32] = np.empty((rows, width), np.float32)
        self._owners: NDArray[np.int64] = np.empty(rows, np.int64)
        self._hidden: NDArray[np.bool_] = np.zeros(rows, np.bool_)
        self._any_hidden = False

    def _hide(self, number: int) -> None:
        rows = self._documents.pop(number)
        if self._by_source.get(rows.source_id) == number:
            del self._by_source[rows.source_id]
        self._hidden[rows.start : rows.end] = True
        self._gone += rows.end - rows.start

    def _move_to(self, capacity: int) -> None:
        """Copy the rows of all documents to other arrays, without gaps."""
        matrix, hidden, documents = self._matrix, self._hidden, self._documents
        self._allocate(capacity, self.width)
        self._used = self._gone = 0
        self._documents = {}
        for number, rows in documents.items():
            start, end = self._used, self._used + rows.end - rows.start
            self._matrix[start:end] = matrix[rows.start : rows.end]
            self._hidden[start:end] = hidden[rows.start : rows.end]
            self._place(number, rows.source_id, rows.first, end)

    def _append(self, number: int, document: DocumentVectors) -> None:
        import numpy as np

        start, end = self._used, self._used + len(document.vectors)
        rows = self._matrix[start:end]
        rows[:] = document.vectors
        # f16 has rounded them: their lengths are 1 only about.
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        known = np.isfinite(lengths) & (lengths > 0)
        rows /= np.where(known, lengths, 1)[:, None]
        rows[~known] = 0  # not NaN, with which some machines compute slowly
        self._hidden[start:end] = ~known
        self._place(number, document.source_id, document.first, end)

    def _place(self, number: int, source_id: str, first: int, end: int) -> None:
        self._owners[self._used : end] = number
        self._documents[number] = _Rows(source_id, first, self._used, end)
        self._by_source[source_id] = number
        self._used = end


def _least_of_best(scores: NDArray[np.float32], k: int) -> float:
    """Return the score of the k-th best; all that are as good are ranked, so that ties are fair."""
    import numpy as np

    if k < len(scores):
        at = len(scores) - k
        least = float(np.partition(scores, at)[at])
        if least > -np.inf:
            return least
    return float(np.finfo(np.float32).min)

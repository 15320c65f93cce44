"""What a store of passages does: `PassageStore`, and what it keeps: `StoredPassage`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from citeguard.language.terms import terms
from citeguard.retrieval.passages import Passages
from citeguard.retrieval.ranking import keys_of
from citeguard.sources.collection import Passage, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class StoredPassage(NamedTuple):
    """A passage of a document.

    Attributes:
        start: Its start in the document's text, in code points.
        end: Its end, exclusive.
        text: The document's text there.
        keys: The terms by which words find it, in order, with those that its tables say; `None`
            for those of its text. See `keys_of_passage`.
    """

    start: int
    end: int
    text: str
    keys: tuple[str, ...] | None = None


def stored_passages(source: Source, passages: Passages) -> list[StoredPassage]:
    """Return the passages of a source, with the terms by which `BM25Retriever` finds them.

    Args:
        source: The source.
        passages: How it is cut.

    Examples:
        >>> from citeguard.retrieval import Windows
        >>> source = Source("handbook", "Notice is one month. Lunch is free.")
        >>> [passage.keys for passage in stored_passages(source, Windows(size=1, overlap=0))]
        [('notic', 'one', 'month'), ('lunch', 'free')]
    """
    return [
        StoredPassage(span.start, span.end, source.text[span.start : span.end], tuple(keys))
        for span, keys in zip(passages.of(source), keys_of(source, passages), strict=True)
    ]


def keys_of_passage(passage: StoredPassage) -> tuple[str, ...]:
    """Return the terms by which words find a passage.

    Examples:
        >>> keys_of_passage(StoredPassage(0, 14, "Lunch is free."))
        ('lunch', 'free')
    """
    if passage.keys is not None:
        return passage.keys
    return tuple(term.key for term in terms(passage.text))


@runtime_checkable
class PassageStore(Protocol):
    """Keeps the passages of documents with their vectors, and finds those nearest to a query.

    Thread-safe. What other processes change is seen by the next call. Every method raises a
    `CiteguardError` if what it is kept in cannot be read or written.
    """

    def put(
        self,
        source_id: str,
        version: str,
        passages: Sequence[StoredPassage],
        vectors: NDArray[np.float32] | None,
    ) -> None:
        """Keep the passages of a document in place of all that it had: all, or none on an error.

        Args:
            source_id: The id of the document.
            version: The SHA-256 of its content.
            passages: Its passages, in order.
            vectors: Their vectors, normalized, shape (n, d); a passage whose row is not finite is
                found by words only, as are all if it is `None`.

        Raises:
            CiteguardError: the vectors are not as many as the passages, or not as wide as those
                that it has.
        """
        ...

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents; an id that it does not have is ignored."""
        ...

    def versions(self) -> Mapping[str, str]:
        """Return the version of each document that it has, by id."""
        ...

    def nearest(
        self,
        vector: NDArray[np.float32],
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[Passage]:
        """Return at most `k` passages by the cosine similarity of their vectors, best first.

        Exact unless the store is told otherwise; equal scores are ordered by (source_id, start).

        Args:
            vector: A normalized vector, shape (d,).
            k: The maximum number of passages, from 1 on.
            source_ids: The documents to search; `None` for all. Ids that it does not have are
                ignored.

        Raises:
            CiteguardError: the vector is not as wide as those that it has, or not finite.
        """
        ...

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return at most `k` passages that share a term with a query, best first by BM25.

        The terms are those of `citeguard.language.terms`, as for `BM25Retriever`; how rare one is,
        is counted over all passages of the store.

        Args:
            query: A question or some words.
            k: The maximum number of passages, from 1 on.
            source_ids: The documents to search; `None` for all. Ids that it does not have are
                ignored.
        """
        ...

    def __len__(self) -> int:
        """Return the number of passages."""
        ...

    def close(self) -> None:
        """Close what it has opened; closing again does nothing."""
        ...

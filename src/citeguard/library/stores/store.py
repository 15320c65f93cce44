"""What a store of passages does: `PassageStore`; and what all of them count, check and convert."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from citeguard.errors import CiteguardError
from citeguard.language.terms import terms
from citeguard.retrieval.passages import Passages
from citeguard.retrieval.ranking import keys_of
from citeguard.sources.collection import Passage, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1, B = 1.5, 0.75  # the defaults of `BM25Retriever`
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class StoredPassage(NamedTuple):
    """A passage of a document.

    Attributes:
        start: Its start in the document's text, in code points.
        end: Its end, exclusive.
        text: The document's text there.
        keys: The terms by which words find it, in order, with those that its tables say.
    """

    start: int
    end: int
    text: str
    keys: tuple[str, ...]


def stored_passages(source: Source, passages: Passages) -> list[StoredPassage]:
    """Return the passages of a source, with the terms by which `BM25Retriever` finds them.

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


@runtime_checkable
class PassageStore(Protocol):
    """Keeps the passages of documents with their vectors, and finds those nearest to a query.

    Thread-safe. What other processes change is seen by the next call. Every method raises a
    `CiteguardError` if the store cannot be read or written.
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
            CiteguardError: The vectors are not as many as the passages, or not as wide as those
                that the store has.
        """
        ...

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents; an unknown id is ignored."""
        ...

    def versions(self) -> Mapping[str, str]:
        """Return the version of each document, by id."""
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
            source_ids: The documents to search; `None` for all. Unknown ids are ignored.

        Raises:
            CiteguardError: The vector is not as wide as those of the store, or not finite.
        """
        ...

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return at most `k` passages that share a term with a query, best first by BM25.

        The terms are those of `BM25Retriever`; how rare one is, is counted over all passages of the
        store. Equal scores are ordered by (source_id, start).

        Args:
            query: A question or some words.
            k: The maximum number of passages, from 1 on.
            source_ids: The documents to search; `None` for all. Unknown ids are ignored.
        """
        ...

    def __len__(self) -> int:
        """Return the number of passages."""
        ...

    def close(self) -> None:
        """Close what the store has opened; closing again does nothing."""
        ...


def query_keys(query: str) -> list[str]:
    """Return the distinct terms of a query, in order.

    Examples:
        >>> query_keys("Which month? The month of notice.")
        ['month', 'notic']
    """
    return list(dict.fromkeys(term.key for term in terms(query)))


def checked_vectors(passages: Sequence[StoredPassage], vectors: Any) -> NDArray[np.float16] | None:
    """Return vectors in half precision, as all stores keep them; NaN or infinite where they are.

    Raises:
        CiteguardError: They are not a row of numbers for each passage.
    """
    import numpy as np

    if vectors is None:
        return None
    rows = np.asarray(vectors)
    if rows.ndim != 2 or len(rows) != len(passages) or (len(rows) and not rows.shape[1]):
        raise CiteguardError(
            f"vectors: expected a row for each of {len(passages)} passages, got an array of shape "
            f"{rows.shape}"
        )
    with np.errstate(all="ignore"):  # NaN, and what is too large
        return rows.astype(np.float16)


def checked_query(vector: Any, width: int | None) -> NDArray[np.float32]:
    """Return the vector of a query that can be compared with those of a store.

    Args:
        vector: The vector.
        width: The numbers of each vector that the store has; `None` if it has none.

    Raises:
        CiteguardError: It is not one vector of as many finite numbers.
    """
    import numpy as np

    query = np.asarray(vector, np.float32)
    if query.ndim != 1 or not np.isfinite(query).all():
        raise CiteguardError(
            f"vector: expected one vector of finite numbers, got an array of shape {query.shape}"
        )
    if width is not None and len(query) != width:
        raise different_width(len(query), width)
    return query


def different_width(given: int, kept: int) -> CiteguardError:
    """Return the error for a vector that cannot be compared with those that are kept."""
    return CiteguardError(
        f"the vectors that are kept have {kept} numbers, and a vector of {given} cannot be "
        "compared with them; use the same embedder, or delete all documents and add them again"
    )


def storable(text: str) -> str:
    r"""Return a text with U+FFFD for what a database may not store: NUL and lone surrogates.

    Examples:
        >>> storable("a\0b\ud800")
        'a\ufffdb\ufffd'
    """
    return _UNSTORABLE.sub("\ufffd", text)

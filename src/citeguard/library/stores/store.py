"""What a store of passages does: `PassageStore`; and what all of them count, check and convert."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from citeguard.errors import CiteguardError, foreign_code
from citeguard.language.tokens import terms
from citeguard.retrieval.passages import Passages
from citeguard.retrieval.ranking import keys_of
from citeguard.sources.collection import Passage, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Postgres stores neither as text, and Python's sqlite3 no half of a character.
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


@runtime_checkable
class PassageStore(Protocol):
    """Keeps the passages of documents with their vectors, and finds those nearest to a query.

    Thread-safe. What other processes change is seen by the next call. Ids and texts have neither
    NUL nor lone surrogates. Every method raises a `CiteguardError` if the store cannot be read or
    written.
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
            version: What its content is known by.
            passages: Its passages, in order.
            vectors: Their vectors, normalized, shape (n, d); a passage whose row is not finite is
                found by words only, as are all if it is `None`.

        Raises:
            CiteguardError: The vectors are not as wide as those that the store has.
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
        """Return the passages with the highest cosine similarity of their vectors, best first.

        All vectors are compared. Equal scores are ordered by (source_id, start).

        Args:
            vector: A normalized vector, shape (d,).
            k: The maximum number of passages, from 1 on.
            source_ids: The documents to search; `None` for all. Unknown ids are ignored.

        Raises:
            CiteguardError: The vector is not as wide as those of the store.
        """
        ...

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return passages that share a term with a query, best first by BM25.

        How rare a term is, is counted over all passages of the store. Equal scores are ordered by
        (source_id, start).

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


class OwnStore:
    """A `PassageStore` of the user's, mistakes in whose code are errors of the set-up."""

    def __init__(self, store: PassageStore) -> None:
        self._store = store

    def __repr__(self) -> str:
        """Return what represents the store."""
        return repr(self._store)

    def __len__(self) -> int:
        """Return the number of passages."""
        with foreign_code(owner="the store"):
            return len(self._store)

    def __getattr__(self, name: str) -> Any:
        """Return a method of the store."""

        def call(*given: Any, **named: Any) -> Any:
            with foreign_code(owner="the store"):
                return getattr(self._store, name)(*given, **named)

        return call


def stored_passages(source: Source, passages: Passages) -> list[StoredPassage]:
    """Return the passages of a source, with the terms by which `BM25Retriever` finds them."""
    return [
        StoredPassage(span.start, span.end, source.text[span.start : span.end], tuple(keys))
        for span, keys in zip(passages.of(source), keys_of(source, passages), strict=True)
    ]


def query_keys(query: str) -> list[str]:
    """Return the distinct terms of a query, in order."""
    # The terms of passages were taken from what could be stored, too.
    return list(dict.fromkeys(term.key for term in terms(storable(query))))


def halves_of(vectors: NDArray[np.float32]) -> NDArray[np.float16]:
    """Return vectors in half precision, as all stores keep them; NaN or infinite where they are."""
    import numpy as np

    with np.errstate(all="ignore"):  # NaN, and what is too large
        return vectors.astype(np.float16)


def check_width(given: int, kept: int | None) -> None:
    """Require vectors of the width of those that are kept; `None` if there are none."""
    if kept not in (None, given):
        raise CiteguardError(
            f"the vectors that are kept have {kept} numbers, and a vector of {given} cannot be "
            "compared with them; use the same embedder, or delete all documents and add them again"
        )


def storable(text: str) -> str:
    """Return a text with U+FFFD for what a database may not store: NUL and lone surrogates."""
    return _UNSTORABLE.sub("\ufffd", text)

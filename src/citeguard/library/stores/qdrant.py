"""Passages in a collection of Qdrant: `QdrantStore`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from citeguard.errors import (
    CiteguardError,
    check_kind,
    check_text,
    foreign_code,
    optional_packages,
)
from citeguard.library.stores.store import StoredPassage, check_width, halves_of, query_keys
from citeguard.retrieval.ranking import K1, B
from citeguard.sources.collection import Passage, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from qdrant_client import QdrantClient
    from qdrant_client.models import PointStruct, SparseVector

# Any will do, but never another one: the ids of all points are made with it.
_NAMESPACE = UUID("7d1b8d54-3b0f-5c7e-9d55-0a8f1c6f2e11")
_VECTOR, _WORDS = "vector", "words"
_AT_ONCE = 256  # points of one request
_MEAN_TERMS = 40  # of a passage, without function words; a longer one counts as long
_SPARE = 8  # results requested beyond k, in case some are not whole


class QdrantStore:
    """Keeps passages in a collection of Qdrant, a server made for vectors that can be distributed.

    Implements `PassageStore`. Qdrant has no transactions, so each document has a point of its own
    that says which points are its passages, written after these. A search ignores all others, so
    it finds a document whole, as it was before or as it is after a change. What a killed process
    leaves behind is removed when the document is put again.

    All vectors are compared, and kept in half precision. BM25 differs from that of the other
    stores: the mean length of passages is not counted but given; terms are kept as numbers of 32
    bits, and two may have the same one; and how rare a term is, counts passages that were replaced
    until Qdrant has cleaned up.

    Args:
        client: A `QdrantClient`, which `close` leaves open. Its local mode (`":memory:"`, or a
            folder) needs no server but is slow: it is meant for tests.
        collection: The name of the collection, which the first document creates; another one for
            each library.

    Raises:
        CiteguardError: An argument is wrong, qdrant-client is missing, or the server cannot be
            reached.

    Examples:
        ```python
        store = QdrantStore(QdrantClient("http://localhost:6333", timeout=30))
        with Library("docs.db", store=store) as library:
            library.add("papers/")
        ```
    """

    def __init__(self, client: QdrantClient, *, collection: str = "citeguard") -> None:
        check_text("QdrantStore(collection=...)", collection, required=True)
        with optional_packages("QdrantStore"):
            from qdrant_client import QdrantClient, models
        check_kind("QdrantStore", client, QdrantClient, required=True)
        self._client, self._models, self._collection = client, models, collection
        self._using, self._writing, self._closed = RLock(), Lock(), False
        given = client.init_options
        self._local = given["path"] is not None or given["location"] == ":memory:"
        # The client only warns if the server cannot be reached, so it is asked for something.
        with self._failures():
            self._exists()

    def __repr__(self) -> str:
        """Name the collection."""
        return f"QdrantStore(collection={self._collection!r})"

    def put(
        self,
        source_id: str,
        version: str,
        passages: Sequence[StoredPassage],
        vectors: NDArray[np.float32] | None,
    ) -> None:
        """Keep the passages of a document; searches find the old ones until all new ones are there.

        See `PassageStore`. Of one document, one process may put passages at a time, as libraries
        do.
        """
        # The same for the same content, so that putting it again changes nothing.
        content = repr((source_id, version, list(passages))).encode("utf-8", "surrogatepass")
        digest = blake2b(content + (b"" if vectors is None else vectors.tobytes()), digest_size=16)
        own = {"source_id": source_id, "generation": digest.hexdigest()}
        points = list(self._points(own, passages, vectors))
        facts = {**own, "kind": "document", "version": version, "passages": len(passages)}
        document = self._models.PointStruct(id=_document_id(source_id), vector={}, payload=facts)
        others = self._filter(source_id=[source_id])
        # Also those that a process left behind that was killed before it wrote the document.
        others.must_not = self._filter(generation=[own["generation"]]).must
        batches = [points[at : at + _AT_ONCE] for at in range(0, len(points), _AT_ONCE)]
        with self._failures(), self._writing:
            self._make_room(vectors.shape[1] if vectors is not None and passages else None)
            for batch in (*batches, [document]):  # the document last
                # Else Qdrant answers before a search finds the points.
                self._client.upsert(self._collection, batch, wait=True)
            self._delete(others)

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents, in one operation; see `PassageStore`."""
        with self._failures():
            if self._exists():
                self._delete(self._filter(source_id=source_ids))

    def versions(self) -> dict[str, str]:
        """Return the version of each document, by id."""
        return {each["source_id"]: each["version"] for each in self._documents()}

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages with the nearest vectors; see `PassageStore`."""
        with self._failures():
            if (width := self._width() if self._exists() else None) is None:
                return []
            check_width(len(vector), width)
            return self._best(vector.tolist(), _VECTOR, k, source_ids)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best; see `PassageStore`."""
        terms = self._sparse({_number(key): 1.0 for key in query_keys(query)})
        with self._failures():
            exists = self._exists()
            return self._best(terms, _WORDS, k, source_ids) if exists and terms.indices else []

    def __len__(self) -> int:
        """Return the number of passages."""
        return sum(each["passages"] for each in self._documents())

    def close(self) -> None:
        """Stop using the client, which stays open; closing again does nothing."""
        self._closed = True

    @contextmanager
    def _failures(self) -> Generator[None]:
        """Turn what the client raises, of many types, into an error that says what to do."""

        def failure(error: Exception) -> CiteguardError:
            return CiteguardError(
                f"Qdrant failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}; "
                "check the address of the server, that it runs, and the key for its API"
            )

        with foreign_code(failure):
            if not self._local:
                yield
                return
            with self._using:  # the local mode is not thread-safe
                yield

    def _exists(self) -> bool:
        """Return whether the collection exists; raise if the store is closed."""
        if self._closed:
            raise CiteguardError("QdrantStore is closed; open it again")
        return self._client.collection_exists(self._collection)

    def _width(self) -> int | None:
        """Return the width of the vectors; `None` if the collection has none."""
        vectors = self._client.get_collection(self._collection).config.params.vectors
        params = vectors.get(_VECTOR) if isinstance(vectors, dict) else None
        return None if params is None else params.size

    def _make_room(self, width: int | None) -> None:
        """Create the collection, or a place for vectors in it, if they are missing."""
        models = self._models
        settings: dict[str, Any] = {
            "size": width,
            "distance": models.Distance.COSINE,
            "datatype": models.Datatype.FLOAT16,
        }
        if self._exists():
            if width in (None, known := self._width()):
                return
            # A vector's width cannot be changed later: a collection without points is made anew.
            if self._client.count(self._collection, exact=True).count:
                check_width(width or 0, known)
                dense = models.DenseVectorNameConfig(dense=models.DenseVectorConfig(**settings))
                self._client.create_vector_name(self._collection, _VECTOR, dense)
                return
            self._client.delete_collection(self._collection)
        self._client.create_collection(
            self._collection,
            vectors_config={} if width is None else {_VECTOR: models.VectorParams(**settings)},
            sparse_vectors_config={_WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        # The local mode has no indexes, and warns that it ignores them.
        for field in () if self._local else ("source_id", "generation", "kind"):
            keyword = models.PayloadSchemaType.KEYWORD
            self._client.create_payload_index(self._collection, field, keyword, wait=True)

    def _points(
        self,
        own: Mapping[str, str],
        passages: Sequence[StoredPassage],
        vectors: NDArray[np.float32] | None,
    ) -> Iterator[PointStruct]:
        import numpy as np

        rows = None if vectors is None else halves_of(vectors)
        for number, each in enumerate(passages):
            vector: dict[str, Any] = {}
            if rows is not None and np.isfinite(rows[number]).all():
                vector[_VECTOR] = rows[number].tolist()
            if each.keys:
                # What BM25 has of a passage; what it has of a term, Qdrant adds to a query.
                length = K1 * (1 - B + B * len(each.keys) / _MEAN_TERMS)
                times = Counter(map(_number, each.keys))
                vector[_WORDS] = self._sparse({k: n / (n + length) for k, n in times.items()})
            place = {"start": each.start, "end": each.end, "text": each.text}
            yield self._models.PointStruct(
                # Qdrant takes numbers and UUIDs as ids, nothing else.
                id=str(uuid5(_NAMESPACE, f"{own['generation']} {number}")),
                vector=vector,
                payload={**own, "kind": "passage", **place},
            )

    def _sparse(self, values: Mapping[int, float]) -> SparseVector:
        return self._models.SparseVector(indices=list(values), values=list(values.values()))

    def _filter(self, **wanted: Collection[str]) -> Any:
        """Return the filter of the points whose fields have one of some values."""
        models = self._models
        return models.Filter(
            must=[
                models.FieldCondition(key=field, match=models.MatchAny(any=[*values]))
                for field, values in wanted.items()
            ]
        )

    def _delete(self, chosen: Any) -> None:
        selector = self._models.FilterSelector(filter=chosen)
        self._client.delete(self._collection, selector, wait=True)

    def _documents(self) -> Iterator[dict[str, Any]]:
        offset: Any = None
        chosen = self._filter(kind=["document"])
        with self._failures():
            while self._exists():
                points, offset = self._client.scroll(
                    self._collection, scroll_filter=chosen, limit=1_000, offset=offset
                )
                yield from (point.payload or {} for point in points)
                if offset is None:
                    return

    def _best(
        self, query: Any, using: str, k: int, source_ids: Collection[str] | None
    ) -> list[Passage]:
        """Return the best passages of whole documents, in order."""
        limit = k + _SPARE
        while True:
            points = self._client.query_points(
                self._collection,
                query=query,
                using=using,
                query_filter=None if source_ids is None else self._filter(source_id=source_ids),
                # The local mode is always exact, and warns that it ignores this.
                search_params=None if self._local else self._models.SearchParams(exact=True),
                limit=limit,
            ).points
            payloads = [(point.payload or {}, point.score) for point in points]
            named = {_document_id(payload["source_id"]) for payload, _ in payloads}
            # Only a document's own point says which passages are whole, and of today.
            documents = self._client.retrieve(self._collection, [*named], with_payload=True)
            current = {(each.payload or {})["generation"] for each in documents}
            whole = [
                Passage(Span(each["source_id"], each["start"], each["end"]), each["text"], score)
                for each, score in payloads
                if each["generation"] in current
            ]
            whole.sort(key=lambda each: (-each.score, each.span.source_id, each.span.start))
            # The k-th must be better than what was not returned, or that may come before it.
            is_certain = len(whole) >= k and points[-1].score < whole[k - 1].score
            if is_certain or len(points) < limit:
                return whole[:k]
            limit *= 2


def _document_id(source_id: str) -> str:
    return str(uuid5(_NAMESPACE, f"document {source_id}"))


def _number(key: str) -> int:
    # Qdrant's sparse vectors have indices of 32 bits.
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big")

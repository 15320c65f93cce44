"""Passages in a collection of Qdrant: `QdrantStore`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from hashlib import blake2b
from os import PathLike, fspath
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from citeguard.errors import (
    CiteguardError,
    check_number,
    check_text,
    check_whole,
    foreign_code,
    optional_packages,
)
from citeguard.library.stores.store import (
    K1,
    B,
    StoredPassage,
    checked_query,
    checked_vectors,
    different_width,
    query_keys,
    storable,
)
from citeguard.sources.collection import Passage, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter, PointStruct, SparseVector

_NAMESPACE = UUID("7d1b8d54-3b0f-5c7e-9d55-0a8f1c6f2e11")
_VECTOR, _WORDS = "vector", "words"
_AT_ONCE = 256  # points of one request
_SPARE = 8  # results requested beyond k, in case some are not whole
_ATTEMPTS = 5
_TIMEOUT = 30  # seconds for a request; Qdrant's 5 are few for a batch


class QdrantStore:
    """Keeps passages in a collection of Qdrant, a server made for vectors that can be distributed.

    Implements `PassageStore`. Qdrant has no transactions, so each document has a point of its own
    that says which points are its passages, written after these. A search ignores all others, so
    it finds a document whole, as it was before or as it is after a change. What a killed process
    leaves behind is removed when the document is put again.

    Vectors are compared exactly, all of them, and kept in half precision. Words are ranked by BM25,
    but differently from the other stores in three ways: the mean length of passages is not counted
    but given, by `mean_terms`; terms are kept as numbers of 32 bits, and two may have the same one;
    and how rare a term is, counts passages that were replaced until Qdrant has cleaned up.

    Args:
        client: The address of the server, such as `"http://localhost:6333"`; a folder or
            `":memory:"` for the client's local mode, which needs no server but is slow: it is meant
            for tests; or a `QdrantClient` of your own, which `close` leaves open.
        collection: The name of the collection, which the first document creates. Stores of several
            libraries need different ones.
        mean_terms: The length of passages in terms, without function words, above which one counts
            as long; above 0. Always the same for one collection.

    Raises:
        CiteguardError: An argument is wrong, qdrant-client is missing, or the server cannot be
            reached.

    Examples:
        ```python
        store = QdrantStore("http://localhost:6333")
        with Library("docs.db", store=store) as library:
            library.add("papers/")
        ```
    """

    def __init__(
        self,
        client: str | PathLike[str] | QdrantClient,
        *,
        collection: str = "citeguard",
        mean_terms: float = 40,
    ) -> None:
        check_text("QdrantStore(collection=...)", collection, required=True)
        check_number("QdrantStore(mean_terms=...)", mean_terms, 0, 1e6, above=True)
        with optional_packages("QdrantStore"):
            from qdrant_client import QdrantClient, models
        self._models = models
        self._collection, self._mean = collection, mean_terms
        self._owns_client = not isinstance(client, QdrantClient)
        self._using: AbstractContextManager[Any] = nullcontext()
        self._writing = Lock()
        self._closed = False
        with self._failures():
            if isinstance(client, QdrantClient):
                self._client = client
            elif "://" in (location := fspath(client)):
                # It would warn, not raise, if the server cannot be reached.
                self._client = QdrantClient(
                    url=location, timeout=_TIMEOUT, check_compatibility=False
                )
            elif location == ":memory:":
                self._client = QdrantClient(location)
            else:
                self._client = QdrantClient(path=location, force_disable_check_same_thread=True)
        options = self._client.init_options
        self._local = options["path"] is not None or options["location"] == ":memory:"
        if self._local:  # which is not thread-safe
            self._using = RLock()
        try:
            with self._failures():
                self._exists()
        except CiteguardError:
            self.close()
            raise

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

        See `PassageStore`.

        Raises:
            CiteguardError: Also if other processes keep putting the same document.
        """
        source_id = storable(source_id)
        rows = checked_vectors(passages, vectors)
        # The same for the same content, so that putting it again changes nothing.
        content = repr((source_id, version, list(passages))).encode("utf-8", "surrogatepass")
        digest = blake2b(content, digest_size=16)
        digest.update(b"" if rows is None else rows.tobytes())
        generation = digest.hexdigest()
        payload = {"source_id": source_id, "generation": generation}
        points = list(self._points(payload, passages, rows))
        facts = {"kind": "document", "version": version, "passages": len(passages)}
        document = self._models.PointStruct(
            id=_document_id(source_id), vector={}, payload={**payload, **facts}
        )
        of_others = self._models.Filter(
            must=[self._is("source_id", source_id)], must_not=[self._is("generation", generation)]
        )
        own = self._models.Filter(
            must=[self._is("generation", generation), self._is("kind", "passage")]
        )
        with self._failures(), self._writing:
            self._make_room(rows.shape[1] if rows is not None and len(rows) else None)
            for _ in range(_ATTEMPTS):
                for start in range(0, len(points), _AT_ONCE):
                    batch = points[start : start + _AT_ONCE]
                    self._client.upsert(self._collection, batch, wait=True)
                self._client.upsert(self._collection, [document], wait=True)
                selector = self._models.FilterSelector(filter=of_others)
                self._client.delete(self._collection, selector, wait=True)
                # Another process that put the same document meanwhile may have deleted these.
                kept = self._client.count(self._collection, count_filter=own, exact=True).count
                if kept == len(points) and self._generations([source_id]) == {
                    source_id: generation
                }:
                    return
        raise CiteguardError(
            f"{source_id!r} was not stored: other processes kept putting the same document"
        )

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents, in one operation; see `PassageStore`."""
        with self._failures():
            if self._exists():
                selector = self._models.FilterSelector(filter=self._among(source_ids))
                self._client.delete(self._collection, selector, wait=True)

    def versions(self) -> dict[str, str]:
        """Return the version of each document, by id."""
        return {each["source_id"]: each["version"] for each in self._documents()}

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages with the nearest vectors; see `PassageStore`."""
        check_whole("QdrantStore.nearest(k=...)", k, 1)
        with self._failures():
            width = self._width() if self._exists() else None
            query = checked_query(vector, width)
            if width is None:
                return []
            return self._best(query.tolist(), using=_VECTOR, k=k, source_ids=source_ids)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best; see `PassageStore`."""
        check_whole("QdrantStore.matching(k=...)", k, 1)
        terms = self._sparse({_number(key): 1.0 for key in query_keys(query)})
        with self._failures():
            if not terms.indices or not self._exists():
                return []
            return self._best(terms, using=_WORDS, k=k, source_ids=source_ids)

    def __len__(self) -> int:
        """Return the number of passages."""
        return sum(each["passages"] for each in self._documents())

    def close(self) -> None:
        """Close the client, but not one that was given; closing again does nothing."""
        self._closed = True
        if self._owns_client:
            self._client.close()

    @contextmanager
    def _failures(self) -> Generator[None]:
        """Turn what the client raises, of many types, into an error that says what to do."""
        with (
            self._using,
            foreign_code(
                lambda error: CiteguardError(
                    f"Qdrant failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}; "
                    "check the address of the server, that it runs, and the key for its API"
                )
            ),
        ):
            yield

    def _exists(self) -> bool:
        """Return whether the collection exists.

        Raises:
            CiteguardError: The store is closed.
        """
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
            known = self._width()
            if width in (None, known):
                return
            if self._client.count(self._collection, exact=True).count:
                if known is not None:
                    raise different_width(width or 0, known)
                dense = models.DenseVectorNameConfig(dense=models.DenseVectorConfig(**settings))
                self._client.create_vector_name(self._collection, _VECTOR, dense)
                return
            self._client.delete_collection(self._collection)
        self._client.create_collection(
            self._collection,
            vectors_config={} if width is None else {_VECTOR: models.VectorParams(**settings)},
            sparse_vectors_config={_WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        for field in () if self._local else ("source_id", "generation", "kind"):
            keyword = models.PayloadSchemaType.KEYWORD
            self._client.create_payload_index(self._collection, field, keyword, wait=True)

    def _points(
        self,
        payload: Mapping[str, str],
        passages: Sequence[StoredPassage],
        rows: NDArray[np.float16] | None,
    ) -> Iterator[PointStruct]:
        import numpy as np

        for number, each in enumerate(passages):
            vector: dict[str, Any] = {}
            if rows is not None and np.isfinite(rows[number]).all():
                vector[_VECTOR] = rows[number].tolist()
            if each.keys:
                # What BM25 has of a passage; what it has of a term, Qdrant adds to a query.
                length = K1 * (1 - B + B * len(each.keys) / self._mean)
                times = Counter(map(_number, each.keys))
                vector[_WORDS] = self._sparse({k: n / (n + length) for k, n in times.items()})
            place = {"start": each.start, "end": each.end, "text": storable(each.text)}
            yield self._models.PointStruct(
                id=str(uuid5(_NAMESPACE, f"{payload['generation']} {number}")),
                vector=vector,
                payload={**payload, "kind": "passage", **place},
            )

    def _sparse(self, values: Mapping[int, float]) -> SparseVector:
        return self._models.SparseVector(indices=list(values), values=list(values.values()))

    def _is(self, field: str, value: str) -> Any:
        match = self._models.MatchValue(value=value)
        return self._models.FieldCondition(key=field, match=match)

    def _among(self, source_ids: Collection[str]) -> Filter:
        """Return the filter of the points of documents."""
        match = self._models.MatchAny(any=[*map(storable, source_ids)])
        return self._models.Filter(must=[self._models.FieldCondition(key="source_id", match=match)])

    def _generations(self, source_ids: Collection[str]) -> dict[str, str]:
        """Return which passages of documents are whole."""
        ids = [_document_id(each) for each in source_ids]
        documents = self._client.retrieve(self._collection, ids, with_payload=True)
        payloads = [each.payload or {} for each in documents]
        return {each["source_id"]: each["generation"] for each in payloads}

    def _documents(self) -> Iterator[dict[str, Any]]:
        offset: Any = None
        with self._failures():
            while self._exists():
                points, offset = self._client.scroll(
                    self._collection,
                    scroll_filter=self._models.Filter(must=[self._is("kind", "document")]),
                    limit=1_000,
                    offset=offset,
                )
                yield from (point.payload or {} for point in points)
                if offset is None:
                    return

    def _best(
        self, query: Any, *, using: str, k: int, source_ids: Collection[str] | None
    ) -> list[Passage]:
        """Return the best passages of whole documents, in order."""
        limit = k + _SPARE
        while True:
            points = self._client.query_points(
                self._collection,
                query=query,
                using=using,
                query_filter=None if source_ids is None else self._among(source_ids),
                # The local mode is always exact, and warns that it ignores this.
                search_params=None if self._local else self._models.SearchParams(exact=True),
                limit=limit,
                with_payload=True,
            ).points
            payloads = [(point.payload or {}, point.score) for point in points]
            current = self._generations({payload["source_id"] for payload, _ in payloads})
            whole = [
                Passage(
                    Span(payload["source_id"], payload["start"], payload["end"]),
                    payload["text"],
                    score,
                )
                for payload, score in payloads
                if current.get(payload["source_id"]) == payload["generation"]
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
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big")

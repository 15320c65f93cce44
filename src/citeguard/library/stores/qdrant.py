"""Passages in a collection of Qdrant: `QdrantStore`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import blake2b
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from citeguard.errors import (
    CiteguardError,
    check_number,
    check_text,
    check_whole,
    described,
    foreign_code,
    optional_packages,
)
from citeguard.library.stores.checking import (
    checked_query,
    checked_vectors,
    different_width,
    kept_text,
    read_text,
)
from citeguard.library.stores.store import StoredPassage, keys_of_passage
from citeguard.library.stores.words import K1, B, query_keys
from citeguard.sources.collection import Passage, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter, PointStruct, ScoredPoint, SparseVector

_NAMESPACE = UUID("7d1b8d54-3b0f-5c7e-9d55-0a8f1c6f2e11")
_VECTOR, _WORDS = "vector", "words"
_AT_ONCE = 256  # points of one request
_SPARE = 8  # results asked for beyond k, in case some are not whole
_ATTEMPTS = 5
_TIMEOUT = 30  # seconds for a request; Qdrant's 5 are few for a batch


class QdrantStore:
    """Keeps passages in a collection of Qdrant, a server made for vectors that can be distributed.

    Implements `PassageStore`. Qdrant has no transactions, so each document has a point of its own
    that says which points are its passages, written after these. A search ignores all others, so
    it finds a document whole, as it was before or as it is after a change. What a process leaves
    behind that was killed in the middle of one is removed when the document is put again.

    Vectors are compared exactly, all of them. The collection keeps them in half precision, which
    the local mode of the client ignores.

    Words are ranked by BM25, but differently from the other stores in three ways. The mean length
    of passages is not counted but given, by `mean_terms`. Terms are kept as numbers of 32 bits, and
    two may have the same one. And how rare a term is, counts passages that were replaced until
    Qdrant has cleaned up.

    Args:
        client: The address of the server, such as `"http://localhost:6333"`; a folder or
            `":memory:"` for the client's local mode, which needs no server but is slow: it is meant
            for tests; or a `QdrantClient` of your own, which `close` leaves open.
        collection: The name of the collection, which the first document creates. Stores of several
            libraries need different ones.
        mean_terms: The length of passages in terms, without function words, above which one counts
            as long; above 0. Always the same for one collection.

    Raises:
        CiteguardError: an argument is wrong, qdrant-client is missing, or the server cannot be
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
        client: str | Path | QdrantClient,
        *,
        collection: str = "citeguard",
        mean_terms: float = 40,
    ) -> None:
        check_text("QdrantStore(collection=...)", collection, required=True)
        check_number("QdrantStore(mean_terms=...)", mean_terms, 0, 1e6, above=True)
        with optional_packages("QdrantStore"):
            import qdrant_client
            from qdrant_client import models
        self._models = models
        self._collection, self._mean = collection, mean_terms
        self._owns_client = not isinstance(client, qdrant_client.QdrantClient)
        with self._failures():
            self._client: QdrantClient = (
                client
                if isinstance(client, qdrant_client.QdrantClient)
                else _open(qdrant_client.QdrantClient, client)
            )
        options = self._client.init_options
        self._local = options["path"] is not None or options["location"] == ":memory:"
        # The local mode is not thread-safe.
        self._using: AbstractContextManager[Any] = RLock() if self._local else nullcontext()
        self._writing = Lock()
        self._closed = False
        self._created = False
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
        """Keep the passages of a document in place of all that it had.

        Searches find the old ones until all the new ones are there.

        Raises:
            CiteguardError: the vectors are not as many as the passages, or not as wide as those of
                the collection; the id has a lone surrogate; other processes kept putting the same
                document; or the server failed.
        """
        if kept_text(source_id, nul=True)[1] is not None:
            raise CiteguardError(
                f"Qdrant stores no lone surrogates, as the id {source_id!r} has; use another id"
            )
        rows = checked_vectors("QdrantStore", passages, vectors)
        generation = _digest(source_id, version, passages, rows)
        points = self._points(source_id, generation, passages, rows)
        document = self._models.PointStruct(
            id=_document_id(source_id),
            vector={},
            payload={
                "kind": "document",
                "source_id": source_id,
                "version": version,
                "passages": len(passages),
                "generation": generation,
            },
        )
        with self._failures(), self._writing, self._using:
            self._make_room(None if rows is None or not len(rows) else rows.shape[1])
            for _ in range(_ATTEMPTS):
                for start in range(0, len(points), _AT_ONCE):
                    self._upsert(points[start : start + _AT_ONCE])
                self._upsert([document])
                self._client.delete(
                    self._collection,
                    self._models.FilterSelector(
                        filter=self._models.Filter(
                            must=[self._is("source_id", source_id)],
                            must_not=[self._is("generation", generation)],
                        )
                    ),
                    wait=True,
                )
                # Another process that put the same document meanwhile may have deleted these.
                if self._is_whole(source_id, generation, len(points)):
                    return
        raise CiteguardError(
            f"{source_id!r} was not stored: other processes kept putting the same document"
        )

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents, in one operation; an id that it does not have is ignored."""
        with self._failures(), self._using:
            if (gone := self._searched(source_ids)) is not None and self._exists():
                self._client.delete(
                    self._collection, self._models.FilterSelector(filter=gone), wait=True
                )

    def versions(self) -> Mapping[str, str]:
        """Return the version of each document, by id."""
        return {each["source_id"]: each["version"] for each in self._documents()}

    def nearest(
        self,
        vector: NDArray[np.float32],
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[Passage]:
        """Return at most `k` passages by the cosine similarity of their vectors, best first.

        Exact; equal scores are ordered by (source_id, start).

        Raises:
            CiteguardError: the vector is not finite, or not as wide as those of the collection; or
                the server failed.
        """
        check_whole("QdrantStore.nearest(k=...)", k, 1)
        query = checked_query("QdrantStore", vector)
        with self._failures(), self._using:
            width = self._width() if self._exists() else None
            if width is None:
                return []
            if len(query) != width:
                raise different_width("QdrantStore", len(query), width)
            return self._best(query.tolist(), using=_VECTOR, k=k, source_ids=source_ids)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return at most `k` passages that share a term with a query, best first by BM25.

        Equal scores are ordered by (source_id, start). How rare a term is, is counted over all
        passages of the collection.

        Raises:
            CiteguardError: the server failed.
        """
        check_whole("QdrantStore.matching(k=...)", k, 1)
        terms = self._sparse({_number(key): 1.0 for key in query_keys(query)})
        with self._failures(), self._using:
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

    def _exists(self) -> bool:
        """Return whether the collection exists.

        Raises:
            CiteguardError: the store is closed.
        """
        if self._closed:
            raise CiteguardError("QdrantStore is closed; open the store anew")
        self._created = self._created or self._client.collection_exists(self._collection)
        return self._created

    def _width(self) -> int | None:
        """Return the width of the vectors; `None` if the collection has none."""
        vectors = self._client.get_collection(self._collection).config.params.vectors
        params = vectors.get(_VECTOR) if isinstance(vectors, dict) else None
        return None if params is None else params.size

    def _make_room(self, width: int | None) -> None:
        """Create the collection, or a place for vectors in it, if they are missing.

        Raises:
            CiteguardError: the collection has vectors of another width.
        """
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
                    raise different_width("QdrantStore", width or 0, known)
                self._client.create_vector_name(
                    self._collection,
                    _VECTOR,
                    models.DenseVectorNameConfig(dense=models.DenseVectorConfig(**settings)),
                )
                return
            self._client.delete_collection(self._collection)
        self._client.create_collection(
            self._collection,
            vectors_config={} if width is None else {_VECTOR: models.VectorParams(**settings)},
            sparse_vectors_config={_WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        self._created = True
        if not self._local:
            for field in ("source_id", "generation", "kind"):
                self._client.create_payload_index(
                    self._collection, field, models.PayloadSchemaType.KEYWORD, wait=True
                )

    def _points(
        self,
        source_id: str,
        generation: str,
        passages: Sequence[StoredPassage],
        rows: NDArray[np.float32] | None,
    ) -> list[PointStruct]:
        import numpy as np

        points: list[PointStruct] = []
        for number, passage in enumerate(passages):
            vector: dict[str, Any] = {}
            if rows is not None and np.isfinite(rows[number]).all():
                vector[_VECTOR] = rows[number].tolist()
            if (words := self._words(keys_of_passage(passage))).indices:
                vector[_WORDS] = words
            text, raw = kept_text(passage.text, nul=True)
            points.append(
                self._models.PointStruct(
                    id=str(uuid5(_NAMESPACE, f"{generation} {number}")),
                    vector=vector,
                    payload={
                        "kind": "passage",
                        "source_id": source_id,
                        "generation": generation,
                        "start": passage.start,
                        "end": passage.end,
                        "text": text,
                        "raw": None if raw is None else raw.hex(),
                    },
                )
            )
        return points

    def _words(self, keys: Sequence[str]) -> SparseVector:
        """Return what BM25 has of a passage; what it has of a term, Qdrant adds to a query."""
        length = K1 * (1 - B + B * len(keys) / self._mean)
        return self._sparse(
            {key: count / (count + length) for key, count in Counter(map(_number, keys)).items()}
        )

    def _sparse(self, values: Mapping[int, float]) -> SparseVector:
        return self._models.SparseVector(indices=list(values), values=list(values.values()))

    def _upsert(self, points: Sequence[PointStruct]) -> None:
        self._client.upsert(self._collection, list(points), wait=True)

    def _is(self, field: str, value: str) -> Any:
        models = self._models
        return models.FieldCondition(key=field, match=models.MatchValue(value=value))

    def _is_whole(self, source_id: str, generation: str, count: int) -> bool:
        """Return whether a document and all its passages are those that were put."""
        passages = self._models.Filter(
            must=[self._is("generation", generation), self._is("kind", "passage")]
        )
        kept = self._client.count(self._collection, count_filter=passages, exact=True).count
        return kept == count and self._generations([source_id]) == {source_id: generation}

    def _generations(self, source_ids: Collection[str]) -> dict[str, str]:
        """Return which passages of documents are found."""
        documents = self._client.retrieve(
            self._collection, [_document_id(each) for each in source_ids], with_payload=True
        )
        payloads = [each.payload or {} for each in documents]
        return {each["source_id"]: each["generation"] for each in payloads}

    def _documents(self) -> Iterator[dict[str, Any]]:
        models = self._models
        offset: Any = None
        with self._failures(), self._using:
            while self._exists():
                points, offset = self._client.scroll(
                    self._collection,
                    scroll_filter=models.Filter(must=[self._is("kind", "document")]),
                    limit=1_000,
                    offset=offset,
                )
                yield from (point.payload or {} for point in points)
                if offset is None:
                    return

    def _searched(self, source_ids: Collection[str]) -> Filter | None:
        """Return the filter of the points of documents; `None` if there can be none."""
        models = self._models
        ids = sorted(each for each in source_ids if kept_text(each, nul=True)[1] is None)
        if not ids:
            return None
        among = models.FieldCondition(key="source_id", match=models.MatchAny(any=ids))
        return models.Filter(must=[among])

    def _best(
        self, query: Any, *, using: str, k: int, source_ids: Collection[str] | None
    ) -> list[Passage]:
        """Return the best passages of whole documents; asks for more until they are certain."""
        searched = None
        if source_ids is not None and (searched := self._searched(source_ids)) is None:
            return []
        limit = k + _SPARE
        while True:
            points = self._client.query_points(
                self._collection,
                query=query,
                using=using,
                query_filter=searched,
                # The local mode is always exact, and warns that it ignores this.
                search_params=None if self._local else self._models.SearchParams(exact=True),
                limit=limit,
                with_payload=True,
            ).points
            whole = self._whole(points)
            # The k-th must be better than what was not returned, or that may come before it.
            certain = len(whole) >= k and points[-1].score < whole[k - 1].score
            if certain or len(points) < limit:
                return whole[:k]
            limit *= 2

    def _whole(self, points: Sequence[ScoredPoint]) -> list[Passage]:
        """Return the passages of documents that are whole, in order."""
        payloads = [(point.payload or {}, point.score) for point in points]
        current = self._generations({payload["source_id"] for payload, _ in payloads})
        passages = [
            Passage(
                Span(payload["source_id"], payload["start"], payload["end"]),
                read_text(payload["text"], _bytes(payload["raw"])),
                score,
            )
            for payload, score in payloads
            if current.get(payload["source_id"]) == payload["generation"]
        ]
        return sorted(passages, key=lambda each: (-each.score, *_place(each.span)))

    def _failures(self) -> AbstractContextManager[None]:
        """Turn what the client raises, of many types, into an error that says what to do."""
        return foreign_code(
            lambda error: CiteguardError(
                f"Qdrant failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}; "
                "check the address of the server, that it runs, and the key for its API"
            )
        )


def _open(open_client: Callable[..., QdrantClient], location: object) -> QdrantClient:
    if isinstance(location, Path):
        location = str(location)
    if not isinstance(location, str):
        raise CiteguardError(
            "QdrantStore() takes the address of a server, a folder, ':memory:', or a QdrantClient, "
            f"got {described(location)}"
        )
    if location == ":memory:":
        return open_client(location)
    if "://" in location:
        # It would warn, not raise, if the server cannot be reached.
        return open_client(url=location, timeout=_TIMEOUT, check_compatibility=False)
    if not Path(location).parent.is_dir():
        raise CiteguardError(
            f"the folder {location} cannot be created: the one above it is missing"
        )
    # Calls from several threads are safe, as they wait for each other.
    return open_client(path=location, force_disable_check_same_thread=True)


def _document_id(source_id: str) -> str:
    return str(uuid5(_NAMESPACE, f"document {source_id}"))


def _digest(
    source_id: str,
    version: str,
    passages: Sequence[StoredPassage],
    rows: NDArray[np.float32] | None,
) -> str:
    """Return a digest of what is put, so that putting it again changes nothing."""
    digest = blake2b(digest_size=16)
    for part in (
        source_id,
        version,
        *(repr((*each[:3], keys_of_passage(each))) for each in passages),
    ):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    if rows is not None:
        digest.update(rows.tobytes())
    return digest.hexdigest()


def _number(key: str) -> int:
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big")


def _bytes(raw: str | None) -> bytes | None:
    return None if raw is None else bytes.fromhex(raw)


def _place(span: Span) -> tuple[str, int]:
    return span.source_id, span.start

"""`SQLiteStore`: passages in one file, found by words with FTS5 and by vectors with numpy."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from citeguard.errors import CiteguardError, check_whole
from citeguard.library.file import LibraryFile, as_text, as_value
from citeguard.library.stores.store import StoredPassage, keys_of_passage
from citeguard.library.stores.vectors import DocumentVectors, VectorIndex
from citeguard.library.stores.words import WordCounts, bm25, query_keys, weights_of
from citeguard.sources.collection import Passage, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DEPTH = 200  # minimum number of passages that FTS5 selects for the ranking by `bm25`
_PER_PASSAGE = 4  # of these, for each passage that is wanted
_MOST_RANKED = 20_000  # passages; the most that FTS5 ranks, unless the rarest term has more
_MOST_READ = 5_000  # passages of the documents searched, up to which no index is used

_Candidate = tuple[int, str, int, int, Sequence[str]]
"""The number of a passage, the id of its source, its start and end, its keys."""


class SQLiteStore:
    """A `PassageStore` in a SQLite file: the file of a library, or one of its own.

    Words are found with FTS5, whose best passages are ranked anew by the formula and the settings
    of `BM25Retriever`. In libraries of up to some ten thousand passages the ranking is that of
    `BM25Retriever`; in larger ones only passages with one of the rarer terms of a query are ranked,
    at most 20,000, or those with the rarest term. Vectors are kept as f16, and compared exactly, as
    f32, in a matrix in memory that is loaded by the first search and then brought up to date: 4
    bytes for each number, 154 MB for 100,000 passages of 384. With more than some 250,000 passages
    a database server is the better store.

    Thread-safe, also in a process that was forked. What another process changes is seen by the next
    call.

    Args:
        file: The path of the file, created if its folder exists; or an open `LibraryFile`, whose
            blocks of `writing` then hold the changes of this store, too.
        embedder: The name of what the vectors are made with; `None` if it is not known.
        index: Which passages of the file: those of documents, or the questions of a `Catalogue`.

    Raises:
        CiteguardError: The file cannot be used, or its vectors were made with another embedder.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     store = SQLiteStore(Path(folder) / "passages.db")
        ...     store.put("handbook", "1", [StoredPassage(0, 14, "Lunch is free.")], None)
        ...     [passage.text for passage in store.matching("free lunches", k=4)]
        ...     store.close()
        ['Lunch is free.']
    """

    def __init__(
        self,
        file: str | PathLike[str] | LibraryFile,
        *,
        embedder: str | None = None,
        index: Literal["passages", "questions"] = "passages",
    ) -> None:
        self._owns_file = not isinstance(file, LibraryFile)
        self._file = file if isinstance(file, LibraryFile) else LibraryFile(file)
        self._embedder = embedder
        self._name = index
        self._loaded: tuple[int, VectorIndex] | None = None  # for a stamp of the index
        try:
            self._check_embedder()
        except CiteguardError:
            self.close()
            raise

    def __repr__(self) -> str:
        """Name the file."""
        return f"SQLiteStore({str(self._file.path)!r})"

    def __len__(self) -> int:
        """Return the number of passages."""
        with self._file.reading() as connection:
            return self._state(connection)[1]

    def close(self) -> None:
        """Close the file, unless it was given open; closing again does nothing."""
        self._loaded = None
        if self._owns_file:
            self._file.close()

    def versions(self) -> dict[str, str]:
        """Return the version of each document that it has, by id."""
        with self._file.reading() as connection:
            rows = connection.execute(f"SELECT source_id, version FROM {self._name}_documents")
            return {as_text(source_id): version for source_id, version in rows}

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
            passages: Its passages.
            vectors: Their vectors, normalized, shape (n, d); a passage whose row is not finite is
                found by words only, as are all if it is `None`.

        Raises:
            CiteguardError: The vectors are not as many as the passages, or not as wide as those in
                the file; or the file cannot be written.
        """
        order = sorted(range(len(passages)), key=lambda at: passages[at][:2])
        rows = [
            (each.start, each.end, as_value(each.text), _readable(keys_of_passage(each)))
            for each in (passages[at] for at in order)
        ]
        count = sum(len(keys) for *_, keys in rows)
        halves = None if vectors is None else _halves(vectors, len(passages), order)
        with self._file.writing() as connection:
            if halves is not None:
                self._check_embedder()
                self._check_width(halves.shape[1])
                self._keep_embedder(halves.shape[1])
            self._delete(connection, source_id)
            document = connection.execute(
                f"INSERT INTO {self._name}_documents (source_id, version) VALUES (?, ?)",
                (as_value(source_id), version),
            ).lastrowid
            (last,) = connection.execute(f"SELECT max(id) FROM {self._name}").fetchone()
            first = (last or 0) + 1
            connection.executemany(
                f"INSERT INTO {self._name} VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (first + at, document, start, end, text, " ".join(keys))
                    for at, (start, end, text, keys) in enumerate(rows)
                ),
            )
            connection.execute(
                f"INSERT INTO {self._name}_words (rowid, keys) "
                f"SELECT id, keys FROM {self._name} WHERE document = ?",
                (document,),
            )
            if halves is not None and rows:
                connection.execute(
                    f"INSERT INTO {self._name}_vectors VALUES (?, ?)", (document, halves.tobytes())
                )
            self._change(connection, passages=len(rows), terms=count)

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents; an id that it does not have is ignored.

        Raises:
            CiteguardError: The file cannot be written.
        """
        with self._file.writing() as connection:
            for source_id in source_ids:
                self._delete(connection, source_id)

    def nearest(
        self,
        vector: NDArray[np.float32],
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[Passage]:
        """Return at most `k` passages by the cosine similarity of their vectors, best first.

        Every vector is compared. Equal scores are ordered by (source_id, start).

        Args:
            vector: A normalized vector, shape (d,).
            k: The maximum number of passages, from 1 on.
            source_ids: The documents to search; `None` for all. Ids that it does not have are
                ignored.

        Raises:
            CiteguardError: The vector is not as wide as those in the file, or not finite; or the
                file cannot be read.
        """
        import numpy as np

        check_whole("SQLiteStore.nearest(k=...)", k, 1)
        query = np.asarray(vector, np.float32)
        if query.ndim != 1 or not np.isfinite(query).all():
            raise CiteguardError(
                f"SQLiteStore.nearest(vector): expected one vector of finite numbers, got an array "
                f"of shape {query.shape}"
            )
        with self._file.reading() as connection:
            index = self._vectors(connection)
            if index is None or not len(index):
                return []
            if len(query) != index.width:
                raise self._wrong_width(len(query), index.width)
            found = index.nearest(query, k=k, source_ids=source_ids)
            return self._passages(connection, [(each.passage, each.score) for each in found])

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return at most `k` passages that share a term with a query, best first by BM25.

        Equal scores are ordered by (source_id, start).

        Args:
            query: A question or some words.
            k: The maximum number of passages, from 1 on.
            source_ids: The documents to search; `None` for all. Ids that it does not have are
                ignored.

        Raises:
            CiteguardError: The file cannot be read.
        """
        check_whole("SQLiteStore.matching(k=...)", k, 1)
        keys = _readable(query_keys(query))
        with self._file.reading() as connection:
            counts = self._counts(connection, keys)
            weights = weights_of(keys, counts)
            if not weights:
                return []
            documents = None if source_ids is None else self._documents(connection, source_ids)
            scored = (
                (bm25(candidate[4], weights, counts), candidate)
                for candidate in self._candidates(connection, counts, documents, k)
            )
            best = sorted(
                (-score, candidate[1:4], candidate[0]) for score, candidate in scored if score > 0
            )
            return self._passages(connection, [(number, -score) for score, _, number in best[:k]])

    def _state(self, connection: sqlite3.Connection) -> tuple[int, int, int]:
        """Return the stamp of the index, and the numbers of its passages and of their terms."""
        return connection.execute(
            "SELECT stamp, passages, terms FROM indexes WHERE name = ?", (self._name,)
        ).fetchone()

    def _change(self, connection: sqlite3.Connection, *, passages: int, terms: int) -> None:
        """Count what was added, and stamp the index.

        The stamp is random, so that one of a change that was undone is not used again.
        """
        connection.execute(
            "UPDATE indexes SET stamp = ?, passages = passages + ?, terms = terms + ? "
            "WHERE name = ?",
            (secrets.randbits(62), passages, terms, self._name),
        )

    def _delete(self, connection: sqlite3.Connection, source_id: str) -> None:
        for document in self._documents(connection, [source_id]):
            rows = connection.execute(
                f"SELECT id, keys FROM {self._name} WHERE document = ?", (document,)
            ).fetchall()
            connection.executemany(
                f"INSERT INTO {self._name}_words ({self._name}_words, rowid, keys) "
                "VALUES ('delete', ?, ?)",
                rows,
            )
            # With its passages and vectors, which refer to it.
            connection.execute(f"DELETE FROM {self._name}_documents WHERE id = ?", (document,))
            terms = sum(len(_split(keys)) for _, keys in rows)
            self._change(connection, passages=-len(rows), terms=-terms)

    def _documents(self, connection: sqlite3.Connection, source_ids: Collection[str]) -> list[int]:
        """Return the numbers of documents by their ids."""
        query = f"SELECT id FROM {self._name}_documents WHERE source_id = ?"
        return [
            number
            for source_id in set(source_ids)
            for (number,) in connection.execute(query, (as_value(source_id),))
        ]

    def _passages(
        self, connection: sqlite3.Connection, scores: Sequence[tuple[int, float]]
    ) -> list[Passage]:
        """Return passages by their numbers, in order, with their scores."""
        query = (
            f"SELECT source_id, start, end, text FROM {self._name} AS passage "
            f"JOIN {self._name}_documents AS document ON document.id = passage.document "
            "WHERE passage.id = ?"
        )
        found: list[Passage] = []
        for number, score in scores:
            source_id, start, end, text = connection.execute(query, (number,)).fetchone()
            found.append(Passage(Span(as_text(source_id), start, end), as_text(text), score))
        return found

    def _counts(self, connection: sqlite3.Connection, keys: Sequence[str]) -> WordCounts:
        query = f"SELECT doc FROM {self._name}_terms WHERE term = ?"
        rows = ((key, connection.execute(query, (key,)).fetchone()) for key in keys)
        _, passages, terms = self._state(connection)
        return WordCounts(passages, terms, {key: row[0] for key, row in rows if row is not None})

    def _candidates(
        self,
        connection: sqlite3.Connection,
        counts: WordCounts,
        documents: Sequence[int] | None,
        k: int,
    ) -> Iterator[_Candidate]:
        """Yield the passages among which the best are."""
        columns = (
            f"SELECT passage.id, source_id, start, end, passage.keys FROM {self._name} AS passage "
            f"JOIN {self._name}_documents AS document ON document.id = passage.document "
        )
        listed = json.dumps(documents)
        if documents is None:
            searched = "TRUE"
        elif self._passages_of(connection, listed) <= _MOST_READ:
            rows = connection.execute(
                f"{columns} WHERE passage.document IN (SELECT value FROM json_each(?))", (listed,)
            )
            yield from map(_candidate, rows)
            return
        else:
            # The sign keeps SQLite from looking up each passage of these documents in the index.
            searched = (
                f"+rowid IN (SELECT id FROM {self._name} "
                "WHERE document IN (SELECT value FROM json_each(:documents)))"
            )
        best = connection.execute(
            f"SELECT rowid FROM {self._name}_words "
            f"WHERE {self._name}_words MATCH :terms AND {searched} ORDER BY rank LIMIT :depth",
            {
                "terms": _match(counts.holding),
                "documents": listed,
                "depth": max(_DEPTH, _PER_PASSAGE * k),
            },
        ).fetchall()
        rows = connection.execute(
            f"{columns} WHERE passage.id IN (SELECT value FROM json_each(?))",
            (json.dumps([number for (number,) in best]),),
        )
        yield from map(_candidate, rows)

    def _passages_of(self, connection: sqlite3.Connection, documents: str) -> int:
        return connection.execute(
            f"SELECT count(*) FROM {self._name} WHERE document IN (SELECT value FROM json_each(?))",
            (documents,),
        ).fetchone()[0]

    def _vectors(self, connection: sqlite3.Connection) -> VectorIndex | None:
        """Return the vectors as the connection sees them; `None` if there are none."""
        stamp = self._state(connection)[0]
        with self._file.lock:
            if self._loaded is not None and self._loaded[0] == stamp:
                return self._loaded[1]
            query = f"SELECT document FROM {self._name}_vectors"
            now = {number for (number,) in connection.execute(query)}
            width = self._file.setting("width")
            if not now or width is None:
                self._loaded = None
                return None
            index = None if self._loaded is None else self._loaded[1]
            if index is None or index.width != int(width):
                index = VectorIndex(int(width))
            gone, new = index.documents - now, now - index.documents
            if gone or new:
                index = index.updated(gone, *self._read_vectors(connection, new, int(width)))
            self._loaded = stamp, index
            return index

    def _read_vectors(
        self, connection: sqlite3.Connection, documents: set[int], width: int
    ) -> tuple[Iterator[tuple[int, DocumentVectors]], int]:
        """Return the vectors of documents, which are read as they are needed, and their number."""
        import numpy as np

        listed = json.dumps(sorted(documents))
        (count,) = connection.execute(
            f"SELECT coalesce(sum(length(vectors)), 0) FROM {self._name}_vectors "
            "WHERE document IN (SELECT value FROM json_each(?))",
            (listed,),
        ).fetchone()
        rows = connection.execute(
            "SELECT document, source_id, vectors, "
            f"(SELECT min(id) FROM {self._name} WHERE document = stored.document) "
            f"FROM {self._name}_vectors AS stored "
            f"JOIN {self._name}_documents AS document ON document.id = stored.document "
            "WHERE stored.document IN (SELECT value FROM json_each(?))",
            (listed,),
        )

        def read() -> Iterator[tuple[int, DocumentVectors]]:
            for number, source_id, blob, first in rows:
                vectors = np.frombuffer(blob, "<f2").reshape(-1, width)
                yield number, DocumentVectors(as_text(source_id), first, vectors)

        return read(), count // (2 * width)

    def _check_embedder(self) -> None:
        """Raise if the vectors in the file are another embedder's.

        Raises:
            CiteguardError: They are.
        """
        kept = self._file.setting("embedder")
        if self._embedder is None or kept in (None, self._embedder) or not self._any_vectors():
            return
        raise CiteguardError(
            f"{self._file.path}: the vectors in this library were made with {kept}, which cannot "
            f"be compared with those of {self._embedder}; open it with embedder={kept!r}, or add "
            "the documents to a new library"
        )

    def _check_width(self, width: int) -> None:
        kept = self._file.setting("width")
        if kept not in (None, str(width)) and self._any_vectors():
            raise self._wrong_width(width, int(kept))

    def _keep_embedder(self, width: int) -> None:
        if self._file.setting("width") != str(width):
            self._file.keep_setting("width", str(width))
        if self._embedder is not None and self._file.setting("embedder") != self._embedder:
            self._file.keep_setting("embedder", self._embedder)

    def _any_vectors(self) -> bool:
        with self._file.reading() as connection:
            return any(
                connection.execute(f"SELECT EXISTS (SELECT 1 FROM {name}_vectors)").fetchone()[0]
                for name in ("passages", "questions")
            )

    def _wrong_width(self, given: int, kept: int) -> CiteguardError:
        embedder = self._file.setting("embedder")
        named = "" if embedder is None else f", made with {embedder}"
        return CiteguardError(
            f"{self._file.path}: the vectors in this library have {kept} numbers{named}, and a "
            f"vector of {given} cannot be compared with them; open it with the same embedder, or "
            "add the documents to a new library"
        )


# Control characters and the blank separate terms for FTS5, lone surrogates cannot be stored.
_UNREADABLE = dict.fromkeys([*range(33), 127, *range(0xD800, 0xE000)], "_")


def _readable(keys: Iterable[str]) -> list[str]:
    """Return terms as they are kept, one that is empty left out."""
    return [key.translate(_UNREADABLE) for key in keys if key]


def _split(keys: str) -> list[str]:
    return keys.split(" ") if keys else []


def _candidate(row: tuple[int, Any, int, int, str]) -> _Candidate:
    number, source_id, start, end, keys = row
    return number, as_text(source_id), start, end, _split(keys)


def _match(holding: Mapping[str, int]) -> str:
    """Return the query of FTS5 for the passages that have any of these terms.

    Args:
        holding: The number of passages that have each term. Ranking a passage takes about a
            microsecond, so that of common terms only the rarer ones select passages; but all of
            them count in ranking these.
    """
    rarest_first = sorted(holding, key=lambda key: holding[key])
    selecting, count = rarest_first[:1], holding[rarest_first[0]]
    for key in rarest_first[1:]:
        count += holding[key]
        if count > _MOST_RANKED:
            return f"({_any_of(selecting)}) AND ({_any_of(rarest_first)})"
        selecting.append(key)
    return _any_of(selecting)


def _any_of(keys: Iterable[str]) -> str:
    return " OR ".join('"{}"'.format(key.replace('"', '""')) for key in keys)


def _halves(vectors: Any, count: int, order: Sequence[int]) -> NDArray[np.float16]:
    """Return vectors as they are kept, in an order.

    Raises:
        CiteguardError: They are not a row of numbers for each of `count` passages.
    """
    import numpy as np

    rows = np.asarray(vectors)
    if rows.ndim != 2 or len(rows) != count or (count and not rows.shape[1]):
        raise CiteguardError(
            f"SQLiteStore.put(vectors): expected a row for each of {count} passages, got an array "
            f"of shape {rows.shape}"
        )
    with np.errstate(all="ignore"):  # NaN and what is too large: found by words only
        return rows[list(order)].astype("<f2")

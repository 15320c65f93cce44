"""`SQLiteStore`: passages in one file, found by words with FTS5 and by vectors with numpy."""

from __future__ import annotations

import json
import math
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from citeguard.errors import check_whole
from citeguard.library.database import LibraryFile
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

_DEPTH = 200  # minimum number of passages that FTS5 selects for the ranking by BM25
_PER_PASSAGE = 4  # of these, for each passage that is wanted
_MOST_RANKED = 20_000  # passages; the most that FTS5 ranks, unless the rarest term has more
_MOST_READ = 5_000  # passages of the documents searched, up to which no index is used


class _Vectors(NamedTuple):
    """All vectors of an index in memory, ordered by source id and place.

    Attributes:
        stamp: The stamp of the index that they are from.
        numbers: The number of each passage.
        matrix: Shape (n, d), normalized; zeros for a passage without a vector.
        hidden: Which passages have no vector.
        rows: The rows of each document.
    """

    stamp: int
    numbers: NDArray[np.int64]
    matrix: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    rows: Mapping[str, slice]


class SQLiteStore:
    """A `PassageStore` in a SQLite file: the file of a library, or one of its own.

    Words are found with FTS5, whose best passages are ranked again by the formula and the settings
    of `BM25Retriever`. In libraries of up to some ten thousand passages the ranking is that of
    `BM25Retriever`; in larger ones only passages with one of the rarer terms of a query are ranked,
    at most 20,000, or those with the rarest term. Vectors are kept as f16, and compared exactly, as
    f32, in a matrix in memory that is loaded by the first search after a change: 4 bytes for each
    number, 154 MB for 100,000 passages of 384. With more than some 250,000 passages a database
    server is the better store.

    Thread-safe, also in a process that was forked.

    Args:
        file: The path of the file, created if its folder exists; or an open `LibraryFile`, whose
            blocks of `writing` then hold the changes of this store, too.
        index: Which passages of the file: those of documents, or the questions of a `Catalogue`.

    Raises:
        CiteguardError: The file cannot be used.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     store = SQLiteStore(Path(folder) / "passages.db")
        ...     lunch = StoredPassage(0, 14, "Lunch is free.", ("lunch", "free"))
        ...     store.put("handbook", "1", [lunch], None)
        ...     [passage.text for passage in store.matching("free lunches", k=4)]
        ...     store.close()
        ['Lunch is free.']
    """

    def __init__(
        self,
        file: str | PathLike[str] | LibraryFile,
        *,
        index: Literal["passages", "questions"] = "passages",
    ) -> None:
        self._owns_file = not isinstance(file, LibraryFile)
        self._file = file if isinstance(file, LibraryFile) else LibraryFile(file)
        self._name = index
        self._loaded: _Vectors | None = None

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
        """Return the version of each document, by id."""
        with self._file.reading() as connection:
            rows = connection.execute(f"SELECT source_id, version FROM {self._name}_documents")
            return dict(rows)

    def put(
        self,
        source_id: str,
        version: str,
        passages: Sequence[StoredPassage],
        vectors: NDArray[np.float32] | None,
    ) -> None:
        """Keep the passages of a document; see `PassageStore`."""
        keys = [_readable(each.keys) for each in passages]
        halves = checked_vectors(passages, vectors)
        with self._file.writing() as connection:
            if halves is not None and len(halves):
                kept, width = self._file.setting("width"), str(halves.shape[1])
                if kept not in (None, width) and self._any_vectors(connection):
                    raise different_width(halves.shape[1], int(kept))
                if kept != width:
                    self._file.keep_setting("width", width)
            self._delete(connection, source_id)
            document = connection.execute(
                f"INSERT INTO {self._name}_documents (source_id, version) VALUES (?, ?)",
                (storable(source_id), version),
            ).lastrowid
            (last,) = connection.execute(f"SELECT max(id) FROM {self._name}").fetchone()
            # Numbers follow each other, as the rows of the vectors do.
            connection.executemany(
                f"INSERT INTO {self._name} VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (number, document, each.start, each.end, storable(each.text), " ".join(own))
                    for number, (each, own) in enumerate(
                        zip(passages, keys, strict=True), (last or 0) + 1
                    )
                ),
            )
            connection.execute(
                f"INSERT INTO {self._name}_words (rowid, keys) "
                f"SELECT id, keys FROM {self._name} WHERE document = ?",
                (document,),
            )
            if halves is not None and passages:
                blob = halves.astype("<f2").tobytes()
                connection.execute(
                    f"INSERT INTO {self._name}_vectors VALUES (?, ?)", (document, blob)
                )
            self._change(connection, len(passages), sum(map(len, keys)))

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents; see `PassageStore`."""
        with self._file.writing() as connection:
            for source_id in source_ids:
                self._delete(connection, source_id)

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages with the nearest vectors; see `PassageStore`."""
        import numpy as np

        check_whole("SQLiteStore.nearest(k=...)", k, 1)
        with self._file.reading() as connection:
            loaded = self._vectors(connection)
            query = checked_query(vector, None if loaded is None else loaded.matrix.shape[1])
            if loaded is None:
                return []
            places = np.arange(len(loaded.numbers))
            if source_ids is not None:
                known = [loaded.rows[each] for each in set(source_ids) if each in loaded.rows]
                places = np.sort(np.concatenate([places[:0], *(places[each] for each in known)]))
            places = places[~loaded.hidden[places]]
            matrix = loaded.matrix if len(places) == len(loaded.matrix) else loaded.matrix[places]
            scores = matrix @ query
            if len(scores) > k:  # all that are as good as the k-th, so that ties are fair
                good = scores >= np.partition(scores, -k)[-k]
                places, scores = places[good], scores[good]
            order = np.argsort(-scores, kind="stable")[:k]
            # Rounding may take the similarity of a vector to itself above 1.
            numbers = loaded.numbers[places[order]].tolist()
            best = zip(numbers, scores[order].clip(-1, 1).tolist(), strict=True)
            return self._passages(connection, best)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best; see `PassageStore`."""
        check_whole("SQLiteStore.matching(k=...)", k, 1)
        with self._file.reading() as connection:
            _, passages, terms = self._state(connection)
            holding: dict[str, int] = {}  # the number of passages that have each term
            for key in _readable(query_keys(query)):
                count = f"SELECT doc FROM {self._name}_terms WHERE term = ?"
                if (row := connection.execute(count, (key,)).fetchone()) is not None:
                    holding[key] = row[0]
            if not holding:
                return []
            # Lucene's variant of BM25, as `BM25Retriever` has it.
            weights = {
                key: math.log(1 + (passages - n + 0.5) / (n + 0.5)) for key, n in holding.items()
            }
            best: list[tuple[float, str, int, int]] = []
            for number, source_id, start, keys in self._candidates(
                connection, holding, source_ids, k
            ):
                length = K1 * (1 - B + B * len(keys) * passages / max(terms, 1))
                times = {key: keys.count(key) for key in weights}
                score = sum(weights[key] * n / (n + length) for key, n in times.items())
                if score > 0:
                    best.append((-score, source_id, start, number))
            found = [(number, -score) for score, *_, number in sorted(best)[:k]]
            return self._passages(connection, found)

    def _state(self, connection: sqlite3.Connection) -> tuple[int, int, int]:
        """Return the stamp of the index, and the numbers of its passages and of their terms."""
        return connection.execute(
            "SELECT stamp, passages, terms FROM indexes WHERE name = ?", (self._name,)
        ).fetchone()

    def _change(self, connection: sqlite3.Connection, passages: int, terms: int) -> None:
        """Count what was added, and stamp the index."""
        connection.execute(
            "UPDATE indexes SET stamp = ?, passages = passages + ?, terms = terms + ? "
            "WHERE name = ?",
            # Random, so that the stamp of a change that was undone is not used again.
            (secrets.randbits(62), passages, terms, self._name),
        )

    def _delete(self, connection: sqlite3.Connection, source_id: str) -> None:
        rows = connection.execute(
            f"SELECT passage.id, keys FROM {self._name} AS passage JOIN {self._name}_documents AS "
            "document ON document.id = passage.document WHERE source_id = ?",
            (storable(source_id),),
        ).fetchall()
        connection.executemany(
            f"INSERT INTO {self._name}_words ({self._name}_words, rowid, keys) "
            "VALUES ('delete', ?, ?)",
            rows,
        )
        # With its passages and vectors, which refer to it.
        deleted = connection.execute(
            f"DELETE FROM {self._name}_documents WHERE source_id = ?", (storable(source_id),)
        )
        if deleted.rowcount:
            self._change(connection, -len(rows), -sum(len(keys.split()) for _, keys in rows))

    def _passages(
        self, connection: sqlite3.Connection, scores: Iterable[tuple[int, float]]
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
            found.append(Passage(Span(source_id, start, end), text, score))
        return found

    def _candidates(
        self,
        connection: sqlite3.Connection,
        holding: Mapping[str, int],
        source_ids: Collection[str] | None,
        k: int,
    ) -> Iterator[tuple[int, Any, int, list[str]]]:
        """Yield the number, source id, start and terms of the passages among which the best are."""
        columns = (
            f"SELECT passage.id, source_id, start, passage.keys FROM {self._name} AS passage "
            f"JOIN {self._name}_documents AS document ON document.id = passage.document WHERE "
        )
        searched, documents = "TRUE", "[]"
        if source_ids is not None:
            query = f"SELECT id FROM {self._name}_documents WHERE source_id = ?"
            rows = (connection.execute(query, (storable(each),)) for each in set(source_ids))
            documents = json.dumps([number for row in rows for (number,) in row])
            among = "document IN (SELECT value FROM json_each(:documents))"
            # The sign keeps SQLite from looking up each passage of these documents in the index.
            searched = f"+rowid IN (SELECT id FROM {self._name} WHERE {among})"
            count = f"SELECT count(*) FROM {self._name} WHERE {among}"
            if connection.execute(count, {"documents": documents}).fetchone()[0] <= _MOST_READ:
                rows = connection.execute(f"{columns} passage.{among}", {"documents": documents})
                yield from ((*row[:3], row[3].split()) for row in rows)
                return
        best = connection.execute(
            f"SELECT rowid FROM {self._name}_words "
            f"WHERE {self._name}_words MATCH :terms AND {searched} ORDER BY rank LIMIT :depth",
            {
                "terms": _match(holding),
                "documents": documents,
                "depth": max(_DEPTH, _PER_PASSAGE * k),
            },
        ).fetchall()
        listed = json.dumps([number for (number,) in best])
        rows = connection.execute(
            f"{columns} passage.id IN (SELECT value FROM json_each(?))", (listed,)
        )
        yield from ((*row[:3], row[3].split()) for row in rows)

    def _any_vectors(self, connection: sqlite3.Connection) -> bool:
        return any(
            connection.execute(f"SELECT EXISTS (SELECT 1 FROM {name}_vectors)").fetchone()[0]
            for name in ("passages", "questions")
        )

    def _vectors(self, connection: sqlite3.Connection) -> _Vectors | None:
        """Return the vectors as the connection sees them; `None` if there are none."""
        import numpy as np

        stamp = self._state(connection)[0]
        width = int(self._file.setting("width") or 0)
        with self._file.lock:
            if self._loaded is not None and self._loaded.stamp == stamp:
                return self._loaded
            self._loaded = None  # its memory is needed
            (count,) = connection.execute(
                f"SELECT coalesce(sum(length(vectors)), 0) FROM {self._name}_vectors"
            ).fetchone()
            if not count:
                return None
            matrix = np.empty((count // (2 * width), width), np.float32)
            numbers = np.empty(len(matrix), np.int64)
            rows: dict[str, slice] = {}
            end = 0
            for source_id, blob, first in connection.execute(
                "SELECT source_id, vectors, "
                f"(SELECT min(id) FROM {self._name} WHERE document = kept.document) "
                f"FROM {self._name}_vectors AS kept JOIN {self._name}_documents AS document "
                "ON document.id = kept.document ORDER BY source_id"
            ):
                halves = np.frombuffer(blob, "<f2").reshape(-1, width)
                start, end = end, end + len(halves)
                matrix[start:end] = halves
                numbers[start:end] = range(first, first + len(halves))
                rows[source_id] = slice(start, end)
            # f16 has rounded them: their lengths are 1 only about.
            lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
            hidden = ~(np.isfinite(lengths) & (lengths > 0))
            matrix /= np.where(hidden, 1, lengths)[:, None]
            matrix[hidden] = 0  # not NaN, with which some machines compute slowly
            self._loaded = _Vectors(stamp, numbers, matrix, hidden, rows)
            return self._loaded


# Control characters and the blank separate terms for FTS5; lone surrogates cannot be stored.
_UNREADABLE = dict.fromkeys([*range(33), 127, 133, 160, *range(0xD800, 0xE000)], "_")


def _readable(keys: Iterable[str]) -> list[str]:
    """Return terms as they are kept, without empty ones."""
    return [key.translate(_UNREADABLE) for key in keys if key]


def _match(holding: Mapping[str, int]) -> str:
    """Return the query of FTS5 for the passages that have any of these terms.

    Ranking a passage takes about a microsecond, so that of common terms only the rarer ones select
    passages; but all of them count in ranking these.
    """
    rarest_first = sorted(holding, key=lambda key: holding[key])
    quoted = ['"{}"'.format(key.replace('"', '""')) for key in rarest_first]
    selecting, count = 1, holding[rarest_first[0]]
    for key in rarest_first[1:]:
        count += holding[key]
        if count > _MOST_RANKED:
            return f"({' OR '.join(quoted[:selecting])}) AND ({' OR '.join(quoted)})"
        selecting += 1
    return " OR ".join(quoted)

"""`SQLiteStore`: passages in one file, found by words with FTS5 and by vectors with numpy."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from os import PathLike
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from citeguard.library.database import LibraryFile
from citeguard.library.stores.store import StoredPassage, check_width, halves_of, query_keys
from citeguard.sources.collection import Passage, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DEPTH = 200  # the least number of passages by FTS5's order, of which equal ones are put in order
_MOST_RANKED = 20_000  # passages; the most that FTS5 ranks, unless the rarest term has more


class _Vectors(NamedTuple):
    """All vectors of an index in memory."""

    changes: Any  # the count of changes of the index when they were read
    numbers: NDArray[np.int64]  # of each passage that has a vector, shape (n,)
    matrix: NDArray[np.float32]  # the vectors, normalized, shape (n, d)


class SQLiteStore:
    """A `PassageStore` in a SQLite file: the file of a library, or one of its own.

    Words are found and ranked by FTS5: BM25 with k1 = 1.2, b = 0.75, and a weight of almost zero
    for a term that more than half of the passages have. (Of 1,177 questions of XQuAD, it finds the
    answer in the first four passages as often as `BM25Retriever`: 96.8 %.) In large libraries only
    passages with one of the rarer terms of a query are ranked, at most 20,000, or those with the
    rarest term. Vectors are kept as f16, and compared exactly, as f32, in a matrix in memory that
    is loaded by the first search after a change: 4 bytes for each number, 154 MB for 100,000
    passages of 384. With more than some 250,000 passages a database server is the better store.

    Thread-safe, also in a process that was forked. The blocks of `writing` of a `LibraryFile` that
    is given open hold the changes of this store, too. `index` says which passages of the file are
    meant: those of documents, or the questions of a `Catalogue`.
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
        self._loading = Lock()
        self._passages = (
            f"{index} AS passage JOIN {index}_documents AS document "
            "ON document.id = passage.document"
        )
        self._among = (
            f"SELECT passage.id FROM {self._passages} "
            # One value in JSON, as SQLite limits how many parameters a statement may have.
            "WHERE source_id IN (SELECT value FROM json_each(:source_ids))"
        )

    def __repr__(self) -> str:
        """Name the file."""
        return f"SQLiteStore({str(self._file.path)!r})"

    def __len__(self) -> int:
        """Return the number of passages."""
        with self._file.reading() as connection:
            return connection.execute(f"SELECT count(*) FROM {self._name}").fetchone()[0]

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
        with self._file.writing() as connection:
            if vectors is not None and passages:
                check_width(vectors.shape[1], self._width(connection))
            # The old passages, words and vectors go with the row, by cascades and triggers.
            self.delete([source_id])
            document = connection.execute(
                f"INSERT INTO {self._name}_documents (source_id, version) VALUES (?, ?)",
                (source_id, version),
            ).lastrowid
            (last,) = connection.execute(f"SELECT max(id) FROM {self._name}").fetchone()
            # Numbers follow each other, as the rows of the vectors do.
            numbered = list(enumerate(passages, (last or 0) + 1))
            connection.executemany(
                f"INSERT INTO {self._name} VALUES (?, ?, ?, ?, ?)",
                ((number, document, each.start, each.end, each.text) for number, each in numbered),
            )
            connection.executemany(
                f"INSERT INTO {self._name}_words (rowid, keys) VALUES (?, ?)",
                ((number, " ".join(_readable(each.keys))) for number, each in numbered),
            )
            if vectors is not None and passages:
                # Little-endian on every machine, as the file may be moved to another one.
                blob = halves_of(vectors).astype("<f2").tobytes()
                connection.execute(
                    f"INSERT INTO {self._name}_vectors VALUES (?, ?, ?, ?)",
                    (document, numbered[0][0], vectors.shape[1], blob),
                )

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents; see `PassageStore`."""
        with self._file.writing() as connection:
            connection.executemany(
                f"DELETE FROM {self._name}_documents WHERE source_id = ?",
                [(source_id,) for source_id in source_ids],
            )

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages with the nearest vectors; see `PassageStore`."""
        import numpy as np

        with self._file.reading() as connection:
            check_width(len(vector), self._width(connection))
            _, numbers, matrix = self._vectors(connection)
            if not len(numbers):
                return []
            if source_ids is not None:
                rows = connection.execute(self._among, {"source_ids": json.dumps([*source_ids])})
                chosen = np.isin(numbers, [number for (number,) in rows])
                numbers, matrix = numbers[chosen], matrix[chosen]
            scores = matrix @ vector
            if len(scores) > k:  # all that are as good as the k-th, so that ties are fair
                good = scores >= np.partition(scores, -k)[-k]
                numbers, scores = numbers[good], scores[good]
            found: list[Passage] = []
            # Rounding may take the similarity of a vector to itself above 1.
            for number, score in zip(numbers.tolist(), scores.clip(-1, 1).tolist(), strict=True):
                query = f"{_COLUMNS} FROM {self._passages} WHERE passage.id = ?"
                source_id, start, end, text = connection.execute(query, (number,)).fetchone()
                found.append(_passage(source_id, start, end, text, score))
        found.sort(key=lambda each: (-each.score, each.span.source_id, each.span.start))
        return found[:k]

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best; see `PassageStore`."""
        with self._file.reading() as connection:
            count = f"SELECT term, doc FROM {self._name}_terms WHERE term = ?"
            # The number of passages that have each term.
            rows = (connection.execute(count, (key,)) for key in _readable(query_keys(query)))
            holding = {key: number for row in rows for key, number in row}
            if not holding:
                return []
            # The sign keeps SQLite from looking up each passage of these documents in the index.
            among = "" if source_ids is None else f"AND +rowid IN ({self._among})"
            rows = connection.execute(
                # FTS5's rank is the negative of BM25, so that the best passages sort first.
                f"{_COLUMNS}, -found.score FROM (SELECT rowid AS number, rank AS score FROM "
                f"{self._name}_words WHERE {self._name}_words MATCH :terms {among} "
                f"ORDER BY rank LIMIT :depth) AS found JOIN {self._passages} "
                "WHERE passage.id = found.number ORDER BY found.score, source_id, start LIMIT :k",
                {
                    "terms": _match(holding),
                    "source_ids": json.dumps([*(source_ids or ())]),
                    "depth": k + _DEPTH,
                    "k": k,
                },
            )
            return [_passage(*row) for row in rows]

    def _width(self, connection: sqlite3.Connection) -> int | None:
        query = f"SELECT width FROM {self._name}_vectors LIMIT 1"
        return (connection.execute(query).fetchone() or (None,))[0]

    def _vectors(self, connection: sqlite3.Connection) -> _Vectors:
        """Return the vectors as the connection sees them."""
        import numpy as np

        # Triggers count in the file, so that changes by other processes are noticed as well.
        changes = self._file.setting(f"{self._name}_changes")
        # Threads that read the vectors at once would each need all of the memory.
        with self._loading:
            if self._loaded is not None and self._loaded.changes == changes:
                return self._loaded
            self._loaded = None  # its memory is needed
            width = self._width(connection) or 1
            (size,) = connection.execute(
                f"SELECT coalesce(sum(length(vectors)), 0) FROM {self._name}_vectors"
            ).fetchone()
            # Filled in place: a matrix that grows would need room beside itself.
            matrix = np.empty((size // (2 * width), width), np.float32)
            numbers = np.empty(len(matrix), np.int64)
            end = 0
            query = f"SELECT first, vectors FROM {self._name}_vectors"
            for first, blob in connection.execute(query):
                halves = np.frombuffer(blob, "<f2").reshape(-1, width)
                start, end = end, end + len(halves)
                matrix[start:end] = halves
                numbers[start:end] = range(first, first + len(halves))
            # f16 has rounded them: their lengths are 1 only about.
            lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
            if not (usable := np.isfinite(lengths) & (lengths > 0)).all():
                numbers, matrix, lengths = numbers[usable], matrix[usable], lengths[usable]
            matrix /= lengths[:, None]
            loaded = _Vectors(changes, numbers, matrix)
            if not self._file.is_changing:  # else the changes may be undone, and counted anew
                self._loaded = loaded
            return loaded


def _passage(source_id: Any, start: Any, end: Any, text: Any, score: float) -> Passage:
    """Return a passage of the file; a `TypeError` if it has something else, as SQLite allows."""
    given = ((source_id, str), (start, int), (end, int), (text, str))
    if not all(isinstance(value, kind) for value, kind in given):
        raise TypeError("a passage has values of other types")
    return Passage(Span(source_id, start, end), text, score)


_COLUMNS = "SELECT source_id, start, end, text"
# Control characters and the blank separate terms for FTS5; lone surrogates cannot be stored.
_UNREADABLE = dict.fromkeys([*range(33), 127, 133, 160, *range(0xD800, 0xE000)], "_")


def _readable(keys: Iterable[str]) -> list[str]:
    """Return terms as they are kept, without empty ones."""
    return [key if key.isalnum() else key.translate(_UNREADABLE) for key in keys if key]


def _match(holding: Mapping[str, int]) -> str:
    """Return the query of FTS5 for the passages that have any of these terms.

    Ranking a passage takes about a microsecond, so that of common terms only the rarer ones select
    passages; but all of them count in ranking these, and the rarer ones twice.
    """
    rarest_first = sorted(holding, key=lambda key: holding[key])
    # In quotation marks, a term such as "or" or "near" is no operator.
    quoted = ['"{}"'.format(key.replace('"', '""')) for key in rarest_first]
    selecting, count = 1, holding[rarest_first[0]]
    for key in rarest_first[1:]:
        count += holding[key]
        if count > _MOST_RANKED:
            return f"({' OR '.join(quoted[:selecting])}) AND ({' OR '.join(quoted)})"
        selecting += 1
    return " OR ".join(quoted)

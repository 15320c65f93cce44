"""Passages in a Postgres database with the extension pgvector: `PgVectorStore`."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError, check_text, optional_packages
from citeguard.library.stores.store import StoredPassage, check_width, halves_of, query_keys
from citeguard.retrieval.ranking import K1, B
from citeguard.sources.collection import Passage, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from psycopg import Cursor

_LONGEST_KEY = 500  # characters of a term; an index of Postgres takes 2,704 bytes
_WRITERS = 0x43495447  # the lock that all writers take
_TIMEOUT = 10  # seconds to wait for a connection

# Vectors are apart from the texts, so that a scan reads nothing else; and in the row itself:
# reading each from elsewhere would make the scan several times slower.
# Ids are ordered by code point (COLLATE "C"), so that ties come as in the other stores.
_TABLES = """
CREATE TABLE {p}_documents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text COLLATE "C" NOT NULL UNIQUE,
    version text NOT NULL,
    passages integer NOT NULL,
    words bigint NOT NULL  -- the terms of all passages, repeated ones too
);
CREATE TABLE {p}_passages (
    document bigint REFERENCES {p}_documents ON DELETE CASCADE,
    number integer,        -- from 0 on, within the document
    start integer NOT NULL,
    stop integer NOT NULL,
    text text NOT NULL,
    keys text[] COLLATE "C" NOT NULL,
    PRIMARY KEY (document, number)
);
CREATE INDEX ON {p}_passages USING gin (keys);
CREATE TABLE {p}_vectors (
    document bigint REFERENCES {p}_documents ON DELETE CASCADE,
    number integer,
    vector halfvec STORAGE MAIN NOT NULL,
    PRIMARY KEY (document, number)
);
"""
# `<#>` is the negative inner product, which is the cosine of normalized vectors.
# Without an index: pgvector's look at some candidates only, and may find fewer than `k`.
_NEAREST = """
WITH found AS (
    SELECT document, number, -(vector <#> %(vector)s::halfvec) AS score
    FROM {p}_vectors {searched} ORDER BY score DESC FETCH FIRST %(k)s ROWS WITH TIES
)
"""
# The formula of `BM25Retriever`. Terms are added up in their order, or rounding could put equal
# passages in another order each time.
_MATCHING = """
WITH hits AS MATERIALIZED (
    SELECT document, number, term, cardinality(keys) AS length,
        cardinality(array_positions(keys, term)) AS times,
        count(*) OVER (PARTITION BY term) AS holding
    FROM {p}_passages, unnest(%(terms)s::text[]) AS term
    WHERE keys && %(terms)s::text[] AND term = ANY(keys)
), totals AS (
    SELECT sum(passages)::float8 AS passages,
        greatest(sum(words), 1)::float8 / sum(passages) AS mean
    FROM {p}_documents HAVING sum(passages) > 0
), found AS (
    SELECT document, number, sum(
        ln(1 + (passages - holding + 0.5) / (holding + 0.5))
        * times / (times + %(k1)s * (1 - %(b)s + %(b)s * length / mean)) ORDER BY term
    ) AS score
    FROM totals, hits {searched}
    GROUP BY document, number ORDER BY score DESC FETCH FIRST %(k)s ROWS WITH TIES
)
"""
_FOUND = """
SELECT source_id, start, stop, text, score
FROM found JOIN {p}_passages USING (document, number) JOIN {p}_documents ON id = document
ORDER BY score DESC, source_id, start, number LIMIT %(k)s
"""
# As an array, for which Postgres uses the index also when it does not know the tables yet.
_SEARCHED = """
WHERE document = ANY(ARRAY(SELECT id FROM {p}_documents WHERE source_id = ANY(%(source_ids)s)))
"""


class PgVectorStore:
    """Keeps passages in a Postgres database with pgvector, for libraries that one file cannot hold.

    Implements `PassageStore`. Missing tables are created in the first schema of the `search_path`.
    Documents are whole or absent in every transaction; processes that write wait for each other,
    and those that read do not. A server that restarts between two calls is not noticed. Vectors are
    kept in half precision, and all are compared. Words are ranked by BM25 as by `BM25Retriever`.

    Args:
        address: The address of the database, such as `"postgresql://user@host/name"`.
        prefix: What the names of the tables begin with; another one for each library.

    Raises:
        CiteguardError: An argument is wrong, psycopg is missing, the server cannot be reached, it
            has no pgvector of version 0.7 or later, or the user may not create the tables.

    Examples:
        ```python
        store = PgVectorStore("postgresql://localhost/library")
        with Library("docs.db", store=store) as library:
            library.add("papers/")
        ```
    """

    def __init__(self, address: str, *, prefix: str = "citeguard") -> None:
        check_text("PgVectorStore(prefix=...)", prefix, required=True)
        # Postgres cuts names after 63 bytes, so that two tables could become one.
        if not (prefix.isascii() and prefix.isidentifier() and len(prefix) <= 40):
            raise CiteguardError(
                "PgVectorStore(prefix=...) must be a name of at most 40 letters, digits and "
                f"underscores, not {prefix!r}"
            )
        with optional_packages("PgVectorStore"):
            import psycopg
            from psycopg_pool import ConnectionPool
        self._error, self._prefix = psycopg.Error, prefix
        self._pool: ConnectionPool[Any] | None = None
        # libpq counts in whole seconds, from 2 on.
        options: dict[str, Any] = {"connect_timeout": _TIMEOUT}
        with self._failures():
            psycopg.connect(address, **options).close()  # a pool does not say why it has none
        self._pool = ConnectionPool(
            address,
            kwargs=options,
            min_size=1,
            max_size=8,
            open=True,
            timeout=_TIMEOUT,
            # Connections that a restarted server has dropped are replaced before their use.
            check=ConnectionPool.check_connection,
            # Longer, and its attempts become so rare that a server that is up seems down.
            reconnect_timeout=_TIMEOUT,
        )
        try:
            with self._cursor(writes=True) as cursor:
                self._prepare(cursor)
        except CiteguardError:
            self.close()
            raise

    def __repr__(self) -> str:
        """Name the tables, and not the address, which may have a password."""
        return f"PgVectorStore(prefix={self._prefix!r})"

    def put(
        self,
        source_id: str,
        version: str,
        passages: Sequence[StoredPassage],
        vectors: NDArray[np.float32] | None,
    ) -> None:
        """Keep the passages of a document, in one transaction; see `PassageStore`."""
        import numpy as np

        keys = [[key[:_LONGEST_KEY] for key in passage.keys] for passage in passages]
        with self._cursor(writes=True) as cursor:
            self._execute(cursor, "DELETE FROM {p}_documents WHERE source_id = %s", [source_id])
            query = (
                "INSERT INTO {p}_documents (source_id, version, passages, words)"
                " VALUES (%s, %s, %s, %s) RETURNING id"
            )
            values = [source_id, version, len(passages), sum(map(len, keys))]
            document = self._value(cursor, query, values)
            with cursor.copy(f"COPY {self._prefix}_passages FROM STDIN".encode()) as copy:
                for number, each in enumerate(passages):
                    row = [document, number, each.start, each.end, each.text, keys[number]]
                    copy.write_row(row)
            if vectors is not None and passages:
                check_width(vectors.shape[1], self._width(cursor))
                rows = halves_of(vectors)
                with cursor.copy(f"COPY {self._prefix}_vectors FROM STDIN".encode()) as copy:
                    # pgvector refuses NaN and infinity.
                    for number in np.flatnonzero(np.isfinite(rows).all(axis=1)).tolist():
                        copy.write_row([document, number, _as_vector(rows[number])])

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents, in one transaction; see `PassageStore`."""
        with self._cursor(writes=True) as cursor:
            query = "DELETE FROM {p}_documents WHERE source_id = ANY(%s)"
            self._execute(cursor, query, [[*source_ids]])

    def versions(self) -> dict[str, str]:
        """Return the version of each document, by id."""
        with self._cursor() as cursor:
            query = "SELECT source_id, version FROM {p}_documents"
            return dict(self._execute(cursor, query).fetchall())

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages with the nearest vectors; see `PassageStore`."""
        with self._cursor() as cursor:
            check_width(len(vector), self._width(cursor))
            return self._found(cursor, _NEAREST, source_ids, vector=_as_vector(vector), k=k)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best; see `PassageStore`."""
        keys = sorted({key[:_LONGEST_KEY] for key in query_keys(query)})
        with self._cursor() as cursor:
            return self._found(cursor, _MATCHING, source_ids, terms=keys, k=k, k1=K1, b=B)

    def __len__(self) -> int:
        """Return the number of passages."""
        with self._cursor() as cursor:
            return self._value(cursor, "SELECT coalesce(sum(passages), 0)::int FROM {p}_documents")

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        if self._pool is not None and not self._pool.closed:
            self._pool.close()

    @contextmanager
    def _cursor(self, *, writes: bool = False) -> Generator[Cursor[Any]]:
        """Yield a cursor in a transaction; one that writes waits until no other does."""
        assert self._pool is not None
        pool = self._pool
        with self._failures(), pool.connection() as connection, connection.cursor() as cursor:
            if writes:
                # A single lock, taken first, so that writers cannot wait for each other in a
                # circle. What was written meanwhile is visible under this level only.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_WRITERS])
            yield cursor

    @contextmanager
    def _failures(self) -> Generator[None]:
        """Turn what the server or the pool raises into an error that says what to do."""
        try:
            yield
        except self._error as error:
            if self._pool is not None and self._pool.closed:
                message = "the connections of PgVectorStore are closed; open it again"
                raise CiteguardError(message) from error
            # Further lines repeat the statement, which is this module's, not the user's.
            said = str(error).strip().partition("\n")[0]
            advice = _ADVICE.get(error.sqlstate, "the change was not kept")
            raise CiteguardError(f"Postgres: {said}; {advice}") from error

    def _execute(self, cursor: Cursor[Any], query: str, values: Any = None) -> Cursor[Any]:
        # All queries are parts of this module, with the prefix as the only word from outside.
        # Bytes, as psycopg's types take no `str` that was made at run time.
        return cursor.execute(query.format(p=self._prefix).encode(), values)

    def _value(self, cursor: Cursor[Any], query: str, values: Any = None) -> Any:
        """Return the first value of the first row; `None` without one."""
        return (self._execute(cursor, query, values).fetchone() or [None])[0]

    def _width(self, cursor: Cursor[Any]) -> int | None:
        return self._value(cursor, "SELECT vector_dims(vector) FROM {p}_vectors LIMIT 1")

    def _found(
        self, cursor: Cursor[Any], query: str, source_ids: Collection[str] | None, **values: Any
    ) -> list[Passage]:
        searched = query.replace("{searched}", "" if source_ids is None else _SEARCHED)
        values["source_ids"] = [*(source_ids or ())]
        return [
            Passage(Span(source_id, start, stop), text, score)
            for source_id, start, stop, text, score in self._execute(
                cursor, searched + _FOUND, values
            )
        ]

    def _prepare(self, cursor: Cursor[Any]) -> None:
        """Create whatever is missing: pgvector, the tables."""
        cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        if self._value(cursor, "SELECT to_regtype('halfvec')") is None:
            raise CiteguardError(
                "PgVectorStore needs pgvector 0.7 or later, in a schema of the search_path; after "
                "an update on the server run: ALTER EXTENSION vector UPDATE"
            )
        # Looked for first: to create a table that exists takes the right to create it.
        if self._value(cursor, "SELECT to_regclass('{p}_documents')") is None:
            self._execute(cursor, _TABLES)


_ADVICE = {
    None: "check the address, and that the server runs",
    "42501": "grant the user of PgVectorStore that right, or have an administrator create the "
    "extension (CREATE EXTENSION vector) and the tables",
    # What servers answer that have no files of pgvector.
    "58P01": "install pgvector 0.7 or later on the server",
    "0A000": "install pgvector 0.7 or later on the server",
    "42P01": "the tables of PgVectorStore are gone or changed; open it again",
}
"""What to do about an error of Postgres, by its SQLSTATE; `None` without a server."""


def _as_vector(numbers: NDArray[np.floating[Any]]) -> str:
    return f"[{','.join(map(str, numbers.tolist()))}]"

"""Passages in a Postgres database with the extension pgvector: `PgVectorStore`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from citeguard.errors import CiteguardError, check_number, check_whole, optional_packages
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
    from psycopg import Copy, Cursor

Value = TypeVar("Value")

_LONGEST_KEY = 500  # characters of a term; an index of Postgres takes 2,704 bytes
_HNSW_WIDTH = 4_000  # numbers up to which pgvector makes an index of half-precision vectors
# SQLSTATE of errors that pass by themselves if a transaction runs again: the connection was lost,
# the server stopped or is starting, or two transactions were in each other's way.
_PASSING = re.compile("08...|57P0[123]|40001|40P01")

_TABLES = """
CREATE TABLE {documents} (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text COLLATE "C" NOT NULL UNIQUE,
    version text NOT NULL,
    passages integer NOT NULL,
    words bigint NOT NULL  -- the terms of all passages, repeated ones too
);
CREATE TABLE {passages} (
    document bigint REFERENCES {documents} ON DELETE CASCADE,
    number integer,        -- from 0 on, within the document
    start integer NOT NULL,
    stop integer NOT NULL,
    text text NOT NULL,
    keys text[] COLLATE "C" NOT NULL,
    PRIMARY KEY (document, number)
);
CREATE INDEX ON {passages} USING gin (keys);
-- Apart from the texts, so that an exact scan reads the vectors only; and in the row itself:
-- reading each from elsewhere would make the scan several times slower.
CREATE TABLE {vectors} (
    document bigint REFERENCES {documents} ON DELETE CASCADE,
    number integer,
    vector halfvec STORAGE MAIN NOT NULL,
    PRIMARY KEY (document, number)
);
"""

_NEAREST = """
SELECT source_id, start, stop, text, -distance
FROM (
    SELECT document, number, {compared} <#> %(vector)s::halfvec AS distance
    FROM {vectors} {searched} ORDER BY distance FETCH FIRST %(k)s ROWS WITH TIES
) AS found
JOIN {passages} USING (document, number) JOIN {documents} ON id = document
ORDER BY distance, source_id, start, number LIMIT %(k)s
"""

# The formula of `BM25Retriever`. Terms are added up in their order, or rounding could put equal
# passages in another order each time.
_MATCHING = """
WITH hits AS MATERIALIZED (
    SELECT document, number, term, cardinality(keys) AS length,
        cardinality(array_positions(keys, term)) AS times
    FROM {passages}, unnest(%(terms)s::text[]) AS term
    WHERE keys && %(terms)s::text[] AND term = ANY(keys)
), totals AS (
    SELECT sum(passages)::float8 AS passages,
        greatest(sum(words), 1)::float8 / sum(passages) AS mean
    FROM {documents} HAVING sum(passages) > 0
), rarity AS (
    SELECT term, ln(1 + (passages - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM hits, totals GROUP BY term, passages
), found AS (
    SELECT document, number, sum(
        weight * times / (times + %(k1)s * (1 - %(b)s + %(b)s * length / mean)) ORDER BY term
    ) AS score
    FROM totals, hits JOIN rarity USING (term) {searched}
    GROUP BY document, number ORDER BY score DESC FETCH FIRST %(k)s ROWS WITH TIES
)
SELECT source_id, start, stop, text, score
FROM found JOIN {passages} USING (document, number) JOIN {documents} ON id = document
ORDER BY score DESC, source_id, start, number LIMIT %(k)s
"""

# As an array, for which Postgres uses the index also when it does not know the tables yet.
_SEARCHED = """
WHERE document = ANY(ARRAY(SELECT id FROM {documents} WHERE source_id = ANY(%(source_ids)s)))
"""


class PgVectorStore:
    """Keeps passages in a Postgres database with pgvector, for libraries that one file cannot hold.

    Implements `PassageStore`. The tables are created if they are missing, and documents are whole
    or absent in every transaction; processes that write wait for each other, and those that read
    do not. Vectors are kept in half precision. A call that the server interrupts, as when it
    restarts, is tried once more.

    Vectors are compared exactly, all of them, unless an index is chosen. With `index="hnsw"` a
    search may miss some of the nearest passages. A search of some documents only is exact either
    way. Words are ranked by BM25 over all passages, with the settings of `BM25Retriever`.

    Args:
        address: The address of the database, such as `"postgresql://user@host/name"`.
        schema: The schema of the tables; created if it is missing.
        prefix: What their names begin with. Stores of several libraries in one schema need
            different prefixes.
        index: `"hnsw"` for an index of the vectors, built by this call if there are vectors and it
            is missing. Building it once is faster than adding many documents to it.
        timeout: The maximum time to wait for a connection, in seconds, above 0.

    Raises:
        CiteguardError: An argument is wrong, psycopg is missing, the server cannot be reached, it
            has no pgvector of version 0.8 or later, or the user may not create the tables.

    Examples:
        ```python
        store = PgVectorStore("postgresql://localhost/library")
        with Library("docs.db", store=store) as library:
            library.add("papers/")
        ```
    """

    def __init__(
        self,
        address: str,
        *,
        schema: str = "public",
        prefix: str = "citeguard",
        index: Literal["hnsw"] | None = None,
        timeout: float = 10,
    ) -> None:
        check_number("PgVectorStore(timeout=...)", timeout, 0, 3_600, above=True)
        for argument, name in (("schema", schema), ("prefix", prefix)):
            # Postgres cuts names after 63 bytes, and two tables would become one; psycopg takes a
            # percent sign for a placeholder.
            if not re.fullmatch(r"[^\0%]{1,40}", name) or len(name.encode()) > 40:
                raise CiteguardError(
                    f"PgVectorStore({argument}=...) must be a name of 1 to 40 bytes without NUL or "
                    f"%, not {name!r}"
                )
        if index not in (None, "hnsw"):
            raise CiteguardError(f"PgVectorStore(index=...) must be 'hnsw' or None, not {index!r}")
        with optional_packages("PgVectorStore"):
            import psycopg
            import psycopg_pool
            from psycopg import sql
        self._psycopg, self._sql, self._pool_timeout = psycopg, sql, psycopg_pool.PoolTimeout
        self._schema, self._prefix, self._index = schema, prefix, index
        tables = ("documents", "passages", "vectors", "hnsw")
        self._names: dict[str, Any] = {each: sql.Identifier(f"{prefix}_{each}") for each in tables}
        self._path: str = sql.Identifier(schema).as_string()
        self._pool: psycopg_pool.ConnectionPool[Any] | None = None
        # libpq counts in whole seconds, from 2 on.
        options: dict[str, Any] = {"connect_timeout": max(2, round(timeout))}
        try:
            psycopg.connect(address, **options).close()  # a pool does not say why it has none
        except psycopg.Error as error:
            raise self._explained(error) from error
        self._pool = psycopg_pool.ConnectionPool(
            address,
            kwargs=options,
            min_size=1,
            max_size=8,
            open=True,
            timeout=timeout,
            # Longer, and its attempts become so rare that a server that is up seems down.
            reconnect_timeout=timeout,
        )
        try:
            self._run(self._prepare)
        except CiteguardError:
            self.close()
            raise

    def __repr__(self) -> str:
        """Name the tables, and not the address, which may have a password."""
        names = f"schema={self._schema!r}, prefix={self._prefix!r}"
        return f"PgVectorStore({names}, index={self._index!r})"

    def put(
        self,
        source_id: str,
        version: str,
        passages: Sequence[StoredPassage],
        vectors: NDArray[np.float32] | None,
    ) -> None:
        """Keep the passages of a document, in one transaction; see `PassageStore`."""
        rows = checked_vectors(passages, vectors)
        keys = [[*map(_storable_key, passage.keys)] for passage in passages]

        def work(cursor: Cursor[Any]) -> None:
            import numpy as np

            self._lock(cursor)
            self._execute(
                cursor, "DELETE FROM {documents} WHERE source_id = %s", [storable(source_id)]
            )
            if rows is not None and len(rows):
                self._make_room(cursor, rows.shape[1])
            inserted = self._execute(
                cursor,
                "INSERT INTO {documents} (source_id, version, passages, words)"
                " VALUES (%s, %s, %s, %s) RETURNING id",
                [storable(source_id), version, len(passages), sum(map(len, keys))],
            )
            document = _value(inserted)
            with self._copy(cursor, "passages") as copy:
                for number, each in enumerate(passages):
                    text = storable(each.text)
                    copy.write_row([document, number, each.start, each.end, text, keys[number]])
            if rows is not None:
                with self._copy(cursor, "vectors") as copy:
                    for number in np.flatnonzero(np.isfinite(rows).all(axis=1)).tolist():
                        copy.write_row([document, number, _as_vector(rows[number])])

        self._run(work)

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents, in one transaction; see `PassageStore`."""

        def work(cursor: Cursor[Any]) -> None:
            self._lock(cursor)
            query = "DELETE FROM {documents} WHERE source_id = ANY(%s)"
            self._execute(cursor, query, [[*map(storable, source_ids)]])

        self._run(work)

    def versions(self) -> dict[str, str]:
        """Return the version of each document, by id."""
        query = "SELECT source_id, version FROM {documents}"
        return dict(self._run(lambda cursor: self._execute(cursor, query).fetchall()))

    def nearest(
        self, vector: NDArray[np.float32], *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages with the nearest vectors; see `PassageStore`."""
        check_whole("PgVectorStore.nearest(k=...)", k, 1)

        def work(cursor: Cursor[Any]) -> list[Passage]:
            width = self._width(cursor)
            query = checked_query(vector, width)
            if width is None:
                return []
            compared = "vector"
            if self._index and source_ids is None and width <= _HNSW_WIDTH:
                # The index is of this expression: a scan without the cast is always exact. By
                # default it looks at ef_search candidates at most, and returns fewer than k if
                # others have been deleted since.
                compared = f"vector::halfvec({width:d})"
                cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
                depth = str(min(max(2 * k, 100), 1_000))
                cursor.execute("SELECT set_config('hnsw.ef_search', %s, true)", [depth])
            values = {"vector": _as_vector(query), "k": k}
            return self._found(cursor, _NEAREST.replace("{compared}", compared), values, source_ids)

        return self._run(work)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages that match a query best; see `PassageStore`."""
        check_whole("PgVectorStore.matching(k=...)", k, 1)
        keys = sorted(set(map(_storable_key, query_keys(query))))
        values = {"terms": keys, "k": k, "k1": K1, "b": B}
        return self._run(lambda cursor: self._found(cursor, _MATCHING, values, source_ids))

    def __len__(self) -> int:
        """Return the number of passages."""
        query = "SELECT coalesce(sum(passages), 0) FROM {documents}"
        return int(self._run(lambda cursor: _value(self._execute(cursor, query))))

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        if self._pool is not None and not self._pool.closed:
            self._pool.close()

    def _run(self, work: Callable[[Cursor[Any]], Value]) -> Value:
        """Do something in a transaction; once more if the server interrupts it."""
        assert self._pool is not None
        for attempt in (1, 2):
            try:
                with self._pool.connection() as connection, connection.cursor() as cursor:
                    # Under other levels, what was written while a transaction waited for the lock
                    # is invisible to it.
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                    cursor.execute("SELECT set_config('search_path', %s, true)", [self._path])
                    return work(cursor)
            except self._psycopg.Error as error:
                is_lost = error.sqlstate is None or _PASSING.fullmatch(error.sqlstate) is not None
                lasting = isinstance(error, self._pool_timeout) or self._pool.closed
                if attempt == 2 or lasting or not is_lost:
                    raise self._explained(error) from error
                self._pool.check()  # drops the connections that were lost as well
        raise AssertionError

    def _explained(self, error: Exception) -> CiteguardError:
        said = str(error).strip().partition("\n")[0]
        state = getattr(error, "sqlstate", None)
        if self._pool is not None and self._pool.closed:
            return CiteguardError("the connections of PgVectorStore are closed; open it again")
        if state is None:
            advice = "check the address, and that the server runs"
        else:
            advice = _ADVICE.get(state, "the change was not kept")
        return CiteguardError(f"Postgres: {said}; {advice}")

    def _execute(self, cursor: Cursor[Any], query: str, values: Any = None) -> Cursor[Any]:
        """Execute a query, with the names of the tables, quoted, for those in braces."""
        # All queries are parts of this module, without a word from outside.
        composed = self._sql.SQL(query).format(**self._names)  # pyright: ignore[reportArgumentType]
        return cursor.execute(composed, values)

    def _found(
        self, cursor: Cursor[Any], query: str, values: Any, source_ids: Collection[str] | None
    ) -> list[Passage]:
        searched = "" if source_ids is None else _SEARCHED
        ids = [*map(storable, source_ids or ())]
        rows = self._execute(
            cursor, query.replace("{searched}", searched), {**values, "source_ids": ids}
        )
        return [
            Passage(Span(source_id, start, stop), text, score)
            for source_id, start, stop, text, score in rows
        ]

    def _lock(self, cursor: Cursor[Any]) -> None:
        """Wait until no one else writes, until the end of the transaction.

        A single lock, taken first, so that writers cannot wait for each other in a circle.
        """
        digest = blake2b(f"citeguard {self._path}".encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "big", signed=True)
        cursor.execute("SELECT pg_advisory_xact_lock(%s::bigint)", [number])

    def _copy(self, cursor: Cursor[Any], table: str) -> AbstractContextManager[Copy]:
        return cursor.copy(self._sql.SQL("COPY {} FROM STDIN").format(self._names[table]))

    def _width(self, cursor: Cursor[Any]) -> int | None:
        query = "SELECT vector_dims(vector) FROM {vectors} LIMIT 1"
        return _value(self._execute(cursor, query))

    def _make_room(self, cursor: Cursor[Any], width: int) -> None:
        """Require vectors of one width; build the index for the first of them."""
        known = self._width(cursor)
        if known not in (None, width):
            raise different_width(width, known)
        if known is None:
            self._execute(cursor, "DROP INDEX IF EXISTS {hnsw}")
            self._build_index(cursor, width)

    def _build_index(self, cursor: Cursor[Any], width: int) -> None:
        if self._index and width <= _HNSW_WIDTH:  # wider ones are searched exactly
            self._execute(
                cursor,
                "CREATE INDEX IF NOT EXISTS {hnsw} ON {vectors} USING hnsw"
                f" ((vector::halfvec({width:d})) halfvec_ip_ops)",
            )

    def _prepare(self, cursor: Cursor[Any]) -> None:
        """Create whatever is missing: the schema, pgvector, the tables, the index."""
        self._lock(cursor)
        # Each is looked for first: to create something that exists takes the right to create it.
        if _value(cursor.execute("SELECT to_regnamespace(%s)", [self._path])) is None:
            cursor.execute(f"CREATE SCHEMA {self._path}".encode())
        find = (
            "SELECT extversion, extnamespace::regnamespace::text FROM pg_extension"
            " WHERE extname = 'vector'"
        )
        found = cursor.execute(find).fetchone()
        if found is None:
            cursor.execute("CREATE EXTENSION vector")
            found = cursor.execute(find).fetchone() or ("", "public")
        if [int(number) for number in found[0].split(".")][:2] < [0, 8]:
            raise CiteguardError(
                f"PgVectorStore needs pgvector 0.8 or later, and the database has {found[0]}; "
                "install a newer one on the server and run: ALTER EXTENSION vector UPDATE"
            )
        self._path = f"{self._path}, {found[1]}"
        cursor.execute("SELECT set_config('search_path', %s, true)", [self._path])
        documents = self._names["documents"].as_string()
        if _value(cursor.execute("SELECT to_regclass(%s)", [documents])) is None:
            self._execute(cursor, _TABLES)
        if self._index and (width := self._width(cursor)) is not None:
            self._build_index(cursor, width)


_ADVICE = {
    "42501": "grant the user of PgVectorStore that right, or have an administrator create the "
    "extension (CREATE EXTENSION vector) and the tables",
    "58P01": "install pgvector 0.8 or later on the server",
    "0A000": "install pgvector 0.8 or later on the server",
    "42P01": "the tables of PgVectorStore are gone or changed; open it again",
}
"""What to do about an error of Postgres, by its SQLSTATE."""


def _value(cursor: Cursor[Any]) -> Any:
    """Return the first value of the next row; `None` without one."""
    row = cursor.fetchone()
    return None if row is None else row[0]


def _storable_key(key: str) -> str:
    """Return a term, or a digest of one that is too long for an index, such as a coded image."""
    key = storable(key)
    return key if len(key) <= _LONGEST_KEY else blake2b(key.encode(), digest_size=16).hexdigest()


def _as_vector(numbers: NDArray[np.floating[Any]]) -> str:
    return f"[{','.join(map(str, numbers.tolist()))}]"

"""Passages in a Postgres database with the extension pgvector: `PgVectorStore`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from citeguard.errors import (
    CiteguardError,
    check_number,
    check_text,
    check_whole,
    described,
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
    from psycopg import Cursor, Error
    from psycopg.rows import TupleRow
    from psycopg.sql import Composed
    from psycopg_pool import ConnectionPool

Value = TypeVar("Value")

_FORMAT = 1
"""The version of the tables."""
_MOST_CONNECTIONS = 8
# The longest key is an encoded image, say, and an index of Postgres takes 2,704 bytes.
_LONGEST_KEY = 500
# SQLSTATE of what passes by itself if a transaction runs anew: the connection was lost, the server
# stopped or is starting, or two transactions were in each other's way.
_PASSING = re.compile("08...|57P0[123]|40001|40P01")
_HNSW_WIDTH = 4_000
"""The width up to which pgvector makes an index of half-precision vectors."""

_TABLES = """
CREATE SCHEMA IF NOT EXISTS {schema};
CREATE TABLE {settings} (
    format integer NOT NULL,
    width integer,             -- of the vectors; NULL until there are some
    passages bigint NOT NULL,  -- of all documents
    words bigint NOT NULL      -- the terms of all passages, repeated ones too
);
INSERT INTO {settings} VALUES ({format}, NULL, 0, 0);
CREATE TABLE {documents} (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id text COLLATE "C" NOT NULL UNIQUE,
    version text NOT NULL,
    passages integer NOT NULL,
    words bigint NOT NULL
);
CREATE TABLE {passages} (
    document bigint,
    number integer,  -- from 0 on, within the document
    start integer NOT NULL,
    stop integer NOT NULL,
    text text NOT NULL,
    raw bytea,       -- UTF-8, if the text has characters that Postgres does not store
    PRIMARY KEY (document, number)
);
-- Apart from the texts, so that an exact scan reads the vectors only.
CREATE TABLE {vectors} (
    document bigint,
    number integer,
    vector {halfvec} NOT NULL,
    PRIMARY KEY (document, number)
);
-- In the row itself: reading each from elsewhere would make the scan several times slower.
ALTER TABLE {vectors} ALTER COLUMN vector SET STORAGE MAIN;
-- For each term of a document: the passages that have it, how often, and how many terms those have.
CREATE TABLE {postings} (
    term text COLLATE "C",
    document bigint,
    numbers integer[] NOT NULL,
    times integer[] NOT NULL,
    lengths integer[] NOT NULL,
    PRIMARY KEY (term, document)
);
CREATE INDEX ON {postings} (document);
"""

_REMOVE = """
WITH gone AS (DELETE FROM {documents} WHERE source_id = ANY(%s) RETURNING id, passages, words),
passages AS (DELETE FROM {passages} USING gone WHERE document = gone.id),
vectors AS (DELETE FROM {vectors} USING gone WHERE document = gone.id),
postings AS (DELETE FROM {postings} USING gone WHERE document = gone.id)
UPDATE {settings} SET
    passages = {settings}.passages - (SELECT coalesce(sum(passages), 0) FROM gone),
    words = {settings}.words - (SELECT coalesce(sum(words), 0) FROM gone)
"""

_NEAREST = """
SELECT source_id, start, stop, text, raw, -distance
FROM (
    SELECT document, number, {vector} OPERATOR({extension}.<#>) %(vector)s::{halfvec} AS distance
    FROM {vectors} {searched} ORDER BY distance FETCH FIRST %(k)s ROWS WITH TIES
) AS found
JOIN {passages} USING (document, number) JOIN {documents} ON id = document
ORDER BY distance, source_id, start, number LIMIT %(k)s
"""

# The formula of `bm25`. Terms are added up in their order, or rounding could put equal passages in
# another order each time.
_MATCHING = """
WITH hits AS MATERIALIZED (
    SELECT term, document, number, hit.times, length
    FROM {postings}, unnest(numbers, times, lengths) AS hit (number, times, length)
    WHERE term = ANY(%(terms)s)
), totals AS (
    SELECT passages::float8 AS passages, greatest(words, 1)::float8 / greatest(passages, 1) AS mean
    FROM {settings}
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
SELECT source_id, start, stop, text, raw, score
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
    way.

    Words are ranked by BM25 over all passages, with the formula and settings of `BM25Retriever`.

    Args:
        connection: The address of the database, such as `"postgresql://user@host/name"` or
            `"host=... dbname=..."`, or a `psycopg_pool.ConnectionPool` of your own, which `close`
            leaves open.
        schema: The schema of the tables; created if it is missing.
        prefix: What their names begin with. Stores of several libraries in one schema need
            different prefixes.
        index: `"hnsw"` for an index of the vectors, which is built if it is missing: by this call,
            if there are vectors. It is faster to build after many documents were added than to keep
            up to date while they are.
        timeout: The maximum time to wait for a connection, in seconds, above 0.

    Raises:
        CiteguardError: an argument is wrong, psycopg is missing, the server cannot be reached, it
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
        connection: str | ConnectionPool[Any],
        *,
        schema: str = "public",
        prefix: str = "citeguard",
        index: Literal["hnsw"] | None = None,
        timeout: float = 10,
    ) -> None:
        _check_names(schema, prefix)
        if index not in (None, "hnsw"):
            raise CiteguardError(f"PgVectorStore(index=...) must be 'hnsw' or None, not {index!r}")
        check_number("PgVectorStore(timeout=...)", timeout, 0, 3_600, above=True)
        with optional_packages("PgVectorStore"):
            import psycopg
            import psycopg_pool
            from psycopg.rows import tuple_row
        self._psycopg, self._pools, self._rows = psycopg, psycopg_pool, tuple_row
        self._schema, self._prefix, self._index = schema, prefix, index
        self._timeout = timeout
        self._owns_pool = isinstance(connection, str)
        self._pool = self._pool_of(connection)
        try:
            self._names = self._run(self._prepare)
            if index is not None:
                self._run(self._build_index)
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
        """Keep the passages of a document in place of all that it had, in one transaction.

        Raises:
            CiteguardError: the vectors are not as many as the passages, or not as wide as those of
                other documents; the id has NUL or a lone surrogate; or the database failed.
        """
        _check_id(source_id)
        rows = checked_vectors("PgVectorStore", passages, vectors)
        keys = [[_storable_key(key) for key in keys_of_passage(passage)] for passage in passages]
        words = sum(map(len, keys))

        def work(cursor: Cursor[TupleRow]) -> None:
            self._lock(cursor)
            cursor.execute(self._sql(_REMOVE), [[source_id]])
            if rows is not None and len(rows):
                self._set_width(cursor, rows.shape[1])
            cursor.execute(
                self._sql(
                    "INSERT INTO {documents} (source_id, version, passages, words)"
                    " VALUES (%s, %s, %s, %s) RETURNING id"
                ),
                [source_id, version, len(passages), words],
            )
            document = _value(cursor)
            self._copy(cursor, "passages", _passage_rows(document, passages))
            self._copy(cursor, "postings", _posting_rows(document, keys))
            if rows is not None:
                types = ["int8", "int4", "bytea"]
                self._copy(cursor, "vectors", _vector_rows(document, rows), types=types)
            cursor.execute(
                self._sql("UPDATE {settings} SET passages = passages + %s, words = words + %s"),
                [len(passages), words],
            )

        self._run(work)

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents, in one transaction; an id that it does not have is ignored."""
        gone = _storable_ids(source_ids)

        def work(cursor: Cursor[TupleRow]) -> None:
            self._lock(cursor)
            cursor.execute(self._sql(_REMOVE), [gone])

        if gone:
            self._run(work)

    def versions(self) -> Mapping[str, str]:
        """Return the version of each document, by id."""
        return dict(self._select("SELECT source_id, version FROM {documents} ORDER BY source_id"))

    def nearest(
        self,
        vector: NDArray[np.float32],
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[Passage]:
        """Return at most `k` passages by the cosine similarity of their vectors, best first.

        Exact without an index, and if `source_ids` are given; equal scores are ordered by
        (source_id, start).

        Raises:
            CiteguardError: the vector is not finite, or not as wide as those that it has; or the
                database failed.
        """
        check_whole("PgVectorStore.nearest(k=...)", k, 1)
        query_vector = checked_query("PgVectorStore", vector)
        written = f"[{','.join(map(repr, query_vector.tolist()))}]"
        searched = None if source_ids is None else _storable_ids(source_ids)

        def work(cursor: Cursor[TupleRow]) -> list[Passage]:
            width = _value(cursor.execute(self._sql("SELECT width FROM {settings}")))
            if width is None:
                return []
            if len(query_vector) != width:
                raise different_width("PgVectorStore", len(query_vector), width)
            indexed = self._index is not None and searched is None and width <= _HNSW_WIDTH
            if indexed:
                # By default an index looks at ef_search candidates at most, and returns fewer than
                # k if others have been deleted or changed since.
                cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
                cursor.execute(
                    "SELECT set_config('hnsw.ef_search', %s, true)",
                    [str(min(max(2 * k, 100), 1_000))],
                )
            # The index is of this expression: a scan without the cast is always exact.
            compared = f"vector::{{halfvec}}({width:d})" if indexed else "vector"
            filtered = "" if searched is None else _SEARCHED
            query = _NEAREST.replace("{vector}", compared).replace("{searched}", filtered)
            cursor.execute(self._sql(query), {"vector": written, "k": k, "source_ids": searched})
            return [_passage(*row) for row in cursor]

        return self._run(work)

    def matching(
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return at most `k` passages that share a term with a query, best first by BM25.

        Equal scores are ordered by (source_id, start). How rare a term is, is counted over all
        passages of the store.

        Raises:
            CiteguardError: the database failed.
        """
        check_whole("PgVectorStore.matching(k=...)", k, 1)
        keys = sorted({_storable_key(key) for key in query_keys(query)})
        if not keys:
            return []
        searched = None if source_ids is None else _storable_ids(source_ids)
        filtered = "" if searched is None else _SEARCHED
        found = self._select(
            _MATCHING.replace("{searched}", filtered),
            {"terms": keys, "k": k, "source_ids": searched, "k1": K1, "b": B},
        )
        return [_passage(*row) for row in found]

    def __len__(self) -> int:
        """Return the number of passages."""
        [[passages]] = self._select("SELECT passages FROM {settings}")
        return passages

    def close(self) -> None:
        """Close the connections, but not a pool that was given; closing again does nothing."""
        if self._owns_pool and not self._pool.closed:
            self._pool.close()

    def _pool_of(self, connection: object) -> ConnectionPool[Any]:
        from psycopg_pool import ConnectionPool

        if isinstance(connection, ConnectionPool):
            return cast("ConnectionPool[Any]", connection)
        if not isinstance(connection, str):
            raise CiteguardError(
                "PgVectorStore() takes the address of a database or a psycopg_pool.ConnectionPool, "
                f"got {described(connection)}"
            )
        # libpq counts in whole seconds, from 2 on.
        options = {"connect_timeout": max(2, round(self._timeout))}
        with self._failures():
            # A pool does not tell why it has no connection.
            try:
                self._psycopg.connect(connection, **options).close()
            except self._psycopg.ProgrammingError as error:
                raise CiteguardError(
                    f"PgVectorStore cannot read the address of the database: {error}"
                ) from error
            return ConnectionPool(
                connection,
                kwargs=options,
                min_size=1,
                max_size=_MOST_CONNECTIONS,
                open=True,
                timeout=self._timeout,
                # Longer, and its attempts become so rare that a server that is up seems down.
                reconnect_timeout=self._timeout,
            )

    def _run(self, work: Callable[[Cursor[TupleRow]], Value]) -> Value:
        """Do something in a transaction; once more if the server interrupts it."""
        with self._failures():
            try:
                return self._transact(work)
            except self._pools.PoolTimeout:
                raise
            except self._psycopg.OperationalError as error:
                if error.sqlstate is not None and not _PASSING.fullmatch(error.sqlstate):
                    raise
                self._pool.check()  # drops the connections that were lost as well
                return self._transact(work)

    def _transact(self, work: Callable[[Cursor[TupleRow]], Value]) -> Value:
        with (
            self._pool.connection(self._timeout) as connection,
            connection.transaction(),
            connection.cursor(row_factory=self._rows) as cursor,
        ):
            # Under the others, what was written while a transaction waited for the lock is not
            # seen by it. A pool of the user's may have another level.
            cursor.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
            return work(cursor)

    def _select(self, query: str, values: Mapping[str, Any] | None = None) -> list[TupleRow]:
        return self._run(lambda cursor: cursor.execute(self._sql(query), values).fetchall())

    @contextmanager
    def _failures(self) -> Generator[None]:
        """Turn the errors of psycopg into one that says what to do."""
        try:
            yield
        except self._psycopg.Error as error:
            raise CiteguardError(self._explained(error)) from error

    def _explained(self, error: Error) -> str:
        errors, pools = self._psycopg.errors, self._pools
        said = str(error).strip().partition("\n")[0]
        if isinstance(error, pools.PoolClosed):
            return "the connections of PgVectorStore are closed; open the store anew"
        if isinstance(error, errors.InsufficientPrivilege):
            return (
                f"Postgres does not allow it: {said}; grant the user of PgVectorStore that right, "
                "or connect as another one"
            )
        if isinstance(error, (errors.UndefinedTable, errors.UndefinedColumn)):
            return f"the tables of PgVectorStore are gone or changed: {said}; open the store anew"
        if isinstance(error, pools.PoolTimeout) or error.sqlstate is None:
            return (
                f"PgVectorStore cannot reach the Postgres server: {said}; check its address and "
                "that it runs"
            )
        return f"Postgres failed: {said}"

    def _lock(self, cursor: Cursor[TupleRow]) -> None:
        """Wait until no one else writes, until the end of the transaction.

        A single lock, taken first, so that writers cannot wait for each other in a circle.
        """
        self._lock_name(cursor, f"citeguard {self._schema} {self._prefix}")

    def _lock_name(self, cursor: Cursor[TupleRow], name: str) -> None:
        digest = blake2b(name.encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "big", signed=True)
        cursor.execute("SELECT pg_advisory_xact_lock(%s::bigint)", [number])

    def _copy(
        self,
        cursor: Cursor[TupleRow],
        table: str,
        rows: Iterable[Sequence[Any]],
        *,
        types: Sequence[str] | None = None,
    ) -> None:
        """Add rows to a table; in the binary format if types are given."""
        form = "" if types is None else " (FORMAT BINARY)"
        with cursor.copy(self._sql(f"COPY {{{table}}} FROM STDIN{form}")) as copy:
            if types is not None:
                copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def _set_width(self, cursor: Cursor[TupleRow], width: int) -> None:
        """Keep the width of the vectors at the first of them; later ones must have the same.

        Raises:
            CiteguardError: other documents have vectors of another width.
        """
        known = _value(cursor.execute(self._sql("SELECT width FROM {settings}")))
        if known == width:
            return
        if known is not None:
            if cursor.execute(self._sql("SELECT 1 FROM {vectors} LIMIT 1")).fetchone():
                raise different_width("PgVectorStore", width, known)
            cursor.execute(self._sql("DROP INDEX IF EXISTS {index}"))
        cursor.execute(self._sql("UPDATE {settings} SET width = %s"), [width])
        if self._index is not None:
            self._create_index(cursor, width)

    def _build_index(self, cursor: Cursor[TupleRow]) -> None:
        """Build the index if there are vectors, and it is missing."""
        width = _value(cursor.execute(self._sql("SELECT width FROM {settings}")))
        if width is not None and not self._has(cursor, "index"):
            self._lock(cursor)
            self._create_index(cursor, width)

    def _create_index(self, cursor: Cursor[TupleRow], width: int) -> None:
        if width <= _HNSW_WIDTH:  # wider ones are searched exactly
            cursor.execute(
                self._sql(
                    "CREATE INDEX IF NOT EXISTS {new_index} ON {vectors} USING hnsw"
                    f" ((vector::{{halfvec}}({width:d})) {{extension}}.halfvec_ip_ops)"
                )
            )

    def _sql(self, query: str) -> Composed:
        """Return a query with the names of the tables, quoted, for those in braces."""
        # All queries are parts of this module, without a word from outside.
        return self._psycopg.sql.SQL(query).format(**self._names)  # pyright: ignore[reportArgumentType]

    def _prepare(self, cursor: Cursor[TupleRow]) -> dict[str, Any]:
        """Create what is missing, and return the names for queries.

        Raises:
            CiteguardError: pgvector is missing or too old, or the tables are of a later version.
        """
        sql = self._psycopg.sql
        names: dict[str, Any] = {
            table: sql.Identifier(self._schema, f"{self._prefix}_{table}")
            for table in ("settings", "documents", "passages", "vectors", "postings")
        }
        index = f"{self._prefix}_vectors_hnsw"
        names |= {
            "index": sql.Identifier(self._schema, index),
            "new_index": sql.Identifier(index),  # in the schema of its table
            "schema": sql.Identifier(self._schema),
            "format": sql.Literal(_FORMAT),
        }
        extension = self._extension(cursor)
        names["extension"] = sql.Identifier(extension)
        names["halfvec"] = sql.Identifier(extension, "halfvec")
        self._names = names
        if not self._has(cursor, "settings"):
            self._lock_name(cursor, "citeguard")
            if not self._has(cursor, "settings"):
                self._create_tables(cursor)
        found = _value(cursor.execute(self._sql("SELECT format FROM {settings}")))
        if found != _FORMAT:
            raise CiteguardError(
                f"the tables of PgVectorStore are of version {found}, and this citeguard reads "
                f"version {_FORMAT}; install a newer one, or choose another prefix"
            )
        return names

    def _has(self, cursor: Cursor[TupleRow], name: str) -> bool:
        """Return whether a table or an index exists."""
        found = cursor.execute("SELECT to_regclass(%s)", [self._names[name].as_string()])
        return _value(found) is not None

    def _create_tables(self, cursor: Cursor[TupleRow]) -> None:
        # To create a schema that exists takes the right to create others.
        known = _value(
            cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [self._schema])
        )
        statements = (
            _TABLES.replace("CREATE SCHEMA IF NOT EXISTS {schema};", "") if known else _TABLES
        )
        cursor.execute(self._sql(statements))

    def _extension(self, cursor: Cursor[TupleRow]) -> str:
        """Return the schema of pgvector, which is created in the database if it is missing.

        Raises:
            CiteguardError: the server does not have it, it is too old, or the user may not create
                it.
        """
        errors = self._psycopg.errors
        find = (
            "SELECT extversion, nspname FROM pg_extension"
            " JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'"
        )
        found = cursor.execute(find).fetchone()
        if found is None:
            self._lock_name(cursor, "citeguard")
            try:
                cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
            except (errors.UndefinedFile, errors.FeatureNotSupported) as error:
                raise CiteguardError(
                    "the Postgres server does not have pgvector; install its package there, of "
                    "version 0.8 or later"
                ) from error
            except errors.InsufficientPrivilege as error:
                raise CiteguardError(
                    "the user of PgVectorStore may not create the extension pgvector in this "
                    "database; have an administrator run: CREATE EXTENSION vector"
                ) from error
            found = cursor.execute(find).fetchone() or ("", "public")
        version, schema = found
        if [int(number) for number in re.findall(r"\d+", version)][:2] < [0, 8]:
            raise CiteguardError(
                f"PgVectorStore needs pgvector 0.8 or later, and the database has {version}; "
                "install a newer one on the server and run: ALTER EXTENSION vector UPDATE"
            )
        return schema


def _value(cursor: Cursor[TupleRow]) -> Any:
    """Return the first value of the next row; `None` without one."""
    row = cursor.fetchone()
    return None if row is None else row[0]


def _check_names(schema: str, prefix: str) -> None:
    for argument, name in (("schema", schema), ("prefix", prefix)):
        check_text(f"PgVectorStore({argument}=...)", name, required=True)
        # Postgres cuts names after 63 bytes, and two tables would become one; psycopg takes a
        # percent sign for a placeholder.
        if not name or "\0" in name or "%" in name or len(name.encode("utf-8", "replace")) > 40:
            raise CiteguardError(
                f"PgVectorStore({argument}=...) must be a name of 1 to 40 bytes without NUL or %, "
                f"not {name!r}"
            )


def _check_id(source_id: str) -> None:
    if kept_text(source_id, nul=False)[1] is not None:
        raise CiteguardError(
            f"Postgres stores no NUL and no lone surrogates, as the id {source_id!r} has; use "
            "another id"
        )


def _storable_ids(source_ids: Collection[str]) -> list[str]:
    """Return the ids that the store may have."""
    return sorted({each for each in source_ids if kept_text(each, nul=False)[1] is None})


def _storable_key(key: str) -> str:
    """Return a term, or a digest of one that is too long for an index."""
    key, _ = kept_text(key, nul=False)
    return key if len(key) <= _LONGEST_KEY else blake2b(key.encode(), digest_size=16).hexdigest()


def _passage_rows(document: int, passages: Sequence[StoredPassage]) -> Iterator[Sequence[Any]]:
    for number, passage in enumerate(passages):
        text, raw = kept_text(passage.text, nul=False)
        yield document, number, passage.start, passage.end, text, raw


def _posting_rows(document: int, keys: Sequence[Sequence[str]]) -> Iterator[Sequence[Any]]:
    postings: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for number, of_passage in enumerate(keys):
        for key, times in Counter(of_passage).items():
            postings[key].append((number, times, len(of_passage)))
    for term in sorted(postings):
        # As Postgres writes arrays: psycopg takes several times as long to do so.
        columns = zip(*postings[term], strict=True)
        yield term, document, *(f"{{{','.join(map(str, column))}}}" for column in columns)


def _vector_rows(document: int, rows: NDArray[np.float32]) -> Iterator[Sequence[Any]]:
    """Yield the finite vectors as pgvector reads them: a width, two empty bytes, the numbers."""
    import numpy as np

    head = rows.shape[1].to_bytes(2, "big") + b"\0\0"
    halves = rows.astype(">f2")
    for number in np.flatnonzero(np.isfinite(rows).all(axis=1)).tolist():
        yield document, number, head + halves[number].tobytes()


def _passage(
    source_id: str, start: int, stop: int, text: str, raw: bytes | None, score: float
) -> Passage:
    return Passage(Span(source_id, start, stop), read_text(text, raw), score)

"""Caches of verdicts: in memory (`MemoryCache`) or on disk (`DiskCache`)."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from os import PathLike, fspath
from typing import TYPE_CHECKING, Protocol

from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    import sqlite3

_KEYS_AT_ONCE = 500  # SQLite takes at least 999 variables in a statement
_TABLE = """\
CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID"""
_PATIENCE = 4.0  # seconds that a process waits for another one's writing
_RETRY = 0.01  # seconds until it is tried again


class VerdictCache(Protocol):
    """Keeps texts under keys. Both methods may be called from any thread, and may block."""

    def get(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """Return what is kept under these keys; a key without anything is left out."""
        ...

    def put(self, entries: Mapping[str, str], /) -> None:
        """Keep texts under keys, in the place of what was kept there."""
        ...


class MemoryCache:
    """Keeps the verdicts used last, in this process.

    Args:
        size: How many, at most.

    Raises:
        CiteguardError: a size below 1.
    """

    def __init__(self, size: int = 10_000) -> None:
        if not isinstance(size, int) or size < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"a cache's size must be a whole number from 1 on, not {size!r}")
        self._size = size
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Count what is kept."""
        return len(self._kept)

    def __reduce__(self) -> tuple[type[MemoryCache], tuple[int]]:
        """Be empty in another process: what is kept is kept in this one."""
        return MemoryCache, (self._size,)

    def get(self, keys: Sequence[str], /) -> dict[str, str]:
        """Return what is kept under these keys."""
        with self._lock:
            found = [key for key in keys if key in self._kept]
            for key in found:
                self._kept.move_to_end(key)
            return {key: self._kept[key] for key in found}

    def put(self, entries: Mapping[str, str], /) -> None:
        """Keep texts under keys, and forget those that were used longest ago."""
        with self._lock:
            for key, text in entries.items():
                self._kept[key] = text
                self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


class DiskCache:
    """Keeps verdicts in an SQLite file, which threads and processes of one machine can share.

    Nothing is ever forgotten; delete the file to start anew. SQLite's locks do not hold on network
    file systems.

    Args:
        path: The file; made, if its folder exists.

    Raises:
        CiteguardError: the file cannot be opened, or is no such file.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        import sqlite3  # loaded by those who need it

        self._path = fspath(path)
        if self._path in ("", ":memory:"):
            raise CiteguardError(
                "a DiskCache needs a file; to keep verdicts in memory: MemoryCache"
            )
        try:
            with self._connected():
                pass
        except sqlite3.Error as error:
            raise CiteguardError(f"cannot keep verdicts in {self._path}: {error}") from error

    def __len__(self) -> int:
        """Count what is kept."""
        with self._connected() as connection:
            return connection.execute("SELECT count(*) FROM verdicts").fetchone()[0]

    def get(self, keys: Sequence[str], /) -> dict[str, str]:
        """Return what is kept under these keys."""
        found: dict[str, str] = {}
        with self._connected() as connection:
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                found.update(
                    connection.execute(
                        f"SELECT key, text FROM verdicts WHERE key IN ({marks})", some
                    )
                )
        return found

    def put(self, entries: Mapping[str, str], /) -> None:
        """Keep texts under keys."""
        with self._connected() as connection:
            connection.executemany("REPLACE INTO verdicts VALUES (?, ?)", entries.items())

    @contextmanager
    def _connected(self) -> Generator[sqlite3.Connection, None, None]:
        import sqlite3

        # A connection for each use: none may cross a fork or, by default, a thread, and opening
        # one costs a fraction of a millisecond, beside a judge's tenths of a second.
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as connection, connection:
            _let_readers_read(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)  # again, as somebody may have deleted the file
            yield connection


def _let_readers_read(connection: sqlite3.Connection) -> None:
    """Keep readers from having to wait for a writer.

    SQLite does not wait for others here, whatever the connection's timeout, as when two processes
    make the file at the same time.
    """
    import sqlite3

    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_RETRY)

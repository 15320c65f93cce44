"""Caches of verdicts: in memory (`MemoryCache`) or on disk (`DiskCache`)."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from os import PathLike, fspath
from typing import TYPE_CHECKING, Protocol

from citeguard.errors import CiteguardError, check_kind, check_whole

if TYPE_CHECKING:
    import sqlite3

_KEYS_AT_ONCE = 500  # SQLite takes at least 999 variables in a statement
_TABLE = """\
CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID"""
_PATIENCE = 4.0  # seconds that a process waits while another one writes; askers wait longer
_RETRY = 0.01  # seconds until it is tried again


class VerdictCache(Protocol):
    """Stores texts by key. Both methods may be called from any thread, and may block."""

    def get(self, keys: Sequence[str], /) -> Mapping[str, str]:
        """Return the texts of these keys, without the keys that have none."""
        ...

    def put(self, entries: Mapping[str, str], /) -> None:
        """Store texts by key, replacing earlier ones."""
        ...


class MemoryCache:
    """A cache of the most recently used verdicts, in this process.

    Args:
        size: The most verdicts.

    Raises:
        CiteguardError: A size below 1.
    """

    def __init__(self, size: int = 10_000) -> None:
        check_whole("MemoryCache(size=...)", size, 1)
        self._size = size
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of verdicts."""
        return len(self._kept)

    def __reduce__(self) -> tuple[type[MemoryCache], tuple[int]]:
        """Pickle without the verdicts: they stay in this process."""
        return MemoryCache, (self._size,)

    def get(self, keys: Sequence[str], /) -> dict[str, str]:
        """Return the texts of these keys."""
        with self._lock:
            found = [key for key in keys if key in self._kept]
            for key in found:
                self._kept.move_to_end(key)
            return {key: self._kept[key] for key in found}

    def put(self, entries: Mapping[str, str], /) -> None:
        """Store texts by key, and drop the least recently used ones."""
        with self._lock:
            for key, text in entries.items():
                self._kept[key] = text
                self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


class DiskCache:
    """A cache of verdicts in an SQLite file, which threads and processes of one machine can share.

    It never drops anything; delete the file to start again. SQLite's locks do not hold on network
    file systems.

    Args:
        path: The file; created if its folder exists.

    Raises:
        CiteguardError: The file cannot be opened, or is not an SQLite file.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        import sqlite3  # only if needed

        if not isinstance(path, str):
            check_kind("DiskCache(path)", path, PathLike, required=True)
        self._path = fspath(path)
        if self._path in ("", ":memory:"):
            raise CiteguardError(
                "a DiskCache needs a file; use MemoryCache to keep verdicts in memory"
            )
        try:
            with self._connected():
                pass
        except sqlite3.Error as error:
            raise CiteguardError(f"cannot keep verdicts in {self._path}: {error}") from error

    def __len__(self) -> int:
        """Return the number of verdicts."""
        with self._connected() as connection:
            return connection.execute("SELECT count(*) FROM verdicts").fetchone()[0]

    def get(self, keys: Sequence[str], /) -> dict[str, str]:
        """Return the texts of these keys."""
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
        """Store texts by key."""
        with self._connected() as connection:
            connection.executemany("REPLACE INTO verdicts VALUES (?, ?)", entries.items())

    @contextmanager
    def _connected(self) -> Generator[sqlite3.Connection, None, None]:
        import sqlite3

        # A connection for each use: none may cross a fork or, by default, a thread, and opening
        # one takes a fraction of a millisecond, and a judge tenths of a second.
        # The second one commits, and does not close.
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as connection, connection:
            until = time.monotonic() + _PATIENCE
            while True:
                try:
                    connection.execute("PRAGMA journal_mode = WAL")  # readers need not wait
                    break
                except sqlite3.OperationalError as error:
                    # SQLite does not wait here, whatever the connection's timeout, for instance
                    # when two processes create the file at the same time.
                    if "locked" not in str(error) or time.monotonic() > until:
                        raise
                    time.sleep(_RETRY)
            # A loss of power may take the last verdicts only, which are then asked for again.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)  # again, as somebody may have deleted the file
            yield connection

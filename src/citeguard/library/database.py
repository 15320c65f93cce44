"""The file of a library: one SQLite database, for any number of threads and processes."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Generator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError, check_number

_APPLICATION = 0x43495447  # "CITG": what SQLite files say that they are
_VERSION = 1  # of the schema
_IDLE = 4  # connections that are kept open for the next call
# 16 MB of pages in memory, and at most 64 MB of an empty write-ahead log on disk.
_SETTINGS = """
PRAGMA foreign_keys = ON;
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = -16000;
PRAGMA journal_size_limit = 64000000;
"""
_LONGEST = 1_000_000.0  # seconds

# Tables of one index of passages; `{0}` is its name. FTS5 has no texts of its own ("external
# content"), and a term is whatever is between two blanks: the terms are made by citeguard.
_INDEX = """
CREATE TABLE {0}_documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, so that it stands for the content
    source_id NOT NULL UNIQUE,
    version TEXT NOT NULL
);
CREATE TABLE {0} (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES {0}_documents (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    text NOT NULL,
    keys TEXT NOT NULL
);
CREATE INDEX {0}_by_document ON {0} (document);
CREATE TABLE {0}_vectors (
    document INTEGER PRIMARY KEY REFERENCES {0}_documents (id) ON DELETE CASCADE,
    vectors BLOB NOT NULL  -- f16, little-endian, a row for each passage
);
CREATE VIRTUAL TABLE {0}_words USING fts5 (
    keys, content = '{0}', content_rowid = 'id', tokenize = "ascii tokenchars '{1}'"
);
CREATE VIRTUAL TABLE {0}_terms USING fts5vocab ({0}_words, 'row');
INSERT INTO indexes VALUES ('{0}', 0, 0, 0);
"""
_TOKEN_CHARACTERS = "".join(
    char * 2 if char in "'\"" else char for char in map(chr, range(33, 127)) if not char.isalnum()
)

_TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE indexes (
    name TEXT PRIMARY KEY,
    stamp INTEGER NOT NULL,  -- another one after each change
    passages INTEGER NOT NULL,
    terms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id NOT NULL UNIQUE,
    version TEXT NOT NULL,
    title,
    url,
    kind TEXT NOT NULL,
    characters INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    added_at TEXT NOT NULL,
    origin  -- the path of its file
);
CREATE TABLE contents (
    document INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    data BLOB NOT NULL,  -- what documents/saving.py writes, compressed
    file BLOB  -- the PDF file
);
CREATE TABLE stored_questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER REFERENCES documents (id) ON DELETE CASCADE,
    question NOT NULL,
    answer TEXT NOT NULL,
    headings TEXT NOT NULL,
    kind TEXT NOT NULL
);
CREATE INDEX stored_questions_by_document ON stored_questions (document);
CREATE TABLE chats (
    id TEXT PRIMARY KEY,
    title NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    chat TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    text NOT NULL,
    "references" TEXT NOT NULL,
    outcome TEXT,
    reason NOT NULL,
    asked_from TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX messages_by_chat ON messages (chat);
"""
_INDEXES = ("passages", "questions")


class LibraryFile:
    """One SQLite file with everything of a library, and its connections.

    Any number of threads may use it, each call with a connection of its own, and so may a process
    that was forked while no call was under way. Of the processes that use a file one writes at a
    time, and the others read meanwhile what was there before. A change that a process was killed in
    leaves no trace; after a power cut the last changes may be missing, but never a part of one
    (`synchronous=NORMAL`).

    Args:
        path: The file; created if its folder exists.
        timeout: Seconds for which a change waits for another one, 0 to 1,000,000.

    Attributes:
        path: Its absolute path.
        lock: For what is kept in memory of the file.

    Raises:
        CiteguardError: It cannot be opened, is not a library, or was written by a newer citeguard.
    """

    def __init__(self, path: str | PathLike[str], *, timeout: float = 30.0) -> None:
        check_number("LibraryFile(timeout=...)", timeout, 0, _LONGEST)
        given: Any = path  # users need not heed the types
        is_path = isinstance(given, (str, PathLike))
        name: Any = fspath(path) if is_path else None
        if not isinstance(name, str) or name in ("", ":memory:") or "\0" in name:
            raise CiteguardError(f"a library is kept in a file, and {path!r} names none")
        self.path = Path(path).absolute()
        if os.path.isdir(self.path):
            raise CiteguardError(
                f"{self.path}: this is a folder; give the path of a library, or of a new file"
            )
        self._opened: tuple[int, int] | None = None  # which file it is
        self._timeout = timeout
        self._closed = False
        self._idle: list[sqlite3.Connection] = []
        self._used = 0  # connections that threads use now
        self._start()
        weakref.finalize(self, _close_all, self._idle)
        _FILES.add(self)
        try:
            with self._explained(), self._connection() as connection:
                self._prepare(connection)
            self._opened = _place(self.path)
        except CiteguardError:
            self.close()
            raise

    def __repr__(self) -> str:
        """Name the file."""
        return f"LibraryFile({str(self.path)!r})"

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Yield a connection to which the file does not change in the block.

        In a block of `writing` of the same thread, it is that one's.

        Raises:
            CiteguardError: The file cannot be read, or is closed.
        """
        if (connection := self._block.connection) is not None:
            yield connection
            return
        with self._explained(), self._connection() as connection:
            connection.execute("BEGIN")
            self._block.connection = connection
            try:
                yield connection
            finally:
                self._block.connection = None
                _undo(connection)

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """Yield a connection whose changes are kept together at the end of the block.

        None is kept if the block raises. A block in such a block is a part of it.

        Raises:
            CiteguardError: The file cannot be written, is closed, or another process has been
                writing for the whole timeout.
        """
        connection = self._block.connection
        if connection is not None and not self._block.writes:
            raise CiteguardError("a library cannot be changed in a block that reads it")
        if connection is not None:
            connection.execute("SAVEPOINT part")
            try:
                yield connection
            except BaseException:
                # SQLite itself undoes everything on a full disk, for example.
                if connection.in_transaction:
                    connection.execute("ROLLBACK TO part")
                    connection.execute("RELEASE part")
                raise
            connection.execute("RELEASE part")
            return
        if not self._writing.acquire(timeout=self._timeout):
            raise self._busy()
        try:
            with self._explained(), self._connection() as connection:
                connection.execute("BEGIN IMMEDIATE")
                self._block.connection, self._block.writes = connection, True
                try:
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    self._block.connection, self._block.writes = None, False
                    _undo(connection)
        finally:
            self._writing.release()

    def close(self) -> None:
        """Close the file; closing again does nothing. Calls that are under way still finish."""
        self._closed = True
        with _lending:
            _close_all(self._idle)

    def setting(self, name: str) -> str | None:
        """Return what is kept under a name, such as `embedder`; `None` if nothing is."""
        with self.reading() as connection:
            row = connection.execute(
                "SELECT value FROM settings WHERE name = ?", (name,)
            ).fetchone()
            return None if row is None else row[0]

    def keep_setting(self, name: str, value: str) -> None:
        """Keep a value under a name."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def _start(self) -> None:
        """Begin without the threads that a process had before it was forked."""
        self.lock = threading.Lock()
        self._writing = threading.Lock()
        self._block = _Block()

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        if self._closed:
            raise CiteguardError(f"{self.path}: the library is closed")
        if self._opened is not None and _place(self.path) != self._opened:
            # SQLite would go on with the file that nothing leads to any more.
            raise CiteguardError(
                f"{self.path}: the file was deleted, moved or replaced while it was in use; open "
                "the library again"
            )
        with _lending:
            self._used += 1
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or self._connect()
            yield connection
        finally:
            with _lending:
                self._used -= 1
                keep = not self._closed and len(self._idle) < _IDLE
                if keep and connection is not None:
                    self._idle.append(connection)
            if connection is not None and not keep:
                connection.close()

    def _connect(self) -> sqlite3.Connection:
        if _SPOILED and _place(self.path) in _SPOILED:
            raise CiteguardError(
                f"{self.path}: this process was forked while the library was in use; fork when no "
                'call is under way, or start processes with "spawn" or "forkserver"'
            )
        connection = sqlite3.connect(
            self.path, timeout=self._timeout, isolation_level=None, check_same_thread=False
        )
        connection.executescript(_SETTINGS)
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check what the file is, and create the tables in an empty one."""
        if self._is_prepared(connection):
            return
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            if not self._is_prepared(connection):  # as another process may have been faster
                indexes = (_INDEX.format(name, _TOKEN_CHARACTERS) for name in _INDEXES)
                statement = ""
                for line in "".join([_TABLES, *indexes]).splitlines(keepends=True):
                    statement += line
                    if sqlite3.complete_statement(statement):
                        connection.execute(statement)
                        statement = ""
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("COMMIT")
        finally:
            _undo(connection)

    def _is_prepared(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file is a library and not empty.

        Raises:
            CiteguardError: It is something else, or of a newer citeguard.
        """

        def value(query: str) -> int:
            return connection.execute(query).fetchone()[0]

        application, version = value("PRAGMA application_id"), value("PRAGMA user_version")
        if application == _APPLICATION:
            if version > _VERSION:
                raise CiteguardError(
                    f"{self.path}: a newer citeguard has written this library (format {version}, "
                    f"and this one reads {_VERSION}): pip install -U pydantic-citeguard"
                )
            return True
        if application or version or value("SELECT count(*) FROM sqlite_master"):
            raise CiteguardError(
                f"{self.path}: this SQLite file is not a library; give the path of one, or of a "
                "new file"
            )
        return False

    def _busy(self) -> CiteguardError:
        return CiteguardError(
            f"{self.path}: something else has been writing to this library for "
            f"{self._timeout:g} s; try again when it is done"
        )

    @contextmanager
    def _explained(self) -> Generator[None]:
        """Turn an error of SQLite into one that says what to do.

        Raises:
            CiteguardError: For every error that the file or the disk may cause.
        """
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.IntegrityError):
            raise
        except sqlite3.DatabaseError as error:
            # The first byte is the kind of the error, and the others say more.
            kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise self._busy() from error
            advice = _ADVICE.get(kind, "it may be damaged")
            if "fts5" in str(error):
                advice = "use a Python whose SQLite has full-text search (FTS5)"
            raise CiteguardError(f"{self.path}: {error}; {advice}") from error


_ADVICE = {
    sqlite3.SQLITE_FULL: "nothing of this change was kept; free some space and do it again",
    sqlite3.SQLITE_READONLY: "allow this user to write to the file and to its folder, or copy it",
    sqlite3.SQLITE_CANTOPEN: (
        "its folder must exist, and this user must be allowed to write to both"
    ),
    sqlite3.SQLITE_PERM: "allow this user to write to the file and to its folder, or copy it",
    sqlite3.SQLITE_NOTADB: "this is not a library; give the path of one, or of a new file",
    sqlite3.SQLITE_CORRUPT: (
        "the library is damaged; put back a copy, or delete it and add the documents again"
    ),
    sqlite3.SQLITE_IOERR: "nothing of this change was kept; check the disk and do it again",
    sqlite3.SQLITE_TOOBIG: "a document or its file is larger than SQLite can keep, 1 GB",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}
"""What to do about an error of SQLite, by its kind."""


class _Block(threading.local):
    """The block of `reading` or `writing` that a thread is in: its connection, if it is in one."""

    connection: sqlite3.Connection | None = None
    writes: bool = False


_lending = threading.RLock()  # not a lock: closing may be what frees memory in a block that has it
_FILES: weakref.WeakSet[LibraryFile] = weakref.WeakSet()
# SQLite keeps in each process which locks that process has on a file, and a child inherits that,
# but not the locks. It would then overwrite, or lose, what others write: so no connection may be
# open at a fork, and a file that one was open to cannot be used in the child, not even anew.
_SPOILED: set[tuple[int, int]] = set()


def _before_fork() -> None:
    _lending.acquire()  # until the process has been forked
    for file in _FILES:
        _close_all(file._idle)  # pyright: ignore[reportPrivateUsage]


def _after_fork() -> None:
    global _lending
    _lending = threading.RLock()
    for file in _FILES:
        if file._used:  # pyright: ignore[reportPrivateUsage]
            _SPOILED.update(filter(None, [_place(file.path)]))
        file._used = 0  # pyright: ignore[reportPrivateUsage]
        file._start()  # pyright: ignore[reportPrivateUsage]


def _close_all(connections: list[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()


def _place(path: Path) -> tuple[int, int] | None:
    """Return what SQLite tells files by; `None` if there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(
        before=_before_fork, after_in_parent=lambda: _lending.release(), after_in_child=_after_fork
    )


def _undo(connection: sqlite3.Connection) -> None:
    """Undo a transaction that is still open."""
    if connection.in_transaction:
        # What is wrong with the file has been raised already.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")

"""The file of a library: one SQLite database, for any number of threads and processes."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Generator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

from citeguard.errors import CiteguardError

APPLICATION = 0x43495447  # "CITG": what SQLite files say that they are
VERSION = 3  # of the schema, and of what its values are
# 16 MB of pages in memory, and at most 64 MB of an empty write-ahead log on disk.
# SQLite heeds foreign keys only where the connection has asked for it.
_SETTINGS = """
PRAGMA foreign_keys = ON;
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = -16000;
PRAGMA journal_size_limit = 64000000;
"""
_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id NOT NULL UNIQUE,
    version TEXT NOT NULL,
    info TEXT NOT NULL,  -- a `DocumentInfo`
    data BLOB NOT NULL,  -- what documents/document.py writes, compressed
    file BLOB  -- the PDF file
);
CREATE TABLE IF NOT EXISTS stored_questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER REFERENCES documents (id) ON DELETE CASCADE,
    data TEXT NOT NULL  -- a `StoredQuestion`
);
CREATE INDEX IF NOT EXISTS stored_questions_by_document ON stored_questions (document);
CREATE TRIGGER IF NOT EXISTS stored_questions_deleted AFTER DELETE ON stored_questions BEGIN
    DELETE FROM questions_documents WHERE source_id = CAST(old.id AS TEXT);
END;
CREATE TABLE IF NOT EXISTS chats (id TEXT PRIMARY KEY, title NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY,
    chat TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    data TEXT NOT NULL  -- a `Message`
);
CREATE INDEX IF NOT EXISTS messages_by_chat ON messages (chat);
"""
# Tables of one index of passages; `{0}` is its name. For FTS5, a term is whatever is between two
# blanks: the terms are made by citeguard. What refers to a document is deleted with it.
_INDEX = """
CREATE TABLE IF NOT EXISTS {0}_documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, so that it stands for the content
    source_id NOT NULL UNIQUE,
    version TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS {0} (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES {0}_documents (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    text NOT NULL
);
CREATE INDEX IF NOT EXISTS {0}_by_document ON {0} (document);
CREATE TABLE IF NOT EXISTS {0}_vectors (
    document INTEGER PRIMARY KEY REFERENCES {0}_documents (id) ON DELETE CASCADE,
    first INTEGER NOT NULL,  -- the number of its first passage; the others follow
    width INTEGER NOT NULL,
    vectors BLOB NOT NULL  -- f16, little-endian, a row for each passage
);
CREATE VIRTUAL TABLE IF NOT EXISTS {0}_words USING fts5 (keys, tokenize = "ascii tokenchars '{1}'");
CREATE VIRTUAL TABLE IF NOT EXISTS {0}_terms USING fts5vocab ({0}_words, 'row');
CREATE TRIGGER IF NOT EXISTS {0}_deleted AFTER DELETE ON {0} BEGIN
    DELETE FROM {0}_words WHERE rowid = old.id;
END;
INSERT OR IGNORE INTO settings VALUES ('{0}_changes', 0);
CREATE TRIGGER IF NOT EXISTS {0}_added AFTER INSERT ON {0}_documents BEGIN
    UPDATE settings SET value = value + 1 WHERE name = '{0}_changes';
END;
CREATE TRIGGER IF NOT EXISTS {0}_removed AFTER DELETE ON {0}_documents BEGIN
    UPDATE settings SET value = value + 1 WHERE name = '{0}_changes';
END;
"""
# FTS5's `ascii` parts words at every ASCII sign unless told; what is not ASCII it keeps.
_TOKEN_CHARACTERS = "".join(
    char * 2 if char in "'\"" else char for char in map(chr, range(33, 127)) if not char.isalnum()
)
# Whatever is there already was created by another process, which was faster.
_SCHEMA = f"""
BEGIN IMMEDIATE;
{_TABLES}
{"".join(_INDEX.format(name, _TOKEN_CHARACTERS) for name in ("passages", "questions"))}
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""


class LibraryFile:
    """One SQLite file with everything of a library.

    Any number of threads may use it, and so may a process that was forked while no call was under
    way: one thread reads at a time, and another one may write meanwhile. Of the processes that use
    a file one writes at a time, and the others read what was there before. A change that a process
    was killed in leaves no trace; after a power cut the last changes may be missing, but never a
    part of one (`synchronous=NORMAL`). A call waits `timeout` seconds for another one.

    Raises:
        CiteguardError: It cannot be opened, is not a library, or was written by another citeguard.
    """

    def __init__(self, path: str | PathLike[str], *, timeout: float = 30.0) -> None:
        given: Any = path  # users need not heed the types
        name: Any = fspath(path) if isinstance(given, (str, PathLike)) else None
        # For SQLite these two name a database of its own for each connection.
        if not isinstance(name, str) or name in ("", ":memory:") or "\0" in name:
            raise CiteguardError(f"a library is kept in a file, and {path!r} names none")
        # The working folder may be another one by the time that the second line is opened.
        self.path = Path(path).absolute()
        # SQLite says no more of it than that it is "unable to open database file".
        if os.path.isdir(self.path):
            raise CiteguardError(
                f"{self.path}: this is a folder; give the path of a library, or of a new file"
            )
        self._opened: tuple[int, int] | None = None  # which file it is
        self._timeout = timeout
        self._closed = False
        # Two, as under WAL the reader goes on with the last commit while the writer works.
        self._reader, self._writer = self.lines = _Line(), _Line()
        for line in self.lines:
            # A method of the line: one of the file would keep the file from being freed.
            weakref.finalize(self, line.close)
        _FILES.add(self)
        try:
            with self._understood(), self._explained():
                self._prepare(self._connection_of(self._writer))
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
        """
        with self._understood():
            for line in self.lines:
                if line.is_mine:
                    yield line.connected
                    return
            with self._alone(self._reader, "BEGIN") as connection:
                yield connection

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """Yield a connection whose changes are kept together at the end of the block.

        None is kept if the block raises. A block in such a block is a part of it. It is an error if
        something else has been writing for the whole timeout.
        """
        # The block would go on with the snapshot from before the change.
        if self._reader.is_mine:
            raise CiteguardError("a library cannot be changed in a block that reads it")
        if not self._writer.is_mine:
            # One that begins by reading fails at once, despite the timeout, if another has written.
            with self._alone(self._writer, "BEGIN IMMEDIATE") as connection:
                yield connection
            return
        connection = self._writer.connected
        # SQLite has no transactions in transactions, but savepoints.
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

    @property
    def is_changing(self) -> bool:
        """Whether this thread is in a block of `writing`, whose changes may still be undone."""
        return self._writer.is_mine

    def close(self) -> None:
        """Close the file; closing again does nothing. Calls that are under way still finish."""
        self._closed = True
        for line in self.lines:
            # Where a call is under way, `_alone` closes the line at its end.
            if line.lock.acquire(blocking=False):
                line.close()
                line.lock.release()

    def setting(self, name: str) -> str | None:
        """Return what is kept under a name, such as `embedder`; `None` if nothing is."""
        with self.reading() as connection:
            query = "SELECT value FROM settings WHERE name = ?"
            (value,) = connection.execute(query, (name,)).fetchone() or (None,)
            # The column has no type; the counts of changes in it are whole numbers.
            if isinstance(value, bytes | float):
                raise TypeError(f"the setting {name} is no text")
            return value

    def keep_setting(self, name: str, value: str) -> None:
        """Keep a value under a name."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    @contextmanager
    def _alone(self, line: _Line, begin: str) -> Generator[sqlite3.Connection]:
        """Yield the connection of a line, in a transaction that is kept unless the block raises."""
        if not line.lock.acquire(timeout=self._timeout):
            raise self._busy()
        try:
            with self._explained():
                connection = self._connection_of(line)
                connection.execute(begin)
                line.owner = get_ident()
                try:
                    yield connection
                    # A block that only reads gives up its snapshot so.
                    connection.execute("COMMIT")
                finally:
                    line.owner = None
                    _undo(connection)
        finally:
            # `close` had to leave the line to this call.
            if self._closed:
                line.close()
            line.lock.release()

    def _connection_of(self, line: _Line) -> sqlite3.Connection:
        """Return the connection of a line that this thread has the lock of."""
        if self._closed:
            raise CiteguardError(f"{self.path}: the library is closed")
        place = _place(self.path)
        if self._opened is not None and place != self._opened:
            # SQLite would go on with the file that nothing leads to any more.
            raise CiteguardError(
                f"{self.path}: the file was deleted, moved or replaced while it was in use; open "
                "the library again"
            )
        if place in _SPOILED:
            raise CiteguardError(
                f"{self.path}: this process was forked while the library was in use; fork when no "
                'call is under way, or start processes with "spawn" or "forkserver"'
            )
        if line.connection is None:
            # Transactions are begun by hand, and the line's lock keeps its threads apart.
            line.connection = sqlite3.connect(
                self.path, timeout=self._timeout, isolation_level=None, check_same_thread=False
            )
            line.connection.executescript(_SETTINGS)
        return line.connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check what the file is, and create the tables in an empty one."""
        if self._is_prepared(connection):
            return
        # Not part of the schema: it takes no transaction, and the file remembers it for good.
        connection.execute("PRAGMA journal_mode = WAL")
        try:
            # A statement that fails leaves the transaction open that the script began.
            connection.executescript(_SCHEMA)
        finally:
            _undo(connection)

    def _is_prepared(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file is a library and not empty; raise if it is something else."""
        # The tables first: another process may write all of it between two of these.
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application == APPLICATION and version == VERSION:
            return True
        if application == APPLICATION:
            advice = "add the documents to a new one"
            if version > VERSION:
                advice = "pip install -U pydantic-citeguard"
            raise CiteguardError(
                f"{self.path}: another citeguard has written this library (format {version}, and "
                f"this one reads {VERSION}): {advice}"
            )
        if application or version or tables:
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
    def _understood(self) -> Generator[None]:
        """Turn whatever a value that citeguard has not written causes into one error."""
        try:
            yield
        except UNREADABLE as error:
            raise CiteguardError(f"{self.path}: {_DAMAGED}") from error

    @contextmanager
    def _explained(self) -> Generator[None]:
        """Turn every error that the file or the disk may cause into one that says what to do."""
        try:
            yield
        # Mistakes of this code, about which the user of the file can do nothing.
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise
        except sqlite3.DatabaseError as error:
            # The first byte is the kind of the error, and the others say more.
            kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise self._busy() from error
            advice = _ADVICE.get(kind, _DAMAGED)
            if "fts5" in str(error):
                advice = "use a Python whose SQLite has full-text search (FTS5)"
            raise CiteguardError(f"{self.path}: {error}; {advice}") from error


UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading a value that citeguard has not written may raise."""
_DAMAGED = (
    "the library is damaged; put back a copy, or keep what can be read: "
    "citeguard library check FILE --salvage NEW"
)
_RIGHTS = "allow this user to write to the file and to its folder, or copy it"
_ADVICE = {
    sqlite3.SQLITE_FULL: "nothing of this change was kept; free some space and do it again",
    sqlite3.SQLITE_READONLY: _RIGHTS,
    sqlite3.SQLITE_PERM: _RIGHTS,
    sqlite3.SQLITE_CANTOPEN: (
        "its folder must exist, and this user must be allowed to write to both"
    ),
    sqlite3.SQLITE_NOTADB: "this is not a library; give the path of one, or of a new file",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_IOERR: "nothing of this change was kept; check the disk and do it again",
    # SQLITE_MAX_LENGTH, which is 1,000,000,000 bytes unless SQLite was built otherwise.
    sqlite3.SQLITE_TOOBIG: "a document or its file is larger than SQLite can keep, 1 GB",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}
"""What to do about an error of SQLite, by its kind."""


class _Line:
    """A connection to the file that one thread uses at a time."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.renew()

    def renew(self) -> None:
        """Begin without the threads that a process had before it was forked."""
        self.lock = Lock()
        self.owner: int | None = None  # the thread that is in a block

    @property
    def is_mine(self) -> bool:
        """Whether this thread is in a block with the connection."""
        return self.owner == get_ident()

    @property
    def connected(self) -> sqlite3.Connection:
        assert self.connection is not None
        return self.connection

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _undo(connection: sqlite3.Connection) -> None:
    """Undo a transaction that is still open."""
    with suppress(sqlite3.Error):  # what is wrong with the file has been raised already
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _place(path: Path) -> tuple[int, int] | None:
    """Return what SQLite distinguishes files by; `None` if there is no such file."""
    with suppress(OSError):
        state = path.stat()
        return state.st_dev, state.st_ino
    return None


_FILES: weakref.WeakSet[LibraryFile] = weakref.WeakSet()
# SQLite keeps in each process which locks that process has on a file, and a child inherits that,
# but not the locks. It would then overwrite, or lose, what others write: so no connection may be
# open at a fork, and a file that one was open to cannot be used in the child, not even anew.
_SPOILED: set[tuple[int, int]] = set()
_held: list[_Line] = []  # not in use, and they remain so until the process has been forked


def _before_fork() -> None:
    for file in tuple(_FILES):
        for line in file.lines:
            # Not waited for: the thread that forks may itself be in the block.
            if line.lock.acquire(blocking=False):
                line.close()
                _held.append(line)


def _after_fork_in_parent() -> None:
    while _held:
        _held.pop().lock.release()


def _after_fork_in_child() -> None:
    for file in tuple(_FILES):
        if any(line not in _held for line in file.lines):
            _SPOILED.update(filter(None, [_place(file.path)]))
        for line in file.lines:
            # A lock that another thread held is never released here: the child lacks that thread.
            line.renew()
    _held.clear()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )

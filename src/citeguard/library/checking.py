"""Whether the file of a library is whole, `problems_of`, and what can be kept of it, `salvage`."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.library.catalogue import DocumentInfo, StoredQuestion, source_from
from citeguard.library.database import APPLICATION, VERSION
from citeguard.library.library import Library
from citeguard.library.reply import Message
from citeguard.sources.collection import Source
from citeguard.validation.policy import Policy

_MOST_REPORTED = 20  # by SQLite, of the file's structure
# Whatever reading a value that citeguard has not written may raise.
_UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    sqlite3.Error,
    zlib.error,
)


def problems_of(path: str | PathLike[str]) -> list[str]:
    """Return what is wrong with the file of a library; an empty list if nothing is.

    Checked are the structure of the file, its format, that each document, stored question and
    message can be read, that the hash of each PDF file is that of its document, and that each
    passage is the text at its place. The file is not changed.

    Raises:
        CiteguardError: There is no such file.
    """
    with _opened(path) as connection:
        try:
            found = connection.execute(f"PRAGMA quick_check({_MOST_REPORTED})")
            problems = [each for (each,) in found if each != "ok"]
            for name, expected in (("application_id", APPLICATION), ("user_version", VERSION)):
                value = connection.execute(f"PRAGMA {name}").fetchone()[0]
                if value != expected:
                    problems.append(f"{name} is {value}, and not {expected}")
        except _UNREADABLE as error:
            return [f"the file cannot be read: {error}"]
        for name, read in _TABLES:
            problems += [each for _, each in _rows(connection, name, read) if isinstance(each, str)]
        return problems


def salvage(path: str | PathLike[str], into: str | PathLike[str]) -> list[str]:
    """Keep in a new library what can be read of a damaged one; return what could not be.

    Documents are cut anew, and have no vectors: `Library.rebuild` makes these. Their ids and
    versions stay, and so do stored questions and chats.

    Raises:
        CiteguardError: There is no such file, or the new one exists already or cannot be written.
    """
    if os.path.lexists(into):
        raise CiteguardError(f"{fspath(into)}: exists already; give the path of a new file")
    with _opened(path) as connection, Library(into) as library:
        lost: list[str] = []
        for name, read in _TABLES:
            for number, found in _rows(connection, name, read):
                try:
                    _keep(library, found)
                except CiteguardError as error:
                    lost.append(f"{name}, row {number}: {error}")
        return lost


def _keep(library: Library, found: Any) -> None:
    match found:
        case Source() as source, DocumentInfo() as info:
            library.restore(source, version=info.version, origin=info.origin)
        case StoredQuestion() as question:
            library.add_questions([question], policy=Policy())
        case Message() as message, str(chat_id):
            library.chat(chat_id, begin=True)
            library.add_messages(chat_id, [message])
        case _:
            raise CiteguardError(str(found))


@contextmanager
def _opened(path: str | PathLike[str]) -> Generator[sqlite3.Connection]:
    if not os.path.isfile(path):
        raise CiteguardError(f"{fspath(path)}: no such file")
    address = f"{Path(path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        yield connection


def _rows(connection: sqlite3.Connection, table: str, read: Any) -> Iterator[tuple[int, Any]]:
    """Yield what each row of a table has, or why it cannot be read, with its number.

    Each is read alone, as a page that is damaged ends a longer query.
    """
    try:
        last = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0
    except _UNREADABLE as error:
        yield 0, f"{table}: {error}"
        return
    for number in range(1, last + 1):
        try:
            row = connection.execute(f"SELECT * FROM {table} WHERE rowid = ?", (number,)).fetchone()
            if row is not None:
                yield number, read(connection, *row)
        except _UNREADABLE as error:
            said = " ".join(str(error).split())[:200]
            yield number, f"{table}, row {number}: {type(error).__name__}: {said}"


def _document(
    connection: sqlite3.Connection, number: int, source_id: str, version: str, *kept: Any
) -> Any:
    info, data, file = DocumentInfo.model_validate_json(kept[0]), *kept[1:]
    read = source_from(info, data, file)
    named = (info.source_id, info.version, info.characters)
    if named != (source_id, version, len(read.text)):
        raise ValueError("its id, version or length is not what it was kept with")
    if file is not None and hashlib.sha256(file).hexdigest() != version:
        raise ValueError("its PDF file has another hash")
    places = connection.execute(
        'SELECT start, "end", passages.text FROM passages JOIN passages_documents AS document '
        "ON document.id = passages.document WHERE source_id = ?",
        (source_id,),
    )
    if any(read.text[start:end] != text for start, end, text in places):
        raise ValueError("a passage is not the text at its place")
    return read, info


def _question(*row: Any) -> Any:
    return StoredQuestion.model_validate_json(row[-1])


def _message(*row: Any) -> Any:
    return Message.model_validate_json(row[-1]), row[-2]


_TABLES = (("documents", _document), ("stored_questions", _question), ("messages", _message))

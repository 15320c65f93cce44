"""Whether the file of a library is whole, `problems_of`, and what can be kept of it, `salvage`."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.library.catalogue import DocumentInfo, StoredQuestion, source_from
from citeguard.library.database import UNREADABLE, VERSION
from citeguard.library.library import Library
from citeguard.library.reply import Message
from citeguard.sources.collection import Source
from citeguard.validation.policy import Policy

_MOST_REPORTED = 20  # by SQLite, of the file's structure
_UNREADABLE = (*UNREADABLE, sqlite3.Error, zlib.error)


def check_file(path: str | PathLike[str], salvage: str | PathLike[str] | None = None) -> list[str]:
    """Return what is wrong with the file of a library; an empty list if nothing is.

    Checked are the structure and the format of the file, that each document, stored question and
    message can be read, that the hash of each PDF file is that of its document, and that each
    passage is the text at its place. The file is not changed. If there is no such file, or the new
    one exists already or cannot be written, that is a `CiteguardError`.

    What can be read is kept in a new library, `salvage`: documents, cut anew and without vectors,
    which `Library.rebuild` makes, with their ids and versions; stored questions and chats.
    """
    if not os.path.isfile(path):
        raise CiteguardError(f"{fspath(path)}: no such file")
    if salvage is not None and os.path.lexists(salvage):
        raise CiteguardError(f"{fspath(salvage)}: exists already; give the path of a new file")
    problems: list[str] = []
    address = f"{Path(path).absolute().as_uri()}?mode=ro"
    # Not as a `Library`, which refuses what is damaged or of another format.
    with closing(sqlite3.connect(address, uri=True)) as connection, ExitStack() as stack:
        library = None if salvage is None else stack.enter_context(Library(salvage))
        try:
            # Not integrity_check: it compares all indexes with their tables, and takes far longer.
            found = connection.execute(f"PRAGMA quick_check({_MOST_REPORTED})")
            problems += [each for (each,) in found if each != "ok"]
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                problems.append(f"its format is {version}, and this citeguard reads {VERSION}")
        except _UNREADABLE as error:
            problems.append(f"the file cannot be read: {error}")
        for name, read in _TABLES:
            for number, found in _rows(connection, name, read):
                try:
                    _keep(library, found)
                except CiteguardError as error:
                    problems.append(f"{name}, row {number}: {error}")
    return problems


def _keep(library: Library | None, found: Any) -> None:
    """Keep what a row has; raise if it could not be read, or does not fit the others."""
    if isinstance(found, Exception):
        said = " ".join(str(found).split())[:200]
        raise CiteguardError(f"{type(found).__name__}: {said}")
    if library is None:
        return
    match found:
        case Source() as source, DocumentInfo() as info:
            library.restore(source, version=info.version, origin=info.origin)
        case StoredQuestion() as question:
            # Quotes must be found, but no reader is asked about what was accepted before.
            library.add_questions([question], policy=Policy())
        case Message() as message, str(chat_id):
            library.chat(chat_id, begin=True)
            library.add_messages(chat_id, [message])
        case _:
            pass


def _rows(connection: sqlite3.Connection, table: str, read: Any) -> Iterator[tuple[int, Any]]:
    """Yield what each row of a table has, or the error of reading it, with its number.

    Each is read alone, as a page that is damaged ends a longer query.
    """
    try:
        last = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0
    except _UNREADABLE as error:
        yield 0, error
        return
    for number in range(1, last + 1):
        try:
            row = connection.execute(f"SELECT * FROM {table} WHERE rowid = ?", (number,)).fetchone()
            if row is not None:
                yield number, read(connection, *row)
        except _UNREADABLE as error:
            yield number, error


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

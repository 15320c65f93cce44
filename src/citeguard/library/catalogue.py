"""What a library knows besides passages: its documents, stored questions and chats."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from citeguard.documents.document import Document, data_of_document, document_from
from citeguard.errors import CiteguardError, UnknownSourceError
from citeguard.language.tokens import terms
from citeguard.library.database import LibraryFile
from citeguard.library.reply import Message, Record
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import StoredPassage, storable
from citeguard.sources.collection import Source
from citeguard.sources.layout import FileKind, Layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PIECE = 100_000  # bytes of a file that are read at once
# Of a document with its layout, in bytes: cells and printed lines need the most per character.
# Bounded, as a few damaged or made-up bytes can unpack to gigabytes.
_MOST_BYTES, _BYTES_PER_CHARACTER = 64_000_000, 200


class DocumentInfo(Record):
    """A document of a library, without its text.

    Attributes:
        source_id: Its id.
        title: Its title, if known.
        url: Its address on the web, if known.
        kind: The kind of file that it was read from; `text` if it was read from none.
        version: The SHA-256 of its content.
        characters: The length of its text, in code points.
        passages: The number of its passages.
        added_at: When this content was added, in UTC.
        origin: The path of the file that it was read from, absolute and without links; `None`
            without one.
    """

    source_id: str
    title: str | None
    url: str | None
    kind: FileKind
    version: str
    characters: int
    passages: int
    added_at: datetime
    origin: str | None = None


class StoredQuestion(Record):
    """A question with its answer.

    Attributes:
        question: The question.
        answer: The `Answer` as JSON data: `answer.model_dump(mode="json")`.
        source_id: The document that answers it; empty if it is of no single one.
        headings: Those above the place that answers it, the highest first.
        id: Its number; `None` before it is kept.
    """

    question: str
    answer: Mapping[str, Any]
    source_id: str = ""
    headings: tuple[str, ...] = ()
    id: int | None = None

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the documents that the answer cites, each once."""
        named: list[Any] = []
        for statement in _records(self.answer.get("statements")):
            for citation in _records(statement.get("citations")):
                spans = (span.get("source_id") for span in _records(citation.get("spans")))
                # A model may name no source; then the place where its quote was found does.
                named.append(citation.get("source_id") or next(spans, None))
        return tuple(dict.fromkeys(each for each in named if isinstance(each, str) and each))


def _records(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list in JSON data, which may be anything."""
    if isinstance(value, (list, tuple)):
        for each in cast("Sequence[Any]", value):
            if isinstance(each, Mapping):
                yield cast("Mapping[str, Any]", each)


class ChatInfo(Record):
    """A chat without its messages.

    Attributes:
        id: Its id.
        title: Its title; empty if it has none.
        updated_at: When its last message was written, in UTC; when it was begun if it has none.
    """

    id: str
    title: str
    updated_at: datetime


class Catalogue:
    """The documents, stored questions and chats in the file of a library. Thread-safe.

    Changes belong together if they are made in one block of `file.writing()`, as when a document is
    put here and into a `SQLiteStore`. Texts have neither NUL nor lone surrogates. Every method
    raises a `CiteguardError` if the file cannot be read or written.
    """

    def __init__(self, file: LibraryFile) -> None:
        self.file = file
        self._questions = SQLiteStore(file, index="questions")

    def __len__(self) -> int:
        """Return the number of documents."""
        with self.file.reading() as connection:
            return connection.execute("SELECT count(*) FROM documents").fetchone()[0]

    def documents(self, *, most: int | None = None) -> list[DocumentInfo]:
        """Return what is known of the first documents, in the order in which they were added."""
        # For SQLite a negative limit is none.
        return self._infos("ORDER BY id LIMIT ?", -1 if most is None else most)

    def info(self, source_id: str) -> DocumentInfo | None:
        """Return what is known of a document; `None` if there is no such document."""
        return next(iter(self._infos("WHERE source_id = ?", storable(source_id))), None)

    def known(self, source_id: Any) -> DocumentInfo:
        """Return what is known of a document; raise if no document has this id."""
        info = self.info(source_id) if isinstance(source_id, str) else None
        if info is None:
            raise UnknownSourceError(f"the library has no document {source_id!r}")
        return info

    def _infos(self, which: str, value: object) -> list[DocumentInfo]:
        with self.file.reading() as connection:
            rows = connection.execute(f"SELECT info FROM documents {which}", (value,))
            return [DocumentInfo.model_validate_json(info) for (info,) in rows]

    def versions(self) -> dict[str, str]:
        """Return the version of each document, by id, in the order of `documents`."""
        with self.file.reading() as connection:
            return dict(connection.execute("SELECT source_id, version FROM documents ORDER BY id"))

    def document(self, source_id: str) -> Source:
        """Return a document with its layout and its PDF file, if it has them."""
        with self.file.reading() as connection:
            info = self.known(source_id)
            query = "SELECT data, file FROM documents WHERE source_id = ?"
            row = connection.execute(query, (info.source_id,)).fetchone()
        try:
            return source_from(info, *row)
        except (KeyError, TypeError, ValueError, MemoryError, zlib.error) as error:
            raise CiteguardError(
                f"{self.file.path}: document {source_id!r} is damaged; add it again"
            ) from error

    def file_pieces(self, source_id: str) -> tuple[int, Iterator[bytes]]:
        """Return the size of a document's PDF file in bytes, 0 without one, and its pieces."""
        with self.file.reading() as connection:
            info = self.known(source_id)
            # Columns of SQLite take any type, and only a blob can be opened as one.
            query = "SELECT id, CASE typeof(file) WHEN 'blob' THEN length(file) ELSE 0 END FROM "
            row = connection.execute(f"{query} documents WHERE source_id = ?", (info.source_id,))
            number, size = row.fetchone()
        return size, self._pieces(number, info, size)

    def _pieces(self, number: int, info: DocumentInfo, size: int) -> Generator[bytes]:
        """Read a file piece by piece, when each is needed: no reader waits for another."""
        for start in range(0, size, _PIECE):
            with self.file.reading() as connection:
                if self.known(info.source_id).version != info.version:
                    raise CiteguardError(f"{info.source_id!r} was replaced while it was read")
                with connection.blobopen("documents", "file", number, readonly=True) as blob:
                    blob.seek(start)
                    piece = blob.read(_PIECE)
            yield piece

    def put(
        self, source: Source, *, version: str, passages: int, origin: str | None = None
    ) -> None:
        """Keep a document in place of the one with its id; stored questions about that one stay."""
        layout = source.layout or Layout("text", len(source.text))
        document = Document(text=source.text, layout=layout, title=source.title, url=source.url)
        with self.file.writing() as connection:
            known = self.info(source.id)
            # A document that is only cut anew was not added now.
            since = known.added_at if known and known.version == version else None
            info = DocumentInfo(
                source_id=source.id,
                title=source.title,
                url=source.url,
                kind=layout.kind,
                version=version,
                characters=len(source.text),
                passages=passages,
                added_at=since or datetime.now(UTC),
                origin=origin and storable(origin),
            )
            data = zlib.compress(data_of_document(document))
            connection.execute(
                # Not OR REPLACE: that deletes the row, and with it the questions that refer to it.
                "INSERT INTO documents (source_id, version, info, data, file) "
                "VALUES (?, ?, ?, ?, ?) ON CONFLICT (source_id) DO UPDATE SET "
                "version = excluded.version, info = excluded.info, data = excluded.data, "
                "file = excluded.file",
                (source.id, version, info.model_dump_json(), data, layout.file),
            )

    def move(self, source_id: str, origin: str | None) -> None:
        """Note that the file of a document has another path."""
        with self.file.writing() as connection:
            if (info := self.info(source_id)) is not None:
                moved = info.model_copy(update={"origin": origin and storable(origin)})
                update = "UPDATE documents SET info = ? WHERE source_id = ?"
                connection.execute(update, (moved.model_dump_json(), info.source_id))

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents and the questions stored about them; unknown ids are ignored."""
        with self.file.writing() as connection:
            ids = [(storable(source_id),) for source_id in source_ids]
            connection.executemany("DELETE FROM documents WHERE source_id = ?", ids)

    def add_questions(
        self, questions: Sequence[StoredQuestion], vectors: NDArray[np.float32] | None
    ) -> None:
        """Keep questions, all or none, with their vectors, shape (n, d), if they have any."""
        with self.file.writing() as connection:
            for at, asked in enumerate(questions):
                about = asked.source_id and self.known(asked.source_id).source_id
                number = connection.execute(
                    "INSERT INTO stored_questions (document, data) VALUES "
                    "((SELECT id FROM documents WHERE source_id = ?), ?)",
                    # Its number is that of the row, which is not known yet.
                    (about, asked.model_dump_json(exclude={"id"})),
                ).lastrowid
                text = asked.question
                keys = tuple(term.key for term in terms(text))  # repeated ones, too
                passage = StoredPassage(0, len(text), storable(text), keys)
                vector = None if vectors is None else vectors[at : at + 1]
                self._questions.put(str(number), "", [passage], vector)

    def questions(self, *, source_ids: Collection[str] | None = None) -> list[StoredQuestion]:
        """Return the stored questions, or those about some documents, in the order of addition.

        Those about no single document have the id "".
        """
        about = ""
        if source_ids is not None:
            about = "WHERE coalesce(source_id, '') IN (SELECT value FROM json_each(?))"
        with self.file.reading() as connection:
            return _read_questions(connection, about, source_ids)

    def delete_questions(self, ids: Iterable[int]) -> None:
        """Forget questions; a number that none has is ignored."""
        with self.file.writing() as connection:
            rows = [(number,) for number in ids]
            connection.executemany("DELETE FROM stored_questions WHERE id = ?", rows)

    def similar_questions(
        self,
        query: str,
        vector: NDArray[np.float32] | None,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[StoredQuestion]:
        """Return at most `k` stored questions by their vectors and words in turn, best first."""
        with self.file.reading() as connection:
            ids = None
            if source_ids is not None:
                ids = [str(each.id) for each in self.questions(source_ids=source_ids)]
            found = self._questions.matching(query, k=k, source_ids=ids)
            near = [] if vector is None else self._questions.nearest(vector, k=k, source_ids=ids)
            # Scores of words and of vectors cannot be compared, so both lists take turns.
            mixed = [each for pair in zip_longest(near, found) for each in pair if each is not None]
            numbers = list(dict.fromkeys(int(each.span.source_id) for each in mixed))[:k]
            among = "WHERE asked.id IN (SELECT value FROM json_each(?))"
            by_id = {each.id: each for each in _read_questions(connection, among, numbers)}
            return [by_id[number] for number in numbers]

    def chats(self) -> list[ChatInfo]:
        """Return the chats, the one with the latest message first."""
        return self._chats("")

    def _chats(self, which: str, *values: object) -> list[ChatInfo]:
        query = f"SELECT id, title, updated_at FROM chats {which} ORDER BY updated_at DESC"
        with self.file.reading() as connection:
            rows = connection.execute(f"{query}, rowid DESC", values)
            return [ChatInfo(id=chat, title=title, updated_at=time) for chat, title, time in rows]

    def chat(self, chat_id: str) -> ChatInfo | None:
        """Return what is known of a chat; `None` if there is no such chat."""
        return next(iter(self._chats("WHERE id = ?", storable(chat_id))), None)

    def messages(self, chat_id: str) -> list[Message]:
        """Return the messages of a chat, in order; none if there is no such chat."""
        with self.file.reading() as connection:
            query = "SELECT data FROM messages WHERE chat = ? ORDER BY id"
            rows = connection.execute(query, (chat_id,))
            return [Message.model_validate_json(data) for (data,) in rows]

    def append(
        self, chat_id: str, messages: Sequence[Message], *, title: str | None = None
    ) -> None:
        """Add messages to a chat, all or none, and its title; it begins if it does not exist."""
        now = datetime.now(UTC)
        times = [each.created_at or now for each in messages]
        # With microseconds always, so that texts are ordered as times are.
        latest = max(times, key=datetime.timestamp, default=now).astimezone(UTC)
        rows = [
            (chat_id, each.model_copy(update={"created_at": time}).model_dump_json())
            for each, time in zip(messages, times, strict=True)
        ]
        with self.file.writing() as connection:
            connection.execute(
                "INSERT INTO chats VALUES (?, '', ?) "
                # Messages that have times of their own may be older than those of the chat.
                "ON CONFLICT (id) DO UPDATE SET updated_at = max(updated_at, excluded.updated_at)",
                (chat_id, latest.isoformat(timespec="microseconds")),
            )
            if title is not None:
                named = storable(title), chat_id
                connection.execute("UPDATE chats SET title = ? WHERE id = ?", named)
            connection.executemany("INSERT INTO messages (chat, data) VALUES (?, ?)", rows)

    def delete_chat(self, chat_id: str) -> None:
        """Forget a chat; an id that none has is ignored."""
        with self.file.writing() as connection:
            connection.execute("DELETE FROM chats WHERE id = ?", (chat_id,))


def source_from(info: DocumentInfo, data: bytes, file: bytes | None) -> Source:
    """Return a document as the file has it; whatever is raised, it is damaged."""
    if not isinstance(cast("Any", file), bytes | None):
        raise TypeError("its PDF file is a text")  # which would be taken for the path of one
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(data, _MOST_BYTES + _BYTES_PER_CHARACTER * info.characters)
    if not unpacker.eof:
        raise ValueError("it has less, or far more, than it was kept with")
    read = document_from(content, file)
    if len(read.text) != info.characters:
        raise ValueError("its length is not what it was kept with")
    # What was no file had no layout, but `put` needs one to write it.
    is_plain = read.layout.kind == "text" and not read.layout.line_starts and file is None
    layout = None if is_plain else read.layout
    return Source(info.source_id, read.text, info.title, info.url, layout)


def _read_questions(
    connection: sqlite3.Connection, condition: str, values: Iterable[object] | None
) -> list[StoredQuestion]:
    """Return the stored questions that meet a condition about a list of values."""
    rows = connection.execute(
        "SELECT asked.id, asked.data FROM stored_questions AS asked "
        f"LEFT JOIN documents ON documents.id = asked.document {condition} ORDER BY asked.id",
        (json.dumps([*(values or ())]),) if condition else (),
    )
    return [
        StoredQuestion.model_validate({**json.loads(data), "id": number}) for number, data in rows
    ]

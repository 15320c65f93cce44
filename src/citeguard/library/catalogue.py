"""What a library knows besides passages: its documents, stored questions and chats."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import TypeAdapter

from citeguard.documents.document import Document
from citeguard.documents.saving import data_of_document, document_from
from citeguard.errors import CiteguardError, UnknownSourceError
from citeguard.language.terms import terms
from citeguard.library.database import LibraryFile
from citeguard.library.reply import Message, Reference
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import StoredPassage, storable
from citeguard.sources.collection import Source
from citeguard.sources.layout import FileKind, Layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QuestionKind = Literal["sparse", "dense", "given"]
"""Where a stored question comes from: a few of a document, some of each passage, or its user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredQuestion:
    """A question with its answer.

    Attributes:
        question: The question.
        answer: The `Answer` as JSON data: `answer.model_dump(mode="json")`.
        source_id: The document that answers it; empty if it is of no single one.
        headings: Those above the place that answers it, the highest first.
        kind: Where it comes from.
        id: Its number; `None` before it is kept.
    """

    question: str
    answer: Mapping[str, Any]
    source_id: str = ""
    headings: tuple[str, ...] = ()
    kind: QuestionKind = "given"
    id: int | None = None

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the documents that the answer cites, each once."""
        named: list[Any] = []
        for statement in _records(self.answer.get("statements")):
            for citation in _records(statement.get("citations")):
                spans = (span.get("source_id") for span in _records(citation.get("spans")))
                named.append(citation.get("source_id") or next(spans, None))
        return tuple(dict.fromkeys(each for each in named if isinstance(each, str) and each))


def _records(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list in JSON data, which may be anything."""
    if isinstance(value, (list, tuple)):
        for each in cast("Sequence[Any]", value):
            if isinstance(each, Mapping):
                yield cast("Mapping[str, Any]", each)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatInfo:
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
    put here and into a `SQLiteStore`. Every method raises a `CiteguardError` if the file cannot be
    read or written.
    """

    def __init__(self, file: LibraryFile) -> None:
        self.file = file
        self._questions = SQLiteStore(file, index="questions")

    def __repr__(self) -> str:
        """Name the file."""
        return f"Catalogue({self.file!r})"

    # Documents

    def documents(self) -> list[DocumentInfo]:
        """Return what is known of each document, in the order in which they were first added."""
        with self.file.reading() as connection:
            rows = connection.execute(f"SELECT {_INFO} FROM documents ORDER BY id")
            return [_info(row) for row in rows]

    def info(self, source_id: str) -> DocumentInfo | None:
        """Return what is known of a document; `None` if there is no such document."""
        with self.file.reading() as connection:
            row = connection.execute(
                f"SELECT {_INFO} FROM documents WHERE source_id = ?", (storable(source_id),)
            ).fetchone()
            return None if row is None else _info(row)

    def versions(self) -> dict[str, str]:
        """Return the version of each document, by id, in the order of `documents`."""
        with self.file.reading() as connection:
            rows = connection.execute("SELECT source_id, version FROM documents ORDER BY id")
            return dict(rows)

    def document(self, source_id: str) -> Source:
        """Return a document with its layout and its PDF file, if it has them."""
        with self.file.reading() as connection:
            row = connection.execute(
                "SELECT title, url, data, file FROM documents JOIN contents ON id = document "
                "WHERE source_id = ?",
                (storable(source_id),),
            ).fetchone()
        if row is None:
            raise UnknownSourceError(f"the library has no document {source_id!r}")
        title, url, data, file = row
        try:
            read = document_from(zlib.decompress(data), file)
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise CiteguardError(
                f"{self.file.path}: document {source_id!r} is damaged; add it again"
            ) from error
        is_plain = read.layout.kind == "text" and not read.layout.line_starts and file is None
        layout = None if is_plain else read.layout
        return Source(source_id, read.text, title, url, layout)

    def put(
        self, source: Source, *, version: str, passages: int, origin: str | None = None
    ) -> None:
        """Keep a document in place of the one with its id; stored questions about that one stay."""
        layout = source.layout
        data = data_of_document(
            Document(
                text=source.text,
                layout=Layout("text", len(source.text)) if layout is None else layout,
                title=source.title,
                url=source.url,
            )
        )
        row = {
            "source_id": storable(source.id),
            "version": version,
            "title": source.title,
            "url": source.url,
            "kind": "text" if layout is None else layout.kind,
            "characters": len(source.text),
            "passages": passages,
            "added_at": _time(datetime.now(UTC)),
            "origin": origin and storable(origin),
        }
        with self.file.writing() as connection:
            # Not replaced, as what refers to it would be deleted.
            connection.execute(
                f"INSERT INTO documents ({', '.join(row)}) "
                f"VALUES ({', '.join(':' + name for name in row)}) "
                "ON CONFLICT (source_id) DO UPDATE SET "
                f"{', '.join(f'{name} = excluded.{name}' for name in row if name != 'added_at')}, "
                "added_at = iif(version = excluded.version, added_at, excluded.added_at)",
                row,
            )
            number = _number_of(connection, source.id)
            connection.execute(
                "INSERT OR REPLACE INTO contents VALUES (?, ?, ?)",
                (number, zlib.compress(data), None if layout is None else layout.file),
            )

    def move(self, source_id: str, origin: str | None) -> None:
        """Note that the file of a document has another path."""
        with self.file.writing() as connection:
            connection.execute(
                "UPDATE documents SET origin = ? WHERE source_id = ?",
                (origin and storable(origin), storable(source_id)),
            )

    def delete(self, source_ids: Collection[str]) -> None:
        """Forget documents and the questions stored about them; unknown ids are ignored."""
        with self.file.writing() as connection:
            asked = self.questions(source_ids=source_ids)
            self._questions.delete([str(each.id) for each in asked])
            connection.executemany(
                "DELETE FROM documents WHERE source_id = ?",
                [(storable(source_id),) for source_id in source_ids],
            )

    # Questions

    def add_questions(
        self, questions: Sequence[StoredQuestion], vectors: NDArray[np.float32] | None
    ) -> None:
        """Keep questions, all or none, with their vectors, shape (n, d), if they have any."""
        with self.file.writing() as connection:
            for at, asked in enumerate(questions):
                document = _number_of(connection, asked.source_id)
                if document is None and asked.source_id:
                    raise UnknownSourceError(f"the library has no document {asked.source_id!r}")
                number = connection.execute(
                    "INSERT INTO stored_questions (document, question, answer, headings, kind) "
                    "VALUES (?, ?, ?, ?, ?)",
                    (
                        document,
                        storable(asked.question),
                        json.dumps(asked.answer),
                        json.dumps(asked.headings),
                        asked.kind,
                    ),
                ).lastrowid
                text = asked.question
                keys = tuple(term.key for term in terms(text))
                self._questions.put(
                    str(number),
                    "",
                    [StoredPassage(0, len(text), text, keys)],
                    None if vectors is None else vectors[at : at + 1],
                )

    def questions(self, *, source_ids: Collection[str] | None = None) -> list[StoredQuestion]:
        """Return the stored questions, or those about some documents, in the order of addition."""
        with self.file.reading() as connection:
            about, documents = _about(connection, source_ids)
            rows = connection.execute(f"{_QUESTIONS} WHERE {about} ORDER BY asked.id", documents)
            return [_question(row) for row in rows]

    def delete_questions(self, ids: Iterable[int]) -> None:
        """Forget questions; a number that none has is ignored."""
        listed = list(ids)
        with self.file.writing() as connection:
            self._questions.delete([str(number) for number in listed])
            connection.executemany(
                "DELETE FROM stored_questions WHERE id = ?", [(number,) for number in listed]
            )

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
                about, documents = _about(connection, source_ids)
                asked = f"SELECT id FROM stored_questions AS asked WHERE {about}"
                ids = [str(number) for (number,) in connection.execute(asked, documents)]
            found = self._questions.matching(query, k=k, source_ids=ids)
            near = [] if vector is None else self._questions.nearest(vector, k=k, source_ids=ids)
            mixed = [each for pair in zip_longest(near, found) for each in pair if each is not None]
            numbers = list(dict.fromkeys(each.span.source_id for each in mixed))[:k]
            one = f"{_QUESTIONS} WHERE asked.id = ?"
            return [_question(connection.execute(one, (each,)).fetchone()) for each in numbers]

    # Chats

    def chats(self) -> list[ChatInfo]:
        """Return the chats, the one with the latest message first."""
        with self.file.reading() as connection:
            rows = connection.execute(
                "SELECT id, title, updated_at FROM chats ORDER BY updated_at DESC, rowid DESC"
            )
            return [_chat(row) for row in rows]

    def chat(self, chat_id: str) -> ChatInfo | None:
        """Return what is known of a chat; `None` if there is no such chat."""
        with self.file.reading() as connection:
            row = connection.execute(
                "SELECT id, title, updated_at FROM chats WHERE id = ?", (storable(chat_id),)
            ).fetchone()
            return None if row is None else _chat(row)

    def messages(self, chat_id: str) -> list[Message]:
        """Return the messages of a chat, in order; none if there is no such chat."""
        with self.file.reading() as connection:
            rows = connection.execute(
                'SELECT role, text, "references", outcome, reason, asked_from, created_at '
                "FROM messages WHERE chat = ? ORDER BY id",
                (chat_id,),
            )
            return [
                Message(
                    role=role,
                    text=text,
                    references=_REFERENCES.validate_json(references),
                    outcome=outcome,
                    reason=reason,
                    asked_from=asked_from,
                    created_at=datetime.fromisoformat(time),
                )
                for role, text, references, outcome, reason, asked_from, time in rows
            ]

    def append(
        self, chat_id: str, messages: Sequence[Message], *, title: str | None = None
    ) -> None:
        """Add messages to a chat, all or none, and its title; it begins if it does not exist."""
        time = datetime.now(UTC)
        now = _time(max((each.created_at or time for each in messages), default=time))
        with self.file.writing() as connection:
            connection.execute(
                "INSERT INTO chats VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET updated_at = max(updated_at, excluded.updated_at)",
                (chat_id, "", now, now),
            )
            if title is not None:
                connection.execute(
                    "UPDATE chats SET title = ? WHERE id = ?", (storable(title), chat_id)
                )
            connection.executemany(
                "INSERT INTO messages "
                '(chat, role, text, "references", outcome, reason, asked_from, created_at) '
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        chat_id,
                        each.role,
                        storable(each.text),
                        _REFERENCES.dump_json(each.references).decode(),
                        each.outcome,
                        storable(each.reason),
                        each.asked_from,
                        _time(each.created_at or time),
                    )
                    for each in messages
                ],
            )

    def delete_chat(self, chat_id: str) -> None:
        """Forget a chat; an id that none has is ignored."""
        with self.file.writing() as connection:
            connection.execute("DELETE FROM chats WHERE id = ?", (chat_id,))


_REFERENCES = TypeAdapter(tuple[Reference, ...])
_INFO = "source_id, title, url, kind, version, characters, passages, added_at, origin"
_QUESTIONS = (
    "SELECT asked.id, question, answer, source_id, headings, asked.kind "
    "FROM stored_questions AS asked LEFT JOIN documents ON documents.id = asked.document"
)


def _info(row: Sequence[Any]) -> DocumentInfo:
    source_id, title, url, kind, version, characters, passages, added_at, origin = row
    return DocumentInfo(
        source_id=source_id,
        title=title,
        url=url,
        kind=kind,
        version=version,
        characters=characters,
        passages=passages,
        added_at=datetime.fromisoformat(added_at),
        origin=origin,
    )


def _chat(row: Sequence[Any]) -> ChatInfo:
    chat, title, time = row
    return ChatInfo(id=chat, title=title, updated_at=datetime.fromisoformat(time))


def _question(row: Sequence[Any]) -> StoredQuestion:
    number, question, answer, source_id, headings, kind = row
    return StoredQuestion(
        question=question,
        answer=json.loads(answer),
        source_id=source_id or "",
        headings=tuple(json.loads(headings)),
        kind=kind,
        id=number,
    )


def _number_of(connection: sqlite3.Connection, source_id: str) -> int | None:
    row = connection.execute(
        "SELECT id FROM documents WHERE source_id = ?", (storable(source_id),)
    ).fetchone()
    return None if row is None else row[0]


def _about(
    connection: sqlite3.Connection, source_ids: Collection[str] | None
) -> tuple[str, tuple[str, ...]]:
    """Return the condition that questions are about documents, and what it is asked with."""
    if source_ids is None:
        return "TRUE", ()
    numbers = [number for each in source_ids if (number := _number_of(connection, each))]
    listed = "asked.document IN (SELECT value FROM json_each(?))"
    either = f"({listed} OR asked.document IS NULL)" if "" in source_ids else listed
    return either, (json.dumps(numbers),)


def _time(time: datetime) -> str:
    # With microseconds always, so that texts are ordered as times are.
    return time.astimezone(UTC).isoformat(timespec="microseconds")

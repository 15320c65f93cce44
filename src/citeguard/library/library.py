"""Documents to ask, `Library`, in one file; and the conversations that it keeps, `Chat`."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from os import PathLike, fspath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self, TypedDict, TypeVar, Unpack, cast
from uuid import uuid4

from pydantic import ValidationError

from citeguard.errors import (
    CiteguardError,
    UnknownSourceError,
    check_function,
    check_kind,
    check_number,
    check_text,
    check_whole,
    described,
    foreign_code,
)
from citeguard.judges.loops import in_thread, in_turn, run_sync
from citeguard.judges.verdicts import JudgeFailedError
from citeguard.language.excerpts import counted_as, shown
from citeguard.language.tokens import term_keys
from citeguard.library.answering import (
    Answerer,
    ExtractiveAnswerer,
    NoAnswerError,
    NotSureError,
    Rewriter,
    Tell,
)
from citeguard.library.catalogue import Catalogue, ChatInfo, DocumentInfo, StoredQuestion
from citeguard.library.database import LibraryFile
from citeguard.library.extraction import best_answer, reranked
from citeguard.library.intake import Intake, is_gone, is_lost
from citeguard.library.reply import (
    Asked,
    AskedFrom,
    Message,
    Reference,
    ReferenceState,
    Reply,
    ReplyEnded,
    ReplyEvent,
    StatementChecked,
    TextWritten,
    answered,
    closest_passages,
    messages_of,
    reply_to,
)
from citeguard.library.same_question import answers_too, has_same_words
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import OwnStore, PassageStore, storable, stored_passages
from citeguard.reader.model import is_installed
from citeguard.retrieval.embeddings import Embedder, vectors_of
from citeguard.retrieval.passages import DefaultPassages, Passages
from citeguard.retrieval.search import distinct, fuse
from citeguard.sources.collection import Passage, Source, Sources, Span
from citeguard.sources.layout import Section
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy
from citeguard.validation.verification import verify

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

T = TypeVar("T")

_FUSED = 50  # passages of each ranking, by words and by vectors, that are fused
_DEPTH = 4  # times as many passages are searched as wanted, as some repeat others
_EQUAL = 0.999  # cosine of two vectors that are equal but for rounding
_SOURCES_KEPT = 64  # documents in memory, ready to be quoted
# Settings of the file: the name of the embedder, whether some documents are not yet rebuilt, and
# what the versions in a store outside the file begin with.
_EMBEDDER, _REBUILDING, _ID = "embedder", "rebuilding", "id"
_CANDIDATES = 10  # stored questions that are compared with the one asked
_READ = 3  # of them, whose answers are read
_RERANKED = 10  # passages
_FEW = 2  # documents that are read on where a search finds little in them
_LONGEST_SECTION = 16_000  # characters of one that is read in place of passages
_LEAST_LIKENESS = 0.5  # of a stored question, for its section to be read
# What a question refers back with: without what was said before, it is another question.
_BACK = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|one|there)\b", re.I
)


class AskOptions(TypedDict, total=False):
    """The arguments of `Library.ask` beside the question; `Chat` gives the history itself.

    Attributes:
        history: What was said before, in order; the question may refer to it.
        source_ids: The documents to read; `None` for all.
        answerer: Who writes the answer; by default the library's.
        k: The most passages that are read; by default 4.
        threshold: The least probability with which quotes must answer the question, 0 to 1; `None`
            for the default. The answerer may have rules of its own; that a stored answer answers
            its question is taken from whoever stored it.
    """

    history: Sequence[Message]
    source_ids: Collection[str] | None
    answerer: Answerer | None
    k: int
    threshold: float | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What a call has changed, by the ids of documents.

    Attributes:
        added: New documents.
        updated: Documents whose content has changed.
        unchanged: Documents that the library had already.
        removed: Documents that were removed.
        failed: Files of a folder that could not be read, by path, with the reason.
    """

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict[str, str])


class Library:
    """Documents that can be searched and asked, in one file.

    The file has the documents with their places on pages and under headings, their passages, the
    vectors of these if there is an embedder, stored questions with answers, and chats. Every
    document is in it whole or not at all, whenever the program ends. Any number of threads may use
    a library, and several processes one file: one writes at a time, and the others read meanwhile.

    Passages are found by their words, and with an embedder by their meaning, too. A reply has only
    quotes that are in the documents, and says so if these do not answer. Without a language model,
    the reader answers with their sentences (extra `reader`).

    Whatever takes the id of a document raises an `UnknownSourceError` if there is none with it, and
    changes nothing; what takes the id of a chat raises a `CiteguardError`. So does every method if
    an argument is of the wrong type or out of range, or the file or the store cannot be read or
    written; and what needs vectors, if those in the file are of another embedder. If an embedder
    returns no usable vectors, that is an `EmbeddingFailedError`.

    Args:
        path: The file; created if its folder exists. Without one, a temporary file, deleted when
            the library is closed.
        embedder: What turns passages into vectors: the name or folder of a `SentenceTransformer`, a
            loaded one, or an `Embedder`; always the same for one file.
        passages: How documents are cut; by default as retrievers do it.
        store: Where passages are kept and found, in place of the file: `PgVectorStore`,
            `QdrantStore`, or your own.
        answerer: Who writes answers; by default an `ExtractiveAnswerer`, which calls no model.

    Raises:
        CiteguardError: The file cannot be opened, is no library, or has vectors of another
            embedder; or an argument is of the wrong type.

    Examples:
        >>> library = Library()
        >>> library.add({"handbook": "Notice is one month. Lunch is free on Fridays."}).added
        ('handbook',)
        >>> reply = library.ask("When is lunch free?")
        >>> reply.outcome, reply.text
        ('answered', 'Lunch is free on Fridays. [1]')
        >>> reply.references[0].quote
        'Lunch is free on Fridays.'
        >>> library.ask("Who founded the company?").outcome
        'cannot_answer'
        >>> library.close()
    """

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        *,
        embedder: str | PathLike[str] | SentenceTransformer | Embedder | None = None,
        passages: Passages | None = None,
        store: PassageStore | None = None,
        answerer: Answerer | None = None,
    ) -> None:
        check_kind("Library(passages=...)", passages, Passages)
        check_kind("Library(answerer=...)", answerer, Answerer)
        check_kind("Library(store=...)", store, PassageStore)
        self._folder: TemporaryDirectory[str] | None = None
        if path is None:
            self._folder = TemporaryDirectory(prefix="citeguard-")
            path = os.path.join(self._folder.name, "library.db")
        self._cut = DefaultPassages() if passages is None else passages
        self._vectors = None if embedder is None else vectors_of(embedder)
        self._file = LibraryFile(path)
        self._path = fspath(path)
        self._catalogue = Catalogue(self._file)
        # A store that is empty is falsy.
        own = SQLiteStore(self._file) if store is None else cast("PassageStore", OwnStore(store))
        self._store: PassageStore = own
        self._answerer: Answerer = ExtractiveAnswerer() if answerer is None else answerer
        # Without `self` in the cache, a library that nobody uses any more can be freed.
        catalogue = self._catalogue

        # By version, so that a document that was replaced is not served from memory.
        @lru_cache(_SOURCES_KEPT)
        def document(source_id: str, _version: str) -> Source:
            return catalogue.document(source_id)

        self._document = document
        self._id = ""  # of what is kept outside the file
        try:
            if self._vectors is not None and self._file.setting(_EMBEDDER):
                self._check_embedder(whole=False)
            if store is not None:
                self._repair()
        except BaseException:  # also what a store of the user's raises
            self.close()
            raise

    def __repr__(self) -> str:
        """Name the file."""
        return f"Library({self._path!r})"

    def _repr_html_(self) -> str:
        """Show the first documents in a notebook."""
        from citeguard.reports.cards import LISTED, Row, as_card, document_row

        rows = (
            document_row(each.source_id, each.title, each.characters)
            for each in self.documents(most=LISTED)
        )
        return as_card(Row(f"Library: {counted_as(len(self), 'document')}"), rows, len(self))

    def __enter__(self) -> Self:
        """Return the library."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the library."""
        self.close()

    def close(self) -> None:
        """Close the file, and the store."""
        self._store.close()
        self._file.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._catalogue)

    def __contains__(self, source_id: object) -> bool:
        """Return whether there is a document with this id."""
        return isinstance(source_id, str) and self._catalogue.info(source_id) is not None

    def documents(self, *, most: int | None = None) -> list[DocumentInfo]:
        """Return what is known of each document, or of the first ones, in the order of addition."""
        return self._catalogue.documents(most=most)

    def source(self, source_id: str) -> Source:
        """Return a document, with its places on pages and under headings."""
        return self.versioned(source_id)[1]

    def versioned(self, source_id: str) -> tuple[str, Source]:
        """Return the SHA-256 of a document's content, in hexadecimal, and the document."""
        with self._file.reading():  # so that both are of one moment
            version = self._catalogue.known(source_id).version
            return version, self._document(source_id, version)

    def file_pieces(self, source_id: str) -> tuple[int, Iterator[bytes]]:
        """Return the size of a document's PDF file, and its bytes in pieces, read when needed.

        Size and bytes are of one version: if it is replaced meanwhile, the next piece is a
        `CiteguardError`. The size is 0 if the document was not read from a PDF file.
        """
        return self._catalogue.file_pieces(source_id)

    def sources(self, source_ids: Iterable[str] | None = None) -> Sources:
        """Return documents as `Sources`, to check anything against; by default all.

        Raises:
            UnknownSourceError: No document has one of the ids.
            InvalidSourcesError: There are no documents.
        """
        ids = self._catalogue.versions()
        listed = ids if source_ids is None else _items_of("source_ids", source_ids, str)
        return Sources([self.source(each) for each in listed])

    def add(self, documents: Any, *, strict: bool = True) -> Changes:
        """Add documents, or put them in the place of those that they are new versions of.

        A document that the library has with the same content is left as it is. Each one is read,
        cut, embedded and then kept, in one step: if the program ends in between, the documents
        before it are in the library, and it is not. A file of a folder that cannot be read is
        reported in `Changes.failed`.

        Args:
            documents: A path or several, of files or folders (see `citeguard.documents`); or
                sources: a `Source`, `Sources`, or a mapping of ids to texts. The id of a file is
                its name without the suffix, or its path if another document has that; no file
                takes the place of another one. A source takes that of any document with its id.
            strict: Whether a file that was named and cannot be read is an error; otherwise it is
                reported, too.

        Raises:
            CiteguardError: A file that was named cannot be read, or the library cannot be written,
                or its documents have no vectors, or those of another embedder.
            InvalidSourcesError: `documents` are neither paths nor sources.
            EmbeddingFailedError: The embedder returned no usable vectors.
        """
        return self._put(documents, strict)[0]

    def update(self, documents: Any, *, strict: bool = True) -> Changes:
        """Do what `add` does, and remove documents that are no longer there.

        Removed are documents that were read from the folders given, and whose files are gone, and
        those that a JSON file no longer has; if sources are given, all others that were not read
        from files.
        """
        changes, kept, paths = self._put(documents, strict)
        infos = self.documents()
        read = {None} if paths is None else {e.origin for e in infos if e.source_id in kept}
        # Of a folder that could not be read it is not known that its files are gone.
        folders = [each for each in paths or () if each not in changes.failed]
        # `read` are the files that were read now: what one of them no longer has is gone, too.
        gone = [
            each.source_id
            for each in infos
            if each.source_id not in kept and (each.origin in read or is_gone(each.origin, folders))
        ]
        self.remove(*gone)
        return replace(changes, removed=tuple(gone))

    def remove(self, *source_ids: str) -> None:
        """Remove documents, with their passages and stored questions."""
        listed = _items_of("remove", source_ids, str)
        with self._file.writing():
            # All of them first: with one unknown id nothing is removed.
            ids = [self._catalogue.known(source_id).source_id for source_id in listed]
            self._catalogue.delete(ids)
            self._store.delete(ids)

    def restore(self, source: Source, *, version: str, origin: str | None = None) -> None:
        """Keep a document as another library had it, with its id, version and origin."""
        check_kind("restore(source)", source, Source, required=True)
        check_text("restore(version=...)", version, required=True)
        check_text("restore(origin=...)", origin)
        self._check_embedder()
        self._keep(source, version, origin)

    def rebuild(self, progress: Callable[[str, int, int], None] | None = None) -> None:
        """Cut all documents anew, and embed their passages and the stored questions.

        For a library that now has an embedder, or another `passages`. Chats, and the references in
        them, stay as they are. If the program ends in between, call it again.

        Args:
            progress: Called with the id of each document, its number from 1, and how many there
                are.
        """
        check_function("rebuild(progress)", progress)
        if self._vectors is None:
            self._check_embedder()
        else:
            # First, so that after a rebuild cut short no two kinds of vectors are compared.
            self._file.keep_setting(_REBUILDING, "yes")
        infos = self.documents()
        for number, info in enumerate(infos, 1):
            if progress is not None:
                progress(info.source_id, number, len(infos))
            with suppress(UnknownSourceError):  # it was removed meanwhile
                version, source = self.versioned(info.source_id)
                self._keep(source, version, info.origin, anew=True)
        with self._file.writing():
            self._store_questions(self.questions())
            self._file.keep_setting(_REBUILDING, "")

    def search(
        self, query: str, *, k: int = 4, source_ids: Collection[str] | None = None
    ) -> list[Passage]:
        """Return the passages most relevant to a query, best first; an empty list if none is.

        Two passages share at most half of the shorter one. With an embedder, the rankings by words
        and by vectors are fused by their ranks.

        Args:
            query: A question, a statement or some words.
            k: The most passages.
            source_ids: The documents to search; `None` for all.
        """
        check_whole("Library.search(k=...)", k, 1)
        check_text("Library.search(query)", query, required=True)
        if not query.strip():
            return []
        # Databases take numbers of 64 bits, and a `k` may be any.
        depth = max(_FUSED, _DEPTH * min(k, 1_000_000))
        ids = self._ids(source_ids)
        rankings = [self._store.matching(query, k=depth, source_ids=ids)]
        if (vector := self._vector(query)) is not None:
            rankings.append(self._store.nearest(vector, k=depth, source_ids=ids))
        return distinct(fuse(rankings) if len(rankings) > 1 else rankings[0], k)

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Reply:
        """Answer a question from the documents, or say that no passage answers it.

        A failure of a model is a reply, too: `undecided`. A wrong setup raises a `CiteguardError`.

        The answer of a stored question is taken, if it answers this question (`is_same_question`)
        and its quotes still stand. Else, if a stored question is nearer than the passages found,
        the section that it is from is read; else the passages, those first with the sentences that
        the reader finds to answer best. Whoever answers, quotes are looked for in the documents,
        and what cannot be verified is not in the reply. Without a model an answer is a sentence of
        the documents that the reader is sure about; otherwise the reply has the closest passages.

        Args:
            question: The question.
            options: See `AskOptions`.
        """
        return run_sync(self.aask(question, **options))

    async def aask(self, question: str, **options: Unpack[AskOptions]) -> Reply:
        """Do what `ask` does, without blocking the event loop."""
        return await _reply_to(self, *self._question(question, **options))

    def astream(self, question: str, **options: Unpack[AskOptions]) -> AsyncGenerator[ReplyEvent]:
        """Yield the text as it is written, then the statements that were verified, then the reply.

        The arguments and errors are those of `ask`. The text is provisional and has no references;
        these come with the statements. If the generator is closed, the model is no longer waited
        for.
        """
        return _events(self, *self._question(question, **options))

    def stream(self, question: str, **options: Unpack[AskOptions]) -> Generator[ReplyEvent]:
        """Yield what `astream` does, without an event loop."""
        yield from in_turn(self.astream(question, **options))

    def add_questions(
        self, questions: Iterable[StoredQuestion], *, policy: Policy | None = None
    ) -> int:
        """Store questions with their answers, and return how many are new.

        Only those whose answers are validated against today's documents, with all their quotes, are
        kept; of two with the same words the later one.

        Args:
            questions: The questions.
            policy: The rules for their answers; by default, `ReaderJudge` must not find a
                statement unsupported or contradicted by what it quotes.

        Raises:
            CiteguardError: An answer does not stand in the documents; nothing is stored.
            UnknownSourceError: The library has no document that an answer is about.
        """
        rules = Policy.fast(undecided="pass") if policy is None else policy
        listed = _items_of("add_questions", questions, StoredQuestion)
        checked = {each.question: self._checked(each, rules) for each in listed}
        return self._store_questions(list(checked.values()))

    def questions(self, source_ids: Collection[str] | None = None) -> list[StoredQuestion]:
        """Return the stored questions of documents; by default all."""
        ids = None if source_ids is None else _items_of("source_ids", source_ids, str)
        return self._catalogue.questions(source_ids=ids)

    def delete_question(self, number: int) -> None:
        """Delete a stored question; its number is its `id`.

        Raises:
            CiteguardError: No stored question has this number.
        """
        if all(each.id != number for each in self.questions()):
            raise CiteguardError(f"the library has no stored question {number!r}")
        self._catalogue.delete_questions([number])

    def stored_questions(
        self, question: str, *, k: int = 10, source_ids: Collection[str] | None = None
    ) -> list[StoredQuestion]:
        """Return the stored questions that are most like one, best first."""
        check_text("Library.stored_questions(question)", question, required=True)
        check_whole("Library.stored_questions(k=...)", k, 1)
        ids = self._ids(source_ids)
        vector = self._vector(question)
        return self._catalogue.similar_questions(question, vector, k=k, source_ids=ids)

    def is_same_question(self, question: str, stored: StoredQuestion) -> bool:
        """Return whether a stored question asks for the same as a question.

        So it does if its words are the same, if the embedder makes no difference between both, or
        if the reader says that its answer answers the question (extra `reader`).
        """
        check_text("is_same_question(question)", question, required=True)
        check_kind("is_same_question(stored)", stored, StoredQuestion, required=True)
        if has_same_words(question, stored.question):
            return True
        if self._vectors is not None:
            one, other = self._vectors([question, stored.question])
            if float(one @ other) >= _EQUAL:
                return True
        said = " ".join(str(each.get("text", "")) for each in stored.answer["statements"])
        return answers_too(question, stored.question, said)

    def chat(self, chat_id: str | None = None, *, begin: bool = False) -> Chat:
        """Return a conversation: a new one, or one that was kept, or `begin` one with this id."""
        check_text("chat(chat_id)", chat_id, whole=True)
        if chat_id is None or begin:
            chat_id = chat_id or uuid4().hex
            self._catalogue.append(chat_id, ())
        return Chat(self, self._known_chat(chat_id).id)

    def chats(self) -> list[ChatInfo]:
        """Return what is known of each chat, the latest first."""
        return self._catalogue.chats()

    def delete_chat(self, chat_id: str) -> None:
        """Delete a chat with its messages."""
        self._catalogue.delete_chat(self._known_chat(chat_id).id)

    def messages(self, chat_id: str) -> tuple[Message, ...]:
        """Return the messages of a chat, in order."""
        return tuple(self._catalogue.messages(self._known_chat(chat_id).id))

    def add_messages(self, chat_id: str, messages: Iterable[Message]) -> None:
        """Add messages to a chat."""
        chat = self._known_chat(chat_id)
        listed = _items_of("add_messages", messages, Message)
        title = next((each.text for each in listed if each.role == "user"), None)
        self._catalogue.append(chat_id, listed, title=None if chat.title else title)

    def state_of(self, reference: Reference) -> ReferenceState:
        """Return whether a reference that was kept stands in today's documents, and if not, why."""
        check_kind("state_of(reference)", reference, Reference, required=True)
        if reference.source_id not in self:
            return "source_removed"
        version, source = self.versioned(reference.source_id)
        if reference.version and reference.version != version:
            return "source_changed"
        quoted = source.text[reference.span.start : reference.span.end]
        return "stands" if quoted == reference.quote else "quote_missing"

    def _known_chat(self, chat_id: Any) -> ChatInfo:
        found = self._catalogue.chat(chat_id) if isinstance(chat_id, str) else None
        if found is None:
            raise CiteguardError(f"the library has no chat {chat_id!r}")
        return found

    def _question(
        self,
        question: str,
        history: Sequence[Message] = (),
        source_ids: Collection[str] | None = None,
        answerer: Answerer | None = None,
        k: int = 4,
        threshold: float | None = None,
    ) -> tuple[_Question, Answerer]:
        check_text("question", question, required=True, whole=True)
        check_whole("k", k, 1)
        if not question.strip():
            raise CiteguardError("the question is empty")
        if threshold is not None:
            check_number("threshold", threshold, 0, 1)
        check_kind("answerer", answerer, Answerer)
        said, ids = tuple(_items_of("history", history, Message)), self._ids(source_ids)
        asked = _Question(text=question, history=said, source_ids=ids, k=k, threshold=threshold)
        return asked, answerer or self._answerer

    def _ids(self, source_ids: Collection[str] | None) -> frozenset[str] | None:
        """Return the ids of documents to read, all of which the library has."""
        if source_ids is None:
            return None
        listed = _items_of("source_ids", source_ids, str)
        return frozenset(self._catalogue.known(each).source_id for each in listed)

    def _vector(self, query: str) -> NDArray[np.float32] | None:
        """Return the vector of a query, shape (d,); `None` if it has none."""
        if self._vectors is None:
            return None
        self._check_embedder()
        import numpy as np

        vector = self._vectors([query])[0]
        return vector if np.isfinite(vector).all() else None

    def _checked(self, stored: StoredQuestion, policy: Policy) -> StoredQuestion:
        """Return a stored question whose answer was validated today."""
        if not stored.question.strip():
            raise CiteguardError("add_questions: a question is empty")
        read = dict.fromkeys(filter(None, (stored.source_id, *stored.cited)))
        if not read:
            raise CiteguardError(
                f"the answer to {stored.question!r} cites no document: give a citation its "
                "source_id, or the question one"
            )
        sources = self.sources(read)
        asked = stored.question
        try:
            answer = verify(Answer, stored.answer, sources=sources, policy=policy, question=asked)
        except ValidationError as error:
            message = f"the answer to {asked!r} does not stand in the documents: {error}"
            raise CiteguardError(message) from error
        return stored.model_copy(update={"answer": answer.model_dump(mode="json")})

    def _store_questions(self, questions: Sequence[StoredQuestion]) -> int:
        """Keep questions in place of those with the same words; return how many are new."""
        if not questions:
            return 0
        asked = [each.question for each in questions]
        # Before the file is locked for others, as an embedder takes its time.
        vectors = None if self._vectors is None else self._vectors(asked)
        earlier = [each.id for each in self.questions() if each.question in asked]
        with self._file.writing():
            self._catalogue.delete_questions(filter(None, earlier))
            self._catalogue.add_questions(questions, vectors)
        return len(questions) - len(earlier)

    def _put(self, documents: Any, strict: bool) -> tuple[Changes, set[str], Any]:
        """Keep documents; return what has changed, the ids of all of them, and their paths."""
        outcome = {name: list[str]() for name in ("added", "updated", "unchanged")}
        intake = Intake(self.documents(), documents)
        for each in intake.given(strict=strict):
            info = self._catalogue.info(each.source_id)
            if info is None or info.version != each.version:
                self._check_embedder()
                self._keep(each.read(), each.version, each.origin)
                outcome["added" if info is None else "updated"].append(each.source_id)
                continue
            if info.origin != each.origin and (each.origin is None or is_lost(info.origin)):
                self._catalogue.move(each.source_id, each.origin)
            outcome["unchanged"].append(each.source_id)
        listed = {name: tuple(ids) for name, ids in outcome.items()}
        ids = set[str]().union(*outcome.values())
        return Changes(**listed, failed=intake.failed), ids, intake.paths

    def _keep(
        self, source: Source, version: str, origin: str | None, *, anew: bool = False
    ) -> None:
        """Keep a document; one that is only cut anew must still be the same."""
        title, url = (each and storable(each) for each in (source.title, source.url))
        source = Source(storable(source.id), storable(source.text), title, url, source.layout)
        # Cut and embedded before the file is locked for others: this is what takes long.
        cut = stored_passages(source, self._cut)
        vectors = self._vectors([each.text for each in cut]) if self._vectors and cut else None
        with self._file.writing():
            if anew and self._catalogue.known(source.id).version != version:
                return  # whoever changed it has cut it
            # A store outside the file does not undo this if the rest fails; `_repair` sees to it.
            self._store.put(source.id, f"{self._id}{version}", cut, vectors)
            self._catalogue.put(source, version=version, origin=origin, passages=len(cut))
            self._file.keep_setting(_EMBEDDER, self._vectors.name if self._vectors else "")

    def _check_embedder(self, *, whole: bool = True) -> None:
        """Raise if some documents have vectors of this embedder, and others would not.

        If `whole`, all of them must have vectors, if there is an embedder.
        """
        kept = self._file.setting(_EMBEDDER) or None
        given = None if self._vectors is None else self._vectors.name
        is_rebuilding = whole and self._file.setting(_REBUILDING)
        # Without documents there is nothing to compare with, so that any embedder will do.
        if (kept == given and not is_rebuilding) or not len(self):
            return
        message = (
            f"the vectors in this library were made with {kept}, which cannot be compared with "
            f"those of {given}; open it with embedder={kept!r}, or use a new library"
        )
        if given is None:
            message = (
                f"the documents of this library have vectors, made with {kept}; open it with that "
                "embedder, as others would not be found by meaning without"
            )
        elif kept in (None, given):
            message = (
                "documents of this library have no vectors, as they were added without an "
                "embedder; call rebuild() once (citeguard library rebuild), or open it without one"
            )
        raise CiteguardError(f"{self._path}: {message}")

    def _repair(self) -> None:
        """Make a store outside the file agree with it: a process may have been killed between both.

        What it put there is known by the id of the library; documents of another one are an error.
        """
        with self._file.writing():  # until whoever adds one now is done
            self._id = self._file.setting(_ID) or f"{uuid4().hex} "
            self._file.keep_setting(_ID, self._id)
            infos, kept = self.documents(), self._store.versions()
            foreign = [each for each, at in kept.items() if not at.startswith(self._id)]
            if foreign:
                raise CiteguardError(
                    f"{self._store!r} has documents that are not of {self!r}, such as "
                    f"{foreign[0]!r}; give each library a prefix (Postgres) or collection "
                    "(Qdrant) of its own"
                )
            self._store.delete(kept.keys() - {info.source_id for info in infos})
        for info in infos:
            if kept.get(info.source_id) != f"{self._id}{info.version}":
                self._check_embedder()
                self._keep(self.source(info.source_id), info.version, info.origin)


class Chat:
    """Questions and answers in order, kept in the library's file with their references.

    A question may refer to what was said before. `Library.chat` makes one.

    Attributes:
        id: Its id.
    """

    def __init__(self, library: Library, chat_id: str) -> None:
        self._library = library
        self.id = chat_id

    def __repr__(self) -> str:
        """Name the chat."""
        return f"Chat({self.id!r})"

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages, in order; `Library.state_of` says whether a reference still stands."""
        return self._library.messages(self.id)

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Reply:
        """Ask, and keep the question and the reply."""
        return run_sync(self.aask(question, **options))

    async def aask(self, question: str, **options: Unpack[AskOptions]) -> Reply:
        """Do what `ask` does, without blocking the event loop."""
        reply = await self._library.aask(question, **{**options, "history": self.messages})
        self._library.add_messages(self.id, messages_of(reply))
        return reply

    def stream(self, question: str, **options: Unpack[AskOptions]) -> Generator[ReplyEvent]:
        """Yield what `astream` does, without an event loop."""
        yield from in_turn(self.astream(question, **options))

    async def astream(
        self, question: str, **options: Unpack[AskOptions]
    ) -> AsyncGenerator[ReplyEvent]:
        """Yield what happens, as `Library.astream` does; the reply is kept before it is yielded."""
        options["history"] = self.messages
        async with aclosing(self._library.astream(question, **options)) as stream:
            async for event in stream:
                if isinstance(event, ReplyEnded):
                    self._library.add_messages(self.id, messages_of(event.reply))
                yield event


# How a question is answered: by a stored answer, or from a section or passages.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """A question to a library; see `AskOptions`."""

    text: str
    history: tuple[Message, ...] = ()
    source_ids: frozenset[str] | None = None
    k: int = 4
    threshold: float | None = None

    @property
    def refers_back(self) -> bool:
        """Whether it may be about what was said before."""
        return bool(self.history) and _BACK.search(self.text) is not None

    @property
    def query(self) -> str:
        """What is searched for: with the question before it, if it refers back or names little."""
        before = [each.text for each in self.history if each.role == "user"]
        short = len(term_keys(self.text)) <= 2
        return f"{before[-1]} {self.text}" if before and (short or self.refers_back) else self.text


async def _reply_to(
    library: Library, question: _Question, answerer: Answerer, tell: Tell | None = None
) -> Reply:
    """Return the reply to a question; `tell` is called with the text as it grows.

    A follow-up is first written in full if the answerer can do so.
    """
    full = question
    if question.history and isinstance(answerer, Rewriter):
        # If it fails, the history says as much, if less clearly.
        with suppress(JudgeFailedError), foreign_code(owner="the answerer"):
            text = await answerer.understood(question.text, question.history)
            full = replace(question, text=text, history=())
    reply = await _reply(library, full, answerer, tell)
    is_same = full is question or has_same_words(full.text, question.text)
    understood = "" if is_same else full.text
    return reply.model_copy(update={"question": question.text, "understood": understood})


async def _reply(
    library: Library, question: _Question, answerer: Answerer, tell: Tell | None
) -> Reply:
    asked = await in_thread(_read, library, question)
    if isinstance(asked, Reply):
        return asked
    try:
        with foreign_code(owner="the answerer"):
            answer: Any = await answerer.answer(asked, tell)
        if not isinstance(answer, Answer):
            said = shown(repr(answer), 60)
            raise CiteguardError(f"{answerer!r}.answer: expected an Answer, got {said}")
    except NotSureError as error:
        return closest_passages(asked, str(error))
    except NoAnswerError as error:
        return reply_to(asked, "cannot_answer", str(error))
    except JudgeFailedError as error:
        return reply_to(asked, "undecided", f"{error}.")
    return answered(asked, answer)


async def _events(
    library: Library, question: _Question, answerer: Answerer
) -> AsyncGenerator[ReplyEvent]:
    """Yield what happens while a question is answered; see `_reply_to`."""
    loop = asyncio.get_running_loop()
    texts: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(text: str) -> None:
        # An answerer may call this from a thread, and asyncio's queues are not thread-safe.
        loop.call_soon_threadsafe(texts.put_nowait, text)

    task = asyncio.create_task(_reply_to(library, question, answerer, tell))
    # The loop below ends by this, also if the answerer fails.
    task.add_done_callback(lambda _: texts.put_nowait(None))
    try:
        while (text := await texts.get()) is not None:
            yield TextWritten(text=text)
        ended = await task
    finally:
        task.cancel()
    by_number = {each.number: each for each in ended.references}
    for statement in ended.statements:
        numbered = tuple(by_number[number] for number in statement.numbers)
        yield StatementChecked(statement=statement, references=numbered)
    yield ReplyEnded(reply=ended)


def _read(library: Library, question: _Question) -> Reply | Asked:
    """Return the reply if it is known already, or else what is to be read."""
    stored = library.stored_questions(question.query, k=_CANDIDATES, source_ids=question.source_ids)
    # "When did it open?" has the same words about every building.
    if not question.refers_back:
        # The same words first.
        same = [each for each in stored if has_same_words(question.text, each.question)]
        rest = [each for each in stored if each not in same][:_READ]
        for each in [*same, *(e for e in rest if library.is_same_question(question.text, e))]:
            if (known := _stored_reply(library, question, each)) is not None:
                return known
    # The reader chooses among more than are wanted.
    depth = max(question.k, _RERANKED)
    passages = library.search(question.query, k=depth, source_ids=question.source_ids)
    read = _documents(library, (passage.span.source_id for passage in passages))
    # A document may have changed since it was searched.
    passages = [each for each in passages if _is_there(each, read)]
    if is_installed():
        all_read, others = _others(library, question, passages, read, depth)
        if all_read:
            sources = Sources([source for _, source in all_read.values()])
            ranked = reranked(question.query, passages, sources, k=question.k, others=others)
            ranked = ranked or others[:1]  # a title or an author may answer
            # Where no word was found, the documents count only if they do answer.
            if passages or best_answer(question.text, ranked, sources, question.threshold):
                read, passages = all_read, ranked
    passages = passages[: question.k]
    asked_from: AskedFrom = "passages"
    if (
        stored
        and _is_nearer(question.query, stored[0].question, passages)
        and (section := _section_of(library, stored[0])) is not None
    ):
        # The passages outside are read, too: the question may have another answer.
        span = section.span
        outside = [
            each
            for each in passages
            if each.span.source_id != span.source_id or not span.start <= each.span.start < span.end
        ]
        asked_from, passages = "section", [section, *outside]
    read |= _documents(library, {each.span.source_id for each in passages} - read.keys())
    passages = [each for each in passages if _is_there(each, read)]
    if not passages:
        advice = "No passage was found; other words may find one."
        return Reply(question=question.text, outcome="cannot_answer", reason=advice)
    return replace(
        _asked(question.text, read),
        passages=tuple(passages),
        asked_from=asked_from,
        history=question.history,
        threshold=question.threshold,
    )


def _asked(question: str, read: Mapping[str, tuple[str, Source]]) -> Asked:
    sources = Sources([source for _, source in read.values()])
    versions = {source_id: version for source_id, (version, _) in read.items()}
    return Asked(question=question, sources=sources, versions=versions)


def _others(
    library: Library,
    question: _Question,
    found: Sequence[Passage],
    read: dict[str, tuple[str, Source]],
    most: int,
) -> tuple[dict[str, tuple[str, Source]], list[Passage]]:
    """Return the documents, if they are few and less was found, and what else is in them.

    What answers may have no word of the question, so that no search finds it: "Who wrote this?"
    """
    ids = question.source_ids or {each.source_id for each in library.documents(most=_FEW + 1)}
    if len(found) >= most or not 0 < len(ids) <= _FEW:
        return read, []
    read = dict(sorted((read | _documents(library, ids - read.keys())).items()))
    if not read:  # they were removed meanwhile
        return read, []
    sources = Sources([source for _, source in read.values()])
    spans = DefaultPassages().spans(sources)
    others = [Passage(span, sources.slice(span), 0.0) for span in spans]
    return read, distinct([*found, *others], most)[len(found) :]


def _documents(library: Library, source_ids: Iterable[str]) -> dict[str, tuple[str, Source]]:
    """Return documents with the SHA-256 of their contents, without those that are gone."""
    read: dict[str, tuple[str, Source]] = {}
    for source_id in dict.fromkeys(source_ids):
        with suppress(UnknownSourceError):
            read[source_id] = library.versioned(source_id)
    return read


def _is_there(passage: Passage, read: Mapping[str, tuple[str, Source]]) -> bool:
    span = passage.span
    text = read[span.source_id][1].text if span.source_id in read else ""
    return text[span.start : span.end] == passage.text


def _stored_reply(library: Library, question: _Question, stored: StoredQuestion) -> Reply | None:
    """Return a stored answer, if the questions are the same and its quotes still stand."""
    if question.source_ids is not None and not question.source_ids.issuperset(stored.cited):
        return None
    read = _documents(library, stored.cited)
    if not read or len(read) < len(stored.cited):
        return None
    asked = replace(_asked(question.text, read), asked_from="answer")
    with suppress(ValidationError):  # a document has changed
        return answered(asked, verify(Answer, stored.answer, sources=asked.sources))
    return None


def _is_nearer(query: str, stored: str, passages: Sequence[Passage]) -> bool:
    """Return whether a stored question is nearer to a query than passages are, on average."""
    wanted = term_keys(query)
    near, *shares = (
        len(wanted & term_keys(text)) / max(1, len(wanted))
        for text in (stored, *(each.text for each in passages))
    )
    return near >= _LEAST_LIKENESS and near > sum(shares) / max(1, len(shares))


def _section_of(library: Library, stored: StoredQuestion) -> Passage | None:
    """Return the section that a stored question was made from, as it is today."""
    read = _documents(library, [stored.source_id])
    if not read:
        return None
    source = read[stored.source_id][1]
    sections: Sequence[Section] = () if source.layout is None else source.layout.sections
    found: Section | None = None
    for heading in stored.headings:
        found = next((each for each in sections if each.heading == heading), None)
        sections = () if found is None else found.sections
    if found is None or found.end - found.start > _LONGEST_SECTION:
        return None
    return Passage(Span(source.id, found.start, found.end), source.text[found.start : found.end], 1)


def _items_of(name: str, given: Any, kind: type[T]) -> list[T]:
    """Return the items of what was given, all of a kind; one text is not taken for its letters."""
    wanted = f"{name}: expected a list of {kind.__name__}s, got"
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise CiteguardError(f"{wanted} {described(cast('object', given))}")
    listed = list(cast("Iterable[Any]", given))
    for each in listed:
        if not isinstance(each, kind):
            raise CiteguardError(f"{wanted} one with a {described(each)}")
    return listed

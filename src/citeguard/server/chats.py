"""Questions to a library: `Chatting`, and `Chats`, which answers them in the event loop."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from fastapi import Request, Response

from citeguard.documents.document import document_from
from citeguard.errors import CiteguardError, UnknownSourceError, logger
from citeguard.judges.loops import in_thread
from citeguard.judges.verdicts import shows_details
from citeguard.language.excerpts import LIMIT, shown
from citeguard.library.answering import Answerer, ExtractiveAnswerer, LLMAnswerer
from citeguard.library.catalogue import ChatInfo
from citeguard.library.library import Library
from citeguard.library.reply import Message, Reply, ReplyEnded, messages_of
from citeguard.server.bodies import Body
from citeguard.server.errors import ServiceError, internal_error, not_configured
from citeguard.server.limits import Limits
from citeguard.server.pool import Emit, Shutdown
from citeguard.server.requests import read_fields
from citeguard.server.schemas import AskRequest, DocumentPartReply, DocumentReply, KeptMessage
from citeguard.server.worker import Event, Job
from citeguard.sources.collection import Source, Sources, Span
from citeguard.validation.examine import examine
from citeguard.validation.policy import Policy

T = TypeVar("T")
T_Reply = TypeVar("T_Reply", bound=Response)

# Answers without a model only compute, and so do pages of documents. Of 50 threads that do so at
# once, each reply took four times as much of the processor as of one: they compete for the
# interpreter.
_MOST_COMPUTING = 2
_MOST_PICTURES = 20  # that are drawn or wait for it: PDFium draws one at a time
_AROUND = 700  # characters before and after a span
_SAMPLE = "Lunch is free on Fridays."
_FAILED = "The service could not answer: what writes its answers failed."
_COOKIE = "citeguard_chats"
_YEAR = 31_536_000  # seconds
_HALF_ID = 16  # hexadecimal digits
_log = logger("citeguard.server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chatting:
    """The library that clients may ask, and who writes the answers.

    Attributes:
        library: The library. Its chats are those of the service.
        answerers: Who writes answers, by the name that a request gives as its `model`; the first is
            the default. A request can name no other. Empty for the library's own answerer.
        uploads: Whether clients may add documents.
    """

    library: Library
    answerers: Mapping[str, Answerer] = field(default_factory=dict[str, Answerer])
    uploads: bool = False


GivenLibrary = str | Path | Library | Chatting | Callable[[], Library | Chatting]
"""The path of a library, a library, a `Chatting`, or a function that returns one of these two.

What the service opens itself, it closes.
"""


class Chats:
    """A library, as the service offers it.

    Answers are made in the event loop: a model takes most of their time, and what the processor
    has to do is done in threads. The documents are those of whoever runs the service.
    """

    def __init__(self, given: GivenLibrary | None, limits: Limits, shutdown: Shutdown) -> None:
        self.questions = Turns("questions", limits.chats, limits.chats)
        self._given = given
        self._limits = limits
        self._shutdown = shutdown
        self._opened: Chatting | None = None
        # One file at a time: the ids of its documents depend on those in the library.
        self._adding = asyncio.Lock()
        self._extracting = asyncio.Semaphore(_MOST_COMPUTING)
        self._drawing = Turns("pictures", 1, _MOST_PICTURES)
        self._showing = Turns("documents", _MOST_COMPUTING, limits.waiting)

    async def start(self) -> None:
        """Open the library, and load what answers need."""
        if self._given is not None:
            self._opened = await in_thread(_chatting, self._given)
            await in_thread(_warm_up)

    async def close(self) -> None:
        """Close the library if it was opened here."""
        if self._opened is not None and not isinstance(self._given, Library | Chatting):
            await in_thread(self._opened.library.close)

    async def add(self, name: str, read: Sequence[bytes], content: bytes) -> list[DocumentReply]:
        """Keep the documents that a worker has read from a file, and return what is known of them.

        One takes the place of an older version, which has its id and was read from the same kind of
        file. Beside a document of another kind it gets a number.
        """
        async with self._adding:
            return await in_thread(self._add, name, read, content)

    async def run(self, job: Job, body: Body, emit: Emit) -> None:
        """Answer a question, and emit what happens on the way.

        The events are `chat`, `text` and `statement`, if the client wants events, and last `reply`.
        When this is cancelled, so is the call of the model, and nothing is kept.
        """
        async with self.questions.turn(), self._shutdown.interrupting():
            await self._answer_in_time(job, body.read(), emit)

    def chats(self, owner: str) -> list[ChatInfo]:
        """Return the chats that a browser has begun, the latest first."""
        return [each for each in self.chatting.library.chats() if _is_of(owner, each.id)]

    def messages(self, chat_id: str, owner: str) -> list[KeptMessage]:
        """Return the messages of a chat; each reference says what has become of it."""
        library = self.chatting.library
        kept: list[KeptMessage] = []
        with _chat_of(owner, chat_id):
            messages = library.messages(chat_id)
        for message in messages:
            given = message.model_dump()
            for each, reference in zip(given["references"], message.references, strict=True):
                each["state"] = library.state_of(reference)
            kept.append(KeptMessage.model_validate(given))
        return kept

    def delete_chat(self, chat_id: str, owner: str) -> None:
        """Delete a chat."""
        library = self.chatting.library
        with _chat_of(owner, chat_id):
            library.delete_chat(chat_id)

    def documents(self) -> list[DocumentReply]:
        """Return what is known of each document."""
        listed = self.chatting.library.documents()
        return [DocumentReply.model_validate(each, from_attributes=True) for each in listed]

    def part(
        self, source_id: str, start: int | None, end: int | None, version: str | None
    ) -> tuple[DocumentPartReply, Source]:
        """Return a part of a document, and the document.

        A part without a start or an end is that of the whole text. Nothing is shown of a document
        that is no longer of the given version.
        """
        sources = self._document(source_id)
        known = (each for each in self.documents() if each.source_id == source_id)
        document = next(known, None)
        if document is None:  # it was removed meanwhile
            raise ServiceError("not_found", _unknown(source_id))
        source = sources[source_id]
        text = source.text
        span = Span(source_id, start or 0, len(text) if end is None else end)
        is_changed = version not in (None, document.version)
        shown: dict[str, Any] = {"before": "", "text": "", "after": ""}
        if not is_changed:
            _require_part(span, text)
            place = sources.location_of(span)
            shown = {
                "before": text[max(0, span.start - _AROUND) : span.start],
                "text": sources.slice(span),
                "after": text[span.end : span.end + _AROUND],
                "page": place.page,
                "page_label": place.page_label,
                "headings": list(place.headings),
                "detail": place.detail,
                "line": place.line,
            }
        shown |= {"start": span.start, "end": span.end, "is_changed": is_changed}
        return DocumentPartReply(**document.model_dump(), **shown), source

    def file(self, source_id: str) -> tuple[int, Iterator[bytes]]:
        """Return the size of a document's PDF file, and its bytes in pieces, read when needed."""
        with _known(source_id):
            size, pieces = self.chatting.library.file_pieces(source_id)
        if not size:
            raise ServiceError("not_found", "this document was not read from a PDF file")
        return size, pieces

    async def picture(self, source_id: str, start: int, end: int) -> bytes:
        """Return the page of a PDF file that a part is on as a PNG picture, the part marked."""
        async with self._shutdown.interrupting(), self._drawing.turn():
            return await in_thread(self._picture, source_id, start, end)

    async def show(self, rendered: Callable[[], T]) -> T:
        """Return what a function makes of a document, when it is its turn."""
        async with self._shutdown.interrupting(), self._showing.turn():
            return await in_thread(rendered)

    @property
    def chatting(self) -> Chatting:
        """The library that is open; raises a `ServiceError` if there is none."""
        if self._opened is None:
            raise not_configured("library")
        return self._opened

    async def _answer_in_time(self, job: Job, body: bytes, emit: Emit) -> None:
        seconds = self._limits.chat_seconds
        shows_details.set(False)  # of this task
        timer = asyncio.timeout(seconds)
        try:
            async with timer:
                await self._answer(job, body, emit)
        except ServiceError:
            raise
        except Exception as error:  # of stores and answerers: a stream must end with an event
            if timer.expired():
                message = f"answering this takes longer than {seconds:g} seconds"
                raise ServiceError("too_slow", message) from error
            _log.exception("a question failed")
            raise internal_error() from error

    async def _answer(self, job: Job, body: bytes, emit: Emit) -> None:
        chatting, library = self.chatting, self.chatting.library
        asked = read_fields(AskRequest, body, job.content_type, self._limits)
        self._check_lengths(asked)
        answerer = _answerer_of(asked, chatting)
        for source_id in asked.source_ids or ():
            if source_id not in library:
                raise ServiceError("invalid", f"source_ids: {_unknown(source_id)}")
        history = await in_thread(_history_of, asked, job.owner, library)
        options: dict[str, Any] = {
            "history": history,
            "source_ids": asked.source_ids,
            "answerer": answerer,
            "k": asked.k,
            "threshold": asked.threshold,
        }
        reply: Reply | None = None
        with_events = job.reply_format == "events"
        if with_events:  # at once: a proxy may take a silent connection for dead
            await emit(Event.of("chat", {"chat_id": asked.chat_id}))
        turn = self._extracting if isinstance(answerer, ExtractiveAnswerer) else nullcontext()
        try:
            async with turn:
                if not with_events:
                    reply = await library.aask(asked.question, **options)
                else:
                    async with aclosing(library.astream(asked.question, **options)) as stream:
                        async for event in stream:
                            if isinstance(event, ReplyEnded):
                                reply = event.reply
                            else:
                                data = event.model_dump(mode="json", exclude={"event"})
                                await emit(Event.of(event.event, data))
        except CiteguardError:  # the set-up is wrong, such as the key of the model
            _log.exception("a question could not be answered")
        reply = _without_details(reply, asked.question)
        chat_id = await in_thread(_kept, asked, job.owner, library, reply)
        data = {"chat_id": chat_id, "text": reply.text, **reply.model_dump(mode="json")}
        await emit(Event.of("reply", data))

    def _check_lengths(self, asked: AskRequest) -> None:
        limits = self._limits
        if len(asked.question) > (most := limits.question_characters):
            raise ServiceError("text_too_long", f"the question has more than {most:,} characters")
        length = sum(len(each.text) for each in asked.history or ())
        if length > (most := limits.history_characters):
            raise ServiceError("text_too_long", f"the history has more than {most:,} characters")

    def _document(self, source_id: str) -> Sources:
        with _known(source_id):
            return Sources(self.chatting.library.source(source_id))

    def _add(self, name: str, read: Sequence[bytes], content: bytes) -> list[DocumentReply]:
        library = self.chatting.library
        # A text that JSON names may not take the place of a file of text.
        origin = name if _is_json(name) else None
        version = hashlib.sha256(content).hexdigest()
        known = {info.source_id: info for info in library.documents()}
        ids: set[str] = set()
        for each in read:
            fields: Any = json.loads(each)
            document = document_from(str(fields["document"]).encode(), content)
            source_id, number = str(fields["id"]), 1
            kind = (document.layout.kind, _is_json(name))
            while (old := known.get(source_id)) and (old.kind, _is_json(old.origin)) != kind:
                number += 1
                source_id = f"{fields['id']} ({number})"
            ids.add(source_id)
            if old is None or old.version != version:
                text, layout = document.text, document.layout
                source = Source(source_id, text, document.title, document.url, layout)
                library.restore(source, version=version, origin=origin)
        return [each for each in self.documents() if each.source_id in ids]

    def _picture(self, source_id: str, start: int, end: int) -> bytes:
        sources, span = self._document(source_id), Span(source_id, start, end)
        _require_part(span, sources[source_id].text)
        try:
            return sources.picture_of(span)
        except CiteguardError as error:
            raise ServiceError("not_found", str(error)) from error


def _is_json(name: str | None) -> bool:
    return (name or "").lower().endswith(".json")


class Turns:
    """Lets so many tasks pass at once, and rejects those beyond the most that may be here."""

    def __init__(self, what: str, at_once: int, most: int) -> None:
        self._what, self._most, self.taken = what, most, 0
        self._places = asyncio.Semaphore(at_once)

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for a place; raise a `ServiceError` if too many are here."""
        # The queue of a semaphore has no bound.
        if self.taken >= self._most:
            raise ServiceError("busy", f"{self.taken:,} {self._what} are being served already")
        self.taken += 1
        try:
            async with self._places:
                yield
        finally:
            self.taken -= 1


def owner_of(request: Request) -> str:
    """Return the secret of the browser that sent a request; a new one if it has none."""
    given = request.cookies.get(_COOKIE, "")
    # What has another length was not made here.
    return given if len(given) == len(fresh := secrets.token_hex()) else fresh


def remember(owner: str, reply: T_Reply) -> T_Reply:
    """Return a reply that leaves the secret with the browser, if there is one."""
    if owner:
        # `strict`: a request that another site causes is nobody's.
        reply.set_cookie(_COOKIE, owner, max_age=_YEAR, httponly=True, samesite="strict")
    return reply


# A chat's id shows whose it is: only with the secret of its browser can the second half be computed
# from the first. So the library keeps no secrets, and chats of the command line are nobody's.


def _new_id(owner: str, first: str = "") -> str:
    first = first or secrets.token_hex(_HALF_ID // 2)
    return first + hmac.digest(owner.encode(), _bytes(first), "sha256").hex()[:_HALF_ID]


def _is_of(owner: str, chat_id: str) -> bool:
    # An empty half would make another id each time.
    own = _new_id(owner, chat_id[:_HALF_ID] or "-")
    # It takes as long whatever is wrong, so that an id cannot be guessed sign by sign.
    return hmac.compare_digest(_bytes(own), _bytes(chat_id))


def _bytes(text: str) -> bytes:
    # The id of a chat comes from JSON, which may escape half a character.
    return text.encode("utf-8", "surrogatepass")


def _chatting(given: GivenLibrary) -> Chatting:
    if isinstance(given, str | Path):
        own = {"extractive": ExtractiveAnswerer()}
        return Chatting(library=Library(given), answerers=own)
    opened = given if isinstance(given, Library | Chatting) else given()
    return opened if isinstance(opened, Chatting) else Chatting(library=opened)


def _warm_up() -> None:
    """Load the modules and models that answers need; call no language model."""
    sources = Sources(_SAMPLE)
    with Library(None) as library:
        library.add({"a": _SAMPLE})
        library.ask("When is lunch free?")
    citation = {"quote": _SAMPLE}
    sample = {"statements": [{"text": "Lunch is free on Friday.", "citations": [citation]}]}
    examine(sample, sources, Policy.fast())  # whatever the reader says of it


def _answerer_of(asked: AskRequest, chatting: Chatting) -> Answerer | None:
    """Return who writes the answer; `None` for the library's own."""
    answerers = chatting.answerers
    if asked.model is not None and asked.model not in answerers:
        offered = f"one of {', '.join(answerers)}" if answerers else "left out: none is offered"
        raise ServiceError("invalid", f"model: must be {offered}")
    name = asked.model or next(iter(answerers), None)
    answerer = None if name is None else answerers[name]
    if asked.temperature is None:
        return answerer
    if not isinstance(answerer, LLMAnswerer):
        raise ServiceError("invalid", "temperature: no language model writes this answer")
    return answerer.with_options(temperature=asked.temperature)


def _history_of(asked: AskRequest, owner: str, library: Library) -> tuple[Message, ...]:
    if asked.history is not None:
        return tuple(Message(role=each.role, text=each.text) for each in asked.history)
    if asked.chat_id is None:
        return ()
    with _chat_of(owner, asked.chat_id):
        return library.messages(asked.chat_id)


def _kept(asked: AskRequest, owner: str, library: Library, reply: Reply) -> str | None:
    """Keep a question and its reply, and return the id of their chat; `None` if it is not kept."""
    if asked.history is not None:
        return None
    chat_id = asked.chat_id or library.chat(_new_id(owner), begin=True).id
    with _chat_of(owner, chat_id):
        library.add_messages(chat_id, messages_of(reply))
    return chat_id


@contextmanager
def _chat_of(owner: str, chat_id: str) -> Generator[None]:
    missing = ServiceError("not_found", "there is no such chat")
    if not _is_of(owner, chat_id):
        raise missing
    try:
        yield
    except CiteguardError as error:
        raise missing from error


def _without_details(reply: Reply | None, question: str) -> Reply:
    """Return a reply that does not repeat what an endpoint says: some repeat the key."""
    if reply is None:
        return Reply(question=question, outcome="undecided", reason=_FAILED)
    if reply.outcome == "undecided" and not reply.statements:
        _log.warning("a question was not answered: %s", reply.reason)
        return reply.model_copy(update={"reason": _FAILED})
    return reply


def _require_part(span: Span, text: str) -> None:
    if not 0 <= span.start < span.end <= len(text):
        message = f"start, end: must be a part of the text, which has {len(text):,} characters"
        raise ServiceError("invalid", message)


@contextmanager
def _known(source_id: str) -> Generator[None]:
    try:
        yield
    except UnknownSourceError as error:
        raise ServiceError("not_found", _unknown(source_id)) from error


def _unknown(source_id: str) -> str:
    return f"no document has the id {shown(source_id, LIMIT)!r}"

"""How a question is answered: by a stored answer, or from a section or passages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field, ValidationError

from citeguard.errors import CiteguardError, UnknownSourceError, foreign_code
from citeguard.judges.loops import in_thread
from citeguard.judges.verdicts import JudgeFailedError
from citeguard.language.excerpts import shown
from citeguard.language.terms import term_keys
from citeguard.library.answering import (
    Answerer,
    NoAnswerError,
    NotSureError,
    Rewriter,
    Tell,
)
from citeguard.library.catalogue import DocumentInfo, StoredQuestion
from citeguard.library.extraction import best_answers, reranked
from citeguard.library.reply import (
    Asked,
    AskedFrom,
    Message,
    Record,
    Reference,
    Reply,
    ReplyStatement,
    answered,
    closest_passages,
    reply_to,
)
from citeguard.library.same_question import has_same_words
from citeguard.reader.answering import answered_from
from citeguard.reader.model import is_installed
from citeguard.retrieval.passages import DefaultPassages
from citeguard.retrieval.search import distinct
from citeguard.sources.collection import Passage, Source, Sources, Span
from citeguard.sources.layout import Section
from citeguard.validation.models import Answer
from citeguard.validation.verification import verify

_CANDIDATES = 10  # stored questions that are compared with the one asked
_READ = 3  # of them, whose answers are read
_DEPTH = 10  # passages that are reranked
_FEW = 2  # documents that are read on where a search finds little in them
_LONGEST_SECTION = 16_000  # characters of one that is read in place of passages
_LEAST_LIKENESS = 0.5  # of a stored question, for its section to be read
_SHOWN = 60  # characters of what is no answer
# What a question refers back with: without what was said before, it is another question.
_BACK = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|one|there)\b", re.I
)


class TextWritten(Record):
    """The answer, as far as it is written; nothing of it is verified yet, and no mark is in it.

    Attributes:
        text: All of it so far; it takes the place of what was told before.
    """

    event: Literal["text"] = "text"
    text: str


class StatementChecked(Record):
    """A statement of the answer that was verified.

    Attributes:
        statement: The statement.
        references: Those that it rests on, numbered as in the reply.
    """

    event: Literal["statement"] = "statement"
    statement: ReplyStatement
    references: tuple[Reference, ...] = ()


class ReplyEnded(Record):
    """The last event: all of it."""

    event: Literal["reply"] = "reply"
    reply: Reply


ReplyEvent = Annotated[TextWritten | StatementChecked | ReplyEnded, Field(discriminator="event")]
"""What is told while a question is answered: texts, statements, the reply; in this order."""


class Shelf(Protocol):
    """What is asked: a `Library`, whose methods these are."""

    def documents(self, *, most: int | None = None) -> list[DocumentInfo]: ...  # noqa: D102

    def versioned(self, source_id: str, /) -> tuple[str, Source]: ...  # noqa: D102

    def search(  # noqa: D102
        self, query: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[Passage]: ...

    def stored_questions(  # noqa: D102
        self, question: str, *, k: int, source_ids: Collection[str] | None = None
    ) -> list[StoredQuestion]: ...

    def is_same_question(self, question: str, stored: StoredQuestion, /) -> bool: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
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


async def reply(
    shelf: Shelf, question: Question, answerer: Answerer, tell: Tell | None = None
) -> Reply:
    """Return the reply to a question; `tell` is called with the text as it grows.

    A follow-up is first written in full if the answerer can do so.
    """
    if not question.history or not isinstance(answerer, Rewriter):
        return await _reply(shelf, question, answerer, tell)
    try:
        with foreign_code(owner="the answerer"):
            full = await answerer.understood(question.text, question.history)
    except JudgeFailedError:  # the history says as much, if less clearly
        return await _reply(shelf, question, answerer, tell)
    replied = await _reply(shelf, replace(question, text=full, history=()), answerer, tell)
    understood = "" if has_same_words(full, question.text) else full
    return replied.model_copy(update={"question": question.text, "understood": understood})


async def _reply(shelf: Shelf, question: Question, answerer: Answerer, tell: Tell | None) -> Reply:
    asked = await in_thread(_read, shelf, question)
    if isinstance(asked, Reply):
        return asked
    try:
        with foreign_code(owner="the answerer"):
            answer: Any = await answerer.answer(asked, tell)
        if not isinstance(answer, Answer):
            said = shown(repr(answer), _SHOWN)
            raise CiteguardError(f"{answerer!r}.answer: expected an Answer, got {said}")
    except NotSureError as error:
        return closest_passages(asked, str(error))
    except NoAnswerError as error:
        return reply_to(asked, "cannot_answer", str(error))
    except JudgeFailedError as error:
        return reply_to(asked, "undecided", f"{error}.")
    return answered(asked, answer)


async def stream(
    shelf: Shelf, question: Question, answerer: Answerer
) -> AsyncGenerator[ReplyEvent]:
    """Yield what happens while a question is answered; see `reply`."""
    loop = asyncio.get_running_loop()
    texts: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(text: str) -> None:
        loop.call_soon_threadsafe(texts.put_nowait, text)

    task = asyncio.create_task(reply(shelf, question, answerer, tell))
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


def _read(shelf: Shelf, question: Question) -> Reply | Asked:
    """Return the reply if it is known already, or else what is to be read."""
    stored = shelf.stored_questions(question.query, k=_CANDIDATES, source_ids=question.source_ids)
    if not question.refers_back:
        # The same words first.
        same = [each for each in stored if has_same_words(question.text, each.question)]
        rest = [each for each in stored if each not in same][:_READ]
        for each in [*same, *(e for e in rest if shelf.is_same_question(question.text, e))]:
            if (known := _stored_reply(shelf, question, each)) is not None:
                return known
    depth = max(question.k, _DEPTH)
    passages = shelf.search(question.query, k=depth, source_ids=question.source_ids)
    read = _documents(shelf, (passage.span.source_id for passage in passages))
    # A document may have changed since it was searched.
    passages = [each for each in passages if _is_there(each, read)]
    if is_installed():
        all_read, others = _others(shelf, question, passages, read, depth)
        if all_read:
            sources = Sources([source for _, source in all_read.values()])
            ranked = reranked(question.query, passages, sources, k=question.k, others=others)
            ranked = ranked or others[:1]  # a title or an author may answer
            least = answered_from() if question.threshold is None else question.threshold
            if passages or best_answers(question.text, ranked, sources, most=1, least=least):
                read, passages = all_read, ranked
    passages = passages[: question.k]
    asked_from: AskedFrom = "passages"
    if (
        stored
        and _is_nearer(question.query, stored[0].question, passages)
        and (section := _section_of(shelf, stored[0])) is not None
    ):
        # The passages outside are read, too: the question may have another answer.
        span = section.span
        outside = [
            each
            for each in passages
            if each.span.source_id != span.source_id or not span.start <= each.span.start < span.end
        ]
        asked_from, passages = "section", [section, *outside]
    read |= _documents(shelf, {each.span.source_id for each in passages} - read.keys())
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
    shelf: Shelf,
    question: Question,
    found: Sequence[Passage],
    read: dict[str, tuple[str, Source]],
    most: int,
) -> tuple[dict[str, tuple[str, Source]], list[Passage]]:
    """Return the documents, if they are few and less was found, and what else is in them.

    What answers may have no word of the question, so that no search finds it: "Who wrote this?"
    """
    if len(found) >= most:
        return read, []
    ids = question.source_ids or [each.source_id for each in shelf.documents(most=_FEW + 1)]
    if len(ids) > _FEW:
        return read, []
    read = read | _documents(shelf, {*ids} - read.keys())
    if not read:
        return read, []
    read = {source_id: read[source_id] for source_id in sorted(read)}
    sources = Sources([source for _, source in read.values()])
    spans = DefaultPassages().spans(sources)
    others = [Passage(span, sources.slice(span), 0.0) for span in spans]
    return read, distinct([*found, *others], most)[len(found) :]


def _documents(shelf: Shelf, source_ids: Iterable[str]) -> dict[str, tuple[str, Source]]:
    """Return documents with the SHA-256 of their contents, without those that are gone."""
    read: dict[str, tuple[str, Source]] = {}
    for source_id in dict.fromkeys(source_ids):
        with suppress(UnknownSourceError):
            read[source_id] = shelf.versioned(source_id)
    return read


def _is_there(passage: Passage, read: Mapping[str, tuple[str, Source]]) -> bool:
    span = passage.span
    text = read[span.source_id][1].text if span.source_id in read else ""
    return text[span.start : span.end] == passage.text


def _stored_reply(shelf: Shelf, question: Question, stored: StoredQuestion) -> Reply | None:
    """Return a stored answer, if the questions are the same and its quotes still stand."""
    if question.source_ids is not None and not question.source_ids.issuperset(stored.cited):
        return None
    read = _documents(shelf, stored.cited)
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


def _section_of(shelf: Shelf, stored: StoredQuestion) -> Passage | None:
    """Return the section that a stored question was made from, as it is today."""
    read = _documents(shelf, [stored.source_id])
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

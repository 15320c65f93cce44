"""What a library answers: `Reply`, with numbered references that were all verified."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from citeguard.errors import CiteguardError
from citeguard.language.citations import machine_marks, pattern, with_blanks_before
from citeguard.language.excerpts import shown
from citeguard.language.markup import find_noise, read, unseen_parts
from citeguard.sources.collection import Passage, Sources, Span
from citeguard.sources.layout import name_of_place
from citeguard.validation.messages import not_in_sources
from citeguard.validation.models import Answer, Statement

ReplyOutcome = Literal["answered", "partly", "passages", "cannot_answer", "undecided"]
"""How far the documents answer a question.

- `answered`: every statement is supported by its references, or no judge was asked.
- `partly`: something is, and something else was left open or could not be verified.
- `passages`: nothing answers clearly enough, or nothing that a model said could be verified; the
  references are the closest passages.
- `cannot_answer`: no passage that was read says it, or none was found.
- `undecided`: the question could not be decided: the model failed, or the judges could not tell.
"""

ReferenceState = Literal["stands", "source_changed", "source_removed", "quote_missing"]
"""What has become of a reference.

- `stands`: its document has the quote where it says.
- `source_changed`: the document is another version than the one that was quoted.
- `source_removed`: the document is gone.
- `quote_missing`: the document has other words there.
"""

STATES: dict[ReferenceState, str] = {
    "stands": "",
    "source_changed": "The document has changed since.",
    "source_removed": "The document was removed since.",
    "quote_missing": "The document does not have these words there.",
}
"""The same for readers, in a sentence; empty if it stands."""

AskedFrom = Literal["answer", "section", "passages"]
"""What an answer was taken from: a stored answer, the section of a stored question, passages."""

# A small number in brackets of any kind, also as a link: readers would take it for a reference.
_NUMBERED = re.compile(
    r"(?<![\[［【〔〚⟦﹝])(?:\\?[\[［【〔〚⟦﹝]|&#0*91;|&#x0*5b;|&lbrack;)++\s{0,3}\d{1,3}\s{0,3}"
    r"(?:\\?[\]］】〕〛⟧﹞]|&#0*93;|&#x0*5d;|&rbrack;)+(?:\([^()\s]{0,2000}\))?"
    r"|(?:\{\d{1,3}\}|[①-⑳❶-➓⓫-⓴])+(?=\s*(?:[.,;:!?。]|\Z))",  # at the end of a clause
    re.IGNORECASE,
)
# What may become a mark that a language model puts into its text.
_BEGUN = re.compile(r"\s?(?:[\[［【(<][^\]］】)>]{0,40}|\ue200[^\ue201]{0,300})\Z")
_UNVERIFIED = "[unverified]"
UNVERIFIED = "The model's answer could not be verified."
"""The reason of a reply whose model misquoted, so that it has the closest passages."""
_WITHOUT: Mapping[ReplyOutcome, str] = {
    "passages": "Not answered. Closest passages:",
    "cannot_answer": "No passage that was read answers this.",
    "undecided": "This could not be decided.",
}
_NOTHING_FOUND = "A search of the documents found nothing about this."  # so that none was read
_STYLES: Mapping[ReplyOutcome, str] = {
    "answered": "supported",
    "partly": "uncertain",
    "passages": "unsupported",
    "cannot_answer": "unsupported",
    "undecided": "undecided",
}
"""How a notebook colours them."""
_CLOSEST = 3  # passages that are shown if nothing answers
_MOST_REASON = 300  # characters of a model's own words
# As GitHub strikes out with one tilde, too; `unseen_parts` has the rest.
_STRUCK = re.compile(r"(?<![~\w])~(?=[^\s~])[^~]{1,2000}(?<=\S)~(?!~)")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|`)(?=\S)([^*_`]{1,2000})(?<=\S)\1(?!\w)")
# Characters that nobody sees, or that reorder what is seen. Joiners belong to some scripts.
_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e"
    "\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e007f]"
)


def model_words(text: str | None, *, most: int = _MOST_REASON) -> str:
    """Return what a model says in its own name: on one line, without marks and markup, bounded."""
    # Twice, as reading the markup can bring out a mark that was split or escaped.
    plain = without_marks(read(without_marks(text or "")))
    return shown(" ".join(plain.split()), most)


def without_marks(text: str, *, source_ids: Iterable[str] = (), unfinished: bool = False) -> str:
    """Return a text as a reader sees it, without marks, which only verified references get.

    Nor has it images of Markdown: where it is shown, they would be fetched. A mark may name one of
    the sources. The end of an `unfinished` text may be half a mark.

    Examples:
        >>> without_marks("Lunch is free [1][2, 3] on Fridays [handbook].", source_ids=["handbook"])
        'Lunch is free on Fridays.'
        >>> without_marks("It is ~~not~~ **safe** at ~50 mg.")
        'It is safe at ~50 mg.'
    """
    text = _UNSEEN.sub("", text)
    unseen = [*unseen_parts(text), *(each.span() for each in _STRUCK.finditer(text))]
    text = _EMPHASIS.sub(r"\2", _without(text, unseen)).lstrip()
    marks = [each.span() for each in pattern("named").finditer(text) if each[0][0] != "【"]
    marks += (each.span() for each in _NUMBERED.finditer(text))
    noise = find_noise(text)
    marks += ((each.start, each.end) for each in noise if text.startswith("![", each.start))
    if named := "|".join(map(re.escape, source_ids)):
        in_brackets = rf"[\[［【]\s?(?:{named})(?:\s?[,;]\s?(?:{named}))*\s?[\]］】]"
        marks += (each.span() for each in re.finditer(in_brackets, text))
    plain = _without(text, [*marks, *machine_marks(text)])
    return _BEGUN.sub("", plain) if unfinished else plain


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    plain, end = "", 0
    for start, stop in with_blanks_before(text, spans):
        plain, end = plain + text[end:start], stop
    return plain + text[end:]


class Record(BaseModel):
    """A record of the library: frozen, without extra fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Reference(Record):
    """Where a quote of an answer stands: `source.text[span.start:span.end] == quote`.

    Attributes:
        number: Its number in the answer, from 1, in the order of first mention.
        source_id: The id of the document.
        title: The document's title, if known.
        page: The number of the page that the quote starts on, from 1; `None` without pages.
        page_label: What the file calls that page.
        heading: The headings above it, the highest first, joined by " › "; empty without any.
        detail: The place below them: table, row and column, or the part of the file.
        line: The number of the line that the quote starts on, from 1; `None` in files other than
            text and Markdown.
        span: Where it is in the document's text.
        quote: The document's own words.
        link: A link that opens the place, if the document has an address on the web.
        version: The SHA-256 of the document's content, by which a later change is noticed.
    """

    number: int = Field(ge=1)
    source_id: str
    title: str | None = None
    page: int | None = None
    page_label: str | None = None
    heading: str = ""
    detail: str = ""
    line: int | None = None
    span: Span
    quote: str
    link: str | None = None
    version: str = ""

    @property
    def place(self) -> str:
        """The document and the place in it, for a reader: `Handbook (handbook.pdf), p. 4`."""
        document, heading = self.source_id, self.heading
        if self.title not in (None, document):
            document = f"{self.title} ({document})"
            # A document often begins with its title as the heading of all of it.
            is_title = heading == self.title
            heading = "" if is_title else heading.removeprefix(f"{self.title} › ")
        place = name_of_place(
            page=self.page,
            page_label=self.page_label,
            headings=heading.split(" › ") if heading else [],
            line=self.line,
            detail=self.detail,
        )
        return ", ".join(filter(None, [document, place]))


class ReplyStatement(Record):
    """A statement of an answer.

    Attributes:
        text: The statement.
        numbers: The numbers of the references that it rests on; empty if it is not verified.
        outcome: `supported`; `undecided` if no judge could decide, in which case it is marked and
            not cited; `None` if no judge was asked.
    """

    text: str
    numbers: tuple[int, ...] = ()
    outcome: Literal["supported", "undecided"] | None = None

    @property
    def marked(self) -> str:
        """The text with the numbers of its references, or with a mark that it is unverified."""
        marks = "".join(f"[{number}]" for number in self.numbers) or _UNVERIFIED
        return f"{self.text} {marks}"


class Reply(Record):
    """The answer to a question, with references that were all found in the documents.

    Attributes:
        question: The question.
        outcome: How far the documents answer it.
        asked_from: What the answer was taken from; `None` if nothing was found.
        statements: The answer, one claim at a time.
        references: The quotes that they rest on, numbered from 1.
        reason: Why it is not answered, or only partly; empty if it is answered. A language model's
            own words are introduced as such, since nobody has verified them: at most 300
            characters, without marks and markup.
        answer: The validated answer behind it; `None` if there is none.
        passages: The passages that the answer was made from.
        understood: What a language model took a follow-up question to ask in full, which is what
            was answered; empty if it was asked as it is.
    """

    question: str
    outcome: ReplyOutcome
    asked_from: AskedFrom | None = None
    statements: tuple[ReplyStatement, ...] = ()
    references: tuple[Reference, ...] = ()
    reason: str = ""
    # It was validated with its sources; Pydantic would validate it again, without any.
    answer: Annotated[SkipValidation[Answer | None], Field(repr=False)] = None
    passages: Annotated[tuple[Passage, ...], Field(repr=False)] = ()
    understood: str = ""

    @property
    def text(self) -> str:
        """The answer for a reader: statements with the numbers of their references.

        Without statements, a sentence of citeguard's that says so; `reason` may say why.
        """
        if self.statements:
            return " ".join(statement.marked for statement in self.statements)
        return " ".join([self._without, *(f"[{each.number}]" for each in self.references)])

    @property
    def _without(self) -> str:
        """What is said in place of statements."""
        if self.outcome == "cannot_answer" and self.asked_from is None:
            return _NOTHING_FOUND
        if self.reason == UNVERIFIED:
            return f"{UNVERIFIED} Closest passages:"
        return _WITHOUT.get(self.outcome, "")

    def _repr_html_(self) -> str:
        """Show the answer in a notebook, its quotes marked in their sentences."""
        from citeguard.reports.cards import Quoted, Row, as_card, passage_words

        quoted = {
            each.number: Quoted(
                passage_words(each.span, each.quote, self.passages), each.place, each.link
            )
            for each in self.references
        }
        rows = [
            Row(
                each.text,
                None if each.numbers else ("undecided", "Unverified"),
                quotes=[quoted[number] for number in each.numbers],
            )
            for each in self.statements
        ]
        understood = self.understood and f"Understood as: {self.understood}"
        notes = [understood, "" if rows else self._without, self.reason]
        badge = (_STYLES[self.outcome], self.outcome.replace("_", " ").capitalize())
        rows = rows or [Row(quotes=[*quoted.values()])]
        head = Row(self.question, badge, [*filter(None, notes)])
        return as_card(head, rows, len(rows))


class Message(Record):
    """A message of a conversation; one of the assistant keeps its references.

    Attributes:
        role: Who wrote it.
        text: What it says, with the numbers of its references.
        references: What the numbers stand for.
        outcome: How far the documents answered; `None` for a message of the user.
        reason: Why they did not, or only partly, in a sentence.
        asked_from: What the answer was taken from.
        understood: What the question before it was taken to ask in full; see `Reply`.
        created_at: When it was written, in UTC; `None` for one that is not kept.
    """

    role: Literal["user", "assistant"]
    text: str
    references: tuple[Reference, ...] = ()
    outcome: ReplyOutcome | None = None
    reason: str = ""
    asked_from: AskedFrom | None = None
    understood: str = ""
    created_at: datetime | None = None


def messages_of(reply: Reply) -> tuple[Message, Message]:
    """Return a reply as the messages of a conversation: the question, and the answer."""
    answer = Message(
        role="assistant",
        text=reply.text,
        references=reply.references,
        outcome=reply.outcome,
        reason=reply.reason,
        asked_from=reply.asked_from,
        understood=reply.understood,
    )
    return Message(role="user", text=reply.question), answer


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, and what may answer it.

    Attributes:
        question: The question.
        sources: The documents that the passages are from, whole.
        versions: The SHA-256 of the content of each.
        passages: The passages, the best first.
        asked_from: What the answer is taken from.
        history: What was said before, in order.
        threshold: The least probability with which quotes must answer the question, 0 to 1; `None`
            for the default.
    """

    question: str
    sources: Sources
    versions: Mapping[str, str]
    passages: tuple[Passage, ...] = ()
    asked_from: AskedFrom = "passages"
    history: tuple[Message, ...] = ()
    threshold: float | None = None


def reply_to(asked: Asked, outcome: ReplyOutcome, reason: str, **more: Any) -> Reply:
    """Return the reply to a question, with the rest of its fields."""
    asked_of: Any = {"question": asked.question, "asked_from": asked.asked_from}
    return Reply(outcome=outcome, reason=reason, passages=asked.passages, **asked_of, **more)


def answered(asked: Asked, answer: Answer) -> Reply:
    """Return an answer that was validated with the sources as a reply; raise if it was not."""
    numbered = _Numbered(asked)
    statements = tuple(map(numbered.statement, answer.statements))
    own: Any = {"statements": statements, "references": numbered.references, "answer": answer}
    return reply_to(asked, *_outcome(answer, statements), **own)


def closest_passages(asked: Asked, reason: str) -> Reply:
    """Return the closest passages as references of a reply that answers nothing."""
    numbered = _Numbered(asked)
    for each in asked.passages[:_CLOSEST]:
        numbered.number(each.span)
    return reply_to(asked, "passages", reason, references=numbered.references)


def _outcome(answer: Answer, statements: tuple[ReplyStatement, ...]) -> tuple[ReplyOutcome, str]:
    own_words = model_words(answer.unanswerable)
    left_open = own_words and not_in_sources(own_words)
    if not statements:
        return "cannot_answer", left_open
    lost = len(answer.dropped)
    unsure = sum(each.outcome == "undecided" for each in statements)
    if unsure == len(statements):
        return "undecided", left_open or "Nothing that it says could be verified."
    if not (left_open or lost or unsure):
        return "answered", ""
    parts: list[str] = []
    if lost:
        them = "it" if lost == 1 else "them"
        parts.append(f"{_counted(lost)} left out, as the documents do not support {them}")
    if unsure:
        they = "it" if unsure == 1 else "they"
        parts.append(f"{_counted(unsure)} marked, as {they} could not be verified")
    said = ", and ".join(parts)
    return "partly", left_open or f"{said[0].upper()}{said[1:]}."


def _counted(count: int) -> str:
    return "one statement was" if count == 1 else f"{count} statements were"


class _Numbered:
    """References in the order of first mention; the same span has one number."""

    def __init__(self, asked: Asked) -> None:
        self._sources, self._versions = asked.sources, asked.versions
        self._by_span: dict[Span, Reference] = {}

    @property
    def references(self) -> tuple[Reference, ...]:
        return tuple(self._by_span.values())

    def statement(self, statement: Statement) -> ReplyStatement:
        text = without_marks(statement.text, source_ids=self._sources.ids)
        outcome: Any = None if statement.verdict is None else statement.verdict.outcome
        if outcome not in ("supported", None):
            return ReplyStatement(text=text, outcome="undecided")
        if not all(each.spans for each in statement.citations):
            raise CiteguardError("the answer has a citation that was never validated")
        numbers = (self.number(span) for each in statement.citations for span in each.spans)
        return ReplyStatement(text=text, numbers=tuple(dict.fromkeys(numbers)), outcome=outcome)

    def number(self, span: Span) -> int:
        """Return the number of the reference to a span."""
        if span in self._by_span:
            return self._by_span[span].number
        place = self._sources.location_of(span)
        self._by_span[span] = Reference(
            number=len(self._by_span) + 1,
            source_id=span.source_id,
            title=self._sources[span.source_id].title,
            page=place.page,
            page_label=place.page_label,
            heading=" › ".join(place.headings),
            detail=place.detail,
            line=place.line,
            span=span,
            quote=self._sources.slice(span),
            link=place.url,
            version=self._versions[span.source_id],
        )
        return len(self._by_span)

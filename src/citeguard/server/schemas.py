"""The models of requests and replies, and the OpenAPI description made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SkipValidation,
    computed_field,
    model_validator,
)
from pydantic.config import JsonDict
from pydantic.json_schema import models_json_schema

from citeguard.judges.usage import Stage
from citeguard.library.reply import Message, Reference, ReferenceState, Reply
from citeguard.reports.report import (
    CheckedClaim,
    CheckedLink,
    CitationFinding,
    Search,
    Spent,
    Trust,
)
from citeguard.server.errors import STATUSES
from citeguard.validation.models import Answer

if TYPE_CHECKING:
    from fastapi import FastAPI

JSON = "application/json"
MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"

LONE_SURROGATE = "a lone surrogate, which is half a character"
"""Part of a message. Such a text cannot be encoded in UTF-8, so no reply can contain it."""

MAX_ID = 200
"""Maximum length of a source's id in code points: every piece of evidence repeats it."""

MAX_PASSAGES = 50
"""Maximum number of passages that a search returns."""

MAX_MESSAGES, MAX_DOCUMENTS = 200, 1_000
"""Maximum number of messages before a question, and of documents that it may name."""

_MAX_LABEL = 2_000  # characters of a title or a URL, which the report repeats
_TEXT = "The notice period is one month [handbook]. Lunch costs 9 euros."
_HANDBOOK = "The notice period is one month to the end of a calendar month."
_SURROGATE = re.compile("[\ud800-\udfff]")
_JSON_TEXT: JsonDict = {"contentMediaType": JSON}


def has_lone_surrogate(text: str) -> bool:
    """Return whether a text cannot be encoded in UTF-8."""
    return _SURROGATE.search(text) is not None


def as_list(sources: Any) -> Any:
    """Return sources given as an object, `{id: text}`, as a list; anything else unchanged."""
    if not isinstance(sources, Mapping):
        return sources
    texts = cast("Mapping[Any, Any]", sources)
    return [{"id": source_id, "text": text} for source_id, text in texts.items()]


def _encodable(value: Any) -> Any:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if has_lone_surrogate(text):
        raise ValueError(f"has {LONE_SURROGATE}")
    return value


# For a string with a pattern, Pydantic also checks that it can be encoded.
CheckedText = Annotated[str, Field(min_length=1, pattern=r"\S")]
SourceId = Annotated[str, Field(min_length=1, max_length=MAX_ID, pattern=r"\S")]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SourceInput(_Request):
    """A source. Its URL is shown as a link; the service never fetches it."""

    id: SourceId = Field(examples=["handbook"])
    text: str = Field(examples=[_HANDBOOK])
    title: str | None = Field(default=None, max_length=_MAX_LABEL, examples=["Staff handbook"])
    url: str | None = Field(
        default=None, max_length=_MAX_LABEL, examples=["https://example.org/handbook"]
    )


SourcesInput = Annotated[
    list[SourceInput],
    BeforeValidator(
        as_list,
        json_schema_input_type=Annotated[dict[SourceId, str], Field(min_length=1)]
        | Annotated[list[SourceInput], Field(min_length=1)],  # a form may have files instead
    ),
    Field(examples=[{"handbook": _HANDBOOK}]),
]


class AuditRequest(_Request):
    """Free text to check claim by claim, and the sources."""

    text: CheckedText = Field(
        description="The text; it may have citation marks, such as [handbook] or [1].",
        examples=[_TEXT],
    )
    sources: SourcesInput


class CheckRequest(_Request):
    """An answer with citations, and the sources."""

    # Validated by `examine`, which reports what is wrong with each part.
    answer: Annotated[SkipValidation[Answer], AfterValidator(_encodable)]
    sources: SourcesInput
    support: bool = Field(
        default=False,
        description="Whether to also judge if the cited passages support the statements.",
    )


class FactCheckRequest(_Request):
    """A statement, or a text with several, to check on pages that are found and read."""

    text: CheckedText = Field(
        description="The statement or text. Addresses in it are not opened.",
        examples=["The Golden Gate Bridge opened in 1937."],
    )


class ChatMessage(_Request):
    """What was said before: by the user, or in an answer."""

    role: Literal["user", "assistant"]
    text: CheckedText


class AskRequest(_Request):
    """A question to the documents of the library."""

    question: CheckedText = Field(
        description="The question. It may refer to what was said before.",
        examples=["How long is the notice period?"],
    )
    chat_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_ID,
        description="The chat that it belongs to; a new one if it is omitted.",
    )
    history: list[ChatMessage] | None = Field(
        default=None,
        max_length=MAX_MESSAGES,
        description="What was said before, in order, in place of a chat: nothing is kept then.",
    )
    model: CheckedText | None = Field(
        default=None,
        max_length=MAX_ID,
        description="Who writes the answer: one of the models that the service offers.",
    )
    temperature: float | None = Field(
        default=None, ge=0, le=2, description="The temperature of a language model."
    )
    threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="The least probability with which quotes must answer the question.",
    )
    source_ids: list[SourceId] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_DOCUMENTS,
        description="The documents to read; all of them if it is omitted.",
    )
    k: int = Field(
        default=4, ge=1, le=MAX_PASSAGES, description="Maximum number of passages to read."
    )

    @model_validator(mode="after")
    def _has_one_history(self) -> Self:
        if self.chat_id is not None and self.history is not None:
            raise ValueError("a chat has its own history: give either chat_id or history")
        return self


class QuoteRequest(_Request):
    """A quote to find, and the sources."""

    quote: CheckedText = Field(
        description="The words that should be in a source, as they are quoted.",
        examples=["notice period is one month"],
    )
    source_id: SourceId | None = Field(
        default=None, description="The only source to look in; all of them if it is omitted."
    )
    sources: SourcesInput


class SearchRequest(_Request):
    """A question or some words to search for, and the sources."""

    query: CheckedText = Field(
        description="A question, a statement or some words.", examples=["length of the notice"]
    )
    k: int = Field(default=4, ge=1, le=MAX_PASSAGES, description="Maximum number of passages.")
    source_id: SourceId | None = Field(
        default=None, description="The only source to search; all of them if it is omitted."
    )
    sources: SourcesInput


class _Form(BaseModel):
    """The fields that all forms have; `CheckRequest` and `AuditRequest` validate them."""

    source: list[str] = Field(default=[], description="Sources as plain text, one per value.")
    sources: str = Field(
        default="",
        description="Sources as JSON, in the same form as in a JSON request.",
        json_schema_extra=_JSON_TEXT,
    )
    files: list[Annotated[bytes, Field(json_schema_extra={"format": "binary"})]] = Field(
        default=[],
        description="Documents: PDF, HTML, Markdown, text, or JSON of {id: text}.",
    )


class AuditForm(_Form):
    """The same request as a form; it needs a file or a source."""

    text: CheckedText = Field(examples=[_TEXT])


class CheckForm(_Form):
    """The same request as a form; it needs a file or a source. The answer may also be a file."""

    answer: str = Field(description="The answer as JSON.", json_schema_extra=_JSON_TEXT)
    support: bool = False


class Error(BaseModel):
    """Why a request was rejected: a code for programs, and a message for people."""

    code: str = Field(json_schema_extra={"enum": [*STATUSES]})
    message: str


class ErrorReply(BaseModel):
    """The reply to a request that was rejected."""

    error: Error


class Problem(BaseModel):
    """An error in one part of an answer."""

    code: str = Field(examples=["quote_not_found"])
    message: str


class CheckedCitationReply(BaseModel):
    """A citation as it was given, with its spans, grade and more if its quote was found."""

    model_config = ConfigDict(extra="allow")

    quote: str
    source_id: str | None
    line: int | None = Field(default=None, description="Line in the source, from 1, if found.")
    errors: list[Problem]


class CheckedStatementReply(BaseModel):
    """A statement, with its errors and those of its citations."""

    model_config = ConfigDict(extra="allow")

    text: str
    citations: list[CheckedCitationReply]
    errors: list[Problem]


class CheckReply(BaseModel):
    """The result of checking an answer. Spans are half-open intervals of code points."""

    passed: bool
    statements: list[CheckedStatementReply]
    errors: list[Problem]
    models: list[Stage] = Field(
        default=[], description="What each language model was asked, and what that cost."
    )


class AuditToolReply(BaseModel):
    """The result of auditing a text: a `Report` without the text and the sources."""

    trust: Trust | None = Field(description="`null` if there is nothing to check.")
    claims: tuple[CheckedClaim, ...]
    findings: tuple[CitationFinding, ...] = Field(description="Problems with citation marks.")
    models: tuple[Stage, ...] = Field(
        description="What each language model was asked, and what that cost."
    )


class FactToolReply(AuditToolReply):
    """The result of a fact check: a `Report` without the text and the pages' texts."""

    links: tuple[CheckedLink, ...] = Field(description="The pages that were found.")
    searches: tuple[Search, ...]
    spent: Spent


class AskReply(Reply):
    """The answer to a question, with references that were all found in the documents."""

    chat_id: str | None = Field(description="The chat; `null` if the request had a history.")

    @computed_field(description="The answer with the numbers of its references, for a reader.")
    @property
    def text(self) -> str:
        """The same for a reader."""
        return super().text


class KeptReference(Reference):
    """A reference of an answer that was kept."""

    state: ReferenceState = Field(description="What has become of it since.")


class KeptMessage(Message):
    """A message of a chat."""

    references: tuple[KeptReference, ...] = ()  # pyright: ignore[reportIncompatibleVariableOverride] - frozen


class ChatContents(BaseModel):
    """A chat with its messages, in order."""

    id: str
    messages: list[KeptMessage]


class DocumentReply(BaseModel):
    """A document of the library."""

    source_id: str
    title: str | None
    url: str | None
    kind: str | None = Field(description="The kind of file that it was read from, if any.")
    version: str = Field(description="The SHA-256 of its content.")
    characters: int
    passages: int
    added_at: datetime


class DocumentPartReply(DocumentReply):
    """A part of a document, `text[start:end]` in code points, and what surrounds it."""

    start: int
    end: int
    before: str = Field(description="Up to 700 characters before it.")
    text: str
    after: str = Field(description="Up to 700 characters after it.")
    page: int | None = Field(default=None, description="The page that it starts on, from 1.")
    page_label: str | None = Field(default=None, description="What the file calls that page.")
    headings: list[str] = []
    detail: str = Field(default="", description="Its table, row and column, or its paragraph.")
    line: int | None = Field(default=None, description="The line of a text that it starts on.")
    is_changed: bool = Field(
        description="Whether the document is not the given version, and the part is empty."
    )


class PassageReply(BaseModel):
    """A passage of a source: `text[start:end]`, in code points."""

    model_config = ConfigDict(extra="allow")

    source_id: str
    start: int
    end: int
    text: str
    score: float = Field(description="Relevance, higher is better; not comparable across searches.")
    line: int | None = Field(description="Line in the source, from 1.")


class SearchReply(BaseModel):
    """The passages that a search has found, best first."""

    passages: list[PassageReply]


class Health(BaseModel):
    """The state of the service."""

    status: Literal["ok"]
    version: str
    processes: int = Field(description="Number of worker processes.")
    idle: int = Field(description="Number of worker processes that wait for a request.")
    running: int = Field(description="Number of requests being worked on.")
    waiting: int = Field(description="Number of requests that wait for a worker process.")


AUDIT = """\
Replies with a report: each claim with its verdict, its evidence and its position. With `Accept: \
text/event-stream`, the events are `sources` (everything was read), `claim` (one each, as soon as \
it is judged), `progress`, and at the end `report`, then `html` if the query has `page=true`; or \
`error`. With `Accept: text/html`, the reply is the report as a page.

URLs in the request are never fetched, and nothing is kept after the reply."""

CHECK = """\
Replies with every statement and citation, where each quote was found, and all errors: what \
`citeguard check --json` prints. With `support`, also judges whether the cited passages support \
the statements. With `Accept: text/event-stream`, the events are `sources`, `statement` (one \
each), and at the end `result`; or `error`."""

FACT_CHECK = """\
Searches for each statement, reads the pages that are found, and replies with what they say: an \
verdict for each statement, with the words that decide, and a link that highlights them. A search \
that failed and a page that could not be read are never taken for silence: the statement is then \
`undecided`. A request names no addresses to open and no search provider.

With `Accept: text/event-stream`, everything is sent as it happens: `statement`, `queries`, \
`results`, `page`, `passages` and `verdict`, which name their statement by its `number`, and at \
the end `report`, then `html` if the query has `page=true`; or `error`. With `Accept: text/html`, \
the reply is the report as a page."""

ASK = """\
Answers a question from the documents of the library. Every reference of the reply is a quote that \
is in a document at the place that it names. `outcome` says how far the documents answer: \
`answered`, `partly`, `passages` (no sentence clearly answers, and the references are the closest \
passages), `cannot_answer` (no passage that was read says it), or `undecided` (the model failed, \
or nobody could tell), which is no error of the request.

With `Accept: text/event-stream`, the events are `chat` (at once), `text` (the answer as far as it \
is written: provisional, and without references), `statement` (one each, checked, with its \
references), and at the end `reply`; or `error`.

Question and reply are kept in the chat that `chat_id` names, or in a new one; with `history`, \
nothing is kept. A model is one of those that whoever runs the service has chosen."""

# Routes take the bare request, as a worker process parses it, so FastAPI cannot describe the
# bodies.
_BODIES: dict[str, dict[str, type[BaseModel]]] = {
    "audit": {JSON: AuditRequest, MULTIPART: AuditForm, URLENCODED: AuditForm},
    "check": {JSON: CheckRequest, MULTIPART: CheckForm, URLENCODED: CheckForm},
    "fact_check": dict.fromkeys((JSON, MULTIPART, URLENCODED), FactCheckRequest),
    "ask": {JSON: AskRequest},
}
_REFERENCE = "#/components/schemas/{model}"


def responses_of(model: Any, description: str, *media_types: str) -> dict[int | str, Any]:
    """Return the OpenAPI responses of an action: as JSON, and in other media types."""
    content = {media_type: {"schema": {"type": "string"}} for media_type in media_types}
    ok = {"model": model, "description": description, "content": content}
    return {200: ok, **errors_of(400, 403, 408, 413, 415, 422, 429, 500, 502)}


def errors_of(*statuses: int) -> dict[int | str, Any]:
    """Return the OpenAPI responses for errors with these statuses."""
    codes = {
        status: ", ".join(f"`{code}`" for code, its in STATUSES.items() if its == status)
        for status in statuses
    }
    return {status: {"model": ErrorReply, "description": codes[status]} for status in statuses}


def request_body_of(action: str) -> dict[str, Any]:
    """Return the OpenAPI request body of an action."""
    content = {
        media_type: {"schema": {"$ref": _REFERENCE.format(model=model.__name__)}}
        for media_type, model in _BODIES[action].items()
    }
    return {"requestBody": {"required": True, "content": content}}


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description of the service."""
    from fastapi.openapi.utils import get_openapi  # which a worker process does without

    openapi = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    served = [
        bodies
        for name, bodies in _BODIES.items()
        if f"/{name.replace('_', '-')}" in openapi["paths"]
    ]
    models = {model for bodies in served for model in bodies.values()}
    _, definitions = models_json_schema(
        [(model, "validation") for model in models], ref_template=_REFERENCE
    )
    schemas = {**definitions["$defs"], **openapi["components"]["schemas"]}
    openapi["components"]["schemas"] = dict(sorted(schemas.items()))
    return openapi

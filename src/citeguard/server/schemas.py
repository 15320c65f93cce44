"""What requests hold and replies look like, for validation and for the OpenAPI description."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SkipValidation
from pydantic.config import JsonDict

from citeguard.server.refusals import RefusalCode

_TEXT = "The notice period is one month [handbook]. Lunch costs 9 euros."
_HANDBOOK = "The notice period is one month to the end of a calendar month."
_SURROGATE = re.compile("[\ud800-\udfff]")

HALF = "half a character, a lone surrogate"
"""What no reply could tell of."""

LONGEST_ID = 200
"""Characters that the id of a source may have: each piece of evidence names it."""

_LONGEST_LABEL = 2_000  # characters of a title or a URL
_SAID: JsonDict = {"minLength": 1, "pattern": r"\S"}


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


def has_half_a_character(text: str) -> bool:
    """Tell whether a text has a lone surrogate, which UTF-8 does not."""
    return _SURROGATE.search(text) is not None


def _whole(given: Any) -> Any:
    try:
        written = json.dumps(given, ensure_ascii=False)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if has_half_a_character(written):
        raise ValueError(f"has {HALF}")
    return given


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


SaidText = Annotated[
    str, AfterValidator(_said), AfterValidator(_whole), Field(json_schema_extra=_SAID)
]
SourceId = Annotated[
    str, Field(max_length=LONGEST_ID, json_schema_extra=_SAID), AfterValidator(_said)
]


class SourceInput(_Request):
    """A source. Its URL is shown as a link; the service never asks for it."""

    id: SourceId = Field(examples=["handbook"])
    text: str = Field(examples=[_HANDBOOK])
    title: str | None = Field(default=None, max_length=_LONGEST_LABEL, examples=["Staff handbook"])
    url: str | None = Field(
        default=None, max_length=_LONGEST_LABEL, examples=["https://example.org/handbook"]
    )


def listed(given: Any) -> Any:
    """Return sources given as an object, `{id: text}`, as a list; anything else as it is."""
    if not isinstance(given, Mapping):
        return given
    texts = cast("Mapping[Any, Any]", given)
    return [{"id": source_id, "text": text} for source_id, text in texts.items()]


SourcesInput = Annotated[
    list[SourceInput],
    BeforeValidator(
        listed,
        json_schema_input_type=Annotated[dict[SourceId, str], Field(min_length=1)]
        | Annotated[list[SourceInput], Field(min_length=1)],  # of a form, files can be all
    ),
    Field(examples=[{"handbook": _HANDBOOK}]),
]
"""Sources: a list of them, or a mapping of ids to texts."""


class CitationInput(BaseModel):
    """A quote, and the source that it is said to stand in."""

    quote: str = Field(examples=["notice period is one month"])
    source_id: str | None = Field(default=None, examples=["handbook"])


class StatementInput(BaseModel):
    """A statement with what it cites."""

    text: str = Field(examples=["The notice period is one month."])
    citations: list[CitationInput]


class AnswerInput(BaseModel):
    """An answer with citations."""

    statements: list[StatementInput]
    question: str | None = None


class VerifyRequest(_Request):
    """Free text to be checked claim by claim, and the sources."""

    text: SaidText = Field(examples=[_TEXT])
    sources: SourcesInput


class CheckRequest(_Request):
    """An answer with citations, and the sources.

    Attributes:
        support: Whether it is judged, too, if what is cited supports the statements.
    """

    # What is wrong with it, `examine` says.
    answer: Annotated[SkipValidation[AnswerInput], AfterValidator(_whole)]
    sources: SourcesInput
    support: bool = False


_JSON_TEXT: JsonDict = {"contentMediaType": "application/json"}

FilesInput = Annotated[
    list[Annotated[bytes, Field(json_schema_extra={"format": "binary"})]],
    Field(description="Documents: PDF, HTML, Markdown, text, or JSON of {id: text}."),
]
"""Documents, as a form has them."""


class _Fields(BaseModel):
    source: list[str] = Field(default=[], description="Texts of sources, one each.")
    sources: str = Field(
        default="",
        description="Sources as JSON, as in a request of JSON.",
        json_schema_extra=_JSON_TEXT,
    )


class VerifyFields(_Fields):
    """The same as a form without files; it needs a source."""

    text: SaidText = Field(examples=[_TEXT])


class VerifyForm(VerifyFields):
    """The same as a form; it needs a file or a source."""

    files: FilesInput = []


class CheckFields(_Fields):
    """The same as a form without files; it needs a source."""

    answer: str = Field(description="The answer as JSON.", json_schema_extra=_JSON_TEXT)
    support: bool = False


class CheckForm(CheckFields):
    """The same as a form; it needs a file or a source. The answer may be a file, too."""

    files: FilesInput = []


class Error(BaseModel):
    """Why a request was refused: a code for programs, and a message for people."""

    code: RefusalCode
    message: str


class ErrorReply(BaseModel):
    """What a request that is refused is answered with."""

    error: Error


class Problem(BaseModel):
    """What is wrong with a part of an answer."""

    code: str = Field(examples=["quote_not_found"])
    message: str


class CheckedCitationReply(BaseModel):
    """A citation as it was given; where it was found, also all that is known of it."""

    model_config = ConfigDict(extra="allow")

    quote: str
    source_id: str | None
    line: int | None = Field(default=None, description="Of the source, from 1, if it was found.")
    errors: list[Problem]


class CheckedStatementReply(BaseModel):
    """A statement, and what is wrong with it."""

    model_config = ConfigDict(extra="allow")

    text: str
    citations: list[CheckedCitationReply]
    errors: list[Problem]


class CheckReply(BaseModel):
    """What was found in an answer; offsets are half-open, in code points."""

    passed: bool
    statements: list[CheckedStatementReply]
    errors: list[Problem]


class Health(BaseModel):
    """That the service is there, and how much it has to do."""

    status: Literal["ok"]
    version: str
    processes: int = Field(description="Processes that are there, for texts and for documents.")
    idle: int = Field(description="Processes that wait for a request.")
    running: int = Field(description="Requests that are worked on.")
    waiting: int = Field(description="Requests that wait for a process.")

"""The service's own pages, each of which is one HTML text that loads nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape

from citeguard.documents import SUFFIXES
from citeguard.library.answering import LLMAnswerer
from citeguard.library.reply import STATES, ReplyOutcome
from citeguard.reports.html import asset, digest, rendered
from citeguard.reports.page import policies
from citeguard.reports.wording import VERDICTS
from citeguard.server.chats import Chatting
from citeguard.server.errors import STATUSES, ServiceError
from citeguard.server.limits import Limits
from citeguard.server.schemas import DocumentPartReply
from citeguard.sources.collection import Source
from citeguard.sources.layout import name_of_place

_PACKAGE = "citeguard.server"
_REFERENCE = "#/components/schemas/"
_EXAMPLE = {
    "text": (
        "# Working at the institute\n\n"
        "The institute was founded in 1985 by Marta Lindqvist. The notice period is one month. "
        "Guests pay 9 euros for lunch. The campus has a swimming pool. "
        "I think it is a fine place to work."
    ),
    "source": (
        "# Staff handbook\n\n"
        "The notice period is one month to the end of a calendar month. During probation, either "
        "party may end the contract within fourteen days.\n\n"
        "The institute was founded in 1984 by Marta Lindqvist and eleven colleagues. It moved to "
        "the old rope works in 1997.\n\n"
        "Lunch is free for all employees on weekdays; guests pay 9 euros."
    ),
}

_HEADINGS = {
    "not_found": "There is nothing here",
    "not_configured": "This service does not offer that",
    "no_token": "This service is only for those who have its token",
    "busy": "The service is busy",
    "internal": "Something went wrong here",
}
OUTCOMES: dict[ReplyOutcome, tuple[str, str]] = {
    "answered": ("Answered", ""),
    "partly": ("Partly answered", "Something of it is left open."),
    "passages": ("Closest passages", ""),
    "cannot_answer": ("Not answered", ""),
    "undecided": ("Undecided", "This could not be decided. It says nothing about the documents."),
}
"""How far the documents answer a question, and what a reply without a reason shows instead."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its content security policy."""

    html: str
    policy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What a service offers besides audits and checks: fact checks, and documents to ask."""

    facts: bool
    library: bool


def form_page(limits: Limits, offers: Offers, *, facts: bool = False) -> Page:
    """Return the form for audits, or for fact checks: it shows what happens, and the report."""
    return _script_page(
        "form",
        policies(),
        here="fact-check" if facts else ".",
        limits=limits,
        offers=offers,
        facts=facts,
        suffixes=SUFFIXES,
        verdicts=VERDICTS,
        example=_EXAMPLE,
    )


def chat_page(limits: Limits, offers: Offers, chatting: Chatting) -> Page:
    """Return the page that asks the documents of a library; see `form_page`."""
    answerers = chatting.answerers
    return _script_page(
        "chat",
        ("", ""),
        here="ask",
        limits=limits,
        offers=offers,
        models=list(answerers),
        temperature=any(isinstance(each, LLMAnswerer) for each in answerers.values()),
        uploads=chatting.uploads,
        suffixes=SUFFIXES,
        outcomes=OUTCOMES,
        states=STATES,
    )


def document_page(part: DocumentPartReply, source: Source, *, up: str) -> Page:
    """Return a document of a library as a page, in which a part is highlighted.

    `up` is what leads from the page's address to that of the service: `"../"`.
    """
    text = source.text
    is_whole = part.is_changed or (part.start, part.end) == (0, len(text))
    place = name_of_place(
        page=part.page,
        page_label=part.page_label,
        headings=part.headings,
        line=part.line,
        detail=part.detail,
    )
    return _plain_page(
        "document.html",
        part=part,
        address=quote(part.source_id, safe=""),
        place="" if is_whole else place,
        is_whole=is_whole,
        has_file=source.layout is not None and source.layout.file is not None,
        before=text if is_whole else text[: part.start],
        after="" if is_whole else text[part.end :],
        up=up,
    )


def error_page(error: ServiceError, *, up: str) -> Page:
    """Return why a request was rejected as a page, with a way back; `up` as in `document_page`."""
    heading = _HEADINGS.get(error.code, HTTPStatus(error.status).phrase)
    message = f"{error.message[:1].upper()}{error.message[1:]}."
    return _plain_page("error.html", heading=heading, message=message, error=error, up=up)


def docs_page(openapi: dict[str, Any]) -> Page:
    """Return the documentation of the API, rendered from its OpenAPI description."""
    parts = {"type_of": _type_of, "marked": _marked, "statuses": STATUSES}
    return _plain_page("docs.html", openapi=openapi, **parts)


def _script_page(name: str, shown: tuple[str, str], **values: Any) -> Page:
    """Return a page with a script, whose template has the same name.

    `shown` has the digests of the style and script of a page that is shown in it, under its policy.
    """
    style, script = _style(), asset("peek.js") + asset("stream.js", _PACKAGE)
    script += asset(f"{name}.js", _PACKAGE)
    policy = (
        f"default-src 'none'; style-src {digest(style)} {shown[0]}; "
        f"script-src {digest(script)} {shown[1]}; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-src blob:; base-uri 'none'; frame-ancestors 'none'; "
        # A script that wrote a stranger's text as HTML would fail instead.
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return Page(rendered(f"{name}.html", _PACKAGE, style=style, script=script, **values), policy)


def _plain_page(name: str, **values: Any) -> Page:
    style = _style()
    policy = (
        f"default-src 'none'; style-src {digest(style)}; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Page(rendered(name, _PACKAGE, style=style, **values), policy)


def _style() -> Markup:
    return asset("base.css") + asset("style.css", _PACKAGE)


def _marked(text: str) -> Markup:  # what is between backticks is code
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def _type_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REFERENCE)
    if "anyOf" in schema:
        return " or ".join(map(_type_of, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_type_of(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type_of(schema['additionalProperties'])}"
    return str(schema.get("format") or schema.get("type") or "any")

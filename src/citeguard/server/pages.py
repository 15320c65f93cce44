"""The service's own pages, each of which is one HTML text that loads nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import unescape
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from citeguard.documents import SUFFIXES
from citeguard.library.reply import ReferenceState, ReplyOutcome
from citeguard.reports.page import as_html
from citeguard.reports.report import Report
from citeguard.reports.wording import LABELS, MEANINGS
from citeguard.server.errors import STATUSES
from citeguard.server.limits import Limits
from citeguard.server.schemas import DocumentPartReply
from citeguard.sources.collection import Source
from citeguard.sources.layout import name_of_place

_PACKAGE = "citeguard.server"
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
_DIGESTS = re.compile(r"'sha256-[^']+'")
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


@dataclass(frozen=True, slots=True)
class Page:
    """A page with its content security policy."""

    html: str
    policy: str


OUTCOMES: dict[ReplyOutcome, str] = {
    "answered": "Answered",
    "partly": "Partly answered",
    "passages": "Closest passages",
    "cannot_answer": "Not in the documents",
    "undecided": "Undecided",
}
"""How far the documents answer a question, in a word or two."""

OUTCOME_MEANINGS: dict[ReplyOutcome, str] = {
    "answered": "",
    "partly": "Something of it is left open.",
    "passages": "No sentence clearly answers this.",
    "cannot_answer": "The documents do not answer this.",
    "undecided": "This could not be decided. It says nothing about the documents.",
}
STATES: dict[ReferenceState, str] = {
    "stands": "",
    "source_changed": "The document has changed since.",
    "source_removed": "The document was removed since.",
    "quote_missing": "The document no longer has these words.",
    "quote_on_other_page": "The document now has these words on another page.",
    "under_other_heading": "The document now has these words under another heading.",
    "in_other_source": "Another document has these words, and this one no longer does.",
}
"""What has become of a reference, in a sentence."""


def form_page(limits: Limits, *, facts: bool = False, library: bool = False) -> Page:
    """Return the form that sends a text to be checked, and shows the report.

    Args:
        limits: The limits of requests.
        facts: Whether to lead to `fact_page`.
        library: Whether to lead to `chat_page`.
    """
    return _form_page(
        "form",
        _report_digests(),
        limits=limits,
        suffixes=SUFFIXES,
        labels=LABELS,
        example=_EXAMPLE,
        facts=facts,
        library=library,
    )


def fact_page(limits: Limits, *, library: bool = False) -> Page:
    """Return the form that sends a text for a fact check, and shows it as it happens.

    Args:
        limits: The limits of requests.
        library: Whether to lead to `chat_page`.
    """
    return _form_page(
        "facts",
        _report_digests(),
        limits=limits,
        labels=LABELS,
        meanings=MEANINGS,
        library=library,
    )


def chat_page(limits: Limits, *, models: Sequence[str], temperature: bool, facts: bool) -> Page:
    """Return the page that asks the documents of a library.

    Args:
        limits: The limits of requests.
        models: The names of those who can write the answers, the default first.
        temperature: Whether one of them is a language model.
        facts: Whether to lead to `fact_page`.
    """
    return _form_page(
        "chat",
        "",
        limits=limits,
        models=models,
        temperature=temperature,
        facts=facts,
        outcomes=OUTCOMES,
        meanings=OUTCOME_MEANINGS,
        states=STATES,
    )


def document_page(part: DocumentPartReply, source: Source, *, up: str) -> Page:
    """Return a document of a library as a page, in which a part is highlighted.

    Args:
        part: The part, which may be all of the text.
        source: The document.
        up: What leads from the page's address to that of the service: `"../"`.
    """
    text = source.text
    is_whole = part.is_changed or (part.start, part.end) == (0, len(text))
    place = name_of_place(page=part.page, page_label=part.page_label, headings=part.headings)
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


def _form_page(name: str, digests: str, **values: Any) -> Page:
    """Return a page with a script.

    Args:
        name: The name of its template and of its script.
        digests: Those of the report's style and script, for the report is shown under its policy.
        values: For the template.
    """
    script = _asset("stream.js") + _asset(f"{name}.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(_asset('style.css'))}' {digests}; "
        f"script-src '{_digest(script)}' {digests}; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-src blob:; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return Page(_rendered(f"{name}.html", script=script, **values), policy)


def docs_page(openapi: dict[str, Any]) -> Page:
    """Return the documentation of the API, rendered from its OpenAPI description."""
    return _plain_page("docs.html", openapi=openapi, type_of=_type_of, statuses=STATUSES)


def _plain_page(name: str, **values: Any) -> Page:
    policy = (
        f"default-src 'none'; style-src '{_digest(_asset('style.css'))}'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Page(_rendered(name, **values), policy)


def _rendered(name: str, **values: Any) -> str:
    return _environment().get_template(name).render(style=_asset("style.css"), **values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["marked"] = _marked
    return environment


def _marked(text: str) -> Markup:
    """Return a text as HTML, in which text between backticks is code."""
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


@cache
def _asset(name: str) -> Markup:
    return Markup((files(_PACKAGE) / "templates" / name).read_text("utf-8"))


def _digest(inline: str) -> str:
    return f"sha256-{b64encode(sha256(inline.encode()).digest()).decode()}"


@cache
def _report_digests() -> str:
    """Return the digests of a report's script and style, which the form's policy must allow."""
    match = _POLICY.search(as_html(Report(text="", sources=(), claims=())))
    return " ".join(_DIGESTS.findall("" if match is None else unescape(match[1])))


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

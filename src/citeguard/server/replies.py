"""What is replied, and in which form: JSON, events, or a page."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from citeguard.server.events import EVENT_STREAM
from citeguard.server.jobs import Action, Form
from citeguard.server.pages.rendering import Page
from citeguard.server.reading import JSON
from citeguard.server.refusals import RefusedError

HTML = "text/html"
"""The media type of pages."""


def wanted_form(request: Request, action: Action) -> Form:
    """Return how a client wants to be replied to: as JSON, unless it asks for something else.

    A page is made of free text only.
    """
    if accepts(request, EVENT_STREAM):
        return "events"
    return "html" if action == "verify" and accepts(request, HTML) else "json"


def accepts(request: Request, media_type: str) -> bool:
    """Tell whether a client names a media type among those that it accepts."""
    accepted = request.headers.get("accept", "").lower().split(",")
    return media_type in [each.partition(";")[0].strip() for each in accepted]


def json_reply(content: bytes, status: int = 200) -> Response:
    """Return a reply of JSON."""
    return Response(content, status, media_type=JSON)


def page_reply(page: Page, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a page as a reply, with its content security policy."""
    policy = {"Content-Security-Policy": page.policy}
    return HTMLResponse(page.html, status, {**policy, **(headers or {})})


def refused(refusal: RefusedError, headers: Mapping[str, str] | None = None) -> Response:
    """Return the reply to a request that is refused."""
    reply = json_reply(refusal.as_json(), refusal.status)
    reply.headers.update({**refusal.headers, **(headers or {})})
    return reply

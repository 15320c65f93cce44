"""What is replied, and in which form: JSON, events, or a page."""

from __future__ import annotations

import re
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

_FORMS: dict[Action, dict[str, Form]] = {  # where the weights are the same, the first is sent
    "verify": {JSON: "json", HTML: "html", EVENT_STREAM: "events"},
    "check": {JSON: "json", EVENT_STREAM: "events"},
}
_QUALITY = re.compile(r"q=[01](\.\d{0,3})?")


def wanted_form(request: Request, action: Action) -> Form:
    """Return how a client wants to be replied to, as its `Accept` headers weigh it.

    It is JSON if other forms are wanted no more, or none can be had. A page is made of free text
    only.
    """
    offered = _FORMS[action]
    accepted = _accepted(request)
    return offered[max(offered, key=lambda media_type: _weight(media_type, accepted))]


def _accepted(request: Request) -> dict[str, float]:
    """Return the media ranges that a client accepts, and the weight of each."""
    accepted: dict[str, float] = {}
    for each in ",".join(request.headers.getlist("accept")).lower().split(","):
        media_range, *parameters = (part.strip() for part in each.split(";"))
        given = [part for part in parameters if part.startswith("q=")]
        accepted[media_range] = _quality(given[0]) if given else 1.0
    return accepted


def _quality(parameter: str) -> float:
    return float(parameter[2:]) if _QUALITY.fullmatch(parameter) else 0.0


def _weight(media_type: str, accepted: Mapping[str, float]) -> float:
    """Return the weight of a media type: that of the narrowest range that has it, else 0."""
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
    return next((accepted[each] for each in ranges if each in accepted), 0.0)


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

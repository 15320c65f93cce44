"""What the service says of itself to programs: its OpenAPI description."""

from __future__ import annotations

from itertools import chain
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from citeguard.server.jobs import Action
from citeguard.server.reading import FORMS, JSON
from citeguard.server.refusals import STATUSES
from citeguard.server.schemas import (
    CheckFields,
    CheckForm,
    CheckRequest,
    ErrorReply,
    VerifyFields,
    VerifyForm,
    VerifyRequest,
)

_REFERENCE = "#/components/schemas/{model}"
_BODIES: dict[Action, tuple[type[BaseModel], ...]] = {  # of JSON, and of each kind of form
    "verify": (VerifyRequest, VerifyForm, VerifyFields),
    "check": (CheckRequest, CheckForm, CheckFields),
}

VERIFY = """\
Replies with a report: each claim with its verdict, its evidence and its place. With `Accept: \
text/event-stream` the claims come one by one, as soon as each is judged: events `sources` (all \
was read), `claim` (one each), `progress`, and at the end `report`, then `page` if the query says \
`page=true`; or `error`. With `Accept: text/html` the reply is the report as a page, and so is a \
refusal. JSON is replied where `Accept` wants no other form more.

No address that a client gives is ever asked for, and nothing is kept after the reply."""

CHECK = """\
Replies with every statement and citation, where each quote stands, and what is wrong: what \
`citeguard check --json` prints. With `support`, it is judged, too, if what is cited supports the \
statements. With `Accept: text/event-stream` there are the events `sources`, `statement` (one \
each), and at the end `result`; or `error`."""

_WHY = {
    400: "The body is not what its media type says.",
    403: "It was sent by a page of another site.",
    408: "The body came too slowly.",
    413: "It is more than the limits allow.",
    415: "The body is neither JSON nor a form, or is packed.",
    422: "It is not what is asked for, cannot be read, or takes too long or too much memory.",
    429: "There are too many requests; `Retry-After` says when to try again.",
    500: "A fault of the service.",
    502: "A language model that was asked gave no reply that can be used.",
}


def replies_of(model: Any, told: str, *others: str) -> dict[int | str, dict[str, Any]]:
    """Return how requests for work may be replied to, for their routes.

    Args:
        model: What is replied if all is well.
        told: What that is.
        others: The media types besides JSON in which it is replied.
    """
    content: dict[str, Any] = {media: {"schema": {"type": "string"}} for media in others}
    refusals = {
        status: {"model": ErrorReply, "description": _WHY[status]}
        for status in sorted(set(STATUSES.values()) & set(_WHY))
    }
    return {200: {"model": model, "description": told, "content": content}, **refusals}


def body_of(action: Action) -> dict[str, Any]:
    """Return what a request for work has as its body, for its route."""
    bodies = zip((JSON, *FORMS), _BODIES[action], strict=True)
    content = {media_type: {"schema": _reference(body)} for media_type, body in bodies}
    return {"requestBody": {"required": True, "content": content}}


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description of the service."""
    described = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    _, bodies = models_json_schema(
        [(body, "validation") for body in chain(*_BODIES.values())], ref_template=_REFERENCE
    )
    schemas = described["components"]["schemas"]
    described["components"]["schemas"] = dict(sorted({**bodies["$defs"], **schemas}.items()))
    return described


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REFERENCE.format(model=model.__name__)}

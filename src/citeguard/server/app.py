"""The HTTP service as an ASGI application: `create_app`."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection
from functools import cache, partial
from importlib.metadata import version
from typing import Any, cast

import cloudpickle  # pyright: ignore[reportMissingTypeStubs]
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from citeguard.auditing.claims.claim import ClaimExtractor
from citeguard.auditing.report import AuditReport
from citeguard.errors import CiteguardError
from citeguard.server.describing import CHECK, VERIFY, body_of, openapi_of, replies_of
from citeguard.server.events import EVENT_STREAM
from citeguard.server.guarding import Guard
from citeguard.server.limits import Limits
from citeguard.server.pages.rendering import docs_page, form_page, refusal_page
from citeguard.server.refusals import RefusedError, internal_fault
from citeguard.server.replies import HTML, page_reply, refused, wanted_form
from citeguard.server.schemas import CheckReply
from citeguard.server.service import Service
from citeguard.server.work import Rules
from citeguard.validation.policy import DEFAULT_POLICY, Policy

_VERIFY = "/verify"
_READ = ["GET", "HEAD"]
_WITH_ORIGIN = {"Referrer-Policy": "same-origin"}  # or a form without its script has none

GivenPolicy = Policy | Callable[[], Policy]
"""A policy, or a function that makes it in each process."""


def create_app(
    policy: GivenPolicy | None = None,
    *,
    extractor: ClaimExtractor | None = None,
    limits: Limits | None = None,
    hosts: Collection[str] = (),
) -> FastAPI:
    """Return the HTTP service.

    Its worker processes start with it, and end with it. They are started as `multiprocessing` does
    with "spawn": a script that serves the application must do so under
    `if __name__ == "__main__":`.

    Args:
        policy: Who judges, and what the citations of answers are held to; the policy, or, where it
            holds what cannot be sent to another process, such as a client, a function that makes
            it. By default the embedded verifier judges, and no model is called.
        extractor: Who finds the claims of free text; by default `LocalClaims()`.
        limits: What one client may ask of the service; by default `Limits()`.
        hosts: The names that it may be asked for under, without ports; any if there are none.

    Raises:
        CiteguardError: the policy or the extractor cannot be sent to another process.

    Examples:
        >>> from citeguard.server import Limits, create_app
        >>> create_app(limits=Limits(pages=50)).title
        'citeguard'
    """
    limits = Limits() if limits is None else limits
    service = Service(_pickled(partial(_rules, policy, extractor, limits)), limits)
    app = FastAPI(
        title="citeguard",
        description="Checks what a language model says against its sources.",
        version=version("pydantic-citeguard"),
        lifespan=service.lifespan,
        docs_url=None,  # these pages load their scripts from elsewhere
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    _add_work(app, service)
    _add_pages(app, limits)
    _add_refusals(app)
    app.add_middleware(Guard, hosts=hosts)
    app.state.end_requests = service.end_requests
    return app


def _rules(policy: GivenPolicy | None, extractor: ClaimExtractor | None, limits: Limits) -> Rules:
    made = policy if policy is None or isinstance(policy, Policy) else policy()
    return Rules(policy=made or DEFAULT_POLICY, extractor=extractor, limits=limits)


def _pickled(made: Callable[[], Rules]) -> bytes:
    try:
        return cast("Any", cloudpickle).dumps(made)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise CiteguardError(
            "the policy or the extractor cannot be sent to other processes: give the policy as a "
            "function that makes it"
        ) from error


def _add_work(app: FastAPI, service: Service) -> None:
    app.add_api_route(
        _VERIFY,
        service.verify,
        methods=["POST"],
        summary="Check free text claim by claim",
        description=VERIFY,
        responses=replies_of(AuditReport, "The report.", EVENT_STREAM, HTML),
        openapi_extra=body_of("verify"),
        response_model=None,
    )
    app.add_api_route(
        "/check",
        service.check,
        methods=["POST"],
        summary="Check an answer with citations",
        description=CHECK,
        responses=replies_of(CheckReply, "What was found.", EVENT_STREAM),
        openapi_extra=body_of("check"),
        response_model=None,
    )
    app.add_api_route("/health", service.health, summary="Tell that the service is there")
    app.add_api_route("/health", service.health, methods=["HEAD"], include_in_schema=False)


def _add_pages(app: FastAPI, limits: Limits) -> None:
    form = form_page(limits)

    @cache
    def described() -> dict[str, Any]:
        return openapi_of(app)

    @app.api_route("/", methods=_READ, include_in_schema=False)
    async def show_form() -> Response:
        return page_reply(form, headers=_WITH_ORIGIN)

    @app.api_route("/docs", methods=_READ, include_in_schema=False)
    async def show_docs() -> Response:
        return page_reply(docs_page(described()))

    @app.api_route("/openapi.json", methods=_READ, include_in_schema=False)
    async def show_openapi() -> Response:
        return JSONResponse(described())


def _wants_page(request: Request) -> bool:
    """Tell whether a form was sent by hand, and not by a program or the form's own script."""
    return request.scope["route"].path == _VERIFY and wanted_form(request, "verify") == "html"


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(RefusedError)
    async def refuse(request: Request, refusal: RefusedError) -> Response:
        if _wants_page(request):
            return page_reply(refusal_page(refusal), refusal.status, refusal.headers)
        return refused(refusal)

    @app.exception_handler(HTTPException)
    async def refuse_route(_: Request, error: HTTPException) -> Response:
        code = "not_found" if error.status_code == 404 else "method_not_allowed"
        return refused(RefusedError(code, error.detail.lower()), error.headers or {})

    @app.exception_handler(RequestValidationError)
    async def refuse_query(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return refused(RefusedError("invalid", f"{place}: {first['msg']}"))

    @app.exception_handler(ClientDisconnect)
    async def drop(_: Request, __: ClientDisconnect) -> Response:
        return refused(RefusedError("malformed", "the body has no end"))

    @app.exception_handler(Exception)
    async def tell_of_fault(_: Request, __: Exception) -> Response:
        return refused(internal_fault())

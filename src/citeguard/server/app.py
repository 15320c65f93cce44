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
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from citeguard.auditing.claims import ClaimExtractor
from citeguard.errors import CiteguardError
from citeguard.reports.report import Report
from citeguard.server.chats import GivenLibrary
from citeguard.server.errors import ServiceError, internal_error, not_configured
from citeguard.server.factchecks import FactChecking, GivenFactChecking
from citeguard.server.library import add_library
from citeguard.server.limits import Limits
from citeguard.server.middleware import Guard
from citeguard.server.pages import docs_page, fact_page, form_page
from citeguard.server.schemas import (
    AUDIT,
    CHECK,
    FACT_CHECK,
    CheckReply,
    openapi_of,
    request_body_of,
    responses_of,
)
from citeguard.server.service import (
    EVENT_STREAM,
    HTML,
    Service,
    error_reply,
    page_reply,
)
from citeguard.server.worker import Rules
from citeguard.sources.collection import Sources
from citeguard.validation.policy import DEFAULT_POLICY, Policy

_READ = ["GET", "HEAD"]
_WITH_REFERRER = {"Referrer-Policy": "same-origin"}  # without its script, the form needs one

GivenPolicy = Policy | Callable[[], Policy]
"""A policy, or a function that returns it; each worker process calls the function once."""


def create_app(
    policy: GivenPolicy | None = None,
    *,
    extractor: ClaimExtractor | None = None,
    limits: Limits | None = None,
    hosts: Collection[str] = (),
    facts: GivenFactChecking | None = None,
    library: GivenLibrary | None = None,
) -> FastAPI:
    """Return the HTTP service.

    Its worker processes start and end with it.

    Args:
        policy: The judges, and the requirements for the citations of answers; or a function that
            returns them, if they hold what cannot be sent to another process, such as a client.
            By default, the reader judges, and no language model is called.
        extractor: Finds the claims of free text; by default `LocalClaims()`.
        limits: What a client may ask of the service; by default `Limits()`.
        hosts: Host names under which requests are accepted, without ports; empty for any.
        facts: Who searches and reads pages for fact checks, or a function that returns it, which
            each worker process for them calls once. Without it, `/fact-check` is not configured.
        library: The documents that clients can ask: the path of a `Library`, a library, a
            `Chatting`, which also says who may write the answers, or a function that returns one of
            these. It is opened when the service starts. Without it, `/ask` replies that it is not
            configured.

    Raises:
        CiteguardError: The policy, the extractor or `facts` cannot be sent to another process.

    Examples:
        >>> from citeguard.server import Limits, create_app
        >>> create_app(limits=Limits(pages=50)).title
        'citeguard'
    """
    limits = Limits() if limits is None else limits
    rules = pickled_rules(policy, extractor, limits, facts=facts)
    service = Service(rules, limits, facts=facts is not None, library=library)
    app = FastAPI(
        title="citeguard",
        description="Checks what a language model says against its sources.",
        version=version("pydantic-citeguard"),
        lifespan=service.lifespan,
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    _add_actions(app, service, facts=facts is not None)
    given = {"facts": facts is not None, "library": library is not None}
    add_library(app, service, limits, **given)
    _add_pages(app, limits, **given)
    _add_error_handlers(app)
    app.add_middleware(Guard, hosts=hosts)
    app.state.reject_waiting = service.reject_waiting
    app.state.begin_shutdown = service.begin_shutdown
    return app


def pickled_rules(
    policy: GivenPolicy | None,
    extractor: ClaimExtractor | None,
    limits: Limits,
    sources: Sources | None = None,
    facts: GivenFactChecking | None = None,
) -> bytes:
    """Return a pickled function that returns the `Rules` of the workers.

    Raises:
        CiteguardError: One of them cannot be sent to another process.
    """
    try:
        rules = partial(_rules, policy, extractor, limits, sources, facts)
        return cast("Any", cloudpickle).dumps(rules)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise CiteguardError(
            "the policy, the extractor or what checks facts cannot be sent to other processes: "
            "pass a function that returns the policy, or what checks facts"
        ) from error


def _rules(
    policy: GivenPolicy | None,
    extractor: ClaimExtractor | None,
    limits: Limits,
    sources: Sources | None,
    facts: GivenFactChecking | None,
) -> Rules:
    given = policy if policy is None or isinstance(policy, Policy) else policy()
    return Rules(
        policy=given or DEFAULT_POLICY,
        extractor=extractor,
        limits=limits,
        sources=sources,
        facts=facts if facts is None or isinstance(facts, FactChecking) else facts(),
    )


def _add_actions(app: FastAPI, service: Service, *, facts: bool) -> None:
    def add(
        name: str,
        endpoint: Callable[..., Any],
        model: type[BaseModel],
        summary: str,
        description: str,
        *media_types: str,
        described: bool = True,
    ) -> None:
        app.add_api_route(
            f"/{name}",
            endpoint,
            methods=["POST"],
            summary=summary,
            description=description,
            responses=responses_of(model, "The result.", EVENT_STREAM, *media_types),
            openapi_extra=request_body_of(name),
            response_model=None,
            include_in_schema=described,
        )

    add("audit", service.audit, Report, "Check free text claim by claim", AUDIT, HTML)
    add("check", service.check, CheckReply, "Check an answer with citations", CHECK)
    summary = "Check facts on pages that are found and read"
    add(
        "fact-check",
        service.fact_check,
        Report,
        summary,
        FACT_CHECK,
        HTML,
        described=facts,
    )
    app.add_api_route("/health", service.health, summary="Show the state of the service")
    app.add_api_route("/health", service.health, methods=["HEAD"], include_in_schema=False)


def _add_pages(app: FastAPI, limits: Limits, *, facts: bool, library: bool) -> None:
    form = form_page(limits, facts=facts, library=library)
    factcheck = fact_page(limits, library=library)

    @cache
    def openapi() -> dict[str, Any]:
        return openapi_of(app)

    @app.api_route("/", methods=_READ, include_in_schema=False)
    async def show_form() -> Response:
        return page_reply(form, headers=_WITH_REFERRER)

    @app.api_route("/fact-check", methods=_READ, include_in_schema=False)
    async def show_fact_form() -> Response:
        if not facts:
            raise not_configured()
        return page_reply(factcheck, headers=_WITH_REFERRER)

    @app.api_route("/docs", methods=_READ, include_in_schema=False)
    async def show_docs() -> Response:
        return page_reply(docs_page(openapi()))

    @app.api_route("/openapi.json", methods=_READ, include_in_schema=False)
    async def show_openapi() -> Response:
        return JSONResponse(openapi())


def reply_no_route(_: Request, error: Exception) -> Response:
    """Return the reply to a request with an unknown path or method."""
    error = cast("HTTPException", error)
    code = "not_found" if error.status_code == 404 else "method_not_allowed"
    return error_reply(ServiceError(code, error.detail.lower()), error.headers)


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ServiceError)
    async def reply_error(_: Request, error: ServiceError) -> Response:
        return error_reply(error)

    app.add_exception_handler(HTTPException, reply_no_route)

    @app.exception_handler(RequestValidationError)
    async def reply_bad_query(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return error_reply(ServiceError("invalid", f"{place}: {first['msg']}"))

    @app.exception_handler(ClientDisconnect)
    async def reply_incomplete(_: Request, __: ClientDisconnect) -> Response:
        return error_reply(ServiceError("malformed", "the body is incomplete"))

    @app.exception_handler(Exception)
    async def reply_internal_error(_: Request, __: Exception) -> Response:
        return error_reply(internal_error())

"""The HTTP service as an ASGI application: `create_app`, and its routes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection
from functools import cache, partial
from importlib.metadata import version
from pathlib import PurePath
from typing import Annotated, Any, Literal, cast
from urllib.parse import quote

import cloudpickle  # pyright: ignore[reportMissingTypeStubs]
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, StreamingResponse

from citeguard.auditing.claims import ClaimExtractor
from citeguard.errors import CiteguardError, check_kind
from citeguard.judges.loops import in_thread
from citeguard.library.catalogue import ChatInfo
from citeguard.reports.report import Report
from citeguard.server.chats import Chats, GivenLibrary, owner_of
from citeguard.server.errors import ServiceError, internal_error, not_configured
from citeguard.server.factchecks import FactChecking, GivenFactChecking
from citeguard.server.limits import Limits
from citeguard.server.middleware import Guard
from citeguard.server.pages import Offers, chat_page, docs_page, document_page, form_page
from citeguard.server.schemas import (
    ASK,
    AUDIT,
    CHECK,
    FACT_CHECK,
    JSON,
    AskReply,
    ChatContents,
    CheckReply,
    DocumentPartReply,
    DocumentReply,
    errors_of,
    openapi_of,
    request_body_of,
    responses_of,
)
from citeguard.server.service import (
    FORMATS,
    HTML,
    Service,
    error_reply,
    page_reply,
    preferred,
    up_from,
)
from citeguard.server.worker import Action, Rules
from citeguard.sources.collection import Source, Sources
from citeguard.validation.policy import DEFAULT_POLICY, Policy

PDF, PNG = "application/pdf", "image/png"
_WITH_REFERRER = {"Referrer-Policy": "same-origin"}  # without its script, a form needs one
# Browsers show a PDF file in a page of their own, whose style and plug-in this policy is for, too.
_FILE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'"
)

GivenPolicy = Policy | Callable[[], Policy]
"""A policy, or a function that returns it; each worker process calls the function once."""

WithPage = Annotated[bool, Query(description="Whether the events end with the report as a page.")]
Start = Annotated[int | None, Query(ge=0, description="Where it begins, in code points.")]
End = Annotated[int | None, Query(ge=0, description="Where it ends, in code points.")]
Version = Annotated[
    str | None,
    Query(max_length=100, description="The SHA-256 of the content that the part is of."),
]


def create_app(
    policy: GivenPolicy | None = None,
    *,
    extractor: ClaimExtractor | None = None,
    limits: Limits | None = None,
    hosts: Collection[str] = (),
    token: str = "",
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
        token: What every request but `/health` must have, as `Authorization: Bearer TOKEN` or as
            the password of HTTP's basic scheme; empty for none.
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
    check_kind("limits", limits, Limits)
    limits = Limits() if limits is None else limits
    offers = Offers(facts=facts is not None, library=library is not None)
    rules = pickled_rules(policy, extractor, limits, facts=facts)
    service = Service(rules, limits, facts=offers.facts, library=library)
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
    _add_actions(app, service, offers)
    _add_library(app, service, described=offers.library)
    _add_pages(app, service.chats, limits, offers)
    _add_error_handlers(app)
    app.add_middleware(Guard, hosts=hosts, token=token)
    # Called by the server that runs this: uvicorn knows nothing of jobs.
    app.state.reject_waiting = service.stop.begin
    app.state.begin_shutdown = service.shutdown.begin
    return app


def pickled_rules(
    policy: GivenPolicy | None,
    extractor: ClaimExtractor | None,
    limits: Limits,
    sources: Sources | None = None,
    facts: GivenFactChecking | None = None,
) -> bytes:
    """Return a pickled function that returns the `Rules` of the workers."""

    def rules() -> Rules:
        given = policy if policy is None or isinstance(policy, Policy) else policy()
        checking = facts if facts is None or isinstance(facts, FactChecking) else facts()
        return Rules(given or DEFAULT_POLICY, extractor, limits, sources, checking)

    try:
        # Unlike pickle, it takes functions and classes of the user's own script.
        return cast("Any", cloudpickle).dumps(rules)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise CiteguardError(
            "the policy, the extractor or what checks facts cannot be sent to other processes: "
            "pass a function that returns the policy, or what checks facts"
        ) from error


def _add_actions(app: FastAPI, service: Service, offers: Offers) -> None:
    def add(
        action: Action, model: type[BaseModel], summary: str, description: str, shown: bool = True
    ) -> None:
        async def reply(request: Request) -> Response:
            return await service.reply(action, request)

        async def reply_with_page(request: Request, page: WithPage = False) -> Response:
            return await service.reply(action, request, page=page)

        formats = [each for each in FORMATS[action] if each != JSON]
        missing = errors_of(404) if action == "ask" else {}
        app.add_api_route(
            f"/{action.replace('_', '-')}",
            reply_with_page if HTML in formats else reply,
            methods=["POST"],
            summary=summary,
            description=description,
            responses={**responses_of(model, "The result.", *formats), **missing},
            openapi_extra=request_body_of(action),
            response_model=None,
            include_in_schema=shown,
        )

    add("audit", Report, "Check free text claim by claim", AUDIT)
    add("check", CheckReply, "Check an answer with citations", CHECK)
    summary = "Check facts on pages that are found and read"
    add("fact_check", Report, summary, FACT_CHECK, offers.facts)
    add("ask", AskReply, "Ask the documents of the library", ASK, offers.library)
    app.get("/health", summary="Show the state of the service")(service.health)


def _add_library(app: FastAPI, service: Service, *, described: bool) -> None:
    chats, routes = service.chats, APIRouter(include_in_schema=described)

    @routes.get("/chats", summary="List the chats that this browser has begun")
    async def list_chats(request: Request) -> dict[Literal["chats"], list[ChatInfo]]:
        return {"chats": await in_thread(chats.chats, owner_of(request))}

    @routes.get(
        "/chats/{chat_id}",
        summary="Show a chat",
        description="Each reference says what has become of it since: `stands`, `source_changed` "
        "and others.",
        responses=errors_of(404),
    )
    async def show_chat(request: Request, chat_id: str) -> ChatContents:
        messages = await in_thread(chats.messages, chat_id, owner_of(request))
        return ChatContents(id=chat_id, messages=messages)

    @routes.delete(
        "/chats/{chat_id}",
        summary="Delete a chat",
        status_code=204,
        responses=errors_of(403, 404),
    )
    async def delete_chat(request: Request, chat_id: str) -> None:
        await in_thread(chats.delete_chat, chat_id, owner_of(request))

    @routes.get("/documents", summary="List the documents")
    async def list_documents() -> dict[Literal["documents"], list[DocumentReply]]:
        return {"documents": await in_thread(chats.documents)}

    @routes.put(
        "/documents/{name:path}",
        summary="Add a file, which is the body",
        responses=errors_of(404, 408, 413, 422, 429),
    )
    async def add_document(
        request: Request, name: str
    ) -> dict[Literal["documents"], list[DocumentReply]]:
        return {"documents": await service.add_document(name, request)}

    @routes.get(
        "/documents/{source_id:path}",
        summary="Show a document, or a part of it",
        description="With `Accept: text/html`, the whole text as a page, in which the part is "
        "highlighted at `#part`.",
        response_model=DocumentPartReply,
        responses={200: {"content": {HTML: {"schema": {"type": "string"}}}}, **errors_of(404, 422)},
    )
    async def show_document(
        request: Request,
        source_id: str,
        start: Start = None,
        end: End = None,
        version: Version = None,
    ) -> Response:
        part = partial(chats.part, source_id, start, end, version)
        return await chats.show(partial(_document_reply, part, request))

    @routes.get(
        "/files/{source_id:path}",
        summary="Return the PDF file of a document",
        response_class=Response,
        responses={200: {"content": {PDF: {}}}, **errors_of(404)},
    )
    async def show_file(source_id: str) -> Response:
        size, pieces = await in_thread(chats.file, source_id)
        stem = PurePath(source_id).name.removesuffix(".pdf") or "document"
        headers = {
            # RFC 8187: plain `filename` has no letters but ASCII's.
            "Content-Disposition": f"inline; filename*=UTF-8''{quote(stem, safe='')}.pdf",
            "Content-Length": str(size),
            "Content-Security-Policy": _FILE_POLICY,
        }
        return StreamingResponse(pieces, media_type=PDF, headers=headers)

    @routes.get(
        "/pictures/{source_id:path}",
        summary="Draw the page of a PDF file that a part is on, the part marked",
        response_class=Response,
        responses={200: {"content": {PNG: {}}}, **errors_of(404, 422, 429)},
    )
    async def show_picture(
        source_id: str,
        start: Annotated[int, Query(ge=0, description="Where the part begins, in code points.")],
        end: Annotated[int, Query(ge=0, description="Where it ends, in code points.")],
    ) -> Response:
        return Response(await chats.picture(source_id, start, end), media_type=PNG)

    app.include_router(routes)


def _document_reply(
    part_of: Callable[[], tuple[DocumentPartReply, Source]], request: Request
) -> Response:
    part, source = part_of()
    if preferred(request, (JSON, HTML)) == JSON:
        return Response(part.model_dump_json(), media_type=JSON)
    return page_reply(document_page(part, source, up=up_from(request)))


def _add_pages(app: FastAPI, chats: Chats, limits: Limits, offers: Offers) -> None:
    openapi = cache(partial(openapi_of, app))
    form = cache(partial(form_page, limits, offers))
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def show_form() -> Response:
        return page_reply(form(), headers=_WITH_REFERRER)

    @routes.get("/fact-check")
    async def show_fact_form() -> Response:
        if not offers.facts:
            raise not_configured("facts")
        return page_reply(form(facts=True), headers=_WITH_REFERRER)

    @routes.get("/ask")
    async def show_chat_page() -> Response:
        return page_reply(chat_page(limits, offers, chats.chatting))

    @routes.get("/docs")
    async def show_docs() -> Response:
        return page_reply(docs_page(openapi()))

    @routes.get("/openapi.json")
    async def show_openapi() -> Response:
        return JSONResponse(openapi())

    app.include_router(routes)


def reply_no_route(request: Request, error: Exception) -> Response:
    """Return the reply to a request with an unknown path or method."""
    error = cast("HTTPException", error)
    code = "not_found" if error.status_code == 404 else "method_not_allowed"
    return error_reply(ServiceError(code, error.detail.lower()), request, error.headers)


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ServiceError)
    async def reply_error(request: Request, error: ServiceError) -> Response:
        return error_reply(error, request)

    app.add_exception_handler(HTTPException, reply_no_route)

    @app.exception_handler(RequestValidationError)
    async def reply_bad_query(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return error_reply(ServiceError("invalid", f"{place}: {first['msg']}"), request)

    @app.exception_handler(ClientDisconnect)
    async def reply_incomplete(request: Request, _: ClientDisconnect) -> Response:
        return error_reply(ServiceError("malformed", "the body is incomplete"), request)

    @app.exception_handler(Exception)
    async def reply_internal_error(request: Request, _: Exception) -> Response:
        return error_reply(internal_error(), request)

"""The routes of a library: its chats, its documents, and the page to ask them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import PurePath
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote

from fastapi import FastAPI, Query, Request, Response

from citeguard.judges.loops import in_thread
from citeguard.library.catalogue import ChatInfo
from citeguard.server.chats import Chats
from citeguard.server.limits import Limits
from citeguard.server.pages import Page, chat_page, document_page
from citeguard.server.schemas import (
    ASK,
    JSON,
    AskReply,
    ChatContents,
    DocumentPartReply,
    DocumentReply,
    errors_of,
    request_body_of,
    responses_of,
)
from citeguard.server.service import EVENT_STREAM, HTML, Service, page_reply, preferred

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

PDF, PNG = "application/pdf", "image/png"
_READ = ["GET", "HEAD"]
# Browsers show a PDF file in a page of their own, whose style and plug-in this policy is for, too.
_FILE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'"
)


Start = Annotated[int | None, Query(ge=0, description="Where it begins, in code points.")]
End = Annotated[int | None, Query(ge=0, description="Where it ends, in code points.")]
Version = Annotated[
    str | None,
    Query(max_length=100, description="The SHA-256 of the content that the part is of."),
]


def add_library(
    app: FastAPI, service: Service, limits: Limits, *, library: bool, facts: bool
) -> None:
    """Add the routes of a library to an application.

    Args:
        app: The application.
        service: The service, which has the chats.
        limits: The limits of requests.
        library: Whether there is a library; without one, the routes reply so.
        facts: Whether the service checks facts, too.
    """
    app.add_api_route(
        "/ask",
        service.ask,
        methods=["POST"],
        summary="Ask the documents of the library",
        description=ASK,
        responses={**responses_of(AskReply, "The answer.", EVENT_STREAM), **errors_of(404)},
        openapi_extra=request_body_of("ask"),
        response_model=None,
        include_in_schema=library,
    )
    _add_chats(app, service.chats, described=library)
    _add_documents(app, service.chats, described=library)
    _add_page(app, service.chats, limits, facts=facts)


def _reading(app: FastAPI, path: str, **description: Any) -> Callable[[Endpoint], Endpoint]:
    """Add a function as the route of a path for GET, and for HEAD, which is not described."""

    def add(endpoint: Endpoint) -> Endpoint:
        app.add_api_route(path, endpoint, methods=["GET"], **description)
        description["include_in_schema"] = False
        app.add_api_route(path, endpoint, methods=["HEAD"], **description)
        return endpoint

    return add


def _add_chats(app: FastAPI, chats: Chats, *, described: bool) -> None:
    @_reading(app, "/chats", summary="List the chats that are kept", include_in_schema=described)
    async def list_chats() -> dict[Literal["chats"], list[ChatInfo]]:
        return {"chats": await chats.chats()}

    @_reading(
        app,
        "/chats/{chat_id}",
        summary="Show a chat",
        description="Each reference says what has become of it since: `stands`, `source_changed` "
        "and others.",
        responses=errors_of(404),
        include_in_schema=described,
    )
    async def show_chat(chat_id: str) -> ChatContents:
        return ChatContents(id=chat_id, messages=await chats.messages(chat_id))

    @app.delete(
        "/chats/{chat_id}",
        summary="Delete a chat",
        status_code=204,
        responses=errors_of(403, 404),
        include_in_schema=described,
    )
    async def delete_chat(chat_id: str) -> None:
        await chats.delete_chat(chat_id)


def _add_documents(app: FastAPI, chats: Chats, *, described: bool) -> None:
    @_reading(app, "/documents", summary="List the documents", include_in_schema=described)
    async def list_documents() -> dict[Literal["documents"], list[DocumentReply]]:
        listed = await chats.documents()
        replies = (DocumentReply.model_validate(each, from_attributes=True) for each in listed)
        return {"documents": [*replies]}

    @_reading(
        app,
        "/documents/{source_id:path}",
        summary="Show a document, or a part of it",
        description="With `Accept: text/html`, the whole text as a page, in which the part is "
        "highlighted at `#part`.",
        response_model=DocumentPartReply,
        responses={200: {"content": {HTML: {"schema": {"type": "string"}}}}, **errors_of(404, 422)},
        include_in_schema=described,
    )
    async def show_document(
        request: Request,
        source_id: str,
        start: Start = None,
        end: End = None,
        version: Version = None,
    ) -> Response:
        if preferred(request, (JSON, HTML)) == JSON:
            part, _ = await chats.part(source_id, start, end, version)
            return Response(part.model_dump_json(), media_type=JSON)
        # As the browser sees it: what is decoded may have more slashes.
        up = "../" * (request.scope["raw_path"].count(b"/") - 1)
        part, source = await chats.part(source_id, start, end, version)
        return page_reply(await in_thread(partial(document_page, part, source, up=up)))

    @_reading(
        app,
        "/files/{source_id:path}",
        summary="Return the PDF file of a document",
        response_class=Response,
        responses={200: {"content": {PDF: {}}}, **errors_of(404)},
        include_in_schema=described,
    )
    async def show_file(source_id: str) -> Response:
        content = await chats.file(source_id)
        stem = PurePath(source_id).name.removesuffix(".pdf") or "document"
        headers = {
            "Content-Disposition": f"inline; filename*=UTF-8''{quote(stem, safe='')}.pdf",
            "Content-Security-Policy": _FILE_POLICY,
        }
        return Response(content, media_type=PDF, headers=headers)

    @_reading(
        app,
        "/pictures/{source_id:path}",
        summary="Draw the page of a PDF file that a part is on, the part marked",
        response_class=Response,
        responses={200: {"content": {PNG: {}}}, **errors_of(404, 422, 429)},
        include_in_schema=described,
    )
    async def show_picture(
        source_id: str,
        start: Annotated[int, Query(ge=0, description="Where the part begins, in code points.")],
        end: Annotated[int, Query(ge=0, description="Where it ends, in code points.")],
    ) -> Response:
        return Response(await chats.picture(source_id, start, end), media_type=PNG)


def _add_page(app: FastAPI, chats: Chats, limits: Limits, *, facts: bool) -> None:
    @cache
    def page() -> Page:
        return chat_page(
            limits, models=chats.models, temperature=chats.takes_temperature, facts=facts
        )

    @app.api_route("/ask", methods=_READ, include_in_schema=False)
    async def show_chat_page() -> Response:
        chats.require_library()
        return page_reply(page())

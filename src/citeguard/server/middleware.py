"""What holds for every request and reply, whatever its path: `Guard`."""

from __future__ import annotations

import asyncio
import hmac
from base64 import b64decode
from collections.abc import Collection, MutableMapping
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request as HTTPRequest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeguard.server.errors import ServiceError
from citeguard.server.service import error_reply

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # For browsers that do not know `frame-ancestors`.
    "X-Frame-Options": "DENY",
}
"""Headers of every reply that does not set them itself."""

# How much is read of a request after its reply is known.
_DISCARD_SECONDS = 2.0
_DISCARD_BYTES = 100_000_000
_OWN_SITES = frozenset(("same-origin", "none"))  # "none": the user typed the address
_SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))  # other sites may link here


# Starlette's `TrustedHostMiddleware` does not understand IPv6 addresses, and replies without an
# error code.
class Guard:
    """Checks where a request comes from, adds headers to replies, and notices disconnects.

    A request whose client has disconnected is cancelled. The arguments are those of `create_app`:
    without `hosts`, other sites can have their names resolve to this machine (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = (), token: str = "") -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        error = self._find_error(scope, Headers(scope=scope))
        app = self._app if error is None else error_reply(error, HTTPRequest(scope))
        if scope["method"] == "HEAD":  # whose reply uvicorn sends without a body
            scope = {**scope, "method": "GET"}
        request = _Request(scope, receive)

        async def send_complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if error is not None:  # what follows may be a part of it, in a proxy's reading
                    headers["Connection"] = "close"
                await request.discard_rest(message)
            await send(message)

        await _serve_while_connected(app, scope, request, send_complete)

    def _find_error(self, scope: Scope, headers: Headers) -> ServiceError | None:
        if "content-length" in headers and "transfer-encoding" in headers:  # RFC 9112, 6.3
            return ServiceError("malformed", "a request has one length, not two")
        if self._hosts and _host_of(headers) not in self._hosts:
            return ServiceError("bad_host", "this host name is not allowed")
        # `/health` shows only counts.
        if self._token and scope["path"] != "/health":
            given = _token_of(headers).encode()
            # In equal time, whatever is wrong, so that nobody can guess a token sign by sign.
            if not hmac.compare_digest(given, self._token.encode()):
                return ServiceError("no_token", "this service requires its token")
        if scope["method"] not in _SAFE_METHODS and not _is_same_site(headers):
            return ServiceError("cross_site", "pages of other sites may not send this request")
        return None


def _token_of(headers: Headers) -> str:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return given.strip()
    if scheme.lower() != "basic":
        return ""
    try:
        return b64decode(given, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _host_of(headers: Headers) -> str:
    """Return the host name of a request, without the port; an IPv6 address in its brackets."""
    host = headers.get("host", "").lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name.removesuffix(".")  # of a fully qualified name


def _is_same_site(headers: Headers) -> bool:
    """Return whether a request comes from a page of this service, or not from a page at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in _OWN_SITES
    # Browsers do not send that header to a host that has neither TLS nor a loopback address. There,
    # the origin of the page must be the host of the request.
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()


class _Request:
    """A request as it arrives."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.is_complete = False
        self._receive = receive
        self._awaits_go_ahead = Headers(scope=scope).get("expect", "").lower() == "100-continue"

    async def next_message(self) -> Message:
        """Wait for the next part of the request, or for the client to disconnect."""
        self._awaits_go_ahead = False
        message = await self._receive()
        self.is_complete = not message.get("more_body")
        return message

    async def discard_rest(self, start: MutableMapping[str, Any]) -> None:
        """Read what still arrives before replying: a client that is still sending may not listen.

        Nothing is read from a client that awaits `100 Continue`, or was too slow.
        """
        if not (self.is_complete or self._awaits_go_ahead or start["status"] == 408):
            with suppress(TimeoutError):
                async with asyncio.timeout(_DISCARD_SECONDS):
                    size = 0
                    while not self.is_complete and size < _DISCARD_BYTES:
                        size += len((await self.next_message()).get("body", b""))
        if not self.is_complete:
            MutableHeaders(scope=start)["Connection"] = "close"


async def _serve_while_connected(app: ASGIApp, scope: Scope, request: _Request, send: Send) -> None:
    """Run an application; cancel it when the client disconnects before it has the reply."""
    async with asyncio.TaskGroup() as group:
        watching: list[asyncio.Task[None]] = []
        is_replied = False

        async def send_reply(message: Message) -> None:
            nonlocal is_replied
            # An event loop may hear of the disconnect before this returns.
            is_replied = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        async def receive() -> Message:
            message = await request.next_message()
            if request.is_complete and not watching:
                watching.append(group.create_task(watch()))
            return message

        async def watch() -> None:
            await request.next_message()  # after a complete request: only a disconnect
            if not is_replied:
                serving.cancel()

        async def serve() -> None:
            try:
                await app(scope, receive, send_reply)
            finally:
                for task in watching:
                    task.cancel()

        serving = group.create_task(serve())

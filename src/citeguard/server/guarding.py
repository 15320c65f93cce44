"""What holds for every request and reply, whatever is asked for: `Guard`."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, MutableMapping
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeguard.server.refusals import RefusedError
from citeguard.server.replies import refused

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every reply says, unless it says something else itself."""

# How long, and how much, is taken of what a client still sends that is replied to already.
_HEARD_SECONDS = 2.0
_HEARD_BYTES = 100_000_000
_SLOW = 408
_OWN_SITES = frozenset(("same-origin", "none"))  # "none": by the user's own hand
_HARMLESS = frozenset(("GET", "HEAD", "OPTIONS"))  # a link on another site's page may lead here


class Guard:
    """Stands before an application: who may ask, what all replies say, and who is still there.

    A request whose client has gone is cancelled.

    Args:
        app: The application.
        hosts: The names that the service may be asked for under; any if there are none. Other
            sites can make a browser take their names for this machine's.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        app = self._app if refusal is None else refused(refusal)
        request = _Request(scope, receive)

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                _complete(message)
                await request.hear_rest(message)
            await send(message)

        await _while_connected(app, scope, request, tell)

    def _refusal(self, method: str, headers: Headers) -> RefusedError | None:
        if self._hosts and _host_of(headers) not in self._hosts:
            return RefusedError("bad_host", "the service is not asked for under this name")
        if method not in _HARMLESS and not _is_from_here(headers):
            return RefusedError("cross_site", "a page of another site may not ask for this")
        return None


def _host_of(headers: Headers) -> str:
    """Return the name of the host that is asked for, without the port; brackets stay."""
    host = headers.get("host", "").lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name.removesuffix(".")  # of a name in full


def _is_from_here(headers: Headers) -> bool:
    """Tell whether a page of this service sent a request, or a program.

    What a browser says of the site is what counts. Where it says nothing, as it does of addresses
    without TLS on other machines, the page's origin must be the host that is asked.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in _OWN_SITES
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2].lower() == headers.get("host", "").lower()


def _complete(start: MutableMapping[str, Any]) -> None:
    headers = MutableHeaders(scope=start)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


class _Request:
    """A request as it comes, and how much of it has come."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.is_whole = False
        self._receive = receive
        self._waits = Headers(scope=scope).get("expect", "").lower() == "100-continue"

    async def next_message(self) -> Message:
        """Wait for what comes next of it."""
        self._waits = False
        message = await self._receive()
        self.is_whole = not message.get("more_body")
        return message

    async def hear_rest(self, start: MutableMapping[str, Any]) -> None:
        """Take what still comes before a reply, or the client would find its connection broken.

        A client that waits to be told to send, is slow, or sends too much is not listened to.
        """
        if not (self.is_whole or self._waits or start["status"] == _SLOW):
            with suppress(TimeoutError):
                async with asyncio.timeout(_HEARD_SECONDS):
                    await self._hear()
        if not self.is_whole:
            MutableHeaders(scope=start)["Connection"] = "close"

    async def _hear(self) -> None:
        heard = 0
        while not self.is_whole and heard < _HEARD_BYTES:
            heard += len((await self.next_message()).get("body", b""))


async def _while_connected(app: ASGIApp, scope: Scope, request: _Request, send: Send) -> None:
    """Run an application; cancel it when its client goes after all of the request has come."""
    async with asyncio.TaskGroup() as group:
        listening: list[asyncio.Task[None]] = []

        async def hear() -> Message:
            message = await request.next_message()
            if request.is_whole and not listening:
                listening.append(group.create_task(listen()))
            return message

        async def listen() -> None:
            await request.next_message()  # nothing else can come than that it has gone
            serving.cancel()

        async def serve() -> None:
            try:
                await app(scope, hear, send)
            finally:
                for task in listening:
                    task.cancel()

        serving = group.create_task(serve())

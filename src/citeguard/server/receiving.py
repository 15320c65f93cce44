"""The body of a request, as it arrives: `receive_body`."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, suppress
from tempfile import SpooledTemporaryFile
from typing import IO

from starlette.requests import Request

from citeguard.server.limits import Limits
from citeguard.server.refusals import RefusedError

_IN_MEMORY = 1_000_000  # bytes of a body that are kept in memory; a larger one waits in a file
# What a client that sends too much is still listened to, so that it can hear why it is refused
# instead of finding its connection broken.
_HEARD_SECONDS = 2.0
_HEARD_BYTES = 200_000_000


async def receive_body(request: Request, limits: Limits) -> IO[bytes]:
    """Return the body of a request, once it is there: a file without a name that is to be closed.

    Raises:
        RefusedError: it is too large, or takes too long.
        starlette.requests.ClientDisconnect: the client has gone.
    """
    most = limits.body_bytes
    refusal = RefusedError("body_too_large", f"the body has more than {most:,} bytes")
    if _declared(request) > most:
        await _hear(request)
        raise refusal
    with ExitStack() as stack:
        body = stack.enter_context(SpooledTemporaryFile(_IN_MEMORY))
        try:
            async with asyncio.timeout(limits.body_seconds):
                is_whole = await _received(request, body, most)
        except TimeoutError as error:
            told = f"the body was not there within {limits.body_seconds:g} seconds"
            raise RefusedError("slow_body", told) from error
        if not is_whole:
            await _hear(request)
            raise refusal
        stack.pop_all()  # it is closed by who asked for it
    body.seek(0)
    return body


def _declared(request: Request) -> int:
    """Return how long the client says the body is; 0 if it does not, or not so that one can tell.

    The server refuses what is no number before.
    """
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0


async def _received(request: Request, body: IO[bytes], most: int) -> bool:
    """Write the body to a file; return whether it is no longer than it may be."""
    length = 0
    async for chunk in request.stream():
        length += len(chunk)
        if length > most:
            return False
        body.write(chunk)
    return True


async def _hear(request: Request) -> None:
    if request.headers.get("expect", "").lower() == "100-continue":
        return  # it has sent nothing, and waits to be told whether it may
    heard = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_HEARD_SECONDS):
            while (message := await request.receive())["type"] == "http.request":
                heard += len(message.get("body", b""))
                if not message.get("more_body") or heard > _HEARD_BYTES:
                    return

"""The bodies of requests, as they arrive and while they wait: `Desk`, and `Body`."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Self

from starlette.requests import Request

from citeguard.server.limits import Limits
from citeguard.server.refusals import RefusedError

_PATIENCE = 3.0  # seconds after which a body has to come at the rate that is asked for
_UNPACKED = "identity"
_IN_MEMORY = 1_000_000  # bytes of a body that are kept in memory; a larger one waits in a file


class Desk:
    """Takes bodies, as much as there is room for.

    How many arrive at once is not counted: clients that send next to nothing would keep all others
    out.

    Args:
        limits: How large a body may be, how long it may take, and how much there may be of all.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = 0

    async def receive(self, request: Request) -> Body:
        """Return the body of a request once all of it is there; who asks for it has to close it.

        Raises:
            RefusedError: it is too large, packed, or takes too long, or there is no room.
            starlette.requests.ClientDisconnect: the client has gone.
        """
        if request.headers.get("content-encoding", _UNPACKED).lower() != _UNPACKED:
            raise RefusedError("media_type", "the body must not have a Content-Encoding")
        if _declared(request) > self._limits.body_bytes:
            raise self._too_large()
        with ExitStack() as stack:
            body = stack.enter_context(Body(self))
            await self._fill(body, request)
            stack.pop_all()
        return body

    def take(self, length: int) -> None:
        """Make room for so many bytes more.

        Raises:
            RefusedError: there is none.
        """
        if self._held + length > self._limits.held_bytes:
            raise RefusedError("busy", "the requests that wait take all the room there is")
        self._held += length

    def free(self, length: int) -> None:
        """Make room of so many bytes that are not needed any more."""
        self._held -= length

    async def _fill(self, body: Body, request: Request) -> None:
        start = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(start + self._allowed(0)) as end:
                async for chunk in request.stream():
                    if body.length + len(chunk) > self._limits.body_bytes:
                        raise self._too_large()
                    body.write(chunk)
                    end.reschedule(start + self._allowed(body.length))
        except TimeoutError as error:
            least, most = self._limits.body_bytes_per_second, self._limits.body_seconds
            told = f"the body came slower than {least:,} bytes a second, or took {most:g} seconds"
            raise RefusedError("slow_body", told) from error

    def _allowed(self, length: int) -> float:
        """Return how many seconds a body may have taken of which so many bytes are there."""
        at_least = _PATIENCE + length / self._limits.body_bytes_per_second
        return min(at_least, self._limits.body_seconds)

    def _too_large(self) -> RefusedError:
        most = self._limits.body_bytes
        return RefusedError("body_too_large", f"the body has more than {most:,} bytes")


class Body:
    """What a client has sent: in memory if it is small, else in a file without a name.

    Args:
        desk: Who has room for it.

    Attributes:
        length: How many bytes it has so far.
    """

    def __init__(self, desk: Desk) -> None:
        self.length = 0
        self._desk = desk
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the body

    def __enter__(self) -> Self:
        """Have it closed at the end of a block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Free the room that it takes."""
        self._file.close()
        self._desk.free(self.length)
        self.length = 0

    def write(self, chunk: bytes) -> None:
        """Add what has arrived.

        Raises:
            RefusedError: there is no room for it.
        """
        self._desk.take(len(chunk))
        self.length += len(chunk)
        self._file.write(chunk)

    def read(self) -> bytes:
        """Return all of it."""
        self._file.seek(0)
        return self._file.read()


def _declared(request: Request) -> int:
    """Return how long the client says the body is; 0 if it does not say so."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0

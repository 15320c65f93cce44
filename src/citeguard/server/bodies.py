"""Request bodies, while they arrive and while they wait for a worker: `BodyReceiver`, `Body`."""

from __future__ import annotations

import asyncio
from tempfile import SpooledTemporaryFile

from starlette.requests import Request

from citeguard.server.errors import ServiceError
from citeguard.server.limits import Limits

_GRACE_SECONDS = 3.0  # before the minimum rate applies
_IN_MEMORY = 1_000_000  # bytes; a larger body is kept in a file, as many may wait for a worker


class BodyReceiver:
    """Receives any number of bodies, up to a total size."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        # Bytes, not bodies: clients that send almost nothing could else keep others out.
        self._held = 0

    async def receive(self, request: Request) -> Body:
        """Return the complete body of a request, which the caller must close."""
        # What arrives is counted, and it could unpack to any amount.
        if request.headers.get("content-encoding", "identity").lower() != "identity":
            raise ServiceError("media_type", "the body must not have a Content-Encoding")
        length = request.headers.get("content-length", "")
        # `isdigit` alone is true of "²", which `int` rejects.
        if length.isascii() and length.isdigit() and int(length) > self._limits.body_bytes:
            raise self._too_large()
        body = Body(self)
        try:
            await self._fill(body, request)
        except BaseException:
            body.close()
            raise
        return body

    def reserve(self, length: int) -> None:
        """Reserve room for a number of bytes; raise a `ServiceError` if there is not enough."""
        if self._held + length > self._limits.held_bytes:
            raise ServiceError("busy", "too many bytes of other requests are waiting")
        self._held += length

    def release(self, length: int) -> None:
        """Release room for a number of bytes."""
        self._held -= length

    async def _fill(self, body: Body, request: Request) -> None:
        start = asyncio.get_running_loop().time()
        limits = self._limits
        try:
            # A deadline that moves with each chunk: a fixed one either cuts off slow lines or lets
            # a client that sends a byte now and then hold its place for long.
            async with asyncio.timeout_at(start + self._allowed_seconds(0)) as deadline:
                async for chunk in request.stream():
                    if body.length + len(chunk) > limits.body_bytes:
                        raise self._too_large()
                    body.write(chunk)
                    deadline.reschedule(start + self._allowed_seconds(body.length))
        except TimeoutError as error:
            raise ServiceError(
                "slow_body",
                f"the body took longer than {limits.body_seconds:g} seconds, or arrived at less "
                f"than {limits.body_bytes_per_second:,} bytes per second",
            ) from error

    def _allowed_seconds(self, length: int) -> float:
        """Return how many seconds a body may have taken when so many bytes have arrived."""
        at_rate = _GRACE_SECONDS + length / self._limits.body_bytes_per_second
        return min(at_rate, self._limits.body_seconds)

    def _too_large(self) -> ServiceError:
        most = self._limits.body_bytes
        return ServiceError("body_too_large", f"the body has more than {most:,} bytes")


class Body:
    """A request body: in memory if it is small, in an unnamed temporary file otherwise."""

    def __init__(self, receiver: BodyReceiver) -> None:
        self.length = 0
        self._receiver = receiver
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the body

    def write(self, chunk: bytes) -> None:
        """Append bytes; raise a `ServiceError` if there is no room for them."""
        self._receiver.reserve(len(chunk))
        self.length += len(chunk)
        self._file.write(chunk)

    def read(self) -> bytes:
        """Return the whole body."""
        self._file.seek(0)
        return self._file.read()

    def close(self) -> None:
        """Delete the body and release its room. Closing it twice does no harm."""
        self._file.close()
        self._receiver.release(self.length)
        self.length = 0

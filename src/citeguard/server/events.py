"""Replies that are told bit by bit, as server-sent events: `EventStream`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from citeguard.server.courses import QUIET, Course
from citeguard.server.jobs import Event

EVENT_STREAM = "text/event-stream"

_ALIVE_SECONDS = 10.0  # after which a connection that nothing is told on would seem dead
_ALIVE = b": still at work\n\n"


class EventStream(Response):
    """A reply that tells the events of a job as they come.

    Args:
        first: The first event.
        course: The job, for the others; it is stopped when the reply ends.
    """

    media_type = EVENT_STREAM
    charset = "utf-8"

    def __init__(self, first: Event, course: Course) -> None:
        super().__init__()
        del self.headers["content-length"]
        self.headers["x-accel-buffering"] = "no"  # or nginx would collect the events
        self._first = first
        self._course = course

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply."""
        start = {
            "type": "http.response.start",
            "status": self.status_code,
            "headers": self.raw_headers,
        }
        try:
            await send(start)
            async for told in self._told():
                await send({"type": "http.response.body", "body": told, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await self._course.stop()

    async def _told(self) -> AsyncIterator[bytes]:
        event: Event | None = self._first
        while event is not None:
            yield as_bytes(event)
            while (event := await self._course.next_event(within=_ALIVE_SECONDS)) is QUIET:
                yield _ALIVE


def as_bytes(event: Event) -> bytes:
    r"""Return an event as a client reads it; a page is told as JSON, `{"html": "..."}`.

    Examples:
        >>> as_bytes(Event("progress", b'{"done": 1, "total": 2}'))
        b'event: progress\ndata: {"done": 1, "total": 2}\n\n'
    """
    data = event.data
    if event.name == "page":
        data = json.dumps({"html": data.decode()}).encode()
    return b"event: " + event.name.encode() + b"\ndata: " + data + b"\n\n"

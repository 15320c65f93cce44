"""A site on the loopback interface: pages of all kinds, registries, and what was asked for."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from page_server import Asked, PageServer, reply


@dataclass(frozen=True)
class Reply:
    """What a server sends for a path."""

    body: bytes | str = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: bool = False  # no answer until the site closes


def page(title: str, *paragraphs: str) -> Reply:
    """Return a page of HTML."""
    words = "".join(f"<p>{each}</p>" for each in paragraphs)
    head = f"<head><title>{title}</title></head>"
    return Reply(f"<html>{head}<body><main><h1>{title}</h1>{words}</main></body></html>")


class Site:
    """A server whose replies can be changed while it runs.

    Attributes:
        replies: By path, without the query.
        asked: The paths with queries that were asked for, in order.
    """

    def __init__(self, replies: Mapping[str, Reply]) -> None:
        self.replies = dict(replies)
        self.asked: list[str] = []
        self._closing = threading.Event()
        self._server = PageServer(otherwise=self._reply)
        self.host, self.url = self._server.host, self._server.url("")

    def _reply(self, asked: Asked) -> bytes:
        self.asked.append(asked.path)
        path = unquote(urlsplit(asked.path).path)
        found = self.replies.get(path, Reply("Not here.", 404, "text/plain"))
        if found.hangs:
            self._closing.wait(30)
            return b""
        return reply(found.body, found.status, found.content_type, **found.headers)

    @contextmanager
    def running(self) -> Generator[Site]:
        with self._server:
            try:
                yield self
            finally:
                self._closing.set()

    def pages_asked(self) -> list[str]:
        """Return the paths that were asked for, without that of robots.txt."""
        return [each for each in self.asked if each != "/robots.txt"]

"""A site on the loopback interface: pages of all kinds, registries, and what was asked for."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class Reply:
    """What a server sends for a path."""

    body: bytes | str = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: bool = False  # no answer until the site closes

    @property
    def data(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


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
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.asked.append(self.path)
                path = unquote(urlsplit(self.path).path)
                reply = site.replies.get(path, Reply("Not here.", 404, "text/plain"))
                if reply.hangs:
                    site._closing.wait(30)
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(reply.data)))
                self.end_headers()
                self.wfile.write(reply.data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http://{self.host}"

    @contextmanager
    def running(self) -> Generator[Site]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._closing.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def pages_asked(self) -> list[str]:
        """Return the paths that were asked for, without that of robots.txt."""
        return [each for each in self.asked if each != "/robots.txt"]

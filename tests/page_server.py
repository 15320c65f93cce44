"""Servers that answer what a test wants, byte by byte, and a web of names that leads to them."""

import asyncio
import socket
import socketserver
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from types import TracebackType
from typing import Any, Self

import httpcore
import pytest
from reportlab.pdfgen.canvas import Canvas

from citeguard.web import connecting
from citeguard.web.connecting import NoSuchNameError

ARTICLE = """\
<!doctype html><html lang="en"><head><title>Notice | Acme</title></head><body>
<nav><a href="/">Home</a> <a href="/jobs">Jobs</a></nav>
<main><h1>Notice</h1>
<p>The notice period is one month for everybody who works at Acme, whatever the reason.</p>
<h2>Probation</h2>
<p>During probation, either party may end the contract within fourteen days, in writing.</p>
</main></body></html>"""
"""A page with a heading, a section and a menu."""


@dataclass(frozen=True)
class Asked:
    """A request that a server got."""

    method: str
    path: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


def reply(
    body: bytes | str = b"", status: int = 200, content_type: str = "text/html", **headers: str
) -> bytes:
    """Return an answer as it is sent; names of headers have underscores for hyphens."""
    content = body.encode() if isinstance(body, str) else body
    fields = {"Content-Type": content_type, "Content-Length": str(len(content))}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} As Wanted", *(f"{n}: {v}" for n, v in fields.items() if v), "", ""]
    return "\r\n".join(lines).encode("latin-1") + content


Wrap = Callable[[socket.socket], socket.socket]
"""Puts TLS around a socket."""

Answering = bytes | Callable[[Asked], bytes | Iterator[bytes]]


class PageServer:
    """Answers each path of `pages` with its bytes, and every other one `otherwise`.

    Attributes:
        pages: The answers; one that is a function gets the request, and may yield its bytes.
        asked: The requests so far.
    """

    def __init__(
        self,
        pages: Mapping[str, Answering] = {},
        wrap: Wrap | None = None,
        *,
        otherwise: Answering | None = None,
    ) -> None:
        self.pages: dict[str, Answering] = dict(pages)
        self._otherwise = otherwise or reply("Gone fishing", 404)
        self.asked: list[Asked] = []
        self._wrap = wrap
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):  # the client had enough
                    if outer._wrap is None:
                        outer._answer(self.rfile, self.request.sendall)
                        return
                    with outer._wrap(self.request) as wrapped, wrapped.makefile("rb") as file:
                        outer._answer(file, wrapped.sendall)

        self._server = _Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def host(self) -> str:
        """What a `Fetcher` must allow."""
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def _answer(self, file: Any, send: Callable[[bytes], None]) -> None:
        lines: list[str] = []
        while (line := file.readline().decode("latin-1").rstrip("\r\n")) != "":
            lines.append(line)
        if not lines:
            return
        pairs = (line.partition(":") for line in lines[1:])
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        method, path, *_ = lines[0].split(" ")
        asked = Asked(method, path, headers, file.read(int(headers.get("content-length", 0))))
        self.asked.append(asked)
        answer = self.pages.get(path, self._otherwise)
        sent = answer(asked) if callable(answer) else answer
        for part in [sent] if isinstance(sent, bytes) else sent:
            send(part)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 100


class Web:
    """Names with addresses, some of which lead to a server of the test; the rest to nobody.

    Attributes:
        names: The addresses of each host: one list, or several in turn for one after the other.
        servers: The port of this machine on which an address and a port lead to a server.
        opened: The addresses and ports that a connection was opened to.
        resolved: The names that were resolved.
    """

    def __init__(self) -> None:
        self.names: dict[str, list[str] | list[list[str]]] = {}
        self.servers: dict[tuple[str, int], int] = {}
        self.opened: list[tuple[str, int]] = []
        self.resolved: list[str] = []

    def serve(self, host: str, server: PageServer, address: str = "93.184.215.14") -> None:
        """Give a host a public address that leads to a server."""
        self.names[host] = [address]
        self.servers |= {(address, port): server.port for port in (80, 443)}

    async def resolve(self, host: str, port: int) -> list[str]:
        self.resolved.append(host)
        addresses = self.names.get(host)
        if addresses is None:
            literal = host.replace(".", "").isdigit() or ":" in host
            if literal:
                return [host]
            raise NoSuchNameError(host)
        first = addresses[0]
        if isinstance(first, str):
            return [each for each in addresses if isinstance(each, str)]
        return first if len(addresses) == 1 else [*addresses.pop(0)]

    async def open_socket(
        self, address: str, port: int, timeout: float, options: Any
    ) -> httpcore.AsyncNetworkStream:
        self.opened.append((address, port))
        if (address, port) not in self.servers:
            await asyncio.sleep(0)
            raise httpcore.ConnectError("nobody is there")
        return await _open_socket("127.0.0.1", self.servers[address, port], timeout, options)


_open_socket = connecting.open_socket


@contextmanager
def fake_web() -> Generator[Web]:
    """Replace the resolver and the sockets of fetchers by a web of the test's own."""
    web = Web()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connecting, "resolve", web.resolve)
        patch.setattr(connecting, "open_socket", web.open_socket)
        yield web


class Clock:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.time = 1_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


def pdf_of(*lines: str) -> bytes:
    """Return a PDF file with a page that has some lines."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=(420, 595))
    for number, line in enumerate(lines):
        canvas.drawString(40, 500 - 14 * number, line)
    canvas.save()
    return file.getvalue()

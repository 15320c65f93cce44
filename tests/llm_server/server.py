"""The server itself: a queue of replies, a record of requests, and the HTTP between them."""

from __future__ import annotations

import json
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from socket import MSG_PEEK, SHUT_RDWR, socket
from types import TracebackType
from typing import Any, Self, cast

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from llm_server import protocols
from llm_server.exchange import Reply, Request

Route = Callable[[Request], Reply | None]

_ATTENTION = 0.05  # seconds between two looks at whether the server is to close
_TRICKLE = 0.02  # seconds between two blanks
_NEVER_REACHED = 1_000_000  # length that the head of a trickle promises
_PLAIN = Reply()


class LLMServer:
    """A language model that says what it was told to say.

    It listens on a free port of the loopback from construction on; use it as a context manager, or
    call `close`. Replies leave the queue in the order pushed. A request that finds the queue empty
    gets status 400, which no client retries, and a message that says so.

    Args:
        route: Answers a request before the queue is asked; `None` leaves it to the queue. Runs in
            the request's own thread, so it may block, and must be safe to call from several.
        keeps_open: Leave connections open for further requests, as real endpoints do.
    """

    def __init__(self, route: Route | None = None, *, keeps_open: bool = False) -> None:
        self.route = route
        self.keeps_open = keeps_open
        self.requests: list[Request] = []
        self.max_in_flight = 0
        self._queue: deque[Reply] = deque()
        self._in_flight = 0
        self._clients = ExitStack()
        self._lock = threading.Lock()
        self._settled = threading.Condition(self._lock)
        self.closing = threading.Event()
        self._http = _HTTPServer(("127.0.0.1", 0), _Handler)
        self._http.script = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Self:
        """Return the server, which is listening already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the server."""
        self.close()

    def close(self) -> None:
        """Stop listening, free the port, and close the clients."""
        self.refuse()
        self._clients.close()

    def refuse(self) -> None:
        """Stop listening and free the port: clients are refused from now on."""
        self.closing.set()
        self._http.shutdown()
        for connection in self._http.kept if self.keeps_open else ():
            with suppress(OSError):  # it is closed already
                connection.shutdown(SHUT_RDWR)
        self._http.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """The URL for a client's `base_url`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def pending(self) -> int:
        """How many queued replies nobody has asked for yet."""
        return len(self._queue)

    @property
    def in_flight(self) -> int:
        """How many requests wait for their reply; one whose client has gone does not."""
        return self._in_flight

    def settle(self, timeout: float = 20.0) -> bool:
        """Wait until no request is in flight, and tell whether it came to that in time."""
        with self._settled:
            return self._settled.wait_for(lambda: self._in_flight == 0, timeout)

    def push(self, *replies: Any) -> None:
        """Queue replies; whatever is no `Reply` becomes the payload of one."""
        made = (reply if isinstance(reply, Reply) else Reply(reply) for reply in replies)
        self._queue.extend(made)

    def client(self, **options: Any) -> OpenAI:
        """Return a real client that talks to this server and retries nothing by itself.

        It is closed with the server, whatever stream a test has left unread.
        """
        client = OpenAI(**self._options(DefaultHttpxClient) | options)
        self._clients.callback(client.close)
        return client

    def async_client(self, **options: Any) -> AsyncOpenAI:
        """Return the asynchronous twin of `client`, to be used with `async with`."""
        return AsyncOpenAI(**self._options(DefaultAsyncHttpxClient) | options)

    def _options(self, http_client: Callable[..., Any]) -> dict[str, Any]:
        return {
            "base_url": self.base_url,
            "api_key": "scripted",
            "max_retries": 0,
            # Plain HTTP needs no certificates, and to load them takes a client 30 ms.
            "http_client": http_client(verify=False),
        }

    @contextmanager
    def answered(self, request: Request) -> Generator[Reply]:
        """Record a request and yield the reply to it; the HTTP side calls this.

        The request is in flight as long as the block lasts.
        """
        with self._counted(request):
            routed = self.route(request) if self.route else None
            yield routed or self._next()

    @contextmanager
    def _counted(self, request: Request) -> Generator[None]:
        with self._lock:
            self.requests.append(request)
            self._in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self._in_flight)
        try:
            yield
        finally:
            with self._settled:
                self._in_flight -= 1
                self._settled.notify_all()

    def _next(self) -> Reply:
        with self._lock:
            if self._queue:
                return self._queue.popleft()
            asked = len(self.requests)
        return Reply(f"LLMServer: no reply is left for request {asked}", status=400)


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    script: LLMServer

    def __init__(self, *args: Any) -> None:
        self.kept: list[socket] = []
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.kept.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client may leave when it likes."""


class _Handler(BaseHTTPRequestHandler):
    """Turns HTTP into a `Request` and a `Reply` into HTTP.

    Unless the server keeps them open, every connection is closed after its reply: a client that a
    test forgets to close then holds no open socket, about which Python would warn.
    """

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the tests read `LLMServer.requests`."""

    def do_GET(self) -> None:
        """Refuse: nothing here can be fetched."""
        self._send_error(404, f"LLMServer: nothing at GET {self.path}")

    def do_POST(self) -> None:
        """Answer a request with what the script says."""
        received = time.perf_counter()
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(raw)
        except ValueError as error:
            self._send_error(400, f"LLMServer: the body is no JSON: {error}")
            return
        shapes = _SHAPES.get(self.path)
        if shapes is None:
            self._send_error(404, f"LLMServer: nothing at POST {self.path}")
            return
        self._answer(Request(path=self.path, body=body, received=received), *shapes)

    def _answer(self, request: Request, whole: _Whole, pieces: _Pieces) -> None:
        # A reply that fails sends no header that says so.
        self.close_connection = not self._script.keeps_open
        try:
            with self._script.answered(request) as reply:
                self._wait(reply)
        except Exception as error:  # a test's route failed: its client must hear of it, not hang
            self._send_error(500, f"LLMServer: the route raised {error!r}")
            return
        with suppress(ConnectionError):  # the client has gone, or has read enough
            if reply.fault in ("silence", "hang_up", "trickle"):
                return
            if reply.body is not None:
                self._send_body(reply.status, reply.body.encode(), reply)
            elif reply.status != 200:
                self._send_error(reply.status, str(reply.payload), reply)
            elif request.body.get("stream"):
                self._send_events(pieces(request, reply), reply)
            else:
                self._send_json(200, whole(request, reply), reply)

    @property
    def _script(self) -> LLMServer:
        return cast(_HTTPServer, self.server).script

    def _wait(self, reply: Reply) -> None:
        """Let the reply's latency pass, or what it takes the client to lose patience."""
        if reply.fault == "trickle":
            self._send_head(200, {"Content-Length": str(_NEVER_REACHED)})
            with suppress(ConnectionError):
                while not self._client_leaves(within=_TRICKLE):
                    self.wfile.write(b" ")
        else:
            self._client_leaves(within=inf if reply.fault == "silence" else reply.latency)

    def _client_leaves(self, *, within: float) -> bool:
        """Wait, and tell whether the client has gone or the server is closed before time is up."""
        end = time.monotonic() + within
        while (left := end - time.monotonic()) > 0:
            readable, _, _ = select.select([self.connection], [], [], min(left, _ATTENTION))
            if readable or self._script.closing.is_set():
                return self._script.closing.is_set() or not self._peek()
        return False

    def _peek(self) -> bytes:
        try:
            return self.connection.recv(1, MSG_PEEK)
        except ConnectionError:
            return b""

    def _send_error(self, status: int, message: str, reply: Reply = _PLAIN) -> None:
        kind = "server_error" if status >= 500 else "invalid_request_error"
        error = {"message": message, "type": kind, "param": None, "code": None}
        self._send_json(status, {"error": error}, reply)

    def _send_json(self, status: int, body: dict[str, Any], reply: Reply = _PLAIN) -> None:
        self._send_body(status, json.dumps(body).encode(), reply)

    def _send_body(self, status: int, data: bytes, reply: Reply) -> None:
        head = {"Content-Type": "application/json", "Content-Length": str(len(data))}
        self._send_head(status, {**head, **reply.headers})
        self.wfile.write(data[: len(data) // 2] if reply.fault == "cut" else data)

    def _send_events(self, events: Iterable[dict[str, Any]], reply: Reply) -> None:
        head = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
        self._send_head(200, {**head, **reply.headers})
        listed = list(events)
        for event in listed[: len(listed) // 2] if reply.fault == "cut" else listed:
            self._send_event(event)
        if reply.fault == "cut":
            return
        if self.path != _RESPONSES:
            self._send_chunk(b"data: [DONE]\n\n")
        self._send_chunk(b"")

    def _send_event(self, event: dict[str, Any]) -> None:
        name = f"event: {event['type']}\n" if "type" in event else ""
        self._send_chunk(f"{name}data: {json.dumps(event)}\n\n".encode())

    def _send_chunk(self, data: bytes) -> None:
        self.wfile.write(b"%X\r\n%s\r\n" % (len(data), data))  # an empty one ends the body

    def _send_head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for header in headers.items():
            self.send_header(*header)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()


_Whole = Callable[[Request, Reply], dict[str, Any]]
_Pieces = Callable[[Request, Reply], Iterator[dict[str, Any]]]

_RESPONSES = "/v1/responses"
_SHAPES: dict[str, tuple[_Whole, _Pieces]] = {
    "/v1/chat/completions": (protocols.completion, protocols.completion_chunks),
    _RESPONSES: (protocols.response, protocols.response_events),
    "/v1/messages": (protocols.message, protocols.no_pieces),
    "/v1/models/scripted:generateContent": (protocols.content, protocols.no_pieces),
}

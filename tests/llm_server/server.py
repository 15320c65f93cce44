"""The server itself: a queue of replies, a record of requests, and the HTTP between them."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from llm_server import chat, responses
from llm_server.exchange import Reply, Request

Route = Callable[[Request], Reply | None]


class LLMServer:
    """A language model that says what it was told to say.

    It listens on a free port of the loopback from construction on; use it as a context manager, or
    call `close`. Replies leave the queue in the order pushed. A request that finds the queue empty
    gets status 400, which no client retries, and a message that says so.

    Args:
        route: Answers a request before the queue is asked; `None` leaves it to the queue. Runs in
            the request's own thread, so it may block, and must be safe to call from several.
    """

    def __init__(self, route: Route | None = None) -> None:
        self.route = route
        self.requests: list[Request] = []
        self.max_in_flight = 0
        self._queue: deque[Reply] = deque()
        self._in_flight = 0
        self._clients = ExitStack()
        self._lock = threading.Lock()
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
        self._clients.close()
        self._http.shutdown()
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

    def answer(self, request: Request) -> Reply:
        """Record a request and return the reply to it; the HTTP side calls this."""
        with self._counted(request):
            routed = self.route(request) if self.route else None
            reply = routed or self._next()
            time.sleep(reply.latency)
            return reply

    @contextmanager
    def _counted(self, request: Request) -> Generator[None]:
        with self._lock:
            self.requests.append(request)
            self._in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self._in_flight)
        try:
            yield
        finally:
            with self._lock:
                self._in_flight -= 1

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


class _Handler(BaseHTTPRequestHandler):
    """Turns HTTP into a `Request` and a `Reply` into HTTP.

    Every connection is closed after its reply: a client that a test forgets to close then holds no
    open socket, about which Python would warn.
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
        try:
            reply = cast(_HTTPServer, self.server).script.answer(request)
        except Exception as error:  # a test's route failed: its client must hear of it, not hang
            self._send_error(500, f"LLMServer: the route raised {error!r}")
            return
        with suppress(ConnectionError):  # the client has gone, or has read enough
            if reply.status != 200:
                self._send_error(reply.status, str(reply.payload))
            elif request.body.get("stream"):
                self._send_events(pieces(request, reply))
            else:
                self._send_json(200, whole(request, reply))

    def _send_error(self, status: int, message: str) -> None:
        kind = "server_error" if status >= 500 else "invalid_request_error"
        error = {"message": message, "type": kind, "param": None, "code": None}
        self._send_json(status, {"error": error})

    def _send_json(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self._send_head(status, "application/json", ("Content-Length", str(len(data))))
        self.wfile.write(data)

    def _send_events(self, events: Iterable[dict[str, Any]]) -> None:
        self._send_head(200, "text/event-stream", ("Transfer-Encoding", "chunked"))
        for event in events:
            self._send_event(event)
        if self.path != _RESPONSES:
            self._send_chunk(b"data: [DONE]\n\n")
        self._send_chunk(b"")

    def _send_event(self, event: dict[str, Any]) -> None:
        name = f"event: {event['type']}\n" if "type" in event else ""
        self._send_chunk(f"{name}data: {json.dumps(event)}\n\n".encode())

    def _send_chunk(self, data: bytes) -> None:
        self.wfile.write(b"%X\r\n%s\r\n" % (len(data), data))  # an empty one ends the body

    def _send_head(self, status: int, content_type: str, length: tuple[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header(*length)
        self.send_header("Connection", "close")
        self.end_headers()


_Whole = Callable[[Request, Reply], dict[str, Any]]
_Pieces = Callable[[Request, Reply], Iterator[dict[str, Any]]]

_RESPONSES = "/v1/responses"
_SHAPES: dict[str, tuple[_Whole, _Pieces]] = {
    "/v1/chat/completions": (chat.completion, chat.completion_chunks),
    _RESPONSES: (responses.response, responses.response_events),
}

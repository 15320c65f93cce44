"""Running the service: `serve` listens on a socket until a signal stops it."""

from __future__ import annotations

import asyncio
import math
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from citeguard.errors import CiteguardError

_HEAD_SECONDS = 10.0  # in which the headers of a request must arrive
_UNREAD_SECONDS = 30.0  # in which a client must read what has been sent
_IDLE_SECONDS = 10  # that a connection may be open without a request
_REJECT_SECONDS = 3.0  # to reject the requests that do not end in time
_HEAD_BYTES = 16_384  # as h11 allows by default
_BACKLOG = 512


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 with timeouts for clients that send their headers, or read their reply, slowly."""

    _head_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Wait for a request."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        _cancel(self._head_timer, self._read_timer)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._await_head()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        # Not `close`, which first waits until the client has read what was written.
        self._read_timer = self.loop.call_later(_UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue the reply."""
        _cancel(self._read_timer)
        super().resume_writing()

    def _await_head(self) -> None:
        _cancel(self._head_timer)
        self._head_timer = self.loop.call_later(_HEAD_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None or self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison]
            self.transport.close()


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()


def serve(
    app: Starlette, host: str, port: int, *, grace: float, on_ready: Callable[[str], object]
) -> None:
    """Serve an application until SIGINT or SIGTERM, then finish the requests being served.

    These have `grace` seconds. `on_ready` is called with the URL of the service once it listens.
    SIGINT raises `KeyboardInterrupt`.
    """
    with listen(host, port) as listening:
        name, number, *_ = listening.getsockname()
        url = f"http://[{name}]:{number}" if ":" in name else f"http://{name}:{number}"
        server = make_server(app, grace=grace, on_ready=lambda: on_ready(url))
        with _signals_after_stop():
            try:
                server.run([listening])
            except SystemExit as error:  # uvicorn exits when the application cannot start
                raise CiteguardError("the service cannot start; see its error output") from error


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket whose connections send without delay."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    # asyncio does this only for a socket created with a protocol number, unlike this one. Each
    # reply would wait for the client's delayed acknowledgement, about 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def make_server(app: Starlette, *, grace: float, on_ready: Callable[[], object]) -> uvicorn.Server:
    """Return the server, configured for untrusted clients; `serve` runs it."""
    config = uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        loop="asyncio",
        # By default uvicorn would serve without workers if they cannot start.
        lifespan="on",
        log_level="error",
        access_log=False,  # requests are private
        server_header=False,
        # Nothing here depends on the address of a client.
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_IDLE_SECONDS,
        # uvicorn takes whole seconds.
        timeout_graceful_shutdown=math.ceil(grace + _REJECT_SECONDS),
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    return _Server(config, grace, on_ready, app)


class _Server(uvicorn.Server):
    """Reports when it is ready, and rejects requests when their time to end is up."""

    def __init__(
        self, config: uvicorn.Config, grace: float, on_ready: Callable[[], object], app: Starlette
    ) -> None:
        super().__init__(config)
        self._grace, self._on_ready, self._state = grace, on_ready, app.state

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:  # a signal may have come already
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if not self.started:  # uvicorn would wait until the application has started
            loop = asyncio.get_running_loop()
            loop.call_soon_threadsafe(self._state.begin_shutdown)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._state.reject_waiting()
        timer = asyncio.get_running_loop().call_later(self._grace, self._state.begin_shutdown)
        await super().shutdown(sockets)
        timer.cancel()
        if self.force_exit:  # by a second Ctrl-C, after which uvicorn omits this
            await self.lifespan.shutdown()


@contextmanager
def _signals_after_stop() -> Generator[None]:
    """Handle the signal that uvicorn raises again after it has stopped because of it.

    SIGTERM does nothing, and SIGINT raises `KeyboardInterrupt`, even in a process that a shell has
    started in the background with SIGINT ignored.
    """
    handlers = {signal.SIGTERM: signal.SIG_IGN, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

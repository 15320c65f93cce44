"""The service on a socket: `serve` runs it until it is told to stop."""

from __future__ import annotations

import asyncio
import math
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from citeguard.errors import CiteguardError

_HEAD_SECONDS = 10.0  # in which the head of a request must be there
_UNTAKEN_SECONDS = 30.0  # in which a client must take what waits to be sent
_IDLE_SECONDS = 10  # that a connection may be open without a request
_FAREWELL_SECONDS = 3.0  # to tell the clients whose requests do not end in time
_HEAD_BYTES = 16_384
_BACKLOG = 512


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 that waits for no client for ever: not for a request's head, nor with a reply."""

    _head: asyncio.TimerHandle | None = None
    _taken: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Expect a request."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing any more."""
        _cancel(self._head, self._taken)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Expect the next request."""
        super().on_response_complete()
        self._expect_head()

    def pause_writing(self) -> None:
        """Expect the client to take what was sent."""
        super().pause_writing()
        self._taken = self.loop.call_later(_UNTAKEN_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with the reply."""
        _cancel(self._taken)
        super().resume_writing()

    def _expect_head(self) -> None:
        _cancel(self._head)
        self._head = self.loop.call_later(_HEAD_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None or self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison]
            self.transport.close()


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()


def serve(
    app: FastAPI,
    host: str,
    port: int,
    *,
    grace: float,
    on_ready: Callable[[str], object],
) -> None:
    """Serve an application until SIGINT or SIGTERM; then finish the requests that are under way.

    Args:
        app: The application.
        host: The address to listen on.
        port: The port; 0 is any that is free.
        grace: How many seconds the requests have that are under way when it is to stop.
        on_ready: Is told the service's address, once it listens.

    Raises:
        CiteguardError: it cannot start.
        OSError: the address is not to be had.
        KeyboardInterrupt: it was stopped by SIGINT.
    """
    with listen(host, port) as listening:
        server = make_server(app, grace=grace, on_ready=lambda: on_ready(_address(listening)))
        with _told_of_signals():
            _run(server, listening)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, and whose connections send what they are given at once.

    asyncio would see to the latter only where a socket names its protocol, and this one does not:
    each reply would wait for a client's delayed acknowledgement, about 40 ms.

    Raises:
        OSError: the address is not to be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def make_server(
    app: FastAPI, *, grace: float = 30.0, on_ready: Callable[[], object] | None = None
) -> uvicorn.Server:
    """Return the server, set up for clients that are not to be trusted; `serve` runs it.

    Args:
        app: The application.
        grace: How many seconds the requests have that are under way when it is to stop.
        on_ready: Is called once it listens.
    """
    return _Server(_config(app, grace), grace, on_ready, app.state.end_requests)


class _Server(uvicorn.Server):
    """Says when it is ready, and when the requests have to end that are under way."""

    def __init__(
        self,
        config: uvicorn.Config,
        grace: float,
        on_ready: Callable[[], object] | None,
        on_late: Callable[[], object],
    ) -> None:
        super().__init__(config)
        self._grace = grace
        self._on_ready = on_ready
        self._on_late = on_late

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._on_ready is not None:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        late = asyncio.get_running_loop().call_later(self._grace, self._on_late)
        await super().shutdown(sockets)
        late.cancel()
        if self.force_exit:  # by a second Ctrl-C: uvicorn leaves this out then
            await self.lifespan.shutdown()


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    try:
        server.run([listening])
    except SystemExit as error:  # so uvicorn ends when the application cannot start
        raise CiteguardError("the service cannot start; see what it printed before") from error


def _address(listening: socket.socket) -> str:
    host, port, *_ = listening.getsockname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def _told_of_signals() -> Generator[None]:
    """Say what the signals do that stop the server: uvicorn raises them again once it stopped.

    SIGTERM does nothing more, and SIGINT raises `KeyboardInterrupt`, also in a process that a shell
    has started in the background, where it is ignored.
    """
    handlers = {signal.SIGTERM: _nothing, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _nothing(*_: object) -> None:
    return


def _config(app: FastAPI, grace: float) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_level="error",
        access_log=False,  # what clients send is nobody else's business
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=math.ceil(grace + _FAREWELL_SECONDS),
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )

"""A service on loopback, and clients that misbehave as no library would."""

import json
import socket
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import httpx
from starlette.applications import Starlette

from citeguard.server import service
from citeguard.server.pool import Worker
from citeguard.server.running import listen, make_server

START_SECONDS = 120.0
STREAM = {"Accept": "text/event-stream"}


class IdleWorker(Worker):
    """A worker that gets no job, and so needs no process."""

    async def start(self) -> None:
        """Be ready at once."""

    def is_alive(self) -> bool:
        return True


@contextmanager
def working(*, texts: bool = False, documents: bool = False) -> Generator[None]:
    """Have the services made in a block start processes for these jobs only.

    Loading the modules and models of a process takes seconds.
    """
    works = {False: texts, True: documents}

    def worker(rules: bytes, *, documents: bool) -> Worker:
        return (Worker if works[documents] else IdleWorker)(rules, documents=documents)

    with patch.object(service, "Worker", worker):
        yield


@contextmanager
def served(app: Starlette) -> Generator[str]:
    """Serve an application in a thread, and return its address."""
    ready = threading.Event()
    with listen("127.0.0.1", 0) as listening:
        server = make_server(app, grace=5, on_ready=ready.set)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        assert ready.wait(START_SECONDS)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def client_of(address: str) -> httpx.Client:
    """Return a client with a long timeout."""
    return httpx.Client(base_url=address, timeout=60)


def events_of(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield the name and data of each server-sent event."""
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def connected(address: str) -> socket.socket:
    """Return a socket connected to a service."""
    url = httpx.URL(address)
    return socket.create_connection((url.host, url.port or 80), timeout=30)


def received(connection: socket.socket) -> bytes:
    """Return everything that a service sends before it closes a connection."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def loads_nothing(reply: httpx.Response) -> bool:
    """Return whether a page runs its own script at most, and nothing of other sites."""
    policy = reply.headers["content-security-policy"]
    is_strict = policy.startswith("default-src 'none'") and "unsafe" not in policy
    return reply.status_code == 200 and 'src="http' not in reply.text and is_strict


def code_of(reply: httpx.Response) -> tuple[int, str]:
    """Return the status and code of an error."""
    return reply.status_code, reply.json()["error"]["code"]

"""What hostile clients send, several at once, again and again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

from server.hostile_files import blank_stream, endless_text, stream_packed_twice

_TEXT = {"text": "Lunch is free."}
_JSON = {"Content-Type": "application/json"}


class Attack:
    """Clients that send the same again and again.

    Args:
        made: Makes the arguments of a request.
        clients: How many there are.
        pause: Seconds that each waits after a reply.
    """

    def __init__(
        self, made: Callable[[], dict[str, Any]], *, clients: int = 4, pause: float = 0.0
    ) -> None:
        self.statuses: Counter[int | str] = Counter()
        self._made = made
        self._clients = clients
        self._pause = pause

    async def run(self, client: httpx.AsyncClient) -> None:
        """Attack until this is cancelled."""
        await asyncio.gather(*(self._again(client) for _ in range(self._clients)))

    async def _again(self, client: httpx.AsyncClient) -> None:
        while True:
            try:
                reply = await client.post("/audit", **self._made())
                self.statuses[reply.status_code] += 1
            except httpx.HTTPError as error:
                self.statuses[type(error).__name__] += 1
            await asyncio.sleep(self._pause)


def _uploads(content: bytes) -> Callable[[], dict[str, Any]]:
    return lambda: {"data": _TEXT, "files": {"files": ("report.pdf", content)}}


async def _endless() -> AsyncIterator[bytes]:
    while True:
        yield b" " * 1_000_000


async def _slow() -> AsyncIterator[bytes]:
    while True:
        yield b" "
        await asyncio.sleep(0.5)


ATTACKS: dict[str, Callable[[], Attack]] = {
    "streams of blanks": lambda: Attack(_uploads(blank_stream(2_000))),
    "streams packed twice": lambda: Attack(_uploads(stream_packed_twice(2_000))),
    "endless pages": lambda: Attack(_uploads(endless_text())),
    "bodies without end": lambda: Attack(lambda: {"content": _endless(), "headers": _JSON}),
    "slow bodies": lambda: Attack(
        lambda: {"content": _slow(), "headers": _JSON}, clients=100, pause=0.1
    ),
    "malformed JSON": lambda: Attack(lambda: {"content": b"[" * 100_000, "headers": _JSON}),
    "clients that leave": lambda: Attack(
        lambda: {
            "json": {"text": "Lunch is free. " * 3_000, "sources": {"a": "Lunch is free."}},
            "timeout": 0.2,
        }
    ),
}
"""The attacks, by what is sent."""

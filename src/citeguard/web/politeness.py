"""When a server may be asked: what its robots.txt allows, whose turn it is, and `Retry-After`."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic

import httpx
from protego import Protego

from citeguard.web.addresses import AddressRefusedError, joined
from citeguard.web.connecting import UNREACHABLE, DamagedBodyError, NoSuchNameError, Reply

AGENT = "citeguard"  # the name by which a robots.txt can address us

_LONGEST_DELAY = 10.0  # seconds between two requests that a robots.txt can ask for
_MOST_HOSTS = 10_000  # that are remembered
_MOST_SITES = 1_000  # whose robots.txt is kept
_MOST_RULES = 512_000  # bytes of a robots.txt that are read; RFC 9309, 2.5 asks for 500 KiB
_MOST_REDIRECTS = 5  # RFC 9309, 2.3.1.2
_KEPT = 86_400.0  # seconds; RFC 9309, 2.4
_KEPT_WITHOUT_ANSWER = 300.0


class HostClosedError(Exception):
    """A host has asked, with a status, not to be asked again for some more seconds."""

    def __init__(self, seconds: float, status: int) -> None:
        super().__init__(f"the server wants not to be asked for {seconds:.0f} more seconds")
        self.seconds = seconds
        self.status = status


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    last: float = -inf  # the end of its last answer, by `monotonic`
    closed_until: float = -inf
    status: int = 0  # with which it closed


class Turns:
    """Lets one request at a time go to a host, with a pause of some seconds after each."""

    def __init__(self, seconds_between: float) -> None:
        self._between = seconds_between
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay: float = 0.0) -> AsyncGenerator[None]:
        """Wait until a host may be asked, and keep others from asking it; see also `check`.

        Of the pause that its robots.txt asks for, `delay`, at most ten seconds count.
        """
        state = self._host(host)
        async with state.lock:
            self.check(host)
            pause = max(self._between, min(delay, _LONGEST_DELAY))
            if (wait := state.last + pause - monotonic()) > 0:
                await sleep(wait)
            try:
                yield
            finally:
                state.last = monotonic()

    def close(self, host: str, seconds: float, status: int) -> None:
        """Note that a host, with some status, asked not to be asked for some seconds."""
        state = self._host(host)
        state.closed_until = max(state.closed_until, monotonic() + seconds)
        state.status = status

    def check(self, host: str) -> None:
        """Raise a `HostClosedError` if a host wants not to be asked yet."""
        state = self._hosts.get(host)
        if state is not None and (seconds := state.closed_until - monotonic()) > 0:
            raise HostClosedError(seconds, state.status)

    def _host(self, host: str) -> _Host:
        if host not in self._hosts and len(self._hosts) >= _MOST_HOSTS:
            past = monotonic() - _LONGEST_DELAY
            self._hosts = {
                name: state
                for name, state in self._hosts.items()
                if state.lock.locked() or max(state.last, state.closed_until) > past
            }
        return self._hosts.setdefault(host, _Host())


@dataclass(frozen=True, slots=True)
class Rules:
    """What the robots.txt of a site says; without one, everything is allowed."""

    parsed: Protego | None = None
    refusal: str = ""

    def refusal_of(self, url: httpx.URL) -> str:
        """Return why an address may not be asked for; empty if it may."""
        if self.refusal or self.parsed is None:
            return self.refusal
        allows = self.parsed.can_fetch(str(url), AGENT)
        return "" if allows else "the site's robots.txt does not allow it"

    @property
    def delay(self) -> float:
        """The seconds between two requests that it asks for."""
        delay = None if self.parsed is None else self.parsed.crawl_delay(AGENT)
        return max(delay or 0.0, 0.0)


@dataclass(slots=True)
class _Site:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    until: float = -inf  # by `monotonic`
    rules: Rules = field(default_factory=Rules)


class RobotsTxt:
    """Reads the robots.txt of sites, as RFC 9309 wants it, and keeps each for a day.

    A file that the server does not have (4xx) allows everything; one that it fails to send (5xx),
    or that cannot be reached, allows nothing, and is asked for again after five minutes.
    """

    def __init__(self, ask: Callable[[httpx.URL, int], Awaitable[Reply]]) -> None:
        self._ask = ask
        self._sites: dict[str, _Site] = {}

    async def rules(self, url: httpx.URL) -> Rules:
        """Return the rules for an address; raises what concerns its host, as for a page."""
        where = url.copy_with(raw_path=b"/robots.txt")
        if str(where) not in self._sites and len(self._sites) >= _MOST_SITES:
            del self._sites[next(iter(self._sites))]
        site = self._sites.setdefault(str(where), _Site())
        async with site.lock:
            if monotonic() >= site.until:
                site.rules = await self._read(where)
                seconds = _KEPT_WITHOUT_ANSWER if site.rules.refusal else _KEPT
                site.until = monotonic() + seconds
            return site.rules

    async def _read(self, where: httpx.URL) -> Rules:
        try:
            answer = await self._ask(where, _MOST_RULES)
            for _ in range(_MOST_REDIRECTS):
                # A redirect that leads nowhere is like no file at all (RFC 9309, 2.3.1.2).
                try:
                    if (target := location_of(where, answer)) is None:
                        break
                    where, answer = target, await self._ask(target, _MOST_RULES)
                except (AddressRefusedError, NoSuchNameError):
                    return Rules()
        except (*UNREACHABLE, DamagedBodyError):
            return Rules(refusal="its robots.txt cannot be read, which allows nothing (RFC 9309)")
        if answer.status == 200:
            return Rules(Protego.parse(answer.body.decode("utf-8", "replace")))
        # RFC 9309 has 429 allow everything like any 4xx; but that server wants to be left alone.
        if answer.status < 500 and answer.status != 429:
            return Rules()
        said = f"its robots.txt has the status {answer.status}, which allows nothing (RFC 9309)"
        return Rules(refusal=said)


def location_of(url: httpx.URL, answer: Reply) -> httpx.URL | None:
    """Return where the answer of an address redirects to; `None` if it does not."""
    location = answer.headers.get("location")
    if answer.status not in (301, 302, 303, 307, 308) or not location:
        return None
    # Headers are bytes; browsers read them as UTF-8 where they can.
    return joined(url, location.encode("latin-1").decode("utf-8", "replace"))

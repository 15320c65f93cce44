"""`Fetcher`: reads pages of the web, and nothing that is not of the web.

When a server may be asked is decided here, too: by its robots.txt (`RobotsTxt`), by whose turn it
is (`Turns`), and by its `Retry-After`.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import ssl
import time
from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from math import inf
from time import monotonic

import httpx
from protego import Protego

from citeguard.errors import CiteguardError, check_number, check_text, check_whole, foreign_code
from citeguard.judges.loops import in_background, in_background_loop, in_thread, run_sync
from citeguard.web.addresses import (
    AddressRefusedError,
    host_of,
    joined,
    port_of,
    read_allowed,
    read_url,
)
from citeguard.web.caching import CachedPage, PageCache
from citeguard.web.connecting import (
    FAILURES,
    UNREACHABLE,
    DamagedBodyError,
    NoSuchNameError,
    Reply,
    Requests,
    TooLargeError,
    UnknownCodingError,
)
from citeguard.web.page import PageOutcome, WebPage, read_content_type, read_retry_after
from citeguard.web.reading import (
    Content,
    NotFetchedError,
    read_page,
    refresh_of,
    source_of,
)

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
            # The one before may have been told to stay away while we waited.
            self.check(host)
            pause = max(self._between, min(delay, _LONGEST_DELAY))
            if (wait := state.last + pause - monotonic()) > 0:
                await sleep(wait)
            try:
                yield
            finally:
                # Also after a failure: a server in trouble needs the pause most.
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
            # Forgotten are those that nobody waits for, and whose pauses are over.
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
        # So that pages of a site that are asked for at once read its robots.txt once.
        async with site.lock:
            if monotonic() >= site.until:
                site.rules = await self._read(where)
                seconds = _KEPT_WITHOUT_ANSWER if site.rules.refusal else _KEPT
                site.until = monotonic() + seconds
            return site.rules

    async def _read(self, where: httpx.URL) -> Rules:
        try:
            answer = await self._ask(where, _MOST_RULES)
            # After more of them the file counts as one that is not there, which allows everything.
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
            # It has to be UTF-8 (RFC 9309, 2.3), but a wrong byte must not lose the rules.
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


_READING_SECONDS = 30.0
_READ_AT_ONCE = 4  # pages
_ACCEPT = (
    "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,text/markdown;q=0.9,"
    "*/*;q=0.5"
)

_TOO_MANY = 429
_LONGEST_REASON = 200  # characters
_STATUSES: dict[int, tuple[PageOutcome, str]] = {
    401: ("blocked", "the server asks for a user name and password"),
    402: ("paywalled", "the server asks for money"),
    403: ("blocked", "the server does not let us read it"),
    404: ("dead", "there is no such page"),
    407: ("blocked", "a proxy asks for a user name and password"),
    # This one and 425 say to try again, as 5xx do.
    408: ("unreachable", "the server answers with the status 408"),
    410: ("dead", "the page was removed"),
    425: ("unreachable", "the server answers with the status 425"),
    429: ("blocked", "the server had too many requests"),
    451: ("blocked", "the server must not show it, for legal reasons"),
}
"""What other statuses than 200 mean; of the rest, 4xx and 6xx block, and others may pass."""


@dataclass(slots=True)
class _Shared:
    """What all requests share, in one event loop."""

    loop: asyncio.AbstractEventLoop
    turns: Turns
    robots: RobotsTxt
    readers: asyncio.Semaphore


@dataclass(slots=True)
class _Trip:
    """The way from the address that was asked for to an answer, and the seconds left for it."""

    start: httpx.URL
    left: float
    asked: list[httpx.URL] = field(default_factory=list[httpx.URL])
    answer: Reply | None = None
    answered_at: float = 0.0
    retry_after: float | None = None

    @property
    def is_private(self) -> bool:
        """Whether the server wants its answer not to be kept (RFC 9111, 5.2.2.5)."""
        said = "" if self.answer is None else self.answer.headers.get("cache-control", "")
        return "no-store" in said.lower()

    def cached(self, outcome: PageOutcome, reason: str) -> CachedPage:
        assert self.answer is not None
        body = self.answer.body if outcome == "fetched" else b""
        return CachedPage(
            outcome=outcome,
            reason=reason,
            final_url=str(self.asked[-1]),
            redirects=tuple(map(str, self.asked[1:-1])),
            status=self.answer.status,
            content_type=self.answer.headers.get("content-type", ""),
            sha256=hashlib.sha256(body).hexdigest() if outcome == "fetched" else "",
            fetched_at=self.answered_at,
            body=body,
        )


class Fetcher:
    """Reads pages of the web as sources, and opens nothing but public addresses.

    The guard is where the socket opens: a name is resolved there, each of its addresses is checked,
    and the connection goes to a checked one. So no redirect, no second resolution and no odd way to
    write an address leads to this machine or its network. Whatever happens to a page, the result is
    a `WebPage`, whose `outcome` and `reason` say what. No cookies, user names or passwords are ever
    sent, nor those in a URL.

    A `Fetcher` can be used from any threads and event loops at once, and holds nothing open.

    Args:
        allow: Pairs "host:port" that may have private addresses, such as `"localhost:8080"`. They
            are the caller's own servers, so they are asked without pause and without reading their
            robots.txt, which is for strangers. Metadata services of clouds are not opened even so.
        contact: An address of e-mail or the web at which the owner of a server can complain; part
            of the `User-Agent`.
        max_bytes: The most bytes of a page, both as it is sent and decompressed.
        max_redirects: The most redirects from one address to another; each is checked anew.
        timeout: The most seconds for a page from the first request to the last byte, redirects
            included; waiting for the host's turn is not counted.
        seconds_between: The least seconds between two requests to a host, from this `Fetcher`. A
            robots.txt can ask for up to ten.
        robots: Whether to obey robots.txt.
        cache: Where pages are kept: a `PageCache`, or the folder of one. Without one, nothing is
            kept.
        trust_env: Whether to use the proxies that environment variables name (`HTTP_PROXY` and so
            on). A proxy resolves names anew, so that the guard can only check what a name resolves
            to here.
        ssl_context: How servers have to prove who they are, if not by the usual authorities.

    Raises:
        CiteguardError: An argument has a wrong type or is out of its range, or a package is
            missing.

    Examples:
        >>> page = Fetcher().fetch("http://localhost/")
        >>> page.outcome, page.reason
        ('refused', 'its address is not public')
    """

    def __init__(
        self,
        *,
        allow: Collection[str] = (),
        contact: str = "",
        max_bytes: int = 10_000_000,
        max_redirects: int = 5,
        timeout: float = 20.0,
        seconds_between: float = 1.0,
        robots: bool = True,
        cache: PageCache | str | os.PathLike[str] | None = None,
        trust_env: bool = False,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        check_text("Fetcher(contact=...)", contact, required=True)
        check_whole("Fetcher(max_bytes=...)", max_bytes, 1)
        check_whole("Fetcher(max_redirects=...)", max_redirects, 0)
        check_number("Fetcher(timeout=...)", timeout, 0, float("inf"), above=True)
        check_number("Fetcher(seconds_between=...)", seconds_between, 0, float("inf"))
        # It is sent in a header, where a line break would begin another one.
        if not contact.isascii() or not all(map(str.isprintable, contact)):
            raise CiteguardError(f"Fetcher(contact=...): must be printable ASCII, not {contact!r}")
        self._allow = read_allowed(allow)
        # What one fetcher may open must not reach another one through a cache that they share.
        self._scope = " ".join(sorted(allow))
        self._max_redirects = max_redirects
        self._timeout = timeout
        self._between = seconds_between
        self._obeys_robots = robots
        self._cache = cache if isinstance(cache, PageCache) or cache is None else PageCache(cache)
        self._max_bytes = max_bytes
        self._requests = Requests(
            allow=self._allow,
            headers={"User-Agent": user_agent(contact), "Accept": _ACCEPT},
            max_bytes=max_bytes,
            ssl_context=ssl_context,
            trust_env=trust_env,
        )
        self._kept: _Shared | None = None

    def fetch(self, url: str) -> WebPage:
        """Return a page, or what became of it; waits for it.

        Args:
            url: Its address. A fragment is ignored.

        Raises:
            CiteguardError: The address is not a string; or an async judge called this, which must
                await `afetch`.
        """
        check_text("url", url, required=True)
        # It would wait for the very loop that it blocks.
        if in_background_loop():
            raise CiteguardError("code in an event loop must await afetch(...) instead of fetch")
        return run_sync(self._fetch(url))

    async def afetch(self, url: str) -> WebPage:
        """Return a page, or what became of it, as `fetch` does.

        Raises:
            CiteguardError: The address is not a string.
        """
        check_text("url", url, required=True)
        return await in_background(self._fetch(url))

    async def _fetch(self, url: str) -> WebPage:
        page = WebPage(url=url, outcome="refused")
        try:
            address = read_url(url)
        except AddressRefusedError as error:
            return replace(page, reason=str(error))
        cache, outcome, reason = self._cache, "fetched", ""
        if cache is not None:
            kept = await in_thread(partial(cache.get, str(address), scope=self._scope))
            if kept is not None:
                return await self._read(page, kept, from_cache=True)
        trip = _Trip(address, self._timeout)
        try:
            await self._follow(trip)
        except NotFetchedError as error:
            outcome, reason = error.outcome, error.reason
            page = replace(page, outcome=outcome, reason=reason, retry_after=trip.retry_after)
            if trip.answer is None:
                return page
        answered = trip.cached(outcome, reason)
        read = await self._read(page, answered)
        # Any other outcome may pass by itself, and would be served for a day.
        if cache is not None and read.outcome in ("fetched", "dead") and not trip.is_private:
            # It came with 200, and only its text says that there is no such page.
            if read.outcome == "dead":
                answered = trip.cached("dead", read.reason)
            await in_thread(partial(cache.put, str(address), answered, scope=self._scope))
        return read

    async def _follow(self, trip: _Trip) -> None:
        """Ask for a page, wherever it redirects to; a `NotFetchedError` says why there is none."""
        target: httpx.URL | None = trip.start
        try:
            while target is not None:
                if len(trip.asked) > self._max_redirects:
                    raise NotFetchedError(
                        "unreachable", f"it redirects more than {self._max_redirects} times"
                    )
                trip.answer = await self._ask_politely(target, trip)
                trip.answered_at = time.time()
                trip.asked.append(target)
                target = _target(target, trip.answer)
        except HostClosedError as error:
            trip.retry_after = error.seconds
            outcome = "blocked" if error.status == _TOO_MANY else "unreachable"
            raise NotFetchedError(outcome, str(error)) from error
        except AddressRefusedError as error:
            redirected = "it redirects to an address that is not opened: " if trip.asked else ""
            raise NotFetchedError("refused", f"{redirected}{error}") from error
        except FAILURES as error:
            raise self._not_fetched(error) from error
        assert trip.answer is not None
        trip.retry_after = _seconds_to_wait(trip.answer)
        status = trip.answer.status
        if status != 200:
            blocks = 400 <= status < 500 or status >= 600
            usual = "blocked" if blocks else "unreachable"
            said = f"the server answers with the status {status}"
            raise NotFetchedError(*_STATUSES.get(status, (usual, said)))

    def _not_fetched(self, error: Exception) -> NotFetchedError:
        match error:
            case NoSuchNameError():
                # Not "dead": a machine without a network would call every page so.
                return NotFetchedError("unreachable", "its name does not resolve")
            case TooLargeError():
                return NotFetchedError("too_large", f"it has more than {self._max_bytes:,} bytes")
            case UnknownCodingError():
                return NotFetchedError("unsupported_type", str(error))
            case DamagedBodyError():
                return NotFetchedError("unreachable", f"its answer is damaged: {error}")
            case TimeoutError():
                seconds = f"{self._timeout:g} seconds"
                return NotFetchedError("unreachable", f"it was not sent within {seconds}")
            case _:
                said = "".join(char for char in str(error) if char.isprintable())
                said = said[:_LONGEST_REASON] or type(error).__name__
                return NotFetchedError("unreachable", f"the connection failed: {said}")

    async def _ask_politely(self, url: httpx.URL, trip: _Trip) -> Reply:
        delay = 0.0
        if self._obeys_robots and not self._is_own(url):
            rules = await self._shared().robots.rules(url)
            if refusal := rules.refusal_of(url):
                raise NotFetchedError("blocked", refusal)
            delay = rules.delay
        return await self._ask(url, trip, delay=delay)

    async def _ask(
        self, url: httpx.URL, trip: _Trip, *, delay: float = 0.0, cut: int | None = None
    ) -> Reply:
        """Ask for an address when it is its host's turn, in the time that the trip has left."""
        turns = self._shared().turns
        host = host_of(url)
        # Before the turn, too: nobody has to wait for a host that will not be asked.
        turns.check(host)
        async with nullcontext() if self._is_own(url) else turns.turn(host, delay):
            start = time.monotonic()
            try:
                async with asyncio.timeout(trip.left):
                    answer = await self._requests.get(url, cut=cut)
            finally:
                trip.left -= time.monotonic() - start
        # With a redirect, Retry-After is about the next request only (RFC 9110, 10.2.3).
        if answer.status >= 400 and (seconds := _seconds_to_wait(answer)):
            turns.close(host, seconds, answer.status)
        return answer

    def _is_own(self, url: httpx.URL) -> bool:
        return (host_of(url), port_of(url)) in self._allow

    async def _read(
        self, page: WebPage, answered: CachedPage, *, from_cache: bool = False
    ) -> WebPage:
        """Return a page with what was answered, and its text if it was fetched."""
        content_type, charset = read_content_type(answered.content_type)
        page = replace(
            page,
            outcome=answered.outcome,
            reason=answered.reason,
            final_url=answered.final_url,
            redirects=answered.redirects,
            status=answered.status,
            content_type=content_type,
            sha256=answered.sha256,
            fetched_at=datetime.fromtimestamp(answered.fetched_at, UTC),
            cached=from_cache,
        )
        if answered.outcome != "fetched":
            return page
        content = Content(answered.body, content_type, charset, httpx.URL(answered.final_url).path)
        try:
            with foreign_code(_unread):
                # The thread of a page that takes too long works on, but nothing waits for it.
                async with self._shared().readers, asyncio.timeout(_READING_SECONDS):
                    read = await in_thread(read_page, content)
        except NotFetchedError as error:
            return replace(page, outcome=error.outcome, reason=error.reason)
        return replace(page, source=source_of(page.url, read, page.final_url))

    def _shared(self) -> _Shared:
        """Return what the requests of the running loop share; a forked process has another one."""
        loop = asyncio.get_running_loop()
        # Locks and semaphores of asyncio belong to one loop.
        if self._kept is None or self._kept.loop is not loop:
            turns = Turns(self._between)

            async def ask(url: httpx.URL, cut: int) -> Reply:
                return await self._ask(url, _Trip(url, self._timeout), cut=cut)

            robots = RobotsTxt(ask)
            self._kept = _Shared(loop, turns, robots, asyncio.Semaphore(_READ_AT_ONCE))
        return self._kept


def user_agent(contact: str = "") -> str:
    """Return how requests name themselves."""
    return f"{AGENT}/{version('pydantic-citeguard')}" + (f" (+{contact})" if contact else "")


def _target(url: httpx.URL, answer: Reply) -> httpx.URL | None:
    """Return where an answer sends us on, by its head or as a page; `None` if it does not."""
    named, charset = read_content_type(answer.headers.get("content-type", ""))
    refresh = refresh_of(Content(answer.body, named, charset, url.path))
    if not refresh:
        return location_of(url, answer)
    target = joined(url, refresh)
    # A page that only reloads itself is the page that was asked for.
    return None if target == url else target


def _seconds_to_wait(answer: Reply) -> float | None:
    return read_retry_after(answer.headers.get("retry-after", ""))


def _unread(error: Exception) -> Exception:
    match error:
        case NotFetchedError():
            return error
        case TimeoutError():
            reason = f"reading it takes more than {_READING_SECONDS:.0f} seconds"
            return NotFetchedError("too_large", reason)
        case _:
            reason = f"reading it failed: {type(error).__name__}"
            return NotFetchedError("unsupported_type", reason)

"""One request over HTTP, and the guard of those for pages: it checks where the socket opens.

`GuardedBackend` resolves a name, checks every address that it resolves to, and connects to one of
those, so that no second resolution can lead elsewhere. `Requests.get` asks for one address, once:
it follows no redirects, sends no credentials and no cookies, and reads no more than it may.
`exchange` is the request itself, for pages and for services.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import time
import zlib
from collections.abc import AsyncIterable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any, cast
from urllib.request import getproxies_environment, proxy_bypass

import httpcore
import httpx

from citeguard.errors import CiteguardError
from citeguard.judges.loops import in_thread
from citeguard.web.addresses import AddressRefusedError, host_of, port_of, refusal_of

_CONNECT_SECONDS = 10.0
_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_STEP = 65_536  # bytes that are decompressed at once
_CODINGS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB, "identity": None, "": None}


class NoSuchNameError(Exception):
    """A name does not resolve to an address."""


class TooLargeError(Exception):
    """A body has more bytes than may be read, as it is sent or decompressed."""


class DamagedBodyError(Exception):
    """A body is not what its `Content-Encoding` says."""


class UnknownCodingError(DamagedBodyError):
    """A body has a `Content-Encoding` that nobody asked for."""


UNREACHABLE = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    OSError,
)
"""A connection failed, or what was answered is not HTTP."""

FAILURES = (*UNREACHABLE, NoSuchNameError, TooLargeError, DamagedBodyError)
"""What `exchange` raises, other than an `AddressRefusedError`."""


@dataclass(frozen=True)
class Reply:
    """What a server answered.

    Attributes:
        status: The HTTP status.
        headers: The headers; names in lower case, the last of several counts.
        body: The body, unpacked.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False, default=b"")

    @cached_property
    def data(self) -> Any:
        """The body as JSON; `None` if it is not."""
        try:
            return json.loads(self.body)
        # The latter for thousands of brackets in a row.
        except (ValueError, RecursionError):
            return None


async def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a name, the preferred ones first; at least one."""
    # One type, or each address comes once for streams, datagrams and raw sockets.
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        # In a thread that a program does not wait for: a resolver may block for half a minute.
        rows = await in_thread(ask)
    except OSError as error:
        raise NoSuchNameError(str(error)) from error
    if not rows:
        raise NoSuchNameError(host)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


async def open_socket(
    address: str, port: int, timeout: float, options: Iterable[Any] | None
) -> httpcore.AsyncNetworkStream:
    """Open a TCP connection to an IP address, which is not resolved again."""
    backend = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())
    return await backend.connect_tcp(address, port, timeout=timeout, socket_options=options)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections to public addresses, and to the pairs of host and port that are allowed."""

    def __init__(
        self, allow: Collection[tuple[str, int]], proxies: Collection[tuple[str, int]] = ()
    ) -> None:
        self._allow = frozenset((*allow, *proxies))

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a host, if all of its addresses may be opened; see `checked`."""
        until = time.monotonic() + (_CONNECT_SECONDS if timeout is None else timeout)
        addresses = await self.checked(host, port)
        while True:
            address = addresses.pop(0)
            # The others get their share of the time, should this one not answer.
            patience = max(until - time.monotonic(), 0) / (len(addresses) + 1)
            try:
                return await open_socket(address, port, patience, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not addresses:
                    raise

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Open no socket of this machine."""
        raise AddressRefusedError("it is a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def checked(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host; an `AddressRefusedError` if one may not be opened."""
        addresses = await resolve(host, port)
        allowed = (host, port) in self._allow
        for address in addresses:
            if refusal := refusal_of(address, allowed=allowed):
                raise AddressRefusedError(refusal)
        return addresses


class Requests:
    """Asks servers of the open web for pages, one request to a connection.

    Nothing stays open between two pages: there is at most one request to a host in a second anyway.
    With `trust_env`, the proxies are used that environment variables name.
    """

    def __init__(
        self,
        *,
        allow: frozenset[tuple[str, int]],
        headers: Mapping[str, str],
        max_bytes: int,
        ssl_context: ssl.SSLContext | None,
        trust_env: bool,
    ) -> None:
        self._allow = allow
        # Only what zlib unpacks step by step: a few bytes may stand for gigabytes.
        self._headers = {**headers, "Accept-Encoding": "gzip, deflate"}
        self._max_bytes = max_bytes
        self._ssl_context = ssl_context
        self._trust_env = trust_env

    async def get(self, url: httpx.URL, *, cut: int | None = None) -> Reply:
        """Ask for an address that `read_url` has read; a longer body is cut to `cut` bytes, if any.

        Raises an `AddressRefusedError` if it leads to an address that may not be opened, or
        `FAILURES`.
        """
        return await exchange(
            await self._pool(url),
            "GET",
            url,
            self._headers,
            most=self._max_bytes if cut is None else cut,
            is_cut=cut is not None,
            of_errors=False,  # what such answers say is for readers
        )

    async def _pool(self, url: httpx.URL) -> httpcore.AsyncConnectionPool:
        context = self._ssl_context or certificates()
        proxy = _proxy_for(url) if self._trust_env else None
        if proxy is None:
            return httpcore.AsyncConnectionPool(
                ssl_context=context, network_backend=GuardedBackend(self._allow)
            )
        with suppress(NoSuchNameError):  # it is usual that only the proxy can resolve names
            await GuardedBackend(self._allow).checked(host_of(url), port_of(url))
        at = (host_of(proxy), port_of(proxy))
        # The proxy's own address is allowed, as it is usually a private one.
        return httpcore.AsyncHTTPProxy(
            httpcore.URL(scheme=proxy.raw_scheme, host=proxy.raw_host, port=at[1], target=b"/"),
            proxy_auth=(proxy.username, proxy.password) if proxy.userinfo else None,
            ssl_context=context,
            network_backend=GuardedBackend(self._allow, [at]),
        )


def _proxy_for(url: httpx.URL) -> httpx.URL | None:
    # Not `getproxies`, which also has the settings of macOS and Windows.
    proxies = getproxies_environment()
    named = proxies.get(url.scheme) or proxies.get("all")
    if not named or proxy_bypass(host_of(url)):
        return None
    proxy = httpx.URL(named if "://" in named else f"http://{named}")
    if proxy.scheme not in ("http", "https"):
        raise CiteguardError(f"a Fetcher uses proxies with http or https, not {proxy.scheme}")
    return proxy


@cache
def certificates() -> ssl.SSLContext:
    """Return the certificates that are trusted, read once: that takes some 20 ms."""
    return httpcore.default_ssl_context()


async def exchange(
    pool: httpcore.AsyncConnectionPool,
    method: str,
    url: httpx.URL,
    headers: Mapping[str, str],
    content: bytes | None = None,
    *,
    most: int,
    is_cut: bool = False,
    of_errors: bool = True,
) -> Reply:
    """Send a request on a connection of its own, and return the reply. Redirects are not followed.

    The reply's body may have `most` bytes, as it is sent and unpacked; a longer one is cut if
    `is_cut`. Without `of_errors`, the body is only read if the status is 200. Raises one of
    `FAILURES`.
    """
    target = httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
    sent = {"Host": url.netloc.decode("ascii"), **headers, "Connection": "close"}
    if content is not None:
        sent["Content-Length"] = str(len(content))
    # The caller limits the whole; this leaves it time if nobody picks up.
    timeout = {"timeout": {"connect": _CONNECT_SECONDS}}
    async with (
        pool,
        pool.stream(
            method, target, headers=[*sent.items()], content=content, extensions=timeout
        ) as response,
    ):
        named = {
            # A value may have any byte, and latin-1 loses none: `location_of` gets them back.
            name.decode("ascii", "replace").lower(): value.decode("latin-1")
            for name, value in response.headers
        }
        if response.status != 200 and not of_errors:
            return Reply(response.status, named)
        coding = named.get("content-encoding", "").strip().lower()
        if coding not in _CODINGS:
            raise UnknownCodingError("it is encoded in a way that was not asked for")
        length = named.get("content-length", "")
        # `isdigit` alone is true of "²", which `int` rejects.
        says_length = length.isascii() and length.isdigit()
        # Python refuses to read a number of thousands of digits, so the first ones must do.
        if not is_cut and says_length and int(length[:18]) > most:
            raise TooLargeError
        body, is_whole = await body_of(response.aiter_stream(), _CODINGS[coding], most)
        if not (is_whole or is_cut):
            raise TooLargeError
        return Reply(response.status, named, body)


async def body_of(chunks: AsyncIterable[bytes], bits: int | None, most: int) -> tuple[bytes, bool]:
    """Return a body, decompressed step by step, and whether that is all of it.

    Reading stops after `most` bytes, as they are sent or decompressed; `bits` are those of `zlib`.
    """
    unpacker = None if bits is None else _Unpacker(bits)
    body, raw = bytearray(), 0
    async for chunk in chunks:
        raw += len(chunk)
        for part in [chunk] if unpacker is None else unpacker.parts(chunk):
            body += part
            if len(body) > most:
                return bytes(body[:most]), False
        # Packed bytes may unpack to nothing, without an end: empty gzip files in a row.
        if raw > most:
            return bytes(body), False
    if unpacker is not None and unpacker.is_cut_off:
        raise DamagedBodyError("it is compressed, and its end is missing")
    return bytes(body), True


class _Unpacker:
    """Decompresses a body in parts of at most 64 KiB, so that its reader can stop in time."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._rest = b""
        self._open: Any = None  # once there are enough bytes to see how it is compressed

    @property
    def is_cut_off(self) -> bool:
        """Whether the end is missing of what came so far."""
        return not self._open.eof if self._open is not None else bool(self._rest)

    def parts(self, chunk: bytes) -> Iterator[bytes]:
        rest = self._rest + chunk
        if self._open is None:
            if len(rest) < 2:  # the head of RFC 1950
                self._rest = rest
                return
            # Some servers send `deflate` without the head that it should have (RFC 1950, 2.2).
            headless = rest[0] & 15 != 8 or (rest[0] << 8 | rest[1]) % 31
            self._open = zlib.decompressobj(
                _RAW if self._bits == _ZLIB and headless else self._bits
            )
            self._rest = b""
        is_full = False
        while rest or is_full:
            if self._open.eof:
                # Files of gzip may be padded with zeros.
                rest = rest.lstrip(b"\0")
                if self._bits != _GZIP or not rest:
                    return
                self._open = zlib.decompressobj(_GZIP)  # gzip files may follow one another
            try:
                part = self._open.decompress(rest, _STEP)
            except zlib.error as error:
                raise DamagedBodyError("it is compressed, and damaged") from error
            yield part
            is_full = len(part) == _STEP  # there may be more, even if all of `rest` is read
            rest = self._open.unconsumed_tail or self._open.unused_data

"""Requests to search services: sent within limits, tried again once, and their faults classified.

An adapter only says how a request looks, how a reply is read, and which replies mean what
(`HTTPProvider`). Everything else is here: `Service` sends a request and returns a reply that is
none of the known faults, or raises a `SearchFailedError`.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError

from citeguard.errors import CiteguardError, check_number, optional_packages
from citeguard.sources.links import web_url
from citeguard.web.searching.provider import (
    SearchFailedError,
    SearchFailure,
    SearchPage,
    SearchQuery,
)
from citeguard.web.searching.queries import check_query
from citeguard.web.searching.results import plain_text

if TYPE_CHECKING:
    import httpx

Sleep = Callable[[float], Awaitable[object]]
"""Waits for a number of seconds, as `asyncio.sleep` does."""
Model = TypeVar("Model", bound=BaseModel)

MOST_BYTES = 5_000_000
"""The most bytes of a reply that are read, unpacked. Real replies have some 50,000."""
LONGEST_WAIT = 5.0
"""The most seconds that a request waits because the service asks for it."""

_SHORTEST_KEY = 8  # a shorter one, such as "key", could not be taken out of a message
_MOST_REASON = 300
_AGENT = "citeguard (+https://pypi.org/project/pydantic-citeguard/)"
_ERROR_NAMES = ("error", "errors", "detail", "message")
_TEMPORARY = ("rate_limited", "outage")


class Item(BaseModel):
    """A part of a service's reply, of which only the fields that are needed are read."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a service.

    Attributes:
        path: The path below the service's address.
        params: The parameters in the address.
        json: If given, the body; the request is then a `POST`.
        accept: The type of reply that is asked for.
    """

    path: str
    params: Mapping[str, str | int] = field(default_factory=dict[str, "str | int"])
    json: Any = None
    accept: str = "application/json"


@dataclass(frozen=True)
class Reply:
    """A complete reply of a service, from which its key has been removed.

    Attributes:
        status: The HTTP status.
        headers: The headers; names in lower case.
        body: The body, unpacked.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The body as text; bytes that are not UTF-8 are replaced."""
        return self.body.decode("utf-8", "replace")

    @property
    def content_type(self) -> str:
        """The type of the body, in lower case, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_html(self) -> bool:
        """Whether the body is a web page."""
        return "html" in self.content_type or self.text[:500].lstrip().lower().startswith(
            ("<!doctype html", "<html")
        )

    @cached_property
    def data(self) -> Any:
        """The body as JSON; `None` if it is not."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a reply is no result, or why there is none.

    Attributes:
        kind: The kind of failure.
        reason: What happened, in a few words.
        retry_after: Seconds after which the service may be asked again; `None` if it doesn't say.
    """

    kind: SearchFailure
    reason: str
    retry_after: float | None = None


def key_of(given: str | SecretStr | None, variable: str, *, owner: str) -> SecretStr:
    """Return the key of a service: the one given, or that of an environment variable.

    Raises:
        CiteguardError: There is none, or it cannot be a key. The message does not have it.
    """
    revealed = given.get_secret_value() if isinstance(given, SecretStr) else given
    key = (revealed if revealed is not None else os.environ.get(variable, "")).strip()
    if not key:
        raise CiteguardError(f"{owner} requires a key: pass it, or set {variable}")
    if len(key) < _SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise CiteguardError(
            f"{owner}: expected a key of at least {_SHORTEST_KEY} printable ASCII characters "
            "without spaces"
        )
    return SecretStr(key)


class Service:
    """A search service over HTTP.

    A request is sent at most twice: again only if the service says that it may be asked again
    within 5 seconds. Redirects are not followed, and the environment's proxies are not used. A
    service that asks for a longer pause is not asked again before it has passed.

    Args:
        name: The service's name, in errors.
        base_url: Its address, without a slash at the end.
        fault: Returns what a reply means, or `None` to leave it to the HTTP status. It is called
            for every reply.
        key: The key, if the service has one.
        header: The name of the header that carries the key.
        scheme: What is written before the key.
        headers: Further headers.
        pause: Returns the seconds that the next request should wait after a reply.
        one_at_a_time: Whether a request waits for the one before it.
        timeout: The most seconds of a request, from the connection to the last byte.
        sleep: Waits; for tests.

    Raises:
        CiteguardError: The address is not one of the web, or the timeout not a positive number.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        fault: Callable[[Reply], Fault | None],
        key: SecretStr | None = None,
        header: str = "Authorization",
        scheme: str = "",
        headers: Mapping[str, str] | None = None,
        pause: Callable[[Reply], float] | None = None,
        one_at_a_time: bool = False,
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if any(sign in base_url for sign in "@?#"):  # the address is shown; a password must not be
            raise CiteguardError(f"{name}: the address must have no user name, query or fragment")
        if web_url(base_url) is None or not _can_be_asked(base_url):
            raise CiteguardError(f"{name}: expected an http or https address, got {base_url!r}")
        check_number(f"{name}(timeout=...)", timeout, 0, math.inf, above=True)
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._fault = fault
        self._key = key
        self._header, self._scheme = header, scheme
        self._headers = {"User-Agent": _AGENT, **(headers or {})}
        self._pause = pause
        self._one_at_a_time = one_at_a_time
        self._timeout = timeout
        self._sleep = sleep
        self._ready_at = -math.inf
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    def __repr__(self) -> str:
        """Return the name and the address, without the key."""
        return f"Service({self.name!r}, {self.base_url!r})"

    async def ask(self, request: Request, *, also: Collection[int] = ()) -> Reply:
        """Send a request and return the reply, which is none of the known faults.

        Args:
            request: The request.
            also: HTTP statuses beside 200 that the caller reads.

        Raises:
            SearchFailedError: There is no such reply.
        """
        fault, reply = await self._attempt(request, also)
        if fault is not None and fault.kind in _TEMPORARY and _is_short(fault.retry_after):
            fault, reply = await self._attempt(request, also)
        if fault is not None or reply is None:
            raise self.failed(fault or Fault("outage", "no reply"))
        return reply

    def read(self, reply: Reply, model: type[Model]) -> Model:
        """Return the JSON of a reply as a model.

        Raises:
            SearchFailedError: It is not JSON, or of another form; the kind is `bad_reply`.
        """
        try:
            return model.model_validate_json(reply.body)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        # Outside the block: the exception has the whole reply.
        place = ".".join(map(str, first["loc"]))
        reason = f"{place}: {first['msg']}" if place else first["msg"]
        if reply.is_html:
            reason = "expected JSON, got a web page, such as a captcha"
        raise self.failed(Fault("bad_reply", f"the reply cannot be read: {reason}"))

    def failed(self, fault: Fault) -> SearchFailedError:
        """Return the error that reports a fault."""
        reason = plain_text(self._without_key(fault.reason), most=_MOST_REASON)
        return SearchFailedError(
            f"{self.name}: {reason}",
            kind=fault.kind,
            provider=self.name,
            retry_after=fault.retry_after,
        )

    async def _attempt(
        self, request: Request, also: Collection[int]
    ) -> tuple[Fault | None, Reply | None]:
        async with self._turn() as too_early:
            if too_early is not None:
                return too_early, None
            received = await self._send(request)
            if isinstance(received, Fault):
                return received, None
            wait = self._pause(received) if self._pause else 0.0
            fault = self._fault(received)
            if fault is None and received.status not in also:
                fault = _fault_of_status(received)
            if fault is not None and fault.kind in _TEMPORARY:
                wait = max(wait, fault.retry_after or 0.0)
            if wait > 0:
                self._ready_at = time.monotonic() + wait
            return fault, received

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[Fault | None]:
        """Wait until the service may be asked; yield a fault if that would take too long."""
        if not self._one_at_a_time:
            yield await self._paused()
            return
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = (loop, asyncio.Lock())
        async with self._turns[1]:
            yield await self._paused()

    async def _paused(self) -> Fault | None:
        wait = self._ready_at - time.monotonic()
        if wait > LONGEST_WAIT:
            reason = f"the service asked for a pause, of which {wait:.0f} seconds are left"
            return Fault("rate_limited", reason, wait)
        if wait > 0:
            await self._sleep(wait)
        return None

    async def _send(self, request: Request) -> Reply | Fault:
        """Send a request once. No exception of a client leaves here: it would have the headers."""
        with optional_packages(f"searching with {self.name}", extra="web"):
            import httpx
        try:
            async with (
                asyncio.timeout(self._timeout),
                httpx.AsyncClient(
                    follow_redirects=False,
                    trust_env=False,
                    timeout=self._timeout,
                    verify=_certificates() if self.base_url.startswith("https") else False,
                ) as client,
                client.stream(
                    "GET" if request.json is None else "POST",
                    self.base_url + request.path,
                    params=request.params or None,
                    json=request.json,
                    # Packed replies are small enough to unpack, but need not be sent.
                    headers={
                        **self._headers,
                        "Accept": request.accept,
                        "Accept-Encoding": "identity",
                    },
                    auth=self._sign,
                ) as response,
            ):
                return await self._received(response)
        except TimeoutError:
            return Fault("outage", f"no complete answer within {self._timeout:g} seconds")
        except httpx.TimeoutException:
            return Fault("outage", f"no answer within {self._timeout:g} seconds")
        except httpx.HTTPError as error:
            return Fault("outage", f"no answer: {type(error).__name__}: {error}")
        except (UnicodeError, httpx.InvalidURL):
            return Fault("refused", "the request has characters that cannot be sent, or too many")

    def _sign(self, request: httpx.Request) -> httpx.Request:
        """Add the key at the last moment, so that no variable of a traceback has it."""
        if self._key is not None:
            request.headers[self._header] = self._scheme + self._key.get_secret_value()
        return request

    async def _received(self, response: httpx.Response) -> Reply | Fault:
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity", "gzip"):
            return Fault("bad_reply", "the reply is packed in a way that was not asked for")
        unpacker = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
        body = bytearray()
        async for chunk in response.aiter_raw():
            if unpacker is None:
                body += chunk
            else:
                try:
                    body += unpacker.decompress(chunk, MOST_BYTES + 1 - len(body))
                except zlib.error:
                    return Fault("bad_reply", "the reply cannot be unpacked")
            if len(body) > MOST_BYTES:
                return Fault("bad_reply", f"the reply is longer than {MOST_BYTES:,} bytes")
        if unpacker is not None and not unpacker.eof:
            return Fault("bad_reply", "the reply ends too early")
        headers = {
            name.lower(): self._without_key(value) for name, value in response.headers.items()
        }
        return Reply(response.status_code, headers, self._bytes_without_key(bytes(body)))

    def _without_key(self, text: str) -> str:
        for form in self._forms_of_key():
            text = text.replace(form, "[key]")
        return text

    def _bytes_without_key(self, body: bytes) -> bytes:
        for form in self._forms_of_key():
            body = body.replace(form.encode(), b"[key]")
        return body

    def _forms_of_key(self) -> set[str]:
        if self._key is None:
            return set()
        key = self._key.get_secret_value()
        return {key, quote(key, safe=""), json.dumps(key)[1:-1], key.replace("/", "\\/")}


class HTTPProvider(ABC):
    """A provider that asks a `Service`: what all adapters share.

    Attributes:
        name: The provider's name.
    """

    name: ClassVar[str]
    _service: Service

    def __repr__(self) -> str:
        """Return the class and the service's address, without the key."""
        return f"{type(self).__name__}(base_url={self._service.base_url!r})"

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that were found, the best first.

        Raises:
            SearchFailedError: The search failed.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        reply = await self._service.ask(self._request(query))
        return self._page(reply, query)

    @abstractmethod
    def _request(self, query: SearchQuery) -> Request:
        """Return the request that asks a query."""

    @abstractmethod
    def _fault(self, reply: Reply) -> Fault | None:
        """Return what a reply means if it reports a fault; `None` leaves it to the status."""

    @abstractmethod
    def _page(self, reply: Reply, query: SearchQuery) -> SearchPage:
        """Return the results of a reply."""


def classified(reply: Reply, kind: SearchFailure, reason: str) -> Fault:
    """Return a fault that a reply reports, with its status and the pause that it asks for."""
    return Fault(kind, f"{reason} (HTTP {reply.status})", retry_after_of(reply))


def retry_after_of(reply: Reply) -> float | None:
    """Return the seconds of the header `Retry-After`; `None` without a valid one.

    Examples:
        >>> retry_after_of(Reply(429, {"retry-after": "3"}, b""))
        3.0
    """
    value = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", value, re.ASCII):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max((aware - datetime.now(UTC)).total_seconds(), 0.0)


def message_of(body: Any, *, depth: int = 4) -> str:
    """Return what the body of an error says, in one line; empty if it says nothing.

    Understood are the usual forms: `error`, `message`, `detail`, `info`, nested or in a list.

    Args:
        body: The body, as JSON.
        depth: How deep the words may be nested.
    """
    if isinstance(body, str):
        return plain_text(body, most=200)
    if not depth:
        return ""
    if isinstance(body, list):
        return message_of(next(iter(cast("list[Any]", body)), ""), depth=depth - 1)
    names = ("message", "detail", "info", "error", "errors", "reason")
    parts = (_field(body, name) for name in names)
    said = (message_of(part, depth=depth - 1) for part in parts if part)
    return next(filter(None, said), "")


def _field(value: Any, name: str) -> Any:
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


def _fault_of_status(reply: Reply) -> Fault | None:
    said = message_of(reply.data)
    detail = f": {said}" if said else ""

    def fault(kind: SearchFailure, reason: str) -> Fault:
        return classified(reply, kind, reason + detail)

    match reply.status:
        case 200:
            # No service has one of these beside its results: the reply is not really empty.
            reports = any(_field(reply.data, name) for name in _ERROR_NAMES)
            return fault("bad_reply", "the reply reports an error") if reports else None
        case 401 | 403 | 407:
            return fault("auth", "access is denied")
        case 402:
            return fault("quota", "the account is used up")
        case 429:
            return fault("rate_limited", "too many requests")
        case status if status == 408 or status >= 500:
            return fault("outage", "the service reports a fault of its own")
        case status if 300 <= status < 400:
            return fault("bad_reply", "the address redirects, which is not followed")
        case status if status >= 400:
            return fault("refused", "the request is not taken")
        case _:
            return fault("bad_reply", "an unexpected status")


def _can_be_asked(url: str) -> bool:
    """Return whether an address of the web has a host name and a port that can be connected to."""
    try:
        parts = urlsplit(url)
        return bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:
        return False


def _is_short(wait: float | None) -> bool:
    return wait is not None and wait <= LONGEST_WAIT


@cache
def _certificates() -> Any:
    """Return the certificates that are trusted, read once: that takes some 20 ms."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)

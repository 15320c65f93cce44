"""Requests to services of the web: sent within limits, tried again once, and faults classified.

`send` sends one request. A `Service` returns a reply that is none of the known faults, or raises a
`SearchFailedError`; who uses it says how a request looks, and which replies mean what.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import time
from asyncio import sleep
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from pydantic import SecretStr

from citeguard.errors import CiteguardError, check_number, optional_packages
from citeguard.sources.links import web_url
from citeguard.web.page import read_retry_after
from citeguard.web.search import SearchFailedError, SearchFailure, plain_text

if TYPE_CHECKING:
    from citeguard.web.connecting import Reply

MOST_BYTES = 10_000_000
"""The most bytes of a reply that are read, unpacked. Real replies have some 50,000."""
LONGEST_WAIT = 5.0  # the most seconds that a request waits because the service asks for it

_SHORTEST_KEY = 8  # a shorter one, such as "key", could not be taken out of a message
_MOST_REASON = 300
# Packed replies are small enough to unpack, but need not be sent.
_HEADERS = {
    "User-Agent": "citeguard (+https://pypi.org/project/pydantic-citeguard/)",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
}
_ERROR_NAMES = ("error", "errors", "detail", "message")
_TEMPORARY = ("rate_limited", "outage")
# What a status means, if the service does not say; 5xx is an outage, and any other 4xx refused.
_STATUSES: dict[int, tuple[SearchFailure, str]] = {
    **dict.fromkeys((401, 403, 407), ("auth", "access is denied")),
    402: ("quota", "the account is used up"),
    408: ("outage", "the service reports a fault of its own"),
    429: ("rate_limited", "too many requests"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a reply is no result, or why there is none; see `SearchFailedError`."""

    kind: SearchFailure
    reason: str
    retry_after: float | None = None

    @classmethod
    def of(cls, reply: Reply, kind: SearchFailure, reason: str = "") -> Fault:
        """Return a fault that a reply reports, with its message, status and `Retry-After`."""
        said = message_of(reply.data)
        reason = f"{reason}: {said}" if reason and said else reason or said
        wait = read_retry_after(reply.headers.get("retry-after", ""))
        return cls(kind, f"{reason} (HTTP {reply.status})", wait)


async def send(
    url: str,
    *,
    params: Mapping[str, str | int] | None = None,
    body: Any = None,
    headers: Mapping[str, str] | None = None,
    key: tuple[str, str, SecretStr] | None = None,
    timeout: float,
) -> Reply | Fault:
    """Send a request once, and return the reply, or why there is none.

    Redirects are not followed, and the environment's proxies are not used. With a `body`, sent as
    JSON, the request is a `POST`; the `timeout` lasts to the last byte. No exception of a client
    leaves this function: it would have the headers, and so a key.
    """
    with optional_packages("requests to services of the web", extra="web"):
        import httpcore
        import httpx

        from citeguard.web.connecting import (
            UNREACHABLE,
            DamagedBodyError,
            TooLargeError,
            UnknownCodingError,
            certificates,
            exchange,
        )
    sent = {**_HEADERS, **(headers or {})}
    content = None
    if body is not None:
        sent["Content-Type"], content = "application/json", json.dumps(body).encode()
    try:
        address = httpx.URL(url)
        if params:
            address = address.copy_merge_params(params)
        if key is not None:  # at the last moment
            sent[key[0]] = key[1] + key[2].get_secret_value()
        pool = httpcore.AsyncConnectionPool(ssl_context=certificates())
        async with asyncio.timeout(timeout):
            method = "GET" if content is None else "POST"
            return await exchange(pool, method, address, sent, content, most=MOST_BYTES)
    except UnknownCodingError:
        return Fault("bad_reply", "the reply is packed in a way that was not asked for")
    except TooLargeError:
        return Fault("bad_reply", f"the reply is longer than {MOST_BYTES:,} bytes")
    except DamagedBodyError:
        return Fault("bad_reply", "the reply cannot be unpacked")
    except (TimeoutError, httpcore.TimeoutException):
        return Fault("outage", f"no complete answer within {timeout:g} seconds")
    except UNREACHABLE as error:
        return Fault("outage", f"no answer: {type(error).__name__}: {error}")
    except (UnicodeError, httpx.InvalidURL):
        return Fault("refused", "the request has characters that cannot be sent, or too many")


class Service:
    """A search service over HTTP.

    A request is sent at most twice: again only if the service says that it may be asked again
    within 5 seconds. A service that asks for a longer pause is not asked again before it has
    passed.

    `fault` returns what a reply means, or `None` to leave it to the HTTP status, and `pause` the
    seconds that the next request should wait. The `key` is the header that carries it, what is
    written before it, and the key. The `base_url` has no slash at its end.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        fault: Callable[[Reply], Fault | None],
        key: tuple[str, str, SecretStr] | None = None,
        headers: Mapping[str, str] | None = None,
        pause: Callable[[Reply], float] | None = None,
        one_at_a_time: bool = False,
        timeout: float = 15.0,
    ) -> None:
        if any(sign in base_url for sign in "@?#"):  # the address is shown; a password must not be
            raise CiteguardError(f"{name}: the address must have no user name, query or fragment")
        if web_url(base_url) is None:
            raise CiteguardError(f"{name}: expected an http or https address, got {base_url!r}")
        check_number(f"{name}(timeout=...)", timeout, 0, math.inf, above=True)
        self.name = name
        self.base_url = base_url.rstrip("/")
        self._fault = fault
        self._key = key
        self._shown_key = None if key is None else _any_form_of(key[2].get_secret_value())
        self._headers = headers
        self._pause = pause
        self._one_at_a_time = one_at_a_time
        self._timeout = timeout
        self._ready_at = -math.inf
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    async def ask(
        self, path: str = "", *, params: Mapping[str, str | int] | None = None, body: Any = None
    ) -> Reply:
        """Return a reply without faults and without the key, or raise a `SearchFailedError`."""
        asked = await self._attempt(path, params, body)
        if isinstance(asked, Fault) and asked.kind in _TEMPORARY:
            wait = math.inf if asked.retry_after is None else asked.retry_after
            asked = await self._attempt(path, params, body) if wait <= LONGEST_WAIT else asked
        if isinstance(asked, Fault):
            raise self.failed(asked)
        return asked

    def failed(self, fault: Fault) -> SearchFailedError:
        """Return the error that reports a fault."""
        reason = plain_text(self._without_key(fault.reason), most=_MOST_REASON)
        return SearchFailedError(
            f"{self.name}: {reason}",
            kind=fault.kind,
            provider=self.name,
            retry_after=fault.retry_after,
        )

    def unread(self, reply: Reply, expected: str) -> SearchFailedError:
        """Return the error that reports a reply without what was expected."""
        start = reply.body[:500].lstrip().lower()
        is_page = "html" in reply.headers.get("content-type", "").lower() or start.startswith(
            (b"<!doctype html", b"<html")
        )
        seen = ", but is a web page, such as a captcha" if is_page else ""
        return self.failed(Fault("bad_reply", f"the reply has no {expected}{seen}"))

    async def _attempt(
        self, path: str, params: Mapping[str, str | int] | None, body: Any
    ) -> Reply | Fault:
        async with self._turn() if self._one_at_a_time else nullcontext():
            wait = self._ready_at - time.monotonic()
            if wait > LONGEST_WAIT:
                reason = f"the service asked for a pause, of which {wait:.0f} seconds are left"
                return Fault("rate_limited", reason, wait)
            if wait > 0:
                await sleep(wait)
            reply = await send(
                self.base_url + path,
                params=params,
                body=body,
                headers=self._headers,
                key=self._key,
                timeout=self._timeout,
            )
            if isinstance(reply, Fault):
                return reply
            # A message may repeat the key; bytes that are no UTF-8 must come out as they were.
            text = self._without_key(reply.body.decode(errors="surrogateescape"))
            reply = replace(
                reply,
                headers={name: self._without_key(each) for name, each in reply.headers.items()},
                body=text.encode(errors="surrogateescape"),
            )
            wait = self._pause(reply) if self._pause else 0.0
            fault = self._fault(reply) or _fault_of_status(reply)
            if fault is not None and fault.kind in _TEMPORARY:
                wait = max(wait, fault.retry_after or 0.0)
            if wait > 0:
                self._ready_at = time.monotonic() + wait
            return fault or reply

    def _turn(self) -> asyncio.Lock:
        """Return what waits for the request before, in this event loop."""
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = (loop, asyncio.Lock())
        return self._turns[1]

    def _without_key(self, text: str) -> str:
        return text if self._shown_key is None else self._shown_key.sub("[key]", text)


def _any_form_of(key: str) -> re.Pattern[str]:
    """Return a pattern of a key in any case, as an address, JSON, HTML, hex or base64 have it.

    Each character may be escaped in a way of its own. A text in base64 has three forms, by where
    it begins in the bytes around it; the characters that other bytes share are left out.
    """
    each = (
        rf"(?:\\*{re.escape(char)}|%(?:25)*{ord(char):02x}|\\+(?:u00|x){ord(char):02x}"
        rf"|&\#(?:0*{ord(char)}|x0*{ord(char):x});)"
        for char in key
    )
    forms = ["".join(each), key.encode().hex()]
    for before, first in ((0, 0), (1, 2), (2, 3)):
        last = (before + len(key)) * 8 // 6
        form = b64encode(b" " * before + key.encode()).decode()[first:last]
        forms.append(
            re.escape(form).replace(r"\+", r"(?:\+|-|%2b)").replace("/", r"(?:\\?/|_|%2f)")
        )
    return re.compile("|".join(forms), re.IGNORECASE)


def key_of(given: str | SecretStr | None, variable: str, *, owner: str) -> SecretStr:
    """Return the key given, or that of an environment variable; it is in no error message."""
    revealed = given.get_secret_value() if isinstance(given, SecretStr) else given
    key = (revealed if revealed is not None else os.environ.get(variable, "")).strip()
    if not key:
        raise CiteguardError(f"{owner} requires a key: set {variable}, or pass it")
    # It is sent in a header, where a line break would begin another one.
    if len(key) < _SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise CiteguardError(
            f"{owner}: expected a key of at least {_SHORTEST_KEY} printable ASCII characters "
            "without spaces"
        )
    return SecretStr(key)


def message_of(body: Any, *, depth: int = 4) -> str:
    """Return what `error`, `message`, `detail` and their kin say in one line, or nothing."""
    if isinstance(body, str):
        return plain_text(body, most=200)
    if not depth:
        return ""
    if isinstance(body, list):
        return message_of(next(iter(cast("list[Any]", body)), ""), depth=depth - 1)
    names = ("message", "detail", "info", "error", "errors", "reason")
    said = (message_of(part, depth=depth - 1) for name in names if (part := _field(body, name)))
    return next(filter(None, said), "")


def _field(value: Any, name: str) -> Any:
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


def _fault_of_status(reply: Reply) -> Fault | None:
    status = reply.status
    if status == 200:
        # No service has one of these beside its results: the reply is not really empty.
        if not any(_field(reply.data, name) for name in _ERROR_NAMES):
            return None
        kind, reason = "bad_reply", "the reply reports an error"
    elif status in _STATUSES or status >= 500:
        kind, reason = _STATUSES.get(status, _STATUSES[408])
    elif status >= 400:
        kind, reason = "refused", "the request is not taken"
    elif status >= 300:
        kind, reason = "bad_reply", "the address redirects, which is not followed"
    else:
        kind, reason = "bad_reply", "an unexpected status"
    return Fault.of(reply, kind, reason)

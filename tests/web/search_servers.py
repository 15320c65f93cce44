"""A local server that answers as search services do, and the shapes of their replies.

The shapes are those of the services' documentation and of public recordings; the texts are ours.
"""

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from citeguard.web import Brave, Exa, MediaWiki, SearXNG, Serper, Tavily
from citeguard.web.search import SearchFailure
from page_server import Asked, PageServer, reply

KEY = "sk-5ecr3t/key+of=a~service"
"""A key of which every unusual character is written in another way somewhere."""


@dataclass(frozen=True)
class Answer:
    """What the server answers.

    Attributes:
        body: The body: bytes as they are, text in UTF-8, anything else as JSON.
        status: The HTTP status.
        headers: Headers beside the length.
        manner: How it is sent: `whole`; `dripping`, a byte at a time without an end; `endless`, as
            fast as possible; `cut` in the middle of the body; `mute`, not at all.
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: str = "whole"

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Seen:
    """A request that the server got."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    json: Any


Script = Callable[[Seen], Answer]


class SearchServer:
    """A server on the loopback interface; use it in a `with` statement.

    Args:
        script: An answer for every request, a list of answers in turn (the last one for good), or a
            function of the request.
    """

    def __init__(self, script: Answer | list[Answer] | Script) -> None:
        self.requests: list[Seen] = []
        self._script = script
        self._stopped = threading.Event()
        self._server = PageServer(otherwise=self._reply)
        self.url = self._server.url("")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._server.__exit__(None, None, None)

    def wait(self, seconds: float) -> bool:
        """Wait; return whether the server is being stopped."""
        return self._stopped.wait(seconds)

    def _reply(self, asked: Asked) -> Iterator[bytes]:
        parts = urlsplit(asked.path)
        params = {name: values[0] for name, values in parse_qs(parts.query).items()}
        body = json.loads(asked.body) if asked.body else None
        seen = Seen(asked.method, parts.path, params, dict(asked.headers), body)
        self.requests.append(seen)
        if isinstance(self._script, list):
            answer = self._script[min(len(self.requests), len(self._script)) - 1]
        else:
            answer = self._script if isinstance(self._script, Answer) else self._script(seen)
        if answer.manner == "mute":
            self.wait(5)
            return
        content = answer.content
        length = str(len(content)) if answer.manner in ("whole", "cut") else ""
        shown = content[: len(content) // 2] if answer.manner == "cut" else content
        yield reply(shown, answer.status, "", **{"Content-Length": length, **answer.headers})
        while answer.manner == "dripping" and not self.wait(0.02):
            yield b" "
        until = time.monotonic() + 5
        while answer.manner == "endless" and time.monotonic() < until:
            yield b" " * 65_536


@contextmanager
def refusing_address() -> Iterator[str]:
    """Yield the address of a port that takes no connection."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def brave_reply(*results: dict[str, Any], **query: Any) -> dict[str, Any]:
    return {
        "type": "search",
        "query": {"original": "tides", "more_results_available": True, **query},
        "web": {"type": "search", "results": list(results)},
    }


def brave_error(code: str, detail: str, **meta: Any) -> dict[str, Any]:
    error = {"id": "e-1", "status": 422, "code": code, "detail": detail, "meta": meta}
    return {"type": "ErrorResponse", "error": error, "time": 1_700_000_000}


def brave_rate(remaining: str, reset: str) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": "1, 15000",
        "X-RateLimit-Policy": "1;w=1, 15000;w=2592000",
        "X-RateLimit-Remaining": remaining,
        "X-RateLimit-Reset": reset,
    }


def wiki_error(code: str, info: str = "Something is wrong.") -> dict[str, Any]:
    return {"error": {"code": code, "info": info, "docref": "See the docs."}, "servedby": "mw1"}


def wiki_search(*titles: str) -> dict[str, Any]:
    hits = [
        {
            "ns": 0,
            "title": title,
            "pageid": number,
            "size": 900,
            "wordcount": 120,
            "snippet": f'About <span class="searchmatch">{title}</span> &amp; the sea',
            "timestamp": "2026-01-02T03:04:05Z",
        }
        for number, title in enumerate(titles, start=1)
    ]
    return {"batchcomplete": True, "query": {"searchinfo": {"totalhits": 9}, "search": hits}}


@dataclass(frozen=True)
class Adapter:
    """An adapter, and the replies of its service.

    Attributes:
        make: Returns the adapter, given the server's address and further arguments.
        good: A reply with two results.
        empty: A reply without results.
        faults: Further replies that are faults, and of which kind, by name.
    """

    make: Callable[..., Any]
    good: Any
    empty: Any
    faults: dict[str, tuple[Answer, SearchFailure]]


FIRST, SECOND = "https://example.org/tides", "https://sea.example.net/moon?utm_source=x"

ADAPTERS: dict[str, Adapter] = {
    "Brave": Adapter(
        make=lambda url, **more: Brave(KEY, base_url=url, **more),
        good=brave_reply(
            {
                "title": "The <strong>tides</strong> &amp; the moon",
                "url": FIRST,
                "description": "Why <strong>tides</strong> rise …",
                "page_age": "2026-11-20T00:00:00",
            },
            {"title": "Moon", "url": f"{SECOND}#top", "description": None},
        ),
        empty={"type": "search", "query": {"original": "tides", "bad_results": False}},
        faults={
            "wrong key": (
                Answer(brave_error("SUBSCRIPTION_TOKEN_INVALID", f"Not valid: {KEY}"), 422),
                "auth",
            ),
            "wrong key, errors in a list": (
                Answer({"errors": [{"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "No."}]}, 422),
                "auth",
            ),
            "bad query": (
                Answer(brave_error("VALIDATION", "Bad q", errors=[{"loc": ["query", "q"]}]), 422),
                "refused",
            ),
            "another type": (Answer({"type": "ErrorResponse", "query": {}}), "bad_reply"),
            "a query in words": (Answer({"type": "search", "query": "tides"}), "bad_reply"),
            "unknown code": (Answer(brave_error("OPTION_NOT_IN_PLAN", "No."), 400), "refused"),
            "error with status 200": (Answer(brave_error("STRANGE", "No.")), "bad_reply"),
            "bad_results": (
                Answer({"type": "search", "query": {"original": "x", "bad_results": True}}),
                "refused",
            ),
            "rate of a second": (
                Answer(
                    brave_error("RATE_LIMITED", "Slow down."),
                    429,
                    brave_rate("0, 14999", "30, 1419704"),
                ),
                "rate_limited",
            ),
            "rate without a body": (Answer("", 429, brave_rate("0, 9", "9, 99")), "rate_limited"),
            "rate of the month": (
                Answer(brave_error("RATE_LIMITED", "Slow."), 429, brave_rate("1, 0", "1, 1419704")),
                "quota",
            ),
            "malformed rate": (Answer("", 429, brave_rate("zero", "-1, x")), "rate_limited"),
            "quota": (Answer(brave_error("QUOTA_LIMITED", "Used up."), 429), "quota"),
        },
    ),
    "Serper": Adapter(
        make=lambda url, **more: Serper(KEY, base_url=url, **more),
        good={
            "answerBox": {"snippet": "The moon.", "title": "Answer", "link": "https://box.example"},
            "organic": [
                {
                    "title": "The tides &amp; the moon",
                    "link": FIRST,
                    "snippet": "Why tides rise …",
                    "date": "Nov 20, 2026",
                },
                {"title": "Moon", "link": SECOND, "position": 2},
            ],
        },
        empty={"searchParameters": {"q": "tides"}, "organic": [], "credits": 1},
        faults={
            "wrong key": (Answer({"message": "Unauthorized.", "statusCode": 403}, 403), "auth"),
            "no credits": (
                Answer({"message": "Not enough credits", "statusCode": 400}, 400),
                "quota",
            ),
            "bad request": (
                Answer({"message": f"Bad q for {KEY}", "statusCode": 400}, 400),
                "refused",
            ),
            "only an answer box": (Answer({"answerBox": {"snippet": "The moon."}}), "bad_reply"),
            "a list": (Answer([{"organic": []}]), "bad_reply"),
        },
    ),
    "Tavily": Adapter(
        make=lambda url, **more: Tavily(KEY, base_url=url, **more),
        good={
            "query": "tides",
            "results": [
                {
                    "title": "The tides &amp; the moon",
                    "url": FIRST,
                    "content": "Why tides rise …",
                    "published_date": "Fri, 20 Nov 2026 08:00:00 GMT",
                },
                {"title": "Moon", "url": SECOND, "content": "It pulls.", "score": 0.5},
            ],
        },
        empty={"query": "tides", "answer": None, "results": [], "response_time": 0.4},
        faults={
            **{
                f"status {status}": (Answer({"detail": {"error": f"No: {KEY}"}}, status), kind)
                for status, kind in [
                    (400, "refused"),
                    (401, "auth"),
                    (403, "auth"),
                    (429, "rate_limited"),
                    (432, "quota"),
                    (433, "quota"),
                ]
            },
        },
    ),
    "Exa": Adapter(
        make=lambda url, **more: Exa(KEY, base_url=url, **more),
        good={
            "requestId": "r-1",
            "results": [
                {
                    "id": FIRST,
                    "title": "The tides &amp; the moon",
                    "url": FIRST,
                    "publishedDate": "2026-11-20T08:00:00.000Z",
                    "highlights": ["Why tides rise …"],
                },
                {"id": SECOND, "title": None, "url": SECOND, "publishedDate": None},
            ],
            "searchType": "auto",
        },
        empty={"requestId": "r-1", "results": [], "searchType": "auto"},
        faults={
            name: (Answer({"requestId": "r-1", "error": f"No: {KEY}", "tag": name}, status), kind)
            for name, status, kind in [
                ("INVALID_API_KEY", 401, "auth"),
                ("NO_MORE_CREDITS", 402, "quota"),
                ("API_KEY_BUDGET_EXCEEDED", 402, "quota"),
                ("ACCESS_DENIED", 403, "auth"),
                ("PROHIBITED_CONTENT", 403, "refused"),
                ("INVALID_REQUEST_BODY", 400, "refused"),
                ("RATE_LIMITED", 429, "rate_limited"),
                ("DEFAULT_ERROR", 500, "outage"),
            ]
        },
    ),
    "SearXNG": Adapter(
        make=lambda url, **more: SearXNG(url, **more),
        good={
            "query": "tides",
            "number_of_results": 0,
            "results": [
                {
                    "url": FIRST,
                    "title": "The tides &amp; the moon",
                    "content": "Why tides rise …",
                    "publishedDate": "2026-11-20T00:00:00",
                },
                {"url": SECOND, "title": "Moon", "content": None, "publishedDate": None},
            ],
            "unresponsive_engines": [],
        },
        empty={"query": "tides", "results": [], "unresponsive_engines": []},
        faults={
            "no JSON": (Answer("<!doctype html><title>403 Forbidden</title>", 403), "refused"),
            "limiter": (Answer("<html><body>Too Many Requests</body></html>", 429), "rate_limited"),
            "no engine answers": (
                Answer(
                    {
                        "query": "tides",
                        "results": [],
                        "unresponsive_engines": [["google", "timeout"], ["bing", "CAPTCHA", True]],
                    }
                ),
                "outage",
            ),
        },
    ),
    "MediaWiki": Adapter(
        make=lambda url, **more: MediaWiki(
            f"{url}/w/api.php",
            contact="tests@example.org",
            articles="https://example.org/$1",
            **more,
        ),
        good=wiki_search("tides", "Moon"),
        empty=wiki_search(),
        faults={
            "maxlag": (
                Answer(
                    wiki_error("maxlag", "Waiting for db1: 7 seconds lagged"),
                    200,
                    {"Retry-After": "30"},
                ),
                "outage",
            ),
            "too many": (Answer(wiki_error("ratelimited"), 200), "rate_limited"),
            "private wiki": (Answer(wiki_error("readapidenied"), 200), "auth"),
            "blocked": (Answer(wiki_error("blocked"), 403), "auth"),
            "bad value": (Answer(wiki_error("badvalue")), "refused"),
            "search is down": (Answer(wiki_error("cirrussearch-backend-error")), "outage"),
            "broken": (Answer(wiki_error("internal_api_error_DBQueryError"), 500), "outage"),
            "errors in a list": (Answer({"errors": [{"code": "readonly"}]}), "outage"),
            "no list of results": (Answer({"batchcomplete": True}), "bad_reply"),
            "formatversion 1": (Answer({"query": {"pages": {"-1": {"missing": ""}}}}), "bad_reply"),
        },
    ),
}

_CAPTCHA = "<!DOCTYPE html><html><body><form>Prove that you are human</form></body></html>"
_WRONG_TYPE = {"web": "x", "organic": {}, "results": 7, "query": []}
_WRONG_ITEMS = {
    "web": {"results": [1]},
    "organic": ["x"],
    "results": [None],
    "query": {"search": ["x"]},
}
_EMPTY_WITH_ERROR = {
    "error": "The index is down.",
    "web": {"results": []},
    "organic": [],
    "results": [],
    "query": {"search": []},
}

FAULTS: dict[str, tuple[Answer, SearchFailure]] = {
    **{f"status {status}": (Answer("", status), "outage") for status in (408, 500, 502, 503, 504)},
    **{f"status {status}": (Answer("", status), "refused") for status in (400, 404, 405, 422)},
    "status 401": (Answer({"message": "No."}, 401), "auth"),
    "status 402": (Answer("", 402), "quota"),
    "status 407": (Answer("", 407), "auth"),
    "status 429": (Answer("Slow down.", 429), "rate_limited"),
    "a wait too long": (Answer("", 503, {"Retry-After": "600"}), "outage"),
    "a wait until a day": (
        Answer("", 429, {"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}),
        "rate_limited",
    ),
    "a wait without sense": (Answer("", 429, {"Retry-After": "soon"}), "rate_limited"),
    "gateway page": (Answer("<html><h1>502 Bad Gateway</h1></html>", 502), "outage"),
    "redirect": (Answer("", 302, {"Location": "https://example.org/"}), "bad_reply"),
    "no content": (Answer("", 204), "bad_reply"),
    "accepted": (Answer("{}", 202), "bad_reply"),
    "empty body": (Answer(""), "bad_reply"),
    "truncated JSON": (Answer('{"results": [{"url": "https://exa'), "bad_reply"),
    "null": (Answer("null"), "bad_reply"),
    "list": (Answer("[]"), "bad_reply"),
    "number": (Answer("5"), "bad_reply"),
    "text": (Answer('"ok"'), "bad_reply"),
    "empty object": (Answer("{}"), "bad_reply"),
    "wrong type": (Answer(_WRONG_TYPE), "bad_reply"),
    "wrong items": (Answer(_WRONG_ITEMS), "bad_reply"),
    "empty with an error": (Answer(_EMPTY_WITH_ERROR), "bad_reply"),
    "captcha": (Answer(_CAPTCHA, 200, {"Content-Type": "text/html"}), "bad_reply"),
    "captcha called JSON": (Answer(_CAPTCHA, 200, {"Content-Type": "text/json"}), "bad_reply"),
    "not UTF-8": (Answer(b'{"results": ["\xff\xfe"]}'), "bad_reply"),
    "deep error": (Answer('{"error":' * 900 + "1" + "}" * 900, 500), "outage"),
    "deep": (Answer("[" * 100_000), "bad_reply"),
    "packed too well": (
        Answer(gzip.compress(b" " * 50_000_000, 1), 200, {"Content-Encoding": "gzip"}),
        "bad_reply",
    ),
    "packed and cut off": (
        Answer(gzip.compress(b'{"results": []}')[:-6], 200, {"Content-Encoding": "gzip"}),
        "bad_reply",
    ),
    "not packed": (Answer("{}", 200, {"Content-Encoding": "gzip"}), "bad_reply"),
    "packed as a key": (Answer("{}", 200, {"Content-Encoding": KEY.upper()}), "bad_reply"),
    "packed unasked": (Answer("{}", 200, {"Content-Encoding": "br"}), "bad_reply"),
    "endless": (Answer("", manner="endless"), "bad_reply"),
    "dripping": (Answer('{"results": [', manner="dripping"), "outage"),
    "cut off": (Answer('{"results": []}', manner="cut"), "outage"),
    "mute": (Answer(manner="mute"), "outage"),
}
"""Faults that any service can have, and of which kind they are."""

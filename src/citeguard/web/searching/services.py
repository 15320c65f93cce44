"""Search services of the web: `Brave`, `Serper`, `Tavily`, `Exa` and `SearXNG`.

Each says how its request looks, how its reply is read, and which replies report which fault.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import SecretStr

from citeguard.web.searching.http import (
    Fault,
    HTTPProvider,
    Item,
    Reply,
    Request,
    Service,
    Sleep,
    classified,
    key_of,
    message_of,
    retry_after_of,
)
from citeguard.web.searching.provider import SearchFailure, SearchPage, SearchQuery
from citeguard.web.searching.queries import fitted, with_sites
from citeguard.web.searching.results import Found, page_of, plain_text

# The languages of Brave's `search_lang` (brave/brave-search-mcp-server, src/tools/web/params.ts).
# Any other is a fault of the request.
_BRAVE_LANGUAGES = frozenset(
    "ar eu bn bg ca hr cs da nl en et fi fr gl de gu he hi hu is it kn ko lv lt ms ml mr nb pl pa "
    "ro ru sr sk sl es sv ta te th tr uk vi".split()
)
_BRAVE_NAMES = {"ja": "jp", "zh": "zh-hans", "pt": "pt-pt", "no": "nb", "nn": "nb"}

_PLAN = 24 * 3600  # seconds; a window of more is the plan's, not a matter of pace


class _BraveResult(Item):
    url: str
    title: str | None = None
    description: str | None = None
    page_age: str | None = None


class _BraveWeb(Item):
    results: list[_BraveResult]


class _BraveQuery(Item):
    bad_results: bool | None = None


class _BraveReply(Item):
    type: Literal["search"]
    query: _BraveQuery
    web: _BraveWeb | None = None


class Brave(HTTPProvider):
    """Searches with Brave's API: https://brave.com/search/api.

    `domains` and `not_domains` are sent as the operator `site:`, `since` as `freshness`, `language`
    as `search_lang` where Brave knows it. At most 20 results. Requests are sent one at a time, at
    the pace that Brave's headers ask for: the free plan allows one a second.

    Args:
        key: The key of the subscription.
        key_variable: The environment variable that has the key if none is given.
        base_url: The service's address.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: There is no key, or an argument is wrong.

    Examples:
        >>> Brave("a-key-of-brave")
        Brave(base_url='https://api.search.brave.com')
    """

    name: ClassVar[str] = "Brave"

    def __init__(
        self,
        key: str | SecretStr | None = None,
        *,
        key_variable: str = "BRAVE_API_KEY",
        base_url: str = "https://api.search.brave.com",
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._service = Service(
            self.name,
            base_url,
            fault=self._fault,
            key=key_of(key, key_variable, owner="Brave()"),
            header="X-Subscription-Token",
            pause=_brave_pause,
            one_at_a_time=True,
            timeout=timeout,
            sleep=sleep,
        )

    def _request(self, query: SearchQuery) -> Request:
        params: dict[str, str | int] = {
            "q": with_sites(query),
            "count": min(query.limit, 20),
            "text_decorations": "false",
            "result_filter": "web",
        }
        language = _BRAVE_NAMES.get(query.language.lower(), query.language.lower())
        if language in _BRAVE_LANGUAGES or language in _BRAVE_NAMES.values():
            params["search_lang"] = language
        if query.since is not None:
            params["freshness"] = f"{query.since}to{max(date.today(), query.since)}"
        return Request(path="/res/v1/web/search", params=params)

    def _fault(self, reply: Reply) -> Fault | None:
        match reply.data:
            case {"error": {} as error} | {"errors": [{} as error, *_]}:
                return self._fault_of(reply, error)
            case {"query": {"bad_results": True}, **rest} if not rest.get("web"):  # pyright: ignore[reportUnknownMemberType]
                return classified(
                    reply, "refused", "the query has too many conditions (bad_results)"
                )
            case _:
                return _brave_limit(reply, "too many requests") if reply.status == 429 else None

    def _fault_of(self, reply: Reply, error: dict[str, Any]) -> Fault | None:
        code, said = str(error.get("code", "")), message_of(error)
        detail = f"{code}: {said}" if said else code
        about_key = "x-subscription-token" in str(error.get("meta", "")).lower()
        if code.startswith("SUBSCRIPTION_") or (code == "VALIDATION" and about_key):
            return classified(reply, "auth", f"the key is not accepted: {detail}")
        if code in ("QUOTA_LIMITED", "USAGE_LIMIT_EXCEEDED"):
            return classified(reply, "quota", f"the plan is used up: {detail}")
        if code == "RATE_LIMITED" or reply.status == 429:
            return _brave_limit(reply, detail)
        if code == "VALIDATION":
            return classified(reply, "refused", f"the query is not taken: {detail}")
        # An error that only its status explains; with status 200 it is no result either.
        return classified(reply, "bad_reply", detail) if reply.status == 200 else None

    def _page(self, reply: Reply, query: SearchQuery) -> SearchPage:
        parsed = self._service.read(reply, _BraveReply)
        found = [
            Found(
                url=each.url,
                title=each.title,
                snippet=each.description,
                published=each.page_age,
            )
            for each in (parsed.web.results if parsed.web else [])
        ]
        notes = ["Brave found the query too narrow."] if parsed.query.bad_results else []
        return page_of(found, query, provider=self.name, notes=notes)


class _Window(NamedTuple):
    """One of the windows in which Brave counts requests; its headers list one after the other."""

    remaining: int
    reset: int
    length: int


def _brave_windows(reply: Reply) -> list[_Window]:
    """Return the windows of a reply's headers; none if they are missing or malformed."""
    names = ("remaining", "reset", "policy")
    listed = [reply.headers.get(f"x-ratelimit-{name}", "").split(",") for name in names]
    windows: list[_Window] = []
    for remaining, reset, policy in zip(*listed, strict=False):
        numbers = [remaining.strip(), reset.strip(), policy.partition("w=")[2].strip()]
        if all(re.fullmatch(r"\d{1,12}", each, re.ASCII) for each in numbers):
            windows.append(_Window(*map(int, numbers)))
    return windows


def _brave_limit(reply: Reply, detail: str) -> Fault:
    """Return whether the plan is used up, or only the requests of this second."""
    spent = [window for window in _brave_windows(reply) if window.remaining == 0]
    wait = max((float(window.reset) for window in spent), default=retry_after_of(reply))
    is_plan = any(window.length > _PLAN for window in spent)
    return replace(
        classified(reply, "quota" if is_plan else "rate_limited", detail), retry_after=wait
    )


def _brave_pause(reply: Reply) -> float:
    """Return the seconds until the pace allows another request."""
    spent = (each for each in _brave_windows(reply) if each.remaining == 0 and each.length < _PLAN)
    return max((float(window.reset) for window in spent), default=0.0)


class _SerperResult(Item):
    link: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


class _SerperReply(Item):
    organic: list[_SerperResult]


class Serper(HTTPProvider):
    """Searches Google by way of https://serper.dev.

    Only the organic results are used: an answer box is Google's, not a page. `domains` and
    `not_domains` are sent as the operator `site:`; `since` as the shortest of `qdr:d`, `w`, `m` and
    `y` that has the day (an earlier one is left to the dates of the results); `language` as `hl`.
    At most 100 results.

    Args:
        key: The key of the account.
        key_variable: The environment variable that has the key if none is given.
        base_url: The service's address.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: There is no key, or an argument is wrong.

    Examples:
        >>> Serper("a-key-of-serper")
        Serper(base_url='https://google.serper.dev')
    """

    name: ClassVar[str] = "Serper"

    def __init__(
        self,
        key: str | SecretStr | None = None,
        *,
        key_variable: str = "SERPER_API_KEY",
        base_url: str = "https://google.serper.dev",
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._service = Service(
            self.name,
            base_url,
            fault=self._fault,
            key=key_of(key, key_variable, owner="Serper()"),
            header="X-API-KEY",
            timeout=timeout,
            sleep=sleep,
        )

    def _request(self, query: SearchQuery) -> Request:
        body: dict[str, Any] = {
            "q": with_sites(query),
            "num": min(query.limit, 100),
            "hl": query.language.lower(),
        }
        if recent := _recency(query.since, {1: "d", 7: "w", 31: "m", 365: "y"}):
            body["tbs"] = f"qdr:{recent}"
        return Request(path="/search", json=body)

    def _fault(self, reply: Reply) -> Fault | None:
        said = message_of(reply.data)
        # An account without credits is a status 400, as is a request that is wrong.
        if reply.status != 200 and "credit" in said.lower():
            return classified(reply, "quota", f"the account is used up: {said}")
        return None

    def _page(self, reply: Reply, query: SearchQuery) -> SearchPage:
        found = [
            Found(url=each.link, title=each.title, snippet=each.snippet, published=each.date)
            for each in self._service.read(reply, _SerperReply).organic
        ]
        return page_of(found, query, provider=self.name)


class _TavilyResult(Item):
    url: str
    title: str | None = None
    content: str | None = None
    published_date: str | None = None


class _TavilyReply(Item):
    results: list[_TavilyResult]


class Tavily(HTTPProvider):
    """Searches with https://tavily.com.

    What it shows of a page is a summary, and never evidence. `domains`, `not_domains` and `since`
    are sent as `include_domains`, `exclude_domains` and `start_date`; there is no parameter for
    `language`. At most 20 results.

    Args:
        key: The key of the account.
        key_variable: The environment variable that has the key if none is given.
        base_url: The service's address.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: There is no key, or an argument is wrong.

    Examples:
        >>> Tavily("a-key-of-tavily")
        Tavily(base_url='https://api.tavily.com')
    """

    name: ClassVar[str] = "Tavily"

    def __init__(
        self,
        key: str | SecretStr | None = None,
        *,
        key_variable: str = "TAVILY_API_KEY",
        base_url: str = "https://api.tavily.com",
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._service = Service(
            self.name,
            base_url,
            fault=self._fault,
            key=key_of(key, key_variable, owner="Tavily()"),
            scheme="Bearer ",
            timeout=timeout,
            sleep=sleep,
        )

    def _request(self, query: SearchQuery) -> Request:
        body: dict[str, Any] = {
            "query": fitted(query.text),
            "search_depth": "basic",
            "max_results": min(query.limit, 20),
        }
        if query.domains:
            body["include_domains"] = list(query.domains)
        if query.not_domains:
            body["exclude_domains"] = list(query.not_domains)
        if query.since is not None:
            body["start_date"] = query.since.isoformat()
        return Request(path="/search", json=body)

    def _fault(self, reply: Reply) -> Fault | None:
        said = message_of(reply.data)
        if reply.status in (432, 433):
            return classified(reply, "quota", f"the plan is used up: {said}")
        match reply.data:
            # The form of requests without a key.
            case {"error": {"retry_after_seconds": int() | float() as wait}}:
                kind = "rate_limited" if wait < _PLAN else "quota"
                return replace(classified(reply, kind, said), retry_after=max(float(wait), 0.0))
            case _:
                return None

    def _page(self, reply: Reply, query: SearchQuery) -> SearchPage:
        found = [
            Found(
                url=each.url,
                title=each.title,
                snippet=each.content,
                published=each.published_date,
            )
            for each in self._service.read(reply, _TavilyReply).results
        ]
        return page_of(found, query, provider=self.name)


class _ExaResult(Item):
    url: str
    title: str | None = None
    publishedDate: str | None = None  # noqa: N815 - the service's name
    highlights: list[str] | None = None
    summary: str | None = None
    text: str | None = None


class _ExaReply(Item):
    results: list[_ExaResult]


class Exa(HTTPProvider):
    """Searches with https://exa.ai.

    What it shows of a page are its highlights. `domains`, `not_domains` and `since` are sent as
    `includeDomains`, `excludeDomains` and `startPublishedDate`; there is no parameter for
    `language`. At most 100 results.

    Args:
        key: The key of the account.
        key_variable: The environment variable that has the key if none is given.
        base_url: The service's address.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: There is no key, or an argument is wrong.

    Examples:
        >>> Exa("a-key-of-exa")
        Exa(base_url='https://api.exa.ai')
    """

    name: ClassVar[str] = "Exa"

    _KINDS: ClassVar[dict[str, SearchFailure]] = {
        "INVALID_API_KEY": "auth",
        "NO_MORE_CREDITS": "quota",
        "API_KEY_BUDGET_EXCEEDED": "quota",
        "NUM_RESULTS_EXCEEDED": "refused",
        "PROHIBITED_CONTENT": "refused",
    }

    def __init__(
        self,
        key: str | SecretStr | None = None,
        *,
        key_variable: str = "EXA_API_KEY",
        base_url: str = "https://api.exa.ai",
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._service = Service(
            self.name,
            base_url,
            fault=self._fault,
            key=key_of(key, key_variable, owner="Exa()"),
            header="x-api-key",
            timeout=timeout,
            sleep=sleep,
        )

    def _request(self, query: SearchQuery) -> Request:
        text = fitted(query.text)
        body: dict[str, Any] = {
            "query": text,
            "type": "auto",
            "numResults": min(query.limit, 100),
            "contents": {"highlights": {"query": text}},
        }
        if query.domains:
            body["includeDomains"] = list(query.domains)
        if query.not_domains:
            body["excludeDomains"] = list(query.not_domains)
        if query.since is not None:
            body["startPublishedDate"] = f"{query.since}T00:00:00.000Z"
        return Request(path="/search", json=body)

    def _fault(self, reply: Reply) -> Fault | None:
        match reply.data:
            case {"tag": str() as tag} if tag in self._KINDS:
                return classified(reply, self._KINDS[tag], f"{tag}: {message_of(reply.data)}")
            case _:
                return None

    def _page(self, reply: Reply, query: SearchQuery) -> SearchPage:
        found = [
            Found(
                url=each.url,
                title=each.title,
                snippet=" … ".join(each.highlights or []) or each.summary or each.text,
                published=each.publishedDate,
            )
            for each in self._service.read(reply, _ExaReply).results
        ]
        return page_of(found, query, provider=self.name)


class _SearXNGResult(Item):
    url: str | None = None
    title: str | None = None
    content: str | None = None
    publishedDate: str | None = None  # noqa: N815 - the service's name


class _SearXNGReply(Item):
    results: list[_SearXNGResult]
    unresponsive_engines: tuple[tuple[Any, ...], ...] = ()


class SearXNG(HTTPProvider):
    """Searches with an instance of SearXNG, which asks other engines: https://docs.searxng.org.

    The instance must serve JSON, which is off by default: `search.formats: [html, json]` in its
    `settings.yml`. If engines do not answer, the results are `partial`; if there are none either,
    the search failed. `domains` and `not_domains` are sent as the operator `site:`, `since` as the
    shortest of `time_range=day`, `month` and `year` that has the day, `language` as it is.

    Args:
        base_url: The instance's address.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> SearXNG("http://localhost:8888")
        SearXNG(base_url='http://localhost:8888')
    """

    name: ClassVar[str] = "SearXNG"

    def __init__(
        self, base_url: str, *, timeout: float = 15.0, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._service = Service(
            self.name, base_url, fault=self._fault, timeout=timeout, sleep=sleep
        )

    def _request(self, query: SearchQuery) -> Request:
        params: dict[str, str | int] = {
            "q": with_sites(query),
            "format": "json",
            "language": query.language.lower(),
        }
        if recent := _recency(query.since, {1: "day", 31: "month", 365: "year"}):
            params["time_range"] = recent
        return Request(path="/search", params=params)

    def _fault(self, reply: Reply) -> Fault | None:
        if reply.status == 403:
            advice = "add json to search.formats in the settings.yml of the instance"
            return classified(reply, "refused", f"the instance does not serve JSON: {advice}")
        return None

    def _page(self, reply: Reply, query: SearchQuery) -> SearchPage:
        parsed = self._service.read(reply, _SearXNGReply)
        silent = [f"{': '.join(map(str, each[:2]))}" for each in parsed.unresponsive_engines]
        if silent and not parsed.results:
            reason = f"no results, and engines that did not answer: {', '.join(silent)}"
            raise self._service.failed(Fault("outage", reason))
        found = [
            Found(
                url=each.url or "",
                title=each.title,
                snippet=each.content,
                published=each.publishedDate,
            )
            for each in parsed.results
        ]
        notes = [plain_text(f"Did not answer: {', '.join(silent)}.", most=300)] if silent else []
        return page_of(found, query, provider=self.name, partial=bool(silent), notes=notes)


def _recency(since: date | None, ranges: dict[int, str]) -> str | None:
    """Return the name of the shortest range of days until today that has a day."""
    if since is None:
        return None
    days = (date.today() - since).days + 1
    return next((name for most, name in sorted(ranges.items()) if days <= most), None)

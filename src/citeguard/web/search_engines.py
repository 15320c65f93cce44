"""Search services of the web: `Brave`, `Serper`, `Tavily`, `Exa` and `SearXNG`.

All of them are `SearchEngine`s. Each says where it is, how its request looks, where its results
are, and which replies report which fault.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import AliasChoices, BaseModel, Field, SecretStr, TypeAdapter, ValidationError

from citeguard.web.search import (
    SearchFailure,
    SearchPage,
    SearchQuery,
    SearchResult,
    check_query,
    day_of,
    fitted,
    page_of,
    plain_text,
    with_sites,
)
from citeguard.web.services import Fault, Service, key_of, message_of

if TYPE_CHECKING:
    from citeguard.web.connecting import Reply


_PLAN = 24 * 3600  # seconds; a window of more is the plan's, not a matter of pace


class _Result(BaseModel):
    """A result, by whatever names the services call its parts."""

    url: str | None = Field(None, validation_alias=AliasChoices("url", "link"))
    title: str | None = None
    highlights: list[str] | None = None
    snippet: str | None = Field(
        None, validation_alias=AliasChoices("snippet", "description", "content", "summary", "text")
    )
    published: str | None = Field(
        None, validation_alias=AliasChoices("page_age", "date", "published_date", "publishedDate")
    )


_RESULTS = TypeAdapter(list[_Result])


class SearchEngine(ABC):
    """A search service over HTTP: what all of them share.

    Requires a key, other than SearXNG. It is in no error, traceback, log or `repr`.

    Args:
        key: The key of the account.
        key_variable: The environment variable that has the key if none is given; by default the
            service's own, such as `BRAVE_API_KEY`.
        base_url: The service's address, if it is another one.
        timeout: The most seconds of a request.

    Raises:
        CiteguardError: There is no key, or an argument is wrong.

    Examples:
        >>> Brave("a-key-of-brave")
        Brave(base_url='https://api.search.brave.com')
    """

    name: ClassVar[str]
    _address: ClassVar[str] = ""
    _path: ClassVar[str] = "/search"
    _sent_as: ClassVar[str] = "body"  # or "params", in the address
    # What carries the key, and what is before the key; none of a service without one.
    _header: ClassVar[tuple[str, str] | None] = None
    _one_at_a_time: ClassVar[bool] = False

    def __init__(
        self,
        key: str | SecretStr | None = None,
        *,
        key_variable: str = "",
        base_url: str = "",
        timeout: float = 15.0,
    ) -> None:
        variable = key_variable or f"{self.name.upper()}_API_KEY"
        secret = self._header and (
            *self._header,
            key_of(key, variable, owner=f"{self.name}()"),
        )
        self._service = Service(
            self.name,
            base_url or self._address,
            fault=self._fault,
            key=secret,
            pause=self._pause,
            one_at_a_time=self._one_at_a_time,
            timeout=timeout,
        )

    def __repr__(self) -> str:
        """Return the class and the service's address, without the key."""
        return f"{self.name}(base_url={self._service.base_url!r})"

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that were found, the best first.

        Raises:
            SearchFailedError: The search failed.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        given = {name: value for name, value in self._request(query).items() if value}
        reply = await self._service.ask(self._path, **{self._sent_as: given})
        try:
            results = _RESULTS.validate_python(self._rows(reply.data))
            silent = self._silent(reply.data)
        except (ValidationError, AttributeError, KeyError, TypeError):
            results, silent = None, ""
        if results is None:  # outside the block: the exception has the whole reply
            raise self._service.unread(reply, "list of results")
        if silent and not results:
            reason = f"no results, and engines that did not answer: {silent}"
            raise self._service.failed(Fault("outage", reason))
        found = [
            SearchResult(
                url=each.url or "",
                title=each.title or "",
                snippet=" … ".join(each.highlights or []) or each.snippet or "",
                published=day_of(each.published),
            )
            for each in results
        ]
        notes = [plain_text(f"Did not answer: {silent}.", most=300)] if silent else []
        return page_of(found, query, provider=self.name, partial=bool(silent), notes=notes)

    @abstractmethod
    def _request(self, query: SearchQuery) -> dict[str, Any]:
        """Return what is sent to ask a query; empty values are not."""

    def _rows(self, data: Any) -> Any:
        """Return the list of results in a reply; a `KeyError` or a `TypeError` if it has none."""
        return data["results"]

    def _silent(self, data: Any) -> str:
        """Return what a service that asks others says of those that did not answer."""
        return ""

    def _fault(self, reply: Reply) -> Fault | None:
        """Return what a reply means if it reports a fault; `None` leaves it to the status."""
        return None

    def _pause(self, reply: Reply) -> float:
        """Return the seconds that the next request should wait after a reply."""
        return 0.0


# The languages of Brave's `search_lang` (brave/brave-search-mcp-server, src/tools/web/params.ts).
# Any other is a fault of the request.
_BRAVE_LANGUAGES = frozenset(
    "ar eu bn bg ca hr cs da nl en et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb pl"
    " pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi zh-hans".split()
)
_BRAVE_NAMES = {"ja": "jp", "zh": "zh-hans", "pt": "pt-pt", "no": "nb", "nn": "nb"}


class Brave(SearchEngine):
    """Searches with Brave's API: https://brave.com/search/api.

    `domains` and `not_domains` are sent as the operator `site:`, `since` as `freshness`, `language`
    as `search_lang` where Brave knows it. At most 20 results. Requests are sent one at a time, at
    the pace that Brave's headers ask for: the free plan allows one a second.
    """

    name: ClassVar[str] = "Brave"
    _address = "https://api.search.brave.com"
    _path = "/res/v1/web/search"
    _header = ("X-Subscription-Token", "")
    _one_at_a_time = True
    _sent_as = "params"

    def _request(self, query: SearchQuery) -> dict[str, Any]:
        language = _BRAVE_NAMES.get(query.language.lower(), query.language.lower())
        return {
            "q": with_sites(query),
            "count": min(query.limit, 20),
            # Else Brave marks the words of the query in titles and snippets.
            "text_decorations": "false",
            "result_filter": "web",
            "search_lang": language if language in _BRAVE_LANGUAGES else None,
            "freshness": query.since and f"{query.since}to{max(date.today(), query.since)}",
        }

    def _rows(self, data: Any) -> Any:
        if data["type"] != "search" or not isinstance(data["query"], dict):
            raise TypeError
        return data["web"]["results"] if data.get("web") else []

    def _pause(self, reply: Reply) -> float:
        return max((each for each in _spent_windows(reply) if each < _PLAN), default=0.0)

    def _fault(self, reply: Reply) -> Fault | None:
        match reply.data:
            case {"error": {"code": str() as code}} | {"errors": [{"code": str() as code}, *_]}:
                if code.startswith("SUBSCRIPTION_"):
                    return Fault.of(reply, "auth", f"the key is not accepted: {code}")
                if code in ("QUOTA_LIMITED", "USAGE_LIMIT_EXCEEDED"):
                    return Fault.of(reply, "quota", f"the plan is used up: {code}")
            case {"query": {"bad_results": True}, **rest} if not rest.get("web"):  # pyright: ignore[reportUnknownMemberType]
                return Fault.of(reply, "refused", "the query has too many conditions (bad_results)")
            case _:
                pass
        if reply.status != 429:
            return None
        spent = _spent_windows(reply)
        kind = "quota" if any(each >= _PLAN for each in spent) else "rate_limited"
        fault = Fault.of(reply, kind, "too many requests")
        return replace(fault, retry_after=max(spent, default=fault.retry_after))


def _spent_windows(reply: Reply) -> list[float]:
    """Return after how many seconds those of Brave's windows end in which no request is left."""
    # Each header has a value for each window: a second, say, and a month.
    names = ("x-ratelimit-remaining", "x-ratelimit-reset")
    listed = (map(str.strip, reply.headers.get(name, "").split(",")) for name in names)
    pairs = zip(*listed, strict=False)
    return [float(reset) for left, reset in pairs if left == "0" and reset[:12].isdecimal()]


class Serper(SearchEngine):
    """Searches Google by way of https://serper.dev.

    Only the organic results are used: an answer box is Google's, not a page. `domains` and
    `not_domains` are sent as the operator `site:`; `since` as the shortest of `qdr:d`, `w`, `m` and
    `y` that has the day (an earlier one is left to the dates of the results); `language` as `hl`.
    At most 100 results.
    """

    name: ClassVar[str] = "Serper"
    _address = "https://google.serper.dev"
    _header = ("X-API-KEY", "")

    def _request(self, query: SearchQuery) -> dict[str, Any]:
        recent = _recency(query.since, {1: "d", 7: "w", 31: "m", 365: "y"})
        return {
            "q": with_sites(query),
            "num": min(query.limit, 100),
            "hl": query.language.lower(),
            "tbs": recent and f"qdr:{recent}",
        }

    def _rows(self, data: Any) -> Any:
        return data["organic"]

    def _fault(self, reply: Reply) -> Fault | None:
        # An account without credits is a status 400, as is a request that is wrong.
        is_used_up = reply.status != 200 and "credit" in message_of(reply.data).lower()
        return Fault.of(reply, "quota", "the account is used up") if is_used_up else None


class Tavily(SearchEngine):
    """Searches with https://tavily.com.

    What it shows of a page is a summary, and never evidence. `domains`, `not_domains` and `since`
    are sent as `include_domains`, `exclude_domains` and `start_date`; there is no parameter for
    `language`. At most 20 results.
    """

    name: ClassVar[str] = "Tavily"
    _address = "https://api.tavily.com"
    _header = ("Authorization", "Bearer ")

    def _request(self, query: SearchQuery) -> dict[str, Any]:
        return {
            "query": fitted(query.text),
            # "advanced" takes two credits for a search.
            "search_depth": "basic",
            "max_results": min(query.limit, 20),
            "include_domains": query.domains,
            "exclude_domains": query.not_domains,
            "start_date": query.since and query.since.isoformat(),
        }

    def _fault(self, reply: Reply) -> Fault | None:
        # Statuses of Tavily's own: the limit of the plan, and that of paying as you go.
        is_used_up = reply.status in (432, 433)
        return Fault.of(reply, "quota", "the plan is used up") if is_used_up else None


class Exa(SearchEngine):
    """Searches with https://exa.ai.

    What it shows of a page are its highlights. `domains`, `not_domains` and `since` are sent as
    `includeDomains`, `excludeDomains` and `startPublishedDate`; there is no parameter for
    `language`. At most 100 results.
    """

    name: ClassVar[str] = "Exa"
    _address = "https://api.exa.ai"
    _header = ("x-api-key", "")
    _KINDS: ClassVar[dict[str, SearchFailure]] = {
        "INVALID_API_KEY": "auth",
        "NO_MORE_CREDITS": "quota",
        "API_KEY_BUDGET_EXCEEDED": "quota",
        "NUM_RESULTS_EXCEEDED": "refused",
        "PROHIBITED_CONTENT": "refused",
    }

    def _request(self, query: SearchQuery) -> dict[str, Any]:
        text = fitted(query.text)
        return {
            "query": text,
            "type": "auto",
            "numResults": min(query.limit, 100),
            # Without it, Exa sends no words of the pages.
            "contents": {"highlights": {"query": text}},
            "includeDomains": query.domains,
            "excludeDomains": query.not_domains,
            "startPublishedDate": query.since and f"{query.since}T00:00:00.000Z",
        }

    def _fault(self, reply: Reply) -> Fault | None:
        match reply.data:
            case {"tag": str() as tag} if tag in self._KINDS:
                return Fault.of(reply, self._KINDS[tag], tag)
            case _:
                return None


class SearXNG(SearchEngine):
    """Searches with an instance of SearXNG, which asks other engines: https://docs.searxng.org.

    The instance must serve JSON, which is off by default: `search.formats: [html, json]` in its
    `settings.yml`. If engines do not answer, the results are `partial`; if there are none either,
    the search failed. `domains` and `not_domains` are sent as the operator `site:`, `since` as the
    shortest of `time_range=day`, `month` and `year` that has the day, `language` as it is.

    Args:
        base_url: The instance's address.
        timeout: The most seconds of a request.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> SearXNG("http://localhost:8888")
        SearXNG(base_url='http://localhost:8888')
    """

    name: ClassVar[str] = "SearXNG"
    _sent_as = "params"

    def __init__(self, base_url: str, *, timeout: float = 15.0) -> None:
        super().__init__(base_url=base_url, timeout=timeout)

    def _request(self, query: SearchQuery) -> dict[str, Any]:
        return {
            "q": with_sites(query),
            "format": "json",
            "language": query.language.lower(),
            "time_range": _recency(query.since, {1: "day", 31: "month", 365: "year"}),
        }

    def _fault(self, reply: Reply) -> Fault | None:
        # So SearXNG answers if a format is not among those of its settings.
        if reply.status == 403:
            advice = "add json to search.formats in the settings.yml of the instance"
            return Fault.of(reply, "refused", f"the instance does not serve JSON: {advice}")
        return None

    def _silent(self, data: Any) -> str:
        engines: list[list[Any]] = data.get("unresponsive_engines") or []
        return ", ".join(": ".join(map(str, each[:2])) for each in engines)


def _recency(since: date | None, ranges: dict[int, str]) -> str | None:
    """Return the name of the shortest range of days until today that has a day."""
    if since is None:
        return None
    days = (date.today() - since).days + 1
    return next((name for most, name in sorted(ranges.items()) if days <= most), None)

"""What a search provider is, what it is asked, what it returns, and how it fails."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol, runtime_checkable

from citeguard.errors import CiteguardError
from citeguard.web.page import WebPage

SearchFailure = Literal["auth", "quota", "rate_limited", "outage", "bad_reply", "refused"]
"""Why a search failed: a key that is wrong; one that is used up; too many searches at a time; no
answer, or one that reports a fault; an answer that cannot be read; a query that is not taken."""


class SearchFailedError(CiteguardError):
    """A search failed. It does not mean that nothing was found.

    Attributes:
        kind: Why.
        provider: The provider's name.
        retry_after: Seconds after which the provider may be asked again; `None` if it doesn't say.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: SearchFailure,
        provider: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: SearchFailure = kind
        self.provider = provider
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """What a provider is asked.

    Attributes:
        text: The words to search for.
        limit: The most results that are wanted.
        domains: If there are any, only results from these domains and those below them.
        not_domains: No results from these domains and those below them.
        since: If given, only pages that were published on that day or later, where the provider
            knows the day.
        language: The language of the pages, as an ISO 639-1 code.
    """

    text: str
    limit: int = 5
    domains: tuple[str, ...] = ()
    not_domains: tuple[str, ...] = ()
    since: date | None = None
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A page that a provider found.

    Attributes:
        url: Its address.
        title: Its title, as plain text.
        snippet: What the provider shows of it, as plain text. It is often shortened, put together
            or written by a model, so that it is never evidence.
        rank: Its place among the results, from 1.
        published: When it was published, if the provider says so.
        provider: The provider's name.
        query: The words that were searched for.
    """

    url: str
    title: str = ""
    snippet: str = ""
    rank: int = 1
    published: date | None = None
    provider: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """The results of a search.

    Attributes:
        results: The pages that were found, the best first; empty if there really are none.
        partial: Whether something that was to be searched did not answer.
        notes: What a reader should know of the search, a sentence each.
        listed: Whether the caller listed these pages, to read all of them: then there may be more
            than the query's limit.
        ambiguous: Names in what was asked that can mean several things, a sentence each, so that
            pages of those things are not among the results.
    """

    results: tuple[SearchResult, ...] = ()
    partial: bool = False
    notes: tuple[str, ...] = ()
    listed: bool = False
    ambiguous: tuple[str, ...] = ()


@runtime_checkable
class SearchProvider(Protocol):
    """Anything that finds pages.

    The method may be a coroutine function or a plain one; a plain one runs in a thread of its own.
    A provider that cannot search raises a `SearchFailedError`; no results are an empty
    `SearchPage`. An attribute `name` is its name in reports; without one it is that of its class.
    """

    def search(self, query: SearchQuery, /) -> SearchPage | Awaitable[SearchPage]:
        """Return the pages that were found, the best first."""
        ...


@runtime_checkable
class StatementProvider(Protocol):
    """A provider that reads the statement itself, in place of the queries made from it.

    A fact check asks it once for each statement. `search` is for everybody else.
    """

    def search(self, query: SearchQuery, /) -> SearchPage | Awaitable[SearchPage]:
        """Return the pages that were found, the best first."""
        ...

    def search_statement(
        self, query: SearchQuery, context: str, /
    ) -> SearchPage | Awaitable[SearchPage]:
        """Return the pages that a statement is about, the best first.

        Args:
            query: The statement, as its `text`, and what else is wanted.
            context: The words before it that a pronoun in it refers to; may be empty.
        """
        ...


@runtime_checkable
class PageHolder(Protocol):
    """A provider that has the pages themselves, not only their addresses.

    Whoever reads the results of a provider that is also a `PageHolder` asks it first: the page of
    an address that it `holds` comes from its `fetch`, whatever the outcome, and is not asked for on
    the network. For every other address the network is asked. That holds only for addresses among
    the provider's own results: a folder of saved pages says nothing of a page's links.

    `fetch` may be a coroutine function or a plain one; a plain one runs in a thread of its own.
    """

    def holds(self, url: str, /) -> bool:
        """Return whether `fetch` is to be asked for the page of an address, without asking it.

        It is quick, opens no connection, and never raises.
        """
        ...

    def fetch(self, url: str, /) -> WebPage | Awaitable[WebPage]:
        """Return the page of an address, or what became of it.

        Only a page with text has the outcome `fetched`. A page that is missing or cannot be read
        is a `WebPage` with another outcome and a reason, not an exception.
        """
        ...

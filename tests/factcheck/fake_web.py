"""A small web for fact checks: pages that are held, searched by their words, and may fail."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from citeguard import Source
from citeguard.factcheck import FactEvent, fact_check
from citeguard.language.tokens import terms
from citeguard.reports import CheckedClaim, Report
from citeguard.web import (
    PageOutcome,
    SearchFailedError,
    SearchPage,
    SearchQuery,
    SearchResult,
    WebPage,
)


def page_of(url: str, text: str, *, title: str = "", outcome: PageOutcome = "fetched") -> WebPage:
    """Return a page as a fetcher returns it."""
    if outcome != "fetched":
        return WebPage(url=url, outcome=outcome, reason=f"It is {outcome}.")
    source = Source(url, text, title=title or None, url=url)
    return WebPage(url=url, outcome="fetched", final_url=url, status=200, source=source)


class Checked(NamedTuple):
    """The only statement of a text, and the whole report."""

    claim: CheckedClaim
    report: Report


def checked_alone(text: str, **options: Any) -> Checked:
    """Return the fact check of a text with one statement."""
    report = fact_check(text, **options)
    (claim,) = report.claims
    return Checked(claim, report)


class FakeWeb:
    """Finds pages by the share of a query's words that they have, and reads them.

    Args:
        pages: The pages' texts by their addresses, or what becomes of them.
        failing: The kind of failure of every search, if all are to fail.
        order: Sorts the results, in place of the best first.
        snippet: What the results show of every page.
        wait: Seconds that each search and each page takes.
    """

    def __init__(
        self,
        pages: Mapping[str, str | WebPage],
        *,
        failing: Any = None,
        partial: bool = False,
        order: Callable[[list[str]], Sequence[str]] | None = None,
        snippet: str = "",
        name: str = "fake",
        wait: float = 0.0,
    ) -> None:
        self.name = name
        self.pages = {
            url: page if isinstance(page, WebPage) else page_of(url, page)
            for url, page in pages.items()
        }
        self.queries: list[SearchQuery] = []
        self.fetched: list[str] = []
        self.running = 0
        self._failing, self._partial, self._order = failing, partial, order
        self._snippet, self._wait = snippet, wait

    async def search(self, query: SearchQuery) -> SearchPage:
        self.queries.append(query)
        await self._waited()
        if self._failing is not None:
            raise SearchFailedError("fake: it does not answer", kind=self._failing)
        wanted = {term.key for term in terms(query.text)}
        scores = {
            url: len(wanted & {term.key for term in terms(_text(page))})
            for url, page in self.pages.items()
        }
        urls = sorted((url for url in scores if scores[url]), key=lambda url: -scores[url])
        urls = urls if self._order is None else self._order(urls)
        results = tuple(
            SearchResult(url=url, rank=rank, snippet=self._snippet, title=self._snippet)
            for rank, url in enumerate(urls[: query.limit], 1)
        )
        return SearchPage(results=results, partial=self._partial)

    def holds(self, url: str) -> bool:
        return url in self.pages

    async def fetch(self, url: str) -> WebPage:
        self.fetched.append(url)
        await self._waited()
        return self.pages[url]

    async def _waited(self) -> None:
        self.running += 1
        try:
            await asyncio.sleep(self._wait)
        finally:
            self.running -= 1


class Finds:
    """Finds always the same pages, and has none."""

    def __init__(self, *urls: str) -> None:
        self.urls = urls

    def search(self, query: Any) -> SearchPage:
        return SearchPage(results=tuple(SearchResult(url=url) for url in self.urls))


def _text(page: WebPage) -> str:
    # What could not be read was found all the same: by its address.
    return page.url.replace("/", " ").replace("-", " ") if page.source is None else page.source.text


def named(events: Sequence[FactEvent]) -> list[str]:
    """Return the names of events."""
    return [event.event for event in events]

"""Pages for the statements of a text: each search is sent once, and each page read once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, TypeVar
from urllib.parse import urlsplit

from citeguard.auditing.claims import Claim
from citeguard.errors import described, foreign_code, optional_packages
from citeguard.factcheck.events import FactEvent, PageRead, QueriesWritten, SearchEnded
from citeguard.factcheck.evidence import Flaw, sentence, text_of
from citeguard.factcheck.settings import FactBudget, FactPolicy
from citeguard.judges.loops import in_thread, together
from citeguard.judges.verdicts import Verdict, explain, name_of
from citeguard.language.scripts import UNSPACED
from citeguard.reports.report import CheckedLink, Search, SetAside
from citeguard.sources.collection import Sources, Span
from citeguard.sources.links import address_of
from citeguard.web.names import names_in
from citeguard.web.page import PageOutcome, WebPage
from citeguard.web.search import (
    PageHolder,
    SearchFailedError,
    SearchPage,
    SearchProvider,
    SearchQuery,
    as_words,
    called,
    fitted,
)

T = TypeVar("T")

_SEARCHES = 8  # sent at a time
_PAGES = 24  # asked for at a time; the fetcher spaces those of one host
_LABELS: dict[PageOutcome, str] = {
    "fetched": "the page has no text",
    "dead": "no such page",
    "blocked": "may not be read",
    "paywalled": "behind a paywall",
    "too_large": "too large",
    "unsupported_type": "cannot be read",
    "unreachable": "no answer",
    "refused": "not opened",
}
"""What became of a page without a text, for readers."""

# What code raises that reads replies of the web which are not as expected.
_OF_DATA = (LookupError, ArithmeticError, RecursionError, SyntaxError)


@dataclass(slots=True, kw_only=True)
class Statement:
    """A statement, and what is known of it so far; what a cancelled check had is still here."""

    number: int
    claim: Claim
    queries: list[str] = field(default_factory=list[str])
    searches: list[Search] = field(default_factory=list[Search])  # in the order in which they ended
    pages: dict[str, WebPage | None] = field(default_factory=dict[str, "WebPage | None"])
    flaws: list[Flaw] = field(default_factory=list[Flaw])  # beside those of searches and pages
    sources: Sources | None = None  # the texts that the passages are from
    spans: tuple[Span, ...] = ()  # of the passages, the best first
    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])  # by page
    dropped: int = 0  # facts of a language model that no page has
    set_aside: SetAside | None = None
    reason: str = ""  # why it is set aside, for readers
    announced: bool = False  # whether its event was sent

    @property
    def read(self) -> list[WebPage]:
        """The pages that have a text."""
        return [page for page in self.pages.values() if page is not None and text_of(page)]

    def all_flaws(self) -> Iterator[Flaw]:
        """Yield all that went wrong, with the searches that failed and the pages not read."""
        yield from self.flaws
        for search in self.searches:
            if search.failure is not None:
                yield Flaw("search_failed", search.reason)
            elif search.partial:
                what = search.reason or "some of what it searches did not answer"
                yield Flaw("search_failed", sentence(f"{search.provider}: {what}"))
            yield from (Flaw("ambiguous", each) for each in search.ambiguous)
        for page in self.pages.values():
            if page is not None and not text_of(page):
                yield Flaw("page_unread", sentence(f"{page.url}: {_why_unread(page)}"))


class Gatherer:
    """Searches for pages and reads them, for all statements of one text.

    All providers are asked. `fetch` reads a page that none of them holds; by default it is that of
    a `Fetcher()`.
    """

    def __init__(
        self,
        providers: Sequence[SearchProvider],
        fetch: Callable[[str], Any] | None,
        *,
        policy: FactPolicy,
        budget: FactBudget,
        emit: Callable[[FactEvent], object],
    ) -> None:
        self.origins = Origins()
        self.sent = self.asked = 0  # searches and pages
        self._providers = providers
        # Those that read the statement itself, and those that are asked the queries made from it.
        self._readers = [each for each in providers if getattr(each, "reads_statements", False)]
        self._searchers = [each for each in providers if each not in self._readers]
        self._fetch = fetch
        self._policy = policy
        self._budget = budget
        self._emit = emit
        self._listed: set[str] = set()
        self._searches: dict[tuple[SearchQuery, bool], asyncio.Task[list[Search]]] = {}
        self._pages: dict[str, asyncio.Task[WebPage]] = {}
        self._search_gate = asyncio.Semaphore(_SEARCHES)
        self._page_gate = asyncio.Semaphore(_PAGES)

    def tasks(self) -> list[asyncio.Task[Any]]:
        """Return what was begun, to be cancelled when the check ends."""
        return [*self._searches.values(), *self._pages.values()]

    async def gather(self, statement: Statement, queries: Iterable[str]) -> None:
        """Send queries, then read the pages that they find, each concurrently."""
        statement.queries = list(queries)
        self._emit(QueriesWritten(number=statement.number, queries=tuple(statement.queries)))
        ask, claim = self._policy.query, statement.claim
        asked = [self._search(statement, ask(each)) for each in statement.queries]
        # For the providers that read statements; the others are asked the queries.
        asked.append(self._search(statement, ask(claim.text, claim.context), whole=True))
        wanted: dict[str, str] = {}
        for searches in await together(asked):
            for url in self._best(searches):
                # One address can be written in several ways.
                wanted.setdefault(address_of(url) or url, url)
        # In the order of the results, whichever is read first, or never.
        statement.pages = dict.fromkeys(wanted)
        await together(self._read(statement, *each) for each in wanted.items())

    def as_link(self, page: WebPage, claims: Iterable[int]) -> CheckedLink:
        """Return a page as reports have it, with the statements that it was found for."""
        is_read = bool(text_of(page))
        return CheckedLink(
            url=page.url,
            outcome="read" if is_read else "dead" if page.outcome == "dead" else "unread",
            reason="" if is_read else _why_unread(page),
            source_id=page.url if is_read else None,
            title=(page.source.title or "") if page.source is not None else "",
            final_url=page.final_url,
            status=page.status,
            fetched_at=page.fetched_at,
            sha256=page.sha256,
            claims=tuple(claims),
            origin=self.origins.of(page.url),
        )

    async def _search(
        self, statement: Statement, query: SearchQuery, *, whole: bool = False
    ) -> list[Search]:
        """Send a query, once for all statements that need it.

        The `whole` statement goes to the providers that read statements, a query to the others.
        """
        every = self._readers if whole else self._searchers
        if (query, whole) not in self._searches:
            providers = every[: _left_of(self._budget.searches, self.sent)]
            self.sent += len(providers)
            asked = together(self._searched(provider, query) for provider in providers)
            self._searches[query, whole] = asyncio.create_task(asked)
        searches = await _shared(self._searches[query, whole])
        if len(searches) < len(every):
            reason = f"The budget of {self._budget.searches} searches is spent."
            statement.flaws.append(Flaw("budget", reason))
        for search in searches:
            statement.searches.append(search)
            self._emit(SearchEnded(number=statement.number, search=search))
        return searches

    async def _searched(self, provider: SearchProvider, query: SearchQuery) -> Search:
        name = name_of(provider)

        def failure(error: Exception) -> SearchFailedError:
            return SearchFailedError(f"{name}: {explain(error)}", kind="outage", provider=name)

        async with self._search_gate:
            try:
                with foreign_code(failure, owner=name, failures=_OF_DATA):
                    found = await called(provider.search, query)
                if not isinstance(found, SearchPage):
                    message = f"{name}: expected a SearchPage, got {described(found)}"
                    raise SearchFailedError(message, kind="bad_reply", provider=name)
            except SearchFailedError as failed:
                reason = sentence(str(failed))
                return Search(query=query.text, provider=name, failure=failed.kind, reason=reason)
        results = found.results if found.listed else found.results[: self._policy.limit]
        if found.listed:
            self._listed.update(result.url for result in results)
        return Search(
            query=query.text,
            provider=name,
            found=tuple(result.url for result in results),
            partial=found.partial,
            reason=" ".join(found.notes),
            ambiguous=found.ambiguous,
        )

    def _best(self, searches: Sequence[Search]) -> list[str]:
        """Return which pages to read for a query: all that the caller lists, and the best others.

        Those of several providers take turns.
        """
        ranked = zip_longest(*(search.found for search in searches))
        urls = dict.fromkeys(url for row in ranked for url in row if url)
        best = set(list(urls)[: self._policy.limit])
        return [url for url in urls if url in best or url in self._listed]

    async def _read(self, statement: Statement, key: str, url: str) -> None:
        if key not in self._pages:
            if _left_of(self._budget.pages, self.asked) == 0:
                reason = f"The budget of {self._budget.pages} pages is spent."
                statement.flaws.append(Flaw("budget", reason))
                return
            self.asked += 1
            # Kept before it is read: other statements that need the page wait for this one.
            self._pages[key] = asyncio.create_task(self._fetched(url))
        page = await _shared(self._pages[key])
        statement.pages[key] = page
        self._emit(PageRead(number=statement.number, page=self.as_link(page, [statement.number])))

    async def _fetched(self, url: str) -> WebPage:
        """Return a page, as the provider that holds it has it, or else as the fetcher reads it."""
        async with self._page_gate:
            try:
                with foreign_code(
                    lambda error: SearchFailedError(explain(error), kind="outage"),
                    owner="the fetcher",
                    failures=_OF_DATA,
                ):
                    page = await called(self._fetch_of(url), url)
                    if not isinstance(page, WebPage):
                        raise TypeError(f"expected a WebPage, got {described(page)}")
            except SearchFailedError as failed:
                return WebPage(url=url, outcome="unreachable", reason=sentence(str(failed)))
        page = _with_own_source(page, url)
        if text := text_of(page):
            shingles = await in_thread(shingles_of, text)
            self.origins.add(page.url, page.final_url or page.url, shingles)
        return page

    def _fetch_of(self, url: str) -> Callable[[str], Any]:
        for provider in self._providers:
            if isinstance(provider, PageHolder) and provider.holds(url):
                return provider.fetch
        if self._fetch is None:
            from citeguard.web.fetching import Fetcher  # needs the extra `web`

            self._fetch = Fetcher().afetch
        return self._fetch


async def _shared(task: asyncio.Task[T]) -> T:
    """Return the result of a task for which others wait too: being cancelled does not cancel it."""
    await asyncio.wait({task})
    return task.result()


def _why_unread(page: WebPage) -> str:
    """Return what became of a page: "behind a paywall (402): the page asks for money"."""
    status = f" ({page.status})" if page.status and page.outcome != "fetched" else ""
    return f"{_LABELS[page.outcome]}{status}{f': {page.reason}' if page.reason else ''}"


def _with_own_source(page: WebPage, url: str) -> WebPage:
    """Return a page whose source has the page's address as its id, and a link to it."""
    source = page.source
    if page.url != url:
        page = replace(page, url=url)
    if source is None or (source.id == url and source.url):
        return page
    link = source.url or page.final_url or url
    return replace(page, source=replace(source, id=url, url=link))


def _left_of(most: int | None, used: int) -> int | None:
    return None if most is None else max(0, most - used)


# What is searched for.

_LONGEST_NAMES = 12  # words of a query made of names


def local_queries(statement: str, context: str = "") -> tuple[str, ...]:
    """Return queries for a statement, without a model: its words, and its names with its numbers.

    The `context` are the words before it that a pronoun refers to; their names are added.
    """
    before = list(dict.fromkeys(each.text for each in names_in(context)))
    named = list(dict.fromkeys([*before, *(each.text for each in names_in(statement))]))
    queries = [" ".join([*before, statement])]
    if named or before:
        numbers = re.findall(r"\d[\d.,:/-]*\d|\d", statement)
        queries.append(" ".join(" ".join([*named, *numbers]).split()[:_LONGEST_NAMES]))
    return distinct_queries(queries)


def distinct_queries(queries: Iterable[str]) -> tuple[str, ...]:
    r"""Return queries without operators, on one line and as long as services take them.

    Blank ones are left out, and those that differ in no word.

    Examples:
        >>> distinct_queries(["Rain  fell\nin\tOslo.", 'site:evil.example "Rain" -fell', "rain fell in oslo"])
        ('Rain fell in Oslo.', 'site evil.example Rain fell')
    """  # noqa: E501
    kept: dict[str, str] = {}
    for query in (fitted(as_words(each)) for each in queries):
        words = re.findall(r"\w+", query.casefold())
        if words:
            kept.setdefault(" ".join(words), query)
    return tuple(kept.values())


# Who wrote a page first.

COPY_FROM = 0.8
"""The share of common shingles (Jaccard) from which two pages are copies of each other."""

_SHINGLE = 5  # words
_WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")


class Origins:
    """Numbers pages by who wrote them: one for all copies of a page, and for all of a domain.

    Pages of the same registrable domain (example.co.uk) have the same origin, and so have pages of
    which most runs of five words are the same. Numbers are from 1, in the order of the pages; a
    page that is a copy of two others gives both the lower number.
    """

    def __init__(self) -> None:
        self._groups: dict[str, str] = {}  # for each page, the first page of its origin
        self._domains: dict[str, str] = {}
        self._texts: dict[str, frozenset[int]] = {}

    def add(self, url: str, address: str, shingles: frozenset[int]) -> None:
        """Add a new page: its id, the address that answered, the shingles of its text."""
        if url in self._groups:
            return
        self._groups[url] = url
        domain = registrable_domain(address)
        same = [self._domains.setdefault(domain, url)] if domain else []
        same += [other for other, theirs in self._texts.items() if _are_copies(shingles, theirs)]
        self._texts[url] = shingles
        groups = {self._groups[other] for other in (url, *same)}
        first = next(each for each in self._groups if each in groups)
        self._groups = {
            each: first if group in groups else group for each, group in self._groups.items()
        }

    def of(self, url: str) -> int | None:
        """Return the number of a page's origin; `None` if it was not added."""
        if url not in self._groups:
            return None
        return list(dict.fromkeys(self._groups.values())).index(self._groups[url]) + 1


def registrable_domain(address: str) -> str:
    """Return the domain that somebody registered, as "example.co.uk"; else the host.

    No list is downloaded: the package `tld` has one.
    """
    with optional_packages("fact checks", extra="web"):
        from tld import get_fld  # pyright: ignore[reportUnknownVariableType]
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    found: str | None = get_fld(address, fail_silently=True)
    return found or host


def shingles_of(text: str) -> frozenset[int]:
    """Return the runs of five words of a text, as hashes that mean nothing to other processes."""
    words = _WORD.findall(text.casefold())
    if len(words) < _SHINGLE:
        return frozenset([hash(tuple(words))] if words else [])
    return frozenset(map(hash, zip(*(words[at:] for at in range(_SHINGLE)), strict=False)))


def _are_copies(one: frozenset[int], other: frozenset[int]) -> bool:
    shorter, longer = sorted((len(one), len(other)))
    if not shorter or shorter < COPY_FROM * longer:  # saves most comparisons
        return False
    return len(one & other) >= COPY_FROM * len(one | other)

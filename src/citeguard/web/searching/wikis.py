"""Encyclopedias, which have the pages themselves: `MediaWiki`, `Kiwix` and `Zim`.

Each is a `SearchProvider` and a `PageHolder`: the pages come from where the search was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike
from typing import ClassVar
from urllib.parse import quote

from citeguard.errors import CiteguardError
from citeguard.web.encyclopedia import entry_title, linked_titles, path_of_title, title_of_path
from citeguard.web.held import Addresses, lost_page, page_with, read_page
from citeguard.web.kiwix import KiwixClient, KiwixHit
from citeguard.web.mediawiki import WIKIPEDIA, MediaWikiClient, WikiHit, WikiTitle
from citeguard.web.page import WebPage
from citeguard.web.searching.http import Sleep
from citeguard.web.searching.provider import SearchFailedError, SearchPage, SearchQuery
from citeguard.web.searching.queries import as_words, check_query, fitted, units_of
from citeguard.web.searching.results import Found, fused, page_of
from citeguard.web.zim import ZimFile

_DEPTH = 50  # pages of each unit of a query that are fused
_SOME_WORDS = "Some results have only some of the words: few pages have all of them."


class MediaWiki:
    """Searches a wiki by its own full-text search, and reads its pages by its API.

    One wiki is searched, so that `since` and `language` change nothing. Pages that have all the
    words come first; if there are too few of them, a second request asks for pages that have some.
    A page's `final_url` names the revision that was read.

    Args:
        api: The address of the wiki's `api.php`.
        contact: An address of mail or of a page where the wiki's operators reach you.
        articles: The addresses of its pages, with `$1` in the place of the title; by default those
            of Wikimedia's wikis: `/wiki/$1` on the same host.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> wiki = MediaWiki(contact="you@example.org")
        >>> wiki.holds("https://en.wikipedia.org/wiki/Venus"), wiki.holds("https://example.org/")
        (True, False)
    """

    name: ClassVar[str] = "MediaWiki"

    def __init__(
        self,
        api: str = WIKIPEDIA,
        *,
        contact: str,
        articles: str | None = None,
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = MediaWikiClient(
            api, contact=contact, name=self.name, timeout=timeout, sleep=sleep
        )
        self._api = api
        self._addresses = Addresses(articles or f"{'/'.join(api.split('/')[:3])}/wiki/$1")

    def __repr__(self) -> str:
        """Return the class and the address, without the contact."""
        return f"MediaWiki({self._api!r})"

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that were found, the best first.

        Raises:
            SearchFailedError: The search failed.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        text = fitted(query.text)
        hits = await self._client.search(text, limit=query.limit)
        notes: list[str] = []
        units = units_of(text, most=12)
        # Not with operators of the caller's own, which mean something in their places.
        if len(hits) < query.limit and len(units) > 1 and as_words(text) == text:
            some = " OR ".join(unit for unit in units for unit in unit.split())
            more = await self._client.search(some, limit=query.limit)
            if {hit.title for hit in more} - {hit.title for hit in hits}:
                notes.append(_SOME_WORDS)
            hits += more
        return page_of(map(self._found, hits), query, provider=self.name, notes=notes)

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of a page of the wiki."""
        return self._addresses.name_of(url) is not None

    async def fetch(self, url: str, /) -> WebPage:
        """Return the text of a page of the wiki, with its headings."""
        name = self._addresses.name_of(url)
        if name is None:
            return lost_page(url, "refused", "the address is not one of the wiki")
        try:
            article = await self._client.extract(name.replace("_", " "))
        except SearchFailedError as error:
            return _unread(url, error)
        if article is None:
            return lost_page(url, "dead", "the wiki has no page with this title")
        canonical = article.url or self._url_of(article.title)
        page = page_with(
            url,
            article.document,
            article.document.text.encode(),
            final_url=f"{canonical}?oldid={article.revision}" if article.revision else canonical,
            redirects=tuple(map(self._url_of, article.redirected_from[1:])),
            fetched_at=datetime.now(UTC),
        )
        return replace(page, status=200, content_type="text/html")

    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what the wiki says of exactly these titles; see `Encyclopedia`."""
        return await self._client.titles(titles)

    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to; see `Encyclopedia`."""
        return await self._client.links(title)

    async def titles_with(self, text: str, /, *, limit: int) -> list[str]:
        """Return the titles of the pages that have all the words of a text."""
        return [hit.title for hit in await self._client.search(as_words(text), limit=limit)]

    def _url_of(self, title: str) -> str:
        return self._addresses.url_of(title.replace(" ", "_"))

    def _found(self, hit: WikiHit) -> Found:
        return Found(url=self._url_of(hit.title), title=hit.title, snippet=hit.snippet)


class Kiwix:
    """Searches a book of a kiwix-serve, and reads its pages from there.

    A book is a ZIM file, such as Wikipedia's. One book is searched, so that `since` and `language`
    change nothing. Pages that have all the words come first; if there are too few of them, its
    names and other words are searched for one by one (at most 8 more requests), and the pages of
    the rarest come first.

    Args:
        base_url: The server's address.
        book: The book's name: that of its file, without `.zim`.
        articles: If given, the public addresses of the pages, with `$1` in the place of the path,
            such as `https://en.wikipedia.org/wiki/$1`. By default those of the server.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> books = Kiwix("http://localhost:8080", "wikipedia_en_all")
        >>> books.holds("http://localhost:8080/wikipedia_en_all/Venus")
        True
    """

    name: ClassVar[str] = "Kiwix"

    def __init__(
        self,
        base_url: str,
        book: str,
        *,
        articles: str | None = None,
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if not book or "/" in book:
            raise CiteguardError(f"Kiwix(book): expected the name of a book, got {book!r}")
        self._client = KiwixClient(base_url, name=self.name, timeout=timeout, sleep=sleep)
        self._book = book
        self._addresses = Addresses(articles) if articles else None

    def __repr__(self) -> str:
        """Return the class, the server's address and the book."""
        return f"Kiwix({self._client!r}, {self._book!r})"

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that were found, the best first.

        Raises:
            SearchFailedError: The search failed.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        text = fitted(query.text)
        _, hits = await self._client.search(self._book, text, limit=query.limit)
        known = {hit.path: hit for hit in hits}
        paths = list(known)
        notes: list[str] = []
        if len(hits) < query.limit and len(units := units_of(text)) > 1:
            lists: list[tuple[int, list[str]]] = []
            for unit in units:
                total, some = await self._client.search(self._book, unit, limit=_DEPTH)
                known = {hit.path: hit for hit in some} | known
                lists.append((total, [hit.path for hit in some]))
            notes = _add_fused(paths, lists)
        found = (self._found(known[path]) for path in paths)
        return page_of(found, query, provider=self.name, notes=notes)

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of a page of the book."""
        return self._path_of(url) is not None

    async def fetch(self, url: str, /) -> WebPage:
        """Return a page of the book."""
        path = self._path_of(url)
        if path is None:
            return lost_page(url, "refused", "the address is not one of the book")
        try:
            entry = await self._client.entry(self._book, path)
        except SearchFailedError as error:
            return _unread(url, error)
        if entry is None:
            return lost_page(url, "dead", "the book has no such page", status=404)
        return await asyncio.to_thread(
            read_page,
            url,
            entry.content,
            entry.content_type,
            final_url=self._url_of(entry.path),
            redirects=tuple(map(self._url_of, entry.redirected_from[1:])),
            status=200,
            fetched_at=datetime.now(UTC),
        )

    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what the book says of exactly these titles; see `Encyclopedia`."""
        return list(await asyncio.gather(*map(self._title, titles)))

    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to; see `Encyclopedia`."""
        path = path_of_title(title)
        entry = None if path is None else await self._client.entry(self._book, path)
        return [] if entry is None else linked_titles(entry.content)

    async def titles_with(self, text: str, /, *, limit: int) -> list[str]:
        """Return the titles of the pages that have all the words of a text."""
        _, hits = await self._client.search(self._book, text, limit=limit)
        return [title_of_path(hit.path) for hit in hits]

    async def _title(self, title: str) -> WikiTitle:
        path = path_of_title(title)
        if path is None:
            return WikiTitle(asked=title, title=title, outcome="invalid")
        entry = await self._client.entry(self._book, path)
        if entry is None:
            return WikiTitle(asked=title, title=title_of_path(path), outcome="missing")
        return await asyncio.to_thread(
            entry_title,
            title,
            path=entry.path,
            content=entry.content,
            redirected_from=entry.redirected_from,
            url_of=self._url_of,
        )

    def _found(self, hit: KiwixHit) -> Found:
        return Found(url=self._url_of(hit.path), title=hit.title, snippet=hit.snippet)

    def _url_of(self, path: str) -> str:
        if self._addresses is not None:
            return self._addresses.url_of(path)
        return self._client.url_of(self._book, path)

    def _path_of(self, url: str) -> str | None:
        if self._addresses is not None and (path := self._addresses.name_of(url)) is not None:
            return path
        return self._client.path_of(url, self._book)


class Zim:
    """Searches a ZIM file, such as Wikipedia's, and reads its pages. Needs no network.

    Requires the extra `zim`: libzim is under the GNU General Public License, version 3 or later,
    unlike citeguard; `Kiwix` serves the same files from a process of its own. The file must have a
    full-text index. `since` and `language` change nothing. Pages that have all the words come
    first; if there are too few of them, those that have its names and other words are added, the
    rarest first.

    Args:
        path: The file.
        articles: The addresses of the pages, with `$1` in the place of the path, such as
            `https://en.wikipedia.org/wiki/$1`; by default `zim://NAME/$1` with the file's name,
            which no browser opens.

    Raises:
        CiteguardError: libzim is not installed, or the file cannot be opened.
    """

    name: ClassVar[str] = "Zim"

    def __init__(self, path: str | PathLike[str], *, articles: str | None = None) -> None:
        self._file = ZimFile(path)
        host = quote(self._file.path.stem, safe="")
        self._addresses = Addresses(articles or f"zim://{host}/$1")

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"Zim({str(self._file.path)!r})"

    def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that were found, the best first.

        Raises:
            SearchFailedError: The file has no index, or cannot be read.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        text = fitted(query.text)
        _, paths = self._file.search(text, limit=query.limit)
        notes: list[str] = []
        if len(paths) < query.limit and len(units := units_of(text)) > 1:
            lists = [self._file.search(unit, limit=_DEPTH) for unit in units]
            notes = _add_fused(paths, lists)
        found = (
            Found(url=self._addresses.url_of(path), title=self._file.title_of(path))
            for path in paths[: query.limit]
        )
        return page_of(found, query, provider=self.name, notes=notes, schemes=("zim",))

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of a page of the file."""
        return self._addresses.name_of(url) is not None

    def fetch(self, url: str, /) -> WebPage:
        """Return a page of the file."""
        path = self._addresses.name_of(url)
        if path is None:
            return lost_page(url, "refused", "the address is not one of the file")
        try:
            entry = self._file.entry(path)
        except SearchFailedError as error:
            return _unread(url, error)
        if entry is None:
            return lost_page(url, "dead", "the file has no such page")
        return read_page(
            url,
            entry.content,
            entry.content_type,
            final_url=self._addresses.url_of(entry.path),
            redirects=tuple(map(self._addresses.url_of, entry.redirected_from[1:])),
            fetched_at=self._file.written_at,
            cached=True,
        )

    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what the file says of exactly these titles; see `Encyclopedia`."""
        return await asyncio.to_thread(lambda: list(map(self._title, titles)))

    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to; see `Encyclopedia`."""
        path = path_of_title(title)
        entry = None if path is None else await asyncio.to_thread(self._file.entry, path)
        return [] if entry is None else linked_titles(entry.content)

    async def titles_with(self, text: str, /, *, limit: int) -> list[str]:
        """Return the titles of the pages that have all the words of a text."""
        _, paths = await asyncio.to_thread(self._file.search, text, limit=limit)
        return list(map(title_of_path, paths))

    def _title(self, title: str) -> WikiTitle:
        path = path_of_title(title)
        if path is None:
            return WikiTitle(asked=title, title=title, outcome="invalid")
        entry = self._file.entry(path)
        if entry is None:
            return WikiTitle(asked=title, title=title_of_path(path), outcome="missing")
        return entry_title(
            title,
            path=entry.path,
            content=entry.content,
            redirected_from=entry.redirected_from,
            url_of=self._addresses.url_of,
        )


def _add_fused(paths: list[str], lists: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    """Add the pages that have some of the words to those that have all; return what to note."""
    some = [path for path in fused(lists) if path not in paths]
    paths += some
    return [_SOME_WORDS] if some else []


def _unread(url: str, error: SearchFailedError) -> WebPage:
    """Return a page that its holder could not hand over."""
    outcome = "blocked" if error.kind in ("auth", "refused") else "unreachable"
    return replace(lost_page(url, outcome, str(error)), retry_after=error.retry_after)

"""A server of ZIM files: search, suggestions and pages of kiwix-serve, over HTTP.

kiwix-serve reads the files in a process of its own, so that citeguard needs no library for it.
Written against kiwix-tools 3.3; later ones speak the same.
"""

from __future__ import annotations

import asyncio
import html
import re
import unicodedata
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from pydantic import RootModel

from citeguard.errors import check_text, check_whole, optional_packages
from citeguard.web.searching.http import Fault, Item, Reply, Request, Service, Sleep, classified
from citeguard.web.searching.results import plain_text

_MOST_REDIRECTS = 5
_DETAIL = re.compile(r"<(error|detail)>(.*?)</\1>", re.DOTALL)
_OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_ATOM = "{http://www.w3.org/2005/Atom}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KiwixHit:
    """A page that a full-text search found.

    Attributes:
        path: Its path in the book.
        title: Its title.
        snippet: Words of the page around those that were searched for, as plain text.
    """

    path: str
    title: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KiwixEntry:
    """A page as the book has it, without kiwix-serve's own bars.

    Attributes:
        path: Its path in the book, after redirects.
        content_type: Its type, without parameters.
        content: The page.
        redirected_from: The paths on the way to it, in order.
    """

    path: str
    content_type: str
    content: bytes = field(repr=False)
    redirected_from: tuple[str, ...] = ()


class _Suggestion(Item):
    value: str
    kind: str = ""
    path: str = ""


class _Suggestions(RootModel[list[_Suggestion]]):
    pass


class KiwixClient:
    """Asks a kiwix-serve.

    A book is named as kiwix-serve names it: after its file, without `.zim`.

    Args:
        base_url: The server's address.
        name: The name in errors.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> KiwixClient("http://localhost:8080")
        KiwixClient(base_url='http://localhost:8080')
    """

    def __init__(
        self,
        base_url: str,
        *,
        name: str = "Kiwix",
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._service = Service(name, base_url, fault=_fault, timeout=timeout, sleep=sleep)
        self._root = urlsplit(self._service.base_url).path

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"KiwixClient(base_url={self._service.base_url!r})"

    async def search(self, book: str, text: str, *, limit: int = 10) -> tuple[int, list[KiwixHit]]:
        """Return how many pages of a book have all the words of a text, and the best of them.

        Args:
            book: The book's name.
            text: The words. There are no operators.
            limit: The most pages.

        Raises:
            SearchFailedError: The server did not answer, has no such book, or no index of it.
        """
        check_whole("KiwixClient.search(limit=...)", limit, 1)
        params = {
            "pattern": _unaccented(text),
            "books.name": book,
            "format": "xml",
            "start": 1,
            "pageLength": limit,
        }
        request = Request(path="/search", params=params, accept="application/rss+xml")
        channel = self._tree(await self._service.ask(request)).find("channel")
        total = "" if channel is None else channel.findtext(f"{_OPENSEARCH}totalResults") or ""
        if channel is None or not re.fullmatch(r"\d{1,12}", total.strip(), re.ASCII):
            raise self._service.failed(Fault("bad_reply", "the reply is no list of results"))
        hits = [
            KiwixHit(
                path=path,
                title=plain_text(item.findtext("title") or ""),
                snippet=plain_text(_inner(item.find("description"))),
            )
            for item in channel.iter("item")
            if (path := self.path_of(item.findtext("link") or "", book)) is not None
        ]
        if int(total) and not hits:
            raise self._service.failed(Fault("bad_reply", f"none of {total} results can be read"))
        return int(total), hits

    async def suggest(self, book: str, start: str, *, limit: int = 10) -> list[KiwixHit]:
        """Return the pages of a book whose titles have words that begin so, the best first.

        Raises:
            SearchFailedError: The server did not answer, or has no such book.
        """
        check_whole("KiwixClient.suggest(limit=...)", limit, 1)
        params = {"content": book, "term": start, "count": limit}
        reply = await self._service.ask(Request(path="/suggest", params=params))
        return [
            KiwixHit(path=each.path, title=html.unescape(each.value))
            for each in self._service.read(reply, _Suggestions).root
            if each.kind == "path" and each.path
        ][:limit]

    async def entry(self, book: str, path: str) -> KiwixEntry | None:
        """Return a page of a book, after redirects within it; `None` if there is none.

        Raises:
            SearchFailedError: The server did not answer, or redirects in a circle or elsewhere.
        """
        check_text("KiwixClient.entry(path)", path, required=True)
        way = [path]
        while len(way) <= _MOST_REDIRECTS:
            place = f"/raw/{quote(book, safe='')}/content/{quote(way[-1], errors='replace')}"
            reply = await self._service.ask(Request(path=place, accept="*/*"), also=(302, 404))
            if reply.status == 404:
                return None
            if reply.status == 200:
                return KiwixEntry(
                    path=way[-1],
                    content_type=reply.content_type,
                    content=reply.body,
                    redirected_from=tuple(way[:-1]),
                )
            target = self.path_of(reply.headers.get("location", ""), book)
            if target is None or target in way:
                break
            way.append(target)
        raise self._service.failed(Fault("bad_reply", f"{path!r} is redirected without an end"))

    async def books(self) -> list[str]:
        """Return the names of the server's books, sorted.

        Raises:
            SearchFailedError: The server did not answer.
        """
        request = Request(path="/catalog/v2/entries", accept="application/atom+xml")
        feed = self._tree(await self._service.ask(request))
        links = (
            link.get("href") or ""
            for entry in feed.iter(f"{_ATOM}entry")
            for link in entry.iter(f"{_ATOM}link")
            if (link.get("type") or "") == "text/html"
        )
        return sorted(
            {unquote(urlsplit(link).path.rstrip("/").rpartition("/")[2]) for link in links}
        )

    def url_of(self, book: str, path: str) -> str:
        """Return the address at which the server shows a page of a book to a reader."""
        return f"{self._service.base_url}/{quote(book)}/{quote(path)}"

    def path_of(self, link: str, book: str) -> str | None:
        """Return the path in a book of an address of the server; `None` if it is not one.

        The address may be relative to the server, and of the form `/BOOK/…`, `/content/BOOK/…` or
        `/raw/BOOK/content/…`.
        """
        try:
            parts, own = urlsplit(link), urlsplit(self._service.base_url)
        except ValueError:
            return None
        if parts.netloc and (parts.scheme, parts.netloc) != (own.scheme, own.netloc):
            return None
        named = re.escape(quote(book))
        forms = rf"(?:{named}|content/{named}|raw/{named}/content)"
        matched = re.fullmatch(rf"{re.escape(self._root)}/{forms}/(.+)", parts.path)
        return unquote(matched[1]) if matched else None

    def _tree(self, reply: Reply) -> Any:
        """Return the root of an XML reply; entities are not expanded, and nothing is loaded."""
        with optional_packages("searching with kiwix-serve", extra="web"):
            etree: Any = import_module("lxml.etree")
        try:
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            root: Any = etree.fromstring(reply.body, parser)
        except etree.XMLSyntaxError as error:
            reason = f"the reply is not XML: {error}"
        else:
            return root
        raise self._service.failed(Fault("bad_reply", reason))


def _fault(reply: Reply) -> Fault | None:
    # The declaration of an error's XML is malformed, so it is not parsed.
    said = [plain_text(match[2]) for match in _DETAIL.finditer(reply.text[:5_000])]
    if reply.status in (400, 404) and said:
        return classified(reply, "refused", said[-1])
    return None


def _unaccented(text: str) -> str:
    """Return words as the index has them: libzim drops all marks, as those of letters and vowels.

    kiwix-serve 3.3 drops them from the pages only, and so finds no word that is written with one.
    """
    apart = unicodedata.normalize("NFD", text)
    kept = "".join(char for char in apart if not unicodedata.category(char).startswith("M"))
    return unicodedata.normalize("NFC", kept)


def _inner(element: Any) -> str:
    """Return what an element has within, in which kiwix-serve does not escape `<b>`."""
    return "" if element is None else "".join(element.itertext())

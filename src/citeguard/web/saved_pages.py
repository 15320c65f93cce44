"""Pages that the caller gives: a folder of saved ones (`SavedPages`), or addresses."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urldefrag

from citeguard.documents.files import find_files
from citeguard.errors import CiteguardError
from citeguard.retrieval.ranking import BM25Retriever
from citeguard.sources.collection import Sources
from citeguard.sources.layout import SUFFIXES
from citeguard.sources.links import web_url
from citeguard.web.page import WebPage
from citeguard.web.reading import Content, NotFetchedError, held_page, read_page
from citeguard.web.search import SearchPage, SearchQuery, SearchResult, check_query, page_of

_KINDS = {
    "html": "text/html",
    "pdf": "application/pdf",
    "text": "text/plain",
    "markdown": "text/markdown",
}
_TYPES = {suffix: _KINDS[kind] for suffix, kind in SUFFIXES.items() if kind in _KINDS}
"""The files that are taken for saved pages, and the types that they stand for."""

# What browsers write at the top of a page that they save.
_SAVED_FROM = re.compile(rb"<!--\s*(?:saved from url=(?:\(\d+\))?|Page saved with.*?url:\s*)(\S+)")
_HEAD = 4_096  # bytes, in which it is
_ALL = 1_000_000  # passages, of which each page's best is shown


class SavedPages:
    """Searches a folder of saved pages by their words, and reads them from there: no network.

    Files of HTML, PDF, Markdown and plain text are read, also in folders below; the parts that a
    browser saves in a folder `…_files` beside a page are not. Pages are ranked by their best
    passage (BM25). `since` and `language` change nothing.

    The folder is read by the first search and kept as it was then. A file that cannot be read is
    named in the notes of every search, whose results are `partial`.

    Args:
        folder: The folder.
        believed: Whether a page has the address that its file names: the note of the browser that
            saved it, a canonical link or `og:url`. A page can name any address, also one of a site
            with a better name, so do this only with folders that you trust. By default, and if
            several files name the same address, a page has the address of its file.

    Raises:
        CiteguardError: There is no such folder, or no page in it; a package to read it is missing.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "tides.txt").write_text("The moon causes the tides.")
        ...     page = SavedPages(folder).search(SearchQuery(text="what causes tides"))
        >>> page.results[0].snippet
        'The moon causes the tides.'
    """

    name: ClassVar[str] = "SavedPages"

    def __init__(self, folder: str | PathLike[str], *, believed: bool = False) -> None:
        self._path = Path(fspath(folder))
        self._believed = believed
        self._lock = threading.Lock()
        self._pages: Mapping[str, WebPage] | None = None
        self._sources: Sources
        self._notes: list[str] = []
        if not self._path.is_dir():
            raise CiteguardError(f"SavedPages(folder): {self._path} is not a folder")

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"SavedPages({str(self._path)!r}, believed={self._believed})"

    def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that share words with the query, the best first.

        Raises:
            SearchFailedError: The query has no words.
            CiteguardError: The query is not one, or the folder has no page that can be read.
        """
        check_query(query, self.name)
        self._read()
        best: dict[str, str] = {}
        [passages] = BM25Retriever().search([query.text], self._sources, k=_ALL)
        for passage in passages:
            best.setdefault(passage.span.source_id, passage.text)
        found = (
            SearchResult(url=url, title=self._sources[url].title or "", snippet=text)
            for url, text in best.items()
        )
        return page_of(
            found,
            query,
            provider=self.name,
            partial=bool(self._notes),
            notes=self._notes,
            schemes=("file",),
        )

    def holds(self, url: str, /) -> bool:
        """Return whether a page of the folder has this address; none has before the first search.

        The folder is not read for this.
        """
        return self._pages is not None and url.partition("#")[0] in self._pages

    def fetch(self, url: str, /) -> WebPage:
        """Return a page of the folder.

        Raises:
            CiteguardError: The folder has no page that can be read.
        """
        none = WebPage(url=url, outcome="dead", reason="the folder has no such page")
        return self._read().get(url.partition("#")[0], none)

    def _read(self) -> Mapping[str, WebPage]:
        with self._lock:
            if self._pages is not None:
                return self._pages
            files = [path for path in find_files(self._path) if path.suffix.lower() in _TYPES]
            names = {path.with_suffix("") for path in files}
            read = [(path, *_read_file(path)) for path in files if not _is_part(path, names)]
            named = Counter(address for *_, address in read)
            pages: dict[str, WebPage] = {}
            notes: list[str] = []
            for path, page, address in read:
                if page.source is None:
                    name = path.relative_to(self._path)
                    notes.append(f"{name} was not searched: {page.reason}.")
                    continue
                if address and self._believed and named[address] == 1:
                    source = replace(page.source, id=address, url=address)
                    page = replace(page, url=address, final_url=address, source=source)
                pages[page.url] = page
            if not pages:
                said = f"SavedPages(folder): there is no page to read in {self._path}."
                raise CiteguardError(" ".join([said, *notes[:3]]))
            self._sources = Sources([page.source for page in pages.values() if page.source])
            self._pages, self._notes = pages, notes
            return pages


def _read_file(path: Path) -> tuple[WebPage, str | None]:
    """Return the page in a file, or why there is none, and the address that the file names."""
    url = path.resolve().as_uri()
    try:
        body, saved_at = path.read_bytes(), datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return WebPage(url=url, outcome="unreachable", reason=reason), None
    note = _SAVED_FROM.search(body[:_HEAD])
    address = web_url(note[1].decode("ascii", "replace")) if note else None
    content, document = Content(body, _TYPES[path.suffix.lower()]), None
    # `held_page` tries again, and keeps why it cannot be read.
    with suppress(NotFetchedError):
        document = read_page(content, trusted=True)
        address = address or document.url
    page = held_page(url, content, document, fetched_at=saved_at, cached=True)
    return page, address and urldefrag(address).url


def _is_part(path: Path, names: set[Path]) -> bool:
    """Return whether a file is in a folder that a browser saved beside a page."""
    beside = (each for each in path.parents if each.name.endswith("_files"))
    return any(each.with_name(each.name.removesuffix("_files")) in names for each in beside)


class ListedPages:
    """Finds the pages that the caller lists, for every query and regardless of its words.

    All of them are returned, also if the query wants fewer: they are what is to be read. Its
    domains are respected; `since` and `language` change nothing.

    Args:
        urls: Their addresses.

    Raises:
        CiteguardError: There is none, or one is no address of the web.

    Examples:
        >>> pages = ListedPages(["https://example.org/a", "https://example.org/b"])
        >>> [result.url for result in pages.search(SearchQuery(text="anything", limit=1)).results]
        ['https://example.org/a', 'https://example.org/b']
    """

    name: ClassVar[str] = "ListedPages"

    def __init__(self, urls: Iterable[str]) -> None:
        listed: list[Any] = [urls] if isinstance(urls, str) else list(urls)
        for url in listed:
            if not isinstance(url, str) or web_url(url) is None:
                raise CiteguardError(
                    f"ListedPages(urls): expected an http or https address, got {url!r}"
                )
        if not listed:
            raise CiteguardError("ListedPages(urls): there are no addresses")
        self._urls: tuple[str, ...] = tuple(listed)

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"ListedPages({list(self._urls)!r})"

    def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages, in their order.

        Raises:
            SearchFailedError: The query has no words.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        everything = replace(query, limit=max(query.limit, len(self._urls)))
        listed = (SearchResult(url=url) for url in self._urls)
        return replace(page_of(listed, everything, provider=self.name), listed=True)

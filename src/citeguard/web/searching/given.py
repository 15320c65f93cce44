"""Pages that the caller gives: a folder of saved ones (`SavedPages`), or addresses."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urldefrag

from citeguard.documents.document import Document
from citeguard.documents.files import find_files
from citeguard.errors import CiteguardError
from citeguard.retrieval.ranking import BM25Retriever
from citeguard.sources.collection import Sources
from citeguard.sources.links import web_url
from citeguard.web.held import document_of, lost_page, page_with
from citeguard.web.page import WebPage
from citeguard.web.searching.provider import SearchPage, SearchQuery
from citeguard.web.searching.queries import check_query
from citeguard.web.searching.results import Found, page_of

_TYPES = {
    ".htm": "text/html",
    ".html": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
}
"""The files that are taken for saved pages, and the types that they stand for."""

# What browsers write at the top of a page that they save.
_SAVED_FROM = re.compile(rb"<!--\s*(?:saved from url=(?:\(\d+\))?|Page saved with.*?url:\s*)(\S+)")
_HEAD = 4_096  # bytes, in which it is
_ALL = 1_000_000  # passages, of which each page's best is shown


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a folder has."""

    pages: Mapping[str, WebPage]
    sources: Sources
    notes: tuple[str, ...]


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
        self._known: _Folder | None = None
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
        folder = self._read()
        best: dict[str, str] = {}
        [passages] = BM25Retriever().search([query.text], folder.sources, k=_ALL)
        for passage in passages:
            best.setdefault(passage.span.source_id, passage.text)
        found = (
            Found(url=url, title=folder.sources[url].title, snippet=text)
            for url, text in best.items()
        )
        return page_of(
            found,
            query,
            provider=self.name,
            partial=bool(folder.notes),
            notes=folder.notes,
            schemes=("file",),
        )

    def holds(self, url: str, /) -> bool:
        """Return whether a page of the folder has this address; none has before the first search.

        The folder is not read for this.
        """
        return self._known is not None and url.partition("#")[0] in self._known.pages

    def fetch(self, url: str, /) -> WebPage:
        """Return a page of the folder.

        Raises:
            CiteguardError: The folder has no page that can be read.
        """
        page = self._read().pages.get(url.partition("#")[0])
        return lost_page(url, "dead", "the folder has no such page") if page is None else page

    def _read(self) -> _Folder:
        with self._lock:
            if self._known is None:
                self._known = _folder_at(self._path, believed=self._believed)
            return self._known


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
        return page_of((Found(url=url) for url in self._urls), everything, provider=self.name)


def _folder_at(folder: Path, *, believed: bool) -> _Folder:
    files = [path for path in find_files(folder) if path.suffix.lower() in _TYPES]
    names = {path.with_suffix("") for path in files}
    saved = [_Saved.read(path) for path in files if not _is_part(path, names)]
    named = Counter(each.address for each in saved) if believed else Counter[str | None]()
    pages: dict[str, WebPage] = {}
    notes: list[str] = []
    for each in saved:
        page = each.page(each.address if named[each.address] == 1 else None)
        if page.source is None:
            notes.append(f"{each.path.relative_to(folder)} was not searched: {page.reason}.")
        else:
            pages[page.url] = page
    if not pages:
        raise CiteguardError(
            " ".join([f"SavedPages(folder): there is no page to read in {folder}.", *notes[:3]])
        )
    sources = Sources([page.source for page in pages.values() if page.source is not None])
    return _Folder(pages, sources, tuple(notes))


def _is_part(path: Path, names: set[Path]) -> bool:
    """Return whether a file is in a folder that a browser saved beside a page."""
    beside = (each for each in path.parents if each.name.endswith("_files"))
    return any(each.with_name(each.name.removesuffix("_files")) in names for each in beside)


@dataclass(frozen=True, slots=True)
class _Saved:
    """A file that has been read: its page, or why there is none, and the address that it names."""

    path: Path
    content: bytes
    document: Document | str
    address: str | None
    saved_at: datetime | None

    @classmethod
    def read(cls, path: Path) -> _Saved:
        try:
            content = path.read_bytes()
            saved_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except OSError as error:
            return cls(path, b"", (error.strerror or type(error).__name__).lower(), None, None)
        document = document_of(content, path.suffix.lower())
        note = _SAVED_FROM.search(content[:_HEAD])
        address = web_url(note[1].decode("ascii", "replace")) if note else None
        if address is None and isinstance(document, Document):
            address = document.url
        return cls(path, content, document, address and urldefrag(address).url, saved_at)

    def page(self, address: str | None) -> WebPage:
        """Return the page, under the address or else that of the file."""
        url = address or self.path.resolve().as_uri()
        page = page_with(url, self.document, self.content, fetched_at=self.saved_at)
        return replace(page, content_type=_TYPES[self.path.suffix.lower()], cached=True)

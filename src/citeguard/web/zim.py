"""ZIM files: Wikipedia and other collections of pages in one file, read in this process: `Zim`.

The only module that imports libzim, which is under the GNU General Public License, version 3 or
later, unlike citeguard (MIT). Whoever distributes a program together with libzim has to follow the
GPL for the whole of it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from citeguard.documents.html.tree import decode_page, parse_page
from citeguard.errors import CiteguardError, InvalidSourcesError, foreign_code, optional_packages
from citeguard.web.encyclopedias import DISAMBIGUATION, Encyclopedia, WikiTitle
from citeguard.web.page import WebPage
from citeguard.web.reading import Content, NotFetchedError, held_page, read_page
from citeguard.web.search import SearchFailedError, SearchResult

_MOST_REDIRECTS = 5
# Parsoid writes the first, English Wikipedia's template the others.
_SIGNS = frozenset(("mw:PageProp/disambiguation", "disambigbox", "dmbox-disambig"))


class _Entry(NamedTuple):
    """A page of a ZIM file: its path after redirects, and the paths on the way to it."""

    path: str
    content: Content
    redirected_from: tuple[str, ...]


class Zim(Encyclopedia):
    """Searches a ZIM file, such as Wikipedia's, and reads its pages. Needs no network.

    Requires the extra `zim`: libzim is under the GNU General Public License, version 3 or later,
    unlike citeguard. The file must have a full-text index. `since` and `language` change nothing.
    It may be used from several threads.

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
        purpose = (
            "reading ZIM files (unlike citeguard, libzim is under the GPL, version 3 or later)"
        )
        with optional_packages(purpose, extra="zim"):
            reader: Any = import_module("libzim.reader")
            self._searcher: Any = import_module("libzim.search")
        self._path = Path(fspath(path))
        super().__init__(articles or f"zim://{quote(self._path.stem, safe='')}/$1")
        if not self._path.is_file():
            none = "is a folder, not a ZIM file" if self._path.is_dir() else "there is no such file"
            raise CiteguardError(f"{self._path}: {none}")
        with foreign_code(lambda error: CiteguardError(f"{self._path}: not a ZIM file: {error}")):
            self._archive: Any = reader.Archive(self._path)

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"Zim({str(self._path)!r})"

    async def page(self, url: str, name: str, /) -> WebPage | None:
        """Return a page of the file."""
        return await asyncio.to_thread(self._page, url, name)

    def _page(self, url: str, path: str) -> WebPage | None:
        if (entry := self._entry(path)) is None:
            return None
        written_at = None
        # Its pages are as old as the file, however late they are read.
        if "Date" in self._archive.metadata_keys:
            with self._reading(), suppress(ValueError):  # at midnight UTC
                date = bytes(self._archive.get_metadata("Date")).decode("utf-8", "replace")
                written_at = datetime.fromisoformat(date[:10]).replace(tzinfo=UTC)
        return held_page(
            url,
            entry.content,
            final_url=self.url_of(entry.path),
            redirects=tuple(map(self.url_of, entry.redirected_from[1:])),
            fetched_at=written_at,
            cached=True,
        )

    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what the file says of exactly these titles; see `Encyclopedia`."""
        return await asyncio.to_thread(lambda: list(map(self._title, titles)))

    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to; see `Encyclopedia`."""
        path = path_of_title(title)
        entry = None if path is None else await asyncio.to_thread(self._entry, path)
        return [] if entry is None else marks_of(entry.content)[1]

    def _title(self, asked: str) -> WikiTitle:
        path = path_of_title(asked)
        if path is None:
            return WikiTitle(asked=asked, title=asked, outcome="invalid")
        entry = self._entry(path)
        if entry is None:
            return WikiTitle(asked=asked, title=path.replace("_", " "), outcome="missing")
        title = entry.path.replace("_", " ")
        return WikiTitle(
            asked=asked,
            title=title,
            outcome="found",
            url=self.url_of(entry.path),
            redirected_from=tuple(path.replace("_", " ") for path in entry.redirected_from),
            is_disambiguation=marks_of(entry.content)[0] or title.endswith(DISAMBIGUATION),
            intro=_intro(entry.content),
        )

    async def found(self, text: str, limit: int) -> list[SearchResult]:
        """Return the pages that have all the words of a text, the best first."""
        return await asyncio.to_thread(self._searched, text, limit)

    def _searched(self, text: str, limit: int) -> list[SearchResult]:
        if not self._archive.has_fulltext_index:
            raise SearchFailedError(
                f"{self._path}: the file has no full-text index", kind="refused", provider="Zim"
            )
        with self._reading():
            query = self._searcher.Query().set_query(text)
            paths: list[str] = [
                *self._searcher.Searcher(self._archive).search(query).getResults(0, limit)
            ]
        return [SearchResult(url=self.url_of(path), title=path.replace("_", " ")) for path in paths]

    def _entry(self, path: str) -> _Entry | None:
        """Return the page at a path, after redirects; `None` if there is none."""
        with self._reading():
            try:
                entry = self._archive.get_entry_by_path(path)
            except KeyError:
                return None
            way: list[str] = []
            while entry.is_redirect:
                if len(way) > _MOST_REDIRECTS:
                    raise ValueError(f"{path!r} is redirected without an end")
                way.append(entry.path)
                entry = entry.get_redirect_entry()
            item = entry.get_item()
            content_type = item.mimetype.partition(";")[0].strip().lower()
            content = Content(bytes(item.content), content_type, "", entry.path)
            return _Entry(entry.path, content, tuple(way))

    def _reading(self) -> Any:
        """Turn what libzim raises on a damaged file into a `SearchFailedError`."""
        return foreign_code(
            lambda error: SearchFailedError(
                f"{self._path}: cannot be read: {error}", kind="bad_reply", provider="Zim"
            )
        )


def path_of_title(title: str) -> str | None:
    """Return the path of a title in a ZIM file of a wiki; `None` if no page can have the title."""
    path = re.sub(r"[\s_]+", "_", title.strip()).strip("_")
    if not path or any(sign in path for sign in "<>[]{}|#"):
        return None
    # Wikipedia's titles begin with a capital, and libzim compares paths as they are.
    return path[:1].upper() + path[1:]


def marks_of(content: Content) -> tuple[bool, list[str]]:
    """Return whether a page says that it lists meanings, and the titles of its links, each once."""
    is_listing, titles = False, dict[str, None]()
    try:
        root = parse_page(decode_page(content.body), "the page")
    except InvalidSourcesError:
        root = None
    for each in () if root is None else root.iter("a", "div", "meta", "table"):
        classes = each.get("class", "").split()
        is_listing |= not _SIGNS.isdisjoint([each.get("property"), each.get("id"), *classes])
        if each.tag != "a" or "external" in classes:
            continue
        with suppress(ValueError):
            parts = urlsplit(str(each.get("href", "")))
            path = unquote(parts.path).removeprefix("./")
            # Pages of other namespaces, as "Help:Disambiguation", have no space after the colon.
            is_article = not re.match(r"[A-Z]\w+:[^\s_]|/|\.\.", path)
            if path and is_article and not parts.scheme and not parts.netloc:
                titles[path.replace("_", " ")] = None
    return is_listing, list(titles)


def _intro(content: Content) -> str:
    """Return the text of a page before its first heading, without its title."""
    try:
        document = read_page(content, trusted=True)
    except NotFetchedError:
        return ""
    headings = document.layout.headings
    start = headings[0].end if headings and headings[0].level == 1 else 0
    end = next((each.start for each in headings if each.start >= start), len(document.text))
    return document.text[start:end].strip()

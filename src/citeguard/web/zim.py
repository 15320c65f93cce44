"""ZIM files: Wikipedia and other collections of pages in one file, read in this process.

The only module that imports libzim, which is under the GNU General Public License, version 3 or
later, unlike citeguard (MIT). Whoever distributes a program together with libzim has to follow the
GPL for the whole of it. kiwix-serve (`citeguard.web.kiwix`) serves the same files from a process of
its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError, check_whole, foreign_code, optional_packages
from citeguard.web.searching.provider import SearchFailedError

_MOST_REDIRECTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ZimEntry:
    """A page of a ZIM file.

    Attributes:
        path: Its path in the file, after redirects.
        title: Its title.
        content_type: Its type, in lower case, without parameters.
        content: The page.
        redirected_from: The paths on the way to it, in order.
    """

    path: str
    title: str
    content_type: str
    content: bytes = field(repr=False)
    redirected_from: tuple[str, ...] = ()


class ZimFile:
    """Reads a ZIM file. Requires the extra `zim`, whose libzim is under the GPL.

    It may be used from several threads.

    Args:
        path: The file.

    Raises:
        CiteguardError: libzim is not installed, or the file cannot be opened.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        purpose = (
            "reading ZIM files (unlike citeguard, libzim is under the GPL, version 3 or later)"
        )
        with optional_packages(purpose, extra="zim"):
            self._reader: Any = import_module("libzim.reader")
            self._searcher: Any = import_module("libzim.search")
            self._suggester: Any = import_module("libzim.suggestion")
        self.path = Path(fspath(path))
        if self.path.is_dir():
            raise CiteguardError(f"{self.path}: is a folder, not a ZIM file")
        if not self.path.is_file():
            raise CiteguardError(f"{self.path}: there is no such file")
        with foreign_code(lambda error: CiteguardError(f"{self.path}: not a ZIM file: {error}")):
            self._archive: Any = self._reader.Archive(self.path)

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"ZimFile({str(self.path)!r})"

    @property
    def written_at(self) -> datetime | None:
        """The day on which the file was written, by its metadata, at midnight UTC."""
        try:
            written = self._metadata("Date")
            return datetime.fromisoformat(written[:10]).replace(tzinfo=UTC)
        except ValueError:
            return None

    @property
    def has_index(self) -> bool:
        """Whether the file has an index of its pages' words, without which nothing is found."""
        return bool(self._archive.has_fulltext_index)

    def search(self, text: str, *, limit: int = 10) -> tuple[int, list[str]]:
        """Return how many pages have all the words of a text, and the paths of the best.

        Args:
            text: The words. There are no operators.
            limit: The most paths.

        Raises:
            SearchFailedError: The file has no index, or cannot be read.
        """
        check_whole("ZimFile.search(limit=...)", limit, 1)
        if not self.has_index:
            raise SearchFailedError(
                f"{self.path}: the file has no full-text index", kind="refused", provider="Zim"
            )
        with self._reading():
            query = self._searcher.Query().set_query(text)
            found = self._searcher.Searcher(self._archive).search(query)
            return found.getEstimatedMatches(), list(found.getResults(0, limit))

    def suggest(self, start: str, *, limit: int = 10) -> list[str]:
        """Return the paths of pages whose titles have words that begin so, the best first.

        Raises:
            SearchFailedError: The file cannot be read.
        """
        check_whole("ZimFile.suggest(limit=...)", limit, 1)
        with self._reading():
            found = self._suggester.SuggestionSearcher(self._archive).suggest(start)
            return list(found.getResults(0, limit))

    def entry(self, path: str) -> ZimEntry | None:
        """Return the page at a path, after redirects; `None` if there is none.

        Raises:
            SearchFailedError: The file cannot be read, or redirects in a circle.
        """
        return self._entry(self._archive.get_entry_by_path, path)

    def titled(self, title: str) -> ZimEntry | None:
        """Return the page with exactly this title, after redirects; `None` if there is none.

        Raises:
            SearchFailedError: The file cannot be read, or redirects in a circle.
        """
        return self._entry(self._archive.get_entry_by_title, title)

    def title_of(self, path: str) -> str:
        """Return the title of the page at a path; the path itself if there is none.

        Raises:
            SearchFailedError: The file cannot be read.
        """
        with self._reading():
            try:
                return str(self._archive.get_entry_by_path(path).title)
            except KeyError:
                return path

    def _entry(self, look_up: Callable[[str], Any], name: str) -> ZimEntry | None:
        with self._reading():
            try:
                entry = look_up(name)
            except KeyError:
                return None
            way: list[str] = []
            while entry.is_redirect and len(way) <= _MOST_REDIRECTS:
                way.append(entry.path)
                entry = entry.get_redirect_entry()
            if entry.is_redirect:
                raise SearchFailedError(
                    f"{self.path}: {name!r} is redirected without an end",
                    kind="bad_reply",
                    provider="Zim",
                )
            item = entry.get_item()
            return ZimEntry(
                path=entry.path,
                title=entry.title,
                content_type=item.mimetype.partition(";")[0].strip().lower(),
                content=bytes(item.content),
                redirected_from=tuple(way),
            )

    def _metadata(self, name: str) -> str:
        """Return a piece of metadata; empty if there is none."""
        if name not in self._archive.metadata_keys:
            return ""
        with self._reading():
            return self._archive.get_metadata(name).decode("utf-8", "replace")

    def _reading(self) -> Any:
        """Turn what libzim raises on a damaged file into a `SearchFailedError`."""
        return foreign_code(
            lambda error: SearchFailedError(
                f"{self.path}: cannot be read: {error}", kind="bad_reply", provider="Zim"
            )
        )

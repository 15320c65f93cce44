"""Pages on disk: `PageCache`, which several processes can share and which survives being killed.

HTTP caches such as hishel keep addresses as they are, have no limit of size, and lose everything
with one damaged file; here an address is never written, and each page has a file with its digest.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.web.page import PageOutcome

_MAGIC = b"citeguard page 1 "
_PAGE, _TEMPORARY = ".page", ".part"
_DEAD_SECONDS = 3_600.0  # for which a page that does not exist is not asked for again
_ABANDONED = 3_600.0  # seconds after which an unfinished file is nobody's
_ROOM = 0.9  # of `max_bytes` that is left in use after clearing


def now() -> float:
    """Return the time, in seconds since 1970."""
    return time.time()


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedPage:
    """An answer as the cache keeps it: `fetched`, with its body and the digest of that, or dead."""

    outcome: PageOutcome
    final_url: str
    status: int
    fetched_at: float
    reason: str = ""
    redirects: tuple[str, ...] = ()
    content_type: str = ""
    sha256: str = ""
    body: bytes = field(default=b"", repr=False)


class PageCache:
    """A folder with the pages that were fetched, for any number of processes.

    A file is named by the SHA-256 of an address, and holds the address only if it was redirected
    to; only the user can read it. It is written aside and then put in its place, and checked with a
    SHA-256 of its own when it is read: what a killed process has left, or anything that was damaged
    since, counts as not there. Pages that were fetched are kept, and for an hour at most those that
    do not exist (`dead`); nothing else is.

    Args:
        folder: The folder; created if its parent exists. Only the cache's own files are touched.
        max_bytes: The most bytes of all files. The oldest are deleted; a bit more may be there for
            a moment if several processes write.
        ttl: Seconds for which a page is served from the cache.

    Raises:
        CiteguardError: The folder cannot be written to, or a number is out of its range.
    """

    def __init__(
        self, folder: str | PathLike[str], *, max_bytes: int = 1_000_000_000, ttl: float = 86_400.0
    ) -> None:
        check_whole("PageCache(max_bytes=...)", max_bytes, 1)
        check_number("PageCache(ttl=...)", ttl, 0, float("inf"), above=True)
        self._folder = Path(folder)
        self._max_bytes = max_bytes
        self._ttl = ttl
        self._lock = threading.Lock()
        self._room = 0  # bytes that may be written before the folder is counted again
        if not fspath(folder):
            raise CiteguardError("the folder of a PageCache is empty")
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
        except OSError as error:
            raise CiteguardError(f"cannot keep pages in {self._folder}: {error}") from error

    def __repr__(self) -> str:
        """Name the folder and the limits."""
        return f"PageCache({str(self._folder)!r}, max_bytes={self._max_bytes}, ttl={self._ttl})"

    def get(self, url: str, *, scope: str = "") -> CachedPage | None:
        """Return the page that was fetched for an address; `None` if none is kept.

        A page that was kept for a `scope`, other than everybody, is only found for the same one.
        """
        path = self._path(url, scope)
        with suppress(OSError):
            content = path.read_bytes()
            head, _, rest = content.partition(b"\n")
            if head + b"\n" != _head_of(rest):
                path.unlink()
                return None
            about, _, body = rest.partition(b"\n")
            try:
                fields: dict[str, Any] = json.loads(about)
                fields["redirects"] = tuple(fields["redirects"])
                page = CachedPage(body=body, **fields)
            except (KeyError, TypeError, ValueError):  # another version of citeguard wrote it
                return None
            seconds = self._ttl if page.outcome == "fetched" else min(self._ttl, _DEAD_SECONDS)
            # A clock that was set back must not keep a page forever.
            if 0 <= now() - page.fetched_at < seconds:
                return page if page.final_url else replace(page, final_url=url)
        return None

    def put(self, url: str, page: CachedPage, *, scope: str = "") -> None:
        """Keep a page for an address; see `get`."""
        about = asdict(replace(page, body=b""))
        del about["body"]
        if page.final_url == url:
            about["final_url"] = ""
        data = json.dumps(about).encode() + b"\n" + page.body
        content = _head_of(data) + data
        if len(content) > self._max_bytes:
            return
        # A page that cannot be kept, on a full disk perhaps, was fetched all the same.
        with suppress(OSError):
            handle, part = tempfile.mkstemp(suffix=_TEMPORARY, dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                os.replace(part, self._path(url, scope))
            except OSError:
                Path(part).unlink(missing_ok=True)
                raise
            with self._lock:
                self._room -= len(content)
                if self._room < 0:
                    self._make_room()

    def _path(self, url: str, scope: str) -> Path:
        key = f"{url} {scope}".encode("utf-8", "surrogatepass")
        return self._folder / f"{hashlib.sha256(key).hexdigest()}{_PAGE}"

    def _make_room(self) -> None:
        """Count the files, and delete the oldest if there are too many; abandoned ones as well."""
        files: list[tuple[float, int, str]] = []
        for entry in os.scandir(self._folder):
            with suppress(OSError):  # another process may delete it meanwhile
                status = entry.stat()
                is_old = time.time() - status.st_mtime > _ABANDONED
                if entry.name.endswith(_PAGE):
                    files.append((status.st_mtime, status.st_size, entry.path))
                elif entry.name.endswith(_TEMPORARY) and is_old:
                    os.unlink(entry.path)
        total = sum(size for _, size, _ in files)
        if total > self._max_bytes:
            for _, size, path in sorted(files)[:-1]:  # not the one that was just written
                if total <= self._max_bytes * _ROOM:
                    break
                with suppress(OSError):
                    os.unlink(path)
                total -= size
        # Only a part of what is left: other processes may write, too.
        self._room = (self._max_bytes - total) // 4


def _head_of(data: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(data).hexdigest().encode() + b"\n"

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
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from time import time as now

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.web.page import PageOutcome

_PAGE, _TEMPORARY = ".page", ".part"
_DEAD_SECONDS = 3_600.0  # for which a page that does not exist is not asked for again
_ABANDONED = 3_600.0  # seconds after which an unfinished file is nobody's
_ROOM = 0.9  # of `max_bytes` that is left in use after clearing


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
            # Tried now, as `put` passes over what goes wrong later.
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
        # TypeError, ValueError: another version of citeguard wrote it.
        with suppress(OSError, TypeError, ValueError):
            digest, _, data = path.read_bytes().partition(b"\n")
            if digest != _digest(data):
                path.unlink()
                return None
            about, _, body = data.partition(b"\n")
            page = CachedPage(body=body, **json.loads(about))
            seconds = self._ttl if page.outcome == "fetched" else min(self._ttl, _DEAD_SECONDS)
            # A clock that was set back must not keep a page forever.
            if 0 <= now() - page.fetched_at < seconds:
                final_url, redirects = page.final_url or url, tuple(page.redirects)
                return replace(page, final_url=final_url, redirects=redirects)
        return None

    def put(self, url: str, page: CachedPage, *, scope: str = "") -> None:
        """Keep a page for an address; see `get`."""
        # An address may have a secret in it, so that none is written without need.
        about = asdict(replace(page, final_url="" if page.final_url == url else page.final_url))
        body = about.pop("body")
        data = json.dumps(about).encode() + b"\n" + body
        content = _digest(data) + b"\n" + data
        if len(content) > self._max_bytes:
            return
        # A page that cannot be kept, on a full disk perhaps, was fetched all the same.
        with suppress(OSError):
            # In the same folder, as a file is put in another's place at once on one disk only.
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
        # No address has a blank, so that no two pairs make the same key.
        key = f"{url} {scope}".encode("utf-8", "surrogatepass")
        return self._folder / f"{hashlib.sha256(key).hexdigest()}{_PAGE}"

    def _make_room(self) -> None:
        """Count the files, and delete the oldest if there are too many; abandoned ones as well."""
        files: list[tuple[float, int, Path]] = []
        for path in self._folder.iterdir():
            with suppress(OSError):  # another process may delete it meanwhile
                status = path.stat()
                if path.suffix == _PAGE:
                    files.append((status.st_mtime, status.st_size, path))
                elif path.suffix == _TEMPORARY and now() - status.st_mtime > _ABANDONED:
                    path.unlink()
        total = sum(size for _, size, _ in files)
        most = self._max_bytes if total <= self._max_bytes else self._max_bytes * _ROOM
        for _, size, path in sorted(files)[:-1]:  # not the one that was just written
            if total <= most:
                break
            path.unlink(missing_ok=True)
            total -= size
        # Only a part of what is left: other processes may write, too.
        self._room = int(self._max_bytes - total) // 4


def _digest(data: bytes) -> bytes:
    return b"citeguard page 1 " + hashlib.sha256(data).hexdigest().encode()

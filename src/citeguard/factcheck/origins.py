"""Who wrote a page first: `Origins` numbers pages, one number for copies and for a domain."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from citeguard.errors import optional_packages
from citeguard.language.scripts import UNSPACED

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

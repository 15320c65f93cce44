"""Pages that did not come from the web just now: their addresses, and reading them.

For providers that have the pages themselves: a wiki, a ZIM file, a folder.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote, unquote

from citeguard.documents.document import Document
from citeguard.documents.loading import read_document
from citeguard.errors import CiteguardError
from citeguard.sources.collection import Source
from citeguard.web.page import PageOutcome, WebPage

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
}
_PLAIN = "/:@!$&'()*+,;=~"  # characters of a path that are written as they are


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of the pages of a collection.

    Attributes:
        pattern: An address in which `$1` is in the place of the page's name.

    Raises:
        CiteguardError: The pattern does not end in `$1`.

    Examples:
        >>> pages = Addresses("https://en.wikipedia.org/wiki/$1")
        >>> pages.url_of("Café")
        'https://en.wikipedia.org/wiki/Caf%C3%A9'
        >>> pages.name_of("https://en.wikipedia.org/wiki/Caf%C3%A9?oldid=1#History")
        'Café'
    """

    pattern: str

    def __post_init__(self) -> None:
        """Check the pattern."""
        if not self.pattern.endswith("$1") or self.pattern.count("$1") > 1:
            raise CiteguardError(f"an address of pages must end in '$1', not {self.pattern!r}")

    def url_of(self, name: str) -> str:
        """Return the address of a page."""
        return self.pattern[: -len("$1")] + quote(name, safe=_PLAIN, errors="replace")

    def name_of(self, url: str) -> str | None:
        """Return the name of the page at an address, without its fragment and query; or `None`."""
        start = self.pattern[: -len("$1")]
        if not url.startswith(start):
            return None
        name = url[len(start) :].partition("#")[0].partition("?")[0]
        return unquote(name, errors="replace") or None


def lost_page(url: str, outcome: PageOutcome, reason: str, *, status: int | None = None) -> WebPage:
    """Return a page that could not be read."""
    return WebPage(url=url, outcome=outcome, reason=reason, status=status)


def read_page(
    url: str,
    content: bytes,
    content_type: str,
    *,
    fetched_at: datetime | None,
    final_url: str = "",
    redirects: tuple[str, ...] = (),
    status: int | None = None,
    cached: bool = False,
) -> WebPage:
    """Return a page from its content; one that cannot be read is of an `unsupported_type`.

    Args:
        url: The address that was asked for; the id of the page's source.
        content: The page.
        content_type: Its type, without parameters.
        fetched_at: When it was taken from the web, in UTC.
        final_url: The address that the page has in the end; by default `url`.
        redirects: See `WebPage`.
        status: See `WebPage`.
        cached: See `WebPage`.

    Raises:
        CiteguardError: A package that is needed to read it is not installed.
    """
    suffix = _SUFFIXES.get(content_type)
    document: Document | str = f"pages of the type {content_type or 'unknown'} are not read"
    if suffix is not None:
        document = document_of(content, suffix)
    page = page_with(
        url, document, content, fetched_at=fetched_at, final_url=final_url, redirects=redirects
    )
    return replace(page, content_type=content_type, status=status, cached=cached)


def document_of(content: bytes, suffix: str) -> Document | str:
    """Return the text of a page, or why it cannot be read.

    Args:
        content: The page.
        suffix: The suffix of a file that is read in the same way, such as `.html`.

    Raises:
        CiteguardError: A package that is needed to read it is not installed.
    """
    try:
        return read_document(content, f"page{suffix}")
    except CiteguardError as error:
        if isinstance(error.__cause__, ImportError):
            raise
        return f"the page cannot be read: {error}"


def page_with(
    url: str,
    document: Document | str,
    content: bytes,
    *,
    fetched_at: datetime | None,
    final_url: str = "",
    redirects: tuple[str, ...] = (),
) -> WebPage:
    """Return a page that has been read; one without any text is of an `unsupported_type`.

    Args:
        url: The address that was asked for; the id of the page's source.
        document: Its text, or why it cannot be read.
        content: What the text was read from.
        fetched_at: When it was taken from the web, in UTC.
        final_url: The address that the page has in the end; by default `url`.
        redirects: See `WebPage`.
    """
    final_url = final_url or url
    source, reason = None, "the page has no text"
    if isinstance(document, str):
        reason = document
    elif any(map(str.isalnum, document.text)):
        source = Source(url, document.text, document.title, final_url, document.layout)
    return WebPage(
        url=url,
        outcome="fetched" if source else "unsupported_type",
        reason="" if source else reason,
        final_url=final_url,
        redirects=redirects,
        sha256=hashlib.sha256(content).hexdigest(),
        fetched_at=fetched_at,
        source=source,
    )

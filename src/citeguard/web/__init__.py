"""The open web: pages that were really read, and whoever finds them.

A page that could not be read is a `WebPage` with another outcome than `fetched`, never an empty
one; a search that failed is a `SearchFailedError`, never a page without results.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.web.caching import PageCache
    from citeguard.web.fetching import Fetcher
    from citeguard.web.page import PageOutcome, WebPage
    from citeguard.web.searching.provider import (
        SearchFailedError,
        SearchFailure,
        SearchPage,
        SearchProvider,
        SearchQuery,
        SearchResult,
    )

__all__ = [
    "Fetcher",
    "PageCache",
    "PageOutcome",
    "SearchFailedError",
    "SearchFailure",
    "SearchPage",
    "SearchProvider",
    "SearchQuery",
    "SearchResult",
    "WebPage",
]

_HOMES = {
    "caching": "PageCache",
    "fetching": "Fetcher",
    "page": "PageOutcome WebPage",
    "searching.provider": "SearchFailedError SearchFailure SearchPage SearchProvider SearchQuery "
    "SearchResult",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)

"""The open web: pages that were really read, whoever finds them, and what references name.

A page that could not be read is a `WebPage` with another outcome than `fetched`, never an empty
one; a search that failed is a `SearchFailedError`, never a page without results. `resolve` says
whether a DOI, an arXiv number or an address exists, and `snapshot` where a copy of a page is.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.web.caching import PageCache
    from citeguard.web.fetching import Fetcher
    from citeguard.web.page import PageOutcome, WebPage
    from citeguard.web.registries import LookupFailedError, Registries
    from citeguard.web.resolving import (
        Extent,
        PageFetcher,
        Resolved,
        ResolveOutcome,
        aresolve,
        resolve,
    )
    from citeguard.web.searching.provider import (
        SearchFailedError,
        SearchFailure,
        SearchPage,
        SearchProvider,
        SearchQuery,
        SearchResult,
    )
    from citeguard.web.wayback import asnapshot, snapshot
    from citeguard.web.works import Author, Difference, Identifier, Work, find_identifiers

__all__ = [
    "Author",
    "Difference",
    "Extent",
    "Fetcher",
    "Identifier",
    "LookupFailedError",
    "PageCache",
    "PageFetcher",
    "PageOutcome",
    "Registries",
    "ResolveOutcome",
    "Resolved",
    "SearchFailedError",
    "SearchFailure",
    "SearchPage",
    "SearchProvider",
    "SearchQuery",
    "SearchResult",
    "WebPage",
    "Work",
    "aresolve",
    "asnapshot",
    "find_identifiers",
    "resolve",
    "snapshot",
]

_HOMES = {
    "caching": "PageCache",
    "fetching": "Fetcher",
    "page": "PageOutcome WebPage",
    "registries": "LookupFailedError Registries",
    "resolving": "Extent PageFetcher ResolveOutcome Resolved aresolve resolve",
    "searching.provider": "SearchFailedError SearchFailure SearchPage SearchProvider SearchQuery "
    "SearchResult",
    "wayback": "asnapshot snapshot",
    "works": "Author Difference Identifier Work find_identifiers",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)

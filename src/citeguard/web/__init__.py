"""The open web: pages that were really read, whoever finds them, and what references name.

A page that could not be read is a `WebPage` with another outcome than `fetched`, never an empty
one; a search that failed is a `SearchFailedError`, never a page without results. `resolve` says
whether a DOI, an arXiv number or an address exists, and `snapshot` where a copy of a page is.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.web.caching import PageCache
    from citeguard.web.encyclopedia import Encyclopedia
    from citeguard.web.fetching import Fetcher
    from citeguard.web.linking import Candidate, Link, Linker, LinkOutcome
    from citeguard.web.mediawiki import WikiTitle
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
    from citeguard.web.searching.given import ListedPages, SavedPages
    from citeguard.web.searching.provider import (
        PageHolder,
        SearchFailedError,
        SearchFailure,
        SearchPage,
        SearchProvider,
        SearchQuery,
        SearchResult,
        StatementProvider,
    )
    from citeguard.web.searching.queries import as_words
    from citeguard.web.searching.services import Brave, Exa, SearXNG, Serper, Tavily
    from citeguard.web.searching.wikipedia import Wikipedia
    from citeguard.web.searching.wikis import Kiwix, MediaWiki, Zim
    from citeguard.web.wayback import asnapshot, snapshot
    from citeguard.web.works import Author, Difference, Identifier, Work, find_identifiers

__all__ = [
    "Author",
    "Brave",
    "Candidate",
    "Difference",
    "Encyclopedia",
    "Exa",
    "Extent",
    "Fetcher",
    "Identifier",
    "Kiwix",
    "Link",
    "LinkOutcome",
    "Linker",
    "ListedPages",
    "LookupFailedError",
    "MediaWiki",
    "PageCache",
    "PageFetcher",
    "PageHolder",
    "PageOutcome",
    "Registries",
    "ResolveOutcome",
    "Resolved",
    "SavedPages",
    "SearXNG",
    "SearchFailedError",
    "SearchFailure",
    "SearchPage",
    "SearchProvider",
    "SearchQuery",
    "SearchResult",
    "Serper",
    "StatementProvider",
    "Tavily",
    "WebPage",
    "WikiTitle",
    "Wikipedia",
    "Work",
    "Zim",
    "aresolve",
    "as_words",
    "asnapshot",
    "find_identifiers",
    "resolve",
    "snapshot",
]

_HOMES = {
    "caching": "PageCache",
    "encyclopedia": "Encyclopedia",
    "fetching": "Fetcher",
    "linking": "Candidate Link LinkOutcome Linker",
    "mediawiki": "WikiTitle",
    "page": "PageOutcome WebPage",
    "registries": "LookupFailedError Registries",
    "resolving": "Extent PageFetcher ResolveOutcome Resolved aresolve resolve",
    "searching.given": "ListedPages SavedPages",
    "searching.provider": "PageHolder SearchFailedError SearchFailure SearchPage SearchProvider "
    "SearchQuery SearchResult StatementProvider",
    "searching.queries": "as_words",
    "searching.services": "Brave Exa SearXNG Serper Tavily",
    "searching.wikipedia": "Wikipedia",
    "searching.wikis": "Kiwix MediaWiki Zim",
    "wayback": "asnapshot snapshot",
    "works": "Author Difference Identifier Work find_identifiers",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)

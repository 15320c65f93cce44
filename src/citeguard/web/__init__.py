"""The open web: pages that were really read, whoever finds them, and what references name.

A page that could not be read is a `WebPage` with another outcome than `fetched`, never an empty
one; a search that failed is a `SearchFailedError`, never a page without results. `resolve` says
whether a DOI, an arXiv number or an address exists, and `asnapshot` where a copy of a page is.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.web.caching import PageCache
    from citeguard.web.encyclopedias import Encyclopedia, MediaWiki, WikiTitle
    from citeguard.web.fetching import Fetcher
    from citeguard.web.linking import Candidate, Link, Linker, LinkOutcome, Wikipedia
    from citeguard.web.page import PageOutcome, WebPage
    from citeguard.web.saved_pages import ListedPages, SavedPages
    from citeguard.web.search import (
        PageHolder,
        SearchFailedError,
        SearchFailure,
        SearchPage,
        SearchProvider,
        SearchQuery,
        SearchResult,
        as_words,
    )
    from citeguard.web.search_engines import Brave, Exa, SearXNG, Serper, Tavily
    from citeguard.web.works import (
        Author,
        Extent,
        Identifier,
        LookupFailedError,
        PageFetcher,
        Registries,
        Resolved,
        ResolveOutcome,
        Work,
        aresolve,
        asnapshot,
        find_identifiers,
        resolve,
    )
    from citeguard.web.zim import Zim

__all__ = [
    "Author",
    "Brave",
    "Candidate",
    "Encyclopedia",
    "Exa",
    "Extent",
    "Fetcher",
    "Identifier",
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
]

_HOMES = {
    "caching": "PageCache",
    "encyclopedias": "Encyclopedia MediaWiki WikiTitle",
    "search_engines": "Brave Exa SearXNG Serper Tavily",
    "fetching": "Fetcher",
    "saved_pages": "ListedPages SavedPages",
    "linking": "Candidate Link LinkOutcome Linker Wikipedia",
    "page": "PageOutcome WebPage",
    "search": "PageHolder SearchFailedError SearchFailure SearchPage SearchProvider SearchQuery "
    "SearchResult as_words",
    "works": "Author Extent Identifier LookupFailedError PageFetcher Registries "
    "ResolveOutcome Resolved Work aresolve asnapshot find_identifiers resolve",
    "zim": "Zim",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)

"""The open web: pages that were really read, and whoever finds them.

A page that could not be read is a `WebPage` with another outcome than `fetched`, never an empty
one; a search that failed is a `SearchFailedError`, never a page without results.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.web.page import PageOutcome, WebPage
    from citeguard.web.searching.given import ListedPages, SavedPages
    from citeguard.web.searching.provider import (
        PageHolder,
        SearchFailedError,
        SearchFailure,
        SearchPage,
        SearchProvider,
        SearchQuery,
        SearchResult,
    )
    from citeguard.web.searching.queries import as_words
    from citeguard.web.searching.services import Brave, Exa, SearXNG, Serper, Tavily
    from citeguard.web.searching.wikis import Kiwix, MediaWiki, Zim

__all__ = [
    "Brave",
    "Exa",
    "Kiwix",
    "ListedPages",
    "MediaWiki",
    "PageHolder",
    "PageOutcome",
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
    "Zim",
    "as_words",
]

_HOMES = {
    "page": "PageOutcome WebPage",
    "searching.given": "ListedPages SavedPages",
    "searching.provider": "PageHolder SearchFailedError SearchFailure SearchPage SearchProvider "
    "SearchQuery SearchResult",
    "searching.queries": "as_words",
    "searching.services": "Brave Exa SearXNG Serper Tavily",
    "searching.wikis": "Kiwix MediaWiki Zim",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)

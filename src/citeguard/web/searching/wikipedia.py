"""An encyclopedia as a search provider that reads statements: `Wikipedia`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from citeguard.errors import CiteguardError, described
from citeguard.facts.mentions import Tagger, mentions
from citeguard.web.encyclopedia import Encyclopedia, called
from citeguard.web.linking import Linker
from citeguard.web.page import WebPage
from citeguard.web.searching.provider import SearchPage, SearchQuery
from citeguard.web.searching.queries import check_query
from citeguard.web.searching.results import Found, page_of

_SEARCHED = "No name of the statement has an article, so the encyclopedia was searched."


class Wikipedia:
    """Finds the articles that a statement is about, by the names in it, and reads them.

    Each name is looked up as a title, exactly; see `citeguard.web.linking.Linker`. Only a statement
    with no name that has an article is searched for. If a name can mean several articles, none of
    them is chosen: a check that no other article decides is then `undecided`, with the cause
    `ambiguous` and the candidates in its reason. If it is the first name, which mostly is what the
    statement is about, no article is returned at all.

    Args:
        encyclopedia: Where the articles are: a `MediaWiki`, `Kiwix` or `Zim`, or one of your own.
        tagger: What finds the names; by default citeguard's rules.
        linker: What finds the articles, if not a `Linker` of this encyclopedia with this tagger.

    Raises:
        CiteguardError: What is given is no encyclopedia.
    """

    name: ClassVar[str] = "Wikipedia"

    def __init__(
        self,
        encyclopedia: Encyclopedia,
        *,
        tagger: Tagger = mentions,
        linker: Linker | None = None,
    ) -> None:
        given: Any = encyclopedia
        if isinstance(given, type) or not isinstance(given, Encyclopedia):
            raise CiteguardError(
                f"Wikipedia(encyclopedia): expected an Encyclopedia, got {described(given)}"
            )
        self._encyclopedia = encyclopedia
        self._linker = linker or Linker(encyclopedia, tagger=tagger)

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"Wikipedia({self._encyclopedia!r})"

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the articles that the names of a query mean, or else those that a search finds.

        Raises:
            SearchFailedError: The encyclopedia did not answer.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        return await self.search_statement(query, "")

    async def search_statement(self, query: SearchQuery, context: str, /) -> SearchPage:
        """Return the articles that a statement is about; see `StatementProvider`.

        Raises:
            SearchFailedError: The encyclopedia did not answer.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        links = await self._linker.link(query.text, context=context)
        if context:  # "She was born in Oslo": the articles are hers, and Oslo's
            links = [*await self._linker.link(context, context=query.text), *links]
        pages = {link.page.title: link for link in links if link.page is not None}
        unclear = list(dict.fromkeys(link.reason for link in links if link.outcome == "ambiguous"))
        if links and links[0].outcome == "ambiguous":
            pages = {}
        if not pages and not unclear:
            articles = await self._linker.about(query.text, limit=query.limit)
            notes = [_SEARCHED] if articles else []
        else:
            articles = [link.page for link in pages.values() if link.page is not None]
            notes = [link.reason for link in pages.values()]
        found = [Found(url=each.url, title=each.title, snippet=each.intro) for each in articles]
        page = page_of(found, query, provider=self.name, notes=notes, schemes=("zim",))
        return replace(page, ambiguous=tuple(unclear))

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of a page of the encyclopedia."""
        return self._encyclopedia.holds(url)

    async def fetch(self, url: str, /) -> WebPage:
        """Return a page of the encyclopedia."""
        return await called(self._encyclopedia.fetch, url)

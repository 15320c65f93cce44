"""Twelve small pages and sixty statements about them, as a provider of pages and rows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from citeguard.web import SearchPage, SearchQuery, SearchResult, WebPage
from citeguard.web.reading import Content, held_page

_PAGES = tomllib.loads(Path(__file__).with_name("data").joinpath("small_pages.toml").read_text())


class Row(NamedTuple):
    """A statement about a page, what the page says of it, and whether it is in the test part."""

    statement: str
    label: str
    held: bool


def rows() -> Iterator[Row]:
    """Yield the statements, in the order of the pages."""
    for page in _PAGES["page"]:
        for statement, label in page["statements"]:
            yield Row(statement, label, page.get("held", False))


def html_page(url: str, title: str, html: str) -> WebPage:
    """Return a page as a provider reads it."""
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    body = f"{head}<body><main><article>{html}</article></main></body></html>"
    return held_page(url, Content(body.encode(), "text/html"))


class Held:
    """Finds every page, whatever the query: those whose words are in it first."""

    name = "held"

    def __init__(self, *pages: WebPage) -> None:
        self._pages = {page.url: page for page in pages}

    @classmethod
    def small(cls) -> Held:
        """Return the twelve small pages."""
        return cls(
            *(
                html_page(f"https://site{n}.example/", page["title"], page["html"])
                for n, page in enumerate(_PAGES["page"])
            )
        )

    def search(self, query: SearchQuery) -> SearchPage:
        wanted = {word.strip(".,").casefold() for word in query.text.split()}

        def shared(page: WebPage) -> int:
            assert page.source is not None
            return len(wanted & {word.strip(".,").casefold() for word in page.source.text.split()})

        best = sorted(self._pages.values(), key=lambda page: -shared(page))[: query.limit]
        return SearchPage(results=tuple(SearchResult(url=page.url) for page in best))

    def holds(self, url: str) -> bool:
        return url in self._pages

    def fetch(self, url: str) -> WebPage:
        return self._pages[url]

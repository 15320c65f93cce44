"""Sixty statements about twelve small pages: how many verdicts of the reader are right."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from citeguard.factcheck import fact_check
from citeguard.web import SearchPage, SearchQuery, SearchResult, WebPage
from citeguard.web.reading import Content, held_page

PAGES = tomllib.loads(Path(__file__).with_name("data").joinpath("small_pages.toml").read_text())[
    "page"
]


def html_page(url: str, title: str, html: str) -> WebPage:
    """Return a page as a provider reads it."""
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    body = f"{head}<body><main><article>{html}</article></main></body></html>"
    return held_page(url, Content(body.encode(), "text/html"))


class Held:
    """Finds every page, whatever the query: those whose words are in it first."""

    name = "held"

    def __init__(self) -> None:
        addressed = ((f"https://site{n}.example/", page) for n, page in enumerate(PAGES))
        self._pages = {url: html_page(url, page["title"], page["html"]) for url, page in addressed}

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


# Of 29 supported and 23 contradicted ones, or of one statement in four.
@pytest.mark.parametrize(
    ("every", "least", "most"), [(4, 5, 1), pytest.param(1, 20, 5, marks=pytest.mark.slow)]
)
def test_verdicts_hold_their_floors(every: int, least: int, most: int) -> None:
    pages = Held()
    rows = [row for page in PAGES for row in page["statements"]]
    found = Counter(
        (label, fact_check(statement, search=pages).claims[0].verdict)
        for statement, label in rows[::every]
    )
    assert found["supported", "supported"] >= least
    assert found["contradicted", "supported"] <= most
    assert not found["unsupported", "supported"]

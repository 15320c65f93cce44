"""What an encyclopedia is asked (`Encyclopedia`), and what a page of a ZIM file says of itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from html.parser import HTMLParser
from typing import Protocol, TypeVar, cast, runtime_checkable
from urllib.parse import unquote, urlsplit

from citeguard.documents.document import Document
from citeguard.judges.loops import in_thread
from citeguard.web.held import document_of
from citeguard.web.mediawiki import WikiTitle
from citeguard.web.page import WebPage
from citeguard.web.searching.provider import SearchPage, SearchQuery

T = TypeVar("T")
V = TypeVar("V")

DISAMBIGUATION = " (disambiguation)"
"""What follows the title of a page that lists what it can mean, in the English Wikipedia."""

_SECTION = re.compile(r"[\s_]+")


@runtime_checkable
class Encyclopedia(Protocol):
    """Anything that has articles by title: a wiki, a kiwix-serve, a ZIM file.

    It is also a `SearchProvider` and a `PageHolder`. `MediaWiki`, `Kiwix` and `Zim` are
    encyclopedias, and say the same of the same articles.
    """

    def search(self, query: SearchQuery, /) -> SearchPage | Awaitable[SearchPage]:
        """Return the pages that were found, the best first."""
        ...

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of one of its pages."""
        ...

    def fetch(self, url: str, /) -> WebPage | Awaitable[WebPage]:
        """Return one of its pages, or what became of it."""
        ...

    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what it says of exactly these titles, in their order, with their intros.

        Redirects are followed, and the first letter may be small. No title is corrected.

        Raises:
            SearchFailedError: It did not answer.
        """
        ...

    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to.

        Raises:
            SearchFailedError: It did not answer.
        """
        ...

    async def titles_with(self, text: str, /, *, limit: int) -> list[str]:
        """Return the titles of the pages that have all the words of a text, the best first.

        Raises:
            SearchFailedError: It did not answer.
        """
        ...


async def called(method: Callable[[V], T | Awaitable[T]], value: V) -> T:
    """Call a method of an encyclopedia, in a thread if it is a plain function."""
    if inspect.iscoroutinefunction(method):
        return cast("T", await method(value))
    returned = await in_thread(method, value)
    return cast("T", await returned if inspect.isawaitable(returned) else returned)


def path_of_title(title: str) -> str | None:
    """Return the path of a title in a ZIM file of a wiki; `None` if no page can have the title.

    Examples:
        >>> path_of_title("mercury (planet)"), path_of_title(" ")
        ('Mercury_(planet)', None)
    """
    path = _SECTION.sub("_", title.strip()).strip("_")
    if not path or any(sign in path for sign in "<>[]{}|#"):
        return None
    return path[:1].upper() + path[1:]


def title_of_path(path: str) -> str:
    """Return the title of the page of a wiki at a path."""
    return path.replace("_", " ")


def entry_title(
    asked: str,
    *,
    path: str,
    content: bytes,
    redirected_from: Sequence[str],
    url_of: Callable[[str], str],
) -> WikiTitle:
    """Return what a page of a ZIM file says of itself.

    Args:
        asked: The title that was asked for.
        path: The page's path in the file, after redirects.
        content: The page, as HTML.
        redirected_from: The paths on the way to it.
        url_of: Returns the address of a path.
    """
    marks = _Marks.of(content)
    document = document_of(content, ".html")
    return WikiTitle(
        asked=asked,
        title=title_of_path(path),
        outcome="found",
        url=url_of(path),
        redirected_from=tuple(map(title_of_path, redirected_from)),
        is_disambiguation=marks.is_disambiguation or title_of_path(path).endswith(DISAMBIGUATION),
        intro="" if isinstance(document, str) else _intro(document),
    )


def linked_titles(content: bytes) -> list[str]:
    """Return the titles of the articles that a page of a ZIM file links to, each once."""
    return list(dict.fromkeys(_Marks.of(content).titles))


def _intro(document: Document) -> str:
    """Return the text of a page before its first heading, without its title."""
    headings = document.layout.headings
    start = headings[0].end if headings and headings[0].level == 1 else 0
    end = next((each.start for each in headings if each.start >= start), len(document.text))
    return document.text[start:end].strip()


class _Marks(HTMLParser):
    """Reads the links of a page, and whether it says that it lists what a title can mean."""

    # Parsoid writes the first, English Wikipedia's template the others.
    _SIGNS = ("mw:PageProp/disambiguation", "disambigbox", "dmbox-disambig")

    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.is_disambiguation = False

    @classmethod
    def of(cls, content: bytes) -> _Marks:
        """Return what a page says."""
        marks = cls()
        marks.feed(content.decode("utf-8", "replace"))
        return marks

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        said = (values.get("property", ""), values.get("id", ""), values.get("class", ""))
        self.is_disambiguation |= any(sign in each.split() for sign in self._SIGNS for each in said)
        href = values.get("href", "")
        if tag == "a" and href and "external" not in values.get("class", "").split():
            self._link(href)

    def _link(self, href: str) -> None:
        try:
            parts = urlsplit(href)
        except ValueError:
            return
        path = unquote(parts.path).removeprefix("./")
        # Pages of other namespaces, such as "Help:Disambiguation", have no space after the colon.
        is_article = not re.match(r"[A-Z]\w+:[^\s_]", path) and not path.startswith(("/", ".."))
        if path and is_article and not parts.scheme and not parts.netloc:
            self.titles.append(title_of_path(path))

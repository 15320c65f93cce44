"""What an encyclopedia is asked (`Encyclopedia`), and one over a network: `MediaWiki`.

It is a `SearchProvider` and a `PageHolder`: the pages come from where the search was.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import quote, unquote

from pydantic import BaseModel, Field, ValidationError

from citeguard.documents.document import Document, Writer
from citeguard.errors import CiteguardError, check_text
from citeguard.web.page import WebPage
from citeguard.web.reading import Content, held_page
from citeguard.web.search import (
    SearchFailedError,
    SearchFailure,
    SearchPage,
    SearchQuery,
    SearchResult,
    as_words,
    check_query,
    fitted,
    page_of,
    units_of,
)
from citeguard.web.services import Fault, Service

if TYPE_CHECKING:
    from citeguard.web.connecting import Reply

WIKIPEDIA = "https://en.wikipedia.org/w/api.php"  # the API of the English Wikipedia
DISAMBIGUATION = " (disambiguation)"
"""What follows the title of a page that lists what it can mean, in the English Wikipedia."""

_SOME_WORDS = "Some results have only some of the words: few pages have all of them."
MOST_HITS = 50  # pages of a search for one word, of several
_PLAIN = "/:@!$&'()*+,;=~"  # characters of a path that are written as they are


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiTitle:
    """What an encyclopedia says of a title.

    Attributes:
        asked: The title that was asked for.
        title: The title of its page, after redirects.
        outcome: Whether there is such a page, or `invalid`: no page can have the title.
        url: The page's address.
        redirected_from: The titles on the way to the page, in order.
        is_disambiguation: Whether the page lists what a title can mean.
        intro: The text before the first heading.
    """

    asked: str
    title: str
    outcome: Literal["found", "missing", "invalid"]
    url: str = ""
    redirected_from: tuple[str, ...] = ()
    is_disambiguation: bool = False
    intro: str = field(default="", repr=False)


class Encyclopedia(ABC):
    """Articles by title: `MediaWiki` and `Zim`, which say the same of the same articles.

    It is a `SearchProvider` and a `PageHolder`, too. One of your own defines `page`, `titles`,
    `links` and `found`. All of them raise a `SearchFailedError` if it does not answer.

    Args:
        articles: An address that ends in `$1`, in the place of the page's name.
    """

    name: ClassVar[str]

    def __init__(self, articles: str) -> None:
        if not articles.endswith("$1") or articles.count("$1") > 1:
            raise CiteguardError(f"an address of pages must end in '$1', not {articles!r}")
        self._start = articles.removesuffix("$1")

    @abstractmethod
    async def page(self, url: str, name: str, /) -> WebPage | None:
        """Return the page with a name, which is at an address; `None` if there is none."""

    @abstractmethod
    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what it says of exactly these titles, in their order, with their intros.

        Redirects are followed, and the first letter may be small. No title is corrected.
        """

    @abstractmethod
    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to."""

    @abstractmethod
    async def found(self, text: str, limit: int) -> list[SearchResult]:
        """Return the pages that have all the words of a text, the best first."""

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the pages that were found, the best first.

        Pages that have all the words come first; if there are too few of them, its names and other
        words are searched for one by one (at most 8 times), and the pages of the rarest follow.

        Raises:
            SearchFailedError: The search failed.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        text = fitted(query.text)
        found = {each.url: each for each in await self.found(text, query.limit)}
        notes: list[str] = []
        # Not with operators of the caller's own, which mean something in their places.
        if len(found) < query.limit and as_words(text) == text and len(units := units_of(text)) > 1:
            lists = [await self.found(unit, MOST_HITS) for unit in units]
            some = {each.url: each for each in itertools.chain(*lists)}
            rarest = rarest_first([each.url for each in found] for found in lists)
            if some.keys() - found.keys():
                notes.append(_SOME_WORDS)
            found |= {url: some[url] for url in rarest if url not in found}
        schemes = ("zim",)
        return page_of(found.values(), query, provider=self.name, notes=notes, schemes=schemes)

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of one of its pages."""
        return bool(self._name_of(url))

    async def fetch(self, url: str, /) -> WebPage:
        """Return one of its pages, or what became of it."""
        if not (name := self._name_of(url)):
            reason = f"the address is not one of this {self.name}"
            return WebPage(url=url, outcome="refused", reason=reason)
        try:
            page = await self.page(url, name)
        except SearchFailedError as error:
            outcome = "blocked" if error.kind in ("auth", "refused") else "unreachable"
            wait = error.retry_after
            return WebPage(url=url, outcome=outcome, reason=str(error), retry_after=wait)
        return page or WebPage(url=url, outcome="dead", reason="there is no such page")

    def url_of(self, name: str) -> str:
        """Return the address of a page."""
        return self._start + quote(name.replace(" ", "_"), safe=_PLAIN, errors="replace")

    def _name_of(self, url: str) -> str:
        """Return the name of the page at an address, without fragment and query; or nothing."""
        if not url.startswith(self._start):
            return ""
        name = url[len(self._start) :].partition("#")[0].partition("?")[0]
        return unquote(name, errors="replace")


def rarest_first(lists: Iterable[Sequence[str]]) -> list[str]:
    """Return what several searches found as one list: what counts more, the fewer were found."""
    weights: dict[str, float] = {}
    for found in lists:
        for each in found:
            weights[each] = weights.get(each, 0.0) + 1 / len(found)
    return sorted(weights, key=lambda each: (-weights[each], each))


# TextExtracts gives at most 20 intros in one answer.
_AT_ONCE = 20  # titles with their intros that a request may name
_MOST_ROUNDS = 50  # of one question that the API answers in parts
# What `pllimit=max` is for users without special rights.
_MOST_LINKS = 500
_HEADING = re.compile(r"(={1,6})\s*(\S.*?)\s*\1")
# `maxlag` asks for without a Retry-After (mediawiki.org, Manual:Maxlag parameter).
_LAG_SECONDS = 5.0
_KINDS: dict[str, SearchFailure] = {
    **dict.fromkeys(("maxlag", "readonly"), "outage"),
    "ratelimited": "rate_limited",
    **dict.fromkeys(("readapidenied", "permissiondenied", "blocked", "autoblocked"), "auth"),
}
_OUTAGE = re.compile(r"internal_api_error|backend-error|search-error|unknown_error|timeout|dberror")


class _Page(BaseModel):
    """A page of a reply, a result of a search, or a link: whatever has a title."""

    title: str = ""
    missing: bool = False
    invalid: bool = False
    fullurl: str = ""
    lastrevid: int = 0
    extract: str | None = None
    snippet: str = ""
    pageprops: dict[str, Any] = Field(default_factory=dict)
    links: list[_Page] = Field(default_factory=list["_Page"])


class _Moved(BaseModel):
    source: str = Field(alias="from")
    to: str


class _Query(BaseModel):
    normalized: list[_Moved] = Field(default_factory=list[_Moved])
    redirects: list[_Moved] = Field(default_factory=list[_Moved])
    interwiki: list[_Page] = Field(default_factory=list[_Page])
    pages: list[_Page] = Field(default_factory=list[_Page])
    search: list[_Page] | None = None


class _Reply(BaseModel):
    query: _Query
    more: dict[str, str | int] | None = Field(default=None, alias="continue")


class MediaWiki(Encyclopedia):
    """Searches a wiki by its own full-text search, and reads its pages by its API.

    One wiki is searched, so that `since` and `language` change nothing. A page's `final_url` names
    the revision that was read; tables, references and formulas are not part of its text. Requests
    are sent one at a time, with `maxlag=5` and a User-Agent that says whom to contact. The wiki
    must have the extension TextExtracts, as all wikis of Wikimedia do.

    Args:
        api: The address of the wiki's `api.php`.
        contact: An address of mail or of a page where the wiki's operators reach you. Wikimedia
            blocks programs that give none.
        articles: The addresses of its pages, with `$1` in the place of the title; by default those
            of Wikimedia's wikis: `/wiki/$1` on the same host.
        timeout: The most seconds of a request.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> wiki = MediaWiki(contact="you@example.org")
        >>> wiki.holds("https://en.wikipedia.org/wiki/Venus"), wiki.holds("https://example.org/")
        (True, False)
    """

    name: ClassVar[str] = "MediaWiki"

    def __init__(
        self,
        api: str = WIKIPEDIA,
        *,
        contact: str,
        articles: str | None = None,
        timeout: float = 15.0,
    ) -> None:
        super().__init__(articles or f"{'/'.join(api.split('/')[:3])}/wiki/$1")
        check_text("MediaWiki(contact=...)", contact, required=True)
        if not re.fullmatch(r"[\x21-\x7e]{3,200}", contact):
            raise CiteguardError(
                f"MediaWiki: contact must be an address of mail or of a page, not {contact!r}"
            )
        self._service = Service(
            self.name,
            api,
            fault=_fault,
            headers={"User-Agent": f"citeguard ({contact})"},
            one_at_a_time=True,
            timeout=timeout,
        )

    def __repr__(self) -> str:
        """Return the class and the address, without the contact."""
        return f"MediaWiki({self._service.base_url!r})"

    async def page(self, url: str, name: str, /) -> WebPage | None:
        """Return the text of a page of the wiki, with its headings."""
        if (sent := _sent(name.replace("_", " "))) is None:
            return None
        # In the other format headings are lines like any other, which `_document` cannot know.
        answer = await self._ask(
            titles=sent, prop="extracts|info", explaintext=1, exsectionformat="wiki", inprop="url"
        )
        if len(answer.pages) != 1:
            raise self._bad(f"{len(answer.pages)} pages for one title")
        page = answer.pages[0]
        if page.missing or page.invalid:
            return None
        if page.extract is None:
            raise self._bad("no text: does the wiki have the extension TextExtracts?")
        canonical = page.fullurl or self.url_of(page.title)
        document = _document(page.extract, page.title, page.fullurl)
        return held_page(
            url,
            Content(document.text.encode(), "text/html"),
            document,
            final_url=f"{canonical}?oldid={page.lastrevid}" if page.lastrevid else canonical,
            redirects=tuple(map(self.url_of, _way(sent, answer)[1:-1])),
            status=200,
            fetched_at=datetime.now(UTC),
        )

    async def titles(self, titles: Sequence[str], /) -> list[WikiTitle]:
        """Return what the wiki says of exactly these titles; one request for 20 of them."""
        asked = {title: _sent(title) for title in titles}
        sent = list(dict.fromkeys(each for each in asked.values() if each is not None))
        known: dict[str | None, WikiTitle] = {}
        for start in range(0, len(sent), _AT_ONCE):
            some = sent[start : start + _AT_ONCE]
            answer = await self._ask(
                titles="|".join(some),
                prop="pageprops|info|extracts",
                ppprop="disambiguation",
                inprop="url",
                exintro=1,
                explaintext=1,
                exlimit=_AT_ONCE,
            )
            pages = {page.title: page for page in answer.pages}
            # Pages of other wikis.
            pages |= {
                each.title: _Page(title=each.title, missing=True) for each in answer.interwiki
            }
            for title in some:
                way = _way(title, answer)
                if (page := pages.get(way[-1])) is None:
                    raise self._bad(f"the reply says nothing of the title {title!r}")
                is_there = not (page.missing or page.invalid)
                known[title] = WikiTitle(
                    asked=title,
                    title=page.title,
                    outcome="found" if is_there else "invalid" if page.invalid else "missing",
                    url=page.fullurl if is_there else "",
                    redirected_from=way[:-1],
                    is_disambiguation="disambiguation" in page.pageprops,
                    intro=(page.extract or "").strip(),
                )
        invalid = WikiTitle(asked="", title="", outcome="invalid")
        return [
            replace(known.get(asked[title]) or replace(invalid, title=title), asked=title)
            for title in titles
        ]

    async def links(self, title: str, /) -> list[str]:
        """Return the titles of the articles that a page links to, at most 500, sorted."""
        if (sent := _sent(title)) is None:
            return []
        answer = await self._ask(titles=sent, prop="links", pllimit="max", plnamespace=0)
        return [link.title for page in answer.pages for link in page.links][:_MOST_LINKS]

    async def found(self, text: str, limit: int) -> list[SearchResult]:
        """Return the pages that have all the words of a text, at most 50."""
        limit = min(limit, 50)
        answer = await self._ask(list="search", srsearch=text, srlimit=limit, srprop="snippet")
        hits = answer.search
        if hits is None:
            raise self._bad("the reply has no list of results")
        return [
            SearchResult(url=self.url_of(hit.title), title=hit.title, snippet=hit.snippet)
            for hit in hits
        ]

    async def _ask(self, **params: str | int) -> _Query:
        """Return an answer, put together from the parts in which it comes."""
        # In the older format flags are empty strings, and pages are keyed by their numbers.
        common = {"action": "query", "format": "json", "formatversion": 2, "maxlag": 5}
        if "titles" in params:
            common["redirects"] = 1
        answer, pages = _Query(), dict[str, _Page]()
        more: Mapping[str, str | int] | None = {}
        for _ in range(_MOST_ROUNDS):
            reply = await self._service.ask(params={**common, **params, **more})
            try:
                part = _Reply.model_validate_json(reply.body)
            except ValidationError:
                part = None
            if part is None:  # outside the block: the exception has the whole reply
                raise self._service.unread(reply, "answer")
            answer.normalized += part.query.normalized
            answer.redirects += part.query.redirects
            answer.interwiki += part.query.interwiki
            for page in part.query.pages:
                # Each page comes again in each part, with what the part is of.
                known = pages.setdefault(page.title, page)
                if known is not page:
                    known.links += page.links
                    known.pageprops |= page.pageprops
                    known.extract = page.extract if known.extract is None else known.extract
                    known.fullurl = known.fullurl or page.fullurl
                    known.lastrevid = known.lastrevid or page.lastrevid
            more = part.more
            linked = sum(len(page.links) for page in pages.values())
            # What follows the first part of a search is further hits, and enough are there.
            if more is None or "list" in params or linked >= _MOST_LINKS:
                return answer.model_copy(
                    update={"pages": [*pages.values()], "search": part.query.search}
                )
        raise self._bad(f"an answer in more than {_MOST_ROUNDS} parts")

    def _bad(self, reason: str) -> SearchFailedError:
        return self._service.failed(Fault("bad_reply", reason))


def _fault(reply: Reply) -> Fault | None:
    match reply.data:
        # An error of the API comes with the HTTP status 200.
        case {"error": {"code": str() as code}} | {"errors": [{"code": str() as code}, *_]}:
            kind = _KINDS.get(code, "outage" if _OUTAGE.search(code) else "refused")
            fault = Fault.of(reply, kind, code)
            if code == "maxlag" and fault.retry_after is None:
                return replace(fault, retry_after=_LAG_SECONDS)
            return fault
        case _:
            return None


def _sent(title: str) -> str | None:
    """Return a title as it is sent; `None` if it would be read as several titles, or as none."""
    # MediaWiki keeps titles in NFC.
    plain = " ".join(unicodedata.normalize("NFC", title).split())
    # U+001F at the start takes the place of "|" between titles.
    return None if not plain or "|" in plain or "\x1f" in title else plain


def _way(asked: str, answer: _Query) -> tuple[str, ...]:
    """Return the titles from the one asked for, as the wiki spells it, to that of its page."""
    spelled = {each.source: each.to for each in answer.normalized}
    targets = {each.source: each.to for each in answer.redirects}
    way = [spelled.get(asked, asked)]
    # Redirects may go round in a circle.
    while (target := targets.get(way[-1])) is not None and target not in way:
        way.append(target)
    return tuple(way)


def _document(extract: str, title: str, url: str) -> Document:
    """Return the text of an extract below its title; headings are lines like `== History ==`."""
    writer = Writer()
    if extract.strip():
        writer.write(title, level=1)
    for line in extract.splitlines():
        heading = _HEADING.fullmatch(line.strip())
        if heading:
            writer.write(heading[2], level=len(heading[1]))
        else:
            writer.write(line)
    return writer.document("html", title=title, url=url)

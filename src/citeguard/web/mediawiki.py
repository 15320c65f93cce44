"""A wiki's API: titles, search, texts and links of a MediaWiki such as Wikipedia.

Requests are sent one at a time, with `maxlag=5`, a User-Agent that says whom to contact, and
`formatversion=2`. An error of the API, which comes with HTTP status 200, is a `SearchFailedError`.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import Field

from citeguard.documents.document import Document, Writer
from citeguard.errors import CiteguardError, check_text, check_whole
from citeguard.web.searching.http import (
    Fault,
    Item,
    Reply,
    Request,
    Service,
    Sleep,
    classified,
    message_of,
)
from citeguard.web.searching.provider import SearchFailure
from citeguard.web.searching.results import plain_text

WIKIPEDIA = "https://en.wikipedia.org/w/api.php"
"""The API of the English Wikipedia."""

_MOST_TITLES = 50  # that a request may name, for users without special rights
_MOST_ROUNDS = 50  # of one question that the API answers in parts
_HEADING = re.compile(r"(={1,6})\s*(\S.*?)\s*\1")
_DEFAULT_WAIT = (
    5.0  # what `maxlag` asks for if there is no Retry-After (mediawiki.org, Manual:Maxlag)
)

_KINDS: dict[str, SearchFailure] = {
    "maxlag": "outage",
    "readonly": "outage",
    "ratelimited": "rate_limited",
    "readapidenied": "auth",
    "permissiondenied": "auth",
    "blocked": "auth",
    "autoblocked": "auth",
}
_OUTAGE = re.compile(r"internal_api_error|backend-error|search-error|unknown_error|timeout|dberror")


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiTitle:
    """What a wiki says of a title.

    Attributes:
        asked: The title that was asked for.
        title: The title of its page, after redirects.
        outcome: Whether there is such a page, or `invalid`: no page can have the title.
        url: The page's address.
        page_id: The page's number.
        revision: The number of the page's latest revision; 0 without a page.
        redirected_from: The titles on the way to the page, in order.
        section: The section that a redirect points to.
        is_disambiguation: Whether the page lists what a title can mean.
        intro: The text before the first heading; empty if it was not asked for.
        description: A few words on the subject, from the wiki or Wikidata.
        wikidata: The subject's number in Wikidata, such as `Q308`.
    """

    asked: str
    title: str
    outcome: Literal["found", "missing", "invalid"]
    url: str = ""
    page_id: int = 0
    revision: int = 0
    redirected_from: tuple[str, ...] = ()
    section: str = ""
    is_disambiguation: bool = False
    intro: str = field(default="", repr=False)
    description: str = ""
    wikidata: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiHit:
    """A page that a wiki's search found.

    Attributes:
        title: Its title.
        snippet: Words of the page around those that were searched for, as plain text.
        page_id: The page's number.
        words: How many words the page has.
    """

    title: str
    snippet: str = ""
    page_id: int = 0
    words: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiArticle:
    """The text of a page of a wiki.

    Attributes:
        title: Its title.
        document: Its text, with its headings.
        url: Its address.
        revision: The number of the revision that the text is of.
        redirected_from: The titles on the way to it, in order.
        section: The section that a redirect points to.
    """

    title: str
    document: Document = field(repr=False)
    url: str = ""
    revision: int = 0
    redirected_from: tuple[str, ...] = ()
    section: str = ""


class _Moved(Item):
    source: str = Field(alias="from")
    to: str
    tofragment: str = ""


class _Titled(Item):
    title: str


class _Page(Item):
    title: str = ""
    pageid: int = 0
    missing: bool = False
    invalid: bool = False
    fullurl: str = ""
    lastrevid: int = 0
    extract: str | None = None
    pageprops: dict[str, Any] = Field(default_factory=dict)
    links: tuple[_Titled, ...] = ()


class _Hit(Item):
    title: str
    pageid: int = 0
    snippet: str = ""
    wordcount: int = 0


class _Query(Item):
    normalized: tuple[_Moved, ...] = ()
    redirects: tuple[_Moved, ...] = ()
    interwiki: tuple[_Titled, ...] = ()
    pages: tuple[_Page, ...] = ()
    search: tuple[_Hit, ...] | None = None


class _Reply(Item):
    query: _Query | None = None
    more: dict[str, str | int] | None = Field(default=None, alias="continue")
    warnings: dict[str, Any] = Field(default_factory=dict)


class MediaWikiClient:
    """Asks the API of a wiki.

    Args:
        api: The address of its `api.php`.
        contact: An address of mail or of a page where the wiki's operators reach you. Wikimedia
            blocks programs that give none.
        name: The name in errors.
        timeout: The most seconds of a request.
        sleep: Waits for a number of seconds; for tests.

    Raises:
        CiteguardError: An argument is wrong.

    Examples:
        >>> MediaWikiClient(contact="you@example.org")
        MediaWikiClient(api='https://en.wikipedia.org/w/api.php')
    """

    def __init__(
        self,
        api: str = WIKIPEDIA,
        *,
        contact: str,
        name: str = "MediaWiki",
        timeout: float = 15.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        check_text("MediaWikiClient(contact=...)", contact, required=True)
        if not re.fullmatch(r"[\x21-\x7e]{3,200}", contact):
            raise CiteguardError(
                f"{name}: contact must be an address of mail or of a page, not {contact!r}"
            )
        self._service = Service(
            name,
            api,
            fault=_fault,
            headers={"User-Agent": f"citeguard ({contact})"},
            one_at_a_time=True,
            timeout=timeout,
            sleep=sleep,
        )

    def __repr__(self) -> str:
        """Return the call that creates it, without the contact."""
        return f"MediaWikiClient(api={self._service.base_url!r})"

    async def titles(self, titles: Iterable[str], *, intros: bool = True) -> list[WikiTitle]:
        """Return what the wiki says of titles, in their order.

        Redirects are followed. Titles are never corrected or guessed. One request for 50 titles, or
        for 20 with their intros.

        Args:
            titles: The titles, as a person writes them.
            intros: Whether the texts before the first headings are wanted.

        Raises:
            SearchFailedError: The wiki did not answer, or reported an error.
        """
        asked = list(titles)
        sent = dict.fromkeys(_sent(each) for each in asked)
        valid = [each for each in sent if each is not None]
        known: dict[str, WikiTitle] = {}
        size = 20 if intros else _MOST_TITLES
        for start in range(0, len(valid), size):
            known |= await self._titles(valid[start : start + size], intros)
        invalid = WikiTitle(asked="", title="", outcome="invalid")
        return [
            replace(known.get(_sent(each) or "", replace(invalid, title=each)), asked=each)
            for each in asked
        ]

    async def search(self, text: str, *, limit: int = 10) -> list[WikiHit]:
        """Return the pages that have the words of a text, the best first.

        The text may have operators of the wiki's search; see `as_words`.

        Args:
            text: The words.
            limit: The most pages, up to 50.

        Raises:
            SearchFailedError: The wiki did not answer, or reported an error.
        """
        check_whole("MediaWikiClient.search(limit=...)", limit, 1)
        params = {
            "list": "search",
            "srsearch": text,
            "srlimit": min(limit, 50),
            "srprop": "snippet|wordcount",
        }
        reply = await self._ask(params)
        if reply.query is None or reply.query.search is None:
            raise self._service.failed(Fault("bad_reply", "the reply has no list of results"))
        return [
            WikiHit(
                title=each.title,
                snippet=plain_text(each.snippet),
                page_id=each.pageid,
                words=each.wordcount,
            )
            for each in reply.query.search
        ]

    async def extract(self, title: str) -> WikiArticle | None:
        """Return the text of a page with its headings, after redirects; `None` if there is none.

        Tables, references and formulas are not part of it. Requires the extension TextExtracts,
        which all wikis of Wikimedia have.

        Raises:
            SearchFailedError: The wiki did not answer, or reported an error.
        """
        if (sent := _sent(title)) is None:
            return None
        params = {
            "titles": sent,
            "redirects": 1,
            "prop": "extracts|info",
            "explaintext": 1,
            "exsectionformat": "wiki",
            "inprop": "url",
        }
        reply = await self._ask(params)
        pages = reply.query.pages if reply.query else ()
        if len(pages) != 1:
            raise self._service.failed(Fault("bad_reply", f"{len(pages)} pages for one title"))
        page = pages[0]
        if page.missing or page.invalid:
            return None
        if page.extract is None:
            raise self._service.failed(
                Fault("bad_reply", "no text: does the wiki have the extension TextExtracts?")
            )
        way, section = _way(sent, reply.query.normalized, reply.query.redirects)  # pyright: ignore[reportOptionalMemberAccess]
        return WikiArticle(
            title=page.title,
            document=_document(page.extract, page.title, page.fullurl),
            url=page.fullurl,
            revision=page.lastrevid,
            redirected_from=way[:-1],
            section=section,
        )

    async def links(self, title: str, *, most: int = 500) -> list[str]:
        """Return the titles of the articles that a page links to, in alphabetical order.

        Args:
            title: The title of the page, such as one that lists what a title can mean.
            most: The most titles.

        Raises:
            SearchFailedError: The wiki did not answer, or reported an error.
        """
        check_whole("MediaWikiClient.links(most=...)", most, 1)
        if (sent := _sent(title)) is None:
            return []
        params = {
            "titles": sent,
            "redirects": 1,
            "prop": "links",
            "pllimit": "max",
            "plnamespace": 0,
        }
        found: list[str] = []
        async for query in self._rounds(params):
            found += (link.title for page in query.pages for link in page.links)
            if len(found) >= most:
                break
        return found[:most]

    async def _titles(self, titles: Sequence[str], intros: bool) -> dict[str, WikiTitle]:
        params: dict[str, str | int] = {
            "titles": "|".join(titles),
            "redirects": 1,
            "prop": "pageprops|info",
            "ppprop": "disambiguation|wikibase_item|wikibase-shortdesc",
            "inprop": "url",
        }
        if intros:
            params |= {
                "prop": "pageprops|info|extracts",
                "exintro": 1,
                "explaintext": 1,
                "exlimit": 20,
            }
        moved: list[_Moved] = []
        redirects: list[_Moved] = []
        pages: dict[str, _Page] = {}
        async for query in self._rounds(params):
            moved += query.normalized
            redirects += query.redirects
            for page in query.pages:
                before = pages.get(page.title)
                # In parts, each page comes again, with what the part is of.
                pages[page.title] = page if before is None else _merged(before, page)
            for elsewhere in query.interwiki:
                pages[elsewhere.title] = _Page(title=elsewhere.title, missing=True)
        found: dict[str, WikiTitle] = {}
        for asked in titles:
            way, section = _way(asked, moved, redirects)
            page = pages.get(way[-1])
            if page is None:
                reason = f"the reply says nothing of the title {asked!r}"
                raise self._service.failed(Fault("bad_reply", reason))
            found[asked] = _title(asked, page, way[:-1], section)
        return found

    async def _rounds(self, params: Mapping[str, str | int]) -> AsyncGenerator[_Query]:
        """Yield the parts of an answer."""
        more: Mapping[str, str | int] | None = {}
        for _ in range(_MOST_ROUNDS):
            reply = await self._ask({**params, **more})
            if reply.query is None:
                raise self._service.failed(Fault("bad_reply", "the reply has no answer"))
            yield reply.query
            more = reply.more
            if more is None:
                return
        raise self._service.failed(
            Fault("bad_reply", f"an answer in more than {_MOST_ROUNDS} parts")
        )

    async def _ask(self, params: Mapping[str, str | int]) -> _Reply:
        common = {"action": "query", "format": "json", "formatversion": 2, "maxlag": 5}
        reply = await self._service.ask(Request(path="", params={**common, **params}))
        return self._service.read(reply, _Reply)


def _fault(reply: Reply) -> Fault | None:
    match reply.data:
        case {"error": {"code": str() as code}} | {"errors": [{"code": str() as code}, *_]}:
            kind = _KINDS.get(code, "outage" if _OUTAGE.search(code) else "refused")
            fault = classified(reply, kind, f"{code}: {message_of(reply.data)}")
            if code == "maxlag" and fault.retry_after is None:
                return Fault(fault.kind, fault.reason, _DEFAULT_WAIT)
            return fault
        case _:
            return None


def _sent(title: str) -> str | None:
    """Return a title as it is sent; `None` if it would be read as several titles, or as none."""
    plain = " ".join(unicodedata.normalize("NFC", title).split())
    return None if not plain or "|" in plain or "\x1f" in title else plain


def _way(
    asked: str, normalized: Iterable[_Moved], redirects: Iterable[_Moved]
) -> tuple[tuple[str, ...], str]:
    """Return the titles from the one asked for to that of its page, and the section meant.

    The spelling that the wiki gives a title is no redirect: it takes the place of the one asked
    for.
    """
    spelled = {each.source: each.to for each in normalized}
    targets = {each.source: each for each in redirects}
    way, section = [spelled.get(asked, asked)], ""
    while (target := targets.get(way[-1])) is not None and target.to not in way:
        way.append(target.to)
        section = target.tofragment
    return tuple(way), section


def _merged(before: _Page, page: _Page) -> _Page:
    return before.model_copy(
        update={
            "extract": page.extract if before.extract is None else before.extract,
            "pageprops": {**before.pageprops, **page.pageprops},
            "fullurl": before.fullurl or page.fullurl,
            "lastrevid": before.lastrevid or page.lastrevid,
        }
    )


def _title(asked: str, page: _Page, way: tuple[str, ...], section: str) -> WikiTitle:
    if page.missing or page.invalid:
        outcome = "invalid" if page.invalid else "missing"
        return WikiTitle(asked=asked, title=page.title, outcome=outcome, redirected_from=way)
    return WikiTitle(
        asked=asked,
        title=page.title,
        outcome="found",
        url=page.fullurl,
        page_id=page.pageid,
        revision=page.lastrevid,
        redirected_from=way,
        section=section,
        is_disambiguation="disambiguation" in page.pageprops,
        intro=(page.extract or "").strip(),
        description=str(page.pageprops.get("wikibase-shortdesc", "")),
        wikidata=str(page.pageprops.get("wikibase_item", "")),
    )


def _document(extract: str, title: str, url: str) -> Document:
    """Return the text of an extract below its title, as pages have it.

    Its headings are lines such as `== History ==`.
    """
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

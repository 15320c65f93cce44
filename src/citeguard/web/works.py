"""Works that references name: whether they exist, their texts, and what their records say.

`resolve` looks up the DOI, the arXiv number or the address in a reference (at Crossref, OpenAlex,
arXiv and the resolver of DOIs), with the record of the work: its title, authors and years.
`find_identifiers` finds identifiers in any way of writing.
"""

from __future__ import annotations

import asyncio
import html
import re
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    Protocol,
    TypeVar,
    cast,
    runtime_checkable,
)
from urllib.parse import quote, unquote, urljoin, urlsplit
from xml.etree import ElementTree

import jmespath

from citeguard.errors import CiteguardError, check_text, foreign_code
from citeguard.judges.loops import run_sync
from citeguard.language.citations import is_retracted_title
from citeguard.language.excerpts import shown
from citeguard.sources.collection import Source
from citeguard.web.page import WebPage
from citeguard.web.search import plain_text
from citeguard.web.services import Fault, send

if TYPE_CHECKING:
    from citeguard.web.connecting import Reply

T = TypeVar("T")

IdentifierKind = Literal["doi", "arxiv", "url"]

ResolveOutcome = Literal["exists", "not_found", "unchecked"]
"""Whether what a reference names exists.

`not_found` means that whoever keeps the list says so: the resolver of DOIs, arXiv, or the server of
the page. `unchecked` means that nobody could be asked, for whatever reason.
"""

Extent = Literal["whole", "part"]
"""How much of a work a source has: all of it, or its abstract, or a page about it. What is not in a
part may still be in the work."""


class LookupFailedError(CiteguardError):
    """A registry or an archive gave no usable answer. It does not mean that it has no record."""


@runtime_checkable
class PageFetcher(Protocol):
    """Anything that fetches pages, as a `Fetcher` does."""

    async def afetch(self, url: str, /) -> WebPage:
        """Return the page, with its outcome; never raise because of the page."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a reference names, and whether that exists.

    Attributes:
        reference: The reference, as it was given.
        kind: What it was looked up by: a DOI, an arXiv number or an address; `None` if it has none.
        identifier: The DOI, the number or the address; empty if it has none.
        url: The address by which anybody would look it up; empty if there is none.
        outcome: Whether it exists.
        reason: Why it was not found, or not checked, as a clause; empty if it exists.
        work: What a registry says of it; `None` where no registry was asked, or none knows it.
        source: Its text; `None` where none could be had. Its id is `url`.
        extent: How much of it the source has; `None` without one.
        pages: The pages that were asked for, in order.
    """

    reference: str
    kind: IdentifierKind | None = None
    identifier: str = ""
    url: str = ""
    outcome: ResolveOutcome
    reason: str = ""
    work: Work | None = None
    source: Source | None = field(default=None, repr=False)
    extent: Extent | None = None
    pages: tuple[WebPage, ...] = field(default=(), repr=False)


def resolve(
    reference: str, *, fetcher: PageFetcher | None = None, registries: Registries | None = None
) -> Resolved:
    """Return what a reference names, whether it exists, and its text where that can be had.

    A DOI is looked up at Crossref, then at the resolver of all DOIs, and its text at OpenAlex; an
    arXiv number at arXiv; an address is fetched. Of several the first DOI counts, then the first
    number, then the first address. It is asked about once: a fault is not tried again. In an event
    loop use `aresolve`.

    Args:
        reference: A DOI, an arXiv number or an address in any way of writing, alone or in the words
            of a reference.
        fetcher: What fetches pages. Without one, no page is: addresses stay unchecked, and of
            works there is the abstract that a registry has.
        registries: Where works are looked up; by default `Registries()`.

    Raises:
        CiteguardError: the reference is no string, or the extra `web` is not installed. No answer
            of a server raises one: those are `unchecked`.
    """
    return run_sync(aresolve(reference, fetcher=fetcher, registries=registries))


async def aresolve(
    reference: str, *, fetcher: PageFetcher | None = None, registries: Registries | None = None
) -> Resolved:
    """Do what `resolve` does, without blocking the event loop."""
    check_text("resolve(reference)", reference, required=True)
    order = ("doi", "arxiv", "url")
    identifiers = find_identifiers(reference)
    identifier = min(identifiers, key=lambda each: order.index(each.kind), default=None)
    if identifier is None:
        reason = "the reference has no DOI, no arXiv number and no address"
        return Resolved(reference=reference, outcome="unchecked", reason=reason)
    found = await resolve_identifier(identifier, fetcher, registries or Registries())
    return replace(found, reference=reference)


async def resolve_identifier(
    identifier: Identifier, fetcher: PageFetcher | None, registries: Registries
) -> Resolved:
    """Return what an identifier names."""
    look_up = _LookUp(identifier, fetcher, registries)
    return await {"doi": look_up.doi, "arxiv": look_up.arxiv, "url": look_up.address}[
        identifier.kind
    ]()


class _LookUp:
    """The look-up of one identifier, and the pages that were asked for so far."""

    def __init__(
        self, identifier: Identifier, fetcher: PageFetcher | None, registries: Registries
    ) -> None:
        self._identifier = identifier
        self._fetcher = fetcher
        self._registries = registries
        self._pages: list[WebPage] = []
        self._failures: list[str] = []

    async def address(self) -> Resolved:
        page = await self._page(self._identifier.url)
        if page is None:
            return self._resolved("unchecked", "no fetcher was given")
        if page.outcome != "fetched" or page.source is None:
            outcome = "not_found" if page.outcome == "dead" else "unchecked"
            return self._resolved(outcome, page.reason)
        source = replace(page.source, id=self._identifier.url)
        extent = "part" if leads_elsewhere(page) else "whole"
        return self._resolved("exists", source=source, extent=extent)

    async def doi(self) -> Resolved:
        doi, ask = self._identifier.value, self._registries
        work = await self._record(ask.crossref, doi)
        # Beside Crossref's record, what OpenAlex adds is where the text is.
        extra = await self._record(ask.openalex, doi) if work or self._failures else None
        if not work and not extra:
            try:
                # Crossref has the DOIs of its own members only; others are DataCite's, for example.
                registered = await ask.is_registered(doi)
            except LookupFailedError as error:
                return self._resolved("unchecked", "; ".join([*self._failures, str(error)]))
            if not registered:
                return self._resolved("not_found", f"no agency has registered the DOI {doi}")
            # Else OpenAlex was asked above.
            if not self._failures:
                extra = await self._record(ask.openalex, doi)
        if work and extra:
            work = replace(
                work,
                title=work.title or extra.title,
                authors=work.authors or extra.authors,
                years=tuple(dict.fromkeys((*work.years, *extra.years))),
                abstract=work.abstract or extra.abstract,
                retracted=work.retracted or extra.retracted,
                pdf_url=extra.pdf_url,
                open_url=extra.open_url,
            )
        work = work or extra
        return await self._with_text(work, work or Work(), self._identifier.url)

    async def arxiv(self) -> Resolved:
        number, base = self._identifier.value, self._registries.arxiv_url
        landing = f"{base}/abs/{number}"
        work = await self._record(self._registries.arxiv, number)
        if work is None:
            failure = "".join(self._failures) or f"arXiv's interface has no record of {number}"
            # The interface omits some numbers, so that only the page can say that there is none.
            page = await self._page(landing)
            if page is not None and page.outcome == "dead":
                return self._resolved("not_found", f"arXiv has no {number}")
            if page is None or page.outcome != "fetched":
                more = "" if page is None else f"; its page: {page.reason}"
                return self._resolved("unchecked", f"{failure}{more}")
        known = replace(work or Work(), pdf_url=f"{base}/pdf/{number}")
        return await self._with_text(work, known, landing)

    async def _record(
        self, registry: Callable[[str], Awaitable[Work | None]], name: str
    ) -> Work | None:
        """Return a registry's record; `None` if it has none, or gives no usable answer."""
        try:
            return await registry(name)
        except LookupFailedError as error:
            self._failures.append(str(error))
            return None

    async def _with_text(self, work: Work | None, known: Work, landing: str) -> Resolved:
        """Return a work with its text: a free PDF file, a free page, the abstract, or its page."""
        source, extent = await self._read(known.pdf_url, known), "part"
        # A page that is named as the free copy may have no more than the abstract.
        if source and self._pages[-1].content_type == "application/pdf":
            extent = "whole"
        if not source and known.open_url != known.pdf_url:
            source = await self._read(known.open_url, known)
        if not source and known.abstract:
            text = "\n\n".join(filter(None, (known.title, known.abstract)))
            url = self._identifier.url
            source = Source(url, text, known.title or None, known.url or url)
        source = source or await self._read(landing, known)
        return self._resolved("exists", work=work, source=source, extent=extent if source else None)

    async def _read(self, url: str, work: Work) -> Source | None:
        page = await self._page(url) if url else None
        if page is None or page.source is None or page.outcome != "fetched":
            return None
        title = work.title or page.source.title
        return replace(page.source, id=self._identifier.url, title=title)

    async def _page(self, url: str) -> WebPage | None:
        """Return a page, asked for once; `None` without a fetcher."""
        if self._fetcher is None:
            return None
        for earlier in self._pages:
            if earlier.url == url:
                return earlier

        def failed(error: Exception) -> LookupFailedError:
            said = f"{type(error).__name__}: {shown(str(error), 200)}"
            return LookupFailedError(f"the fetcher raised {said}")

        try:
            # A fetcher may be the user's own; a fault in it is no fault of the page.
            with foreign_code(failed):
                page = await self._fetcher.afetch(url)
        except LookupFailedError as error:
            page = WebPage(url=url, outcome="unreachable", reason=str(error))
        self._pages.append(page)
        return page

    def _resolved(self, outcome: ResolveOutcome, reason: str = "", **found: Any) -> Resolved:
        return Resolved(
            reference="",
            kind=self._identifier.kind,
            identifier=self._identifier.value,
            url=self._identifier.url,
            outcome=outcome,
            reason=reason,
            pages=tuple(self._pages),
            **found,
        )


# What registries say of a work.


class Author(NamedTuple):
    """An author of a work.

    Attributes:
        family: The family name; of an organisation its name.
        given: The given names or initials; empty where there are none.
    """

    family: str
    given: str = ""

    def __str__(self) -> str:
        """Return the name as it is read."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a registry says of a work.

    Attributes:
        title: Its title, as plain text; empty if the registry has none.
        authors: Its authors, in order.
        years: The years in which it was published: first online, then in print, for example.
        abstract: Its abstract, as plain text; empty if the registry has none.
        url: The address of its page.
        pdf_url: The address of a PDF file that anybody may read; empty if none is known.
        open_url: The address of a page with it that anybody may read; empty if none is known.
        registry: Who says so: "Crossref".
        retracted: Who says that it was retracted, withdrawn or removed, and where: a clause, such
            as "Crossref lists the notice https://doi.org/10.1000/2"; empty if nobody does.
    """

    title: str = ""
    authors: tuple[Author, ...] = ()
    years: tuple[int, ...] = ()
    abstract: str = ""
    url: str = ""
    pdf_url: str = ""
    open_url: str = ""
    registry: str = ""
    retracted: str = ""


_MOST_REDIRECTS = 3
_MOST_TEXT = 100_000  # characters of a title or an abstract
_ATOM = {"atom": "http://www.w3.org/2005/Atom"}
# JMESPath has nothing for whatever is missing or of another type than documented.
# An organisation has a `name` there in place of a `family` name.
_CROSSREF = jmespath.compile(
    "{titles: [title[0], subtitle[0]], authors: author[].[family || name, given],"
    ' years: [issued, "published-print", "published-online", published][]."date-parts"[0][0],'
    ' abstract: abstract, url: URL, notices: "updated-by"[].[type, DOI]}'
)
_RETRACTIONS = frozenset("retraction partial_retraction withdrawal removal".split())
_OPENALEX = jmespath.compile(
    "{title: title || display_name, authors: authorships[].author.display_name, url: doi,"
    " year: publication_year, words: abstract_inverted_index, pdf: best_oa_location.pdf_url,"
    " open: best_oa_location.landing_page_url || open_access.oa_url, retracted: is_retracted}"
)
_CLOSEST = jmespath.compile("archived_snapshots.closest.[available, status || '200', url]")


@dataclass(slots=True, kw_only=True)
class Registries:
    """Where works are looked up.

    Attributes:
        crossref_url: The address of Crossref's interface, with most DOIs of journals and books.
        openalex_url: That of OpenAlex, which knows free copies, and DOIs of other agencies.
        arxiv_url: That of arXiv.
        doi_url: That of the resolver of DOIs, which knows them all, and nothing but the address.
        mailto: Your e-mail address. Crossref and OpenAlex answer faster who gives one.
        seconds: How long to wait for an answer.
        arxiv_spacing: Seconds between two requests to arXiv, whose terms of use ask for three.
    """

    crossref_url: str = "https://api.crossref.org"
    openalex_url: str = "https://api.openalex.org"
    arxiv_url: str = "https://export.arxiv.org"
    doi_url: str = "https://doi.org"
    mailto: str = ""
    seconds: float = 20.0
    arxiv_spacing: float = field(default=3.0, repr=False)
    _lock: Any = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _next: float = field(default=0.0, init=False, repr=False, compare=False)

    async def crossref(self, doi: str) -> Work | None:
        """Return Crossref's record of a DOI, if it has one; raises a `LookupFailedError`."""
        url = f"{self.crossref_url}/works/{quote(doi, safe='/')}"
        reply = await self._ask(url, "Crossref", mailto=self.mailto)
        if reply.status == 404:
            # Anything else that is not there says so in HTML, or not at all.
            if b"resource not found" not in reply.body[:1_000].lower():
                raise LookupFailedError("Crossref answered 404, without its own words for it")
            return None
        _documented(reply, "Crossref", "message.DOI", str)
        return _from_crossref(_CROSSREF.search(reply.data["message"]))

    async def openalex(self, doi: str) -> Work | None:
        """Return OpenAlex's record of a DOI, if it has one; raises a `LookupFailedError`."""
        url = f"{self.openalex_url}/works/doi:{quote(doi, safe='/')}"
        reply = await self._ask(url, "OpenAlex", mailto=self.mailto)
        if reply.status == 404:
            return None
        _documented(reply, "OpenAlex", "id", str)
        return _from_openalex(_OPENALEX.search(reply.data))

    async def is_registered(self, doi: str) -> bool:
        """Return whether any agency has registered a DOI; raises a `LookupFailedError`."""
        url = f"{self.doi_url}/api/handles/{quote(doi, safe='/')}"
        reply = await self._ask(url, "doi.org")
        code = _documented(reply, "doi.org", "responseCode", int)
        # 1: it is there; 200: it is there, without values; 100: it is not.
        if code not in (1, 100, 200):
            raise LookupFailedError("doi.org sent something else than it documents")
        return code != 100

    async def arxiv(self, number: str) -> Work | None:
        """Return arXiv's record of a number, if the answer has one; raises a `LookupFailedError`.

        An answer without a record does not mean that there is no such number: the interface omits
        some. Requests are sent three seconds apart.
        """
        with self._lock:  # of whatever threads and event loops
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self.arxiv_spacing
        # Not under the lock, which would stop the event loops of other threads.
        await asyncio.sleep(turn - now)
        url = f"{self.arxiv_url}/api/query"
        reply = await self._ask(url, "arXiv", id_list=number, max_results="1")
        try:
            feed = ElementTree.fromstring(reply.body)
        except ElementTree.ParseError as error:
            raise LookupFailedError("arXiv sent something else than XML") from error
        if not feed.tag.endswith("feed"):
            raise LookupFailedError("arXiv sent something else than it documents")
        return next(filter(None, map(_from_atom, feed.iterfind("atom:entry", _ATOM))), None)

    async def _ask(self, url: str, service: str, **query: str) -> Reply:
        given = {name: value for name, value in query.items() if value}
        return await ask(url, service=service, seconds=self.seconds, parameters=given)


async def asnapshot(
    url: str, *, base_url: str = "https://archive.org", seconds: float = 20.0
) -> str | None:
    """Return the address of the Wayback Machine's latest copy of a page; `None` if there is none.

    The copy is not fetched.

    Args:
        url: The page's address.
        base_url: The address of the archive's interface.
        seconds: How long to wait for the answer.

    Raises:
        LookupFailedError: there is no usable answer. It does not mean that there is no copy.
        CiteguardError: the extra `web` is not installed.
    """
    service, address = "the Wayback Machine", f"{base_url}/wayback/available"
    reply = await ask(address, service=service, seconds=seconds, parameters={"url": url})
    if reply.status == 404:
        raise LookupFailedError(f"{service} answered 404")
    _documented(reply, service, "archived_snapshots", dict)
    found = _CLOSEST.search(reply.data) or [None] * 3
    # Copies of the server's own error pages are none of the page.
    is_page = found[0] is True and str(found[1]) == "200"
    return _text(found[2]) or None if is_page else None


async def ask(
    url: str, *, service: str, seconds: float, parameters: Mapping[str, str] | None = None
) -> Reply:
    """Send a GET request to a service, and return its reply if it is 200 or 404.

    Redirects are followed on the same host alone; everything else is a `LookupFailedError`.
    """
    until = time.monotonic() + seconds
    for _ in range(_MOST_REDIRECTS + 1):
        left = max(until - time.monotonic(), 0.001)
        # `send` asks for JSON unless told, and arXiv has XML.
        reply = await send(url, params=parameters, headers={"Accept": "*/*"}, timeout=left)
        if isinstance(reply, Fault):
            reason = shown(reply.reason, 200)
            raise LookupFailedError(f"{service} could not be asked: {reason}")
        target = urljoin(url, reply.headers.get("location", ""))
        is_same_host = urlsplit(target)[:2] == urlsplit(url)[:2]
        if 300 <= reply.status < 400 and target != url and is_same_host:
            url, parameters = target, None
            continue
        if reply.status not in (200, 404):
            said = ": too many requests" if reply.status == 429 else ""
            raise LookupFailedError(f"{service} answered {reply.status}{said}")
        return reply
    raise LookupFailedError(f"{service} redirects more than {_MOST_REDIRECTS} times")


def _documented(reply: Reply, service: str, path: str, kind: type[T]) -> T:
    found: object = jmespath.search(path, reply.data)
    if not isinstance(found, kind):
        raise LookupFailedError(f"{service} sent something else than it documents")
    return found


def _from_crossref(record: Mapping[str, Any]) -> Work:
    title, subtitle = map(_text, record["titles"])
    if title and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    notices = (doi for kind, doi in record["notices"] or () if kind in _RETRACTIONS)
    notice = _text(next(notices, ""))
    abstract = _plain(record["abstract"])
    return Work(
        title=_plain(title),
        authors=tuple(Author(*map(_text, each)) for each in record["authors"] or ()),
        years=_years(record["years"]),
        # Publishers send it with its heading, whose tags are gone by now.
        abstract=re.sub(r"^(?:abstract|summary)\s+", "", abstract, flags=re.IGNORECASE),
        url=_text(record["url"]),
        registry="Crossref",
        retracted=f"Crossref lists the notice https://doi.org/{notice}"
        if notice
        else _retraction_in(title, "Crossref"),
    )


def _from_openalex(record: Mapping[str, Any]) -> Work:
    # The abstract is written as words with their places.
    words = cast("dict[str, Any]", record["words"]) if isinstance(record["words"], dict) else {}
    placed = sorted(
        (at, word)
        for word, places in words.items()
        if isinstance(places, list)
        for at in cast("list[Any]", places)
        if isinstance(at, int)
    )
    return Work(
        title=_plain(record["title"]),
        authors=_named(map(_text, record["authors"] or ())),
        years=_years([record["year"]]),
        abstract=_plain(" ".join(word for _, word in placed)),
        url=_text(record["url"]),
        pdf_url=_text(record["pdf"]),
        open_url=_text(record["open"]),
        registry="OpenAlex",
        retracted="OpenAlex lists it as retracted"
        if record["retracted"] is True
        else _retraction_in(_text(record["title"]), "OpenAlex"),
    )


def _from_atom(entry: ElementTree.Element) -> Work | None:
    def text(name: str) -> str:
        return " ".join((entry.findtext(f"atom:{name}", "", _ATOM) or "").split())

    address = text("id")
    # Faults of the query are entries, too, whose address is that of their explanation.
    if not text("title") or "/api/errors" in address or not address:
        return None
    years = (text(date)[:4] for date in ("published", "updated"))
    names = (each.text or "" for each in entry.iterfind("atom:author/atom:name", _ATOM))
    return Work(
        title=text("title"),
        authors=_named(" ".join(name.split()) for name in names),
        years=_years([int(year) for year in years if year.isdecimal()]),
        abstract=text("summary"),
        # Feeds of arXiv name its pages with http.
        url=address.replace("http://", "https://", 1),
        registry="arXiv",
        # What is withdrawn keeps its title; the notice is its comment, or its abstract.
        retracted="arXiv has its notice of withdrawal"
        if any(map(_WITHDRAWN.match, (entry.findtext("{*}comment", ""), text("summary"))))
        else "",
    )


_WITHDRAWN = re.compile(
    r"\s*(?:this|the)\s(?:paper|article|submission|manuscript|work)\s(?:has\sbeen|is|was)\swithdrawn\b",
    re.IGNORECASE,
)


def _retraction_in(title: str, registry: str) -> str:
    return f"{registry} has it in its title" if is_retracted_title(title) else ""


def _named(names: Iterator[str]) -> tuple[Author, ...]:
    """Return authors of whom only the whole names are known."""
    parts = (name.rpartition(" ") for name in names if name)
    return tuple(Author(family, given) for given, _, family in parts)


def _years(given: list[Any] | None) -> tuple[int, ...]:
    return tuple(dict.fromkeys(each for each in given or () if isinstance(each, int)))


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _plain(markup: object) -> str:
    return plain_text(_text(markup), most=_MOST_TEXT)


# The identifiers in a text.


class Identifier(NamedTuple):
    """A DOI, an arXiv number or an address in a text.

    Attributes:
        kind: Which of them it is.
        value: A DOI in lower case; a number as arXiv writes it, with its version if it is given;
            an address as it is written.
        start: Where it starts in the text, in code points, with what introduces it: "doi:".
        end: Where it ends, exclusive.
    """

    kind: IdentifierKind
    value: str
    start: int
    end: int

    @property
    def url(self) -> str:
        """The address by which anybody would look it up, without a fragment and `utm_…`.

        Examples:
            >>> find_identifiers("doi:10.1000/ABC(1)")[0].url
            'https://doi.org/10.1000/abc(1)'
        """
        if self.kind == "doi":
            return f"https://doi.org/{quote(self.value, safe='/:;().,_-')}"
        if self.kind == "arxiv":
            return f"https://arxiv.org/abs/{self.value}"
        address = _TRACKING.sub("", self.value.partition("#")[0])
        return address if "://" in address[:8] else f"https://{address}"


# These say where a reader came from, and nothing of the page.
_TRACKING = re.compile(r"[?&](?:utm_[a-z]+=[^&]*&?)+\Z|(?<=[?&])utm_[a-z]+=[^&]*&?")
# Until March 2007, numbers began with one of these.
_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas"
    "|cond-mat|cs|dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin"
    "|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_OLD_NUMBER = rf"(?:{_ARCHIVES})(?:\.[a-z]{{2}})?/[0-9]{{7}}(?![0-9])"
_NEW_NUMBER = r"[0-9]{4}\.[0-9]{4,5}(?![0-9])"
_ARXIV_HOST = r"(?:https?://)?(?:[a-z0-9-]+\.){0,2}(?:arxiv|alphaxiv)\.org/"
_ARXIV = re.compile(
    rf"(?:{_ARXIV_HOST}(?:abs|pdf|html|format|e-print|ps|src|labs|overview)/(?:arxiv:)?"
    # DOIs of arXiv are not registered with Crossref.
    r"|(?:https?://)?(?:(?:dx|www)\.)?doi\.org/10\.48550/arxiv\."
    r"|(?:doi:\s?)?10\.48550/arxiv\."
    r"|\barxiv(?:\.org)?(?:\s?(?:e-?print|preprint))?\s{0,3}[:/.]?\s{0,3}(?:abs/)?"
    r"|\b(?:CoRR|arxiv\s)[,\s]{1,3}abs/"
    r"|\beprint\s?=?\s?[{\"]"
    # One that is clear by itself, or nothing but a number.
    rf"|(?<![\w./-])(?={_OLD_NUMBER})|\A\s*(?=[0-9.]+(?:v[0-9]+)?\s*\Z))"
    rf"(?P<number>{_NEW_NUMBER}|{_OLD_NUMBER})(?P<version>v[0-9]{{1,3}})?(?:\.pdf)?",
    re.IGNORECASE,
)
_ENDS = r"\u3001\u3002\uff0c\uff09\u300b\u300d\u3011\u201c\u201d\u2018\u2019"  # in CJK, and quotes
_DOI = re.compile(
    r"(?P<url>(?:https?://)?(?:(?:dx|www)\.)?doi\.org/|https?://hdl\.handle\.net/)?"
    r"(?P<label>(?:\b(?:urn:|info:)?doi\s{0,3}(?:\.org)?[:=/]?\s{0,3})?)"
    # The prefix may be percent-encoded in an address, and "(SICI)…<1::AID-X>3.0.CO;2-2" is a DOI.
    r"(?P<doi>(?<![0-9.])10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,3}(?:/|%2F)"
    rf"(?:[^\s\"<>{_ENDS}]|<(?=[0-9])[^<>\s]{{1,60}}>(?=[0-9])){{1,300}})",
    re.IGNORECASE,
)
_URL = re.compile(
    rf"(?:\bhttps?://|(?<![\w./@-])www\.(?=[\w-]+\.))[^\s<>\"|\\^`{{}}{_ENDS}]{{1,2000}}",
    re.IGNORECASE,
)
_HOST = re.compile(r"(?:https?://)?[^/?#]*(?:\.|\[|localhost)", re.IGNORECASE)
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}
_TRAILING = ".,;:!?'\"*_~…·\\&"
_ESCAPED = re.compile(r"\\(?=[_&%#$.()\[\]<>*-])")
# What programs put into identifiers, and no registry has: zero-width characters, soft hyphens, and
# dashes for hyphens.
_PLAIN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff")) | dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"
)


def find_identifiers(text: str) -> list[Identifier]:
    r"""Return the DOIs, arXiv numbers and addresses in a text, in order and without overlaps.

    Brackets belong to an identifier if they are closed in it; stops, quotation marks and Markdown
    after it do not. A DOI or an arXiv number that is written as an address is one, and no address;
    an address of a publisher that has a DOI in it is an address. Takes time proportional to the
    text.

    Examples:
        >>> [each.value for each in find_identifiers("(doi:10.1016/S0140-6736(05)1-6); arXiv:hep-th/9901001v2.")]
        ['10.1016/s0140-6736(05)1-6', 'hep-th/9901001v2']
    """  # noqa: E501
    urls = [(match.start(), end) for match, end in _matches(_URL, text, 0)]
    found = [*_numbers_in(text), *_dois_in(text, urls)]
    for start, end in urls:
        value = _unescaped(text[start:end])
        if _HOST.match(value):
            found.append(Identifier("url", value, start, end))
    kept: list[Identifier] = []
    # A number of arXiv may be inside a DOI, which both begin at the same place; the first wins.
    for each in sorted(found, key=lambda each: (each.start, each.kind)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _numbers_in(text: str) -> Iterator[Identifier]:
    for match in _ARXIV.finditer(text):
        archive, slash, digits = match["number"].lower().partition("/")
        # "math.GT/0309136" is the same as "math/0309136".
        number = f"{archive.partition('.')[0]}/{digits}" if slash else match["number"]
        yield Identifier("arxiv", number + (match["version"] or "").lower(), *match.span())


def _dois_in(text: str, urls: list[tuple[int, int]]) -> Iterator[Identifier]:
    at = 0
    for match, end in _matches(_DOI, text, "doi"):
        start = match.start("doi")
        while at < len(urls) and urls[at][1] <= start:
            at += 1
        if at < len(urls) and urls[at][0] < start and not match["url"]:
            continue  # in the address of a page of a publisher
        value = _unescaped(text[start:end].translate(_PLAIN))
        if match["url"]:
            value = unquote(re.split(r"[?#]", value)[0])
        value = _trimmed(value).lower()
        if value.partition("/")[2]:
            yield Identifier("doi", value, match.start(), end)


def _unescaped(written: str) -> str:
    return html.unescape(_ESCAPED.sub("", written))


def _matches(
    pattern: re.Pattern[str], text: str, group: str | int
) -> Iterator[tuple[re.Match[str], int]]:
    """Yield matches, and where the group in them ends; what is cut off may have another match."""
    at = 0
    while (match := pattern.search(text, at)) is not None:
        start = match.start(group)
        end = start + len(_trimmed(match[group]))
        yield match, end
        at = max(end, start + 1)


def _trimmed(written: str) -> str:
    """Return an identifier without the stops and the brackets after it that are not its own."""
    depth = dict.fromkeys(_BRACKETS.values(), 0)
    for at, char in enumerate(written):
        # A bracket that closes nothing ends it: "(doi:10.1/x).More".
        if char in depth:
            depth[char] += 1
        elif opening := _BRACKETS.get(char):
            depth[opening] -= 1
            if depth[opening] < 0:
                written = written[:at]
                break
    return written.rstrip(_TRAILING + "".join(depth))


# Redirects that lead to another page.

# Their names say nothing of where they lead.
_SHORTENERS = frozenset(
    "bit.ly doi.org dx.doi.org goo.gl hdl.handle.net lnkd.in n2t.net ow.ly perma.cc purl.org t.co "
    "tinyurl.com w3id.org youtu.be".split()
)
# The path of a home page may name a language, and its file.
_HOME = re.compile(
    r"(?:/[a-z]{2}(?:[-_][a-z]{2})?)?/?(?:home|index(?:\.\w+)?|default\.aspx)?/?", re.I
)
_OTHER_PAGES = re.compile(
    r"(?:^|/)(?:404|not-?found|error|page-not-found|login|log-in|signin|sign-in|sso|auth|consent"
    r"|search|suspended|parked)(?:[./]|$)",
    re.IGNORECASE,
)
# Words that addresses of unrelated sites have in common.
_NO_NAME = frozenset("www com org net gov edu html htm php aspx the and for".split())


def leads_elsewhere(page: WebPage) -> str:
    """Return what a page was redirected to if that is hardly the same page; empty if it was not.

    Such is the home page, a page about a fault or to log in, and a page on a site whose name and
    path have no word in common with the address that was asked for.
    """
    if not page.final_url:
        return ""
    asked, final = urlsplit(page.url), urlsplit(page.final_url)
    host, other = (asked.hostname or "").removeprefix("www."), final.hostname or ""
    if host in _SHORTENERS:
        return ""
    if _OTHER_PAGES.search(final.path) and not _OTHER_PAGES.search(asked.path):
        return page.final_url
    if _HOME.fullmatch(asked.path):
        return ""
    if _HOME.fullmatch(final.path) and not final.query:
        return f"the home page {page.final_url}"
    within = f".{host}".endswith(f".{other}") or f".{other}".endswith(f".{host}")
    # Hosts with a name in common are related: bbc.co.uk and www.bbc.com.
    names = zip((host, other), (asked, final), strict=True)
    before, after = (_words(f"{name} {each.path} {each.query}") for name, each in names)
    return f"another site, {page.final_url}" if not within and before.isdisjoint(after) else ""


def _words(text: str) -> set[str]:
    return {*re.findall(r"[^\W_]{3,}", unquote(text).lower())} - _NO_NAME

"""`resolve`: whether what a reference names exists, what a registry says of it, and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable
from urllib.parse import unquote, urlsplit

from citeguard.errors import CiteguardError, described, foreign_code
from citeguard.judges.loops import run_sync
from citeguard.language.excerpts import shown
from citeguard.sources.collection import Source
from citeguard.web.page import WebPage
from citeguard.web.registries import LookupFailedError, Registries
from citeguard.web.works import (
    Difference,
    Identifier,
    IdentifierKind,
    Work,
    differences,
    find_identifiers,
)

ResolveOutcome = Literal["exists", "not_found", "unchecked"]
"""Whether what a reference names exists.

`not_found` means that whoever keeps the list says so: the resolver of DOIs, arXiv, or the server of
the page. `unchecked` means that nobody could be asked, for whatever reason.
"""

Extent = Literal["whole", "part"]
"""How much of a work a source has: all of it, or its abstract, or a page about it. What is not in a
part may still be in the work."""


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
        differences: Where the reference, as it is written, differs from that.
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
    differences: tuple[Difference, ...] = ()
    source: Source | None = field(default=None, repr=False)
    extent: Extent | None = None
    pages: tuple[WebPage, ...] = field(default=(), repr=False)


def resolve(
    reference: str,
    *,
    fetcher: PageFetcher | None = None,
    registries: Registries | None = None,
) -> Resolved:
    """Return what a reference names, whether it exists, and its text where that can be had.

    A DOI is looked up at Crossref, then at the resolver of all DOIs, and its text at OpenAlex; an
    arXiv number at arXiv; an address is fetched. Of several the first DOI counts, then the first
    number, then the first address. It is asked about once: a fault is not tried again. In an event
    loop use `aresolve`.

    Args:
        reference: A DOI, an arXiv number or an address in any way of writing, alone or in the words
            of a reference, whose title, authors and year are then compared.
        fetcher: What fetches pages. Without one, no page is: addresses stay unchecked, and of
            works there is the abstract that a registry has.
        registries: Where works are looked up; by default `Registries()`.

    Raises:
        CiteguardError: the reference is no string, or the extra `web` is not installed. No answer
            of a server raises one: those are `unchecked`.
    """
    return run_sync(aresolve(reference, fetcher=fetcher, registries=registries))


async def aresolve(
    reference: str,
    *,
    fetcher: PageFetcher | None = None,
    registries: Registries | None = None,
) -> Resolved:
    """Do what `resolve` does, without blocking the event loop."""
    if not isinstance(reference, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"resolve(...): expected a str, got {described(reference)}")
    identifier = first_identifier(find_identifiers(reference))
    if identifier is None:
        reason = "the reference has no DOI, no arXiv number and no address"
        return Resolved(reference=reference, outcome="unchecked", reason=reason)
    found = await resolve_identifier(identifier, fetcher, registries or Registries())
    return with_reference(found, reference)


def first_identifier(identifiers: list[Identifier]) -> Identifier | None:
    """Return what a reference is looked up by: its first DOI, else number, else address."""
    order = ("doi", "arxiv", "url")
    return min(identifiers, key=lambda each: order.index(each.kind), default=None)


def with_reference(resolved: Resolved, reference: str) -> Resolved:
    """Return the same for a reference in other words, compared with the record."""
    found: list[Difference] = []
    if resolved.work is not None:
        preprint = resolved.kind == "arxiv"
        found = differences(reference, resolved.work, preprint=preprint)
    return replace(resolved, reference=reference, differences=tuple(found))


async def resolve_identifier(
    identifier: Identifier, fetcher: PageFetcher | None, registries: Registries
) -> Resolved:
    """Return what an identifier names, without a comparison."""
    reading = _Reading(identifier, fetcher, registries)
    look_up = {"doi": reading.doi, "arxiv": reading.arxiv, "url": reading.address}[identifier.kind]
    return await look_up()


class _Reading:
    """The look-up of one identifier, and the pages that were asked for so far."""

    def __init__(
        self, identifier: Identifier, fetcher: PageFetcher | None, registries: Registries
    ) -> None:
        self._identifier = identifier
        self._fetcher = fetcher
        self._registries = registries
        self._pages: list[WebPage] = []

    async def address(self) -> Resolved:
        page = await self._page(self._identifier.url)
        if page is None:
            return self._resolved("unchecked", "no fetcher was given")
        if page.outcome == "dead":
            return self._resolved("not_found", page.reason)
        if page.outcome != "fetched" or page.source is None:
            return self._resolved("unchecked", page.reason)
        elsewhere = leads_elsewhere(page)
        source = replace(page.source, id=self._identifier.url)
        return self._resolved("exists", source=source, extent="part" if elsewhere else "whole")

    async def doi(self) -> Resolved:
        doi = self._identifier.value
        work, failures = await self._first_record(doi)
        if work is None:
            try:
                if not await self._registries.is_registered(doi):
                    return self._resolved("not_found", f"no agency has registered the DOI {doi}")
            except LookupFailedError as error:
                failures.append(error)
                return self._resolved("unchecked", "; ".join(map(str, failures)))
        if work is None or work.registry == "Crossref":
            # What it adds is where the text is; without it there may be an abstract.
            work = _joined(work, await self._or_none(doi))
        landing = self._identifier.url
        source, extent = await self._text(work, landing)
        return self._resolved("exists", work=work, source=source, extent=extent)

    async def arxiv(self) -> Resolved:
        number, base = self._identifier.value, self._registries.arxiv_url
        try:
            work = await self._registries.arxiv(number)
            failure = f"arXiv's interface has no record of {number}"
        except LookupFailedError as error:
            work, failure = None, str(error)
        if work is None:
            page = await self._page(f"{base}/abs/{number}")
            if page is not None and page.outcome == "dead":
                return self._resolved("not_found", f"arXiv has no {number}")
            if page is None or page.outcome != "fetched":
                more = "" if page is None else f"; its page: {page.reason}"
                return self._resolved("unchecked", f"{failure}{more}")
        known = replace(work or Work(), pdf_url=f"{base}/pdf/{number}")
        source, extent = await self._text(known, f"{base}/abs/{number}")
        return self._resolved("exists", work=work, source=source, extent=extent)

    async def _first_record(self, doi: str) -> tuple[Work | None, list[LookupFailedError]]:
        try:
            return await self._registries.crossref(doi), []
        except LookupFailedError as error:
            failure = error
        try:
            return await self._registries.openalex(doi), [failure]
        except LookupFailedError as error:
            return None, [failure, error]

    async def _or_none(self, doi: str) -> Work | None:
        try:
            return await self._registries.openalex(doi)
        except LookupFailedError:  # that the work exists is known without it
            return None

    async def _text(self, work: Work | None, landing: str) -> tuple[Source | None, Extent | None]:
        """Return a work's text: a free PDF file, else a free page, the abstract, or its page."""
        known = work or Work()
        if source := await self._read(known.pdf_url, work):
            is_file = self._pages[-1].content_type == "application/pdf"
            return source, "whole" if is_file else "part"
        if known.open_url != known.pdf_url and (source := await self._read(known.open_url, work)):
            return source, "part"
        if known.abstract:
            text = "\n\n".join(filter(None, (known.title, known.abstract)))
            url = self._identifier.url
            return Source(url, text, known.title or None, known.url or url), "part"
        source = await self._read(landing, work)
        return source, "part" if source else None

    async def _read(self, url: str, work: Work | None) -> Source | None:
        page = await self._page(url) if url else None
        if page is None or page.source is None or page.outcome != "fetched":
            return None
        title = (work.title if work else "") or page.source.title
        return replace(page.source, id=self._identifier.url, title=title)

    async def _page(self, url: str) -> WebPage | None:
        """Return a page, asked for once; `None` without a fetcher."""
        if self._fetcher is None:
            return None
        earlier = next((page for page in self._pages if page.url == url), None)
        if earlier is not None:
            return earlier
        try:
            # A fetcher may be the user's own; a fault in it is no fault of the page.
            with foreign_code(lambda error: _FetcherFailedError(type(error).__name__, error)):
                page = await self._fetcher.afetch(url)
        except _FetcherFailedError as error:
            name, detail = error.args
            reason = f"the fetcher raised {name}: {shown(str(detail), 200)}"
            page = WebPage(url=url, outcome="unreachable", reason=reason)
        self._pages.append(page)
        return page

    def _resolved(
        self,
        outcome: ResolveOutcome,
        reason: str = "",
        *,
        work: Work | None = None,
        source: Source | None = None,
        extent: Extent | None = None,
    ) -> Resolved:
        return Resolved(
            reference="",
            kind=self._identifier.kind,
            identifier=self._identifier.value,
            url=self._identifier.url,
            outcome=outcome,
            reason=reason,
            work=work,
            source=source,
            extent=extent,
            pages=tuple(self._pages),
        )


class _FetcherFailedError(CiteguardError):
    """A fetcher raised something; its arguments are the name of that and the exception."""


def _joined(first: Work | None, second: Work | None) -> Work | None:
    """Return a record with what another one adds."""
    if first is None or second is None:
        return first or second
    return replace(
        first,
        title=first.title or second.title,
        authors=first.authors or second.authors,
        years=tuple(dict.fromkeys((*first.years, *second.years))),
        abstract=first.abstract or second.abstract,
        pdf_url=second.pdf_url,
        open_url=second.open_url,
    )


# Redirects that lead to another page.

_SHORTENERS = frozenset(
    "bit.ly doi.org dx.doi.org goo.gl hdl.handle.net lnkd.in n2t.net ow.ly perma.cc purl.org t.co "
    "tinyurl.com w3id.org youtu.be".split()
)
_HOME = frozenset(("", "home", "index", "index.html", "index.htm", "index.php", "default.aspx"))
_OTHER_PAGES = re.compile(
    r"(?:^|/)(?:404|not-?found|error|page-not-found|login|log-in|signin|sign-in|sso|auth|consent"
    r"|search|suspended|parked)(?:[./]|$)",
    re.IGNORECASE,
)
_TRACKING = re.compile(r"(?:^|&)(?:utm_[a-z]+|fbclid|gclid|ref|lang)=[^&]*", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?", re.IGNORECASE)
_NO_NAME = frozenset("www com org net gov edu html htm php aspx the and for".split())


def leads_elsewhere(page: WebPage) -> str:
    """Return what a page was redirected to if that is hardly the same page; empty if it was not.

    Such is the home page, a folder above the page, a page about a fault or to log in, and a page on
    a site whose name and path have no word in common with the address that was asked for.

    Examples:
        >>> leads_elsewhere(WebPage(url="https://a.org/b/c", outcome="fetched",
        ...                         final_url="https://www.a.org/"))
        'the home page https://www.a.org/'
    """
    if not page.final_url:
        return ""
    asked, final = urlsplit(page.url), urlsplit(page.final_url)
    host = (asked.hostname or "").removeprefix("www.")
    before, after = _parts(asked.path), _parts(final.path)
    lost = bool(_TRACKING.sub("", asked.query)) and not final.query and not after
    same = before == after and _is_related(host, final.hostname or "")
    if host in _SHORTENERS or (same and not lost):
        return ""
    if _OTHER_PAGES.search(final.path) and not _OTHER_PAGES.search(asked.path):
        return page.final_url
    if not after:
        return f"the home page {page.final_url}" if before or lost else ""
    if len(after) < len(before) and before[: len(after)] == after:
        return f"{page.final_url}, a folder above the page"
    shared = {*_words(asked.path + " " + asked.query)} & {*_words(final.path + " " + final.query)}
    if not shared and before and not _is_related(host, final.hostname or ""):
        return f"another site, {page.final_url}"
    return ""


def _parts(path: str) -> list[str]:
    """Return the parts of a path, without a language in front and the name of an index after it."""
    parts = [part.lower() for part in unquote(path).split("/") if part]
    if parts and _LANGUAGE.fullmatch(parts[0]):
        parts = parts[1:]
    return parts[:-1] if parts and parts[-1] in _HOME else parts


def _words(text: str) -> Iterator[str]:
    for word in re.findall(r"[^\W_]{3,}", unquote(text).lower()):
        if word not in _NO_NAME:
            yield word


def _is_related(host: str, other: str) -> bool:
    """Return whether two hosts have a name in common: bbc.co.uk and www.bbc.com."""
    within = f".{host}".endswith(f".{other}") or f".{other}".endswith(f".{host}")
    return within or not {*_words(host)}.isdisjoint(_words(other))

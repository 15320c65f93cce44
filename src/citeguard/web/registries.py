"""What registries of works are asked: Crossref, OpenAlex, arXiv, and the resolver of DOIs."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urljoin, urlsplit
from xml.etree import ElementTree

from citeguard.errors import CiteguardError, optional_packages
from citeguard.language.excerpts import shown
from citeguard.web.works import Author, Work, plain_text

_MOST_BYTES = 10_000_000
_MOST_REDIRECTS = 3
_ARXIV_SPACING = 3.0
"""Seconds between two requests that arXiv's terms of use for its interface ask for."""

_ATOM = {"atom": "http://www.w3.org/2005/Atom"}


class LookupFailedError(CiteguardError):
    """A registry or an archive gave no usable answer. It does not mean that it has no record."""


class Answer(NamedTuple):
    """An answer of a service.

    Attributes:
        status: The HTTP status.
        body: The decoded body.
    """

    status: int
    body: bytes


async def ask(
    url: str, *, service: str, seconds: float, parameters: Mapping[str, str] | None = None
) -> Answer:
    """Send a GET request to a service, and return its answer if it is 200 or 404.

    Redirects are followed on the same host alone. Proxies that the environment names are ignored.

    Args:
        url: The address.
        service: What the service is called in errors.
        seconds: How long to wait, in all.
        parameters: The query.

    Raises:
        LookupFailedError: any other status, no answer in time, or one of more than 10 MB.
    """
    with optional_packages("looking up references"):
        import httpx

    async def send() -> Answer:
        nonlocal url
        settings: dict[str, Any] = {"verify": _verified(), "trust_env": False, "timeout": seconds}
        async with httpx.AsyncClient(**settings, headers={"User-Agent": _user_agent()}) as client:
            query: dict[str, str] | None = {**(parameters or {})} or None
            for _ in range(_MOST_REDIRECTS + 1):
                async with client.stream("GET", url, params=query) as response:
                    target = urljoin(str(response.url), response.headers.get("location", ""))
                    if response.has_redirect_location and _same_host(url, target):
                        url, query = target, None
                        continue
                    if response.status_code not in (200, 404):
                        raise LookupFailedError(_status_text(service, response.status_code))
                    body = bytearray()
                    async for chunk in response.aiter_bytes():
                        body += chunk
                        if len(body) > _MOST_BYTES:
                            raise LookupFailedError(f"{service} sent more than 10 MB")
                    return Answer(response.status_code, bytes(body))
        raise LookupFailedError(f"{service} redirects more than {_MOST_REDIRECTS} times")

    try:
        return await asyncio.wait_for(send(), seconds)
    except TimeoutError as error:
        raise LookupFailedError(f"{service} did not answer in {seconds:g} seconds") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        detail = shown(str(error), 200) or type(error).__name__
        raise LookupFailedError(f"{service} could not be asked: {detail}") from error


def as_json(answer: Answer, service: str) -> dict[str, Any]:
    """Return the object in an answer.

    Raises:
        LookupFailedError: it is not JSON, or no object.
    """
    try:
        read = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise LookupFailedError(f"{service} sent something else than JSON") from error
    if not isinstance(read, dict):
        raise LookupFailedError(f"{service} sent JSON of another form than it documents")
    return cast("dict[str, Any]", read)


@cache  # reading the certificates takes some 20 ms
def _verified() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


@cache
def _user_agent() -> str:
    from importlib.metadata import version

    return f"citeguard/{version('pydantic-citeguard')}"


def _same_host(url: str, target: str) -> bool:
    return urlsplit(url)[:2] == urlsplit(target)[:2]


def _status_text(service: str, status: int) -> str:
    if status == 429:
        return f"{service} answered 429: too many requests"
    return f"{service} answered {status}"


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
    arxiv_spacing: float = field(default=_ARXIV_SPACING, repr=False)
    _turns: _Turns = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Prepare to ask arXiv in turns."""
        self._turns = _Turns(self.arxiv_spacing)

    async def crossref(self, doi: str) -> Work | None:
        """Return Crossref's record of a DOI, if it has one.

        Raises:
            LookupFailedError: there is no usable answer.
        """
        answer = await self._get(f"{self.crossref_url}/works/{_in_path(doi)}", "Crossref")
        if answer.status == 404:
            # Anything else that is not there says so in HTML, or not at all.
            if b"resource not found" not in answer.body[:1_000].lower():
                raise LookupFailedError("Crossref answered 404, without its own words for it")
            return None
        message = _object(as_json(answer, "Crossref").get("message"))
        if not isinstance(message.get("DOI"), str):
            raise LookupFailedError("Crossref sent JSON of another form than it documents")
        return _from_crossref(message)

    async def openalex(self, doi: str) -> Work | None:
        """Return OpenAlex's record of a DOI, if it has one.

        Raises:
            LookupFailedError: there is no usable answer.
        """
        answer = await self._get(f"{self.openalex_url}/works/doi:{_in_path(doi)}", "OpenAlex")
        if answer.status == 404:
            return None
        record = as_json(answer, "OpenAlex")
        if not isinstance(record.get("id"), str):
            raise LookupFailedError("OpenAlex sent JSON of another form than it documents")
        return _from_openalex(record)

    async def is_registered(self, doi: str) -> bool:
        """Return whether any agency has registered a DOI.

        Raises:
            LookupFailedError: there is no usable answer.
        """
        url = f"{self.doi_url}/api/handles/{_in_path(doi)}"
        answer = await ask(url, service="doi.org", seconds=self.seconds)
        code = as_json(answer, "doi.org").get("responseCode")
        # 1: it is there; 200: it is there, without values; 100: it is not.
        if code in (1, 200):
            return True
        if code == 100:
            return False
        raise LookupFailedError("doi.org sent JSON of another form than it documents")

    async def arxiv(self, number: str) -> Work | None:
        """Return arXiv's record of a number; `None` if the answer has none.

        An answer without a record does not mean that there is no such number: the interface omits
        some. Requests are sent three seconds apart.

        Raises:
            LookupFailedError: there is no usable answer.
        """
        await self._turns.wait()
        url = f"{self.arxiv_url}/api/query"
        query = {"id_list": number, "max_results": "1"}
        answer = await ask(url, service="arXiv", seconds=self.seconds, parameters=query)
        try:
            feed = ElementTree.fromstring(answer.body)
        except ElementTree.ParseError as error:
            raise LookupFailedError("arXiv sent something else than XML") from error
        if not feed.tag.endswith("feed"):
            raise LookupFailedError("arXiv sent XML of another form than it documents")
        return next(filter(None, map(_from_atom, feed.iterfind("atom:entry", _ATOM))), None)

    async def _get(self, url: str, service: str) -> Answer:
        query = {"mailto": self.mailto} if self.mailto else None
        return await ask(url, service=service, seconds=self.seconds, parameters=query)


class _Turns:
    """Turns some seconds apart, in whatever threads and event loops they are taken."""

    def __init__(self, spacing: float) -> None:
        self._spacing = spacing
        self._lock = threading.Lock()
        self._next = 0.0

    async def wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._spacing
        if turn > now:
            await asyncio.sleep(turn - now)


def _in_path(doi: str) -> str:
    return quote(doi, safe="/")


def _from_crossref(message: Mapping[str, Any]) -> Work:
    titles = [plain_text(each) for each in _texts(message.get("title"))]
    subtitles = [plain_text(each) for each in _texts(message.get("subtitle"))]
    title = titles[0] if titles else ""
    if title and subtitles and subtitles[0].casefold() not in title.casefold():
        title = f"{title}: {subtitles[0]}"
    dates = ("issued", "published-print", "published-online", "published")
    years = dict.fromkeys(year for each in dates for year in _years_of(message.get(each)))
    abstract = message.get("abstract")
    return Work(
        title=title,
        authors=tuple(
            Author(_text(each.get("family")) or _text(each.get("name")), _text(each.get("given")))
            for each in _objects(message.get("author"))
        ),
        years=tuple(years),
        abstract=plain_text(abstract) if isinstance(abstract, str) else "",
        url=_text(message.get("URL")),
        registry="Crossref",
    )


def _from_openalex(record: Mapping[str, Any]) -> Work:
    year = record.get("publication_year")
    location = _object(record.get("best_oa_location"))
    opened = _object(record.get("open_access"))
    names = (
        _text(_object(each.get("author")).get("display_name"))
        for each in _objects(record.get("authorships"))
    )
    return Work(
        title=plain_text(_text(record.get("title")) or _text(record.get("display_name"))),
        authors=tuple(_author(name) for name in names if name),
        years=(year,) if isinstance(year, int) else (),
        abstract=_from_inverted(record.get("abstract_inverted_index")),
        url=_text(record.get("doi")),
        pdf_url=_text(location.get("pdf_url")),
        open_url=_text(location.get("landing_page_url")) or _text(opened.get("oa_url")),
        registry="OpenAlex",
    )


def _from_inverted(index: object) -> str:
    """Return the abstract that OpenAlex writes as words with their places."""
    placed = [
        (place, word)
        for word, places in _object(index).items()
        for place in (cast("list[Any]", places) if isinstance(places, list) else [])
        if isinstance(place, int)
    ]
    return plain_text(" ".join(word for _, word in sorted(placed)))


def _from_atom(entry: ElementTree.Element) -> Work | None:
    def text(name: str) -> str:
        return " ".join((entry.findtext(f"atom:{name}", "", _ATOM) or "").split())

    address = text("id")
    # Faults of the query are entries, too, whose address is that of their explanation.
    if not text("title") or "/api/errors" in address or not address:
        return None
    names = (each.text or "" for each in entry.iterfind("atom:author/atom:name", _ATOM))
    dates = (text("published"), text("updated"))
    years = dict.fromkeys(int(each[:4]) for each in dates if each[:4].isdecimal())
    return Work(
        title=text("title"),
        authors=tuple(_author(" ".join(name.split())) for name in names if name.strip()),
        years=tuple(years),
        abstract=text("summary"),
        url=address.replace("http://", "https://", 1),
        registry="arXiv",
    )


def _author(name: str) -> Author:
    given, _, family = name.rpartition(" ")
    return Author(family, given)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    return [each for each in listed if isinstance(each, str)]


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _objects(value: object) -> Iterator[dict[str, Any]]:
    for each in cast("list[Any]", value) if isinstance(value, list) else []:
        if found := _object(each):
            yield found


def _years_of(date: object) -> Iterator[int]:
    """Yield the year of a date of Crossref: `{"date-parts": [[2020, 3, 9]]}`."""
    parts = _object(date).get("date-parts")
    for each in cast("list[Any]", parts) if isinstance(parts, list) else []:
        first = cast("list[Any]", each)[:1] if isinstance(each, list) else []
        if first and isinstance(first[0], int):
            yield first[0]

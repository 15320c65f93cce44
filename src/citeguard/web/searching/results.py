"""What providers return, made equal: plain text, addresses of the web, no repetitions, ranks."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urldefrag, urlsplit

from citeguard.sources.links import web_url
from citeguard.web.searching.provider import (
    SearchFailedError,
    SearchPage,
    SearchQuery,
    SearchResult,
)
from citeguard.web.searching.queries import ascii_host

_MOST_TITLE = 300
_MOST_SNIPPET = 5_000
_TAG = re.compile(r"<!--.*?-->|</?([A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?/?>", re.DOTALL)
_INLINE = frozenset("a b code em i mark span strong sub sup u".split())
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")

_ISO_DAY = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})(?=\D|$)")
_MONTHS: Sequence[str] = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_WRITTEN_DAY = re.compile(r"\s*([A-Za-z]{3})[a-z]*\.? (\d{1,2}), (\d{4})\s*")
_AGO = re.compile(r"\s*(\d{1,3}) (second|minute|hour|day|week)s? ago\s*")
_DAYS = {"second": 0, "minute": 0, "hour": 0, "day": 1, "week": 7}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A result as a provider writes it.

    Attributes:
        url: Its address.
        title: Its title, perhaps with tags and entities.
        snippet: What is shown of it, perhaps with tags and entities.
        published: When it was published, as the provider writes it, or the day.
    """

    url: str
    title: str | None = ""
    snippet: str | None = ""
    published: str | date | None = None


def page_of(
    found: Iterable[Found],
    query: SearchQuery,
    *,
    provider: str,
    partial: bool = False,
    notes: Iterable[str] = (),
    schemes: Collection[str] = (),
) -> SearchPage:
    """Return the results of a search, made equal, at most as many as are wanted.

    What is dropped is counted in a note: addresses that are relative or not of the web, results of
    other domains than those wanted, and those published before the day wanted. Addresses that
    differ only in their fragment are one result.

    Args:
        found: The results as the provider writes them, the best first.
        query: What was searched for.
        provider: The provider's name.
        partial: See `SearchPage`.
        notes: See `SearchPage`.
        schemes: Schemes of addresses that are taken beside `http` and `https`.

    Raises:
        SearchFailedError: There are results, but none of them has an address of the web; its kind
            is `bad_reply`.
    """
    dropped: Counter[str] = Counter()
    kept: dict[str, SearchResult] = {}
    listed = list(found)
    for each in listed:
        url = _address(each.url, schemes)
        published = day_of(each.published)
        if url is None:
            dropped["the address is not one of the web"] += 1
        elif not _is_wanted(url, query):
            dropped["not of a domain that was asked for"] += 1
        elif query.since is not None and published is not None and published < query.since:
            dropped[f"published before {query.since}"] += 1
        elif url not in kept:
            kept[url] = SearchResult(
                url=url,
                title=plain_text(each.title or "", most=_MOST_TITLE),
                snippet=plain_text(each.snippet or "", most=_MOST_SNIPPET),
                rank=len(kept) + 1,
                published=published,
                provider=provider,
                query=query.text,
            )
    if listed and dropped["the address is not one of the web"] == len(listed):
        raise SearchFailedError(
            f"{provider}: none of the {len(listed)} results has an address of the web",
            kind="bad_reply",
            provider=provider,
        )
    lost = (
        f"{count} {'result was' if count == 1 else 'results were'} dropped: {why}."
        for why, count in dropped.items()
        if count
    )
    return SearchPage(
        results=tuple(kept.values())[: query.limit], partial=partial, notes=(*notes, *lost)
    )


def fused(lists: Iterable[tuple[int, Sequence[str]]]) -> list[str]:
    """Return the keys of several lists of results as one list, the best first.

    A list counts the more, the fewer pages it is of: the score of a key is the sum of
    1 / log2(2 + pages) over the lists that have it. Ties go to the better place in a list.

    Args:
        lists: How many pages the search found in all, and the first of them, the best first.

    Examples:
        >>> fused([(900, ["Tower", "Eiffel Tower"]), (2, ["Eiffel Tower", "Gustave Eiffel"])])
        ['Eiffel Tower', 'Gustave Eiffel', 'Tower']
    """
    scores: dict[str, float] = {}
    places: dict[str, int] = {}
    for pages, keys in lists:
        for place, key in enumerate(keys):
            scores[key] = scores.get(key, 0.0) + 1 / math.log2(2 + pages)
            places[key] = min(place, places.get(key, place))
    return sorted(scores, key=lambda key: (-scores[key], places[key]))


def plain_text(text: str, *, most: int = _MOST_SNIPPET) -> str:
    """Return a text without tags, entities and line breaks; a longer one is cut.

    Examples:
        >>> plain_text("<strong>Tea</strong> &amp; cake &lt;3 …<br>daily")
        'Tea & cake <3 … daily'
    """
    bare = _TAG.sub(lambda tag: "" if (tag[1] or "").lower() in _INLINE else " ", text)
    words = " ".join(_CONTROL.sub(" ", html.unescape(bare)).split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def day_of(written: str | date | None, *, today: date | None = None) -> date | None:
    """Return the day that a provider writes; `None` if there is none, or it cannot be read.

    Understood are ISO 8601, the dates of HTTP and mail, `Mar 3, 2024`, and `2 days ago`.

    Args:
        written: What the provider writes.
        today: The day from which `ago` counts; by default the day of the call.

    Examples:
        >>> day_of("2026-11-20T00:00:00"), day_of("Tue, 03 Mar 2026 10:00:00 GMT")
        (datetime.date(2026, 11, 20), datetime.date(2026, 3, 3))
        >>> day_of("2 weeks ago", today=date(2026, 1, 15))
        datetime.date(2026, 1, 1)
    """
    if written is None or isinstance(written, date):
        return written
    try:
        if parts := _ISO_DAY.match(written):
            return date(int(parts[1]), int(parts[2]), int(parts[3]))
        if parts := _WRITTEN_DAY.fullmatch(written):
            month = _MONTHS.index(parts[1].lower()) + 1
            return date(int(parts[3]), month, int(parts[2]))
        if parts := _AGO.fullmatch(written):
            return (today or date.today()) - timedelta(days=int(parts[1]) * _DAYS[parts[2]])
        return parsedate_to_datetime(written).date()
    except ValueError:
        return None


def is_below(host: str, domains: Iterable[str]) -> bool:
    """Return whether a host is one of the domains, or below one.

    Examples:
        >>> is_below("en.example.org", ["example.org"]), is_below("notexample.org", ["example.org"])
        (True, False)
    """
    known = ascii_host(host)
    return any(f".{known}".endswith(f".{ascii_host(domain)}") for domain in domains)


def _address(url: str, schemes: Collection[str]) -> str | None:
    stripped = url.strip()
    scheme = stripped.partition(":")[0].lower()
    known = stripped if scheme in schemes else web_url(stripped)
    return None if known is None else urldefrag(known).url


def _is_wanted(url: str, query: SearchQuery) -> bool:
    host = urlsplit(url).hostname or ""
    wanted = not query.domains or is_below(host, query.domains)
    return wanted and not is_below(host, query.not_domains)

"""What a search provider is: what it is asked, what it returns, and how it fails.

A statement is data: `as_words` takes off what a service would read as an operator. What providers
return is made equal by `page_of`: plain text, addresses of the web, no repetitions, ranks.
"""

from __future__ import annotations

import html
import inspect
import re
import unicodedata
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Literal, Protocol, runtime_checkable
from urllib.parse import urldefrag, urlsplit

from citeguard.errors import CiteguardError, check_whole
from citeguard.judges.loops import in_thread
from citeguard.language.excerpts import shortened
from citeguard.language.tokens import Term, terms
from citeguard.sources.links import web_url
from citeguard.web.page import WebPage

SearchFailure = Literal["auth", "quota", "rate_limited", "outage", "bad_reply", "refused"]
"""Why a search failed: a key that is wrong; one that is used up; too many searches at a time; no
answer, or one that reports a fault; an answer that cannot be read; a query that is not taken."""

MOST_CHARACTERS = 400  # the most characters of a query that are sent: Brave and Tavily take no more
MOST_WORDS = 50  # the most words of a query that are sent: Brave takes no more


class SearchFailedError(CiteguardError):
    """A search failed. It does not mean that nothing was found.

    Attributes:
        kind: Why.
        provider: The provider's name.
        retry_after: Seconds after which the provider may be asked again; `None` if it doesn't say.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: SearchFailure,
        provider: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: SearchFailure = kind
        self.provider = provider
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """What a provider is asked.

    Attributes:
        text: The words to search for.
        limit: The most results that are wanted.
        domains: If there are any, only results from these domains and those below them.
        not_domains: No results from these domains and those below them.
        since: If given, only pages that were published on that day or later, where the provider
            knows the day.
        language: The language of the pages, as an ISO 639-1 code.
        context: The words before a statement that a pronoun in it refers to, for a provider that
            reads statements; else empty.
    """

    text: str
    limit: int = 5
    domains: tuple[str, ...] = ()
    not_domains: tuple[str, ...] = ()
    since: date | None = None
    language: str = "en"
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A page that a provider found.

    Attributes:
        url: Its address.
        title: Its title, as plain text.
        snippet: What the provider shows of it, as plain text. It is often shortened, put together
            or written by a model, so that it is never evidence.
        rank: Its place among the results, from 1.
        published: When it was published, if the provider says so.
        provider: The provider's name.
        query: The words that were searched for.
    """

    url: str
    title: str = ""
    snippet: str = ""
    rank: int = 1
    published: date | None = None
    provider: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """The results of a search.

    Attributes:
        results: The pages that were found, the best first; empty if there really are none.
        partial: Whether something that was to be searched did not answer.
        notes: What a reader should know of the search, a sentence each.
        listed: Whether the caller listed these pages, to read all of them: then there may be more
            than the query's limit.
        ambiguous: Names in what was asked that can mean several things, a sentence each, so that
            pages of those things are not among the results.
    """

    results: tuple[SearchResult, ...] = ()
    partial: bool = False
    notes: tuple[str, ...] = ()
    listed: bool = False
    ambiguous: tuple[str, ...] = ()


@runtime_checkable
class SearchProvider(Protocol):
    """Anything that finds pages.

    The method may be a coroutine function or a plain one; a plain one runs in a thread of its own.
    A provider that cannot search raises a `SearchFailedError`; no results are an empty
    `SearchPage`. An attribute `name` is its name in reports; without one it is that of its class.
    With an attribute `reads_statements` that is true, a fact check asks it once for each statement,
    as the query's `text`, in place of the queries that are made from it.
    """

    def search(self, query: SearchQuery, /) -> SearchPage | Awaitable[SearchPage]:
        """Return the pages that were found, the best first."""
        ...


@runtime_checkable
class PageHolder(Protocol):
    """A provider that has the pages themselves, not only their addresses.

    Whoever reads the results of a provider that is also a `PageHolder` asks it first: the page of
    an address that it `holds` comes from its `fetch`, whatever the outcome, and is not asked for on
    the network. For every other address the network is asked. That holds only for addresses among
    the provider's own results: a folder of saved pages says nothing of a page's links.

    `fetch` may be a coroutine function or a plain one; a plain one runs in a thread of its own.
    """

    def holds(self, url: str, /) -> bool:
        """Return whether `fetch` is to be asked for the page of an address, without asking it.

        It is quick, opens no connection, and never raises.
        """
        ...

    def fetch(self, url: str, /) -> WebPage | Awaitable[WebPage]:
        """Return the page of an address, or what became of it.

        Only a page with text has the outcome `fetched`. A page that is missing or cannot be read
        is a `WebPage` with another outcome and a reason, not an exception.
        """
        ...


async def called(method: Callable[..., Any], *arguments: Any) -> Any:
    """Call a provider's method, in a thread if it is a plain function, and return its result."""
    if inspect.iscoroutinefunction(method):
        return await method(*arguments)
    returned = await in_thread(method, *arguments)
    return await returned if inspect.isawaitable(returned) else returned


# What is asked.

_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}  # fold: services do, too
# Invisible characters can split an operator here that a service puts together again. Joiners stay
# in the scripts that need them.
_INVISIBLE = re.compile(r"[\u200c\u200d](?:(?=[\x00-\x7f]|$)|(?<=[\x00-\x7f].)|(?<=^.))")
_JOINERS = "\u200c\u200d"
_SIGNS = re.compile(r"[\"“”„‟«»‹›〝〞〟「」『』*|()\[\]{}<>~^\\!?=]|&{2,}|\.{2,}|…")
_COLON = re.compile(r"(?<!\d):|:(?!\d)")
# A dash before a word excludes it; one within a word joins. Typographic dashes are folded, too.
_BEFORE_WORD = re.compile(r"(?<!\S)[-+‐‑‒–—―−﹣:@/]+")
_OPERATOR = re.compile(r"\b(?:OR|AND|NOT|XOR|NEAR|ADJ|AROUND)\b")
_HOST = re.compile(r"(?=.{1,253}\Z)[\w-]{1,63}(?:\.[\w-]{1,63})*", re.ASCII)


def as_words(text: str) -> str:
    """Return a text as words to search for, in which a search service sees no operator.

    A statement is data: what a service would read as an instruction (`site:` and other fields,
    quotation marks, `-` or `+` before a word, `OR` and its kin, brackets, wildcards, the bangs of
    SearXNG) loses its sign, and keeps its words. Hyphens and apostrophes within words, and the
    colon, point and slash between digits or units stay. Applied twice, it changes nothing more. The
    length is not changed: every provider shortens what it sends.

    Examples:
        >>> as_words('site:evil.example "Paris" OR -London is (not) a city')
        'site evil.example Paris or London is not a city'
        >>> as_words("Anne-Marie's train left at 10:30, at 3.5 km/h")
        "Anne-Marie's train left at 10:30, at 3.5 km/h"
    """
    kept, before = text.translate(_WIDE), None
    while before != kept:  # taking off one sign can make an operator of another
        before, kept = kept, _INVISIBLE.sub("", kept)
        kept = "".join(
            char
            for char in kept
            if char in _JOINERS or unicodedata.category(char) not in ("Cf", "Cs")
        )
        kept = _OPERATOR.sub(lambda word: word[0].lower(), _SIGNS.sub(" ", kept))
        kept = " ".join(_BEFORE_WORD.sub(" ", _COLON.sub(" ", kept)).split())
    return kept


def fitted(text: str, *, characters: int = MOST_CHARACTERS, words: int = MOST_WORDS) -> str:
    """Return the first words of a query that a service takes; one that is too long is cut within.

    Halves of surrogate pairs, which cannot be sent, are dropped.
    """
    kept = ""
    for word in text.encode(errors="ignore").decode().split()[:words]:
        longer = f"{kept} {word}" if kept else word
        if len(longer) > characters:
            return kept or word[:characters]
        kept = longer
    return kept


def with_sites(query: SearchQuery) -> str:
    """Return the text of a query, shortened, with its domains as the operator `site:`.

    If the domains take more than half of the room, they are left to the filter of the results.
    """
    sites = " OR ".join(f"site:{domain}" for domain in query.domains)
    operators = [f"({sites})" if len(query.domains) > 1 else sites] if sites else []
    operators += [f"-site:{domain}" for domain in query.not_domains]
    added = " ".join(operators)
    if not added or len(added) > MOST_CHARACTERS // 2 or len(added.split()) > MOST_WORDS // 2:
        return fitted(query.text)
    room = MOST_CHARACTERS - len(added) - 1
    kept = fitted(query.text, characters=room, words=MOST_WORDS - len(added.split()))
    return f"{kept} {added}"


def units_of(text: str, *, most: int = 8) -> list[str]:
    """Return the content words of a query, those of a name together, each once; names come first.

    Encyclopedias look for pages that have all the words of a query, and a statement that is wrong
    has a word that its page does not have. With these units they can be asked for some of them.
    """
    runs: list[list[Term]] = []
    for term in terms(text):
        before = runs[-1][-1] if runs else None
        if (
            before is not None
            and not text[before.end : term.start].strip(" '’-.")
            and text[before.start].isupper()
            and text[term.start].isupper()
        ):
            runs[-1].append(term)
        else:
            runs.append([term])
    units = {tuple(term.key for term in run): text[run[0].start : run[-1].end] for run in runs}
    ranked = sorted(units.values(), key=lambda unit: not (unit[0].isupper() or unit[0].isdigit()))
    return ranked[:most]


def check_query(query: SearchQuery, provider: str) -> None:
    """Raise a `SearchFailedError` if a query has no letter or digit to search for.

    A wrong limit, host name or code of a language is a `CiteguardError`.
    """
    check_whole("SearchQuery(limit=...)", query.limit, 1)
    for argument, hosts in (("domains", query.domains), ("not_domains", query.not_domains)):
        for host in hosts:
            if not _HOST.fullmatch(ascii_host(host)):
                raise CiteguardError(
                    f"SearchQuery({argument}=...): expected host names such as 'example.org', "
                    f"got {host!r}"
                )
    if not re.fullmatch(r"[A-Za-z]{2,3}", query.language):
        raise CiteguardError(
            f"SearchQuery(language=...): expected a code such as 'en', got {query.language!r}"
        )
    if not any(map(str.isalnum, query.text)):
        raise SearchFailedError(
            f"{provider}: the query has no words to search for", kind="refused", provider=provider
        )


def ascii_host(host: str) -> str:
    """Return a host name in lower case, in the letters of the DNS where that is possible."""
    lowered = host.strip().rstrip(".").lower()
    with suppress(UnicodeError):
        return lowered.encode("idna").decode()
    return lowered


# What is returned.

_MOST_TITLE = 300
_MOST_SNIPPET = 5_000
# Abstracts at Crossref are in JATS, whose tags have that prefix.
_TAG = re.compile(r"<!--.*?-->|</?(?:jats:)?([A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?/?>", re.DOTALL)
_INLINE = frozenset("a b code em i mark span strong sub sup u".split())
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
# As Google shows days, which Serper hands on.
_WRITTEN_DAY = re.compile(r"\s*([A-Z][a-z]{2})[a-z]*\.? (\d{1,2}), (\d{4})\s*")
_AGO = re.compile(r"\s*(\d{1,3}) (second|minute|hour|day|week)s? ago\s*")


def page_of(
    found: Iterable[SearchResult],
    query: SearchQuery,
    *,
    provider: str,
    partial: bool = False,
    notes: Iterable[str] = (),
    schemes: Collection[str] = (),
) -> SearchPage:
    """Return the results of a search, made equal, at most as many as are wanted.

    Titles and snippets may have tags and entities; rank, provider and query are set here. What is
    dropped is counted in a note: addresses not of the web (nor of the `schemes`), other domains
    than those wanted, pages published too early. Addresses that differ only in their fragment are
    one. If no result has an address of the web, the search failed (`bad_reply`).
    """
    no_address = "the address is not one of the web"
    dropped: Counter[str] = Counter()
    kept: dict[str, SearchResult] = {}
    listed = list(found)
    for each in listed:
        url = each.url.strip()
        if url.partition(":")[0].lower() not in schemes and web_url(url) is None:
            dropped[no_address] += 1
            continue
        # Services link to places in a page, too; it is still one page.
        url = urldefrag(url).url
        host = urlsplit(url).hostname or ""
        is_wanted = not query.domains or is_below(host, query.domains)
        if not is_wanted or is_below(host, query.not_domains):
            dropped["not of a domain that was asked for"] += 1
        # Only what is known to be older: results may have no date.
        elif query.since is not None and each.published and each.published < query.since:
            dropped[f"published before {query.since}"] += 1
        elif url not in kept:
            kept[url] = replace(
                each,
                url=url,
                title=plain_text(each.title, most=_MOST_TITLE),
                snippet=plain_text(each.snippet),
                rank=len(kept) + 1,
                provider=provider,
                query=query.text,
            )
    if listed and dropped[no_address] == len(listed):
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
    results = tuple(kept.values())[: query.limit]
    return SearchPage(results=results, partial=partial, notes=(*notes, *lost))


def plain_text(text: str, *, most: int = _MOST_SNIPPET) -> str:
    """Return a text without tags, entities and line breaks; a longer one is cut."""
    # "H<sub>2</sub>O" is one word, and "<p>one</p><p>two</p>" are two.
    bare = _TAG.sub(lambda tag: "" if (tag[1] or "").lower() in _INLINE else " ", text)
    words = " ".join(_CONTROL.sub(" ", html.unescape(bare)).split())
    return shortened(words, most)


def day_of(written: str | None, *, today: date | None = None) -> date | None:
    """Return the day that a provider writes; `None` if there is none, or it cannot be read.

    Understood are ISO 8601, the dates of HTTP and mail, `Mar 3, 2024`, and `2 days ago`.
    """
    if written is None:
        return None
    with suppress(ValueError):
        if re.match(r"\s*\d{4}-\d\d-\d\d(?!\d)", written):
            return date.fromisoformat(written.strip()[:10])
        if ago := _AGO.fullmatch(written):
            return (today or date.today()) - timedelta(**{f"{ago[2]}s": int(ago[1])})
        if day := _WRITTEN_DAY.fullmatch(written):
            written = f"{day[2]} {day[1]} {day[3]} 00:00"  # as mail writes it
        return parsedate_to_datetime(written).date()
    return None


def is_below(host: str, domains: Iterable[str]) -> bool:
    """Return whether a host is one of the domains, or below one."""
    known = ascii_host(host)
    # With its dot, so that "notexample.org" is not below "example.org".
    return any(f".{known}".endswith(f".{ascii_host(domain)}") for domain in domains)

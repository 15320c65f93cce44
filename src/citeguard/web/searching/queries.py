"""The words of a query: statements as data (`as_words`), and what services take at a time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from citeguard.errors import CiteguardError, check_whole
from citeguard.language.terms import Term, terms
from citeguard.web.searching.provider import SearchFailedError, SearchQuery

MOST_CHARACTERS = 400
"""The most characters of a query that are sent: Brave and Tavily take no more."""
MOST_WORDS = 50
"""The most words of a query that are sent: Brave takes no more."""

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
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}")


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
        before, kept = kept, _with_fewer_signs(kept)
    return kept


def _with_fewer_signs(text: str) -> str:
    kept = "".join(
        char
        for char in _INVISIBLE.sub("", text)
        if char in _JOINERS or unicodedata.category(char) not in ("Cf", "Cs")
    )
    kept = _OPERATOR.sub(lambda word: word[0].lower(), _SIGNS.sub(" ", kept))
    for signs in (_COLON, _BEFORE_WORD):
        kept = signs.sub(" ", kept)
    return " ".join(kept.split())


def fitted(text: str, *, characters: int = MOST_CHARACTERS, words: int = MOST_WORDS) -> str:
    """Return the first words of a query that a service takes, cut between two words.

    A single word that is too long is cut within, as in a script without spaces. Halves of surrogate
    pairs, which cannot be sent, are dropped.

    Args:
        text: The query.
        characters: The most characters, inclusive.
        words: The most words, inclusive.

    Examples:
        >>> fitted("one two three", characters=8)
        'one two'
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

    Examples:
        >>> query = SearchQuery(text="tides", domains=("a.org", "b.org"), not_domains=("c.org",))
        >>> with_sites(query)
        'tides (site:a.org OR site:b.org) -site:c.org'
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
    """Return the content words of a query, those of a name together, each once.

    Encyclopedias look for pages that have all the words of a query, and a statement that is wrong
    has a word that its page does not have. With these units they can be asked for some of them.

    Args:
        text: The query.
        most: The most units; names and numbers go before other words.

    Examples:
        >>> units_of("The Eiffel Tower was completed in 1899 in Paris")
        ['Eiffel Tower', '1899', 'Paris', 'completed']
    """
    runs: list[list[Term]] = []
    for term in terms(text):
        before = runs[-1][-1] if runs else None
        joined = before is not None and (
            not text[before.end : term.start].strip(" '’-.")
            and text[before.start].isupper()
            and text[term.start].isupper()
        )
        if joined:
            runs[-1].append(term)
        else:
            runs.append([term])
    units = {
        tuple(term.key for term in run): text[run[0].start : run[-1].end] for run in runs
    }.values()
    ranked = sorted(units, key=lambda unit: not (unit[0].isupper() or unit[0].isdigit()))
    return ranked[:most]


def check_query(query: SearchQuery, provider: str) -> None:
    """Check a query before it is sent.

    Args:
        query: The query.
        provider: The provider's name, for the error.

    Raises:
        SearchFailedError: It has no letter or digit to search for; its kind is `refused`.
        CiteguardError: The limit is not positive, a domain is no host name, or the language is no
            code of ISO 639.
    """
    check_whole("SearchQuery(limit=...)", query.limit, 1)
    _check_hosts("domains", query.domains)
    _check_hosts("not_domains", query.not_domains)
    if not _LANGUAGE.fullmatch(query.language):
        raise CiteguardError(
            f"SearchQuery(language=...): expected a code such as 'en', got {query.language!r}"
        )
    if not any(map(str.isalnum, query.text)):
        raise SearchFailedError(
            f"{provider}: the query has no words to search for", kind="refused", provider=provider
        )


def _check_hosts(argument: str, hosts: Sequence[str]) -> None:
    for host in hosts:
        if not _HOST.fullmatch(ascii_host(host)):
            raise CiteguardError(
                f"SearchQuery({argument}=...): expected host names such as 'example.org', "
                f"got {host!r}"
            )


def ascii_host(host: str) -> str:
    """Return a host name in lower case, in the letters of the DNS; as it is if that is impossible.

    Examples:
        >>> ascii_host("Bücher.Example.")
        'xn--bcher-kva.example'
    """
    lowered = host.strip().rstrip(".").lower()
    try:
        return lowered.encode("idna").decode()
    except UnicodeError:
        return lowered

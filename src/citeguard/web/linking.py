"""Which article of an encyclopedia a name means: `Linker`, and `Wikipedia`, which searches so.

A name is looked up as a title, exactly; then, if that is a redirect, its target; then what the page
that lists its meanings links to; and only if there is no such title, by a search for its words. The
words around the name decide between articles. Where they do not, the name is ambiguous, and nothing
is guessed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeVar

from rapidfuzz.distance import OSA

from citeguard.errors import check_kind
from citeguard.language.lexicon import TITLES, is_finite
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import FUNCTION_WORDS, stem, term_keys, terms, tokenize
from citeguard.web.encyclopedias import (
    DISAMBIGUATION,
    MOST_HITS,
    Encyclopedia,
    WikiTitle,
    rarest_first,
)
from citeguard.web.names import Mention, Tagger, names_in
from citeguard.web.page import WebPage
from citeguard.web.search import (
    SearchPage,
    SearchQuery,
    SearchResult,
    as_words,
    check_query,
    page_of,
    units_of,
)

T = TypeVar("T")

LinkOutcome = Literal["linked", "ambiguous", "missing"]
"""What became of a name: one article is meant; several may be; the encyclopedia has none."""

TITLE_BOOST = 0.2
"""Added to the score of an article whose title, without its bracket, is the name."""
MARGIN = 0.03
"""By how much the best article must be better than the next, as chosen on half A of a sample."""
_LEAST_RATIO = 2  # of the shared words of the article that is chosen to those of any other
_MOST_CANDIDATES = 60
_MOST_UNITS = 6  # that are searched for, of a statement without a known name
_MOST_KEPT = 20_000  # titles, lists of links and searches
_MOST_WORDS = 3  # of a name that are searched for alone
_BRACKET = re.compile(r"\s*\(([^()]*)\)\Z")
_SEARCHED = "No name of the statement has an article, so the encyclopedia was searched."


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An article that a name may mean.

    Attributes:
        page: The article.
        score: How well it fits the words around the name, 0 to 1.2; higher is better.
        is_titled: Whether the name is the article's title, or redirects to it.
        shared: The content words, as stems, that it shares with the words around the name.
    """

    page: WikiTitle
    score: float
    is_titled: bool = False
    shared: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A name of a text, and the article that it means.

    Attributes:
        mention: The name.
        outcome: Whether one article is meant.
        page: The article; `None` unless the outcome is `linked`. Its `redirected_from` has the
            titles that lead to it.
        candidates: The articles that it may mean, the best first.
        searched: Whether the encyclopedia has no such title, so that it was searched.
    """

    mention: Mention
    outcome: LinkOutcome
    page: WikiTitle | None = None
    candidates: tuple[Candidate, ...] = field(default=(), repr=False)
    searched: bool = False

    @property
    def reason(self) -> str:
        """What became of the name, in a sentence.

        Of an ambiguous one it has the best candidates with their scores.
        """
        name = f"“{self.mention.text}”"
        if self.page is not None:
            way = self.page.redirected_from
            return f"{name} is {self.page.title}{f', redirected from {way[-1]}' if way else ''}."
        if self.outcome == "missing":
            return f"{name} has no article."
        best = ", ".join(f"{each.page.title} {each.score:.2f}" for each in self.candidates[:5])
        return f"{name} can mean several articles: {best}."


class Linker:
    """Finds the articles that the names of a text mean.

    The score of an article is the share of content words that the text around the name and the
    article's intro have in common (Jaccard), and `TITLE_BOOST` if its title is the name. The name's
    own words do not count; the words in the bracket of a title count as words of its intro. One
    that is better by less than `MARGIN` is not chosen.

    Looked up titles are kept, so that a linker may be shared by many texts, tasks and threads.

    Args:
        encyclopedia: Where the articles are.
        tagger: What finds the names; by default `names_in`.
    """

    def __init__(self, encyclopedia: Encyclopedia, *, tagger: Tagger = names_in) -> None:
        self._encyclopedia = encyclopedia
        self._tagger = tagger
        self._kept: dict[tuple[str, str], Any] = {}

    async def link(
        self, text: str, *, context: str = "", named: Iterable[Mention] | None = None
    ) -> list[Link]:
        """Return what the names of a text mean, in their order.

        Args:
            text: A statement, or a text with several.
            context: The sentences around it.
            named: The names, if they are known.

        Raises:
            SearchFailedError: The encyclopedia did not answer.
        """
        if named is None:
            # A tagger of the user's may be a model, which would block the loop.
            named = await asyncio.to_thread(lambda: list(self._tagger(text)))
            named = [*await self._subject(text, named), *named]
        found = sorted(named, key=lambda mention: mention.start)
        names = {mention.text: _Name(mention.text) for mention in found}
        around = f"{context} {text}"
        forms = [form for name in names.values() for form in name.forms]
        # All at once, as one request can name many titles.
        await self._known([*forms, *(f"{form}{DISAMBIGUATION}" for form in forms)])
        linked = {text: await self._linked(name, around) for text, name in names.items()}
        return [replace(linked[mention.text], mention=mention) for mention in found]

    async def about(self, text: str, *, limit: int) -> list[WikiTitle]:
        """Return the articles that a text without a known name may be about, the best first.

        The encyclopedia is searched for its names and other words one by one. An article counts the
        more the more of them it has, and the rarer they are. So encyclopedias whose searches rank
        differently agree, unless a word has more than 50 pages.
        """
        lists = [await self._found(unit) for unit in units_of(text, most=_MOST_UNITS)]
        best = rarest_first(lists)[:_MOST_CANDIDATES]
        return list(_articles(await self._known(best)).values())[:limit]

    async def _subject(self, text: str, named: Sequence[Mention]) -> list[Mention]:
        """Return the first word of a text if it is its subject ("Perry won") and a title."""
        tokens = tokenize(text)[:2]
        if len(tokens) < 2 or tokens[0].kind != "word" or not is_finite(tokens[1].key):
            return []
        first = tokens[0]
        is_named = any(each.start < first.end for each in named)
        if is_named or first.key in FUNCTION_WORDS or text[: first.start].strip():
            return []
        [page] = await self._known([_capitalised(first.text)])
        word = Mention(first.start, first.end, text[first.start : first.end])
        return [word] if page.outcome == "found" else []

    # What the encyclopedia says; each question is asked once.

    async def _known(self, titles: Iterable[str]) -> list[WikiTitle]:
        asked = list(dict.fromkeys(titles))
        known = {title: page for title in asked if (page := self._kept.get(("title", title)))}
        fresh = [title for title in asked if title not in known]
        if fresh:
            for title, page in zip(fresh, await self._encyclopedia.titles(fresh), strict=True):
                known[title] = self._keep("title", title, page)
        return [known[title] for title in asked]

    async def _found(self, text: str) -> list[str]:
        hits = self._kept.get(("hits", text))
        if hits is None:
            found = await self._encyclopedia.found(as_words(text), MOST_HITS)
            hits = self._keep("hits", text, [each.title for each in found])
        return hits

    async def _listed(self, title: str) -> list[str]:
        linked = self._kept.get(("links", title))
        return linked or self._keep("links", title, await self._encyclopedia.links(title))

    def _keep(self, kind: str, key: str, value: T) -> T:
        """Keep a value; when there are too many, all are forgotten. Another thread may do so."""
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[kind, key] = value
        return value

    # The decision.

    async def _linked(self, name: _Name, around: str) -> Link:
        pages, searched = await self._candidates(name)
        words = term_keys(around) - name.words
        # A name or a number is no chance.
        proper = frozenset(term.key for term in terms(around) if not around[term.start].islower())
        rated = [_rated(name, words, page) for page in pages]
        rated.sort(key=lambda each: (-each.score, each.page.title))
        chosen = self._chosen(name, rated, proper) if rated else None
        return Link(
            mention=Mention(0, 0, name.text),
            outcome="missing" if not rated else "ambiguous" if chosen is None else "linked",
            page=None if chosen is None else chosen.page,
            candidates=tuple(rated),
            searched=searched,
        )

    async def _candidates(self, name: _Name) -> tuple[list[WikiTitle], bool]:
        """Return the articles that a name may mean, and whether they had to be searched for."""
        pages = [page for page in await self._known(name.forms) if page.outcome == "found"]
        if pages:
            listing = [page.title for page in pages if page.is_disambiguation]
            articles = _articles(pages)
            if not listing:
                others = await self._known(f"{page.title}{DISAMBIGUATION}" for page in pages)
                listing = [page.title for page in others if page.outcome == "found"]
            for title in listing:
                linked = await self._listed(title)
                own = [each for each in linked if name.is_in(each)] or linked
                articles = _articles(await self._known(own[:_MOST_CANDIDATES])) | articles
            return list(articles.values()), False
        hits: list[str] = []
        for text in name.searches:
            hits = [hit for hit in await self._found(text) if name.is_in(hit)]
            if hits:
                break
        # Also one that is not found as a title: a page that cannot be compared leaves it open.
        return [page for page in await self._known(hits) if not page.is_disambiguation], True

    def _chosen(
        self, name: _Name, rated: Sequence[Candidate], proper: frozenset[str]
    ) -> Candidate | None:
        """Return the one of several articles that is meant; `None` if that is not clear."""
        best, *others = rated
        if not others:
            is_sure = best.is_titled or best.shared or not name.is_common
            return best if is_sure else None
        is_far = best.score - others[0].score >= MARGIN
        if best.is_titled and not best.shared and not any(each.is_titled for each in others):
            # The article with the very title is meant, unless the words around say otherwise.
            return best if is_far and not any(each.shared for each in others) else None
        if not is_far or best.is_titled:
            return best if is_far else None
        # The length of the intros moves the scores, too: the words that only one of them has
        # decide, if they are more than chance: two, or a name or a number.
        best, *others = sorted(rated, key=lambda each: -len(each.shared))
        if any(_LEAST_RATIO * len(each.shared) >= len(best.shared) for each in others):
            return None
        return best if len(best.shared) > 1 or best.shared & proper else None


def _articles(pages: Iterable[WikiTitle]) -> dict[str, WikiTitle]:
    """Return the pages that are there and do not list meanings, by title; the first of each."""
    articles: dict[str, WikiTitle] = {}
    for page in pages:
        if page.outcome == "found" and not page.is_disambiguation:
            articles.setdefault(page.title, page)
    return articles


def _rated(name: _Name, words: frozenset[str], page: WikiTitle) -> Candidate:
    bracket = _BRACKET.search(page.title)
    said = term_keys(bracket[1]) if bracket else frozenset[str]()
    intro = (term_keys(page.intro) | said) - name.words
    shared = words & intro
    score = len(shared) / (len(words) + len(intro) - len(shared)) if shared else 0.0
    is_titled = page.title.casefold() == name.text.casefold() or page.asked in name.forms
    if is_titled:
        score += TITLE_BOOST
    elif said:
        score += TITLE_BOOST * len(said & words) / len(said)
    return Candidate(page=page, score=score, is_titled=is_titled, shared=shared)


class _Name:
    """A name, the titles that it may be written as, and its words."""

    def __init__(self, text: str) -> None:
        # No title has a "#": C# is "C Sharp".
        self.text = " ".join(text.replace("#", " Sharp").split())
        self.words = term_keys(self.text)
        typed = self.text.replace("’", "'")
        self.forms = list(dict.fromkeys(_capitalised(each) for each in (self.text, typed)))
        self._keys = [token.key for token in tokenize(self.text) if token.kind != "mark"]

    @property
    def is_common(self) -> bool:
        """Whether the name is a common word."""
        key = self.text.lower()
        return " " not in key and is_english_word(key)

    @property
    def searches(self) -> list[str]:
        """What is searched for: the whole name, or else its words, as one may be misspelt."""
        words = [word for word in self.text.split() if word.lower() not in FUNCTION_WORDS]
        return [self.text, *sorted(words, key=len, reverse=True)[:_MOST_WORDS]]

    def is_in(self, title: str) -> bool:
        """Return whether a title has the words of the name, up to a slip of spelling in each."""
        # "Victoria, British Columbia" is no British Columbia.
        head, _, region = title.partition(",")
        keys = [token.key for token in tokenize(head if region and "," not in self.text else title)]
        wanted = [key for key in self._keys if key not in FUNCTION_WORDS and key not in TITLES]
        return bool(wanted) and all(any(_is_slip(key, each) for each in keys) for key in wanted)


def _is_slip(one: str, other: str) -> bool:
    if one == other or stem(one) == stem(other):
        return True
    return min(len(one), len(other)) > 4 and OSA.distance(one, other) <= 1


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


class Wikipedia:
    """Finds the articles that a statement is about, by the names in it, and reads them.

    Each name is looked up as a title, exactly; see `Linker`. Only a statement with no name that has
    an article is searched for. If a name can mean several articles, none of them is chosen: a check
    that no other article decides is then `undecided`, with the cause `ambiguous` and the candidates
    in its reason. If it is the first name, which mostly is what the statement is about, no article
    is returned at all.

    Args:
        encyclopedia: Where the articles are: a `MediaWiki` or `Zim`, or one of your own.
        tagger: What finds the names; by default `names_in`.

    Raises:
        CiteguardError: What is given is no encyclopedia.
    """

    name: ClassVar[str] = "Wikipedia"
    reads_statements: ClassVar[bool] = True

    def __init__(self, encyclopedia: Encyclopedia, *, tagger: Tagger = names_in) -> None:
        check_kind("Wikipedia(encyclopedia)", encyclopedia, Encyclopedia, required=True)
        self._encyclopedia = encyclopedia
        self._linker = Linker(encyclopedia, tagger=tagger)

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return f"Wikipedia({self._encyclopedia!r})"

    async def search(self, query: SearchQuery, /) -> SearchPage:
        """Return the articles that a statement is about, or else those that a search finds.

        Raises:
            SearchFailedError: The encyclopedia did not answer.
            CiteguardError: The query is not one; see `SearchQuery`.
        """
        check_query(query, self.name)
        links = await self._linker.link(query.text, context=query.context)
        if query.context:  # "She was born in Oslo": the articles are hers, and Oslo's
            links = [*await self._linker.link(query.context, context=query.text), *links]
        pages = {link.page.title: link for link in links if link.page is not None}
        unclear = list(dict.fromkeys(link.reason for link in links if link.outcome == "ambiguous"))
        if links and links[0].outcome == "ambiguous":
            pages = {}
        if not pages and not unclear:
            articles = await self._linker.about(query.text, limit=query.limit)
            notes = [_SEARCHED] if articles else []
        else:
            articles = [link.page for link in pages.values() if link.page is not None]
            notes = [link.reason for link in pages.values()]
        found = [
            SearchResult(url=each.url, title=each.title, snippet=each.intro) for each in articles
        ]
        page = page_of(found, query, provider=self.name, notes=notes, schemes=("zim",))
        return replace(page, ambiguous=tuple(unclear))

    def holds(self, url: str, /) -> bool:
        """Return whether an address is that of a page of the encyclopedia."""
        return self._encyclopedia.holds(url)

    async def fetch(self, url: str, /) -> WebPage:
        """Return a page of the encyclopedia."""
        return await self._encyclopedia.fetch(url)

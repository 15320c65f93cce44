"""What pages say: the text that counts, the passages about a statement, and who wrote it first."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import log
from typing import NamedTuple
from urllib.parse import urlsplit

from citeguard.auditing.references import find_references
from citeguard.errors import optional_packages
from citeguard.factcheck.report import CheckedPassage
from citeguard.factcheck.titles import under_title
from citeguard.judges.verdicts import Evidence, Verdict
from citeguard.language.citations import is_reference_heading
from citeguard.language.scripts import UNSPACED
from citeguard.language.sentences import Interval
from citeguard.language.terms import terms
from citeguard.retrieval.passages import DefaultPassages, Kept, Passages, Windows
from citeguard.retrieval.ranking import BM25Retriever
from citeguard.retrieval.search import Retriever, distinct, search_each
from citeguard.sources.collection import Passage, Source, Sources, Span
from citeguard.validation.evidence import evidence_at
from citeguard.web.page import WebPage

COPY_FROM = 0.8
"""The share of common shingles (Jaccard) from which two pages are copies of each other."""

_SHINGLE = 5  # words
_SKETCH = 128  # the least hashes of a page's shingles, by which most pairs are told apart
_SURELY_APART = 0.5  # of the sketches: pairs below it are never copies, as a sketch errs by .05
_WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")

# What leads to other pages, and says nothing itself: beside lists of references.
_ELSEWHERE = frozenset(
    "see also|external links|further reading|related articles|related links|related pages|related"
    "|related stories|related content|more from|more stories|recommended|recommended reading"
    "|you may also like|you might also like|read more|read next|most read|most popular|trending"
    "|navigation|navigation menu|site map|sitemap|contents|table of contents|in this article"
    "|on this page|comments|share this|follow us|siehe auch|weblinks|inhaltsverzeichnis|inhalt"
    "|voir aussi|liens externes|articles connexes|véase también|enlaces externos|vedi anche"
    "|collegamenti esterni|ver também|ligações externas|zie ook|externe links|se även|se også"
    "|zobacz też|linki zewnętrzne|см. также|ссылки|関連項目|外部リンク|参见|外部链接".split("|")
)
_HEADING_MARKS = re.compile(r"^[\s#=*_0-9.]*|[\s#=*_:：…]*$")
_LONGEST_HEADING = 60  # characters
_LINK = r"(?:\[[^\[\]\n]*\]\([^()\s]*\)|<?(?:https?://|www\.)[^\s<>]+>?)"
# A line that is nothing but links, with marks of lists around them, or that only leads somewhere.
_ONLY_LINKS = re.compile(rf"[ \t]*(?:[-*+•·|>›»,/]|\d+[.)]|[ \t]|{_LINK})*{_LINK}[-*+•·|>›»,/ \t]*")
_JUMP = re.compile(r"[ \t]*(?:skip|jump|back) to (?:\w+ ){0,3}\w+\W*", re.IGNORECASE)


def silent_intervals(source: Source) -> list[Interval]:
    """Return the parts of a page that say nothing themselves, as half-open intervals, in order.

    These are lists of references and what stands under headings such as "See also", to the next
    heading that is not below it, and lines that consist of links. They name works and pages, with
    the words of what is said there, so that a claim looks supported by a page that only cites it.
    """
    text = source.text
    # A list of references ends with its section, which is known only here.
    borders = [] if source.layout is None else [each.start for each in source.layout.headings]
    found = [
        (start, min([end, *borders[bisect_right(borders, start) :][:1]]))
        for start, end in find_references(text).intervals
    ]
    found += _sections_elsewhere(source)
    found += (
        (start, start + len(line))
        for start, line in _lines(text)
        if _JUMP.fullmatch(line) or ("/" in line and _ONLY_LINKS.fullmatch(line))
    )
    return _merged(found)


def _sections_elsewhere(source: Source) -> Iterator[Interval]:
    headings = () if source.layout is None else source.layout.headings
    for at, heading in enumerate(headings):
        if leads_elsewhere(heading.text):
            ends = (after.start for after in headings[at + 1 :] if after.level <= heading.level)
            yield heading.start, next(ends, len(source.text))
    if headings:
        return
    # Without headings known: up to the next line that could be one, after a blank line.
    start: int | None = None
    blank = True
    for at, line in _lines(source.text):
        short = blank and 0 < len(line.strip()) <= _LONGEST_HEADING
        if start is not None and short and not _ends_sentence(line) and not _is_item(line):
            yield start, at
            start = None
        if start is None and short and leads_elsewhere(line):
            start = at
        blank = not line.strip()
    if start is not None:
        yield start, len(source.text)


def leads_elsewhere(heading: str) -> bool:
    """Return whether what is under a heading names works or pages, and says nothing itself.

    Examples:
        >>> leads_elsewhere("8. References"), leads_elsewhere("Results")
        (True, False)
    """
    if len(heading) > _LONGEST_HEADING:
        return False
    words = " ".join(_HEADING_MARKS.sub("", heading).casefold().split())
    return words in _ELSEWHERE or is_reference_heading(heading)


def _ends_sentence(line: str) -> bool:
    return line.rstrip()[-1:] in ".!?。！？"


def _is_item(line: str) -> bool:
    return re.match(r"\s*(?:[-*+•·]|\d+[.)]|\[)", line) is not None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _merged(intervals: Iterable[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


@dataclass(frozen=True, slots=True)
class PagePassages(Passages):
    r"""Passages of pages: as another way cuts them, without what says nothing itself.

    What lists references, leads to other pages or consists of links is left out; see
    `silent_intervals`.

    Attributes:
        cut: The other way.

    Examples:
        >>> page = Source("page", "Rain fell.\n\nReferences\n\n[1] A. Lee, Rain, 1999.")
        >>> PagePassages().spans([page])
        [Span(source_id='page', start=0, end=10)]
    """

    cut: Passages = field(default_factory=DefaultPassages)

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield the passages of a page, in order."""
        silent = silent_intervals(source)
        starts = [start for start, _ in silent]
        ends = [end for _, end in silent]
        for start, end in self.cut.intervals(source):
            at = bisect_left(ends, start + 1)
            low = start
            while at < len(silent) and starts[at] < end:
                yield from _with_words(source.text, low, starts[at])
                low, at = ends[at], at + 1
            yield from _with_words(source.text, low, end)


def _with_words(text: str, start: int, end: int) -> Iterator[Interval]:
    words = text[start:end] if start < end else ""
    if any(map(str.isalnum, words)):
        yield start + len(words) - len(words.lstrip()), start + len(words.rstrip())


class PageRetriever:
    """Finds passages of pages by their words: BM25, in the parts of them that have these words.

    To find the sentences and terms of 60 pages takes seconds, and a statement is about a few lines.
    So pages of more than 20,000 characters in all are cut into blocks at their lines, and only
    those with the rarest words of the query are searched. Where that was measured
    (`tests/benchmarks/factcheck.py`), they have nearly all passages that a search of everything
    finds. What says nothing itself is not searched: see `PagePassages`.
    """

    def __repr__(self) -> str:
        """Return the call that creates it."""
        return "PageRetriever()"

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[list[Passage]]:
        """Return a ranking for each query: at most `k` passages, best first."""
        searched = [each for each in sources if source_ids is None or each.id in source_ids]
        if sum(len(source.text) for source in searched) <= _SEARCHED_WHOLE:
            found = _RANKING.search(queries, sources, k=k, source_ids=source_ids)
            return [list(ranking) for ranking in found]
        pages = [(source, _Blocks.of(source)) for source in searched]
        chosen = {place for query in queries for place in _best_blocks(query, pages, k)}
        parts = list(_joined(pages, sorted(chosen)))
        if not parts:
            return [[] for _ in queries]
        texts = {str(at): page.text[low:high] for at, (page, low, high) in enumerate(parts)}
        rankings = _IN_BLOCKS.search(queries, Sources(texts), k=k)
        return [[_in_page(passage, parts) for passage in ranking] for ranking in rankings]


PAGE_RETRIEVER = PageRetriever()

_RANKING = BM25Retriever(passages=PagePassages())
_SEARCHED_WHOLE = 20_000  # characters
_BLOCK = 800  # characters, of whole lines if they are shorter
_BLOCKS = 12  # that are searched for one query, or as many as passages are wanted
_PREFIX = 5  # letters of a stem: inflections that change more are found by the other words


class _Blocks(NamedTuple):
    """The blocks of a page, and which of them have words that begin in the same way.

    Attributes:
        places: The half-open intervals of the blocks, in order.
        having: For the beginnings of words, in lower case, the indices of the blocks.
        texts: The blocks in lower case, if they have scripts without spaces.
    """

    places: tuple[Interval, ...]
    having: dict[str, list[int]]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, source: Source) -> _Blocks:
        """Return the blocks of a page; kept as long as it lives."""
        return _OF_PAGES.get(source.prepared, None, lambda: cls._read(source))

    @classmethod
    def _read(cls, source: Source) -> _Blocks:
        places = tuple(_cut(source))
        having: dict[str, list[int]] = {}
        texts = [source.text[start:end].casefold() for start, end in places]
        for at, text in enumerate(texts):
            for word in {word[:_PREFIX] for word in _WORDS.findall(text)}:
                having.setdefault(word, []).append(at)
        unspaced = _UNSPACED.search(source.text) is not None
        return cls(places, having, tuple(texts) if unspaced else ())

    def with_term(self, key: str) -> set[int]:
        """Return which blocks have a term, as far as beginnings of words show."""
        if self.texts and _UNSPACED.match(key):
            return {at for at, text in enumerate(self.texts) if key in text}
        forms = (key[:_PREFIX],) if len(key) >= _PREFIX else (key, *map(key.__add__, _ENDINGS))
        return {at for form in forms for at in self.having.get(form[:_PREFIX], ())}


_WORDS = re.compile(r"\w+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_ENDINGS = ("s", "e", "es", "ed", "ing")  # that a short stem may have lost
_OF_PAGES: Kept[_Blocks] = Kept()


def _cut(source: Source) -> Iterator[Interval]:
    """Yield runs of lines, none across a heading or what says nothing itself."""
    text, start, end = source.text, 0, 0
    headings = () if source.layout is None else source.layout.headings
    borders = {each.start for each in headings}
    for low, high in _spoken(source):
        start = end = low
        while end < high:
            line = text.find("\n", end, high)
            after = high if line < 0 else line + 1
            if end > start and (after - start > _BLOCK or end in borders):
                yield start, end
                start = end
            if after - start > _BLOCK:  # a long line ends after a sentence, or at least a word
                stop = max(text.rfind(". ", start, start + _BLOCK), start + _BLOCK // 2)
                blank = text.find(" ", stop, after)
                after = after if blank < 0 else blank + 1
            end = after
        if end > start:
            yield start, end


def _spoken(source: Source) -> Iterator[Interval]:
    done = 0
    for start, end in silent_intervals(source):
        yield done, start
        done = end
    yield done, len(source.text)


def _best_blocks(
    query: str, pages: Sequence[tuple[Source, _Blocks]], k: int
) -> list[tuple[int, int]]:
    """Return the pages and blocks that have most of a query's words, rare ones counting most."""
    count = sum(len(blocks.places) for _, blocks in pages)
    scores: defaultdict[tuple[int, int], float] = defaultdict(float)
    for key in dict.fromkeys(term.key for term in terms(query)):
        having = [
            (page, at) for page, (_, blocks) in enumerate(pages) for at in blocks.with_term(key)
        ]
        for place in having:
            scores[place] += log(1 + count / len(having))
    return sorted(scores, key=lambda place: (-scores[place], place))[: max(_BLOCKS, k)]


def _in_page(passage: Passage, parts: Sequence[tuple[Source, int, int]]) -> Passage:
    page, low, _ = parts[int(passage.span.source_id)]
    span = Span(page.id, passage.span.start + low, passage.span.end + low)
    return Passage(span, passage.text, passage.score)


def _joined(
    pages: Sequence[tuple[Source, _Blocks]], chosen: Iterable[tuple[int, int]]
) -> Iterator[tuple[Source, int, int]]:
    """Yield the places of blocks, those that follow each other as one."""
    last: tuple[Source, int, int] | None = None
    for page, at in chosen:
        source, blocks = pages[page]
        start, end = blocks.places[at]
        if last is not None and last[0] is source and last[2] == start:
            last = source, last[1], end
            continue
        if last is not None:
            yield last
        last = source, start, end
    if last is not None:
        yield last


_IN_BLOCKS = BM25Retriever(passages=Windows())


def text_of(page: WebPage) -> str:
    """Return a page's text; empty if it was not fetched, or has no letter and no digit."""
    source = page.source
    if page.outcome != "fetched" or source is None or not any(map(str.isalnum, source.text)):
        return ""
    return source.text


def different(pages: Iterable[WebPage]) -> Sources | None:
    """Return the texts of pages, each once, in an order that does not depend on theirs.

    `None` if none has a text. Rankings break ties by the order of sources, and count words over all
    of them: without it, the order of the results, or a page found twice, could change a verdict.
    """
    by_text: dict[str, Source] = {}
    for page in sorted(pages, key=lambda page: page.url):
        if (text := text_of(page)) and page.source is not None:
            by_text.setdefault(text, page.source)
    return Sources([by_text[text] for text in sorted(by_text)]) if by_text else None


def passages_about(
    queries: Sequence[str], sources: Sources, *, passages: int, retriever: Retriever | None
) -> list[Passage]:
    """Return the best passages for each query, `passages` at most, without repetitions.

    Raises:
        CiteguardError: The retriever returns what is not a passage of the sources.
    """
    rankings = search_each(queries, sources, k=passages, retriever=retriever or PAGE_RETRIEVER)
    found = [passage for ranking in rankings for passage in ranking]
    return distinct(found, len(found))


def evidence_by_page(
    spans: Iterable[Span], sources: Sources, statement: str, *, titled: bool = False
) -> dict[str, tuple[Evidence, ...]]:
    """Return the evidence at some places, by source, in the order of each text.

    A statement may need two passages of a page; those of different pages are never put together.
    If `titled`, what judges on this machine read stands under the title of its page.
    """
    by_page: dict[str, list[Span]] = {}
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        by_page.setdefault(span.source_id, []).append(span)
    evidence = {name: evidence_at(places, sources, statement) for name, places in by_page.items()}
    if titled:
        evidence = {
            name: [under_title(each, sources[name], statement) for each in found]
            for name, found in evidence.items()
        }
    return {name: tuple(found) for name, found in evidence.items() if found}


def checked_passage(
    span: Span, sources: Sources, origin: int | None, verdict: Verdict | None = None
) -> CheckedPassage:
    """Return a passage of a page as the report has it.

    Args:
        span: Where it is.
        sources: The pages' texts.
        origin: The origin of its page.
        verdict: What the judge says of the statement, having read the page's passages. A decision
            that rests on words of another passage is not shown beside this one.
    """
    source = sources[span.source_id]
    words = verdict.span if verdict is not None else None
    within = words is not None and span.start < words.end and words.start < span.end
    place = sources.location_of(words if within and words is not None else span)
    shown: dict[str, object] = {}
    decisive = verdict is not None and verdict.outcome in ("supported", "contradicted")
    if verdict is not None and (within or words is None or not decisive):
        shown = {
            "outcome": verdict.outcome,
            "score": verdict.score,
            "words": sources.slice(words) if within and words is not None else "",
            "reason": verdict.reason,
            "judge": verdict.judge,
        }
    return CheckedPassage.model_validate(
        {
            "url": source.id,
            "title": source.title or "",
            "heading": place.headings[-1] if place.headings else "",
            "text": sources.slice(span),
            "start": span.start,
            "end": span.end,
            "link": place.url or "",
            "origin": origin,
            **shown,
        }
    )


class Origins:
    """Numbers pages by who wrote them: one for all copies of a page, and for all of a domain.

    Pages of the same registrable domain (example.co.uk) have the same origin, and so have pages of
    which most runs of five words are the same. Numbers are from 1, in the order of the pages; a
    page that is a copy of two others gives both the lower number.
    """

    def __init__(self) -> None:
        self._pages: list[str] = []
        self._parents: dict[str, str] = {}
        self._domains: dict[str, str] = {}
        self._texts: dict[str, tuple[frozenset[int], list[int]]] = {}

    def add(self, url: str, address: str, shingles: frozenset[int]) -> None:
        """Add a page, unless it is known.

        Args:
            url: The page's id.
            address: The address that answered.
            shingles: Those of its text.
        """
        if url in self._parents:
            return
        self._parents[url] = url
        self._pages.append(url)
        domain = registrable_domain(address)
        if domain:
            self._join(url, self._domains.setdefault(domain, url))
        sketch = nsmallest(_SKETCH, shingles)
        for other, (theirs, their_sketch) in self._texts.items():
            if self._root(other) != self._root(url) and _are_copies(
                shingles, sketch, theirs, their_sketch
            ):
                self._join(url, other)
        self._texts[url] = shingles, sketch

    def of(self, url: str) -> int | None:
        """Return the number of a page's origin; `None` if it was not added."""
        if url not in self._parents:
            return None
        roots = list(dict.fromkeys(map(self._root, self._pages)))
        return roots.index(self._root(url)) + 1

    def _root(self, url: str) -> str:
        while self._parents[url] != url:
            url = self._parents[url]
        return url

    def _join(self, one: str, other: str) -> None:
        first, second = sorted((self._root(one), self._root(other)), key=self._pages.index)
        self._parents[second] = first


def registrable_domain(address: str) -> str:
    """Return the domain that somebody registered, as "example.co.uk"; else the host.

    No list is downloaded: the package `tld` has one.

    Raises:
        CiteguardError: The package `tld` is missing.

    Examples:
        >>> registrable_domain("https://news.example.co.uk/a"), registrable_domain("http://[::1]/")
        ('example.co.uk', '::1')
    """
    with optional_packages("fact checks", extra="web"):
        from tld import get_fld  # pyright: ignore[reportUnknownVariableType]
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    found: str | None = get_fld(address, fail_silently=True)
    return found or host


def shingles_of(text: str) -> frozenset[int]:
    """Return the runs of five words of a text, as hashes that mean nothing to other processes."""
    words = _WORD.findall(text.casefold())
    if len(words) < _SHINGLE:
        return frozenset([hash(tuple(words))] if words else [])
    return frozenset(map(hash, zip(*(words[at:] for at in range(_SHINGLE)), strict=False)))


def _are_copies(
    one: frozenset[int], sketch: Sequence[int], other: frozenset[int], its_sketch: Sequence[int]
) -> bool:
    """Return whether two pages share most of their shingles; the sketches save most comparisons."""
    if not one or not other:
        return False
    shorter, longer = sorted((len(one), len(other)))
    if shorter < COPY_FROM * longer:
        return False
    least = sorted({*sketch, *its_sketch})[:_SKETCH]
    both = set(sketch).intersection(its_sketch)
    if sum(each in both for each in least) < _SURELY_APART * len(least):
        return False
    shared = len(one & other)
    return shared >= COPY_FROM * (len(one) + len(other) - shared)

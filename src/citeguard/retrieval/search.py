"""Searching sources for relevant passages: `search`, `Retriever`, `HybridRetriever`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from citeguard.errors import CiteguardError, check_whole, foreign_code
from citeguard.language.excerpts import shown
from citeguard.retrieval.ranking import BM25Retriever
from citeguard.sources.collection import Passage, Sources, Span

_DEPTH = 50  # minimum number of passages of each ranking that is fused
_SHARED = 0.5  # of the shorter of two passages, above which one repeats the other


@runtime_checkable
class Retriever(Protocol):
    """Anything that ranks the passages of sources by their relevance to a query.

    `citeguard` asks for more passages than it needs and skips those that repeat better ones. It may
    call a retriever from several threads at once.
    """

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> Sequence[Sequence[Passage]]:
        """Return a ranking for each query, in order: at most `k` passages, best first.

        Only passages of the sources in `source_ids`, if given. The text of a passage must be the
        source's text at its span.
        """
        ...


def search(
    query: str | Iterable[str],
    sources: Sources,
    *,
    k: int,
    retriever: Retriever | None,
    source_ids: str | Collection[str] | None,
) -> list[Passage]:
    """Do what `Sources.search` promises, which is the only caller and has the defaults."""
    check_whole("Sources.search(k=...)", k, 1)
    queries = _as_queries(query)
    given: Any = source_ids
    if not isinstance(given, Collection | None):
        raise CiteguardError(f"expected an id of a source or several, got {given!r}")
    named = (source_ids,) if isinstance(source_ids, str) else source_ids
    ids = None if named is None else frozenset(sources[source_id].id for source_id in named)
    if not queries or (ids is not None and not ids):
        return []
    retriever = _DEFAULT if retriever is None else _as_retriever(retriever)
    # Twice as many as are wanted, as some repeat others; more if that is not enough.
    wanted, before = 2 * k, -1
    while True:
        rankings = _rankings(queries, sources, wanted, ids, retriever)
        found = distinct(fuse(rankings) if len(rankings) > 1 else rankings[0], k)
        known = len({each.span for ranking in rankings for each in ranking})
        # A retriever may return no more, however many are asked for.
        ended = all(len(ranking) < wanted for ranking in rankings) or known == before
        if len(found) == k or ended:
            return found
        wanted, before = 2 * wanted, known


def search_each(
    queries: Sequence[str], sources: Sources, *, k: int, retriever: Retriever
) -> list[list[Passage]]:
    """Return for each query at most `k` passages, best first, without those that repeat a better.

    The retriever is called once, with all queries.
    """
    rankings = _rankings(queries, sources, 2 * k, None, _as_retriever(retriever))
    return [distinct(ranking, k) for ranking in rankings]


class HybridRetriever:
    """Combines the rankings of other retrievers by reciprocal rank fusion.

    At least 50 passages of each ranking are used; those in several rankings come first, so the
    retrievers should cut sources in the same way.

    Reference: Cormack, Clarke & Büttcher, SIGIR 2009.

    Args:
        retrievers: Two or more.

    Raises:
        CiteguardError: fewer than two retrievers, or something that is not a retriever.

    Examples:
        >>> from citeguard.retrieval import Windows
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> short, long = BM25Retriever(passages=Windows(size=1, overlap=0)), BM25Retriever()
        >>> [passage] = sources.search("lunch", retriever=HybridRetriever(short, long))
        >>> passage.text
        'Lunch is free.'
    """

    def __init__(self, *retrievers: Retriever) -> None:
        self._retrievers = tuple(map(_as_retriever, retrievers))
        if len(retrievers) < 2:
            raise CiteguardError("HybridRetriever() takes two or more retrievers")

    def __repr__(self) -> str:
        """Return the call that creates it."""
        retrievers = ", ".join(map(repr, self._retrievers))
        return f"HybridRetriever({retrievers})"

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[list[Passage]]:
        """Return a ranking for each query."""
        depth = max(k, _DEPTH)
        by_retriever = [
            retriever.search(queries, sources, k=depth, source_ids=source_ids)
            for retriever in self._retrievers
        ]
        return [fuse(rankings)[:k] for rankings in zip(*by_retriever, strict=True)]


_DEFAULT = BM25Retriever()


def _as_queries(query: Any) -> list[str]:
    several = isinstance(query, Iterable) and not isinstance(query, str)
    queries: list[Any] = list(cast("Iterable[Any]", query)) if several else [query]
    if not all(isinstance(each, str) for each in queries):
        raise CiteguardError(f"expected a query or several, as strings, got {query!r}")
    return list(dict.fromkeys(each for each in queries if each.strip()))


def _as_retriever(retriever: Any) -> Retriever:
    if isinstance(retriever, type) or not isinstance(retriever, Retriever):
        raise CiteguardError(f"expected a retriever with a method search, got {retriever!r}")
    return retriever


def _rankings(
    queries: Sequence[str],
    sources: Sources,
    k: int,
    ids: Collection[str] | None,
    retriever: Retriever,
) -> Sequence[Sequence[Passage]]:
    """Return a retriever's rankings; raise if they are not of passages of what was searched."""
    with foreign_code(owner="the retriever"):
        rankings = retriever.search(queries, sources, k=k, source_ids=ids)
    given: Any = rankings
    lists = cast("list[Any]", given if isinstance(given, (list, tuple)) else [None])
    if not all(isinstance(each, (list, tuple)) for each in lists) or not all(
        isinstance(each, Passage) for ranking in lists for each in ranking
    ):
        said = shown(repr(rankings), 60)
        raise CiteguardError(f"{retriever!r} returned {said}: expected a list of Passages a query")
    if (count := len(rankings)) != len(queries):
        said = f"{count} rankings for {len(queries)} queries"
        raise CiteguardError(f"{retriever!r} returned {said}")
    for span, text in {(each.span, each.text) for ranking in rankings for each in ranking}:
        searched = span.source_id in (sources if ids is None else ids)
        if not searched or sources.slice(span) != text:
            raise CiteguardError(
                f"{retriever!r} returned {shown(text, 60)!r} for {span}, which is not its text: "
                "index these sources again, and search only those of source_ids"
            )
    return rankings


def fuse(rankings: Sequence[Sequence[Passage]]) -> list[Passage]:
    """Return the passages of several rankings as one, best first, by reciprocal rank fusion.

    The score of a passage is the sum of 1 / (60 + r) over its ranks r, counted from 1. Ties keep
    the order in which the passages occur. 60 is the constant of Cormack, Clarke & Büttcher.
    """
    scores: dict[Span, float] = {}
    texts: dict[Span, str] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, start=1):
            scores[passage.span] = scores.get(passage.span, 0.0) + 1 / (60 + rank)
            texts[passage.span] = passage.text
    ranked = sorted(scores, key=lambda span: -scores[span])
    return [Passage(span, texts[span], scores[span]) for span in ranked]


def distinct(passages: Iterable[Passage], most: int) -> list[Passage]:
    """Return the first passages, at most `most`, without those that repeat an earlier one.

    A passage repeats another if they share more than half of the shorter one's characters.
    """

    def is_repeated(span: Span, other: Span) -> bool:
        shared = min(span.end, other.end) - max(span.start, other.start)
        shorter = min(span.end - span.start, other.end - other.start)
        return span.source_id == other.source_id and shared > _SHARED * shorter

    kept: list[Passage] = []
    for passage in passages:
        if len(kept) == most:
            break
        if not any(is_repeated(passage.span, other.span) for other in kept):
            kept.append(passage)
    return kept

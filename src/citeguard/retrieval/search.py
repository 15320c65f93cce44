"""Which passages bear on a statement: `search`, and what ranks them for it, a `Retriever`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from citeguard.errors import CiteguardError, check_whole
from citeguard.language.excerpts import shown
from citeguard.retrieval.passages import Passage, distinct, fuse
from citeguard.retrieval.retrievers import BM25Retriever
from citeguard.sources.collection import Sources

_DEPTH = 50  # passages of each ranking that a fusion looks at, at least


@runtime_checkable
class Retriever(Protocol):
    """Whoever can rank the passages of sources by how well they fit a query.

    `citeguard` asks for more passages than it needs, and leaves out those that repeat better ones.
    It may be called from several threads at once.
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

        When `source_ids` are given, only passages of these sources; and never one whose text is not
        what stands at its span.
        """
        ...


def search(
    query: str | Iterable[str],
    sources: Sources,
    *,
    k: int = 4,
    retriever: Retriever | None = None,
    source_ids: str | Collection[str] | None = None,
) -> list[Passage]:
    """Return the passages of sources that fit a query best, best first: `Sources.search`.

    Raises:
        CiteguardError: see there.
        EmbeddingFailedError: see there.
    """
    check_whole("Sources.search(k=...)", k, 1)
    asked = _as_queries(query)
    ids = _as_ids(source_ids, sources)
    if not asked or (ids is not None and not ids):
        return []
    retriever = _DEFAULT if retriever is None else _as_retriever(retriever)
    wanted, before = 2 * k, -1
    while True:
        rankings = retriever.search(asked, sources, k=wanted, source_ids=ids)
        _check(rankings, len(asked), sources, ids, retriever)
        found = distinct(fuse(rankings) if len(rankings) > 1 else rankings[0], k)
        known = len({each.span for ranking in rankings for each in ranking})
        ended = all(len(ranking) < wanted for ranking in rankings) or known == before
        if len(found) == k or ended:
            return found
        wanted, before = 2 * wanted, known


class HybridRetriever:
    """Ranks passages by what other retrievers say, with reciprocal rank fusion.

    They are looked at to a depth of at least 50 passages; what is found by several comes first. So
    it helps if they cut sources in the same way.

    Reference: Cormack, Clarke & Büttcher, SIGIR 2009.

    Args:
        retrievers: Two or more.
        constant: What is added to every rank, from 0 on: the higher, the less do the first few
            ranks count.

    Raises:
        CiteguardError: fewer than two retrievers, or what is none.

    Examples:
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> short, long = BM25Retriever(size=1, overlap=0), BM25Retriever()
        >>> [found] = sources.search("lunch", retriever=HybridRetriever(short, long))
        >>> found.text
        'Lunch is free.'
    """

    def __init__(self, *retrievers: Retriever, constant: int = 60) -> None:
        check_whole("HybridRetriever(constant=...)", constant, 0)
        self._retrievers = tuple(map(_as_retriever, retrievers))
        if len(retrievers) < 2:
            raise CiteguardError("HybridRetriever() needs the two or more that it is to fuse")
        self._constant = constant

    def __repr__(self) -> str:
        """Write it as it is made."""
        asked = ", ".join(map(repr, self._retrievers))
        return f"HybridRetriever({asked}, constant={self._constant})"

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
        found = [
            retriever.search(queries, sources, k=depth, source_ids=source_ids)
            for retriever in self._retrievers
        ]
        return [
            fuse(rankings, constant=self._constant)[:k] for rankings in zip(*found, strict=True)
        ]


_DEFAULT = BM25Retriever()


def _as_queries(query: Any) -> list[str]:
    several = isinstance(query, Iterable) and not isinstance(query, str)
    queries: list[Any] = list(cast("Iterable[Any]", query)) if several else [query]
    if not all(isinstance(each, str) for each in queries):
        raise CiteguardError(f"a query must be a text, or several of them, not {query!r}")
    return list(dict.fromkeys(each for each in queries if each.strip()))


def _as_ids(source_ids: str | Collection[str] | None, sources: Sources) -> frozenset[str] | None:
    if source_ids is None:
        return None
    listed = (source_ids,) if isinstance(source_ids, str) else source_ids
    return frozenset(sources[source_id].id for source_id in listed)


def _as_retriever(retriever: Any) -> Retriever:
    if isinstance(retriever, type) or not isinstance(retriever, Retriever):
        raise CiteguardError(f"a retriever must have a method search, and {retriever!r} has none")
    return retriever


def _check(
    rankings: Sequence[Sequence[Passage]],
    count: int,
    sources: Sources,
    ids: Collection[str] | None,
    retriever: Retriever,
) -> None:
    """Refuse what a retriever must not return.

    Raises:
        CiteguardError: another number of rankings than of queries, or a passage that does not stand
            where it says, or not in the sources that are searched.
    """
    if len(rankings) != count:
        raise CiteguardError(f"{retriever!r} returned {len(rankings)} rankings for {count} queries")
    for span, text in {(each.span, each.text) for ranking in rankings for each in ranking}:
        searched = span.source_id in (sources if ids is None else ids)
        if not searched or sources.slice(span) != text:
            raise CiteguardError(
                f"{retriever!r} found {shown(text, 60)!r} at {span}, where it is not: index "
                "these sources anew, and look only into those of source_ids"
            )

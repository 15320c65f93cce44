"""Passages of sources: how sources are cut into them, and lists of found ones made into one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, Generic, Literal, TypeVar
from weakref import WeakKeyDictionary

from citeguard.errors import CiteguardError, check_whole
from citeguard.language.sentences import Interval
from citeguard.language.windows import sentence_windows, token_windows
from citeguard.retrieval.sections import sections_of
from citeguard.sources.collection import Source, Span

Unit = Literal["sentences", "tokens"]
"""What the length of a window is counted in."""

_UNITS: dict[Unit, Callable[..., list[Interval]]] = {
    "sentences": sentence_windows,
    "tokens": token_windows,
}
_SHARED = 0.5  # of the shorter of two passages, above which they are the same find

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Passage:
    """A place that a search has found.

    Attributes:
        span: Where it stands.
        text: Its words, as the source has them.
        score: How well it fits, higher is better. The scale is the retriever's own: scores of
            different retrievers, or of different searches, are not to be compared.
    """

    span: Span
    text: str
    score: float


class Passages(ABC):
    r"""How sources are cut into passages.

    `Windows`, `SectionPassages` and `TokenPassages` are three ways. For one of your own, write a
    class that inherits from this one and has `intervals`; its objects must be hashable, as indexes
    are kept by them, and must always cut a source in the same way.

    Examples:
        >>> import re
        >>> from citeguard import Sources
        >>> class Lines(Passages):
        ...     def intervals(self, source):
        ...         return [found.span() for found in re.finditer(r"\S.*", source.text)]
        >>> Lines().spans(Sources({"faq": "Resign in writing\nE-mail will do"}))
        [Span(source_id='faq', start=0, end=17), Span(source_id='faq', start=18, end=32)]
    """

    __slots__ = ()

    @abstractmethod
    def intervals(self, source: Source) -> Iterable[Interval]:
        """Return where the passages of a source stand in its text, in order: half-open."""

    def of(self, source: Source) -> tuple[Span, ...]:
        """Return the passages of a source, in order; found once, and kept as long as it is."""
        return _SPANS.get(source.prepared, self, partial(self._spans, source))

    def spans(self, sources: Iterable[Source]) -> list[Span]:
        """Return the passages of all sources, in order: what an index of your own is to hold."""
        return [span for source in sources for span in self.of(source)]

    def _spans(self, source: Source) -> tuple[Span, ...]:
        return tuple(Span(source.id, start, end) for start, end in self.intervals(source))


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows(Passages):
    """Passages that are runs of sentences or tokens, never above 1,000 characters.

    None goes on from one section of a source into the next.

    Attributes:
        size: The most sentences or tokens of a passage.
        overlap: How many of them the next passage repeats.
        unit: What is counted.

    Raises:
        CiteguardError: numbers with which there are no passages, or a unit that does not exist.

    Examples:
        >>> from citeguard import Sources
        >>> windows = Windows(size=1, overlap=0)
        >>> windows.spans(Sources({"faq": "Resign in writing. E-mail will do."}))
        [Span(source_id='faq', start=0, end=18), Span(source_id='faq', start=19, end=34)]
    """

    size: int = 3
    overlap: int = 1
    unit: Unit = "sentences"

    def __post_init__(self) -> None:
        """Refuse what would fail in the middle of a search."""
        if self.unit not in _UNITS:
            choices = ", ".join(map(repr, _UNITS))
            raise CiteguardError(f"unit must be one of {choices}, not {self.unit!r}")
        check_windows("Windows", self.size, self.overlap)

    def intervals(self, source: Source) -> list[Interval]:
        """Return where the passages of a source stand in its text, section by section."""
        return [
            (section.start + start, section.start + end)
            for section in sections_of(source)
            for start, end in self.cut(source.text[section.start : section.end])
        ]

    def cut(self, text: str) -> tuple[Interval, ...]:
        """Return the passages of any text, as half-open intervals of code points."""
        return tuple(_UNITS[self.unit](text, size=self.size, overlap=self.overlap))


class Kept(Generic[Value]):
    """What is computed once for an object and a key, and kept as long as that object lives.

    Safe to share between threads; one of them computes, and the others wait for it. The values must
    not hold the object, or it would live for ever.

    Args:
        most: The most keys of one object; at one more, all are dropped.
    """

    def __init__(self, *, most: int = 1_000) -> None:
        self._entries: WeakKeyDictionary[Any, dict[Hashable, _Once[Value]]] = WeakKeyDictionary()
        self._most = most
        self._lock = Lock()

    def get(self, owner: object, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value, computed if it has not been."""
        with self._lock:
            entries = self._entries.setdefault(owner, {})
            if key not in entries and len(entries) >= self._most:
                entries.clear()
            entry = entries.setdefault(key, _Once())
        return entry.get(compute)


class _Once(Generic[Value]):
    """A value that is computed once, unless that fails."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._values: list[Value] = []

    def get(self, compute: Callable[[], Value]) -> Value:
        with self._lock:
            if not self._values:
                self._values.append(compute())
            return self._values[0]


_SPANS: Kept[tuple[Span, ...]] = Kept()


def check_windows(owner: str, size: int, overlap: int) -> None:
    """Refuse numbers with which a text cannot be cut into windows.

    Raises:
        CiteguardError: it names the class and the argument.
    """
    check_whole(f"{owner}(size=...)", size, 1)
    check_whole(f"{owner}(overlap=...)", overlap, 0)
    if overlap >= size:
        raise CiteguardError(f"{owner}(overlap=...) must be below size, {size}, not {overlap}")


def fuse(rankings: Sequence[Sequence[Passage]], *, constant: int = 60) -> list[Passage]:
    """Return the passages of several rankings as one, best first, by reciprocal rank fusion.

    A passage at rank r, counted from 1, gets 1 / (constant + r) from each ranking that it is in;
    the sum is its score. Of equal ones that comes first which was met first.

    Reference: Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
    individual Rank Learning Methods", SIGIR 2009, whose constant is 60.
    """
    scores: dict[Span, float] = {}
    texts: dict[Span, str] = {}
    for ranking in rankings:
        for rank, passage in enumerate(ranking, start=1):
            scores[passage.span] = scores.get(passage.span, 0.0) + 1 / (constant + rank)
            texts[passage.span] = passage.text
    ranked = sorted(scores, key=lambda span: -scores[span])
    return [Passage(span, texts[span], scores[span]) for span in ranked]


def distinct(passages: Iterable[Passage], most: int) -> list[Passage]:
    """Return the first passages, at most so many, of which none repeats an earlier one.

    One that shares more than half of its characters, or of the other's, with an earlier one does.
    """
    kept: list[Passage] = []
    for passage in passages:
        if len(kept) == most:
            break
        if not any(_is_repeated(passage.span, other.span) for other in kept):
            kept.append(passage)
    return kept


def _is_repeated(one: Span, other: Span) -> bool:
    shared = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return one.source_id == other.source_id and shared > _SHARED * shorter

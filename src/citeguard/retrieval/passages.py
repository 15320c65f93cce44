"""How sources are cut into passages: `Passages`, and three ways to do it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from citeguard.errors import CiteguardError, check_whole
from citeguard.language import tokens
from citeguard.language.scripts import IDEOGRAPHS
from citeguard.language.sentences import (
    LONGEST,
    Interval,
    bounded,
    sentence_pieces,
    sentence_windows,
    stripped,
)
from citeguard.sources.collection import Source, Span

_IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
# Text on either side of so much white space does not belong together, and no passage that a judge
# reads should consist of it.
_GAP = re.compile(rf"(?<!\s)\s{{{LONGEST},}}")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
# Characters of the longest common word. Text with longer ones (a link, an encoded image) or without
# words (a drawn line) is counted by its length, so that passages are bounded in characters, too.
_LONG_WORD = 20
_TOO_LONG = 1.5  # times `merged`; a paragraph that is a little longer reads better uncut

Value = TypeVar("Value")


class Passages(ABC):
    r"""How sources are cut into passages.

    `Windows`, `SectionPassages` and `TokenPassages` are three ways. For a way of your own, inherit
    from this class and implement `intervals`. Instances must be hashable, because indexes are
    cached by them, and must always cut a source in the same way.

    Examples:
        >>> import re
        >>> from citeguard import Sources
        >>> class Lines(Passages):
        ...     def intervals(self, source):
        ...         return [match.span() for match in re.finditer(r"\S.*", source.text)]
        >>> Lines().spans(Sources({"faq": "Resign in writing\nE-mail will do"}))
        [Span(source_id='faq', start=0, end=17), Span(source_id='faq', start=18, end=32)]
    """

    __slots__ = ()

    @abstractmethod
    def intervals(self, source: Source) -> Iterable[Interval]:
        """Return the passages of a source as half-open intervals of its text, in order."""

    def of(self, source: Source) -> tuple[Span, ...]:
        """Return the passages of a source, in order; cached as long as it lives."""
        spans = (Span(source.id, start, end) for start, end in self.intervals(source))
        return _SPANS.get(source.prepared, self, lambda: tuple(spans))

    def spans(self, sources: Iterable[Source]) -> list[Span]:
        """Return the passages of all sources, in order, as for an index of your own."""
        return [span for source in sources for span in self.of(source)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows(Passages):
    """Passages that are runs of sentences, of at most 1,000 characters.

    No passage crosses the border of a section.

    Attributes:
        size: The maximum number of sentences of a passage.
        overlap: How many of them the next passage repeats.

    Raises:
        CiteguardError: `size` below 1, or `overlap` not from 0 to `size - 1`.

    Examples:
        >>> from citeguard import Sources
        >>> windows = Windows(size=1, overlap=0)
        >>> windows.spans(Sources({"faq": "Resign in writing. E-mail will do."}))
        [Span(source_id='faq', start=0, end=18), Span(source_id='faq', start=19, end=34)]
    """

    size: int = 3
    overlap: int = 1

    def __post_init__(self) -> None:
        """Validate the settings now rather than in the middle of a search."""
        check_whole("Windows(size=...)", self.size, 1)
        check_whole("Windows(overlap=...)", self.overlap, 0)
        if self.overlap >= self.size:
            raise CiteguardError(
                f"Windows(overlap=...) must be below size, {self.size}, not {self.overlap}"
            )

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield the passages of a source, section by section."""
        for low, _, high in _sections_of(source):
            for start, end in self.cut(source.text[low:high]):
                yield low + start, low + end

    def cut(self, text: str) -> tuple[Interval, ...]:
        """Return the passages of any text, as half-open intervals of code points."""
        return tuple(sentence_windows(text, size=self.size, overlap=self.overlap))


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionPassages(Passages):
    r"""Passages that are whole paragraphs and cross no border of a section.

    Blank lines separate paragraphs, and the headings of a source's `layout` separate sections; a
    heading belongs to the first paragraph below it. A paragraph of more than `alone` words is a
    passage by itself; consecutive shorter ones are merged up to `merged` words. A paragraph of more
    than one and a half times `merged` is cut evenly at ends of sentences. Words are separated by
    white space, and each character of Chinese and Japanese is one; those of headings count.

    Attributes:
        alone: The maximum number of words of a paragraph that is merged with others.
        merged: The maximum number of words of merged paragraphs.

    Raises:
        CiteguardError: a number below 1, or `alone` above `merged`.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"faq": "Resign in writing.\n\nE-mail will do.\n\nAsk Ms. Lee."})
        >>> [sources.slice(span) for span in SectionPassages(alone=4, merged=6).spans(sources)]
        ['Resign in writing.\n\nE-mail will do.', 'Ask Ms. Lee.']
    """

    alone: int = 100
    merged: int = 200

    def __post_init__(self) -> None:
        """Validate the settings."""
        check_whole("SectionPassages(alone=...)", self.alone, 1)
        check_whole("SectionPassages(merged=...)", self.merged, 1)
        if self.alone > self.merged:
            raise CiteguardError(
                f"SectionPassages(alone=...) must be at most merged, {self.merged}, "
                f"not {self.alone}"
            )

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield the passages of a source, in order."""
        for section in _sections_of(source):
            yield from self._merged(source.text, _paragraphs_of(source.text, section))

    def _merged(self, text: str, paragraphs: Iterable[Interval]) -> Iterator[Interval]:
        start = end = words = 0  # of the short paragraphs that are merged so far
        for low, high in paragraphs:
            more = _size(text[low:high], _words)
            if words and (more > self.alone or words + more > self.merged):
                yield start, end
                words = 0
            if more > _TOO_LONG * self.merged:
                pieces = _sized(text, _sentences(text, low, high), _words, self.merged)
                yield from _runs(pieces, most=self.merged, overlap=0)
            elif more > self.alone:
                yield low, high
            else:
                start = start if words else low
                end, words = high, words + more
        if words:
            yield start, end


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPassages(Passages):
    """Passages of at most so many tokens as a model reads, cut evenly between sentences.

    No passage crosses the border of a section. A sentence of more tokens is cut.

    Attributes:
        most: The maximum number of tokens of a passage.
        overlap: How many tokens the next passage of a section repeats, in whole sentences.
        tokenize: A function that returns the tokens of a text, such as `tokenizer.tokenize` of a
            model; by default a token is a word, a number, a sign, or a character of a script
            without spaces.

    Raises:
        CiteguardError: `most` below 2, or `overlap` not below half of it.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"faq": "Resign in writing. E-mail will do. Ask Ms. Lee. Or not."})
        >>> [sources.slice(span) for span in TokenPassages(most=8, overlap=0).spans(sources)]
        ['Resign in writing. E-mail will do.', 'Ask Ms. Lee. Or not.']
    """

    most: int = 512
    overlap: int = 50
    tokenize: Callable[[str], Sized] | None = None

    def __post_init__(self) -> None:
        """Validate the settings."""
        check_whole("TokenPassages(most=...)", self.most, 2)
        check_whole("TokenPassages(overlap=...)", self.overlap, 0)
        if self.overlap >= self.most // 2:
            raise CiteguardError(
                f"TokenPassages(overlap=...) must be below half of most, {self.most}, "
                f"not {self.overlap}"
            )

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield the passages of a source, in order."""
        for section in _sections_of(source):
            sentences = _sentences(source.text, section.start, section.end)
            pieces = _sized(source.text, sentences, self._count, self.most - self.overlap)
            yield from _runs(pieces, most=self.most, overlap=self.overlap)

    def _count(self, text: str) -> int:
        return len(tokens.tokenize(text) if self.tokenize is None else self.tokenize(text))


@dataclass(frozen=True, slots=True)
class DefaultPassages(Passages):
    """The default of retrievers: `SectionPassages()` of sources with headings, else `Windows()`."""

    # In long documents half as many of the former hold the evidence more often than the latter, in
    # about as much text, and verdicts by them rank claims as well (in tests/benchmarks:
    # similarity/sections.py and auditing/documents.py).

    def intervals(self, source: Source) -> Iterable[Interval]:
        """Return the passages of a source, in order."""
        return (SectionPassages() if source.headings else Windows()).intervals(source)


class Kept(Generic[Value]):
    """A cache of at most so many values by object and key, which lives as long as the object.

    Thread-safe; one thread computes a value and the others wait for it. Values must not hold a
    reference to the object, or both would live for ever.
    """

    def __init__(self, *, most: int = 1_000) -> None:
        # Of each key a lock and the value, if it was computed.
        self._entries: WeakKeyDictionary[Any, dict[Hashable, tuple[Lock, list[Value]]]]
        self._entries = WeakKeyDictionary()
        self._most = most
        self._lock = Lock()

    def get(self, owner: object, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value, computed at the first call that does not fail."""
        with self._lock:
            entries = self._entries.setdefault(owner, {})
            if key not in entries and len(entries) >= self._most:
                entries.clear()
            computing, values = entries.setdefault(key, (Lock(), []))
        # Not under the common lock, as other keys must not wait for this one.
        with computing:
            if not values:
                values.append(compute())
            return values[0]


_SPANS: Kept[tuple[Span, ...]] = Kept()


class _Section(NamedTuple):
    """A heading, which ends at `body`, and the text up to the next one."""

    start: int
    body: int
    end: int


def _sections_of(source: Source) -> Iterator[_Section]:
    """Yield the sections of a source, in order, without the white space at their ends.

    Every other character is in one of them. A source without headings is one section. A gap of
    1,000 white space characters or more ends a section too.
    """
    text = source.text
    start = body = 0
    for heading in source.headings:
        # A heading begins with its line if that has only a number or a mark before it.
        line = text.rfind("\n", body, heading.start) + 1 or body
        marked = not any(map(str.isalpha, text[line : heading.start]))
        border = line if marked else heading.start
        if text[body:border].strip():
            yield from _cut_at_gaps(text, start, body, border)
            start = border
        body = heading.end
    yield from _cut_at_gaps(text, start, body, len(text))


def _cut_at_gaps(text: str, start: int, body: int, end: int) -> Iterator[_Section]:
    gaps = [gap.span() for gap in _GAP.finditer(text, start, end)]
    for stop, after in [*gaps, (end, end)]:
        low, high = stripped(text, start, stop)
        if low < high:
            yield _Section(low, min(max(body, low), high), high)
        start = after


def _paragraphs_of(text: str, section: _Section) -> Iterator[Interval]:
    """Yield the paragraphs of a section, which blank lines separate; a heading is in the first."""
    start = section.start
    for line in _BLANK_LINE.finditer(text, section.body, section.end):
        if text[max(start, section.body) : line.start()].strip():
            yield stripped(text, start, line.start())
            start = line.end()
    yield start, section.end


class _Piece(NamedTuple):
    """A sentence or a part of one, `text[start:end]`, and how many words or tokens it has."""

    start: int
    end: int
    size: int


def _words(text: str) -> int:
    """Return the number of words between white space, with each ideograph as a word."""
    rest, ideographs = _IDEOGRAPH.subn(" ", text)
    return ideographs + len(rest.split())


def _size(text: str, count: Callable[[str], int]) -> int:
    return max(count(text), len(text) // _LONG_WORD, 1)


def _sentences(text: str, start: int, end: int) -> Iterator[Interval]:
    return ((start + low, start + high) for low, high in sentence_pieces(text[start:end]))


def _sized(
    text: str, intervals: Iterable[Interval], count: Callable[[str], int], most: int
) -> list[_Piece]:
    """Return intervals with their sizes, those of more than `most` words or tokens cut."""
    pieces: list[_Piece] = []
    waiting = list(intervals)[::-1]
    while waiting:
        start, end = waiting.pop()
        size = _size(text[start:end], count)
        # A single character can have more tokens than fit, and cannot be cut.
        if size <= most or end - start == 1:
            pieces.append(_Piece(start, end, min(size, most)))
        else:
            longest = max(1, (end - start) * most // size)
            waiting += list(bounded(text, start, end, longest=longest))[::-1]
    return pieces


def _runs(pieces: Sequence[_Piece], *, most: int, overlap: int) -> Iterator[Interval]:
    """Yield the intervals of overlapping runs of pieces, as even as their borders allow.

    No run has more than `most`, given that no piece has more than `most - overlap`.
    """
    ends = [0, *accumulate(piece.size for piece in pieces)]
    first = 0
    while (rest := ends[-1] - ends[first]) > most:
        # As few runs as there must be, all of one size: they end at the first border after it.
        count = ceil((rest - overlap) / (most - overlap))
        even = ceil((rest + (count - 1) * overlap) / count)
        after = bisect_left(ends, ends[first] + even)
        if ends[after] - ends[first] > most:
            after = bisect_right(ends, ends[first] + most) - 1
        yield pieces[first].start, pieces[after - 1].end
        # At least one on: a piece longer than the overlap would be repeated without an end.
        first = max(first + 1, bisect_right(ends, ends[after] - overlap) - 1)
    yield pieces[first].start, pieces[-1].end

"""Passages that keep to the sections of a source, and how sources are cut unless told else."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from citeguard.errors import CiteguardError, check_whole
from citeguard.language import tokens
from citeguard.language.sentences import Interval
from citeguard.language.windows import LONGEST, bounded, sentence_pieces
from citeguard.retrieval.passages import Passages, Windows
from citeguard.retrieval.sections import SectionText, paragraphs_of, sections_of
from citeguard.sources.collection import Source

# A run of characters between blanks, or a character of Chinese or Japanese, which have no blanks.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")
# Characters of the longest word that is usual. What has longer ones (a link, an image as text) or
# none (a drawn line) is counted by its length, so that passages are bounded in characters, too.
_LONG_WORD = 20
_TOO_LONG = 1.5  # times `merged`; a paragraph that is a little longer reads better uncut


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionPassages(Passages):
    r"""Passages that are whole paragraphs, none of which goes on from one section into the next.

    Blank lines part paragraphs, and the headings of a source's `layout` part sections; a heading is
    in the passage of the first paragraph below it. A paragraph of more than `alone` words is a
    passage by itself, and shorter ones that follow each other are one up to `merged` words. A
    paragraph that is more than half as long again is cut at ends of sentences, evenly. A word is
    what stands between blanks, and each character of Chinese and Japanese; those of a heading are
    counted, too.

    Attributes:
        alone: The most words of a paragraph that others may be merged with.
        merged: The most words of paragraphs that are merged.

    Raises:
        CiteguardError: numbers below 1, or `alone` above `merged`.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"faq": "Resign in writing.\n\nE-mail will do.\n\nAsk Ms. Lee."})
        >>> [sources.slice(span) for span in SectionPassages(alone=4, merged=6).spans(sources)]
        ['Resign in writing.\n\nE-mail will do.', 'Ask Ms. Lee.']
    """

    alone: int = 100
    merged: int = 200

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        check_whole("SectionPassages(alone=...)", self.alone, 1)
        check_whole("SectionPassages(merged=...)", self.merged, 1)
        if self.alone > self.merged:
            raise CiteguardError(
                f"SectionPassages(alone=...) must be at most merged, {self.merged}, "
                f"not {self.alone}"
            )

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield where the passages of a source stand in its text, in order."""
        for section in sections_of(source):
            yield from self._merged(source.text, paragraphs_of(source.text, section))

    def _merged(self, text: str, paragraphs: Iterable[Interval]) -> Iterator[Interval]:
        start = end = words = 0  # of the short paragraphs that are merged so far
        for low, high in paragraphs:
            more = _size(text[low:high], _words)
            if words and (more > self.alone or words + more > self.merged):
                yield start, end
                words = 0
            if more > self.alone:
                yield from self._cut(text, low, high, more)
                continue
            start = start if words else low
            end, words = high, words + more
        if words:
            yield start, end

    def _cut(self, text: str, start: int, end: int, words: int) -> Iterator[Interval]:
        """Yield a long paragraph: as it is, or, where it is much too long, its parts."""
        if words <= _TOO_LONG * self.merged:
            yield start, end
            return
        pieces = _sized(text, _sentences(text, start, end), _words, self.merged)
        yield from _runs(pieces, least=0, most=self.merged, overlap=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPassages(Passages):
    """Passages that have about as many tokens as a model reads, cut between sentences.

    A section is cut into passages of about the same length. One that has less than `least` tokens
    is merged with the next one; so a passage goes on from one section into the next only where it
    would be too short, and is shorter only where the source is. Only a sentence of more than `least
    - overlap` tokens, or 1,000 characters, is cut itself.

    Attributes:
        least: The fewest tokens of a passage.
        most: The most tokens of a passage.
        overlap: How many tokens of a passage the next one of a section repeats, in whole sentences;
            more where it would be too short else.
        tokenize: What returns the tokens of a text, such as `tokenizer.tokenize` of a model; by
            default a token is a word, a number, a sign, or a character of a script without spaces.

    Raises:
        CiteguardError: `least` above half of `most`, or `overlap` not below `least`.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"faq": "Resign in writing. E-mail will do. Ask Ms. Lee. Or not."})
        >>> passages = TokenPassages(least=4, most=8, overlap=0)
        >>> [sources.slice(span) for span in passages.spans(sources)]
        ['Resign in writing. E-mail will do.', 'Ask Ms. Lee. Or not.']
    """

    least: int = 256
    most: int = 512
    overlap: int = 50
    tokenize: Callable[[str], Sized] | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be kept to."""
        check_whole("TokenPassages(least=...)", self.least, 1)
        check_whole("TokenPassages(most=...)", self.most, 1)
        check_whole("TokenPassages(overlap=...)", self.overlap, 0)
        if 2 * self.least > self.most:
            raise CiteguardError(
                f"TokenPassages(least=...) must be at most half of most, {self.most}, "
                f"not {self.least}"
            )
        if self.overlap >= self.least:
            raise CiteguardError(
                f"TokenPassages(overlap=...) must be below least, {self.least}, not {self.overlap}"
            )

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield where the passages of a source stand in its text, in order."""
        for pieces in self._groups(source):
            yield from _runs(pieces, least=self.least, most=self.most, overlap=self.overlap)

    def _groups(self, source: Source) -> list[list[_Piece]]:
        """Return the pieces of each section, those that are too short with the next, or the last.

        A piece has at most as many tokens as a passage has more than what it must have and repeats,
        so that there is a border between two pieces wherever a passage can end.
        """
        longest = self.least - self.overlap
        groups: list[list[_Piece]] = []
        for section in sections_of(source):
            pieces = _sized(source.text, _under_heading(source.text, section), self._count, longest)
            if groups and self._is_short(groups[-1]) and _is_near(groups[-1], pieces):
                groups[-1] += pieces
            else:
                groups.append(pieces)
        if len(groups) > 1 and self._is_short(groups[-1]) and _is_near(*groups[-2:]):
            last = groups.pop()
            groups[-1] += last
        return groups

    def _is_short(self, pieces: Iterable[_Piece]) -> bool:
        return sum(piece.size for piece in pieces) < self.least

    def _count(self, text: str) -> int:
        return len(tokens.tokenize(text) if self.tokenize is None else self.tokenize(text))


@dataclass(frozen=True, slots=True)
class UsualPassages(Passages):
    """The passages of retrievers that are not told how to cut sources.

    They are `SectionPassages()` of a source with headings, and `Windows()` of any other. Of long
    documents, half as many of the former hold the evidence more often than the latter, in about as
    much text, and verdicts by them rank claims as well (in tests/benchmarks: similarity/sections.py
    and auditing/documents.py).
    """

    def intervals(self, source: Source) -> Iterable[Interval]:
        """Return where the passages of a source stand in its text, in order."""
        has_headings = source.layout is not None and source.layout.headings
        return (SectionPassages() if has_headings else Windows()).intervals(source)


class _Piece(NamedTuple):
    """A sentence or a part of one, `text[start:end]`, and how many words or tokens it has."""

    start: int
    end: int
    size: int


def _words(text: str) -> int:
    return len(_WORD.findall(text))


def _size(text: str, count: Callable[[str], int]) -> int:
    return max(count(text), len(text) // _LONG_WORD, 1)


def _sentences(text: str, start: int, end: int) -> Iterator[Interval]:
    return ((start + low, start + high) for low, high in sentence_pieces(text[start:end]))


def _under_heading(text: str, section: SectionText) -> list[Interval]:
    """Return the sentences of a section, its heading with the first, unless it is very long."""
    if section.body == section.end or section.body - section.start > LONGEST:
        return list(_sentences(text, section.start, section.end))
    (_, first), *others = _sentences(text, section.body, section.end)
    return [(section.start, first), *others]


def _sized(
    text: str, intervals: Iterable[Interval], count: Callable[[str], int], most: int
) -> list[_Piece]:
    """Return intervals with their sizes; those that have more words or tokens than `most` cut."""
    pieces: list[_Piece] = []
    waiting = list(intervals)[::-1]
    while waiting:
        start, end = waiting.pop()
        size = _size(text[start:end], count)
        if size <= most or end - start == 1:
            pieces.append(_Piece(start, end, min(size, most)))
        else:
            longest = max(1, (end - start) * most // size)
            waiting += list(bounded(text, start, end, longest=longest))[::-1]
    return pieces


def _is_near(before: Sequence[_Piece], after: Sequence[_Piece]) -> bool:
    return after[0].start - before[-1].end < LONGEST


def _runs(pieces: Sequence[_Piece], *, least: int, most: int, overlap: int) -> Iterator[Interval]:
    """Yield the intervals of overlapping runs of pieces, as even as their borders allow.

    None has more than `most`, nor less than `least` unless all have together, where no piece has
    more than `least - overlap` (`most` where both are 0), and `2 * least <= most`.
    """
    ends = [0, *accumulate(piece.size for piece in pieces)]
    first = 0
    while (rest := ends[-1] - ends[first]) > most:
        after = _end_of_run(ends, first, _even(rest, most, overlap), most)
        yield pieces[first].start, pieces[after - 1].end
        kept = min(ends[after] - overlap, ends[-1] - least)
        first = bisect_right(ends, kept) - 1
    yield pieces[first].start, pieces[-1].end


def _even(rest: int, most: int, overlap: int) -> int:
    """Return how long runs are that share out what is left evenly."""
    runs = -((overlap - rest) // (most - overlap))
    return -((-rest - (runs - 1) * overlap) // runs)


def _end_of_run(ends: Sequence[int], first: int, goal: int, most: int) -> int:
    """Return the index after a run's last piece: at the goal or just behind, but not above most."""
    after = bisect_left(ends, ends[first] + goal)
    if ends[after] - ends[first] > most:
        after = bisect_right(ends, ends[first] + most) - 1
    return after

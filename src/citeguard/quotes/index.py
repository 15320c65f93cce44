"""A source's text and what is derived from it: built when first needed, then kept."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from citeguard.quotes.budget import scanned_regions
from citeguard.quotes.candidate import Candidate, nearest_in
from citeguard.quotes.canonical import SearchForm

if TYPE_CHECKING:
    from citeguard.quotes.search import PieceIndex

_LINE_END = re.compile("\n")
_MOST_SENTENCES = 10_000
_LONG = 50_000  # letters from which asking the index is cheaper than scanning the text


class PreparedText:
    """A text, its search form and its index. Safe to share between threads."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sentences: dict[tuple[int, int], tuple[int, int]] = {}

    @cached_property
    def form(self) -> SearchForm:
        """The letters and digits of the text, folded."""
        return SearchForm(self.text)

    @cached_property
    def pieces(self) -> PieceIndex:
        """The index that approximate search asks."""
        from citeguard.quotes.search import PieceIndex  # numpy is not loaded for verbatim quotes

        return PieceIndex(self.form.letters)

    def sentences_at(self, start: int, end: int) -> tuple[int, int]:
        """Return the interval of the sentences that an interval touches: `whole_sentences`.

        Remembers it: an answer is validated twice, and asked about twice if judged as a whole.
        """
        from citeguard.language.sentences import whole_sentences

        if len(self._sentences) > _MOST_SENTENCES:
            self._sentences.clear()
        known = self._sentences.get((start, end))
        if known is None:
            known = self._sentences[start, end] = whole_sentences(self.text, start, end)
        return known

    def line_at(self, position: int) -> int:
        """Return the number of the line that a position is on, from 1."""
        return bisect_left(self._line_ends, position) + 1

    @cached_property
    def _line_ends(self) -> list[int]:
        return [found.start() for found in _LINE_END.finditer(self.text)]

    def near_places(self, letters: str) -> list[Candidate]:
        """Return where in the search form letters stand within the edit budget, nearest first.

        None, where they stand without edits or not at all.
        """
        regions = scanned_regions(letters, self.form.letters)
        if regions is None:
            return self.pieces.find(letters)
        nearest = (nearest_in(self.form.letters, region, letters) for region in regions)
        return [candidate for candidate in nearest if candidate]

    def places(self, letters: str) -> Iterator[tuple[int, int]]:
        """Yield the half-open intervals of the search form in which letters stand, in order."""
        text = self.form.letters
        short = len(text) < _LONG
        starts = _occurrences(letters, text) if short else self.pieces.places(letters)
        return ((start, start + len(letters)) for start in starts)


def _occurrences(letters: str, text: str) -> Iterator[int]:
    start = text.find(letters) if letters else -1
    while start >= 0:
        yield start
        start = text.find(letters, start + 1)

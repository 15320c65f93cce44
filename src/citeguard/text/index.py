"""A source's text and what is derived from it: built when first needed, then kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from citeguard.text.canonical import SearchForm

if TYPE_CHECKING:
    from citeguard.text.search import PieceIndex

_LONG = 50_000  # letters from which asking the index is cheaper than scanning the text


class PreparedText:
    """A text, its search form and its index. Safe to share between threads."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def form(self) -> SearchForm:
        """The letters and digits of the text, folded."""
        return SearchForm(self.text)

    @cached_property
    def pieces(self) -> PieceIndex:
        """The index that approximate search asks."""
        from citeguard.text.search import PieceIndex  # numpy is not loaded for verbatim quotes

        return PieceIndex(self.form.letters)

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

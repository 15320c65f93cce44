"""A source's text and what is derived from it: built when first needed, then kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from citeguard.text.canonical import SearchForm

if TYPE_CHECKING:
    from citeguard.text.search import PieceIndex


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

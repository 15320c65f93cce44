"""A quote in the forms it is sought in, and what is found of it: `QuoteForm`, `Found`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from citeguard.quotes.canonical import outer_letters, search_letters
from citeguard.quotes.edits import Edit
from citeguard.quotes.elision import split_at_ellipses, without_ellipses

Grade = Literal["exact", "normalized", "elided", "fuzzy"]
Interval = tuple[int, int]  # half-open; of code points, or of letters of a search form

_GRADES: tuple[Grade, ...] = ("exact", "normalized", "elided", "fuzzy")
_BRACKETS = re.compile(r"\[[^\[\]]{2,80}\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A place where a quote, or an altered form of it, stands in a text.

    Attributes:
        intervals: where, in code points; several only when the quote is elided.
        grade: how near the quote's wording is to the source's.
        similarity: 1 minus edits per letter of the quote, 0 to 1.
        edits: the differences, harmless and material.
    """

    intervals: tuple[Interval, ...]
    grade: Grade
    similarity: float
    edits: tuple[Edit, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether no difference is material."""
        return not any(edit.material for edit in self.edits)

    @property
    def rank(self) -> tuple[int, int, float]:
        """Sorts the better find first."""
        material = sum(edit.material for edit in self.edits)
        return material, _GRADES.index(self.grade), -self.similarity


class QuoteForm:
    """A quote and what is derived from it, once for all the texts it is sought in."""

    def __init__(self, quote: str) -> None:
        self.text = quote.strip()

    @cached_property
    def letters(self) -> str:
        """The letters of the quote's search form."""
        return search_letters(self.text)

    @cached_property
    def outside(self) -> tuple[str, str]:
        """What stands before the quote's first letter and after its last: punctuation and marks."""
        start, end = outer_letters(self.text)
        return without_ellipses(self.text[:start]), without_ellipses(self.text[end:])

    @cached_property
    def readings(self) -> list[str]:
        """The search forms to look for: the quote's, and that without its editorial brackets."""
        bare = _BRACKETS.sub(" ", self.text) if "[" in self.text else self.text
        return [self.letters] if bare == self.text else [self.letters, search_letters(bare)]

    @cached_property
    def segments(self) -> list[QuoteForm]:
        """The quote's segments between ellipses; fewer than two when there is no ellipsis."""
        return [QuoteForm(segment) for segment in split_at_ellipses(self.text)]

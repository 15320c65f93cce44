"""What alignment proves of a statement and a text: the same words, or another fact in their place.

It is a veto and an explanation, never a verdict of support: that the facts of two sentences agree
does not prove that one follows from the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from citeguard.facts.contrasts import contrasts
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import QuoteForm, accepted_places, find_verbatim

DifferenceKind = Literal["number", "negation", "name"]
"""`number` has units, signs, currencies and dates in it."""

_MOST_PLACES = 20  # of a sentence that a text repeats
_TEXTS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact of a statement in whose place a text has another one.

    Attributes:
        kind: What differs.
        stated: The words of the statement.
        found: Those of the text.
        start: Where they begin in the statement, in code points.
        end: Where they end, exclusive.
        text_start: Where those of the text begin in it.
        text_end: Where they end.
    """

    kind: DifferenceKind
    stated: str
    found: str
    start: int
    end: int
    text_start: int
    text_end: int

    @property
    def reason(self) -> str:
        """What differs, as a part of a sentence."""
        return f"it says {self.stated!r} where the source says {self.found!r}"


def differences(statement: str, text: str) -> tuple[Difference, ...]:
    """Return the facts of a statement in whose place a text has other ones, in order."""
    return tuple(
        Difference(
            each.kind,
            each.stated,
            each.found,
            each.start,
            each.end,
            each.passage_start,
            each.passage_end,
        )
        for each in contrasts(statement, text)
        if each.kind in ("number", "negation", "name") and each.found
    )


def verbatim(statement: str, texts: Sequence[str]) -> tuple[int, int, int] | None:
    """Return where one of the texts says a statement in the same words, or `None`.

    That is which text, and the half-open interval in it. Typography may differ. A place whose own
    sentence denies, attributes, asks or conditions it does not count, nor one that cuts something
    off that belongs to it.
    """
    words = statement.strip().rstrip(".!")
    for number, text in enumerate(texts):
        prepared, form = _prepared(text), QuoteForm(words)
        places = [found] if (found := find_verbatim(form, prepared)) else []
        if not places and form.letters:
            places = [*islice(accepted_places(form, prepared), _MOST_PLACES)]
        for place in places:
            start, end = place.intervals[0][0], place.intervals[-1][1]
            if place.grade in ("exact", "normalized") and not prepared.framing_at(start, end):
                return number, start, end
    return None


@lru_cache(maxsize=_TEXTS_KEPT)
def _prepared(text: str) -> PreparedText:
    return PreparedText(text)

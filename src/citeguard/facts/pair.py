"""A statement beside a passage, and a difference of fact between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from citeguard.facts.reading.words import Reading

ContrastKind = Literal[
    "negation", "number", "name", "opposite", "exclusive", "quantity", "modality"
]
"""What a contrast is about; `contrasts` explains each."""

# What the first and second word before and after add to the likeness of two places, and what the
# whole texts add. Rounded from a logistic regression on half of the development data.
_BEFORE, _AFTER, _COVERAGE_WEIGHT = (0.25, 0.5), (0.4, 0.2), 0.4


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference of fact between a statement and a passage.

    Attributes:
        kind: what it is about.
        stated: the words of the statement.
        found: the words of the passage that stand in their place; empty for a name that the
            passage has nothing in the place of.
        start: offset in the statement of the first character of `stated`, in code points.
        end: offset after its last one.
        passage_start: offset in the passage of the first character of `found`; where nothing was
            found, equal to `passage_end`.
        passage_end: offset after its last one.
    """

    kind: ContrastKind
    stated: str
    found: str
    start: int
    end: int
    passage_start: int
    passage_end: int


def contrast(
    kind: ContrastKind,
    stated: tuple[str, int, int],
    found: tuple[str, int, int] = ("", 0, 0),
) -> Contrast:
    """Return the contrast of two slices of readings."""
    return Contrast(kind, stated[0], found[0], *stated[1:], *found[1:])


class Pair:
    """A statement beside a passage."""

    def __init__(self, statement: Reading, passage: Reading) -> None:
        self.kept: dict[object, Any] = {}
        self.statement, self.passage = statement, passage
        self.shared = statement.places.keys() & passage.places.keys()

    @cached_property
    def coverage(self) -> float:
        """Share of the statement's content words that the passage has, 0..1."""
        stems = self.statement.places
        return len(self.shared) / len(stems) if stems else 0.0

    def likeness(self, i: int, j: int, i_last: int = -1, j_last: int = -1) -> float:
        """Return how much alike what stands around two stretches of words is, 0 to 2.75."""
        i_last, j_last = max(i, i_last), max(j, j_last)
        alike = self.nearby(i, j) + _COVERAGE_WEIGHT * self.coverage
        for distance, weight in enumerate(_BEFORE, start=1):
            if not self._is_same(i - distance, j - distance):
                break
            alike += weight
        for distance, weight in enumerate(_AFTER, start=1):
            if not self._is_same(i_last + distance, j_last + distance):
                break
            alike += weight
        return alike

    def nearby(self, i: int, j: int) -> float:
        """Return the share of the content words around two words that are the same, 0..1."""
        one, other = self.statement.around[i], self.passage.around[j]
        fewest = min(len(one), len(other))
        return len(one & other) / fewest if fewest else 0.0

    def _is_same(self, i: int, j: int) -> bool:
        """Tell whether two words are the same, or lie both beyond the end of their text."""
        return self.statement.stem_at(i) == self.passage.stem_at(j)

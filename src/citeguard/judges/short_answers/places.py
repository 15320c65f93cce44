"""An answer in its sentence, and the part of the sentence that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeguard.language.sentences import Interval

CONCEDING = r"although|though|despite|in\sspite\sof|notwithstanding|unlike|whereas|while"
"""Alternatives of a pattern: what begins a part of a sentence that the rest is said in spite of."""

_PARTING = re.compile(rf"[,;:()](?=\s|\Z)|\s[–—-]\s|\b(?:and|but|{CONCEDING})\b", re.IGNORECASE)
_NEAR = 40  # characters before an answer that tell what it is


class Place(NamedTuple):
    """An answer in a sentence.

    Attributes:
        sentence: The sentence.
        start: Where the answer starts in it, in code points.
        end: Where it ends.
    """

    sentence: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The answer."""
        return self.sentence[self.start : self.end]

    @property
    def before(self) -> str:
        """What stands right before it."""
        return self.sentence[max(0, self.start - _NEAR) : self.start]

    @property
    def parts(self) -> list[Interval]:
        """The parts of the sentence between commas, "and" and the like; the answer is in one."""
        return list(self._parts())

    @property
    def own_part(self) -> Interval:
        """The one that the answer is in."""
        return next(part for part in self._parts() if part[0] <= self.start <= part[1])

    def _parts(self) -> Iterator[Interval]:
        start = 0
        for link in _PARTING.finditer(self.sentence):
            if not self.start <= link.start() < self.end and link.start() > start:
                yield start, link.start()
                start = link.start()
        yield start, len(self.sentence)

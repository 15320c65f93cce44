"""An index of a search form, which finds every place within a quote's edit budget fast.

By the lemma of `search`, enough pieces of a quote are unchanged wherever it occurs with few edits.
The index lists all five-letter pieces of the text and so gives the places where that many meet;
only those are compared letter by letter. Nothing within the budget is missed, except in a text so
repetitive that it exceeds the limits below.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from citeguard.quotes.search import (
    PIECE,
    Candidate,
    edit_budget,
    nearest_in,
    occurrences,
    regions_of,
)

_FEW = 4  # pieces, of which the rarest leads to the unchanged occurrences of some letters
_MANY_HITS = 20_000  # beyond it the commonest pieces are dropped, as far as the lemma allows
_MOST_HITS = 2_000_000  # beyond it the text is too repetitive to search
_MOST_REGIONS = 256  # the rest of a repetitive text is ignored
_MOST_STEPS = 2_000_000  # letters of text compared per search, for a pattern of up to 1,000 letters
_MULTIPLIER = 0x9E3779B1  # Knuth's multiplicative hashing: 2**32 / golden ratio
_POWERS = np.array([pow(_MULTIPLIER, PIECE - i, 1 << 32) for i in range(PIECE)], dtype=np.uint32)

_Numbers = NDArray[np.int32]


class PieceIndex:
    """Where each piece of five letters occurs in a search form. Takes about 6 bytes a letter."""

    def __init__(self, letters: str) -> None:
        self.letters = letters
        # A table no larger than the text: a short source must not pay for an empty one.
        # Nor may it have more buckets than two bytes can number.
        self._shift = 32 - min(16, max(4, len(letters).bit_length() - 1))
        buckets = _buckets(letters, self._shift)
        self._positions = np.argsort(buckets, kind="stable").astype(np.int32)
        counts = np.bincount(buckets, minlength=1 << (32 - self._shift))
        self._bounds = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)

    def places(self, letters: str) -> Iterator[int]:
        """Yield where some letters occur unchanged, in order."""
        if len(letters) < PIECE:
            yield from occurrences(letters, self.letters)
            return
        firsts, counts = self._listed(letters[: _FEW * PIECE])
        rarest = int(counts.argmin())
        first, count = int(firsts[rarest]), int(counts[rarest])
        for position in self._positions[first : first + count].tolist():
            start = position - rarest * PIECE
            if start >= 0 and self.letters.startswith(letters, start):
                yield start

    def find(self, quote: str) -> list[Candidate]:
        """Return the places within the edit budget, nearest first; overlapping ones are merged."""
        budget = edit_budget(len(quote))
        if not budget or len(quote) > len(self.letters) + budget:
            return []
        candidates = [
            candidate
            for region in islice(self._regions(quote, budget), _MOST_REGIONS)
            if (candidate := nearest_in(self.letters, region, quote))
        ]
        return sorted(candidates, key=lambda candidate: candidate.distance)

    def _listed(self, quote: str) -> tuple[_Numbers, _Numbers]:
        """Return, for the disjoint pieces of a quote, where the index lists them and how often."""
        buckets = _hashes(quote) >> np.uint32(self._shift)
        firsts = self._bounds.take(buckets)
        return firsts, self._bounds[1:].take(buckets) - firsts

    def _regions(self, quote: str, budget: int) -> Iterator[tuple[int, int]]:
        """Yield the intervals of the text in which enough pieces of the quote meet."""
        shifts, needed = self._shifts(quote, budget)
        if len(shifts) < needed:
            return
        close = shifts[needed - 1 :] - shifts[: len(shifts) - needed + 1] <= budget
        firsts = shifts[: len(close)][close]
        steps = 0
        for start, end in regions_of(firsts.tolist(), len(quote), len(self.letters)):
            steps += (end - start) * (1 + len(quote) // 1_000)
            if steps > _MOST_STEPS:
                return
            yield start, end

    def _shifts(self, quote: str, budget: int) -> tuple[_Numbers, int]:
        """Return the start of the quote that each hit implies, and how many of them must agree."""
        firsts, counts = self._listed(quote)
        offsets = np.arange(0, PIECE * len(counts), PIECE, dtype=np.int32)
        if counts.sum() > _MANY_HITS:
            # With more pieces than edits, at least one is unchanged.
            kept = _rarest(counts, least=budget + 1)
            firsts, counts, offsets = firsts[kept], counts[kept], offsets[kept]
        if counts.sum() > _MOST_HITS:
            return np.zeros(0, dtype=np.int32), 1
        ends = counts.cumsum(dtype=np.int32)
        # Joins the stretches of the list without a loop over the pieces.
        listed = np.arange(ends[-1], dtype=np.int32) + (firsts - ends + counts).repeat(counts)
        shifts = self._positions[listed] - offsets.repeat(counts)
        shifts.sort()
        return shifts, len(counts) - budget


def _codes(letters: str) -> NDArray[np.uint16]:
    return np.frombuffer(letters.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)


def _buckets(letters: str, shift: int) -> NDArray[np.uint16]:
    """Return, for each letter, the bucket of the piece that begins there: its hash's high bits."""
    codes = _codes(letters)
    length = max(0, len(codes) - PIECE + 1)
    hashes = np.zeros(length, dtype=np.uint32)
    for i in range(PIECE):
        hashes = (hashes + codes[i : i + length]) * np.uint32(_MULTIPLIER)
    return (hashes >> np.uint32(shift)).astype(np.uint16)


@lru_cache(maxsize=32)
def _hashes(quote: str) -> NDArray[np.uint32]:
    """Return the hashes of a quote's disjoint pieces; cached, as several sources are searched."""
    count = len(quote) // PIECE
    return _codes(quote[: count * PIECE]).reshape(count, PIECE) @ _POWERS


def _rarest(counts: _Numbers, *, least: int) -> NDArray[np.intp]:
    """Return the rarest pieces that together do not have too many hits, but at least `least`."""
    order = counts.argsort(kind="stable")
    hits = counts[order].cumsum()
    return order[: max(least, int(hits.searchsorted(_MANY_HITS, side="right")))]

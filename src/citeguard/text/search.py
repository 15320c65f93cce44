"""Approximate search in a search form: every place within the edit budget, found fast.

A quote of `m` letters may differ by `edit_budget(m)` edits, one in eight. Of its `m // 5` disjoint
pieces of five letters, an edit spoils at most one, so at least `m // 5 - budget` stand unchanged in
the text, shifted against one another by no more than the budget (the pigeonhole lemma of Jokinen
and Ukkonen, 1991). An index of all five-letter pieces of the text names the places where that
many meet; only those are compared letter by letter. Nothing within the budget is missed, but in a
text so repetitive that the limits below would be passed: there the search may stop without a find.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, islice

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from citeguard.text.levenshtein import nearest_substring

PIECE = 5
_SHORTEST = 2 * PIECE  # below, one edit could spoil every piece: no edits are allowed
_LONGEST = 4_000  # letters; longer quotes are found verbatim or folded, not with edits
_FEW = 4  # pieces of some letters, of which the rarest leads to where they stand unchanged
_MANY_HITS = 20_000  # pieces beyond it are dropped, the commonest first, as far as the lemma allows
_MOST_HITS = 2_000_000  # more than that, and the text is too repetitive to search
_MOST_REGIONS = 256  # of a text that says the same over and over, the rest is left out
_MOST_STEPS = 2_000_000  # letters of text compared per search, for a pattern of up to 1,000 letters
_MULTIPLIER = 0x9E3779B1  # Knuth's multiplicative hashing: 2**32 / golden ratio


_Piece = tuple[int, int, int, int]  # how often it stands, its number, its first and last place


def edit_budget(length: int) -> int:
    """Return how many edits a quote of so many letters may be away from its source.

    Examples:
        >>> [edit_budget(length) for length in (9, 16, 100, 5000)]
        [0, 2, 12, 0]
    """
    return length // 8 if _SHORTEST <= length <= _LONGEST else 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A half-open interval of a search form, and its distance from the quote's in edits."""

    start: int
    end: int
    distance: int


class PieceIndex:
    """Where in a search form each piece of five letters stands. Costs about 6 bytes a letter."""

    def __init__(self, letters: str) -> None:
        self.letters = letters
        # A table no larger than the text: a short source must not pay for an empty one.
        self._shift = 32 - min(16, max(4, len(letters).bit_length() - 1))
        buckets = _buckets(letters, self._shift)
        self._positions = np.argsort(buckets, kind="stable").astype(np.uint32)
        counts = np.bincount(buckets, minlength=1 << (32 - self._shift))
        self._bounds = np.concatenate(([0], np.cumsum(counts))).astype(np.uint32)

    def places(self, letters: str) -> Iterator[int]:
        """Yield where some letters stand without any edit, in order.

        Fewer letters than a piece are looked for by a scan.
        """
        if len(letters) < PIECE:
            start = self.letters.find(letters) if letters else -1
            while start >= 0:
                yield start
                start = self.letters.find(letters, start + 1)
            return
        _, i, first, last = min(self._pieces(letters[: _FEW * PIECE]))
        for position in self._positions[first:last].tolist():
            start = position - i * PIECE
            if start >= 0 and self.letters.startswith(letters, start):
                yield start

    def find(self, quote: str) -> list[Candidate]:
        """Return the places within the edit budget, the nearest first; overlapping ones merged."""
        budget = edit_budget(len(quote))
        if not budget or len(quote) > len(self.letters) + budget:
            return []
        found = [
            candidate
            for start, end in islice(self._regions(quote, budget), _MOST_REGIONS)
            if (candidate := _nearest_in(self.letters[start:end], start, quote, budget))
        ]
        return sorted(found, key=lambda candidate: candidate.distance)

    def _pieces(self, quote: str) -> list[_Piece]:
        """Return where the index lists the disjoint pieces of a quote."""
        pieces: list[_Piece] = []
        for i in range(len(quote) // PIECE):
            bucket = _bucket(quote[i * PIECE : (i + 1) * PIECE], self._shift)
            first, last = int(self._bounds[bucket]), int(self._bounds[bucket + 1])
            pieces.append((last - first, i, first, last))
        return pieces

    def _regions(self, quote: str, budget: int) -> Iterator[tuple[int, int]]:
        """Yield the intervals of the text in which enough pieces of the quote meet."""
        shifts, needed = self._shifts(quote, budget)
        if len(shifts) < needed:
            return
        close = shifts[needed - 1 :] - shifts[: len(shifts) - needed + 1] <= budget
        firsts = shifts[: len(close)][close]
        steps = 0
        for first, last in _runs(firsts.tolist(), gap=len(quote) // 2):
            start = max(0, first - budget)
            end = min(len(self.letters), last + budget + len(quote) + budget)
            steps += (end - start) * (1 + len(quote) // 1_000)
            if steps > _MOST_STEPS:
                return
            yield start, end

    def _shifts(self, quote: str, budget: int) -> tuple[NDArray[np.int64], int]:
        """Return where each piece found would have the quote start, and how many must agree."""
        kept = _rarest(self._pieces(quote), least=budget + 1)
        if sum(count for count, *_ in kept) > _MOST_HITS:
            return np.zeros(0, dtype=np.int64), 1
        hits = [
            self._positions[start:end].astype(np.int64) - i * PIECE for _, i, start, end in kept
        ]
        return np.sort(np.concatenate(hits)), len(kept) - budget


def _buckets(letters: str, shift: int) -> NDArray[np.uint16]:
    """Return the bucket of the piece that begins at each letter, as `_bucket` computes it."""
    codes = np.frombuffer(letters.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    length = max(0, len(codes) - PIECE + 1)
    hashes = np.zeros(length, dtype=np.uint32)
    for i in range(PIECE):
        hashes = (hashes + codes[i : i + length]) * np.uint32(_MULTIPLIER)
    return (hashes >> np.uint32(shift)).astype(np.uint16)


def _bucket(piece: str, shift: int) -> int:
    """Return the bucket of one piece: numpy takes longer to start than this to finish."""
    hashed = 0
    for letter in piece:
        hashed = (hashed + ord(letter)) * _MULTIPLIER & 0xFFFFFFFF
    return hashed >> shift


def _rarest(pieces: list[_Piece], *, least: int) -> list[_Piece]:
    """Leave out the commonest pieces as long as there are too many hits; keep some in any case."""
    if sum(count for count, *_ in pieces) <= _MANY_HITS:
        return pieces
    pieces = sorted(pieces)
    hits = list(accumulate(count for count, *_ in pieces))
    return pieces[: max(least, bisect_right(hits, _MANY_HITS))]


def _runs(values: list[int], *, gap: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of each run of sorted values that lie at most `gap` apart."""
    first = last = values[0] if values else 0
    for value in values[1:]:
        if value - last > gap:
            yield first, last
            first = value
        last = value
    if values:
        yield first, last


def _nearest_in(region: str, offset: int, quote: str, budget: int) -> Candidate | None:
    # Cheap and certain: within the budget, at least so many letters stand in common order.
    needed = len(quote) - budget
    if LCSseq.similarity(quote, region, score_cutoff=needed) < needed:
        return None
    found = nearest_substring(quote, region, most=budget)
    return found and Candidate(offset + found[0], offset + found[1], found[2])

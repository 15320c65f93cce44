"""Where a text is cut into blocks that a browser lays out one by one: `blocks`; and `stretches`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

from citeguard.language.sentences import Interval

Owner = TypeVar("Owner")

BLOCK = 2_000
"""Characters of a block, at least; it then ends with its line."""

_LONGEST_LINE = 10_000  # characters after which a block ends even if its line does not


def blocks(text: str, kept: Sequence[Interval] = ()) -> list[Interval]:
    r"""Cut a text into blocks of whole lines, of some 2,000 characters each.

    A line is cut only after 10,000 characters. The blocks cover the text, in order; an empty text
    has none.

    Args:
        text: The text.
        kept: Intervals that no cut falls into, in order, that do not overlap.

    Examples:
        >>> blocks("a line\n" * 300)
        [(0, 2002), (2002, 2100)]
    """
    cuts = [0]
    while len(text) - cuts[-1] > BLOCK:
        cuts.append(_cut(text, cuts[-1], kept))
    cuts += [len(text)] if cuts[-1] < len(text) else []
    return list(pairwise(cuts))


def stretches(
    start: int, end: int, owned: Iterable[tuple[int, int, Owner]]
) -> list[tuple[int, int, Owner | None]]:
    """Cut an interval into stretches: those that somebody owns, and those between them.

    What stands outside of the interval or overlaps an earlier one is cut off.

    Args:
        start: Where the interval starts.
        end: Where it ends, exclusive.
        owned: Start, end and owner of each stretch, in the order of their starts.

    Examples:
        >>> stretches(0, 9, [(2, 4, "a"), (3, 7, "b")])
        [(0, 2, None), (2, 4, 'a'), (4, 7, 'b'), (7, 9, None)]
    """
    cut: list[tuple[int, int, Owner | None]] = []
    at = start
    for low, high, owner in owned:
        low, high = max(low, at), min(high, end)
        if low >= high:
            continue
        if at < low:
            cut.append((at, low, None))
        cut.append((low, high, owner))
        at = high
    return [*cut, (at, end, None)] if at < end else cut


def _cut(text: str, start: int, kept: Sequence[Interval]) -> int:
    """Return where the block that starts at `start` ends."""
    last = start + _LONGEST_LINE
    at = start + BLOCK
    while at < last:
        found = text.find("\n", at, last)
        if found < 0:
            break
        at = found + 1
        if (free := _after_kept(at, kept)) == at:
            return at
        at = free
    blank = text.find(" ", max(at, last), last + _LONGEST_LINE)
    return min(len(text), _after_kept(blank + 1 if blank >= 0 else max(at, last), kept))


def _after_kept(at: int, kept: Sequence[Interval]) -> int:
    index = bisect_right(kept, at, key=lambda interval: interval[0]) - 1
    return kept[index][1] if index >= 0 and kept[index][0] < at < kept[index][1] else at

"""What a statement that is nearly a copy of a passage has in the place of the passage's words."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from citeguard.facts.pair import Pair
from citeguard.facts.reading.words import kept

# Chosen on development data: with fewer words in the passage's order, places are chance.
_LEAST_COPIED = 0.75
_FEWEST_WORDS = 5  # of a statement, so that most of them can be the passage's
IN_PLACE = 0.85
"""Share of copied words from which the place alone tells what is meant."""

_LONGEST = 4  # words that stand for others; more of them are another clause


class Replacement(NamedTuple):
    """Words of a statement that stand where a passage has others.

    Attributes:
        first: place of the first word of the statement.
        last: place of the last one.
        found: place of the first word of the passage.
        found_last: place of the last one.
        copied: share of the statement's words that stand in the passage in their order, 0..1.
    """

    first: int
    last: int
    found: int
    found_last: int
    copied: float


class _Copied(NamedTuple):
    """Words that both texts have in order: from a place, up to another, in either text."""

    start: int
    end: int
    found: int
    found_end: int


@kept
def replacements(pair: Pair) -> tuple[Replacement, ...]:
    """Return what is replaced in a statement most of whose words are the passage's, in order."""
    length, blocks = len(pair.statement.words), _copied(pair)
    copied = sum(block.end - block.start for block in blocks) / max(1, length)
    if length < _FEWEST_WORDS or copied < _LEAST_COPIED:
        return ()
    replaced: list[Replacement] = []
    for before, after in pairwise(_with_ends(blocks, length)):
        stated, found = range(before.end, after.start), range(before.found_end, after.found)
        is_short = 0 < len(stated) <= _LONGEST and 0 < len(found) <= _LONGEST
        if is_short and found[0] >= 0 and found[-1] < len(pair.passage.words):
            replaced.append(Replacement(stated[0], stated[-1], found[0], found[-1], copied))
    return tuple(replaced)


def _with_ends(blocks: list[_Copied], length: int) -> list[_Copied]:
    """Add what would make as many words of the passage stand for those at either end."""
    first, last = blocks[0], blocks[-1]
    begin, end = first.found - first.start, last.found_end + length - last.end
    return [_Copied(0, 0, begin, begin), *blocks, _Copied(length, length, end, end)]


def _copied(pair: Pair) -> list[_Copied]:
    stems = ([word.stem for word in side.words] for side in (pair.statement, pair.passage))
    return [
        _Copied(block.src_start, block.src_end, block.dest_start, block.dest_end)
        for block in Indel.opcodes(*stems)
        if block.tag == "equal"
    ]

"""The aligned difference between a quote and a passage, cut into blocks of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

from citeguard.language.tokens import Token

Operation = Literal["insert", "delete", "replace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One difference between a quote and its source.

    Attributes:
        operation: what the quote did to the source's words: added, left out or replaced some.
        quoted: the quote's words; empty for a deletion.
        source: the source's words; empty for an insertion.
        material: whether the difference may change the meaning, so that the quote is refused.
        reason: what kind of difference it is, in a word or two.
    """

    operation: Operation
    quoted: str
    source: str
    material: bool
    reason: str


def left_out(words: str, reason: str) -> Edit:
    """Return the material edit that a quote leaves some words of its source out."""
    return Edit(operation="delete", quoted="", source=words, material=True, reason=reason)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of difference: `quote[q:q_end]` stands for `source[s:s_end]`."""

    q: int
    q_end: int
    s: int
    s_end: int


def align(quote: Sequence[Token], source: Sequence[Token]) -> Iterator[Block]:
    """Yield the blocks in which two token sequences differ by key, adjacent ones joined."""
    block: Block | None = None
    keys = [token.key for token in quote], [token.key for token in source]
    if keys[0] == keys[1]:
        return
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "equal":
            if block:
                yield block
            block = None
        elif block:
            block = Block(block.q, op.src_end, block.s, op.dest_end)
        else:
            block = Block(op.src_start, op.src_end, op.dest_start, op.dest_end)
    if block:
        yield block

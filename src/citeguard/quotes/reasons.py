"""What kind of difference a material edit is: the first thing that its reader should look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from citeguard.language import lexicon, quantities
from citeguard.language.tokens import Token


def classify(quoted: Sequence[Token], source: Sequence[Token], passage: Sequence[Token]) -> str:
    """Name the kind of a difference between some tokens of a quote and of its passage.

    Args:
        quoted: the quote's tokens; empty when it left words out.
        source: the passage's tokens; empty when the quote added words.
        passage: all tokens of the passage, to see what precedes a unit.

    Returns:
        "negation", "number", "sign or unit", "unit", "qualifier", "name" or "word".
    """
    tokens = (*quoted, *source)
    keys = {token.key for token in tokens}
    if _denies(keys) or _differ_by_prefix(quoted, source):
        return "negation"
    if keys & _NUMBERS or any(token.kind == "number" for token in tokens):
        return "number"
    if any(token.kind == "symbol" for token in tokens):
        return "sign or unit"
    if keys & quantities.UNIT_WORDS and _follows_number(source or quoted, passage):
        return "unit"
    if keys & lexicon.QUALIFIERS:
        return "qualifier"
    return "name" if any(token.text[:1].isupper() for token in source or quoted) else "word"


_NUMBERS = lexicon.NUMBER_WORDS | quantities.MAGNITUDE_WORDS


def _denies(keys: set[str]) -> bool:
    return bool(keys & lexicon.NEGATORS) or any(key.endswith("n't") for key in keys)


def _differ_by_prefix(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    if len(quoted) != 1 or len(source) != 1:
        return False
    longer, shorter = sorted((quoted[0].key, source[0].key), key=len, reverse=True)
    return longer.endswith(shorter) and longer.removesuffix(shorter) in lexicon.NEGATING_PREFIXES


def _follows_number(tokens: Sequence[Token], passage: Sequence[Token]) -> bool:
    return any(
        before.kind == "number" and after.start == tokens[0].start
        for before, after in pairwise(passage)
    )

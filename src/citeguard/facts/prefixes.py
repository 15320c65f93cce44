"""Contrasts of kind `negation` between a word and the same with "un-" or the like."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from citeguard.facts.pair import Contrast, Pair, contrast
from citeguard.facts.reading.denials import denials
from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import Reading, Word, kept
from citeguard.language.spelling import is_english_word

LEAST_LIKENESS = 0.75
"""How alike the places of a word and of its denial must be; chosen on development data."""

_SHORTEST_DENIED = 4  # letters of a word that a prefix denies
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")


def denial_contrast(pair: Pair, i: int, j: int) -> Contrast:
    """The contrast of two words, each with what denies it."""
    first = denials(pair.statement).negator.get(i, i)
    other = denials(pair.passage).negator.get(j, j)
    return contrast(
        "negation",
        pair.statement.slice(min(first, i), max(first, i)),
        pair.passage.slice(min(other, j), max(other, j)),
    )


def prefixed_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of two words of which one is the other with "un-" or the like."""
    for stem, places in pair.statement.places.items():
        if stem in pair.shared:
            continue
        for others in _partners(pair.statement.words[places[0]], stem, pair.passage):
            i, j = _likest(pair, places, others)
            if _are_both_denied(pair, places, others) and pair.likeness(i, j) >= LEAST_LIKENESS:
                yield denial_contrast(pair, i, j)


def _partners(word: Word, stem: str, passage: Reading) -> Iterator[list[int]]:
    """Yield the places of the words that are a word with a prefix more, or less."""
    yield from (passage.places[bare] for bare in without_prefix(word.key) if bare in passage.places)
    yield from (places for bare, places in _prefixed_words(passage) if bare == stem)


@kept
def _prefixed_words(reading: Reading) -> list[tuple[str, list[int]]]:
    """Return the words with a prefix: the stem of each without it, and its places."""
    return [
        (bare, places)
        for places in reading.places.values()
        for bare in without_prefix(reading.words[places[0]].key)
    ]


@lru_cache(maxsize=10_000)
def without_prefix(word: str) -> tuple[str, ...]:
    """Return the stems of what a word may be without its prefix.

    Of the word and not of its stem: those of "undilated" and "dilated" have less in common.
    """
    bare = (word.removeprefix(each) for each in _PREFIXES if word.startswith(each))
    return tuple(root(each) for each in bare if len(each) >= _SHORTEST_DENIED)


def is_prefixed(word: str) -> bool:
    """Tell whether a word begins with "un-", and is one without it: not "understand"."""
    return word.startswith("un") and is_english_word(word.removeprefix("un"))


def _are_both_denied(pair: Pair, stated: list[int], found: list[int]) -> bool:
    """Tell whether two words are denied in both texts or in none, wherever they stand."""
    one, other = denials(pair.statement), denials(pair.passage)
    return any(map(one.is_denied, stated)) == any(map(other.is_denied, found))


def _likest(pair: Pair, stated: list[int], found: list[int]) -> tuple[int, int]:
    return max(((i, j) for i in stated for j in found), key=lambda places: pair.nearby(*places))

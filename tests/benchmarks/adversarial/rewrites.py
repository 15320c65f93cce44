"""Finders of words to be replaced, left out or put in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from .cases import Candidates
from .typography import matches


def swaps(*pairs: tuple[str, str], both: bool = True) -> Candidates:
    """Make a finder of words and phrases of a table, to be replaced by the other of their pair."""
    table: dict[str, list[str]] = {}
    for one, other in pairs:
        table.setdefault(one, []).append(other)
        if both:
            table.setdefault(other, []).append(one)
    return replaced(table)


def replaced(table: Mapping[str, Sequence[str]]) -> Candidates:
    """Make a finder of whole words of a table, small or with a capital as the text has them."""

    def new(m: re.Match[str], rng: Random) -> str:
        word = m.group()
        chosen = rng.choice(table[word if word in table else word[0].lower() + word[1:]])
        return chosen[0].upper() + chosen[1:] if word not in table else chosen

    either_case = "|".join(
        f"[{k[0].upper()}{k[0]}]{re.escape(k[1:])}" if k[0].islower() else re.escape(k)
        for k in sorted(table, key=len, reverse=True)
    )
    return matches(rf"(?<![\w’'-])(?:{either_case})(?![\w’'-])", new)


def removed(words: str) -> Candidates:
    """Make a finder of words with the space after them, to be left out."""
    return matches(rf"(?<![\w’'-])(?:{words}) (?=[\w$£€])", lambda m, r: "")


def inserted(place: str, words: Sequence[str]) -> Candidates:
    """Make a finder of places that a pattern of no width matches, where a word and a space fit."""
    return matches(place, lambda m, r: r.choice(words) + " ")


def any_of(*finders: Candidates) -> Candidates:
    """Put several finders together."""
    return lambda text, rng: [edit for finder in finders for edit in finder(text, rng)]


def recase(old: str, new: str) -> str:
    """Begin a word with a capital where the word it replaces does."""
    return new[0].upper() + new[1:] if old[0].isupper() else new

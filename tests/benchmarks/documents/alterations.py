"""Sentences with another meaning: a number changed, a negation added or taken away."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER = re.compile(r"\d+")
_NUMBER_WORDS: list[str] = (
    "two three four five six seven eight nine ten twelve twenty hundred".split()
)
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b")
_NEGATIONS = (
    (re.compile(r"\bcan['’]t\b"), "can"),
    (re.compile(r" not\b| never\b|(?<!ca)(?<!wo)n['’]t\b"), ""),
)
_AUXILIARIES = (
    "is are was were has have had will would could should may might must does did".split()
)
_AUXILIARY = re.compile(rf"\b(?:{'|'.join(_AUXILIARIES)})\b(?! not|n)")


def alterations(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the kinds of change that a sentence allows, each with the changed sentence."""
    for kind, change in (("number", _another_number), ("negation", _another_polarity)):
        changed = change(sentence)
        if changed != sentence:
            yield kind, changed


def _another_number(sentence: str) -> str:
    if _NUMBER.search(sentence):
        return _NUMBER.sub(lambda number: str(int(number[0]) + 1), sentence, count=1)
    return _NUMBER_WORD.sub(lambda word: _next_word(word[0]), sentence, count=1)


def _next_word(word: str) -> str:
    return _NUMBER_WORDS[(_NUMBER_WORDS.index(word) + 1) % len(_NUMBER_WORDS)]


def _another_polarity(sentence: str) -> str:
    for negation, without in _NEGATIONS:
        if negation.search(sentence):
            return negation.sub(without, sentence, count=1)
    return _AUXILIARY.sub(r"\g<0> not", sentence, count=1)

"""Statements made from a sentence of their evidence by rule, with a seed.

One fact is changed, or nothing; or the sentence is taken out of the evidence.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator

from citeguard.language.sentences import sentence_intervals

from .data import Item

SEED = 7
_MOST_TEXTS = 1_500
_SHORTEST, _LONGEST = 40, 300  # characters of a sentence
_AROUND = 3_000  # characters of evidence
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|should|may|must)\b(?! not|n't)"
)
_NEGATED = re.compile(
    r"\b(is|are|was|were|has|have|had|could|would|should|did|do|does) ?(?:not|n't|n’t)\b"
)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*)")

Alteration = Callable[[str, str, random.Random], str | None]


def negated(sentence: str, text: str, chance: random.Random) -> str | None:
    """Take the negation of a sentence away, or give it one."""
    if found := _NEGATED.search(sentence):
        return f"{sentence[: found.start()]}{found[1]}{sentence[found.end() :]}"
    if found := _AUXILIARY.search(sentence):
        return f"{sentence[: found.end()]} not{sentence[found.end() :]}"
    return None


def renumbered(sentence: str, text: str, chance: random.Random) -> str | None:
    """Change one number to another with as many digits."""
    numbers = list(_NUMBER.finditer(sentence))
    if not numbers:
        return None
    found = chance.choice(numbers)
    places = [place for place, sign in enumerate(found[0]) if sign.isdigit()]
    place = chance.choice(places)
    digits = [digit for digit in "123456789" if digit != found[0][place]]
    changed = found[0][:place] + chance.choice(digits) + found[0][place + 1 :]
    return sentence[: found.start()] + changed + sentence[found.end() :]


def renamed(sentence: str, text: str, chance: random.Random) -> str | None:
    """Put another name of the same text, of as many words, in the place of one."""
    names = list(_NAME.finditer(sentence))
    if not names:
        return None
    found = chance.choice(names)
    length = len(found[0].split())
    others = sorted(
        name
        for name in {match[0] for match in _NAME.finditer(text)}
        if len(name.split()) == length and name not in sentence and found[0] not in name
    )
    if not others:
        return None
    return sentence[: found.start()] + chance.choice(others) + sentence[found.end() :]


def unchanged(sentence: str, text: str, chance: random.Random) -> str | None:
    """Leave a sentence as it is."""
    return sentence


def shortened(sentence: str, text: str, chance: random.Random) -> str | None:
    """Leave out what stands after the last comma."""
    head, comma, tail = sentence.rpartition(", ")
    is_clause = comma and len(head.split()) >= 8 and not re.match(r"(?:but|not|and|or)\b", tail)
    return f"{head}." if is_clause else None


CHANGES: dict[str, Alteration] = {"negation": negated, "number": renumbered, "name": renamed}
KEPT: dict[str, Alteration] = {"unchanged": unchanged, "shortened": shortened}


def polarity_items(items: Iterable[Item], *, part: int) -> list[Item]:
    """Return statements made from the evidence of items; the two parts, 0 and 1, share no text."""
    chance = random.Random(SEED)
    texts = sorted({text for item in items for text in item.evidence})
    chance.shuffle(texts)
    return [
        item
        for number, text in enumerate(texts[:_MOST_TEXTS])
        if number % 2 == part
        for item in _made_from(text, number, chance)
    ]


def _made_from(text: str, number: int, chance: random.Random) -> Iterator[Item]:
    sentences = [
        (start, end)
        for start, end in sentence_intervals(text)
        if _SHORTEST <= end - start <= _LONGEST
    ]
    if not sentences:
        return
    start, end = chance.choice(sentences)
    low = max(0, start - _AROUND // 2)
    evidence = (text[low : end + _AROUND // 2],)
    for kind, change in {**CHANGES, **KEPT}.items():
        statement = change(text[start:end], text, chance)
        if statement is not None:
            label = "supported" if kind in KEPT else "contradicted"
            yield Item(id=f"{kind}-{number}", statement=statement, evidence=evidence, label=label)
    without = f"{text[low:start]}{text[end : end + _AROUND // 2]}"
    if len(without) > _LONGEST:
        yield Item(
            id=f"absent-{number}",
            statement=text[start:end],
            evidence=(without,),
            label="unsupported",
        )

"""Stitched quotes: halves of two sentences, as if they were one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite, is_balanced

# Where a sentence can go on as another one does after the same words.
_JOINTS = tuple(
    re.compile(rf"{pattern} ")
    for pattern in (
        r", and (?:it|he|she|they|the|is|was|has|had|are|were)\b", r", but\b", r", while\b",
        r", although\b", r", which\b", r", who\b", r", where\b", r",? because\b", r" so that\b",
        r" in order to\b", r",? when\b", r", including\b",
        r" due to\b", r", making\b", r" despite\b", r" until\b", r" according to\b",
        r" such as\b", r" as well as\b", r" in which\b", r" that (?:is|was|are|were|has|had)\b",
    )
)  # fmt: skip
_ELLIPSIS = re.compile(r"\.\s?\.|…")
_STOPS = (".", "!", "。", "”", '"', ")")
_LEAST = 4  # words of either half
_MOST_SENTENCES = 40


def find_joins(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield joins at the same words, then one sentence after a distant one, and elided ones."""
    if _ELLIPSIS.search(passage.text):
        return
    others = _others(passage, material, random)
    elided = list(_elided(passage, material, others))
    if elided and random.random() < 1 / 3:
        yield from elided
    if material.document.passage.is_english:
        yield from _joined(passage, others)
    yield from _appended(passage, material, others)
    yield from elided


def _others(passage: Passage, material: Material, random: Random) -> list[Passage]:
    """Return other sentences of the same source, in an order that is drawn."""
    own = passage.text
    found = [
        each
        for each in material.document.sentences
        if each.text not in own
        and own not in each.text
        and _is_long(each)
        and each.text[0].isalpha()
        and not each.text[0].islower()
        and each.text.endswith(_STOPS)
        and not _ELLIPSIS.search(each.text)
        and is_balanced(each.text)
    ]
    return random.sample(found, min(len(found), _MOST_SENTENCES))


def _is_long(passage: Passage) -> bool:
    """Tell whether a sentence could be a quote by itself; without spaces, by its characters."""
    unspaced = " " not in passage.text
    return len(passage.words) > 2 * _LEAST or (unspaced and len(passage.text) > 3 * _LEAST)


def _joined(passage: Passage, others: list[Passage]) -> Iterator[Rewrite]:
    for joint in _JOINTS:
        here = joint.search(passage.text)
        if here is None or not _is_half(passage.text[: here.start()]):
            continue
        for other in others:
            there = joint.search(other.text)
            if there is not None and _is_half(other.text[there.end() :]):
                rest = other.text[there.end() :]
                if rest != passage.text[here.end() :] and is_balanced(
                    passage.text[: here.end()] + rest
                ):
                    yield Rewrite("joined", (Edit(here.end(), len(passage.text), rest),))


def _is_half(text: str) -> bool:
    return len(text.split()) >= _LEAST


def _appended(passage: Passage, material: Material, others: list[Passage]) -> Iterator[Rewrite]:
    """A sentence that does not follow, put after this one as if it did."""
    if not passage.text.rstrip().endswith((".", "!", "?", "。")) or not is_balanced(passage.text):
        return
    gap = "" if passage.text.rstrip().endswith("。") else " "
    end = len(passage.text)
    for other in others:
        yield Rewrite("appended", (Edit(end, end, f"{gap}{other.text}"),))


def _elided(passage: Passage, material: Material, others: list[Passage]) -> Iterator[Rewrite]:
    """A sentence that stands only before this one, put after it at an ellipsis."""
    text, end = material.document.text, len(passage.text)
    here = text.find(passage.text)
    for other in others:
        if 0 <= text.rfind(other.text) < here and other.words[0].text in ("The", "It", "He", "She"):
            yield Rewrite("out of order", (Edit(end, end, f" … {other.text}"),))

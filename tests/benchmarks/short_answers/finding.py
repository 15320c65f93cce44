"""Finding the answer in a paragraph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from citeguard.judges.short_answers.extractor import LexicalExtractor
from citeguard.language.sentences import sentence_intervals

from . import material
from .material import Asked

_KINDS = ("number", "date", "person", "place", "name", "phrase")


def rows(folder: Path) -> Iterator[tuple[str, int, str, str, str]]:
    """Yield exact matches and F1, as SQuAD counts them, and how often the sentence is right."""
    questions = material.xquad(folder)
    for kind in ("all", *_KINDS):
        some = [_scores(asked) for asked in questions if kind in ("all", asked.kind)]
        means = [fmean(column) for column in zip(*some, strict=True)]
        yield kind, len(some), *(f"{100 * mean:.0f} %" for mean in means)


def _scores(asked: Asked) -> tuple[float, float, float]:
    found = LexicalExtractor()(asked.question, asked.paragraph)
    if found is None:
        return 0.0, 0.0, 0.0
    one, other = _words(found.text), _words(asked.answer)
    shared = (Counter(one) & Counter(other)).total()
    same_sentence = any(
        start <= found.start < end and start <= asked.start < end
        for start, end in sentence_intervals(asked.paragraph)
    )
    return float(one == other), 2 * shared / (len(one) + len(other) or 1), float(same_sentence)


def _words(answer: str) -> list[str]:
    plain = re.sub(r"[^\w\s]", "", answer.lower())
    return [word for word in plain.split() if word not in ("a", "an", "the")]

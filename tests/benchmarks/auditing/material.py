"""Labelled answers with their sources, in two halves that share no source."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..data import rows

Interval = tuple[int, int]
"""Half-open, in code points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A text with its sources, and what people found wrong with it.

    Attributes:
        id: Which answer of its data set it is.
        text: The answer.
        sources: The texts of its sources, by id.
        wrong: Whether people found anything that the sources do not bear out.
        spans: Where that stands, as far as it was marked.
        development: Whether it is of the half on which thresholds are chosen.
        meta: What else the data set says of it.
    """

    id: str
    text: str
    sources: Mapping[str, str]
    wrong: bool
    spans: tuple[Interval, ...]
    development: bool
    meta: Mapping[str, Any]


def load(folder: Path, name: str, most: int | None = None) -> list[Answer]:
    """Return the answers of a data set that are labelled, grey ones left out; at most so many.

    Args:
        folder: The data.
        name: The data set.
        most: How many to return; those that come first by a hash of their sources.
    """
    read = rows(folder / f"{name}.jsonl.gz")
    answers = [_answer(row) for row in read if row["label"] and row["statement"]]
    if most is None or len(answers) <= most:
        return answers
    return sorted(answers, key=lambda answer: _hash(f"{answer.id} {_key(answer.sources)}"))[:most]


def _answer(row: Mapping[str, Any]) -> Answer:
    sources = {passage["id"]: passage["text"] for passage in row["context"]}
    return Answer(
        id=row["id"],
        text=row["statement"],
        sources=sources,
        wrong=row["label"] != "supported",
        spans=tuple((start, end) for start, end, _ in row["spans"]),
        development=_hash(_key(sources)) % 2 == 0,
        meta=row["meta"] or {},
    )


def _key(sources: Mapping[str, str]) -> str:
    return "".join(sources.values())


def _hash(text: str) -> int:
    return int(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), 16)

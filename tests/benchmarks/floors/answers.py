"""Labelled answers with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..data import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A text with its sources, and whether people found anything wrong with it.

    Attributes:
        id: Which answer of its data set it is.
        text: The answer.
        sources: The texts of its sources, by id.
        wrong: Whether people found anything that the sources do not support.
    """

    id: str
    text: str
    sources: Mapping[str, str]
    wrong: bool


def load(folder: Path, name: str) -> Iterator[Answer]:
    """Yield the answers of a data set that are labelled."""
    for row in rows(folder / f"{name}.jsonl.gz"):
        if row["label"] and row["statement"]:
            yield Answer(
                id=row["id"],
                text=row["statement"],
                sources={passage["id"]: passage["text"] for passage in row["context"]},
                wrong=row["label"] != "supported",
            )

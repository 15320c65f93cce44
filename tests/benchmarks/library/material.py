"""Paragraphs of Wikipedia, with questions that they answer."""

from pathlib import Path
from typing import NamedTuple

from ..data import rows

SETS = ("xquad_en", "clapnq")


class Asked(NamedTuple):
    """A question, and the paragraph that answers it."""

    question: str
    paragraph: str


def questions(folder: Path, name: str) -> list[Asked]:
    """Read the questions of a data set."""
    items = rows(folder / f"{name}.jsonl.gz")
    return [Asked(item["question"], item["context"][0]["text"]) for item in items]


def paragraphs(folder: Path) -> list[str]:
    """Return the paragraphs of all sets, each once."""
    return list(
        dict.fromkeys(asked.paragraph for name in SETS for asked in questions(folder, name))
    )

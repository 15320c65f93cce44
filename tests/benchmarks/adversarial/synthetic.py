"""The rows of quotes_synth as cases: categories `synth_…`, reported apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .cases import Case
from .corpus import rows


def synthetic_cases(folder: Path, limit: int) -> Iterator[Case]:
    """Read the rows, at most `limit` of each kind; no place is known for them."""
    seen: Counter[str] = Counter()
    for row in rows(folder, "quotes_synth"):
        kind = row["meta"]["kind"]
        seen[kind] += 1
        if seen[kind] <= limit:
            yield Case(
                category=f"synth_{kind}",
                accept=row["label"] == "supported",
                sources={context["id"]: context["text"] for context in row["context"]},
                source_id=row["meta"]["cited"],
                quote=row["quote"],
                note=row["id"],
            )

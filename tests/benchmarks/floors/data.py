"""Labelled statements with their evidence: a folder of JSON lines."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MIXED = (
    *("attributionbench", "bump", "citecheck", "factcheck_gpt", "fever_symmetric", "fm2"),
    *("nli_breaking", "nli_conj", "nli_negation", "q2_wow", "ragtruth_sent", "scifact_abs"),
    *("storysumm", "summedits", "wice"),
)
"""Data sets with supported and other statements, each weighed alike.

Not in it: `halueval_qa`, whose wrong answers are longer than the right ones; `ragtruth`, which is
`ragtruth_sent` uncut; and the sets that have only one kind of label.
"""

EXCLUDED = Path(__file__).with_name("excluded.txt")
"""The list of documents that are kept for accuracy floors."""


def document_key(text: str) -> str:
    """Return 16 hexadecimal digits that identify a text by its letters and digits, case folded."""
    normalized = "".join(filter(str.isalnum, text.casefold()))
    return hashlib.sha256(normalized.encode()).hexdigest()[:16]


@cache
def excluded_documents() -> frozenset[str]:
    """Return the keys of the documents that accuracy floors are measured on, never trained on."""
    return frozenset(EXCLUDED.read_text("ascii").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A labelled statement, with the texts that are its evidence."""

    id: str
    statement: str
    evidence: tuple[str, ...]
    label: str

    @property
    def supported(self) -> bool:
        return self.label == "supported"

    @property
    def excluded(self) -> bool:
        """Whether one of its texts is kept for accuracy floors, so that no model may learn it."""
        return any(document_key(text) in excluded_documents() for text in self.evidence)


def load(folder: Path, name: str) -> list[Item]:
    """Return the items of a data set that have a label and a statement."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Item(
            id=row["id"],
            statement=row["statement"],
            evidence=tuple(passage["text"] for passage in row["context"]),
            label=row["label"],
        )
        for row in rows
        if row["label"] is not None and row["statement"]
    ]

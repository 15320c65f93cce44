"""The labelled data that the verifier is trained and measured on: a folder of JSON lines."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

MIXED = (
    *("attributionbench", "bump", "citecheck", "factcheck_gpt", "fever_symmetric", "fm2"),
    *("nli_breaking", "nli_conj", "nli_negation", "q2_wow", "ragtruth_sent", "scifact_abs"),
    *("storysumm", "summedits", "wice"),
)
"""Data sets with supported and other statements, each weighed alike in training.

Not in it: `halueval_qa`, whose wrong answers are longer than the right ones; `ragtruth`, which is
`ragtruth_sent` uncut; and the sets that have only one kind of label.
"""

UNSEEN = ("halueval_qa",)
"""What is never trained on and measured nevertheless."""


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

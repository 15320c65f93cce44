"""Samples of every outcome, as tables that a cluster may read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from citeguard.datasets import filter_samples

HANDBOOK = "The notice period is one month. Lunch is free for all employees."

CITATION = pa.struct([("quote", pa.string()), ("source_id", pa.string())])
STATEMENT = pa.struct([("text", pa.string()), ("citations", pa.list_(CITATION))])
SOURCE = pa.struct([("id", pa.string()), ("text", pa.string())])
SCHEMA = pa.schema(
    [
        ("id", pa.int64()),
        ("question", pa.string()),
        ("statements", pa.list_(STATEMENT)),
        ("sources", pa.list_(SOURCE)),
        ("note", pa.null()),
    ]
)

QUOTES = [
    "The notice period is one month.",
    "The notice period is not one month.",
    "A bonus of two salaries is paid every December.",
    "Lunch is free for all employees.",
]
CODES = ["", "quote_altered", "quote_not_found", "", "sources_missing", "list_type"]


def sample(number: int) -> dict[str, Any]:
    """Return a sample that is kept, or rejected for one of four reasons, as the number has it."""
    kind = number % 6
    citation = {"quote": QUOTES[kind % 4], "source_id": "handbook"}
    statement = {"text": QUOTES[kind % 4], "citations": [citation]}
    source = {"id": "handbook", "text": f"{HANDBOOK} This is copy {number}."}
    return {
        "id": number,
        "question": None if number % 4 else "How long is it?",
        "statements": None if kind == 5 else [statement],
        "sources": [] if kind == 4 else [source],
    }


def table(*numbers: int) -> pa.Table:
    """Return the samples with these numbers, with a column in which all is null."""
    return pa.Table.from_pylist([sample(number) for number in numbers], schema=SCHEMA)


def by_one_machine(samples: pa.Table, folder: Path, **settings: Any) -> dict[int, str]:
    """Return the codes of each sample, as `filter_samples` finds them."""
    parquet.write_table(samples, folder / "all.parquet")
    kept, rejected = folder / "kept.jsonl", folder / "rejected.jsonl"
    filter_samples(folder / "all.parquet", kept=kept, rejected=rejected, progress=False, **settings)
    rows = [
        json.loads(line) for path in (kept, rejected) for line in path.read_bytes().splitlines()
    ]
    return {row["id"]: codes(row.get("citeguard", {}).get("problems", [])) for row in rows}


def codes(problems: list[dict[str, Any]]) -> str:
    return ",".join(dict.fromkeys(problem["code"] for problem in problems))

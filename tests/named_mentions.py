"""The hand-labelled mentions, statements and encyclopaedia of `tests/data/mentions`, in halves.

Half B is measured only, never read: see the README there.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

FOLDER = Path(__file__).parent / "data" / "mentions"

Half = Literal["A", "B"]


def half_of(name: str) -> Half:
    return "A" if sha256(name.encode()).digest()[0] % 2 else "B"


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def labelled(half: Half) -> list[dict[str, Any]]:
    """Return the statements of a half with their mentions."""
    return [row for row in lines_of("mentions.jsonl") if half_of(row["id"]) == half]


def f1(found: Iterable[object], wanted: Iterable[object]) -> float:
    found, wanted = set(found), set(wanted)
    return 2 * len(found & wanted) / (len(found) + len(wanted))

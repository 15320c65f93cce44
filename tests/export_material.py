"""Samples to export, and what was written of them."""

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]

WRONG = {"statements": [{"text": "It is free.", "citations": [{"quote": "visitors pay nothing"}]}]}
"""An answer that fails for every sample."""


def document(number: int) -> str:
    return f"Rule {number}: visitors of building {number} pay {number} euros a day."


def answer(number: int, **citation: Any) -> Json:
    """Return the right answer to the question of a sample."""
    quote = f"visitors of building {number} pay {number} euros"
    citations = [{"quote": quote, **citation}]
    return {"statements": [{"text": f"They pay {number} euros.", "citations": citations}]}


def sample(number: int = 7, **more: Any) -> Json:
    """Return a sample that can be exported."""
    asked = {"question": f"What do visitors of building {number} pay?"}
    return {**asked, **answer(number), "sources": {"rules": document(number)}, **more}


def samples(count: int, **more: Any) -> list[Json]:
    return [sample(number, **more) for number in range(count)]


def lines(path: Path) -> list[Json]:
    """Return what a file of JSON lines holds."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def exported(folder: Path) -> list[Json]:
    """Return the samples of all splits."""
    return [line for path in sorted(folder.glob("*.jsonl")) for line in lines(path)]

"""Markup and escapes on either side: read where they parse, and only there."""

import json
from pathlib import Path

from quotes.tables import misjudged


def read_pairs(name: str) -> list[tuple[str, str]]:
    """Return pairs of a source and a quote."""
    lines = Path(__file__).with_name(f"markup_{name}.jsonl").read_text(encoding="utf-8")
    return [(source, quote) for source, quote in map(json.loads, lines.splitlines())]


def test_a_reader_sees_the_same_text() -> None:
    same = read_pairs("same")
    assert misjudged(same=same, changed=read_pairs("changed")) == []
    assert misjudged(same=[(source, source) for source, _ in same]) == []

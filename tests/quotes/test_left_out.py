"""What a faithful quote may leave out of a sentence or read in it: notes, references, LaTeX."""

import json
from pathlib import Path

from citeguard import Sources, locate
from quotes.tables import cases, misjudged

HARMLESS = cases("left out")
MATERIAL = cases("not left out")


def test_marks_and_markup_may_be_left_out() -> None:
    assert misjudged(same=HARMLESS, changed=MATERIAL) == []


def test_the_text_itself_is_accepted() -> None:
    texts = [text for text, _ in (*HARMLESS, *MATERIAL)]
    assert misjudged(same=[(text, text.strip()) for text in texts]) == []


def test_a_rejected_match_has_no_grade() -> None:
    match = locate("Smith (2010) found it.", Sources("Smith (2009) found it."))
    assert match is not None
    assert match.grade is None


def read_pairs(name: str) -> list[tuple[str, str]]:
    """Return pairs of a source and a quote."""
    lines = Path(__file__).with_name(f"markup_{name}.jsonl").read_text(encoding="utf-8")
    return [(source, quote) for source, quote in map(json.loads, lines.splitlines())]


def test_markup_is_read_on_either_side_where_it_parses() -> None:
    same = read_pairs("same")
    assert misjudged(same=same, changed=read_pairs("changed")) == []
    assert misjudged(same=[(source, source) for source, _ in same]) == []

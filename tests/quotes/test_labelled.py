"""What is the same text, and what is not: by labelled cases."""

import gc
import json
import re
import time
from pathlib import Path

import pytest

from citeguard import Sources, locate
from citeguard.language.markup import find_noise
from quotes.tables import accepted, cases, misjudged
from quotes.test_same_text import TEXTS
from rows import each_row

# What stands between two sentences, cells, items or turns may not be lost, nor invented.
CELLS = "| Drug | Dose | May |\n|---|---|---|\n| Balm | | 7 |\n| Lint | 3 | - |"
SAME_CELLS = ["Balm | | 7", "|Balm||7|", "Balm 7", "May |\n| Balm | | 7", "Dose | May\nBalm | | 7"]
OTHER_CELLS = ["Balm | 7", "Lint | - | 3", "7 | Lint | 3", "May | Balm"]
ROWS = "| Drug | For whom |\n|---|---|\n| Aspirin | not for children |\n| Balm | for children |"


@each_row(
    ("same", "changed"),
    [
        ("left out", "not left out"),
        ("one formula", "other formulas"),
        ("not run together", "run together"),
    ],
)
def test_sections_of_pairs(same: str, changed: str) -> None:
    assert misjudged(same=cases(same), changed=cases(changed)) == []


def test_the_text_itself_is_accepted() -> None:
    texts = [text for text, _ in (*cases("left out"), *cases("not left out"))]
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


def seconds_of_reading(text: str) -> float:
    """Return the time of this thread, without a collection of the garbage of all tests."""
    gc.disable()
    try:
        start = time.thread_time()
        find_noise(text)
        return time.thread_time() - start
    finally:
        gc.enable()


def test_reading_takes_linear_time() -> None:
    """Braces and brackets that nest or never close are not read again and again."""
    for text in (r"\frac{", r"\frac{a}{", "^{", "(a+", "-("):
        short = seconds_of_reading(text * 500)
        assert seconds_of_reading(text * 5_000) < 40 * short + 0.5, text


def test_rows_of_a_table_may_be_quoted_whole() -> None:
    assert accepted("Aspirin not for children Balm for children", ROWS)
    assert not accepted("for children Balm for", ROWS)


def test_borders_between_cells_are_those_of_the_source() -> None:
    same, changed = ([(CELLS, each) for each in quotes] for quotes in (SAME_CELLS, OTHER_CELLS))
    assert misjudged(same=same, changed=changed) == []


@pytest.mark.parametrize("language", ["en", "es", "de", "zh", "hi"])
def test_a_lost_stop_is_noticed_in_any_script(language: str) -> None:
    text = f"{TEXTS[language]} {TEXTS[language]}"
    lost = re.sub(r"(?<=\w)([.;。।]) ?(?=[A-Z2न])", " ", text)
    assert lost == text or not accepted(lost, text)

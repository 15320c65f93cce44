"""What stands between two sentences, cells, items or turns may not be lost, nor invented."""

import re

import pytest

from quotes.tables import accepted, cases, misjudged
from quotes.test_same_text import TEXTS

RUN_TOGETHER = cases("run together")
KEPT = cases("not run together")
CELLS = "| Drug | Dose | May |\n|---|---|---|\n| Balm | | 7 |\n| Lint | 3 | - |"
SAME_CELLS = ["Balm | | 7", "|Balm||7|", "Balm 7", "May |\n| Balm | | 7", "Dose | May\nBalm | | 7"]
OTHER_CELLS = ["Balm | 7", "Lint | - | 3", "7 | Lint | 3", "May | Balm"]
ROWS = "| Drug | For whom |\n|---|---|\n| Aspirin | not for children |\n| Balm | for children |"


def test_parts_are_not_run_together() -> None:
    assert misjudged(same=KEPT, changed=RUN_TOGETHER) == []


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

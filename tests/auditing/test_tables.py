"""Claims about tables and records: 150 written by hand, half of them true."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from citeguard import audit

TABLES = [
    json.loads(line)
    for line in Path(__file__).with_name("data").joinpath("tables.jsonl").read_text().splitlines()
]


@cache
def verdict(claim: str, text: str) -> str:
    (audited,) = audit(claim, {"source": text}).claims
    return audited.verdict


@pytest.mark.parametrize("table", TABLES, ids=[table["name"] for table in TABLES])
class TestEachTable:
    def test_what_it_says_is_never_contradicted(self, table: dict[str, Any]) -> None:
        wrong = [each for each in table["true"] if verdict(each, table["text"]) == "contradicted"]
        assert wrong == []

    def test_a_figure_of_another_cell_is_never_supported(self, table: dict[str, Any]) -> None:
        wrong = [each for each in table["false"] if verdict(each, table["text"]) == "supported"]
        assert wrong == []


class TestAllTables:
    def test_how_many_are_decided(self) -> None:
        counts = Counter(
            (truth, verdict(claim, table["text"]))
            for table in TABLES
            for truth in ("true", "false")
            for claim in table[truth]
        )
        assert counts["true", "supported"] >= 64  # of 78; 21 as text
        assert counts["false", "contradicted"] >= 44  # of 72; 0 as text


class TestPlace:
    TEXT = TABLES[0]["text"]

    def test_the_deciding_words_are_the_row(self) -> None:
        (claim,) = audit("Cost of sales was $4,126.3 million in 2022.", [self.TEXT]).claims
        assert claim.deciding is not None
        assert claim.deciding.text == "| Cost of sales | 4,126.3 | 3,900.1 | 3,655.8 |"
        assert self.TEXT[claim.deciding.start : claim.deciding.end] == claim.deciding.text

    def test_the_correction_has_the_figure_of_the_row_and_the_column(self) -> None:
        (claim,) = audit("Cost of sales was $3,900.1 million in 2022.", [self.TEXT]).claims
        assert claim.correction is not None
        assert claim.correction.claim == "Cost of sales was $4,126.3 million in 2022"

    def test_rows_far_below_the_head_keep_it(self) -> None:
        rows = "\n".join(f"| Product line {n} | {n + 10},000 | {n + 50},000 |" for n in range(120))
        text = f"Sales in thousands:\n\n| | 2022 | 2021 |\n|---|---|---|\n{rows}\n"
        assert verdict("Product line 97 was 107,000 thousand in 2022.", text) == "supported"
        assert verdict("Product line 97 was 147,000 thousand in 2022.", text) != "supported"

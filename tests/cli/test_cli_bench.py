"""`citeguard dev bench`: the tables that it prints."""

import json

import pytest

from citeguard.cli.app import run
from cli.material import told_in_one_line, write
from fixture_types import Captured

TEXT = "Notice is one month. Lunch is free."
CASES = [
    {"quote": "Lunch is free.", "label": "true", "kind": "verbatim", "spans": [[21, 35]]},
    {"quote": "Notice is two months.", "label": "changed", "kind": "number", "spans": []},
]
ROW = {"id": "t1", "language": "en", "genre": "contract", "text": TEXT, "cases": CASES}


@pytest.fixture(autouse=True)
def cases(plain_terminal: None) -> None:
    write("cases.jsonl", ROW)


def bench(*options: str) -> int:
    return run(["dev", "bench", "quotes", "--cases", "cases.jsonl", *options])


class TestBench:
    def test_prints_tables_in_markdown(self, capsys: Captured) -> None:
        assert bench("--tool", "citeguard", "--tool", "in") == 0
        captured = capsys.readouterr()
        rows = [line.split(" | ") for line in captured.out.splitlines() if line.startswith("| ")]
        assert [row[0].strip("| ") for row in rows[:4]] == ["tool", "---", "citeguard", "in"]
        assert rows[2][2:4] == ["0.0 (0 of 1)", "0.0 (0 of 1)"]
        assert captured.err == "citeguard: citeguard\nciteguard: in\n"

    def test_prints_json(self, capsys: Captured) -> None:
        assert bench("--tool", "in", "--json", "--quiet") == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["tools"][0]["refused"] == {"number": 0, "of": 1}
        assert captured.err == ""

    def test_names_a_tool_that_it_does_not_have(self, capsys: Captured) -> None:
        told = told_in_one_line(capsys, bench("--tool", "magic"))
        assert told.startswith("magic: unknown, or not installed. The tools are: citeguard; in;")

    def test_needs_a_case_that_is_measured(self, capsys: Captured) -> None:
        write("cases.jsonl", {**ROW, "cases": [{**CASES[0], "label": "grey"}]})
        assert bench("--tool", "in") == 2
        assert told_in_one_line(capsys) == "cases.jsonl: there is no case to measure"

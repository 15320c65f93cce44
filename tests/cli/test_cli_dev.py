"""`citeguard dev`: the benchmark of quotes, and a file's headings."""

import json

from citeguard.cli.app import run
from cli.material import write
from fixture_types import Captured

CASES = [
    {"quote": "Lunch is free.", "label": "true", "kind": "verbatim", "spans": [[21, 35]]},
    {"quote": "Notice is two months.", "label": "changed", "kind": "number", "spans": []},
]
TEXT = "Notice is one month. Lunch is free."
GUIDE = "# Pay\n\nPay is monthly.\n\n## Bonus\n\nIt is paid in May.\n\n# Notice\n\nA month.\n"


def test_bench_prints_tables_or_json(capsys: Captured) -> None:
    row = {"id": "t1", "language": "en", "genre": "contract", "text": TEXT, "cases": CASES}
    bench = ["dev", "bench", "quotes", "--cases", write("cases.jsonl", row), "--tool", "in"]
    assert run([*bench, "--tool", "citeguard"]) == 0
    captured = capsys.readouterr()
    rows = [line.split(" | ") for line in captured.out.splitlines() if line.startswith("| ")]
    assert [row[0].strip("| ") for row in rows[:4]] == ["tool", "---", "citeguard", "in"]
    assert rows[2][2:4] == ["0.0 (0 of 1)", "0.0 (0 of 1)"]
    assert captured.err == "citeguard: citeguard\nciteguard: in\n"
    assert run([*bench, "--json", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["tools"][0]["refused"] == {"number": 0, "of": 1}
    assert captured.err == ""


def test_outline_is_the_tree_of_headings(capsys: Captured) -> None:
    assert run(["dev", "outline", write("guide.md", GUIDE)]) == 0
    pay, notice = json.loads(capsys.readouterr().out)
    assert (pay["heading"], pay["level"], pay["start"], pay["page"]) == ("Pay", 1, 0, None)
    assert [section["heading"] for section in pay["sections"]] == ["Bonus"]
    assert (notice["heading"], notice["sections"]) == ("Notice", [])

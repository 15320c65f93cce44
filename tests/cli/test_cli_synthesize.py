"""`citeguard data synthesize`: what is written, and what is told of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from citeguard.cli.app import run
from cli.material import told_in_one_line, words, write
from fixture_types import Captured

RULES = (
    "The notice period of an employee is 3 months of work. "
    "Visitors may not enter the laboratory without a badge on Sundays."
)


@pytest.fixture(autouse=True)
def rules(plain_terminal: None) -> None:
    write("rules.txt", RULES)


def made(options: str = "", *paths: str) -> int:
    return run(
        ["data", "synthesize", *(paths or ["rules.txt"]), "--to", "made.jsonl", *options.split()]
    )


def written() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("made.jsonl").read_text().splitlines()]


def kinds() -> list[str]:
    return [each["negative"]["kind"] if each["negative"] else "true" for each in written()]


class TestFile:
    def test_has_wrong_quotes_with_labels(self) -> None:
        assert made() == 0
        assert len(written()) == 2
        assert {each["label"] for each in written()} == {"unsupported"}
        assert written()[0]["sources"] == [{"id": "rules", "text": RULES}]

    def test_has_each_true_one_once_before_those_made_of_it(self) -> None:
        assert made("--originals --kind negation --kind unit --kind number") == 0
        assert kinds()[0] == "true"
        assert kinds().count("true") == len(kinds()) / 2

    def test_is_not_overwritten_unless_asked(self, capsys: Captured) -> None:
        write("made.jsonl", "mine")
        assert made() == 2
        told = "made.jsonl: already exists; remove it, or give --overwrite"
        assert told_in_one_line(capsys) == told
        assert made("--overwrite") == 0

    def test_can_be_evaluated(self, capsys: Captured) -> None:
        made("--originals")
        capsys.readouterr()
        assert run(["evaluate", "made.jsonl", "--label-field", "label", "--json"]) == 0
        labels = json.loads(capsys.readouterr().out)["labels"]
        assert (labels["labelled"], labels["wrong"]["recall"]) == (4, 1.0)


def test_summary_counts_the_kinds(capsys: Captured) -> None:
    made("--kind negation --originals")
    told = words(capsys.readouterr().out)
    assert told == "4 samples in made.jsonl Kind Samples negation 2 true 2"

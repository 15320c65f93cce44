"""`citeguard receipt make` and `citeguard receipt check`."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from citeguard.cli.app import run
from cli.material import BAD, GOOD, HANDBOOK, answer, told_in_one_line, write
from fixture_types import Captured
from rows import each_row

PROBATION = {"quote": "It does not apply during probation.", "source_id": "handbook"}


@pytest.fixture
def receipt(capsys: Captured) -> str:
    """A receipt of two quotes of the handbook, signed."""
    write("key", "0123456789abcdef\n")
    write("answer.json", answer(GOOD, PROBATION))
    assert run("receipt make answer.json --sources handbook.txt --key key".split()) == 0
    return write("receipt.json", capsys.readouterr().out)


def check(*arguments: str) -> int:
    return run(["receipt", "check", *arguments])


class TestMake:
    def test_of_a_wrong_answer_makes_none(self, capsys: Captured) -> None:
        write("answer.json", answer(GOOD, BAD))
        assert run("receipt make answer.json --sources handbook.txt".split()) == 1
        assert told_in_one_line(capsys).startswith("statements[1].citations[0].quote: The quote is")

    def test_writes_web_annotations(self, receipt: str, capsys: Captured) -> None:
        command = "receipt make answer.json --sources handbook.txt --web-annotations"
        assert run(command.split()) == 0
        annotations = json.loads(capsys.readouterr().out)
        [position, quote] = annotations[0]["target"][0]["selector"]
        [part] = json.loads(Path(receipt).read_text())["quotes"][0]["parts"]
        assert [position["start"], position["end"]] == part["place"]["code_points"]
        assert quote["exact"] == part["text"]


class TestCheck:
    @each_row(
        ("old", "new", "status", "told"),
        [
            ("", "", 0, "1 receipt: 1 holds"),
            ("Chapter 1", "Part 1\n\nChapter 1", 0, "1 receipt: 1 moved"),
            ("The notice", "It is a myth that the notice", 3, "1 receipt: 1 context changed"),
            ("one month", "two months", 1, "1 receipt: 1 stale"),
        ],
    )
    def test_exits_with_what_is_worst(
        self, receipt: str, old: str, new: str, status: int, told: str, capsys: Captured
    ) -> None:
        write("handbook.txt", HANDBOOK.replace(old, new))
        assert check(receipt, "--sources", "handbook.txt") == status
        assert capsys.readouterr().out.splitlines()[-1] == told

    def test_shows_each_quote(self, receipt: str, capsys: Captured) -> None:
        new = HANDBOOK.replace("Chapter", "My chapter").replace("does not", "does not, or never,")
        write("handbook.txt", new)
        write("broken.json", "{")
        assert check(receipt, "broken.json", "--sources", "handbook.txt") == 1
        assert capsys.readouterr().out == snapshot("""\
receipt.json: stale, signature not checked
  ? “The notice period is one month.” (handbook)
  ? something else is around it (context_changed)
    [-Chapter-] {+My chapter+} 1 The notice … It does not {+, or never,+} apply during probation
    handbook, line 3
  ✕ “It does not apply during probation.” (handbook)
  ✕ not what the source says (quote_altered)
    It does not {+, or never,+} apply during probation
    handbook, line 4
broken.json: forged, not signed
  the receipt: not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)
2 receipts: 1 stale, 1 forged
""")

    def test_of_a_library(self, receipt: str, capsys: Captured) -> None:
        assert run(["library", "add", "docs.db", "handbook.txt"]) == 0
        capsys.readouterr()
        assert check(receipt, "--library", "docs.db", "--key", "key") == 0
        assert capsys.readouterr().out.startswith("receipt.json: holds, signature valid\n")

    def test_with_another_key_is_forged(self, receipt: str, capsys: Captured) -> None:
        write("other", "fedcba9876543210")
        assert check(receipt, "--sources", "handbook.txt", "--key", "other", "--json") == 1
        [told] = json.loads(capsys.readouterr().out)
        assert {key: told[key] for key in ("status", "signature", "reason")} == {
            "status": "forged",
            "signature": "wrong",
            "reason": "it is not signed with this key",
        }

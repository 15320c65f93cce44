"""`citeguard filter`: outputs, counts, hints, statuses, interruption."""

import json
from pathlib import Path
from typing import Any

from citeguard.cli.app import run
from cli.material import BAD, GOOD, answer, told_in_one_line, words, write
from fixture_types import Captured

GOOD_SAMPLE = answer(GOOD, text=GOOD["quote"])
BAD_SAMPLE = answer(BAD)
UNSURE = answer(GOOD, text="Leaving takes a month.")


def lines(*samples: Any) -> str:
    return "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in samples)


def filtered(*samples: Any, options: str = "--sources handbook.txt") -> int:
    """Filter samples without showing progress."""
    return run(["filter", write("samples.jsonl", lines(*samples)), "--quiet", *options.split()])


class TestOutputs:
    def test_kept_samples_are_written_as_they_came(self) -> None:
        options = "--sources handbook.txt --kept kept.jsonl --rejected rejected.jsonl"
        assert filtered(GOOD_SAMPLE, BAD_SAMPLE, options=options) == 0
        assert Path("kept.jsonl").read_text() == lines(GOOD_SAMPLE)
        rejected = json.loads(Path("rejected.jsonl").read_text())
        assert rejected["citeguard"]["problems"][0]["code"] == "quote_not_found"

    def test_undecided_samples_have_a_file_of_their_own(self) -> None:
        options = "--support --sources handbook.txt --undecided undecided.jsonl"
        assert filtered(GOOD_SAMPLE, UNSURE, options=options) == 0
        [line] = Path("undecided.jsonl").read_text().splitlines()
        assert json.loads(line)["citeguard"]["outcome"] == "undecided"

    def test_without_any_samples_are_counted(self, capsys: Captured) -> None:
        assert filtered(GOOD_SAMPLE) == 0
        assert capsys.readouterr() == ("1 sample: 1 kept, 0 rejected, 0 undecided\n", "")
        assert sorted(each.name for each in Path().iterdir()) == ["handbook.txt", "samples.jsonl"]

    def test_are_not_overwritten_unless_asked(self, capsys: Captured) -> None:
        write("kept.jsonl", "mine\n")
        options = "--sources handbook.txt --kept kept.jsonl"
        assert filtered(GOOD_SAMPLE, options=options) == 2
        assert "already exists; remove it, or start over" in told_in_one_line(capsys)
        assert filtered(GOOD_SAMPLE, options=f"{options} --restart") == 0
        assert Path("kept.jsonl").read_text() == lines(GOOD_SAMPLE)


class TestSamples:
    def test_may_have_their_own_sources(self, capsys: Captured) -> None:
        own = {**answer({"quote": "Lunch is free."}), "sources": {"faq": "Lunch is free."}}
        assert filtered(own, options="") == 0
        assert "1 kept" in capsys.readouterr().out

    def test_keep_things_where_the_options_say(self, capsys: Captured) -> None:
        sample = {
            "reply": ["It takes a month.", "Lunch."],
            "quotes": [["one month"], ["Lunch is free."]],
            "ids": [["a"], ["b"]],
            "documents": {"a": "Notice is one month.", "b": "Lunch is free."},
            "asked": "?",
        }
        options = (
            "--statements-field reply --quotes-field quotes --quoted-from-field ids "
            "--sources-field documents --question-field asked --answer-field none"
        )
        assert filtered(sample, options=options) == 0
        assert "1 kept" in capsys.readouterr().out


class TestSummary:
    def test_is_a_table_of_reasons(self, capsys: Captured) -> None:
        filtered(GOOD_SAMPLE, BAD_SAMPLE, UNSURE, options="--support --sources handbook.txt")
        told = words(capsys.readouterr().out)
        assert told.startswith("3 samples: 1 kept, 1 rejected (33.3 %), 1 undecided")
        assert "quote_not_found 1 The quote is not found in source" in told
        assert "undecided 1 The check could not decide" in told

    def test_is_bounded_and_obeyed_by_no_terminal(self, capsys: Captured) -> None:
        filtered({f"\x1b[31m{'key' * 500}": 1}, options="--sources handbook.txt")
        told = capsys.readouterr().out
        assert "\x1b" not in told
        assert "x1b[31m" in told
        assert len(words(told)) < 700

    def test_as_json(self, capsys: Captured) -> None:
        assert filtered(GOOD_SAMPLE, BAD_SAMPLE, options="--json --sources handbook.txt") == 0
        told = json.loads(capsys.readouterr().out)
        [code] = told.pop("codes")
        assert told == {"read": 2, "kept": 1, "rejected": 1, "undecided": 0, "hint": None}
        assert code.pop("example").startswith("The quote is not found in source")
        assert code == {"code": "quote_not_found", "samples": 1}


def test_hint_names_the_option_when_no_sample_has_a_thing(capsys: Captured) -> None:
    for samples, options, hint in [
        ([GOOD_SAMPLE], "", "No sample has sources: name their field with --sources-field"),
        ([{"x": 1}], "--sources handbook.txt", "No sample has an answer: name"),
    ]:
        assert filtered(*samples, options=options) == 0
        assert hint in words(capsys.readouterr().out)
        assert filtered(*samples, options=f"--json {options}") == 0
        assert json.loads(capsys.readouterr().out)["hint"].startswith(hint)


class TestExitStatus:
    def test_of_a_share(self, capsys: Captured) -> None:
        too_many = "more than --max-rejected 0.4 allows"
        half = "more than --max-rejected 0.5 allows"
        for samples, most, status, told in [
            ([GOOD_SAMPLE, BAD_SAMPLE], "0.5", 0, ""),
            ([GOOD_SAMPLE, BAD_SAMPLE], "0.4", 1, f"1 rejected of 2: {too_many}"),
            ([GOOD_SAMPLE, UNSURE], "0.4", 3, f"0 rejected and 1 undecided of 2: {too_many}"),
            ([BAD_SAMPLE, UNSURE], "0.4", 1, f"1 rejected of 2: {too_many}"),
            ([BAD_SAMPLE, UNSURE], "0.5", 3, f"1 rejected and 1 undecided of 2: {half}"),
            ([GOOD_SAMPLE, BAD_SAMPLE], "1", 0, ""),
            ([], "0.5", 3, "there are no samples"),
        ]:
            options = f"--support --max-rejected {most} --sources handbook.txt"
            assert filtered(*samples, options=options) == status
            assert capsys.readouterr().err.endswith(f"citeguard: {told}\n" if told else "")

    def test_without_one_rejecting_is_no_failure(self) -> None:
        for samples in ([BAD_SAMPLE], [UNSURE], []):
            assert filtered(*samples, options="--support --sources handbook.txt") == 0

"""`citeguard export`: what reaches the library, and what is told of what came of it."""

import json
from pathlib import Path
from typing import Any

from citeguard.cli.app import run
from cli.material import BAD, GOOD, answer, told_in_one_line, words, write
from cli.test_cli_filter import UNSURE, lines
from fixture_types import Captured

SAMPLE = {"question": "How long is the notice period?", **answer(GOOD, text=GOOD["quote"])}
BAD_SAMPLE = {"question": "?", **answer(BAD)}


def exported(*samples: Any, options: str = "") -> int:
    path = write("samples.jsonl", lines(*samples))
    return run(["export", path, "--to", "data", *options.split(), "--sources", "handbook.txt"])


def written(name: str = "train.jsonl") -> list[Any]:
    return [json.loads(line) for line in Path("data", name).read_text().splitlines()]


class TestFolder:
    def test_has_the_good_samples_and_a_card(self) -> None:
        assert exported(SAMPLE, BAD_SAMPLE) == 0
        assert len(written()) == 1
        assert Path("data", "README.md").read_text().startswith("---")

    def test_is_in_the_form_that_is_asked_for(self) -> None:
        for options, keys in [
            ("", ["messages"]),
            ("--form completion", ["prompt", "completion"]),
            ("--form preference", ["input", "preferred_output", "non_preferred_output"]),
            ("--form chosen-rejected", ["prompt", "chosen", "rejected"]),
        ]:
            tried = {**SAMPLE, "rejected": answer(BAD)}
            assert exported(tried, options=f"{options} --overwrite") == 0
            assert list(written()[0]) == keys

    def test_is_replaced_when_asked(self, capsys: Captured) -> None:
        assert exported(SAMPLE) == 0
        capsys.readouterr()
        assert "data: already exists; overwrite it" in told_in_one_line(capsys, exported(SAMPLE))
        assert exported(SAMPLE, SAMPLE, options="--overwrite") == 0
        assert len(written()) == 2


def test_summary_tells_what_was_left_out(capsys: Captured) -> None:
    unsure = {"question": "?", **UNSURE}
    assert exported(SAMPLE, BAD_SAMPLE, unsure, options="--support") == 0
    told = words(capsys.readouterr().out)
    assert told.startswith("3 samples: 1 kept, 1 rejected (33.3 %), 1 undecided In data Samples")
    assert "quote_not_found 1 The quote is not found in source" in told
    assert "train has fewer than 10 samples" in told


def test_nothing_exported_has_a_status_and_a_hint(capsys: Captured) -> None:
    assert exported(answer(GOOD)) == 1
    told = words(capsys.readouterr().out)
    assert told.startswith("1 sample: 0 kept, 1 rejected (100.0 %)")
    assert told.endswith("No sample has a question: name its field with --question-field.")
    assert not Path("data").exists()

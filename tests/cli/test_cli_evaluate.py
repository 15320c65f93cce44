"""`citeguard evaluate`: what it prints; what it measures is tested in datasets."""

from typing import Any

from citeguard.cli.app import run
from cli.material import BAD, GOOD, answer, words, write
from cli.test_cli_filter import UNSURE, lines
from fixture_types import Captured

RIGHT = answer(GOOD, text="The notice period is one month.")
SAMPLES = (
    {**RIGHT, "label": 1, "other": [GOOD]},
    {**answer(BAD), "label": "false"},
    {**UNSURE, "label": "unsupported"},
    RIGHT,
)


def evaluated(*samples: Any, options: str = "") -> int:
    path = write("answers.jsonl", lines(*samples))
    return run(["evaluate", path, *options.split(), "--sources", "handbook.txt"])


class TestTables:
    def test_of_citations(self, capsys: Captured) -> None:
        assert evaluated(*SAMPLES) == 0
        told = words(capsys.readouterr().out)
        assert told.startswith("4 samples: 2 would be kept, 1 rejected, 1 undecided problems: ")
        assert "quotes found in their source 0.750 4 0 statements that pass 0.667 3 1" in told
        assert "labels" not in told

    def test_of_labels(self, capsys: Captured) -> None:
        assert evaluated(*SAMPLES, options="--label-field label") == 0
        told = words(capsys.readouterr().out)
        assert "precision 1.000 1.000 recall 1.000 1.000 F1 1.000 1.000" in told
        assert "labels, decided 1 1 labels, undecided: only in the scores 0 1" in told
        assert "samples without a label 1" in told
        assert "Threshold" not in told

    def test_of_a_threshold(self, capsys: Captured) -> None:
        for name in ("precision", "recall"):
            assert evaluated(*SAMPLES, options=f"--label-field label --target-{name} 0.9") == 0
            told = words(capsys.readouterr().out)
            assert f"Threshold for a {name} of 0.9, on these labels 95 % interval" in told
            assert "precision 1.000 0.207 to 1.000 recall 1.000 0.207 to 1.000" in told

    def test_name_what_was_not_measured(self, capsys: Captured) -> None:
        assert evaluated(RIGHT, {"\x1b[31m": 1}) == 0
        told = capsys.readouterr().out
        assert "not measured: 1 by answer_missing: no statements at 'statements'" in told
        assert "\x1b" not in told

"""The card says what there is, how it came about, and nothing that its texts could forge."""

import json
from pathlib import Path
from typing import Any

from huggingface_hub import DatasetCard

from citeguard import Policy
from citeguard.datasets import export_samples
from citeguard.testing import ScriptedJudge
from export_material import sample, samples


def card(tmp_path: Path, given: Any = None, **options: Any) -> str:
    summary = export_samples(given or samples(30), tmp_path / "out", **options)
    return (summary.folder / "README.md").read_text("utf-8")


class TestCard:
    def test_is_read_by_the_hubs_library(self, tmp_path: Path) -> None:
        data = DatasetCard(card(tmp_path, license="cc: # x\n---")).data.to_dict()
        assert data["license"] == "cc: # x ---"
        [config] = data["configs"]
        assert config["data_files"] == [
            {"split": "train", "path": "train.jsonl"},
            {"split": "validation", "path": "validation.jsonl"},
        ]

    def test_counts(self, tmp_path: Path) -> None:
        given = [*samples(30), sample(3), sample(31, question="")]
        assert facts(card(tmp_path, given))["samples"] == {
            "read": 32,
            "kept": 31,
            "rejected": 1,
            "undecided": 0,
            "duplicates": 1,
            "codes": {"question_missing": 1},
        }

    def test_has_the_settings(self, tmp_path: Path) -> None:
        policy = Policy(support=[ScriptedJudge()], undecided="pass")
        text = card(tmp_path, policy=policy, seed=5, prompt="simple", validation=0.2)
        settings = facts(text)["settings"]
        assert settings["policy"] == {"support": "ScriptedJudge", "undecided": "'pass'"}
        assert (settings["seed"], settings["validation"], settings["prompt"]) == (5, 0.2, "simple")
        assert settings["system message"].startswith("simple/3+plain/3#")
        assert " at 0x" not in text

    def test_escapes_markdown(self, tmp_path: Path) -> None:
        summary = export_samples(samples(30), tmp_path / "# <b> | a |")
        text = (summary.folder / "README.md").read_text("utf-8")
        assert "\n# # &lt;b&gt; \\| a \\|\n" in text


def facts(text: str) -> Any:
    return json.loads(text.split("```")[1].removeprefix("json"))

"""The folder appears complete or not at all, and its card says what is in it."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import DatasetCard

import citeguard
from citeguard import CiteguardError, Policy
from citeguard.datasets import NothingExportedError, export_samples
from citeguard.testing import ScriptedJudge
from export_material import exported, sample, samples


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


class TestWriting:
    def test_leaves_the_splits_and_the_card(self, tmp_path: Path) -> None:
        export_samples(samples(30), tmp_path / "a" / "out")
        assert names(tmp_path / "a") == {"out"}
        assert names(tmp_path / "a" / "out") == {"README.md", "train.jsonl", "validation.jsonl"}

    def test_the_same_samples_give_the_same_bytes(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            export_samples(samples(30), tmp_path / name / "out")
        for name in names(tmp_path / "one" / "out"):
            one, two = (tmp_path / each / "out" / name for each in ("one", "two"))
            assert one.read_bytes() == two.read_bytes()


class TestExisting:
    def test_is_rejected(self, tmp_path: Path) -> None:
        export_samples(samples(3), tmp_path / "out")
        before = exported(tmp_path / "out")
        with pytest.raises(CiteguardError, match="overwrite=True, --overwrite"):
            export_samples(samples(4), tmp_path / "out")
        assert exported(tmp_path / "out") == before

    def test_stays_if_the_next_export_fails(self, tmp_path: Path) -> None:
        export_samples(samples(3), tmp_path / "out")
        before = exported(tmp_path / "out")
        with pytest.raises(NothingExportedError):
            export_samples([], tmp_path / "out", overwrite=True)
        assert exported(tmp_path / "out") == before
        assert names(tmp_path) == {"out"}

    @pytest.mark.parametrize("name", ["thesis.docx", ".git"])
    def test_is_never_replaced_with_anything_else_in_it(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / name).write_text("precious")
        with pytest.raises(CiteguardError, match="which no export wrote"):
            export_samples(samples(3), tmp_path / "out", overwrite=True)
        assert names(tmp_path / "out") == {name}


class TestFailure:
    @pytest.mark.parametrize("count", [3, 400], ids=["in the second pass", "in the first"])
    def test_a_full_disk_leaves_nothing(self, count: int, tmp_path: Path) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, hard))
        try:
            with pytest.raises(CiteguardError, match="out: cannot be written: file too large"):
                export_samples(samples(count), tmp_path / "out", validation=0)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert not names(tmp_path)

    def test_a_killed_process_leaves_nothing_that_looks_complete(self, tmp_path: Path) -> None:
        program = (
            "import os, sys, signal\n"
            "from export_material import samples\n"
            "from citeguard.datasets import export_samples\n"
            "def killed():\n"
            "    yield from samples(200)\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
            "export_samples(killed(), sys.argv[1])\n"
        )
        path = os.pathsep.join(
            [str(Path(citeguard.__file__).parents[1]), str(Path(__file__).parents[2])]
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "out")],
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
        assert done.returncode == -signal.SIGKILL
        [left] = names(tmp_path)
        assert left.startswith(".out.")
        assert left.endswith(".partial")
        assert "README.md" not in names(tmp_path / left)
        export_samples(samples(3), tmp_path / "out")
        assert exported(tmp_path / "out")


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

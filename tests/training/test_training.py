"""From pairs to a model in the ONNX format, and on from there, with a tiny encoder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import citeguard.training
from citeguard import CiteguardError, Entailment
from citeguard.entailment.cross_encoder import CrossEncoderModel
from citeguard.entailment.onnx import MODEL, OnnxModel
from citeguard.training import (
    EntailmentPair,
    calibrate_entailment,
    evaluate_entailment,
    export_onnx,
    train_entailment,
)
from rows import each_row
from training_pairs import plans, save_encoder

NAMES = ["entailment", "neutral", "contradiction"]
HELD_OUT = [(pair.premise, pair.hypothesis) for pair in plans(20, seed=1)]


def nothing(line: str) -> None:
    """Show no progress."""


def probabilities(folder: Path) -> Any:
    model = OnnxModel(folder) if (folder / MODEL).is_file() else CrossEncoderModel(str(folder))
    return model(HELD_OUT)


def train(base: Path, output: Path, **settings: Any) -> Path:
    """Train for sixteen steps in two epochs."""
    given: dict[str, Any] = {"batch_size": 8, "epochs": 2, "learning_rate": 3e-3, "show": nothing}
    return train_entailment(plans(64), base, output, **{**given, **settings})


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_encoder(tmp_path_factory.mktemp("base") / "encoder")


@pytest.fixture(scope="module")
def trained(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(encoder, tmp_path_factory.mktemp("trained") / "plans")


@pytest.fixture(scope="module")
def exported(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_onnx(trained, tmp_path_factory.mktemp("exported") / "small")


class StoppedError(Exception):
    """Stands for a machine that is switched off."""


def stop_at(step: str) -> Callable[[str], None]:
    def show(line: str) -> None:
        if line.startswith(f"step {step} "):
            raise StoppedError

    return show


class TestTraining:
    def test_learns_from_all_labels(self, trained: Path) -> None:
        quality = evaluate_entailment(trained, plans(100, seed=1))
        assert (quality.supported.balanced_accuracy or 0) > 0.95
        assert quality.counts["contradicted"].keys() == {"contradicted"}
        assert "supported" not in quality.counts["not_supported"]

    def test_goes_on_from_a_checkpoint_to_the_same_weights(
        self, encoder: Path, trained: Path, tmp_path: Path
    ) -> None:
        with pytest.raises(StoppedError):  # in the second epoch, two steps after a checkpoint
            train(encoder, tmp_path, checkpoint_every=3, show=stop_at("11"))
        lines: list[str] = []
        train(encoder, tmp_path, checkpoint_every=3, show=lines.append)
        assert "7 of 16 steps" in lines[0]
        assert lines[1].startswith("step 10 of 16")
        assert (probabilities(tmp_path) == probabilities(trained)).all()

    def test_starts_again_with_other_pairs_or_settings(self, encoder: Path, tmp_path: Path) -> None:
        with pytest.raises(StoppedError):
            train(encoder, tmp_path, checkpoint_every=1, show=stop_at("2"))
        lines: list[str] = []
        train(encoder, tmp_path, epochs=0.5, show=lines.append)
        assert "4 steps of 8 pairs" in lines[0]

    def test_says_first_on_what_it_runs_and_how_long_it_takes(
        self, encoder: Path, tmp_path: Path
    ) -> None:
        lines: list[str] = []
        train(encoder, tmp_path, epochs=0.25, show=lines.append)
        assert " cores of a processor in " in lines[0] or "GPU" in lines[0]
        assert ": 2 steps of 8 pairs, about " in lines[0]

    def test_keeps_a_record(self, trained: Path) -> None:
        record = json.loads((trained / "training.json").read_text())
        assert (record["pairs"], record["batch_size"], len(record["sha256"])) == (64, 8, 64)
        assert record["log"][-1]["epoch"] == 2

    def test_keeps_what_a_cross_encoder_knows_in_any_order_of_its_outputs(
        self, tmp_path: Path
    ) -> None:
        base = save_encoder(tmp_path / "base", ["CONTRADICTION", "ENTAILMENT", "NEUTRAL"])
        output = train(base, tmp_path / "out", learning_rate=1e-9, epochs=0.1)
        assert probabilities(output) == pytest.approx(probabilities(base), abs=1e-4)
        config = json.loads((output / "config.json").read_text())
        assert list(config["id2label"].values()) == NAMES

    @each_row(
        "settings",
        [
            {"epochs": 0},
            {"learning_rate": -1},
            {"batch_size": 0},
            {"longest": "all"},
            {"checkpoint_every": 0},
            {"seed": 1.5},
        ],
        ids=str,
    )
    def test_of_numbers_out_of_range(self, settings: dict[str, Any], tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match=rf"train_entailment\({next(iter(settings))}="):
            train(tmp_path / "none", tmp_path, **settings)

    def test_of_a_base_that_is_none(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="none cannot be loaded"):
            train(tmp_path / "none", tmp_path)

    def test_of_a_base_with_other_outputs(self, tmp_path: Path) -> None:
        base = save_encoder(tmp_path / "base", ["entailment", "neutral", "supported"])
        with pytest.raises(CiteguardError, match="outputs entailment, neutral, supported"):
            train(base, tmp_path / "out")


class TestExport:
    def test_gives_nearly_the_same_probabilities(self, trained: Path, exported: Path) -> None:
        assert probabilities(exported) == pytest.approx(probabilities(trained), abs=0.1)
        assert {file.name for file in exported.iterdir()} == {"model.onnx", "tokenizer.json"}

    def test_keeps_the_order_of_the_outputs(self, tmp_path: Path) -> None:
        base = save_encoder(tmp_path / "base", ["CONTRADICTION", "ENTAILMENT", "NEUTRAL"])
        exported = export_onnx(base, tmp_path / "out")
        assert probabilities(exported) == pytest.approx(probabilities(base), abs=0.1)

    def test_can_be_trained_further(self, exported: Path, tmp_path: Path) -> None:
        output = train(exported, tmp_path, learning_rate=1e-9, epochs=0.1)
        assert probabilities(output) == pytest.approx(probabilities(exported), abs=0.05)

    def test_of_what_is_exported(self, exported: Path, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="is in the ONNX format already"):
            export_onnx(exported, tmp_path)

    def test_of_outputs_without_a_meaning(self, tmp_path: Path) -> None:
        base = save_encoder(tmp_path / "base", ["LABEL_0", "LABEL_1"])
        with pytest.raises(CiteguardError, match="the meaning of the model's outputs LABEL_0"):
            export_onnx(base, tmp_path / "out")


class TestCalibration:
    def test_makes_a_model_as_sure_as_it_is_right(self, encoder: Path, tmp_path: Path) -> None:
        random = np.random.default_rng(0)
        # A fifth of the labels are wrong, which a model that has learnt from others does not know.
        noisy = [
            pair._replace(label="neutral" if pair.label == "supported" else "supported")
            if random.random() < 0.2
            else pair
            for pair in plans(300, seed=2)
        ]
        folder = train(encoder, tmp_path / "sure")
        before = evaluate_entailment(folder, noisy)
        temperature = calibrate_entailment(folder, noisy)
        after = evaluate_entailment(folder, noisy)
        assert temperature > 1
        assert (after.calibration.error or 0) < (before.calibration.error or 0)
        assert calibrate_entailment(folder, noisy) == pytest.approx(1, abs=0.01)
        record = json.loads((folder / "training.json").read_text())
        assert record["pairs"] == 64
        assert record["calibration"]["pairs"] == 300

    def test_of_a_model_with_other_outputs(self, tmp_path: Path) -> None:
        base = save_encoder(tmp_path / "base", ["entailment", "not_entailment"])
        with pytest.raises(CiteguardError, match="expected a model with the outputs entailment"):
            calibrate_entailment(base, plans(3))


class TestEvaluation:
    def test_counts_what_the_model_says_of_each_label(self) -> None:
        rows = {"a": (0.9, 0.1, 0.0), "b": (0.1, 0.2, 0.7), "c": (0.4, 0.5, 0.1)}
        pairs = [
            EntailmentPair("a", "A.", "supported"),
            EntailmentPair("b", "A.", "supported"),
            EntailmentPair("b", "A.", "contradicted"),
            EntailmentPair("c", "A.", "not_supported"),
            EntailmentPair("unread", "A.", "neutral"),
        ]

        def model(asked: Any) -> list[Any]:
            return [rows.get(premise, (np.nan,) * 3) for premise, _ in asked]

        quality = evaluate_entailment(model, pairs)
        assert quality.counts == {
            "supported": {"supported": 1, "contradicted": 1},
            "neutral": {"unread": 1},
            "contradicted": {"contradicted": 1},
            "not_supported": {"neutral": 1},
        }
        assert (quality.pairs, quality.supported.undecided) == (5, 1)
        assert (quality.supported.accuracy, quality.supported.balanced_accuracy) == (0.75, 0.75)
        assert quality.roc_auc == 0.625
        assert [each.count for each in quality.calibration.bins] == [2, 1, 1]
        assert str(quality).splitlines() == [
            "5 pairs",
            "  supported: 1 supported, 1 contradicted",
            "  neutral: 1 unread",
            "  contradicted: 1 contradicted",
            "  not_supported: 1 neutral",
            "accuracy: 0.750",
            "balanced accuracy: 0.750",
            "ROC-AUC: 0.625",
            "calibration error: 0.325",
        ]

    def test_by_another_threshold(self) -> None:
        quality = evaluate_entailment(
            lambda pairs: [0.8] * len(pairs),
            [EntailmentPair("a", "A.", "supported")],
            supported_from=0.9,
        )
        assert quality.supported.accuracy == 0
        assert quality.roc_auc is None

    def test_of_a_threshold_out_of_range(self) -> None:
        with pytest.raises(CiteguardError, match=r"evaluate_entailment\(supported_from="):
            evaluate_entailment(lambda pairs: [0.8] * len(pairs), plans(1), supported_from=2)


class TestWithoutTheExtra:
    @each_row(
        ("package", "name"),
        [
            ("torch", "train_entailment"),
            ("datasets", "train_entailment"),
            ("onnx", "export_onnx"),
            ("scipy.optimize", "calibrate_entailment"),
        ],
    )
    def test_names_it(self, package: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for loaded in ("calibration", "entailment", "encoders", "evaluation", "export"):
            monkeypatch.delitem(sys.modules, f"citeguard.training.{loaded}", raising=False)
        monkeypatch.delitem(vars(citeguard.training), name, raising=False)
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(CiteguardError, match=r'pip install "pydantic-citeguard\[training\]"'):
            getattr(citeguard.training, name)


def test_a_trained_model_judges(trained: Path, exported: Path) -> None:
    from citeguard import Evidence, SupportQuestion

    evidence = (Evidence(text="The road was confirmed."),)
    question = SupportQuestion(statement="The road passed.", evidence=evidence)
    for folder in (trained, exported):
        assert Entailment(folder).judge([question])[0].outcome == "supported"

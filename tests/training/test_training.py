"""From pairs to a reader, and on from there, with a tiny network."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import citeguard.training
from citeguard import CiteguardError, ReaderJudge
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.reader.model import Reader
from citeguard.training import EntailmentPair, evaluate_entailment
from rows import each_row
from training_pairs import plans, questions, save_reader, settings_of

pytestmark = pytest.mark.torch

HELD_OUT = [(pair.hypothesis, pair.premise) for pair in plans(20, seed=1)]


def nothing(line: str) -> None:
    """Show no progress."""


def train(base: Path, output: Path, **settings: Any) -> Path:
    """Train for some 68 steps in two epochs."""
    given: dict[str, Any] = {
        "batch_size": 8,
        "epochs": 2,
        "learning_rate": 3e-3,
        "frozen_layers": 0,
        "questions": questions(14),
        "show": nothing,
    }
    return citeguard.training.train_reader(plans(256), output, base=base, **{**given, **settings})


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_reader(tmp_path_factory.mktemp("base") / "reader")


@pytest.fixture(scope="module")
def trained(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "plans"
    return train(base, folder, epochs=12, learning_rate=2e-3)


class StoppedError(Exception):
    """Stands for a machine that is switched off."""


class TestTraining:
    def test_learns_from_all_labels(self, trained: Path) -> None:
        quality = evaluate_entailment(trained, plans(100, seed=1))
        assert (quality.supported.balanced_accuracy or 0) > 0.95
        assert all("supported" not in quality.counts[each] for each in ("neutral", "not_supported"))

    def test_learns_what_answers(self, trained: Path) -> None:
        logits = Reader(trained).answers([(each.question, each.passage) for each in questions(14)])
        answers = np.array([each.answers for each in questions(14)])
        assert logits[answers].min() > logits[~answers].max()

    def test_goes_on_from_a_checkpoint_to_the_same_weights(
        self, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = train(base, tmp_path / "whole", epochs=1)
        stopped, kept = tmp_path / "stopped", citeguard.training.learning._keep

        def stop(*given: Any) -> None:
            kept(*given)
            raise StoppedError

        monkeypatch.setattr("citeguard.training.learning._keep", stop)
        with pytest.raises(StoppedError):
            train(base, stopped, epochs=1, checkpoint_every=5)
        monkeypatch.undo()
        lines: list[str] = []
        train(base, stopped, epochs=1, seed=1, show=lines.append)
        assert ": steps 0 to" in lines[0]  # other settings: it begins anew
        monkeypatch.setattr("citeguard.training.learning._keep", stop)
        with pytest.raises(StoppedError):
            train(base, stopped, epochs=1, checkpoint_every=5)
        monkeypatch.undo()
        train(base, stopped, epochs=1, checkpoint_every=5, show=lines.append)
        assert ": steps 5 to" in lines[1]
        assert Reader(stopped).entails(HELD_OUT) == pytest.approx(Reader(whole).entails(HELD_OUT))

    def test_keeps_what_was_fitted_and_records_what_it_was_made_from(self, trained: Path) -> None:
        settings = settings_of(trained)
        assert settings["answers"]["thresholds"] == {"answered_from": 0.8}
        assert (settings["trained"]["pairs"], settings["trained"]["questions"]) == (256, 14)

    @each_row(
        ("settings", "message"),
        [
            *(
                (each, rf"train_reader\({next(iter(each))}=")
                for each in (
                    {"epochs": 0},
                    {"learning_rate": -1},
                    {"batch_size": 0},
                    {"longest": "all"},
                    {"checkpoint_every": 0},
                    {"frozen_layers": -1},
                )
            ),
            ({}, "none is not the folder of a reader"),
            ({"questions": ["When?"]}, "expected AnswerPairs"),
        ],
    )
    def test_of_wrong_arguments(
        self, base: Path, settings: dict[str, Any], message: str, tmp_path: Path
    ) -> None:
        with pytest.raises(CiteguardError, match=message):
            train(base if "questions" in settings else tmp_path / "none", tmp_path, **settings)


class TestNetwork:
    def test_is_read_back_as_it_was_written(self, trained: Path, tmp_path: Path) -> None:
        again = train(trained, tmp_path / "again", learning_rate=1e-9, epochs=0.1)
        assert Reader(again).entails(HELD_OUT) == pytest.approx(
            Reader(trained).entails(HELD_OUT), abs=0.3
        )


class TestCalibration:
    def test_thresholds_are_those_at_which_it_is_right(self, trained: Path) -> None:
        citeguard.training.calibrate_reader(trained, plans(200, seed=3), questions=questions(14))
        settings = settings_of(trained)
        thresholds = settings["entails"]["thresholds"]
        assert 0 < thresholds["unsupported_below"] <= thresholds["supported_from"] < 1
        assert len(settings["entails"]["supported"]) == 9
        assert 0 < settings["answers"]["thresholds"]["answered_from"] < 1
        evidence = (Evidence(text="The bank was confirmed."),)
        asked = SupportQuestion(statement="The bank passed.", evidence=evidence)
        assert ReaderJudge(trained).judge([asked])[0].outcome == "supported"

    def test_of_pairs_of_one_kind(self, trained: Path) -> None:
        pairs = [pair for pair in plans(30) if pair.label == "supported"]
        with pytest.raises(CiteguardError, match="needs pairs that are supported, and others"):
            citeguard.training.calibrate_reader(trained, pairs)


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
            "  contradicted: 1 contradicted",
            "  neutral: 1 unread",
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
            ("torch", "train_reader"),
            ("onnx", "train_reader"),
            ("sklearn.linear_model", "calibrate_reader"),
        ],
    )
    def test_names_it(self, package: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for loaded in ("calibration", "learning", "network"):
            monkeypatch.delitem(sys.modules, f"citeguard.training.{loaded}", raising=False)
        monkeypatch.delitem(vars(citeguard.training), name, raising=False)
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(CiteguardError, match=r'pip install "pydantic-citeguard\[training\]"'):
            getattr(citeguard.training, name)

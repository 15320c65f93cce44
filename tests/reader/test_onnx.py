from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from citeguard.entailment.choice import entailment_model
from citeguard.entailment.onnx import OnnxModel

from citeguard import CiteguardError, Entailment
from citeguard.training import export_onnx
from training_pairs import plans, save_encoder

LABELS = ["contradiction", "neutral", "entailment"]
PAIRS = [(pair.premise * times, pair.hypothesis) for times, pair in enumerate(plans(12), 1)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported model, with its outputs in an order of its own."""
    folder = tmp_path_factory.mktemp("models")
    return export_onnx(save_encoder(folder / "whole", LABELS), folder / "small")


class TestOnnxModel:
    def test_gives_a_row_for_each_pair_whatever_it_is_asked_with(self, folder: Path) -> None:
        model = OnnxModel(folder)
        together = model(PAIRS)
        alone = np.concatenate([model([pair]) for pair in PAIRS])
        assert together == pytest.approx(alone, abs=0.03)  # activations share a scale
        assert together.sum(axis=1) == pytest.approx(1)
        assert model([]).shape == (0, 3)

    def test_gives_none_for_what_it_would_read_in_part(self, folder: Path) -> None:
        first, second, third = OnnxModel(folder)([PAIRS[0], ("plan " * 600, "It is."), PAIRS[0]])
        assert first.tolist() == pytest.approx(third.tolist(), abs=1e-6)
        assert all(map(math.isnan, second))

    def test_reads_many_long_pairs(self, folder: Path) -> None:
        pairs = [(f"plan {place} " * 100, "It is.") for place in range(50)]
        assert not np.isnan(OnnxModel(folder)(pairs)).any()

    def test_has_the_name_of_its_folder_and_a_version_of_its_weights(
        self, folder: Path, tmp_path: Path
    ) -> None:
        assert (OnnxModel(folder).name, len(OnnxModel(folder).version)) == ("small", 12)
        other = export_onnx(save_encoder(tmp_path / "a", LABELS[::-1]), tmp_path / "b")
        assert OnnxModel(folder).version != OnnxModel(other).version

    def test_can_be_sent_to_another_process_once_it_is_loaded(self, folder: Path) -> None:
        model = OnnxModel(folder)
        rows = model(PAIRS[:1])
        assert (pickle.loads(pickle.dumps(model))(PAIRS[:1]) == rows).all()

    @pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
    def test_of_a_folder_without_a_file(self, missing: str, folder: Path, tmp_path: Path) -> None:
        for file in folder.iterdir():
            if file.name != missing:
                (tmp_path / file.name).write_bytes(file.read_bytes())
        with pytest.raises(CiteguardError, match=f"has no {missing}"):
            OnnxModel(tmp_path)(PAIRS)

    @pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
    def test_of_a_damaged_file(self, damaged: str, folder: Path, tmp_path: Path) -> None:
        for file in folder.iterdir():
            data = b"{" if file.name == damaged else file.read_bytes()
            (tmp_path / file.name).write_bytes(data)
        with pytest.raises(CiteguardError, match=str(tmp_path)):
            OnnxModel(tmp_path)(PAIRS)


class TestChoice:
    def test_of_a_folder_with_a_model_in_the_onnx_format(self, folder: Path) -> None:
        for given in (folder, str(folder)):
            assert repr(entailment_model(given)) == f"OnnxModel({str(folder)!r})"

    def test_takes_no_labels_for_it(self, folder: Path) -> None:
        with pytest.raises(CiteguardError, match="labels= is for cross-encoders"):
            Entailment(folder, labels=LABELS)

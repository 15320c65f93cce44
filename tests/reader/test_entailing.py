"""Models as the judge asks them: a fitted reader, or one of the user's own."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citeguard.reader.cross_encoder import Probabilities
from citeguard.reader.entailing import (
    FittedReader,
    OwnModel,
    entailing,
    features,
    foremost,
)
from citeguard.reader.model import Reader
from citeguard.reader.windows import Window
from training_pairs import save_reader

pytestmark = pytest.mark.torch

PAIRS = [("It is.", "It was."), ("It is.", "It was.")]


def scored(*rows: tuple[float, float, float]) -> Any:
    return [(Window(str(n), (), 1.0), Probabilities(*row)) for n, row in enumerate(rows)]


class TestWhatIsNamed:
    def test_the_folder_of_a_reader_is_one(self, tmp_path: Path) -> None:
        folder = save_reader(tmp_path / "own")
        model = entailing(folder)
        assert isinstance(model, FittedReader)
        assert model.name == "own"
        assert model.thresholds["supported_from"] == 0.7
        (found, again) = model.read(PAIRS)
        assert found == again
        assert sum(found) == pytest.approx(1)
        assert model.read([]) == []

    def test_a_reader_is_itself(self) -> None:
        assert repr(entailing(Reader())) == "Reader()"

    def test_without_the_extra_there_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.reader.entailing.is_installed", lambda: False)
        assert entailing(None) is None


class TestWhatWindowsSayTogether:
    def test_support_in_one_window_is_support(self) -> None:
        read = scored((0.1, 0.8, 0.1), (0.9, 0.1, 0.0), (0.2, 0.8, 0.0))
        assert OwnModel(lambda pairs: pairs).combined(read, differs=False).supported == 0.9
        assert features(read)[0] == pytest.approx(math.log(9))
        assert foremost(read)[0].text == "1"

    def test_a_difference_of_fact_counts_against_it(self, tmp_path: Path) -> None:
        model = FittedReader(Reader(save_reader(tmp_path)))
        read = scored((0.6, 0.2, 0.2))
        same, other = (model.combined(read, differs=differs) for differs in (False, True))
        assert same.supported > other.supported
        assert same.contradicted < other.contradicted


class TestOwnModels:
    def test_get_the_passage_first_and_no_pair_twice(self) -> None:
        asked: list[Any] = []

        def model(pairs: Any) -> list[Any]:
            asked.extend(pairs)
            return [(0.7, 0.2, 0.1) for _ in pairs]

        own = OwnModel(model)
        assert own.read(PAIRS) == own.read(PAIRS[:1]) * 2 == [Probabilities(0.7, 0.2, 0.1)] * 2
        assert asked == [("It was.", "It is.")]
        assert own.name == "model"

    def test_a_failure_is_not_kept(self) -> None:
        rows = iter([np.nan, 0.75])
        own = OwnModel(lambda pairs: [next(rows)] * len(pairs))
        assert math.isnan(own.read(PAIRS[:1])[0].entailment)
        assert own.read(PAIRS[:1]) == [Probabilities(0.75, 0.25, 0.0)]

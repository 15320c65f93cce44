"""How the figures of floors are made, and compared."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from benchmarks.floors.figures import Figure, auc, broken, f1, figure, freeze, load, mean_share


def made(value: float, *, falling: bool = False) -> Figure:
    return Figure(about="", value=value, error=1.5, count=9, sample="abc", falling=falling)


class TestStatistics:
    def test_mean_share_weighs_groups_alike(self) -> None:
        assert mean_share([np.array([1.0, 0, 0, 0]), np.array([1.0])]) == 62.5

    def test_auc_counts_pairs_in_order_and_half_of_the_ties(self) -> None:
        rows = np.array([[1, 0.9], [1, 0.4], [0, 0.4], [0, 0.1]])
        assert auc([rows]) == 87.5

    def test_f1(self) -> None:
        assert f1([np.array([[1.0, 1], [1, 0], [0, 1], [0, 0]])]) == 50


class TestFigure:
    def test_standard_error_is_that_of_a_share(self) -> None:
        share = figure("", [[0, 1] * 200], mean_share, sample=1)
        assert (share.value, share.count) == (50, 400)
        assert share.error == pytest.approx(2.5, abs=0.3)

    def test_standard_error_is_at_least_the_weight_of_one_unit(self) -> None:
        assert figure("", [[1] * 50], mean_share, sample=1).error == 2
        assert figure("", [[1] * 50, [1] * 50], mean_share, sample=1).error == 1

    def test_same_sample_gives_the_same_figure(self) -> None:
        one, two = (figure("", [[0, 1, 1]], mean_share, sample=["a"]) for _ in range(2))
        assert asdict(one) == asdict(two)


class TestFloor:
    @pytest.mark.parametrize(
        ("measured", "failure"),
        [
            (made(80.0), None),
            (made(78.5), None),
            (made(78.4), "78.40, below 78.50"),
            (made(81.5, falling=True), None),
            (made(81.6, falling=True), "81.60, above 81.50"),
        ],
    )
    def test_is_one_standard_error_from_the_frozen_figure(
        self, measured: Figure, failure: str | None, tmp_path: Path
    ) -> None:
        freeze(tmp_path / "floors.json", {"it": made(80.0, falling=measured.falling)})
        assert broken("it", measured, load(tmp_path / "floors.json")) == failure

    def test_of_another_sample_does_not_compare(self, tmp_path: Path) -> None:
        freeze(tmp_path / "floors.json", {"it": made(80.0)})
        other = Figure(about="", value=90.0, error=1.5, count=9, sample="other")
        assert broken("it", other, load(tmp_path / "floors.json")) == "another sample"

    def test_that_was_never_frozen_is_named(self) -> None:
        assert broken("it", made(80.0), {}) == "no floor yet"

    def test_freezing_keeps_what_was_not_measured(self, tmp_path: Path) -> None:
        freeze(tmp_path / "floors.json", {"one": made(80.0)})
        freeze(tmp_path / "floors.json", {"two": made(70.0)})
        assert {name: row["floor"] for name, row in load(tmp_path / "floors.json").items()} == {
            "one": 78.5,
            "two": 68.5,
        }

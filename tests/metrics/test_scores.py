import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError
from citeguard.metrics import (
    Interval,
    Share,
    calibration,
    classification_quality,
    find_threshold,
    roc_auc,
    rouge_l,
    wilson_interval,
)

steady = settings(deadline=None, derandomize=True, max_examples=40)
scored = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])),
    max_size=40,
)


def split(rows: list[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [row[0] for row in rows], [row[1] for row in rows]


class TestCalibration:
    def test_by_hand(self) -> None:
        found = calibration([1, 0, 1, 1], [0.2, 0.4, 0.8, 1.0], bins=2)
        assert [(each.low, each.high, each.count) for each in found.bins] == [
            (0.0, 0.5, 2),
            (0.5, 1.0, 2),
        ]
        assert found.error == pytest.approx(0.5 * abs(0.5 - 0.3) + 0.5 * abs(1.0 - 0.9))
        assert found.brier == pytest.approx((0.64 + 0.16 + 0.04 + 0) / 4)

    def test_puts_a_bound_into_the_bin_below(self) -> None:
        found = calibration([1, 1, 1], [0.0, 0.5, 0.75], bins=2)
        assert [each.count for each in found.bins] == [2, 1]

    @given(scored, st.integers(1, 12))
    @steady
    def test_is_from_0_to_1_and_loses_no_score(
        self, rows: list[tuple[bool, float]], bins: int
    ) -> None:
        truth, scores = split(rows)
        found = calibration(truth, scores, bins=bins)
        assert sum(each.count for each in found.bins) == len(rows)
        if not rows:
            assert found.error is found.brier is None
            return
        assert found.error is not None
        assert 0 <= found.error <= 1
        mean = np.mean((np.array(truth) - np.array(scores)) ** 2)
        assert found.brier == pytest.approx(mean)
        for each in found.bins:
            assert each.low - 1e-9 <= each.mean_score <= each.high + 1e-9

    def test_rejects_no_bins(self) -> None:
        for bins in (0, -1, 2.5, True):
            with pytest.raises(CiteguardError, match="bins must be an integer of at least 1"):
                calibration([1], [0.5], bins=bins)

    def test_rejects_scores_that_are_no_probabilities(self) -> None:
        for score in (-0.1, 1.1):
            with pytest.raises(CiteguardError, match="score 0 must be a number from 0 to 1"):
                calibration([1], [score])


class TestFindThreshold:
    LABELS = (1, 1, 0, 1, 0, 0)
    SCORES = (0.9, 0.8, 0.7, 0.6, 0.4, 0.1)

    def test_by_hand(self) -> None:
        for target, value in [
            ({"precision": 1.0}, 0.8),
            ({"precision": 0.75}, 0.6),
            ({"precision": 0.7}, 0.6),
            ({"precision": 0.5}, 0.1),
            ({"recall": 1.0}, 0.6),
            ({"recall": 0.6}, 0.8),
            ({"recall": 0.01}, 0.9),
        ]:
            found = find_threshold(self.LABELS, self.SCORES, **target)
            assert found is not None
            assert found.value == value
            for name, wanted in target.items():
                assert getattr(found.quality, name) >= wanted

    def test_that_does_not_exist(self) -> None:
        for labels, scores in [([], []), ([0, 0], [0.1, 0.2]), ([0, 1], [0.9, 0.1])]:
            assert find_threshold(labels, scores, precision=0.9) is None

    def test_has_wilsons_intervals(self) -> None:
        found = find_threshold(self.LABELS, self.SCORES, precision=0.75, level=0.9)
        assert found is not None
        assert found.precision_interval == wilson_interval(3, 4, level=0.9)
        assert found.recall_interval == wilson_interval(3, 3, level=0.9)

    @given(scored, st.sampled_from([0.1, 0.3, 0.5, 0.75, 0.9, 1.0]))
    @steady
    def test_is_the_best_that_there_is(self, rows: list[tuple[bool, float]], target: float) -> None:
        truth, scores = split(rows)
        tried = [
            (value, classification_quality(truth, [score >= value for score in scores]))
            for value in sorted(set(scores))
        ]
        for name, best in (("precision", min), ("recall", max)):
            reached = [
                value for value, quality in tried if (getattr(quality, name) or 0.0) >= target
            ]
            found = find_threshold(truth, scores, **{name: target})
            assert (found and found.value) == (best(reached) if reached else None)

    def test_needs_one_target(self) -> None:
        for targets in ({}, {"precision": 0.9, "recall": 0.9}):
            with pytest.raises(CiteguardError, match="give one"):
                find_threshold([1], [0.5], **targets)

    def test_rejects_a_target_out_of_range(self) -> None:
        for target in (0, -1, 1.01, math.nan, True):
            for name in ("precision", "recall"):
                with pytest.raises(CiteguardError, match=f"{name} must be a number above"):
                    find_threshold([1], [0.5], **{name: target})

    def test_rejects_a_level_out_of_range(self) -> None:
        for level in (0, 1, 2, math.nan):
            with pytest.raises(CiteguardError, match="level must be"):
                find_threshold([], [], recall=0.5, level=level)


class TestShare:
    def test_keeps_the_undecided_apart(self) -> None:
        share = Share(yes=1, no=1, undecided=2)
        assert (share.low, share.value, share.high) == (0.25, 0.5, 0.75)
        assert (share.decided, share.total) == (2, 4)

    def test_of_nothing_is_undefined(self) -> None:
        assert Share().value is Share().low is Share().high is None

    @given(*[st.integers(0, 50)] * 3)
    @steady
    def test_lies_between_its_bounds(self, yes: int, no: int, undecided: int) -> None:
        share = Share(yes=yes, no=no, undecided=undecided)
        if share.value is not None and share.low is not None and share.high is not None:
            assert 0 <= share.low <= share.value <= share.high <= 1
            interval = wilson_interval(share.yes, share.decided)
            assert interval is not None
            assert interval.low - 1e-12 <= share.value <= interval.high + 1e-12


class TestWilsonInterval:
    def test_is_that_of_scipy(self) -> None:
        from scipy.stats import binomtest

        expected = binomtest(7, 20).proportion_ci(confidence_level=0.8, method="wilson")
        assert wilson_interval(7, 20, level=0.8) == Interval(expected.low, expected.high)

    @given(st.integers(1, 200), st.data())
    @steady
    def test_is_the_formula(self, trials: int, data: st.DataObject) -> None:
        successes = data.draw(st.integers(0, trials))
        found = wilson_interval(successes, trials)
        z, share = 1.959963984540054, successes / trials
        middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
        half = (
            z
            / (1 + z * z / trials)
            * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2))
        )
        assert found is not None
        assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-9)
        assert 0 <= found.low < found.high <= 1

    def test_of_no_trials_is_undefined(self) -> None:
        assert wilson_interval(0, 0) is None

    def test_is_refused_a_level_that_scipy_rounds_to_1(self) -> None:
        with pytest.raises(CiteguardError, match="must be below 1"):
            wilson_interval(1, 2, level=math.nextafter(1.0, 0.0))

    def test_rejects_counts_that_are_none(self) -> None:
        for successes, trials in [(-1, 2), (3, 2), (1, -1), (0.5, 1)]:
            with pytest.raises(CiteguardError):
                wilson_interval(successes, trials)


class TestLibraries:
    def test_that_is_missing_names_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from citeguard.metrics import overlap

        for module, call, package in [
            ("sklearn.metrics", lambda: roc_auc([1], [1]), "scikit-learn"),
            ("sklearn.metrics", lambda: find_threshold([1], [1], recall=1), "scikit-learn"),
            ("scipy.stats", lambda: wilson_interval(1, 1), "scipy"),
            ("rouge_score.rouge_scorer", lambda: rouge_l("a", "a"), "rouge-score"),
        ]:
            overlap._scorer.cache_clear()  # pyright: ignore[reportPrivateUsage]
            monkeypatch.setitem(sys.modules, module, None)
            with pytest.raises(
                CiteguardError, match=rf"{package} is required .* install .*\[metrics\]"
            ):
                call()

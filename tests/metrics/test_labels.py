import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Verdict
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
pairs = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30)
scored = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])),
    max_size=40,
)


def split(rows: list[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [row[0] for row in rows], [row[1] for row in rows]


class TestClassificationQuality:
    def test_leaves_undecided_ones_out_and_counts_them(self) -> None:
        found = classification_quality([1, 1, 0, 0, 0], [None, 1, None, None, 0])
        assert (found.undecided_positives, found.undecided_negatives) == (1, 2)
        assert (found.decided, found.undecided) == (2, 3)
        assert found.precision == found.recall == found.accuracy == 1.0

    def test_is_undefined_for_want_of_a_class(self) -> None:
        for labels, decisions, undefined in [
            ([], [], {"precision", "recall", "f1", "accuracy"}),
            ([1, 0], [None, None], {"precision", "recall", "f1", "accuracy"}),
            ([0, 0], [0, 0], {"precision", "recall", "f1"}),
            ([0, 0], [0, 1], {"recall"}),
            ([1, 1], [0, 0], {"precision"}),
            ([1, 1], [1, 0], set[str]()),
        ]:
            found = classification_quality(labels, decisions)
            names = ("precision", "recall", "f1", "accuracy")
            assert {name for name in names if getattr(found, name) is None} == undefined
            assert found.balanced_accuracy is None
            assert (found.recall_weighted_f is None) == bool(undefined)

    @given(pairs)
    @steady
    def test_is_that_of_scikit_learn(self, rows: list[tuple[bool, bool]]) -> None:
        from sklearn import metrics as sklearn_metrics

        truth, said = split(rows)
        found = classification_quality(truth, said)
        assert found.decided == len(rows)
        if found.precision is not None:
            assert found.precision == sklearn_metrics.precision_score(truth, said)
        if found.recall is not None:
            assert found.recall == sklearn_metrics.recall_score(truth, said)
        if found.f1 is not None:
            assert found.f1 == sklearn_metrics.f1_score(truth, said)
        if found.balanced_accuracy is not None:
            assert found.balanced_accuracy == sklearn_metrics.balanced_accuracy_score(truth, said)
        measured = (
            *(found.precision, found.recall, found.f1, found.recall_weighted_f),
            *(found.accuracy, found.balanced_accuracy),
        )
        assert all(value is None or 0 <= value <= 1 for value in measured)
        if found.recall_weighted_f is not None:
            weighted = 0.3 * (found.precision or 0.0) + 0.7 * (found.recall or 0.0)
            assert found.recall_weighted_f == pytest.approx(weighted)

    def test_takes_arrays(self) -> None:
        found = classification_quality(np.array([1, 0]), np.array([True, False]))
        assert (found.true_positives, found.true_negatives, found.decided) == (1, 1, 2)
        assert type(found.precision) is float
        assert classification_quality(np.array([1.0, 0.0]), [1, 0]) == found

    def test_rejects_labels_that_are_no_yes_or_no(self) -> None:
        for label in (2, -1, 0.5, math.nan, "1", None, "yes", [1]):
            with pytest.raises(CiteguardError, match="label 1 must be True or False, 1 or 0, not"):
                classification_quality([1, label], [1, 0])

    def test_rejects_decisions_that_are_none(self) -> None:
        for decision in (2, math.nan, "supported", Verdict("supported")):
            with pytest.raises(CiteguardError, match="decision 0 must be True or False"):
                classification_quality([1], [decision])


class TestRanking:
    @given(scored)
    @steady
    def test_is_that_of_scikit_learn(self, rows: list[tuple[bool, float]]) -> None:
        truth, scores = split(rows)
        if len(set(truth)) < 2:
            assert roc_auc(truth, scores) is None
        else:
            from sklearn.metrics import roc_auc_score

            area = roc_auc_score(truth, scores)
            assert roc_auc(truth, scores) == area
            assert roc_auc(truth, [-score for score in scores]) == pytest.approx(1 - area)

    def test_rejects_scores_that_are_no_numbers(self) -> None:
        for score in (math.nan, math.inf, -math.inf, None, "0.5", [0.5]):
            for measure in (roc_auc, calibration):
                with pytest.raises(CiteguardError, match=r"score 1 must be a .*number.*, not"):
                    measure([1, 0], [0.5, score])


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

    def test_rejects_no_bins_and_scores_that_are_no_probabilities(self) -> None:
        for bins in (0, -1, 2.5, True):
            with pytest.raises(CiteguardError, match="bins must be an integer of at least 1"):
                calibration([1], [0.5], bins=bins)
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

    def test_needs_one_target_and_numbers_in_range(self) -> None:
        for targets in ({}, {"precision": 0.9, "recall": 0.9}):
            with pytest.raises(CiteguardError, match="give one"):
                find_threshold([1], [0.5], **targets)
        for target in (0, -1, 1.01, math.nan, True):
            for name in ("precision", "recall"):
                with pytest.raises(CiteguardError, match=f"{name} must be a number above"):
                    find_threshold([1], [0.5], **{name: target})
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
    @given(st.integers(1, 200), st.data(), st.sampled_from([0.5, 0.8, 0.95]))
    @steady
    def test_is_that_of_scipy(self, trials: int, data: st.DataObject, level: float) -> None:
        from scipy.stats import binomtest

        successes = data.draw(st.integers(0, trials))
        test = binomtest(successes, trials)
        expected = test.proportion_ci(confidence_level=level, method="wilson")
        found = wilson_interval(successes, trials, level=level)
        assert found == Interval(expected.low, expected.high)
        assert 0 <= found.low < found.high <= 1

    def test_of_no_trials_is_undefined(self) -> None:
        assert wilson_interval(0, 0) is None

    def test_rejects_counts_that_are_none_and_a_level_that_scipy_rounds_to_1(self) -> None:
        for successes, trials in [(-1, 2), (3, 2), (1, -1), (0.5, 1)]:
            with pytest.raises(CiteguardError):
                wilson_interval(successes, trials)
        with pytest.raises(CiteguardError, match="must be below 1"):
            wilson_interval(1, 2, level=math.nextafter(1.0, 0.0))


class TestLibraries:
    def test_that_is_missing_names_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from citeguard.metrics import citations

        for module, call, package in [
            ("sklearn.metrics", lambda: roc_auc([1], [1]), "scikit-learn"),
            ("sklearn.metrics", lambda: find_threshold([1], [1], recall=1), "scikit-learn"),
            ("scipy.stats", lambda: wilson_interval(1, 1), "scipy"),
            ("rouge_score.rouge_scorer", lambda: rouge_l("a", "a"), "rouge-score"),
        ]:
            citations._scorer.cache_clear()  # pyright: ignore[reportPrivateUsage]
            monkeypatch.setitem(sys.modules, module, None)
            with pytest.raises(
                CiteguardError, match=rf"{package} is required .* install .*\[metrics\]"
            ):
                call()

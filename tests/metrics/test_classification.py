import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Verdict
from citeguard.metrics import (
    ClassificationQuality,
    calibration,
    classification_quality,
    roc_auc,
)

steady = settings(deadline=None, derandomize=True, max_examples=40)
pairs = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30)
scored = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])),
    max_size=40,
)


def split(rows: list[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    return [row[0] for row in rows], [row[1] for row in rows]


def counts(found: ClassificationQuality) -> tuple[int, ...]:
    return (
        found.true_positives,
        found.false_positives,
        found.false_negatives,
        found.true_negatives,
    )


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
        assert sum(counts(found)) == len(rows)
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
        assert counts(found) == (1, 0, 0, 1)
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

"""What is measured of samples: quotes, statements, citations, labels."""

from typing import Any

import numpy as np
import pytest

from citeguard import CiteguardError
from citeguard.datasets import Evaluation, LabelQuality, evaluate_samples
from citeguard.datasets.evaluation import read_label
from citeguard.judges.verdicts import Verdict
from citeguard.metrics import Share
from citeguard.testing import ScriptedJudge
from rows import each_row

SOURCES = {
    "handbook": "The notice period is one month. It does not apply during probation.",
    "faq": "Lunch is free on Fridays. Employees resign in writing.",
}
NOTICE = "The notice period is one month."
LUNCH = "Lunch is free on Fridays."

Json = dict[str, Any]


def stated(text: str, *quotes: str) -> Json:
    return {"text": text, "citations": [{"quote": quote} for quote in quotes]}


def sample(*statements: Json, **more: Any) -> Json:
    return {"statements": list(statements), **more}


def evaluate(*samples: Any, **options: Any) -> Evaluation:
    return evaluate_samples(samples, sources=SOURCES, **options)


def labels_of(*samples: Any, **options: Any) -> LabelQuality:
    found = evaluate(*samples, label="label", **options).labels
    assert found is not None
    return found


RIGHT = sample(stated(NOTICE, NOTICE))
BAD_QUOTE = sample(stated(NOTICE, "The notice period is two months."))
WRONG = sample(stated("The notice period is two months.", NOTICE))
UNSURE = sample(stated("The notice may matter to many employees.", NOTICE))
JUDGE = ScriptedJudge(
    {
        "The notice period is two months.": "contradicted",
        "The notice may matter to many employees.": "undecided",
    }
)


def judged(outcome: str, score: float | None, **more: Any) -> Json:
    return sample(stated(f"{outcome} {score}", NOTICE), **more)


def scripted() -> ScriptedJudge:
    """Return a judge that says of a statement what `judged` wrote into it."""
    said = [("supported", score) for score in (None, 0.7, 0.8, 0.9)]
    verdicts = {
        f"{outcome} {score}": Verdict(outcome, score=score)
        for outcome, score in [*said, ("unsupported", 0.1)]
    }
    return ScriptedJudge(verdicts)


class TestCounts:
    def test_of_samples_quotes_and_statements(self) -> None:
        found = evaluate(RIGHT, BAD_QUOTE, WRONG, UNSURE, judge=JUDGE)
        assert found.read == 4
        assert found.samples == Share(yes=1, no=2, undecided=1)
        assert found.quotes == Share(yes=3, no=1)
        assert found.statements == Share(yes=1, no=2, undecided=1)

    def test_one_bad_part_leaves_the_others_measured(self) -> None:
        mixed = sample(stated(NOTICE, NOTICE), stated(LUNCH, LUNCH, "Lunch is never free at all."))
        found = evaluate(mixed)
        assert found.samples == Share(no=1)
        assert found.statements == Share(yes=1, no=1)
        assert found.quotes == Share(yes=2, no=1)
        assert found.citations.recall == Share(yes=2)
        assert found.citations.precision == Share(yes=2, no=1)

    def test_of_problems_by_code(self) -> None:
        uncited, blank = sample(stated("Lunch.")), sample(stated(" ", LUNCH))
        found = evaluate(RIGHT, WRONG, WRONG, UNSURE, uncited, blank, judge=JUDGE)
        assert found.problems == {
            "statement_contradicted": 2,
            "statement_empty": 1,
            "statement_uncited": 1,
            "undecided": 1,
        }
        assert next(iter(found.problems)) == "statement_contradicted"


class TestUnreadable:
    def test_is_counted_apart_with_an_example(self) -> None:
        found = evaluate(RIGHT, {"x": 1}, "no JSON", sample({"text": 1, "citations": []}))
        assert found.read == 4
        assert found.unreadable == {"answer_missing": 1, "sample_malformed": 1, "string_type": 1}
        assert found.examples["answer_missing"].startswith("no statements at 'statements'")
        assert found.samples == Share(yes=1)


class TestLabels:
    @each_row(
        ("value", "label"),
        [
            *[(each, True) for each in (True, 1.0, "1", " Supported ", np.bool_(True))],
            *[(each, False) for each in (0, "false", "unsupported", "contradicted", np.int64(0))],
            *[(each, None) for each in (None, np.float64("nan"))],
        ],
        ids=repr,
    )
    def test_are_read(self, value: Any, label: bool | None) -> None:
        assert read_label(value, 1) is label

    def test_are_held_against_verdicts(self) -> None:
        said = [(RIGHT, "supported"), (RIGHT, "false"), (WRONG, "contradicted")]
        labelled = [{**each, "label": label} for each, label in (*said, (UNSURE, "unsupported"))]
        found = labels_of(*labelled, RIGHT, judge=JUDGE)
        assert found.unlabelled == 1
        assert (found.supported.true_positives, found.supported.false_positives) == (1, 1)
        assert (found.wrong.true_positives, found.wrong.false_negatives) == (1, 1)
        assert (found.wrong.undecided_positives, found.supported.undecided_negatives) == (1, 1)
        assert (found.supported.precision, found.wrong.precision) == (0.5, 1.0)

    def test_scores_are_those_of_the_weakest_statement(self) -> None:
        both = sample(stated("supported 0.9", NOTICE), stated("supported 0.7", LUNCH))
        samples = [{**both, "label": 1}, judged("supported", 0.8, label=0)]
        assert labels_of(*samples, judge=scripted()).roc_auc == 0.0
        # A quote that is not found scores 0.
        samples = [{**BAD_QUOTE, "label": 0}, judged("unsupported", 0.1, label=1)]
        found = labels_of(*samples, judge=scripted())
        assert (found.scored, found.roc_auc) == (2, 1.0)


class TestThreshold:
    SAMPLES = (
        judged("supported", 0.9, label=1),
        judged("supported", 0.8, label=0),
        judged("supported", 0.7, label=1),
    )

    @each_row(
        ("target", "value"),
        [({"precision": 1.0}, 0.9), ({"precision": 0.6}, 0.7), ({"recall": 0.5}, 0.9)],
    )
    def test_reaches_the_target(self, target: dict[str, float], value: float) -> None:
        threshold = labels_of(*self.SAMPLES, judge=scripted(), **target).threshold
        assert threshold is not None
        assert threshold.value == value

    @each_row(
        ("options", "told"),
        [
            ({"recall": 0.5}, "name the field that holds them"),
            ({"label": "label", "precision": 0.5, "recall": 0.5}, "name one"),
            ({"label": "label", "recall": 2}, "recall must be a number above"),
            ({"label": "a["}, r"label='a\[' must be a key or a valid JMESPath expression"),
        ],
    )
    def test_a_wrong_setup_is_an_error_before_anything_is_judged(
        self, options: Json, told: str
    ) -> None:
        judge = scripted()
        with pytest.raises(CiteguardError, match=told):
            evaluate(*self.SAMPLES, judge=judge, **options)
        assert judge.asked == []


class TestAsData:
    def test_has_labels(self) -> None:
        found = evaluate({**RIGHT, "label": 1}, label="label", precision=0.5).as_data()
        assert found["labels"]["threshold"]["precision_interval"]["high"] == 1.0
        assert found["labels"]["labelled"] == 1


def test_a_missing_extra_is_named_before_anything_is_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(module: str) -> None:
        raise ImportError(name=module.partition(".")[0])

    monkeypatch.setattr("citeguard.metrics.shares.import_module", missing)
    judge = ScriptedJudge()
    with pytest.raises(CiteguardError, match="scikit-learn is required for this measure: pip"):
        evaluate({**RIGHT, "label": 1}, judge=judge, label="label")
    assert judge.asked == []

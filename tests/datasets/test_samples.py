import pickle
from typing import Annotated, Any

from filter_material import HANDBOOK, RIGHT, SOURCES, sample
from pydantic import BaseModel, ConfigDict, Field, field_validator

from citeguard import Answer, FuzzyQuote, Policy
from citeguard.datasets import SampleChecker
from citeguard.testing import ScriptedJudge
from rows import each_row


class Finding(BaseModel):
    model_config = ConfigDict(extra="forbid")

    claim: str
    quote: Annotated[str, FuzzyQuote()]


class Titled(Answer):
    title: str = Field(min_length=3)


def judged(**rules: Any) -> Policy:
    judge = ScriptedJudge({"A lie.": "contradicted", "Who knows?": "undecided"})
    return Policy(support=[judge], **rules)


class TestOutcomes:
    def test_a_right_sample_is_kept_with_its_answer(self) -> None:
        given = sample()
        checked = SampleChecker().check(given)
        assert (checked.outcome, checked.problems, checked.sample) == ("kept", (), given)
        assert checked.answer.statements[0].citations[0].span.start == 0

    @each_row(
        ("text", "rules", "outcome", "codes"),
        [
            ("The truth.", {}, "kept", ()),
            ("A lie.", {}, "rejected", ("statement_contradicted",)),
            ("Who knows?", {}, "undecided", ("undecided",)),
            ("Who knows?", {"undecided": "pass"}, "kept", ()),
            ("Who knows?", {"undecided": "raise"}, "undecided", ("undecided",)),
        ],
    )
    def test_with_judges(self, text: str, rules: Any, outcome: str, codes: Any) -> None:
        checked = SampleChecker(policy=judged(**rules)).check(sample(text=text))
        assert (checked.outcome, checked.codes) == (outcome, codes)


class TestMalformed:
    @each_row(
        ("given", "code", "message"),
        [
            (3, "sample_malformed", "a sample is an object, not int"),
            (None, "sample_malformed", "a sample is an object, not null"),
            (
                {"sources": SOURCES, "response": "x"},
                "answer_missing",
                "no statements at 'statements', and no answer, as an object or as JSON, at "
                "'answer'; the sample's keys are 'sources', 'response'",
            ),
            (
                {"sources": SOURCES, "answer": "It takes a month."},
                "answer_missing",
                "the text at 'answer' is not the JSON of an answer: “It takes a month.”",
            ),
            *(
                (
                    {"sources": SOURCES, "statements": [], "answer": answer},
                    "sample_malformed",
                    "an answer at 'answer' and statements at 'statements', of which only one would "
                    "be checked; remove the other",
                )
                for answer in ({"statements": []}, '{"statements": []}')
            ),
            ({"a": 1}, "sources_missing", "no sources at 'sources'; the sample's keys are 'a'"),
            ({}, "sources_missing", "no sources at 'sources'; the sample is empty"),
            ({"sources": [3]}, "sources_invalid", "source '1': its text must be a string, not int"),
        ],
    )
    def test_the_message_says_what_is_missing(self, given: Any, code: str, message: str) -> None:
        [problem] = SampleChecker().check(given).problems
        assert (problem.code, problem.message) == (code, message)


class TestModels:
    def test_of_your_own_may_forbid_more_fields(self) -> None:
        checker = SampleChecker(Finding)
        given = {"claim": "A month.", "quote": "notice period is one month", "sources": SOURCES}
        assert checker.check({**given, "citeguard": {"outcome": "rejected"}}).outcome == "kept"
        assert checker.check({**given, "more": 1}).codes == ("extra_forbidden",)

    def test_an_answer_with_more_fields_is_given_them(self) -> None:
        checker = SampleChecker(Titled)
        assert checker.check(sample(title="Notice")).answer.title == "Notice"
        assert checker.check(sample(title="No")).codes == ("string_too_short",)

    def test_a_message_with_a_lone_surrogate_is_the_samples_fault(self) -> None:
        class Strict(Finding):
            @field_validator("claim")
            @classmethod
            def _refuse(cls, value: str) -> str:
                raise ValueError(f"not so: {value}")

        given = {"claim": "\ud800", "quote": RIGHT, "sources": SOURCES}
        assert SampleChecker(Strict).check(given).codes == ("value_error",)


def test_a_checker_can_be_sent_without_what_it_keeps() -> None:
    checker = SampleChecker(sources={"handbook": HANDBOOK * 100})
    checker.check(sample())
    sent = pickle.dumps(checker)
    assert len(sent) < 150 * len(HANDBOOK)
    assert pickle.loads(sent).check(sample()).outcome == "kept"

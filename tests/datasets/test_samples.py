import pickle
from typing import Annotated, Any

import pytest
from filter_material import HANDBOOK, RIGHT, SOURCES, sample
from pydantic import BaseModel, ConfigDict, Field, field_validator

from citeguard import Answer, FuzzyQuote, Policy, Sources
from citeguard.datasets import SampleChecker
from citeguard.datasets.fields import MalformedSampleError
from citeguard.datasets.samples import SourceCache
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


ONE, TWO = "Notice is one month.", "Lunch is free."


def sources_of(given: Any, shared: Sources | None = None) -> dict[str, str]:
    return {source.id: source.text for source in SourceCache(shared).find(given)}


class TestSources:
    @each_row(
        ("given", "expected"),
        [
            (ONE, {"1": ONE}),
            ([ONE, TWO], {"1": ONE, "2": TWO}),
            ({"a": ONE, "b": TWO}, {"a": ONE, "b": TWO}),
            ({"a": ONE, "b": None}, {"a": ONE}),
            ({"text": ONE}, {"1": ONE}),
            ({"id": "a", "text": ONE, "title": None}, {"a": ONE}),
            ([{"source_id": "a", "page_content": ONE}], {"a": ONE}),
            ({"id": "a", "text": ONE, "score": 0.5}, {"a": ONE}),
            ([{"id": 7, "text": ONE, "score": 0.5}, {"text": TWO}], {"7": ONE, "2": TWO}),
        ],
    )
    def test_are_read(self, given: Any, expected: dict[str, str]) -> None:
        assert sources_of(given) == expected

    @each_row(
        "given",
        [
            3,
            " ",
            [None],
            {"a": 3},
            [{"id": "a"}],
            {"id": "a", "text": None},
            {"id": ["a"], "text": [ONE, TWO]},
            [{"id": "a", "text": ONE}, {"id": "a", "text": TWO}],
            {" ": ONE},
        ],
    )
    def test_anything_else_is_invalid(self, given: Any) -> None:
        with pytest.raises(MalformedSampleError) as caught:
            sources_of(given)
        assert caught.value.code == "sources_invalid"


class TestSharedSources:
    SHARED = Sources({"a": ONE, "b": TWO, "3": "Third."})

    @each_row("given", [None, [], {"x": None}])
    def test_are_for_samples_without_their_own(self, given: Any) -> None:
        assert SourceCache(self.SHARED).find(given) is self.SHARED

    @each_row(
        ("given", "ids"),
        [("a", ["a"]), (["b", "a"], ["b", "a"]), (3, ["3"]), ([3, "a"], ["3", "a"])],
    )
    def test_are_named_by_their_ids(self, given: Any, ids: list[str]) -> None:
        assert [source.id for source in SourceCache(self.SHARED).find(given)] == ids


class TestKeptSources:
    def test_a_text_is_prepared_once_whoever_brings_it(self) -> None:
        cache = SourceCache()
        first = cache.find({"a": ONE, "b": TWO})
        second = cache.find({"b": TWO})
        assert second["b"] is first["b"]

    def test_the_least_recently_used_goes_first(self) -> None:
        cache = SourceCache(limit=25)
        one = cache.find({"one": "x" * 10})["one"]
        two = cache.find({"two": "x" * 10})["two"]
        assert cache.find({"one": "x" * 10})["one"] is one
        cache.find({"three": "x" * 10})
        assert cache.find({"one": "x" * 10})["one"] is one
        assert cache.find({"two": "x" * 10})["two"] is not two

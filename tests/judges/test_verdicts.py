# ruff: noqa: E501 - a snapshot holds a text as it is
from __future__ import annotations

import dataclasses
import math
import pickle
from typing import Any, assert_type, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import TypeAdapter

from citeguard import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    Outcome,
    Span,
    SupportQuestion,
    Usage,
    Verdict,
)
from rows import each_row

YES, NO, UNKNOWN = Verdict("supported"), Verdict("unsupported"), Verdict("undecided")
steady = settings(deadline=None, derandomize=True)
usages = st.builds(
    Usage,
    calls=st.integers(0, 99),
    tokens=st.integers(0, 9_999),
    cached=st.integers(0, 99),
    seconds=st.integers(0, 99).map(float),
)


class TestVerdict:
    def test_repr(self) -> None:
        verdict = Verdict("contradicted", reason="No.", words="not", span=Span("a", 0, 3))
        assert repr(verdict) == snapshot(
            "Verdict(outcome='contradicted', reason='No.', score=None, words='not', span=Span(source_id='a', start=0, end=3), judge='')"
        )

    @each_row(
        ("outcome", "decided"),
        [("supported", True), ("contradicted", True), ("unsupported", True), ("undecided", False)],
    )
    def test_is_decided(self, outcome: Outcome, decided: bool) -> None:
        assert Verdict(outcome).decided is decided

    def test_has_four_outcomes(self) -> None:
        assert get_args(Outcome) == ("supported", "contradicted", "unsupported", "undecided")
        assert_type(Verdict("supported").outcome, Outcome)

    @each_row("outcome", ["", "yes", "Supported", "supported ", None, True, 1, []])
    def test_refuses_another_outcome(self, outcome: Any) -> None:
        with pytest.raises(ValueError, match="a verdict's outcome must be one of"):
            Verdict(outcome)

    @each_row("score", [0, 0.0, 0.5, 1, 1.0, None])
    def test_takes_a_score(self, score: float | None) -> None:
        assert Verdict("supported", score=score).score == score

    @each_row("score", [-0.01, 1.01, 100, math.inf, -math.inf, math.nan])
    def test_refuses_another_score(self, score: float) -> None:
        with pytest.raises(ValueError, match="score must be a number from 0 to 1"):
            Verdict("supported", score=score)

    @each_row("field", ["reason", "words", "judge"])
    @each_row("value", [None, 5, b"text", ["text"]])
    def test_refuses_what_is_no_text(self, field: str, value: Any) -> None:
        more: dict[str, Any] = {field: value}
        with pytest.raises(ValueError, match=field):
            Verdict("supported", **more)

    @each_row("span", [(0, 1), "handbook", 5, {"source_id": "a"}])
    def test_refuses_what_is_no_span(self, span: Any) -> None:
        with pytest.raises(ValueError, match="span must be a Span"):
            Verdict("supported", span=span)

    @each_row("score", ["0.5", [1], b"1"])
    def test_refuses_a_score_that_is_no_number(self, score: Any) -> None:
        with pytest.raises(ValueError, match="score must be"):
            Verdict("supported", score=score)

    def test_says_why_it_is_refused(self) -> None:
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            Verdict("maybe")  # type: ignore[arg-type]
        assert str(caught.value) == snapshot(
            "a verdict's outcome must be one of supported, contradicted, unsupported, undecided, not 'maybe'"
        )
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            Verdict("supported", score=7)
        assert str(caught.value) == snapshot(
            "a verdict's score must be a number from 0 to 1, not 7"
        )

    def test_takes_all_but_the_outcome_by_name(self) -> None:
        with pytest.raises(TypeError):
            Verdict("supported", "because")  # type: ignore[misc]

    def test_is_a_value(self) -> None:
        verdict = Verdict("supported", score=0.5, span=Span("a", 0, 3))
        assert pickle.loads(pickle.dumps(verdict)) == verdict
        assert hash(verdict) == hash(dataclasses.replace(verdict))
        assert verdict != dataclasses.replace(verdict, score=0.4)
        with pytest.raises(dataclasses.FrozenInstanceError):
            verdict.score = 1.0  # type: ignore[misc]

    def test_makes_the_round_trip_through_json(self) -> None:
        adapter = TypeAdapter(Verdict)
        verdict = Verdict(
            "supported", reason="é", score=0.5, words="x", span=Span("a", 0, 3), judge="me"
        )
        assert adapter.validate_json(adapter.dump_json(verdict)) == verdict


class TestEvidence:
    def test_needs_a_text_only(self) -> None:
        assert repr(Evidence(text="x")) == snapshot("Evidence(text='x', source_id=None, start=0)")

    def test_takes_nothing_by_place(self) -> None:
        with pytest.raises(TypeError):
            Evidence("x")  # type: ignore[misc]

    def test_is_a_value(self) -> None:
        evidence = Evidence(text="x", source_id="a", start=3)
        assert pickle.loads(pickle.dumps(evidence)) == evidence
        assert len({evidence, Evidence(text="x", source_id="a", start=3)}) == 1

    def test_tells_where_a_part_stands(self) -> None:
        assert Evidence(text="It rained.", source_id="a", start=3).span(0, 2) == Span("a", 3, 5)
        assert Evidence(text="It rained.").span(0, 2) is None


class TestQuestions:
    SUPPORT = SupportQuestion(statement="s", evidence=(Evidence(text="x"),))

    @each_row("question", [SUPPORT, AlignmentQuestion(question=None, statements=(SUPPORT,))])
    def test_are_values(self, question: Any) -> None:
        assert pickle.loads(pickle.dumps(question)) == question
        assert hash(question) == hash(dataclasses.replace(question))

    def test_differ_by_where_their_evidence_stands(self) -> None:
        elsewhere = SupportQuestion(statement="s", evidence=(Evidence(text="x", start=1),))
        assert elsewhere != self.SUPPORT


class TestAlignment:
    @each_row(
        ("answer", "statements", "decided"),
        [
            (YES, (), True),
            (NO, (NO, YES), True),
            (YES, (None, YES), True),
            (UNKNOWN, (YES,), False),
            (YES, (YES, UNKNOWN), False),
            (YES, (None, UNKNOWN), False),
        ],
    )
    def test_is_decided_when_all_of_it_is(
        self, answer: Verdict, statements: tuple[Verdict | None, ...], decided: bool
    ) -> None:
        assert Alignment(answer=answer, statements=statements).decided is decided

    def test_makes_the_round_trip_through_json(self) -> None:
        adapter = TypeAdapter(Alignment)
        alignment = Alignment(answer=YES, statements=(NO, None))
        assert adapter.validate_json(adapter.dump_json(alignment)) == alignment


class TestUsage:
    def test_starts_at_nothing(self) -> None:
        assert repr(Usage()) == snapshot(
            "Usage(calls=0, tokens=0, cached=0, seconds=0.0, cost=0.0, stages=())"
        )

    @steady
    @given(usages, usages)
    def test_adds_like_to_like(self, one: Usage, other: Usage) -> None:
        assert repr(one + other) == repr(other + one)
        assert dataclasses.asdict(one + other) == {
            name: value + getattr(other, name) for name, value in dataclasses.asdict(one).items()
        }

    @steady
    @given(usages)
    def test_adds_nothing(self, usage: Usage) -> None:
        assert repr(usage + Usage()) == repr(usage)

    @each_row("other", [None, 0, "Usage()", {"calls": 0}])
    def test_is_equal_to_nothing_else(self, other: object) -> None:
        assert Usage() != other

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from citeguard import AlignmentQuestion, CiteguardError, Evidence, JudgeSettings, SupportQuestion
from citeguard.judges.asking import Seat
from citeguard.judges.questions import ALIGNMENT, SUPPORT
from citeguard.testing import ScriptedJudge

LONG = "The notice period is one month. " * 100

texts = st.one_of(
    st.text(max_size=5),
    st.sampled_from([LONG, LONG[1:], hashlib.sha256(LONG.encode()).hexdigest()]),
)
evidences = st.builds(
    Evidence, text=texts, source_id=st.none() | st.text(max_size=2), start=st.integers(0, 3)
)
questions = st.builds(
    SupportQuestion, statement=texts, evidence=st.lists(evidences, max_size=2).map(tuple)
)


def seat(kind: Any = SUPPORT, **settings: Any) -> Seat:
    return Seat(kind, ScriptedJudge(settings=JudgeSettings(version="1", **settings)))


class TestKeys:
    @given(questions, questions)
    def test_differ_with_the_question(self, one: SupportQuestion, other: SupportQuestion) -> None:
        assume(one != other)
        first, second = seat().keys([one, other])
        assert first != second

    @given(questions)
    def test_are_the_same_for_the_same(self, question: SupportQuestion) -> None:
        assert seat().keys([question]) == seat().keys([question])

    def test_differ_with_the_kind_of_question(self) -> None:
        question = SupportQuestion(statement="a", evidence=())
        whole = AlignmentQuestion(question=None, statements=(question,))
        assert seat().keys([question]) != seat(ALIGNMENT).keys([whole])

    @pytest.mark.parametrize("text", ["\ud800", "\ud800" * 1_000, "", LONG], ids=ascii)
    def test_are_there_for_any_text(self, text: str) -> None:
        question = SupportQuestion(statement=text, evidence=(Evidence(text=text),))
        (key,) = seat().keys([question])
        assert len(key) == 64


class TestSeat:
    @pytest.mark.parametrize(("limit", "is_long"), [(None, False), (19, True), (20, False)])
    def test_tells_what_is_long(self, limit: int | None, is_long: bool) -> None:
        question = SupportQuestion(statement="a", evidence=(Evidence(text="x" * 20),))
        assert seat(evidence_limit=limit).is_long(question) is is_long

    def test_refuses_a_judge_of_another_kind(self) -> None:
        class Aligning:
            def align(self, question: Any) -> Any:
                raise NotImplementedError

        with pytest.raises(CiteguardError, match="cannot be asked about support"):
            Seat(SUPPORT, Aligning()).require_method()

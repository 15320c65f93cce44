"""`ShortAnswers`: answers that a model finds in two texts, compared."""

import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from citeguard import (
    AlignmentQuestion,
    Answer,
    CiteguardError,
    Evidence,
    JudgeFailedError,
    Outcome,
    Policy,
    ShortAnswers,
    Sources,
    SupportQuestion,
    Verdict,
    verify,
)
from citeguard.judges import FoundAnswer
from citeguard.judges.short_answers import Agreement, compare_answers
from rows import each_row

ASKED = "How long is it?"


def is_found(question: str, text: str) -> FoundAnswer | None:
    """Find what stands between the last "is" and the last stop."""
    start = text.rfind(" is ") + 4
    end = text.rfind(".")
    return FoundAnswer(text[start:end], start, end, 0.9) if 4 <= start < end else None


def about(statement: str, *texts: str) -> SupportQuestion:
    evidence = (Evidence(text=text, source_id=str(n)) for n, text in enumerate(texts, 1))
    return SupportQuestion(statement=statement, evidence=tuple(evidence))


def judged(statement: str, *texts: str, extractor: Any = is_found, **options: Any) -> Verdict:
    judge = ShortAnswers(extractor, **{"question": ASKED, **options})
    return judge.judge([about(statement, *texts)])[0]


class TestCompareAnswers:
    @each_row(
        ("stated", "found", "agreement"),
        [
            ("twenty-five", "25", "same"),
            ("1,000", "1000 people", "same"),
            ("3.5 million", "3,500,000", "same"),
            ("12 months", "one year", "same"),
            ("two months", "one month", "different"),
            ("30 days", "one month", "unclear"),
            ("5 km", "5 kg", "unclear"),
            ("20 °C", "68 °F", "same"),
            ("2016", "7 February 2016", "same"),
            ("7 February 2016", "2016", "unclear"),
            ("8 February 2016", "7 February 2016", "different"),
            ("1990s", "1995", "same"),
            ("Curie", "Marie Curie", "same"),
            ("Pierre Curie", "Marie Curie", "unclear"),
            ("Ada Lovelace", "Marie Curie", "different"),
            ("Marie", "Marie and Pierre", "unclear"),
            ("the white marble", "white marbles", "same"),
            ("white marble", "5 marbles", "unclear"),
            ("", "white marble", "unclear"),
            ("Yes.", "yes", "same"),
            ("No", "yes", "different"),
        ],
    )
    def test_of_values(self, stated: str, found: str, agreement: Agreement) -> None:
        assert compare_answers(stated, found) == agreement

    @given(st.integers(0, 10**9), st.integers(0, 10**9))
    @example(999_999_999, 10**9)
    def test_numbers_are_the_same_if_they_are_equal(self, one: int, other: int) -> None:
        agreement: Agreement = "same" if one == other else "different"
        assert compare_answers(f"{one:,} km", f"{other} km") == agreement


class TestVerdict:
    @each_row(
        ("statement", "texts", "outcome"),
        [
            ("It is one month.", ["Notice is 1 month."], "supported"),
            ("It is two months.", ["Notice is 1 month."], "contradicted"),
            ("It is two months.", ["Notice is 1 month.", "It is two months."], "supported"),
            ("It is short.", ["Notice is 1 month."], "undecided"),
            ("Nobody knows", ["Notice is 1 month."], "undecided"),
            ("It is one month.", ["Nobody knows"], "undecided"),
            ("It is one month.", [" "], "undecided"),
            ("", ["Notice is 1 month."], "undecided"),
            ("It never is one month.", ["It is one month."], "undecided"),
        ],
    )
    def test_of_answers(self, statement: str, texts: list[str], outcome: Outcome) -> None:
        assert judged(statement, *texts).outcome == outcome

    def test_names_both_answers_and_the_sentence(self) -> None:
        verdict = judged("It is two months.", "So be it. Notice is one month.")
        assert verdict.reason == 'The passage answers "one month", not "two months".'
        assert (verdict.words, verdict.judge) == ("Notice is one month.", "short answers")
        assert verdict.span is not None
        assert (verdict.span.start, verdict.span.end) == (10, 30)

    @given(st.floats(0, 1), st.floats(0, 1))
    def test_is_decided_from_the_thresholds_on(self, score: float, threshold: float) -> None:
        def extractor(question: str, text: str) -> FoundAnswer | None:
            return FoundAnswer(text[:3], 0, 3, score)

        for statement in ("Ada.", "Bob."):
            verdict = judged(
                statement,
                "Ada. So be it.",
                extractor=extractor,
                supported_from=threshold,
                contradicted_from=threshold,
            )
            assert verdict.decided == (score >= threshold)

    @each_row(
        "found",
        [
            "one month",
            FoundAnswer("x", 5, 5, 0.9),
            FoundAnswer("x", 0, 10_000, 0.9),
            FoundAnswer("x", 0, 3, math.nan),
            FoundAnswer("x", 0, 3, 1.5),
        ],
        ids=repr,
    )
    def test_of_what_is_no_answer_fails(self, found: Any) -> None:
        with pytest.raises(JudgeFailedError, match="the extractor returned"):
            judged("One month.", "It is one month.", extractor=lambda *_: found)  # pyright: ignore[reportUnknownLambdaType]


class TestAlignment:
    @each_row(
        ("text", "codes"),
        [
            ("It is 1 month.", []),
            ("It is two months.", ["statement_contradicted"]),
            ("It is short.", ["undecided"]),
        ],
    )
    def test_as_a_policy(self, text: str, codes: list[str]) -> None:
        data = {"statements": [{"text": text, "citations": [{"quote": "Notice is one month."}]}]}
        policy = Policy(alignment=ShortAnswers(is_found))
        sources = Sources(["Notice is one month."])
        found: list[str] = []
        try:
            verify(Answer, data, sources=sources, policy=policy, question=ASKED)
        except ValidationError as error:
            found = [line["type"] for line in error.errors() if line["loc"]]
        assert found == codes

    @pytest.mark.parametrize("question", [None, " "])
    def test_is_undecided_without_a_question(self, question: str | None) -> None:
        asked = AlignmentQuestion(
            question=question, statements=(about("It is one month.", "It is one month."),)
        )
        assert not ShortAnswers(is_found).align(asked).decided


class TestSetUp:
    @each_row(
        "options",
        [
            {"supported_from": -0.1},
            {"supported_from": True},
            {"contradicted_from": "0.8"},
            {"question": 5},
            {"version": 5},
        ],
        ids=str,
    )
    def test_of_what_makes_no_sense(self, options: dict[str, Any]) -> None:
        (name,) = options
        with pytest.raises(CiteguardError, match=rf"ShortAnswers\({name}=\.\.\.\)"):
            ShortAnswers(is_found, **options)

    def test_of_an_extractor_that_is_none(self) -> None:
        with pytest.raises(CiteguardError, match=r"ShortAnswers\(extractor\): expected a function"):
            ShortAnswers(3)  # pyright: ignore[reportArgumentType]

    def test_of_a_support_judge_without_a_question(self) -> None:
        with pytest.raises(CiteguardError, match=r"ShortAnswers\(question="):
            ShortAnswers(is_found).judge([about("One month.", "One month.")])

"""Whether quotes answer a question: `RelevanceJudge`; whether two questions are the same."""

import pytest

from citeguard import Sources
from citeguard.judges.verdicts import AlignmentQuestion, Evidence, SupportQuestion
from citeguard.library.relevance import RelevanceJudge
from citeguard.library.same_question import answers_too, has_same_words, same_question

BRIDGE = (
    "The bridge is painted red and has four lanes. It was opened to traffic in 1936. "
    "Some 40,000 cars cross it every day."
)
SOURCES = Sources({"bridge": BRIDGE})
QUESTION = "When was the bridge opened to traffic?"


def asked(
    *quotes: str, question: str | None = QUESTION, unanswerable: str | None = None
) -> AlignmentQuestion:
    statements = tuple(
        SupportQuestion(
            statement="In 1936.",
            evidence=(Evidence(text=each, source_id="bridge", start=BRIDGE.index(each)),),
        )
        for each in quotes
    )
    return AlignmentQuestion(question=question, statements=statements, unanswerable=unanswerable)


RIGHT = "It was opened to traffic in 1936."
NEAR = "Some 40,000 cars cross it every day."


class TestRelevanceJudge:
    @pytest.mark.parametrize(
        ("quotes", "outcome"),
        [([RIGHT], "supported"), ([NEAR], "unsupported"), ([NEAR, RIGHT], "supported")],
    )
    def test_one_quote_must_answer(self, quotes: list[str], outcome: str) -> None:
        verdict = RelevanceJudge(SOURCES).align(asked(*quotes)).answer
        assert verdict.outcome == outcome
        assert verdict.judge == "relevance"

    def test_what_is_left_open_must_not_be_answered(self) -> None:
        judge = RelevanceJudge(SOURCES)
        assert judge.align(asked(unanswerable="No.")).answer.outcome == "unsupported"
        other = asked(question="Who designed the lamps?", unanswerable="It is not said.")
        assert judge.align(other).answer.outcome == "supported"

    def test_no_question_is_answered_by_anything(self) -> None:
        assert RelevanceJudge().align(asked(NEAR, question=None)).answer.outcome == "supported"

    def test_nothing_is_decided_without_the_reader(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.library.relevance.is_installed", lambda: False)
        verdict = RelevanceJudge(SOURCES).align(asked(RIGHT)).answer
        assert verdict.outcome == "undecided"
        assert "pydantic-citeguard[reader]" in verdict.reason


class TestSameQuestion:
    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("When is lunch free?", "  when is LUNCH free", True),
            ("¿Cuándo es gratis?", "cuándo es gratis", True),
            ("What is 1.5?", "What is 15?", False),
            ("Wie groß sind die Maße?", "Wie groß sind die Masse?", False),
            ("?", "?", False),
        ],
    )
    def test_words_are_the_same_but_for_case_and_punctuation(
        self, one: str, other: str, same: bool
    ) -> None:
        assert has_same_words(one, other) is has_same_words(other, one) is same

    def test_an_answer_serves_a_question_in_other_words(self) -> None:
        stored = ("When was the bridge opened to traffic?", "The bridge was opened in 1936.")
        assert answers_too("In which year did the bridge open?", *stored)
        assert not answers_too("Who designed the bridge?", *stored)

    # The reader reads an answer as it is. One that does not name its subject ("It was opened in
    # 1936.") answers such a question about any subject, so a stored answer should name it.
    @pytest.mark.parametrize(
        "other",
        [
            "When was the bridge in Ghent not opened?",
            "When was the bridge in Bruges opened?",
            "When did the second bridge in Ghent close?",
        ],
    )
    def test_another_fact_is_another_question(self, other: str) -> None:
        stored = ("When was the bridge in Ghent opened?", "The bridge in Ghent was opened in 1936.")
        assert not answers_too(other, *stored)
        assert not same_question(stored, (other, "In 1990."))

    def test_without_the_reader_only_words_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.library.same_question.is_installed", lambda: False)
        stored = ("When was the bridge opened?", "The bridge was opened in 1936.")
        assert not same_question(stored, ("In which year did the bridge open?", stored[1]))
        assert same_question(stored, ("when was the bridge opened", ""))

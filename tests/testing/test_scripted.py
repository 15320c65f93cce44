from functools import partial
from math import sqrt

import pytest

from citeguard import Answer, CiteguardError, Policy, Sources, Verdict, verify
from citeguard.retrieval import DenseRetriever
from citeguard.testing import ScriptedEmbedder, ScriptedJudge
from conftest import Failures

TEXT = "Notice is one month. Lunch is free."
MONTH = {"text": "It takes a month.", "citations": [{"quote": "Notice is one month."}]}
LUNCH = {"text": "Lunch costs nothing.", "citations": [{"quote": "Lunch is free."}]}
DATA = {"statements": [MONTH, LUNCH]}


@pytest.fixture(params=[False, True], ids=["async", "blocking"])
def blocking(request: pytest.FixtureRequest) -> bool:
    return request.param


class TestScriptedJudge:
    def test_says_what_it_was_told_of_one_statement(
        self, blocking: bool, failures: Failures
    ) -> None:
        for said, code in [
            ("contradicted", "statement_contradicted"),
            ("unsupported", "statement_unsupported"),
            ("undecided", "undecided"),
            (Verdict("contradicted"), "statement_contradicted"),
            (RuntimeError("down"), "undecided"),
        ]:
            policy = Policy(support=[ScriptedJudge({LUNCH["text"]: said}, blocking=blocking)])  # type: ignore[dict-item]
            check = partial(verify, Answer, DATA, sources=TEXT, policy=policy)
            (line,) = failures(check)
            assert (line["type"], line["loc"]) == (code, ("statements", 1, "text"))

    def test_says_what_it_was_told_of_the_whole_answer(
        self, blocking: bool, failures: Failures
    ) -> None:
        for answered, code in [("unsupported", "answer_misaligned"), ("undecided", "undecided")]:
            judge = ScriptedJudge(answered=answered, blocking=blocking)
            policy = Policy(alignment=judge)
            check = partial(verify, Answer, DATA, sources=TEXT, policy=policy)
            (line,) = failures(check)
            assert (line["type"], line["loc"]) == (code, ("statements",))

    def test_remembers_what_it_was_asked(self, blocking: bool) -> None:
        judge = ScriptedJudge(blocking=blocking)
        policy = Policy(support=[judge], alignment=judge, evidence="quote")
        verify(Answer, DATA, sources=TEXT, policy=policy, question="How long?")
        assert {question.statement for question in judge.asked} == {MONTH["text"], LUNCH["text"]}
        (whole,) = judge.aligned
        assert whole.question == "How long?"
        assert [each.evidence[0].text for each in whole.statements] == [
            "Notice is one month.",
            "Lunch is free.",
        ]

    def test_rejects_at_once_an_outcome_that_does_not_exist(self) -> None:
        for script in ({"said": {"It is.": "suported"}}, {"otherwise": "yes"}, {"answered": None}):
            with pytest.raises(CiteguardError, match="expected a Verdict, an exception or one of"):
                ScriptedJudge(**script)


SOURCES = Sources({"handbook": "Notice is one month.", "faq": "Lunch is free."})


def cosine(one: str, other: str, embedder: ScriptedEmbedder | None = None) -> float:
    a, b = (embedder or ScriptedEmbedder())([one, other])
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / sqrt(sum(x * x for x in a) * sum(y * y for y in b))


class TestScriptedEmbedder:
    def test_finds_texts_as_alike_as_their_words(self) -> None:
        for one, other, expected in [
            ("Notice is one month.", "one MONTH is notice", 1.0),
            ("Notice is one month.", "Lunch was free", 0.0),
            ("one month", "one year", 0.5),
            ("通知期", "期通知", 1.0),
            ("通知", "通信", 0.5),
        ]:
            assert cosine(one, other) == pytest.approx(expected)

    def test_embeds_another_text_in_the_place_of_one(self) -> None:
        embedder = ScriptedEmbedder({"What does a meal cost?": "lunch free"})
        assert cosine("What does a meal cost?", "lunch free", embedder) == pytest.approx(1)

    def test_serves_a_retriever(self) -> None:
        found = SOURCES.search("is lunch free", k=1, retriever=DenseRetriever(ScriptedEmbedder()))
        assert [passage.text for passage in found] == ["Lunch is free."]

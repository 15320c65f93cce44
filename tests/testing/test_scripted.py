from __future__ import annotations

import asyncio
from functools import partial
from math import sqrt

import pytest
from inline_snapshot import snapshot

import citeguard.testing
from citeguard import (
    AlignmentJudge,
    Answer,
    CiteguardError,
    DenseRetriever,
    Judge,
    JudgeSettings,
    Policy,
    Sources,
    Verdict,
    verify,
)
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
    def test_is_a_judge_of_both_kinds(self) -> None:
        assert isinstance(ScriptedJudge(), Judge)
        assert isinstance(ScriptedJudge(), AlignmentJudge)

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

    def test_is_asked_as_it_wants_to_be(self) -> None:
        judge = ScriptedJudge(settings=JudgeSettings(batch_size=None, version="1"))
        first, second = (
            verify(Answer, DATA, sources=TEXT, policy=Policy(support=[judge])) for _ in range(2)
        )
        assert first.usage is not None
        assert second.usage is not None
        assert (first.usage.calls, second.usage.calls) == (1, 0)
        assert len(judge.asked) == 2

    async def test_takes_its_time_and_blocks_no_loop(self) -> None:
        verdicts = ScriptedJudge(seconds=0.02).judge([])
        assert not isinstance(verdicts, list)
        assert await asyncio.wait_for(asyncio.ensure_future(verdicts), 60) == []

    def test_rejects_at_once_an_outcome_that_does_not_exist(self) -> None:
        for script in ({"said": {"It is.": "suported"}}, {"otherwise": "yes"}, {"answered": None}):
            with pytest.raises(CiteguardError, match="expected a Verdict, an exception or one of"):
                ScriptedJudge(**script)


class TestPublicNames:
    def test_names(self) -> None:
        assert citeguard.testing.__all__ == snapshot(
            [
                "QuoteCase",
                "ScriptedEmbedder",
                "ScriptedJudge",
                "assert_cited",
                "assert_quote",
                "quote_cases",
            ]
        )
        assert set(citeguard.testing.__all__) <= set(dir(citeguard.testing))


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

    def test_rejects_what_is_no_number_of_dimensions(self) -> None:
        for dimensions in (0, -1, 1.5, True):
            with pytest.raises(CiteguardError, match="must be an integer of at least 1"):
                ScriptedEmbedder(dimensions=dimensions)

    def test_rejects_a_vector_of_another_length(self) -> None:
        with pytest.raises(CiteguardError) as caught:
            ScriptedEmbedder({"up": [0.0, 1.0]}, dimensions=3)
        assert str(caught.value) == snapshot(
            "ScriptedEmbedder: the vector of 'up' has 2 numbers, not 3"
        )

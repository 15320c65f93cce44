from __future__ import annotations

import asyncio
import threading
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
    Embedder,
    Judge,
    JudgeSettings,
    Policy,
    Similarity,
    Sources,
    Span,
    Statement,
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

    def test_finds_everything_supported(self, blocking: bool) -> None:
        judge = ScriptedJudge(blocking=blocking)
        policy = Policy(support=[judge], alignment=judge)
        answer = verify(Answer, DATA, sources=TEXT, policy=policy)
        assert answer.alignment is not None
        assert answer.alignment.decided
        assert [each.verdict for each in answer.statements] == [
            Verdict("supported", judge="script")
        ] * 2

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

    def test_says_what_it_was_told_of_all_others(self, failures: Failures) -> None:
        judge = ScriptedJudge({LUNCH["text"]: "supported"}, otherwise="unsupported")  # type: ignore[dict-item]
        policy = Policy(support=[judge])
        (line,) = failures(lambda: verify(Answer, DATA, sources=TEXT, policy=policy))
        assert line["loc"] == ("statements", 0, "text")

    def test_says_what_it_was_told_of_the_whole_answer(
        self, blocking: bool, failures: Failures
    ) -> None:
        for answered, code in [("unsupported", "answer_misaligned"), ("undecided", "undecided")]:
            judge = ScriptedJudge(answered=answered, blocking=blocking)
            policy = Policy(alignment=judge)
            check = partial(verify, Answer, DATA, sources=TEXT, policy=policy)
            (line,) = failures(check)
            assert (line["type"], line["loc"]) == (code, ("statements",))

    def test_raises_what_it_was_told_to_raise_of_the_whole_answer(self, blocking: bool) -> None:
        judge = ScriptedJudge(answered=ValueError("down"), blocking=blocking)
        policy = Policy(alignment=judge, undecided="pass")
        answer = verify(Answer, DATA, sources=TEXT, policy=policy)
        assert answer.alignment is not None
        assert answer.alignment.answer.outcome == "undecided"

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

    def test_remembers_in_the_order_in_which_it_was_asked(self) -> None:
        statements = [{**MONTH, "text": f"No. {n}"} for n in range(16)]
        for _ in range(10):
            judge = ScriptedJudge(settings=JudgeSettings(concurrency=1))  # one thread at a time
            verify(list[Statement], statements, sources=TEXT, policy=Policy(support=[judge]))
            assert [question.statement for question in judge.asked] == [
                f"No. {n}" for n in range(16)
            ]

    def test_is_asked_one_statement_at_a_time_and_nothing_is_kept(self) -> None:
        judge = ScriptedJudge()
        for _ in range(2):
            verify(Answer, DATA, sources=TEXT, policy=Policy(support=[judge]))
        assert len(judge.asked) == 4
        assert judge.settings.batch_size == 1

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

    def test_blocks_its_thread(self) -> None:
        thread = threading.Thread(
            target=ScriptedJudge(seconds=0.2, blocking=True).judge, args=([],), daemon=True
        )
        thread.start()
        assert thread.is_alive()
        thread.join()

    def test_gives_a_whole_verdict(self) -> None:
        said = Verdict("supported", reason="One month.", score=0.5, span=Span("1", 10, 19))
        policy = Policy(support=[ScriptedJudge(otherwise=said)])
        assert verify(Statement, MONTH, sources=TEXT, policy=policy).verdict == said

    def test_rejects_at_once_an_outcome_that_does_not_exist(self) -> None:
        for script in ({"said": {"It is.": "suported"}}, {"otherwise": "yes"}, {"answered": None}):
            with pytest.raises(CiteguardError, match="expected a Verdict, an exception or one of"):
                ScriptedJudge(**script)

    def test_shows_its_script(self) -> None:
        assert repr(ScriptedJudge({"It is.": "contradicted"})) == snapshot(
            "ScriptedJudge({'It is.': 'contradicted'}, otherwise='supported')"
        )

    def test_says_nothing_of_a_statement_without_evidence(self) -> None:
        uncited = {"text": "So be it.", "citations": []}
        policy = Policy(alignment=ScriptedJudge(), uncited="pass")
        answer = verify(Answer, {"statements": [MONTH, uncited]}, sources=TEXT, policy=policy)
        assert answer.alignment is not None
        assert answer.alignment.statements[1] is None


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

    def test_has_no_other_names(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'assert_sited'"):
            citeguard.testing.assert_sited  # noqa: B018


SOURCES = Sources({"handbook": "Notice is one month.", "faq": "Lunch is free."})


def cosine(one: str, other: str, embedder: ScriptedEmbedder | None = None) -> float:
    a, b = (embedder or ScriptedEmbedder())([one, other])
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / sqrt(sum(x * x for x in a) * sum(y * y for y in b))


class TestScriptedEmbedder:
    def test_is_an_embedder(self) -> None:
        assert isinstance(ScriptedEmbedder(), Embedder)

    def test_finds_texts_as_alike_as_their_words(self) -> None:
        for one, other, expected in [
            ("Notice is one month.", "one MONTH is notice", 1.0),
            ("Notice is one month.", "Lunch was free", 0.0),
            ("one month", "one year", 0.5),
            ("通知期", "期通知", 1.0),
            ("通知", "通信", 0.5),
        ]:
            assert cosine(one, other) == pytest.approx(expected)

    def test_orders_texts_by_the_words_that_they_share(self) -> None:
        quote = "notice is one month"
        others = ["notice is one month", "notice is one year", "notice was given", "lunch"]
        likeness = [cosine(quote, other) for other in others]
        assert likeness == sorted(likeness, reverse=True)

    def test_is_the_same_in_every_run(self) -> None:
        # Python's own hashes of texts differ from run to run.
        (vector,) = ScriptedEmbedder()(["one month"])
        assert [place for place, count in enumerate(vector) if count] == snapshot([457, 484])

    def test_embeds_another_text_in_the_place_of_one(self) -> None:
        embedder = ScriptedEmbedder({"What does a meal cost?": "lunch free"})
        assert cosine("What does a meal cost?", "lunch free", embedder) == pytest.approx(1)

    def test_says_the_vector_that_it_was_told(self) -> None:
        embedder = ScriptedEmbedder({"up": [0, 1]}, dimensions=2)
        assert embedder(["up"]) == [[0.0, 1.0]]

    def test_raises_what_it_was_told(self) -> None:
        embedder = ScriptedEmbedder({"down": ConnectionError("no route")})
        with pytest.raises(ConnectionError, match="no route"):
            embedder(["up", "down"])

    def test_remembers_what_it_was_asked(self) -> None:
        embedder = ScriptedEmbedder()
        embedder(["one", "two"])
        embedder(["three"])
        assert embedder.asked == ["one", "two", "three"]

    def test_has_only_zeros_for_a_text_without_words(self) -> None:
        assert ScriptedEmbedder(dimensions=3)(["…", ""]) == [[0.0] * 3] * 2

    def test_serves_a_retriever(self) -> None:
        found = SOURCES.search("is lunch free", k=1, retriever=DenseRetriever(ScriptedEmbedder()))
        assert [passage.text for passage in found] == ["Lunch is free."]

    def test_serves_a_judge_of_similarity(self) -> None:
        policy = Policy(support=[Similarity(ScriptedEmbedder())])
        statement = {"text": "Notice is one month.", "citations": [{"quote": "one month"}]}
        answer = verify(Answer, {"statements": [statement]}, sources=SOURCES, policy=policy)
        verdict = answer.statements[0].verdict
        assert verdict is not None
        assert verdict.outcome == "supported"

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

    def test_shows_its_script(self) -> None:
        assert repr(ScriptedEmbedder({"up": "down"})) == snapshot(
            "ScriptedEmbedder({'up': 'down'}, dimensions=512)"
        )

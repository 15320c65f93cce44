from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from inline_snapshot import snapshot

import citeguard.testing
from citeguard import (
    AlignmentJudge,
    Answer,
    Judge,
    JudgeSettings,
    Policy,
    Span,
    Statement,
    Verdict,
    verify,
)
from citeguard.testing import ScriptedJudge
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

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            pytest.param("contradicted", "statement_contradicted", id="contradicted"),
            pytest.param("unsupported", "statement_unsupported", id="unsupported"),
            pytest.param("undecided", "undecided", id="undecided"),
            pytest.param(Verdict("contradicted"), "statement_contradicted", id="a verdict"),
            pytest.param(RuntimeError("down"), "undecided", id="an exception"),
        ],
    )
    def test_says_what_it_was_told_of_one_statement(
        self, said: Any, code: str, blocking: bool, failures: Failures
    ) -> None:
        policy = Policy(support=[ScriptedJudge({LUNCH["text"]: said}, blocking=blocking)])  # type: ignore[dict-item]
        (line,) = failures(lambda: verify(Answer, DATA, sources=TEXT, policy=policy))
        assert (line["type"], line["loc"]) == (code, ("statements", 1, "text"))

    def test_says_what_it_was_told_of_all_others(self, failures: Failures) -> None:
        judge = ScriptedJudge({LUNCH["text"]: "supported"}, otherwise="unsupported")  # type: ignore[dict-item]
        policy = Policy(support=[judge])
        (line,) = failures(lambda: verify(Answer, DATA, sources=TEXT, policy=policy))
        assert line["loc"] == ("statements", 0, "text")

    @pytest.mark.parametrize(
        ("answered", "code"),
        [("unsupported", "answer_misaligned"), ("undecided", "undecided")],
    )
    def test_says_what_it_was_told_of_the_whole_answer(
        self, answered: Any, code: str, blocking: bool, failures: Failures
    ) -> None:
        judge = ScriptedJudge(answered=answered, blocking=blocking)
        policy = Policy(alignment=judge)
        (line,) = failures(lambda: verify(Answer, DATA, sources=TEXT, policy=policy))
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

    @pytest.mark.parametrize(
        "script",
        [{"said": {"It is.": "suported"}}, {"otherwise": "yes"}, {"answered": None}],
        ids=["said", "otherwise", "answered"],
    )
    def test_refuses_at_once_an_outcome_that_does_not_exist(self, script: Any) -> None:
        with pytest.raises(ValueError, match="a verdict's outcome must be one of"):
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


class TestFacade:
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

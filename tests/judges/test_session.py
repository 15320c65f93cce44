import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from citeguard import Budget, Evidence, SupportQuestion
from citeguard.judges import cascade as module
from citeguard.judges.cascade import Pending, Session, answer_to, collecting, judging
from citeguard.testing import ScriptedJudge

LONG = 60.0
NOTICE = Evidence(text="Notice is one month.", source_id="handbook")
QUESTIONS = [SupportQuestion(statement=f"No. {n}", evidence=(NOTICE,)) for n in range(20)]
QUESTION = QUESTIONS[0]


def case(*judges: Any, question: SupportQuestion = QUESTION) -> Pending:
    return Pending(judges, question)


def cases(*judges: Any) -> list[Pending]:
    return [case(*judges, question=question) for question in QUESTIONS]


def session(**budget: Any) -> Session:
    return Session(Budget(**budget))


def outcomes(session: Session, cases: Sequence[Pending]) -> list[str]:
    return [session.known(each).outcome for each in cases]


class TestSettle:
    async def test_asks_nothing_twice_one_after_the_other(self) -> None:
        judge, this = ScriptedJudge(), session()
        await this.settle(cases(judge)[:10])
        await this.settle(cases(judge))
        assert len(judge.asked) == 20
        assert this.usage.calls == 20

    async def test_asks_again_what_nobody_could_tell(self) -> None:
        judge, this = ScriptedJudge({"No. 3": ValueError("down")}), session()
        await this.settle(cases(judge))
        await this.settle(cases(judge))
        assert [question.statement for question in judge.asked[20:]] == ["No. 3"]

    async def test_cancelled_leaves_no_task_and_counts_the_time(self) -> None:
        this = session()
        task = asyncio.create_task(this.settle(cases(ScriptedJudge(seconds=LONG))))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1
        assert this.usage.seconds > 0

    async def test_forgets_when_there_is_too_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "_MOST_REMEMBERED", 5)
        judge, this = ScriptedJudge(), session()
        asked = cases(judge)
        await this.settle(asked)
        assert outcomes(this, asked) == ["supported"] * 20
        await this.settle([case(judge, ScriptedJudge())])
        assert this.known(asked[1]) is None


class TestBudget:
    async def test_is_for_all_attempts(self) -> None:
        judge, this = ScriptedJudge(), session(calls=15)
        asked = cases(judge)
        await this.settle(asked[:10])
        await this.settle(asked)
        assert outcomes(this, asked).count("supported") == 15
        assert this.usage.calls == 15


class TestDecide:
    def test_always_says_something_though_other_threads_make_it_forget(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_MOST_REMEMBERED", 0)
        this, judge, said = session(), ScriptedJudge(), []

        def decide() -> None:
            said.extend(this.decide(each) for each in cases(judge))

        threads = [threading.Thread(target=decide) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(said) == 8 * 20
        assert None not in said


class TestJudging:
    def test_asks_nothing_again(self) -> None:
        this, judge = session(), ScriptedJudge(otherwise="undecided")
        with judging(this):
            for _ in range(3):
                assert answer_to(case(judge), session).outcome == "undecided"
        assert len(judge.asked) == 1


class TestCollecting:
    def test_says_what_is_known(self) -> None:
        judge, this = ScriptedJudge({"No. 1": "undecided"}), session()
        one, other = cases(judge)[:2]
        with judging(this):
            assert answer_to(one, session).outcome == "supported"
            assert answer_to(other, session).outcome == "undecided"
            with collecting() as collected:
                assert answer_to(one, session).outcome == "supported"
                assert answer_to(other, session) is None
        assert collected == [other]

from collections.abc import Sequence
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard import (
    Alignment,
    AlignmentQuestion,
    Answer,
    Budget,
    CiteguardError,
    Evidence,
    JudgeSettings,
    Outcome,
    Policy,
    SupportQuestion,
    Verdict,
    Vote,
    averify,
)
from citeguard.judges.cascade import Limits
from citeguard.judges.cascade import ask as ask_judge
from citeguard.judges.usage import UsageCounter
from citeguard.testing import ScriptedJudge
from rows import each_row

LONG = 60.0
TEXT = "Notice is one month."
QUESTION = SupportQuestion(statement="It takes a month.", evidence=(Evidence(text=TEXT),))
WHOLE = AlignmentQuestion(
    question="How long?", statements=(QUESTION, SupportQuestion(statement="So be it.", evidence=()))
)
DATA = {"statements": [{"text": "It takes a month.", "citations": [{"quote": TEXT}]}]}

S: Outcome = "supported"
C: Outcome = "contradicted"
N: Outcome = "unsupported"
U: Outcome = "undecided"


def vote(*said: Any) -> Vote:
    return Vote([ScriptedJudge(otherwise=each, answered=each) for each in said])


def counter(**budget: Any) -> UsageCounter:
    return UsageCounter(Budget(**budget))


async def ask(judge: Any, on: UsageCounter | None = None) -> Verdict:
    return (await ask_judge(judge, [QUESTION], Limits.of(on or counter())))[QUESTION]


async def align(judge: Any) -> Alignment:
    return (await ask_judge(judge, [WHOLE]))[WHOLE]


MAJORITIES: list[tuple[list[Any], Outcome]] = [
    ([S, S], S),  # both
    ([S, C], U),  # a tie
    ([S, S, C], S),  # two of three
    ([C, S, C], C),  # two of three say no
    ([S, C, N], U),  # all different
    ([S, S, C, C], U),  # two of four
    ([S, S, S, C], S),  # three of four
    ([S, S, C, N], U),  # half
    ([S, U], U),  # one of two cannot tell
    ([S, S, U], S),  # one of three cannot tell
    ([S, U, U], U),  # most cannot tell
    ([U, U], U),  # nobody can tell
    ([S, S, ValueError("down")], S),  # one fails
    ([S, C, ValueError("down")], U),  # one fails, the others disagree
    ([ValueError("down"), SystemError("down")], U),  # all fail
]


class TestMajority:
    @each_row(("said", "outcome"), MAJORITIES)
    async def test_on_a_statement_and_on_a_whole_answer(
        self, said: list[Any], outcome: Outcome
    ) -> None:
        assert (await ask(vote(*said))).outcome == outcome
        alignment = await align(vote(*said))
        assert alignment.answer.outcome == outcome
        assert alignment.statements[0] is not None
        assert alignment.statements[0].outcome == outcome
        assert alignment.statements[1] is None

    async def test_counts_the_votes_in_its_reason(self) -> None:
        assert (await ask(vote(S, C, U))).reason == snapshot(
            "no majority (supported 1, contradicted 1, undecided 1)"
        )

    async def test_respects_what_each_member_wants(self) -> None:
        sizes: list[int] = []

        class Batching:
            settings = JudgeSettings(batch_size=3)

            def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                sizes.append(len(questions))
                return [Verdict(S) for _ in questions]

        single = ScriptedJudge()
        questions = [SupportQuestion(statement=str(n), evidence=()) for n in range(7)]
        used = counter()
        await ask_judge(Vote([Batching(), single]), questions, Limits.of(used))
        assert sorted(sizes) == [1, 3, 3]
        assert len(single.asked) == 7
        assert used.usage.calls == 10


class TestCost:
    async def test_those_who_spoke_before_the_time_was_up_have_a_say(self) -> None:
        slow = ScriptedJudge(seconds=LONG)
        members = [ScriptedJudge(), ScriptedJudge(), slow]
        assert (await ask(Vote(members), counter(seconds=0.3))).outcome == S


class TestVote:
    @pytest.mark.parametrize("judges", [[], [ScriptedJudge()]], ids=["none", "one"])
    def test_needs_two(self, judges: list[Any]) -> None:
        with pytest.raises(CiteguardError) as caught:
            Vote(judges)
        assert str(caught.value) == snapshot("Vote(judges): expected two judges or more")

    async def test_in_a_policy(self) -> None:
        policy = Policy(support=[vote(S, S, C)], alignment=vote(S, S))
        answer = await averify(Answer, DATA, sources=TEXT, policy=policy)
        assert answer.usage is not None
        assert answer.usage.calls == 5
        assert answer.statements[0].verdict is not None
        assert answer.statements[0].verdict.judge == "vote of script, script, script"

from collections.abc import Sequence
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from citeguard import (
    Alignment,
    AlignmentQuestion,
    Answer,
    Budget,
    JudgedSupported,
    JudgeFailedError,
    JudgeSettings,
    Policy,
    Sources,
    SupportQuestion,
    Usage,
    Verdict,
    averify,
    track_usage,
)
from citeguard.judges import MemoryCache, report_tokens
from citeguard.testing import ScriptedJudge
from conftest import Verifying
from rows import each_row

NOTICE = "Notice is one month."
SOURCES = Sources({"handbook": NOTICE})


def answer(*texts: str) -> dict[str, Any]:
    cited = [{"quote": NOTICE}]
    return {"statements": [{"text": text, "citations": cited} for text in texts]}


DATA = answer("One.", "Two.", "Three.", "Four.")


class Named(ScriptedJudge):
    """A scripted judge with a name of its own."""

    def __init__(self, name: str, said: Any = None, **rest: Any) -> None:
        self._name = name
        super().__init__(said, **rest)

    @property
    def name(self) -> str:
        return self._name


def cheap(*undecided: str, **rest: Any) -> Named:
    """A judge who cannot tell of these statements."""
    return Named("cheap", dict.fromkeys(undecided, "undecided"), **rest)


def unsure(*undecided: str, **rest: Any) -> Named:
    """A judge who has read the evidence of these statements, and cannot tell."""
    graded = Verdict("undecided", score=0.5, judge="cheap")
    return Named("cheap", dict.fromkeys(undecided, graded), **rest)


def counts(usage: Usage | None) -> list[tuple[int, str, int, int]]:
    assert usage is not None
    return [(stage.place, stage.judge, stage.asked, stage.decided) for stage in usage.stages]


class TestStages:
    async def test_say_who_decided_how_many(self, verifying: Verifying) -> None:
        policy = Policy(support=[cheap("Two.", "Three."), Named("costly", seconds=0.01)])
        found = await verifying(Answer, DATA, sources=SOURCES, policy=policy)
        assert counts(found.usage) == [(0, "cheap", 4, 2), (1, "costly", 2, 2)]
        assert [stage.share for stage in found.usage.stages] == [0.5, 1.0]
        assert [stage.calls for stage in found.usage.stages] == [4, 2]
        assert found.usage.calls == 6
        assert found.usage.seconds >= sum(stage.seconds for stage in found.usage.stages) * 0.99

    async def test_of_a_rule_with_a_judge_of_its_own(self) -> None:
        class Finding(BaseModel):
            claim: Annotated[str, JudgedSupported(Named("own"))]
            other: Annotated[str, JudgedSupported()]

        with track_usage() as meter:
            await averify(
                Finding,
                {"claim": "One.", "other": "Two."},
                sources=SOURCES,
                policy=Policy(support=[cheap()]),
            )
        assert counts(meter.usage) == [(0, "cheap", 1, 1), (0, "own", 1, 1)]


class TestCached:
    async def test_verdicts_count_at_their_stage(self, verifying: Verifying) -> None:
        kept = JudgeSettings(version="1", cache=MemoryCache())
        policy = Policy(support=[cheap("Two."), Named("costly", settings=kept)])
        for cached in (0, 1):
            found = await verifying(Answer, DATA, sources=SOURCES, policy=policy)
            assert counts(found.usage) == [(0, "cheap", 4, 3), (1, "costly", 1, 1)]
            assert [stage.cached for stage in found.usage.stages] == [0, cached]
            assert found.usage.cached == cached

    async def test_undecided_of_a_local_judge_is_kept(self, verifying: Verifying) -> None:
        local = JudgeSettings(version="1", cache=MemoryCache(), local=True)
        first = unsure("Two.", settings=local)
        policy = Policy(support=[first, Named("costly")])
        for _ in range(3):
            found = await verifying(Answer, DATA, sources=SOURCES, policy=policy)
        assert len(first.asked) == 4
        assert found.usage.stages[0].cached == 4
        assert counts(found.usage) == [(0, "cheap", 4, 3), (1, "costly", 1, 1)]


class TestLocal:
    LOCAL = JudgeSettings(batch_size=None, local=True)

    @each_row("unit", ["calls", "tokens"])
    async def test_is_asked_though_the_budget_is_spent(
        self, unit: str, verifying: Verifying
    ) -> None:
        policy = Policy(
            support=[cheap("Two.", settings=self.LOCAL), Named("costly")],
            undecided="pass",
            budget=Budget(**{unit: 0}),
        )
        found = await verifying(Answer, DATA, sources=SOURCES, policy=policy)
        assert counts(found.usage) == [(0, "cheap", 4, 3), (1, "costly", 1, 0)]
        assert found.statements[1].verdict.reason == f"costly: the budget of 0 {unit} is spent"


class Priced:
    """Reports a hundred tokens for each call."""

    def __init__(self, price: float = 0.0, *, local: bool = False) -> None:
        self.settings = JudgeSettings(price=price, local=local)

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        report_tokens(100)
        return [Verdict("supported") for _ in questions]


class TestCost:
    async def test_is_that_of_the_tokens(self, verifying: Verifying) -> None:
        policy = Policy(support=[cheap("One.", "Two."), Priced(2.5)])
        found = await verifying(Answer, DATA, sources=SOURCES, policy=policy)
        assert found.usage.tokens == 200
        assert found.usage.cost == pytest.approx(200 * 2.5 / 1_000_000)
        assert [stage.cost for stage in found.usage.stages] == [0.0, found.usage.cost]
        assert [stage.tokens for stage in found.usage.stages] == [0, 200]

    async def test_no_call_is_made_once_the_cost_is_reached(self, verifying: Verifying) -> None:
        policy = Policy(support=[Priced(1.0)], undecided="pass", budget=Budget(cost=0.0))
        found = await verifying(Answer, answer("One."), sources=SOURCES, policy=policy)
        assert (found.usage.calls, found.usage.cost) == (0, 0.0)


class TestReasons:
    async def test_of_all_stages_are_kept_the_last_first(self, verifying: Verifying) -> None:
        judges = [
            Named("a", otherwise=Verdict("undecided", reason="between the thresholds")),
            Named("b", otherwise=JudgeFailedError("asleep")),
            Named("c", otherwise=Verdict("undecided", reason="who knows")),
        ]
        policy = Policy(support=judges, undecided="pass")
        found = await verifying(Answer, answer("One."), sources=SOURCES, policy=policy)
        assert found.statements[0].verdict.reason == (
            "who knows\na: between the thresholds\nb: asleep"
        )


class Aligning:
    """Says of an answer, and of its statements in order, what it is told to."""

    def __init__(self, answer: Any, *statements: Any) -> None:
        self.said = Alignment(answer=self.verdict(answer), statements=self.verdicts(statements))
        self.asked = 0

    @staticmethod
    def verdict(said: Any) -> Any:
        return said and Verdict(said, reason=f"{said}!")

    def verdicts(self, said: Any) -> tuple[Any, ...]:
        return tuple(map(self.verdict, said))

    def align(self, question: AlignmentQuestion) -> Alignment:
        self.asked += 1
        return self.said


class TestWholeAnswers:
    YES, NO, OPEN = "supported", "unsupported", "undecided"

    @each_row(
        ("judges", "asked", "expected"),
        [
            ([Aligning(YES, YES, YES), Aligning(NO)], [1, 0], [YES] * 3),  # the first
            ([Aligning(OPEN), Aligning(YES)], [1, 1], [YES]),  # the second
            # The second is asked about what is open only.
            ([Aligning(YES, OPEN, YES), Aligning(NO, YES, NO)], [1, 1], [YES] * 3),
            # It says nothing of statements.
            ([Aligning(OPEN, YES, YES), Aligning(YES)], [1, 1], [YES] * 3),
            (  # together
                [Aligning(YES, OPEN, YES), Aligning(OPEN, YES, OPEN), Aligning(NO, NO, NO)],
                [1, 1, 0],
                [YES] * 3,
            ),
            (  # nobody
                [Aligning(OPEN, OPEN, YES), Aligning(OPEN, OPEN, OPEN)],
                [1, 1],
                [OPEN, OPEN, YES],
            ),
        ],
    )
    async def test_are_decided_part_by_part(
        self, judges: list[Aligning], asked: list[int], expected: list[str], verifying: Verifying
    ) -> None:
        for judge in judges:
            judge.asked = 0
        policy = Policy(alignment=judges, undecided="pass")
        found = await verifying(Answer, answer("One.", "Two."), sources=SOURCES, policy=policy)
        said = [found.alignment.answer, *found.alignment.statements]
        assert [verdict.outcome for verdict in said] == expected
        assert [judge.asked for judge in judges] == asked
        assert found.usage.stages == ()

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel

from citeguard import (
    Alignment,
    AlignmentQuestion,
    Budget,
    CiteguardError,
    Evidence,
    JudgeFailedError,
    JudgeSettings,
    SupportQuestion,
    Verdict,
)
from citeguard.judges import MemoryCache
from citeguard.judges.cascade import Limits
from citeguard.judges.cascade import ask as ask_judge
from citeguard.judges.usage import UsageCounter
from citeguard.testing import ScriptedJudge
from rows import each_row

LONG = 60.0
"""Seconds after which something counts as hanging."""

NOTICE = Evidence(text="Notice is one month.", source_id="handbook")
QUESTIONS = [SupportQuestion(statement=f"No. {n}", evidence=(NOTICE,)) for n in range(20)]
QUESTION = QUESTIONS[0]
UNCITED = SupportQuestion(statement="So be it.", evidence=())
WHOLE = AlignmentQuestion(question="How long?", statements=(QUESTION, UNCITED, QUESTIONS[1]))

YES = Verdict("supported")
KEY = "sk-proj-Ab12cd34Ef56gh78-xyz"
Judging = Callable[[Sequence[SupportQuestion]], Any]


def counter(**budget: Any) -> UsageCounter:
    return UsageCounter(Budget(**budget))


async def ask(
    judge: Any, *questions: SupportQuestion, on: UsageCounter | None = None
) -> list[Verdict]:
    answers = await ask_judge(judge, questions, Limits.of(on or counter()))
    return [answers[question] for question in questions]


async def align(judge: Any, question: AlignmentQuestion = WHOLE) -> Alignment:
    return (await ask_judge(judge, [question]))[question]


def supported(questions: Sequence[SupportQuestion]) -> list[Verdict]:
    return [Verdict("supported", reason=question.statement) for question in questions]


class Blocking:
    """A plain judge made of a function."""

    def __init__(self, function: Judging = supported, **settings: Any) -> None:
        self.settings = JudgeSettings(**settings)
        self.function = function

    def judge(self, questions: Sequence[SupportQuestion]) -> Any:
        return self.function(questions)

    def align(self, question: AlignmentQuestion) -> Any:
        return self.function(question.statements)


class Awaited(Blocking):
    """A judge whose methods are coroutine functions."""

    async def judge(self, questions: Sequence[SupportQuestion]) -> Any:
        await asyncio.sleep(0)
        return self.function(questions)

    async def align(self, question: AlignmentQuestion) -> Any:
        await asyncio.sleep(0)
        return self.function(question.statements)


class Promising(Blocking):
    """A judge whose plain methods return something to await."""

    def judge(self, questions: Sequence[SupportQuestion]) -> Any:
        return Awaited(self.function).judge(questions)

    def align(self, question: AlignmentQuestion) -> Any:
        return Awaited(self.function).align(question)


KINDS = [Blocking, Awaited, Promising]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request: pytest.FixtureRequest) -> type[Blocking]:
    return request.param


def raising(error: BaseException) -> Judging:
    def fail(_: Sequence[SupportQuestion]) -> Any:
        raise error

    return fail


class Reply(BaseModel):
    ok: bool


def of_several_tasks(_: Sequence[SupportQuestion]) -> Any:
    raise ExceptionGroup("of several tasks", [TypeError("one"), TypeError("two")])


def unreadable_reply(_: Sequence[SupportQuestion]) -> Any:
    return Reply.model_validate({"ok": "perhaps"})


class NamelessError(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise ValueError("no text")


class TestAnswers:
    async def test_are_for_every_question(self, kind: type[Blocking]) -> None:
        verdicts = await ask(kind(), *QUESTIONS)
        assert [verdict.reason for verdict in verdicts] == [q.statement for q in QUESTIONS]

    async def test_on_a_whole_answer(self, kind: type[Blocking]) -> None:
        verdict = Verdict("supported")
        expected = Alignment(answer=verdict, statements=(verdict, None, verdict))
        assert await align(kind(lambda _: expected)) == expected

    async def test_of_judges_that_cannot_be_hashed_or_referred_to_weakly(self) -> None:
        @dataclass
        class Unhashable:
            said: list[str] = field(default_factory=list)

            def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                self.said += [question.statement for question in questions]
                return supported(questions)

        @dataclass(slots=True)
        class Slotted:
            outcome: str = "supported"

            async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                return [Verdict("supported") for _ in questions]

        for judge in (Unhashable(), Slotted()):
            assert [v.outcome for v in await ask(judge, *QUESTIONS)] == ["supported"] * 20


class TestBatches:
    @each_row(
        ("batch_size", "sizes"),
        [(1, [1] * 20), (7, [7, 7, 6]), (20, [20]), (100, [20]), (None, [20])],
    )
    async def test_have_a_size(
        self, batch_size: int | None, sizes: list[int], kind: type[Blocking]
    ) -> None:
        seen: list[Sequence[SupportQuestion]] = []

        def judge(questions: Sequence[SupportQuestion]) -> list[Verdict]:
            seen.append(questions)
            return supported(questions)

        used = counter()
        await ask(kind(judge, batch_size=batch_size), *QUESTIONS, on=used)
        assert sorted(map(len, seen), reverse=True) == sizes
        assert sorted(q.statement for batch in seen for q in batch) == sorted(
            question.statement for question in QUESTIONS
        )
        assert used.usage.calls == len(sizes)

    @each_row(("evidence_limit", "sizes"), [(20, [1] * 20), (59, [2] * 10), (60, [3] * 6 + [2])])
    async def test_hold_no_more_evidence_than_the_judge_wants(
        self, evidence_limit: int, sizes: list[int]
    ) -> None:
        seen: list[int] = []

        def judge(questions: Sequence[SupportQuestion]) -> list[Verdict]:
            seen.append(len(questions))
            return supported(questions)

        await ask(Blocking(judge, batch_size=None, evidence_limit=evidence_limit), *QUESTIONS)
        assert sorted(seen, reverse=True) == sizes


class TestJudgesThatFail:
    @each_row(
        "function",
        [
            pytest.param(raising(ValueError("wrong")), id="ValueError"),
            pytest.param(lambda _: json.loads("{"), id="JSONDecodeError"),
            pytest.param(lambda _: b"\xff".decode(), id="UnicodeError"),
            pytest.param(raising(TimeoutError("slow")), id="TimeoutError"),
            pytest.param(lambda _: ElementTree.fromstring("<a"), id="ParseError"),
            pytest.param(raising(SystemExit(3)), id="SystemExit"),
            pytest.param(raising(asyncio.CancelledError()), id="CancelledError"),
            pytest.param(raising(NamelessError()), id="an error without words"),
            pytest.param(raising(JudgeFailedError("cannot tell")), id="JudgeFailedError"),
            pytest.param(lambda _: [], id="too few"),
            pytest.param(lambda _: [Verdict("supported")] * 2, id="too many"),
            pytest.param(lambda _: [Verdict("supported", score=float("nan"))], id="NaN"),
            pytest.param(lambda _: [Verdict("supported", score=7)], id="a score out of range"),
        ],
    )
    async def test_are_undecided(self, function: Judging, kind: type[Blocking]) -> None:
        (verdict,) = await ask(kind(function), QUESTION)
        assert verdict.outcome == "undecided"
        assert verdict.judge == kind.__name__
        assert verdict.reason.startswith(f"{kind.__name__}: ")

    @each_row(
        "function",
        [
            pytest.param(raising(AssertionError("wrong")), id="AssertionError"),
            pytest.param(lambda _: {}["x"], id="KeyError"),
            pytest.param(lambda _: [][0], id="IndexError"),
            pytest.param(lambda _: 1 / 0, id="ZeroDivisionError"),
            pytest.param(raising(RecursionError()), id="RecursionError"),
            pytest.param(raising(NotImplementedError("wrong")), id="NotImplementedError"),
            pytest.param(raising(SyntaxError("wrong")), id="SyntaxError"),
            pytest.param(lambda _: next(iter([])), id="StopIteration"),
            pytest.param(lambda _: None, id="None"),
            pytest.param(lambda _: Verdict("supported"), id="not in a list"),
            pytest.param(lambda _: "s", id="a text"),
            pytest.param(lambda _: [Verdict], id="a class"),
            pytest.param(lambda _: [Verdict("supported", score="1")], id="a score of text"),  # type: ignore[arg-type]
            pytest.param(unreadable_reply, id="ValidationError"),
            pytest.param(lambda: None, id="another signature"),  # type: ignore[arg-type]
            pytest.param(of_several_tasks, id="ExceptionGroup"),
            pytest.param(lambda _: missing, id="NameError"),  # type: ignore[name-defined]  # noqa: F821
            pytest.param(lambda _: [Verdict("unsupported", "why")], id="a reason by place"),  # type: ignore[misc]
            *(
                pytest.param(
                    lambda _, f=field: [Verdict("supported", **f)], id=f"its {next(iter(field))}"
                )
                for field in ({"reason": None}, {"words": None}, {"span": "1-2"}, {"judge": None})
            ),
        ],
    )
    async def test_by_a_mistake_in_their_code_end_the_call(
        self, function: Judging, kind: type[Blocking]
    ) -> None:
        with pytest.raises(CiteguardError, match=f"^{kind.__name__}"):
            await ask(kind(function), QUESTION)

    @each_row(
        ("answer", "statements"),
        [
            (YES, (YES,) * 2),
            (YES, (YES,) * 4),
            (YES, (None, None, YES)),
            (None, (YES,) * 3),
            (YES, ("yes",) * 3),
            (YES, None),
        ],
        ids=["few", "many", "None for evidence", "None for the answer", "outcomes", "None for all"],
    )
    async def test_of_the_wrong_form_on_a_whole_answer_end_the_call(
        self, answer: Any, statements: Any, kind: type[Blocking]
    ) -> None:
        wrong = Alignment(answer=answer, statements=statements)
        for reply in (wrong, None, YES, [YES] * 3):
            with pytest.raises(CiteguardError, match=rf"^{kind.__name__}\.align: expected"):
                await align(kind(lambda _, reply=reply: reply))

    async def test_are_undecided_on_a_whole_answer(self, kind: type[Blocking]) -> None:
        alignment = await align(kind(raising(ValueError("wrong"))))
        assert not alignment.decided
        outcomes = [verdict and verdict.outcome for verdict in alignment.statements]
        assert outcomes == ["undecided", None, "undecided"]

    async def test_say_why(self) -> None:
        reasons = {
            "error": raising(ValueError("two\n lines")),
            "without words": raising(OSError()),
            "own words": raising(JudgeFailedError("the model is on holiday")),
            "too few": lambda _: [],
        }
        said = {name: (await ask(Blocking(f), QUESTION))[0].reason for name, f in reasons.items()}
        assert said == snapshot(
            {
                "error": """\
Blocking: raised ValueError
ValueError: two lines\
""",
                "without words": """\
Blocking: raised OSError
OSError\
""",
                "own words": "Blocking: the model is on holiday",
                "too few": "Blocking: returned 0 verdicts for 1 questions",
            }
        )

    async def test_that_empty_their_list_change_nothing(self) -> None:
        def judge(questions: Any) -> list[Verdict]:
            return [YES for _ in range(len(questions)) if questions.pop()]

        assert await ask(Blocking(judge, batch_size=9), *QUESTIONS[:3]) == [YES] * 3

    async def test_are_logged_without_secrets(self, caplog: pytest.LogCaptureFixture) -> None:
        said = f"no postgresql://admin:hunter2@db/claims with api_key='{KEY}', {KEY}"
        for error in (RuntimeError(said), JudgeFailedError("HTTP 400")):
            error.__cause__ = ValueError(said)
            (verdict,) = await ask(Blocking(raising(error)), QUESTION)
            assert verdict.outcome == "undecided"
            assert not [each for each in ("hunter2", KEY) if each in verdict.reason + caplog.text]
        assert "RuntimeError: no postgresql://…@db/claims with api_key='…', …" in caplog.text
        assert "in fail" in caplog.text  # where it was raised

    async def test_name_the_mistake(self) -> None:
        raised: dict[str, str] = {}
        for name, function in {
            "attribute": lambda questions: questions[0].claim,
            "outcome": lambda _: [Verdict("yes")],  # type: ignore[arg-type]
            "list": lambda _: None,
            "verdict": lambda _: ["supported"],
        }.items():
            with pytest.raises(CiteguardError) as caught:
                await ask(Blocking(function), QUESTION)  # type: ignore[arg-type]
            raised[name] = str(caught.value)
        assert raised == snapshot(
            {
                "attribute": (
                    "Blocking raised AttributeError: "
                    "'SupportQuestion' object has no attribute 'claim'"
                ),
                "outcome": (
                    "Blocking raised InvalidVerdictError: a verdict's outcome must be one of "
                    "supported, contradicted, unsupported, undecided, not 'yes'"
                ),
                "list": "Blocking.judge: expected a list of verdicts, got None",
                "verdict": "Blocking.judge: expected Verdict for its question, got 'supported'",
            }
        )

    async def test_set_up_wrongly_end_the_other_calls(self) -> None:
        cancelled: list[int] = []

        async def judge(questions: Sequence[SupportQuestion]) -> list[Verdict]:
            if QUESTION in questions:
                await asyncio.sleep(0)
                raise CiteguardError("no key")
            try:
                await asyncio.sleep(LONG)
            finally:
                cancelled.append(1)
            raise AssertionError

        with pytest.raises(CiteguardError, match="no key"):
            await ask(Blocking(judge), *QUESTIONS[:5])
        assert cancelled == [1] * len(cancelled)
        assert len(asyncio.all_tasks()) == 1


class TestTimeOuts:
    async def test_are_undecided(self) -> None:
        judge = ScriptedJudge(seconds=LONG, settings=JudgeSettings(timeout=0.02))
        (verdict,) = await ask(judge, QUESTION)
        assert (verdict.outcome, verdict.reason) == snapshot(
            ("undecided", "script: took longer than 0.02 s")
        )

    async def test_of_a_judge_that_fails_when_it_is_stopped(self) -> None:
        async def judge(_: Sequence[SupportQuestion]) -> list[Verdict]:
            try:
                await asyncio.sleep(LONG)
            except asyncio.CancelledError:
                raise ValueError("stopped") from None
            raise AssertionError

        (verdict,) = await ask(Blocking(judge, timeout=0.02), QUESTION)
        assert verdict.reason == "Blocking: took longer than 0.02 s"


class CountedAsync:
    def __init__(self, concurrency: int, seconds: float = 0.005) -> None:
        self.settings = JudgeSettings(concurrency=concurrency)
        self.seconds = seconds
        self.now = self.most = 0

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.seconds)
        self.now -= 1
        return supported(questions)


class TestConcurrency:
    def test_holds_in_one_loop_after_the_other(self) -> None:
        judge = CountedAsync(2)
        for _ in range(3):
            asyncio.run(asyncio.wait_for(ask(judge, *QUESTIONS[:6]), LONG))
        assert judge.most == 2


class TestCancellation:
    async def test_is_not_taken_for_a_time_out(self) -> None:
        judge = ScriptedJudge(seconds=LONG, settings=JudgeSettings(timeout=LONG))
        task = asyncio.create_task(ask(judge, QUESTION, on=counter(seconds=LONG)))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def test_keeps_what_was_said_by_then(self) -> None:
        cache = MemoryCache()
        arrived = asyncio.Event()

        async def judge(questions: Sequence[SupportQuestion]) -> list[Verdict]:
            if QUESTION in questions:
                return supported(questions)
            arrived.set()
            await asyncio.sleep(LONG)
            raise AssertionError

        settings = {"version": "1", "cache": cache, "concurrency": 1}
        task = asyncio.create_task(ask(Blocking(judge, **settings), *QUESTIONS[:3]))
        await asyncio.wait_for(arrived.wait(), LONG)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(cache) == 1


class TestLongEvidence:
    TEXT = "Notice is one month. Lunch is free for all. Wine is not served here."

    async def test_is_put_part_by_part(self) -> None:
        judge = ScriptedJudge(otherwise="unsupported", settings=JudgeSettings(evidence_limit=25))
        evidence = (Evidence(text=self.TEXT, source_id="handbook"),)
        question = SupportQuestion(statement="It takes a month.", evidence=evidence)
        (verdict,) = await ask(judge, question)
        assert (verdict.outcome, len(judge.asked)) == ("unsupported", 3)
        assert all(sum(len(e.text) for e in each.evidence) <= 25 for each in judge.asked)


class TestBudget:
    async def test_of_seconds(self) -> None:
        judge = ScriptedJudge(seconds=LONG)
        verdicts = await ask(judge, *QUESTIONS, on=counter(seconds=0.05))
        assert {verdict.outcome for verdict in verdicts} == {"undecided"}
        assert len(judge.asked) == 16

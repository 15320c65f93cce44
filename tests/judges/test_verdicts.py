import math
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import TypeAdapter

from citeguard import Alignment, CiteguardError, JudgeSettings, Span, Verdict
from citeguard.judges.verdicts import settings_of
from rows import each_row

YES, NO, UNKNOWN = Verdict("supported"), Verdict("unsupported"), Verdict("undecided")


class TestVerdict:
    @each_row("outcome", ["", "yes", "Supported", "supported ", None, True, 1, []])
    def test_refuses_another_outcome(self, outcome: Any) -> None:
        with pytest.raises(ValueError, match="a verdict's outcome must be one of"):
            Verdict(outcome)

    @each_row("score", [-0.01, 1.01, 100, math.inf, -math.inf, math.nan])
    def test_refuses_another_score(self, score: float) -> None:
        with pytest.raises(ValueError, match="score must be a number from 0 to 1"):
            Verdict("supported", score=score)


class TestAlignment:
    @each_row(
        ("answer", "statements", "decided"),
        [
            (YES, (), True),
            (NO, (NO, YES), True),
            (YES, (None, YES), True),
            (UNKNOWN, (YES,), False),
            (YES, (YES, UNKNOWN), False),
            (YES, (None, UNKNOWN), False),
        ],
    )
    def test_is_decided_when_all_of_it_is(
        self, answer: Verdict, statements: tuple[Verdict | None, ...], decided: bool
    ) -> None:
        assert Alignment(answer=answer, statements=statements).decided is decided

    def test_makes_the_round_trip_through_json_with_its_verdicts(self) -> None:
        adapter, words = TypeAdapter(Alignment), {"words": "x", "span": Span("a", 0, 3)}
        verdict = Verdict("supported", reason="é", score=0.5, judge="me", **words)
        alignment = Alignment(answer=verdict, statements=(NO, None))
        assert adapter.validate_json(adapter.dump_json(alignment)) == alignment


NO_COUNTS: list[Any] = [0, -1, 1.5, "5", True, float("nan")]
NO_TIMES: list[Any] = [0, -1.0, float("nan"), "5", "", True]
WHOLE = "{name} must be an integer of at least 1, not {value!r}"


class TestJudgeSettings:
    @each_row(
        ("name", "values", "message"),
        [
            ("batch_size", NO_COUNTS, WHOLE),
            ("concurrency", NO_COUNTS, WHOLE),
            ("evidence_limit", NO_COUNTS, WHOLE),
            ("timeout", NO_TIMES, "timeout must be a number above 0, not {value!r}"),
            ("cache", [None, {}, "verdicts.sqlite"], "cache: expected a VerdictCache, got "),
        ],
    )
    def test_refuse_what_asks_nothing(self, name: str, values: list[Any], message: str) -> None:
        for value in values:
            with pytest.raises(CiteguardError) as caught:
                JudgeSettings(**{name: value})
            assert str(caught.value).startswith(message.format(name=name, value=value))

    def test_of_a_judge_are_nothing_else(self) -> None:
        for settings in (None, {"timeout": 5}, JudgeSettings):
            judge = SimpleNamespace(settings=settings)
            with pytest.raises(CiteguardError, match=r"^settings: expected a JudgeSettings, got "):
                settings_of(judge)

from collections.abc import Sequence
from typing import Any

import pytest

from citeguard import (
    Alignment,
    AlignmentJudge,
    AlignmentQuestion,
    CiteguardError,
    Judge,
    JudgeSettings,
    SupportQuestion,
    Verdict,
)
from citeguard.judges.verdicts import settings_of
from rows import each_row


class Plain:
    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        return [Verdict("supported") for _ in questions]


class Aligning:
    async def align(self, question: AlignmentQuestion) -> Alignment:
        return Alignment(answer=Verdict("supported"), statements=())


class TestProtocols:
    def test_tell_who_is_a_judge(self) -> None:
        assert isinstance(Plain(), Judge)
        assert not isinstance(Plain(), AlignmentJudge)
        assert isinstance(Aligning(), AlignmentJudge)
        assert not isinstance(Aligning(), Judge)


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
            judge = Plain()
            judge.settings = settings  # type: ignore[attr-defined]
            with pytest.raises(CiteguardError, match=r"^settings: expected a JudgeSettings, got "):
                settings_of(judge)

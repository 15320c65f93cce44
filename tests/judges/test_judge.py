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


class TestJudgeSettings:
    @each_row("name", ["batch_size", "concurrency", "evidence_limit"])
    @each_row("value", [0, -1, 1.5, "5", True, float("nan")], ids=repr)
    def test_refuse_a_number_with_which_nothing_is_asked(self, name: str, value: Any) -> None:
        with pytest.raises(CiteguardError) as caught:
            JudgeSettings(**{name: value})
        assert str(caught.value) == f"{name} must be an integer of at least 1, not {value!r}"

    @each_row("timeout", [0, -1.0, float("nan"), "5", "", True], ids=repr)
    def test_refuse_a_time_that_is_none(self, timeout: Any) -> None:
        with pytest.raises(CiteguardError) as caught:
            JudgeSettings(timeout=timeout)
        assert str(caught.value) == f"timeout must be a number above 0, not {timeout!r}"

    @each_row("cache", [None, {}, "verdicts.sqlite"], ids=repr)
    def test_refuse_what_is_no_cache(self, cache: Any) -> None:
        with pytest.raises(CiteguardError) as caught:
            JudgeSettings(cache=cache)
        assert str(caught.value).startswith("cache: expected a VerdictCache, got ")


class TestSettingsOf:
    @each_row("settings", [None, {"timeout": 5}, JudgeSettings])
    def test_refuse_others(self, settings: Any) -> None:
        judge = Plain()
        judge.settings = settings  # type: ignore[attr-defined]
        with pytest.raises(CiteguardError) as caught:
            settings_of(judge)
        assert str(caught.value).startswith("settings: expected a JudgeSettings, got ")

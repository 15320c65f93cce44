from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard import (
    Alignment,
    AlignmentJudge,
    AlignmentQuestion,
    CiteguardError,
    Judge,
    JudgeSettings,
    Policy,
    SupportQuestion,
    Verdict,
    Vote,
)
from citeguard.judges.judge import name_of, settings_of
from citeguard.testing import ScriptedJudge
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

    @each_row("both", [ScriptedJudge(), Vote([Plain(), Plain()])], ids=name_of)
    def test_some_are_both(self, both: object) -> None:
        assert isinstance(both, Judge)
        assert isinstance(both, AlignmentJudge)

    def test_are_met_by_what_a_policy_takes(self) -> None:
        policy = Policy(support=[Plain(), ScriptedJudge()], alignment=Aligning())
        assert len(policy.support) == 2


class TestJudgeSettings:
    def test_defaults(self) -> None:
        settings = JudgeSettings()
        without_cache = {
            field.name: getattr(settings, field.name)
            for field in dataclasses.fields(settings)
            if field.name != "cache"
        }
        assert without_cache == snapshot(
            {
                "batch_size": 1,
                "concurrency": 16,
                "timeout": 60.0,
                "evidence_limit": None,
                "version": None,
                "local": False,
                "price": 0.0,
            }
        )

    def test_have_a_cache_each(self) -> None:
        assert JudgeSettings().cache is not JudgeSettings().cache

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

    @each_row("name", ["batch_size", "concurrency", "evidence_limit", "timeout"])
    def test_take_none_for_no_bound(self, name: str) -> None:
        assert getattr(JudgeSettings(**{name: None}), name) is None  # type: ignore[arg-type]

    def test_do_not_change(self) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            JudgeSettings().timeout = 5  # type: ignore[misc]

    def test_can_be_changed_in_a_copy(self) -> None:
        settings = JudgeSettings(version="1")
        changed = dataclasses.replace(settings, timeout=5)
        assert (changed.version, changed.timeout) == ("1", 5)
        assert changed.cache is settings.cache


class TestSettingsOf:
    def test_are_the_judge_s(self) -> None:
        settings = JudgeSettings(batch_size=3)
        assert settings_of(ScriptedJudge(settings=settings)) is settings

    def test_have_defaults(self) -> None:
        assert settings_of(Plain()).batch_size == 1
        assert settings_of(Plain()).version is None

    @each_row("settings", [None, {"timeout": 5}, JudgeSettings])
    def test_refuse_others(self, settings: Any) -> None:
        judge = Plain()
        judge.settings = settings  # type: ignore[attr-defined]
        with pytest.raises(CiteguardError) as caught:
            settings_of(judge)
        assert str(caught.value).startswith("settings: expected a JudgeSettings, got ")


class TestNameOf:
    def test_is_that_of_the_judge(self) -> None:
        assert name_of(ScriptedJudge()) == "script"

    def test_or_of_its_class(self) -> None:
        assert name_of(Plain()) == "Plain"

    def test_is_a_text(self) -> None:
        judge = Plain()
        judge.name = 7  # type: ignore[attr-defined]
        assert name_of(judge) == "7"

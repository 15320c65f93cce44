# ruff: noqa: E501 - a snapshot holds a message as it is
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard import Answer, CiteguardError, FuzzyQuote, Policy, verify
from citeguard.retrieval.search import BM25Retriever
from citeguard.testing import ScriptedJudge
from rows import each_row


class Supporter:
    def judge(self, questions: Any) -> Any:
        raise NotImplementedError


class Aligner:
    def align(self, question: Any) -> Any:
        raise NotImplementedError


class TestPolicy:
    def test_is_strict_by_default(self) -> None:
        assert repr(Policy()) == snapshot(
            "Policy(quote=FuzzyQuote(source_field=None, min_length=4, equivalent=True), uncited='fail', empty='fail', invalid='fail', framed=(), speech=False, support=(), alignment=None, evidence='sentence', passages=4, retriever=None, undecided='fail', budget=Budget(calls=None, tokens=None, seconds=None, cost=None))"
        )

    @each_row(
        ("name", "value", "message"),
        [
            ("uncited", "flag", " must be one of "),
            ("uncited", "retrieve", " must be one of "),
            ("empty", "ok", " must be one of "),
            ("evidence", "sentences", " must be one of "),
            ("undecided", "ignore", " must be one of "),
            ("undecided", ["fail"], " must be one of "),
            ("speech", "no", ""),
            ("framed", "denied", " must be a sequence of "),
            ("framed", None, " must be a sequence of "),
            ("framed", 5, " must be a sequence of "),
            (
                "framed",
                ("denied", "pass"),
                " must be a sequence of 'denied', 'attributed', 'conditional', 'asked', "
                "not ('denied', 'pass')",
            ),
            ("quote", FuzzyQuote, ""),
            ("quote", "exact", ""),
            ("passages", None, " must be an integer of at least 1, not None"),
            ("passages", 0, " must be an integer of at least 1, not 0"),
            ("retriever", BM25Retriever, ": expected a Retriever, got the class BM25Retriever"),
            ("retriever", "bm25", ": expected a Retriever, got str"),
            ("budget", None, ": expected a Budget, got None"),
            ("budget", 5, ": expected a Budget, got int"),
            ("support", None, ": expected a judge or a list of judges, got None"),
            ("support", "gpt", ": expected a judge or a list of judges, got str"),
            ("support", ["gpt"], ": expected a Judge, got str"),
            ("support", [Supporter], ": expected a Judge, got the class Supporter"),
            ("support", [Aligner()], ": expected a Judge, got "),
            ("alignment", "gpt", ": expected an AlignmentJudge, got str"),
            ("alignment", Supporter(), ": expected an AlignmentJudge, got "),
            ("alignment", ScriptedJudge, ": expected an AlignmentJudge, got the class "),
            ("alignment", [Supporter()], ": expected an AlignmentJudge, got "),
        ],
    )
    def test_explains_what_it_refuses(self, name: str, value: Any, message: str) -> None:
        with pytest.raises(CiteguardError) as caught:
            Policy(**{name: value})
        assert str(caught.value).startswith(f"Policy({name}=...){message}")


def names(policy: Policy) -> list[str]:
    return [type(judge).__name__ for judge in policy.support]


class TestPresets:
    @each_row(
        ("policy", "expected"),
        [
            pytest.param(Policy.fast(), ["ReaderJudge"], id="fast"),
            pytest.param(
                Policy.strict(ScriptedJudge()),
                ["ReaderJudge", "ScriptedJudge"],
                id="strict",
            ),
        ],
    )
    def test_ask_the_cheap_one_first(self, policy: Policy, expected: list[str]) -> None:
        assert names(policy) == expected

    def test_take_one_judge_or_the_name_of_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        judge = ScriptedJudge()
        assert Policy(support=judge).judges == Policy(support=[judge]).judges == (judge,)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        named = Policy.strict("openai/gpt-5-mini").judges[1]
        assert repr(named) == "LLMJudge('gpt-5-mini')"
        assert names(Policy.strict("reader")) == ["ReaderJudge", "ReaderJudge"]
        for name in ("reader:/no/folder", "nobody/knows"):
            with pytest.raises(CiteguardError, match=name):
                Policy.strict(name)

    @each_row(
        ("name", "make"),
        [
            ("fast", Policy.fast),
            ("strict", lambda **rules: Policy.strict(ScriptedJudge(), **rules)),
        ],
    )
    def test_refuse_other_judges(self, name: str, make: Any) -> None:
        with pytest.raises(CiteguardError, match=rf"Policy\.{name}\(\) sets support itself"):
            make(support=[ScriptedJudge()])

    def test_judge_without_a_call(self) -> None:
        said = "The notice period is one month."
        data = {"statements": [{"text": said, "citations": [{"quote": said}]}]}
        answer = verify(Answer, data, sources=said, policy=Policy.fast())
        assert answer.usage is not None
        assert answer.usage.calls == 0
        assert answer.statements[0].verdict is not None
        assert answer.statements[0].verdict.outcome == "supported"
        assert [(stage.asked, stage.decided) for stage in answer.usage.stages] == [(1, 1)]

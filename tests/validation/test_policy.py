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
        "choice",
        [
            pytest.param({"uncited": "flag"}, id="uncited"),
            pytest.param({"empty": "ok"}, id="empty"),
            pytest.param({"framed": "denied"}, id="framed"),
            pytest.param({"framed": None}, id="None for no framings"),
            pytest.param({"framed": 5}, id="a number of framings"),
            pytest.param({"speech": "no"}, id="a word for a flag"),
            pytest.param({"quote": FuzzyQuote}, id="a class for a rule"),
            pytest.param({"quote": "exact"}, id="a name for a rule"),
            pytest.param({"evidence": "sentences"}, id="evidence"),
            pytest.param({"uncited": "retrieve"}, id="another way of searching"),
            pytest.param({"passages": None}, id="None for passages"),
            pytest.param({"retriever": BM25Retriever}, id="a class for a retriever"),
            pytest.param({"undecided": "ignore"}, id="undecided"),
            pytest.param({"undecided": ["fail"]}, id="a list of choices"),
            pytest.param({"budget": None}, id="no budget"),
            pytest.param({"support": None}, id="None for no judges"),
            pytest.param({"support": [Aligner()]}, id="a judge of another kind"),
            pytest.param({"alignment": Supporter()}, id="an alignment judge of another kind"),
            pytest.param({"alignment": ScriptedJudge}, id="a class for an alignment judge"),
            pytest.param({"alignment": [Supporter()]}, id="alignment judges of another kind"),
        ],
    )
    def test_refuses_a_choice_that_does_not_exist(self, choice: dict[str, Any]) -> None:
        with pytest.raises(CiteguardError, match=f"Policy\\({next(iter(choice))}="):
            Policy(**choice)

    @each_row(
        ("choice", "message"),
        [
            pytest.param(
                {"framed": ("denied", "pass")},
                snapshot(
                    "Policy(framed=...) must be a sequence of 'denied', 'attributed', 'conditional', 'asked', not ('denied', 'pass')"
                ),
                id="choice",
            ),
            pytest.param(
                {"budget": 5},
                snapshot("Policy(budget=...): expected a Budget, got int"),
                id="budget",
            ),
            pytest.param(
                {"passages": 0},
                snapshot("Policy(passages=...) must be an integer of at least 1, not 0"),
                id="passages",
            ),
            pytest.param(
                {"retriever": "bm25"},
                snapshot("Policy(retriever=...): expected a Retriever, got str"),
                id="retriever",
            ),
            pytest.param(
                {"support": "gpt"},
                snapshot("Policy(support=...): expected a judge or a list of judges, got str"),
                id="no list of judges",
            ),
            pytest.param(
                {"support": ["gpt"]},
                snapshot("Policy(support=...): expected a Judge, got str"),
                id="no judge",
            ),
            pytest.param(
                {"support": [Supporter]},
                snapshot("Policy(support=...): expected a Judge, got the class Supporter"),
                id="class",
            ),
            pytest.param(
                {"alignment": "gpt"},
                snapshot("Policy(alignment=...): expected an AlignmentJudge, got str"),
                id="no alignment judge",
            ),
        ],
    )
    def test_explains_a_refusal(self, choice: dict[str, Any], message: str) -> None:
        with pytest.raises(CiteguardError) as caught:
            Policy(**choice)
        assert str(caught.value) == message


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

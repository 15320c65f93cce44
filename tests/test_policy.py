# ruff: noqa: E501 - a snapshot holds a message as it is
from __future__ import annotations

import dataclasses
import pickle
from typing import Any, assert_type

import pytest
from inline_snapshot import snapshot

from citeguard import (
    AlignmentJudge,
    Budget,
    CiteguardError,
    ExactQuote,
    FuzzyQuote,
    Judge,
    Policy,
    Vote,
)
from citeguard.testing import ScriptedJudge


class Supporter:
    def judge(self, questions: Any) -> Any:
        raise NotImplementedError


class Aligner:
    def align(self, question: Any) -> Any:
        raise NotImplementedError


class TestPolicy:
    def test_is_strict_by_default(self) -> None:
        assert repr(Policy()) == snapshot(
            "Policy(quote=FuzzyQuote(source_field=None, min_length=4), uncited='fail', empty='fail', denied='flag', support=(), alignment=None, evidence='sentence', undecided='fail', budget=Budget(calls=None, tokens=None, seconds=None))"
        )

    def test_is_a_value(self) -> None:
        policy = Policy(quote=ExactQuote(fold=True), denied="fail")
        assert policy == pickle.loads(pickle.dumps(policy))
        assert hash(policy) == hash(Policy(quote=ExactQuote(fold=True), denied="fail"))
        assert policy != Policy()

    def test_does_not_change(self) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            Policy().uncited = "pass"  # type: ignore[misc]

    @pytest.mark.parametrize(
        "choice",
        [
            pytest.param({"uncited": "flag"}, id="uncited"),
            pytest.param({"empty": "ok"}, id="empty"),
            pytest.param({"denied": "pass"}, id="denied"),
            pytest.param({"quote": FuzzyQuote}, id="a class for a rule"),
            pytest.param({"quote": "exact"}, id="a name for a rule"),
            pytest.param({"evidence": "sentences"}, id="evidence"),
            pytest.param({"undecided": "ignore"}, id="undecided"),
            pytest.param({"undecided": ["fail"]}, id="a list of choices"),
            pytest.param({"budget": 5}, id="a number for a budget"),
            pytest.param({"budget": None}, id="no budget"),
            pytest.param({"support": ScriptedJudge()}, id="a judge for a list of them"),
            pytest.param({"support": "gpt-5-mini"}, id="a name for judges"),
            pytest.param({"support": None}, id="None for no judges"),
            pytest.param({"support": ["gpt-5-mini"]}, id="a name for a judge"),
            pytest.param({"support": [ScriptedJudge]}, id="a class for a judge"),
            pytest.param({"support": [Aligner()]}, id="a judge of another kind"),
            pytest.param({"alignment": Supporter()}, id="an alignment judge of another kind"),
            pytest.param({"alignment": ScriptedJudge}, id="a class for an alignment judge"),
            pytest.param({"alignment": [ScriptedJudge()]}, id="a list for an alignment judge"),
        ],
    )
    def test_refuses_a_choice_that_does_not_exist(self, choice: dict[str, Any]) -> None:
        with pytest.raises(CiteguardError, match=f"Policy\\({next(iter(choice))}="):
            Policy(**choice)

    @pytest.mark.parametrize(
        ("choice", "message"),
        [
            pytest.param(
                {"denied": "pass"},
                snapshot("Policy(denied=...) must be one of 'flag', 'fail', not 'pass'"),
                id="choice",
            ),
            pytest.param(
                {"budget": 5},
                snapshot("Policy(budget=...) must be a Budget(...), not 5"),
                id="budget",
            ),
            pytest.param(
                {"support": "gpt"},
                snapshot("Policy(support=...) must be a list of judges, not 'gpt'"),
                id="no list of judges",
            ),
            pytest.param(
                {"support": ["gpt"]},
                snapshot("Policy(support=...) must be a list of judges, and 'gpt' is none"),
                id="no judge",
            ),
            pytest.param(
                {"support": [Supporter]},
                snapshot(
                    "Policy(support=...) must be a list of judges, and <class 'test_policy.Supporter'> is none"
                ),
                id="class",
            ),
            pytest.param(
                {"alignment": "gpt"},
                snapshot("Policy(alignment=...) must be a judge of answers, not 'gpt'"),
                id="no alignment judge",
            ),
        ],
    )
    def test_explains_a_refusal(self, choice: dict[str, Any], message: str) -> None:
        with pytest.raises(CiteguardError) as caught:
            Policy(**choice)
        assert str(caught.value) == message

    def test_types_its_rule(self) -> None:
        assert_type(Policy().quote, ExactQuote | FuzzyQuote)
        assert_type(Policy().alignment, AlignmentJudge | None)
        assert_type(Policy().budget, Budget)


class TestJudgesInAPolicy:
    def test_do_not_follow_the_list_they_came_in(self) -> None:
        judges: list[Judge] = [ScriptedJudge()]
        policy = Policy(support=judges)
        judges.append(ScriptedJudge())
        assert len(policy.support) == 1

    @pytest.mark.parametrize("kind", [list, tuple])
    def test_keep_their_order(self, kind: Any) -> None:
        judges = [ScriptedJudge(), Supporter(), Vote([Supporter(), Supporter()])]
        assert Policy(support=kind(judges)).support == tuple(judges)

    def test_may_be_of_one_kind_only(self) -> None:
        supporter, aligner = Supporter(), Aligner()
        policy = Policy(support=[supporter], alignment=aligner)
        assert (policy.support, policy.alignment) == ((supporter,), aligner)

    def test_make_a_value_with_them(self) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], alignment=judge, budget=Budget(calls=3))
        assert policy == Policy(support=(judge,), alignment=judge, budget=Budget(calls=3))
        assert policy != Policy(support=[ScriptedJudge()], alignment=judge, budget=Budget(calls=3))
        assert len({policy, policy}) == 1

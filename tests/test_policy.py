# ruff: noqa: E501 - a snapshot holds a message as it is
from __future__ import annotations

import dataclasses
import pickle
from typing import Any, assert_type

import pytest
from inline_snapshot import snapshot

from citeguard import CiteguardError, ExactQuote, FuzzyQuote, Policy


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
        ],
    )
    def test_refuses_a_choice_that_does_not_exist(self, choice: dict[str, Any]) -> None:
        with pytest.raises(CiteguardError, match=f"Policy\\({next(iter(choice))}="):
            Policy(**choice)

    def test_explains_a_refusal(self) -> None:
        with pytest.raises(CiteguardError) as caught:
            Policy(denied="pass")  # type: ignore[arg-type]
        assert str(caught.value) == snapshot(
            "Policy(denied=...) must be one of 'flag', 'fail', not 'pass'"
        )

    def test_types_its_rule(self) -> None:
        assert_type(Policy().quote, ExactQuote | FuzzyQuote)

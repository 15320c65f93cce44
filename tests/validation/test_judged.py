# ruff: noqa: E501 - a snapshot holds a message as it is
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field, ValidationError
from typing_extensions import TypeAliasType, TypedDict

from citeguard import (
    Citation,
    CiteguardError,
    JudgedSupported,
    JudgeSettings,
    Span,
    Verdict,
)
from citeguard.testing import ScriptedJudge
from citeguard.validation.context import Context
from conftest import Failures
from rows import each_row


def finding(judge: Any, evidence: Any = str, **parameters: Any) -> type[BaseModel]:
    """Make a model whose claim is judged by the evidence beside it."""
    rule = JudgedSupported(judge, **{"evidence_field": "evidence", **parameters})
    fields = {"source": str | None, "evidence": evidence, "claim": Annotated[str, rule]}
    return type("Finding", (BaseModel,), {"__annotations__": fields, "source": None})


class TestVerdicts:
    def test_say_what_is_wrong(self, context: Context, failures: Failures) -> None:
        verdict = Verdict("contradicted", reason="One, not two.", words="one month", judge="me")
        model = finding(ScriptedJudge(otherwise=verdict))
        data = {"evidence": "one month", "claim": "It takes two."}
        (failure,) = failures(lambda: model.model_validate(data, context=context))
        assert failure["msg"] == snapshot(
            'The cited text contradicts the text of "claim". The judge: "One, not two." The source: "one month". Correct it to agree with the cited text, or drop it.'
        )

    def test_of_a_judge_that_raises_are_undecided(
        self, context: Context, failures: Failures
    ) -> None:
        model = finding(ScriptedJudge(otherwise=ValueError("bad\nsk-secret")))
        data = {"evidence": "one month", "claim": "It takes two."}
        (failure,) = failures(lambda: model.model_validate(data, context=context))
        assert failure["type"] == "undecided"
        assert failure["msg"] == snapshot(
            'The text of "claim" could not be checked. This is not your mistake, and nothing is known to be wrong with it. Repeat the text of "claim" unchanged. (The check gave no verdict: script: raised ValueError.)'
        )


class TestJudge:
    @each_row("trouble", [ValueError("bad"), AssertionError("bad")])
    def test_that_cannot_be_asked_is_no_mistake_in_the_data(
        self, trouble: Exception, context: Context
    ) -> None:
        class Broken:
            @property
            def settings(self) -> JudgeSettings:
                raise trouble

            def judge(self, questions: Any) -> Any:
                raise NotImplementedError

        model = finding(Broken())
        with pytest.raises(CiteguardError, match="a judge cannot be asked: bad"):
            model.model_validate({"evidence": "one month", "claim": "x"}, context=context)


class TestEvidenceField:
    def test_that_is_missing_fails_alone(self, context: Context, failures: Failures) -> None:
        model = finding(ScriptedJudge())
        (failure,) = failures(lambda: model.model_validate({"claim": "x"}, context=context))
        assert (failure["loc"], failure["type"]) == (("evidence",), "missing")

    @each_row(
        ("kind", "value"),
        [
            pytest.param(int, 5, id="number"),
            pytest.param(bool, True, id="yes"),
            pytest.param(int, 0, id="zero"),
            pytest.param(float, 0.5, id="fraction"),
            pytest.param(bytes, b"one month", id="bytes"),
            pytest.param(list[int], [5], id="list of numbers"),
            pytest.param(list[str | None], ["one month", None], id="list with None"),
            pytest.param(list[list[str]], [["one month"]], id="list of lists"),
            pytest.param(dict[str, str], {"one month": "x"}, id="mapping"),
            pytest.param(dict[str, str], {}, id="empty mapping"),
            pytest.param(Citation, {"quote": "one month"}, id="citation"),
        ],
    )
    def test_must_hold_quotes(self, kind: Any, value: Any, context: Context) -> None:
        model = finding(ScriptedJudge(), kind)
        with pytest.raises(CiteguardError) as caught:
            model.model_validate({"evidence": value, "claim": "x"}, context=context)
        assert str(caught.value) == ("evidence_field='evidence' must hold a quote or several")

    @each_row(
        ("field", "message"),
        [
            ("evidenc", snapshot("evidence_field='evidenc' is not a field of Model")),
            ("later", snapshot("evidence_field='later' must be declared before 'claim' in Model")),
            ("claim", snapshot("evidence_field='claim' must be declared before 'claim' in Model")),
        ],
        ids=["misspelt", "declared later", "itself"],
    )
    def test_must_be_declared_earlier(self, field: str, message: str, context: Context) -> None:
        class Model(BaseModel):
            claim: Annotated[str, JudgedSupported(ScriptedJudge(), evidence_field=field)]
            later: str

        data = {"claim": "x", "later": "one month"}
        with pytest.raises(CiteguardError) as caught:
            Model.model_validate(data, context=context)
        assert str(caught.value) == message

    def test_misspelt_in_a_shared_alias_lets_nothing_pass_unjudged(self, context: Context) -> None:
        judge = ScriptedJudge(otherwise="unsupported")
        rule = JudgedSupported(judge, evidence_field="evidence")
        alias = TypeAliasType("alias", Annotated[str, rule])  # type: ignore[misc]

        class First(TypedDict):
            evidence: str
            claim: alias  # type: ignore[valid-type]

        @dataclass
        class Second:
            proof: str
            statement: alias  # type: ignore[valid-type]

        class Both(BaseModel):
            first: First | None = None
            second: Second

        data = {"second": {"proof": "one month", "statement": "Made up."}}
        with pytest.raises((CiteguardError, ValidationError)):
            Both.model_validate(data, context=context)


class TestSourceField:
    def test_that_has_failed_is_told(self, context: Context, failures: Failures) -> None:
        model = finding(ScriptedJudge(), source_field="source")
        data = {"source": 5, "evidence": "one month", "claim": "x"}
        *_, failure = failures(lambda: model.model_validate(data, context=context))
        assert (failure["loc"], failure["type"]) == (("claim",), "source_unknown")


class TestWithoutQuotes:
    def test_refuses_a_source_that_there_is_not(self, context: Context, failures: Failures) -> None:
        judge = ScriptedJudge()
        model = finding(judge, evidence_field=None, source_field="source")
        data = {"source": "handbok", "evidence": "", "claim": "x"}
        (failure,) = failures(lambda: model.model_validate(data, context=context))
        assert (failure["loc"], failure["type"]) == (("claim",), "source_unknown")
        assert failure["msg"] == snapshot(
            'There is no source "handbok"; cite one of the sources "handbook", "faq". Did you mean "handbook"?'
        )
        assert failure["ctx"]["suggestion"] == "handbook"
        assert judge.asked == []


class TestInModels:
    RULE = JudgedSupported(ScriptedJudge({"Made up.": "unsupported"}), evidence_field="evidence")

    def test_nested_and_aliased(self, context: Context, failures: Failures) -> None:
        class Inner(BaseModel):
            evidence: str = Field(alias="Beleg")
            claim: Annotated[str, TestInModels.RULE] = Field(alias="Aussage")

        class Outer(BaseModel):
            inner: dict[str, list[Inner]]

        data = {"inner": {"a": [{"Beleg": "one month", "Aussage": "Made up."}]}}
        (failure,) = failures(lambda: Outer.model_validate(data, context=context))
        assert failure["loc"] == ("inner", "a", 0, "Aussage")


class TestFacts:
    def test_of_a_verdict_survive_odd_characters(
        self, context: Context, failures: Failures
    ) -> None:
        verdict = Verdict(
            "contradicted",
            reason="\ud800 {message} {statement}",
            words="\x00\u202e",
            span=Span("handbook", 0, 1),
            judge="\udfff",
        )
        model = finding(ScriptedJudge(otherwise=verdict))
        data = {"evidence": "one month", "claim": "\ud800 {reason}"}
        (failure,) = failures(lambda: model.model_validate(data, context=context))
        assert failure["msg"].encode("utf-8")
        assert "{message} {statement}" in failure["msg"]
        assert all(str(fact).encode("utf-8") for fact in failure["ctx"].values())

# ruff: noqa: E501 - a snapshot holds a message as it is
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, ValidationError
from typing_extensions import TypeAliasType, TypedDict

from citeguard import CiteguardError, JudgedSupported, JudgeSettings, Verdict
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

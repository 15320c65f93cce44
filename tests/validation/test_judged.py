# ruff: noqa: E501 - a snapshot holds a message as it is
from __future__ import annotations

import dataclasses
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic.dataclasses
import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from typing_extensions import TypeAliasType, TypedDict

from citeguard import (
    Citation,
    CiteguardError,
    ExactQuote,
    FuzzyQuote,
    JudgedSupported,
    JudgeSettings,
    Policy,
    Sources,
    Span,
    Verdict,
)
from citeguard.testing import ScriptedJudge
from citeguard.validation.context import Context
from conftest import FAQ, Failures
from rows import each_row

NOTICE = "The notice period is one month."


def finding(judge: Any, evidence: Any = str, **parameters: Any) -> type[BaseModel]:
    """Make a model whose claim is judged by the evidence beside it."""
    rule = JudgedSupported(judge, **{"evidence_field": "evidence", **parameters})
    fields = {"source": str | None, "evidence": evidence, "claim": Annotated[str, rule]}
    return type("Finding", (BaseModel,), {"__annotations__": fields, "source": None})


def shown(judge: ScriptedJudge) -> list[tuple[str | None, int, str]]:
    """Return what the one question of a judge shows it."""
    (question,) = judge.asked
    return [(each.source_id, each.start, each.text) for each in question.evidence]


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
    def test_is_the_policy_s_when_none_is_named(self, sources: Sources) -> None:
        judge = ScriptedJudge()
        context = sources.as_context(Policy(support=[judge]))
        finding(None).model_validate({"evidence": "one month", "claim": "x"}, context=context)
        assert len(judge.asked) == 1

    def test_comes_before_the_policy_s(self, sources: Sources) -> None:
        own, other = ScriptedJudge(), ScriptedJudge(otherwise="unsupported")
        context = sources.as_context(Policy(support=[other]))
        finding(own).model_validate({"evidence": "one month", "claim": "x"}, context=context)
        assert (len(own.asked), len(other.asked)) == (1, 0)

    def test_is_needed(self, context: Context) -> None:
        with pytest.raises(CiteguardError) as caught:
            finding(None).model_validate({"evidence": "one month", "claim": "x"}, context=context)
        assert str(caught.value) == snapshot(
            "JudgedSupported(...) has no judge, and neither has the policy: name one"
        )

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
    def test_shows_nothing_twice(self, context: Context) -> None:
        judge = ScriptedJudge()
        model = finding(judge, list[str])
        data = {"evidence": ["one month", "notice period", "one month"], "claim": "x"}
        model.model_validate(data, context=context)
        assert shown(judge) == [("handbook", 0, NOTICE)]

    @each_row("rule", [FuzzyQuote(), ExactQuote()])
    def test_holds_a_checked_quote(self, rule: Any, context: Context) -> None:
        judge = ScriptedJudge()
        model = finding(judge, Annotated[str, rule])
        model.model_validate({"evidence": "one month", "claim": "x"}, context=context)
        assert shown(judge) == [("handbook", 0, NOTICE)]

    def test_holds_an_elided_quote(self, sources: Sources) -> None:
        judge = ScriptedJudge()
        model = finding(judge, Annotated[str, FuzzyQuote()])
        context = sources.as_context(Policy(evidence="quote"))
        data = {"evidence": "The notice period ... one month.", "claim": "x"}
        model.model_validate(data, context=context)
        assert shown(judge) == [
            ("handbook", 0, "The notice period"),
            ("handbook", 21, "one month."),
        ]

    @each_row("evidence", ["25", "a"])
    def test_may_be_short(self, evidence: str, context: Context) -> None:
        model = finding(ScriptedJudge())
        data = {"evidence": "25 million" if evidence == "25" else evidence, "claim": "x"}
        assert model.model_validate(data, context=context)

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
    def test_says_where_the_quote_stands(self) -> None:
        judge = ScriptedJudge()
        context = Sources({"a": "It is so. More.", "b": "It is so. Less."}).as_context()
        model = finding(judge, source_field="source")
        data = {"source": "b", "evidence": "It is so", "claim": "x"}
        model.model_validate(data, context=context)
        assert shown(judge) == [("b", 0, "It is so.")]

    def test_that_has_failed_is_told(self, context: Context, failures: Failures) -> None:
        model = finding(ScriptedJudge(), source_field="source")
        data = {"source": 5, "evidence": "one month", "claim": "x"}
        *_, failure = failures(lambda: model.model_validate(data, context=context))
        assert (failure["loc"], failure["type"]) == (("claim",), "source_unknown")


class TestWithoutQuotes:
    def test_shows_all_of_the_source_named(self, context: Context) -> None:
        judge = ScriptedJudge()
        model = finding(judge, evidence_field=None, source_field="source")
        data = {"source": "faq", "evidence": "", "claim": "x"}
        model.model_validate(data, context=context)
        assert shown(judge) == [("faq", 0, FAQ)]

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

    def test_list_of_claims(self, context: Context, failures: Failures) -> None:
        class Findings(BaseModel):
            evidence: str
            claims: list[Annotated[str, TestInModels.RULE]]

        data = {"evidence": "one month", "claims": ["True.", "Made up.", "Made up."]}
        found = failures(lambda: Findings.model_validate(data, context=context))
        assert [(line["loc"], line["type"]) for line in found] == [
            (("claims", 1), "statement_unsupported"),
            (("claims", 2), "statement_unsupported"),
        ]

    def test_nested_and_aliased(self, context: Context, failures: Failures) -> None:
        class Inner(BaseModel):
            evidence: str = Field(alias="Beleg")
            claim: Annotated[str, TestInModels.RULE] = Field(alias="Aussage")

        class Outer(BaseModel):
            inner: dict[str, list[Inner]]

        data = {"inner": {"a": [{"Beleg": "one month", "Aussage": "Made up."}]}}
        (failure,) = failures(lambda: Outer.model_validate(data, context=context))
        assert failure["loc"] == ("inner", "a", 0, "Aussage")

    @each_row("form", ["dataclass", "pydantic dataclass", "TypedDict"])
    def test_other_forms(self, form: str, context: Context, failures: Failures) -> None:
        @dataclass
        class Plain:
            evidence: str
            claim: Annotated[str, TestInModels.RULE]

        @pydantic.dataclasses.dataclass
        class Checked:
            evidence: str
            claim: Annotated[str, TestInModels.RULE]

        class Typed(TypedDict):
            evidence: str
            claim: Annotated[str, TestInModels.RULE]

        forms: dict[str, Any] = {
            "dataclass": Plain,
            "pydantic dataclass": Checked,
            "TypedDict": Typed,
        }
        adapter: TypeAdapter[Any] = TypeAdapter(forms[form])
        data = {"evidence": "one month", "claim": "True."}
        assert adapter.validate_python(data, context=context)
        data["claim"] = "Made up."
        (failure,) = failures(lambda: adapter.validate_python(data, context=context))
        assert (failure["loc"], failure["type"]) == (("claim",), "statement_unsupported")

    def test_together_with_other_constraints(self, context: Context, failures: Failures) -> None:
        judge = ScriptedJudge()
        rule = TypeAdapter(Annotated[str, Field(max_length=3), JudgedSupported(judge)])
        (failure,) = failures(lambda: rule.validate_python("too long", context=context))
        assert failure["type"] == "string_too_long"
        assert judge.asked == []


class TestJudgedSupported:
    def test_takes_a_judge_that_cannot_be_hashed(self) -> None:
        @dataclasses.dataclass
        class Unhashable(ScriptedJudge):
            pass

        rule = JudgedSupported(Unhashable(), evidence_field="evidence")
        assert Annotated[str, rule] | None
        with pytest.raises(dataclasses.FrozenInstanceError):
            rule.judge = None  # type: ignore[misc]


class TestLongSentences:
    def test_are_cut_around_the_quote(self) -> None:
        text = "word " * 5_000 + "needle of truth " + "word " * 5_000 + "end."
        most = 2 * 4_000 + len("needle of truth")
        judge = ScriptedJudge()
        context = Sources({"a": text}).as_context()
        data = {"evidence": "needle of truth", "claim": "x"}
        finding(judge).model_validate(data, context=context)
        ((_, start, shown_text),) = shown(judge)
        assert "needle of truth" in shown_text
        assert len(shown_text) <= most
        assert set(shown_text.split()) == {"word", "needle", "of", "truth"}
        assert text[start : start + len(shown_text)] == shown_text

    def test_never_lose_a_part_of_the_quote(self) -> None:
        text = "He came, e.g. at 5 p.m. on Mon. with Mr. B. and left. Then he slept."
        for start in range(0, len(text) - 12, 3):
            judge = ScriptedJudge()
            quote = text[start : start + 12].strip()
            with suppress(ValidationError):
                finding(judge).model_validate(
                    {"evidence": quote, "claim": "x"}, context=Sources({"a": text}).as_context()
                )
            for question in judge.asked:
                assert quote in question.evidence[0].text


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

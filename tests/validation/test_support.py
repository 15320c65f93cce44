import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any
from zlib import crc32

import pytest
from pydantic import BaseModel, TypeAdapter

from citeguard import (
    CiteguardError,
    JudgedSupported,
    MissingSourcesError,
    Policy,
    Sources,
    SupportedBySource,
    Verdict,
    verify,
)
from citeguard.judges.reader import ReaderJudge
from citeguard.judges.similarity import Similarity
from citeguard.testing import ScriptedJudge
from citeguard.validation.context import Context
from conftest import Failures
from rows import each_row

TRUE = "The notice period is one month."
FALSE = "Cake is served on Fridays at noon."
QUOTE = "The notice period is one month."

FAILING = {"statement_unsupported", "statement_contradicted", "undecided"}


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def nli(pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    """Find entailed what has no word that the premise has not."""
    entailed = [{*words(hypothesis)} <= {*words(premise)} for premise, hypothesis in pairs]
    return [[0.9, 0.1, 0.0] if each else [0.1, 0.9, 0.0] for each in entailed]


def embedder(texts: Sequence[str]) -> list[list[float]]:
    """Count words, each at its place or, now and then, at one that it shares with others."""
    places = [[crc32(word.encode()) % 997 for word in words(text)] for text in texts]
    return [[0.01, *map(each.count, range(997))] for each in places]


def scripted() -> ScriptedJudge:
    return ScriptedJudge({FALSE: "unsupported"})


Rule = Callable[..., Any]

RULES: dict[str, Rule] = {
    "JudgedSupported": lambda **fields: JudgedSupported(scripted(), **fields),
    "SupportedBySource": SupportedBySource,
    "SupportedBySource, own model": lambda **fields: SupportedBySource(ReaderJudge(nli), **fields),
    "JudgedSupported, similarity": lambda **fields: JudgedSupported(Similarity(embedder), **fields),
}


@pytest.fixture(params=RULES)
def rule(request: pytest.FixtureRequest) -> Rule:
    return RULES[request.param]


def finding(rule: Rule, evidence: Any = str, **fields: Any) -> type[BaseModel]:
    """Make a model whose claim is judged by the evidence beside it."""
    made = rule(**{"evidence_field": "evidence", **fields})
    annotations = {"source": str | None, "evidence": evidence, "claim": Annotated[str, made]}
    return type("Finding", (BaseModel,), {"__annotations__": annotations, "source": None})


def data(claim: str = TRUE, evidence: Any = QUOTE, **rest: Any) -> dict[str, Any]:
    return {"evidence": evidence, "claim": claim, **rest}


class TestByQuote:
    def test_what_it_says_passes(self, rule: Rule, context: Context) -> None:
        found = finding(rule).model_validate(data(), context=context)
        assert found.model_dump()["claim"] == TRUE

    def test_a_list_of_quotes(self, rule: Rule, context: Context) -> None:
        model = finding(rule, list[str])
        assert model.model_validate(data(evidence=["Lunch is free", QUOTE]), context=context)

    def test_of_the_source_named(self, rule: Rule, context: Context, failures: Failures) -> None:
        model = finding(rule, source_field="source")
        assert model.model_validate(data(source="handbook"), context=context)
        (line,) = failures(lambda: model.model_validate(data(source="faq"), context=context))
        assert line["type"] == "quote_wrong_source"
        (line,) = failures(lambda: model.model_validate(data(source="fax"), context=context))
        assert line["type"] == "source_unknown"

    def test_that_is_missing_may_pass(self, rule: Rule, sources: Sources) -> None:
        context = sources.as_context(Policy(uncited="pass"))
        model = finding(rule, list[str])
        assert model.model_validate(data(FALSE, evidence=[]), context=context)


class TestBySearch:
    def test_what_is_there_passes(self, rule: Rule, sources: Sources) -> None:
        context = sources.as_context(Policy(uncited="search"))
        assert finding(rule, list[str]).model_validate(data(evidence=[]), context=context)


class TestWithoutQuotes:
    def test_is_judged_by_all_sources(
        self, rule: Rule, context: Context, failures: Failures
    ) -> None:
        claim = TypeAdapter(Annotated[str, rule()])
        assert claim.validate_python(TRUE, context=context) == TRUE
        (line,) = failures(lambda: claim.validate_python(FALSE, context=context))
        assert line["type"] in FAILING
        assert "is cited" not in line["msg"]

    def test_is_judged_by_what_is_found(
        self, rule: Rule, sources: Sources, failures: Failures
    ) -> None:
        context = sources.as_context(Policy(evidence="passages", passages=1))
        claim = TypeAdapter(Annotated[str, rule()])
        assert claim.validate_python(TRUE, context=context) == TRUE
        (line,) = failures(lambda: claim.validate_python(FALSE, context=context))
        assert line["type"] in FAILING


class TestStatement:
    @each_row("blank", ["", " ", "\n\t", "\u00a0"], ids=repr)
    def test_blank_is_empty(
        self, blank: str, rule: Rule, context: Context, failures: Failures
    ) -> None:
        model = finding(rule)
        (line,) = failures(lambda: model.model_validate(data(blank), context=context))
        assert (line["loc"], line["type"]) == (("claim",), "statement_empty")

    def test_none_states_nothing(self, rule: Rule, context: Context) -> None:
        assert (
            TypeAdapter(Annotated[str | None, rule()]).validate_python(None, context=context)
            is None
        )


class TestSetUp:
    def test_without_sources(self, rule: Rule) -> None:
        with pytest.raises(MissingSourcesError):
            finding(rule).model_validate(data())

    @each_row("judge", ["gpt-5-mini", ScriptedJudge, 5], ids=repr)
    def test_what_is_no_judge(self, judge: Any) -> None:
        with pytest.raises(CiteguardError, match="expected a Judge, got"):
            SupportedBySource(judge)


class TestInTwoPasses:
    def test_asks_once_about_a_list(self, sources: Sources) -> None:
        judge = ScriptedJudge()
        model = list[Annotated[str, SupportedBySource(judge)]]
        verify(model, [TRUE, FALSE, TRUE], sources=sources)
        assert [question.statement for question in judge.asked] == [TRUE, FALSE]


class TestSupportedBySource:
    def test_does_not_ask_the_policy_s_judges(self, sources: Sources) -> None:
        judge = ScriptedJudge(otherwise="unsupported")
        context = sources.as_context(Policy(support=[judge]))
        assert finding(SupportedBySource).model_validate(data(), context=context)
        assert judge.asked == []

    def test_shares_one_verifier(self, sources: Sources) -> None:
        rules = [SupportedBySource(), SupportedBySource()]
        judges = [rule.judges(Policy())[0] for rule in rules]
        assert judges[0] is judges[1] is Policy.fast().support[0]


class TestUndecided:
    def test_fails_unless_the_policy_says_otherwise(
        self, sources: Sources, failures: Failures
    ) -> None:
        said = Verdict("undecided", reason="between", score=0.5, judge="me")
        model = finding(lambda **fields: SupportedBySource(ScriptedJudge(otherwise=said), **fields))
        (line,) = failures(lambda: model.model_validate(data(), context=sources.as_context()))
        assert (line["type"], line["ctx"]["score"]) == ("undecided", 0.5)
        lax = sources.as_context(Policy(undecided="pass"))
        assert model.model_validate(data(), context=lax)

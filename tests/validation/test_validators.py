# ruff: noqa: E501 - a snapshot holds a message as it is
import json
from typing import Annotated, Any

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from citeguard import (
    Answer,
    CiteguardError,
    ExactQuote,
    FuzzyQuote,
    JudgedSupported,
    Policy,
    Sources,
)
from citeguard.sources import matches
from citeguard.validation.context import Context, Grounding
from citeguard.validation.quote_rules import check_quote
from conftest import Failures
from entered import modules_entered
from rows import each_row

EXACT: TypeAdapter[str] = TypeAdapter(Annotated[str, ExactQuote()])
FOLDED: TypeAdapter[str] = TypeAdapter(Annotated[str, ExactQuote(fold=True)])
FUZZY: TypeAdapter[str] = TypeAdapter(Annotated[str, FuzzyQuote()])
RULES = [
    pytest.param(EXACT, id="exact"),
    pytest.param(FOLDED, id="folded"),
    pytest.param(FUZZY, id="fuzzy"),
]


class Finding(BaseModel):
    model_config = ConfigDict(validate_assignment=True)

    source: str | None = None
    evidence: Annotated[str, FuzzyQuote(source_field="source")]


class TestBothRules:
    @each_row("rule", RULES)
    @each_row(
        "quote",
        [
            "The notice period is one month.",
            "one month",
            "fourteen days.\n\nVisitors may",
            "25 million",
        ],
    )
    def test_take_a_verbatim_quote(
        self, rule: TypeAdapter[str], quote: str, context: Context
    ) -> None:
        assert rule.validate_python(quote, context=context) == quote
        assert rule.validate_json(json.dumps(quote), context=context, strict=True) == quote

    @each_row("rule", RULES)
    @each_row(
        ("quote", "code"),
        [
            pytest.param("", "quote_empty", id="empty"),
            pytest.param(" \n\t", "quote_empty", id="blank"),
            pytest.param("… — “”!?", "quote_empty", id="punctuation"),
            pytest.param("\u200b\ufeff", "quote_empty", id="zero-width"),
            pytest.param("one", "quote_too_short", id="three letters"),
            pytest.param("of, a!", "quote_too_short", id="three letters apart"),
            pytest.param("Zebras graze on the far savannah.", "quote_not_found", id="invented"),
            pytest.param("Visitors may enter the laboratory", "quote_altered", id="negation"),
            pytest.param(
                "either party may end the contract within forty days",
                "quote_altered",
                id="number word",
            ),
            pytest.param("5 million euros", "quote_clipped", id="clipped number"),
            pytest.param("otice period is one mont", "quote_clipped", id="clipped words"),
        ],
    )
    def test_refuse(
        self,
        rule: TypeAdapter[str],
        quote: str,
        code: str,
        context: Context,
        failures: Failures,
    ) -> None:
        (failure,) = failures(lambda: rule.validate_python(quote, context=context))
        assert failure["type"] == code
        assert failure["loc"] == ()
        assert failure["ctx"]["quote"] == quote
        assert failure["ctx"]["message"] == failure["msg"]

    @each_row("rule", RULES)
    def test_ask_to_copy_in_the_schema(self, rule: TypeAdapter[str]) -> None:
        assert rule.json_schema() == {
            "type": "string",
            "description": "Words copied verbatim from the source, unbroken and unchanged.",
        }
        assert rule.json_schema(mode="serialization") == {"type": "string"}


class TestExactQuote:
    @each_row(
        "quote",
        [
            pytest.param("the notice period", id="case"),
            pytest.param("fourteen days. Visitors may", id="spaces"),
            pytest.param("The notice\u00a0period", id="no-break space"),
        ],
    )
    def test_takes_typography_only_when_folded(
        self, quote: str, context: Context, sources: Sources, failures: Failures
    ) -> None:
        (failure,) = failures(lambda: EXACT.validate_python(quote, context=context))
        assert failure["type"] == "quote_altered"
        assert "verbatim" in failure["msg"]
        assert FOLDED.validate_python(quote, context=context) in sources["handbook"].text


class TestFuzzyQuote:
    @each_row(
        ("quote", "snapped"),
        [
            ("the notice period", "The notice period"),
            ("fourteen days. Visitors may", "fourteen days.\n\nVisitors may"),
            ("“The notice peroid is one month.”", "The notice period is one month."),
            ("The notice period ... one month.", "The notice period … one month."),
        ],
    )
    def test_snaps_to_the_source(self, quote: str, snapped: str, context: Context) -> None:
        assert FUZZY.validate_python(quote, context=context) == snapped


class TestMinLength:
    @each_row(
        ("quote", "least", "enough"),
        [
            ("abcd", 4, True),
            ("abc", 4, False),
            ("東京", 4, True),
            ("東", 4, False),
            ("ひる", 4, True),
            ("ﾊﾟﾝ", 4, True),
            ("мир", 4, False),
            ("a", 0, True),
            ("!", 0, False),
            ("", 0, False),
        ],
    )
    def test_counts_letters_and_digits(self, quote: str, least: int, enough: bool) -> None:
        sources = Sources(f"x {quote} x")
        rule = FuzzyQuote(min_length=least)
        try:
            check_quote(quote, Grounding(sources), rule=rule)
            code = ""
        except ValueError as error:
            code = getattr(error, "type", "")
        assert (code not in ("quote_empty", "quote_too_short")) is enough

    @each_row("kind", [ExactQuote, FuzzyQuote])
    @each_row("least", [-1, "4", 4.5, None])
    def test_is_a_number(self, kind: Any, least: Any) -> None:
        with pytest.raises(CiteguardError, match="min_length must be an integer of at least 0"):
            kind(min_length=least)


@each_row(
    "setting",
    [
        (FuzzyQuote, {"equivalent": "no"}),
        (ExactQuote, {"fold": None}),
        (FuzzyQuote, {"source_field": 5}),
        (JudgedSupported, {"evidence_field": ""}),
    ],
)
def test_a_setting_of_the_wrong_type_is_named(setting: tuple[Any, dict[str, Any]]) -> None:
    kind, given = setting
    with pytest.raises(CiteguardError, match=next(iter(given))):
        kind(**given)


class TestSourceField:
    @each_row(
        ("source", "code"),
        [("faq", "quote_wrong_source"), ("handbok", "source_unknown"), (5, "source_unknown")],
    )
    def test_refuses(self, source: Any, code: str, context: Context, failures: Failures) -> None:
        data = {"source": source, "evidence": "one month"}
        *_, failure = failures(lambda: Finding.model_validate(data, context=context))
        assert (failure["loc"], failure["type"]) == (("evidence",), code)

    def test_fails_closed_when_its_field_failed(self, context: Context, failures: Failures) -> None:
        data = {"source": 5, "evidence": "one month"}
        *_, failure = failures(lambda: Finding.model_validate(data, context=context))
        assert failure["msg"] == snapshot(
            'The quote cannot be checked: the field "source", which names its source, is missing or wrong. Correct that field first. (In the schema it must precede the quote.)'
        )

    def test_needs_a_model(self, context: Context) -> None:
        rule = TypeAdapter(Annotated[str, FuzzyQuote(source_field="source")])
        with pytest.raises(CiteguardError) as caught:
            rule.validate_python("one month", context=context)
        assert str(caught.value) == snapshot(
            "source_field='source' names a field, but there is no model"
        )


class TestInModels:
    def test_what_is_no_text(self, context: Context) -> None:
        rule = TypeAdapter(Annotated[bytes, FuzzyQuote()])
        with pytest.raises(CiteguardError) as caught:
            rule.validate_python(b"one month", context=context)
        assert str(caught.value) == snapshot("FuzzyQuote(): expected a str field, got bytes")


class TestCheckQuote:
    def fail(
        self, quote: str, sources: Sources, source_id: str | None = None, **policy: Any
    ) -> tuple[str, dict[str, Any]]:
        grounding = Grounding(sources, Policy(**policy))
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            check_quote(quote, grounding, source_id=source_id, rule=FuzzyQuote())
        error: Any = caught.value
        return error.type, error.context

    def test_altered(self, sources: Sources) -> None:
        code, facts = self.fail("Visitors may enter the laboratory", sources, "handbook")
        assert code == "quote_altered"
        assert facts["nearest"] == "Visitors may not enter the laboratory"
        assert facts["nearest"] == sources.slice(facts["nearest_span"])
        assert [edit.reason for edit in facts["edits"] if edit.material] == ["negation"]
        assert 0 < facts["similarity"] < 1
        assert "{+not+}" in facts["message"]

    def test_looks_up_a_repeated_quote_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        searched: list[str] = []
        find = matches.find_quote
        monkeypatch.setattr(
            matches, "find_quote", lambda quote, source: searched.append("") or find(quote, source)
        )
        sources = Sources("Notice is one month.")
        failed = [self.fail("Notice is two months.", sources) for _ in range(3)]
        assert failed == failed[:1] * 3
        assert len(searched) == 1
        with pytest.raises(ValueError, match="quote_altered"):
            TypeAdapter(Annotated[str, FuzzyQuote(min_length=3)]).validate_python(
                "Notice is two months.", context=sources.as_context()
            )
        assert len(searched) == 2

    def test_wrong_source_of_several(self) -> None:
        text = "The same words stand here."
        code, facts = self.fail("same words", Sources({"a": text, "b": "No.", "c": text}), "b")
        assert code == "quote_wrong_source"
        assert facts["found_in"] == ("a", "c")

    def test_source_unknown(self, sources: Sources) -> None:
        code, facts = self.fail("no such words", sources, "handbok")
        assert code == "source_unknown"
        assert facts["suggestion"] == "handbook"
        assert facts["known"] == ("handbook", "faq")
        assert facts["found_in"] == ()

    def test_framed(self, sources: Sources) -> None:
        quote = "the canteen serves wine on Fridays"
        assert check_quote(quote, Grounding(sources), rule=FuzzyQuote()).framing
        assert self.fail(quote, sources, framed=("denied",))[0] == "quote_framed"
        code, facts = self.fail(quote, sources, framed=["asked", "denied"])
        assert code == "quote_framed"
        assert "It is false that" in facts["message"]


def test_the_way_of_an_altered_quote_from_json_to_its_message_is_short() -> None:
    citation = {"quote": "Visitors may enter the laboratory without a badge.", "source_id": "a"}
    data = json.dumps({"statements": [{"text": "They may.", "citations": [citation]}]})
    text = "Visitors may not enter the laboratory without a badge. Lunch is free for all of them."

    def fail(context: Any) -> None:
        with pytest.raises(ValidationError, match="quote_altered"):
            Answer.model_validate_json(data, context=context)

    fail(Sources({"a": text}).as_context(Policy()))  # as imports do not count
    context = Sources({"a": text}).as_context(Policy())
    entered = modules_entered(lambda: fail(context))
    # The message shows whole sentences, whose rules are four of the modules.
    assert len(entered) <= 21, sorted(entered)

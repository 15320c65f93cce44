"""`Quote`: a text field of any model that knows where its words are."""

from typing import Annotated, Any

import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from citeguard import ExactQuote, FuzzyQuote, Quote, Sources, Span, SupportedBySource

TEXT = "It is false that notice is one month. Lunch is “free”."
SOURCES = Sources({"a": TEXT, "b": "Dogs bark."})
CONTEXT = SOURCES.as_context()


class Finding(BaseModel):
    """A model of a user's own."""

    source_id: str | None = None
    evidence: Quote
    exact: Annotated[Quote | None, ExactQuote(source_field="source_id")] = None
    several: list[Quote] = []


def finding(**data: Any) -> Finding:
    return Finding.model_validate(data, context=CONTEXT)


def failures(**data: Any) -> list[Any]:
    with pytest.raises(ValidationError) as caught:
        finding(**data)
    return caught.value.errors()


class TestQuote:
    def test_knows_its_place_and_grade(self) -> None:
        quote = finding(evidence='Lunch is "free"').evidence
        assert quote == "Lunch is “free”"
        assert SOURCES.slice(quote.spans[0]) == quote
        assert quote.span == Span("a", 38, 53)
        assert (quote.grade, quote.quoted_as) == ("normalized", 'Lunch is "free"')
        assert quote.framing is None

    def test_knows_its_frame(self) -> None:
        framing = finding(evidence="notice is one month").evidence.framing
        assert framing is not None
        assert framing.kind == "denied"

    def test_is_unverified_when_made_by_hand(self) -> None:
        quote = Quote("anything")
        assert (quote, quote.spans, quote.span, quote.grade) == ("anything", (), None, None)

    def test_is_dumped_as_text_and_checked_again(self) -> None:
        first = finding(evidence="Dogs bark", several=["Dogs bark"])
        assert first.model_dump(mode="json") == {
            "source_id": None,
            "evidence": "Dogs bark",
            "exact": None,
            "several": ["Dogs bark"],
        }
        assert type(first.model_dump()["evidence"]) is str
        again = Finding.model_validate_json(first.model_dump_json(), context=CONTEXT)
        assert again == first
        assert again.several[0].span == Span("b", 0, 9)

    def test_asks_to_copy_in_the_schema(self) -> None:
        described: Any = Finding.model_json_schema()["properties"]
        text = "Words copied verbatim from the source, unbroken and unchanged."
        assert described["evidence"] == {"title": "Evidence", "type": "string", "description": text}
        assert described["several"]["items"] == {"type": "string", "description": text}
        reading: Any = Finding.model_json_schema(mode="serialization")["properties"]
        assert reading["evidence"] == {"title": "Evidence", "type": "string"}


class TestRules:
    def test_take_the_place_of_its_own(self) -> None:
        short = TypeAdapter(Annotated[Quote, FuzzyQuote(min_length=1)])
        assert short.validate_python("It", context=CONTEXT).span == Span("a", 0, 2)
        assert finding(evidence="Dogs bark", exact="Dogs bark").exact == "Dogs bark"
        (line,) = failures(evidence="Dogs bark", exact="dogs  bark")
        assert (line["loc"], line["type"]) == (("exact",), "quote_altered")

    def test_may_name_the_source(self) -> None:
        (line,) = failures(source_id="a", evidence="Dogs bark", exact="Dogs bark")
        assert (line["loc"], line["type"]) == (("exact",), "quote_wrong_source")
        assert 'copy a quote into "exact" verbatim' in line["msg"]

    def test_see_the_models_writing_after_another_rule(self) -> None:
        both = TypeAdapter(Annotated[Quote, FuzzyQuote(), ExactQuote()])
        with pytest.raises(ValidationError, match="quote_altered"):
            both.validate_python("dogs  bark", context=CONTEXT)


class TestMessages:
    """They name the user's fields, and no statements, which the model does not have."""

    @pytest.mark.parametrize(
        "quote",
        ["", "It", "Cats bark", "Dogs bark loudly", "It is false ... Dogs bark", "ogs bark"],
    )
    def test_of_quotes(self, quote: str) -> None:
        (line,) = failures(evidence=quote)
        assert "statement" not in line["msg"]
        assert '"evidence"' in line["msg"] or "your claim" in line["msg"]


class TestAliases:
    """Messages have the names that the model writes, not those of the program."""

    def test_of_a_field(self) -> None:
        class Found(BaseModel):
            words: Quote = Field(alias="theWords")

        with pytest.raises(ValidationError, match='into "theWords"'):
            Found.model_validate({"theWords": "Cats bark"}, context=CONTEXT)

    def test_of_the_fields_beside_it(self) -> None:
        class Found(BaseModel):
            place: str = Field(alias="Place")
            words: Annotated[Quote, FuzzyQuote(source_field="place")] | None = None
            claim: Annotated[str, SupportedBySource(evidence_field="words")] = Field(alias="Claim")

        with pytest.raises(ValidationError, match='the field "Place"'):
            Found.model_validate({"words": "Dogs bark", "Claim": "So."}, context=CONTEXT)
        with pytest.raises(ValidationError, match='The text of "Claim" has no evidence'):
            Found.model_validate({"Place": "b", "Claim": "So."}, context=CONTEXT)


class TestConstraints:
    @pytest.mark.parametrize(
        "annotated",
        [
            Annotated[Quote, StringConstraints(strip_whitespace=True), FuzzyQuote()],
            Annotated[Quote | None, AfterValidator(str), ExactQuote()],
            Annotated[Quote, Field(min_length=2, max_length=20)],
            Annotated[Quote, AfterValidator(lambda quote: quote)],
        ],
        ids=["stripped", "converted", "bounded", "returned"],
    )
    def test_leave_it_its_place(self, annotated: Any) -> None:
        quote = TypeAdapter[Any](annotated).validate_python("Dogs bark", context=CONTEXT)
        assert (type(quote), quote.span) == (Quote, Span("b", 0, 9))

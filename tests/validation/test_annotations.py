from __future__ import annotations

import json
import pickle
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)
from pydantic_core import CoreSchema, PydanticCustomError
from typing_extensions import TypeAliasType, TypedDict

from citeguard import (
    CiteguardError,
    Edit,
    EntailedBySource,
    ExactQuote,
    FuzzyQuote,
    JudgedSupported,
    MissingSourcesError,
    SimilarToSource,
    Sources,
    Span,
    SupportedBySource,
)
from citeguard.validation.context import Context, Grounding, Siblings, TextRule, custom_error
from conftest import Failures
from rows import each_row

steady = settings(deadline=None, derandomize=True)
EDIT = Edit(operation="replace", quoted="a", source="b", material=True, reason="spelling")


class Read(NamedTuple):
    """What a rule has read of the fields beside."""

    value: Any
    there: bool


@dataclass(frozen=True)
class Reads(TextRule):
    """A rule that keeps what it reads of one field beside its own."""

    field: str
    log: list[Read]

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        self.log.append(Read(*siblings.read("beside", self.field)))
        return text


class Shouts(TextRule):
    """A rule that changes a text, and rejects a short one."""

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        if len(text) < 3:
            raise custom_error("quote_too_short", "too short", ids=grounding.sources.ids)
        return text.upper()


def reading(field: str, value: type[Any] = int) -> tuple[type[BaseModel], list[Read]]:
    log: list[Read] = []
    fields: dict[str, Any] = {"beside": value, "text": Annotated[str, Reads(field, log)]}
    return type("Model", (BaseModel,), {"__annotations__": fields}), log


class TestSiblings:
    def test_read_a_field(self, context: Context) -> None:
        model, log = reading("beside")
        model.model_validate({"beside": "5", "text": "x"}, context=context)
        assert log == [Read(5, True)]

    def test_tell_that_a_field_has_failed(self, context: Context, failures: Failures) -> None:
        model, log = reading("beside")
        (failure,) = failures(
            lambda: model.model_validate({"beside": "no number", "text": "x"}, context=context)
        )
        assert failure["loc"] == ("beside",)
        assert log == [Read(None, False)]

    def test_tell_that_a_field_is_missing(self, context: Context) -> None:
        model, log = reading("beside")
        with pytest.raises(ValidationError):
            model.model_validate({"text": "x"}, context=context)
        assert log == [Read(None, False)]

    def test_read_a_default(self, context: Context) -> None:
        log: list[Read] = []

        class Model(BaseModel):
            beside: int = 7
            text: Annotated[str, Reads("beside", log)]

        Model.model_validate({"text": "x"}, context=context)
        assert log == [Read(7, True)]

    def test_read_by_the_name_not_the_alias(self, context: Context) -> None:
        log: list[Read] = []

        class Model(BaseModel):
            beside: int = Field(alias="Nachbar")
            text: Annotated[str, Reads("beside", log)] = Field(alias="Text")

        Model.model_validate({"Nachbar": 1, "Text": "x"}, context=context)
        assert log == [Read(1, True)]

    def test_read_on_assignment(self, sources: Sources, context: Context) -> None:
        log: list[Read] = []

        class Model(BaseModel):
            model_config = ConfigDict(validate_assignment=True)

            beside: int
            text: Annotated[str, Reads("beside", log)]

        model = Model.model_validate({"beside": 1, "text": "x"}, context=context)
        with pytest.raises(MissingSourcesError):
            model.text = "y"
        assert log == [Read(1, True)]

    @each_row(
        ("field", "message"),
        [
            pytest.param(
                "besides", snapshot("beside='besides' is not a field of Model"), id="misspelt"
            ),
            pytest.param(
                "text",
                snapshot("beside='text' must be declared before 'text' in Model"),
                id="itself",
            ),
            pytest.param(
                "later",
                snapshot("beside='later' must be declared before 'text' in Model"),
                id="declared later",
            ),
        ],
    )
    def test_refuse_a_field_that_they_cannot_know(
        self, field: str, message: str, context: Context
    ) -> None:
        class Model(BaseModel):
            text: Annotated[str, Reads(field, [])]
            later: int = 0

        with pytest.raises(CiteguardError) as caught:
            Model.model_validate({"text": "x"}, context=context)
        assert str(caught.value) == message

    def test_need_a_model(self, context: Context) -> None:
        adapter = TypeAdapter(Annotated[str, Reads("beside", [])])
        with pytest.raises(CiteguardError) as caught:
            adapter.validate_python("x", context=context)
        assert str(caught.value) == snapshot("beside='beside' names a field, but there is no model")

    @each_row("form", ["dataclass", "TypedDict"])
    def test_in_other_forms_of_a_model(self, form: str, context: Context) -> None:
        log: list[Read] = []

        @dataclass
        class Plain:
            beside: int
            text: Annotated[str, Reads("beside", log)]

        class Typed(TypedDict):
            beside: int
            text: Annotated[str, Reads("beside", log)]

        kinds: dict[str, Any] = {"dataclass": Plain, "TypedDict": Typed}
        TypeAdapter(kinds[form]).validate_python({"beside": 1, "text": "x"}, context=context)
        assert log == [Read(1, True)]

    def test_in_a_list_read_the_fields_beside_the_list(self, context: Context) -> None:
        log: list[Read] = []

        class Model(BaseModel):
            beside: int
            texts: list[Annotated[str, Reads("beside", log)]]

        Model.model_validate({"beside": 1, "texts": ["x", "y"]}, context=context)
        assert log == [Read(1, True)] * 2

    def test_find_nothing_by_a_misspelt_name_where_two_models_share_an_alias(
        self, context: Context
    ) -> None:
        log: list[Read] = []
        alias = TypeAliasType("alias", Annotated[str, Reads("beside", log)])  # type: ignore[misc]

        class Right(TypedDict):
            beside: int
            text: alias  # type: ignore[valid-type]

        @dataclass
        class Wrong:
            besides: int
            words: alias  # type: ignore[valid-type]

        class Both(BaseModel):
            right: Right | None = None
            wrong: Wrong

        data = {"wrong": {"besides": 1, "words": "x"}}
        with suppress(CiteguardError):
            Both.model_validate(data, context=context)
        assert not any(read.there for read in log)


class TestSourceId:
    def read(self, value: Any, kind: Any, context: Context) -> list[str | None]:
        log: list[str | None] = []

        class Rule(TextRule):
            def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
                log.append(siblings.source_id("beside"))
                return text

        class Model(BaseModel):
            beside: kind
            text: Annotated[str, Rule()]

        Model.model_validate({"beside": value, "text": "x"}, context=context)
        return log

    @each_row(
        ("value", "kind", "expected"),
        [
            ("handbook", str, "handbook"),
            ("", str, ""),
            (None, str | None, None),
            (7, int, "7"),
            (0, int, "0"),
        ],
    )
    def test_is_a_text_or_none(
        self, value: Any, kind: Any, expected: str | None, context: Context
    ) -> None:
        assert self.read(value, kind, context) == [expected]

    def test_fails_with_its_field(self, context: Context, failures: Failures) -> None:
        found = failures(lambda: self.read("x", int, context))
        assert [(line["loc"], line["type"]) for line in found] == [
            (("beside",), "int_parsing"),
            (("text",), "source_unknown"),
        ]

    def test_is_none_without_a_field(self) -> None:
        info: Any = None
        assert Siblings(info, None, str).source_id(None) is None


class TestTextRule:
    RULE = TypeAdapter(Annotated[str, Shouts()])
    OPTIONAL = TypeAdapter(Annotated[str | None, Shouts()])

    def test_keeps_what_the_check_returns(self, context: Context) -> None:
        assert self.RULE.validate_python("one", context=context) == "ONE"

    def test_fails_as_the_check_does(self, context: Context, failures: Failures) -> None:
        (failure,) = failures(lambda: self.RULE.validate_python("on", context=context))
        assert failure["ctx"] == {"ids": ("handbook", "faq"), "message": "too short"}

    def test_comes_after_the_type(self, context: Context, failures: Failures) -> None:
        (failure,) = failures(lambda: self.RULE.validate_python(5, context=context))
        assert failure["type"] == "string_type"

    def test_passes_none_where_it_is_allowed(self, context: Context) -> None:
        assert self.OPTIONAL.validate_python(None, context=context) is None

    @each_row("value", ["one", None])
    def test_needs_sources_whatever_it_checks(self, value: str | None) -> None:
        with pytest.raises(MissingSourcesError):
            self.OPTIONAL.validate_python(value)

    def test_leaves_the_schema_as_it_is(self) -> None:
        assert self.RULE.json_schema() == {"type": "string"}

    def test_refuses_what_is_no_text(self, context: Context) -> None:
        adapter = TypeAdapter(Annotated[int, Shouts()])
        with pytest.raises(CiteguardError) as caught:
            adapter.validate_python(5, context=context)
        assert str(caught.value) == snapshot("Shouts(): expected a str field, got int")

    @each_row(
        "rule",
        [
            ExactQuote,
            FuzzyQuote,
            JudgedSupported,
            SupportedBySource,
            EntailedBySource,
            SimilarToSource,
        ],
    )
    def test_needs_its_parentheses(self, rule: Any) -> None:
        with pytest.raises(CiteguardError) as caught:
            TypeAdapter(Annotated[str, rule])
        assert str(caught.value) == snapshot(
            "a rule lacks its parentheses: write, for example, Annotated[str, FuzzyQuote()]"
        )

    def test_checks_a_subclass_of_text(self, context: Context) -> None:
        class Text(str):
            pass

        adapter = TypeAdapter(Annotated[Any, Shouts()])
        assert adapter.validate_python(Text("one"), context=context) == "ONE"

    def test_works_without_knowing_the_model(self, context: Context) -> None:
        def handler(source: Any) -> CoreSchema:
            return TypeAdapter(source).core_schema

        schema = Shouts().__get_pydantic_core_schema__(str, handler)  # type: ignore[arg-type]
        assert schema["type"] == "function-after"


class TestCustomError:
    @steady
    @given(st.text(st.characters()), st.text(st.characters()))
    def test_says_the_message_as_it_is(self, message: str, fact: str) -> None:
        written = message.encode("utf-8", "backslashreplace").decode()
        error = custom_error("quote_empty", written, quote=fact, other="{message}")
        assert error.message() == written

    @each_row(
        ("fact", "kept"),
        [
            pytest.param("a\ud800", "a\\ud800", id="text"),
            pytest.param(("a\ud800", 5, ("\udfff",)), ("a\\ud800", 5, ("\\udfff",)), id="tuple"),
            pytest.param(Span("\ud800", 0, 1), Span("\\ud800", 0, 1), id="span"),
            pytest.param(
                replace(EDIT, quoted="\ud800", source="\udfff"),
                replace(EDIT, quoted="\\ud800", source="\\udfff"),
                id="edit",
            ),
            pytest.param(0.5, 0.5, id="number"),
            pytest.param("日本 👍", "日本 👍", id="what can be sent"),
        ],
    )
    def test_keeps_facts_that_can_be_printed(self, fact: Any, kept: Any) -> None:
        context = custom_error("quote_empty", "text", fact=fact).context
        assert context is not None
        assert context["fact"] == kept
        assert str(context).encode("utf-8")

    def test_leaves_out_facts_that_are_none_only(self) -> None:
        error = custom_error("quote_empty", "text", none=None, zero=0, empty="", tuple=())
        assert error.context == {"zero": 0, "empty": "", "tuple": (), "message": "text"}

    def test_can_be_pickled(self, context: Context) -> None:
        adapter = TypeAdapter(Annotated[str, Shouts()])
        with pytest.raises(ValidationError) as caught:
            adapter.validate_python("x", context=context)
        assert json.loads(caught.value.json())[0]["type"] == "quote_too_short"
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)

    def test_is_pydantic_s(self) -> None:
        assert isinstance(custom_error("quote_empty", "text"), PydanticCustomError)

from dataclasses import replace
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import TypeAdapter
from pydantic_core import CoreSchema

from citeguard import (
    CiteguardError,
    ExactQuote,
    FuzzyQuote,
    JudgedSupported,
    MissingSourcesError,
    Span,
    SupportedBySource,
)
from citeguard.sources import Edit
from citeguard.validation.context import Context, Grounding, Siblings, TextRule, custom_error
from rows import each_row

steady = settings(deadline=None, derandomize=True)
EDIT = Edit(operation="replace", quoted="a", source="b", material=True, reason="spelling")


class Shouts(TextRule):
    """A rule that changes a text, and rejects a short one."""

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        if len(text) < 3:
            raise custom_error("quote_too_short", "too short", ids=grounding.sources.ids)
        return text.upper()


class TestTextRule:
    OPTIONAL = TypeAdapter(Annotated[str | None, Shouts()])

    @each_row("value", ["one", None])
    def test_needs_sources_whatever_it_checks(self, value: str | None) -> None:
        with pytest.raises(MissingSourcesError):
            self.OPTIONAL.validate_python(value)

    @each_row(
        "rule",
        [
            ExactQuote,
            FuzzyQuote,
            JudgedSupported,
            SupportedBySource,
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

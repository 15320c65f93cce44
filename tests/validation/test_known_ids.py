"""`Answer.over`: the ids of the sources in the schema; and integers as ids."""

import copy
import pickle
from typing import Any

import pytest
from pydantic import Field, ValidationError

from citeguard import Answer, Citation, Sources, Statement

SOURCES = Sources({"rules": "Notice is one month.", "faq": "Lunch is free."})


def cited(source_id: Any, quote: str = "Lunch is free") -> dict[str, Any]:
    citation = {"quote": quote, "source_id": source_id}
    return {"statements": [{"text": "So it is.", "citations": [citation]}]}


class TestOver:
    def test_lists_the_ids_in_the_schema(self) -> None:
        schema = Answer.over(SOURCES).model_json_schema()
        described = schema["$defs"]["Citation"]["properties"]["source_id"]
        assert described["anyOf"] == [
            {"type": "string", "enum": ["rules", "faq"]},
            {"type": "null"},
        ]
        plain = Answer.model_json_schema()
        del described["anyOf"], plain["$defs"]["Citation"]["properties"]["source_id"]["anyOf"]
        assert schema == plain

    def test_changes_no_validation(self) -> None:
        model, context = Answer.over(SOURCES), SOURCES.as_context()
        answer = model.model_validate(cited("faq"), context=context)
        assert isinstance(answer, Answer)
        assert answer.statements[0].citations[0].span.source_id == "faq"
        with pytest.raises(ValidationError, match="source_unknown"):
            model.model_validate(cited("fqa"), context=context)

    def test_keeps_what_a_subclass_declares(self) -> None:
        class Sure(Citation):
            source_id: str = Field(max_length=5, description="Mine.")

        class Told(Statement):
            citations: list[Sure] | None  # type: ignore[assignment]

        class Report(Answer):
            """My report."""

            statements: list[Told] = Field(min_length=1)  # type: ignore[assignment]

        schema = Report.over(SOURCES).model_json_schema()
        assert (schema["title"], schema["description"]) == ("Report", "My report.")
        assert schema["$defs"]["Sure"]["properties"]["source_id"] == {
            "title": "Source Id",
            "type": "string",
            "description": "Mine.",
            "maxLength": 5,
            "enum": ["rules", "faq"],
        }
        assert schema["properties"]["statements"]["minItems"] == 1

    def test_is_the_same_model_for_the_same_ids(self) -> None:
        assert Answer.over(SOURCES) is Answer.over(Sources(SOURCES))
        assert Answer.over(SOURCES) is not Answer.over(["Lunch is free."])

    def test_can_be_pickled_and_so_can_its_answers(self) -> None:
        model = Answer.over(SOURCES)
        answer = model.model_validate(cited("faq"), context=SOURCES.as_context())
        for copied in (pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer)):
            assert (type(copied), copied) == (model, answer)
        assert pickle.loads(pickle.dumps(model)) is model

    @pytest.mark.parametrize(("number", "length"), [(1_001, 1), (300, 60)])
    def test_lists_no_more_than_providers_take(self, number: int, length: int) -> None:
        sources = {f"{i:0{length}}": "Lunch is free." for i in range(number)}
        assert Answer.over(sources) is Answer


class TestNumbers:
    @pytest.mark.parametrize("strict", [False, True])
    def test_are_taken_as_ids(self, strict: bool) -> None:
        context = Sources(["Notice is one month.", "Lunch is free."]).as_context()
        answer = Answer.model_validate(cited(2), context=context, strict=strict)
        assert answer.statements[0].citations[0].source_id == "2"

    @pytest.mark.parametrize("wrong", [True, 2.0, ["2"]])
    def test_that_are_none_are_rejected(self, wrong: Any) -> None:
        with pytest.raises(ValidationError, match="source_id"):
            Answer.model_validate(cited(wrong), context=Sources(["Lunch is free."]).as_context())

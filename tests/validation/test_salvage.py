# ruff: noqa: E501 - a snapshot holds a message as it is
"""`Policy(invalid="drop")`: valid statements stay, the others are listed with their errors."""

import json
from collections import deque
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, TypeVar

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field, RootModel, TypeAdapter, ValidationError, create_model
from typing_extensions import TypeAliasType, TypedDict

from citeguard import Answer, Citation, Policy, Quote, Sources, Statement, averify, verify
from citeguard.testing import ScriptedJudge
from citeguard.validation.examine import examine

SOURCES = Sources({"rules": "Notice is one month. Lunch is free."})
GOOD = {
    "text": "It takes a month.",
    "citations": [{"quote": "Notice is one month", "source_id": "rules"}],
}
BAD = {
    "text": "Two months.",
    "citations": [{"quote": "Notice is two months", "source_id": "rules"}],
}
FREE = {"text": "It is free.", "citations": [{"quote": "Lunch is free", "source_id": "rules"}]}
DROP = Policy(invalid="drop")


def answer(*statements: Any, **fields: Any) -> dict[str, Any]:
    return {"statements": list(statements), **fields}


async def parsed(way: str, data: Any, policy: Policy = DROP, model: Any = Answer) -> Any:
    """Validate an answer in one of the ways in which people do it."""
    context = SOURCES.as_context(policy, "How long?")
    match way:
        case "python":
            return model.model_validate(data, context=context)
        case "json":
            return model.model_validate_json(json.dumps(data), context=context)
        case "strict":
            return model.model_validate_json(json.dumps(data), context=context, strict=True)
        case "verify":
            return verify(model, data, sources=SOURCES, policy=policy, question="How long?")
        case _:
            given = json.dumps(data)
            return await averify(model, given, sources=SOURCES, policy=policy, question="How long?")


in_every_way = pytest.mark.parametrize("way", ["python", "json", "strict", "verify", "averify"])


class TestDropped:
    @in_every_way
    async def test_lists_what_was_wrong_with_its_errors(self, way: str) -> None:
        kept = await parsed(way, answer(BAD, GOOD, {"text": "No list."}))
        assert [statement.text for statement in kept.statements] == ["It takes a month."]
        assert kept.statements[0].citations[0].grade == "exact"
        assert [each.statement for each in kept.dropped] == [BAD, {"text": "No list."}]
        codes = [[(error.code, error.loc) for error in each.errors] for each in kept.dropped]
        assert codes == [
            [("quote_altered", ("citations", 0, "quote"))],
            [("missing", ("citations",))],
        ]
        assert kept.dropped[0].errors[0].message.startswith("The quote is not what source")

    @in_every_way
    async def test_raises_all_errors_when_nothing_is_left(self, way: str) -> None:
        with pytest.raises(ValidationError) as caught:
            await parsed(way, answer(BAD, BAD))
        assert [line["loc"][:2] for line in caught.value.errors()] == [
            ("statements", 0),
            ("statements", 1),
        ]

    async def test_is_never_the_models_to_write(self) -> None:
        forged = [{"statement": GOOD, "errors": []}]
        kept = await parsed("json", answer(FREE, dropped=forged))
        assert [statement.text for statement in kept.statements] == [
            "It is free.",
            "It takes a month.",
        ]
        default = Answer.model_validate(answer(FREE, dropped=forged), context=SOURCES.as_context())
        assert default.dropped == ()
        assert "dropped" not in Answer.model_json_schema()["properties"]

    async def test_survives_being_dumped_and_loaded(self) -> None:
        kept = await parsed("python", answer(GOOD, BAD, unanswerable="The rest."))
        for policy in (DROP, Policy(invalid="salvage")):
            context = SOURCES.as_context(policy)
            assert Answer.model_validate_json(kept.model_dump_json(), context=context) == kept
            assert Answer.model_validate(kept.model_dump(), context=context) == kept
            assert Answer.model_validate(kept, context=context) == kept

    async def test_reports_what_is_left_to_fail(self) -> None:
        policy = Policy(invalid="drop", alignment=ScriptedJudge(answered="unsupported"))
        with pytest.raises(ValidationError) as caught:
            await parsed("json", answer(GOOD, BAD), policy)
        assert [line["type"] for line in caught.value.errors()] == ["answer_misaligned"]

    async def test_keeps_the_rules_of_subclasses(self) -> None:
        class Noted(Answer):
            """An answer with a number."""

            number: int

        with pytest.raises(ValidationError, match="number"):
            await parsed("json", answer(GOOD, BAD), model=Noted)
        assert (await parsed("strict", answer(GOOD, BAD, number=3), model=Noted)).number == 3


class Page(BaseModel):
    """A model with answers in it."""

    answers: list[Answer]


class Dated(Statement):
    """A statement with a field that strict validation takes from JSON only."""

    on: date


class Diary(Answer):
    """An answer of dated statements."""

    statements: list[Dated] = Field(min_length=1)  # type: ignore[assignment]


class TestWhereverAnAnswerIsValidated:
    @in_every_way
    async def test_in_another_model(self, way: str) -> None:
        page = await parsed(way, {"answers": [answer(GOOD, BAD), answer(FREE)]}, model=Page)
        assert [len(each.statements) for each in page.answers] == [1, 1]
        assert [each.statement for each in page.answers[0].dropped] == [BAD]
        assert page.answers[1].dropped == ()

    @pytest.mark.parametrize("strict", [False, True])
    def test_from_json(self, strict: bool) -> None:
        given = json.dumps(answer({**GOOD, "on": "2024-02-29"}, {**BAD, "on": "2024-02-29"}))
        context = SOURCES.as_context(DROP)
        kept = TypeAdapter(Diary).validate_json(given, context=context, strict=strict)
        assert [each.on for each in kept.statements] == [date(2024, 2, 29)]
        assert [each.statement["text"] for each in kept.dropped] == ["Two months."]


class TestVerdictsOnTheDataAsItIs:
    """What keeps, shows or asserts the raw answer drops nothing."""

    def test_examination(self) -> None:
        checked = examine(answer(GOOD, BAD), SOURCES, DROP)
        assert [problem.code for problem in checked.all_problems] == ["quote_altered"]


class TestJudges:
    @in_every_way
    async def test_drop_what_they_contradict(self, way: str) -> None:
        judge = ScriptedJudge({"It is free.": "contradicted"})
        kept = await parsed(way, answer(GOOD, FREE), Policy(invalid="drop", support=[judge]))
        assert [statement.verdict.outcome for statement in kept.statements] == ["supported"]
        assert [each.errors[0].code for each in kept.dropped] == ["statement_contradicted"]

    @in_every_way
    async def test_never_drop_what_is_undecided(self, way: str) -> None:
        policy = Policy(invalid="drop", support=[ScriptedJudge({"It is free.": "undecided"})])
        with pytest.raises(ValidationError) as caught:
            await parsed(way, answer(GOOD, FREE), policy)
        assert [line["type"] for line in caught.value.errors()] == ["undecided"]

    @in_every_way
    async def test_see_the_answer_that_is_left(self, way: str) -> None:
        judge = ScriptedJudge({"It is free.": "contradicted"})
        policy = Policy(invalid="drop", alignment=judge)
        kept = await parsed(way, answer(BAD, GOOD, FREE), policy)
        assert [statement.text for statement in kept.statements] == ["It takes a month."]
        assert [each.statement["text"] for each in kept.dropped] == ["Two months.", "It is free."]
        assert [len(asked.statements) for asked in judge.aligned][-1] == 1


class TestUnanswerable:
    def test_needs_a_reason(self) -> None:
        for reason in (None, "", " \n", "None", "null", "N/A.", "No.", "false", "–", "..."):
            with pytest.raises(ValidationError, match="answer_empty"):
                Answer.model_validate(answer(unanswerable=reason), context=SOURCES.as_context())

    def test_is_judged_by_what_a_search_for_the_question_finds(self) -> None:
        judge = ScriptedJudge()
        context = SOURCES.as_context(Policy(alignment=judge), question="Is lunch free?")
        Answer.model_validate(answer(unanswerable="Nothing about lunch."), context=context)
        (asked,) = judge.aligned
        assert asked.unanswerable == "Nothing about lunch."
        assert "Lunch is free." in asked.passages[0].text

    def test_may_be_rejected(self) -> None:
        judge = ScriptedJudge(answered="unsupported")
        context = SOURCES.as_context(Policy(alignment=judge), question="Is lunch free?")
        with pytest.raises(ValidationError) as caught:
            Answer.model_validate(answer(unanswerable="Nothing about lunch."), context=context)
        (line,) = caught.value.errors()
        assert (line["type"], line["loc"]) == ("answer_misaligned", ("unanswerable",))
        assert line["msg"] == snapshot(
            'The sources do answer the question "Is lunch free?". Answer it in statements, each with its citations, and leave `unanswerable` empty.'
        )

    def test_is_undecided_without_a_question(self) -> None:
        judge = ScriptedJudge()
        context = SOURCES.as_context(Policy(alignment=judge))
        with pytest.raises(ValidationError, match="undecided"):
            Answer.model_validate(answer(unanswerable="Nothing."), context=context)
        assert not judge.aligned


class Item(BaseModel):
    claim: str
    day: date | None = None
    quotes: list[Quote]


class Line(BaseModel, frozen=True):
    quote: Quote


class Listed(RootModel[list[Line]]):
    pass


class Nested(RootModel[list[Listed]]):
    pass


Lines = TypeAliasType("Lines", list[Line])
T = TypeVar("T")


class Typed(TypedDict):
    items: Lines


@dataclass(slots=True)
class Slotted:
    items: list[Line]


class Section(BaseModel):
    items: list[Item] | None = None


class Report(BaseModel):
    sections: list[Section]
    by_name: dict[str, Item] = {}
    citations: list[Citation] = []
    answer: Answer | None = None


RIGHT = {"claim": "right", "day": "2020-01-31", "quotes": ["Lunch is free"]}
WRONG = {"claim": "wrong", "quotes": ["Lunch is dear"]}
HALF = {"claim": "half", "quotes": ["Notice is two months", "Notice is one month"]}


def lost(model: Any) -> list[tuple[Any, str, tuple[int | str, ...]]]:
    """Return what a model has lost, each with its only error."""
    return [(each.statement, each.errors[0].code, each.errors[0].loc) for each in model.dropped]


class TestModelsOfOnesOwn:
    """What `verify` drops from the lists of a model that knows nothing of it."""

    @pytest.fixture(params=["verify", "averify"])
    async def report(self, request: pytest.FixtureRequest) -> Report:
        data = {
            "sections": [{"items": [WRONG, RIGHT, HALF]}, {"items": [WRONG]}],
            "by_name": {"one": WRONG, "other": RIGHT},
            "citations": [{"quote": "Lunch is dear"}, {"quote": "Lunch is free"}],
            "answer": answer(BAD, GOOD),
        }
        return await parsed(request.param, data, model=Report)

    def test_are_items_of_the_innermost_list_that_keeps_one(self, report: Report) -> None:
        [section] = report.sections
        assert section.items is not None
        assert [each.claim for each in section.items] == ["right", "half"]
        assert section.items[1].quotes == ["Notice is one month"]
        assert list(report.by_name) == ["other"]
        assert [each.quote for each in report.citations] == ["Lunch is free"]

    def test_are_listed_beside_them(self, report: Report) -> None:
        [section] = report.sections
        assert section.items is not None
        wrong = ("quote_altered", ("quotes", 0))
        assert lost(report) == [
            ({"items": [WRONG]}, "quote_altered", ("items", 0, "quotes", 0)),
            (WRONG, *wrong),
            ({"quote": "Lunch is dear"}, "quote_altered", ("quote",)),
        ]
        assert lost(section) == [(WRONG, *wrong)]
        assert [each[0] for each in lost(section.items[1])] == ["Notice is two months"]
        assert lost(section.items[0]) == []

    def test_are_whole_statements_of_an_answer(self, report: Report) -> None:
        assert report.answer is not None
        assert [each.statement for each in report.answer.dropped] == [BAD]

    def test_are_no_part_of_its_data(self, report: Report) -> None:
        data = report.model_dump(exclude={"answer"})
        assert data.keys() == {"sections", "by_name", "citations"}
        again = Report.model_validate(data, context=SOURCES.as_context())
        assert again == report.model_copy(update={"answer": None})

    @pytest.mark.parametrize(
        "data",
        [
            pytest.param({"sections": [{"items": [WRONG]}]}, id="nothing would be left"),
            pytest.param({"sections": [{"items": [RIGHT]}, "?"], "citations": 3}, id="elsewhere"),
        ],
    )
    def test_leave_other_errors(self, data: Any) -> None:
        with pytest.raises(ValidationError):
            verify(Report, data, sources=SOURCES, policy=DROP)

    def test_are_those_of_a_type_that_has_no_hash(self) -> None:
        report = {"sections": [{"items": [WRONG, RIGHT]}]}
        kept = verify(Annotated[Report, {}], report, sources=SOURCES, policy=DROP)
        assert [each.claim for each in kept.sections[0].items] == ["right"]

    @pytest.mark.parametrize("collection", [tuple[Line, ...], frozenset[Line], deque[Line], Listed])
    @pytest.mark.parametrize("as_json", [False, True])
    def test_are_those_of_any_collection(self, collection: Any, as_json: bool) -> None:
        model: Any = create_model("Model", items=collection)
        wrong, right = {"quote": "Lunch is dear"}, {"quote": "Lunch is free"}
        data: Any = {"items": [wrong, right]}
        given = json.dumps(data) if as_json else data
        kept = verify(model, given, sources=SOURCES, policy=DROP)
        assert [*getattr(kept.items, "root", kept.items)] == [
            Line.model_construct(quote="Lunch is free")
        ]
        assert lost(kept.items if collection is Listed else kept)[0][0] == wrong

    def test_are_those_of_root_models_that_nest(self) -> None:
        wrong, right = {"quote": "Lunch is dear"}, {"quote": "Lunch is free"}
        kept = verify(Nested, [[wrong, right], [wrong]], sources=SOURCES, policy=DROP)
        assert [len(listed.root) for listed in kept.root] == [1]
        assert [each[0] for each in lost(kept)] == [[wrong]]
        assert [each[0] for each in lost(kept.root[0])] == [wrong]

    @pytest.mark.parametrize(
        "alias",
        [
            Lines,
            Lines | None,
            TypeAliasType("Maybe", Lines | None),
            TypeAliasType("Listed", list[T], type_params=(T,))[Line],
            TypeAliasType("Tree", "list[Line | Tree]"),  # noqa: F821 - itself
            RootModel[Lines],
        ],
        ids=str,
    )
    @pytest.mark.parametrize("strict", [False, True])
    def test_are_those_of_an_alias(self, alias: Any, strict: bool) -> None:
        named: Any = dict[str, alias]
        model: Any = create_model(
            "Model", __config__={"strict": strict}, one=alias, two=alias, named=(named, {})
        )
        two = [{"quote": "Lunch is dear"}, {"quote": "Lunch is free"}]
        data = json.dumps({"one": two, "two": two, "named": {"a": two[1:], "b": two[:1]}})
        kept = verify(model, data, sources=SOURCES, policy=DROP)
        assert [len(getattr(each, "root", each)) for each in (kept.one, kept.two)] == [1, 1]
        assert [*kept.named] == ["a"]
        holders = (kept, kept.one, kept.two) if alias is RootModel[Lines] else (kept,)
        assert [loss[0] for each in holders for loss in lost(each)].count(two[0]) == 2

    @pytest.mark.parametrize("strict", [False, True])
    def test_are_listed_once_if_a_collection_around_loses_others(self, strict: bool) -> None:
        model: Any = create_model("Model", __config__={"strict": strict}, items=list[list[Line]])
        wrong, right = {"quote": "Lunch is dear"}, {"quote": "Lunch is free"}
        data = json.dumps({"items": [[wrong, right], [wrong]]})
        kept = verify(model, data, sources=SOURCES, policy=DROP)
        assert [len(each) for each in kept.items] == [1]
        assert [loss[0] for loss in lost(kept)] == [wrong, [wrong]]

    @pytest.mark.parametrize("fixed", [tuple[Line, str], Typed, Slotted])
    def test_are_none_of_what_has_no_place_for_it(self, fixed: Any) -> None:
        wrong = {"quote": "Lunch is dear"}
        data: Any = [wrong, ""] if "tuple" in str(fixed) else {"items": [wrong, RIGHT]}
        with pytest.raises(ValidationError, match="quote_altered"):
            verify(create_model("Model", part=fixed), {"part": data}, sources=SOURCES, policy=DROP)

    def test_are_nothing_by_default(self) -> None:
        with pytest.raises(ValidationError) as caught:
            verify(Report, {"sections": [{"items": [RIGHT, WRONG]}]}, sources=SOURCES)
        assert [each["loc"] for each in caught.value.errors()] == [
            ("sections", 0, "items", 1, "quotes", 0)
        ]

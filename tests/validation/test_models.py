# ruff: noqa: E501 - a snapshot holds a message as it is
import json
import pickle
from collections.abc import Callable
from typing import Any, assert_type

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from citeguard import (
    Answer,
    Citation,
    MissingSourcesError,
    Policy,
    Sources,
    Span,
    Statement,
    Verdict,
    use_sources,
    verify,
)
from citeguard.sources import Grade
from citeguard.testing import ScriptedJudge
from citeguard.validation.context import Context
from conftest import HANDBOOK, Failures
from rows import each_row

VERBATIM = {"quote": "one month", "source_id": "handbook"}
GARBAGE: dict[str, Any] = {"spans": "evil", "grade": 7, "quoted_as": ["x"], "framing": {"a": 1}}
ELIDED = {"quote": "The notice period ... one month."}
TYPED = {"quote": "“the notice peroid is one month.”", "source_id": "handbook"}


def one(*citations: Any, text: str = "It takes a month.") -> dict[str, Any]:
    return {"statements": [{"text": text, "citations": list(citations)}]}


class TestCitation:
    def test_knows_where_it_stands(self, context: Context) -> None:
        citation = Citation.model_validate(VERBATIM, context=context)
        assert repr(citation) == snapshot(
            "Citation(quote='one month', source_id='handbook', spans=(Span(source_id='handbook', start=21, end=30),), grade='exact', quoted_as=None, framing=None)"
        )
        assert citation.span == Span("handbook", 21, 30)
        assert_type(citation.span, Span)
        assert_type(citation.grade, Grade | None)

    @each_row("strict", [True, False])
    def test_ignores_what_is_sent_for_hidden_fields(self, strict: bool, context: Context) -> None:
        expected = Citation.model_validate(VERBATIM, context=context)
        sent = {**VERBATIM, **GARBAGE}
        assert Citation.model_validate(sent, context=context, strict=strict) == expected
        text = json.dumps(sent)
        assert Citation.model_validate_json(text, context=context, strict=strict) == expected

    @each_row("quoted_as", ["", "!", "Lunch is free", "no such words", "notice"])
    def test_does_not_trust_another_writing(self, quoted_as: str, context: Context) -> None:
        sent = {**VERBATIM, "quoted_as": quoted_as}
        assert Citation.model_validate(sent, context=context).quoted_as is None

    @each_row(
        ("data", "loc", "code"),
        [
            ({"quote": "no such words at all"}, "quote", "quote_not_found"),
            ({"quote": ""}, "quote", "quote_empty"),
            ({"quote": "one", "source_id": "handbook"}, "quote", "quote_too_short"),
            ({"quote": "one month", "source_id": "faq"}, "source_id", "quote_wrong_source"),
            ({"quote": "one month", "source_id": "hand"}, "source_id", "source_unknown"),
            ({"quote": "no such words", "source_id": "x"}, "source_id", "source_unknown"),
            ({"quote": "one month", "source_id": ""}, "source_id", "source_unknown"),
        ],
    )
    def test_fails_at_the_field_to_correct(
        self, data: dict[str, str], loc: str, code: str, context: Context, failures: Failures
    ) -> None:
        (failure,) = failures(lambda: Citation.model_validate(data, context=context))
        assert (failure["loc"], failure["type"]) == ((loc,), code)
        assert failure["input"] == data[loc]


CHAT = "[09:03] Anna Smith: It ships on Monday.\n[09:04] Ben: I doubt it.\n"


class TestSpeaker:
    @each_row(
        ("quote", "speaker", "expected"),
        [
            ("I doubt it", "Ben", "Ben"),
            ("I doubt it", "BEN", "Ben"),
            ("ships on Monday", "Anna", "Anna Smith"),
            ("ships on Monday", "Ms. Anna Smith", "Anna Smith"),
            ("I doubt it", "", None),
            ("I doubt it", None, None),
            ("Lunch is free", "Anna", None),  # of a source that names nobody
        ],
    )
    def test_is_the_sources(self, quote: str, speaker: str | None, expected: str | None) -> None:
        sources = Sources({"chat": CHAT, "faq": "Lunch is free."})
        sent = {"quote": quote, "speaker": speaker}
        citation = Citation.model_validate(sent, context=sources.as_context())
        assert citation.speaker == expected
        assert ("speaker" in citation.model_dump()) == (expected is not None)
        dumped = citation.model_dump_json()
        again = Citation.model_validate_json(dumped, context=sources.as_context(), strict=True)
        assert again == citation

    @each_row(
        ("quote", "speaker"),
        [
            ("I doubt it", "Anna"),
            ("ships on Monday", "Ben"),
            ("ships on Monday.\n[09:04] Ben: I doubt it", "Anna Smith"),
        ],
    )
    def test_of_another_turn_fails(self, quote: str, speaker: str, failures: Failures) -> None:
        sent, context = {"quote": quote, "speaker": speaker}, Sources({"chat": CHAT}).as_context()
        (failure,) = failures(lambda: Citation.model_validate(sent, context=context))
        assert (failure["type"], failure["loc"]) == ("quote_wrong_speaker", ("speaker",))
        # The error says how to mend it.
        sent["speaker"] = failure["ctx"]["speaker"]
        if "Ben:" not in quote:
            assert Citation.model_validate(sent, context=context).speaker == sent["speaker"]

    def test_is_asked_for_where_somebody_speaks(self) -> None:
        def asked(model: type[BaseModel]) -> Any:
            fields = model.model_json_schema()["$defs"]["Citation"]["properties"]
            return fields.get("speaker", {}).get("anyOf")

        model = Answer.over({"chat": CHAT, "faq": "Lunch is free."})
        assert asked(model)[0]["enum"] == ["Anna Smith", "Ben"]
        assert asked(Answer) is None
        assert asked(Answer.over({"faq": "Lunch is free."})) is None
        sent = one({"quote": "I doubt it", "speaker": "ben"})
        answer = model.model_validate(sent, context=Sources({"chat": CHAT}).as_context())
        assert answer.statements[0].citations[0].speaker == "Ben"
        assert pickle.loads(pickle.dumps(answer)) == answer


class TestAnswer:
    def test_makes_the_round_trip(self, context: Context) -> None:
        data = {**one(VERBATIM, TYPED, ELIDED), "question": "How long?"}
        answer = Answer.model_validate(data, context=context)
        dumped = answer.model_dump_json()
        again = Answer.model_validate_json(dumped, context=context, strict=True)
        assert again == answer
        assert again.model_dump_json() == dumped
        assert pickle.loads(pickle.dumps(answer)) == answer

    @pytest.mark.parametrize("as_json", [True, False])
    def test_reports_all_failures_at_once(
        self, as_json: bool, context: Context, failures: Failures
    ) -> None:
        data = {
            "statements": [
                {"text": "Good.", "citations": [VERBATIM, {"quote": "no such words at all"}]},
                {"text": " \u200b", "citations": []},
                {
                    "text": "x",
                    "citations": [
                        {"quote": "Lunch is free", "source_id": "handbook"},
                        {"quote": "Lunch is free", "source_id": "fax"},
                        {"quote": "…"},
                        {"quote": 5},
                        {},
                    ],
                },
            ]
        }
        errors = failures(
            lambda: (
                Answer.model_validate_json(json.dumps(data), context=context)
                if as_json
                else Answer.model_validate(data, context=context)
            )
        )
        assert [(".".join(map(str, e["loc"])), e["type"]) for e in errors] == snapshot(
            [
                ("statements.0.citations.1.quote", "quote_not_found"),
                ("statements.1.text", "statement_empty"),
                ("statements.1.citations", "statement_uncited"),
                ("statements.2.citations.0.source_id", "quote_wrong_source"),
                ("statements.2.citations.1.source_id", "source_unknown"),
                ("statements.2.citations.2.quote", "quote_empty"),
                ("statements.2.citations.3.quote", "string_type"),
                ("statements.2.citations.4.quote", "missing"),
            ]
        )


HALVED = {"text": "\ud800 So.", "citations": [VERBATIM]}


class TestHalfACharacter:
    """No JSON can hold a lone surrogate, so that the answer could not be stored."""

    @each_row(
        "data",
        [
            {"statements": [HALVED]},
            {"statements": [{"text": "So.", "citations": [{"quote": "one month\ud800"}]}]},
            {"statements": [], "unanswerable": "\ud800 is not said."},
            {"statements": [], "unanswerable": "Nothing.", "question": "\ud800?"},
        ],
    )
    def test_is_an_error(self, data: Any, context: Context, failures: Failures) -> None:
        found = failures(lambda: Answer.model_validate(data, context=context))
        assert [each["type"] for each in found] == ["string_unicode"]

    def test_is_dropped_as_its_escape(self, sources: Sources) -> None:
        data = {"statements": [HALVED, {"text": "So.", "citations": [VERBATIM]}]}
        answer = verify(Answer, data, sources=sources, policy=Policy(invalid="drop"))
        assert (
            json.loads(answer.model_dump_json())["dropped"][0]["statement"]["text"] == "\\ud800 So."
        )


class Claim(Statement):
    text: str
    citations: list[Citation]


class Report(Answer):
    statements: list[Claim]  # type: ignore[assignment]
    question: str  # type: ignore[assignment]


class Lax(Answer):
    statements: list[Claim] = Field(default=[])  # type: ignore[assignment]


UNCITED: dict[str, Any] = {"statements": [{"text": "invented", "citations": []}], "question": "q"}


class TestSubclasses:
    @each_row(
        ("data", "loc", "code"),
        [
            pytest.param(UNCITED, "statements.0.citations", "statement_uncited", id="uncited"),
            pytest.param(
                {**one(VERBATIM, text=" "), "question": "q"},
                "statements.0.text",
                "statement_empty",
                id="blank",
            ),
            pytest.param(
                {"statements": [], "question": "q"}, "statements", "answer_empty", id="empty"
            ),
        ],
    )
    def test_keep_the_checks_of_fields_declared_anew(
        self, data: dict[str, Any], loc: str, code: str, context: Context, failures: Failures
    ) -> None:
        (failure,) = failures(lambda: Report.model_validate(data, context=context))
        assert (".".join(map(str, failure["loc"])), failure["type"]) == (loc, code)

    @each_row(
        ("model", "data"),
        [
            pytest.param(Report, UNCITED, id="uncited"),
            pytest.param(Report, {"statements": [], "question": "q"}, id="empty"),
            pytest.param(Lax, {}, id="defaults"),
        ],
    )
    def test_need_sources(self, model: type[Answer], data: dict[str, Any]) -> None:
        with pytest.raises(MissingSourcesError):
            model.model_validate(data)


class TestMissingSources:
    @each_row("data", [{}, {"quote": 5}, {"quote": "one month", "source_id": 5}, {**GARBAGE}])
    def test_come_before_a_citation_of_the_wrong_shape(self, data: dict[str, Any]) -> None:
        with pytest.raises(MissingSourcesError):
            Citation.model_validate(data)
        with pytest.raises(MissingSourcesError):
            Citation.model_validate_json(json.dumps(data))


class TestHiddenFromLLM:
    def test_validation_schema(self) -> None:
        assert Answer.model_json_schema() == snapshot(
            {
                "$defs": {
                    "Citation": {
                        "description": "A passage of a source, quoted word for word.",
                        "properties": {
                            "quote": {
                                "description": "Words copied verbatim from the source, unbroken and unchanged.",
                                "title": "Quote",
                                "type": "string",
                            },
                            "source_id": {
                                "anyOf": [{"type": "string"}, {"type": "null"}],
                                "default": None,
                                "description": "The id of the source that the quote is copied from.",
                                "title": "Source Id",
                            },
                        },
                        "required": ["quote"],
                        "title": "Citation",
                        "type": "object",
                    },
                    "Statement": {
                        "description": "One claim, with the passages of the sources that support it.",
                        "properties": {
                            "text": {
                                "description": "One claim, in your own words.",
                                "title": "Text",
                                "type": "string",
                            },
                            "citations": {
                                "description": "The passages that support the claim.",
                                "items": {"$ref": "#/$defs/Citation"},
                                "title": "Citations",
                                "type": "array",
                            },
                        },
                        "required": ["text", "citations"],
                        "title": "Statement",
                        "type": "object",
                    },
                },
                "description": "An answer made of statements that the sources support.",
                "properties": {
                    "statements": {
                        "description": "The answer, one claim at a time; empty if the sources do not answer.",
                        "items": {"$ref": "#/$defs/Statement"},
                        "title": "Statements",
                        "type": "array",
                    },
                    "unanswerable": {
                        "anyOf": [{"type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "If the sources do not answer the question, or a part of it: what they do not say. Make no statement about that.",
                        "title": "Unanswerable",
                    },
                    "question": {
                        "anyOf": [{"type": "string"}, {"type": "null"}],
                        "default": None,
                        "description": "The question that is answered.",
                        "title": "Question",
                    },
                },
                "required": ["statements"],
                "title": "Answer",
                "type": "object",
            }
        )


MONTH = {"quote": "The notice period is one month.", "source_id": "handbook"}
LUNCH = {"quote": "Lunch is free"}


def said(*statements: tuple[str, list[dict[str, str]]], **more: Any) -> dict[str, Any]:
    return {"statements": [{"text": text, "citations": cited} for text, cited in statements]} | more


def codes(failures: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(".".join(map(str, line["loc"])), line["type"]) for line in failures]


TWO = said(("It takes a month.", [MONTH]), ("Lunch costs nothing.", [LUNCH]))


SENTENCE = "Visitors may not enter the laboratory without a badge."


class TestEvidence:
    def asked(self, sources: Sources, evidence: Any, *citations: dict[str, str]) -> Any:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], evidence=evidence)
        data = {"text": "A claim.", "citations": list(citations)}
        Statement.model_validate(data, context=sources.as_context(policy))
        (question,) = judge.asked
        assert question.statement == "A claim."
        return [(each.source_id, each.start, each.text) for each in question.evidence]

    @each_row(
        ("evidence", "start", "text"),
        [
            ("quote", HANDBOOK.index("may not"), "may not enter"),
            ("sentence", HANDBOOK.index(SENTENCE), SENTENCE),
            ("source", 0, HANDBOOK),
        ],
    )
    def test_is_what_the_policy_says(
        self, evidence: str, start: int, text: str, sources: Sources
    ) -> None:
        shown = self.asked(sources, evidence, {"quote": "may not enter"})
        assert shown == [("handbook", start, text)]


class TestAlignment:
    def test_shows_the_question_and_all_statements(self, sources: Sources) -> None:
        judge = ScriptedJudge()
        policy = Policy(alignment=judge, uncited="pass", evidence="quote")
        data = said(("It takes a month.", [MONTH]), ("Hello.", []), question="How long?")
        Answer.model_validate(data, context=sources.as_context(policy))
        (asked,) = judge.aligned
        assert asked.question == "How long?"
        assert [(each.statement, len(each.evidence)) for each in asked.statements] == [
            ("It takes a month.", 1),
            ("Hello.", 0),
        ]
        assert asked.statements[0].evidence[0].text == MONTH["quote"]

    def test_fails_at_the_statements_when_the_question_is_not_answered(
        self, sources: Sources, failures: Failures
    ) -> None:
        verdict = Verdict("unsupported", reason="Nothing on costs.", judge="me")
        policy = Policy(alignment=ScriptedJudge(answered=verdict))
        context = sources.as_context(policy, question="How dear?")
        (failure,) = failures(lambda: Answer.model_validate(TWO, context=context))
        assert (failure["loc"], failure["type"]) == (("statements",), "answer_misaligned")
        assert failure["msg"] == snapshot(
            'The statements together do not answer the question "How dear?". The judge: "Nothing on costs." Answer all of it and nothing else. State in `unanswerable` what the sources do not say.'
        )
        assert failure["ctx"]["question"] == "How dear?"
        assert (failure["ctx"]["reason"], failure["ctx"]["judge"]) == ("Nothing on costs.", "me")

    def test_reports_the_answer_and_each_statement_at_once(
        self, sources: Sources, failures: Failures
    ) -> None:
        judge = ScriptedJudge(
            {"It takes a month.": "contradicted", "Lunch costs nothing.": "undecided"},
            otherwise="unsupported",
            answered="unsupported",
        )
        data = said(
            ("It takes a month.", [MONTH]),
            ("Lunch costs nothing.", [LUNCH]),
            ("It is false.", [{"quote": "It is false that"}]),
            ("Hello.", []),
        )
        context = sources.as_context(Policy(alignment=judge, uncited="pass"))
        assert codes(failures(lambda: Answer.model_validate(data, context=context))) == [
            ("statements", "answer_misaligned"),
            ("statements.0.text", "statement_contradicted"),
            ("statements.1.text", "undecided"),
            ("statements.2.text", "statement_unsupported"),
        ]

    @each_row(
        "data",
        [
            pytest.param(one({"quote": "no such words"}), id="a wrong quote"),
            pytest.param(one(), id="uncited"),
            pytest.param({"statements": []}, id="empty"),
        ],
    )
    def test_is_not_asked_when_something_else_failed(
        self, data: dict[str, Any], sources: Sources
    ) -> None:
        judge = ScriptedJudge()
        with pytest.raises(ValidationError):
            Answer.model_validate(data, context=sources.as_context(Policy(alignment=judge)))
        assert judge.aligned == []


class TestWhatJudgesSaid:
    @pytest.fixture
    def judged(self, sources: Sources) -> Context:
        judge = ScriptedJudge(
            otherwise=Verdict("supported", words="one month", span=Span("handbook", 21, 30)),
            answered=Verdict("supported", reason="It does.", score=1.0),
        )
        return sources.as_context(Policy(support=[judge], alignment=judge))

    @each_row("strict", [True, False])
    @each_row("garbage", [None, 5, "supported", {"outcome": "supported"}, ["x"]])
    def test_is_discarded_when_it_is_sent(
        self, garbage: Any, strict: bool, context: Context
    ) -> None:
        statement = {**TWO["statements"][0], "verdict": garbage}
        sent = {"statements": [statement], "alignment": garbage, "usage": garbage}
        for answer in (
            Answer.model_validate(sent, context=context, strict=strict),
            Answer.model_validate_json(json.dumps(sent), context=context, strict=strict),
        ):
            assert answer.statements[0].verdict is None
            assert (answer.alignment, answer.usage) == (None, None)

    def test_makes_the_round_trip(self, judged: Context) -> None:
        answer = Answer.model_validate(TWO, context=judged)
        dumped = answer.model_dump_json()
        again = Answer.model_validate_json(dumped, context=judged, strict=True)
        assert again == answer
        assert again.model_dump_json() == dumped
        assert Answer.model_validate(answer.model_dump(), context=judged) == answer
        assert Answer.model_validate(answer, context=judged) == answer
        assert pickle.loads(pickle.dumps(answer)) == answer
        assert hash(answer.statements[0].verdict) == hash(again.statements[0].verdict)


def outcome(validate: Callable[[], Answer]) -> str:
    """Return an answer, or the errors instead of it, as text."""
    try:
        return repr(validate())
    except ValidationError as error:
        return str(error)


class TestRejectedAssignment:
    """Where a subclass lets fields be assigned, what is rejected changes nothing."""

    def test_of_a_quote(self) -> None:
        class Editable(Citation):
            model_config = ConfigDict(frozen=False, validate_assignment=True)

        with use_sources("Notice is one month."):
            citation = Editable(quote="notice is one month")
            before = citation.model_copy()
            with pytest.raises(ValidationError):
                citation.quote = "Notice is two months."
        assert citation == before
        assert citation.model_fields_set == before.model_fields_set
        assert (citation.quote, citation.grade) == ("Notice is one month", "normalized")

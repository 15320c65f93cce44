import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.judges.llm import (
    AlignmentReply,
    CaseReply,
    SupportReply,
    alignment_data,
    alignment_verdicts,
    id_of,
    support_verdicts,
)
from citeguard.judges.model_calls import flaw_of
from citeguard.judges.verdicts import AlignmentQuestion, Evidence, SupportQuestion, Verdict
from rows import each_row

NOTICE = "The notice period is “one month”, not two. It ends on 5 May."
LUNCH = "Lunch is free for all employees."
MONTH = SupportQuestion(
    statement="It takes a month.",
    evidence=(Evidence(text=NOTICE, source_id="handbook", start=100),),
)
FREE = SupportQuestion(
    statement="Lunch costs nothing.", evidence=(Evidence(text=LUNCH, source_id="faq"),)
)
steady = settings(deadline=None, derandomize=True)
BOTH = [MONTH, FREE]


def reply(
    question: SupportQuestion | str,
    verdict: Any = "supported",
    words: str = "",
    reason: str = "So it says.",
) -> CaseReply:
    case = question if isinstance(question, str) else id_of(question)
    return CaseReply(id=case, verdict=verdict, words=words, reason=reason)


def judged(questions: list[SupportQuestion], *replies: CaseReply) -> list[Verdict]:
    return support_verdicts(questions, SupportReply(verdicts=list(replies)), "gpt")


def outcomes(verdicts: list[Verdict]) -> list[str]:
    return [verdict.outcome for verdict in verdicts]


YES = reply(MONTH, "supported", "one month")
NO = reply(FREE, "contradicted", "free for all")


class TestIdOf:
    def test_differs_with_everything(self) -> None:
        evidence = MONTH.evidence[0]
        others = [
            SupportQuestion(statement="It takes a year.", evidence=(evidence,)),
            SupportQuestion(statement=MONTH.statement, evidence=()),
            SupportQuestion(statement=MONTH.statement, evidence=(evidence, evidence)),
            SupportQuestion(statement=MONTH.statement, evidence=(Evidence(text=NOTICE),)),
            FREE,
        ]
        assert len({id_of(question) for question in (MONTH, *others)}) == 6


class TestMatching:
    @each_row(
        ("replies", "expected"),
        [
            ((YES, NO), ["supported", "contradicted"]),
            ((NO, YES), ["supported", "contradicted"]),
            ((YES, NO, reply("c00000000")), ["supported", "contradicted"]),
            ((YES, reply(f" {id_of(FREE)}\n", words="free for all")), ["supported"] * 2),
            ((YES, reply("c00000000", words="free for all")), ["supported", "undecided"]),
            ((YES, reply("", words="free for all")), ["supported", "undecided"]),
            ((), ["undecided"] * 2),
        ],
        ids=["in order", "in another", "one too many", "blanks", "invented", "blank", "none"],
    )
    def test_is_by_id(self, replies: tuple[CaseReply, ...], expected: list[str]) -> None:
        assert outcomes(judged(BOTH, *replies)) == expected

    def test_leaves_a_missing_one_undecided(self) -> None:
        first, second = judged(BOTH, YES)
        assert first.outcome == "supported"
        assert second == Verdict(
            "undecided", reason="gpt: returned no verdict for this statement", judge="gpt"
        )

    @each_row("second", ["supported", "contradicted", "unsupported"])
    def test_leaves_a_double_one_undecided(self, second: str) -> None:
        first, other = judged(BOTH, YES, reply(MONTH, second, "one month"), NO)
        assert first == Verdict(
            "undecided", reason="gpt: returned 2 verdicts for this statement", judge="gpt"
        )
        assert other.outcome == "contradicted"


class TestDecidingWords:
    @each_row(
        ("words", "found"),
        [
            pytest.param("one month", "one month", id="verbatim"),
            pytest.param("month”, not two", "month”, not two", id="with punctuation"),
            pytest.param(
                '"one month", not two', "“one month”, not two", id="other quotation marks"
            ),
            pytest.param("THE NOTICE PERIOD", "The notice period", id="other case"),
            pytest.param("“The notice period”", "The notice period", id="quoted"),
            pytest.param("  one\n month ", "one month", id="other blanks"),
            pytest.param("5 May", "5 May", id="four letters or digits"),
            pytest.param(NOTICE, NOTICE, id="all of it"),
        ],
    )
    def test_are_the_evidence_s_own(self, words: str, found: str) -> None:
        (verdict,) = judged([MONTH], reply(MONTH, "supported", words))
        assert verdict.outcome == "supported"
        assert verdict.words == found
        assert verdict.span is not None
        assert verdict.span.source_id == "handbook"
        assert NOTICE[verdict.span.start - 100 : verdict.span.end - 100] == found

    @each_row(
        ("words", "verdict"),
        [
            pytest.param("two months", "supported", id="other order"),
            pytest.param("It takes a month", "contradicted", id="words of the statement"),
            pytest.param("free for all", "supported", id="words of another statement's evidence"),
            pytest.param("one month, two", "unsupported", id="a word left out"),
            pytest.param("The notice … one month", "supported", id="an ellipsis"),
            pytest.param("one month, not three", "supported", id="a word changed"),
            pytest.param("ne mont", "contradicted", id="parts of words"),
            pytest.param("handbook", "supported", id="the source's id"),
            pytest.param("no such words at all", "unsupported", id="invented"),
        ],
    )
    def test_that_are_not_found_leave_it_undecided(self, words: str, verdict: str) -> None:
        (given,) = judged(BOTH[:1], reply(MONTH, verdict, words))
        assert given == Verdict(
            "undecided",
            reason=f"gpt: returned '{verdict}', but its deciding words are not in the evidence",
            judge="gpt",
        )

    @each_row("words", ["", " ", "\n\t"])
    def test_may_be_left_out_where_nothing_is_said(self, words: str) -> None:
        (verdict,) = judged([MONTH], reply(MONTH, "unsupported", words))
        assert verdict == Verdict("unsupported", reason="So it says.", judge="gpt")

    @each_row("words", ["It", "not", "5", "two.", "on 5"])
    def test_that_could_stand_anywhere_are_too_few(self, words: str) -> None:
        assert words in NOTICE
        (verdict,) = judged([MONTH], reply(MONTH, "supported", words))
        assert verdict.outcome == "undecided"

    @steady
    @given(st.data())
    def test_of_any_words_that_stand_there_slice_back(self, data: st.DataObject) -> None:
        places = list(re.finditer(r"\S+", LUNCH))
        first = data.draw(st.integers(0, len(places) - 3))
        last = data.draw(st.integers(first + 2, len(places) - 1))
        words = LUNCH[places[first].start() : places[last].end()]
        start = data.draw(st.integers(0, 10**6))
        question = SupportQuestion(
            statement="s", evidence=(Evidence(text=LUNCH, source_id="a", start=start),)
        )
        (verdict,) = judged([question], reply(question, "supported", words))
        assert verdict.span is not None
        assert LUNCH[verdict.span.start - start : verdict.span.end - start] == verdict.words
        assert verdict.words == words


class TestAlignmentVerdicts:
    GREETING = SupportQuestion(statement="Hello.", evidence=())
    QUESTION = AlignmentQuestion(question="How long?", statements=(MONTH, GREETING, FREE))

    def judged(self, *replies: CaseReply, answered: bool = True, question: Any = QUESTION) -> Any:
        said = AlignmentReply(answered=answered, reason="Because.", verdicts=list(replies))
        return alignment_verdicts(question, said, "gpt")

    @each_row(("answered", "outcome"), [(True, "supported"), (False, "unsupported")])
    def test_say_whether_it_is_answered(self, answered: bool, outcome: Any) -> None:
        assert self.judged(YES, NO, answered=answered).answer == Verdict(
            outcome, reason="Because.", judge="gpt"
        )

    @each_row("answered", [True, False])
    def test_say_yes_when_no_question_is_known(self, answered: bool) -> None:
        question = AlignmentQuestion(question=None, statements=(MONTH,))
        alignment = self.judged(YES, answered=answered, question=question)
        assert alignment.answer.outcome == "supported"

    def test_know_two_statements_that_say_the_same_apart(self) -> None:
        question = AlignmentQuestion(question=None, statements=(MONTH, FREE, MONTH))
        ids = [each["id"] for each in alignment_data(question)["statements"]]
        replies = [
            CaseReply(id=case, verdict="supported", words=words)
            for case, words in zip(ids, ["one month", "free for all", "one month"], strict=True)
        ]
        alignment = self.judged(*replies, question=question)
        assert [verdict.outcome for verdict in alignment.statements] == ["supported"] * 3


def test_a_model_cannot_reply_that_it_is_undecided() -> None:
    fields = SupportReply.model_json_schema()["$defs"]["CaseReply"]["properties"]
    assert fields["verdict"]["enum"] == ["supported", "contradicted", "unsupported"]
    assert all(field["description"] for field in fields.values())


# What is wrong with a reply of the protocols that the scripted server does not make ambiguous.

OFFERED = {"tools": [{"type": "function", "name": "judge"}]}
CALL = {"type": "function_call", "name": "judge", "arguments": '{"a": 1}'}
USE = {"type": "tool_use", "name": "judge", "input": {}}
PART = {"function_call": {"name": "judge", "args": {}}}
FILTERED = "its reply was stopped by a content filter"


def candidate(*parts: dict[str, Any], ended: str = "STOP") -> dict[str, Any]:
    return {"content": {"parts": [*parts]}, "finish_reason": ended}


@each_row(
    ("response", "request_", "flaw"),
    [
        ({"output": [CALL]}, OFFERED, None),
        ({"output": [CALL, CALL]}, OFFERED, "its reply has 2 tool calls"),
        (
            {"output": [{**CALL, "arguments": '{"a": 1, "a": 2}'}]},
            OFFERED,
            "its reply repeats the key 'a'",
        ),
        ({"output": [], "incomplete_details": {"reason": "content_filter"}}, OFFERED, FILTERED),
        (
            {"output": [{"type": "message", "content": [{"text": '{"a": 1} {"a": 2}'}]}]},
            {},
            "its reply has 2 objects in place of one",
        ),
        ({"content": [{"type": "text", "text": "So:"}, USE], "stop_reason": "tool_use"}, {}, None),
        ({"content": [USE, USE]}, OFFERED, "its reply has 2 tool calls"),
        (
            {"content": [{**USE, "name": "erase"}]},
            OFFERED,
            "its reply calls a tool that it was not offered",
        ),
        ({"content": [], "stop_reason": "refusal"}, OFFERED, FILTERED),
        ({"candidates": [candidate(PART)]}, {"config": {}}, None),
        ({"candidates": [candidate(PART, PART)]}, {"config": {}}, "its reply has 2 tool calls"),
        ({"candidates": [candidate()] * 2}, {"config": {}}, "its reply has 2 choices"),
        ({"candidates": [candidate(ended="SAFETY")]}, {"config": {}}, FILTERED),
        ({"choices": [{"message": {"refusal": "I would rather not."}}]}, {}, FILTERED),
    ],
)
def test_a_flaw_is_found(
    response: dict[str, Any], request_: dict[str, Any], flaw: str | None
) -> None:
    assert flaw_of(response, request_, is_parsed=True) == flaw


def test_no_flaw_is_searched_in_text_that_cannot_be_parsed() -> None:
    choice = {"message": {"content": 'A {brace} and {"a": 1} and {"b": 2}'}}
    assert flaw_of({"choices": [choice]}, {}, is_parsed=False) is None

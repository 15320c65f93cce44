# ruff: noqa: E501 - a snapshot holds a message as it is
import json
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, assert_type

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel

from citeguard import (
    Answer,
    Citation,
    CiteguardError,
    ExactQuote,
    FuzzyQuote,
    Match,
    Policy,
    Source,
    Sources,
    Verdict,
)
from citeguard.testing import ScriptedJudge, assert_cited, assert_quote

SOURCES = Sources(
    {
        "handbook": "Rules.\n\nVisitors may not enter the laboratory without a badge. The deposit "
        "is 25 million euros.",
        "faq": "Lunch is free. It is false that the canteen serves wine on Fridays.",
    }
)
DEPOSIT = "The deposit is 25 million euros."


def statement(
    quote: str, source_id: str | None = "handbook", text: str = "As the sources say."
) -> dict[str, Any]:
    return {"text": text, "citations": [{"quote": quote, "source_id": source_id}]}


def answer(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"statements": list(statements)}


class Finding(BaseModel):
    source: str
    evidence: Annotated[str, FuzzyQuote(source_field="source")]


class Plain(BaseModel):
    evidence: str


@dataclass
class Note:
    evidence: Annotated[str, ExactQuote()]


TRUE = answer(statement(DEPOSIT))
FALSE = answer(statement("The deposit is 26 million euros."))


def failure(check: Callable[[], object]) -> str:
    with pytest.raises(AssertionError) as caught:
        check()
    return str(caught.value)


def cited(data: Any, **arguments: Any) -> str:
    return failure(lambda: assert_cited(data, SOURCES, **arguments))


class TestAssertCited:
    def test_takes_an_answer_in_any_form(self) -> None:
        for given in (
            TRUE,
            json.dumps(TRUE),
            json.dumps(TRUE).encode(),
            Answer.model_validate(TRUE, context=SOURCES.as_context()),
        ):
            assert assert_cited(given, SOURCES).statements[0].citations[0].grade == "exact"

    def test_takes_models_of_the_users(self) -> None:
        for given, model in [
            (Finding.model_construct(source="faq", evidence="Lunch is free."), None),
            ({"source": "faq", "evidence": "Lunch is free."}, Finding),
            ([{"source": "faq", "evidence": "Lunch is free."}], list[Finding]),
            (Note("Lunch is free."), None),
            (Plain(evidence="Lunch is free."), Note),
            ('"Lunch is free."', Annotated[str, FuzzyQuote()]),
            ({"quote": "Lunch is free."}, Citation),
        ]:
            assert assert_cited(given, SOURCES, model=model) is not None

    def test_names_all_failures_in_the_order_of_the_answer(self) -> None:
        data = answer(
            statement("Visitors may enter the laboratory without a badge."),
            statement("5 million euros"),
            statement("Dogs and cats are welcome in the canteen."),
            statement("Lunch is free."),
            statement("Lunch is free.", "fqa"),
            statement("x"),
            statement("Visitors ... enter the laboratory"),
            {"text": "Nothing is cited.", "citations": []},
        )
        assert cited(data) == snapshot("""\
8 problems in the answer: quote_altered (2), quote_clipped,
quote_not_found, quote_wrong_source, source_unknown, quote_too_short,
statement_uncited
In a diff, [-the quote's words-] and {+the source's words+}.

statements[0].citations[0].quote: quote_altered (negation)
  quote    Visitors may enter the laboratory without a badge.
  source   Visitors may not enter the laboratory without a badge.
  in       handbook, line 3
  diff     Visitors may {+not+} enter the laboratory …

statements[1].citations[0].quote: quote_clipped
  quote    5 million euros
  source   The deposit is 25 million euros.
  in       handbook, line 3
  diff     [-5-] {+25+} million euros

statements[2].citations[0].quote: quote_not_found
  value    Dogs and cats are welcome in the canteen.
  problem  The quote is not found in source "handbook". No passage
           resembles it. Copy words verbatim from a source, or drop your
           claim if no source supports it.

statements[3].citations[0].source_id: quote_wrong_source
  quote    Lunch is free.
  cites    handbook
  source   Lunch is free.
  in       faq, line 1

statements[4].citations[0].source_id: source_unknown
  value    fqa
  quote    Lunch is free.
  problem  There is no source "fqa"; cite one of the sources "handbook",
           "faq". The quote is found in source "faq" only: "Lunch is
           free." Cite that one.

statements[5].citations[0].quote: quote_too_short
  value    x
  problem  The quote is too short: 1 of at least 4 letters or digits.
           Copy a longer passage verbatim from source "handbook", or
           drop your claim.

statements[6].citations[0].quote: quote_altered (negation)
  quote    Visitors ... enter the laboratory
  source   Visitors may not enter the laboratory
  in       handbook, line 3
  diff     {+not+}

statements[7].citations: statement_uncited
  problem  The statement has no citation. Cite words copied verbatim
           from one of the sources "handbook", "faq", with the id of the
           source, or drop the statement. If no source answers the
           question, have no statements, and say why in `unanswerable`.\
""")

    def test_tells_undecided_apart(self) -> None:
        judge = ScriptedJudge(
            {
                "No.": Verdict("contradicted", score=0.02, reason="It says yes.", judge="script"),
                "Hm.": RuntimeError("down"),
            }
        )
        policy = Policy(support=[judge])
        both = answer(statement(DEPOSIT, text="No."), statement(DEPOSIT, text="Hm."))
        assert cited(both, policy=policy) == snapshot("""\
1 problem in the answer: statement_contradicted; 1 undecided

statements[0].text: statement_contradicted (score 0.02)
  text     No.
  judge    script
  reason   It says yes.

statements[1].text: undecided
  text     Hm.
  judge    script
  reason   script: raised RuntimeError; RuntimeError: down\
""")
        assert cited(answer(both["statements"][1]), policy=policy) == snapshot("""\
1 undecided in the answer: nothing is known to be wrong

statements[0].text: undecided
  text     Hm.
  judge    script
  reason   script: raised RuntimeError; RuntimeError: down\
""")

    def test_shows_the_sentence_that_denies_a_quote(self) -> None:
        data = answer(statement("the canteen serves wine", "faq"))
        assert cited(data, policy=Policy(framed=("denied",))) == snapshot("""\
1 problem in the answer: quote_framed

statements[0].citations[0].quote: quote_framed
  quote    the canteen serves wine
  source   It is false that the canteen serves wine on Fridays.
  in       faq, line 1\
""")

    def test_shows_the_file_and_line_of_a_source(self) -> None:
        sources = Sources([Source("a", "One.\nTwo days.", url="file:///srv/my%20files/a.md")])
        shown = failure(lambda: assert_quote("Two days off.", sources))
        assert "  in       a, /srv/my files/a.md:2" in shown

    def test_is_bounded(self) -> None:
        data = answer(*(statement(f"The deposit is {n} million euros. " * 30) for n in range(45)))
        shown = cited(data)
        assert shown.endswith("… and 5 more")
        assert len(shown) < 15_000

    def test_fits_a_narrow_terminal(self) -> None:
        texts = [DEPOSIT.replace("25", "26"), "通知期为两个月" * 30, "x" * 300]
        shown = cited(answer(*(statement(text) for text in texts)))
        widths = [sum(2 if c >= "\u3000" else 1 for c in line) for line in shown.split("\n")]
        assert max(widths) <= 72

    def test_rejects_a_wrong_set_up(self) -> None:
        for given, arguments, expected in [
            (
                TRUE,
                {"policy": "fast"},
                "policy: expected a Policy, such as Policy(invalid='drop'), got str",
            ),
            (
                [TRUE],
                {},
                "assert_cited expects an Answer, an instance of a model, a mapping or JSON; to check list data, name its type: assert_cited(..., model=list[MyModel])",
            ),
            (
                Plain(evidence="So."),
                {},
                "nothing in Plain is checked against sources: annotate its quotes, as in Annotated[str, FuzzyQuote()], or use Citation as a field",
            ),
            ("[]", {"model": list[str]}, "nothing in list is checked against sources: annotate "),
        ]:
            with pytest.raises(CiteguardError) as caught:
                assert_cited(given, SOURCES, **arguments)
            assert str(caught.value).startswith(expected)

    def test_has_no_frames_or_causes_below_its_own(self) -> None:
        for check in (lambda: assert_cited(FALSE, SOURCES), lambda: assert_cited(FALSE, "")):
            with pytest.raises((AssertionError, CiteguardError)) as caught:
                check()
            assert traceback.extract_tb(caught.tb)[-1].name == "assert_cited"
            assert caught.value.__suppress_context__


class TestAssertQuote:
    def test_returns_where_the_quote_stands(self) -> None:
        match = assert_quote("lunch is free", SOURCES)
        assert_type(match, Match)
        assert (match.source_id, match.grade) == ("faq", "normalized")

    def test_takes_only_a_slice_if_exact(self) -> None:
        assert_quote("Lunch is free.", SOURCES, exact=True)
        assert failure(lambda: assert_quote("lunch  is free.", SOURCES, exact=True)) == snapshot("""\
1 problem in the quote: quote_altered
In a diff, [-the quote's words-] and {+the source's words+}.

quote_altered
  quote    lunch is free.
  source   Lunch is free.
  in       faq, line 1
  diff     [-lunch␣␣-] {+Lunch+} is free.\
""")

# ruff: noqa: E501 - a snapshot holds a message as it is
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic import ValidationError

from citeguard import Citation, Match, Source, Sources, Span, locate
from citeguard.language.excerpts import LIMIT
from citeguard.sources import Edit, Framing
from citeguard.sources.matches import FramingKind, resembling
from citeguard.validation import messages
from hostile import NEGATION, NUMBER, edits, hostile, ids
from rows import each_row


def found(quote: str, passage: str, *edits: Edit, source_id: str = "handbook") -> Match:
    """Return a match of a quote with all of a source."""
    source = Source(source_id, passage)
    return Match(
        quote=quote,
        text=passage,
        spans=(Span(source_id, 0, len(passage)),),
        grade=None,
        similarity=0.5,
        edits=edits,
        source=source,
        searched=(source,),
    )


matches = st.builds(
    lambda quote, passage, edits: found(quote, f"{passage}.", *edits), hostile, hostile, edits
)

CALLS: dict[str, st.SearchStrategy[str]] = {
    "quote_empty": st.builds(messages.quote_empty, ids, st.none() | hostile),
    "quote_too_short": st.builds(
        messages.quote_too_short, st.integers(0, 9**9), st.integers(0, 9**9), ids, hostile
    ),
    "quote_not_found": st.builds(messages.quote_not_found, st.none() | hostile, hostile, hostile),
    "quote_altered": st.builds(messages.quote_altered, matches, st.none() | hostile, hostile),
    "quote_wrong_source": st.builds(messages.quote_wrong_source, hostile, ids, hostile),
    "quote_framed": st.builds(
        messages.quote_framed,
        hostile,
        st.builds(
            Framing,
            kind=st.sampled_from(get_args(FramingKind)),
            words=hostile,
            span=st.just((0, 1)),
        ),
        hostile,
    ),
    "source_unknown": st.builds(
        messages.source_unknown,
        hostile,
        ids,
        st.just([]) | ids,
        st.none() | hostile,
        st.booleans(),
    ),
    "source_unread": st.builds(messages.source_unread, hostile),
    "evidence_missing": st.builds(messages.evidence_missing, hostile),
    "evidence_unread": st.builds(messages.evidence_unread, hostile),
    "statement_uncited": st.builds(messages.statement_uncited, ids),
    "statement_judged": st.builds(
        messages.statement_judged,
        st.sampled_from(["unsupported", "contradicted"]),
        hostile,
        hostile,
        cited=st.booleans(),
    ),
    "answer_misaligned": st.builds(
        messages.answer_misaligned, hostile, st.none() | hostile, is_open=st.booleans()
    ),
    "undecided": st.builds(
        messages.undecided,
        hostile,
        st.sampled_from(["statement", "answer"]),
        has_read=st.booleans(),
    ),
}


class TestEveryMessage:
    @pytest.mark.parametrize("name", CALLS)
    @given(data=st.data())
    @settings(max_examples=25)
    def test_is_bounded_and_printable(self, name: str, data: st.DataObject) -> None:
        message = data.draw(CALLS[name])
        assert 0 < len(message) <= LIMIT
        assert message.encode("utf-8")
        assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in message)

    @each_row(
        ("message", "ending"),
        [
            (
                lambda long: messages.quote_altered(
                    found(long, f"{long}not", *[NEGATION] * 99, source_id=long)
                ),
                "and make `text` say only what they say, or drop your claim.",
            ),
            (
                lambda long: messages.quote_not_found(long, long + "x", long),
                "or drop your claim if no source supports it.",
            ),
            (
                lambda long: messages.source_unknown(long, [long] * 99, [long] * 99, long),
                "Cite one of them.",
            ),
            (
                lambda long: messages.source_unknown(long, [long] * 99, (), long, quoted=False),
                "?",
            ),
            (
                lambda long: messages.statement_judged("unsupported", long, long),
                "cite a passage that says it, or drop it.",
            ),
            (
                lambda long: messages.statement_judged("contradicted", long, long),
                "Correct it to agree with the cited text, or drop it.",
            ),
            (
                lambda long: messages.statement_judged("unsupported", long, long, cited=False),
                "Say no more than the sources say, or drop it.",
            ),
            (
                lambda long: messages.statement_judged("contradicted", long, long, cited=False),
                "Correct it to agree with the sources, or drop it.",
            ),
            (
                lambda long: messages.answer_misaligned(long, long),
                "State in `unanswerable` what the sources do not say.",
            ),
        ],
    )
    @each_row("unit", ["word ", "\x00", "長", '"'])
    def test_never_cuts_the_advice(
        self, message: Callable[[str], str], ending: str, unit: str
    ) -> None:
        text = message(unit * 2_000)
        assert text.endswith(ending)
        assert len(text) <= LIMIT


class TestQuoteTooShort:
    def test_shows_where_it_is_found(self) -> None:
        message = messages.quote_too_short(2, 4, ["a"], "a", sentence="So it is.", often=True)
        assert message == snapshot(
            'The quote is too short: 2 of at least 4 letters or digits. It is found in source "a", first here: "So it is." Copy more of the passage that you mean verbatim, or drop your claim.'
        )


class TestQuoteAltered:
    def test_ends_where_the_sentence_of_the_difference_ends(self) -> None:
        text = "The notice period is one month. Staff may work from home."
        match = locate("the notice period is three months.", text)
        assert match is not None
        assert messages.quote_altered(match) == snapshot(
            'The quote is not what source "1" says (number). It says: "The notice period is one month." Difference, [-yours-] {+source+}: notice period is [-three months-] {+one month+} . Copy the source\'s words verbatim, and make `text` say only what they say, or drop your claim.'
        )

    def test_of_a_cell_shows_its_row_and_compares_what_is_named(self) -> None:
        table = "System | Lowest | Best\nMaemo | 14 | 16\nAndroid | 9 | 12\nSymbian | 1 | 3"
        for quote, difference in (
            ("Android | 9 | 13", "| 9 | [-13-] {+12+}"),
            ("Android, best: 13", ", best: [-13-] {+12+}"),
        ):
            match = locate(quote, table) or resembling(quote, Sources(table))
            assert match is not None
            told = messages.quote_altered(match)
            shown = f'It says: "Android | 9 | 12". Difference, [-yours-] {{+source+}}: {difference}'
            assert shown in told.replace("Best", "best")

    def test_names_the_source_to_cite_and_the_field(self) -> None:
        message = messages.quote_altered(found("a b", "a c", NUMBER), "evidence", "faq")
        assert message == snapshot(
            'Source "faq" does not have the quote; cite source "handbook". The quote is not what source "handbook" says (number). It says: "a c". Difference, [-yours-] {+source+}: a [-b-] {+c+}. Copy the source\'s words into "evidence" verbatim, and make your claim say only what they say, or drop your claim.'
        )

    def test_words_swallowed_by_an_ellipsis(self) -> None:
        swallowed = Edit(
            operation="delete", quoted="", source="do not", material=True, reason="negation"
        )
        match = found("We … recommend it.", "We do not recommend it.", swallowed, swallowed)
        match = replace(match, spans=(Span("handbook", 0, 2), Span("handbook", 10, 23)))
        assert messages.quote_altered(match) == snapshot(
            'With its ellipsis the quote is not what source "handbook" says (negation). It says: "We do not recommend it." Difference, [-yours-] {+source+}: We [-…-] {+do not+} recommend it. Copy one unbroken passage without an ellipsis, or drop your claim.'
        )

    def test_sentences_run_into_one(self) -> None:
        text = "We recommend aspirin for adults. For children it is dangerous."
        match = locate("We recommend aspirin for children", text)
        assert match is not None
        assert messages.quote_altered(match) == snapshot(
            'The quote runs two sentences or items of source "1" into one. It says: "We recommend aspirin for adults. For children it is dangerous." Difference, [-yours-] {+source+}: recommend aspirin for {+adults. For+} children. Copy one of them verbatim or make two citations, or write … for whole sentences that you leave out, and make `text` say only what they say, or drop your claim.'
        )

    def test_words_that_are_struck_out(self) -> None:
        match = locate("It is free.", "Bring a coat. ~~It is free.~~ It costs 5 euros.")
        assert match is not None
        assert messages.quote_altered(match) == snapshot(
            'The quote has words that source "1" strikes out. It says: "~~It is free.~~ It costs 5 euros." Difference, [-yours-] {+source+}: [-It is free.-]. Copy words that it shows, and make `text` say only what they say, or drop your claim.'
        )

    def test_a_line_break_is_shown_between_its_words(self) -> None:
        match = locate("Leave the notice", "Leave\nThe notice period is one month.")
        assert match is not None
        assert "[-Leave the-] {+Leave ¶ The+}" in messages.quote_altered(match)


@each_row("quote", ["the office", "a dog", "red car"])
def test_a_short_quote_gets_no_unrelated_passage(quote: str) -> None:
    text = (
        "The board meets in May. It adopts popular plans, and officially the rest is closed. " * 3
    )
    with pytest.raises(ValidationError, match="No passage resembles it"):
        Citation.model_validate({"quote": quote}, context=Sources(text).as_context())


def test_no_passage_has_half_a_pair_of_marks() -> None:
    text = "**Note. Do not run `make all` at night.** Then call `f(**names)` in the office."
    for quote in ("Do not run make all at day.", "Then call f(**name) in an office."):
        sources = Sources({"a": text})
        with pytest.raises(ValidationError) as raised:
            Citation.model_validate({"quote": quote}, context=sources.as_context())
        passage = str(raised.value).split('"a"')[1].split('It says: "')[1].split('"')[0]
        assert passage.replace("f(**names)", "").count("**") % 2 == 0
        assert passage.count("`") % 2 == 0
        # A model that copies it passes.
        Citation.model_validate({"quote": passage}, context=sources.as_context())


class TestQuoteClipped:
    @each_row(
        ("quote", "message"),
        [
            pytest.param(
                "5 million",
                snapshot(
                    'The quote cuts through a word or number in source "handbook". It says: "The deposit is 25 million." Difference, [-yours-] {+source+}: [-5-] {+25+} million. Copy whole words and numbers verbatim, and make `text` say only what they say, or drop your claim.'
                ),
                id="in a number",
            ),
            pytest.param(
                "deposit is 25 mil",
                snapshot(
                    'The quote cuts through a word or number in source "handbook". It says: "The deposit is 25 million." Difference, [-yours-] {+source+}: deposit is 25 [-mil-] {+million.+}. Copy whole words and numbers verbatim, and make `text` say only what they say, or drop your claim.'
                ),
                id="in a word",
            ),
        ],
    )
    def test_shows_what_was_cut_off(self, quote: str, message: str) -> None:
        match = locate(quote, Sources({"handbook": "The deposit is 25 million."}))
        assert match is not None
        assert messages.quote_altered(match) == message

    def test_a_question_that_becomes_a_statement(self) -> None:
        match = locate("we have to pay.", "Do we have to pay? No, nobody has to.")
        assert match is not None
        assert messages.quote_altered(match) == snapshot(
            'The quote leaves out "?", which makes it a question, in source "1". It says: "Do we have to pay?" Difference, [-yours-] {+source+}: have to pay [-.-] {+?+}. Copy it as well verbatim, and make `text` say only what they say, or drop your claim.'
        )


class TestQuoteWrongSource:
    def test_several(self) -> None:
        assert messages.quote_wrong_source("faq", list("abcdefg"), "One month.") == snapshot(
            'The quote is not found in source "faq", but in sources "a", "b", "c", "d", "e" and 2 more: "One month." Cite source "a" instead, or copy a quote verbatim from source "faq".'
        )


class TestSourceUnknown:
    def test_quote_in_several_sources(self) -> None:
        known = [f"page-{number}" for number in range(12)]
        assert messages.source_unknown("x", known, known[:2], passage="Yes.") == snapshot(
            'There is no source "x"; cite one of the sources "page-0", "page-1", "page-2", "page-3", "page-4" and 7 more. The quote is found in sources "page-0", "page-1": "Yes." Cite one of them.'
        )

    def test_nearest_passage(self) -> None:
        message = messages.source_unknown(
            "x", ["handbook", "faq"], nearest_id="faq", passage="Lunch is free."
        )
        assert message == snapshot(
            'There is no source "x"; cite one of the sources "handbook", "faq". The quote is not found in any source; nearest is source "faq": "Lunch is free." Copy words verbatim from the source that you cite, or drop your claim.'
        )


class TestUndecided:
    def test_tells_the_first_line_only(self) -> None:
        reason = "judge: raised KeyError\n'sk-secret'"
        assert messages.undecided(reason) == messages.undecided("judge: raised KeyError")


class TestClosest:
    @each_row(
        ("source_id", "expected"),
        [
            ("handbok", "handbook"),
            ("HANDBOOK", "handbook"),
            ("faqs", "FAQ"),
            ("zzz", None),
            ("", None),
            ("handbook" * 99_999, None),
        ],
    )
    def test_suggests(self, source_id: str, expected: str | None) -> None:
        assert messages.closest(source_id, ["handbook", "FAQ"]) == expected


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("The fee is 18.50 euros per metre and week.", "[-week-] {+night+}"),
        ("Pay with cards.", "[-cards.-] {+coins+}"),
    ],
)
def test_a_changed_last_word_is_shown_beside_that_of_the_source(quote: str, shown: str) -> None:
    sources = Sources({"a": "The fee is 18.50 euros per metre and night. Pay with coins. Go."})
    with pytest.raises(ValidationError) as raised:
        Citation.model_validate({"quote": quote}, context=sources.as_context())
    assert shown in str(raised.value)


class TestWordDiff:
    @each_row(
        ("quote", "passage", "expected"),
        [
            pytest.param("a b c d e", "a b x d e", "a b [-c-] {+x+} d e", id="replace"),
            pytest.param("may not go", "may go", "may [-not-] go", id="delete"),
            pytest.param(
                "in 1,000 days", "in 10,000 days", "in [-1,000-] {+10,000+} days", id="number"
            ),
            pytest.param("at 5 °C", "at -5 °C", "at {+-+} 5 °C", id="sign"),
            pytest.param("5 mg", "5 µg", "5 [-mg-] {+µg+}", id="unit"),
            pytest.param("us firms", "US firms", "[-us-] {+US+} firms", id="case"),
            pytest.param("可以使用此药", "不可以使用此药", "{+不+} 可以使 …", id="ideographs"),
            pytest.param(
                "one\ntwo  three", "one two four", "one two [-three-] {+four+}", id="spaces"
            ),
            pytest.param(
                "the end", "the end of all", "the end {+of all+}", id="words lost at the end"
            ),
            pytest.param("“a” b", '"a" c', '"a" [-b-] {+c+}', id="glyphs are not compared"),
            pytest.param(
                "वे परीक्षा में बैठ सकते",
                "वे परीक्षा में नहीं बैठ सकते",
                "वे परीक्षा में {+नहीं+} बैठ सकते",
                id="vowel signs are no word ends",
            ),
            pytest.param("same words", "same words", "", id="same"),
            pytest.param("", "", "", id="empty"),
            pytest.param("a", "", "[-a-]", id="empty passage"),
        ],
    )
    def test_shows(self, quote: str, passage: str, expected: str) -> None:
        assert messages.word_diff(quote, passage) == expected

    def test_centres_on_the_material_edit(self) -> None:
        filler = " ".join(f"w{number}" for number in range(30))
        quote = f"One {filler} value is 30 {filler} end"
        passage = f"two {filler} value is 14 {filler} end"
        assert messages.word_diff(quote, passage, [NUMBER]) == snapshot(
            "… w29 value is [-30-] {+14+} w0 w1 w2 …"
        )
        assert messages.word_diff(quote, passage) == snapshot(
            "[-One-] {+two+} w0 w1 w2 … w29 value is [-30-] {+14+} w0 w1 w2 …"
        )

    def test_shows_no_capital_beside_a_material_edit(self) -> None:
        quote, passage = "the fee is 30 euros", "The fee is 14 euros"
        assert messages.word_diff(quote, passage, [NUMBER]) == snapshot(
            "The fee is [-30-] {+14+} euros"
        )

    def test_finds_a_change_behind_a_long_beginning(self) -> None:
        filler = "word " * 5_000
        assert messages.word_diff(f"{filler}may go", f"{filler}may not go") == snapshot(
            "word word may {+not+} go"
        )

    @given(hostile, hostile, edits)
    def test_is_bounded_for_anything(self, quote: str, passage: str, edits: list[Edit]) -> None:
        assert len(messages.word_diff(quote, passage, edits)) <= 180

"""The difference guard: what it lets pass, what it rejects, and why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.differences import Edit, compare

DRUG = "The drug isn’t approved in the United States, but 25 million doses were sold for $1,250.50."

# (the quote, the source's words): the same text, whatever the typography.
NO_EDIT = [
    pytest.param("The drug", "The drug", id="verbatim"),
    pytest.param("the drug was safe", "The drug was safe", id="case of a beginning"),
    pytest.param("THE DRUG WAS SAFE", "The drug was safe", id="all capitals"),
    pytest.param("The Drug Was Safe", "The drug was safe", id="title case"),
    pytest.param('it\'s "safe"', "it’s “safe”", id="quotation marks"),
    pytest.param("safe - so far", "safe—so far", id="dash"),
    pytest.param("safe ... so far", "safe … so far", id="ellipsis"),
    pytest.param("safe and sound", "safe\n   and\u00a0sound", id="white space"),
    pytest.param("developed", "deve-\nloped", id="hyphen at a line break"),
    pytest.param("developed", "deve\u00adloped", id="soft hyphen"),
    pytest.param("final office", "ﬁnal oﬃce", id="ligatures"),
    pytest.param("caf\u00e9", "cafe\u0301", id="NFC and NFD"),
    pytest.param("AT&T", "AT&amp;T", id="entity"),
    pytest.param("bold words", "**bold** <b>words</b>", id="emphasis"),
    pytest.param("the page", "[the page](https://example.org/x)", id="link"),
    pytest.param("it’s a café", "itâ€™s a cafÃ©", id="mojibake"),
    pytest.param("1,250 doses", "1250 doses", id="thousands separator"),
    pytest.param("from -5 to 5", "from −5 to 5", id="minus glyph"),
    pytest.param("pages 10-20", "pages 10–20", id="range glyph"),
    pytest.param("safe, or so", "safe; or so", id="stop"),
    pytest.param("full 12", "ｆｕｌｌ １２", id="full width"),
    pytest.param("東京 は", "東京は", id="space between ideographs"),
    pytest.param("salt & pepper", "salt and pepper", id="ampersand"),
    pytest.param("[he] was safe", "he was safe", id="bracket around the source's own word"),
]
HARMLESS = [
    pytest.param("was safe here", "was safe [12] here", "citation mark", id="mark left out"),
    pytest.param(
        "was safe here",
        "was safe (Smith et al., 2019) here",
        "citation mark",
        id="author, year left out",
    ),
    pytest.param("was safe.", "was safe.³", "citation mark", id="raised mark left out"),
    pytest.param("was safe [1] here", "was safe here", "citation mark", id="mark added"),
    pytest.param(
        "[Smith] was safe and well",
        "he was safe and well",
        "editorial bracket",
        id="pronoun resolved",
    ),
    pytest.param(
        "he [Smith] was safe and well", "he was safe and well", "editorial bracket", id="name added"
    ),
    pytest.param(
        "we recieve the answer", "we receive the answer", "spelling", id="misspelt in the quote"
    ),
    pytest.param(
        "we receive the answer", "we recieve the answer", "spelling", id="misspelt in the source"
    ),
    pytest.param(
        "the goverment of the day", "the government of the day", "spelling", id="letter left out"
    ),
    pytest.param("the well being of all", "the wellbeing of all", "spacing", id="spaced"),
    pytest.param(
        "has been developed", "has been deve loped", "spacing", id="a gap in a word of the source"
    ),
    pytest.param("of the time", "ofthe time", "spacing", id="a gap missing in the source"),
    pytest.param("a significant result", "a signicant result", "spelling", id="lost ligature"),
    pytest.param("in clinical use", "in c1inical use", "spelling", id="misread glyph"),
    pytest.param(
        "the naive view of it", "the naïve view of it", "accent", id="accent left out in English"
    ),
    pytest.param(
        "the café in the town", "the cafe in the town", "accent", id="accent added in English"
    ),
    pytest.param(
        "most of its soldiers",
        "most of\n\n12\nAnnual Report\n\nits soldiers",
        "page furniture",
        id="page break",
    ),
    pytest.param(
        "It rained. It fell.", "It rained.\n2. It fell.", "item number", id="item number left out"
    ),
    pytest.param("[t]he old mill", "the old mill", "spacing", id="a letter in brackets"),
    pytest.param(
        "pages 10-20 of it", "pages 10\ufffd20 of it", "spelling", id="dash of a range, garbled"
    ),
    pytest.param("it was so", "it was \ufffd so", "garbled", id="garbled glyph left out"),
    pytest.param("in the year 2019 it", "in the year 20l9 it", "spelling", id="misread number"),
    pytest.param("قال أحمد", "قال احمد", "accent", id="Arabic hamza"),
    pytest.param("die STRASSE war", "die Straße war", "accent", id="capital sharp s"),
    pytest.param("the naive view of it", "the na¨ıve view of it", "accent", id="stray accent"),
    pytest.param("on the mat", "on the m\ufffdt", "spelling", id="replacement character"),
]
MATERIAL = [
    # negation
    pytest.param("The drug was approved", "The drug was not approved", "negation", id="not lost"),
    pytest.param("The drug was not approved", "The drug was approved", "negation", id="not gained"),
    pytest.param("The drug is safe", "The drug isn’t safe", "negation", id="n't lost, curly"),
    pytest.param("The drug is safe", "The drug isn't safe", "negation", id="n't lost, straight"),
    pytest.param("It isn't so", "It is so", "negation", id="n't gained"),
    pytest.param("It can be so", "It cannot be so", "negation", id="cannot"),
    pytest.param("It was so", "It was never so", "negation", id="never"),
    pytest.param("there is reason", "there is no reason", "negation", id="no"),
    pytest.param("with delay", "without delay", "negation", id="without"),
    pytest.param("either of them", "neither of them", "negation", id="neither"),
    pytest.param("It is lawful now", "It is unlawful now", "negation", id="un-"),
    pytest.param("It is possible now", "It is impossible now", "negation", id="im-"),
    pytest.param("a fatal case", "a non-fatal case", "negation", id="non-"),
    pytest.param("There is hardly any", "There is any", "negation", id="hardly"),
    pytest.param("这是真的", "这不是真的", "negation", id="Chinese"),
    pytest.param("承認された", "承認されなかった", "word", id="Japanese"),
    pytest.param("Das ist wahr", "Das ist nicht wahr", "negation", id="German"),
    pytest.param("keine Frage war offen", "eine Frage war offen", "negation", id="German kein"),
    pytest.param("هذا صحيح", "هذا ليس صحيح", "negation", id="Arabic"),
    # numbers, signs and units
    pytest.param("in 2018 it fell", "in 2019 it fell", "number", id="year"),
    pytest.param("sold 1,260 of them", "sold 1,250 of them", "number", id="digit"),
    pytest.param("sold 500 mg of it", "sold 50 mg of it", "number", id="digit gained"),
    pytest.param("it rose 15 points", "it rose 1.5 points", "number", id="decimal point"),
    pytest.param("it rose five points", "it rose six points", "number", id="number word"),
    pytest.param("25 million doses", "25 billion doses", "number", id="magnitude"),
    pytest.param("25 doses", "25 million doses", "number", id="magnitude left out"),
    pytest.param("a loss of 5", "a loss of -5", "sign or unit", id="minus"),
    pytest.param("a win by 32 there", "a win by 3–2 there", "number", id="score"),
    pytest.param("for $25 each", "for €25 each", "sign or unit", id="currency"),
    pytest.param("for 25 each", "for $25 each", "sign or unit", id="currency left out"),
    pytest.param("by 25 more", "by 25% more", "sign or unit", id="percent left out"),
    pytest.param("50 g of it", "50 mg of it", "unit", id="unit"),
    pytest.param("5 m wide", "5 µm wide", "unit", id="micro"),
    pytest.param("x2 plus y", "x² plus y", "number", id="square"),
    pytest.param("106 cells", "10⁶ cells", "number", id="power"),
    pytest.param("5 MW of power", "5 mW of power", "case", id="mega and milli"),
    pytest.param("p > 0.05 here", "p < 0.05 here", "sign or unit", id="greater"),
    pytest.param("on 12 March 2019", "on 13 March 2019", "number", id="day"),
    pytest.param("on 12 March 2019", "on 12 April 2019", "name", id="month"),
    pytest.param("on 1 1 2019", "on 11 2019", "number", id="number split"),
    # names
    pytest.param("said Mr Jones today", "said Mr Smith today", "name", id="name"),
    pytest.param("said Mr Smyth today", "said Mr Smith today", "name", id="name misspelt"),
    pytest.param("in the United Kingdom", "in the United States", "name", id="country"),
    # qualifiers
    pytest.param("all patients recovered", "some patients recovered", "qualifier", id="quantifier"),
    pytest.param("fewer than before", "more than before", "qualifier", id="comparative"),
    pytest.param("it will help them", "it may help them", "qualifier", id="modal"),
    pytest.param("men recovered", "only men recovered", "qualifier", id="only"),
    pytest.param("the thief fled", "the alleged thief fled", "qualifier", id="alleged"),
    pytest.param("25 were there", "about 25 were there", "qualifier", id="about"),
    pytest.param("25 were there", "up to 25 were there", "qualifier", id="up to"),
    pytest.param("it falls when it rains", "it falls if it rains", "qualifier", id="if"),
    # words
    pytest.param("sales went down again", "sales went up again", "qualifier", id="antonym"),
    pytest.param("the contract was lost", "the contact was lost", "word", id="contact, contract"),
    pytest.param("the trail went on", "the trial went on", "word", id="trial, trail"),
    pytest.param("a casual link to it", "a causal link to it", "word", id="causal, casual"),
    pytest.param("he said it was big", "he said it was very big", "word", id="word left out"),
    pytest.param("he said it was very big", "he said it was big", "word", id="word added"),
    pytest.param("dogs bite men", "men bite dogs", "word", id="order"),
    pytest.param("the dog barked", "the dogs barked", "word", id="plural"),
    pytest.param("it works", "it worked", "word", id="tense"),
    pytest.param("hypotension was seen", "hypertension was seen", "word", id="hypo, hyper"),
    pytest.param("用于儿童", "用于成人", "word", id="Chinese word"),
    # what folding must not fold
    pytest.param("they told us so", "they told US so", "case", id="us, US"),
    pytest.param("they told us so", "they told U.S. so", "case", id="us, U.S."),
    pytest.param(
        "it was a typical case", "it was atypical case", "spacing", id="a typical, atypical"
    ),
    pytest.param(
        "it is in appropriate use",
        "it is inappropriate use",
        "spacing",
        id="in appropriate, inappropriate",
    ),
    pytest.param("it weighed 5 Mg then", "it weighed 5 mg then", "case", id="mega- and milligram"),
    pytest.param(
        "by 5 it rose", "by 5\ufffd it rose", "sign or unit", id="garbled glyph beside a number"
    ),
    pytest.param("in may they met", "in May they met", "case", id="may, May"),
    pytest.param("Er wurde gehen", "Er würde gehen", "accent", id="wurde, würde"),
    pytest.param("in Massen", "in Maßen", "accent", id="Maße, Masse"),
    pytest.param("an every day thing", "an everyday thing", "spacing", id="everyday"),
    pytest.param("we resume the work", "we résumé the work", "accent", id="resume, résumé"),
    pytest.param("see [3] there", "see [2] there", "citation mark", id="mark altered"),
    # brackets are no licence
    pytest.param("[not] safe at all", "safe at all", "negation", id="bracketed negation"),
    pytest.param(
        "it was [25 times] safe",
        "it was safe",
        "number",
        id="bracketed number",
    ),
    pytest.param("[Smith] was safe", "Jones was safe", "name", id="bracket over a name"),
]


def judge(quote: str, source: str) -> tuple[Edit, ...]:
    return compare(quote, source, 0, len(source))


class TestCompare:
    @pytest.mark.parametrize(("quote", "source"), NO_EDIT)
    def test_sees_no_edit_either_way(self, quote: str, source: str) -> None:
        assert judge(quote, source) == judge(source, quote) == ()

    @pytest.mark.parametrize(("quote", "source", "reason"), HARMLESS)
    def test_lets_pass(self, quote: str, source: str, reason: str) -> None:
        edits = judge(quote, source)
        assert [edit.reason for edit in edits] == [reason]
        assert not any(edit.material for edit in edits)

    @pytest.mark.parametrize(("quote", "source", "reason"), MATERIAL)
    def test_rejects(self, quote: str, source: str, reason: str) -> None:
        assert {edit.reason for edit in judge(quote, source) if edit.material} == {reason}

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(text=st.text(max_size=60))
    def test_sees_no_edit_in_any_verbatim_text(self, text: str) -> None:
        assert judge(text, text) == ()

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(quote=st.text(max_size=40), source=st.text(max_size=40))
    def test_names_words_of_either_side(self, quote: str, source: str) -> None:
        for edit in judge(quote, source):
            if edit.reason != "citation mark":
                assert edit.quoted in quote
                assert edit.source in source
            assert (edit.operation == "insert") == (not edit.source)
            assert (edit.operation == "delete") == (not edit.quoted)


class TestEdits:
    @pytest.mark.parametrize(
        ("quote", "expected"),
        [
            pytest.param(
                DRUG.replace("isn’t", "is"), [("replace", "is", "isn’t", "negation")], id="replaced"
            ),
            pytest.param(
                DRUG.replace("were sold", "were quickly sold"),
                [("insert", "quickly", "", "word")],
                id="added",
            ),
            pytest.param(
                DRUG.replace("million ", ""), [("delete", "", "million", "number")], id="left out"
            ),
            pytest.param(
                DRUG.replace("$1,250.50", "$1,260.50"),
                [("replace", "1,260.50", "1,250.50", "number")],
                id="number",
            ),
            pytest.param(
                DRUG.replace("The drug", "The pill").replace("25 ", "26 "),
                [("replace", "pill", "drug", "word"), ("replace", "26", "25", "number")],
                id="two, in order",
            ),
        ],
    )
    def test_by_hand(self, quote: str, expected: list[tuple[str, ...]]) -> None:
        edits = judge(quote, DRUG)
        assert [(e.operation, e.quoted, e.source, e.reason) for e in edits] == expected
        assert all(edit.material for edit in edits)

    def test_name_the_words_of_the_passage_in_its_text(self) -> None:
        text = "Before. The drug was not approved. After."
        (edit,) = compare("The drug was approved", text, 8, 33)
        assert edit.source == "not"


class TestWords:
    """A spelling that the source itself uses is a word, whatever the lists say."""

    def test_of_the_source_are_no_slips(self) -> None:
        text = "The frobnicate is not the frobnicale. The frobnicale of the frobnicate was there."
        edits = compare("The frobnicale is", text, 0, 17)
        assert [edit.material for edit in edits] == [True]

    def test_seen_once_may_be_one(self) -> None:
        text = "We could not recieve the answer of the court."
        (edit,) = compare("could not receive the answer of the court", text, 3, 44)
        assert (edit.material, edit.reason) == (False, "spelling")

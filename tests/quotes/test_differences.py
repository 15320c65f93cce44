"""The difference guard: what it lets pass, what it rejects, and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.differences import Edit, compare
from quotes.tables import accepted, cases
from rows import each_row

DRUG = "The drug isn’t approved in the United States, but 25 million doses were sold for $1,250.50."

NO_EDIT = cases("no edit")
HARMLESS = cases("harmless edits")
MATERIAL = cases("material edits")


def judge(quote: str, source: str) -> tuple[Edit, ...]:
    return compare(quote, source, 0, len(source))


class TestCompare:
    @each_row("quote, source", NO_EDIT)
    def test_sees_no_edit_either_way(self, quote: str, source: str) -> None:
        assert judge(quote, source) == judge(source, quote) == ()

    @each_row("reason, quote, source", HARMLESS)
    def test_lets_pass(self, reason: str, quote: str, source: str) -> None:
        edits = judge(quote, source)
        assert [edit.reason for edit in edits] == [reason]
        assert not any(edit.material for edit in edits)

    @each_row("reason, quote, source", MATERIAL)
    def test_rejects(self, reason: str, quote: str, source: str) -> None:
        assert {edit.reason for edit in judge(quote, source) if edit.material} == {reason}

    @settings(derandomize=True)
    @given(text=st.text(max_size=60))
    def test_sees_no_edit_in_any_verbatim_text(self, text: str) -> None:
        assert judge(text, text) == ()

    @settings(derandomize=True)
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


@each_row(
    ("quote", "text"),
    [
        ("(7) Everybody is free.", "(1) Nobody is.\n(2) Everybody is free."),
        ("3. Everybody is free.", "1. Nobody is.\n2. Everybody is free."),
        ("3. Everybody is free.", "So: 1. Nobody is. 2. Everybody is free."),
        ("3. Everybody is free.", "1. Nobody is.\n\n**2. Everybody is free.**"),
        ("3. Everybody is free.", "1. Nobody is. <b>2.</b> Everybody is free."),
        ("10. November 1989 fiel die Mauer.", "Am 9. November 1989 fiel die Mauer."),
        ("10. November 1989 fiel die Mauer.", "Im November 1989 fiel die Mauer."),
        ('pip install "recap[other]"', '```\npip install "recap[transcription]"\n```'),
        ("at [https://a.org/you](https://a.org/b)", "at [https://a.org/b](https://a.org/b)"),
    ],
)
def test_a_number_of_an_item_and_a_name_in_code_may_not_be_exchanged(quote: str, text: str) -> None:
    assert accepted(quote, text) is None

"""Page furniture is whole lines that belong to the page; running text never is."""

from __future__ import annotations

import pytest

from citeguard.quotes.differences import Edit, Passage, compare
from citeguard.quotes.furniture import find_furniture

FURNITURE = [
    pytest.param("\n12\n", id="page number"),
    pytest.param("\n\n12\n\n", id="page number, set off"),
    pytest.param("\n- 12 -\n", id="page number between dashes"),
    pytest.param("\nPage 12 of 40\n", id="page of pages"),
    pytest.param("\np. 12\n", id="abbreviated"),
    pytest.param("\nSeite 12\n", id="German"),
    pytest.param("\n第 12 頁\n", id="Chinese"),
    pytest.param("\nxiv\n", id="roman numeral"),
    pytest.param("\nA-12\n", id="page of an appendix"),
    pytest.param("\f12\f", id="form feeds"),
    pytest.param("\r\n12\r\n", id="line ends of Windows"),
    pytest.param("\n12\nAnnual Report\n", id="number and head"),
    pytest.param("\fAnnual Report of the Board\n", id="head of a new page"),
    pytest.param("\fSmith et al.\n", id="running authors"),
    pytest.param("\n\nJOURNAL OF TESTS 12\n\n", id="head and number in one line"),
    pytest.param("\nhttps://example.org/a\n", id="address"),
    pytest.param("\ndoi:10.1000/182\n", id="DOI"),
    pytest.param("\n© 2019 The Authors\n", id="copyright"),
    pytest.param("\nDownloaded from example.org on 1 May\n", id="download note"),
    pytest.param("\nConfidential\n", id="label"),
]
TEXT = [
    pytest.param(" not ", id="a word in the line"),
    pytest.param("\nnot\n", id="a word on a line of its own"),
    pytest.param("\n\nNot\n\n", id="a negation as a head"),
    pytest.param("\n\nof the eastern provinces, who were\n\n", id="running text"),
    pytest.param("\nof the eastern provinces who were\n", id="a line of the sentence"),
    pytest.param("\n\nThe Eastern Provinces.\n\n", id="a sentence"),
    pytest.param("\n\nThe Eastern Provinces\n\n", id="a heading that may be the text's own"),
    pytest.param("\nwhich no confidential record of\n", id="a line with a publisher's word"),
    pytest.param("\nill\n", id="a word of Roman letters"),
    pytest.param("\n1850\n", id="a year"),
    pytest.param("\n412\nmillion ", id="a number that is counted"),
    pytest.param("\nGermany 12\n", id="a name and a number"),
    pytest.param("\n123\nCosts of goods\n567\n", id="a table"),
    pytest.param("\n\nIn the East\n\n", id="a phrase in capitals"),
    pytest.param("\n12345\n", id="a number too long for a page"),
    pytest.param("\n12 million\n", id="an amount"),
    pytest.param(" not\n12\n", id="the rest of a line before"),
    pytest.param("\n12\nnot ", id="the beginning of a line after"),
    pytest.param("\n\n" + "Annual " * 20 + "\n\n", id="too long a line"),
]


BEFORE, AFTER = "It held most of", "its soldiers back."


def judged(gap: str, *, elsewhere: str = "") -> tuple[Edit, ...]:
    text = f"{elsewhere}{BEFORE}{gap}{AFTER}"
    return compare(f"{BEFORE} {AFTER}", Passage(text, len(elsewhere), len(text)))


class TestGuard:
    @pytest.mark.parametrize("gap", FURNITURE)
    def test_lets_a_quote_drop(self, gap: str) -> None:
        edits = judged(gap)
        assert [edit.reason for edit in edits] == ["page furniture"]
        assert not any(edit.material for edit in edits)
        assert edits[0].source == gap.strip()

    @pytest.mark.parametrize("gap", TEXT)
    def test_does_not_let_a_quote_drop(self, gap: str) -> None:
        assert any(edit.material for edit in judged(gap))

    def test_lets_a_quote_drop_a_head_that_stands_on_other_pages_too(self) -> None:
        elsewhere = "One.\nAnnual Report\nTwo.\n"
        assert not any(e.material for e in judged("\nAnnual Report\n", elsewhere=elsewhere))
        assert any(edit.material for edit in judged("\nAnnual Report\n"))

    def test_lets_a_quote_drop_two_page_breaks(self) -> None:
        text = "It held\n\n12\n\nmost of its\n\n13\n\nsoldiers back."
        edits = compare("It held most of its soldiers back.", Passage(text, 0, len(text)))
        assert [(edit.source, edit.material) for edit in edits] == [("12", False), ("13", False)]

    def test_sees_what_else_was_dropped(self) -> None:
        text = "It did not hold\n\n12\n\nmost of its soldiers back."
        edits = compare("It did hold most of its soldiers back.", Passage(text, 0, len(text)))
        assert {edit.reason: edit.material for edit in edits} == {
            "page furniture": False,
            "negation": True,
        }

    def test_lets_a_quote_keep_the_page_number(self) -> None:
        text = "It held most of\n\n12\n\nits soldiers back."
        assert compare("It held most of 12 its soldiers back.", Passage(text, 0, len(text))) == ()


class TestFindFurniture:
    def test_names_the_lines(self) -> None:
        text = "most of\n\n12\nAnnual Report\n\nits soldiers"
        assert [text[low:high] for low, high in find_furniture(text, 0, len(text))] == [
            "12\nAnnual Report"
        ]

    @pytest.mark.parametrize("text", ["", "12", "12\n13", "\n\n12\n\n", "of\n12", "12\nof"])
    def test_leaves_the_outer_lines_alone(self, text: str) -> None:
        assert find_furniture(text, 0, len(text)) == []

    def test_leaves_what_was_quoted_alone(self) -> None:
        text = "most of\n\nAnnual Report\n\nits soldiers"
        assert find_furniture(text, 0, len(text), "mostofannualreportits") == []

"""Footnotes stand after the paragraph that they would interrupt; raised digits are superscripts."""

from documents.pdf.making import HEIGHT, Paper, find, page_of, read
from rows import each_row

FIRST = [
    "The ships were counted twice in every season,",
    "first by the clerks, and then by the fishermen,",
    "who had reasons to be exact. Their counts differ",
]
SECOND = [
    "by less than one in a hundred, which is why the",
    "historians have always trusted them so far.",
    "Nobody has counted them since.",
]
NOTE = ["1 The books of the fishermen were lost in the", "flood, and are known from copies."]


def paper_with(*notes: list[str], mark: str = "1") -> Paper:
    paper = Paper()
    paper.lines(50, 60, FIRST[:2])
    paper.raised(50, 84, "who had reasons to be exact.", mark, " Their counts differ")
    down = 500.0
    for note in notes:
        down = paper.lines(50, down, note, size=8, leading=9)
    paper.next_page()
    paper.lines(50, 60, SECOND)
    return paper


class TestFootnotes:
    def test_do_not_interrupt_the_sentence(self) -> None:
        document = read(paper_with(NOTE))
        assert page_of(document, "Their counts differ by less than one in a hundred") == 1

    def test_that_go_on_on_the_next_page_are_joined(self) -> None:
        paper = Paper()
        paper.lines(50, 60, FIRST)
        paper.lines(50, 500, ["1 The books of the fishermen were lost, and so"], size=8)
        paper.next_page()
        paper.lines(50, 60, SECOND)
        paper.lines(50, 500, ["were the books of the clerks."], size=8)
        assert "were lost, and so were the books of the clerks." in read(paper).text


class TestRaisedDigits:
    def test_are_marks_that_a_quote_may_leave_out(self) -> None:
        document = read(paper_with(mark="12"))
        assert "exact.¹² Their counts" in document.text
        assert find(document, "who had reasons to be exact. Their counts differ").accepted

    def test_are_powers_that_a_quote_may_not_lower(self) -> None:
        paper = Paper()
        paper.raised(50, 60, "The area of the basin is x", "2", " by the law of squares.")
        document = read(paper)
        assert document.text == "The area of the basin is x² by the law of squares."
        assert not find(document, "The area of the basin is x2 by the law of squares.").accepted

    def test_that_are_lowered_are_subscripts(self) -> None:
        paper = Paper()
        paper.raised(50, 60, "They drank CO", "_2", " and water.")
        assert read(paper).text == "They drank CO₂ and water."


class TestRaisedLetters:
    def test_are_no_part_of_the_words_beside_them(self) -> None:
        paper = Paper()
        paper.raised(50, 60, "The price of a licence", "a", " and the costs are of last year.")
        paper.raised(50, 200, "", "a", "Share of the proceeds in each of the years.")
        document = read(paper)
        assert "a licence[a] and the costs" in document.text
        for quote in ("The price of a licence", "Share of the proceeds in each of the years."):
            assert find(document, quote).accepted


FIRST_OF_COLUMN = ["The ships were counted twice in the", "seasons, first by the clerks, and then"]


def broken_after(last: str, first: str, indent: float = 0) -> Paper:
    """Write two columns, the second of which begins with some words, and a note between them."""
    paper = Paper()
    for place, line in enumerate([*FIRST_OF_COLUMN, last]):
        gap = (160 - paper.canvas.stringWidth(line, "Times-Roman", 10)) / line.count(" ")
        paper.canvas.setFont("Times-Roman", 10)
        paper.canvas.drawString(20, HEIGHT - 60 - 12 * place, line, wordSpace=gap)
    paper.lines(20, 96 + 200, ["1 The books were lost in the flood."], size=7)
    paper.text(220 + indent, 60, first)
    paper.lines(
        220, 72, ["was never able to leave the harbour by", "night without the keys of the house."]
    )
    return paper


class TestParagraphsAcrossNotes:
    @each_row(
        ("last", "first"),
        [
            ("and the rich old owner M.", "Theo Kearney, who as all knew so well"),
            ("and by monks of St.", "Raymond, who as all knew ever so well"),
        ],
    )
    def test_go_on_after_a_full_line_that_ends_with_a_full_stop(
        self, last: str, first: str
    ) -> None:
        text = read(broken_after(last, first)).text
        assert f"{last} {first}" in text
        assert text.endswith("\n\n1 The books were lost in the flood.")

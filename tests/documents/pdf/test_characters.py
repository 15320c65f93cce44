"""Glyphs that leave their line, and accents drawn apart."""

import numpy as np
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from citeguard.documents.pdf.characters import Characters, clean
from documents.pdf.making import HEIGHT, Paper, read
from rows import each_row

BEFORE = ["The harbour was built in the reign of the third", "king, who never saw it finished."]


def paper_with_logo() -> Paper:
    """Write the logo of LaTeX as LaTeX does: its A raised, small, and over both its neighbours."""
    paper = Paper()
    paper.lines(50, 60, BEFORE)
    paper.text(50, 84, "The annals are set with L")
    left = 50 + paper.canvas.stringWidth("The annals are set with L", "Times-Roman", 10)
    paper.text(left - 3.4, 84 - 2.1, "A", size=7)
    paper.text(left, 84, "TEX on a press of the town.")
    paper.lines(50, 96, BEFORE)
    return paper


class TestRaisedLetters:
    def test_stay_in_their_line(self) -> None:
        assert " set with LATEX on a press of the town. The " in read(paper_with_logo()).text

    @each_row("rise", [1, 3, 5, 6])
    def test_marks_stay_in_the_first_line_of_a_page(self, rise: float) -> None:
        paper = Paper()
        width = paper.canvas.stringWidth("The harbour", "Times-Roman", 10)
        paper.text(50, 60, "The harbour")
        paper.text(50 + width, 60 - rise, "4", size=6)
        paper.text(50 + width + 6, 60, "was built in the reign of the third king.")
        assert "\n" not in read(paper).text


@each_row(
    "drawn, text",
    [
        ("40³ euros", "40³ euros"),
        ("5³/²0 cups", "5 3/20 cups"),  # as a fraction of a font
        ("m³/s", "m³/s"),
    ],
)
def test_digits_that_a_font_draws_small_and_raised_are_superscripts(drawn: str, text: str) -> None:
    """The file says that the glyphs are plain digits, as for a footnote's mark in Typst."""
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    paper = Paper(pageCompression=0)
    paper.text(50, 60, "The price is " + drawn, font="Vera")
    named = paper.finished().replace(b"<00B2>", b"<0032>").replace(b"<00B3>", b"<0033>")
    assert read(named).text == "The price is " + text


class TestAccents:
    def accented(self, letter: str, accent: str) -> str:
        paper = Paper()
        paper.text(50, 60, f"where {letter} is the depth of the harbour")
        left = 50 + paper.canvas.stringWidth("where ", "Times-Roman", 10)
        paper.text(left, 59, accent)
        return read(paper).text

    def test_drawn_over_a_letter_make_it_one_character(self) -> None:
        assert self.accented("e", "\u00b4") == "where \u00e9 is the depth of the harbour"

    def test_without_such_a_character_combine_with_the_letter(self) -> None:
        assert self.accented("w", "\u00af") == "where w\u0304 is the depth of the harbour"

    def test_may_be_as_wide_as_their_letters(self) -> None:
        paper = Paper()
        paper.text(50, 60, "mis a jour", font="Courier")
        paper.text(74, 60, "`", font="Courier")
        assert read(paper).text == "mis à jour"

    @each_row("signs, text", [("u\u20d7=0", "u\u20d7=0"), ("\u0338=j0", "≠j0")])
    def test_of_formulas_are_with_their_letters(self, signs: str, text: str) -> None:
        lefts = np.array([10.0, 10.5, 20.0, 30.0])
        codes = np.array([ord(sign) for sign in signs], np.uint32)
        same, none = np.full(4, 60.0), np.zeros(4, bool)
        drawn = Characters(
            turns=0, width=100, height=100, codes=codes, lefts=lefts, rights=lefts + 5,
            tops=same - 7, bottoms=same, baselines=same - np.array([0, signs[0] == "u", 0, 0]),
            sizes=same / 6, fonts=np.zeros(4, np.intp), spaced=none, gapped=none.copy(),
            doubts=np.zeros(4, np.uint8), rules=np.zeros((0, 4)),
        )  # fmt: skip
        cleaned = clean(drawn)
        assert "".join(map(chr, cleaned.codes)) == text
        assert set(cleaned.baselines.tolist()) == {60.0}


def test_a_line_that_fills_a_gap_on_the_baseline_is_an_underscore() -> None:
    paper = Paper()
    before, after = "call enable", "action() then"
    left = 50 + paper.canvas.stringWidth(before, "Times-Roman", 10)
    paper.text(50, 60, before)
    paper.text(left + 3.4, 60, after)
    paper.canvas.setLineWidth(0.4)
    for _ in range(2):  # some programs draw it twice
        paper.canvas.line(left + 0.2, HEIGHT - 60.2, left + 3.4, HEIGHT - 60.2)
    assert read(paper).text == "call enable_action() then"

"""Formulas of PDF files: fractions, and the limits of sums, as linear text."""

from __future__ import annotations

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader

from citeguard.documents.pdf.characters import SIGN_FONTS
from documents.pdf.making import HEIGHT, Paper, find, read


def bar(paper: Paper, left: float, down: float, right: float) -> None:
    paper.canvas.line(left, HEIGHT - down, right, HEIGHT - down)


@pytest.mark.parametrize(
    ("above", "below", "text"),
    [("f(z)", "g(z)", "w = f(z)/g(z)"), ("a + b", "c", "w = (a + b)/c")],
)
def test_a_fraction_is_linear(above: str, below: str, text: str) -> None:
    paper = Paper()
    paper.text(30, 40, "The weight of a ship is found with this formula:")
    paper.text(100, 80, "w =")
    paper.text(122, 73.2, above)
    paper.text(122, 86.8, below)
    bar(paper, 120, 77.5, 122 + paper.canvas.stringWidth(above, "Times-Roman", 10) + 2)
    assert read(paper).text.endswith(f"\n\n{text}")


def test_a_bar_may_be_a_picture() -> None:
    paper = Paper()
    paper.text(100, 80, "w =")
    paper.text(122, 73.2, "a")
    paper.text(121, 86.8, "|b + c|")
    paper.canvas.drawImage(ImageReader(Image.new("L", (9, 1))), 120, HEIGHT - 77.7, 30, 0.5)
    assert read(paper).text == "w = a/|b + c|"


def test_fractions_beside_each_other_are_two() -> None:
    paper = Paper()
    for left, above, below in ((100, "a", "b"), (110, "c", "d")):
        paper.text(left, 73.2, above)
        paper.text(left, 86.8, below)
        bar(paper, left - 1, 77.5, left + 6)
    paper.text(119, 80, "= 7")
    assert read(paper).text == "a/b c/d = 7"


def test_a_line_below_a_head_is_no_bar() -> None:
    paper = Paper()
    for down, row in ((73.2, ("", "Crew")), (86.8, ("Ship", "2018"))):
        for left, cell in zip((30, 120), row, strict=True):
            paper.text(left, down, cell)
    bar(paper, 118, 77.5, 145)
    assert "/" not in read(paper).text


def test_signs_of_tex_have_their_characters_where_the_file_names_none() -> None:
    signs = [SIGN_FONTS["CMEX"][ord("X")], SIGN_FONTS["CMEX"][0x20], SIGN_FONTS["CMSY"][ord("0")]]
    assert signs == ["∑", "(", "′"]


def test_signs_of_a_publisher_have_their_characters() -> None:
    paper = Paper()
    paper.text(100, 80, "T")
    paper.text(110, 80, "\u00bc", font="Times-Italic")
    paper.text(122, 80, "650")
    content = paper.finished().replace(b"Times-Italic", b"AdvMacMthSyN")
    assert read(content).text == "T = 650"


def test_a_sum_of_tex_is_level_with_its_line_and_has_its_limits() -> None:
    paper = Paper()
    paper.text(100, 80, "w =")
    paper.text(120, 82.2, "X", size=14, font="Times-Bold")
    paper.text(120.5, 93, "i=1", size=6)
    paper.text(123.5, 64, "n", size=6)
    paper.text(134, 80, "h")
    content = paper.finished().replace(b"Times-Bold", b"CMEX10    ")  # another name, as long
    assert read(content).text == "w = ∑_(i=1)^n h"


def test_a_numerator_with_limits_below_its_sums_is_whole() -> None:
    paper = Paper()
    paper.text(100, 80, "w =")
    paper.text(122, 66, "∑", size=10, font="Symbol")
    paper.text(121, 72, "i=1", size=6)
    paper.text(133, 66, "h(x)")
    paper.text(130, 88, "c")
    bar(paper, 120, 77.5, 152)
    assert read(paper).text == "w = ∑_(i=1) h(x)/c"


def test_a_long_index_is_not_what_the_line_stands_on() -> None:
    paper = Paper()
    for left, text, size in ((100, "h", 10), (106, "3SLS-IV", 6), (136, "= a b + c", 10)):
        paper.text(left, 82 if size == 6 else 80, text, size=size, font="Times-Bold")
    content = paper.finished().replace(b"Times-Bold", b"CMMI7     ")
    assert read(content).text == "h_(3SLS-IV) = a b + c"


@pytest.mark.parametrize("name", ["lim", "max"])
def test_a_limit_below_a_name_is_its_index(name: str) -> None:
    paper = Paper()
    paper.text(120, 80, name)
    paper.text(122, 86.5, "n=1", size=6)
    paper.text(145, 80, "h")
    assert read(paper).text == f"{name}_(n=1) h"


def test_variables_that_tex_does_not_have_are_in_doubt() -> None:
    paper = Paper()
    for left, text, font in (
        (100, "the variance \u00c3", "Times-Bold"),
        (175, "= 7", "Times-Roman"),
    ):
        paper.text(left, 80, text, font=font)
    document = read(paper.finished().replace(b"Times-Bold", b"LMMathIt10"))
    assert [document.text[each.start : each.end] for each in document.layout.doubts] == ["\u00c3"]
    assert find(document, "the variance \u00c3= 7").grade == "uncertain"


def test_letters_that_a_program_has_misnamed_are_read_by_their_places_in_doubt() -> None:
    paper = Paper()
    paper.text(100, 80, "the weight \u00b4", font="Times-Bold")
    document = read(paper.finished().replace(b"Times-Bold", b"LMMathIt10"))
    assert document.text == "the weight β"
    assert find(document, "the weight β").grade == "uncertain"


def test_the_signs_of_the_successors_of_a_font_of_tex_are_at_the_same_places() -> None:
    paper = Paper()
    paper.text(100, 80, "P", size=14, font="Helvetica-Oblique")
    paper.text(118, 80, "h of w")
    content = paper.finished().replace(b"Helvetica-Oblique", b"LMMathExtension10")
    assert "∑ h of w" in read(content).text


def test_a_raised_variable_is_an_exponent() -> None:
    paper = Paper()
    for left, down, text, font in ((100, 80, "w = h", "Times-Roman"), (122, 76, "n", "Times-Bold")):
        paper.text(left, down, text, size=10 if down == 80 else 6, font=font)
    content = paper.finished().replace(b"Times-Bold", b"CMMI7     ")  # another name, as long
    document = read(content)
    assert document.text == "w = h^n"
    assert find(document, "$w = h^n$").accepted
    assert not find(document, "w = hn").accepted


@pytest.mark.parametrize("font", ["CMMI7     ", "STIXMath  "])
def test_a_lowered_variable_is_an_index(font: str) -> None:
    paper = Paper()
    for left, down, text, size in ((100, 80, "w = h", 10), (122, 82, "i", 6), (124, 80, "+ k", 10)):
        paper.text(left, down, text, size=size, font="Times-Bold" if size == 6 else "Times-Roman")
    document = read(paper.finished().replace(b"Times-Bold", font.encode()))
    assert document.text.replace(" +", "+") == "w = h_i+ k"
    assert find(document, "$w = h_i + k$").accepted


def test_an_index_of_several_signs_is_in_brackets() -> None:
    paper = Paper()
    paper.text(100, 80, "w = h")
    paper.text(122, 82, "t−1", size=6, font="Times-Bold")
    content = paper.finished().replace(b"Times-Bold", b"CMMI7     ")
    assert read(content).text.replace("-", "−") == "w = h_(t−1)"


def test_what_is_lowered_is_before_what_is_raised_above_it() -> None:
    paper = Paper()
    for left, down, text, size in ((100, 80, "w = h", 10), (122, 76, "2", 6), (122, 82, "ij", 6)):
        paper.text(left, down, text, size=size)
    assert read(paper).text == "w = hij²"


def test_a_root_is_of_what_is_below_its_line() -> None:
    paper = Paper()
    paper.text(100, 80, "w =")
    paper.text(120, 80, "√", font="Symbol")
    paper.text(126, 80, "a + b")
    bar(paper, 125.4, 72, 152)
    assert read(paper).text == "w = √(a + b)"

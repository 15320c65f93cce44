"""Formulas of PDF files: fractions, and the limits of sums, as linear text."""

from __future__ import annotations

import pytest

from citeguard.documents.pdf.characters import TEX
from documents.pdf.making import HEIGHT, Paper, read


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
    assert [chr(TEX["CMEX"][ord("X")]), chr(TEX["CMSY"][ord("0")])] == ["∑", "′"]


def test_a_sum_of_tex_is_level_with_its_line_and_has_its_limits() -> None:
    paper = Paper()
    paper.text(100, 80, "w =")
    paper.text(122, 70.5, "X", font="Times-Bold")
    paper.text(122, 91, "i=1", size=6)
    paper.text(124.5, 66, "n", size=6)
    paper.text(134, 80, "h")
    content = paper.finished().replace(b"Times-Bold", b"CMEX10    ")  # another name, as long
    assert read(content).text == "w = ∑i=1n h"

"""Line numbers in the margin are no text; numbers in a table are."""

import pytest

from documents.pdf.making import Paper, read

LINES = [
    "The harbour was built in the reign of the third king, who never saw it",
    "finished, and whose heirs let it silt up for a century before the traders",
    "of the upper town came together and paid for dredging with a tax on salt,",
    "which the fishermen of the lower town refused to pay until they were given",
]


def manuscript(step: int, pages: int = 1, left: float | None = None) -> Paper:
    """Write lines with their numbers beside each of them, or each fifth."""
    paper = Paper()
    number = 0
    for _ in range(pages):
        for place in range(24):
            paper.text(60, 60 + 16 * place, LINES[place % 4])
            number += 1
            if left is not None and number % step == 0:
                paper.text(left - 4 * len(str(number)), 60 + 16 * place, str(number), size=8)
        paper.next_page()
    return paper


class TestLineNumbers:
    @pytest.mark.parametrize(
        ("step", "pages", "left"), [(1, 1, 40), (1, 3, 40), (5, 3, 40), (1, 1, 400)]
    )
    def test_are_left_out(self, step: int, pages: int, left: float) -> None:
        document = read(manuscript(step, pages, left))
        assert document.text == read(manuscript(step, pages)).text

    def test_stay_in_the_text_of_the_page(self) -> None:
        assert "24" in read(manuscript(1, 1, 40)).layout.pages[0].text

    def test_that_are_few_stay(self) -> None:
        assert "5" in read(manuscript(5, 2, 40)).text

    def test_are_none_in_a_table(self) -> None:
        paper = Paper()
        for row in range(1, 30):
            for left, cell in zip((50, 80, 220), (str(row), "Ship of oak", "of salt"), strict=True):
                paper.text(left, 50 + 14 * row, cell)
        assert "17 Ship of oak of salt" in read(paper).text

    def test_are_none_if_text_crosses_the_margin(self) -> None:
        paper = Paper()
        for row in range(1, 16):
            paper.text(50, 50 + 14 * row, str(row))
            paper.text(80, 50 + 14 * row, LINES[row % 4])
        paper.lines(50, 300, LINES)
        assert "7 which the fishermen" in read(paper).text

    def test_are_left_out_beside_headings_in_large_type(self) -> None:
        """The number is so close to the large type that both look like one piece of a line."""
        paper = Paper()
        for place in range(24):
            paper.text(64, 60 + 16 * place, LINES[place % 4])
            paper.text(56 - 4 * len(str(place + 1)), 60 + 16 * place, str(place + 1), size=8)
        paper.text(48, 444, "25")
        paper.text(64, 444, "2 The Ships", size=18)
        headings = read(paper).layout.headings
        assert [heading.text for heading in headings] == ["2 The Ships"]

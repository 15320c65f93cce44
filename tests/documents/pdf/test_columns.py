"""Columns are read one after another, whatever the order in the file."""

import random

import pytest

from documents.pdf.making import Paper, page_of, paragraphs_of, read
from rows import each_row

LEFT = [
    "The harbour was built in the reign of the",
    "third king, who never saw it finished, and",
    "whose heirs let it silt up for a century",
    "before the traders of the upper town came",
    "together and paid for dredging with a tax",
    "on salt, which the fishermen of the lower",
]
RIGHT = [
    "town refused to pay until they were given",
    "berths of their own along the outer wall.",
    "Ships of four nations lay there in spring,",
    "and the customs house kept eleven clerks",
    "at work from dawn until the lamps were lit",
    "along the quay, where singing was allowed.",
]
ROWS = [("Country", "Capital", "Towns"), ("France", "Paris", "12"), ("Spain", "Madrid", "7")]


def words_of(lines: list[str]) -> str:
    return " ".join(lines)


class TestTwoColumns:
    def test_are_read_from_the_left_if_the_file_has_them_line_by_line(self) -> None:
        paper = Paper()
        for number, pair in enumerate(zip(LEFT, RIGHT, strict=True)):
            for left, line in zip((20, 220), pair, strict=True):
                paper.text(left, 60 + 12 * number, line)
        assert read(paper).text == words_of(LEFT + RIGHT)

    def test_are_read_from_the_left_if_the_file_has_no_order(self) -> None:
        paper = Paper()
        placed = [(20, 60 + 12 * i, line) for i, line in enumerate(LEFT)]
        placed += [(220, 65 + 12 * i, line) for i, line in enumerate(RIGHT)]
        random.Random(1).shuffle(placed)
        for left, down, line in placed:
            paper.text(left, down, line)
        assert read(paper).text == words_of(LEFT + RIGHT)

    def test_may_have_type_of_two_sizes(self) -> None:
        """A gap in one column level with a change in the other ends neither."""
        paper = Paper()
        paper.lines(20, 60, LEFT * 2, size=8, leading=10)
        paper.text(20, 190, "The Ships", size=10, font="Times-Bold")
        paper.lines(20, 204, RIGHT, size=9.2, leading=11)
        paper.lines(220, 67, LEFT + RIGHT + LEFT[:2], size=8, leading=10)
        paper.lines(220, 216, RIGHT, size=8, leading=10)
        text = read(paper).text
        first = text.index("The Ships")
        assert (
            text[first:].removeprefix("The Ships").split()
            == " ".join([*RIGHT, *LEFT, *RIGHT, *LEFT[:2], *RIGHT]).split()
        )

    @each_row("far", [10, 11.5])
    def test_may_be_short_and_near_if_their_edges_are_straight(self, far: float) -> None:
        """A gap as wide as the type is usual."""
        paper = Paper()
        sides = [*LEFT[:2], "before."], [*RIGHT[:2], "Ships lay there."]
        for number, pair in enumerate(zip(*sides, strict=True)):
            for left, line in zip((30, 210 + far), pair, strict=True):
                words = line.split()
                wide = paper.canvas.stringWidth("".join(words), "Times-Roman", 10)
                gap = (180 - wide) / (len(words) - 1) if number < 2 else 2.5
                for word in words:
                    paper.text(left, 60 + 12 * number, word)
                    left += gap + paper.canvas.stringWidth(word, "Times-Roman", 10)
        assert read(paper).text.split() == words_of(sides[0] + sides[1]).split()


class TestThreeColumns:
    def test_are_read_from_the_left(self) -> None:
        paper = Paper(width=620)
        third = [line.replace("the", "this") for line in LEFT]
        for left, lines in ((420, third), (20, LEFT), (220, RIGHT)):
            paper.lines(left, 60, lines)
        assert read(paper).text == words_of(LEFT + RIGHT) + "\n\n" + words_of(third)


class TestWhatSpansTheColumns:
    def test_title_and_abstract_come_first(self) -> None:
        paper = Paper()
        paper.lines(220, 120, RIGHT)
        paper.lines(20, 120, LEFT)
        abstract = "This abstract runs over the whole width of the page, and says in one sentence "
        paper.text(120, 40, "A History of the Harbour", size=18)
        paper.lines(20, 70, [abstract, "what the reader will find in the two columns below."])
        first, second, *rest = paragraphs_of(read(paper))
        assert first == "A History of the Harbour"
        assert second.endswith("what the reader will find in the two columns below.")
        assert rest == [words_of(LEFT + RIGHT)]

    @each_row("gap, line", [(24, "Boats left at six."), (12, "The boats left.")])
    def test_line_below_both_does_not_interrupt_a_sentence(self, gap: int, line: str) -> None:
        paper = Paper()
        down = paper.lines(20, 60, LEFT)
        paper.lines(220, 60, RIGHT)
        paper.text(20, down - 12 + gap, line)
        assert paragraphs_of(read(paper)) == [words_of(LEFT + RIGHT), line]

    def test_last_line_of_the_first_stays_before_the_second(self) -> None:
        paper = Paper()
        paper.lines(20, 60, [*LEFT, *RIGHT[:2]])
        paper.lines(220, 60, [*RIGHT[2:], "The salt stayed here."])
        words = words_of([*LEFT, *RIGHT, "The salt stayed here."]).split()
        assert read(paper).text.split() == words

    def test_figure_at_the_foot_does_not_interrupt_a_sentence(self) -> None:
        paper = Paper()
        paper.lines(20, 60, LEFT)
        paper.lines(220, 60, RIGHT[:1])
        paper.text(
            20,
            160,
            "Figure 1: A drawing of the harbour, from a chart in the town's archive,",
            size=9,
        )
        paper.next_page()
        paper.lines(20, 60, RIGHT[1:])
        document = read(paper)
        assert (
            page_of(document, "until they were given berths of their own along the outer wall") == 1
        )
        assert page_of(document, "A drawing of the harbour, from a chart") == 1


class TestTables:
    def test_are_read_row_by_row(self) -> None:
        paper = Paper()
        paper.text(20, 40, "The table below names the capitals of two of these countries.")
        for number, row in enumerate(ROWS):
            for left, cell in zip((20, 140, 260), row, strict=True):
                paper.text(left, 70 + 14 * number, cell)
        assert paragraphs_of(read(paper))[1].split("\n") == [" | ".join(row) for row in ROWS]


class TestSideways:
    def test_stamp_in_the_margin_is_put_aside(self) -> None:
        paper = Paper()
        paper.canvas.saveState()
        paper.canvas.rotate(90)
        paper.canvas.drawString(200, -15, "preprint:2101.00001v2 of 5 January 2021")
        paper.canvas.restoreState()
        paper.lines(40, 60, LEFT)
        document = read(paper)
        assert document.text == words_of(LEFT)
        assert "preprint" in document.layout.pages[0].text

    @each_row("turn", [0, 90, 180, 270])
    def test_page_is_read_as_it_is_shown(self, turn: int) -> None:
        paper = Paper()
        paper.canvas.setPageRotation(turn)
        paper.canvas.translate(*{0: (0, 0), 90: (595, 0), 180: (420, 595), 270: (0, 420)}[turn])
        paper.canvas.rotate(turn)
        for number, line in enumerate(LEFT):
            paper.canvas.drawString(30, 360 - 12 * number, line)
        document = read(paper)
        page = document.layout.pages[0]
        assert document.text == words_of(LEFT)
        assert (page.width, page.height) == (420, 595)
        first, last = document.layout.boxes(0, len(document.text))[:: len(LEFT) - 1]
        assert first.left == pytest.approx(30, abs=2)
        assert last.top - first.top == pytest.approx(60, abs=2)
        assert first.bottom == pytest.approx(595 - 360, abs=4)


class TestNotesInTheMargin:
    @each_row(
        ("lefts", "note", "size"),
        [
            ((100, 20), ["Only ships", "that had paid"], 7),
            ((20, 230), ["Only ships", "that had paid"], 7),
            ((100, 20), ["Only ships", "that had paid"], 10),
            ((60, 20), ["137"], 10),
            ((20, 230), ["Not one of the kings"], 8),
        ],
    )
    def test_are_apart_from_the_text(
        self, lefts: tuple[int, int], note: list[str], size: float
    ) -> None:
        paper = Paper()
        for number, line in enumerate(LEFT + RIGHT):
            paper.text(lefts[0], 60 + 12 * number, line)
        paper.lines(lefts[1], 60 + 36, note, size=size)
        blocks = read(paper).text.split("\n\n")
        assert sorted(blocks) == sorted([words_of(LEFT + RIGHT), " ".join(note)])

    def test_are_no_terms_before_what_they_mean(self) -> None:
        paper = Paper()
        for number, line in enumerate(LEFT + RIGHT):
            paper.text(100, 60 + 12 * number, line)
            if number % 4 == 0:
                paper.text(20, 60 + 12 * number, f"harbour {number}")
        assert "harbour 4 together and paid" in read(paper).text

    def test_are_no_small_cells_beside_their_rows(self) -> None:
        paper = Paper()
        for row, (first, second) in enumerate(zip(LEFT, RIGHT, strict=True)):
            paper.lines(20, 60 + 40 * row, [first, second])
            paper.text(250, 60 + 40 * row, f"done in May {row}", size=8)
        text = read(paper).text
        assert [text.index(f"May {row}") < text.index(RIGHT[row]) for row in range(6)] == [True] * 6

"""Running heads and feet, page and line numbers are left out; lines of the text never are."""

from collections.abc import Callable

from documents.pdf.making import HEIGHT, Paper, read
from rows import each_row

BODY = [
    "Later the clerk of the harbour kept a book in which",
    "he wrote down every ship that passed the wall,",
    "with the name of its master and of its cargo,",
    "and he did so until the very day on which the",
    "last of them left; he closed the book, and the",
    "keys of the house were then given to the town.",
]


def book(pages: int, *drawn: Callable[[Paper, int], None], body: list[str] = BODY) -> Paper:
    """Make a book whose pages all have the same lines, and what is drawn on each of them."""
    paper = Paper()
    for number in range(1, pages + 1):
        for draw in drawn:
            draw(paper, number)
        paper.lines(50, 90, body)
        paper.next_page()
    return paper


def foot(words: str, left: float = 200) -> Callable[[Paper, int], None]:
    return lambda paper, number: paper.text(left, HEIGHT - 30, words.format(number), size=9)


def head(words: str, left: float = 50, size: float = 9) -> Callable[[Paper, int], None]:
    return lambda paper, number: paper.text(left, 40, words.format(number), size=size)


def alternating(even: str, odd: str) -> Callable[[Paper, int], None]:
    def draw(paper: Paper, number: int) -> None:
        words, left = (even, 50) if number % 2 == 0 else (odd, 250)
        paper.text(left, 40, words.format(number), size=9)

    return draw


def chapters(paper: Paper, number: int) -> None:
    names = ["The Wall", "The Wall", "The Ships", "The Clerks", "The Clerks", "The End"]
    paper.text(50, 40, names[number - 1], size=10, font="Times-Italic")


def roman(paper: Paper, number: int) -> None:
    paper.text(200, HEIGHT - 30, ["i", "ii", "iii", "iv"][number - 1], size=10)


FURNITURE = {
    "numbers": (3, [foot("{}")]),
    "numbers that are pages of a total": (3, [foot("Page {} of 3")]),
    "Roman numbers": (4, [roman]),
    "a head with a number": (3, [head("A History of the Harbour    {}")]),
    "heads of left and right pages": (5, [alternating("{}  A. Clerk", "The Harbour  {}")]),
    "heads that name the chapter": (6, [chapters, foot("{}")]),
    "head and foot": (3, [head("The Harbour"), foot("{} / 3"), foot("draft of 3 May", 50)]),
    "a head larger than the text": (4, [head("The Harbour", size=12)]),
}


class TestHeadsAndFeet:
    @each_row(("pages", "drawn"), FURNITURE.values(), ids=FURNITURE)
    def test_are_left_out(self, pages: int, drawn: list[Callable[[Paper, int], None]]) -> None:
        with_them, without = read(book(pages, *drawn)), read(book(pages))
        assert with_them.text == without.text

    def test_stay_in_the_text_of_the_page(self) -> None:
        document = read(book(3, head("The Harbour"), foot("page {}")))
        assert [page.text.splitlines()[0] for page in document.layout.pages] == ["The Harbour"] * 3
        assert "page 2" in document.layout.pages[1].text


class TestTextAtTheEdge:
    def test_that_every_page_repeats_close_to_the_text_stays(self) -> None:
        """A table that goes on repeats its head on every page, at the distance of its rows."""
        paper = Paper()
        for number in range(3):
            for row, cells in enumerate([("Year", "Ships"), (str(1800 + number), str(number * 7))]):
                for left, cell in zip((50, 200), cells, strict=True):
                    paper.text(left, 60 + 14 * row, cell)
            paper.lines(
                50, 60 + 28, [f"{1810 + number} and later: none in {number} years"], leading=14
            )
            paper.text(50, 60 + 42, "no more ships were seen", size=10)
            paper.next_page()
        assert read(paper).text.count("Year Ships") == 3

    def test_that_numbers_sections_stays(self) -> None:
        paper = Paper()
        for number, title in enumerate(["Introduction", "Methods", "Results"], start=1):
            paper.text(50, 40, f"{number} {title}", size=11, font="Times-Bold")
            paper.lines(50, 80, BODY)
            paper.next_page()
        assert [heading.text for heading in read(paper).layout.headings] == [
            "1 Introduction",
            "2 Methods",
            "3 Results",
        ]


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
    @each_row(
        ("step", "pages", "left"),
        [(1, 1, 40), (1, 3, 40), (5, 3, 40), (5, 1, 40), (10, 1, 40), (1, 1, 400)],
    )
    def test_are_left_out(self, step: int, pages: int, left: float) -> None:
        document = read(manuscript(step, pages, left))
        assert document.text == read(manuscript(step, pages)).text

    def test_between_columns_and_alone_on_the_last_page_are_left_out(self) -> None:
        """As in a patent: each fifth line has a number, and the last page few lines."""

        def patent(*, numbered: bool) -> Paper:
            paper = Paper()
            for lines in (24, 7):
                for place in range(lines):
                    for left in (20, 225):
                        paper.text(left, 60 + 16 * place, LINES[place % 4][:30])
                    if numbered and place % 5 == 4:
                        number = str(place + 1)
                        paper.text(208 - 2 * len(number), 60 + 16 * place, number, size=8)
                paper.next_page()
            return paper

        assert read(patent(numbered=True)).text == read(patent(numbered=False)).text

    @each_row(("first", "step"), [(2000, 5), (10, 5), (10, 10)])
    def test_are_no_years_and_no_doses(self, first: int, step: int) -> None:
        paper = Paper()
        for place in range(20):
            paper.text(70, 60 + 16 * place, LINES[place % 4])
            if place % step == 0:
                paper.text(40, 60 + 16 * place, str(first + place))
        text = read(paper).text
        assert all(str(first + place) in text for place in range(0, 20, step))

    def test_are_none_in_a_list_of_steps(self) -> None:
        paper = Paper()
        for place, words in enumerate(LINES * 2):
            paper.text(60, 60 + 16 * place, words)
            if place % 2:
                paper.text(40, 60 + 16 * place, str(5 * place))
        assert "35 which the fishermen" in read(paper).text

    def test_are_none_in_a_table(self) -> None:
        paper = Paper()
        for row in range(1, 30):
            for left, cell in zip((50, 80, 220), (str(row), "Ship of oak", "of salt"), strict=True):
                paper.text(left, 50 + 14 * row, cell)
        assert "17 | Ship of oak | of salt" in read(paper).text

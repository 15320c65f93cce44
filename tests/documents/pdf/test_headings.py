"""Which words are headings, how high each is, and which of them is the title."""

from documents.pdf.making import Paper, read
from rows import each_row

LINES = ["The harbour was built in the reign of the third", "king, who never saw it finished."]
TEXT = LINES * 5  # with which the text of a file begins


class Book(Paper):
    """A file whose headings and text stand below each other."""

    down = 40.0

    def heading(self, words: str, size: float = 14, font: str = "Times-Bold") -> None:
        self.text(50, self.down, words, size=size, font=font)
        self.down += size + 8

    def body(self, lines: list[str] = TEXT) -> None:
        self.down = self.lines(50, self.down, lines) + 10

    def outline(self) -> list[tuple[str, int]]:
        return [(found.text, found.level) for found in read(self).layout.headings]


def titles_of(book: Book) -> list[str]:
    return [words for words, _ in book.outline()]


class TestWords:
    @each_row(
        "words",
        [
            "who never saw it finished",
            "The harbour was never finished.",
            "The harbour, the wall,",
            "1 n",
            "(a) (b)",
            "clerk@harbour.example",
            " ".join(["Stones"] * 21),
        ],
    )
    def test_of_a_sentence_are_no_heading(self, words: str) -> None:
        book = Book(width=900)
        book.body()
        book.heading(words, size=11.5)
        book.body()
        assert book.outline() == []

    @each_row(
        "words",
        ["The Wall", "2.1 zoo: A class", "3. Stones.", "Was it built?", "who built it"],
    )
    def test_of_a_title_are(self, words: str) -> None:
        book = Book()
        book.body()
        book.heading(words, size=16 if words[0] == "w" else 11.5)
        book.body()
        assert titles_of(book) == [words]


class TestFrontMatter:
    def paper(self) -> Book:
        book = Book()
        book.heading("Annals", size=22)
        book.heading("A History of the Harbour", size=18)
        book.heading("Ann Clerk", size=12, font="Times-Roman")
        book.heading("The Old Customs House, Lower Town", size=11.5, font="Times-Roman")
        book.heading("ABSTRACT", size=10)
        book.body()
        for words in ("1 The Wall", "2 The Ships"):
            book.heading(words, size=12)
            book.body()
        return book

    def test_has_a_title_and_no_other_headings(self) -> None:
        assert titles_of(self.paper()) == [
            "A History of the Harbour",
            "ABSTRACT",
            "1 The Wall",
            "2 The Ships",
        ]


class TestLevels:
    def outline(self, *headings: tuple[str, float]) -> list[tuple[str, int]]:
        book = Book(height=2000)
        book.body()
        for words, size in headings:
            book.heading(words, size=size)
            book.body()
        return book.outline()

    def test_are_those_of_the_numbers(self) -> None:
        """Though the type of all is nearly the same."""
        headings = [("1 Wall", 12), ("1.1 Old", 12), ("1.1.1 Stones", 11.5), ("2 Ships", 12)]
        assert [level for _, level in self.outline(*headings)] == [1, 2, 3, 1]


class TestLooks:
    def test_are_larger_than_the_text(self) -> None:
        paper = Paper()
        paper.text(50, 40, "A History of the Harbour", size=18)
        paper.text(50, 70, "The Wall", size=13)
        down = paper.lines(50, 90, LINES * 4)
        paper.text(50, down + 10, "The Ships", size=13)
        paper.lines(50, down + 30, LINES * 4)
        document = read(paper)
        assert [(heading.text, heading.level) for heading in document.layout.headings] == [
            ("A History of the Harbour", 1),
            ("The Wall", 1),
            ("The Ships", 1),
        ]
        for heading in document.layout.headings:
            assert document.text[heading.start : heading.end] == heading.text

    def test_without_bookmarks_are_below_those_that_have_some(self) -> None:
        paper = Paper()
        paper.canvas.bookmarkPage("wall")
        paper.canvas.addOutlineEntry("The Wall", "wall", 0)
        paper.text(50, 40, "The Wall", size=14)
        down = paper.lines(50, 60, LINES * 3)
        paper.text(50, down + 10, "Its stones", size=12)
        down = paper.lines(50, down + 30, LINES * 3)
        paper.text(50, down + 10, "The Ships", size=14)
        paper.lines(50, down + 30, LINES * 3)
        assert [(heading.text, heading.level) for heading in read(paper).layout.headings] == [
            ("The Wall", 1),
            ("Its stones", 2),
            ("The Ships", 1),
        ]

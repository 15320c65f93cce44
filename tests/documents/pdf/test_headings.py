"""Which words are headings, how high each is, and which of them is the title."""

import pytest

from documents.pdf.making import Paper, read

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
    @pytest.mark.parametrize(
        "words",
        [
            "who never saw it finished",
            "The harbour was never finished.",
            "The harbour, the wall,",
            "1 n",
            "(a) (b)",
            "E = mc2",
            "The depth of water (7)",
            "clerk@harbour.example",
            " ".join(["Stones"] * 21),
        ],
    )
    def test_of_a_sentence_or_a_formula_are_no_heading(self, words: str) -> None:
        book = Book(width=900)
        book.body()
        book.heading(words, size=11.5)
        book.body()
        assert book.outline() == []

    @pytest.mark.parametrize(
        "words",
        ["The Wall", "2.1 zoo: A class", "3. Stones.", "Was it built?", "who built it"],
    )
    def test_of_a_title_are(self, words: str) -> None:
        book = Book()
        book.body()
        book.heading(words, size=16 if words[0] == "w" else 11.5)
        book.body()
        assert titles_of(book) == [words]

    def test_in_capitals_with_a_number_are_a_heading_in_the_type_of_the_text(self) -> None:
        book = Book()
        book.body()
        book.heading("II. THE WALL", size=10, font="Times-Roman")
        book.body()
        assert titles_of(book) == ["II. THE WALL"]

    def test_in_a_table_of_contents_are_none(self) -> None:
        book = Book()
        for words in ("1 The Wall", "2 The Ships"):
            book.heading(words, size=10)
        book.body()
        for words in ("1 The Wall", "2 The Ships"):
            book.heading(words, size=12)
            book.body()
        assert titles_of(book) == ["1 The Wall", "2 The Ships"]


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

    def test_title_is_that_of_the_document(self) -> None:
        assert read(self.paper()).title == "A History of the Harbour"

    def test_title_of_the_metadata_goes_first(self) -> None:
        book = self.paper()
        book.canvas.setTitle("The Harbour")
        assert read(book).title == "The Harbour"

    def test_sections_are_not_in_the_title(self) -> None:
        document = read(self.paper())
        start = document.text.index("2 The Ships") + 20
        assert document.layout.headings_at(start) == ("2 The Ships",)

    def test_of_a_file_with_one_heading_below_is_the_heading_above_it(self) -> None:
        book = Book()
        book.heading("A History of the Harbour", size=18)
        book.body()
        book.heading("Its Wall", size=12)
        book.body()
        assert book.outline() == [("A History of the Harbour", 1), ("Its Wall", 2)]


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

    def test_without_a_number_are_those_of_numbered_headings_that_look_so(self) -> None:
        headings = [("1 Wall", 14), ("1.1 Old stones", 12), ("New stones", 12), ("Sources", 14)]
        assert [level for _, level in self.outline(*headings)] == [1, 2, 2, 1]

    def test_of_references_are_those_of_the_highest_numbered(self) -> None:
        headings = [("1 Wall", 14), ("1.1 Old stones", 12), ("References", 11.5)]
        assert [level for _, level in self.outline(*headings)] == [1, 2, 1]

    def test_have_no_gaps(self) -> None:
        headings = [("The Wall", 18), ("Stones", 12), ("The Ships", 18), ("Oars", 14), ("Wood", 12)]
        assert [level for _, level in self.outline(*headings)] == [1, 2, 1, 2, 3]

    def test_of_a_label_right_above_a_heading_is_that_of_the_heading(self) -> None:
        book = Book(height=1200)
        book.body()
        for number, words in enumerate(("The Wall", "The Ships"), start=1):
            book.heading(f"Chapter {number}", size=13)
            book.heading(words, size=18)
            book.body()
        assert [level for _, level in book.outline()] == [1, 1, 1, 1]

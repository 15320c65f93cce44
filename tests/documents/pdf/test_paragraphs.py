"""Lines are joined into paragraphs; lists, rows and headings stand apart."""

from documents.pdf.making import Paper, page_of, paragraphs_of, read

FIRST = [
    "The harbour was built in the reign of the third",
    "king, who never saw it finished, and whose heirs",
    "let it silt up.",
]
SECOND = [
    "Ships of four nations lay there in every spring,",
    "and the customs house kept eleven clerks at work",
    "from dawn until the lamps were lit.",
]


def words_of(lines: list[str]) -> str:
    return " ".join(lines)


class TestParagraphs:
    def test_are_parted_by_a_gap(self) -> None:
        paper = Paper()
        down = paper.lines(50, 60, FIRST)
        paper.lines(50, down + 8, SECOND)
        assert paragraphs_of(read(paper)) == [words_of(FIRST), words_of(SECOND)]

    def test_go_on_on_the_next_page(self) -> None:
        paper = Paper()
        paper.lines(50, 60, FIRST[:2])
        paper.next_page()
        paper.lines(50, 60, FIRST[2:] + SECOND)
        document = read(paper)
        assert paragraphs_of(document)[0] == words_of(FIRST)
        assert page_of(document, "whose heirs let it silt up") == 1
        assert page_of(document, "Ships of four nations lay there") == 2

    def test_are_not_interrupted_by_a_caption_at_the_top_of_the_next_page(self) -> None:
        paper = Paper()
        paper.lines(50, 60, FIRST[:2])
        paper.next_page()
        paper.text(50, 60, "Table 2: The number of ships in the harbour.", size=9)
        paper.lines(50, 100, FIRST[2:] + SECOND)
        found = paragraphs_of(read(paper))
        assert found[:2] == [words_of(FIRST), "Table 2: The number of ships in the harbour."]


class TestLists:
    def test_have_items_of_their_own(self) -> None:
        paper = Paper()
        paper.lines(50, 60, ["The clerks counted three kinds of ships:"])
        for number, item in enumerate(["those that sailed", "those that rowed", "those that sank"]):
            paper.text(60, 80 + 12 * number, "\u2022")
            paper.text(75, 80 + 12 * number, item)
        assert paragraphs_of(read(paper))[1:] == [
            "• those that sailed",
            "• those that rowed",
            "• those that sank",
        ]


class TestWords:
    def test_without_spaces_in_the_file_are_parted_by_their_gaps(self) -> None:
        paper = Paper()
        for number, line in enumerate(FIRST):
            left = 50.0
            for word in line.split():
                paper.text(left, 60 + 12 * number, word)
                left += paper.canvas.stringWidth(word, "Times-Roman", 10) + 2.6
        assert read(paper).text == words_of(FIRST)

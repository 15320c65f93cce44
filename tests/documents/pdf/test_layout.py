"""What the layout of a PDF file says: pages, boxes, headings; and its title."""

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from documents.pdf.making import HEIGHT, Paper, find, read, sources_of

LINES = ["The harbour was built in the reign of the third", "king, who never saw it finished."]


def simple() -> Paper:
    paper = Paper()
    paper.lines(50, 60, LINES)
    return paper


class TestPages:
    def test_have_numbers_sizes_and_the_text_of_the_file(self) -> None:
        paper = simple()
        paper.next_page()
        paper.canvas.setPageSize((300, 200))
        paper.text(50, HEIGHT - 100, "exam-")
        first, second = read(paper).layout.pages
        assert (first.number, first.width, first.height, first.text) == (
            1,
            420,
            HEIGHT,
            "\n".join(LINES),
        )
        assert (second.number, second.width, second.height, second.text) == (2, 300, 200, "exam-")

    def test_have_labels(self) -> None:
        paper = simple()
        paper.canvas.addPageLabel(0, "ROMAN_LOWER", 4)
        assert read(paper).layout.pages[0].label == "iv"

    def test_are_numbered_without_labels(self) -> None:
        assert read(simple()).layout.pages[0].label == "1"

    def test_may_be_empty(self) -> None:
        paper = Paper()
        paper.next_page()
        paper.lines(50, 60, LINES)
        document = read(paper)
        assert [page.text for page in document.layout.pages] == ["", "\n".join(LINES)]
        assert document.layout.page_at(0) == document.layout.pages[1]


class TestBoxes:
    def test_stand_where_the_words_are_printed(self) -> None:
        paper = simple()
        document = read(paper)
        match = find(document, "reign of the third king, who")
        first, second = sources_of(document).location_of(match.spans[0]).boxes
        before, words = LINES[0].partition("reign")[0], LINES[0][LINES[0].index("reign") :]
        left = 50 + paper.canvas.stringWidth(before, "Times-Roman", 10)
        assert first.left == pytest.approx(left, abs=0.5)
        width = paper.canvas.stringWidth(words, "Times-Roman", 10)
        assert first.right == pytest.approx(left + width, abs=0.5)
        assert first.top < 60 - 6 < 60 < first.bottom < 60 + 4
        assert second.left == pytest.approx(50, abs=0.5)

    def test_count_from_the_corner_of_what_is_shown(self) -> None:
        paper = Paper(cropBox=(40, 0, 420, 545))
        paper.lines(50, 60, LINES)
        document = read(paper)
        page, box = document.layout.pages[0], document.layout.boxes(0, 3)[0]
        assert (page.width, page.height) == (380, 545)
        assert box.left == pytest.approx(10, abs=0.5)
        assert box.bottom == pytest.approx(60 - 50 + 2, abs=1)

    def test_part_the_letters_of_a_ligature(self) -> None:
        pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
        paper = Paper()
        paper.text(50, 60, "an of\ufb01ce", font="Vera")
        document = read(paper)
        assert document.text == "an office"
        f, i = (document.layout.boxes(place, place + 1)[0] for place in (5, 6))
        assert f.left < f.right == pytest.approx(i.left, abs=0.01)
        assert i.left < i.right


class TestFile:
    def test_is_kept(self) -> None:
        content = simple().finished()
        assert read(content).layout.file == content


class TestTitle:
    def test_is_that_of_the_metadata(self) -> None:
        paper = simple()
        paper.canvas.setTitle("A History of\nthe Harbour")
        assert read(paper).title == "A History of the Harbour"

    @pytest.mark.parametrize(
        "title",
        ["untitled", "Microsoft Word - thesis_final2.docx", "paper.tex", "", "  ", "x" * 400],
    )
    def test_that_a_program_made_up_is_none(self, title: str) -> None:
        paper = simple()
        paper.canvas.setTitle(title)
        assert read(paper).title is None


class TestHeadings:
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

    def test_are_bold_or_numbered_by_depth(self) -> None:
        paper = Paper()
        down = 40.0
        for title in ("1 The Wall", "1.1 Its stones", "2 The Ships"):
            paper.text(50, down, title, font="Times-Bold")
            down = paper.lines(50, down + 16, LINES * 3) + 10
        assert [(heading.text, heading.level) for heading in read(paper).layout.headings] == [
            ("1 The Wall", 1),
            ("1.1 Its stones", 2),
            ("2 The Ships", 1),
        ]

    def test_may_look_like_the_text_if_the_file_has_bookmarks(self) -> None:
        paper = Paper()
        for level, title in enumerate(["The Wall", "Its stones"]):
            paper.canvas.bookmarkPage(title)
            paper.canvas.addOutlineEntry(title, title, level)
        paper.lines(50, 40, ["The Wall", *LINES * 3, "Its stones", *LINES])
        document = read(paper)
        assert [(heading.text, heading.level) for heading in document.layout.headings] == [
            ("The Wall", 1),
            ("Its stones", 2),
        ]

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

    def test_are_no_words_quoted_in_large_type(self) -> None:
        paper = Paper()
        paper.lines(50, 40, LINES * 4)
        paper.text(50, 160, "\u201cHe never saw it finished.\u201d", size=16)
        paper.lines(50, 190, LINES * 4)
        assert read(paper).layout.headings == ()

    def test_of_two_lines_are_one(self) -> None:
        paper = Paper()
        paper.lines(50, 40, ["A History of the Harbour and", "of Its Wall"], size=18, leading=21)
        paper.lines(50, 100, LINES * 4)
        titles = [heading.text for heading in read(paper).layout.headings]
        assert titles == ["A History of the Harbour and of Its Wall"]

    def test_are_no_bold_words_at_the_start_of_a_paragraph(self) -> None:
        paper = Paper()
        written = paper.canvas.beginText(50, 500)
        written.setFont("Times-Bold", 10)
        written.textOut("Remark. ")
        written.setFont("Times-Roman", 10)
        written.textOut("The harbour was built in a reign")
        paper.canvas.drawText(written)
        paper.lines(50, 595 - 488, LINES * 3)
        assert read(paper).layout.headings == ()

"""What the layout of a PDF file says, its title, and files that cannot be read."""

from io import BytesIO

import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from citeguard import InvalidSourcesError
from citeguard.documents import PageLimitError
from citeguard.documents.pdf.reader import read_pdf
from documents.pdf.making import HEIGHT, Paper, find, read, sources_of
from rows import each_row

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


class TestTitle:
    def test_is_that_of_the_metadata(self) -> None:
        paper = simple()
        paper.canvas.setTitle("A History of\nthe Harbour")
        assert read(paper).title == "A History of the Harbour"

    @each_row(
        "title",
        ["untitled", "Microsoft Word - thesis_final2.docx", "paper.tex", "", "  ", "x" * 400],
    )
    def test_that_a_program_made_up_is_none(self, title: str) -> None:
        paper = simple()
        paper.canvas.setTitle(title)
        assert read(paper).title is None


class TestFields:
    def test_are_those_of_the_metadata(self) -> None:
        paper = simple()
        paper.canvas.setAuthor("Ann Lee; Zo\xeb  M\xfcller")
        paper.canvas.setDateFormatter(lambda *_: "D:20190412093000+01'00'")
        fields = read(paper).layout.fields
        assert (fields.authors, fields.date) == (("Ann Lee", "Zoë Müller"), "2019-04-12")

    @each_row("author", ["anonymous", "Administrator", "thesis.docx", "Microsoft Office User", ""])
    def test_that_a_program_made_up_are_none(self, author: str) -> None:
        paper = simple()
        paper.canvas.setAuthor(author)
        assert read(paper).layout.fields.authors == ()

    @each_row("day", ["D:19700101000000", "D:20190231", "Friday", ""])
    def test_that_are_no_days_are_none(self, day: str) -> None:
        paper = simple()
        paper.canvas.setDateFormatter(lambda *_: day)
        assert read(paper).layout.fields.date is None


def with_words(pages: int = 1, **options: object) -> Paper:
    paper = Paper(**options)
    for number in range(pages):
        paper.text(50, 60, f"These are the words of page number {number + 1}.")
        paper.next_page()
    return paper


def picture() -> ImageReader:
    drawn = BytesIO()
    Image.new("RGB", (20, 20), "grey").save(drawn, "PNG")
    return ImageReader(drawn)


class TestEncryptedFiles:
    def test_that_need_a_password_say_so(self) -> None:
        paper = with_words(encrypt=StandardEncryption("secret", "owner", strength=128))
        with pytest.raises(
            InvalidSourcesError, match=r"needs a password; save a copy without one$"
        ):
            read(paper)


class TestDamagedFiles:
    @each_row("part", [0.2, 0.5, 0.9, 0.97])
    def test_that_were_cut_off_say_so(self, part: float) -> None:
        content = with_words(5).finished()
        with pytest.raises(
            InvalidSourcesError, match=r"^paper\.pdf: is damaged: the end of the file is missing$"
        ):
            read(content[: int(len(content) * part)])

    def test_with_a_damaged_page_name_it(self) -> None:
        content = with_words(3).finished()
        page = content.index(b"/Type /Page\n", content.index(b"/Type /Page\n") + 1)
        broken = content[:page] + b"/Type /Gape\n" + content[page + 12 :]
        with pytest.raises(InvalidSourcesError, match=r"^paper\.pdf: page 2 is damaged$"):
            read(broken)


class TestFilesWithoutText:
    def test_with_characters_that_nobody_can_tell_say_so(self) -> None:
        pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
        paper = Paper()
        paper.text(50, 60, "\ue001\ue002 \ue003", font="Vera")
        with pytest.raises(
            InvalidSourcesError, match=r"^paper\.pdf: does not say which characters"
        ):
            read(paper)


class TestPageLimit:
    def test_refuses_longer_files(self) -> None:
        content = with_words(3).finished()
        with pytest.raises(
            PageLimitError, match=r"^paper\.pdf: has 3 pages, and at most 2 are read"
        ):
            read_pdf(content, "paper.pdf", max_pages=2)

"""Pages without a text layer: they are named, or read by a function of the user's."""

from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader

from citeguard import CiteguardError, InvalidSourcesError, Sources, locate
from citeguard.documents import RecognisedWord, read_sources
from citeguard.documents.document import Document, data_of_document, document_from
from citeguard.sources.layout import Ocr
from documents.pdf.making import HEIGHT, WIDTH, Paper

LINES = (
    "Notice is given thirty days before the ship is sold to another yard,",
    "and it begins on the first day of the month that follows the sale.",
    "The crew of the ship keeps its pay.",
)


def scanned(before: int = 0, after: int = 0) -> bytes:
    """Return a file with a page that is a picture, between pages with a line of text each."""
    paper = Paper()
    for _ in range(before):
        paper.text(30, 60, "The harbour book of the town begins with this page.")
        paper.next_page()
    picture = Image.new("RGB", (2 * WIDTH, 2 * HEIGHT), "white")
    ImageDraw.Draw(picture).rectangle((60, 100, 120, 112), fill=(200, 0, 0))
    written = BytesIO()
    picture.save(written, "PNG")
    paper.canvas.drawImage(ImageReader(written), 0, 0, WIDTH, HEIGHT)
    paper.next_page()
    for _ in range(after):
        paper.text(30, 60, "The harbour book of the town ends with this page.")
        paper.next_page()
    return paper.finished()


def engine(confidence: Callable[[str], float] = lambda word: 0.97) -> Ocr:
    """Return text recognition that finds `LINES` from 60 points on, with boxes as tight as ink."""

    def words(picture: Image.Image) -> Iterator[RecognisedWord]:
        scale = picture.width / WIDTH
        for number, line in enumerate(LINES):
            left, base = 30.0, 60.0 + 12 * number
            for word in line.split():
                top = base - (4.6 if set(word) <= set("acemnorsuvwxz,") else 6.8)
                bottom = base + 2 * any(letter in word for letter in "gpy,")
                right = left + 4.5 * len(word)
                box = [scale * edge for edge in (left, top, right, bottom)]
                yield RecognisedWord(word, *box, confidence(word))
                left = right + 3

    return words


def read(ocr: Ocr | None, content: bytes | None = None) -> Sources:
    return read_sources([("scan.pdf", content or scanned())], ocr=ocr)


class TestWithoutRecognition:
    def test_a_file_of_pictures_is_an_error_that_names_its_pages(self) -> None:
        with pytest.raises(InvalidSourcesError, match=r"scan\.pdf: .* on page 1; .* pass ocr="):
            read(None)

    def test_pages_among_others_are_named(self) -> None:
        source = read(None, scanned(before=1, after=1))["scan"]
        assert source.warnings == (
            "page 2 has no text layer; pass ocr= to have the text recognised",
        )
        assert read(None, scanned(before=1))["scan"].text

    def test_the_names_are_kept_on_disk(self) -> None:
        source = read(None, scanned(before=2))["scan"]
        assert source.layout is not None
        saved = data_of_document(Document(text=source.text, layout=source.layout))
        assert document_from(saved, None).layout.warnings == source.warnings != ()

    def test_blank_pages_are_not(self) -> None:
        paper = Paper()
        paper.next_page()
        paper.text(30, 60, "The harbour book of the town.")
        assert read(None, paper.finished())["scan"].warnings == ()


class TestWords:
    def test_form_paragraphs_in_their_places(self) -> None:
        sources = read(engine(), scanned(before=1))
        assert sources["scan"].text.endswith("\n\n" + " ".join(LINES))
        assert sources["scan"].warnings == ()
        match = locate("The crew of the ship keeps its pay.", sources)
        assert match is not None
        assert match.grade == "exact"
        location = sources.location_of(match.span)
        assert location.page == 2
        [box] = location.boxes
        assert abs(box.left - 30) < 1
        assert abs(box.bottom - 86) < 1

    def test_the_picture_is_the_page(self) -> None:
        seen: list[Image.Image] = []

        def keep(picture: Image.Image) -> str:
            seen.append(picture)
            return "Notice is given."

        read(keep)
        [picture] = seen
        assert abs(picture.width - WIDTH * 300 / 72) < 2
        assert picture.getpixel((round(45 * 300 / 72), round(53 * 300 / 72))) == (200, 0, 0)

    def test_quotes_over_those_of_low_confidence_are_uncertain(self) -> None:
        sources = read(engine(lambda word: 0.4 if word == "thirty" else 0.97))
        unsure = locate("Notice is given thirty days before the ship is sold", sources)
        sure = locate("The crew of the ship keeps its pay.", sources)
        assert unsure is not None
        assert sure is not None
        assert (unsure.grade, sure.grade) == ("uncertain", "exact")
        assert [each.reason for each in unsure.doubts] == ["recognised"]

    def test_a_confidence_in_percent_is_an_error(self) -> None:
        with pytest.raises(CiteguardError, match="from 0 to 1, got 96 for 'Notice'"):
            read(engine(lambda word: 96))

    @pytest.mark.parametrize("found", [lambda _: 1 / 0, lambda _: None], ids=["raises", "nothing"])
    def test_of_a_function_that_fails_are_an_error_with_the_page(self, found: Ocr) -> None:
        with pytest.raises(CiteguardError, match=r"scan\.pdf: ocr failed on page 2: \w+Error: "):
            read(found, scanned(before=1))

    def test_that_are_not_found_are_an_error(self) -> None:
        with pytest.raises(InvalidSourcesError, match="finds none on page 1"):
            read(lambda picture: [])


class TestText:
    def test_is_split_into_paragraphs_and_all_of_it_is_uncertain(self) -> None:
        sources = read(lambda picture: "\n".join(LINES) + "\n\nThe clerk signs the book.")
        assert sources["scan"].text == " ".join(LINES) + "\n\nThe clerk signs the book."
        match = locate("The clerk signs the book.", sources)
        assert match is not None
        assert match.grade == "uncertain"

    def test_has_the_whole_page_as_its_place(self) -> None:
        sources = read(lambda picture: "The clerk signs the book.")
        match = locate("The clerk signs", sources)
        assert match is not None
        [box] = sources.location_of(match.span).boxes
        assert (box.page, box.left, box.top, box.right, box.bottom) == (1, 0, 0, WIDTH, HEIGHT)

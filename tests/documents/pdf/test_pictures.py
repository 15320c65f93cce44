from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from reportlab.pdfgen.canvas import Canvas

from auditing.papers import FOUNDED, HEIGHT, paper_file
from auditing.papers import WIDTH as PAPER_WIDTH
from citeguard.documents import read_sources
from citeguard.documents.pdf.pictures import WIDTH, page_picture
from citeguard.errors import CiteguardError
from citeguard.sources.layout import Box
from rows import each_row


def opened(picture: bytes | None) -> Image.Image:
    assert picture is not None
    image = Image.open(BytesIO(picture))
    assert image.format == "PNG"
    return image.convert("RGB")


def ink_of(picture: Image.Image) -> tuple[int, int, int, int] | None:
    """Return the box around what is dark in a grey picture: left, top, right, bottom."""
    return picture.point([255] * 128 + [0] * 128).getbbox()


def blank(*sizes: tuple[float, float]) -> bytes:
    """Return a PDF file of empty pages that have these sizes, in points."""
    written = BytesIO()
    canvas = Canvas(written)
    for size in sizes:
        canvas.setPageSize(size)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def full() -> bytes:
    """Return a PDF file of a page with ten thousand lines."""
    written = BytesIO()
    canvas = Canvas(written, pagesize=(300, 300))
    for number in range(10_000):
        canvas.line(number % 300, 0, 0, number % 299)
    canvas.save()
    return written.getvalue()


class TestPagePicture:
    @each_row("turn", [0, 90, 180, 270])
    @each_row("crop", ["", "/CropBox [ 30 250 390 480 ]"], ids=["whole", "cropped"])
    def test_shows_words_where_they_are_read(self, turn: int, crop: str) -> None:
        file = paper_file().replace(b"/Rotate 0", f"/Rotate {turn} {crop}".encode())
        [source] = read_sources([("paper.pdf", file)])
        assert source.layout is not None
        for page in source.layout.pages:
            picture = opened(page_picture(file, page.number)).convert("L")
            scale = picture.width / page.width
            assert ink_of(picture) is not None
            for line in source.layout.printed:
                box = line.box(line.start, line.end)
                edges = (box.left - 1, box.top - 1, box.right + 1, box.bottom + 1)
                left, top, right, bottom = (round(scale * edge) for edge in edges)
                if page.number == line.page:
                    picture.paste(255, (left, top, right, bottom))
            assert ink_of(picture) is None

    @each_row(
        ("size", "shown"),
        [
            ((14_400, 14_400), (WIDTH, WIDTH)),
            ((1, 10_000), (1, 3 * WIDTH)),
            ((10_000, 1), (WIDTH, 1)),
        ],
        ids=str,
    )
    def test_of_an_absurd_page_is_small(
        self, size: tuple[float, float], shown: tuple[int, int]
    ) -> None:
        assert opened(page_picture(blank(size), 1)).size == shown

    def test_marks_boxes_on_the_page_only(self) -> None:
        elsewhere = Box(page=1, left=0, top=0, right=PAPER_WIDTH, bottom=HEIGHT)
        plain, marked = (
            opened(page_picture(paper_file(), 2, marks=marks, width=PAPER_WIDTH))
            for marks in ([], [FOUNDED[0], elsewhere])
        )
        blue = ImageChops.difference(plain, marked).getchannel("B")  # yellow has none of it
        box = FOUNDED[0]
        edges = (box.left, box.top, box.right, box.bottom)
        assert ink_of(ImageChops.invert(blue)) == pytest.approx(edges, abs=1)

    def test_has_few_shades_where_it_is_only_text(self) -> None:
        def colours(page: Image.Image) -> int:
            return len(page.getcolors() or ())

        plain = opened(page_picture(paper_file(), 2))
        marked = opened(page_picture(paper_file(), 2, marks=[FOUNDED[0]]))
        assert colours(plain) == 4
        assert colours(marked) > 4
        assert (255, 255, 255) in [colour for _, colour in plain.getcolors() or ()]

    def test_as_webp_is_the_same_in_less_room(self) -> None:
        png, webp = (page_picture(paper_file(), 2, form=form) or b"" for form in ("PNG", "WEBP"))
        with Image.open(BytesIO(webp)) as image:
            assert image.format == "WEBP"
            assert image.convert("RGB").tobytes() == opened(png).tobytes()
        assert len(webp) < 0.8 * len(png)

    def test_that_takes_too_long_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert page_picture(full(), 1) is not None
        monkeypatch.setattr("citeguard.documents.pdf.pictures._LONGEST", 0)
        assert page_picture(full(), 1) is None

    def test_of_many_threads_are_those_of_one(self) -> None:
        file = paper_file()
        alone = [page_picture(file, page) for page in (1, 2)]
        with ThreadPoolExecutor(8) as pool:
            drawn = list(pool.map(page_picture, [file] * 12, [1, 2] * 6))
        assert drawn == alone * 6

    @each_row("page", [0, 3, -1])
    def test_needs_the_page(self, page: int) -> None:
        with pytest.raises(CiteguardError, match=f"there is no page {page}; the file has 2"):
            page_picture(paper_file(), page)

"""PDF files made for tests: words put where the tests say."""

from collections.abc import Iterable
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from citeguard import Match, Source, Sources, locate
from citeguard.documents.document import Document
from citeguard.documents.pdf.reader import read_pdf

WIDTH, HEIGHT = 420, 595  # points, of an A5 page
LEADING = 12


class Paper:
    """A PDF file in the making; places are in points from the upper left corner of the page."""

    def __init__(self, width: float = WIDTH, height: float = HEIGHT, **options: object) -> None:
        self._file = BytesIO()
        self.canvas = Canvas(self._file, pagesize=(width, height), **options)
        self._height = height

    def text(
        self, left: float, down: float, words: str, *, size: float = 10, font: str = "Times-Roman"
    ) -> None:
        """Put words on a baseline."""
        self.canvas.setFont(font, size)
        self.canvas.drawString(left, self._height - down, words)

    def lines(
        self,
        left: float,
        down: float,
        lines: Iterable[str],
        *,
        size: float = 10,
        leading: float = LEADING,
        font: str = "Times-Roman",
    ) -> float:
        """Put lines below each other, and return where the next one would stand."""
        for line in lines:
            self.text(left, down, line, size=size, font=font)
            down += leading
        return down

    def raised(self, left: float, down: float, before: str, mark: str, after: str) -> None:
        """Put words with a small raised (or, with a `_` before it, lowered) mark among them."""
        rise = -2 if mark.startswith("_") else 4
        written = self.canvas.beginText(left, self._height - down)
        written.setFont("Times-Roman", 10)
        written.textOut(before)
        written.setFont("Times-Roman", 6.5)
        written.setRise(rise)
        written.textOut(mark.removeprefix("_"))
        written.setFont("Times-Roman", 10)
        written.setRise(0)
        written.textOut(after)
        self.canvas.drawText(written)

    def next_page(self) -> None:
        """Go on on the next page."""
        self.canvas.showPage()

    def finished(self) -> bytes:
        """Return the file."""
        self.canvas.save()
        return self._file.getvalue()


def read(paper: Paper | bytes) -> Document:
    """Read a file, by the name of `paper.pdf`."""
    return read_pdf(paper if isinstance(paper, bytes) else paper.finished(), "paper.pdf")


def sources_of(document: Document) -> Sources:
    """Return a document as the only source, `paper`."""
    return Sources([Source("paper", document.text, layout=document.layout)])


def find(document: Document, quote: str) -> Match:
    """Return where a quote stands in a document, whether it is faithful or not."""
    match = locate(quote, sources_of(document))
    assert match is not None, f"not found: {quote}"
    return match


def page_of(document: Document, quote: str) -> int | None:
    """Return the number of the page on which a faithful quote starts."""
    match = find(document, quote)
    assert match.accepted, match.edits
    return sources_of(document).location_of(match.span).page


def paragraphs_of(document: Document) -> list[str]:
    """Return the paragraphs of a document."""
    return document.text.split("\n\n")

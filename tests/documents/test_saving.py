"""Documents as bytes, and back."""

from array import array

import pytest

from citeguard.documents.document import Document, data_of_document, document_from
from citeguard.sources.layout import Cell, Fields, Heading, Layout, Page, Part, PrintedLine, Table

LAYOUT = Layout(
    "pdf",
    9,
    headings=[Heading("Pay \ud800", 1, 0, 3)],
    line_starts=[(0, 1), (4, 7)],
    pages=[Page(1, "iv", 595.0, 842.0, "Pay now.")],
    printed=[PrintedLine(0, 1, 10.5, 20.25, array("f", [1.5, 2.5]), array("f", [2.5, 3.5]))],
    file=b"%PDF-",
    tables=[
        Table(
            4, 9, "Table 1", "Pay", "million", (Cell(4, 7, 1, 1), Cell(7, 9, 1, 2, 2, 3, ("a",)))
        ),
        Table(
            9, 9, "table 2", cells=(Cell(9, 9, 1, 1, 1, 1, ("a",), ("b", "c"), True, "%", "A1"),)
        ),
    ],
    parts=[Part(0, "paragraph 1")],
    fields=Fields(authors=("Ada", "Bo"), date="2024-03"),
)


class TestSaving:
    def test_keeps_everything_but_the_file(self) -> None:
        document = Document(text="Pay \ud800now.", layout=LAYOUT, title="Pay", url="https://a.org")
        read = document_from(data_of_document(document), b"%PDF-other")
        assert (read.text, read.title, read.url) == ("Pay \ud800now.", "Pay", "https://a.org")
        for name in "kind headings line_starts pages printed tables parts fields".split():
            assert getattr(read.layout, name) == getattr(LAYOUT, name), name
        assert read.layout.file == b"%PDF-other"

    def test_a_file_without_pages_is_not_its_layouts(self) -> None:
        document = Document(text="Pay", layout=Layout("html", 3))
        read = document_from(data_of_document(document), b"<p>Pay")
        assert (read.layout.kind, read.layout.file, read.url) == ("html", None, None)

    @pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"text": 1}'])
    def test_other_bytes_are_no_document(self, data: bytes) -> None:
        with pytest.raises((KeyError, TypeError, ValueError)):
            document_from(data, None)

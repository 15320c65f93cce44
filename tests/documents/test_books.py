"""E-books: their chapters in order, their places and fields, and what is wrong with a file."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from citeguard import InvalidSourcesError, Span
from citeguard.documents.loading import read_sources
from rows import each_row

CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
PACKAGE = """<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>The Bridge</dc:title><dc:creator>Ines Halvorsen</dc:creator>
<dc:date>1937-05-01T00:00:00Z</dc:date><dc:description>On a bridge.</dc:description></metadata>
<manifest><item id="b" href="text/two%20b.xhtml"/><item id="a" href="text/one.xhtml"/>
<item id="n" href="text/notes.xhtml"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="n" linear="no"/></spine></package>"""


def page(body: str) -> str:
    return f"<html xmlns='http://www.w3.org/1999/xhtml'><body>{body}</body></html>"


def book(**others: str) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", "application/epub+zip", compress_type=0)
        for name, text in {
            "META-INF/container.xml": CONTAINER,
            "OPS/book.opf": PACKAGE,
            "OPS/text/one.xhtml": page("<h1>Plans</h1><p>It was planned.</p>"),
            "OPS/text/two b.xhtml": page("<h1>Works</h1><p>It was built.</p><p>It opened.</p>"),
            "OPS/text/notes.xhtml": page("<p>A note.</p>"),
            **others,
        }.items():
            packed.writestr(name, text)
    return stream.getvalue()


class TestReadBook:
    def test_chapters_are_in_the_order_of_the_book(self) -> None:
        sources = read_sources([("a.epub", book())])
        source = sources["a"]
        assert source.text == "Plans\n\nIt was planned.\n\nWorks\n\nIt was built.\n\nIt opened."
        start = source.text.index("It opened")
        assert str(sources.location_of(Span("a", start, start + 9))) == "Works, paragraph 5"
        assert source.title == "The Bridge"
        assert source.fields.authors == ("Ines Halvorsen",)
        assert (source.fields.date, source.fields.abstract) == ("1937-05-01", "On a bridge.")

    def test_a_page_that_is_named_twice_is_read_once(self) -> None:
        twice = PACKAGE.replace("</spine>", '<itemref idref="a"/></spine>')
        sources = read_sources([("a.epub", book(**{"OPS/book.opf": twice}))])
        assert sources["a"].text.count("planned") == 1

    @each_row(
        ("head", "css"),
        [
            ('<link rel="stylesheet" href="../s.css"/>', {"s.css": "#x { display: none }"}),
            ('<link rel="stylesheet" href="../s.css"/>', {"s.css": "#x { color: white }"}),
            (
                '<link rel="stylesheet" href="../s.css"/>',
                {"s.css": "@import 'css/t.css';", "css/t.css": "#x { opacity: 0 }"},
            ),
            ("<style>@IMPORT url(../s.css?1)</style>", {"s.css": "#x { display: none }"}),
            ('<link rel="stylesheet" href="/OPS/s.css"/>', {"s.css": "#x { display: none }"}),
            ("<style><![CDATA[ p > #x { display: none } ]]></style>", {}),
        ],
    )
    def test_style_sheets_of_the_book_hide(self, head: str, css: dict[str, str]) -> None:
        one = page("<p>It was <i id='x'>not</i> <![CDATA[planned]]>.</p>").replace(
            "<body>", f"<head>{head}</head><body>"
        )
        sheets = {f"OPS/{name}": text for name, text in css.items()}
        source = read_sources([("a.epub", book(**{"OPS/text/one.xhtml": one}, **sheets))])["a"]
        assert source.text.startswith("It was planned.")
        assert source.left_out == {"hidden": 3}

    def test_entities_and_other_files_are_not_loaded(self) -> None:
        entity = '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
        named = PACKAGE.replace("The Bridge", "A&x;")
        sources = read_sources([("a.epub", book(**{"OPS/book.opf": entity + named}))])
        assert sources["a"].title == "A"

    def test_damaged_encrypted_and_too_large_files_are_rejected(self) -> None:
        locked = '<encryption><CipherReference URI="OPS/text/one.xhtml"/></encryption>'
        for others, message in [
            ({"META-INF/container.xml": "<container/>"}, r"a\.epub: is damaged: no e-book"),
            ({"META-INF/encryption.xml": locked}, r"a\.epub: is encrypted"),
            ({"OPS/text/one.xhtml": " " * 64_000_001}, r"a\.epub: unpacks to more than is read"),
        ]:
            with pytest.raises(InvalidSourcesError, match=message):
                read_sources([("a.epub", book(**others))])

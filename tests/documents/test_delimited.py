"""CSV and TSV files: what their text is, and what is said of their cells."""

import pytest

from citeguard import CiteguardError, InvalidSourcesError
from citeguard.documents.delimited import read_delimited
from citeguard.documents.loading import read_sources
from rows import each_row

FLEET = b"ship,crew,length (m)\nAldis,14,31.5\nBrant,22,48\n"


class TestReadDelimited:
    @each_row(
        ("name", "content", "text"),
        [
            ("a.csv", FLEET, "ship | crew | length (m)\nAldis | 14 | 31.5\nBrant | 22 | 48"),
            ("a.csv", b"a;b\n1,5;2\n", "a | b\n1,5 | 2"),
            ("a.csv", b"a\tb\n1\t2\n", "a | b\n1 | 2"),
            ("a.tsv", b"a, b\tc\n1\t2\n", "a, b | c\n1 | 2"),
            ("a.csv", b'a,b\n"1, 2","say ""so"""\n', 'a | b\n1, 2 | say "so"'),
            ("a.csv", b'a,b\n"one\n  two",2\n', "a | b\none two | 2"),
            ("a.csv", b"a,b\n,\n\n1,x|y\n", "a | b\n1 | x/y"),
            ("a.csv", b"\xef\xbb\xbfa,b\r\n1,2\r\n", "a | b\n1 | 2"),
            ("a.csv", b"name\nAldis\n", "name\nAldis"),
            ("a.csv", "a,b\none\x0btwo\u2028three,2\n".encode(), "a | b\none two three | 2"),
            ("a.csv", b"Fleet\na,b\n1,2\n3,4\n", "Fleet\n\na | b\n1 | 2\n3 | 4"),
            (
                "a.csv",
                b"Fleet, all\nIn m, t\n\na,b,c\n1,2,3\n4,5\n6,7,8\n9,0,1\n2,3,4\n\nNo, none.\n",
                "Fleet, all\n\nIn m, t\n\n"
                "a | b | c\n1 | 2 | 3\n4 | 5\n6 | 7 | 8\n9 | 0 | 1\n2 | 3 | 4\n\nNo, none.",
            ),
        ],
    )
    def test_each_row_is_a_line(self, name: str, content: bytes, text: str) -> None:
        assert read_delimited(content, name).text == text

    def test_lines_are_those_of_the_file(self) -> None:
        sources = read_sources([("fleet.csv", b'ship,crew\n"Al\ndis",14\n\nBrant,22\n')])
        at = sources["fleet"].text.index("Brant")
        assert sources["fleet"].layout is not None
        assert sources["fleet"].layout.line_at(at) == 5

    def test_cells_after_the_most_that_are_named_are_text_only(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("citeguard.documents.document._MOST_NAMED", 200)
        rows = [b",".join([name] + [b"45"] * 80) for name in (b"York", b"Hull", b"Bath")]
        document = read_delimited(b"\n".join(rows), "a.csv")
        assert [line[:9] for line in document.text.split("\n")] == [
            "York | 45",
            "Hull | 45",
            "Bath | 45",
        ]
        assert {cell.row for table in document.layout.tables for cell in table.cells} == {1, 2}

    def test_a_cell_without_an_end(self) -> None:
        with pytest.raises(InvalidSourcesError, match=r"a\.csv: not a table: .*, line 2"):
            read_delimited(b'a,b\n"1,2\n', "a.csv")

    def test_other_encodings(self) -> None:
        with pytest.raises(CiteguardError, match="not UTF-8"):
            read_delimited(b"a,b\n\xff,2\n", "a.csv")

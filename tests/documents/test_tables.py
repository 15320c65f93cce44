"""The tables of all formats: the same table has the same cells, names, units, text and places."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import docx
import pptx
import pytest
from pptx.util import Inches

from citeguard import Source, Sources, Span
from citeguard.documents.loading import read_document, read_sources
from citeguard.language.tables import read_passage
from citeguard.sources.layout import Cell
from documents.making import saved
from rows import each_row

Rows = Sequence[Sequence[str]]

FLOWS = (
    ("Cash flows (in millions)", "2018", "2017"),
    ("Operating activities", "", ""),
    ("Net income", "3,193", "2,980"),
    ("Shares issued", "12", "14"),
    ("Financing activities", "", ""),
    ("Dividends paid", "(1,250)", "(1,101)"),
)
TEXT = "\n".join(" | ".join(row).rstrip() for row in FLOWS)


def _html(rows: Rows) -> bytes:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    table = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<html><body><table>{table}</table></body></html>".encode()


def _markdown(rows: Rows) -> bytes:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]).encode()


def _word(rows: Rows) -> bytes:
    file = docx.Document()
    _fill(file.add_table(len(rows), len(rows[0])), rows)
    return saved(file)


def _slides(rows: Rows) -> bytes:
    file = pptx.Presentation()
    slide = file.slides.add_slide(file.slide_layouts[6])
    place = (*map(Inches, (1, 1, 5, 3)),)
    _fill(slide.shapes.add_table(len(rows), len(rows[0]), *place).table, rows)
    return saved(file)


def _delimited(rows: Rows) -> bytes:
    return "\n".join(";".join(row) for row in rows).encode()


def _fill(table: Any, rows: Rows) -> None:
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(at, column).text = text


FORMATS: dict[str, Callable[[Rows], bytes]] = {
    "t.html": _html,
    "t.md": _markdown,
    "t.docx": _word,
    "t.pptx": _slides,
    "t.csv": _delimited,
}
each_format = pytest.mark.parametrize("name", FORMATS)


def read(name: str, rows: Rows) -> tuple[Source, tuple[Cell, ...]]:
    source = read_sources([(name, FORMATS[name](rows))])["t"]
    assert source.layout is not None
    [table] = source.layout.tables
    return source, table.cells


def _tabbed(rows: Rows) -> bytes:
    file = docx.Document()
    for row in rows:
        file.add_paragraph("\t".join(row))
    return saved(file)


def _tabbed_lines(rows: Rows) -> bytes:
    file = pptx.Presentation()
    box = file.slides.add_slide(file.slide_layouts[6]).shapes.add_textbox(
        *map(Inches, (1, 1, 5, 3))
    )
    box.text_frame.text = "\n".join("\t".join(row) for row in rows)
    return saved(file)


def named(source: Source, cells: Sequence[Cell]) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {
        source.text[cell.start : cell.end]: (cell.row_headers, cell.column_headers)
        for cell in cells
        if cell.start < cell.end and not cell.is_header
    }


class TestSameTable:
    @each_format
    def test_has_the_same_text_and_cells(self, name: str) -> None:
        source, cells = read(name, FLOWS)
        assert source.text.endswith(TEXT)
        written = [text for row in FLOWS for text in row]
        for cell, text in zip_longest(cells, written):
            assert source.text[cell.start : cell.end] == text
        assert [(cell.row, cell.column) for cell in cells] == [
            (row, column) for row in range(1, 7) for column in range(1, 4)
        ]

    @each_format
    def test_has_the_same_names_and_units(self, name: str) -> None:
        source, cells = read(name, FLOWS)
        assert named(source, cells) == {
            "3,193": (("Operating activities", "Net income"), ("2018",)),
            "2,980": (("Operating activities", "Net income"), ("2017",)),
            "12": (("Operating activities", "Shares issued"), ("2018",)),
            "14": (("Operating activities", "Shares issued"), ("2017",)),
            "(1,250)": (("Financing activities", "Dividends paid"), ("2018",)),
            "(1,101)": (("Financing activities", "Dividends paid"), ("2017",)),
        }
        units = {source.text[cell.start : cell.end]: cell.unit for cell in cells if cell.unit}
        assert units == dict.fromkeys(("3,193", "2,980", "(1,250)", "(1,101)"), "million")

    @each_format
    def test_has_the_same_places(self, name: str) -> None:
        source, _ = read(name, FLOWS)
        sources = Sources([source])
        for words, place in (
            ("2,980", "table 1, row *Net income*, column *2017*"),
            ("12 | 14", "table 1, row *Shares issued*"),
        ):
            start = source.text.index(words)
            found = sources.location_of(Span("t", start, start + len(words)))
            assert found.detail == place

    @each_format
    def test_is_read_as_the_same_sentences(self, name: str) -> None:
        source, _ = read(name, FLOWS)
        text, pieces = read_passage(source.text, 0, len(source.text), source.readings)
        assert "Operating activities, Net income was 2,980 million in 2017." in text
        assert "Shares issued was 14 in 2017." in text
        assert pieces


@pytest.mark.parametrize(("name", "write"), [("t.docx", _tabbed), ("t.pptx", _tabbed_lines)])
def test_lines_that_tabs_align_are_rows(name: str, write: Callable[[Rows], bytes]) -> None:
    rows = (("", "2023", "2022"), ("Fees", "12", "11"), ("Gifts", "8", "9"))
    source = read_sources([(name, write(rows))])["t"]
    assert source.text.endswith(" | 2023 | 2022\nFees | 12 | 11\nGifts | 8 | 9")
    assert source.layout is not None
    cell = source.layout.cell_at(source.text.index("9", source.text.index("Gifts")))
    assert cell is not None
    assert (cell.row_headers, cell.column_headers) == (("Gifts",), ("2022",))
    lines = read_sources([(name, write([row[:2] for row in rows]))])["t"]
    assert lines.layout is not None
    assert not lines.layout.tables


class TestNames:
    @each_row(
        ("case", "row", "column", "table"),
        [
            ("below titles", "Retail", "Median › Salary",
             "School of Business;; / New hires;; / Function;Percent;Median / ;of Hires;Salary / "
             "Finance;59.5%;$7,916 / Retail;1.5%;$5,470 / Insufficient data are left out;;"),
            ("below notes", "George Michael", "Age",
             "in one year;;note of the clerk / Name;Profession;Age / Harper Lee;author;89 / "
             "Prince;musician;57 / George Michael;musician;53"),
            ("figures that count up", "30,000", "Gain",
             "Income;Tax;Gain / 17,500;1,250;436 / 25,000 (b);990;741 / 30,000;530;530 / "
             "(b) Recte 24,960;;"),
            ("groups named once", "Voss › Granvin", "Pupils",
             "County;Town;Pupils / Alver;Knarvik;1210 / ;Manger;385 / Voss;Vangen;1502 / "
             ";Granvin;118"),
            ("years again", "Land", "2018",
             "Quarter;2021;2020 / First;14.1;13.2 / Assets;2019;2018 / Land;801;795"),
            ("names over others", "Crafts", "2022 › Women",
             "Sector;2022;;2023; / ;Men;Women;Men;Women / Trade;31;12;30;13 / "
             "Crafts;88;41;86;44"),
            ("figures beside an empty corner", "2", "2",
             ";1;2 / 1;0;12 / 2;12;0"),
            ("groups in heads", "Female › TT", "Late",
             "Male;Early;Late / CC;54;29 / TT;7;4 / Female;Early;Late / CC;26;17 / TT;5;2"),
            ("labels in two columns", "Expenses › Offices", "2023",
             ";;2023 / Profit;;737 / Expenses;;365 / ;Sales;201 / ;Offices;164"),
            ("a total named later", "Sum", "Debit",
             "No.;Text;Debit / 1001;Paper;9.50 / 1002;Ink;20 / ;Sum;29.50"),
            ("numbers before names", "20054 › Can", "Price",
             "No.;Article;Price / 00417;Soil;9.95 € / 01120;Seed;23.50 € / 20054;Can;34.90 €"),
            ("names that come again", "South › Hamar", "Price",
             "Region;Town;Price / North;Alta;9 / North;Bodø;8 / South;Alta;5 / South;Hamar;7"),
            ("names over middles", "Research", "Full time › Men",
             ";;Full time;;;Part time; / ;Women;Men;All;Women;Men;All / Sales;1;2;3;4;5;6 / "
             "Research;2;3;4;5;6;7"),
            ("each name over several", "Not", "Age › 50+",
             ";Age;;Sex; / ;0-49;50+;Men;Women / Satisfied;46;41;45;43 / Not;26;24;25;26"),
            ("numbers above totals", "2 › Seed", "Qty",
             "No.;Article;Qty;Price / 1;Soil;3;9.95 / 2;Seed;4;23.50 / ;;;8 / VAT;2;;"),
            ("dates before names", "02 Feb 2024 › Diallo", "Fee",
             "Date;Payer;Fee / 08 Jan 2024;Aalto;120 / 02 Feb 2024;Diallo;87"),
            ("a number in one row", "1 › Soil", "Price",
             "No.;Article;Price / 1;Soil;9.95"),
        ],
    )  # fmt: skip
    def test_are_found_in_sheets(self, case: str, row: str, column: str, table: str) -> None:
        _, cells = read("t.csv", [line.split(";") for line in table.split(" / ")])
        last = [cell for cell in cells if cell.column == 3 and cell.start < cell.end][-1]
        assert (" › ".join(last.row_headers), " › ".join(last.column_headers)) == (row, column)

    @each_format
    def test_of_a_section_end_at_the_next_head(self, name: str) -> None:
        head = ("Ship", "Crew", "Length (m)")
        rows = (head, ("Sail", "", ""), ("Aldis", "14", "31"), head, ("Brant", "22", "48"))
        source, cells = read(name, rows)
        found = named(source, cells)
        assert found["14"] == (("Sail", "Aldis"), ("Crew",))
        assert found["22"] == (("Brant",), ("Crew",))

    @pytest.mark.parametrize("name", ["t.html", "t.docx", "t.pptx", "t.csv"])
    def test_of_a_section_end_at_an_empty_row(self, name: str) -> None:
        rows = (
            ("Ship", "Crew", "Length (m)"),
            *(("Sail", "", ""), ("", "", ""), ("Aldis", "14", "31")),
            *(("", "", ""), ("Brant", "22", "48")),
        )
        source, cells = read(name, rows)
        found = named(source, cells)
        assert found["14"][0] == ("Sail", "Aldis")
        assert found["22"][0] == ("Brant",)

    @each_format
    def test_a_percent_sign_in_a_cell_of_its_own_is_the_unit(self, name: str) -> None:
        rows = (
            ("In thousands", "2018", ""),
            *(("Margin", "31.5", "%"), ("Tax", "(2.5", ")%"), ("Sales", "48", "")),
        )
        source, cells = read(name, rows)
        units = {source.text[cell.start : cell.end]: cell.unit for cell in cells}
        assert (units["31.5"], units["(2.5"], units["48"]) == ("%", "%", "thousand")
        text, _ = read_passage(source.text, 0, len(source.text), source.readings)
        assert "Margin was 31.5% in 2018." in text
        assert "Tax was (2.5)% in 2018." in text

    def test_a_sign_is_not_doubled_by_the_unit_of_the_column(self) -> None:
        source, _ = read("t.csv", (("Ship", "Full (%)"), ("Aldis", "12 %"), ("Brant", "9")))
        text, _ = read_passage(source.text, 0, len(source.text), source.readings)
        assert "Full of Aldis is 12 %." in text
        assert "Full of Brant is 9%." in text

    def test_are_those_that_html_marks(self) -> None:
        page = (
            b"<table><caption>Table 7: Crews</caption><tr><th>Ship<th>Crew"
            b"<tr><th scope=row>14<td>22</table>"
        )
        document = read_document(page, "t.html")
        [table] = document.layout.tables
        assert (table.name, table.caption) == ("Table 7", "Table 7: Crews")
        assert table.cells[-1].row_headers == ("14",)
        assert document.text == "Table 7: Crews\n\nShip | Crew\n14 | 22"

    def test_that_span_rows_name_all_of_them(self) -> None:
        page = (
            b"<table><tr><th>Year<th>Unit<th>Coal<tr><th>2018<th rowspan=2>tonnes<td>11"
            b"<tr><th>2019<td>21<tr><th>2020<th rowspan=2>%<td>31<tr><th>2021<td>41</table>"
        )
        document = read_document(page, "t.html")
        cells = {
            document.text[cell.start : cell.end]: (cell.row_headers, cell.unit)
            for cell in document.layout.tables[0].cells
        }
        assert cells["21"] == (("2019", "tonnes"), "")
        assert cells["41"] == (("2021", "%"), "%")


class TestSpans:
    """A cell over several rows and one over several columns, in the formats that have them."""

    ROWS = (
        ("Fleet", "Ship", "Crew", ""),
        ("", "", "2018", "2017"),
        ("North", "Aldis", "14", "15"),
        ("", "Brant", "22", "23"),
    )

    def file(self, name: str) -> bytes:
        if name == "t.html":
            return (
                b"<table><tr><td rowspan=2>Fleet<td rowspan=2>Ship<td colspan=2>Crew"
                b"<tr><td>2018<td>2017<tr><td rowspan=2>North<td>Aldis<td>14<td>15"
                b"<tr><td>Brant<td>22<td>23</table>"
            )
        file = docx.Document() if name == "t.docx" else pptx.Presentation()
        if name == "t.docx":
            table = file.add_table(4, 4)
        else:
            slide = file.slides.add_slide(file.slide_layouts[6])
            table = slide.shapes.add_table(4, 4, *map(Inches, (1, 1, 5, 3))).table
        _fill(table, self.ROWS)
        for first, last in (((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 2), (0, 3)), ((2, 0), (3, 0))):
            table.cell(*first).merge(table.cell(*last))
            table.cell(*first).text = self.ROWS[first[0]][first[1]]
        return saved(file)

    @pytest.mark.parametrize("name", ["t.html", "t.docx", "t.pptx"])
    def test_are_those_of_the_file(self, name: str) -> None:
        document = read_document(self.file(name), name)
        text = "Fleet | Ship | Crew\n2018 | 2017\nNorth | Aldis | 14 | 15\nBrant | 22 | 23"
        assert document.text.endswith(text)
        [table] = document.layout.tables
        found = {document.text[cell.start : cell.end]: cell for cell in table.cells}
        assert (found["North"].rows, found["Crew"].columns) == (2, 2)
        last = found["23"]
        assert (last.row, last.column) == (4, 4)
        assert last.row_headers == ("North", "Brant")
        assert last.column_headers == ("Crew", "2017")


class TestTwoTables:
    @pytest.mark.parametrize("name", ["t.docx", "t.pptx"])
    def test_are_two(self, name: str) -> None:
        file = docx.Document() if name == "t.docx" else pptx.Presentation()
        for _ in range(30):
            if name == "t.docx":
                table = file.add_table(2, 2)
            else:
                slide = file.slides.add_slide(file.slide_layouts[6])
                table = slide.shapes.add_table(2, 2, *map(Inches, (1, 1, 5, 3))).table
            _fill(table, (("Ship", "Crew"), ("Aldis", "14")))
        assert len(read_document(saved(file), name).layout.tables) == 30


def test_a_marked_cell_over_all_columns_names_the_rows_below_it() -> None:
    html = (
        "<table><tr><th>Source</th><th>2021</th><th>2023</th></tr>"
        "<tr><th colspan=3>Renewables</th></tr><tr><td>Wind</td><td>502</td><td>577</td></tr>"
        "<tr><th colspan=3>Fossil fuels</th></tr><tr><td>Diesel</td><td>92</td><td>41</td></tr>"
        "</table>"
    )
    (source,) = read_sources([("energy.html", html.encode())])
    cells = {
        source.text[cell.start : cell.end]: (cell.row_headers, cell.column_headers)
        for cell in source.layout.tables[0].cells
    }
    assert cells["577"] == (("Renewables", "Wind"), ("2023",))
    assert cells["41"] == (("Fossil fuels", "Diesel"), ("2023",))


@each_row(
    "rows",
    [
        "<tr>" + "<td colspan=1000 rowspan=1000>It" * 600 + "<tr><td>is<td>so" * 600,
        "<tr><th rowspan=1000>It<td>is<td>so" * 1_000,
    ],
    ids=lambda row: row[:12],
)
def test_cells_that_span_much_take_no_time(rows: str) -> None:
    assert read_document(f"<table>{rows}</table>".encode(), "a.html").text.endswith("is | so")

"""Excel workbooks: values as shown, A1 places, tables, and what is hidden."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from importlib import import_module
from typing import Any, cast

import openpyxl
import openpyxl.cell.rich_text
import pytest

from citeguard import InvalidSourcesError, Source, Sources, Span
from citeguard.documents.loading import read_document, read_sources
from citeguard.documents.office import sheets
from citeguard.documents.office.cell_formats import shown
from documents.making import changed, saved
from rows import each_row

# It has no types of its own.
_openpyxl = cast("Any", openpyxl)
FLOWS = (
    ("Cash flows (in millions)", 2018, 2017),
    ("Net income", 3193, 2980),
    ("Margin", 0.315, 0.3),
)


def book(**sheets: Sequence[Sequence[Any]]) -> Any:
    made = _openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    return made


def read(made: Any) -> Source:
    return read_sources([("a.xlsx", saved(made))])["a"]


def place(source: Source, words: str) -> str:
    start = source.text.index(words)
    return str(Sources([source]).location_of(Span(source.id, start, start + len(words))))


def heads(source: Source, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    assert source.layout is not None
    cell = source.layout.cell_at(source.text.index(text))
    assert cell is not None
    return cell.row_headers, cell.column_headers


class TestShown:
    @each_row(
        ("value", "form", "text"),
        [
            (0.125, "0.0%", "12.5%"),
            (-1234.5, '#,##0.00 "€";(#,##0.00 "€")', "(1,234.50 €)"),
            (-3.5, "_(* #,##0.00_);_(* \\(#,##0.00\\)", " (3.50)"),
            (1234567, "#,##0,", "1,235"),
            (5, "0" * 200_000, "5"),  # longer than Excel has any
            (1500000, '0.0,,"M"', "1.5M"),
            (1234567, "General", "1234567"),
            (0.1 + 0.2, "General", "0.3"),
            (1e21, "#,##0.0", "1,000,000,000,000,000,000,000.0"),
            (5, "00000", "00005"),
            (2.5, "0", "3"),
            (0.5, "#.##", ".5"),
            (-5, "0.0", "-5.0"),
            (12345.678, "0.00E+00", "1.23E+04"),
            (0.00012, "0.0E-0", "1.2E-4"),
            (3, "[$€-407] #,##0.00", "€ 3.00"),
            (0, '0;-0;"none"', "none"),
            (4, ";;;", ""),
            (4, "0;", "4"),
            (-4, "0;", ""),
            (-4, '0"kg";;', ""),
            (0, '"yes";;"no"', "no"),
            (-0.001, "0", "0"),
            (5, 'General" kg"', "5 kg"),
            (-5, 'General;"minus "General', "minus 5"),
            (50, '[>100]"high";"low"', "low"),
            (500, '[<=60]"few "0;[<100]"some "0;"many "0', "many 500"),
            (1500, '[>=1000]#,##0,"K";0', "2K"),
            (5, '[>=1000]#,##0,"K"', "5"),
            (-5, "[<0](0);0", "(5)"),
            (-5, '[>9]0"!";[>5]0"?";0.0', "-5.0"),
            (7, '0;[<-9]"low";"none"', "7"),
            (5551234, "000-0000", "555-1234"),
            (12345, r"0\.00", "123.45"),
            (5, r"0\;0", "0;5"),
            (123456789012, "General", "1.23457E+11"),
            (5, '?0"?"', " 5?"),
            (1.5, "# ?/?", "1 1/2"),
            (0.25, "??/16", "4/16"),
            (0.999, "# ?/?", "1 "),
            (True, "General", "TRUE"),
            (True, ";;;", ""),
            ("as it is", "@", "as it is"),
            ("as it is", "0.00", "as it is"),
            ("safe", '"Not: "@', "Not: safe"),
            ("safe", '0;"not "@', "not safe"),
            ("safe", ';;;"none"', "none"),
            (datetime(2024, 3, 1, 9, 5), "d mmm yyyy h:mm", "1 Mar 2024 9:05"),
            (datetime(2024, 3, 1, 15, 4, 5), "dddd hh:mm:ss AM/PM", "Friday 03:04:05 PM"),
            (date(2024, 3, 1), "mm-dd-yy", "2024-03-01"),
            (datetime(2024, 3, 1), "[$-409]mmm-yy", "Mar-24"),
            (datetime(2024, 3, 1), "[$-407]d. MMMM yyyy", "1. März 2024"),
            (datetime(2024, 3, 1), "[$-fr-CA]dddd d mmmm", "vendredi 1 mars"),
            (time(9, 5), "h:mm", "9:05"),
            (timedelta(hours=30, minutes=4), "[h]:mm:ss", "30:04:00"),
            (date(2024, 3, 1), "mmmmm", "M"),
            (date(2024, 3, 1), '[<40000]yyyy;"late"', "late"),
            (date(1899, 12, 1), "yyyy", ""),
            (time(), "mm/dd/yy", "01/00/00"),  # "January 0, 1900", of an empty cell
            (time(18), "ddd d mmm yyyy h:mm", "Sat 0 Jan 1900 18:00"),
            (time(), "[$-407]dddd mmmm yy", "Samstag Januar 00"),
            (date(1900, 1, 1), "dddd", "Sunday"),  # as Excel has it
            (date(1900, 3, 1), "dddd", "Thursday"),
        ],
    )
    def test_is_what_a_reader_of_the_workbook_sees(
        self, value: object, form: str, text: str
    ) -> None:
        assert shown(value, form) == text


@pytest.mark.parametrize(
    ("form", "is_known"),
    [
        ("[$-407]mmmm", True),
        ("[$-407]mmm", False),  # "Mrz" or "März"
        ("[$-C07]mmmm", False),  # "Jänner"
        ("[$-419]mmmm", False),  # Russian
        ("[$-F800]dddd, mmmm dd", False),  # the computer's own
        ("[$-409]mmm", True),
        ("[$-419]dd.mm.yyyy", True),
        ("#,##0.00 [$€-407]", True),
    ],
)
def test_names_in_a_language_that_is_not_known_are_in_doubt(form: str, is_known: bool) -> None:
    made = book(Days=[["Day", date(2024, 1, 1)]])
    made.active["B1"].number_format = form
    assert is_known == (not read_document(saved(made), "a.xlsx").layout.doubts)


@each_row(
    ("value", "form", "is_certain"),
    [
        (0, "mm/dd/yy", False),
        (0.75, "mmm-yy", False),
        (0.75, "h:mm", True),
        (60, "yyyy-mm-dd", False),  # a day that other programs do not know
        (61, "yyyy-mm-dd", True),
    ],
)
def test_days_that_programs_draw_differently_are_in_doubt(
    value: float, form: str, is_certain: bool
) -> None:
    made = book(S=[("Due", value)])
    made["S"]["B1"].number_format = form
    assert is_certain == (not read_document(saved(made), "a.xlsx").layout.doubts)


class TestReadSheets:
    def test_rows_are_lines_and_cells_have_their_names(self) -> None:
        made = book(**{"P&L": FLOWS})
        made["P&L"]["B3"].number_format = "0.0%"
        made.properties.title = "Flows"
        made.properties.creator = "Ines Halvorsen; Tom Reed"
        made.properties.description = "All flows."
        source = read(made)
        assert source.text == (
            "Cash flows (in millions) | 2018 | 2017\nNet income | 3193 | 2980\nMargin | 31.5% | 0.3"
        )
        assert place(source, "2980") == "Sheet *P&L*, C2"
        assert place(source, "3193 | 2980") == "Sheet *P&L*, B2:C2"
        assert source.layout is not None
        cell = source.layout.cell_at(source.text.index("2980"))
        assert cell is not None
        assert (cell.row_headers, cell.column_headers) == (("Net income",), ("2017",))
        assert cell.unit == "million"
        assert source.title == "Flows"
        assert source.fields.authors == ("Ines Halvorsen", "Tom Reed")
        assert source.fields.abstract == "All flows."
        assert source.fields.date is not None

    def test_hidden_sheets_rows_and_columns_are_left_out_and_counted(self) -> None:
        made = book(Shown=[*FLOWS, ("Secret", 77, 88)], Hidden=[("Draft", 5)])
        made["Shown"].row_dimensions[4].hidden = True
        made["Shown"].column_dimensions["B"].hidden = True
        made["Hidden"].sheet_state = "hidden"
        source = read(made)
        assert source.text == "Cash flows (in millions) | 2017\nNet income | 2980\nMargin | 0.3"
        assert place(source, "2980") == "Sheet *Shown*, C2"
        assert source.left_out == {"hidden": len("Secret7788201831930.315Draft5")}
        kept = read_document(saved(made), "a.xlsx", unseen="keep")
        assert "Net income | ⟦3193⟧ | 2980" in kept.text
        assert "⟦Draft⟧ | ⟦5⟧" in kept.text

    def test_a_table_behind_an_empty_row_has_its_own_head(self) -> None:
        source = read(book(S=[*FLOWS, (), ("Ship", "Crew"), ("Aldis", 14), (), ("Brant", 22)]))
        assert source.layout is not None
        assert len(source.layout.tables) == 2
        cell = source.layout.cell_at(source.text.index("22"))
        assert cell is not None
        assert (cell.name, cell.column_headers) == ("B8", ("Crew",))

    def test_merged_cells_name_all_that_they_cover(self) -> None:
        made = book(S=[("", "Crew", None), ("Ship", "2018", "2017"), ("Aldis", 14, 15)])
        made["S"].merge_cells("B1:C1")
        source = read(made)
        assert heads(source, "15")[1] == ("Crew", "2017")

    def test_a_name_is_over_the_cells_that_it_is_centred_across(self) -> None:
        made = book(
            S=[("", "Crew", None, "Sail"), ("Ship", "Men", "Women", "Area"), ("A", 14, 15, 3)]
        )
        for name in ("B1", "C1"):
            made["S"][name].alignment = _openpyxl.styles.Alignment(horizontal="centerContinuous")
        assert heads(read(made), "15")[1] == ("Crew", "Women")
        assert heads(read(made), "3")[1] == ("Sail", "Area")

    def test_names_indented_less_name_the_rows_below_them(self) -> None:
        rows = ("Steam", 90), ("  Aldis", 70), ("Brant", 20), ("Sail", 45)
        made = book(S=[("Ship", "Crew"), *rows])
        made["S"]["A4"].alignment = _openpyxl.styles.Alignment(indent=2)
        source = read(made)
        assert [heads(source, each)[0] for each in ("70", "20", "45")] == [
            ("Steam", "Aldis"),
            ("Steam", "Brant"),
            ("Sail",),
        ]

    @each_row(
        ("condition", "written"),
        [
            (("greaterThanOrEqual", "1000000"), "1.3M | 905000"),
            (("between", "900000", "1000000"), "1250000 | 0.9M"),
            (("lessThan", "A1"), "1250000 | 905000"),  # not known: in doubt
        ],
    )
    def test_a_condition_may_give_another_format(
        self, condition: tuple[str, ...], written: str
    ) -> None:
        made = book(S=[("Ship", "2024", "2023"), ("Aldis", 1250000, 905000)])
        rules = import_module("openpyxl.formatting.rule")
        form = import_module("openpyxl.styles.numbers").NumberFormat(170, '0.0,,"M"')
        look = import_module("openpyxl.styles.differential").DifferentialStyle(numFmt=form)
        named = {"operator": condition[0], "formula": condition[1:]}
        made["S"].conditional_formatting.add("B2:C2", rules.Rule("cellIs", dxf=look, **named))
        document = read_document(saved(made), "a.xlsx")
        assert document.text.endswith(f"Aldis | {written}")
        assert bool(document.layout.doubts) == (condition[1] == "A1")

    def test_a_head_begins_with_a_cell_that_ends_in_it(self) -> None:
        made = book(
            S=[
                ("Ranking", None, "Seats"),
                ("Ship", "Crew", None),
                ("Aldis", 14, 31),
                ("Brant", 22, 48),
            ]
        )
        made["S"].merge_cells("C1:C2")
        assert heads(read(made), "48") == (("Brant",), ("Seats",))

    def test_a_title_over_some_columns_names_none(self) -> None:
        made = book(S=[("PEAK", None, None), ("", "Bid", "Ask"), ("Day", 33, 35), ("Week", 30, 31)])
        made["S"].merge_cells("A1:B1")
        assert heads(read(made), "30") == (("Week",), ("Bid",))

    def test_tables_beside_each_other_are_two(self) -> None:
        ports = [("Narvik", 412), ("Kirkenes", 51), ("Stavanger", 388)]
        rows = [("Oslo", 763), ("Bergen", 2250), ("Bodø", 1018)]
        beside = [(*row, None, *port) for row, port in zip(rows, ports, strict=True)]
        source = read(book(S=[("City", "Rain", None, "Port", "Ships"), *beside]))
        assert source.text.startswith("City | Rain\nOslo | 763\n")
        assert heads(source, "51") == (("Kirkenes",), ("Ships",))
        assert place(source, "51") == "Sheet *S*, E3"
        # An empty column in a table is none.
        spaced = [(name, None, figure) for name, figure in rows]
        assert heads(read(book(S=[("City", None, "Rain"), *spaced])), "763") == (
            ("Oslo",),
            ("Rain",),
        )

    def test_fonts_of_signs_and_raised_text_are_read_as_shown(self) -> None:
        rich, inline = _openpyxl.cell.rich_text, _openpyxl.cell.text.InlineFont
        raised = rich.TextBlock(inline(vertAlign="superscript"), "5")
        made = book(S=[(rich.CellRichText("10", raised), "a", "one_x000D_two")])
        made["S"]["B1"].font = _openpyxl.styles.Font(name="Webdings")
        assert read(made).text == "10⁵ | \ufffd | one two"

    def test_merged_cells_over_merged_cells_show_nothing(self) -> None:
        made = book(S=[("seen",), ("not",)])
        for merged in ("A1:A2", "A2:A3"):
            made["S"].merged_cells.add(merged)
        assert read(made).text == "seen"

    def test_cells_in_all_corners_make_no_large_text(self) -> None:
        made = book(S=[("one",)])
        for at in range(1, 300):
            made["S"].cell(at * 3_000, at * 50, "far")
        source = read(made)
        assert len(source.text) < 3_000
        assert place(source, "one") == "Sheet *S*, A1"

    def test_a_range_over_all_of_a_sheet_is_no_work(self) -> None:
        wide = '</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
        content = changed(saved(book(S=[("one", "two")])), "</sheetData>", wide)
        assert read_document(content, "a.xlsx").text.startswith("one")

    def test_columns_beyond_all_are_no_work(self) -> None:
        columns = '<cols><col min="2" max="2000000000" hidden="1"/></cols><sheetData'
        content = changed(saved(book(S=[["Rent", 5]])), "<sheetData", columns)
        assert read_document(content, "a.xlsx").text == "Rent"

    def test_formulas_without_values_are_named(self) -> None:
        made = book(S=[("Rent", 5), ("Sum", "=SUM(B1:B1)")], Old=[("Due", "=B9")])
        made["Old"].sheet_state = "hidden"
        source = read(made)
        assert source.text == "Rent | 5\nSum |"
        assert source.warnings == (
            "sheet 'S': the formulas in B2 have no values; open the workbook in a spreadsheet "
            "program, and save it",
        )

    def test_too_many_cells_are_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sheets, "_MOST_CELLS", 3)
        assert read(book(S=[("Rent", 5), ("Sum",)])).text
        with pytest.raises(
            InvalidSourcesError, match=r"a\.xlsx: has more than 3 cells or .* 'Two'; s"
        ):
            read(book(One=[("Rent", 5)], Two=[("Rent", 5)]))
        monkeypatch.setattr(sheets, "_MOST_CHARACTERS", 20)
        with pytest.raises(InvalidSourcesError, match="or 20 characters"):
            read(book(S=[("Rent of the house", "a year")]))

    def test_other_files_are_rejected(self) -> None:
        with pytest.raises(InvalidSourcesError, match=r"must end in \.xlsx"):
            read_sources([("a.docx", saved(book(S=FLOWS)))])
        with pytest.raises(InvalidSourcesError, match=r"a\.xlsx: is damaged: no Excel workbook"):
            read_sources([("a.xlsx", saved(book(S=FLOWS))[:-200])])
        with pytest.raises(InvalidSourcesError, match=r"a\.xlsx: has no text"):
            read_sources([("a.xlsx", saved(book(S=[])))])

"""Tables of PDF files: rows in the text, and what names each cell."""

import pytest

from citeguard import Span
from citeguard.documents.document import Document
from citeguard.documents.pdf.characters import CORK
from citeguard.sources.layout import Cell
from documents.pdf.making import HEIGHT, Paper, read, sources_of

FLOWS = (
    ("(Millions)", "2018", "2017"),
    ("Net income", "5,363", "4,869"),
    ("Financing", "", ""),
    ("Dividends paid", "(3,193)", "(2,803)"),
    ("Net change", "(200)", "655"),
)


def table(rows: tuple[tuple[str, ...], ...] = FLOWS, rules: tuple[int, ...] = ()) -> Paper:
    """Draw rows 14 points apart, and ruled lines above those with the numbers given."""
    paper = Paper()
    paper.text(30, 40, "Table 3: Cash flows of the company (in millions)")
    for number, row in enumerate(rows):
        for left, cell in zip((30, 220, 300), row, strict=True):
            paper.text(left, 70 + 14 * number, cell)
    for number in rules:
        down = HEIGHT - 60 - 14 * number
        paper.canvas.line(30, down, 350, down)
    return paper


def cell_with(document: Document, text: str) -> Cell:
    cell = document.layout.cell_at(document.text.index(text))
    assert cell is not None
    return cell


class TestAlignedRows:
    def test_are_lines_with_bars_between_cells(self) -> None:
        text = read(table()).text
        assert "Dividends paid | (3,193) | (2,803)\nNet change | (200) | 655" in text

    def test_name_their_cells(self) -> None:
        cell = cell_with(read(table()), "(2,803)")
        assert (cell.row_headers, cell.column_headers) == (
            ("Financing", "Dividends paid"),
            ("2017",),
        )
        assert cell.unit == "million"

    def test_have_places(self) -> None:
        document = read(table())
        start = document.text.index("(2,803)")
        sources = sources_of(document)
        location = sources.location_of(Span("paper", start, start + len("(2,803)")))
        assert str(location) == "p. 1, Table 3, row *Dividends paid*, column *2017*"
        assert 299 < location.boxes[0].left < 301

    def test_keep_signs_of_columns_of_their_own(self) -> None:
        paper = Paper()
        for number, (name, one, other) in enumerate(
            (
                ("", "2018", "2017"),
                ("Sales", "410", "380"),
                ("Costs", "(35", "(20"),
                ("Tax", "7", "9"),
            )
        ):
            down = 70 + 14 * number
            dots = " ." * 20 if name else ""
            paper.text(30, down, name + dots)
            for right, figure in ((220, one), (300, other)):
                paper.text(right - 25, down, "$" if number == 1 else "")
                paper.canvas.drawRightString(right, HEIGHT - down, figure)
                paper.text(right, down, ")" if figure.startswith("(") else "")
        text = read(paper).text
        assert "Sales | $ 410 | $ 380\nCosts | (35) | (20)\nTax | 7 | 9" in text

    @pytest.mark.parametrize(
        "rows",
        [
            (("x = a + b", "(1)"), ("y = c + d", "(2)"), ("z = e + f", "(3)")),
            (("struct one", "[Type]"), ("struct two", "[Type]"), ("struct three", "[Type]")),
        ],
        ids=["formulas", "definitions"],
    )
    def test_that_are_uncertain_stay_plain_lines(self, rows: tuple[tuple[str, str], ...]) -> None:
        paper = Paper()
        for number, (name, value) in enumerate(rows):
            paper.text(30, 70 + 14 * number, name)
            paper.text(250, 70 + 14 * number, value)
        assert " | " not in read(paper).text


class TestRuledTables:
    def test_a_row_has_the_lines_between_two_rules(self) -> None:
        rows = (
            ("Name", "Use", "Size"),
            ("mast", "carries the", "tall"),
            ("", "sails", ""),
            ("keel", "steadies", "long"),
        )
        text = read(table(rows, rules=(0, 1, 3, 4))).text
        assert "mast | carries the sails | tall\nkeel | steadies | long" in text

    def test_the_rows_above_the_second_rule_are_the_head(self) -> None:
        rows = (("Ship", "Crew", "Cargo"), ("Anna", "twelve", "salt"), ("Bela", "nine", "oak"))
        cell = cell_with(read(table(rows, rules=(0, 1, 3))), "nine")
        assert (cell.row_headers, cell.column_headers) == (("Bela",), ("Crew",))

    def test_two_columns_of_text_between_rules_are_none(self) -> None:
        paper = Paper()
        for number in range(20):
            paper.text(30, 70 + 12 * number, "the ships were counted in the harbour twice")
            paper.text(225, 70 + 12 * number, "and the clerks of the town wrote it all down")
        for down in (50, 320):
            paper.canvas.line(30, HEIGHT - down, 400, HEIGHT - down)
        assert " | " not in read(paper).text


def test_control_codes_of_tex_are_ligatures_and_quotation_marks() -> None:
    assert CORK[0x10] + CORK[0x1C] + CORK[0x11] == "“ﬁ”"

"""Tables of PDF files: rows in the text, and what names each cell."""

import pytest

from citeguard import Span
from citeguard.documents.document import Document
from citeguard.documents.pdf.characters import CORK
from citeguard.sources.layout import Cell
from documents.pdf.making import HEIGHT, Paper, read, sources_of

Names = tuple[str, ...]

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

    def test_of_a_typewriter_are_between_blank_columns(self) -> None:
        paper = Paper()
        rows = (
            "Coefficients:",
            "                Estimate Std. Error t value",
            "(Intercept)    149.01892    1.57110  94.850",
            "elbow breadth -95,363.11    0.35662  17.314",
            "hip             -1.10221  235.01624   3.210",
            "Fit by least squares: residual sum 627.9",
        )
        paper.lines(30, 80, rows, font="Courier")
        document = read(paper)
        assert "\nelbow breadth | -95,363.11 | 0.35662 | 17.314\n" in document.text
        cell = cell_with(document, "235.01624")
        assert (cell.row_headers, cell.column_headers) == (("hip",), ("Std. Error",))

    def test_of_a_typewriter_may_be_right_below_a_line_of_text(self) -> None:
        rows = (
            "Zero hurdle model coefficients (binomial with logit link):",
            "                 Estimate Std. Error z value",
            "(Intercept)      0.043147   0.139852   0.309",
            "healthexcellent -0.289570   0.142682  -2.029",
            "school           0.058541   0.011989   4.883",
        )
        paper = Paper()
        paper.lines(30, 80, rows, font="Courier", size=8)
        cell = cell_with(read(paper), "0.142682")
        assert (cell.row_headers, cell.column_headers) == (("healthexcellent",), ("Std. Error",))

    def test_have_names_of_several_lines(self) -> None:
        paper = Paper()
        for down, *row in (
            *((60, "", "2023", "2022"), (90, "Depreciation", "(21.0)", "(20.2)")),
            *((106, "and losses of", "", ""), (122, "Plant", "", "")),
            *((152, "Revenue", "410.2", "388.1"), (182, "Operating", "55.5", "49.7")),
            (198, "Profit", "", ""),
        ):
            for left, cell in zip((30, 120, 200), row, strict=True):
                paper.text(left, down, cell)
        text = read(paper).text
        assert "Depreciation and losses of Plant | (21.0) | (20.2)\nRevenue | 410.2" in text
        assert text.endswith("\nOperating Profit | 55.5 | 49.7")

    def test_of_two_tables_are_not_those_of_one(self) -> None:
        paper = Paper()
        for down, row in (
            *((70, ("Name", "Office", "Since")), (84, ("Klein", "Chair", "2019"))),
            *((98, ("Larsen", "Treasurer", "2021")), (126, ("Day", "Opens", "Closes"))),
            *((140, ("Monday", "9:00", "17:00")), (154, ("Friday", "8:00", "13:15"))),
        ):
            for left, cell in zip(
                (30, 150, 260) if down < 110 else (30, 120, 200), row, strict=True
            ):
                paper.text(left, down, cell)
        paper.text(30, 112, "Hours", size=13)
        cell = cell_with(read(paper), "13:15")
        assert (cell.row_headers, cell.column_headers) == (("Friday",), ("Closes",))

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

    @pytest.mark.parametrize(
        ("rows", "rules", "row", "column"),
        [
            (
                (("", "one", "two"), ("lines", "yes", "no"), ("curves", "none", "both")),
                (1, 3),
                ("curves",),
                ("two",),
            ),
            (
                (("all parameters", "", ""), ("Name", "Use", "Usual"), ("x", "from left", "none")),
                (0, 1, 2, 3),
                ("x",),
                ("Usual",),
            ),
            (
                (("Ship", "Crew", "Home"), ("Anna", "12", "Bergen, Stavanger")),
                (0, 1, 2),
                ("Anna",),
                ("Home",),
            ),
        ],
        ids=["above the first rule", "below a title", "of a cell that sticks out"],
    )
    def test_head_is_found(
        self, rows: tuple[tuple[str, ...], ...], rules: tuple[int, ...], row: Names, column: Names
    ) -> None:
        paper = table(rows, rules)
        if rows[0][1:] == ("", ""):
            for left, top in ((30, 60), (210, 74), (290, 74), (350, 60)):
                paper.canvas.line(left, HEIGHT - top, left, HEIGHT - 60 - 14 * len(rows))
        cell = cell_with(read(paper), rows[-1][-1])
        assert (cell.row_headers, cell.column_headers) == (row, column)

    def test_one_above_the_other_with_a_caption_between_are_two(self) -> None:
        paper = table((("Ship", "Crew", "Cargo"), ("Anna", "12", "salt")), (0, 1, 2))
        paper.text(150, 112, "Table 4: Mills")
        for down, *row in ((140, "Mill", "Corn"), (154, "Old mill", "12")):
            for left, cell in zip((30, 150), row, strict=True):
                paper.text(left, down, cell)
        for down in (130, 144, 158):
            paper.canvas.line(30, HEIGHT - down, 350, HEIGHT - down)
        assert "\n\nTable 4: Mills\n\nMill | Corn\nOld mill | 12" in read(paper).text

    def test_cells_of_many_widths_between_ruled_lines_make_no_columns(self) -> None:
        paper = Paper()
        rows = [("Font", "Size", "Use"), *((f"font {n}", "7", "serif") for n in range(9))]
        rows[5] = ("font 4", "7 or any other", "sans")
        for number, row in enumerate(rows):
            for left, cell in zip((30, 150, 260), row, strict=True):
                paper.text(left, 70 + 14 * number, cell)
        for number in range(len(rows) + 1):
            paper.canvas.line(20, HEIGHT - 60 - 14 * number, 350, HEIGHT - 60 - 14 * number)
        for left in (20, 140, 230, 350):
            paper.canvas.line(left, HEIGHT - 60, left, HEIGHT - 60 - 14 * len(rows))
        paper.text(190, 126, "to 9")
        assert "\nfont 3 | 7 to 9 | serif\n" in read(paper).text

    def test_figures_level_with_the_middle_of_a_name_are_in_its_row(self) -> None:
        paper = Paper()
        for down, name, figure in (
            (70, "Item", "2021"),
            (90, "Fair value of financial assets", ""),
            (96, "", "(31,874)"),
            (102, "measured through income", ""),
            (130, "Net profit", "201"),
            (150, "Share of other income of", ""),
            (156, "", "92"),
            (162, "investments", ""),
        ):
            paper.text(30, down, name)
            paper.text(250, down, figure)
        for down in (60, 75, 120, 140, 170):
            paper.canvas.line(30, HEIGHT - down, 350, HEIGHT - down)
        text = read(paper).text
        assert "Fair value of financial assets measured through income | (31,874)\n" in text
        assert "Share of other income of investments | 92" in text

    def test_lines_nearer_than_rows_go_on_in_a_box(self) -> None:
        paper = Paper()
        for down, *row in (
            (70, "1", "clean the walls", "225"),
            (80, "", "and the ducts", ""),
            (110, "2", "paint the walls", "250"),
            (120, "", "and the roof", ""),
            (150, "3", "watch", "21"),
        ):
            for left, cell in zip((30, 60, 250), row, strict=True):
                paper.text(left, down, cell)
        for down in (50, 170):
            paper.canvas.line(20, HEIGHT - down, 350, HEIGHT - down)
        for left in (20, 50, 240, 350):
            paper.canvas.line(left, HEIGHT - 50, left, HEIGHT - 170)
        text = read(paper).text
        assert "1 | clean the walls and the ducts | 225\n2 | paint the walls and the roof" in text

    def test_boxes_are_tables_of_their_own_with_heads_over_several_columns(self) -> None:
        paper = Paper()
        for top, name in ((60, "Lead"), (160, "Zinc")):
            for down, *row in (
                (top + 12, "", "RELEASES", ""),
                (top + 30, "", "to air", "to water"),
                (top + 48, name, "200", "20"),
                (top + 66, f"{name} oxide", "100", "10"),
            ):
                for left, cell in zip((30, 160, 260), row, strict=True):
                    paper.text(left + (40 if cell == "RELEASES" else 0), down, cell)
            for step in (0, 18, 36, 54, 72):
                down = HEIGHT - top - step
                paper.canvas.line(20, down, 350, down)
            for left, step in ((20, 0), (150, 0), (250, 18), (350, 0)):
                paper.canvas.line(left, HEIGHT - top - step, left, HEIGHT - top - 72)
            paper.text(150, top + 86, "Heavy metals")
        document = read(paper)
        assert [len(table.cells) for table in document.layout.tables] == [11, 11]
        cell = cell_with(document, "10\n")
        assert cell.column_headers == ("RELEASES", "to water")

    def test_names_of_two_rows_may_be_between_their_lines(self) -> None:
        paper = Paper()
        for down, *row in (
            *((60, "", "", "Error (%)", ""), (72, "Impact", "", "Single", "Several")),
            *((90, "", "No", "4.60", "1.00"), (96, "Random", "", "", "")),
            *((102, "", "Yes", "4.80", "1.30"), (114, "", "No", "100.00", "1.50")),
            *((120, "Linear", "", "", ""), (126, "", "Yes", "99.50", "1.40")),
        ):
            for left, cell in zip((30, 120, 200, 280), row, strict=True):
                paper.text(left, down, cell)
        for down in (45, 78, 132):
            paper.canvas.line(30, HEIGHT - down, 320, HEIGHT - down)
        cell = cell_with(read(paper), "1.40")
        assert (cell.row_headers, cell.column_headers[-1:]) == (("Linear", "Yes"), ("Several",))

    @pytest.mark.parametrize("middle", [96, 104], ids=["on a line of its own", "level with a row"])
    def test_a_name_over_rows_that_short_rules_part_names_each(self, middle: int) -> None:
        """Two of its rows had been joined, or a head with the first row."""
        paper = Paper()
        for down, *row in (
            *((72, "Group", "Item", "Fee"), (88, "", "Entry", "12"), (104, "", "Lunch", "345")),
            *((120, "", "Tea", "6"), (middle, "Adults", "", ""), (136, "Children", "Entry", "4")),
        ):
            for left, cell in zip((30, 120, 200), row, strict=True):
                paper.text(left, down, cell)
        for left, down in ((20, 60), (20, 76), (110, 92), (110, 108), (20, 124), (20, 140)):
            paper.canvas.line(left, HEIGHT - down, 250, HEIGHT - down)
        for left in (20, 110, 190, 250):
            paper.canvas.line(left, HEIGHT - 60, left, HEIGHT - 140)
        document = read(paper)
        assert "Adults | Entry | 12\nLunch | 345\nTea | 6\nChildren | Entry | 4" in document.text
        cell = cell_with(document, "345")
        assert (cell.row_headers, cell.column_headers) == (("Adults", "Lunch"), ("Fee",))

    def test_heads_of_two_rows_and_tables_without_boxes_may_be_among_boxes(self) -> None:
        paper = Paper()
        for down, *row in (
            *((70, "City", "January", ""), (86, "", "min", "max"), (102, "Oslo", "-7", "-1")),
            *((118, "Rome", "3", "12"), (160, "", "Plan", "Actual"), (176, "Rent", "120", "121")),
        ):
            for left, cell in zip((30, 160, 260), row, strict=True):
                paper.text(left, down, cell)
        for down, left in (
            *((58, 20), (74, 150), (90, 20), (106, 20), (122, 20)),
            *((148, 20), (164, 20), (180, 20)),
        ):
            paper.canvas.line(left, HEIGHT - down, 350, HEIGHT - down)
        for left, top in ((20, 58), (150, 58), (250, 74), (350, 58)):
            paper.canvas.line(left, HEIGHT - top, left, HEIGHT - 122)
        document = read(paper)
        assert cell_with(document, "12\n").column_headers == ("January", "max")
        assert cell_with(document, "121").column_headers == ("Actual",)

    def test_heads_over_columns_are_above_the_first_rule_also_in_small_print(self) -> None:
        paper = Paper()
        paper.lines(30, 40, ["The equity of the company is shown at the foot of this page."] * 8)
        for down, *row in (
            (430, "", "2020 equity", "", ""),
            (450, "", "Stock", "Surplus", "Total"),
            (470, "Balance at the beginning", "175", "202", "377"),
            (490, "Dividends", "", "(85)", "(85)"),
            (510, "Balance at the end", "175", "117", "292"),
        ):
            for left, cell in zip((30, 180, 250, 320), row, strict=True):
                paper.text(left, down, cell, size=6)
        for down, left in ((420, 170), (435, 170), (458, 30), (476, 30), (500, 30), (520, 30)):
            paper.canvas.line(left, HEIGHT - down, 350, HEIGHT - down)
        document = read(paper)
        cell = cell_with(document, "(85)\n")
        assert cell.row_headers == ("Dividends",)
        assert cell.column_headers == ("2020 equity", "Total")

    def test_two_columns_of_text_between_rules_are_none(self) -> None:
        paper = Paper()
        for number in range(20):
            paper.text(30, 70 + 12 * number, "the ships were counted in the harbour twice")
            paper.text(225, 70 + 12 * number, "and the clerks of the town wrote it all down")
        for down in (50, 320):
            paper.canvas.line(30, HEIGHT - down, 400, HEIGHT - down)
        assert " | " not in read(paper).text


@pytest.mark.parametrize("head", [(), ("Ship", "Crew", "Sails")])
def test_a_table_goes_on_at_the_top_of_the_next_page(head: tuple[str, ...]) -> None:
    paper = Paper()
    pages = (("Ship", "Crew", "Sails"), ("Annabelle", "12", "3")), (head, ("Bela", "9", "21"))
    for rows in pages:
        rows = (*filter(None, rows), ("Cora", "7", "4"))
        for number, row in enumerate(rows):
            for left, cell in zip((30, 220, 300), row, strict=True):
                paper.text(left, 70 + 14 * number, cell)
        for number in (0, 1, len(rows)):
            down = HEIGHT - 60 - 14 * number
            paper.canvas.line(30, down, 350, down)
        paper.next_page()
    document = read(paper)
    cell = cell_with(document, "9")
    assert (cell.row_headers, cell.column_headers) == (("Bela",), ("Crew",))
    assert len(document.layout.tables) == 1


def test_a_sign_of_money_before_words_is_a_cell() -> None:
    rows = (("Sign", "Often", "Use"), ("Ø", "1 in 1,000", "for names"), ("$", "4 in 5", "in trade"))
    assert (
        read(table((*rows, ("π", "1 in 5", "in school")))).text.count("$ | 4 in 5 | in trade") == 1
    )


def test_rows_go_as_far_as_the_line_between_columns() -> None:
    paper = table((("Ship", "Crew", ""), ("Anna", "a boat", ""), ("Bela", "no boat", "")), (1, 2))
    paper.canvas.line(210, HEIGHT - 58, 210, HEIGHT - 104)
    cell = cell_with(read(paper), "no boat")
    assert (cell.row_headers, cell.column_headers) == (("Bela",), ("Crew",))


def test_a_head_may_be_right_above_the_first_ruled_line() -> None:
    rows = (("", "Cases", "Control"), ("AA", "6", "32"), ("AG", "8", "47"))
    assert cell_with(read(table(rows, (1, 3))), "47").column_headers == ("Control",)


def test_control_codes_of_tex_are_ligatures_and_quotation_marks() -> None:
    assert CORK[0x10] + CORK[0x1C] + CORK[0x11] == "“ﬁ”"

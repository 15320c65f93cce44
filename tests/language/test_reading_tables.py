from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.cell_reading import asked_about, read_passage
from citeguard.language.cells import APART, source_of
from citeguard.language.measures import Measures, measures_in, read_value, split_measures
from citeguard.language.tables import find_tables
from rows import each_row

MARKDOWN = """The results are given (in millions, except per share data).

| Year ended December 31, | 2022 | 2021 |
|---|---:|---:|
| Cost of sales | $ 4,126.3 | $ 3,900.1 |
| Earnings per share | 4.21 | 3.55 |

Dividends were paid.
"""
ALIGNED = """(in thousands)
                         January 28,   January 29,
                                2023          2022
Revenue                 $    812,440   $   746,118
Operating expenses:
  Research                    96,210        88,054
Operating income             212,989       185,907
Loss from fire               (1,250)             -
"""
READ_FROM_A_PAGE = """Table 4. Position as of December 31, 2019
(dollars in millions)
2019 2018
Inventories 1,310 1,255
Total assets $ 8,912 $ 8,450
The increase was due to purchases.
"""
BARS = """Region | Population (thousands) | Area (km²) | Capital
Norland | 2,310 | 14,200 | Aster
Sudland | 845 | 9,750 | Brill
"""
MATRIX = "| Plan | Basic | Pro |\n|-|-|-|\n| Price | $9 | $49 |\n| Own domain | No | Yes |\n"
YEARS_DOWN = "Year\tOre (kt)\tWorkers\n2015\t1,204\t412\n2016\t1,377\t430\n"
SEC = """(Dollars in thousands) | | | | |
 | December 31, 2020 | | | December 31, 2019 |
Cash | $ | 48,210 | | $ | 39,877
Accumulated deficit | | (12,330 | ) | | (18,905 | )
"""


def said(text: str) -> list[str]:
    return [cell.sentences[0] for table in find_tables(text) for cell in table.cells]


class TestFindTables:
    @each_row(
        ("text", "sentence"),
        [
            (MARKDOWN, "Cost of sales was $4,126.3 million in the year ended December 31, 2022."),
            (MARKDOWN, "Earnings per share was $3.55 in the year ended December 31, 2021."),
            (ALIGNED, "Revenue was $812,440 thousand in January 28, 2023."),
            (ALIGNED, "Research (operating expenses) was $88,054 thousand in January 29, 2022."),
            (ALIGNED, "Operating income was $185,907 thousand in January 29, 2022."),
            (ALIGNED, "Loss from fire was $1,250 thousand in January 28, 2023."),
            (READ_FROM_A_PAGE, "Position: Inventories was $1,310 million in 2019."),
            (READ_FROM_A_PAGE, "Position: total assets was $8,450 million in 2018."),
            (BARS, "Population of Region Norland is 2,310 thousand."),
            (BARS, "Area of Region Sudland is 9,750 km²."),
            (BARS, "Capital of Region Sudland is Brill."),
            (MATRIX, "Plan Pro has own domain."),
            (MATRIX, "Plan Basic has no own domain."),
            (YEARS_DOWN, "Ore was 1,377 kt in 2016."),
            (YEARS_DOWN, "Workers was 412 in 2015."),
            (SEC, "Cash was $39,877 thousand in December 31, 2019."),
            (SEC, "Accumulated deficit was $12,330 thousand in December 31, 2020."),
        ],
    )
    def test_cells_are_sentences(self, text: str, sentence: str) -> None:
        assert sentence.lower() in [each.lower() for each in said(text)]

    @each_row(
        "text",
        [
            "He paid $5. She paid 7.  They left.\nThe rest is silence.",
            "August 2019\nJuly 2019\nJune 2019\nMay 2019\n",
            "Nobel Prize in Medicine, 1981\nNobel Prize in Economics, 1990\nA. Lee, B.A. 1949\n",
            "Introduction ........ 5\nMethods ........ 12\nResults ........ 40\n",
            "Alice: I went home.\nBob: Why did you go?\nAlice: It was late.\nBob: So it was.\n",
            "Home | About | Contact",
            "",
        ],
    )
    def test_other_texts_have_none(self, text: str) -> None:
        assert find_tables(text) == ()

    def test_text_that_is_not_understood_is_kept(self) -> None:
        odd = MARKDOWN.replace("| Earnings", "| Sites | 4 of 9 |\n| Earnings")
        read = read_passage(odd, (0, len(odd)), find_tables(odd), "")
        assert read is not None
        assert "Sites | 4 of 9" in read[0]

    @given(st.text(alphabet="ab1 0|-\n\t$(){}[]\":,.'%", max_size=200))
    def test_cells_are_in_order_and_in_their_table(self, text: str) -> None:
        end = 0
        for table in find_tables(text):
            assert end <= table.start
            end = table.end
            assert end <= len(text)
            assert list(table.cells) == sorted(table.cells)
            for cell in table.cells:
                assert table.start <= cell.shown[0] <= cell.start <= cell.end <= table.end


class TestMeasures:
    @each_row(
        ("words", "scale", "currency"),
        [
            ("(in thousands)", "thousand", ""),
            ("($ in millions)", "million", "$"),
            ("(in millions of euros, except per share data)", "million", "€"),
            ("(€ thousand)", "thousand", "€"),
            ("($000s)", "thousand", "$"),
            ("(USD bn)", "billion", "$"),
            ("2019 and 2020", "", ""),
        ],
    )
    def test_of_captions(self, words: str, scale: str, currency: str) -> None:
        found = measures_in(words)
        assert (found.scale, found.currency) == (scale, currency)

    @each_row(
        ("name", "plain", "unit"),
        [
            ("Median survival (months)", "Median survival", "months"),
            ("Response rate (%)", "Response rate", "%"),
            ("Area (km²)", "Area", "km²"),
            ("Debt (1)", "Debt", ""),
            ("Placebo (n = 240)", "Placebo", ""),
            ("Cloud (Europe)", "Cloud (Europe)", ""),
        ],
    )
    def test_of_names(self, name: str, plain: str, unit: str) -> None:
        assert split_measures(name) == (plain, Measures(unit=unit))

    @each_row(
        ("written", "figure", "negative"),
        [("$ (1,234.5)", "1,234.5", True), ("-4.1", "4.1", True), ("(6.7)%", "6.7", True)],
    )
    def test_brackets_are_a_minus(self, written: str, figure: str, negative: bool) -> None:
        value = read_value(written)
        assert value is not None
        assert (value.figure, value.negative) == (figure, negative)

    def test_words_are_no_value(self) -> None:
        assert read_value("4 of 9") is None


class TestAskedAbout:
    CELLS = find_tables(MARKDOWN)[0].cells

    @each_row(
        ("statement", "count"),
        [
            ("Cost of sales was 5 in 2021.", 1),
            ("Cost of sales was 5.", 2),
            ("Cost of sales rose from 4 in 2021 to 5 million in 2022.", 2),
            ("Cost of sales rose from 4 to 5 million in 2022.", 2),
            ("Earnings were 5 in 2022.", 2),
            ("It rained.", 4),
        ],
    )
    def test_cells_of_the_rows_and_columns_that_are_named(self, statement: str, count: int) -> None:
        assert len(asked_about(statement, self.CELLS)) == count


class TestReadPassage:
    def read(self, statement: str, **settings: set[object]) -> str:
        row = MARKDOWN.index("| Cost"), MARKDOWN.index("| Earn")
        read = read_passage(MARKDOWN, row, find_tables(MARKDOWN), statement, **settings)  # type: ignore[arg-type]
        assert read is not None
        return read[0]

    def test_a_row_without_its_head_has_it(self) -> None:
        assert "in the year ended December 31, 2021" in self.read("")

    def test_all_of_the_table_counts_if_the_statement_names_a_row(self) -> None:
        text = self.read("Earnings per share were 4 in 2022.", seen=set())
        assert text == "Earnings per share was $4.21 in the year ended December 31, 2022."

    def test_a_rounded_number_is_said_too(self) -> None:
        assert "(or $4.1 billion)" in self.read("Cost of sales was $4.1 billion in 2022.")
        assert "(or" not in self.read("Cost of sales was $4.2 billion in 2022.")

    @pytest.mark.parametrize("text", [MARKDOWN, ALIGNED, READ_FROM_A_PAGE, BARS])
    def test_every_piece_is_from_its_place(self, text: str) -> None:
        read = read_passage(text, (0, len(text)), find_tables(text), "")
        assert read is not None
        whole, pieces = read
        for piece in pieces:
            part = whole[piece.start : piece.end]
            assert (text[piece.low : piece.high] == part) == piece.verbatim
            assert source_of(pieces, piece.start, piece.end) == (piece.low, piece.high)
        assert APART.join(whole[piece.start : piece.end] for piece in pieces) == whole

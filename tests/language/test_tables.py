import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.documents.loading import read_sources
from citeguard.language.tables import find_tables, read_passage, source_of
from rows import each_row

MARKDOWN = """The results are given (in millions, except per share data).

| | 2022 | 2021 |
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
Loss from fire               (1,250)             -
"""
BARS = """Region | Population (millions) | Area (km²) | Capital | Coast
Norland | 2.31 | 14,200 | Aster | yes
Sudland | 0.8 | 9,750 | Brill | no
"""
TABBED = "Year\tOre (kt)\tWorkers\n2015\t1,204\t412\n2016\t1,377\t430\n"
JSON = """Here it is:
{"name": "Blue Door", "hours": {"Monday": "9:00-17:00"}, "wifi": true,
 "street_parking": false, "tags": ["old", "quiet"], "bar": null}
That is all."""
FRAMED = """======  =====  =====
name    Least  Most
======  =====  =====
radius  6.981  28.11
girth   9.71   39.28
======  =====  =====
"""
COMMAS = """name,capital,"area, km2"
Norland,"Aster, old town",14200
Sudland,Brill,9750
"""
YAML = "server:\n  port: 5432\n  host: db1\nbackup:\n  enabled: false\n"
UNITS = """Bird | wing_mm | body_mass_g | Price [€] | Sales in $ millions
A7 | 192 | 3,750 | 9.00 | 3.1
B2 | 188 | 4,050 | 12.50 | 2.4
"""
LABELS = "Landlord: Karl Roth, Mill Lane 4. Tenant: Anna Berg, High Street 9."
LIST = "- **Name:** Dr. Lee\n- **Office:** 4.12\n- **Founded:** 1921\n"


def said(text: str) -> list[str]:
    return [cell.sentence for table in find_tables(text) for cell in table.cells]


@each_row(
    ("text", "sentence"),
    [
        (MARKDOWN, "Cost of sales was $4,126.3 million in 2022."),
        (MARKDOWN, "Earnings per share was 3.55 in 2021."),
        (ALIGNED, "Revenue was $812,440 thousand in January 28, 2023."),
        (ALIGNED, "Research was 88,054 thousand in January 29, 2022."),
        (ALIGNED, "Loss from fire was (1,250) thousand in January 28, 2023."),
        (BARS, "Population of Norland is 2.31 million."),
        (BARS, "Area of Sudland is 9,750 km²."),
        (BARS, "Capital of Sudland is Brill."),
        (BARS, "Sudland, Coast: no."),
        (TABBED, "Ore was 1,377 kt in 2016."),
        (FRAMED, "Most of radius is 28.11."),
        (COMMAS, "Capital of Norland is Aster, old town."),
        (COMMAS, "Area of Sudland is 9750 km2."),
        (JSON, "The hours monday of Blue Door is 9:00-17:00."),
        (JSON, "Blue Door has wifi."),
        (JSON, "Blue Door has no street parking."),
        (JSON, "The tags of Blue Door is quiet."),
        (YAML, "The server port is 5432."),
        (YAML, "It has no backup enabled."),
        (LIST, "The office of Dr. Lee is 4.12."),
        (UNITS, "Wing of A7 is 192 mm."),
        (UNITS, "Body mass of B2 is 4,050 g."),
        (UNITS, "Price of B2 is €12.50."),
        (UNITS, "Sales of A7 is 3.1 million."),
        (LABELS, "The tenant is Anna Berg, High Street 9."),
    ],
)
def test_cells_are_sentences(text: str, sentence: str) -> None:
    assert sentence in said(text)


@each_row(
    "text",
    [
        "",
        "He paid $5. She paid 7.  They left.\nThe rest is silence.",
        "August 2019\nJuly 2019\nJune 2019\nMay 2019\n",
        "Alice: I went home.\nBob: Why did you go?\nAlice: It was late.\nBob: So it was.\n",
        "Home | About | Contact",
        "See [1] and {2}. It rained.",
        '{"a": 1, "b": ',
        "[1, 2, 3]",
        "Note: the shop is closed.",
        "He asked: why? She said: no.",
        "[" * 5_000,
        '{"a":' * 5_000,
    ],
)
def test_other_texts_have_none(text: str) -> None:
    assert find_tables(text) == ()


def test_null_says_nothing() -> None:
    assert "bar" not in " ".join(said(JSON))


@given(
    st.text(alphabet="ab1 0|-\n\t$(){}[]\":,.'%", max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
        max_leaves=6,
    ).map(json.dumps)
)
def test_tables_are_in_order_and_hold_their_cells(text: str) -> None:
    end = 0
    for table in find_tables(text):
        assert end <= table.start < table.end <= len(text)
        end = table.end
        assert all(table.start <= cell.start < cell.end <= end for cell in table.cells)


def test_a_long_gap_takes_no_time() -> None:
    gap = " " * 100_000  # as of the parts of a document that are not shown
    assert said(f"{LABELS}\n{gap}3 RESULTS\n{LABELS}") == said(LABELS) * 2


class TestReadPassage:
    def test_a_row_has_the_head_of_its_table(self) -> None:
        row = MARKDOWN.index("| Cost"), MARKDOWN.index("| Earn")
        text, _ = read_passage(MARKDOWN, *row, find_tables(MARKDOWN))
        assert text.split("\n\t\n") == [
            "Cost of sales was $4,126.3 million in 2022.",
            "Cost of sales was $3,900.1 million in 2021.",
        ]

    def test_prose_is_as_it_is_written(self) -> None:
        assert read_passage("It rained.", 3, 10, ()) == ("rained.", ())

    @pytest.mark.parametrize("text", [MARKDOWN, ALIGNED, BARS, JSON])
    def test_every_piece_is_from_its_place(self, text: str) -> None:
        whole, pieces = read_passage(text, 0, len(text), find_tables(text))
        for piece in pieces:
            part = whole[piece.start : piece.end]
            assert (text[piece.low : piece.high] == part) == piece.verbatim
            assert source_of(pieces, piece.start, piece.end) == (piece.low, piece.high)
        assert "\n\t\n".join(whole[piece.start : piece.end] for piece in pieces) == whole


RANKED = """# Standings

| Pos | Club | Points |
|---|---|---|
| 1 | Calder Rovers | 66 |
| 2 | Wexley Town | 64 |
"""
CODED = """# Prices

| Code | Item | Price |
|---|---|---|
| | **Posts** | |
| FP-7 | Short post | 8.95 |
| FP-9 | Long post | 15.30 |
"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (RANKED, "Points of Wexley Town is 64."),
        (CODED, "Price of Posts, FP-9, Long post is 15.30."),
    ],
)
def test_ranks_and_codes_are_read_with_the_thing_that_they_name(text: str, sentence: str) -> None:
    (source,) = read_sources([("table.md", text.encode())])
    assert sentence in [cell.sentence for table in source.readings for cell in table.cells]

"""Cells quoted with the names of their row and column."""

from citeguard import Source, Sources, locate
from citeguard.documents import read_sources
from citeguard.quotes.find import Grade
from rows import each_row

MARKDOWN = """Requirements

| System  | Lowest | Best      | Weight (kg) | Change |
|---------|--------|-----------|-------------|--------|
| Android | 8.0    | 12        | 1.5         | −3 %   |
| iOS     | 14     | 16 (beta) | 2.5         | +4 %   |
"""
LAYOUT = """3.3  Technical data

Model            AD-20      AD-20E
Power input      360 W      410 W
Noise level      42 dB(A)   46 dB(A)
"""
JAPANESE = """仕様
項目　　　　50 Hz　　　60 Hz
消費電力　　48 W　　　 52 W
加湿量　　　500 mL/h　 540 mL/h
"""
ITALIAN = """Piano     Millesimi   Ascensore (€)   Riscaldamento (€)
Primo     148         95,20           710,50
Secondo   151         138,40          722,00
"""
CSV = b"city,people,area (km2)\nOslo,717710,454\nBergen,291940,465\n"


def grade(quote: str, text: str | Source) -> Grade | None:
    match = locate(quote, text if isinstance(text, Source) else Source(id="1", text=text))
    return match.grade if match else None


@each_row(
    ("quote", "text"),
    [
        ("iOS: lowest 14, best 16 (beta)", MARKDOWN),
        ("iOS, Best: 16 (beta)", MARKDOWN),
        ("Lowest (Android): 8.0", MARKDOWN),
        ("Lowest: 14; best: 16 (beta)", MARKDOWN),
        ("city: Oslo; people: 717710", CSV.decode()),
        ("Android: weight 1.5 kg", MARKDOWN),
        ("Android – weight (kg): 1.5", MARKDOWN),
        ("Android: change −3 %", MARKDOWN),
        ("Noise level: 42 dB(A) (AD-20), 46 dB(A) (AD-20E)", LAYOUT),
        ("Noise level (AD-20E): 46 dB(A)", LAYOUT),
        ("加湿量：500 mL/h（50 Hz）、540 mL/h（60 Hz）", JAPANESE),
        ("Secondo: 151 millesimi, ascensore € 138,40, riscaldamento € 722,00", ITALIAN),
    ],
)
def test_a_cell_with_its_names_is_a_quote(quote: str, text: str) -> None:
    assert grade(quote, text) == "equivalent"


@each_row(
    ("quote", "text"),
    [
        ("iOS: lowest 16 (beta), best 14", MARKDOWN),
        ("iOS: best 16", MARKDOWN),
        ("iOS: best 12", MARKDOWN),
        ("iOS (lowest): 8.0", MARKDOWN),
        ("iOS: 14 lowest best 16 (beta), lowest", MARKDOWN),
        ("Lowest: 14, 16 (beta)", MARKDOWN),
        ("Lowest: 14, best 12", MARKDOWN),
        ("Android: change 3 %", MARKDOWN),
        ("Android: change −3", MARKDOWN),
        ("Android: change +3 %", MARKDOWN),
        ("Android: weight 1.5 g", MARKDOWN),
        ("Android: weight > 1.5", MARKDOWN),
        ("Android: no weight 1.5", MARKDOWN),
        ("Noise level: 46 dB(A) (AD-20), 42 dB(A) (AD-20E)", LAYOUT),
        ("Noise level (AD-20): 410 W", LAYOUT),
        ("加湿量：540 mL/h（50 Hz）、500 mL/h（60 Hz）", JAPANESE),
        ("Secondo: ascensore $ 138,40", ITALIAN),
    ],
)
def test_another_cell_sign_or_unit_is_none(quote: str, text: str) -> None:
    assert grade(quote, text) is None


SIGNS = """| Grade | Low | Price (old) | Price (today) | Low |
|-|-|-|-|-|
| A | (90) | 39 | 45 | 1 |
| B+ | 70 | 3 | 4 | 2 |
| C | 6 | 7 | 8 | 3 |
| C | 9 | 7 | 8 | 4 |
"""


@each_row(
    ("quote", "expected"),
    [
        ("A: price (old) = 39", "equivalent"),
        ("B+: price (today) 4", "equivalent"),
        ("B: price (today) 4", None),
        ("A+: price (old) = 39", None),
        ("✗ A: price (old) = 39", None),
        ("A ≠ price (old): 39", None),
        ("A: price 39", None),
        ("A: price (old) (39)", None),
        ("A: low 1", None),
        ("C: price (old) 7", None),
        ("price (old): 39", None),
    ],
)
def test_signs_conditions_and_shared_names_count(quote: str, expected: Grade | None) -> None:
    assert grade(quote, SIGNS) == expected


def test_a_quote_that_is_read_in_very_many_ways_takes_no_time() -> None:
    table = "| x | a | aa | 1 |\n|-|-|-|-|\n| a | q | r | a |\n| aa | a | a | a |\n"
    assert grade(f"{'a' * 200}: q", table) is None


def test_the_match_is_the_row() -> None:
    match = locate("iOS, Best: 16 (beta)", MARKDOWN)
    assert match is not None
    assert match.text == "iOS     | 14     | 16 (beta) | 2.5         | +4 %"
    assert [(edit.quoted, edit.material, edit.reason) for edit in match.edits] == [
        ("Best", False, "column")
    ]


PORTS = """<table><tr><th>Coast</th><th>Port</th><th>2022</th></tr>
<tr><th rowspan=2>West</th><th>Dunross</th><td>760</td></tr><tr><th>Ulva</th><td>655</td></tr>
</table>"""


@each_row(
    ("quote", "expected"),
    [("Dunross (2022): 760", "equivalent"), ("West, Dunross (2022): 760", "equivalent")]
    + [(quote, None) for quote in ("West (2022): 760", "West, Ulva (2022): 760")],
)
def test_the_name_of_a_part_is_not_that_of_a_row(quote: str, expected: Grade | None) -> None:
    (source,) = read_sources([("ports.html", PORTS.encode())])
    assert grade(quote, source) == expected


@each_row(
    ("quote", "expected"),
    [
        ("Oslo: people 717710, area 454 km2", "equivalent"),
        ("Bergen (people): 291940", "equivalent"),
        ("Bergen (people): 717710", None),
    ],
)
def test_cells_that_a_file_names(quote: str, expected: Grade | None) -> None:
    (source,) = read_sources([("cities.csv", CSV)])
    assert grade(quote, source) == expected


def test_answers_may_quote_cells() -> None:
    assert locate("Noise level (AD-20): 42 dB(A)", Sources(LAYOUT)) is not None

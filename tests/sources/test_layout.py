"""Where a document's words stand in its file: pages and boxes, headings, lines."""

import json
from array import array
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import Source, Sources, Span
from citeguard.sources.layout import (
    Box,
    Cell,
    Heading,
    Layout,
    Page,
    Part,
    PrintedLine,
    Section,
    Table,
    name_of_place,
)

steady = settings(derandomize=True)

WIDTH = 5.0  # of every character


def printed(start: int, length: int, *, page: int = 1, top: float = 0.0) -> PrintedLine:
    lefts = array("d", (WIDTH * place for place in range(length)))
    rights = array("d", (WIDTH * (place + 1) for place in range(length)))
    return PrintedLine(start, page, top, top + 10, lefts, rights)


def page(number: int, label: str | None = None) -> Page:
    return Page(number, label or str(number), 612.0, 792.0, "")


def titled(*headings: tuple[str, int, int], length: int = 100) -> Layout:
    """Return the layout of a document by the text, the level and the start of its headings."""
    return Layout(
        "html", length, headings=[Heading(t, n, at, at + len(t)) for t, n, at in headings]
    )


PAPER = Layout(
    "pdf",
    40,
    headings=[Heading("Pay", 1, 0, 3), Heading("Notice", 2, 11, 17)],
    pages=[page(1, "iv"), page(2), page(3)],
    printed=[
        printed(0, 10, top=20),
        printed(11, 9, top=40),
        printed(21, 9, page=3),
        printed(30, 10, page=3, top=20),
    ],
)
"""Two lines on the first page, none on the second, and two on the third."""


class TestPageAt:
    def test_is_where_the_text_goes_on(self) -> None:
        for position, number in [
            (0, 1),  # the first character
            (9, 1),  # the last of a line
            (10, 1),  # between lines
            (20, 3),  # between pages: where the text goes on
            (39, 3),  # the last character
            (99, 3),  # behind the end
        ]:
            found = PAPER.page_at(position)
            assert found is not None
            assert found.number == number

    def test_without_pages_is_none(self) -> None:
        assert titled(("Pay", 1, 0)).page_at(0) is None


class TestBoxes:
    def test_cover_characters_in_the_order_of_the_page(self) -> None:
        backwards = PrintedLine(0, 1, 0, 10, array("d", [10, 5, 0]), array("d", [15, 10, 5]))
        assert backwards.box(1, 3) == Box(1, 0, 0, 10, 10)

    @steady
    @given(st.integers(0, 45), st.integers(0, 45))
    def test_are_those_of_the_lines_touched(self, start: int, end: int) -> None:
        touched = [line for line in PAPER.printed if max(start, line.start) < min(end, line.end)]
        assert [(box.page, box.top) for box in PAPER.boxes(start, end)] == [
            (line.page, line.top) for line in touched
        ]


class TestLineAt:
    LINES = Layout("markdown", 30, line_starts=[(0, 3), (10, 4), (20, 9)])

    def test_is_that_of_the_file(self) -> None:
        for position, line in [(0, 3), (9, 3), (10, 4), (19, 4), (29, 9)]:
            assert self.LINES.line_at(position) == line

    def test_is_none_where_it_is_not_known(self) -> None:
        assert Layout("text", 9).line_at(4) is None


HANDBOOK = titled(
    ("Pay", 1, 10), ("Bonus", 2, 20), ("Cars", 3, 30), ("Taxes", 2, 40), ("Notice", 1, 50)
)


class TestHeadingsAt:
    def test_of_levels_that_skip_and_rise(self) -> None:
        layout = titled(("d", 4, 0), ("b", 2, 10), ("f", 6, 20), ("c", 3, 30), ("a", 1, 40))
        paths = [layout.headings_at(position) for position in (0, 10, 20, 30, 40)]
        assert paths == [("d",), ("b",), ("b", "f"), ("b", "c"), ("a",)]


levels = st.lists(st.integers(1, 6), max_size=12)


def of_levels(numbers: list[int]) -> Layout:
    headings = [(f"{place}", level, 10 * place) for place, level in enumerate(numbers)]
    return titled(*headings, length=10 * len(numbers))


def flat(sections: tuple[Section, ...], above: tuple[str, ...] = ()) -> list[tuple[Section, Any]]:
    """Return all sections of a tree in order, each with the headings of its path."""
    listed: list[tuple[Section, Any]] = []
    for section in sections:
        path = (*above, section.heading)
        listed += [(section, path), *flat(section.sections, path)]
    return listed


class TestSections:
    def test_name_the_page_that_they_start_on(self) -> None:
        (pay,) = PAPER.sections
        assert (pay.page, pay.sections[0].page) == (1, 1)

    @steady
    @given(levels)
    def test_hold_every_heading_under_the_headings_above_it(self, numbers: list[int]) -> None:
        layout = of_levels(numbers)
        listed = flat(layout.sections)
        assert [section.start for section, _ in listed] == [each.start for each in layout.headings]
        assert all(layout.headings_at(section.start) == path for section, path in listed)
        for section, _ in listed:
            inner = [(each.start, each.end, each.level) for each in section.sections]
            assert all(one[1] == other[0] for one, other in pairwise(inner))
            assert not inner or inner[-1][1] == section.end
            assert all(level > section.level for *_, level in inner)

    def test_of_very_many_headings(self) -> None:
        layout = titled(*((str(at), 1 + at % 6, 2 * at) for at in range(20_000)), length=40_000)
        assert len(layout.sections) == 3_334
        assert len(layout.headings_at(30_000)) <= 6


class TestOutlineJson:
    def test_has_all_of_the_sections(self) -> None:
        told = json.loads(PAPER.outline_json())
        assert told == [
            {
                "heading": "Pay",
                "level": 1,
                "start": 0,
                "end": 40,
                "page": 1,
                "sections": [
                    {
                        "heading": "Notice",
                        "level": 2,
                        "start": 11,
                        "end": 40,
                        "page": 1,
                        "sections": [],
                    }
                ],
            }
        ]


ROWS = "Head\n\n | 2018 | 2017\nDividends paid | 3,193 | 2,980\nTail"
FLOWS = Layout(
    "word",
    len(ROWS),
    headings=[Heading("Head", 1, 0, 4)],
    tables=[
        Table(
            6,
            51,
            "Table 12",
            cells=(
                Cell(6, 6, 1, 1, is_header=True),
                Cell(9, 13, 1, 2, is_header=True),
                Cell(16, 20, 1, 3, is_header=True),
                Cell(21, 35, 2, 1, is_header=True),
                Cell(38, 43, 2, 2, 1, 1, ("Equity", "Dividends paid"), ("2018",)),
                Cell(46, 51, 2, 3, 1, 1, ("Equity", "Dividends paid"), ("2017",)),
            ),
        )
    ],
    parts=[Part(0, "paragraph 1"), Part(52, "paragraph 2")],
)


class TestTables:
    def test_a_cell_is_found_by_each_of_its_characters_and_by_no_other(self) -> None:
        found = [FLOWS.cell_at(place) for place in range(len(ROWS))]
        cells = FLOWS.tables[0].cells
        assert [each and cells.index(each) for each in found[36:48]] == [
            *[None] * 2, *[4] * 5, *[None] * 3, *[5] * 2,
        ]  # fmt: skip
        assert found[:9] == [None] * 9
        assert found[52:] == [None] * 4

    def test_a_place_names_what_its_cells_share(self) -> None:
        sources = Sources([Source("flows", ROWS, layout=FLOWS)])

        def place(words: str) -> str:
            start = ROWS.index(words)
            return str(sources.location_of(Span("flows", start, start + len(words))))

        assert place("3,193") == "Head, Table 12, row *Dividends paid*, column *2018*"
        assert place("3,193 | 2,980") == "Head, Table 12, row *Dividends paid*"
        assert place("2018 | 2017\nDividends paid | 3,193") == "Head, Table 12"
        assert place("Tail") == "Head, paragraph 2"

    def test_a_place_is_never_empty(self) -> None:
        sources = Sources([Source("page", "One.\n\nTwo.", layout=Layout("html", 10))])
        assert str(sources.location_of(Span("page", 6, 9))) == "line 3"

    def test_a_sheet_is_named_by_its_own_names_of_cells(self) -> None:
        cells = (Cell(0, 3, 1, 1, name="A1"), Cell(6, 9, 1, 2, name="B1"))
        layout = Layout("sheets", 9, tables=[Table(0, 9, "Sheet *P&L*", cells=cells)])
        sources = Sources([Source("book", "one | two", layout=layout)])
        assert str(sources.location_of(Span("book", 6, 9))) == "Sheet *P&L*, B1"
        assert str(sources.location_of(Span("book", 0, 9))) == "Sheet *P&L*, A1:B1"


class TestNames:
    def test_of_places(self) -> None:
        for place, name in [
            ({}, ""),
            ({"page": 4}, "p. 4"),
            ({"page": 4, "page_label": "4"}, "p. 4"),
            ({"page": 16, "page_label": "iv"}, "p. iv (16 of the file)"),
            ({"headings": ["Pay", "Bonus"]}, "Pay › Bonus"),
            ({"line": 112}, "line 112"),
            ({"headings": ["Pay"], "line": 3}, "Pay, line 3"),
        ]:
            assert name_of_place(**place) == name

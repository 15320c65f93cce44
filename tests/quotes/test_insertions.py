"""Quotes that leave out what a tool inserted between the words of a text."""

from __future__ import annotations

from textwrap import wrap

import pytest

from citeguard.quotes.insertions import find_readings
from quotes.tables import accepted

PROSE = (
    "The mill was built of stone in the spring of 1820, and it ground the corn of five villages"
    " until the river changed its course. After that the owner did not repair the wheel, for nobody"
    " would pay him. His daughter sold the stones in 1871 to a builder from the north, who used"
    " them for the new bridge. The bridge was opened by the bishop on a wet day in May, and the"
    " children of the school sang. It has been closed to carts since the flood of 1903."
)
SENTENCES = (
    "After that the owner did not repair the wheel, for nobody would pay him.",
    "His daughter sold the stones in 1871 to a builder from the north, who used them for the new"
    " bridge.",
    "The bridge was opened by the bishop on a wet day in May, and the children of the school sang.",
)


def with_notes_on_the_right(text: str) -> str:
    notes = ["Origin of the mill", "", "End of milling", "", "See p. 12", "", "The bridge"]
    lines = wrap(text, 62)
    return "\n".join(
        f"   {line:<68}{notes[i % len(notes)]}".rstrip() for i, line in enumerate(lines)
    )


def with_notes_on_the_left(text: str) -> str:
    notes = ["", "1.2", "", "Sale of stones", "", "Not a ford", ""]
    return "\n".join(f"{notes[i % len(notes)]:<20}{line}" for i, line in enumerate(wrap(text, 62)))


def in_two_columns(text: str) -> str:
    left, right = wrap(text, 38), wrap(PROSE.upper().replace("MILL", "TOWER"), 38)
    rows = max(len(left), len(right))
    pairs = zip([*left, *[""] * rows], [*right, *[""] * rows], strict=False)
    return "\n".join(f"{one:<42}{other}".rstrip() for one, other in list(pairs)[:rows])


LAYOUTS = (with_notes_on_the_right, with_notes_on_the_left, in_two_columns)


class TestColumns:
    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_beside_a_sentence(self, layout: object) -> None:
        assert callable(layout)
        text = layout(PROSE)
        for sentence in SENTENCES:
            assert accepted(sentence, text), sentence

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_changes_are_material(self, layout: object) -> None:
        assert callable(layout)
        text = layout(PROSE)
        for old, new in (("did not repair", "did repair"), ("1871", "1817"), ("wet", "fine")):
            for sentence in SENTENCES:
                if old in sentence:
                    assert accepted(sentence.replace(old, new), text) is None, new

    def test_words_behind_a_wide_gap_of_running_text_are_not_beside_it(self) -> None:
        lines = wrap(PROSE, 62)
        lines[2] = "After that the owner was,          not"
        text = "\n".join([*lines[:3], "in the end, repaired by the wheel", *lines[3:]])
        assert accepted("After that the owner was, in the end, repaired by the wheel", text) is None

    def test_cells_of_different_rows_do_not_meet(self) -> None:
        text = "Drug A     approved\nDrug B     not approved\nDrug C     approved\nDrug D     no\n"
        assert accepted("Drug B approved", text) is None
        assert accepted("Drug B not approved", text)


def as_pages(columns: list[list[str]], *, notes: dict[int, str]) -> str:
    """Return pages of two columns each, with a head, a page number, and notes at the foot."""
    pages: list[str] = []
    for i in range(0, len(columns), 2):
        left, right = columns[i], [*columns[i + 1 : i + 2], []][0]
        rows = max(len(left), len(right))
        pairs = zip([*left, *[""] * rows], [*right, *[""] * rows], strict=False)
        lines = [f"{one:<46}{other}".rstrip() for one, other in list(pairs)[:rows]]
        note = [f"1 {notes[i]}"] if i in notes else []
        head = "Mills of the North" if i % 4 else "A. Miller and B. Sato"
        page = [f"{head:<60}3 May 2021", "", *lines, "", *note, "", f"{i // 2 + 7:>40}"]
        pages.append("\n".join(page))
    return "\n\f".join(pages)


def paged() -> str:
    words = f"{PROSE} {PROSE.replace('mill', 'tower').replace('18', '17')}"
    lines = wrap(words.replace("five villages", "five villages1", 1), 40)
    columns = [lines[i : i + 6] for i in range(0, len(lines), 6)]
    return as_pages(columns, notes={0: "Their names are not known."})


class TestPages:
    TEXT = paged()

    def test_sentences_go_on_in_the_next_column_and_on_the_next_page(self) -> None:
        for sentence in SENTENCES:
            assert accepted(sentence, self.TEXT), sentence

    @pytest.mark.parametrize(
        ("old", "new"),
        [("did not repair", "did repair"), ("1871", "1817"), ("wet", "fine"), ("the north", "")],
    )
    def test_changes_are_material(self, old: str, new: str) -> None:
        for sentence in SENTENCES:
            if old in sentence:
                assert accepted(sentence.replace(old, new), self.TEXT) is None

    def test_the_span_has_the_whole_sentence(self) -> None:
        for sentence in SENTENCES:
            match = accepted(sentence, self.TEXT)
            assert match is not None
            assert match.text == self.TEXT[match.span.start : match.span.end]
            assert {*sentence.split()[:-1]} <= {*match.text.replace("-\n", "").split()}

    def test_a_line_of_a_page_that_denies_something_is_text(self) -> None:
        pages = ["The mill is open\n\nNot on Sundays\n", "on all days\n\nNot on Sundays\n"]
        assert accepted("The mill is open on all days", "\f".join(pages)) is None

    def test_a_number_that_begins_a_line_is_no_page_number(self) -> None:
        pages = ["1\nIt was sold to the\n", "2 brothers, never to the\n", "3 sons of the owner\n"]
        assert accepted("It was sold to the sons of the owner", "\f".join(pages)) is None

    def test_a_long_paragraph_among_columns_is_text(self) -> None:
        text = f"The first part is done.\n   {'It is long. ' * 50}\nThe second part begins."
        assert accepted("The first part is done. The second part begins.", text) is None

    def test_a_column_of_a_table_does_not_go_on_in_the_next(self) -> None:
        cells = [("Drug A", "approved"), ("Drug B", "not approved"), ("Drug C", "approved")] * 2
        text = "".join(f"{drug:<20}{status}\n" for drug, status in cells[:-1])
        assert accepted("Drug B approved", text) is None


class TestTranscripts:
    CUES = (
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\n<v Bob>We will open the plant\n\n"
        "2\n00:00:04.000 --> 00:00:08.000\n- in the spring of next year.\n"
    )

    def test_cues(self) -> None:
        assert accepted("We will open the plant in the spring of next year.", self.CUES)
        assert accepted("We will open the plant in the autumn of next year.", self.CUES) is None

    @pytest.mark.parametrize(
        "text",
        [
            "[00:12:31] ALICE: I think it is good.\n[00:12:40] BOB: It is too dear for us.\n",
            "Alice: I think it is good.\nBob: It is too dear for us.\nAlice: Then we wait.\n",
            "00:12 I think it is good.\n00:15 It is too dear for us.\n",
            "0:12\nI think it is good.\n0:15\nIt is too dear for us.\n",
            "[10:31 AM] Ann Lee: I think it is good.\n[10:32 AM] Tom: It is too dear for us.\n",
        ],
    )
    def test_speakers_and_times(self, text: str) -> None:
        assert accepted("I think it is good. It is too dear for us.", text)

    @pytest.mark.parametrize(
        ("text", "quote"),
        [
            ("Risk: high\nBenefit: low\n", "high low"),
            ("Myth: it is safe\nFact: it is not safe\nMyth: it is cheap\n", "it is safe it is not"),
            ("08:00 Doors open\n09:00 Talks begin\n10:00 Lunch is served\n", "Doors open Talks"),
        ],
    )
    def test_labels_of_lists_and_schedules_are_words(self, text: str, quote: str) -> None:
        assert accepted(quote, text) is None


class TestEscapes:
    def test_line_breaks_of_a_text_that_was_dumped_twice(self) -> None:
        text = "the first line\\nof a text that\\nwas dumped twice"
        assert accepted("the first line of a text that was dumped twice", text)

    def test_of_a_quote(self) -> None:
        text = "The plan was “bold”.\nIt cost 5 million at the Café."
        assert accepted('The plan was \\"bold\\".\\nIt cost 5 million at the Caf\\u00e9.', text)

    def test_paths_are_no_escapes(self) -> None:
        assert accepted("It reads C: ew and able.", "It reads C:\\new and \\table.") is None
        assert accepted("It reads data ew able.", "It reads data\\new\\table.") is None


def test_plain_text_has_none() -> None:
    assert find_readings(PROSE) == []
    assert find_readings("\n".join(wrap(PROSE, 40))) == []


class TestColumnsOfAFewLines:
    BOX = """\
It rained all day in the old       The museum opens at nine and
town, and the river rose by        closes at six; on Mondays the
two feet before the evening.       garden alone may be visited.

A line across the whole page follows, and another one goes on with it to the very end here.
"""

    def test_each_is_read_by_itself(self) -> None:
        quotes = (
            "It rained all day in the old town, and the river rose by two feet before the",
            "The museum opens at nine and closes at six; on Mondays the garden alone",
        )
        assert all(accepted(quote, self.BOX) for quote in quotes)

    def test_lines_of_both_are_not_one(self) -> None:
        assert not accepted("two feet before the evening. The museum opens", self.BOX)


class TestColumnsOfTwoLines:
    @pytest.mark.parametrize(
        ("text", "quote"),
        [
            (
                "The hall is open to all      The bar closes before\n"
                "members of the club.         the last train leaves.\n",
                "The bar closes before the last train leaves.",
            ),
            (
                "Das Amt ist bis zum          Die Bücherei öffnet um\n"
                "Mittag offen.                neun Uhr am Morgen.\n",
                "Das Amt ist bis zum Mittag offen.",
            ),
            (
                "Зал открыт для всех          Бар закрывается до\n"
                "членов нашего клуба.         последнего поезда.\n",
                "Бар закрывается до последнего поезда.",
            ),
        ],
    )
    def test_are_read_one_after_the_other(self, text: str, quote: str) -> None:
        assert accepted(quote, text)

    @pytest.mark.parametrize(
        ("text", "quote"),
        [
            (
                "Votes cast in favour of it:      twelve members of the board\n"
                "Votes cast against the plan:     three members of the board\n"
                "Votes that were not valid:       fourteen members of the board\n",
                "Votes that were not valid: twelve members of the board",
            ),
            (
                "Patients who got the drug      did not improve at all\n"
                "Patients who got the sugar     improved within a week\n"
                "Patients who got no pills      died within the month\n",
                "Patients who got no pills did not improve at all",
            ),
            (
                "Patients who got the drug      did not improve at all\n"
                "Patients who got the sugar     improved within a week\n",
                "Patients who got the sugar did not improve at all",
            ),
            (
                "Open on all working days:      Closed on the days here:\n"
                "the library and the hall       the pool and the old gym\n",
                "Open on all working days: the pool and the old gym",
            ),
        ],
    )
    def test_are_no_rows_of_a_table(self, text: str, quote: str) -> None:
        assert not accepted(quote, text)

"""Quotes that leave out what a page, a player or a tool printed between the words of a text."""

from textwrap import wrap

import pytest

from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.differences import Edit, compare
from citeguard.quotes.find import QuoteForm, find_quote
from citeguard.quotes.printed import find_furniture, find_readings, find_speech, find_turns
from quotes.tables import accepted, cases
from rows import each_row

FURNITURE = cases("page furniture")
TEXT = cases("no page furniture")
BEFORE, AFTER = "It held most of", "its soldiers back."


def judged(gap: str, *, elsewhere: str = "") -> tuple[Edit, ...]:
    text = f"{elsewhere}{BEFORE}{gap}{AFTER}"
    return compare(f"{BEFORE} {AFTER}", text, len(elsewhere), len(text))


class TestGuard:
    @each_row("gap", [gap for (gap,) in FURNITURE])
    def test_lets_a_quote_drop(self, gap: str) -> None:
        edits = judged(gap)
        assert [edit.reason for edit in edits] == ["page furniture"]
        assert not any(edit.material for edit in edits)
        assert edits[0].source == gap.strip()

    @each_row("gap", [gap for (gap,) in TEXT])
    def test_does_not_let_a_quote_drop(self, gap: str) -> None:
        assert any(edit.material for edit in judged(gap))

    def test_lets_a_quote_drop_a_head_that_stands_on_other_pages_too(self) -> None:
        elsewhere = "One.\nAnnual Report\nTwo.\n"
        assert not any(e.material for e in judged("\nAnnual Report\n", elsewhere=elsewhere))
        assert any(edit.material for edit in judged("\nAnnual Report\n"))

    def test_lets_a_quote_drop_two_page_breaks(self) -> None:
        text = "It held\n\n12\n\nmost of its\n\n13\n\nsoldiers back."
        edits = compare("It held most of its soldiers back.", text, 0, len(text))
        assert [(edit.source, edit.material) for edit in edits] == [("12", False), ("13", False)]

    def test_sees_what_else_was_dropped(self) -> None:
        text = "It did not hold\n\n12\n\nmost of its soldiers back."
        edits = compare("It did hold most of its soldiers back.", text, 0, len(text))
        assert {edit.reason: edit.material for edit in edits} == {
            "page furniture": False,
            "negation": True,
        }

    def test_lets_a_quote_keep_the_page_number(self) -> None:
        text = "It held most of\n\n12\n\nits soldiers back."
        assert compare("It held most of 12 its soldiers back.", text, 0, len(text)) == ()


class TestFindFurniture:
    def test_names_the_lines(self) -> None:
        text = "most of\n\n12\nAnnual Report\n\nits soldiers"
        assert [text[low:high] for low, high in find_furniture(text, 0, len(text))] == [
            "12\nAnnual Report"
        ]

    @pytest.mark.parametrize("text", ["", "12", "12\n13", "\n\n12\n\n", "of\n12", "12\nof"])
    def test_leaves_the_outer_lines_alone(self, text: str) -> None:
        assert find_furniture(text, 0, len(text)) == []

    def test_leaves_what_was_quoted_alone(self) -> None:
        text = "most of\n\nAnnual Report\n\nits soldiers"
        assert find_furniture(text, 0, len(text), "mostofannualreportits") == []


WORDS = cases("lines of text")


@each_row("kind, before, line, after", WORDS)
def test_lines_that_say_something_are_no_furniture(
    kind: str, before: str, line: str, after: str
) -> None:
    text = f"{before}\n{line}\n{after}"
    edits = compare(f"{before} {after}", text, 0, len(text))
    assert any(edit.material for edit in edits), kind


# Columns, pages and transcripts

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


def with_a_title_in_the_margin(text: str, title: list[str], *, left: bool) -> str:
    """Return some pages of a text, with a title beside the first lines of each."""
    filler = wrap(" ".join(f"Part {i} of it is {'long ' * (i % 4)}to tell." for i in range(90)), 62)
    lines = [*wrap(text, 62), *filler]
    pages = [lines[i : i + 20] for i in range(0, len(lines), 20)]
    for page in pages:
        for i in range(len(page)):
            beside = title[i] if i < len(title) else ""
            page[i] = (f"{beside:<22}{page[i]}" if left else f"{page[i]:<70}{beside}").rstrip()
    return "\f".join("\n".join(page) + "\n" for page in pages)


class TestMargins:
    @pytest.mark.parametrize("left", [True, False])
    def test_a_title_beside_every_page_interrupts_nothing(self, left: bool) -> None:
        title = ["Validating ML", "predictions of", "burial mounds"]
        text = with_a_title_in_the_margin(PROSE, title, left=left)
        for sentence in SENTENCES:
            assert accepted(sentence, text), sentence
            assert not accepted(sentence.replace("the ", "no ", 1), text)


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

    def test_of_other_widths_above_and_below(self) -> None:
        above, below = wrap(SENTENCES[0], 30), wrap(" ".join(SENTENCES[1:]), 44)
        rows = [f"{one:<34}The tower above is a tale" for one in above]
        rows += [f"{one:<48}{i}. Its owner and heirs" for i, one in enumerate(below)]
        assert accepted(SENTENCES[0], "\n".join(rows))
        assert all(accepted(each, "\n".join(rows)) for each in SENTENCES[1:])

    def test_words_behind_a_wide_gap_of_running_text_are_not_beside_it(self) -> None:
        lines = wrap(PROSE, 62)
        lines[2] = "After that the owner was,          not"
        text = "\n".join([*lines[:3], "in the end, repaired by the wheel", *lines[3:]])
        assert accepted("After that the owner was, in the end, repaired by the wheel", text) is None

    def test_cells_of_different_rows_do_not_meet(self) -> None:
        text = "Drug A     approved\nDrug B     not approved\nDrug C     approved\nDrug D     no\n"
        assert accepted("Drug B approved", text) is None
        assert accepted("Drug B not approved", text)


class TestPages:
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
            "[00:12:31] ALICE: I think it is good.\n[00:12:40] ALICE: It is too dear for us.\n",
            "00:12 I think it is good.\n00:15 It is too dear for us.\n",
            "0:12\nI think it is good.\n0:15\nIt is too dear for us.\n",
            "[10:31 AM] Ann Lee: I think it is good.\n[10:32 AM] Ann Lee: It is too dear for us.\n",
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


SPEECH = (
    "[0:01] Ann: So, uh, we we will, um, close the- the plant. [0:09] Ben: But, er, not the office."
)


@pytest.mark.parametrize("quote", ["So, we will close the plant.", "But, not the office."])
def test_hesitation_is_left_out_where_the_policy_says_so(quote: str) -> None:
    prepared = PreparedText(SPEECH)
    found = [find_quote(QuoteForm(quote, speech=speech), prepared) for speech in (True, False)]
    assert [place is not None and place.accepted for place in found] == [True, False]


@pytest.mark.parametrize(
    "quote", ["we will close the office", "So we close the plant", "But the office"]
)
def test_words_that_are_meant_are_not_left_out_of_speech(quote: str) -> None:
    found = find_quote(QuoteForm(quote, speech=True), PreparedText(SPEECH))
    assert found is None or not found.accepted


def test_a_word_that_is_right_twice_is_not_left_out() -> None:
    text = "He had had enough, uh, of it."
    assert [text[low:high] for low, high in find_speech(text)] == ["He had had enough,", "of it."]


# Who speaks

DAY = "2024-05-17 09:0"


@each_row(
    ("text", "turns"),
    [
        (f"[{DAY}3] anna: Hi.\n[{DAY}4] ben: No.\n", [("anna", f"{DAY}3"), ("ben", f"{DAY}4")]),
        (
            "17/05/2024, 09:03 - Anna: Hi.\nIt is me.\n17/05/2024, 09:04 - Ben Müller: Oh.\n",
            [("Anna", "17/05/2024, 09:03"), ("Ben Müller", "17/05/2024, 09:04")],
        ),
        (
            "[17/05/2024, 09:03:12] Anna: Hi.\n[17/05/2024, 09:04:01] Ben: Hello.\n",
            [("Anna", "17/05/2024, 09:03:12"), ("Ben", "17/05/2024, 09:04:01")],
        ),
        (  # what the program says, and a number for a name
            "5/17/24, 9:03 AM - Messages are encrypted.\n5/17/24, 9:04 AM - Anna: Hi.\n"
            "5/17/24, 9:05 AM - Anna changed the subject to: Tea\n"
            "5/17/24, 9:06 AM - +44 7700 900123: Yes.\n",
            [
                (None, "5/17/24, 9:03 AM"),
                ("Anna", "5/17/24, 9:04 AM"),
                (None, "5/17/24, 9:05 AM"),
                ("+44 7700 900123", "5/17/24, 9:06 AM"),
            ],
        ),
        (  # within the turn of a recording
            "00:00:01 Anna: Hi.\n00:00:09 I go on.\n00:01:00 Ben: No.\n",
            [("Anna", "00:00:01"), ("Anna", "00:00:09"), ("Ben", "00:01:00")],
        ),
        ("[09:03] <anna> Hi\n[09:04] <ben> No\n", [("anna", "09:03"), ("ben", "09:04")]),
        (
            "THE COURT: Sit down.\nMR. SMITH: One thing: we object.\nTHE COURT: I see.\n",
            [("THE COURT", None), ("MR. SMITH", None), ("THE COURT", None)],
        ),
        (  # two come back, and one, whose name is a word, does not
            "Anna: It ships.\n\nBen: I doubt it.\n\nAnna: It does.\n\nMark: No no.\n\nBen: So so.",
            [(name, None) for name in ("Anna", "Ben", "Anna", "Mark", "Ben")],
        ),
        ("Tel: 12 34\nFax: 45 56\nTel: 12 37\nFax: 23 33\n", []),  # records
        ("Summary: We met.\n\nAnna said so. Ben: agreed.\n\nNote: it is.\n\nTodo: mail.\n", []),
        ("09:00 Anna: Introduction\n10:00 Ben: Results\n", []),  # a schedule
        (PROSE, []),
    ],
    ids=lambda row: row[:20],
)
def test_turns_are_found(text: str, turns: list[tuple[str | None, str | None]]) -> None:
    found = find_turns(text)
    assert [(turn.speaker, turn.time) for turn in found] == turns
    assert all(text[: turn.start][-1:] in ("", "\n") for turn in found)

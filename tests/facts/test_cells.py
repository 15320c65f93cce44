"""What a table proves: the figure of a statement is under the names of another cell."""

import time

import pytest

from citeguard import ReaderJudge
from citeguard.documents.loading import read_sources
from citeguard.facts.cells import placed
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.language.tables import read_passage

TABLE = """# Loans by branch

| Branch | Books | Films | Digital loans |
|---|---|---|---|
| Harbour | 87.6 | 11.9 | 28.3 |
| Mill Street | 64.2 | 9.4 | 28.1 |
"""


def as_read(text: str) -> str:
    (source,) = read_sources([("table.md", text.encode())])
    return read_passage(source.text, 0, len(source.text), source.readings)[0]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("The Harbour branch lent 87.6 books.", None),
        ("The Harbour branch lent 64.2 books.", "87.6"),
        ("Mill Street had 28.3 digital loans.", "28.1"),
        ("Mill Street lent 11.9 films.", "9.4"),
        ("Mill Street lent 70 films.", None),  # of no cell: that takes reading
        ("Harbour lent 64.2 books and 9.4 films.", None),  # several figures share out the words
        ("Mill Street was opened in 1911.", None),
        ("Harbour lent more films in 2023 than Mill Street.", None),
        ("Both lent 151.8 books, 64.2 of them in Mill Street.", None),  # a figure of no cell
    ],
)
def test_a_figure_of_another_cell_is_found(statement: str, found: str | None) -> None:
    cell = placed(statement, [as_read(TABLE)])
    difference = cell and cell.difference
    assert (difference and difference.found) == found


@pytest.mark.parametrize(
    ("statement", "own"),
    [
        ("The Harbour branch lent 87.6 books.", True),
        ("The Harbour branch lent 87.6 tonnes of books.", False),  # nothing says tonnes
        ("The Harbour branch did not lend 87.6 books.", False),
        ("The Harbour branch lent about 87.6 books.", False),
        ("In its first summer the Harbour branch gave 87.6 to readers.", False),  # few words
        ("The Harbour branch lent 87.6 books to 300 readers.", False),
    ],
)
def test_a_figure_of_its_own_cell_is_found(statement: str, own: bool) -> None:
    cell = placed(statement, ["Loans in all.", as_read(TABLE)])
    assert (cell is not None and cell.difference is None) == own
    if cell and own:
        assert as_read(TABLE)[cell.start : cell.end] == "87.6"


STAFF = """| Cost line | Budget (€ k) | Actual (€ k) | Thu |
|---|---|---|---|
| Staff costs | 148.0 | 151.3 | 7 |
| Workshops | 18.2 | 12.7 | 5 |
"""


@pytest.mark.parametrize(
    ("statement", "own"),
    [
        # "Cost" is a word of the other row, which also has one that the statement does not have.
        ("The actual cost of the workshops was 12.7 thousand euros.", True),
        ("The actual cost of the workshops was 151.3 thousand euros.", False),
        ("There were 5 workshops on Thursday.", True),
        ("There were 7 workshops on Thursday.", False),
    ],
)
def test_a_cell_is_named_by_few_other_words_and_short_heads(statement: str, own: bool) -> None:
    cell = placed(statement, ["All in euros.", as_read(STAFF)])
    assert (cell is not None and cell.difference is None) == own


def test_a_judge_points_at_the_cell_that_the_statement_names() -> None:
    evidence = (Evidence(text=as_read(TABLE)),)
    question = SupportQuestion(statement="Mill Street lent 11.9 films.", evidence=evidence)
    (verdict,) = ReaderJudge().judge([question])
    assert verdict.outcome == "contradicted"
    assert verdict.words == "Films of Mill Street is 9.4."
    assert "it says '11.9' where the source says '9.4'" in verdict.reason


@pytest.mark.parametrize("words", ["a is a in ", "a was ", "is in is in "])
def test_long_parts_take_no_longer_than_their_length(words: str) -> None:
    began = time.process_time()
    assert placed("It was 5 mm.", [f"{words * 40_000}\n\t\nRain was 7 mm in May."]) is None
    assert time.process_time() - began < 5

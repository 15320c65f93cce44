"""How verdicts and places are worded and marked."""

from typing import get_args

from rich.cells import cell_len

from auditing.reports import HANDBOOK, TEXT, finding_of, place_of
from citeguard.auditing import labels
from citeguard.auditing.results import VERDICTS, AuditedSource, CitationProblem, Place
from rows import each_row

BY_VERDICT = [labels.LABELS, labels.ICONS, labels.ASCII_ICONS, labels.MEANINGS]
BY_PROBLEM = [labels.PROBLEM_LABELS, labels.PROBLEM_MEANINGS]


class TestTables:
    @each_row("table", BY_VERDICT)
    def test_have_every_verdict_in_order(self, table: dict[str, str]) -> None:
        assert tuple(table) == VERDICTS

    @each_row("table", BY_PROBLEM)
    def test_have_every_problem_in_order(self, table: dict[str, str]) -> None:
        assert tuple(table) == get_args(CitationProblem)

    @each_row("table", [*BY_VERDICT, *BY_PROBLEM])
    def test_tell_them_apart(self, table: dict[str, str]) -> None:
        assert len(set(table.values())) == len(table)

    def test_what_fails_needs_attention(self) -> None:
        assert set(labels.ATTENTION) - labels.FAILING == {"undecided"}


class TestIcons:
    @each_row("icon", labels.ICONS.values())
    def test_are_one_column_wide(self, icon: str) -> None:
        assert (len(icon), cell_len(icon)) == (1, 1)

    @each_row("icon", labels.ASCII_ICONS.values())
    def test_have_a_fallback_in_ascii(self, icon: str) -> None:
        assert icon.isascii()
        assert len(icon) == 1


class TestSourceAndPlace:
    def test_has_id_and_line(self) -> None:
        place = place_of(HANDBOOK, "It does not apply during probation.")
        assert labels.source_and_place(place) == "handbook, line 4"

    def test_keeps_the_line_of_a_long_id(self) -> None:
        place = place_of(AuditedSource(id="x" * 1000, text="words"), "words")
        assert labels.source_and_place(place) == f"{'x' * 76} […], line 1"

    def test_is_on_one_line(self) -> None:
        place = place_of(AuditedSource(id="a\n\x1bb", text="words"), "words")
        assert labels.source_and_place(place) == "a \\u001bb, line 1"

    def test_has_page_and_section(self) -> None:
        place = Place(
            source_id="paper", start=0, end=3, text="The", page=4, headings=("Results", "Ablations")
        )
        assert labels.source_and_place(place) == "paper, p. 4, Results › Ablations"

    def test_shortens_a_long_path(self) -> None:
        headings = ("Methods", "Data", "Splits", "By year", "How  they\nwere made " * 9)
        place = Place(source_id="faq", start=0, end=3, line=7, text="The", headings=headings)
        assert labels.source_and_place(place) == (
            "faq, Methods › … › By year › "
            "How they were made How they were made How they were made Ho…, line 7"
        )

    def test_is_the_id_alone_where_no_place_is_known(self) -> None:
        place = Place(source_id="page", start=0, end=3, text="The")
        assert labels.source_and_place(place) == "page"


class TestTitleOfFinding:
    @each_row(
        ("claims", "title"),
        [
            ((), "Unknown source"),
            ((3,), "Unknown source (claim 3)"),
            ((3, 4), "Unknown source (claims 3, 4)"),
            (range(1, 11), "Unknown source (claims 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)"),
            (range(1, 12), "Unknown source (claims 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)"),
        ],
    )
    def test_names_the_claims(self, claims: tuple[int, ...], title: str) -> None:
        finding = finding_of(TEXT, "[9]", "unknown_id", "?", claims=tuple(claims))
        assert labels.title_of_finding(finding) == title

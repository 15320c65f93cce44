"""Labels such as "Table 3" in a text, looked up in its sources."""

from __future__ import annotations

from array import array
from pathlib import Path

from citeguard import Source, Sources, audit
from citeguard.language.labels import find_labels
from citeguard.sources.labels import Parts
from citeguard.sources.layout import Layout, Page, PrintedLine
from rows import each_row

REPORT = Source(
    "report",
    "Table 1. Revenue\n\nTable 2: Costs\n\nFigure 3 shows prices.\nHeadcount grew by 4 percent.",
)
STUDY = Source("study", "Table 4: Market shares. The market grew by 3 percent in 2022.")
CONTRACT = (
    "# Contract\n\n## 4 Term\n\n### 4.2 Notice\n\nThe notice period is three months.\n\n"
    "## 7 Liability\n\nLiability is limited to 50,000 euros a year.\n"
)


def paged(*pages: str) -> Source:
    """Return a source with these pages, of one line each."""
    text, printed = "", list[PrintedLine]()
    for number, words in enumerate(pages, 1):
        places = array("d", range(len(words)))
        printed.append(PrintedLine(len(text), number, 20, 32, places, places))
        text += f"{words}\n\n"
    listed = [Page(number, str(number), 600, 800, words) for number, words in enumerate(pages, 1)]
    return Source("paged", text, layout=Layout("pdf", len(text), pages=listed, printed=printed))


def contract(folder: Path) -> Sources:
    (folder / "contract.md").write_text(CONTRACT)
    (folder / "annex.md").write_text("# Annex\n\n## 2.3 Availability\n\nIt is up on most days.\n")
    return Sources.from_paths([folder / "contract.md", folder / "annex.md"])


def problems(text: str, *sources: Source) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the label, the problem and the better sources of each finding on a label."""
    return [
        (text[each.start : each.end], each.problem, each.better)
        for each in audit(text, Sources(sources)).findings
        if "label" in each.problem
    ]


class TestFindLabels:
    @each_row(
        ("text", "expected"),
        [
            ("Table 3", [("table", ("3",))]),
            ("Tables 3 and IV", [("table", ("3", "4"))]),
            ("Fig. 2a", [("figure", ("2a",))]),
            ("§ 4.2, §§ 5-7", [("section", ("4.2",)), ("section", ("5", "6", "7"))]),
            ("Chapter 3", [("section", ("3",))]),
            ("clause 7.3", [("section", ("7.3",))]),
            ("pp. 112-4", [("page", ("112", "113", "114"))]),
            ("p. iv", [("page", ("4",))]),
            ("Appendix B", [("appendix", ("b",))]),
            ("footnote 4", [("note", ("4",))]),
            ("Tabelle 2, Abb. 3", [("table", ("2",)), ("figure", ("3",))]),
            ("tableau 5²", [("table", ("5",))]),
            ("表3", [("table", ("3",))]),
            ("a table 30% wider", []),
            ("5 sec. 3", []),
            ("tables of 3", []),
            ("stable 3", []),
        ],
    )
    def test_has_kinds_and_numbers(
        self, text: str, expected: list[tuple[str, tuple[str, ...]]]
    ) -> None:
        assert [(label.kind, label.numbers) for label in find_labels(text)] == expected


class TestParts:
    def test_of_a_text(self) -> None:
        parts = Parts(REPORT)
        found = [parts.has("table", each) for each in ("1", "2a", "1.2", "3")]
        assert found == [True, True, True, False]
        assert (parts.has("figure", "3"), parts.owns("figure", "3")) == (True, False)
        assert not any(map(parts.knows, ("page", "section", "note")))


class TestFindings:
    @each_row(
        ("text", "expected"),
        [
            ("Headcount grew by 4 percent (Table 2) [report].", []),
            ("Headcount grew by 4 percent (Table 7) [report].", [("Table 7", "no_such_label", ())]),
            (
                "The market grew by 3 percent in 2022 (Table 4) [report].",
                [("Table 4", "label_elsewhere", ("study",))],
            ),
            ("The market grew by 3 percent in 2022 (see Table 4).", []),
            ("Dividends are in Table 9.", [("Table 9", "no_such_label", ())]),
            ("We show dividends in Table 9.", []),
            ("Dividends are in Table 9.\n\nTable 9: Dividends", []),
            ("Dividends are on p. 9 and in Section 3 [report].", []),
            ("Headcount grew by 4 percent [lost-report, Table 9].", []),
        ],
    )
    def test_on_tables(self, text: str, expected: list[tuple[str, str, tuple[str, ...]]]) -> None:
        assert problems(text, REPORT, STUDY) == expected

    @each_row(
        ("text", "expected"),
        [
            ("The museum was founded in 1871 by citizens (p. 1) [paged].", []),
            ("The museum was founded in 1871 by citizens (pp. 1-2) [paged].", []),
            (
                "The museum was founded in 1871 by citizens [paged, p. 2].",
                [("p. 2", "label_elsewhere", ())],
            ),
            (
                "The museum was founded in 1871 by citizens (p. 5) [paged].",
                [("p. 5", "no_such_label", ())],
            ),
        ],
    )
    def test_on_pages(self, text: str, expected: list[tuple[str, str, tuple[str, ...]]]) -> None:
        source = paged("The museum was founded in 1871 by citizens.", "It holds 38,000 prints.")
        assert problems(text, source) == expected

    @each_row(
        ("text", "expected"),
        [
            ("The notice period is three months (Section 4.2) [contract].", []),
            ("The notice period is three months (Section 4) [contract].", []),
            (
                "Liability is limited to 50,000 euros a year (§ 4.2) [contract].",
                [("§ 4.2", "label_elsewhere", ())],
            ),
            ("Pets are banned by Section 9.1 [contract].", [("Section 9.1", "no_such_label", ())]),
            (
                "It is up on most days (Section 2.3) [contract].",
                [("Section 2.3", "label_elsewhere", ("annex",))],
            ),
        ],
    )
    def test_on_sections(
        self, tmp_path: Path, text: str, expected: list[tuple[str, str, tuple[str, ...]]]
    ) -> None:
        assert problems(text, *contract(tmp_path)) == expected

    def test_say_where_it_is(self, tmp_path: Path) -> None:
        text = "Liability is limited to 50,000 euros a year (§ 4.2) [contract]."
        [finding] = audit(text, contract(tmp_path)).findings
        assert finding.message == (
            "This part does not say it. It is in “contract”, Contract › 7 Liability, line 11."
        )

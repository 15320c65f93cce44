"""How verdicts and places are worded and marked."""

from typing import get_args

import pytest
from rich.cells import cell_len

from citeguard.reports.report import (
    BY_URGENCY,
    PROBLEMS,
    CheckedSource,
    CitationProblem,
    DifferingFact,
    Place,
)
from citeguard.reports.wording import (
    VERDICTS,
    explanation,
    headline,
    remarks_of,
    source_and_place,
    title_of_problem,
)
from reports.samples import TEXT, finding_of, full_report, place_of, report_with_problem
from rows import each_row


class TestTables:
    def test_have_everything_in_order_and_tell_it_apart(self) -> None:
        assert tuple(VERDICTS) == BY_URGENCY
        assert tuple(PROBLEMS) == get_args(CitationProblem)
        for column in zip(*(row[:5] for row in VERDICTS.values()), strict=True):
            assert len(set(column)) == len(VERDICTS)
        assert len({kind.label for kind in PROBLEMS.values()}) == len(PROBLEMS)

    @each_row("icon", [row.icon for row in VERDICTS.values()])
    def test_have_icons_of_one_column(self, icon: str) -> None:
        assert (len(icon), cell_len(icon)) == (1, 1)


class TestHeadline:
    def test_names_problems_with_citations_beside_the_verdicts(self) -> None:
        assert headline(report_with_problem("wrong_source")) == (
            "1 of 1 statement is supported; 1 problem with citations: wrong source"
        )
        assert headline(full_report()).endswith(
            "; 3 problems with citations: wrong source, uncited, unknown source"
        )
        twice = report_with_problem("link_dead")
        twice = twice.model_copy(update={"findings": twice.findings * 2, "trust": None})
        assert headline(twice) == "Nothing to check; 2 problems with citations: dead link (2)"


class TestSourceAndPlace:
    def test_is_on_one_line(self) -> None:
        place = place_of(CheckedSource(id="a\n\x1bb", text="words"), "words")
        assert source_and_place(place) == "a \\u001bb, line 1"

    def test_has_page_and_section(self) -> None:
        place = Place(
            source_id="paper", start=0, end=3, text="The", page=4, headings=("Results", "Ablations")
        )
        assert source_and_place(place) == "paper, p. 4 › Results › Ablations"

    def test_shortens_a_long_path(self) -> None:
        headings = ("Methods", "Data", "Splits", "By year", "How  they\nwere made " * 9)
        place = Place(source_id="faq", start=0, end=3, line=7, text="The", headings=headings)
        assert source_and_place(place) == (
            "faq, Methods › … › By year › "
            "How they were made How they were made How they were made Ho…, line 7"
        )


class TestTitleOfProblem:
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
        assert title_of_problem("unknown_id", claims) == title

    def test_findings_that_say_the_same_are_one_remark(self) -> None:
        findings = [
            finding_of(TEXT, "[rules]", "uncited", "Cite one.", claims=(number,))
            for number in (3, 4)
        ]
        report = full_report().model_copy(update={"findings": findings})
        remark = next(remarks_of(report))
        assert (remark.title, remark.text) == ("Uncited (claims 3, 4)", "Cite one.")


def fact(stated: str, found: str) -> DifferingFact:
    return DifferingFact(kind="number", stated=stated, found=found)


class TestExplanation:
    def test_of_a_contradicted_claim_says_what_differs(self) -> None:
        told = explanation("contradicted", reason="Never shown.", facts=[fact("nine", "ten")])
        assert told == ("The source says otherwise: “ten” where the claim says “nine”.")
        told = explanation("undecided", reason="Never shown.", facts=[fact("nine", "ten")])
        assert told.startswith("This could not be decided; the nearest words differ: “ten” where")

    def test_of_a_contradicted_claim_without_facts_gives_the_reason(self) -> None:
        told = explanation("contradicted", reason="it opens later")
        assert told == "The source says otherwise. It opens later."

    def test_the_reasons_of_several_judges_are_sentences(self) -> None:
        told = explanation("undecided", reason="gpt-x: timed out\nwords: it lacks: gym.")
        assert told == "This could not be decided. gpt-x: timed out. words: it lacks: gym."

    @each_row(
        ("stated", "found", "words"),
        [
            pytest.param("nine", "", "the claim says “nine”, and the source does not", id="more"),
            pytest.param("", "not", "the claim omits “not”", id="less"),
        ],
    )
    def test_says_what_stands_on_one_side_only(self, stated: str, found: str, words: str) -> None:
        assert words in explanation("contradicted", facts=[fact(stated, found)])

    def test_counts_the_facts_that_it_does_not_tell(self) -> None:
        facts = [fact(str(number), str(number + 1)) for number in range(5)]
        assert explanation("contradicted", facts=facts).endswith("and 2 more.")

    def test_is_bounded_and_on_one_line(self) -> None:
        better = ["a\nb\x1b[2J " * 10_000]
        told = explanation("contradicted", reason="no \x07\n" * 10_000, better=better)
        assert len(told) < 500
        assert told.isprintable()

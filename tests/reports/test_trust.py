"""How much of a text is supported: what may be said in a number, and what in a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.reports.report import (
    BY_URGENCY,
    PROBLEMS,
    CheckedClaim,
    CitationProblem,
    Shown,
    trust_of,
)
from reports.samples import claim_of, empty_report, report_with, report_with_problem

VERDICTS = st.sampled_from(["supported", "contradicted", "unsupported", "undecided"])


def claim(verdict: Shown) -> CheckedClaim:
    return claim_of("Lunch is free.", "Lunch is free.", verdict)


def claims(**counts: int) -> list[CheckedClaim]:
    return [claim(verdict) for verdict, count in counts.items() for _ in range(count)]  # type: ignore[arg-type]


class TestTrustOf:
    @pytest.mark.parametrize("counts", [{}, {"set_aside": 3}])
    def test_is_none_where_there_is_nothing_to_check(self, counts: dict[str, int]) -> None:
        assert trust_of(claims(**counts)) is None

    @pytest.mark.parametrize(
        ("counts", "value", "coverage"),
        [
            ({"supported": 1}, 100.0, 100.0),
            ({"supported": 8, "undecided": 2}, 80.0, 80.0),
            ({"supported": 7, "undecided": 2}, None, 77.8),
            ({"supported": 1, "unsupported": 1, "contradicted": 1}, 33.3, 100.0),
            ({"supported": 1, "set_aside": 5}, 100.0, 100.0),
            ({"undecided": 4}, None, 0.0),
        ],
        ids=["all", "undecided is not verified", "too little decided", "wrong", "aside", "none"],
    )
    def test_is_the_share_supported_where_most_was_decided(
        self, counts: dict[str, int], value: float | None, coverage: float
    ) -> None:
        trust = trust_of(claims(**counts))
        assert trust is not None
        assert (trust.value, trust.coverage) == (value, coverage)

    def test_is_a_sentence(self) -> None:
        trust = trust_of(claims(supported=6, contradicted=2, undecided=1, set_aside=2))
        assert str(trust) == (
            "6 of 9 statements are supported; 2 are contradicted; 1 could not be decided"
        )
        assert str(trust_of(claims(unsupported=1))) == (
            "0 of 1 statement is supported; 1 is unsupported"
        )

    @pytest.mark.parametrize("problem", PROBLEMS)
    def test_of_the_report_is_that_of_its_worst_part(self, problem: CitationProblem) -> None:
        effect = PROBLEMS[problem].effect
        outcome = report_with_problem(problem).outcome
        assert outcome == ("passed" if effect == "shown" else effect)
        outcomes = {verdict: report_with(verdict).outcome for verdict in BY_URGENCY}
        assert outcomes == {
            "contradicted": "failed",
            "unsupported": "failed",
            "undecided": "undecided",
            "supported": "passed",
            "set_aside": "passed",
        }
        assert empty_report().outcome == "undecided"

    @given(st.lists(VERDICTS, min_size=1))
    def test_never_falls_when_a_claim_becomes_supported(self, drawn: list[Shown]) -> None:
        before = trust_of([*map(claim, drawn)])
        better = trust_of([claim("supported"), *map(claim, drawn[1:])])
        assert before is not None
        assert better is not None
        assert better.supported >= before.supported
        if before.value is not None:
            assert better.value is not None
            assert 0 <= before.value <= better.value <= 100

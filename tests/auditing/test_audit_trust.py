from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.reports import claim_of
from citeguard.auditing.explanations import how_scored
from citeguard.auditing.report import AuditedClaim, AuditVerdict, trust_of
from rows import each_row

VERDICTS_THAT_COUNT = st.sampled_from(
    ["supported", "partly_supported", "contradicted", "not_found", "undecided"]
)


def claim(verdict: AuditVerdict, confidence: float | None = None) -> AuditedClaim:
    return claim_of("Lunch is free.", "Lunch is free.", verdict, confidence=confidence)


class TestTrustOf:
    def test_is_none_without_claims(self) -> None:
        assert trust_of([]) is None

    def test_is_none_where_nothing_is_decided(self) -> None:
        assert trust_of([claim("not_checkable"), claim("undecided")]) is None

    @each_row(
        ("claims", "value"),
        [
            pytest.param([claim("supported", 0.7)], (100.0, 100.0), id="all supported"),
            pytest.param(
                [*[claim("supported")] * 9, claim("contradicted"), *[claim("undecided")] * 4],
                (90.0, 71.4),
                id="undecided claims lower the coverage only",
            ),
            pytest.param(
                [claim("supported"), claim("undecided")], (100.0, 50.0), id="half decided"
            ),
            pytest.param([claim("supported"), claim("not_found")], (50.0, 100.0), id="half found"),
            pytest.param([claim("not_found")], (0.0, 100.0), id="nothing found"),
            pytest.param([claim("contradicted")], (0.0, 100.0), id="all contradicted"),
            pytest.param(
                [claim("supported"), claim("partly_supported", 0.2)], (75.0, 100.0), id="partly"
            ),
            pytest.param(
                [claim("supported"), claim("not_checkable")], (100.0, 100.0), id="an opinion"
            ),
        ],
    )
    def test_is_the_share_supported_beside_the_share_decided(
        self, claims: list[AuditedClaim], value: tuple[float, float]
    ) -> None:
        trust = trust_of(claims)
        assert trust is not None
        assert (trust.value, trust.coverage) == value

    def test_says_how_it_is_made(self) -> None:
        trust = trust_of(
            [
                *[claim("supported")] * 8,
                claim("partly_supported"),
                claim("contradicted"),
                *[claim("undecided")] * 4,
                claim("not_checkable"),
            ]
        )
        assert trust is not None
        assert str(trust) == "8 supported, 1 partly supported, 1 wrong, 4 not checked"
        assert how_scored(trust) == (
            "8 of 10 decided claims are supported, 1 partly: a truth of 85 of 100 (a partly "
            "supported claim counts half). 4 of 14 claims could not be decided: the coverage is "
            "71.4%."
        )
        assert (trust.decided, trust.checkable) == (10, 14)

    @given(st.lists(st.tuples(VERDICTS_THAT_COUNT, st.floats(0, 1)), min_size=1))
    def test_never_falls_when_a_claim_becomes_supported(
        self, drawn: list[tuple[AuditVerdict, float]]
    ) -> None:
        claims = [claim(verdict, confidence) for verdict, confidence in drawn]
        better = trust_of([claim("supported"), *claims[1:]])
        before = trust_of(claims)
        assert better is not None
        assert 0 <= (before.value if before else 0) <= better.value <= 100

    @given(st.lists(st.tuples(VERDICTS_THAT_COUNT, st.floats(0, 1)), min_size=1))
    def test_never_rises_when_a_claim_becomes_contradicted(
        self, drawn: list[tuple[AuditVerdict, float]]
    ) -> None:
        claims = [claim(verdict, confidence) for verdict, confidence in drawn]
        worse = trust_of([claim("contradicted"), *claims[1:]])
        before = trust_of(claims)
        assert worse is not None
        assert worse.value <= (before.value if before else 0)

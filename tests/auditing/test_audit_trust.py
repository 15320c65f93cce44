from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.reports import claim_of
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

    def test_is_none_where_nothing_is_checkable(self) -> None:
        assert trust_of([claim("not_checkable")]) is None

    @each_row(
        ("claims", "value"),
        [
            pytest.param([claim("supported", 1.0)], 100.0, id="all supported"),
            pytest.param([claim("supported", 0.8)], 80.0, id="not quite sure"),
            pytest.param([claim("supported", 1.0), claim("not_found", 1.0)], 50.0, id="half found"),
            pytest.param([claim("supported", 1.0), claim("undecided")], 50.0, id="half undecided"),
            pytest.param([claim("not_found", 1.0)], 0.0, id="nothing found"),
            pytest.param([claim("undecided")], 0.0, id="nothing decided"),
            pytest.param([claim("contradicted", 1.0)], 0.0, id="all contradicted"),
            pytest.param(
                [*[claim("supported", 1.0)] * 3, claim("contradicted", 1.0)],
                37.5,
                id="one of four contradicted: (3 - 1.5) / 4",
            ),
            pytest.param(
                [claim("supported", 1.0), claim("partly_supported", 0.25)], 62.5, id="partly"
            ),
            pytest.param(
                [claim("supported", 1.0), claim("not_checkable")], 100.0, id="opinions left out"
            ),
        ],
    )
    def test_is_made_of_confidences(self, claims: list[AuditedClaim], value: float) -> None:
        trust = trust_of(claims)
        assert trust is not None
        assert trust.value == value

    def test_shows_its_parts(self) -> None:
        trust = trust_of(
            [
                claim("supported", 0.9),
                claim("contradicted", 0.8),
                claim("partly_supported", 0.1),
                claim("undecided"),
                claim("not_found", 0.7),
                claim("not_checkable"),
            ]
        )
        assert trust is not None
        assert (trust.checked, trust.undecided) == (5, 1)
        assert trust.supported == pytest.approx(0.9)
        assert trust.contradicted == pytest.approx(0.8)
        assert trust.partly_supported == pytest.approx(0.1)

    @given(st.lists(st.tuples(VERDICTS_THAT_COUNT, st.floats(0, 1)), min_size=1))
    def test_never_falls_when_a_claim_becomes_supported(
        self, drawn: list[tuple[AuditVerdict, float]]
    ) -> None:
        claims = [claim(verdict, confidence) for verdict, confidence in drawn]
        better = trust_of([claim("supported", 1.0), *claims[1:]])
        before = trust_of(claims)
        assert before is not None
        assert better is not None
        assert 0 <= before.value <= better.value <= 100

    @given(st.lists(st.tuples(VERDICTS_THAT_COUNT, st.floats(0, 1)), min_size=1))
    def test_never_rises_when_a_claim_becomes_contradicted(
        self, drawn: list[tuple[AuditVerdict, float]]
    ) -> None:
        claims = [claim(verdict, confidence) for verdict, confidence in drawn]
        worse = trust_of([claim("contradicted", 1.0), *claims[1:]])
        before = trust_of(claims)
        assert before is not None
        assert worse is not None
        assert worse.value <= before.value

"""Sixty statements about twelve small pages: how many verdicts of the default judge are right."""

from __future__ import annotations

from collections import Counter

import pytest

from citeguard.factcheck import FactPolicy, fact_check
from factcheck.small_pages import Held, rows


@pytest.mark.parametrize(
    ("policy", "supported", "contradicted", "wrong"),
    [(FactPolicy(), 20, 6, 5), (FactPolicy(one_place=True), 25, 12, 1)],
    ids=["as it is", "in one place"],
)
def test_verdicts_hold_their_floors(
    policy: FactPolicy, supported: int, contradicted: int, wrong: int
) -> None:
    pages = Held.small()
    found = Counter(
        (row.label, fact_check(row.statement, search=pages, policy=policy).checks[0].outcome)
        for row in rows()
    )
    # The figures of 2026-11-23; docs/limits.md says what is wrong with them.
    assert found["supported", "supported"] >= supported
    assert found["contradicted", "contradicted"] >= contradicted
    assert found["contradicted", "supported"] <= wrong
    assert not found["unsupported", "supported"] + found["supported", "contradicted"]

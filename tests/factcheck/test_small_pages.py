"""Sixty statements about twelve small pages: how many verdicts of the default judge are right."""

from __future__ import annotations

from collections import Counter

from citeguard.factcheck import fact_check
from factcheck.small_pages import Held, rows


def test_verdicts_hold_their_floors() -> None:
    pages = Held.small()
    found = Counter(
        (row.label, fact_check(row.statement, search=pages).checks[0].outcome) for row in rows()
    )
    # The figures of 2026-11-23; docs/limits.md says what is wrong with them.
    assert found["supported", "supported"] >= 25
    assert found["contradicted", "contradicted"] >= 12
    assert found["contradicted", "supported"] <= 1
    assert not found["unsupported", "supported"] + found["supported", "contradicted"]

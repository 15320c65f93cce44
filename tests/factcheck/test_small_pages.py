"""Sixty statements about twelve small pages: how many verdicts of the reader are right."""

from collections import Counter

import pytest

from citeguard.factcheck import fact_check
from factcheck.small_pages import Held, rows


# Of 29 supported and 23 contradicted ones, or of one statement in four.
@pytest.mark.parametrize(
    ("every", "least", "most"), [(4, 5, 1), pytest.param(1, 20, 5, marks=pytest.mark.slow)]
)
def test_verdicts_hold_their_floors(every: int, least: int, most: int) -> None:
    pages = Held.small()
    found = Counter(
        (row.label, fact_check(row.statement, search=pages).claims[0].verdict)
        for row in [*rows()][::every]
    )
    assert found["supported", "supported"] >= least
    assert found["contradicted", "supported"] <= most
    assert not found["unsupported", "supported"]

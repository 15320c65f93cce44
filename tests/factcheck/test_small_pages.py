"""Sixty statements about twelve small pages: how many verdicts of the reader are right."""

from collections import Counter

from citeguard.factcheck import fact_check
from factcheck.small_pages import Held, rows


def test_verdicts_hold_their_floors() -> None:
    pages = Held.small()
    found = Counter(
        (row.label, fact_check(row.statement, search=pages).claims[0].verdict) for row in rows()
    )
    # Of 29 supported and 23 contradicted ones. The rules before reached 20, with 5 wrong ones.
    assert found["supported", "supported"] >= 20
    assert found["contradicted", "supported"] <= 5
    assert not found["unsupported", "supported"]

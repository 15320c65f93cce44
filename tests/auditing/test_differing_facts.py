from __future__ import annotations

import pytest

from citeguard.auditing.discrepancies import differences, differing_facts
from citeguard.auditing.report import FactKind
from rows import each_row


class TestDifferingFacts:
    @each_row(
        ("claim", "source", "stated", "found"),
        [
            pytest.param(
                "The glaze is dried before firing.", "Firing is done before the glaze is dried.",
                "before firing", "before the glaze is dried", id="crossed",
            ),
            pytest.param(
                "If the pump stops, the alarm rings.", "If the alarm rings, the pump stops.",
                "If the pump stops", "If the alarm rings", id="condition",
            ),
            pytest.param(
                "The dam is leaking badly.", 'A diver said: "The dam is leaking badly."',
                "dam is leaking badly", '"The dam is leaking badly."', id="speech",
            ),
        ],
    )  # fmt: skip
    def test_never_show_the_same_words_twice(
        self, claim: str, source: str, stated: str, found: str
    ) -> None:
        facts = differing_facts(differences(claim, source))
        assert (stated, found) in [(each.stated, each.found) for each in facts]
        assert all(each.stated != each.found for each in facts)

    @each_row(
        ("claim", "source", "kind", "stated", "found"),
        [
            pytest.param("It has 12 rooms.", "It has 14 rooms.", "number", "12", "14", id="number"),
            pytest.param(
                "It was built in 1985.", "It was built in 1984.", "date", "1985", "1984", id="year"
            ),
            pytest.param(
                "It has 1,600 rooms.", "It has 1,400 rooms.", "number", "1,600", "1,400",
                id="no year",
            ),
            pytest.param(
                "It opened in May 2020.", "It opened in June 2020.", "date",
                "May 2020", "June 2020",
                id="month",
            ),
            pytest.param(
                "It opens on Monday.", "It opens on Tuesday.", "date", "Monday", "Tuesday",
                id="day of the week",
            ),
            pytest.param(
                "The prize went to Anna Lee.", "The prize went to John Doe.", "name", "Anna Lee",
                "John Doe", id="name",
            ),
            pytest.param(
                "The drug was approved.", "The drug was not approved.", "negation", "approved",
                "not approved", id="negation",
            ),
            pytest.param(
                "Sales rose in spring.", "Sales fell in spring.", "word", "rose", "fell",
                id="opposite",
            ),
            pytest.param(
                "All patients recovered.", "Some patients recovered.", "quantity", "All", "Some",
                id="quantity",
            ),
        ],
    )  # fmt: skip
    def test_are_told_apart_by_kind(
        self, claim: str, source: str, kind: FactKind, stated: str, found: str
    ) -> None:
        [fact] = differing_facts(differences(claim, source))
        assert (fact.kind, fact.stated, fact.found) == (kind, stated, found)

    def test_are_none_of_the_same_words(self) -> None:
        assert differences("It has 12 rooms.", "It has 12 rooms.") == ()

    def test_have_conflicts_first(self) -> None:
        found = differences(
            "All patients recovered in 12 days.", "Some patients recovered in 14 days."
        )
        assert [fact.kind for fact in differing_facts(found)] == ["number", "quantity"]

"""A claim with the source's facts in the place of its own, where that is clear."""

import pytest

from auditing.sentences import claim_at, claim_of_text
from citeguard.auditing.claims import Claim
from citeguard.auditing.conclusions import proposed
from citeguard.facts.aligned import differences
from citeguard.reports.report import Correction


def proposal(text: str, source: str) -> Correction | None:
    claim = claim_of_text(text)
    return proposed(text, claim, differences(claim.text, source))


class TestProposed:
    @pytest.mark.parametrize(
        ("text", "source"),
        [
            pytest.param("It was built in 1985.", "It was built in 1984.", id="a year"),
            pytest.param("Acme paid $40 million.", "Acme paid $30 million.", id="an amount"),
            pytest.param("They met Minister Kohl.", "They met Minister Brandt.", id="a name"),
            pytest.param("It was approved in May.", "It was not approved in May.", id="not put in"),
            pytest.param("It was not approved in May.", "It was approved in May.", id="left out"),
            pytest.param(
                "It opened on Monday with 12 rooms.", "It opened on Tuesday with 14 rooms.",
                id="two facts",
            ),
            pytest.param(
                "Of 12 rooms 12 are free.", "Of 14 rooms 14 are free.", id="one fact twice"
            ),
            pytest.param("He was an Irish poet.", "He was a Welsh poet.", id="with its article"),
            pytest.param(
                "Rinse it with hot water.", "Rinse it not with hot water.", id="words between"
            ),
            pytest.param("It closes at 4 p.m.", "It closes at 3 p.m.", id="a stop of both"),
        ],
    )  # fmt: skip
    def test_puts_the_source_s_fact_in(self, text: str, source: str) -> None:
        found = proposal(text, source)
        assert found is not None
        assert (found.sentence, found.claim) == (source, source.removesuffix("."))

    def test_says_what_to_replace_in_the_text(self) -> None:
        text = "I see. It was built in 1985."
        claim, words = claim_at(text, 7, len(text)), "It was built in 1984."
        found = proposed(text, claim, differences(claim.text, words))
        assert found is not None
        [replacement] = found.replacements
        assert text[replacement.start : replacement.end] == "1985"
        assert replacement.text == "1984"
        assert found.sentence == words

    @pytest.mark.parametrize(
        ("text", "source"),
        [
            pytest.param("It was built in 1984.", "It was built in 1984.", id="nothing differs"),
            pytest.param(
                "It has 2 doors, 3 rooms, 4 beds and 5 windows.",
                "It has 6 doors, 7 rooms, 8 beds and 9 windows.",
                id="too many facts",
            ),
            pytest.param("It fell by 480.", "It fell by 2022.", id="a year for an amount"),
            pytest.param("It weighs 60 kg now.", "It weighs 50 now.", id="without the unit"),
            pytest.param("It takes 60 days.", "It takes up to 50 days.", id="without the bound"),
            pytest.param("He came 3rd of all.", "He came 4 of all.", id="no rank"),
            pytest.param("Anna Lee and Bo Kim won.", "It rained on Tuesday.", id="nothing alike"),
        ],
    )
    def test_proposes_nothing_that_is_not_clear(self, text: str, source: str) -> None:
        assert proposal(text, source) is None

    def test_replaces_only_the_claim_s_own_words(self) -> None:
        text = "Built in 1985, it has been closed since 2001."
        carried = Claim(text=text[:-1], start=15, end=len(text), sentence=(0, len(text)))
        words = "Built in 1984, it has been closed since 2001."
        assert proposed(text, carried, differences(carried.text, words)) is None

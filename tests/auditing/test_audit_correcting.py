from __future__ import annotations

import pytest

from auditing.sentences import claim_at, claim_of_text
from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.corrections import Proposal, proposed
from citeguard.auditing.discrepancies import differences
from rows import each_row


def proposal(text: str, source: str) -> Proposal | None:
    claim = claim_of_text(text)
    return proposed(text, claim, source, differences(claim.text, source))


class TestProposed:
    @each_row(
        ("text", "source", "corrected"),
        [
            pytest.param(
                "It was built in 1985.", "It was built in 1984.", "It was built in 1984.",
                id="year",
            ),
            pytest.param(
                "Acme paid $40 million for Beta.", "Acme paid $30 million for Beta.",
                "Acme paid $30 million for Beta.", id="amount",
            ),
            pytest.param(
                "It opens at 1 pm today.", "3 pm: it opens at 3 pm.", "It opens at 3 pm today.",
                id="an hour",
            ),
            pytest.param(
                "The prize went to Anna Lee in May.", "In May, the prize went to John Doe.",
                "The prize went to John Doe in May.", id="name",
            ),
            pytest.param(
                "The drug was approved in May.", "The drug was not approved in May.",
                "The drug was not approved in May.", id="not put in",
            ),
            pytest.param(
                "The drug was not approved in May.", "The drug was approved in May.",
                "The drug was approved in May.", id="not left out",
            ),
            pytest.param(
                "It opened on Monday with 12 rooms.", "It opened on Tuesday with 14 rooms.",
                "It opened on Tuesday with 14 rooms.", id="two facts",
            ),
            pytest.param(
                "Peru is larger than Chile.", "Chile is larger than Peru.",
                "Chile is larger than Peru.", id="sides of a than",
            ),
            pytest.param(
                "Between 40 and 50 ships sank.", "60 ships sank.", "60 ships sank.", id="a range",
            ),
            pytest.param(
                "It weighs 20 kg.", "It weighs between 30 and 35 kg.",
                "It weighs between 30 and 35 kg.", id="with a range",
            ),
            pytest.param(
                "More than 40 ships sank.", "At least 50 ships sank.", "At least 50 ships sank.",
                id="a bound",
            ),
            pytest.param(
                "The gate was open.", "The gate was closed.", "The gate was closed.",
                id="after one auxiliary",
            ),
            pytest.param(
                "He left an 11-page note.", "He left a 12-page note.", "He left a 12-page note.",
                id="an article",
            ),
            pytest.param(
                "They met Minister Kohl.", "They met Minister Brandt.", "They met Minister Brandt.",
                id="all of a name",
            ),
            pytest.param(
                "In 2019, 40 ships sank.", "In 2019, 60 ships sank.", "In 2019, 60 ships sank.",
                id="how many the subject is",
            ),
            pytest.param(
                "Release 12 fixed 14 bugs.", "Release 12 fixed 18 bugs.",
                "Release 12 fixed 18 bugs.", id="of the same release",
            ),
            pytest.param(
                "He died at age 45.", "He died at age 47.", "He died at age 47.", id="an age",
            ),
            pytest.param(
                "The Nile is the longest river.", "The Nile is the shortest river.",
                "The Nile is the shortest river.", id="superlatives",
            ),
        ],
    )  # fmt: skip
    def test_puts_the_source_s_fact_in(self, text: str, source: str, corrected: str) -> None:
        found = proposal(text, source)
        assert found is not None
        assert found.sentence == corrected
        assert found.claim == corrected.removesuffix(".")

    def test_says_what_to_replace_in_the_text(self) -> None:
        text = "I see. It was built in 1985."
        claim = claim_at(text, 7, len(text))
        words = "It was built in 1984."
        found = proposed(text, claim, words, differences(claim.text, words))
        assert found is not None
        [replacement] = found.replacements
        assert text[replacement.start : replacement.end] == "1985"
        assert replacement.text == "1984"
        assert found.sentence == words

    def test_of_a_second_clause_leaves_the_first_as_it_is(self) -> None:
        text = "It opened in 1950 and closed in 1985."
        claim = Claim(text="It closed in 1985", start=22, end=36, sentence=(0, len(text)))
        words = "It closed in 1984."
        found = proposed(text, claim, words, differences(claim.text, words))
        assert found is not None
        assert found.sentence == "It opened in 1950 and closed in 1984."

    def test_lists_replacements_in_the_order_of_the_text(self) -> None:
        found = proposal(
            "It opened on Monday with 12 rooms.", "It opened on Tuesday with 14 rooms."
        )
        assert found is not None
        assert [each.text for each in found.replacements] == ["Tuesday", "14"]

    @each_row(
        ("text", "source"),
        [
            pytest.param("It was built in 1984.", "It was built in 1984.", id="nothing differs"),
            pytest.param(
                "It has 2 doors, 3 rooms, 4 beds and 5 windows.",
                "It has 6 doors, 7 rooms, 8 beds and 9 windows.",
                id="too many facts",
            ),
            pytest.param(
                "It takes two full months.", "It takes one full month.", id="a later noun"
            ),
            pytest.param("It was sold in 2014.", "It was sold at 46.", id="a year for an age"),
            pytest.param("It paid a dividend.", "It did not pay a dividend.", id="a verb's form"),
            pytest.param("It takes one month.", "It takes two months.", id="singular"),
            pytest.param(
                "All patients recovered.", "Some patients recovered.", id="how much, not a fact"
            ),
            pytest.param(
                "Beta was founded in 1984.", "In 2019, Acme acquired Beta.", id="another event"
            ),
            pytest.param(
                "Beta was sold in 1985 to Acme.", "Beta was founded in 1984 by Acme.", id="a verb"
            ),
            pytest.param(
                "The firm built 12 homes in Rome.",
                "The firm sold 14 homes in Rome.",
                id="two verbs",
            ),
            pytest.param(
                "Of 12 rooms 12 are free.", "Of 14 rooms 14 are free.", id="which of two places"
            ),
            pytest.param("Anna Lee and Bo Kim won.", "It rained on Tuesday.", id="nothing alike"),
            pytest.param(
                "The red car is faster than the bus.",
                "The bus is faster than the red car.",
                id="sides that are no names",
            ),
            pytest.param(
                "The price rose from 10 to 20 dollars.",
                "The price rose from 20 dollars.",
                id="one number of a range",
            ),
            pytest.param(
                "The boss, Kohl, resigned.",
                "Yesterday Brandt resigned.",
                id="unsure what a name is",
            ),
            pytest.param(
                "He was promoted in May.", "They had demoted him in May.", id="other subjects"
            ),
            pytest.param(
                "Minister Kohl resigned.", "Minister Brandt resigned.", id="another person"
            ),
            pytest.param("An old bridge fell.", "A new bridge fell.", id="another thing"),
            pytest.param(
                "Release 12 was published in May.",
                "Release 1.1 was published in May.",
                id="another release",
            ),
            pytest.param(
                "In release 12 the cache was removed.",
                "In release 1.1 the cache was removed.",
                id="another release, not the subject",
            ),
            pytest.param(
                "Employees in group A received 10 mg.",
                "Employees in group B received 10 mg.",
                id="another group",
            ),
            pytest.param(
                "The 2019 conference was held in Paris.",
                "The 2021 conference was held in Paris.",
                id="another conference",
            ),
            pytest.param(
                "The first trial enrolled 412 adults.",
                "The second trial enrolled 300 adults.",
                id="another trial",
            ),
            pytest.param(
                "Acme bought Beta in 2019.", "Acme bought Delta in 2021.", id="another purchase"
            ),
            pytest.param(
                "Profit fell by 3% in Germany.", "Profit fell by 5% in France.", id="elsewhere"
            ),
            pytest.param(
                "Smith won the 100 m in 9.8 seconds.",
                "Smith won the 200 m in 19.8 seconds.",
                id="another race",
            ),
        ],
    )
    def test_proposes_nothing_that_is_not_clean(self, text: str, source: str) -> None:
        assert proposal(text, source) is None

    def test_replaces_only_the_claim_s_own_words(self) -> None:
        text = "Built in 1985, it has been closed since 2001."
        claim = claim_at(text, 15, len(text))  # says nothing of 1985 in words of its own
        carried = type(claim)(
            text="Built in 1985, it has been closed since 2001",
            start=claim.start,
            end=claim.end,
            sentence=(0, len(text)),
        )
        words = "Built in 1984, it has been closed since 2001."
        assert proposed(text, carried, words, differences(carried.text, words)) is None

from __future__ import annotations

import pytest

from citeguard.auditing.reporting import explanation
from citeguard.auditing.results import DifferingFact
from rows import each_row


def fact(stated: str, found: str) -> DifferingFact:
    return DifferingFact(kind="number", stated=stated, found=found)


class TestExplanation:
    def test_of_a_supported_claim_says_no_more(self) -> None:
        told = explanation("supported", reason="All there.")
        assert told == "The source says so."

    def test_of_a_contradicted_claim_says_what_differs(self) -> None:
        told = explanation("contradicted", reason="Never shown.", facts=[fact("nine", "ten")])
        assert told == ("The source says otherwise: “ten” where the claim says “nine”.")

    def test_of_a_contradicted_claim_without_facts_gives_the_reason(self) -> None:
        told = explanation("contradicted", reason="it opens later")
        assert told == "The source says otherwise. It opens later."

    def test_of_what_is_not_found_gives_the_reason(self) -> None:
        told = explanation("not_found", reason="Nothing of: gym.")
        assert told == "The sources do not say this. Nothing of: gym."

    def test_of_what_nobody_could_tell_gives_the_reason(self) -> None:
        told = explanation("undecided", reason="the judge timed out")
        assert told == "This could not be decided. The judge timed out."

    def test_without_any_reason_is_a_sentence_all_the_same(self) -> None:
        assert explanation("not_found") == "The sources do not say this."

    @each_row(
        ("stated", "found", "words"),
        [
            pytest.param("nine", "", "the claim says “nine”, and the source does not", id="more"),
            pytest.param("", "not", "the claim leaves out “not”", id="less"),
        ],
    )
    def test_says_what_stands_on_one_side_only(self, stated: str, found: str, words: str) -> None:
        assert words in explanation("contradicted", facts=[fact(stated, found)])

    def test_counts_the_facts_that_it_does_not_tell(self) -> None:
        facts = [fact(str(number), str(number + 1)) for number in range(5)]
        assert explanation("contradicted", facts=facts).endswith("and 2 more.")

    def test_is_bounded_and_on_one_line(self) -> None:
        better = ["a\nb\x1b[2J " * 10_000]
        told = explanation("contradicted", reason="no \x07\n" * 10_000, better=better)
        assert len(told) < 500
        assert told.isprintable()

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from citeguard import CiteguardError, ExactQuote, FuzzyQuote
from citeguard.testing import QuoteCase, quote_cases
from citeguard.testing.strategies import Change
from citeguard.validation.quotes import QuoteRule, find_match

CHANGES: list[Change] = ["negation", "number", "unit", "name", "fabricated"]


def stands(quote: str, case: QuoteCase, rule: QuoteRule, *, named: bool) -> bool:
    source_id = case.source_id if named else None
    return find_match(quote, case.sources, source_id=source_id, rule=rule) is not None


class TestQuoteCases:
    @settings(max_examples=200, deadline=None)
    @given(quote_cases(), st.booleans())
    def test_true_quotes_always_pass(self, case: QuoteCase, named: bool) -> None:
        assert stands(case.true_quote, case, FuzzyQuote(), named=named)

    @settings(max_examples=200, deadline=None)
    @given(quote_cases(), st.booleans())
    def test_false_quotes_always_fail(self, case: QuoteCase, named: bool) -> None:
        assert not stands(case.false_quote, case, FuzzyQuote(), named=named)

    @settings(deadline=None)
    @given(quote_cases(exact=True))
    def test_exact_quotes_pass_the_strictest_rule(self, case: QuoteCase) -> None:
        assert stands(case.true_quote, case, ExactQuote(), named=True)
        assert not stands(case.false_quote, case, ExactQuote(), named=False)

    @settings(deadline=None)
    @given(quote_cases(most_sources=1))
    def test_has_no_more_sources_than_it_may(self, case: QuoteCase) -> None:
        assert case.sources.ids == (case.source_id,)

    @pytest.mark.parametrize("change", CHANGES)
    def test_makes_every_change(self, change: Change) -> None:
        quick = settings(phases=[Phase.generate], database=None, derandomize=True, deadline=None)
        case = find(quote_cases(), lambda case: case.change == change, settings=quick)
        assert case.change == change

    def test_shrinks_to_a_case_that_can_be_read(self) -> None:
        same = settings(database=None, derandomize=True, deadline=None)
        case = find(quote_cases(), lambda case: case.change == "number", settings=same)
        assert len(case.sources) == 1
        assert case.true_quote == snapshot("The landlord must submit")
        assert case.false_quote == snapshot(
            "The landlord must submit the signed report within 3 days, because the contract "
            "requires it."
        )

    @pytest.mark.parametrize("most", [0, 5, "2"], ids=repr)
    def test_refuses_another_number_of_sources(self, most: int) -> None:
        with pytest.raises(CiteguardError, match=r"quote_cases\(most_sources=...\) must be"):
            quote_cases(most_sources=most)


class TestImport:
    def test_without_hypothesis_says_what_to_install(self) -> None:
        program = (
            "import sys; sys.modules['hypothesis'] = None\n"
            "from citeguard.errors import CiteguardError\n"
            "try:\n    from citeguard.testing import quote_cases\n"
            "except CiteguardError as error:\n    print(error)"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout.decode() == snapshot(
            "the strategies for quotes need the package hypothesis: pip install hypothesis\n"
        )

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, ExactQuote, FuzzyQuote
from citeguard.sources.matches import Search
from citeguard.testing import QuoteCase, quote_cases
from citeguard.testing.strategies import Change
from citeguard.validation.quote_rules import QuoteRule, find_match

CHANGES: list[Change] = ["negation", "number", "unit", "name", "fabricated"]


def appears(quote: str, case: QuoteCase, rule: QuoteRule, *, named: bool) -> bool:
    source_id = case.source_id if named else None
    return find_match(Search(quote, case.sources), source_id, rule) is not None


class TestQuoteCases:
    @given(quote_cases(), st.booleans())
    def test_true_quotes_pass_and_false_ones_fail(self, case: QuoteCase, named: bool) -> None:
        assert appears(case.true_quote, case, FuzzyQuote(), named=named)
        assert not appears(case.false_quote, case, FuzzyQuote(), named=named)

    @settings(max_examples=30)
    @given(quote_cases(exact=True))
    def test_exact_quotes_pass_the_strictest_rule(self, case: QuoteCase) -> None:
        assert appears(case.true_quote, case, ExactQuote(), named=True)
        assert not appears(case.false_quote, case, ExactQuote(), named=False)

    def test_rejects_another_number_of_sources(self) -> None:
        for most in (0, 5, "2"):
            with pytest.raises(CiteguardError, match=r"quote_cases\(most_sources=...\) must be"):
                quote_cases(most_sources=most)


def test_all_names_can_be_imported_without_hypothesis() -> None:
    program = """
import sys
sys.modules["hypothesis"] = None
from citeguard.testing import *
try:
    quote_cases()
except Exception as error:
    print(error)
"""
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install hypothesis" in printed.stdout

"""Formulas are one text in LaTeX, in Unicode and on one line; of another value, they are not."""

import time

from citeguard.language.markup import find_noise
from quotes.tables import cases, misjudged

SAME = cases("one formula")
OTHER = cases("other formulas")


def test_a_formula_is_one_text_in_every_notation() -> None:
    assert misjudged(same=SAME) == []


def test_a_formula_of_another_value_is_no_quote() -> None:
    assert misjudged(changed=OTHER) == []


def test_reading_takes_linear_time() -> None:
    """Braces and brackets that nest or never close are not read again and again."""
    for text in (r"\frac{", r"\frac{a}{", "^{", "(a+", "-("):
        start = time.process_time()
        find_noise(text * 500)
        short = time.process_time() - start
        find_noise(text * 5_000)
        assert time.process_time() - start < 40 * short + 0.2, text

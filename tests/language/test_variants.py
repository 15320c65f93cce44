"""Which words may be written in another way."""

from __future__ import annotations

import pytest

from citeguard.language.variants import may_vary, which_vary


@pytest.mark.parametrize(
    "word", ["colour", "five", "5", "May", "don't", "twenty-five", "%", "percent", "theaters."]
)
def test_a_word_may_vary(word: str) -> None:
    assert may_vary(word)


@pytest.mark.parametrize("word", ["laboratory", "may", "well-known", "(visitors)", "…"])
def test_a_word_cannot_vary(word: str) -> None:
    assert not may_vary(word)


def test_a_contraction_needs_a_word_that_it_is_contracted_with() -> None:
    assert which_vary("The drug is not new".split()) == [False, False, False, True, False]
    assert which_vary("It is new and cannot wait".split()) == [
        False, True, False, False, True, False,
    ]  # fmt: skip

"""The flag for a verbatim quote whose own sentence denies it."""

from __future__ import annotations

import pytest

from citeguard.quotes.denial import is_denied

QUOTE = "the drug is safe"


@pytest.mark.parametrize(
    "text",
    [
        "It is false that the drug is safe.",
        "It is not true that the drug is safe.",
        "It is a myth that the drug is safe.",
        "There is no evidence that the drug is safe.",
        "They denied that the drug is safe.",
        "Experts rejected the claim that the drug is safe.",
        "It is not clear whether the drug is safe.",
        "Contrary to reports that the drug is safe, it was banned.",
        "He doubts that the drug is safe.",
        "That the drug is safe is a myth.",
        "“The drug is safe” is false.",
        "The claim that the drug is safe was refuted.",
        "That the drug is safe has been debunked.",
        "The study failed to show that the drug is safe.",
        "He never said the drug is safe.",
    ],
)
def test_true(text: str) -> None:
    start = text.lower().index(QUOTE)
    assert is_denied(text, start, start + len(QUOTE))


@pytest.mark.parametrize(
    "text",
    [
        "The drug is safe.",
        "They said that the drug is safe.",
        "That is false. But the drug is safe.",
        "That is false.\n\nAnd the drug is safe",
        "It is true that the drug is safe.",
        "The drug is safe. That is false.",
        "The drug is safe and was approved.",
        "“It is not so.” Later the drug is safe.",
        "それは誤りだ。the drug is safe",
    ],
)
def test_false(text: str) -> None:
    start = text.lower().index(QUOTE)
    assert not is_denied(text, start, start + len(QUOTE))


def test_of_a_negator_right_before() -> None:
    text = "It was not approved by the board."
    assert is_denied(text, 11, 19)


def test_reads_one_sentence_of_a_long_text() -> None:
    text = "It is false. " * 1_000 + "The drug is safe. " + "That is false. " * 1_000
    start = text.index("The drug")
    assert not is_denied(text, start, start + len(QUOTE))

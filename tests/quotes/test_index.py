"""Prepared texts, and what they remember."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.sentences import whole_sentences
from citeguard.quotes import canonical as index
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.pieces import PieceIndex
from citeguard.quotes.search import Candidate, edit_budget
from quotes.oracle import edited, random_text, semi_global_distance

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TEXT = "It rained all day. It was late.\n\nSo be it."


class TestSentencesAt:
    @given(st.data())
    def test_are_the_whole_sentences(self, data: st.DataObject) -> None:
        prepared = PreparedText(TEXT)
        for _ in range(3):
            start = data.draw(st.integers(0, len(TEXT)))
            end = data.draw(st.integers(start, len(TEXT)))
            assert prepared.sentences_at(start, end) == whole_sentences(TEXT, start, end)

    def test_are_looked_for_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        prepared = PreparedText(TEXT)
        first = prepared.sentences_at(3, 9)
        monkeypatch.setattr(prepared, "text", "Another text.")
        assert prepared.sentences_at(3, 9) == first

    def test_are_the_same_after_more_than_it_remembers(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index, "_MOST_CACHED", 2)
        prepared = PreparedText(TEXT)
        for _ in range(2):
            found = [prepared.sentences_at(start, start + 1) for start in range(len(TEXT))]
            assert found == [whole_sentences(TEXT, start, start + 1) for start in range(len(TEXT))]


def with_edits(candidates: list[Candidate]) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.distance]


class TestNearPlaces:
    @settings(max_examples=600, deadline=None, derandomize=True)
    @given(
        seed=st.integers(0, 2**64), alphabet=st.sampled_from(["ab", "acgt", LETTERS, "αβγδабвг"])
    )
    def test_are_those_of_the_index(self, seed: int, alphabet: str) -> None:
        text, quote = planted(Random(seed), alphabet)
        found = PreparedText(text).near_places(quote)
        assert with_edits(found) == with_edits(PieceIndex(text).find(quote))

    @settings(max_examples=600, deadline=None, derandomize=True)
    @given(seed=st.integers(0, 2**64), alphabet=st.sampled_from(["abc", LETTERS]))
    def test_are_complete(self, seed: int, alphabet: str) -> None:
        text, quote = planted(Random(seed), alphabet)
        found, distance = PreparedText(text).near_places(quote), semi_global_distance(quote, text)
        if 0 < distance <= edit_budget(len(quote)):
            assert found[0].distance == distance
        elif distance:
            assert found == []

    @pytest.mark.parametrize("quote", ["noticeisonemonth", "lunchisfreeforall", "notice", ""])
    def test_need_no_index_where_none_can_be(self, quote: str) -> None:
        prepared = PreparedText("Notice is one month. So be it.")
        assert prepared.near_places(quote) == []
        assert "pieces" not in vars(prepared)

    def test_need_no_index_in_a_short_text(self) -> None:
        prepared = PreparedText("Notice is one month. So be it.")
        assert prepared.near_places("noticeisanemonth") == [Candidate(0, 16, 1)]
        assert "pieces" not in vars(prepared)

    @pytest.mark.parametrize(
        "text",
        [
            "Notice is one month. " * 2,
            "Notice is one month. " * 3_000,
            "Notice is one month. " + "onemonth" * 50,
        ],
        ids=["twice", "long", "repetitive"],
    )
    def test_are_asked_of_the_index_else(self, text: str) -> None:
        prepared = PreparedText(text)
        found = prepared.near_places("noticeisonemonths")
        assert "pieces" in vars(prepared)
        assert found == PieceIndex(prepared.form.letters).find("noticeisonemonths")


def planted(random: Random, alphabet: str) -> tuple[str, str]:
    """Return a text, and a quote cut from it with edits below, at or beyond the budget."""
    text = random_text(random, alphabet, 400)
    start, length = random.randint(0, len(text)), random.randint(10, 120)
    cut = text[start : start + length]
    budget = edit_budget(len(cut))
    edits = random.choice([0, 1, max(0, budget - 1), budget, budget + 1, budget + 2])
    return text, edited(cut, edits, alphabet, random)

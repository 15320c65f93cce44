"""Approximate search is complete: within the budget it misses nothing a brute force finds."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.canonical import SearchForm
from citeguard.quotes.pieces import PieceIndex
from citeguard.quotes.search import Candidate, edit_budget
from quotes.oracle import edit_distance, edited, random_text, semi_global_distance

# Search forms hold letters of the basic plane alone; astral ones arrive in its private use area.
ALPHABETS = {
    "two letters": "ab",
    "four letters": "acgt",
    "latin": "abcdefghijklmnopqrstuvwxyz",
    "digits": "0123456789",
    "greek and cyrillic": "αβγδабвгдж",
    "chinese": "的一是不了人我在有他这中大来上",
    "japanese": "あいうえおカキクケコ日本語東京",
    "private use": "".join(map(chr, range(0xE000, 0xE010))),
    "edges of the plane": "\x00\x01\u07ff\u0800\ud7ff\ue000\ufffdﾟ",
}

PERIOD = "".join(Random(0).choices("abcdefghijklmnopqrstuvwxyz", k=300))


def assert_complete(text: str, quote: str) -> None:
    """Whether anything is found, and how near the best is, must be as the brute force says."""
    found = PieceIndex(text).find(quote)
    distance, budget = semi_global_distance(quote, text), edit_budget(len(quote))
    if budget and distance <= budget:
        assert found, f"missed at distance {distance} of {budget}: {quote!r} in {text!r}"
        assert found[0].distance == distance
    else:
        assert found == []
    assert_true(found, text, quote)


def assert_true(found: list[Candidate], text: str, quote: str) -> None:
    """Every candidate stands where it says, as far from the quote as it says, nearest first."""
    for candidate in found:
        assert 0 <= candidate.start <= candidate.end <= len(text)
        words = text[candidate.start : candidate.end]
        assert edit_distance(words, quote) == candidate.distance <= edit_budget(len(quote))
    assert [c.distance for c in found] == sorted(c.distance for c in found)


def planted(random: Random, alphabet: str) -> tuple[str, str]:
    """Return a text, and a quote cut from it with edits below, at or beyond the budget."""
    text = random_text(random, alphabet, 260)
    start = random.randint(0, len(text))
    length = random.choice([random.randint(1, 30), random.randint(10, 100)])
    cut = text[start : start + length]
    if random.random() < 0.1:  # not planted at all
        cut = "".join(random.choices(alphabet, k=length))
    budget = edit_budget(len(cut))
    edits = random.choice([0, 1, max(0, budget - 1), budget, budget + 1, budget + 2])
    return text, edited(cut, edits, alphabet, random)


class TestCompleteness:
    @pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
    @settings(max_examples=400, deadline=None, derandomize=True)
    @given(seed=st.integers(0, 2**64))
    def test_of_quotes_cut_from_the_text(self, alphabet: str, seed: int) -> None:
        assert_complete(*planted(Random(seed), alphabet))

    @settings(max_examples=500, deadline=None, derandomize=True)
    @given(text=st.text(alphabet="abc", max_size=60), quote=st.text(alphabet="abc", max_size=32))
    def test_of_quotes_that_shrink(self, text: str, quote: str) -> None:
        assert_complete(text, quote)

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(seed=st.integers(0, 2**64), words=st.text(min_size=10, max_size=80))
    def test_of_the_search_form_of_any_text(self, seed: int, words: str) -> None:
        random = Random(seed)
        text, quote = (SearchForm(t).letters for t in (words, edited(words, 3, words, random)))
        assert_complete(text, quote)

    @pytest.mark.parametrize("length", [10, 15, 16, 23, 24, 40, 79, 80, 200])
    @pytest.mark.parametrize("spread", ["evenly", "at the start", "at the end"])
    def test_with_the_whole_budget_spent(self, length: int, spread: str) -> None:
        random = Random(length)
        words = random.choices("abcdefghijklmnop", k=length)
        budget = edit_budget(length)
        places = {
            "evenly": [i * length // budget for i in range(budget)],
            "at the start": range(budget),
            "at the end": range(length - budget, length),
        }[spread]
        text = "".join(random.choices("abcdefghijklmnop", k=3_000))
        text = text[:1_500] + "".join(words) + text[1_500:]
        for place in places:
            words[place] = "z"
        quote = "".join(words)
        assert PieceIndex(text).find(quote)[0].distance == semi_global_distance(quote, text)

    @pytest.mark.parametrize("distance", [0, 1, 2, 5])
    def test_of_every_place_apart_from_one_another(self, distance: int) -> None:
        words = "abcdefghijklm" * 3 + "z"
        filler = "".join(Random(distance).choices("nopqrstuvwxy", k=200))
        text = filler + "-" * distance + words[distance:] + filler + words + filler
        found = PieceIndex(text).find(words)
        assert [c.distance for c in found] == [0, distance]
        assert 440 in [c.start for c in found]
        assert_true(found, text, words)


class TestEditBudget:
    @pytest.mark.parametrize(
        ("length", "budget"),
        [(0, 0), (9, 0), (10, 1), (15, 1), (16, 2), (100, 12), (4_000, 500), (4_001, 0)],
    )
    def test_is_one_edit_in_eight_letters(self, length: int, budget: int) -> None:
        assert edit_budget(length) == budget


class TestFind:
    @pytest.mark.parametrize("text", ["", "a", "abcd", "abcde"])
    def test_of_a_text_shorter_than_a_piece(self, text: str) -> None:
        assert PieceIndex(text).find("abcdefghijkl") == []

    @pytest.mark.parametrize("quote", ["", "a", "abcdefghi"])
    def test_of_a_quote_that_may_have_no_edits(self, quote: str) -> None:
        assert PieceIndex("abcdefghijklmnopqrstuvwxyz").find(quote) == []

    def test_of_a_quote_longer_than_the_text_by_its_budget(self) -> None:
        text = "abcdefghijklmnop"
        assert PieceIndex(text).find(text + "xy") == [Candidate(0, 16, 2)]
        assert PieceIndex(text).find(text + "xyz") == []

    def test_merges_places_that_overlap(self) -> None:
        found = PieceIndex("ab" * 50).find("ab" * 10)
        assert [c.distance for c in found] == [0]


class TestPlaces:
    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(text=st.text(alphabet="ab界", max_size=80), letters=st.text(alphabet="ab界", max_size=9))
    def test_are_all_in_order(self, text: str, letters: str) -> None:
        expected = [i for i in range(len(text)) if letters and text.startswith(letters, i)]
        assert list(PieceIndex(text).places(letters)) == expected


class TestAdversarialTexts:
    """Too repetitive to search means: no candidate. Never a hang, never a wrong one."""

    @pytest.mark.parametrize(
        ("text", "quote"),
        [
            pytest.param("a" * 100_000, "a" * 100, id="one letter"),
            pytest.param("a" * 100_000, "a" * 50 + "b" + "a" * 49, id="one letter, one edit"),
            pytest.param("a" * 100_000, "a" * 4_000, id="one letter, longest quote"),
            pytest.param("a" * 100_000, "a" * 100_000, id="in itself"),
            pytest.param("ab" * 50_000, "ba" * 50 + "x", id="two letters"),
            pytest.param("abcde" * 200_000, "abcde" * 20 + "x", id="a period of one piece"),
            pytest.param("abcdefg" * 100_000, "abcdefg" * 500, id="a period, a long quote"),
            pytest.param("a" * 1_000_000, "b" * 1_000, id="nothing in common"),
            pytest.param(PERIOD * 2_000, PERIOD * 13, id="a long period, the longest quote"),
        ],
    )
    def test_finish(self, text: str, quote: str) -> None:
        found = PieceIndex(text).find(quote)
        for candidate in found:
            assert candidate.distance <= edit_budget(len(quote))
            assert 0 <= candidate.start < candidate.end <= len(text)

    def test_of_moderate_size_are_still_searched(self) -> None:
        quote = "a" * 50 + "b" + "a" * 49
        assert PieceIndex("a" * 2_000).find(quote)[0].distance == 1

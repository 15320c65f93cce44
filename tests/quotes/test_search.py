from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from citeguard.quotes.search import end_distances, nearest_substring
from quotes.oracle import edit_distance, edited, end_distances_by_table, random_text

short = st.text(alphabet="abé界\U0001d4d0", max_size=20)
anything = st.text(max_size=12)
slow_but_sure = settings(max_examples=300, deadline=None, derandomize=True)


class TestEndDistances:
    @slow_but_sure
    @given(pattern=short, text=short)
    def test_equal_the_table(self, pattern: str, text: str) -> None:
        assert end_distances(pattern, text) == end_distances_by_table(pattern, text)

    @slow_but_sure
    @given(pattern=anything, text=anything)
    def test_equal_the_table_for_any_characters(self, pattern: str, text: str) -> None:
        assert end_distances(pattern, text) == end_distances_by_table(pattern, text)

    @slow_but_sure
    @given(pattern=short, text=short)
    def test_anchored_are_distances_to_prefixes(self, pattern: str, text: str) -> None:
        prefixes = [text[:j] for j in range(len(text) + 1)]
        expected = [edit_distance(pattern, prefix) for prefix in prefixes]
        assert end_distances(pattern, text, anchored=True) == expected
        assert expected == [Levenshtein.distance(pattern, prefix) for prefix in prefixes]

    @pytest.mark.parametrize("length", [63, 64, 65, 1000])
    def test_patterns_beyond_a_machine_word(self, length: int) -> None:
        pattern = ("abcdefg" * length)[:length]
        text = "xyz" + pattern[: length // 2] + "!" + pattern[length // 2 :] + "xyz"
        assert end_distances(pattern, text) == end_distances_by_table(pattern, text)

    def test_read_the_text_once(self) -> None:
        assert end_distances("ab", iter("ab")) == [2, 1, 0]

    @pytest.mark.parametrize(("anchored", "expected"), [(False, [0, 0, 0]), (True, [0, 1, 2])])
    def test_of_an_empty_pattern(self, anchored: bool, expected: list[int]) -> None:
        assert end_distances("", "ab", anchored=anchored) == expected

    def test_of_an_empty_text(self) -> None:
        assert end_distances("abc", "") == [3]


class TestNearestSubstring:
    @slow_but_sure
    @given(
        pattern=st.text(alphabet="abé", min_size=1, max_size=40),
        text=st.text(alphabet="abé界", max_size=60),
        most=st.integers(0, 5),
    )
    def test_has_the_least_distance(self, pattern: str, text: str, most: int) -> None:
        most = min(most, len(pattern) // 8)  # the budget of the search
        least = min(end_distances_by_table(pattern, text))
        nearest = nearest_substring(pattern, text, most=most)
        assert (nearest is None) == (least > most)
        if nearest is not None:
            start, end, distance = nearest
            assert 0 <= start <= end <= len(text)
            assert edit_distance(pattern, text[start:end]) == distance == least

    @slow_but_sure
    @given(seed=st.integers(0, 2**32), edits=st.integers(0, 4))
    def test_has_the_least_distance_for_long_patterns(self, seed: int, edits: int) -> None:
        random = Random(seed)
        text = random_text(random, "abcd", 300)
        pattern = edited(text[50:150], edits, "abcd", random) or "a"
        nearest = nearest_substring(pattern, text, most=10)
        least = min(end_distances_by_table(pattern, text))
        assert (nearest[2] if nearest else None) == (least if least <= 10 else None)
        if nearest:
            assert edit_distance(pattern, text[nearest[0] : nearest[1]]) == least

    @slow_but_sure
    @given(before=short, pattern=short.filter(bool), after=short)
    def test_finds_a_verbatim_place(self, before: str, pattern: str, after: str) -> None:
        nearest = nearest_substring(pattern, before + pattern + after, most=3)
        assert nearest is not None
        start, end, distance = nearest
        assert ((before + pattern + after)[start:end], distance) == (pattern, 0)

    @pytest.mark.parametrize("most", [0, 1, 5])
    def test_finishes_in_repetitive_texts(self, most: int) -> None:
        assert nearest_substring("a" * 500 + "b", "a" * 5_000, most=most) in (
            [None] if most == 0 else [(0, 500, 1), (0, 501, 1)]
        )

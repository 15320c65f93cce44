from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from citeguard.text.levenshtein import end_distances, nearest_substring
from text.oracle import edit_distance, end_distances_by_table

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
    @given(pattern=short.filter(bool), text=short)
    def test_has_the_least_distance(self, pattern: str, text: str) -> None:
        start, end, distance = nearest_substring(pattern, text)
        assert 0 <= start <= end <= len(text)
        assert edit_distance(pattern, text[start:end]) == distance
        assert distance == min(end_distances_by_table(pattern, text))

    @slow_but_sure
    @given(before=short, pattern=short.filter(bool), after=short)
    def test_finds_the_first_verbatim_place(self, before: str, pattern: str, after: str) -> None:
        text = before + pattern + after
        start = text.find(pattern)
        assert nearest_substring(pattern, text) == (start, start + len(pattern), 0)

    def test_prefers_to_start_with_the_first_letter(self) -> None:
        # "xbcdef" and "bcdef" are both one edit away from "abcdef"; so is "aabcdef" from nothing.
        assert nearest_substring("abcdef", "abcdxf") == (0, 6, 1)

    def test_takes_the_longest_where_no_place_starts_with_the_first_letter(self) -> None:
        assert nearest_substring("abcd", "zzbcd") == (1, 5, 1)

"""The oracles themselves, by hand: a wrong oracle would prove nothing."""

import pytest

from quotes.oracle import edit_distance, end_distances_by_table, semi_global_distance


class TestSemiGlobalDistance:
    @pytest.mark.parametrize(
        ("pattern", "text", "distance"),
        [
            pytest.param("abc", "xxabcxx", 0, id="verbatim"),
            pytest.param("abc", "xxabxx", 1, id="substituted"),
            pytest.param("abc", "xxacxx", 1, id="deleted"),
            pytest.param("abc", "abxc", 1, id="inserted"),
            pytest.param("abc", "", 3, id="empty text"),
            pytest.param("", "abc", 0, id="empty pattern"),
            pytest.param("kitten", "the sitting cat", 2, id="textbook"),
        ],
    )
    def test_by_hand(self, pattern: str, text: str, distance: int) -> None:
        assert semi_global_distance(pattern, text) == distance

    def test_last_row_by_hand(self) -> None:
        assert end_distances_by_table("abc", "xabx") == [3, 3, 2, 1, 1]


class TestEditDistance:
    @pytest.mark.parametrize(
        ("one", "other", "distance"), [("kitten", "sitting", 3), ("", "ab", 2), ("ab", "ba", 2)]
    )
    def test_by_hand(self, one: str, other: str, distance: int) -> None:
        assert edit_distance(one, other) == distance

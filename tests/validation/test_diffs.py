from typing import Any

import pytest
from hypothesis import given
from inline_snapshot import snapshot

from citeguard.validation.messages import word_diff
from hostile import NUMBER, edits, hostile
from rows import each_row


class TestWordDiff:
    @each_row(
        ("quote", "passage", "expected"),
        [
            pytest.param("a b c d e", "a b x d e", snapshot("a b [-c-] {+x+} d e"), id="replace"),
            pytest.param("may not go", "may go", snapshot("may [-not-] go"), id="delete"),
            pytest.param(
                "in 1,000 days",
                "in 10,000 days",
                snapshot("in [-1,000-] {+10,000+} days"),
                id="number",
            ),
            pytest.param("at 5 °C", "at -5 °C", snapshot("at {+-+} 5 °C"), id="sign"),
            pytest.param("5 mg", "5 µg", snapshot("5 [-mg-] {+µg+}"), id="unit"),
            pytest.param("us firms", "US firms", snapshot("[-us-] {+US+} firms"), id="case"),
            pytest.param(
                "可以使用此药", "不可以使用此药", snapshot("{+不+} 可以使 …"), id="ideographs"
            ),
            pytest.param(
                "one\ntwo  three",
                "one two four",
                snapshot("one two [-three-] {+four+}"),
                id="spaces",
            ),
            pytest.param(
                "the end",
                "the end of all",
                snapshot("the end {+of all+}"),
                id="words lost at the end",
            ),
            pytest.param(
                "“a” b", '"a" c', snapshot('"a" [-b-] {+c+}'), id="glyphs are not compared"
            ),
            pytest.param(
                "वे परीक्षा में बैठ सकते",
                "वे परीक्षा में नहीं बैठ सकते",
                snapshot("वे परीक्षा में {+नहीं+} बैठ सकते"),
                id="vowel signs are no word ends",
            ),
            pytest.param("same words", "same words", "", id="same"),
            pytest.param("", "", "", id="empty"),
            pytest.param("a", "", snapshot("[-a-]"), id="empty passage"),
        ],
    )
    def test_shows(self, quote: str, passage: str, expected: str) -> None:
        assert word_diff(quote, passage) == expected

    def test_centres_on_the_material_edit(self) -> None:
        filler = " ".join(f"w{number}" for number in range(30))
        quote = f"One {filler} value is 30 {filler} end"
        passage = f"two {filler} value is 14 {filler} end"
        assert word_diff(quote, passage, [NUMBER]) == snapshot(
            "… w29 value is [-30-] {+14+} w0 w1 w2 …"
        )
        assert word_diff(quote, passage) == snapshot(
            "[-One-] {+two+} w0 w1 w2 … w29 value is [-30-] {+14+} w0 w1 w2 …"
        )

    def test_shows_no_capital_beside_a_material_edit(self) -> None:
        quote, passage = "the fee is 30 euros", "The fee is 14 euros"
        assert word_diff(quote, passage, [NUMBER]) == snapshot("The fee is [-30-] {+14+} euros")

    def test_finds_a_change_behind_a_long_beginning(self) -> None:
        filler = "word " * 5_000
        assert word_diff(f"{filler}may go", f"{filler}may not go") == snapshot(
            "word word may {+not+} go"
        )

    @each_row("words", [10, 5_000])
    def test_is_bounded(self, words: int) -> None:
        quote, passage = " ".join(["aa", "bb"] * words), " ".join(["cc", "bb", "dd"] * words)
        assert len(word_diff(quote, passage)) <= 180

    @given(hostile, hostile, edits)
    def test_is_bounded_for_anything(self, quote: str, passage: str, edits: Any) -> None:
        assert len(word_diff(quote, passage, edits)) <= 180

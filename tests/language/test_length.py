"""Lengths in letters and digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.tokens import has_words, is_long_enough, length_of

LENGTHS = [
    pytest.param("", 0, id="nothing"),
    pytest.param(" \n\t\u00a0\u200b", 0, id="spaces"),
    pytest.param("… — “”!?_", 0, id="punctuation"),
    pytest.param("👍🏽", 0, id="emoji"),
    pytest.param("\ud800", 0, id="half a surrogate pair"),
    pytest.param("abcd", 4, id="letters"),
    pytest.param("a b, c!d", 4, id="letters apart"),
    pytest.param("12 %", 2, id="digits"),
    pytest.param("x²", 2, id="superscript"),
    pytest.param("мир", 3, id="Cyrillic"),
    pytest.param("سلام", 4, id="Arabic"),
    pytest.param("caf\u00e9", 4, id="accent, composed"),
    pytest.param("cafe\u0301", 4, id="accent, decomposed"),
    pytest.param("東京", 4, id="ideographs"),
    pytest.param("𠀀", 2, id="rare ideograph"),
    pytest.param("ひるカナ", 8, id="kana"),
    pytest.param("ﾊﾝ", 4, id="halfwidth kana"),
    pytest.param("한국", 4, id="hangul"),
    pytest.param("東京。", 4, id="ideographic stop"),
    pytest.param("NHK会館", 7, id="two scripts"),
]
texts = st.one_of(st.text(max_size=30), st.text("a1東한 .!", max_size=30))


class TestLengthOf:
    @pytest.mark.parametrize(("text", "length"), LENGTHS)
    def test_counts_letters_and_digits(self, text: str, length: int) -> None:
        assert length_of(text) == length

    @given(texts, texts)
    def test_adds_up(self, one: str, other: str) -> None:
        assert length_of(one + other) == length_of(one) + length_of(other)


class TestIsLongEnough:
    @pytest.mark.parametrize(("text", "length"), LENGTHS)
    def test_takes_the_very_length(self, text: str, length: int) -> None:
        assert is_long_enough(text, length) is (length > 0)
        assert not is_long_enough(text, length + 1)

    @given(texts, st.integers(0, 40))
    def test_agrees_with_the_length(self, text: str, least: int) -> None:
        assert is_long_enough(text, least) is (length_of(text) >= max(1, least))

    def test_reads_no_more_than_needed(self) -> None:
        read = []

        class Watched(str):
            def __iter__(self):  # type: ignore[no-untyped-def]
                for character in super().__iter__():
                    read.append(character)
                    yield character

        assert is_long_enough(Watched("a, bcdefgh"), 3)
        assert read == list("a, bc")


class TestHasWords:
    @pytest.mark.parametrize("text", ["a", "…1", "语", "é"])
    def test_letters_and_digits_are_words(self, text: str) -> None:
        assert has_words(text)

    @pytest.mark.parametrize("text", ["", "...", "\u200b", " — ", "()"])
    def test_signs_and_blanks_are_none(self, text: str) -> None:
        assert not has_words(text)

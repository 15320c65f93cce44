"""The table of scripts, against the names of Unicode."""

import unicodedata

import pytest

from citeguard.language.scripts import FULLWIDTH, IDEOGRAPHS, UNSPACED, WIDE, is_unspaced, is_wide

UNSPACED_NAMES = ("CJK ", "HIRAGANA", "KATAKANA", "THAI", "LAO", "MYANMAR", "KHMER")
WIDE_NAMES = ("CJK ", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "TANGUT", "NUSHU")
OF_THE_SAME_BLOCKS = ("HENTAIGANA", "IDEOGRAPHIC", "VERTICAL", "MASU")
LETTERS = {
    char: unicodedata.name(char, "").removeprefix("HALFWIDTH ")
    for char in map(chr, range(0x40000))
    if unicodedata.category(char) in ("Lo", "Lm")
}


class TestTable:
    def test_unspaced_letters_are_those_of_these_scripts(self) -> None:
        by_name = {char for char, name in LETTERS.items() if name.startswith(UNSPACED_NAMES)}
        others = {unicodedata.name(char) for char in filter(is_unspaced, LETTERS.keys() - by_name)}
        assert not {char for char in by_name if not is_unspaced(char)}
        assert not {name for name in others if not name.startswith(OF_THE_SAME_BLOCKS)}

    def test_wide_letters_are_those_of_these_scripts(self) -> None:
        missing = {
            char
            for char, name in LETTERS.items()
            if name.startswith(WIDE_NAMES) and not is_wide(char)
        }
        assert not missing
        assert not {char for char in LETTERS if is_wide(char) and char < "\u1100"}

    def test_ideographs_are_unspaced_and_wide(self) -> None:
        assert UNSPACED.startswith(IDEOGRAPHS)
        assert WIDE.startswith(IDEOGRAPHS)
        assert "\u3000" in FULLWIDTH


@pytest.mark.parametrize(
    ("chars", "unspaced", "wide"),
    [
        pytest.param("aéжαא5 .—٣", False, False, id="spaced"),
        pytest.param("中々〇カのｶ𠀀", True, True, id="Chinese and Japanese"),
        pytest.param("กລမខ", True, False, id="Southeast Asian"),
        pytest.param("한ᄒㅎ", False, True, id="hangul"),
        pytest.param("。「Ａ", False, False, id="full-width forms"),
    ],
)
def test_characters(chars: str, unspaced: bool, wide: bool) -> None:
    assert {is_unspaced(char) for char in chars} == {unspaced}
    assert {is_wide(char) for char in chars} == {wide}

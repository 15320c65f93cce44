"""Traditional and simplified characters."""

from __future__ import annotations

import pytest

from citeguard.language.chinese import are_same_character, is_simplified, simplify

SAME = "國国 為为 爲为 爲為 說说 説說 裡裏 臺台 衞卫 線綫 這这 羣群 門门"
OTHER = "發髮 发發 后後 面麵 鐘鍾 干乾 里裡 歷曆 复復 国门"


@pytest.mark.parametrize("pair", SAME.split())
def test_one_word_in_two_characters(pair: str) -> None:
    assert are_same_character(*pair)
    assert simplify(pair[0]) == simplify(pair[1])


@pytest.mark.parametrize("pair", OTHER.split())
def test_two_words(pair: str) -> None:
    assert not are_same_character(*pair)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("头发长", True),
        ("頭髮長", False),
        ("头髮", False),
        ("后面", False),
        ("", False),
        ("a", False),
    ],
)
def test_is_simplified(text: str, expected: object) -> None:
    assert is_simplified(text) is expected


def test_other_characters_are_their_own_form() -> None:
    assert [simplify(char) for char in "aあ한広"] == [*"aあ한広"]

"""Values in one form, in the languages with tables."""

import pytest

from citeguard.language.lexicon import load_lexicon
from citeguard.language.numerals import has_decimal_comma, has_numeral, plain_digits, read_values
from citeguard.language.tokens import tokenize


def read(text: str, language: str) -> str:
    return " ".join(token.key for token in read_values(text, tokenize(text), language))


class TestNumberWords:
    @pytest.mark.parametrize(
        ("language", "text", "values"),
        [
            ("de", "einundzwanzig von vierhundertzwei", "21 von 402"),
            ("nl", "drieëntwintig van honderdtwaalf", "23 van 112"),
            ("it", "ventotto di milleduecento", "28 di milleduecento"),
            ("fr", "soixante et onze ou quatre-vingt-dix-neuf", "71 ou 99"),
            ("es", "dos mil millones", "2000000000"),
            ("es", "cien y mil", "100 y 1000"),
            ("ru", "двадцать первый", "21th"),
            ("ar", "مئة وخمسة وعشرون", "125"),
            ("ar", "أحد عشر يوما", "11 يوما"),
            ("vi", "hai mươi năm", "20 năm"),
            ("tr", "on bir", "11"),
            ("hi", "बारह सौ", "1200"),
        ],
    )
    def test_of_one_number(self, language: str, text: str, values: str) -> None:
        assert read(text, language) == values

    @pytest.mark.parametrize(
        ("language", "number", "article"),
        [
            ("de", "zwanzig", "eine"),
            ("fr", "vingt", "une"),
            ("it", "venti", "un"),
            ("zh", "二", ""),
        ],
    )
    def test_are_those_of_the_lexicon(self, language: str, number: str, article: str) -> None:
        assert number in load_lexicon(language).numbers
        assert article not in load_lexicon(language).numbers


class TestHasNumeral:
    @pytest.mark.parametrize(
        ("word", "language"), [("due", "it"), ("once", "es"), ("on", "tr"), ("十二", "en")]
    )
    def test_in_the_language_of_the_text(self, word: str, language: str) -> None:
        assert has_numeral(word, language)
        assert has_numeral(word, "")

    @pytest.mark.parametrize("word", ["due", "once", "on", "sei"])
    def test_not_words_of_another_language(self, word: str) -> None:
        assert not has_numeral(word, "en")


class TestDecimalComma:
    @pytest.mark.parametrize(
        ("text", "language", "has_comma"),
        [
            ("1.250", "de", True),
            ("1.250 und 3.5", "de", False),
            ("1,250", "en", False),
            ("1,250", "ja", False),
            ("Det är inte 1.250 som de har.", "", True),
            ("Hindi ito 1.250 ng mga tao para sa akin.", "", False),
            ("1.250.000", "", True),
            ("1.250", "", False),
        ],
    )
    def test_by_the_language_or_other_numbers(
        self, text: str, language: str, has_comma: bool
    ) -> None:
        assert has_decimal_comma(text, language) is has_comma

    def test_decides_what_one_separator_means(self) -> None:
        assert plain_digits("1.250", decimal_comma=True) == plain_digits("1,250") == "1250"
        assert plain_digits("1,250", decimal_comma=True) == "1,250"

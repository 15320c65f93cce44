"""Tokens, in which typography is folded and meaning is not; lengths in letters and digits."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.tokens import has_words, is_long_enough, length_of, tokenize
from quotes.tables import cases

SAME = cases("same tokens")
DIFFERENT = cases("other tokens")


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(text)]


class TestKeys:
    def test_fold_typography(self) -> None:
        for _, one, other in SAME:
            assert keys(one) == keys(other) != []

    def test_keep_meaning(self) -> None:
        for _, one, other in DIFFERENT:
            assert keys(one) != keys(other)

    def test_of_what_says_nothing(self) -> None:
        for text in ["", " \n", "…", "“ — ” . , ; !", "\u200b", "* * *", "---", "===="]:
            assert keys(text) == []

    def test_by_hand(self) -> None:
        for text, expected in [
            ("It isn’t −1,250.0 mg.", ["it", "isn't", "-", "1250.0", "mg"]),
            ("a 3–2 win", ["a", "3", "-", "2", "win"]),
            ("from $1.5 million", ["from", "$", "1.5", "million"]),
            ("25°C (77 °F)", ["25", "°", "c", "77", "°", "f"]),
            ("東京2020", ["東", "京", "2020"]),
            ("on 2020-01-31 at 10:30", ["on", "2020", "-", "01", "-", "31", "at", "10", ":", "30"]),
            ("and/or", ["and", "or"]),
            ("12,34", ["12,34"]),
        ]:
            assert keys(text) == expected


class TestTokens:
    def test_name_their_place(self) -> None:
        for text, words in [
            ("It isn’t so", ["It", "isn’t", "so"]),  # words
            ("caf&eacute; x", ["caf&eacute;", "x"]),  # entity in a word
            ("deve-\nloped x", ["deve-\nloped", "x"]),  # hyphenation
            ("6½ x", ["6", "½", "½", "½", "x"]),  # a fraction's three tokens
            ("a[12] x", ["a", "[12]", "x"]),  # mark
            ("\U0001d4d0 x", ["\U0001d4d0", "x"]),  # astral
            ("10 <sup>6</sup>", ["10", "<sup>6</sup>"]),  # tag
        ]:
            assert [text[token.start : token.end] for token in tokenize(text)] == words

    def test_say_their_kind(self) -> None:
        for text, kind in [
            ("word", "word"),
            ("1,250", "number"),
            ("$", "symbol"),
            ("字", "character"),
            ("か", "character"),
            ("a[1]", "mark"),
        ]:
            assert tokenize(text)[-1].kind == kind

    def test_keep_the_case_in_their_text(self) -> None:
        assert [token.text for token in tokenize("The ＵＳ isn’t")] == ["The", "US", "isn't"]

    def test_say_whether_they_stand_in_brackets(self) -> None:
        for text, bracketed in [
            ("[He] said", [True, False]),
            ("He [John] said", [False, True, False]),
            ("[a", [False]),
            ("a] b", [False, False]),
        ]:
            assert [token.bracketed for token in tokenize(text)] == bracketed

    def test_of_a_mark_have_its_words_as_key(self) -> None:
        assert keys("as shown [12, 13]") == ["as", "shown", "[12, 13]"]

    @settings(derandomize=True)
    @given(text=st.text(max_size=60))
    def test_lie_in_the_text_in_order(self, text: str) -> None:
        position = 0
        for token in tokenize(text):
            assert position <= token.start < token.end <= len(text)
            assert token.key
            position = token.start

    @settings(derandomize=True)
    @given(
        words=st.lists(
            st.sampled_from("alpha Beta 12 1,250 isn't $ % 字 -5 5-6 mg".split()), max_size=8
        )
    )
    def test_do_not_depend_on_white_space(self, words: list[str]) -> None:
        assert keys(" ".join(words)) == keys("\n".join(words)) == keys("  ".join(words))


LENGTHS = [
    ("", 0),  # nothing
    (" \n\t\u00a0\u200b", 0),  # spaces
    ("… — “”!?_", 0),  # punctuation
    ("👍🏽", 0),  # emoji
    ("\ud800", 0),  # half a surrogate pair
    ("abcd", 4),  # letters
    ("a b, c!d", 4),  # letters apart
    ("12 %", 2),  # digits
    ("x²", 2),  # superscript
    ("мир", 3),  # Cyrillic
    ("سلام", 4),  # Arabic
    ("caf\u00e9", 4),  # accent, composed
    ("cafe\u0301", 4),  # accent, decomposed
    ("東京", 4),  # ideographs
    ("𠀀", 2),  # rare ideograph
    ("ひるカナ", 8),  # kana
    ("ﾊﾝ", 4),  # halfwidth kana
    ("한국", 4),  # hangul
    ("東京。", 4),  # ideographic stop
    ("NHK会館", 7),  # two scripts
]
texts = st.one_of(st.text(max_size=30), st.text("a1東한 .!", max_size=30))


class TestLengthOf:
    def test_counts_letters_and_digits(self) -> None:
        for text, length in LENGTHS:
            assert length_of(text) == length

    @given(texts, texts)
    def test_adds_up(self, one: str, other: str) -> None:
        assert length_of(one + other) == length_of(one) + length_of(other)


class TestIsLongEnough:
    def test_takes_the_very_length(self) -> None:
        for text, length in LENGTHS:
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

        assert is_long_enough(Watched("ä, bcdefgh"), 3)
        assert read == list("ä, bc")


class TestHasWords:
    def test_letters_and_digits_are_words(self) -> None:
        for text in ["a", "…1", "语", "é"]:
            assert has_words(text)

    def test_signs_and_blanks_are_none(self) -> None:
        for text in ["", "...", "\u200b", " — ", "()"]:
            assert not has_words(text)

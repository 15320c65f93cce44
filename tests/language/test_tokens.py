"""Tokens: typography is folded, meaning is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.tokens import is_unspaced, tokenize

SAME = [
    pytest.param("It is so", "it IS So", id="case"),
    pytest.param("isn't", "isn’t", id="curly apostrophe"),
    pytest.param("isn't", "isnʼt", id="letter apostrophe"),
    pytest.param("“so”, he said…", '"so", he said...', id="quotation marks and ellipsis"),
    pytest.param("so - here", "so — here", id="dash between words"),
    pytest.param("well-known", "well‐known", id="hyphen glyph"),
    pytest.param("-5", "−5", id="minus sign"),
    pytest.param("10-20", "10–20", id="range with an en dash"),
    pytest.param("10-20", "10—20", id="range with an em dash"),
    pytest.param("1,250", "1250", id="thousands comma"),
    pytest.param("1250000", "1\u202f250\u00a0000", id="thousands thin space"),
    pytest.param("0.5", ".5", id="leading zero"),
    pytest.param("½", "1/2", id="fraction"),
    pytest.param("6½", "6 1/2", id="mixed fraction"),
    pytest.param("café", "cafe\u0301", id="NFC and NFD"),
    pytest.param("ﬁnal", "final", id="ligature"),
    pytest.param("Ｔｅｎ１０", "Ten10", id="full width"),
    pytest.param("deve-\nloped", "developed", id="hyphen at a line break"),
    pytest.param("deve\u00adloped", "developed", id="soft hyphen"),
    pytest.param("deve\u00ad\nloped", "developed", id="soft hyphen at a line break"),
    pytest.param("deve¬\nloped", "developed", id="logical not at a line break"),
    pytest.param("a\u200bb", "ab", id="zero width space"),
    pytest.param("salt & pepper", "salt and pepper", id="ampersand"),
    pytest.param("salt &amp; pepper", "salt & pepper", id="entity"),
    pytest.param("<b>so</b>", "so", id="tag"),
    pytest.param("**so** _it_ `is`", "so it is", id="emphasis"),
    pytest.param("[page](http://x.org/a)", "page", id="link"),
    pytest.param("m<sup>2</sup>", "m²", id="raised by a tag"),
    pytest.param("œuvre", "oeuvre", id="oe"),
    pytest.param("٣٤", "34", id="Arabic digits"),
    pytest.param("الكِتَاب", "الكتاب", id="Arabic vowel signs"),
    pytest.param("日本 語", "日本語", id="space between ideographs"),
    pytest.param("cafÃ©", "café", id="mojibake"),
    pytest.param("5 %", "5%", id="space before percent"),
    pytest.param("100°C", "100 °C", id="space before degrees"),
    pytest.param("(a) b", "a b", id="round brackets"),
    pytest.param("* item", "item", id="bullet"),
    pytest.param("- item", "item", id="dash bullet"),
    pytest.param("# Title\n=====", "Title", id="headings"),
]
DIFFERENT = [
    pytest.param("5", "-5", id="minus"),
    pytest.param("5 to", "−5 to", id="minus glyph"),
    pytest.param("$5", "5", id="currency"),
    pytest.param("$5", "€5", id="currencies"),
    pytest.param("-$5", "$5", id="minus before a currency"),
    pytest.param("5%", "5", id="percent"),
    pytest.param("5%", "5‰", id="per mille"),
    pytest.param("5°", "5", id="degrees"),
    pytest.param("1.5", "15", id="decimal point"),
    pytest.param("1,5", "15", id="decimal comma"),
    pytest.param("1.250", "1250", id="three decimals"),
    pytest.param("1:2", "12", id="ratio"),
    pytest.param("3-2", "32", id="score"),
    pytest.param("10-20", "10 20", id="range"),
    pytest.param("1/2", "12", id="slash"),
    pytest.param("x²", "x2", id="square and index"),
    pytest.param("10⁶", "106", id="power"),
    pytest.param("10⁶", "10⁻⁶", id="sign of a power"),
    pytest.param("10^6", "106", id="caret"),
    pytest.param("p < 5", "p > 5", id="less and greater"),
    pytest.param("p < 0.05", "p 0.05", id="less"),
    pytest.param("p = 5", "p 5", id="equals"),
    pytest.param("≤ 5", "≥ 5", id="at most and at least"),
    pytest.param("± 5", "5", id="plus or minus"),
    pytest.param("~5", "5", id="about"),
    pytest.param("+5", "5", id="plus"),
    pytest.param("C++", "C", id="C++"),
    pytest.param("2*3", "23", id="times"),
    pytest.param("wurde", "würde", id="umlaut"),
    pytest.param("Maße", "Masse", id="sharp s"),
    pytest.param("µm", "m", id="micro"),
    pytest.param("don't", "dont", id="apostrophe"),
    pytest.param("5′", "5″", id="feet and inches"),
    pytest.param("is", "isn't", id="contracted negation"),
    pytest.param("日本", "日木", id="ideographs"),
]


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(text)]


class TestKeys:
    @pytest.mark.parametrize(("one", "other"), SAME)
    def test_fold_typography(self, one: str, other: str) -> None:
        assert keys(one) == keys(other) != []

    @pytest.mark.parametrize(("one", "other"), DIFFERENT)
    def test_keep_meaning(self, one: str, other: str) -> None:
        assert keys(one) != keys(other)

    @pytest.mark.parametrize(
        "text", ["", " \n", "…", "“ — ” . , ; !", "\u200b", "* * *", "---", "===="]
    )
    def test_of_what_says_nothing(self, text: str) -> None:
        assert keys(text) == []

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("It isn’t −1,250.0 mg.", ["it", "isn't", "-", "1250.0", "mg"]),
            ("a 3–2 win", ["a", "3", "-", "2", "win"]),
            ("from $1.5 million", ["from", "$", "1.5", "million"]),
            ("25°C (77 °F)", ["25", "°", "c", "77", "°", "f"]),
            ("東京2020", ["東", "京", "2020"]),
            ("on 2020-01-31 at 10:30", ["on", "2020", "-", "01", "-", "31", "at", "10", ":", "30"]),
            ("and/or", ["and", "or"]),
            ("12,34", ["12,34"]),
        ],
    )
    def test_by_hand(self, text: str, expected: list[str]) -> None:
        assert keys(text) == expected


class TestTokens:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            pytest.param("It isn’t so", ["It", "isn’t", "so"], id="words"),
            pytest.param("caf&eacute; x", ["caf&eacute;", "x"], id="entity in a word"),
            pytest.param("cafÃ© x", ["cafÃ©", "x"], id="garbled letter in a word"),
            pytest.param("deve-\nloped x", ["deve-\nloped", "x"], id="hyphenation"),
            pytest.param("6½ x", ["6", "½", "½", "½", "x"], id="a fraction's three tokens"),
            pytest.param("a[12] x", ["a", "[12]", "x"], id="mark"),
            pytest.param("\U0001d4d0 x", ["\U0001d4d0", "x"], id="astral"),
            pytest.param("10 <sup>6</sup>", ["10", "<sup>6</sup>"], id="tag"),
        ],
    )
    def test_name_their_place(self, text: str, words: list[str]) -> None:
        assert [text[token.start : token.end] for token in tokenize(text)] == words

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("word", "word"),
            ("1,250", "number"),
            ("$", "symbol"),
            ("字", "character"),
            ("か", "character"),
            ("a[1]", "mark"),
        ],
    )
    def test_say_their_kind(self, text: str, kind: str) -> None:
        assert tokenize(text)[-1].kind == kind

    def test_keep_the_case_in_their_text(self) -> None:
        assert [token.text for token in tokenize("The ＵＳ isn’t")] == ["The", "US", "isn't"]

    @pytest.mark.parametrize(
        ("text", "bracketed"),
        [
            ("[He] said", [True, False]),
            ("He [John] said", [False, True, False]),
            ("[a", [False]),
            ("a] b", [False, False]),
        ],
    )
    def test_say_whether_they_stand_in_brackets(self, text: str, bracketed: list[bool]) -> None:
        assert [token.bracketed for token in tokenize(text)] == bracketed

    def test_of_a_mark_have_its_words_as_key(self) -> None:
        assert keys("as shown [12, 13]") == ["as", "shown", "[12, 13]"]

    @settings(max_examples=400, deadline=None, derandomize=True)
    @given(text=st.text(max_size=60))
    def test_lie_in_the_text_in_order(self, text: str) -> None:
        position = 0
        for token in tokenize(text):
            assert position <= token.start < token.end <= len(text)
            assert token.key
            position = token.start

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(
        words=st.lists(
            st.sampled_from("alpha Beta 12 1,250 isn't $ % 字 -5 5-6 mg".split()), max_size=8
        )
    )
    def test_do_not_depend_on_white_space(self, words: list[str]) -> None:
        assert keys(" ".join(words)) == keys("\n".join(words)) == keys("  ".join(words))


class TestIsIdeograph:
    @pytest.mark.parametrize("char", "字々〆〇かカ豈\U00020000ｱ")
    def test_true(self, char: str) -> None:
        assert is_unspaced(char)

    @pytest.mark.parametrize("char", "aé1 한।、\U0001f600")
    def test_false(self, char: str) -> None:
        assert not is_unspaced(char)

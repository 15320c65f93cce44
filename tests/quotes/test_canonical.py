"""The search form: what is folded away, and the map from each letter back to the text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.canonical import SearchForm, fold_character, outer_letters, search_letters

many = settings(max_examples=300, deadline=None, derandomize=True)
# Plain letters, and what the noise finder, the folds and the offset map treat apart.
tricky = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from([*"abZ9éﬁﬃ½²ßİẞÆ―\u00ad\u200d\ufeffﷺ㍿Ａｶﾞ한각の字\U0001d4d0", "e\u0301"]),
        st.sampled_from(["&amp;", "&eacute;", "&#x27;", "&NotEqualTilde;", "&bogus;", "&#0;"]),
        st.sampled_from(
            ["<b>", "</b>", "<br/>", "<sup>2</sup>", "<x>", "](http://a.b/c)", "[1]", "[a]"]
        ),
        st.sampled_from(["\\*", "\\", "²", "\ud83d", "\0", "\n", "-\n"]),
        st.sampled_from(["👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "x" * 63, "y" * 64, "z" * 65]),
    ),
    max_size=12,
).map("".join)

SAME = [
    pytest.param("Straße", "STRASSE", id="sharp s and its capitals"),
    pytest.param("naïve café", "naive cafe", id="accents"),
    pytest.param("caf\u00e9", "cafe\u0301", id="NFC and NFD"),
    pytest.param("ﬁnal ofﬁce", "final office", id="ligatures"),
    pytest.param("encyclopædia œuvre", "encyclopaedia oeuvre", id="ae and oe"),
    pytest.param("Ｆｕｌｌ１２", "full12", id="full width"),
    pytest.param("ｶﾞｷﾞ", "ガギ", id="half-width kana"),
    pytest.param("it’s “so” – here…", 'it\'s "so" - here...', id="quotes, dashes, ellipsis"),
    pytest.param("deve-\nloped", "developed", id="hyphen at a line break"),
    pytest.param("deve\u00adloped", "developed", id="soft hyphen"),
    pytest.param("a\u200bb\u2060c\ufeffd", "abcd", id="zero width"),
    pytest.param("two\u00a0three\u2009four", "two three four", id="no-break and thin space"),
    pytest.param("one\r\n\ttwo\u2028three", "one two three", id="line ends"),
    pytest.param("AT&amp;T caf&eacute;s &#8220;x&#x201d;", "AT&T cafés “x”", id="entities"),
    pytest.param("**bold** _it_ `code` ~~no~~", "bold it code no", id="emphasis"),
    pytest.param("<b>bold</b><br/>line", "bold line", id="tags"),
    pytest.param("[the page](https://example.org/a_(b)?c=1)", "the page", id="link"),
    pytest.param("as shown [12] and [3, 4]", "as shown and", id="citation marks"),
    pytest.param("as shown (Smith et al., 2019) here", "as shown here", id="author and year"),
    pytest.param("as shown.¹² Then", "as shown. Then", id="raised marks"),
    pytest.param("\\*5 stars\\*", "*5 stars*", id="escapes"),
    pytest.param("٣٤ ５ 五", "34 5 五", id="digits of other scripts"),
    pytest.param("مدرسة على", "مدرسه علي", id="Arabic letters written for one another"),
    pytest.param("كِتَاب", "كتاب", id="Arabic vowel signs"),
    pytest.param("Łódź Øre Þing đ ŋ", "lodz ore thing d ng", id="letters that do not decompose"),
    pytest.param("한국어", unicodedata.normalize("NFD", "한국어"), id="Hangul and its jamo"),
    pytest.param("5½ 6⅓", "51/2 61/3", id="fractions"),
]
DIFFERENT = [
    pytest.param("cat", "cut", id="letters"),
    pytest.param("25", "26", id="digits"),
    pytest.param("日本", "日木", id="ideographs"),
    pytest.param("a", "", id="something and nothing"),
]


def letters(text: str) -> str:
    return SearchForm(text).letters


class TestLetters:
    @pytest.mark.parametrize(("one", "other"), SAME)
    def test_fold_typography(self, one: str, other: str) -> None:
        assert letters(one) == letters(other) != ""

    @pytest.mark.parametrize(("one", "other"), DIFFERENT)
    def test_keep_letters_apart(self, one: str, other: str) -> None:
        assert letters(one) != letters(other)

    @pytest.mark.parametrize(
        "text", ["", " \n", "…", "“—”", "👩\u200d👧", "\0", "[12]", "&nbsp;", "<br>"]
    )
    def test_of_what_has_none(self, text: str) -> None:
        assert letters(text) == ""

    @many
    @given(text=tricky)
    def test_take_two_bytes_at_most(self, text: str) -> None:
        assert all(char < "\U00010000" for char in letters(text))
        assert (
            letters(text).isalnum()
            or not letters(text)
            or any("\ue000" <= c <= "\uf8ff" for c in letters(text))
        )

    @many
    @given(text=tricky)
    def test_are_their_own_search_form(self, text: str) -> None:
        once = "".join(char for char in letters(text) if not "\ue000" <= char <= "\uf8ff")
        assert letters(once) == once

    @many
    @given(text=st.text(alphabet="Straße ﬁn Éé ÆœŒ 日本 각 кофе", max_size=40))
    @pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
    def test_do_not_depend_on_the_normal_form(self, form: str, text: str) -> None:
        assert letters(unicodedata.normalize(form, text)) == letters(text)


class TestOuterLetters:
    @many
    @given(text=tricky)
    def test_are_the_first_and_the_last_of_the_search_form(self, text: str) -> None:
        form = SearchForm(text)
        assert search_letters(text) == form.letters
        if form.letters:
            assert outer_letters(text) == form.interval(0, len(form.letters))

    @pytest.mark.parametrize("text", ["“Go now.”", "[3] R&amp;D &amp; more [12].", "½ -"])
    def test_of_marks_and_typography(self, text: str) -> None:
        form = SearchForm(text)
        assert outer_letters(text) == form.interval(0, len(form.letters))


class TestInterval:
    @many
    @given(text=tricky)
    def test_of_each_letter_lies_in_the_text_and_folds_to_it(self, text: str) -> None:
        form, low = SearchForm(text), 0
        for i, letter in enumerate(form.letters):
            start, end = form.interval(i, i + 1)
            assert low <= start < end <= len(text)
            assert letter in letters(text[start:end]) or letter in map(
                fold_character, text[start:end]
            )
            low = start

    @many
    @given(text=tricky, data=st.data())
    def test_reaches_from_the_first_letter_to_the_last(
        self, text: str, data: st.DataObject
    ) -> None:
        form = SearchForm(text)
        if form.letters:
            start = data.draw(st.integers(0, len(form.letters) - 1))
            end = data.draw(st.integers(start + 1, len(form.letters)))
            first, last = form.interval(start, start + 1), form.interval(end - 1, end)
            assert form.interval(start, end) == (first[0], last[1])

    @many
    @given(text=st.text(alphabet="aé日ﬁ½ -.\n\u00ad", max_size=300), data=st.data())
    def test_slices_back_to_what_it_names(self, text: str, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(text)))
        before, within = letters(text[:start]), letters(text[start:])
        if within:
            low, high = SearchForm(text).interval(len(before), len(before + within))
            assert text[start:low].strip(" -.\n\u00ad") == text[high:].strip(" -.\n\u00ad") == ""
            assert letters(text[low:high]) == within

    @pytest.mark.parametrize(
        ("text", "letter", "words"),
        [
            pytest.param("an oﬃce", 4, "ﬃ", id="a ligature is one place"),
            pytest.param("caf&eacute; x", 3, "&eacute;", id="an entity is one place"),
            pytest.param("a\U0001d4d0b", 2, "b", id="after an astral letter"),
            pytest.param("👩\u200d👧ab", 1, "b", id="after an emoji"),
            pytest.param("\ud800a\udc00b", 1, "b", id="after lone surrogates"),
            pytest.param("\0a\0b", 1, "b", id="after NULs"),
            pytest.param("x" * 200 + "[12] y", 200, "y", id="after a mark, blocks later"),
        ],
    )
    def test_by_hand(self, text: str, letter: int, words: str) -> None:
        start, end = SearchForm(text).interval(letter, letter + 1)
        assert text[start:end] == words

    def test_of_a_long_text_with_a_mark_on_each_line(self) -> None:
        text = "".join(f"Line {i} says so [{i % 100}].\n" for i in range(500))
        form = SearchForm(text)
        start = form.letters.index("line321says")
        assert text[slice(*form.interval(start, start + 11))] == "Line 321 says"


class TestFoldCharacter:
    @pytest.mark.parametrize(
        ("char", "folded"),
        [
            ("İ", "i"),
            ("ŉ", "n"),
            ("ǅ", "dz"),
            ("µ", "μ"),
            ("Å", "a"),
            ("ς", "σ"),
            ("²", ""),
            ("™", ""),
            ("ʰ", ""),
        ],
    )
    def test_by_hand(self, char: str, folded: str) -> None:
        assert fold_character(char) == folded

    def test_of_every_character_is_letters_and_digits_of_the_basic_plane(self) -> None:
        for point in [*range(0x3000), *range(0xD7F0, 0xE010), *range(0xF900, 0x10400)]:
            folded = fold_character(chr(point))
            assert folded == "" or folded.isalnum() or "\ue000" <= folded[0] <= "\uf8ff", hex(point)

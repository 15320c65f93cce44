"""The search form: what is folded away, and the map from each letter back to the text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.canonical import SearchForm, outer_letters, search_letters
from citeguard.quotes.search import fold_character
from quotes.tables import rows
from rows import each_row

many = settings(derandomize=True)
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

SAME = rows(r"""
Straße | STRASSE
naïve café | naive cafe
café | cafe\u0301
ﬁnal ofﬁce | final office
encyclopædia œuvre | encyclopaedia oeuvre
Ｆｕｌｌ１２ | full12
ｶﾞｷﾞ | ガギ
it’s “so” – here… | it's "so" - here...
deve-\nloped | developed
deve\xadloped | developed
a\u200bb\u2060c\ufeffd | abcd
two\xa0three\u2009four | two three four
one\r\n\ttwo\u2028three | one two three
AT&amp;T caf&eacute;s &#8220;x&#x201d; | AT&T cafés “x”
**bold** _it_ `code` ~~no~~ | bold it code no
<b>bold</b><br/>line | bold line
[the page](https://example.org/a_(b)?c=1) | the page
as shown [12] and [3, 4] | as shown and
as shown (Smith et al., 2019) here | as shown here
as shown.¹² Then | as shown. Then
\\*5 stars\\* | *5 stars*
٣٤ ５ 五 | 34 5 五
مدرسة على | مدرسه علي
كِتَاب | كتاب
Łódź Øre Þing đ ŋ | lodz ore thing d ng
5½ 6⅓ | 51/2 61/3
한국어 | \u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165
""")


def letters(text: str) -> str:
    return SearchForm(text).letters


class TestLetters:
    @each_row("one, other", SAME)
    def test_fold_typography(self, one: str, other: str) -> None:
        assert letters(one) == letters(other) != ""

    @each_row("one, other", [("cat", "cut"), ("25", "26"), ("日本", "日木"), ("a", "")])
    def test_keep_letters_apart(self, one: str, other: str) -> None:
        assert letters(one) != letters(other)

    @each_row("text", ["", " \n", "…", "“—”", "👩\u200d👧", "\0", "[12]", "&nbsp;", "<br>"])
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

    @each_row(
        ("text", "letter", "words"),
        [
            ("an oﬃce", 4, "ﬃ"),
            ("caf&eacute; x", 3, "&eacute;"),
            ("a\U0001d4d0b", 2, "b"),
            ("👩\u200d👧ab", 1, "b"),
            ("\ud800a\udc00b", 1, "b"),
            ("\0a\0b", 1, "b"),
            ("x" * 200 + "[12] y", 200, "y"),
        ],
    )
    def test_by_hand(self, text: str, letter: int, words: str) -> None:
        start, end = SearchForm(text).interval(letter, letter + 1)
        assert text[start:end] == words


class TestFoldCharacter:
    def test_of_every_character_is_letters_and_digits_of_the_basic_plane(self) -> None:
        for point in [*range(0x3000), *range(0xD7F0, 0xE010), *range(0xF900, 0x10400)]:
            folded = fold_character(chr(point))
            assert folded == "" or folded.isalnum() or "\ue000" <= folded[0] <= "\uf8ff", hex(point)

"""The search form: what is folded away, and the map from each letter back to the text."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.quotes.canonical import SearchForm, outer_letters, search_letters
from citeguard.quotes.search import fold_character
from quotes.tables import cases
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

SAME = cases("one search form")


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
    @given(text=st.text(alphabet="Straße ﬁn Éé ÆœŒ 日本 각 кофе", max_size=40))
    def test_do_not_depend_on_the_normal_form(self, text: str) -> None:
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            assert letters(unicodedata.normalize(form, text)) == letters(text)


def is_stand_in(letter: str) -> bool:
    """Return whether a letter stands for several, or for one beyond the basic plane."""
    return "\ue000" <= letter <= "\uf8ff"


class TestAnyText:
    @many
    @given(text=tricky)
    def test_has_letters_that_are_their_own_search_form(self, text: str) -> None:
        found = letters(text)
        assert all(char < "\U00010000" for char in found)
        assert found.isalnum() or not found or any(map(is_stand_in, found))
        once = "".join(char for char in found if not is_stand_in(char))
        assert letters(once) == once
        assert search_letters(text) == found

    @many
    @given(text=tricky, data=st.data())
    def test_has_intervals_that_lie_in_it_and_fold_to_their_letters(
        self, text: str, data: st.DataObject
    ) -> None:
        form, places, low = SearchForm(text), list[tuple[int, int]](), 0
        for i, letter in enumerate(form.letters):
            start, end = form.interval(i, i + 1)
            assert low <= start < end <= len(text)
            words = text[start:end]
            assert letter in letters(words) or letter in map(fold_character, words)
            low = start
            places.append((start, end))
        if places:
            first = data.draw(st.integers(0, len(places) - 1))
            last = data.draw(st.integers(first, len(places) - 1))
            assert form.interval(first, last + 1) == (places[first][0], places[last][1])
            assert outer_letters(text) == (places[0][0], places[-1][1])


class TestInterval:
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

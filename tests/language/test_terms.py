from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.tokens import stem, terms


def keys(text: str) -> list[str]:
    return [term.key for term in terms(text)]


class TestTerms:
    def test_inflection_is_folded(self) -> None:
        assert keys("doses measured") == keys("dose measures")

    def test_function_words_are_left_out(self) -> None:
        assert keys("It was not the dose of them.") == ["dose"]

    def test_numbers_are_kept_without_their_separators(self) -> None:
        assert keys("1,250 mg") == ["1250", "mg"]

    def test_possessives_are_folded(self) -> None:
        assert keys("Darwin’s finches") == keys("Darwin finch")

    def test_scripts_without_spaces_give_pairs_of_characters(self) -> None:
        assert keys("上海市") == ["上海", "海市"]

    def test_a_pair_does_not_reach_across_a_stop(self) -> None:
        assert keys("上海。北京") == ["上海", "北京"]

    @given(st.text())
    def test_offsets_are_inside_the_text_and_in_order(self, text: str) -> None:
        found = terms(text)
        assert all(0 <= term.start < term.end <= len(text) for term in found)
        assert [term.start for term in found] == sorted(term.start for term in found)

    def test_without_words_there_are_none(self) -> None:
        assert terms(" … ") == []


class TestStem:
    def test_what_is_longer_than_any_word_is_left_as_it_is(self) -> None:
        assert stem("hunting") == "hunt"
        assert stem("hunt" * 20 + "ing") == "hunt" * 20 + "ing"

    def test_threads_do_not_disturb_each_other(self) -> None:
        words = [f"{first}{last}ations" for first in "abcdefgh" for last in "mnopqrst"] * 20
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(stem.__wrapped__, words)) == [stem(word) for word in words]

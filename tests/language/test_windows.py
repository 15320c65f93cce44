from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.windows import (
    LONGEST,
    bounded,
    sentence_pieces,
    sentence_windows,
    stripped,
    token_windows,
)

SENTENCES = ["Dr. Lee agreed.", "It was late.", "Nobody came.", "So be it.", "The end."]
TEXT = " ".join(SENTENCES)

PIECES = [
    "It",
    "rained",
    ". ",
    "Dr",
    ".",
    "\n",
    "\n\n",
    "雨",
    "。",
    "” ",
    "3.5",
    "?!",
    " ",
    "(",
    "👩‍🚀",
]
LONG = ["word ", "A sentence here. ", "x" * 700, "row\n", "雨" * 300, "é" * 400, "1,250;"]
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.lists(st.tuples(st.sampled_from(LONG), st.integers(1, 90)), max_size=4).map(
        lambda parts: "".join(part * times for part, times in parts)[:8_000]
    ),
)
sizes = st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))
steady = settings(deadline=None, derandomize=True, max_examples=200)

Windows = Callable[..., list[Interval]]
BOTH = pytest.mark.parametrize("windows", [sentence_windows, token_windows])


def cut(windows: Windows, text: str, size: int, overlap: int) -> list[str]:
    return [text[start:end] for start, end in windows(text, size=size, overlap=overlap)]


class TestSentenceWindows:
    def test_are_runs_of_sentences(self) -> None:
        for size, overlap, expected in [
            (1, 0, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
            (2, 0, [(0, 2), (2, 4), (4, 5)]),
            (2, 1, [(0, 2), (1, 3), (2, 4), (3, 5)]),
            (3, 1, [(0, 3), (2, 5)]),
            (3, 2, [(0, 3), (1, 4), (2, 5)]),
            (4, 0, [(0, 4), (4, 5)]),
            (5, 4, [(0, 5)]),
            (99, 0, [(0, 5)]),
        ]:
            assert cut(sentence_windows, TEXT, size, overlap) == [
                " ".join(SENTENCES[first:last]) for first, last in expected
            ]

    def test_in_a_script_without_spaces(self) -> None:
        text = "雨が降った。もう遅い。寝よう。"
        assert cut(sentence_windows, text, 2, 1) == ["雨が降った。もう遅い。", "もう遅い。寝よう。"]

    def test_hold_what_belongs_to_no_sentence(self) -> None:
        assert cut(sentence_windows, "— It rained. …", 1, 0)[0].startswith("—")

    def test_of_long_sentences_have_fewer(self) -> None:
        sentence = f"He went {'on and ' * 60}on."
        assert (
            cut(sentence_windows, f"{sentence} {sentence} {sentence}", 3, 1)
            == [f"{sentence} {sentence}"] * 2
        )

    def test_of_a_table_end_with_its_lines(self) -> None:
        row = "| Springfield | 30,720 | 3.5 |"
        found = cut(sentence_windows, "\n".join([row] * 200), 3, 1)
        assert len(found) > 5
        assert {line for window in found for line in window.split("\n")} == {row}

    def test_without_stops_end_with_a_word(self) -> None:
        found = cut(sentence_windows, "extraordinary words " * 300, 3, 1)
        assert {word for window in found for word in window.split()} == {"extraordinary", "words"}

    def test_never_begin_with_a_combining_mark(self) -> None:
        text = "x" + "e\u0301" * 3_000
        assert not any(window[0] == "\u0301" for window in cut(sentence_windows, text, 1, 0))


class TestTokenWindows:
    def test_are_runs_of_tokens(self) -> None:
        for text, expected in [
            ("a b c d e", ["a b c", "c d e"]),  # words
            ("It (he) said: “no”.", ["It (he) said:", "said: “no”."]),  # marks
            ("1,250 mg a day", ["1,250 mg a", "a day"]),  # a number
            ("雨が降った", ["雨が降", "降った"]),  # characters
            ("…", ["…"]),  # no token
        ]:
            assert cut(token_windows, text, 3, 1) == expected

    def test_by_default_have_128_tokens_and_share_32(self) -> None:
        first, second = cut(token_windows, " ".join(map(str, range(2_000, 2_200))), 128, 32)
        assert len(first.split()) == 128
        assert first.split()[-32:] == second.split()[:32]


class TestBoth:
    @BOTH
    def test_of_a_blank_text_are_none(self, windows: Windows) -> None:
        for text in ["", " ", "\n\n \n"]:
            assert windows(text) == []

    @BOTH
    def test_of_no_possible_size(self, windows: Windows) -> None:
        for size, overlap in [(0, 0), (-1, 0), (3, 3), (3, -1), (1, 2)]:
            with pytest.raises(ValueError, match="size must be at least 1 and overlap 0 to"):
                windows(TEXT, size=size, overlap=overlap)

    @BOTH
    @steady
    @given(text=texts, size=sizes)
    def test_hold_every_character_that_is_not_blank(
        self, windows: Windows, text: str, size: tuple[int, int]
    ) -> None:
        position = 0
        for start, end in windows(text, size=size[0], overlap=size[1]):
            assert not text[position:start].strip()
            position = end
        assert not text[position:].strip()

    @BOTH
    @steady
    @given(text=texts, size=sizes)
    def test_are_bounded_and_begin_and_end_with_no_blank(
        self, windows: Windows, text: str, size: tuple[int, int]
    ) -> None:
        for start, end in windows(text, size=size[0], overlap=size[1]):
            assert 0 < end - start <= LONGEST
            assert text[start:end] == text[start:end].strip()

    @BOTH
    @steady
    @given(text=texts, size=sizes)
    def test_are_in_order_and_none_is_inside_another(
        self, windows: Windows, text: str, size: tuple[int, int]
    ) -> None:
        found = windows(text, size=size[0], overlap=size[1])
        assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(found))

    @BOTH
    @steady
    @given(text=texts, size=st.integers(1, 6))
    def test_without_overlap_share_nothing(self, windows: Windows, text: str, size: int) -> None:
        found = windows(text, size=size, overlap=0)
        assert all(one[1] <= other[0] for one, other in pairwise(found))

    @steady
    @given(text=texts)
    def test_of_one_sentence_are_the_sentences(self, text: str) -> None:
        found = sentence_windows(text, size=1, overlap=0)
        starts = [start for start, _ in found]
        short = [start for start, end in sentence_intervals(text) if end - start <= LONGEST]
        assert set(short[1:]) <= set(starts)


class TestSentencePieces:
    def test_are_sentences_and_parts_of_long_ones(self) -> None:
        text = f"It rained. He went {'on and ' * 300}on. So be it."
        pieces = [text[start:end] for start, end in sentence_pieces(text)]
        assert pieces[0] == "It rained."
        assert pieces[-1] == "So be it."
        assert " ".join(pieces) == text
        assert max(map(len, pieces)) <= LONGEST


class TestBounded:
    def test_are_parts_of_an_interval(self) -> None:
        for text, longest, expected in [
            ("one two three", 9, ["one two", "three"]),
            ("one two", 9, ["one two"]),
            ("abcdef", 4, ["abcd", "ef"]),
            ("ab", 1, ["a", "b"]),
            ("", 4, []),
        ]:
            parts = bounded(text, 0, len(text), longest=longest)
            assert [text[start:end] for start, end in parts] == expected


class TestStripped:
    def test_leaves_the_blanks_at_both_ends_out(self) -> None:
        for text, interval in [(" ab ", (1, 3)), ("ab", (0, 2)), ("  ", (2, 2)), ("", (0, 0))]:
            assert stripped(text, 0, len(text)) == interval

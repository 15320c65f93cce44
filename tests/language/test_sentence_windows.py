from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.sentences import LONGEST, bounded, sentence_pieces, sentence_windows

TEXT = "Dr. Lee agreed. It was late. Nobody came. So be it. The end."
PARTS = ["It", "Dr", ". ", "\n\n", "雨", "。", "” ", "3.5", "(", "👩‍🚀", "A sentence here. "]
LONG = ["word ", "x" * 700, "row\n", "雨" * 300, "e\u0301" * 400]
texts = st.lists(
    st.sampled_from(PARTS) | st.sampled_from(LONG) | st.text(max_size=9), max_size=40
).map("".join)
sizes = st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


def cut(text: str, size: int, overlap: int) -> list[str]:
    windows = sentence_windows(text, size=size, overlap=overlap)
    return [text[start:end] for start, end in windows]


def test_are_runs_of_sentences() -> None:
    sentences = cut(TEXT, 1, 0)
    assert sentences == ["Dr. Lee agreed.", "It was late.", "Nobody came.", "So be it.", "The end."]
    for size, overlap, expected in [
        (2, 1, [(0, 2), (1, 3), (2, 4), (3, 5)]),
        (3, 1, [(0, 3), (2, 5)]),
        (4, 0, [(0, 4), (4, 5)]),
        (99, 0, [(0, 5)]),
    ]:
        runs = [" ".join(sentences[first:last]) for first, last in expected]
        assert cut(TEXT, size, overlap) == runs


def test_a_table_is_cut_after_its_lines_and_a_text_without_stops_after_words() -> None:
    row = "| Springfield | 30,720 | 3.5 |"
    windows = cut("\n".join([row] * 200), 3, 1)
    assert {line for window in windows for line in window.split("\n")} == {row}
    windows = cut("extraordinary words " * 300, 3, 1)
    assert {word for window in windows for word in window.split()} == {"extraordinary", "words"}


def test_an_impossible_size_is_an_error() -> None:
    for size, overlap in [(0, 0), (3, 3), (3, -1)]:
        with pytest.raises(ValueError, match="size must be at least 1 and overlap 0 to"):
            sentence_windows(TEXT, size=size, overlap=overlap)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(text=texts, size=sizes)
def test_hold_all_but_white_space_in_order(text: str, size: tuple[int, int]) -> None:
    windows = sentence_windows(text, size=size[0], overlap=size[1])
    position = 0
    for start, end in windows:
        assert 0 < end - start <= LONGEST
        assert text[start:end] == text[start:end].strip()
        assert not text[start:end].startswith("\u0301") or not start or text[start - 1].isspace()
        assert not text[position:start].strip()
        position = end
    assert not text[position:].strip()
    assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(windows))


def test_a_long_sentence_is_several_pieces() -> None:
    text = f"It rained. He went {'on and ' * 300}on. So be it."
    pieces = [text[start:end] for start, end in sentence_pieces(text)]
    assert (pieces[0], pieces[-1], " ".join(pieces)) == ("It rained.", "So be it.", text)
    parts = bounded("one two three", 0, 13, longest=9)
    assert ["one two three"[start:end] for start, end in parts] == ["one two", "three"]

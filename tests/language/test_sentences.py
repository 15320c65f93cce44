"""Sentences and their offsets."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.lexicon import ABBREVIATIONS, ends_in_abbreviation
from citeguard.language.sentences import (
    LONGEST,
    bounded,
    sentence_intervals,
    sentence_pieces,
    sentence_windows,
    sentences_around,
    whole_sentences,
)
from rows import each_row

CASES = [
    (["It won 🎉.", "It has 9 👍!", "🚀 Acme grew ❤️.", "So."], " "),  # emoji
    (["It is 5 €.", "It is 5 °C.", "“It grew →.”", "It is ✅.", "“So.”"], " "),  # signs
    (["It rose 5 %.", "Then it fell, e.g. 5 %. of it."], " "),  # a share
    (["Acme™ Inc. Beta is approx. 5 €."], " "),  # an abbreviation after a sign
    (["It rained.", "It was late."], " "),  # two
    (["Dr. Lee came at 3.15 p.m. on Monday.", "He left."], " "),  # abbreviations and decimals
    (["Was it so?", "It was!"], " "),  # other stops
    (["It rained\nand rained.", "It was late."], "\n"),  # a line break within
    (["A Heading", "It was late."], "\n\n"),  # a heading
    (["One paragraph", "and another"], "\n \t\n"),  # a blank line of blanks
    (["雨が降った。", "もう遅い。"], ""),  # Japanese
    (["下雨了。", "你来吗？", "来！"], ""),  # Chinese
    (["他说：“来。”", "他走了。"], ""),  # Chinese, closing mark
    (["The word 雨 means rain.", "It is Japanese.", "So be it."], " "),  # one ideograph
    (["下雨了。", "It rained all day.", "It was late."], " "),  # two scripts
    (["It rained.", "It was late.", "下雨了。", "你来吗？"], " "),  # the other way
    (["他用 GPT 写信。", "OpenAI 在美国。"], ""),  # Chinese with Latin names
    (["Er kam, bzw. ging, im Mai.", "Es war spät."], " "),  # German
]

PIECES = ["It", "rained", ". ", "Dr", ".", "\n", "\n\n", "雨", "。", "” ", "3.5", "?!", " "]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
steady = settings(derandomize=True)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_intervals(text)]


class TestSentenceIntervals:
    def test_cut_at_the_ends_of_sentences(self) -> None:
        for expected, between in CASES:
            assert sentences(between.join(expected)) == expected

    def test_of_what_nobody_wrote_as_a_paragraph_end_at_clear_stops(self) -> None:
        # As syntok would take seconds for each million characters.
        sentence = "It rained at 3.15 p.m. in the town of Bath."
        count = 1_000_001 // len(sentence) + 1
        assert sentences(" ".join([sentence] * count)) == [sentence] * count

    def test_of_a_blank_text_are_none(self) -> None:
        for text in ["", " ", "\n\n \n"]:
            assert sentence_intervals(text) == []

    @steady
    @given(text=texts)
    def test_are_in_order_without_overlap_and_leave_no_letter_out(self, text: str) -> None:
        position = 0
        for start, end in sentence_intervals(text):
            assert position <= start < end <= len(text)
            assert not any(map(str.isalnum, text[position:start]))
            position = end
        assert not any(map(str.isalnum, text[position:]))


SENTENCES = ["Dr. Lee agreed.", "It was late.", "Nobody was told, i.e. nothing changed."]
TEXT = " ".join(SENTENCES)
LONG_TEXT = " ".join(f"In room {number} of the old house nobody slept." for number in range(200))


def place(words: str, text: str = TEXT) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


def whole(words: str, text: str = TEXT) -> str:
    start, end = whole_sentences(text, *place(words, text))
    return text[start:end]


@each_row(
    ("words", "expected"),
    [
        ("late", "It was late."),
        ("It was late.", "It was late."),
        (".", "Dr. Lee agreed."),
        ("agreed. It", "Dr. Lee agreed. It was late."),
        ("Lee agreed. It was late. Nobody", TEXT),
        ("changed", SENTENCES[2]),
    ],
)
def test_whole_sentences_are_those_that_are_touched(words: str, expected: str) -> None:
    assert whole(words) == expected


class TestWholeSentences:
    def test_between_sentences_and_of_blank_texts_there_are_none(self) -> None:
        assert whole_sentences("It rained.\n\n\nIt was late.", 11, 12) == (11, 12)
        assert whole_sentences("\n\n", 0, 2) == (0, 2)

    def test_end_with_a_paragraph_and_at_the_stops_of_their_script(self) -> None:
        text = "A heading\n\nIt rained\nall day\n\nIt was late."
        assert whole("rained", text) == "It rained\nall day"
        assert whole("雨", "もう遅い。雨が降った。寝よう。") == "雨が降った。"

    @each_row("number", [0, 3, 100, 199])
    def test_in_a_long_text(self, number: int) -> None:
        sentence = f"In room {number} of the old house nobody slept."
        assert whole(f"room {number} of", LONG_TEXT) == sentence

    @each_row("length", [100, 160, 500, 900])
    def test_are_whole_when_they_are_long(self, length: int) -> None:
        sentence = f"He said {'so ' * (length // 3)}here {'and ' * (length // 4)}there."
        assert whole("here", f"It rained. {sentence} It was late.") == sentence

    @each_row("far", [400, 2_000, 3_500])
    def test_keep_a_negation_far_away(self, far: int) -> None:
        items = "the old cellar under the stairs, " * (far // 33)
        text = f"It was late. Nobody but Dr. Lee may enter {items}or the attic. So be it."
        assert whole("the attic", text).startswith("Nobody but")
        text = f"It was late. The attic, {items}may never be seen. So be it."
        assert whole("The attic", text).endswith("never be seen.")

    def test_that_never_end_are_cut_between_lines_or_words_or_numbers(self) -> None:
        lines = [f"Town {n} | {100_000 + 37 * n:,}" for n in range(600)]
        around = whole("Town 300", "\n".join(lines)).strip().split("\n")
        assert set(around) <= set(lines)
        assert set(whole("here", f"{'word ' * 2_000}here {'word ' * 2_000}").split()) == {
            "word",
            "here",
        }
        text = ",".join(str(100_000 + 37 * n) for n in range(1_800))
        start, end = whole_sentences(text, 7_000, 7_006)
        assert not text[start - 1 : start + 1].isdigit()
        assert not text[end - 1 : end + 1].isdigit()

    @steady
    @given(text=texts, data=st.data())
    def test_never_lose_what_they_are_around(self, text: str, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        low, high = whole_sentences(text, start, end)
        assert 0 <= low <= start <= end <= high <= len(text)

    @steady
    @given(data=st.data())
    def test_of_whole_sentences_are_themselves(self, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(LONG_TEXT) - 1))
        end = data.draw(st.integers(start + 1, min(start + 300, len(LONG_TEXT))))
        around = whole_sentences(LONG_TEXT, start, end)
        assert whole_sentences(LONG_TEXT, *around) == around


def test_sentences_around_are_cut_out_of_reach() -> None:
    low, high = place(SENTENCES[1])
    assert sentences_around(TEXT, low + 3, low + 4, 1_000) == (low, high)
    assert sentences_around("It rained.\n\nIt was late.", 10, 12, 1_000) is None
    assert sentences_around("word " * 100, 250, 254, 20) == (230, 274)


class TestMissedStops:
    @each_row(
        ("text", "count"),
        [
            ("Adjusted earnings were $6.68. Comparable sales rose.", 2),
            ("Sales rose 5.2%. Costs ($4.1 billion) fell.", 2),
            ("See Section 2.1. It is long.", 2),
            ("2.1. Introduction", 1),
            ("He left the U.S. He came back.", 2),
            ("The U.S. Department of State said so.", 1),
            ("It closes at 5 p.m. The shop is old.", 2),
            ("It opens at 9:30 a.m. Bicycles stay out.", 2),
            ("It opens at 9 A.M. A bell rings.", 2),
            ("It closes at 5 p.m. “Dogs stay out,” it says.", 2),
            ("Bring fruit, nuts, etc. Dogs are welcome.", 2),
            ("It opens at 9 a.m. Mondays and 10 a.m. March 3.", 1),
            ("It opens at 9 a.m. Eastern Time, 8 a.m. Central time.", 1),
            ("The 9 a.m. Mass and the 5 p.m. London train are full.", 1),
            ("J.R.R. Tolkien wrote it.", 1),
            ("Call it first. `run()` ends it.", 2),
            ("The file is small. json.loads() reads it.", 2),
            ("We fixed it in 2.1. iPhone sales rose.", 2),
            ("Clone the project. pip install it.", 2),
            ("It costs approx. five euros.", 1),
            ("See e.g. the list, i.e. the names.", 1),
            ('He said "It is late." and left.', 1),
            ("Er kam am 5. mai an.", 1),
            ("It runs on hvac.example.com. I checked the logs.", 2),
            ("He wrote to anna@b.de. She replied.", 2),
            ("Lunch, i.e. Fish, is free, and so is tea, e.g. Assam.", 1),
        ],
    )
    def test_are_found(self, text: str, count: int) -> None:
        assert len(sentence_intervals(text)) == count


# Windows

FIVE = "Dr. Lee agreed. It was late. Nobody came. So be it. The end."
LONG_PARTS = ["It", "Dr", ". ", "\n\n", "雨", "。", "” ", "3.5", "(", "👩‍🚀", "A sentence here. "]
LONG = ["word ", "x" * 700, "row\n", "雨" * 300, "e\u0301" * 400]
long_texts = st.lists(
    st.sampled_from(LONG_PARTS) | st.sampled_from(LONG) | st.text(max_size=9), max_size=40
).map("".join)
sizes = st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1)))


def cut(text: str, size: int, overlap: int) -> list[str]:
    windows = sentence_windows(text, size=size, overlap=overlap)
    return [text[start:end] for start, end in windows]


def test_windows_are_runs_of_sentences() -> None:
    sentences = cut(FIVE, 1, 0)
    assert sentences == ["Dr. Lee agreed.", "It was late.", "Nobody came.", "So be it.", "The end."]
    for size, overlap, expected in [
        (2, 1, [(0, 2), (1, 3), (2, 4), (3, 5)]),
        (3, 1, [(0, 3), (2, 5)]),
        (4, 0, [(0, 4), (4, 5)]),
        (99, 0, [(0, 5)]),
    ]:
        runs = [" ".join(sentences[first:last]) for first, last in expected]
        assert cut(FIVE, size, overlap) == runs


def test_a_table_is_cut_after_its_lines_and_a_text_without_stops_after_words() -> None:
    row = "| Springfield | 30,720 | 3.5 |"
    windows = cut("\n".join([row] * 200), 3, 1)
    assert {line for window in windows for line in window.split("\n")} == {row}
    windows = cut("extraordinary words " * 300, 3, 1)
    assert {word for window in windows for word in window.split()} == {"extraordinary", "words"}


def test_an_impossible_size_is_an_error() -> None:
    for size, overlap in [(0, 0), (3, 3), (3, -1)]:
        with pytest.raises(ValueError, match="size must be at least 1 and overlap 0 to"):
            sentence_windows(FIVE, size=size, overlap=overlap)


@settings(derandomize=True)
@given(text=long_texts, size=sizes)
def test_windows_hold_all_but_white_space_in_order(text: str, size: tuple[int, int]) -> None:
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


def test_a_heap_of_brackets_is_cut_at_clear_stops_alone() -> None:
    heap = "We see (a) (b) (c) it. Lunch came. "
    assert len(sentence_intervals(heap * 200)) == 400
    assert len(sentence_intervals(heap * 400)) == 400


def test_a_long_sentence_is_several_pieces() -> None:
    text = f"It rained. He went {'on and ' * 300}on. So be it."
    pieces = [text[start:end] for start, end in sentence_pieces(text)]
    assert (pieces[0], pieces[-1], " ".join(pieces)) == ("It rained.", "So be it.", text)
    parts = bounded("one two three", 0, 13, longest=9)
    assert ["one two three"[start:end] for start, end in parts] == ["one two", "three"]


def test_stops_of_abbreviations_and_initials() -> None:
    texts = [f"They met {each}." for each in (*ABBREVIATIONS, "J", "J. R")]
    assert [text for text in texts if not ends_in_abbreviation(text)] == []
    for text in ("He said no.", "It is a co.", "The Colonel.", "X-ray.", "Dr", "", "."):
        assert not ends_in_abbreviation(text)

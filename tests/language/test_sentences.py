"""Sentences and their offsets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.sentences import sentence_intervals, sentences_around, whole_sentences
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
steady = settings(deadline=None, derandomize=True)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_intervals(text)]


class TestSentenceIntervals:
    def test_cut_at_the_ends_of_sentences(self) -> None:
        for expected, between in CASES:
            assert sentences(between.join(expected)) == expected

    def test_of_a_blank_text_are_none(self) -> None:
        for text in ["", " ", "\n\n \n"]:
            assert sentence_intervals(text) == []

    @settings(steady, max_examples=300)
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


class TestWholeSentences:
    def test_are_those_that_are_touched(self) -> None:
        for words, expected in [
            ("late", "It was late."),  # within
            ("It was late.", "It was late."),  # all of it
            ("It", "It was late."),  # the beginning
            (".", "Dr. Lee agreed."),  # a stop
            ("agreed. It", "Dr. Lee agreed. It was late."),  # two
            ("Lee agreed. It was late. Nobody", TEXT),  # all
            ("Lee", "Dr. Lee agreed."),  # after an abbreviation
            ("changed", SENTENCES[2]),  # the last
        ]:
            assert whole(words) == expected

    def test_are_none_between_sentences(self) -> None:
        text = "It rained.\n\n\nIt was late."
        assert whole_sentences(text, 11, 12) == (11, 12)

    def test_of_a_blank_text(self) -> None:
        for text in ["", " ", "\n\n"]:
            assert whole_sentences(text, 0, len(text)) == (0, len(text))

    def test_end_with_a_paragraph(self) -> None:
        assert whole("rained", "A heading\n\nIt rained\nall day\n\nIt was late.") == (
            "It rained\nall day"
        )

    def test_in_a_script_without_spaces(self) -> None:
        for words in ["雨", "降った"]:
            assert whole(words, "もう遅い。雨が降った。寝よう。") == "雨が降った。"

    def test_in_a_long_text(self) -> None:
        for number in [0, 1, 3, 100, 197, 199]:
            sentence = f"In room {number} of the old house nobody slept."
            assert whole(f"room {number} of", LONG_TEXT) == sentence

    def test_are_whole_when_they_are_long(self) -> None:
        for length in [100, 140, 160, 500, 900]:
            sentence = f"He said {'so ' * (length // 3)}here {'and ' * (length // 4)}there."
            assert whole("here", f"It rained. {sentence} It was late.") == sentence

    def test_that_never_end_are_cut(self) -> None:
        text = "word " * 4_000
        start, end = whole_sentences(text, 10_000, 10_004)
        assert 6_000 <= start < 6_010
        assert 13_990 < end <= 14_004
        assert set(text[start:end].split()) == {"word"}

    def test_that_never_end_are_cut_at_line_breaks(self) -> None:
        text = "".join(f"item {n}: {100_000 + 37 * n} crowns\n" for n in range(1_000))
        place = text.index("item 500")
        start, end = whole_sentences(text, place, place + 8)
        assert text[start:end].startswith("item ")
        assert text[start:end].endswith(" crowns")

    def test_that_are_long_are_whole(self) -> None:
        items = "; ".join(f"({n}) enter room {n} without a badge" for n in range(60))
        rule = f"Visitors must never {items}; (x) smoke in the hall."
        text = f"It was late. {rule} So be it."
        place = text.index("smoke")
        assert text[slice(*whole_sentences(text, place, place + 5))] == rule

    def test_do_not_depend_on_what_is_far_away(self) -> None:
        for padding in range(0, 60, 7):
            text = "It was late. " * 40 + "x" * padding + ". " + TEXT + " It was late." * 40
            assert whole("Nobody was", text) == SENTENCES[2]

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


class TestSentencesAround:
    def test_are_those_that_are_touched(self) -> None:
        low, high = place(SENTENCES[1])
        assert sentences_around(TEXT, low + 3, low + 4, 1_000) == (low, high)

    def test_are_none_where_there_are_none(self) -> None:
        for start, end in [(10, 12), (10, 10), (0, 0)]:
            assert sentences_around("It rained.\n\nIt was late.", start, end, 1_000) is None

    def test_are_cut_out_of_reach(self) -> None:
        text = "word " * 100
        assert sentences_around(text, 250, 254, 20) == (230, 274)

    @steady
    @given(start=st.integers(0, len(TEXT) - 1), length=st.integers(1, 80))
    def test_agree_with_all_sentences_in_reach(self, start: int, length: int) -> None:
        end = min(start + length, len(TEXT))
        touched = [
            (low, high) for low, high in sentence_intervals(TEXT) if low < end and high > start
        ]
        expected = (touched[0][0], touched[-1][1]) if touched else None
        assert sentences_around(TEXT, start, end, len(TEXT)) == expected


ROWS = [(f"Town {number}", 100_000 + 37 * number, number * 1.25) for number in range(600)]
MARKS = {
    "a table": "\n".join(f"| {town} | {people:,} | {share} |" for town, people, share in ROWS),
    "rows of a CSV": "\n".join(f"{town};{people};{share}" for town, people, share in ROWS),
    "tabs": "\n".join(f"{town}\t{people}\t{share}" for town, people, share in ROWS),
    "an endless line": " ".join(f"{town} has {people} people;" for town, people, _ in ROWS),
    "an endless list of numbers": " ".join(f"{people:,}" for _, people, _ in ROWS),
    "words": "extraordinarily long words without any stop " * 400,
}
WITHOUT_BLANKS = ",".join(str(people) for _, people, _ in ROWS * 3)


def is_cut(text: str, place: int) -> bool:
    return 0 < place < len(text) and not any(map(str.isspace, text[place - 1 : place + 1]))


class TestSentencesThatNeverEnd:
    def test_are_cut_between_words(self) -> None:
        for text in MARKS.values():
            for share in [0.0, 0.1, 0.33, 0.5, 0.77, 0.999]:
                first = text.rfind(" ", 0, int(len(text) * share)) + 1
                last = text.find(" ", first)
                start, end = whole_sentences(text, first, last if last > 0 else len(text))
                assert not is_cut(text, start)
                assert not is_cut(text, end)

    def test_are_cut_between_lines(self) -> None:
        for name in ["a table", "rows of a CSV", "tabs"]:
            text = MARKS[name]
            place = text.index("Town 300")
            shown = text[slice(*whole_sentences(text, place, place + 8))]
            assert set(shown.strip().split("\n")) <= set(text.split("\n"))

    def test_are_never_cut_inside_a_number(self) -> None:
        for number in [0, 300, 1_000, 1_799]:
            start, end = number * 7, number * 7 + 6
            low, high = whole_sentences(WITHOUT_BLANKS, start, end)
            assert not WITHOUT_BLANKS[max(0, low - 1) : low + 1].isdigit() or low == 0
            assert not WITHOUT_BLANKS[high - 1 : high + 1].isdigit() or high == len(WITHOUT_BLANKS)

    def test_keep_a_negation_far_before(self) -> None:
        for far in [400, 1_100, 2_000, 3_500]:
            items = "the old cellar under the stairs, " * (far // 33)
            text = f"It was late. Nobody may enter {items}or the attic. So be it."
            place = text.index("the attic")
            assert text[slice(*whole_sentences(text, place, place + 9))].startswith(
                "Nobody may enter"
            )

    def test_keep_a_negation_far_after(self) -> None:
        for far in [400, 1_100, 2_000, 3_500]:
            items = "the old cellar under the stairs, "
            text = (
                f"It was late. The attic, {items * (far // len(items))}may never be seen. So be it."
            )
            place = text.index("The attic")
            assert text[slice(*whole_sentences(text, place, place + 9))].endswith("never be seen.")

    def test_keep_a_negation_before_an_abbreviation(self) -> None:
        for name in ["Dr. Lee", "Prof. Lee"]:
            items = "the old cellar under the stairs, " * 60
            text = f"It was late. Nobody but {name} may enter {items}or the attic. So be it."
            place = text.index("the attic")
            assert text[slice(*whole_sentences(text, place, place + 9))].startswith("Nobody but")


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
            ("J.R.R. Tolkien wrote it.", 1),
            ("Call it first. `run()` ends it.", 2),
            ("The file is small. json.loads() reads it.", 2),
            ("We fixed it in 2.1. iPhone sales rose.", 2),
            ("Clone the project. pip install it.", 2),
            ("It costs approx. five euros.", 1),
            ("See e.g. the list, i.e. the names.", 1),
            ('He said "It is late." and left.', 1),
            ("Er kam am 5. mai an.", 1),
        ],
    )
    def test_are_found(self, text: str, count: int) -> None:
        assert len(sentence_intervals(text)) == count

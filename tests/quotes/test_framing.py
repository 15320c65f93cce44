"""What the sentence around a quote does to it."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeguard.quotes.framing import find_framing
from hostile import hostile
from rows import each_row

CLIPS, PARTS = ((Path(__file__).parent / f"{name}.txt").read_text() for name in ("clips", "parts"))


def cut(sentence: str) -> tuple[str, int, int]:
    """Return a text without its brackets, and the interval that was in them."""
    before, rest = sentence.split("[[")
    quote, after = rest.split("]]")
    return before + quote + after, len(before), len(before) + len(quote)


def rows(table: str) -> list[tuple[str, str]]:
    lines = [line.split(" | ") for line in table.splitlines() if " | " in line]
    return [(kind, sentence) for kind, sentence in lines]


class TestFindFraming:
    def test_clips_are_framed(self) -> None:
        framed = [find_framing(*cut(sentence)) is not None for _, sentence in rows(CLIPS)]
        assert sum(framed) >= 0.93 * len(framed)

    def test_clips_are_framed_as_what_they_are(self) -> None:
        found = [(kind, find_framing(*cut(sentence))) for kind, sentence in rows(CLIPS)]
        same = [framing.kind == kind for kind, framing in found if framing]
        assert sum(same) >= 0.9 * len(same)

    def test_parts_are_not_framed(self) -> None:
        framed = [sentence for _, sentence in rows(PARTS) if find_framing(*cut(sentence))]
        assert len(framed) <= 0.03 * len(rows(PARTS))

    @each_row(
        "text",
        [
            "Il ne fait aucun doute que [[la lettre fut écrite à Leyde]].",
            "Es gibt nicht den geringsten Zweifel, dass [[der Brief echt ist]].",
        ],
    )
    def test_a_denied_doubt_affirms(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    @each_row(
        ("text", "kind"),
        [
            ("[[The dam is safe]], as the owner told us in a long letter last May.", "attributed"),
            ("[[The dam is safe]], stressed the owner.", "attributed"),
        ],
    )
    def test_speakers(self, text: str, kind: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == kind

    @each_row(
        "text",
        [
            "[[A third chapel was built]], added in 1890 by the monks.",
        ],
    )
    def test_what_looks_like_a_speaker(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    @each_row(
        "text",
        [
            "By May [[2003 the company had moved]] to York.",
            "وقد [[بلغ عدد سكان المدينة عشرين ألفا]] عام 1990.",
            "Кроме того, [[в городе есть музей и театр]].",
            "Om boken: [[den handlar om livet på landet]] i början av seklet.",
        ],
    )
    def test_words_of_two_meanings(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    def test_whole_sentences_are_not_framed(self) -> None:
        for _, sentence in rows(CLIPS):
            text, _, _ = cut(sentence)
            assert find_framing(text, 0, len(text)) is None, text

    @each_row(
        "text",
        [
            "[[The drug is safe.]] Whether it sells is another question.",
            "It is false that the drug is safe. [[It is sold in every city.]]",
        ],
    )
    def test_other_sentences_do_not(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    @each_row(
        "text",
        [
            "Add salt. ¿[[Conviene añadir sal al agua]]? Pruebe.",
            "He ran. [[The council will repay the loan]]? No.",
        ],
    )
    def test_a_question_may_lose_its_mark(self, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == "asked"

    @each_row(
        "text",
        [
            "It rained in May. 4. If the light blinks, [[the filter is full of dust]]. Clean it.",
            "Dr. Lee came at noon. If it rains, [[the match is played on Monday]]. So be it.",
        ],
    )
    def test_a_condition_is_found_wherever_its_sentence_begins(self, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == "conditional"

    @each_row(
        "text",
        [
            "int f(void) {\n  [[return errno = EINVAL, -1;]]\n  if (n > 3) return 0;\n}",
            "[[वह तीन साल बाद घर लौट आया।]] उसे काम नहीं मिला।",
        ],
    )
    def test_what_ends_is_not_framed_from_behind(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    def test_says_where_the_words_are(self) -> None:
        text, start, end = cut("He left.  The firm\nclaims that [[the drug is safe]].")
        framing = find_framing(text, start, end)
        assert framing is not None
        assert (framing.kind, framing.words) == ("attributed", "The firm claims that")
        assert " ".join(text[slice(*framing.span)].split()) == framing.words

    def test_of_letters_that_grow_in_lower_case(self) -> None:
        text, start, end = cut("İİİ: Eğer [[ilaç çocuklar için güvenli ise]], satışa çıkacak.")
        framing = find_framing(text, start, end)
        assert framing is not None
        assert text[slice(*framing.span)] == "Eğer"

    def test_none_without_tables_for_the_language(self) -> None:
        assert find_framing(*cut("Nav taisnība, ka [[zāles bērniem ir drošas]].")) is None

    @given(hostile, st.integers(0, 60), st.integers(0, 60))
    def test_bears_any_text(self, text: str, start: int, length: int) -> None:
        start = min(start, len(text))
        framing = find_framing(text, start, min(len(text), start + length))
        assert framing is None or framing.words == " ".join(text[slice(*framing.span)].split())


@each_row(
    ("text", "quote", "kind"),
    [
        (
            "• Take one a day.\n• If you are ill, the dose is halved.\n",
            "the dose is halved",
            "conditional",
        ),
        (
            "4.4 Jeżeli pompa nie działa, wylej wodę ze zbiornika.",
            "wylej wodę ze zbiornika",
            "conditional",
        ),
        (
            "00:30.000 --> 00:33.200\n<v Margot><i>Est-ce que maman est au courant ?</i>\n",
            "maman est au courant",
            "asked",
        ),
        (
            "Sie können zweimal verlängern, <em>es sei denn</em>, das Buch ist vorbestellt.",
            "Sie können zweimal verlängern",
            "conditional",
        ),
    ],
)
def test_markup_and_marks_of_items_hide_no_frame(text: str, quote: str, kind: str) -> None:
    start = text.index(quote)
    framing = find_framing(text, start, start + len(quote))
    assert framing is not None
    assert framing.kind == kind

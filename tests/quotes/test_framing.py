"""What the sentence around a quote does to it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeguard.quotes.framing import find_framing, find_limit
from hostile import hostile
from quotes.tables import accepted, cases
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


class TestFindLimit:
    @each_row(("words", "text"), cases("limits"))
    def test_is_right_outside_the_cut(self, words: str, text: str) -> None:
        whole, start, end = cut(text)
        limit = find_limit(whole, start, end)
        assert limit is not None
        assert whole[slice(*limit)].endswith(words.split()[-1])

    @each_row("text", [text for (text,) in cases("no limits")])
    def test_is_of_another_clause_or_none(self, text: str) -> None:
        assert find_limit(*cut(text)) is None

    def test_a_quote_without_it_is_rejected(self) -> None:
        assert not accepted("employee may smoke", "No employee may smoke.")
        # Another occurrence is free of it.
        text = "No employee may smoke. In the yard any guest or employee may smoke."
        match = accepted("employee may smoke", text)
        assert match is not None
        assert match.span.start > 23


class TestFindFraming:
    def test_clips_are_framed_as_what_they_are(self) -> None:
        found = [
            (kind, find_framing(*cut(sentence)), find_limit(*cut(sentence)))
            for kind, sentence in rows(CLIPS)[1::3]
        ]
        assert sum(bool(framing or limit) for _, framing, limit in found) >= 0.925 * len(found)
        same = [framing.kind == kind for kind, framing, _ in found if framing]
        assert sum(same) >= 0.91 * len(same)

    def test_parts_are_not_framed(self) -> None:
        parts = [cut(sentence) for _, sentence in rows(PARTS)]
        assert sum(bool(find_framing(*part)) for part in parts) <= 0.03 * len(parts)

    @each_row(("kind", "text"), cases("frames"))
    def test_frames(self, kind: str, text: str) -> None:
        framing = find_framing(*cut(text))
        assert framing is not None
        assert framing.kind == kind

    @each_row("text", [text for (text,) in cases("no frames")])
    def test_no_frame(self, text: str) -> None:
        assert find_framing(*cut(text)) is None

    def test_whole_sentences_are_not_framed(self) -> None:
        for _, sentence in rows(CLIPS)[1::3]:
            text, _, _ = cut(sentence)
            assert find_framing(text, 0, len(text)) is None, text

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

    @given(hostile, st.integers(0, 60), st.integers(0, 60))
    def test_bears_any_text(self, text: str, start: int, length: int) -> None:
        start = min(start, len(text))
        framing = find_framing(text, start, min(len(text), start + length))
        assert framing is None or framing.words == " ".join(text[slice(*framing.span)].split())

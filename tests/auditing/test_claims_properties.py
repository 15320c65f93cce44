"""What holds of the claims of any text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.auditing.claims import Extraction, LocalClaims, blanked
from rows import each_row

PIECES = [
    "Anna", "He", "it", "they", "said that", "left Rome", "was born", "and", ", and", ", but",
    ", who", ", which", "moved to Paris", "was arrested", ";", ". ", "? ", "! ", "\n", "\n\n",
    "- ", "1. ", "# ", "**", "`", "```\n", "[1]", "(Passage 2)", '"', "“", "”", "(", ")", "雨",
    "。", "|", "In 2019,", "If", "not", "However,", "5 %", "&amp;", "https://x.org", "Speed:",
    "😀", "Dr.", "U.S.", "'s", "n't", "while", "add the rice", "then", "[a](b.c)", "\u2060", "_",
]  # fmt: skip
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
)
steady = settings(deadline=None, derandomize=True, max_examples=150)


def extract(text: str) -> Extraction:
    (extraction,) = LocalClaims().extract([text])
    return extraction


class TestAnyText:
    @steady
    @given(text=texts)
    def test_has_claims_in_order_that_do_not_overlap(self, text: str) -> None:
        position = 0
        for claim in extract(text).claims:
            low, high = claim.sentence
            assert 0 <= low <= claim.start < claim.end <= high <= len(text)
            assert position <= claim.start
            assert not text[claim.start].isspace()
            assert not text[claim.end - 1].isspace()
            assert claim.text.strip()
            position = claim.end

    @steady
    @given(text=texts)
    def test_has_no_letter_outside_its_sentences(self, text: str) -> None:
        # But those of marks and markup, which are blank in what is read.
        left = list(text)
        extraction = extract(text)
        for low, high in [claim.sentence for claim in extraction.claims] + list(
            extraction.uncovered
        ):
            left[low:high] = " " * (high - low)
        outside = blanked("".join(left))
        kept = blanked(text)
        assert not any(
            one.isalpha() and other.isalpha() for one, other in zip(outside, kept, strict=True)
        )

    @steady
    @given(text=texts)
    def test_has_no_words_in_its_claims_but_its_own(self, text: str) -> None:
        known = blanked(text).replace("\u2060", "")
        for claim in extract(text).claims:
            for word in claim.text.split():
                plain = word.removesuffix("'s").strip("\u2060.,;:!?…)]%")
                assert plain in known or plain in text.replace("\u2060", "")


HOSTILE = ["🎉. A ", "€.", "according to ", ", isn't it? ", "5 €.   ", "(2) A ",
           ".", "( ", '" ', "a", "a. ", "and ", ", and it is ", "**", "[1]", "\n", "- ", "| a ",
           "```\n", "雨", "雨。", "“", "> ", "He said that ", ", who ", "Anna Lee ", "[a](b",
           "according to the passage, ", "(Passage 1 ", "here ", "I think "]  # fmt: skip


class TestLongTexts:
    @each_row("piece", HOSTILE)
    def test_are_read_in_one_go(self, piece: str) -> None:
        # In seconds; whatever took time in the square of the length would take minutes.
        text = piece * (10_000 // len(piece))
        ends = [claim.end for claim in extract(text).claims]
        assert ends == sorted(ends)
        assert all(end <= len(text) for end in ends)

"""Which sentences are read for a statement."""

from hypothesis import given
from hypothesis import strategies as st

from citeguard.reader.windows import LONGEST, windows

FILLER = "Nothing of the kind was said by anybody who came to the meeting that day. "


class TestWindows:
    def test_a_short_text_is_read_whole_and_its_best_sentence_again(self) -> None:
        text = "Ada was born in London. She wrote the first program."
        assert [each.text for each in windows("Ada was born in Paris.", [text])] == [
            text,
            "Ada was born in London.",
        ]

    def test_sentences_that_stand_apart_are_read_together(self) -> None:
        text = f"Ada was born in 1815. {FILLER * 12}Ada died of cancer in 1852. {FILLER * 12}"
        first = windows("Ada, born in 1815, died of cancer in 1852.", [text])[0]
        assert "1815" in first.text
        assert "cancer" in first.text
        assert len(first.text.split()) <= LONGEST

    def test_a_sentence_is_read_with_its_neighbours(self) -> None:
        text = f"{FILLER * 9}The mill burnt down. It was never rebuilt. {FILLER * 9}"
        first = windows("The mill was never rebuilt.", [text])[0]
        assert "The mill burnt down. It was never rebuilt." in first.text

    def test_of_blank_texts_there_are_none(self) -> None:
        assert windows("It is.", []) == windows("It is.", [" \n"]) == []

    def test_relevance_is_the_share_of_the_rare_words(self) -> None:
        whole = windows("The mill burnt down.", ["The mill burnt down."])[0]
        none = windows("The mill burnt down.", ["Ships left the harbour."])[0]
        assert (whole.relevance, none.relevance) == (1, 0)

    @given(
        st.text(alphabet="ab .?!\n", max_size=200),
        st.lists(st.text(alphabet="ab .\n", max_size=400)),
    )
    def test_sentences_are_where_they_say(self, statement: str, texts: list[str]) -> None:
        for window in windows(statement, texts):
            parts = (texts[each.text][each.start : each.end] for each in window.sentences)
            assert window.text == " ".join(" ".join(part.split()) for part in parts)
            assert 0 <= window.relevance <= 1.000001

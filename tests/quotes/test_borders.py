"""Where a quote begins and ends in its source."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.tokens import to_word_borders
from citeguard.quotes.borders import clipped, widen
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import QuoteForm, find_quote
from quotes.tables import cases
from rows import each_row

CUTS = cases("torn off")
WIDENED = cases("widened")
outside = st.one_of(st.text(max_size=5), st.text(alphabet="\"“”'. [1]&quot;²", max_size=12))


def place(text: str, quote: str) -> tuple[int, int]:
    start = text.index(quote)
    return start, start + len(quote)


class TestClipped:
    @each_row("text, quote, torn", CUTS)
    def test_names_what_is_torn_off(self, text: str, quote: str, torn: str) -> None:
        assert clipped(text, *place(text, quote)) == torn

    @settings(derandomize=True)
    @given(
        words=st.lists(st.text(alphabet="abcdéß", min_size=1, max_size=6), min_size=1),
        data=st.data(),
    )
    def test_leaves_a_cut_between_words_alone(self, words: list[str], data: st.DataObject) -> None:
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first + 1, len(words)))
        start, end = (len(" ".join([*words[:i], ""])) for i in (first, last))
        assert clipped(" ".join(words), start, end - 1) == ""

    @settings(derandomize=True)
    @given(word=st.text(alphabet="abcdéß0123456789", min_size=2, max_size=9), data=st.data())
    def test_sees_every_cut_within_a_word(self, word: str, data: st.DataObject) -> None:
        cut = data.draw(st.integers(1, len(word) - 1))
        assert clipped(f"so {word} so", 0, 3 + cut) == word[cut:]
        assert clipped(f"so {word} so", 3 + cut, 6 + len(word)) == word[:cut]


class TestWiden:
    @each_row("text, quote, words", WIDENED)
    def test_takes_what_both_share(self, text: str, quote: str, words: str) -> None:
        found = find_quote(QuoteForm(quote), PreparedText(text))
        assert found is not None
        assert text[slice(*found.intervals[0])] == words

    @settings(derandomize=True)
    @given(before=outside, quoted=st.tuples(outside, outside), after=outside)
    def test_stays_in_the_text(self, before: str, quoted: tuple[str, str], after: str) -> None:
        text = f"{before}word{after}"
        start, end = widen(text, len(before), len(before) + 4, *quoted)
        assert 0 <= start <= len(before) < len(before) + 4 <= end <= len(text)


@each_row(
    ("text", "cut", "words"),
    [
        ("the unlawful act", "lawf", "unlawful"),
        ("lawful", "wf", "lawful"),
        ("日本は広い", "本は", "本は"),
        ("字abc字", "b", "abc"),
    ],
)
def test_to_word_borders(text: str, cut: str, words: str) -> None:
    start, end = to_word_borders(text, *place(text, cut))
    assert text[start:end] == words

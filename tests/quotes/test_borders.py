"""Where a quote begins and ends in its source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.language.tokens import to_word_borders
from citeguard.quotes.borders import clipped, widen
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import QuoteForm, find_quote

# (the text, the quote in it, what the cut tears off of the token beside it)
CUTS = [
    ("석조 건축물로, 높다.", "석조 건축물", ""),
    ("개당 4만 2천원입니다.", "개당 4만 2천원", ""),
    ("석조 건축물로, 높다.", "석조 건축", "물로,"),
    ("그 도로를 지났다.", "그 도", "로를"),
    pytest.param("It cost 25 million.", "5 million", "2", id="number, left"),
    pytest.param("It cost 250 then.", "cost 25", "0", id="number, right"),
    pytest.param("It cost $25 then.", "25 then", "$", id="currency"),
    pytest.param("It cost 1,250 then.", "250 then", "1,", id="thousands"),
    pytest.param("It cost 1,250 then.", "cost 1", ",250", id="thousands, right"),
    pytest.param("It rose 1.5 points.", "5 points", "1.", id="decimals"),
    pytest.param("It rose 1.5 points.", "rose 1", ".5", id="decimals, right"),
    pytest.param("It rose 1.5 points.", ".5 points", "1", id="decimals with their point"),
    pytest.param("It cost 1\u00a0250 then.", "cost 1", "250", id="thin space, right"),
    pytest.param("It fell to -5 degrees.", "5 degrees", "-", id="minus"),
    pytest.param("It fell to −5 degrees.", "5 degrees", "−", id="minus glyph"),
    pytest.param("A loss ($-5) there", "5) there", "($-", id="minus after a currency"),
    pytest.param("They won 3–2 there.", "2 there", "3–", id="score"),
    pytest.param("They won 3–2 there.", "won 3", "–2", id="score, right"),
    pytest.param("It rose 25% then.", "rose 25", "%", id="percent"),
    pytest.param("It rose 25 % then.", "rose 25", "%", id="percent after a space"),
    pytest.param("It rose 25 percent then.", "rose 25", "percent", id="percent as a word"),
    pytest.param("It cost 25 million then.", "cost 25", "million", id="magnitude"),
    pytest.param("It cost 25-million then.", "cost 25", "-million", id="magnitude after a hyphen"),
    pytest.param("It was 25° there.", "was 25", "°", id="degrees"),
    pytest.param("It had 10⁶ cells.", "had 10", "⁶", id="power"),
    pytest.param("an area of x² here", "area of x", "²", id="square"),
    pytest.param("It is unlawful.", "lawful", "un", id="word, left"),
    pytest.param("It is lawfully so.", "is lawful", "ly", id="word, right"),
    pytest.param("It isn't so.", "It is", "n't", id="contraction"),
    pytest.param("It can't be.", "It can", "'t", id="contraction after the n"),
    pytest.param("It can’t be.", "It can", "’t", id="contraction, curly"),
    pytest.param("a non-fatal case", "fatal case", "non-", id="hyphen, left"),
    pytest.param("a drug-free life", "a drug", "-free", id="hyphen, right"),
    pytest.param("it was law-\nless then", "it was law", "-", id="hyphenation, right"),
    pytest.param("They don't know", "t know", "don'", id="apostrophe, left"),
    pytest.param("at 10:30 then", "at 10", ":30", id="time"),
    pytest.param("on 1/2 then", "on 1", "/2", id="slash"),
    pytest.param("It cost 1\u202f250 then.", "250 then", "1", id="thin space, left"),
    pytest.param("it was un-\nlawful then", "lawful then", "un-", id="hyphenation, left"),
    pytest.param("承認されていない。", "承認されて", "いない。", id="Japanese negator after"),
    pytest.param("这不是真的", "是真的", "这不", id="Chinese negator before"),
    pytest.param("全日本", "日本", "", id="an ideograph is a word"),
    pytest.param("a字b", "字", "", id="an ideograph between letters"),
    # nothing: the cut is between words
    pytest.param("It cost 25 million.", "25 million", "", id="whole number"),
    pytest.param("It cost 25 million.", "It cost 25 million.", "", id="whole text"),
    pytest.param("It cost $25, then", "$25", "", id="with its currency"),
    pytest.param("It cost 25, then", "cost 25", "", id="comma after a number"),
    pytest.param("It cost 25. Then", "cost 25", "", id="stop after a number"),
    pytest.param("It fell -5 degrees", "-5 degrees", "", id="with its minus"),
    pytest.param("on pages 12 and 13", "pages 12", "", id="number before a word"),
    pytest.param("the dogs' bones", "the dogs", "", id="plural possessive"),
    pytest.param("the dog's bones", "the dog", "", id="possessive"),
    pytest.param("“safe” it said", "safe", "", id="in quotation marks"),
    pytest.param("so—safe—here", "safe", "", id="between dashes"),
    pytest.param("It was so. - Then", "Then", "", id="after a spaced dash"),
    pytest.param("as shown.³ Then", "as shown.", "", id="before a raised mark"),
    pytest.param("the word³ says", "the word", "", id="word with a raised mark"),
    pytest.param("sold in 1664.¹ Then", "sold in 1664.", "", id="number before a raised mark"),
    pytest.param("(safe)", "safe", "", id="in brackets"),
    pytest.param("…safe", "safe", "", id="after an ellipsis"),
    pytest.param("**safe**", "safe", "", id="in emphasis"),
    pytest.param("_safe_", "safe", "", id="in underscores"),
    pytest.param("日本は広い", "日本", "", id="ideographs"),
    pytest.param("a 3 - 2 win", "3 - 2 win", "", id="score with spaces"),
]

outside = st.one_of(st.text(max_size=5), st.text(alphabet="\"“”'. [1]&quot;²", max_size=12))


def place(text: str, quote: str) -> tuple[int, int]:
    start = text.index(quote)
    return start, start + len(quote)


class TestClipped:
    @pytest.mark.parametrize(("text", "quote", "torn"), CUTS)
    def test_names_what_is_torn_off(self, text: str, quote: str, torn: str) -> None:
        assert clipped(text, *place(text, quote)) == torn

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(
        words=st.lists(st.text(alphabet="abcdéß", min_size=1, max_size=6), min_size=1),
        data=st.data(),
    )
    def test_leaves_a_cut_between_words_alone(self, words: list[str], data: st.DataObject) -> None:
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first + 1, len(words)))
        start, end = (len(" ".join([*words[:i], ""])) for i in (first, last))
        assert clipped(" ".join(words), start, end - 1) == ""

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(word=st.text(alphabet="abcdéß0123456789", min_size=2, max_size=9), data=st.data())
    def test_sees_every_cut_within_a_word(self, word: str, data: st.DataObject) -> None:
        cut = data.draw(st.integers(1, len(word) - 1))
        assert clipped(f"so {word} so", 0, 3 + cut) == word[cut:]
        assert clipped(f"so {word} so", 3 + cut, 6 + len(word)) == word[:cut]


class TestWiden:
    @pytest.mark.parametrize(
        ("text", "quote", "words"),
        [
            pytest.param(
                "He said: “Go now.” Then", '"Go now."', "“Go now.”", id="quotation marks of both"
            ),
            pytest.param(
                "He said: Go now. Then", '"Go now"', "Go now", id="quotation marks of the quoter"
            ),
            pytest.param("Go now, then", "Go now.", "Go now", id="a stop of the quoter"),
            pytest.param("Go now. Then", "Go now.", "Go now.", id="a stop of both"),
            pytest.param("Go now. Then", "Go now", "Go now", id="a stop of the source"),
            pytest.param("It cost $5 then", "$5", "$5", id="currency"),
            pytest.param("It cost €5 then", "$5", "5", id="another currency"),
            pytest.param("It fell −5 then", "-5", "−5", id="minus glyph"),
            pytest.param("It rose 5 % then", "5%", "5 %", id="space before percent"),
            pytest.param("It rose 5％ then", "5%", "5％", id="full width"),
            pytest.param("cafe\u0301 x", "café", "cafe\u0301", id="combining accent"),
            pytest.param("（そう）と", "(そう)", "（そう）", id="full-width brackets"),
            pytest.param("「そう」と", '"そう"', "「そう」", id="corner brackets"),
            pytest.param("so", "«so»", "so", id="whole text"),
            pytest.param("“It fell.[1]” he said", '"It fell."', "“It fell.[1]”", id="past a mark"),
            pytest.param(
                "AT&amp;T &quot;fell&quot; then", '"fell"', "&quot;fell&quot;", id="entities"
            ),
            pytest.param(
                "He left. “Then” it", '"He left."', "He left.", id="the next quotation's mark"
            ),
            pytest.param(
                "He left.\n\n“Then” it", '"He left."', "He left.", id="a mark beyond a paragraph"
            ),
            pytest.param(
                "See [the guide](http://a.b/c) now",
                "See the guide",
                "See [the guide](http://a.b/c)",
                id="a link in pairs",
            ),
            pytest.param(
                "It froze in [[May|spring]] of 1963",
                "froze in spring",
                "froze in [[May|spring]]",
                id="double brackets in pairs",
            ),
            pytest.param(
                "It froze in May (Lee 1964). It thawed",
                "froze in May.",
                "froze in May",
                id="a mark before a stop",
            ),
            pytest.param(
                "It froze in May.[4] It thawed", "in May.", "in May.", id="a mark behind a stop"
            ),
            pytest.param("Use `go home` now", '"go home"', "go home", id="marks of code"),
            pytest.param(
                "He said ``go home'' now", '"go home"', "``go home''", id="quotation marks of TeX"
            ),
            pytest.param(
                "It rained ... so we left", "“It rained.”", "It rained", id="an ellipsis behind"
            ),
            pytest.param(
                "Is it <b>so</b>, <i>now</i>. Then", "so, now.", "so</b>, <i>now</i>.", id="tags"
            ),
            pytest.param(
                "The ``one`` is ``it`` here", "one is it", "``one`` is ``it``", id="code in pairs"
            ),
            pytest.param(
                "**Never** open **it**, I say", "Never open it", "**Never** open **it**", id="bold"
            ),
            pytest.param(
                r"So \emph{no} man \textbf{went} on",
                "no man went",
                r"\emph{no} man \textbf{went}",
                id="braces of LaTeX",
            ),
            pytest.param(
                "For $n$ the sum of $m$ it", "n the sum of m", "$n$ the sum of $m$", id="formulas"
            ),
            pytest.param('Ana, "Yo soy" y', "Ana, Yo soy", 'Ana, "Yo soy"', id="straight quotes"),
            pytest.param(
                "4. Stop.\n5. Go on.\n6. End it.",
                "5. Go on. 6. End it.",
                "5. Go on.\n6. End it.",
                id="the number of an item",
            ),
            pytest.param("In 15. We go on.", "5. We go on.", "We go on.", id="a part of a number"),
            pytest.param(
                "He wrote: I went on.", '"[I] went on."', "I went on.", id="an editor's bracket"
            ),
        ],
    )
    def test_takes_what_both_share(self, text: str, quote: str, words: str) -> None:
        found = find_quote(QuoteForm(quote), PreparedText(text))
        assert found is not None
        assert text[slice(*found.intervals[0])] == words

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(before=outside, quoted=st.tuples(outside, outside), after=outside)
    def test_stays_in_the_text(self, before: str, quoted: tuple[str, str], after: str) -> None:
        text = f"{before}word{after}"
        start, end = widen(text, len(before), len(before) + 4, *quoted)
        assert 0 <= start <= len(before) < len(before) + 4 <= end <= len(text)


class TestToWordBorders:
    @pytest.mark.parametrize(
        ("text", "cut", "words"),
        [
            ("the unlawful act", "lawf", "unlawful"),
            ("the lawful act", "lawful", "lawful"),
            ("lawful", "wf", "lawful"),
            ("日本は広い", "本は", "本は"),
            ("字abc字", "b", "abc"),
        ],
    )
    def test_by_hand(self, text: str, cut: str, words: str) -> None:
        start, end = to_word_borders(text, *place(text, cut))
        assert text[start:end] == words

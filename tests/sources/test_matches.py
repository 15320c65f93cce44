"""Where a quote stands in its sources: promises of `locate`, `nearest` and `Match`."""

import random
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Match, Source, Sources, Span, UnknownSourceError, locate
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.find import Occurrence, QuoteForm
from citeguard.quotes.framing import find_limit
from citeguard.sources import matches
from citeguard.sources.matches import Search, nearest
from rows import each_row

MILL = (
    "The tide mill at Eling grinds wheat twice a day, whenever the pond behind the dam stands "
    "higher than the creek below the road. It was not built for show: until 1946 the miller sold "
    "flour to every baker within 12 miles, at 3 shillings a sack.\n\n"
    "“Nobody owns the tide,” the keeper says, and lets the gates fall. Repairs cost $1,250 in "
    "2019; visitors may watch the wheel, but the gears aren’t open to them."
)
LAKE = (
    "The lake froze in January and the ferry stayed in harbour for forty days. Fishermen cut holes "
    "near the northern shore, where the ice measured 35 centimetres. By March the harbour master "
    "had counted eleven sledges, two of them abandoned."
)
SOURCES = Sources({"mill": MILL, "lake": LAKE})
steady = settings(derandomize=True)


def place(quote: str, sources: Sources = SOURCES, **where: str) -> Match:
    match = locate(quote, sources, **where)
    assert match is not None
    return match


def one(text: str) -> Sources:
    return Sources({"only": text})


@st.composite
def verbatim(draw: st.DrawFn, least: int = 1) -> tuple[str, int, int]:
    """A slice of a source between blanks: (source id, start, end)."""
    source = draw(st.sampled_from(list(SOURCES)))
    borders = [i for i, char in enumerate(f" {source.text} ") if char.isspace()]
    first = draw(st.integers(0, len(borders) - 2 - least))
    last = draw(st.integers(first + least, min(len(borders) - 1, first + 30)))
    start, end = borders[first], borders[last] - 1
    words = source.text[start:end]
    assume(sum(map(str.isalpha, words)) >= 4)
    assume(find_limit(source.text, start, end) is None)  # "the cut counts"
    return (
        source.id,
        start + len(words) - len(words.lstrip()),
        end - len(words) + len(words.rstrip()),
    )


class TestVerbatim:
    @steady
    @given(verbatim(least=4))
    def test_slices_of_some_words_stand_in_one_place(self, where: tuple[str, int, int]) -> None:
        source_id, start, end = where
        assert place(SOURCES[source_id].text[start:end]).span == Span(source_id, start, end)

    def test_blanks_around_a_quote_do_not_count(self) -> None:
        match = place(" \n The lake froze\t")
        assert (match.grade, match.text, match.quote) == (
            "exact",
            "The lake froze",
            " \n The lake froze\t",
        )


NOISES: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "line breaks": lambda words: words.replace(" ", "\n"),
    "wide spaces": lambda words: words.replace(" ", "   "),
    "no-break spaces": lambda words: words.replace(" ", "\u00a0"),
    "NFD": lambda words: unicodedata.normalize("NFD", words),
    "soft hyphens": lambda words: words.replace("te", "t\u00ade"),
    "zero width": lambda words: words.replace("a", "a\u200b"),
    "ligatures": lambda words: words.replace("fl", "ﬂ").replace("fi", "ﬁ"),
    "straight quotes": lambda words: words.replace("“", '"').replace("”", '"').replace("’", "'"),
    "other quotes": lambda words: words.replace("“", "«").replace("”", "»").replace("’", "ʼ"),
    "full width": lambda words: "".join(
        chr(ord(c) + 0xFEE0) if "a" <= c <= "z" else c for c in words
    ),
    "emphasis": lambda words: f"**{words}**",
    "entities": lambda words: (
        words.replace("’", "&rsquo;").replace("“", "&ldquo;").replace("”", "&rdquo;")
    ),
    "in quotation marks": lambda words: f'"{words}"',
    "an ellipsis at the end": lambda words: f"{words}…",
    "a mark at the end": lambda words: f"{words} [7]",
}


class TestNoise:
    """Typography never changes whether a quote is accepted, nor which words it stands at."""

    @settings(derandomize=True)
    @given(noise=st.sampled_from(list(NOISES.values())), where=verbatim(least=4))
    def test_in_the_quote(self, noise: Callable[[str], str], where: tuple[str, int, int]) -> None:
        source_id, start, end = where
        match = place(noise(SOURCES[source_id].text[start:end]))
        assert match.accepted
        assert match.grade in ("exact", "normalized")
        assert match.source_id == source_id
        assert match.similarity == 1.0
        apart = {*range(start, end)} ^ {*range(match.span.start, match.span.end)}
        assert not any(SOURCES[source_id].text[i].isalnum() for i in apart)


def words_within(words: str) -> list[int]:
    """Offsets of the blanks between two words, both of letters."""
    return [
        i
        for i in range(1, len(words) - 1)
        if words[i].isspace() and words[i - 1].isalpha() and words[i + 1].isalpha()
    ]


class TestChanges:
    """A change of meaning is never accepted, wherever it stands."""

    @settings(derandomize=True)
    @given(
        word=st.sampled_from("not never allegedly hardly seven".split()),
        where=verbatim(least=5),
        data=st.data(),
    )
    def test_a_word_gained(
        self, word: str, where: tuple[str, int, int], data: st.DataObject
    ) -> None:
        words = SOURCES[where[0]].text[where[1] : where[2]]
        assume(words_within(words))
        at = data.draw(st.sampled_from(words_within(words)))
        match = locate(f"{words[:at]} {word}{words[at:]}", SOURCES)
        assert match is None or not match.accepted

    @settings(derandomize=True)
    @given(where=verbatim(least=5), data=st.data())
    def test_a_word_lost_from_within(
        self, where: tuple[str, int, int], data: st.DataObject
    ) -> None:
        words = SOURCES[where[0]].text[where[1] : where[2]].split()
        at = data.draw(st.integers(1, len(words) - 2))
        match = locate(" ".join(words[:at] + words[at + 1 :]), SOURCES)
        assert match is None or not match.accepted

    @settings(derandomize=True)
    @given(where=verbatim(least=2), data=st.data())
    def test_a_digit_changed(self, where: tuple[str, int, int], data: st.DataObject) -> None:
        words = SOURCES[where[0]].text[where[1] : where[2]]
        digits = [i for i, char in enumerate(words) if char.isdigit()]
        assume(digits)
        at = data.draw(st.sampled_from(digits))
        digit = data.draw(st.sampled_from("0123456789").filter(lambda d: d != words[at]))
        match = locate(words[:at] + digit + words[at + 1 :], SOURCES)
        assert match is None or not match.accepted

    @settings(derandomize=True)
    @given(where=verbatim(least=5), data=st.data())
    def test_two_words_exchanged(self, where: tuple[str, int, int], data: st.DataObject) -> None:
        words = SOURCES[where[0]].text[where[1] : where[2]].split()
        at = data.draw(st.integers(0, len(words) - 2))
        assume(words[at].strip(".,;:").lower() != words[at + 1].strip(".,;:").lower())
        exchanged = [*words[:at], words[at + 1], words[at], *words[at + 2 :]]
        assume(all(one != other for one, other in pairwise(exchanged)))  # a slip
        match = locate(" ".join(exchanged), SOURCES)
        assert match is None or not match.accepted


class TestNothing:
    def test_is_found_for_a_quote_without_letters(self) -> None:
        for quote in [
            "",
            " ",
            "\n\t",
            "…",
            "...",
            "[...]",
            "—",
            "“”",
            "!?",
            "\u200b",
            "\0",
            "👍",
            "* * *",
            "[1]",
            "<br>",
        ]:
            text = f"A text with all of it: {quote} and more."
            match = locate(quote, one(text))
            assert match is None or (match.grade == "exact" and quote.strip() == match.text)
            assert locate(quote, SOURCES) is None or quote.strip() in MILL + LAKE


class TestSourceId:
    @pytest.mark.parametrize("function", [locate, nearest])
    def test_must_exist(self, function: Callable[..., object]) -> None:
        with pytest.raises(
            UnknownSourceError, match=r"no source has the id 'sea'; the ids are mill, lake"
        ):
            function("the harbour", SOURCES, source_id="sea")

    def test_of_the_best_of_several_sources(self) -> None:
        sources = Sources(
            {"a": "It was not said so.", "b": "IT WAS SAID SO.", "c": "It was said so."}
        )
        assert place("It was said so", sources).source_id == "c"
        assert place("it was said so", sources).source_id == "b"

    @settings(derandomize=True)
    @given(
        where=verbatim(least=5),
        seed=st.integers(0, 100),
        noise=st.sampled_from(list(NOISES.values())),
    )
    def test_does_not_depend_on_the_order_of_the_sources(
        self, where: tuple[str, int, int], seed: int, noise: Callable[[str], str]
    ) -> None:
        texts = {
            "mill": MILL,
            "lake": LAKE,
            "blank": " ",
            "other": "Nothing of the kind stands here.",
        }
        shuffled = random.Random(seed).sample(sorted(texts), len(texts))
        quote = noise(SOURCES[where[0]].text[where[1] : where[2]])
        assert place(quote, Sources({key: texts[key] for key in shuffled})) == place(
            quote, Sources(texts)
        )


class TestSearch:
    @pytest.fixture
    def looked_into(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The texts that were searched for a quote that does not stand verbatim, in order."""
        texts: list[str] = []
        find = matches.find_quote

        def noted(quote: QuoteForm, source: PreparedText) -> Occurrence | None:
            texts.append(source.text)
            return find(quote, source)

        monkeypatch.setattr(matches, "find_quote", noted)
        return texts

    def test_looks_into_no_source_twice(self, looked_into: list[str]) -> None:
        search = Search("Notice is two months.", Sources({"a": "Notice is one month.", "b": "No."}))
        for source_id in ("a", None, "b", "a"):
            search.match(source_id)
        assert looked_into == ["Notice is one month.", "No."]

    def test_matches_as_locate_does(self) -> None:
        for source_id in ["a", "b", None]:
            for quote in ["one month", "one  Month", "Notice is on month.", "...", ""]:
                sources = Sources({"a": "Notice is one month.", "b": "It says: one month."})
                search = Search(quote, sources)
                search.match()
                assert search.match(source_id) == locate(quote, sources, source_id)


class TestContext:
    TEXT = "Ann said: it was so. Bob said: it was so. Eve said: “It was so!”"

    def test_tells_places_apart(self) -> None:
        for where, start in [
            ({"prefix": "Ann said: "}, 10),
            ({"prefix": "Bob said:"}, 31),
            ({"prefix": "BOB  SAID"}, 31),
            ({"suffix": ". Eve said"}, 31),
            ({"suffix": ". Bob"}, 10),
            ({"prefix": "said", "suffix": "Eve"}, 31),
            ({"prefix": "Xyz"}, 10),
            ({}, 10),
        ]:
            assert place("it was so", one(self.TEXT), **where).span.start == start

    def test_outweighs_typography(self) -> None:
        match = place("it was so", one(self.TEXT), prefix="Eve said: ")
        assert (match.text, match.grade) == ("It was so", "normalized")

    def test_of_a_quote_that_is_only_nearly_there(self) -> None:
        altered = "the mill was not built for show"
        match = place(altered, one("Ann said: the mill was built for show."), prefix="Ann said: ")
        assert not match.accepted


def test_a_difference_has_the_whole_number_that_ends_a_quote() -> None:
    match = locate(
        "pays a monthly rent of €1,520", one("She pays a monthly rent of €1,250, due in May.")
    )
    assert match is not None
    assert [(edit.quoted, edit.source) for edit in match.material] == [("1,520", "1,250")]


class TestOthers:
    def test_are_the_other_places(self) -> None:
        match = place("it was so", one("It was so. Then it was so; it was not so. IT WAS SO."))
        assert match.span == Span("only", 16, 25)
        assert match.others == (Span("only", 0, 9), Span("only", 42, 51))

    def test_are_a_hundred_at_most(self) -> None:
        assert len(place("it was so", one("it was so. " * 300)).others) == 100

    def test_leave_altered_and_clipped_places_out(self) -> None:
        match = place(
            "5 million", one("5 million, 25 million, 5 millions, -5 million and 5 million")
        )
        assert match.others == (Span("only", 50, 59),)


class TestOrder:
    """A worse quote never scores higher."""

    @settings(derandomize=True)
    @given(where=verbatim(least=8), data=st.data())
    def test_of_quotes_with_more_and_more_letters_replaced(
        self, where: tuple[str, int, int], data: st.DataObject
    ) -> None:
        words = SOURCES[where[0]].text[where[1] : where[2]]
        letters = [i for i, char in enumerate(words) if char.isalpha()]
        spoilt = data.draw(st.permutations(letters))[: len(words) // 8]
        similarities = [1.0]
        for count in range(len(spoilt) + 1):
            quote = "".join("ж" if i in spoilt[:count] else char for i, char in enumerate(words))
            match = locate(quote, SOURCES)
            similarities.append(match.similarity if match else 0.0)
        assert similarities == sorted(similarities, reverse=True)


HARD = [
    "(.*)+$ [a-z]{1,3}\\d|^?",  # regular expression
    "{{ config }} {% raw %} {0} %s",  # template
    "a\0b\0c words",  # NULs
    "a \ud83d lone surrogate \udc00 here",  # lone surrogates
    "e\u0301\u0302\u0303 o\u0323\u0307 stacked accents",  # combining marks
    "שלום עולם 12 ילדים",  # Hebrew
    "قال إن 25 في المئة لم يوافقوا",  # Arabic
    "\u202eevil\u202c text \u2066here\u2069",  # directional overrides
    "👩\u200d👩\u200d👧 the family 👍🏽 agreed",  # emoji
    "\U0001d4d0\U0001d4eb\U0001d4ec bold script",  # astral letters
    "東京は人口が多い。大阪も多い。",  # Japanese
    "한국어 문장이 여기 있다",  # Korean
    "ﷺ ㍿ ½ ﬃ wide folds",  # characters that fold to many
    "https://example.org/a?b=c&d=%20#e",  # address
    "<script>alert('x')</script> &lt;b&gt;",  # HTML
    "if (a[i] <= b[j]) { return a[i++]; }",  # code
    "\x85\x0b\x0c\x1f odd \u2028 line ends",  # control characters
]


class TestHardQuotes:
    def test_are_found_where_they_stand(self) -> None:
        for quote in HARD:
            text = f"Before it. {quote} After it; é 👍 {quote[:5]}"
            match = place(quote, one(text))
            assert match.grade == ("uncertain" if "\u202e" in quote else "exact")
            assert text[match.span.start : match.span.end] == match.text == quote.strip()
            assert match.span.start == text.index(quote.strip())

    @settings(derandomize=True)
    @given(before=st.text(max_size=20), quote=st.text(max_size=20), after=st.text(max_size=20))
    def test_of_any_characters_slice_back(self, before: str, quote: str, after: str) -> None:
        sources = one(f"Some text. {before}{quote}{after}")
        match = locate(quote, sources)
        nearest(quote, sources)
        if match is not None:
            assert match.quote == quote
            assert [sources.slice(span) for span in match.spans] == match.text.split(
                " … "
            ) or "…" in match.text
            assert 0.0 <= match.similarity <= 1.0
            assert all(
                0 <= span.start < span.end <= len(sources["only"].text) for span in match.spans
            )

    def test_of_many_letters_finish(self) -> None:
        for quote, text in [
            ("a" * 25_000, "a" * 25_000),  # one letter, in itself
            ("a" * 12_000, "a" * 25_000),  # one letter
            ("a b " * 3_000, "a b " * 12_000),  # two letters
            ("b" * 12_000, "a" * 25_000),  # other letters
            ("a" * 30 + "b", "a" * 25_000),  # one more letter
            ("ab " * 20 + "c", "ab " * 25_000),  # one more word
            ("... " * 3_000, "a. " * 3_000),  # ellipses
            ("a ... " * 3_000, "a. " * 3_000),  # ellipses and letters
            ("it … it … it … it", "it " * 5_000),  # short segments
            ("[" * 8_000, "[" * 8_000 + "x"),  # brackets
            ("e\u0301" * 5_000, "é" * 5_000),  # accents
        ]:
            match = locate(quote, one(text))
            assert match is None or text[match.span.start : match.span.end]


class TestFraming:
    def test_is_no_rejection(self) -> None:
        match = place("the canal is deep", one("It is false that the canal is deep."))
        assert match.framing is not None
        assert match.framing.kind == "denied"
        assert match.accepted


MIXED = "é 👍 日本 \U0001d4d0 e\u0301 \ud83d the quote\n stands here"


class TestOffsets:
    def test_convert(self) -> None:
        for quote in ["é", "日本", "\U0001d4d0", "e\u0301", "the quote", "the quote\n stands here"]:
            match = place(quote, one(MIXED))
            for encoding, width, (start, end) in (
                ("utf-16-le", 2, match.utf16()),
                ("utf-8", 1, match.utf8()),
            ):
                units = MIXED.encode(encoding, "surrogatepass")[start * width : end * width]
                assert units.decode(encoding, "surrogatepass") == match.text


class TestSelectors:
    def test_of_quote(self) -> None:
        assert place("lake froze in January").text_quote_selector(context=8) == {
            "type": "TextQuoteSelector",
            "exact": "lake froze in January",
            "prefix": "The ",
            "suffix": " and the",
        }

    def test_find_their_place_again(self) -> None:
        text = "Ann said: it was so. Bob said: it was so. Eve said: it was so."
        selector = place("it was so", one(text), prefix="Bob said: ").text_quote_selector()
        again = place(
            selector["exact"], one(text), prefix=selector["prefix"], suffix=selector["suffix"]
        )
        assert again.span.start == 31


class TestTextFragmentUrl:
    @each_row(
        ("text", "quote", "words"),
        [
            ("日本は", "日本", "%E6%97%A5%E6%9C%AC"),
            ("it\n\nwas so", "it was so", "it,was%20so"),
            ("it big was so", "it … was so", "it%20big%20was%20so"),  # with what is left out
        ],
    )
    def test_scrolls_to_the_quote(self, text: str, quote: str, words: str) -> None:
        match = place(quote, Sources(Source("a", text, url="https://x.org/a")))
        assert match.text_fragment_url() == f"https://x.org/a#:~:text={words}"

    def test_needs_a_url(self) -> None:
        assert place("lake froze").text_fragment_url() is None


class TestNearest:
    def test_is_the_most_similar_passage(self) -> None:
        for quote, words in [
            (
                "The lake thawed in January, and the ferry sailed",
                "The lake froze in January and the ferry",
            ),
            ("eleven sleighs were counted by the harbour master", "harbour master"),
            ("Nobody owns the sea, a keeper said", "Nobody owns the tide"),
        ]:
            span = nearest(quote, SOURCES)
            assert span is not None
            assert words in SOURCES.slice(span)

    @steady
    @given(quote=st.text(min_size=1, max_size=40))
    def test_lies_between_words(self, quote: str) -> None:
        span = nearest(quote, SOURCES)
        if span is not None:
            text = SOURCES[span.source_id].text
            assert not text[span.start - 1 : span.start].isalnum()
            assert not text[span.end : span.end + 1].isalnum()
            assert SOURCES.slice(span).strip()

    def test_resembles_the_quote_or_is_not_offered(self) -> None:
        assert nearest("Quarterly bonus", SOURCES) is None

    def test_is_the_row_of_a_table_that_the_quote_names(self) -> None:
        table = one("System | Lowest | Best\niOS | 14 | 16\nAndroid | 9 | 12\nMaemo | 1 | 3")
        for quote in ("best Android is 13", "Android: lowest 9, best 13"):
            span = nearest(quote, table)
            assert span is not None
            assert table.slice(span) == "Android | 9 | 12"

    def test_of_a_very_long_sentence_is_a_part_of_it(self) -> None:
        text = "and so on " * 200 + "the lake froze twice " + "and so forth " * 200
        span = nearest("the lake froze three times", one(text))
        assert span is not None
        assert "the lake froze" in text[span.start : span.end]
        assert span.end - span.start < 300


class TestThreads:
    def test_share_sources(self) -> None:
        quotes = [
            noise(text[i : i + 60])
            for text in (MILL, LAKE)
            for i in range(0, 180, 60)
            for noise in NOISES.values()
        ]
        expected = [locate(quote, Sources({"mill": MILL, "lake": LAKE})) for quote in quotes]
        fresh = Sources({"mill": MILL, "lake": LAKE})
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda quote: locate(quote, fresh), quotes))
        assert found == expected


class TestArguments:
    @each_row(
        ("arguments", "message"),
        [
            ({"quote": None}, "quote: expected a str, got None"),
            ({"quote": b""}, "quote: expected a str, got bytes"),
            ({"source_id": ["mill"]}, "source_id: expected a str, got list"),
            ({"prefix": 5}, "prefix: expected a str, got int"),
            ({"suffix": str}, "suffix: expected a str, got the class str"),
            ({"sources": 5}, "sources must be a mapping, a list or a text, not int"),
        ],
    )
    def test_reject_other_types(self, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(CiteguardError, match=message):
            locate(**{"quote": "wheat", "sources": SOURCES, **arguments})


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("It ran well. <!-- The dose was twenty. --> It ended.", "uncertain"),
        ("It ran well. <del>The dose was twenty.</del> It ended.", None),
        ("It ran well. ~~The dose was twenty.~~ It ended.", None),
        ("<p>Well. <span class='a' hidden>The dose was twenty.</span></p>", "uncertain"),
        ('<p>Well. <b style="color:red;display: none">The dose was twenty.</b></p>', "uncertain"),
        ("<p>Well. <font size=0>The dose was twenty.</font></p>", "uncertain"),
        ("<p>Well. <template>The dose was twenty.</template></p>", "uncertain"),
        ("<p>Well. <b style='visibility:hidden'>The dose was twenty.</b></p>", "uncertain"),
        ("<p>Well. <b style='font-size:0'>The dose was twenty.</b></p>", "uncertain"),
        ("<p>Well. <b style='font-size:0.9em'>The dose was twenty.</b></p>", "exact"),
        ("<p>Well. <span class='hidden'>The dose was twenty.</span></p>", "exact"),
        ("<s>Old.</s> The dose was twenty. <!-- New. -->", "exact"),
        ("~~The dose was twenty.~~ Later: The dose was twenty.", "exact"),
        ("```\n<del>The dose was twenty.</del>\n```", "exact"),
        ("f('<del>') and The dose was twenty. f('</del>')", "exact"),
    ],
)
def test_words_that_markup_strikes_out_or_hides_are_no_evidence(
    text: str, grade: str | None
) -> None:
    found = locate("The dose was twenty.", {"a": text})
    assert found is not None
    assert found.grade == grade
    assert found.accepted or {edit.reason for edit in found.material} == {"struck out"}


@pytest.mark.parametrize(
    ("quote", "accepted"),
    [
        ("O plano gratuito vai acabar.", False),
        ("you travel before May.", False),
        ("O plano gratuito vai acabar", True),
        ("O plano gratuito vai acabar?", True),
        ("He asked.", True),
        ("I will resign tomorrow.", True),
        ("see a.org/x.", True),
    ],
)
def test_a_full_stop_in_place_of_a_question_mark_is_a_change(quote: str, accepted: bool) -> None:
    text = "O plano gratuito vai acabar? Do you travel before May ? He asked. Did he?" + (
        ' Did he say "I will resign tomorrow"? Yes, see a.org/x?q=1 for it.'
    )
    found = locate(quote, {"a": text})
    assert found is not None
    assert found.accepted is accepted


def test_a_quote_with_the_marks_that_strike_words_out_is_uncertain() -> None:
    text = "You may return it within ~~60~~ 30 days."
    found = [locate(quote, {"a": text}) for quote in (text, text.replace("~~60~~ ", ""))]
    assert [match and match.grade for match in found] == ["uncertain", "uncertain"]


class TestConversation:
    CHAT = (
        "[09:03] Anna: It ships on Monday. The tests are green.\n"
        "[09:04] Ben: I doubt it. It is red.\n"
        "[09:05] Anna: Bananas are fixed.\n[09:06] Anna: It works — or not.\n"
        "[09:07] Ben: It ends.\n"
    )

    @each_row(
        ("quote", "accepted"),
        [
            ("It ships on Monday. The tests are green.", True),
            ("Bananas are fixed. It works", True),  # one speaker
            ("green.\n[09:04] Ben: I doubt it.", True),  # it says who
            ("It ships on Monday … Bananas are fixed", True),
            ("The tests are green. — I doubt it.", True),  # it shows that another one answers
            ("The tests are green. I doubt it.", False),
            ("The tests are green … it is red", False),
            ("It is red. Bananas are fixed.", False),  # "ananas" has no name
            ("It works — or not. It ends.", False),  # the source's own dash
        ],
    )
    def test_is_quoted_by_speaker(self, quote: str, accepted: bool) -> None:
        found = locate(quote, self.CHAT)
        assert found is not None
        assert found.accepted == accepted
        assert accepted or "two speakers joined" in {edit.reason for edit in found.material}

    def test_is_quoted_where_one_speaks(self) -> None:
        found = locate("green. I doubt it", f"{self.CHAT}[09:08] Ben: It is green. I doubt it.\n")
        assert found is not None
        assert found.accepted
        assert found.span.start > len(self.CHAT)

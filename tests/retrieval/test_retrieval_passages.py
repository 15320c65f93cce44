"""Passages that keep to the sections of a source, and retrievers that take them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Source, Sources, Span
from citeguard.language.tokens import tokenize
from citeguard.language.windows import LONGEST
from citeguard.retrieval.passages import Passages, SectionPassages, TokenPassages, Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import Retriever
from citeguard.sources.layout import Heading, Layout

steady = settings(deadline=None, derandomize=True, max_examples=80)


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def sentences(count: int, each: int = 10) -> str:
    """Return sentences of so many words, no two alike."""
    return " ".join(f"Sentence {number} {words(each - 3)} here." for number in range(count))


def written(blocks: Iterable[tuple[str, bool]], between: str = "\n\n") -> Source:
    """Return a source with a layout, made of blocks; those told to be are headings."""
    listed = list(blocks)
    starts = accumulate((len(text) + len(between) for text, _ in listed), initial=0)
    headings = [
        Heading(text, 1, start, start + len(text))
        for (text, is_heading), start in zip(listed, starts, strict=False)
        if is_heading
    ]
    text = between.join(text for text, _ in listed)
    return Source("doc", text, layout=Layout("markdown", len(text), headings=headings))


def cut(passages: Passages, source: Source | str) -> list[str]:
    source = Source("doc", source) if isinstance(source, str) else source
    return [source.text[span.start : span.end] for span in passages.of(source)]


blocks = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "Pay",
                "It rained. It was late.",
                "- one\n- two",
                words(7),
                sentences(4, 8),
                "雨が降った。もう遅い。",
                "x" * 90,
                "…",
                "e\u0301" * 30,
            ]
        ),
        st.booleans(),
    ),
    max_size=12,
)
documents = st.one_of(
    st.builds(written, blocks, st.sampled_from(["\n\n", "\n", " \n \r\n"])),
    st.builds(Source, st.just("doc"), st.text(max_size=80)),
)
ways = st.one_of(
    st.builds(Windows, size=st.integers(2, 4)),
    st.integers(1, 9).flatmap(
        lambda most: st.builds(
            SectionPassages, alone=st.integers(1, most), merged=st.integers(most, 20)
        )
    ),
    st.integers(2, 9).flatmap(
        lambda least: st.builds(
            TokenPassages,
            least=st.just(least),
            most=st.integers(2 * least, 40),
            overlap=st.integers(0, least - 1),
        )
    ),
)


class TestAll:
    @steady
    @given(source=documents, passages=ways)
    def test_hold_every_character_that_is_not_blank(
        self, source: Source, passages: Passages
    ) -> None:
        position = 0
        for span in passages.of(source):
            assert not source.text[position : span.start].strip()
            position = max(position, span.end)
        assert not source.text[position:].strip()

    @steady
    @given(source=documents, passages=ways)
    def test_are_in_order_and_begin_and_end_with_no_blank(
        self, source: Source, passages: Passages
    ) -> None:
        spans = passages.of(source)
        assert all(a.start < b.start and a.end < b.end for a, b in pairwise(spans))
        texts = cut(passages, source)
        assert all(text and text == text.strip() for text in texts)

    @steady
    @given(
        source=documents,
        passages=st.sampled_from(
            [Windows(), SectionPassages(), SectionPassages(alone=2, merged=5)]
        ),
    )
    def test_cross_no_heading(self, source: Source, passages: Passages) -> None:
        headings = () if source.layout is None else source.layout.headings
        for span in passages.of(source):
            position = span.start
            for heading in headings:
                if span.start < heading.start < span.end:
                    assert not source.text[position : heading.start].strip()
                position = max(position, heading.end)

    def test_of_hardly_any_text(self) -> None:
        for passages in [Windows(), SectionPassages(), TokenPassages()]:
            for text in ["", " \n\n ", "x", "…"]:
                assert cut(passages, text) == ([text] if text.strip() else [])

    def test_do_not_go_on_behind_a_wide_gap(self) -> None:
        for passages in [Windows(), SectionPassages(), TokenPassages()]:
            assert cut(passages, "It rained." + " " * LONGEST + "It was late.") == [
                "It rained.",
                "It was late.",
            ]

    def test_are_found_once(self) -> None:
        source = Source("doc", "It rained.")
        assert SectionPassages().of(source) is SectionPassages().of(source)
        assert TokenPassages().of(source) is TokenPassages().of(source)


class TestWindows:
    def test_end_with_a_section(self) -> None:
        source = written([("Pay", True), ("It rained. It was late.", False), ("Notice", True)])
        assert cut(Windows(), source) == ["Pay\n\nIt rained. It was late.", "Notice"]

    def test_of_a_source_without_a_layout_go_on(self) -> None:
        source = written([("Pay", True), ("It rained.", False), ("Notice", True)])
        assert cut(Windows(), source.text) == ["Pay\n\nIt rained.\n\nNotice"]


class TestSectionPassages:
    SMALL = SectionPassages(alone=4, merged=6)

    def test_are_paragraphs(self) -> None:
        for counts, expected in [
            ([3, 3], [6]),  # short ones are merged
            ([3, 3, 1], [6, 1]),  # up to so many words
            ([4, 2], [6]),  # as many as may be merged
            ([1, 5, 1], [1, 5, 1]),  # a longer one stands alone
            ([9], [9]),  # half as long again
            ([5, 5], [5, 5]),  # two longer ones
        ]:
            text = "\n\n".join(words(count) for count in counts)
            assert [len(each.split()) for each in cut(self.SMALL, text)] == expected

    def test_by_default_merge_up_to_200_words_of_paragraphs_up_to_100(self) -> None:
        text = "\n\n".join(map(words, [100, 100, 1, 101, 50]))
        assert [len(each.split()) for each in cut(SectionPassages(), text)] == [200, 1, 101, 50]

    def test_know_blank_lines(self) -> None:
        for blank in ["\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n\n"]:
            passages = SectionPassages(alone=1, merged=1)
            assert cut(passages, blank.join(["one", "two"])) == ["one", "two"]
            assert cut(passages, "one\ntwo") == ["one", "two"]

    def test_cut_a_paragraph_that_is_much_too_long_evenly_between_sentences(self) -> None:
        found = cut(SectionPassages(), sentences(31))
        assert [len(each.split()) for each in found] == [160, 150]
        assert all(each.startswith("Sentence") and each.endswith("here.") for each in found)

    def test_cut_a_text_without_stops_between_words(self) -> None:
        found = cut(SectionPassages(), words(5_000))
        assert all(100 < len(each.split()) <= 200 for each in found)
        assert " ".join(found) == words(5_000)

    def test_have_a_heading_with_the_paragraph_below_it(self) -> None:
        source = written(
            [
                ("Pay", True),
                (words(2), False),
                (words(5), False),
                ("Notice", True),
                ("Late.", False),
            ]
        )
        assert cut(self.SMALL, source) == [f"Pay\n\n{words(2)}", words(5), "Notice\n\nLate."]

    def test_have_headings_that_follow_each_other_together(self) -> None:
        source = written([("One.", False), ("Pay", True), ("Bonus", True), ("In May.", False)])
        assert cut(self.SMALL, source) == ["One.", "Pay\n\nBonus\n\nIn May."]

    def test_have_a_heading_with_nothing_below_it(self) -> None:
        assert cut(self.SMALL, written([("One.", False), ("Pay", True)])) == ["One.", "Pay"]

    def test_have_the_mark_before_a_heading_with_it(self) -> None:
        text = "One.\n\n2. Pay\n\nIn May."
        layout = Layout("markdown", len(text), headings=[Heading("Pay", 1, 9, 12)])
        assert cut(self.SMALL, Source("doc", text, layout=layout)) == ["One.", "2. Pay\n\nIn May."]

    def test_count_each_character_of_chinese(self) -> None:
        assert cut(self.SMALL, "雨が降った\n\n寝よう") == ["雨が降った", "寝よう"]

    def test_count_what_has_no_words_by_its_length(self) -> None:
        found = cut(SectionPassages(), "-" * 10_000)
        assert "".join(found) == "-" * 10_000
        assert max(map(len, found)) <= 20 * 200

    @steady
    @given(st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=12), st.integers(1, 30))
    def test_are_bounded(self, parts: list[tuple[int, bool]], merged: int) -> None:
        source = written((words(count), is_heading) for count, is_heading in parts)
        for text in cut(SectionPassages(alone=1, merged=merged), source):
            assert len(text.split()) <= 1.5 * merged

    def test_refuse_numbers_that_make_no_sense(self) -> None:
        for options, message in [
            ({"alone": 0}, "(alone=...) must be an integer of at least 1, not 0"),
            ({"merged": 1.5}, "(merged=...) must be an integer of at least 1, not 1.5"),
            ({"alone": 9, "merged": 8}, "(alone=...) must be at most merged, 8, not 9"),
        ]:
            with pytest.raises(CiteguardError) as caught:
                SectionPassages(**options)
            assert str(caught.value) == f"SectionPassages{message}"


def counts(passages: TokenPassages, source: Source | str) -> list[int]:
    return [len(tokenize(text)) for text in cut(passages, source)]


class TestTokenPassages:
    def test_by_default_have_256_to_512_tokens_and_share_50(self) -> None:
        text = sentences(300)
        found = cut(TokenPassages(), text)
        assert all(256 <= len(tokenize(each)) <= 512 for each in found)
        for one, other in pairwise(found):
            shared = next(n for n in range(len(one)) if other.startswith(one[n:]))
            assert 50 <= len(tokenize(one[shared:])) <= 60
        assert all(each.startswith("Sentence") and each.endswith("here.") for each in found)

    def test_of_a_section_are_even(self) -> None:
        assert counts(TokenPassages(overlap=0), sentences(60)) == [300, 300]

    def test_of_a_short_document_are_one(self) -> None:
        source = written([("Pay", True), (sentences(3), False), ("Notice", True), ("Late.", False)])
        assert cut(TokenPassages(), source) == [source.text]

    def test_keep_to_sections_that_are_long_enough(self) -> None:
        source = written(
            [("Pay", True), (sentences(30), False), ("Notice", True), (sentences(40), False)]
        )
        assert [text.split()[0] for text in cut(TokenPassages(), source)] == ["Pay", "Notice"]

    def test_merge_a_short_section_with_the_next_and_the_last_with_the_one_before(self) -> None:
        lengths = [1, 30, 30, 1]
        source = written(
            block
            for number, length in enumerate(lengths)
            for block in ((f"Part{number}", True), (sentences(length), False))
        )
        found = cut(TokenPassages(), source)
        assert [[f"Part{n}" in text for n in range(4)] for text in found] == [
            [True, True, False, False],
            [False, False, True, True],
        ]

    def test_do_not_part_a_heading_from_the_text_below_it(self) -> None:
        source = written(
            block
            for number in range(40)
            for block in ((f"Part{number}", True), (sentences(4), False))
        )
        for text in cut(TokenPassages(overlap=0), source):
            assert text.startswith("Part")
            assert text.endswith("here.")

    def test_cut_a_long_sentence_between_words(self) -> None:
        found = cut(TokenPassages(overlap=0), words(3_000))
        assert all(256 <= len(each.split()) <= 512 for each in found)
        assert set(" ".join(found).split()) == {"word"}

    def test_count_as_they_are_told(self) -> None:
        passages = TokenPassages(least=100, most=250, overlap=0, tokenize=list)
        assert all(100 <= len(text) <= 250 for text in cut(passages, sentences(50)))

    def test_end_where_a_tokenizer_counts_more_than_any_passage_may_have(self) -> None:
        for text in ["It rained. " * 9, "x"]:
            passages = TokenPassages(least=1, most=2, overlap=0, tokenize=lambda _: range(9))
            assert "".join(cut(passages, text)).replace(" ", "") == text.replace(" ", "")

    @steady
    @given(
        st.lists(st.tuples(st.integers(1, 40), st.integers(4, 20), st.booleans()), max_size=10),
        st.integers(20, 60),
        st.data(),
    )
    def test_are_bounded(
        self, parts: list[tuple[int, int, bool]], least: int, data: st.DataObject
    ) -> None:
        most = data.draw(st.integers(2 * least, 200))
        overlap = data.draw(st.integers(0, least - 1))
        source = written((sentences(n, each), heading) for n, each, heading in parts)
        total = len(tokenize(source.text))
        for count in counts(TokenPassages(least=least, most=most, overlap=overlap), source):
            assert min(least, total) <= count <= most

    def test_refuse_numbers_that_cannot_be_kept_to(self) -> None:
        for options, message in [
            ({"least": 0}, "(least=...) must be an integer of at least 1, not 0"),
            ({"most": None}, "(most=...) must be an integer of at least 1, not None"),
            ({"overlap": -1}, "(overlap=...) must be an integer of at least 0, not -1"),
            ({"most": 511}, "(least=...) must be at most half of most, 511, not 256"),
            ({"overlap": 256}, "(overlap=...) must be below least, 256, not 256"),
        ]:
            with pytest.raises(CiteguardError) as caught:
                TokenPassages(**options)
            assert str(caught.value) == f"TokenPassages{message}"


class TestHostileText:
    """Each takes a moment where time grows with the length, and minutes where with its square."""

    PASSAGES = pytest.mark.parametrize(
        "passages", [SectionPassages(), TokenPassages(tokenize=str.split)], ids=["words", "tokens"]
    )

    @PASSAGES
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("word " * 30_000, id="without stops"),
            pytest.param("x" * 300_000, id="one word"),
            pytest.param("a\n\n" * 10_000, id="tiny paragraphs"),
            pytest.param(("a" + " " * 999) * 2_000, id="wide gaps"),
            pytest.param("\n" * 1_000_000 + "a", id="blank lines"),
        ],
    )
    def test_is_cut(self, passages: Passages, text: str) -> None:
        spans = passages.of(Source("doc", text))
        assert sum(len(text[span.start : span.end].split()) for span in spans) >= len(text.split())

    @PASSAGES
    @pytest.mark.parametrize("body", ["", "It rained."], ids=["nothing below", "text below"])
    def test_of_very_many_headings_is_cut(self, passages: Passages, body: str) -> None:
        source = written(
            block for number in range(10_000) for block in ((f"{number}", True), (body, False))
        )
        spans = passages.of(source)
        assert len(spans) >= 10_000 / 512
        assert max(span.end - span.start for span in spans) <= 20 * 512


RETRIEVERS: list[type[Any]] = [BM25Retriever, DenseRetriever]


def lengths(texts: Sequence[str]) -> Any:
    return [[len(text), 1.0] for text in texts]


def retriever(kind: type[Any], **options: Any) -> Retriever:
    return kind(**options) if kind is BM25Retriever else kind(lengths, **options)


@pytest.mark.parametrize("kind", RETRIEVERS)
class TestRetrievers:
    SOURCE = written([("Rain", True), ("It rained. It was late. " * 3, False), ("Late", True)])

    def test_find_the_passages_that_they_are_given(self, kind: type[Any]) -> None:
        found = Sources([self.SOURCE]).search(
            "rain late", k=9, retriever=retriever(kind, passages=SectionPassages())
        )
        assert {each.span for each in found} == set(SectionPassages().of(self.SOURCE))

    def test_cut_by_sections_where_there_are_headings_and_by_windows_elsewhere(
        self, kind: type[Any]
    ) -> None:
        plain = Source("plain", self.SOURCE.text)
        found = Sources([self.SOURCE, plain]).search("rain late", k=9, retriever=retriever(kind))
        spans = {each.span for each in found}
        assert spans >= set(SectionPassages().of(self.SOURCE))
        assert spans <= {*SectionPassages().of(self.SOURCE), *Windows().of(plain)}
        assert len(spans) > len(SectionPassages().of(self.SOURCE))

    def test_keep_what_is_cut_differently_apart(self, kind: type[Any]) -> None:
        sources = Sources([self.SOURCE])
        for passages in (SectionPassages(), SectionPassages(alone=1, merged=1), TokenPassages()):
            found = sources.search("rain", k=9, retriever=retriever(kind, passages=passages))
            assert {each.span for each in found} <= set(passages.of(self.SOURCE))

    def test_take_ways_of_ones_own(self, kind: type[Any]) -> None:
        class Whole(Passages):
            def intervals(self, source: Source) -> list[tuple[int, int]]:
                return [(0, len(source.text))]

        found = Sources("rain.").search("rain", retriever=retriever(kind, passages=Whole()))
        assert [each.span for each in found] == [Span("1", 0, 5)]

    def test_refuse_passages_beside_windows(self, kind: type[Any]) -> None:
        for options in [{"size": 3}, {"overlap": 0}, {"unit": "tokens"}]:
            (name,) = options
            with pytest.raises(CiteguardError, match=rf"\(\) takes {name} or passages, not both"):
                retriever(kind, passages=Windows(), **options)

    def test_refuse_what_is_no_passages(self, kind: type[Any]) -> None:
        for passages in ["sections", SectionPassages, 3]:
            with pytest.raises(
                CiteguardError, match=r"\(passages=...\): expected Passages, such as"
            ):
                retriever(kind, passages=passages)


class TestRepresentations:
    @pytest.mark.parametrize(
        "expected",
        [
            "BM25Retriever(passages=SectionPassages(alone=100, merged=200), k1=1.5, b=0.75)",
            "BM25Retriever(passages=TokenPassages(least=256, most=512, overlap=50, "
            "tokenize=None), k1=1.5, b=0.75)",
        ],
    )
    def test_are_calls_that_make_the_same(self, expected: str) -> None:
        assert repr(eval(expected)) == expected

    def test_of_windows_are_by_their_settings(self) -> None:
        assert repr(BM25Retriever(passages=Windows(size=4))) == repr(BM25Retriever(size=4))

    def test_passages_are_keys(self) -> None:
        assert len({SectionPassages(), SectionPassages(), replace(SectionPassages(), alone=9)}) == 2

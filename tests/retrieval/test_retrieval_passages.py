"""Passages: what every way of cutting promises, and what each of the three does."""

from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Source
from citeguard.language.sentences import LONGEST
from citeguard.language.tokens import tokenize
from citeguard.retrieval.passages import Passages, SectionPassages, TokenPassages, Windows
from citeguard.sources.layout import Heading, Layout
from rows import each_row

steady = settings(derandomize=True)


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
    st.integers(4, 40).flatmap(
        lambda most: st.builds(
            TokenPassages, most=st.just(most), overlap=st.integers(0, most // 2 - 1)
        )
    ),
)


class TestAll:
    @steady
    @given(source=documents, passages=ways)
    def test_hold_every_character_that_is_not_blank_in_order(
        self, source: Source, passages: Passages
    ) -> None:
        position, spans = 0, passages.of(source)
        assert all(a.start < b.start and a.end < b.end for a, b in pairwise(spans))
        for span in spans:
            text = source.text[span.start : span.end]
            assert text == text.strip() != ""
            assert not source.text[position : span.start].strip()
            position = max(position, span.end)
        assert not source.text[position:].strip()

    @steady
    @given(
        source=documents,
        passages=st.sampled_from(
            [Windows(), SectionPassages(), SectionPassages(alone=2, merged=5), TokenPassages()]
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


class TestSections:
    """The borders that all ways know."""

    SMALL = SectionPassages(alone=4, merged=6)

    @each_row(
        ("passages", "blocks", "expected"),
        [
            (
                Windows(),
                [("Pay", True), ("It rained. It was late.", False), ("Notice", True)],
                ["Pay\n\nIt rained. It was late.", "Notice"],
            ),
            (
                SMALL,
                [("Pay", True), (words(2), False), (words(5), False), ("Notice", True)],
                [f"Pay\n\n{words(2)}", words(5), "Notice"],
            ),
            (
                SMALL,
                [("One.", False), ("Pay", True), ("Bonus", True), ("In May.", False)],
                ["One.", "Pay\n\nBonus\n\nIn May."],
            ),
        ],
    )
    def test_end_passages(
        self, passages: Passages, blocks: list[tuple[str, bool]], expected: list[str]
    ) -> None:
        assert cut(passages, written(blocks)) == expected

    def test_begin_with_the_mark_before_their_heading(self) -> None:
        text = "One.\n\n2. Pay\n\nIn May."
        layout = Layout("markdown", len(text), headings=[Heading("Pay", 1, 9, 12)])
        assert cut(self.SMALL, Source("doc", text, layout=layout)) == ["One.", "2. Pay\n\nIn May."]


class TestSectionPassages:
    @each_row(
        ("counts", "expected"),
        [([3, 3], [6]), ([3, 3, 1], [6, 1]), ([4, 2], [6]), ([1, 5, 1], [1, 5, 1]), ([9], [9])],
    )
    def test_are_paragraphs(self, counts: list[int], expected: list[int]) -> None:
        text = " \n\t\r\n".join(words(count) for count in counts)
        found = cut(SectionPassages(alone=4, merged=6), text)
        assert [len(each.split()) for each in found] == expected

    def test_cut_a_paragraph_that_is_much_too_long_evenly_between_sentences(self) -> None:
        found = cut(SectionPassages(), sentences(31))
        assert [len(each.split()) for each in found] == [160, 150]
        assert all(each.startswith("Sentence") and each.endswith("here.") for each in found)

    def test_count_ideographs_and_what_has_no_words(self) -> None:
        assert cut(SectionPassages(alone=4, merged=6), "雨が降った\n\n寝よう") == [
            "雨が降った",
            "寝よう",
        ]
        assert max(map(len, cut(SectionPassages(), "-" * 10_000))) <= 20 * 200

    @steady
    @given(st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=12), st.integers(1, 30))
    def test_are_bounded(self, parts: list[tuple[int, bool]], merged: int) -> None:
        source = written((words(count), is_heading) for count, is_heading in parts)
        for text in cut(SectionPassages(alone=1, merged=merged), source):
            assert len(text.split()) <= 1.5 * merged


class TestTokenPassages:
    def test_by_default_have_256_to_512_tokens_and_share_50(self) -> None:
        found = cut(TokenPassages(), sentences(300))
        assert all(256 <= len(tokenize(each)) <= 512 for each in found)
        for one, other in pairwise(found):
            shared = next(n for n in range(len(one)) if other.startswith(one[n:]))
            assert 50 <= len(tokenize(one[shared:])) <= 60
        assert all(each.startswith("Sentence") and each.endswith("here.") for each in found)

    def test_count_as_a_tokenizer_does(self) -> None:
        passages = TokenPassages(most=200, overlap=0, tokenize=list)
        assert all(100 <= len(text) <= 200 for text in cut(passages, sentences(50)))
        excessive = TokenPassages(most=2, overlap=0, tokenize=lambda _: range(9))
        assert "".join(cut(excessive, "It rained.")) == "Itrained."

    @steady
    @given(
        st.lists(st.tuples(st.integers(1, 40), st.integers(4, 20), st.booleans()), max_size=10),
        st.integers(40, 120),
        st.data(),
    )
    def test_are_bounded(
        self, parts: list[tuple[int, int, bool]], most: int, data: st.DataObject
    ) -> None:
        overlap = data.draw(st.integers(0, most // 2 - 1))
        source = written((sentences(n, each), heading) for n, each, heading in parts)
        for text in cut(TokenPassages(most=most, overlap=overlap), source):
            assert len(tokenize(text)) <= most


@each_row(
    ("way", "options", "message"),
    [
        (Windows, {"size": 0}, "(size=...) must be an integer of at least 1, not 0"),
        (Windows, {"overlap": -1}, "(overlap=...) must be an integer of at least 0, not -1"),
        (Windows, {"size": 2, "overlap": 2}, "(overlap=...) must be below size, 2, not 2"),
        (SectionPassages, {"alone": 0}, "(alone=...) must be an integer of at least 1, not 0"),
        (
            SectionPassages,
            {"merged": 1.5},
            "(merged=...) must be an integer of at least 1, not 1.5",
        ),
        (SectionPassages, {"merged": 8}, "(alone=...) must be at most merged, 8, not 100"),
        (TokenPassages, {"most": None}, "(most=...) must be an integer of at least 2, not None"),
        (TokenPassages, {"overlap": 256}, "(overlap=...) must be below half of most, 512, not 256"),
    ],
)
def test_numbers_that_make_no_sense(way: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(CiteguardError) as caught:
        way(**options)
    assert str(caught.value) == f"{way.__name__}{message}"


class TestHostileText:
    """Each takes a moment where time grows with the length, and minutes where with its square."""

    @each_row("passages", [SectionPassages(), TokenPassages(tokenize=str.split)], ids=type)
    @each_row(
        "source",
        [
            Source("doc", "word " * 6_000),
            Source("doc", "x" * 60_000),
            Source("doc", "a\n\n" * 2_000),
            Source("doc", ("a" + " " * 999) * 400),
            Source("doc", "\n" * 200_000 + "a"),
            written((str(number), True) for number in range(4_000)),
        ],
    )
    def test_is_cut(self, passages: Passages, source: Source) -> None:
        found = cut(passages, source)
        assert sum(len(each.split()) for each in found) >= len(source.text.split())

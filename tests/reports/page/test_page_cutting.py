from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from citeguard.reports import views as page_text
from citeguard.reports.page import as_html
from citeguard.reports.report import (
    CheckedClaim,
    CheckedSource,
    CitationFinding,
    Place,
    Report,
)
from citeguard.reports.views import (
    SourceViews,
    blocks,
    plain,
    shortened,
    stretches,
    text_blocks,
    visible,
    with_line_feeds,
)

_TEXTS = st.text("ab \n<&\"'é\U0001f600", max_size=60)
_SPANS = st.lists(st.tuples(st.integers(-3, 60), st.integers(-3, 70)), max_size=6)


def _place(source: CheckedSource, start: int, end: int) -> Place:
    text = source.text[start:end]
    return Place(source_id=source.id, start=start, end=end, line=1, text=text)


def _claims(spans: list[tuple[int, int]], source: CheckedSource) -> tuple[CheckedClaim, ...]:
    return tuple(
        CheckedClaim(
            number=number,
            text="claimed",
            start=start,
            end=end,
            sentence_start=start,
            sentence_end=end,
            verdict="supported",
            explanation="said",
            evidence=(_place(source, max(0, start), end),),
        )
        for number, (start, end) in enumerate(spans, 1)
    )


class TestBlocks:
    def test_end_with_lines(self) -> None:
        text = "a line\n" * 2_000
        assert all(text[:end].endswith("\n") for _, end in blocks(text))

    def test_end_without_lines_all_the_same(self) -> None:
        assert [end - start for start, end in blocks("x" * 25_000)] == [10_000, 10_000, 5_000]

    def test_do_not_cut_what_is_kept(self) -> None:
        text = "a line\n" * 4_000
        kept = [(1_500, 6_001), (6_100, 6_200), (7_500, 13_500)]
        borders = {border for block in blocks(text, kept) for border in block}
        assert not any(low < border < high for low, high in kept for border in borders)

    def test_end_after_what_is_kept_however_long_it_is(self) -> None:
        assert blocks("a line\n" * 4_000, [(1_500, 20_000)])[0] == (0, 20_000)

    @given(st.text("ab\n ", max_size=300), _SPANS)
    def test_cover_the_text(self, text: str, spans: list[tuple[int, int]]) -> None:
        kept = [
            (low, high)
            for low, high, owner in stretches(0, len(text), [(*s, 1) for s in sorted(spans)])
            if owner
        ]
        before = page_text.BLOCK
        page_text.BLOCK = 7
        try:
            cut = blocks(text, kept)
        finally:
            page_text.BLOCK = before
        assert "".join(text[start:end] for start, end in cut) == text
        assert all(start < end for start, end in cut)


class TestTextBlocks:
    @given(_TEXTS, _SPANS, _SPANS)
    def test_have_every_character_once(
        self, text: str, spans: list[tuple[int, int]], marks: list[tuple[int, int]]
    ) -> None:
        source = CheckedSource(id="s", text=text)
        findings = tuple(
            CitationFinding(problem="redundant", start=start, end=end, message="twice")
            for start, end in marks
        )
        report = Report(text=text, sources=(), claims=_claims(spans, source), findings=findings)
        passages = [passage for block in text_blocks(report) for passage in block]
        html = "".join(words.html for passage in passages for words in passage.words)
        assert unescape(html) == text
        assert [passage.start for passage in passages] == [
            0,
            *(passage.end for passage in passages[:-1]),
        ][: len(passages)]
        assert sum(passage.end - passage.start for passage in passages) == len(text)

    def test_go_on_with_a_long_claim_in_the_next_block(self) -> None:
        text = "word " * 10_000
        source = CheckedSource(id="s", text=text)
        report = Report(text=text, sources=(), claims=_claims([(0, len(text))], source))
        passages = [passage for block in text_blocks(report) for passage in block]
        assert [passage.continued for passage in passages] == [False, True, True, True, True]
        page = as_html(report)
        assert page.count('id="c1"') == 1
        assert page.count('class="claim-rest v-supported"') == 4


class TestSourceViews:
    @given(_TEXTS.filter(bool), _SPANS)
    def test_finds_the_words_of_every_place(self, text: str, spans: list[tuple[int, int]]) -> None:
        source = CheckedSource(id="s", text=text)
        report = Report(text="", sources=(source,), claims=_claims(spans, source))
        shelf = SourceViews(report)
        [view] = shelf.sources
        segments = [segment for block in view.blocks for segment in block]
        numbers = [segment.number for segment in segments if segment.number]
        assert numbers == list(range(1, len(numbers) + 1))
        for place in shelf.places:
            assert bool(place.first) == (0 <= place.place.start < place.place.end <= len(text))
            words = (
                segment.html
                for segment in segments
                if place.first and place.first <= segment.number <= place.last
            )
            assert unescape("".join(words)) == (place.place.text if place.first else "")

    def test_numbers_segments_through_all_sources(self) -> None:
        sources = (CheckedSource(id="a", text="one two"), CheckedSource(id="b", text="three"))
        claims = tuple(
            claim
            for source in sources
            for claim in _claims([(0, 3), (1, len(source.text))], source)
        )
        shelf = SourceViews(Report(text="", sources=sources, claims=claims))
        cut = [
            [(str(one.html), one.number) for block in view.blocks for one in block]
            for view in shelf.sources
        ]
        assert cut == [
            [("o", 1), ("ne", 2), (" two", 3)],
            [("t", 4), ("hr", 5), ("ee", 6)],
        ]


class TestDisplay:
    @given(st.text(st.characters(codec=None)))
    def test_encodes_to_utf_8(self, text: str) -> None:
        assert plain(text).encode() is not None
        assert str(visible(text)).encode() is not None

    @given(st.text())
    def test_shows_the_same_with_and_without_markup(self, text: str) -> None:
        shown = re.sub("<[^>]*>", "", visible(with_line_feeds(text)))
        assert unescape(shown) == plain(text)

    def test_names_what_cannot_be_seen(self) -> None:
        assert plain("a\u202eb\x00\x00c\t\n") == "a⟨U+202E⟩b⟨U+0000 ×2⟩c\t\n"

    def test_cuts_off_what_is_too_long(self) -> None:
        assert shortened("12345", 5) == "12345"
        assert shortened("123456", 5) == "1234…"

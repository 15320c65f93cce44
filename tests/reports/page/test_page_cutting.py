import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from citeguard.language.excerpts import shortened
from citeguard.reports import cutting
from citeguard.reports.cutting import cut
from citeguard.reports.html import plain, visible, with_line_feeds
from citeguard.reports.page import SourceViews, text_blocks
from citeguard.reports.report import CheckedClaim, CheckedSource, CitationFinding, Place, Report

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


def _blocks(text: str, whole: list[tuple[int, int]]) -> list[tuple[int, int]]:
    none = list[tuple[int, int, None]]()
    return [(block[0].start, block[-1].end) for block in cut(text, none, whole=whole)]


class TestBlocks:
    def test_end_with_lines(self) -> None:
        text = "a line\n" * 2_000
        blocks = _blocks(text, [])
        assert len(blocks) == 7
        assert all(text[:end].endswith("\n") for _, end in blocks)

    def test_do_not_cut_what_is_whole_however_long_it_is(self) -> None:
        text = "a line\n" * 4_000
        whole = [(1_500, 6_001), (6_100, 6_200), (7_500, 20_000)]
        borders = {border for block in _blocks(text, whole) for border in block}
        assert not any(low < border < high for low, high in whole for border in borders)
        assert len(borders) > 4

    @given(st.text("ab\n #-", max_size=300), _SPANS, _SPANS)
    def test_have_every_character_in_one_piece(
        self, text: str, spans: list[tuple[int, int]], whole: list[tuple[int, int]]
    ) -> None:
        before, cutting.BLOCK = cutting.BLOCK, 7
        try:
            blocks = cut(text, [(*span, at) for at, span in enumerate(spans)], whole=whole)
        finally:
            cutting.BLOCK = before
        pieces = [piece for block in blocks for piece in block]
        assert "".join(text[piece.start : piece.end] for piece in pieces) == text
        for piece in pieces:
            over = {n for n, (low, high) in enumerate(spans) if low <= piece.start < high}
            assert set(piece.over) == over
        opened = [piece.opens for piece in pieces if piece.opens]
        assert opened == [piece.closes for piece in pieces if piece.closes]
        for block in blocks:
            assert sum(bool(each.opens) - bool(each.closes) for each in block) == 0


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
        for place in shelf.places.values():
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

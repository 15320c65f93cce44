import re
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from typing import Any, ClassVar

from hypothesis import given
from hypothesis import strategies as st

from citeguard.reports.page import Change, as_html, changes_of
from citeguard.reports.report import (
    CheckedClaim,
    CheckedLink,
    CheckedSource,
    Correction,
    Replacement,
    Report,
    Uncovered,
)
from citeguard.sources.layout import Heading
from reports.samples import claim, full_report, report_of
from rows import each_row


def _elements(page: str, tag: str) -> list[str]:
    return re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", page, re.DOTALL)


class TestAsHtml:
    def test_allows_its_own_style_and_script_only(self) -> None:
        page = as_html(full_report())
        [style] = _elements(page, "style")
        *_, script = _elements(page, "script")
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
        assert policy is not None
        digests = [
            b64encode(sha256(inline.encode()).digest()).decode() for inline in (style, script)
        ]
        assert policy[1].startswith(
            f"default-src 'none'; style-src 'sha256-{digests[0]}'; "
            f"script-src 'sha256-{digests[1]}';"
        )
        assert "unsafe" not in policy[1]

    def test_has_no_style_or_handler_in_an_attribute(self) -> None:
        class Attributes(HTMLParser):
            names: ClassVar[set[str]] = set()

            def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
                self.names.update(name for name, _ in attrs)

        reader = Attributes()
        reader.feed(as_html(full_report()))
        assert "aria-label" in reader.names
        assert not {name for name in reader.names if name == "style" or name.startswith("on")}

    def test_says_when_a_page_was_read(self) -> None:
        url = "https://example.org/"
        link = CheckedLink(
            url=url, outcome="read", source_id="a", fetched_at=datetime(2026, 3, 9, tzinfo=UTC)
        )
        source = CheckedSource(id="a", text="One.", url=url)
        page = as_html(Report(text="", sources=(source,), claims=(), links=(link,)))
        assert _elements(page, "time") == ["read on 9 March 2026"]

    def test_is_named_by_its_title(self) -> None:
        page = as_html(full_report(), title="A & B")
        assert "<title>A &amp; B</title>" in page
        assert '<h1 dir="auto">A &amp; B</h1>' in page

    def test_shows_a_report_of_nothing(self) -> None:
        page = as_html(Report(text="", sources=(), claims=()))
        for words in ("The text is empty.", "There are no sources.", "The text has no claims."):
            assert words in page
        assert "Nothing to check" in page

    def test_heads_a_passage_that_decides_nothing(self) -> None:
        report = full_report()
        looked_at = report.claims[0].evidence
        pool = report.claims[4].model_copy(update={"evidence": looked_at})
        page = as_html(report.model_copy(update={"claims": (pool,)}))
        entry = page[page.index('id="claim-5"') :]
        assert '<summary>Closest passages <span class="many">1</span></summary>' in entry
        assert "<summary>Closest passages" not in as_html(report)

    def test_lists_sentences_not_examined(self) -> None:
        text = "Yes. No."
        report = Report(text=text, sources=(), claims=(), uncovered=(Uncovered(start=5, end=8),))
        page = as_html(report)
        assert '<b class="problem">Not examined</b> <bdi class="quoted">No.</bdi>' in page

    @each_row("url", ["javascript:alert(1)", "data:text/html,x", "file:///etc"])
    def test_links_to_web_pages_only(self, url: str) -> None:
        report = full_report()
        source = report.sources[0].model_copy(update={"url": url})
        page = as_html(report.model_copy(update={"sources": (source, report.sources[1])}))
        assert url not in page

    def test_takes_offsets_outside_of_the_texts(self) -> None:
        report = full_report()
        wild = report.claims[0].model_copy(update={"start": 5_000, "end": 6_000})
        lost = report.claims[1].deciding
        assert lost is not None
        place = lost.model_copy(update={"start": 90_000, "end": 90_001})
        unknown = lost.model_copy(update={"source_id": "nowhere"})
        claims = (
            wild,
            report.claims[1].model_copy(update={"deciding": place, "evidence": (unknown,)}),
        )
        page = as_html(report.model_copy(update={"claims": claims}))
        assert "nowhere" in page
        assert 'id="c2"' in page


class TestProblems:
    def test_are_what_needs_attention_and_then_wrong_citations(self) -> None:
        report = full_report()
        stops = re.findall(r'value="(\d+)" data-problem', as_html(report))
        # The last is supported, but cites the wrong source.
        assert [*map(int, stops)] == [*(claim.number for claim in report.urgent), 4]


class TestTheList:
    def test_is_one_with_the_citations_of_each_claim(self) -> None:
        page = as_html(full_report())
        assert page.count('<section class="list') == 1
        entry = page[page.index('id="claim-4"') : page.index("</li>", page.index('id="claim-4"'))]
        assert '<b class="problem">Wrong source</b>' in entry


class TestLinesOfMarkdown:
    def page_of(self, text: str, **fields: Any) -> str:
        source = CheckedSource(id="s", text=text, **fields)
        return as_html(Report(text=text, sources=(source,), claims=()))

    def test_of_a_file_are_headings_items_and_tables(self) -> None:
        page = self.page_of(
            "Pay\n\n- Monthly.\n\nYear | Pay\n2023 | 90",
            kind="markdown",
            headings=(Heading("Pay", 2, 0, 3),),
        )
        cells = '<span class="cell">{}</span>'.format
        separator = '<span class="separator"> | </span>'
        sources = page[page.index('id="sources"') :]
        assert '<div class="h2">Pay\n\n</div><div class="item">- Monthly.\n\n</div>' in sources
        for form, *words in (("head", "Year", "Pay\n"), ("row", "2023", "90")):
            row = separator.join(map(cells, words))
            assert f'<div class="{form}">{row}</div>' in sources

    def test_of_a_text_lose_their_marks(self) -> None:
        page = self.page_of("# Pay\n\nIt is **monthly**, by `SEPA`.")
        assert page.count('<div class="h1"><span class="syntax"># </span>Pay\n\n</div>') == 2
        assert page.count("<strong>monthly</strong>") == page.count("<code>SEPA</code>") == 2

    def test_of_a_text_are_tables(self) -> None:
        page = self.page_of("| Year | Pay |\n|---|:-:|\n| 2023 | 90 |\n\na | b\n")
        for form, *words in (("head", "Year", "Pay"), ("row", "2023", "90")):
            row = "".join(f'<span class="cell">{each}</span>|' for each in ("", *words, ""))
            bare = re.sub(r'<span class="separator">[^<]*</span>', "|", page)
            assert f'<div class="{form}">{row[:-1]}</div>' in bare
        assert '<div class="rule">|---|:-:|\n</div>' in page
        assert "a | b" in page

    def test_of_a_text_are_tables_with_claims_across_cells(self) -> None:
        text = "| Year | Pay |\n|---|---|\n| 2023 | It was **90** pounds |\n"
        said = claim(1, text, "2023 | It was **90** pounds", "supported")
        page = as_html(report_of(text, (said,)))
        assert '<span class="cell"><span class="claim-rest v-supported">2023</span></span>' in page
        row = page[page.index('id="c1"') : page.index("</div>", page.index('id="c1"'))]
        assert "<strong>90</strong>" in row
        assert page.count('id="c1"') == 1

    @each_row("kind", ["text", "pdf"])
    def test_are_not_sought_where_marks_mean_something_else(self, kind: str) -> None:
        page = self.page_of("# no heading\n- no item\na | b", kind=kind)
        assert '<div class="block"># no heading\n- no item\na | b</div>' in page

    @given(st.text(alphabet="#*` -|a\n1.<", max_size=60))
    def test_keep_every_character(self, text: str) -> None:
        for kind in (None, "markdown"):
            page = self.page_of(text, kind=kind)
            [_, *papers] = page.split("<script")[0].split('<div class="paper" lang="">')
            if text:
                shown = [unescape(re.sub("<[^>]*>", "", paper)) for paper in papers]
                assert all(
                    each.replace("\n", "").startswith(text.replace("\n", "")) for each in shown
                )


def _corrected(text: str, *swaps: tuple[int, int, str]) -> CheckedClaim:
    replacements = tuple(Replacement(start=low, end=high, text=new) for low, high, new in swaps)
    correction = Correction(claim="", sentence="", replacements=replacements)
    return claim(1, text, text, "contradicted", correction=correction)


def _read(changes: list[Change], *kinds: str) -> str:
    return "".join(words for kind, words in changes if kind in kinds)


class TestChangesOf:
    def test_are_of_the_words_of_the_sentence(self) -> None:
        report = full_report()
        assert changes_of(report.text, report.claims[1]) == [
            ("kept", "The institute was founded in "),
            ("removed", "1985"),
            ("added", "1984"),
            ("kept", " by Marta Lindqvist"),
        ]

    @given(st.data(), st.text("ab/( .九[", min_size=1, max_size=40))
    def test_read_as_the_sentence_before_and_after(self, data: st.DataObject, text: str) -> None:
        borders = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
        new = st.text("xy (", max_size=4)
        pairs = zip(borders[::2], borders[1::2], strict=False)
        swaps = [(low, high, data.draw(new)) for low, high in pairs]
        after, at = "", 0
        for low, high, words in swaps:
            after, at = after + text[at:low] + words, high
        changes = changes_of(text, _corrected(text, *swaps))
        assert _read(changes, "kept", "removed") == text
        assert _read(changes, "kept", "added") == after + text[at:]

from html.parser import HTMLParser
from typing import ClassVar

from page.page_samples import everything, large, report_of

from citeguard.reports.cards import report_card
from citeguard.reports.report import Report
from rows import each_row


class TestReportCard:
    def test_says_what_matters(self) -> None:
        card = report_card(everything())
        for words in (
            "5 of 10 statements are supported; 2 are contradicted; 2 are unsupported",
            "The claim says 1985; the source says 1984.",
            "handbook, line 7",
            "swimming pool",
        ):
            assert words in card

    def test_is_of_bounded_size_and_says_what_it_leaves_out(self) -> None:
        report = large(300_000)
        card = report_card(report)
        assert len(card) < 60_000
        assert f"{len(report.text) - 6_000:,} more characters; to_html() shows them all." in card
        assert f"{len(report.urgent) - 19:,} more" in card

    def test_needs_neither_script_nor_style_sheet(self) -> None:
        class Tags(HTMLParser):
            seen: ClassVar[set[str]] = set()

            def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
                self.seen.update([tag, *(f"@{name}" for name, _ in attrs)])

        reader = Tags()
        reader.feed(report_card(everything()))
        assert not reader.seen & {"script", "style", "link", "@class", "@id", "@onclick"}

    @each_row("text", ["<script>alert(1)</script>", "{{ 7*7 }}", "\ud800\x00\u202e"])
    def test_shows_text_as_text(self, text: str) -> None:
        card = report_card(report_of(text))
        assert "<script" not in card
        assert card.encode() is not None
        assert "\u202e" not in card

    def test_shows_a_report_of_nothing(self) -> None:
        assert "Nothing to check" in report_card(Report(text="", sources=(), claims=()))

"""What a notebook shows of matches, answers, sources, libraries and replies."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any, Protocol

from citeguard import Answer, Library, Policy, Sources, audit, locate, use_sources
from citeguard.library.reply import Reference, Reply, ReplyStatement
from citeguard.reports.cards import report_card
from citeguard.reports.report import Report
from citeguard.sources.collection import Passage, Source, Span
from citeguard.sources.layout import Doubt, Layout
from citeguard.testing import ScriptedJudge
from reports.samples import HOSTILE, full_report, large, report_of
from rows import each_row

HANDBOOK = (
    "The notice period is one month. It doesn’t apply during probation. "
    "It is said that tea is free."
)
SOURCES = Sources(
    [
        Source("handbook", HANDBOOK),
        Source(
            "scan",
            "The fee is 40 euros.",
            url="https://example.com/scan",
            layout=Layout("text", 20, doubts=[Doubt(11, 13, "recognised")]),
        ),
    ]
)


class Shown(Protocol):
    def _repr_html_(self) -> str: ...


def html_of(shown: Shown | None) -> str:
    assert shown is not None
    return shown._repr_html_()  # pyright: ignore[reportPrivateUsage]


def seen(html: str) -> str:
    """Return what a reader sees, with marks between ⟦ and ⟧."""
    marked = html.replace("</mark>", "⟧").replace("</div>", " ")
    return " ".join(re.sub(r"<[^>]*>", "", re.sub(r"<mark[^>]*>", "⟦", marked)).split())


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.update([tag, *(f"@{name}" for name, _ in attrs)])


def tags_of(html: str) -> set[str]:
    reader = Tags()
    reader.feed(html)
    return reader.seen


FORBIDDEN = {"script", "style", "link", "@class", "@id", "@onclick"}
"""What a notebook would remove, or obey."""


def answer_of(*quotes: str, policy: Policy | None = None, **facts: Any) -> Answer:
    statement = {"text": "It is so.", "citations": [{"quote": quote} for quote in quotes]}
    data = {"statements": [statement], **facts}
    return Answer.model_validate(data, context=SOURCES.as_context(policy))


def reply_of(text: str, title: str = "Handbook") -> Reply:
    """Return an answer with one statement, whose quote is all of a passage but its first word."""
    span = Span("handbook", 100 + text.index(" ") + 1, 100 + len(text))
    quote = text[text.index(" ") + 1 :]
    reference = Reference(
        number=1, source_id="handbook", title=title, page=4, span=span, quote=quote
    )
    return Reply(
        question=text,
        outcome="answered",
        statements=(ReplyStatement(text=text, numbers=(1,)), ReplyStatement(text="So is tea.")),
        references=(reference,),
        passages=(Passage(Span("handbook", 100, 100 + len(text)), text, 1.0),),
    )


class TestMatch:
    @each_row(
        ("quote", "words"),
        [
            ("one month", "“one month” ✓ Word for word The notice period is ⟦one month⟧."),
            (
                "The notice period ... one month",
                "✓ With omissions ⟦The notice period⟧ is ⟦one month⟧. handbook, line 1",
            ),
            (
                "notice period is one month ... apply during",
                "The ⟦notice period is one month⟧. … It doesn’t ⟦apply during⟧ probation.",
            ),
            ("The notice period is two month.", "✕ Not what the source says Quoted: “two”"),
            ("tea is free", "Attributed by its own sentence: “It is said that”"),
            ("fee is 40", "! Uncertain The ⟦fee is 40⟧ euros. scan, line 1 The file may show"),
        ],
    )
    def test_shows_how_and_where_a_quote_is_found(self, quote: str, words: str) -> None:
        assert words in seen(html_of(locate(quote, SOURCES))).replace(" . ", ". ")

    def test_of_a_long_sentence_shows_what_is_near(self) -> None:
        shown = html_of(locate("here", "far " * 5_000 + "here" + " far" * 5_000))
        assert "…" in shown
        assert "⟦here⟧" in seen(shown)
        assert len(shown) < 4_000


class TestAnswer:
    def test_says_that_no_judge_was_asked(self) -> None:
        shown = seen(html_of(answer_of("one month", unanswerable="what tea costs")))
        assert "1 statement, 1 quote from the sources No judge was asked" in shown
        assert "own, unchecked words: what tea costs" in shown
        assert "⟦one month⟧ ✓ Word for word handbook" in shown

    def test_has_sentences_and_places_where_the_sources_are_known(self) -> None:
        answer = answer_of("It doesn't apply", "fee is 40")
        with use_sources(SOURCES):
            shown = html_of(answer)
        assert "⟦It doesn’t apply⟧ during probation. ✓ In other typography" in seen(shown)
        assert "! Uncertain scan, line 1 The file may show something else" in seen(shown)
        assert 'href="https://example.com/scan#:~:text=' in shown

    def test_shows_the_verdicts_of_judges(self) -> None:
        judge = ScriptedJudge()
        shown = seen(html_of(answer_of("one month", policy=Policy(support=[judge]))))
        assert "✓ Supported It is so." in shown
        assert "No judge" not in shown

    def test_counts_what_was_dropped(self) -> None:
        statements = [
            {"text": "It is so.", "citations": [{"quote": quote}]}
            for quote in ("one month", "two months")
        ]
        context = SOURCES.as_context(Policy(invalid="drop"))
        shown = html_of(Answer.model_validate({"statements": statements}, context=context))
        assert "Dropped, as they were wrong: 1 statement" in seen(shown)


class TestOthers:
    def test_sources_show_titles_sizes_and_beginnings(self) -> None:
        titled = seen(html_of(Sources([Source("faq", "Lunch is free.", title="Questions")])))
        assert titled == "1 source Questions faq, 14 characters Lunch is free."
        shown = seen(html_of(Sources({n: f"Text {n}" for n in range(1_025)})))
        assert shown.startswith("1,025 sources 0 6 characters Text 0")
        assert shown.endswith("1,005 more")

    def test_a_library_shows_its_documents(self) -> None:
        with Library() as library:
            library.add({"faq": "Lunch is free."})
            assert seen(html_of(library)) == "Library: 1 document faq 14 characters"
            shown = seen(html_of(library.ask("Who founded the company?")))
        assert "? Cannot answer A search of the documents found nothing about this." in shown

    def test_a_reply_marks_quotes_in_the_sentences_of_its_passages(self) -> None:
        shown = seen(html_of(reply_of("Lunch is free.")))
        assert "Lunch is free. ✓ Answered" in shown
        assert "Lunch ⟦is free.⟧ Handbook (handbook), p. 4" in shown
        assert "… Unverified So is tea." in shown

    def test_closest_passages_are_shown_alone(self) -> None:
        reply = reply_of("Lunch is free.").model_copy(
            update={"outcome": "passages", "statements": (), "understood": "Is it?"}
        )
        shown = seen(html_of(reply))
        assert "Understood as: Is it? Not answered. Closest passages:" in shown
        assert "⟦is free.⟧" in shown


def _hostile_library() -> str:
    with Library() as library:
        library.add([Source("a", "Words. " + HOSTILE, title=HOSTILE)])
        return html_of(library)


class TestHostileTexts:
    @each_row(
        "made",
        [
            lambda: html_of(locate("Words", [Source("a", "Words " + HOSTILE)])),
            lambda: html_of(Sources([Source("a", HOSTILE, title=HOSTILE, url="javascript:x")])),
            lambda: html_of(answer_of("one month", question=HOSTILE, unanswerable=HOSTILE)),
            lambda: html_of(reply_of("Words " + HOSTILE, HOSTILE)),
            lambda: html_of(audit(HOSTILE, HOSTILE)),
            _hostile_library,
        ],
    )
    def test_are_shown_as_text(self, made: Callable[[], str]) -> None:
        html = made()
        assert "&lt;script&gt;alert(1)" in html
        assert not re.search("[\x00\x1b\u202e]", html)
        assert "javascript:" not in html
        assert not tags_of(html) & FORBIDDEN


class TestReportCard:
    def test_says_what_matters(self) -> None:
        card = report_card(full_report())
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
        assert not tags_of(report_card(full_report())) & FORBIDDEN

    @each_row("text", ["<script>alert(1)</script>", "{{ 7*7 }}", "\ud800\x00\u202e"])
    def test_shows_text_as_text(self, text: str) -> None:
        card = report_card(report_of(text))
        assert "<script" not in card
        assert card.encode() is not None
        assert "\u202e" not in card

    def test_shows_a_report_of_nothing(self) -> None:
        assert "Nothing to check" in report_card(Report(text="", sources=(), claims=()))

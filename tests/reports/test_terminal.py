"""An audit on a terminal: what it shows, how wide, in which colours, and what it never obeys."""

import io
import re
from typing import Any

from hypothesis import given
from inline_snapshot import snapshot
from rich.cells import cell_len
from rich.console import Console

from auditing.papers import audited_paper
from citeguard.reports.html import filled
from citeguard.reports.report import Report
from citeguard.reports.terminal import as_paragraphs, as_renderable
from citeguard.reports.wording import VERDICTS
from reports.samples import (
    claim_of,
    drawn_reports,
    empty_report,
    full_report,
    good_report,
    hostile_report,
    report_of,
    report_with,
    report_with_problem,
)
from rows import each_row


def printed(report: Report, *, width: int = 100, **options: Any) -> str:
    console = Console(file=io.StringIO(), width=width, **options)
    console.print(as_renderable(report))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


class TestWide:
    def test_of_everything(self) -> None:
        assert printed(full_report()) == snapshot("""\
2 of 6 statements are supported; 1 is contradicted; 2 are unsupported; 1 could not be decided; 4
problems with citations: redundant citation, wrong source, unknown source, uncited

(–1) Working here

(✓2) Lunch is free for all employees [faq][faq]. (✕3) The notice period is two months [handbook].
(✓4) It does not apply during probation [handbook].
(?5) Lunch is free and served until 3 p.m. [handbook]
(?6) The office has a gym [9]. (–7) In my view, that is fair. (…8) Probation 🕐 lasts half a year.
As was said above.

✕ 3 Contradicted: The notice period is two months
    It says “two months”, and the source says “one month”.
    handbook, line 3: “The notice period is one month.”
    Correction: The notice period is one month

? 5 Unsupported: Lunch is free and served until 3 p.m.
    That it is served until 3 p.m. is not said.
    faq, line 2: “It is served until 2 p.m.”

? 6 Unsupported: The office has a gym
    No source says anything like it.

… 8 Undecided: Probation 🕐 lasts half a year.
    The judge timed out.

Redundant citation (claim 2): “faq” is cited twice; one mark is enough.
Wrong source (claim 5): “handbook” does not say it; cite “faq” instead.
Unknown source (claim 6): “9” is no source; there are “handbook” and “faq”.
Uncited (claim 8): Nothing is cited; name the source, or drop the claim.
Not examined: “As was said above.”
""")


class TestNarrow:
    @each_row("width", [10, 20, 40, 63, 64, 80, 200])
    @each_row("report", [full_report(), hostile_report(), empty_report()])
    def test_keeps_to_the_width(self, width: int, report: Report) -> None:
        lines = printed(report, width=width).splitlines()
        assert max(map(cell_len, lines)) <= width


class TestEncoding:
    def test_has_icons(self) -> None:
        told = printed(full_report())
        assert all(look.icon in told for look in VERDICTS.values())

    def test_has_icons_in_ascii_where_there_are_no_others(self) -> None:
        told = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
        Console(file=told, width=100).print(as_renderable(full_report()))
        told.seek(0)
        content = told.read()
        assert f"({VERDICTS['contradicted'].plain_icon}3) The notice" in content
        assert "\\u2717" not in content


class TestColour:
    @each_row(
        ("report", "style"),
        [
            (good_report(), "32"),
            (report_with("supported"), "32"),
            (report_with("set_aside"), "32"),
            (report_with("unsupported"), "33"),
            (report_with("undecided"), "33"),
            (report_with("contradicted"), "31"),
            (report_with_problem("uncited"), "33"),
            (report_with_problem("wrong_source"), "31"),
        ],
    )
    def test_of_the_score(self, report: Report, style: str) -> None:
        told = printed(report, force_terminal=True, color_system="standard")
        assert told.startswith(f"\x1b[1;{style}m")

    def test_of_claims_is_that_of_their_verdicts(self) -> None:
        told = printed(full_report(), force_terminal=True, color_system="standard")
        assert "\x1b[1;31mThe notice period is two months\x1b[0m [handbook]" in told
        assert "\x1b[35mLunch is free and served until 3 p.m.\x1b[0m" in told


class TestPlaces:
    def test_are_pages_and_sections(self) -> None:
        told = printed(audited_paper(), width=200)
        assert "paper, p. ii (2 of the file) › The Harbour Institute › History: “The" in told


class TestHostile:
    @each_row("width", [20, 100])
    def test_is_not_obeyed(self, width: int) -> None:
        told = printed(hostile_report(), width=width)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)

    @given(drawn_reports())
    def test_is_never_obeyed(self, report: Report) -> None:
        told = printed(report, width=80)
        assert not re.search(r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", told)

    def test_is_no_markup(self) -> None:
        text = "[bold red]Notice[/] :smile: [/nothing]"
        claim = claim_of(text, text, "undecided", explanation=text)
        assert printed(report_of(text, [claim]), width=200).count(text) == 3


class TestParagraphs:
    def test_have_what_needs_attention_first(self) -> None:
        told = [*as_paragraphs(full_report())]
        assert told[1] == (
            "Contradicted, claim 3: “The notice period is two months”\n"
            "It says “two months”, and the source says “one month”.\n"
            "Source: “The notice period is one month.” (handbook, line 3)\n"
            "Correction: The notice period is one month"
        )
        assert told[-1] == "Nothing to check, claim 7: “In my view, that is fair.”"


class TestText:
    def test_fills_lines_that_an_editor_has_broken(self) -> None:
        line = f"{'word ' * 12}end"
        assert filled(f"{line}\n{line}\nmore\n- item") == f"{line} {line} more\n- item"
        for kept in (f"# {line}\nmore", f"{line} | end\nmore", f"{line}\n1. item", "short\nmore"):
            assert filled(kept) == kept

    def test_keeps_its_lines(self) -> None:
        text = "One.\n\n  Two.\r\nThree.\n"
        told = printed(report_of(text, [claim_of(text, "Two.", "set_aside")]))
        assert "\nOne.\n\n  (–1) Two.\nThree.\n" in told

    def test_may_have_claims_that_overlap(self) -> None:
        text = "One and two."
        claims = [
            claim_of(text, "One and", "supported"),
            claim_of(text, "and two", "supported"),
        ]
        assert "(✓1) One and(✓2)  two." in printed(report_of(text, claims))

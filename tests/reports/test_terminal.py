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
5 of 10 statements are supported; 2 are contradicted; 2 are unsupported; 1 could not be decided; 3
problems with citations: wrong source, uncited, unknown source

# Working at the Harbour Institute

(✓1) The notice period is one month [handbook]. (✕2) The institute was founded in 1985 by Marta
Lindqvist [handbook]. (?3) Lunch is free for everybody [faq], and (✓4) visitors need a badge to
enter the laboratory [faq].

(?5) The campus has a swimming pool. (–6) In my opinion it is the nicest place to work in the city.
(✕7) Parking spaces can be booked by the hour [rules].

(✓8) The institute moved to the old rope works in 1997 [handbook]. (✓9) Guests pay 9 euros for lunch
[faq]. (✓10) Badges are handed out at the main gate [handbook].

(…11) Staff may work from home on some days. Welcome aboard!

✕ 2 Contradicted: The institute was founded in 1985 by Marta Lindqvist
    The claim says 1985; the source says 1984.
    handbook, line 7: “The institute was founded in 1984 by Marta Lindqvist”
    Correction: The institute was founded in 1984 by Marta Lindqvist

✕ 7 Contradicted: Parking spaces can be booked by the hour
    The source says that they cannot be reserved.
    faq, line 3: “They cannot be reserved.”

? 3 Unsupported: Lunch is free for everybody
    The source says so of employees; it says that guests pay.
    faq, line 1: “Lunch is free for all employees”

? 5 Unsupported: The campus has a swimming pool
    No source says anything of a swimming pool.

… 11 Undecided: Staff may work from home on some days
    The judge did not answer in time.

Wrong source (claim 4): faq does not say this; cite handbook.
Uncited (claim 5): This claim cites nothing.
Unknown source (claim 7): No source is called rules.
Not examined: “Welcome aboard!”
""")


class TestNarrow:
    @each_row("width", [10, 20, 40, 63, 64, 80, 200])
    @each_row("report", [full_report(), hostile_report(), empty_report()])
    def test_keeps_to_the_width(self, width: int, report: Report) -> None:
        lines = printed(report, width=width).splitlines()
        assert max(map(cell_len, lines)) <= width


class TestEncoding:
    def test_has_icons_in_ascii_where_there_are_no_others(self) -> None:
        told = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
        Console(file=told, width=100).print(as_renderable(full_report()))
        told.seek(0)
        content = told.read()
        assert f"({VERDICTS['contradicted'].plain_icon}2) The institute" in content
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
        assert "\x1b[1;31mThe institute was founded in 1985 by Marta" in told
        assert "\x1b[35mLunch is free for everybody\x1b[0m" in told


class TestPlaces:
    def test_are_pages_and_sections_with_links(self) -> None:
        told = printed(audited_paper(), width=200)
        assert "paper, p. ii (2 of the file) › The Harbour Institute › History: “The" in told
        assert "https://example.org/paper.pdf#page=2" in told


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
            "Contradicted, claim 2: “The institute was founded in 1985 by Marta Lindqvist”\n"
            "The claim says 1985; the source says 1984.\n"
            "Source: “The institute was founded in 1984 by Marta Lindqvist” (handbook, line 7)\n"
            "Correction: The institute was founded in 1984 by Marta Lindqvist"
        )
        assert told[-1].startswith("Supported, claim 10: “Badges")


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

"""What a report needs of optional packages."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable

from rich.console import Console

from citeguard import Report, audit
from citeguard.reports.terminal import as_paragraphs
from citeguard.sources.collection import Source
from citeguard.sources.layout import Doubt, Layout
from rows import each_row

WITHOUT_EXTRAS = """
import sys
sys.modules.update(dict.fromkeys(("pypdfium2", "PIL", "lxml"), None))
from citeguard import audit
from rich.console import Console
report = audit("Lunch is free [faq].", {"faq": "Lunch is free."})
Console().print(report)
print(report.to_markdown(), report.to_html())
print(report.to_json(), report.to_sarif(), report.to_junit())
print(report.claims[0].verdict)
"""


def on_terminal(report: Report) -> str:
    console = Console(file=io.StringIO(), width=100, record=True)
    console.print(report)
    return console.export_text()


class TestOptionalPackages:
    def test_are_not_needed_for_any_form(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=True
        )
        assert done.stdout.endswith("supported\n")


class TestDoubts:
    """What a report says of words that may not be what the file of their source shows."""

    SAYS = "The file may show something else here: these words were read from a picture"

    def report(self, text: str) -> Report:
        layout = Layout("text", 20, doubts=[Doubt(11, 13, "recognised")])
        return audit(text, [Source("scan", "The fee is 40 euros.", layout=layout)])

    def test_are_no_support_to_send_a_text_on_and_every_form_says_so(self) -> None:
        report = self.report("The fee is 40 euros.")
        says = "1 statement rests only on words that the file may not show"
        assert report.outcome == "undecided"
        assert f"Read this before you send it: {says}." in report.to_html()
        assert "Supported (uncertain)" in report.to_html()
        assert "1 of 1 statement is supported; 1 rests only on words" in report.to_markdown()
        assert "supported (uncertain)" in report.to_markdown().partition("<details>")[0]
        assert 'type="uncertain"' in report.to_junit()
        [result] = json.loads(report.to_sarif())["runs"][0]["results"]
        assert (result["ruleId"], result["level"]) == ("uncertain", "note")
        assert self.SAYS in result["message"]["text"]
        assert f"! Uncertain: {self.SAYS}" in on_terminal(report)
        assert self.SAYS in " ".join(as_paragraphs(report))
        assert "Uncertain</span>" in report._repr_html_()  # pyright: ignore[reportPrivateUsage]
        assert Report.model_validate_json(report.to_json()) == report

    def test_leave_a_text_passed_that_other_words_support(self) -> None:
        report = self.report("The fee is 40 euros.")
        [claim] = report.claims
        assert claim.deciding is not None
        sure = claim.deciding.model_copy(update={"doubts": ()})
        claims = (claim.model_copy(update={"further": (sure,)}),)
        assert report.model_copy(update={"claims": claims}).outcome == "passed"

    def test_are_of_no_other_words(self) -> None:
        assert 'class="badge v-uncertain"' not in audit("Tea.", ["Tea is free."]).to_html()


TEXT = (
    "Hello there \ue200cite\ue202turn0search3\ue201.\n\n"
    "The notice period is two months \ue200cite\ue202turn0search1\ue201. "
    "<co>Parking costs a lot</co: 0:[1]>. Cats are blue 【4:0†source】【4:1†faq】. It is so."
)
MARKS = re.compile(r"[\ue200-\ue202]|</?co\b|&lt;/?co\b|【|turn0search1")


def marked_report() -> Report:
    sources = {"handbook": "The notice period is one month.", "faq": "Parking is free."}
    return audit(TEXT, sources, cite={"turn0search1": "handbook"})


def in_notebook(report: Report) -> str:
    return report._repr_html_()  # pyright: ignore[reportPrivateUsage]


class TestMachineMarks:
    """Marks that are for programs are read by audits, and shown in none of their outputs."""

    @each_row(
        "write",
        [Report.to_html, Report.to_markdown, Report.to_junit, on_terminal, in_notebook],
    )
    def test_are_not_shown(self, write: Callable[[Report], str]) -> None:
        assert MARKS.findall(write(marked_report())) == []

    def test_take_the_blanks_before_them_along(self) -> None:
        shown = on_terminal(marked_report())
        assert "two months. (" in shown
        assert "Cats are blue. " in shown

    def test_are_named_where_they_have_a_problem(self) -> None:
        page = marked_report().to_html()
        assert '<span class="mark" id="f1" title="Unknown source"> [turn0search3]</span>.' in page
        assert " [4:0†source]</span>" in page

"""What a report needs of optional packages."""

import io
import json
import subprocess
import sys

from rich.console import Console

from citeguard import Report, audit
from citeguard.reports.terminal import as_paragraphs
from citeguard.sources.collection import Source
from citeguard.sources.layout import Doubt, Layout

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


class TestOptionalPackages:
    def test_are_not_needed_for_any_form(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=True
        )
        assert done.stdout.endswith("supported\n")


def test_a_notebook_shows_a_report_as_html() -> None:
    shown = audit("Lunch is free.", {"faq": "Lunch is free."})._repr_html_()
    assert "Supported" in shown


class TestDoubts:
    """What a report says of words that may not be what the file of their source shows."""

    SAYS = "The file may show something else here: these words were read from a picture"

    def report(self, text: str) -> Report:
        layout = Layout("text", 20, doubts=[Doubt(11, 13, "recognised")])
        return audit(text, [Source("scan", "The fee is 40 euros.", layout=layout)])

    def test_have_a_badge_on_the_page_in_the_terminal_and_in_notebooks(self) -> None:
        report = self.report("The fee is 40 euros.")
        page = report.to_html()
        assert 'class="badge v-uncertain"' in page
        assert f">{self.SAYS}.<" in page
        console = Console(file=io.StringIO(), width=100)
        console.print(wrong := self.report("The fee is 50 euros."))
        shown = wrong._repr_html_()  # pyright: ignore[reportPrivateUsage]
        assert '<span aria-hidden="true">!</span> Uncertain</span>' in shown
        assert isinstance(console.file, io.StringIO)
        assert f"! Uncertain: {self.SAYS}" in console.file.getvalue()

    def test_are_in_markdown_and_json(self) -> None:
        report = self.report("The fee is 50 euros.")
        assert f" – uncertain: {self.SAYS}" in report.to_markdown()
        again = Report.model_validate_json(report.to_json())
        assert again == report
        [place] = again.claims[0].decisive
        assert place.doubts == ("recognised",)

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
        console = Console(file=io.StringIO(), width=100)
        console.print(report)
        assert isinstance(console.file, io.StringIO)
        assert f"! Uncertain: {self.SAYS}" in console.file.getvalue()
        assert self.SAYS in " ".join(as_paragraphs(report))

    def test_leave_a_text_passed_that_other_words_support(self) -> None:
        report = self.report("The fee is 40 euros.")
        [claim] = report.claims
        assert claim.deciding is not None
        sure = claim.deciding.model_copy(update={"doubts": ()})
        claims = (claim.model_copy(update={"further": (sure,)}),)
        assert report.model_copy(update={"claims": claims}).outcome == "passed"

    def test_are_of_no_other_words(self) -> None:
        assert 'class="badge v-uncertain"' not in audit("Tea.", ["Tea is free."]).to_html()

"""What a report needs of optional packages."""

from __future__ import annotations

import subprocess
import sys

from citeguard import audit

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

"""What a report needs of optional packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from citeguard import CiteguardError, audit

WITHOUT_EXTRAS = """
import sys
sys.modules.update(dict.fromkeys(("jinja2", "markupsafe", "pypdfium2", "PIL", "lxml"), None))
from citeguard import audit
from rich.console import Console
report = audit("Lunch is free [faq].", {"faq": "Lunch is free."})
Console().print(report)
print(report.to_markdown(), report.to_json(), report.to_sarif(), report.to_junit())
print(report.claims[0].verdict)
"""


class TestOptionalPackages:
    def test_are_not_needed_for_any_form_but_html(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=True
        )
        assert done.stdout.endswith("supported\n")

    def test_for_html_are_named_with_the_command_that_installs_them(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        report = audit("Lunch is free.", {"faq": "Lunch is free."})
        pages = [
            name for name in sys.modules if name.startswith("citeguard.auditing.outputs.html.")
        ]
        for name in [*pages, "citeguard.auditing.outputs.html"]:
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.setitem(sys.modules, "jinja2", None)
        with pytest.raises(CiteguardError, match=r'jinja2 .* "pydantic-citeguard\[audit\]"'):
            report.to_html()
        assert report._repr_html_() is None


def test_a_notebook_shows_a_report_as_html() -> None:
    shown = audit("Lunch is free.", {"faq": "Lunch is free."})._repr_html_()
    assert shown is not None
    assert "Supported" in shown

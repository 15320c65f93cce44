from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeguard.reports.page import as_html
from reports.samples import full_report

if TYPE_CHECKING:
    from page.chromium import Browser


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a report that has one of everything."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(as_html(full_report(), title="Working at the institute"), "utf-8")
    return file


@pytest.fixture
def browser(chromium: Browser, page_file: Path) -> Browser:
    """Return the Chromium, with that page just opened."""
    chromium.open(page_file)
    return chromium

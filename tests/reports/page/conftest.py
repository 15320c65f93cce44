from pathlib import Path

import pytest

from citeguard.reports.page import as_html
from page.chromium import Browser
from page.page_samples import everything


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a report that has one of everything."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(as_html(everything(), title="Working at the institute"), "utf-8")
    return file


@pytest.fixture
def browser(chromium: Browser, page_file: Path) -> Browser:
    """Return the Chromium, with that page just opened."""
    chromium.open(page_file)
    return chromium

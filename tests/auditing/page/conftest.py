from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeguard.auditing.outputs.html import as_html
from page.chromium import Browser
from page.page_samples import everything


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Return a Chromium that all tests share."""
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


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

"""How fast the page of a large report is written and opened: `python -m tests.benchmarks.page`.

Needs Chromium and its driver. A text of two million characters, with some 16,000 claims, and a
source as long.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from citeguard.reports.page import as_html

from .tables import table

if TYPE_CHECKING:
    from tests.reports.page.chromium import Browser

RUNS = 7

_LOADED = (
    "const [page] = performance.getEntriesByType('navigation');"
    "const painted = performance.getEntriesByName('first-contentful-paint')[0];"
    "return [painted.startTime / 1000, page.loadEventEnd / 1000];"
)
_PAINTED = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(done));"


def main() -> None:
    """Print the figures."""
    from tests.reports.page.chromium import Browser
    from tests.reports.page.page_samples import large

    report = large()
    written = [_seconds(lambda: as_html(report)) for _ in range(RUNS)]
    page = as_html(report)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "large.html"
        file.write_text(page, "utf-8")
        browser = Browser(Path(folder) / "profile")
        try:
            opened = list(_opened(browser, file))
        finally:
            browser.close()
    rows = [("written", *_figures(written))]
    names = ("first paint", "loaded", "claim chosen", "filtered")
    rows += [
        (name, *_figures(times))
        for name, times in zip(names, zip(*opened, strict=True), strict=True)
    ]
    title = f"{len(report.claims):,} claims, a page of {len(page.encode()) / 1e6:.1f} MB, seconds"
    sys.stdout.write("\n".join(table(title, ("", "median", "worst"), rows)) + "\n")


def _opened(browser: Browser, file: Path) -> Iterator[tuple[float, float, float, float]]:
    for _ in range(RUNS):
        browser.open(file)
        painted, loaded = browser.run(_LOADED)
        chosen = _seconds(lambda: _act(browser, "document.getElementById('c9000').click()"))
        filtered = _seconds(lambda: _act(browser, "document.querySelector('.filter').click()"))
        yield painted, loaded, chosen, filtered


def _act(browser: Browser, script: str) -> None:
    browser.run(script)
    browser.driver.execute_async_script(_PAINTED)


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _figures(times: tuple[float, ...] | list[float]) -> tuple[str, str]:
    return f"{statistics.median(times):.2f}", f"{max(times):.2f}"


if __name__ == "__main__":
    main()

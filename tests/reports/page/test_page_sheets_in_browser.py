"""Pages of PDF files in a browser: shown with a claim, marked at the right words, enlarged."""

from pathlib import Path

import pytest

from auditing.papers import FOUNDED, HEIGHT, WIDTH, audited_paper
from citeguard.reports.page import as_html
from page.chromium import Browser

pytestmark = pytest.mark.browser


_MARKS = """
const sheet = document.querySelector(arguments[0]);
const outer = sheet.querySelector("image").getBoundingClientRect();
return Array.from(sheet.querySelectorAll("rect"), (rect) => {
  const inner = rect.getBoundingClientRect();
  return [inner.left - outer.left, inner.top - outer.top, inner.right - outer.left,
    inner.bottom - outer.top].map((edge, at) => 100 * edge / (at % 2 ? outer.height : outer.width));
});
"""
"""Where the marks of a sheet are on its picture, in per cent: left, top, right, bottom."""

_SEEN = """
const [mark, ...around] = arguments[0].map((one) => document.querySelector(one))
  .map((one) => one.getBoundingClientRect());
return around.every((one) => one.left <= mark.left && one.top <= mark.top
  && mark.bottom <= one.bottom && mark.bottom <= innerHeight);
"""

EXPECTED = [
    pytest.approx(
        [
            100 * box.left / WIDTH,
            100 * box.top / HEIGHT,
            100 * box.right / WIDTH,
            100 * box.bottom / HEIGHT,
        ],
        abs=0.3,
    )
    for box in FOUNDED
]


@pytest.fixture(scope="module")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("paper") / "report.html"
    file.write_text(as_html(audited_paper()), "utf-8")
    return file


@pytest.fixture
def browser(chromium: Browser, report_file: Path) -> Browser:
    """Return the Chromium, with the report on the paper just opened."""
    chromium.open(report_file)
    return chromium


def is_drawn(browser: Browser, selector: str) -> bool:
    """Tell whether the picture of a sheet can be decoded, and is laid out."""
    href, width = browser.run(
        "const image = document.querySelector(arguments[0]);"
        "return [image.getAttribute('href'), image.getBoundingClientRect().width]",
        f"{selector} image",
    )
    natural = browser.driver.execute_async_script(
        "const [href, done] = arguments; const image = new Image();"
        "image.onload = () => done(image.naturalWidth); image.onerror = () => done(0);"
        "image.src = href;",
        href,
    )
    return natural == 900 and width > 0


class TestAClaim:
    def test_shows_its_page_with_the_words_marked(self, browser: Browser) -> None:
        browser.click("#c1")
        assert is_drawn(browser, "#shown .sheet")
        assert browser.run(_MARKS, "#shown .sheet") == EXPECTED
        assert browser.run(_SEEN, ["#shown g rect", "#sources"])
        assert not browser.run("return document.getElementById('s1').checkVisibility()")

    def test_shows_the_text_of_the_page_instead(self, browser: Browser) -> None:
        browser.click("#c1")
        browser.click("#shown button:last-child")
        assert browser.run("return document.querySelectorAll('#shown .sheet').length") == 0
        assert "founded in 1984" in browser.run("return document.activeElement.textContent")

    def test_shows_no_page_of_passages_that_were_only_looked_at(self, browser: Browser) -> None:
        browser.click("#c1")
        browser.click("#explanation .rest > summary")
        assert "Other passages looked at" in browser.text("#explanation")
        assert browser.run("return document.querySelectorAll('#shown .sheet').length") == 1


class TestACrop:
    def test_is_of_the_passage_and_large_enough_to_read(self, browser: Browser) -> None:
        for width, where in ((1280, "#shown"), (360, "#explanation")):
            browser.size(width, 800)
            browser.press("Escape")
            browser.run("document.getElementById('c1').click()")
            left, top, wide, high = map(
                float,
                browser.run(
                    "return document.querySelector(arguments[0]).getAttribute('viewBox')",
                    f"{where} .sheet",
                ).split(),
            )
            first, last = FOUNDED
            assert left <= first.left <= last.right <= left + wide <= WIDTH
            assert top <= first.top <= last.bottom <= top + high
            assert high < HEIGHT / 4 or (where == "#shown" and high == HEIGHT)
            shown = browser.run(
                "return document.querySelector(arguments[0]).getBoundingClientRect().width",
                f"{where} .sheet",
            )
            assert shown / wide > 1  # CSS pixels to a point: text is as large as on paper


class TestASheet:
    def test_is_enlarged_and_closed_again_by_a_click(self, browser: Browser) -> None:
        browser.click("#c1")
        small = browser.run(
            "return document.querySelector('#shown image').getBoundingClientRect().width"
        )
        browser.click("#shown .sheet")
        large = browser.run(
            "return document.querySelector('.whole image').getBoundingClientRect().width"
        )
        assert large > small
        assert browser.run(_MARKS, ".whole .sheet") == EXPECTED
        assert browser.run(_SEEN, [".whole rect", ".whole"])
        browser.click(".whole .sheet")
        browser.frames()
        assert browser.run("return document.querySelector('.whole')") is None

    def test_is_enlarged_and_closed_again_by_keys(self, browser: Browser) -> None:
        browser.run("document.getElementById('c1').focus()")
        browser.run("document.querySelector('#shown button').focus()")
        assert browser.focus == "Show the whole page"
        browser.press("Enter")
        assert browser.focus == "Close"
        browser.press("j", "Escape")
        browser.frames()
        assert browser.run("return document.querySelector('.whole')") is None
        assert browser.focus == "Show the whole page"
        assert browser.chosen == "c1"


class TestThePage:
    def test_shows_where_pages_begin_and_copies_only_the_words(self, browser: Browser) -> None:
        browser.press("Escape")
        shown, copied = browser.run(
            "const border = document.querySelectorAll('.border')[1];"
            "getSelection().selectAllChildren(border.closest('.block'));"
            "return [getComputedStyle(border, '::before').content, getSelection().toString()]"
        )
        assert "p. ii (2 of the file)" in shown
        assert "weekdays.\n\nHistory" in copied


class TestWithoutScript:
    def test_the_list_leads_to_the_page_with_the_words_marked(
        self, chromium: Browser, report_file: Path
    ) -> None:
        chromium.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            chromium.open(report_file)
            chromium.click("#claim-1 a[href^='#m']")
            mark = chromium.driver.current_url.partition("#")[2]
            assert chromium.run(_MARKS, f"svg:has(#{mark}:target)") == EXPECTED
            assert "claim 1" in chromium.text(f"figure:has(#{mark}) figcaption")
        finally:
            chromium.command("Emulation.setScriptExecutionDisabled", value=False)

    def test_the_pages_are_printed(self, browser: Browser) -> None:
        browser.click("#c1")
        browser.emulate(media="print")
        seen = browser.run(
            "return ['#p1-2', '#p1-2 .sheet', '#panel']"
            ".map((one) => document.querySelector(one).checkVisibility())"
        )
        assert seen == [True, True, False]

"""Pages of PDF files in a browser: shown with a claim, marked at the right words, enlarged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from auditing.papers import FOUNDED, HEIGHT, WIDTH, audited_paper
from citeguard.reports.page import as_html
from citeguard.reports.report import Correction
from page.chromium import Browser

pytestmark = pytest.mark.browser

_CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")

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
        assert is_drawn(browser, "#explanation .sheet")
        assert browser.run(_MARKS, "#explanation .sheet") == EXPECTED
        assert browser.run(_SEEN, ["#explanation rect", "#explanation .view", "#panel"])

    def test_names_the_page_and_the_section(self, browser: Browser) -> None:
        browser.click("#c1")
        assert browser.text("#explanation blockquote footer") == (
            "paper, p. ii (2 of the file), The Harbour Institute › History"
        )

    def test_links_to_the_page_in_the_file_as_the_list_does(self, browser: Browser) -> None:
        browser.click("#c1")
        links = browser.run(
            "return ['#explanation .place a', '#claim-1 footer a[target]']"
            ".map((one) => document.querySelector(one).href)"
        )
        assert links == ["https://example.org/paper.pdf#page=2"] * 2

    def test_is_told_by_a_screen_reader(self, browser: Browser) -> None:
        browser.click("#c1")
        nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
        told = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes]
        label = "p. ii (2 of the file) of paper, with what claims rest on marked"
        assert told.count(("image", label)) == 2

    def test_on_a_text_has_no_page(self, browser: Browser) -> None:
        browser.click("#c4")
        assert browser.text("#explanation blockquote footer") == "faq, line 1"
        assert browser.run("return document.querySelectorAll('#explanation figure').length") == 0

    def test_shows_no_page_of_passages_that_were_only_looked_at(self, browser: Browser) -> None:
        browser.click("#c1")
        assert "Other passages looked at" in browser.text("#explanation")
        assert browser.run("return document.querySelectorAll('#explanation figure').length") == 1


class TestACrop:
    def test_is_of_the_passage_and_large_enough_to_read(self, browser: Browser) -> None:
        for width in (1280, 360):
            browser.size(width, 800)
            browser.run("document.getElementById('c1').click()")
            left, top, wide, high = map(
                float,
                browser.run(
                    "return document.querySelector('#explanation .sheet').getAttribute('viewBox')"
                ).split(),
            )
            first, last = FOUNDED
            assert left <= first.left <= last.right <= left + wide <= WIDTH
            assert top <= first.top <= last.bottom <= top + high
            assert high < HEIGHT / 4
            shown = browser.run(
                "return document.querySelector('#explanation .sheet').getBoundingClientRect().width"
            )
            assert shown / wide > 1  # CSS pixels to a point: text is as large as on paper

    def test_is_below_the_correction(self, chromium: Browser, tmp_path: Path) -> None:
        report = audited_paper()
        words = report.text[report.claims[0].start : report.claims[0].end]
        correction = Correction(claim=words, sentence=words, replacements=())
        first = report.claims[0].model_copy(update={"correction": correction})
        claims = (first, *report.claims[1:])
        file = tmp_path / "corrected.html"
        file.write_text(as_html(report.model_copy(update={"claims": claims})), "utf-8")
        chromium.open(file, "#c1")
        above, below = chromium.run(
            "return ['.corrected', '.sheet'].map((one) =>"
            "document.querySelector(`#explanation ${one}`).getBoundingClientRect().top)"
        )
        assert above < below


class TestASheet:
    def test_is_enlarged_and_closed_again_by_a_click(self, browser: Browser) -> None:
        browser.click("#c1")
        small = browser.run(
            "return document.querySelector('#explanation image').getBoundingClientRect().width"
        )
        browser.click("#explanation .view")
        large = browser.run(
            "return document.querySelector('.whole image').getBoundingClientRect().width"
        )
        assert large > 1.5 * small
        assert browser.run(_MARKS, ".whole .sheet") == EXPECTED
        assert browser.run(_SEEN, [".whole rect", ".whole"])
        browser.click(".whole .sheet")
        browser.frames()
        assert browser.run("return document.querySelector('.whole')") is None

    def test_is_enlarged_and_closed_again_by_keys(self, browser: Browser) -> None:
        browser.run("document.getElementById('c1').focus()")
        browser.press("Enter")
        assert browser.focus == "Show the whole page"
        browser.press("Enter")
        assert browser.focus == "Close"
        browser.press("j", "Escape")
        browser.frames()
        assert browser.run("return document.querySelector('.whole')") is None
        assert browser.focus == "Show the whole page"
        assert "Claim 1 of 4" in browser.text("#explanation")

    def test_is_large_enough_to_read_on_a_phone(self, browser: Browser) -> None:
        browser.size(360, 740)
        browser.run("document.querySelector('#explanation figure button').click()")
        width = browser.run(
            "return document.querySelector('.whole image').getBoundingClientRect().width"
        )
        assert width > 700
        assert browser.run(_SEEN, [".whole rect", ".whole"])


class TestThePage:
    def test_says_nothing_to_the_console_and_asks_for_nothing(
        self, browser: Browser, report_file: Path
    ) -> None:
        browser.click("#c1")
        browser.click("#explanation .view")
        browser.frames()
        assert browser.messages() == []
        assert browser.requests() == [report_file.as_uri()]

    def test_has_every_id_once(self, browser: Browser) -> None:
        browser.click("#c1")
        browser.click("#explanation .view")
        ids = browser.run("return Array.from(document.querySelectorAll('[id]'), (one) => one.id)")
        assert len(ids) == len(set(ids))

    @pytest.mark.parametrize("width", [320, 360, 800, 1024, 2000])
    def test_need_not_be_scrolled_sideways(self, browser: Browser, width: int) -> None:
        browser.size(width, 740)
        browser.run("document.getElementById('c1').click()")
        assert browser.run("return document.documentElement.scrollWidth") <= width

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_can_be_read(self, browser: Browser, scheme: str) -> None:
        browser.emulate(scheme=scheme)
        browser.click("#c1")
        measured: dict[str, Any] = browser.run(_CONTRAST)
        assert measured["found"] == []

    def test_shows_where_pages_begin_and_copies_only_the_words(self, browser: Browser) -> None:
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

"""The page that checks facts, in a real Chromium."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from citeguard.server import Limits, create_app
from reports.page.chromium import Browser
from server.facts import BRIDGE, EVIL, small_web
from server.serving import served, working

pytestmark = pytest.mark.browser

TEXT = "The bridge opened in May 1937. The bridge did not open in May 1937. I like it."
LAST = "#report:not([hidden])"


@pytest.fixture(scope="module")
def page_address() -> Iterator[str]:
    """Return the URL of the page, on a small web."""
    limits = Limits(workers=1, fact_checks=1, fact_seconds=5)
    with working(documents=True):
        app = create_app(limits=limits, facts=small_web)
    with served(app) as address:
        yield f"{address}/fact-check"


@pytest.fixture
def browser(chromium: Browser, page_address: str) -> Browser:
    """Return the Chromium with the page just opened."""
    chromium.visit(page_address)
    return chromium


def check(browser: Browser, text: str = TEXT, until: str = LAST) -> None:
    browser.driver.find_element(By.ID, "text").send_keys(text)
    browser.click("#check")
    browser.wait(until)


class TestPage:
    def test_shows_verdicts_with_the_words_that_decide(
        self, browser: Browser, page_address: str
    ) -> None:
        check(browser)
        verdicts = (
            "return Array.from(document.querySelectorAll('#claims .verdict'), (e) => e.textContent)"
        )
        assert browser.run(verdicts) == ["Supported", "Contradicted", "Nothing to check"]
        assert browser.text("#status") == "3 of 3 checked"
        assert browser.violations() == []  # in the light scheme, on a wide screen
        browser.driver.switch_to.frame("shown")
        browser.wait(".claim")
        browser.click("#c1")
        link = browser.run("return document.querySelector('#explanation .place a[target]').href")
        assert link.startswith(f"{BRIDGE}#:~:text=")
        assert "1937" in browser.text("#explanation blockquote")
        browser.hover("#explanation .place footer")
        browser.wait("#peek:popover-open")
        assert browser.text("#peek .from").endswith(f", {urlsplit(BRIDGE).netloc}")
        browser.driver.switch_to.default_content()
        assert browser.messages() == []
        asked = [each for each in browser.requests() if not each.startswith(("blob:", "data:"))]
        assert asked == [page_address, f"{page_address}?page=true"]

    def test_shows_searches_and_pages_as_they_come(self, browser: Browser) -> None:
        check(browser, "The bridge is endless.", until="#claims .why:not(:empty)")
        assert "Searching: “" in browser.text("#claims .why")
        assert browser.texts("#claims .verdict") == ["Checking…"]

    def test_takes_nothing_of_a_page_for_markup(self, browser: Browser) -> None:
        check(browser)
        assert browser.run("return document.querySelectorAll('main img').length") == 0
        browser.driver.switch_to.frame("shown")
        assert EVIL in browser.text("#read")
        assert browser.run("return document.querySelectorAll('main img').length") == 0
        browser.driver.switch_to.default_content()
        assert browser.messages() == []

    def test_opens_the_report(self, browser: Browser) -> None:
        check(browser)
        browser.click("#alone")
        with browser.new_window():
            browser.wait(".claim")
            violations, messages = browser.violations(), browser.messages()
        assert violations == []
        assert messages == []

    def test_can_be_used_by_everyone(self, browser: Browser) -> None:
        browser.emulate(scheme="dark")
        browser.size(360, 800)
        assert browser.violations() == []
        check(browser)
        assert browser.violations() == []
        assert browser.run("return document.documentElement.scrollWidth") <= 360

    def test_can_be_stopped(self, browser: Browser) -> None:
        check(browser, "The bridge is endless.", until="#claims li")
        browser.driver.find_element(By.ID, "stop").send_keys(Keys.ENTER)
        browser.wait("#problem.told")
        assert browser.text("#problem") == "Stopped."
        assert browser.texts("#claims .verdict") == ["Not checked"]
        assert browser.run("return document.activeElement.id") == "check"

    def test_works_without_its_script(self, browser: Browser, page_address: str) -> None:
        browser.command("Emulation.setScriptExecutionDisabled", value=True)
        browser.driver.get(page_address)
        check(browser, until=".claim")
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
        assert browser.driver.title.startswith("Fact check on ")

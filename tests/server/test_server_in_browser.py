"""The form and the report in a real Chromium."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from reports.page.chromium import Browser

pytestmark = pytest.mark.browser

TEXT = "The notice period is one month. The institute was founded in 1985. Lunch is free for all."
LINES = (
    "The notice period is one month.",
    "The institute was founded in 1984.",
    "Lunch is free for all.",
)
LAST = "#report:not([hidden])"


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("files") / "handbook.pdf"
    canvas = Canvas(str(file))
    for number, line in enumerate(LINES):
        canvas.drawString(72, 700 - 40 * number, line)
    canvas.save()
    return file


@pytest.fixture
def browser(chromium: Browser, address: str) -> Browser:
    """Return the Chromium with the form just opened."""
    chromium.visit(address)
    return chromium


def fill(browser: Browser, **fields: str) -> None:
    for name, value in fields.items():
        browser.driver.find_element(By.NAME, name).send_keys(value)


def check(browser: Browser, **fields: str) -> None:
    fill(browser, **fields)
    browser.click("#check")
    browser.wait(LAST)


def advice(browser: Browser) -> str:
    """Return what the report that is shown in the page says to do."""
    browser.driver.switch_to.frame("shown")
    try:
        browser.wait(".advice p")
        return browser.text(".advice p")
    finally:
        browser.driver.switch_to.default_content()


class TestForm:
    def test_shows_claims_and_the_report_of_a_document(
        self, browser: Browser, handbook: Path, address: str
    ) -> None:
        check(browser, text=TEXT, files=str(handbook))
        assert browser.text("#status") == "3 of 3 checked"
        assert browser.violations() == []  # in the light scheme, on a wide screen
        verdicts = browser.run(
            "return Array.from(document.querySelectorAll('#claims .verdict'),"
            "(one) => [one.textContent, one.checkVisibility()])"
        )
        assert verdicts == [  # while it was checked; the report has them now
            *(["Supported", False], ["Contradicted", False], ["Supported", False])
        ]
        assert browser.messages() == []
        asked = [each for each in browser.requests() if not each.startswith(("blob:", "data:"))]
        assert asked == [f"{address}/", f"{address}/audit?page=true"]

    def test_shows_the_number_of_each_document(self, browser: Browser, tmp_path: Path) -> None:
        names = ("one.txt", "two.md", "three.json", "four.txt")
        for name in names:
            (tmp_path / name).write_text("{}", "utf-8")
        fill(browser, files="\n".join(str(tmp_path / name) for name in names))
        assert browser.text("#chosen").split("\n") == [
            *("[1]", "one.txt", "Remove", "[2]", "two.md", "Remove", "three.json"),
            *("Remove", "four.txt", "Remove"),
        ]
        browser.run("document.querySelector('#chosen button').click()")
        assert browser.text("#chosen").startswith("[1]\ntwo.md")
        assert browser.focus == "files"
        assert browser.run("return document.getElementById('files').files.length") == 3

    def test_takes_documents_that_are_dropped(self, browser: Browser) -> None:
        browser.run(
            "const transfer = new DataTransfer();"
            "transfer.items.add(new File(['Lunch is free for all.'], 'lunch.txt'));"
            "const text = document.getElementById('text');"
            "for (const type of ['dragover', 'drop']) text.dispatchEvent("
            "new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: transfer}))"
        )
        assert browser.text("#chosen").startswith("[1]\nlunch.txt")
        check(browser, text="Lunch is free for all [1].")
        assert advice(browser) == "Ready to send: the sources support its only statement."

    def test_can_be_used_by_everyone(self, browser: Browser) -> None:
        browser.emulate(scheme="dark")
        browser.size(360, 800)
        assert browser.violations() == []
        browser.click("#example")
        browser.wait(LAST)
        assert browser.violations() == []
        assert browser.run("return document.documentElement.scrollWidth") <= 360

    def test_asks_for_a_text(self, browser: Browser) -> None:
        fill(browser, text=" ", source=LINES[0])
        browser.click("#check")
        browser.wait("#problem:not([hidden])")
        assert browser.text("#problem") == "Enter a text."

    def test_can_be_stopped(self, browser: Browser) -> None:
        browser.run(
            "document.getElementById('text').value = 'Lunch is free for all. '.repeat(2000)"
        )
        fill(browser, source=LINES[0])
        browser.click("#check")
        browser.driver.find_element(By.ID, "stop").send_keys(Keys.ENTER)
        browser.wait("#problem.told")
        assert browser.text("#problem") == "Stopped."
        assert browser.run("return document.activeElement.id") == "check"

    def test_says_why_a_document_was_refused(self, browser: Browser, tmp_path: Path) -> None:
        file = tmp_path / "notes.pdf"
        file.write_bytes(b"no PDF at all")
        fill(browser, text=TEXT, files=str(file))
        browser.click("#check")
        browser.wait("#problem:not([hidden])")
        assert browser.text("#problem").startswith("notes.pdf: ")

    def test_takes_no_text_for_markup(self, browser: Browser) -> None:
        text = "<img src=x onerror=alert(1)> Lunch is free for all."
        check(browser, text=text, source="<script>alert(1)</script> Lunch is free for all.")
        assert browser.messages() == []

    def test_works_without_its_script(self, browser: Browser, address: str) -> None:
        browser.command("Emulation.setScriptExecutionDisabled", value=True)
        browser.driver.get(address)
        fill(browser, text=TEXT, source=LINES[0])
        browser.click("#check")
        browser.wait("#c1")
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
        assert browser.driver.title.startswith("Text, checked against pasted text on ")
